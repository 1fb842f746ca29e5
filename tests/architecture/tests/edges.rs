//! What may depend on what, and what the guest is free of.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::wildcard_enum_match_arm,
    reason = "tests"
)]

use std::collections::{BTreeMap, BTreeSet};

use cargo_metadata::{DependencyKind, Metadata, MetadataCommand};
use result_budget_architecture::{files, root, text};

/// Edges between rooms, tests aside: who may name whom.
const ALLOWED: [(&str, &[&str]); 9] = [
    ("result-budget-json", &[]),
    ("result-budget-core", &["result-budget-json"]),
    ("result-budget-component", &["result-budget-core"]),
    ("result-budget-assemble", &[]),
    ("result-budget", &[]),
    ("result-budget-cli", &["result-budget"]),
    // The packages carry the command as well.
    ("result-budget-python", &["result-budget", "result-budget-cli"]),
    ("result-budget-node", &["result-budget", "result-budget-cli"]),
    ("xtask", &[]),
];

/// What the core may depend on, its loops over every byte included: Unicode's
/// tables, and natively a safe name for the machine's vectors.
const OF_CORE: [(&str, &[&str]); 2] = [
    ("result-budget-core", &["result-budget-json", "unicode-segmentation"]),
    ("result-budget-json", &["wide"]),
];

fn metadata() -> Metadata {
    MetadataCommand::new().manifest_path(root().join("Cargo.toml")).exec().expect("cargo metadata")
}

fn normal_dependencies(metadata: &Metadata) -> BTreeMap<String, BTreeSet<String>> {
    metadata
        .workspace_packages()
        .into_iter()
        .map(|package| {
            let names = package
                .dependencies
                .iter()
                .filter(|dependency| dependency.kind != DependencyKind::Development)
                .map(|dependency| dependency.name.to_string());
            (package.name.to_string(), names.collect())
        })
        .collect()
}

#[test]
fn only_the_allowed_edges_between_rooms_exist() {
    let metadata = metadata();
    let edges = normal_dependencies(&metadata);
    let members: BTreeSet<&String> = edges.keys().collect();
    for package in metadata.workspace_packages() {
        let name = package.name.to_string();
        let of_tests =
            package.manifest_path.starts_with(root().join("tests").to_str().expect("text"));
        for other in edges[&name].iter().filter(|other| members.contains(other)) {
            if of_tests {
                // Tests look at everything.
                continue;
            }
            let row = ALLOWED.iter().find(|(room, _)| *room == name);
            let (_, may) = row.unwrap_or_else(|| panic!("`{name}` has no row in the table"));
            assert!(may.contains(&other.as_str()), "`{name}` depends on `{other}`");
        }
    }
    // Nothing looks at tests.
    let rooms_of_tests: BTreeSet<String> = metadata
        .workspace_packages()
        .iter()
        .filter(|package| package.manifest_path.as_str().contains("/tests/"))
        .map(|package| package.name.to_string())
        .collect();
    assert!(!rooms_of_tests.is_empty());
    for (room, _) in ALLOWED {
        let seen: Vec<_> = edges[room].intersection(&rooms_of_tests).collect();
        assert!(seen.is_empty(), "`{room}` looks at {seen:?}");
    }
}

#[test]
fn the_core_depends_on_two_tables_and_has_no_features() {
    let metadata = metadata();
    for (name, may) in OF_CORE {
        let package = metadata
            .workspace_packages()
            .into_iter()
            .find(|package| package.name.as_str() == name)
            .unwrap_or_else(|| panic!("there is no `{name}`"));
        assert!(package.features.is_empty(), "{:?}", package.features);
        for dependency in
            package.dependencies.iter().filter(|d| d.kind != DependencyKind::Development)
        {
            let other = dependency.name.as_str();
            assert!(may.contains(&other), "`{name}` depends on `{other}`");
            assert!(!dependency.optional);
            if other == "wide" {
                assert!(dependency.target.is_some(), "`wide` must be native only");
            }
        }
    }
}

#[test]
fn only_the_rust_host_names_the_runtime() {
    let edges = normal_dependencies(&metadata());
    for (room, _) in ALLOWED {
        let names = edges[room].contains("wasmtime");
        // The assembler makes precompiled images with the same version.
        let may = ["result-budget", "result-budget-assemble"].contains(&room);
        assert!(!names || may, "`{room}` names wasmtime");
    }
}

#[test]
fn the_guest_is_free_of_json_libraries_and_of_randomness() {
    let metadata = MetadataCommand::new()
        .manifest_path(root().join("Cargo.toml"))
        .other_options(vec!["--filter-platform".into(), "wasm32-unknown-unknown".into()])
        .exec()
        .expect("cargo metadata");
    let resolve = metadata.resolve.as_ref().expect("resolved");
    let id = |name: &str| {
        let package = metadata.packages.iter().find(|package| package.name.as_str() == name);
        package.unwrap_or_else(|| panic!("no `{name}`")).id.clone()
    };
    let (mut queue, mut seen) = (vec![id("result-budget-component")], BTreeSet::new());
    while let Some(next) = queue.pop() {
        if !seen.insert(next.clone()) {
            continue;
        }
        let node = resolve.nodes.iter().find(|node| node.id == next).expect("a node");
        for dependency in &node.deps {
            // What macros need at build time is not in the guest.
            let normal =
                dependency.dep_kinds.iter().any(|kind| kind.kind == DependencyKind::Normal);
            let package = &metadata[&dependency.pkg];
            let macros = package.targets.iter().any(|target| target.is_proc_macro());
            if normal && !macros {
                queue.push(dependency.pkg.clone());
            }
        }
    }
    let names: BTreeSet<String> = seen.iter().map(|id| metadata[id].name.to_string()).collect();
    eprintln!("in the guest: {names:?}");
    assert!(names.contains("result-budget-core"));
    for banned in ["serde", "serde_json", "getrandom", "rand", "hashbrown", "ahash", "std", "wide"]
    {
        assert!(!names.contains(banned), "`{banned}` is in the guest: {names:?}");
    }
    assert!(names.len() <= 8, "{names:?}");
}

#[test]
fn the_core_is_pure() {
    for lib in ["core/src/lib.rs", "core/json/src/lib.rs"] {
        let lib = text(lib).expect("there is a core");
        assert!(lib.contains("#![no_std]"));
        assert!(lib.contains("#![forbid(unsafe_code)]"));
    }
    let of_core = |path: &&std::path::PathBuf| {
        path.starts_with("core/src") || path.starts_with("core/json/src")
    };
    let mut looked = 0;
    for path in files().expect("a checkout").iter().filter(of_core) {
        let source = text(path).expect("text");
        looked += 1;
        for banned in [
            "cfg(feature",
            "std::",
            "extern crate std",
            "unsafe ",
            "static mut",
            "println!",
            "HashMap",
            "HashSet",
            "SystemTime",
            "Instant::",
        ] {
            let lines = source.lines().filter(|line| {
                let code = line.trim_start();
                !code.starts_with("//") && code.contains(banned)
            });
            let found: Vec<_> =
                lines.filter(|line| !line.contains("forbid(unsafe_code)")).collect();
            assert!(found.is_empty(), "{}: `{banned}` in {found:?}", path.display());
        }
    }
    assert!(looked > 40);
}

#[test]
fn unsafe_code_is_where_it_is_declared() {
    // Machine code that was compiled before, functions whose types were checked
    // once, and the pointers of the component model's ABI.
    let may = [
        "bindings/rust/src/image.rs",
        "bindings/rust/src/engine.rs",
        "bindings/rust/src/instance.rs",
        "bindings/python/src/engine.rs",
        "bindings/node/src/engine.rs",
        "component/src/bindings.rs",
        "component/assemble/src/image.rs",
    ];
    for path in files().expect("a checkout") {
        let name = path.to_string_lossy().replace('\\', "/");
        let product = ["core/", "component/", "bindings/", "xtask/"];
        if !name.ends_with(".rs") || !product.iter().any(|room| name.starts_with(room)) {
            continue;
        }
        let source = text(&path).expect("text");
        let code = source.lines().filter(|line| !line.trim_start().starts_with("//"));
        let unsafe_lines =
            code.filter(|line| line.contains("unsafe {") || line.contains("unsafe fn")).count();
        assert!(unsafe_lines == 0 || may.contains(&name.as_str()), "{name} has unsafe code");
    }
}
