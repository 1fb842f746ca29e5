//! The component file: no import, small, the signatures that hosts without
//! component support rely on.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::wildcard_enum_match_arm,
    reason = "tests"
)]

use std::fmt::Write as _;
use std::fs;

use result_budget_architecture::{root, text};
use result_budget_support::COMPONENT_MAX_BYTES;
use wasmparser::{ExternalKind, Parser, Payload, TypeRef};

fn engine(name: &str) -> Vec<u8> {
    let file = root().join("target/engine").join(name);
    fs::read(&file)
        .unwrap_or_else(|_| panic!("{} is not there: run `cargo xtask component`", file.display()))
}

#[test]
fn the_component_imports_nothing() {
    let bytes = engine("result-budget.wasm");
    wasmparser::Validator::new().validate_all(&bytes).expect("a valid component");
    let mut depth = 0;
    for payload in Parser::new(0).parse_all(&bytes) {
        match payload.expect("parses") {
            Payload::ModuleSection { .. } | Payload::ComponentSection { .. } => depth += 1,
            Payload::End(_) if depth > 0 => depth -= 1,
            // The shims of the component model import from each other; the
            // component as a whole may not.
            Payload::ComponentImportSection(section) if depth == 0 => {
                assert_eq!(section.count(), 0, "the component imports something");
            }
            _ => {}
        }
    }
}

#[test]
fn the_core_module_imports_nothing() {
    for payload in Parser::new(0).parse_all(&engine("result-budget.core.wasm")) {
        if let Payload::ImportSection(section) = payload.expect("parses") {
            assert_eq!(section.count(), 0, "the core module imports something");
        }
    }
}

#[test]
fn the_component_stays_small() {
    let bytes = engine("result-budget.wasm").len();
    eprintln!("component: {bytes} bytes");
    assert!(
        bytes < COMPONENT_MAX_BYTES,
        "{bytes} bytes, at most {COMPONENT_MAX_BYTES} are allowed"
    );
}

#[test]
fn the_exported_signatures_are_pinned() {
    let mut types = Vec::new();
    let mut functions = Vec::new();
    let mut lines = Vec::new();
    for payload in Parser::new(0).parse_all(&engine("result-budget.core.wasm")) {
        match payload.expect("parses") {
            Payload::TypeSection(section) => {
                for group in section {
                    for ty in group.expect("a group").into_types() {
                        types.push(match ty.composite_type.inner {
                            wasmparser::CompositeInnerType::Func(func) => Some(func),
                            _ => None,
                        });
                    }
                }
            }
            Payload::ImportSection(section) => {
                for import in section.into_imports() {
                    if let TypeRef::Func(ty) = import.expect("an import").ty {
                        functions.push(ty);
                    }
                }
            }
            Payload::FunctionSection(section) => {
                functions.extend(section.into_iter().map(|ty| ty.expect("a function")));
            }
            Payload::ExportSection(section) => {
                for export in section {
                    let export = export.expect("an export");
                    // Names of the tool chain, not of the interface.
                    if export.name.starts_with("__") || export.name.starts_with("cabi_realloc_") {
                        continue;
                    }
                    let mut line = export.name.to_string();
                    match export.kind {
                        ExternalKind::Func => {
                            let ty = functions[export.index as usize] as usize;
                            let func = types[ty].as_ref().expect("a function type");
                            let names = |types: &[wasmparser::ValType]| {
                                types.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
                            };
                            let _ = write!(
                                line,
                                ": ({}) -> ({})",
                                names(func.params()),
                                names(func.results())
                            );
                        }
                        kind => {
                            let _ = write!(line, ": {kind:?}");
                        }
                    }
                    lines.push(line);
                }
            }
            _ => {}
        }
    }
    lines.sort();
    let found = format!("{}\n", lines.join("\n"));
    let file = "tests/architecture/signatures.txt";
    if std::env::var("RESULT_BUDGET_BLESS").is_ok() {
        fs::write(root().join(file), &found).expect("is written");
    }
    let pinned = text(file).unwrap_or_default();
    assert_eq!(
        found, pinned,
        "the core module's exports changed: hosts without component support break. \
         If that is meant, run with RESULT_BUDGET_BLESS=1"
    );
}
