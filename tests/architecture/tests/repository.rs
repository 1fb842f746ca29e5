//! The repository: what lies at its top, how long a file is, one version, and
//! nothing in it that belongs to a machine.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::wildcard_enum_match_arm,
    reason = "tests"
)]

use std::collections::BTreeSet;

use cargo_metadata::MetadataCommand;
use result_budget_architecture::{code_lines, files, root, text};

/// What a stranger finds: the rooms, prose, licences and tool configuration.
const TOP: [&str; 23] = [
    ".cargo",
    ".ci",
    ".editorconfig",
    ".gitattributes",
    ".github",
    ".gitignore",
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "Cargo.lock",
    "Cargo.toml",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "README.md",
    "bindings",
    "clippy.toml",
    "component",
    "core",
    "host-examples",
    "rustfmt.toml",
    "tests",
    "wit",
    "xtask",
];

const MAX_CODE_LINES: usize = 400;

#[test]
fn the_top_of_the_repository_is_what_a_stranger_expects() {
    let found: BTreeSet<String> = files()
        .expect("a checkout")
        .iter()
        .filter_map(|path| {
            Some(path.components().next()?.as_os_str().to_string_lossy().into_owned())
        })
        .collect();
    let foreign: Vec<_> = found.iter().filter(|name| !TOP.contains(&name.as_str())).collect();
    assert!(foreign.is_empty(), "{foreign:?}");
    for needed in
        ["Cargo.toml", "wit", "core", "component", "bindings", "tests", "xtask", "README.md"]
    {
        assert!(found.contains(needed), "{needed} is missing");
    }
}

#[test]
fn a_file_has_at_most_400_lines_of_code() {
    let mut long = Vec::new();
    for path in files().expect("a checkout") {
        // The tests of a crate may be long: they are lists.
        let of_tests = path.components().skip(1).any(|part| part.as_os_str() == "tests");
        if !of_tests && path.extension().is_some_and(|ending| ending == "rs") {
            let lines = code_lines(&text(&path).expect("text"));
            if lines > MAX_CODE_LINES {
                long.push(format!("{}: {lines}", path.display()));
            }
        }
    }
    assert!(long.is_empty(), "{long:#?}");
}

#[test]
fn there_is_one_version_everywhere() {
    let version = env!("CARGO_PKG_VERSION");
    let metadata = MetadataCommand::new()
        .manifest_path(root().join("Cargo.toml"))
        .no_deps()
        .exec()
        .expect("cargo metadata");
    for package in metadata.workspace_packages() {
        assert_eq!(package.version.to_string(), version, "{}", package.name);
    }
    let world = text("wit/world.wit").expect("a world");
    assert!(world.contains(&format!("package result-budget:engine@{version};")));
    for file in ["world", "types", "fitting", "settling"] {
        let wit = text(format!("wit/{file}.wit")).expect("text");
        let gates = wit.matches("@since(version = ").count();
        let of_now = wit.matches(&format!("@since(version = {version})")).count();
        // Older gates are legal once there is an older version.
        assert!(gates > 0 && of_now <= gates, "{file}");
    }
}

#[test]
fn nothing_names_a_machine_or_a_private_host() {
    // Put together here, so that this file does not hold them.
    let banned: Vec<String> = [
        ["/ro", "ot/"],
        ["/wo", "rk/"],
        ["/tm", "p/bash"],
        ["/mnt", "/data"],
        ["C:\\Us", "ers\\"],
        ["artif", "actory."],
        [".inter", "nal/"],
        ["nexus", "."],
    ]
    .iter()
    .map(|parts| parts.concat())
    .collect();
    let mut found = Vec::new();
    for path in files().expect("a checkout") {
        let Ok(text) = text(&path) else { continue };
        for word in banned.iter().filter(|word| text.contains(word.as_str())) {
            found.push(format!("{}: {word}", path.display()));
        }
    }
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn the_lock_file_names_the_public_registry_alone() {
    let lock = text("Cargo.lock").expect("a lock file");
    for line in lock.lines().filter(|line| line.starts_with("source = ")) {
        assert_eq!(line, "source = \"registry+https://github.com/rust-lang/crates.io-index\"");
    }
}

#[test]
fn the_lock_files_of_npm_name_no_registry() {
    let locks: Vec<_> = files()
        .expect("a checkout")
        .into_iter()
        .filter(|path| path.file_name().is_some_and(|name| name == "package-lock.json"))
        .collect();
    assert!(locks.len() >= 4, "{locks:?}");
    for path in locks {
        let lock = text(&path).expect("text");
        assert!(!lock.contains("\"resolved\": \"http"), "{}", path.display());
        assert!(lock.contains("\"integrity\""), "{}", path.display());
    }
}

#[test]
fn there_is_one_version_in_the_package_for_node() {
    let manifest = text("bindings/node/package.json").expect("a manifest");
    let version = env!("CARGO_PKG_VERSION");
    assert!(manifest.contains(&format!("\"version\": \"{version}\"")));
    assert!(!manifest.contains("\"dependencies\""), "a dependency at run time");
}

#[test]
fn every_crate_takes_the_lints_of_the_workspace() {
    for path in files().expect("a checkout") {
        if path.file_name().is_some_and(|name| name == "Cargo.toml")
            && path.components().count() > 1
        {
            let manifest = text(&path).expect("text");
            if manifest.contains("[package]") && !manifest.contains("[workspace]") {
                assert!(manifest.contains("[lints]\nworkspace = true"), "{}", path.display());
            }
        }
    }
}
