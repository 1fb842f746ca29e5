//! The WIT package: every item is documented and gated, and it quotes the
//! table of limits as the table is.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::wildcard_enum_match_arm,
    reason = "tests"
)]

use result_budget_architecture::{root, text};
use result_budget_core::{LIMITS, PRESETS};
use serde_json::Value;
use wit_parser::{Docs, Resolve, Stability, TypeDefKind, WorldItem};

fn resolve() -> Resolve {
    let mut resolve = Resolve::default();
    resolve.push_dir(root().join("wit")).expect("the interface parses");
    resolve
}

/// Complains about an item without documentation, or whose first line is not
/// a sentence or a part of one that begins with what the item is.
fn documented(what: &str, docs: &Docs, faults: &mut Vec<String>) {
    match docs.contents.as_deref().map(str::trim) {
        None | Some("") => faults.push(format!("{what} has no documentation")),
        Some(text) if text.starts_with("This ") => {
            faults.push(format!("{what} starts with `This`"))
        }
        Some(text) if text.contains("TODO") => faults.push(format!("{what} is not done")),
        Some(_) => {}
    }
}

fn gated(what: &str, stability: &Stability, faults: &mut Vec<String>) {
    if matches!(stability, Stability::Unknown) {
        faults.push(format!("{what} has no @since"));
    }
}

#[test]
fn every_item_is_documented_and_gated() {
    let resolve = resolve();
    let mut faults = Vec::new();
    let mut items = 0;
    let package = resolve
        .packages
        .iter()
        .find(|(_, package)| package.name.namespace == "result-budget")
        .expect("our package")
        .1;
    documented("the package", &package.docs, &mut faults);
    for (name, id) in &package.worlds {
        let world = &resolve.worlds[*id];
        documented(name, &world.docs, &mut faults);
        gated(name, &world.stability, &mut faults);
        assert!(
            world.imports.values().all(|item| matches!(item, WorldItem::Type { .. })),
            "imports"
        );
    }
    for (name, id) in &package.interfaces {
        let interface = &resolve.interfaces[*id];
        documented(name, &interface.docs, &mut faults);
        gated(name, &interface.stability, &mut faults);
        for (function, def) in &interface.functions {
            items += 1;
            documented(&format!("{name}.{function}"), &def.docs, &mut faults);
            gated(&format!("{name}.{function}"), &def.stability, &mut faults);
        }
        for (ty, id) in &interface.types {
            let def = &resolve.types[*id];
            let what = format!("{name}.{ty}");
            if matches!(def.kind, TypeDefKind::Type(_)) {
                // A name taken from another interface.
                continue;
            }
            items += 1;
            documented(&what, &def.docs, &mut faults);
            gated(&what, &def.stability, &mut faults);
            let parts: Vec<(&String, &Docs)> = match &def.kind {
                TypeDefKind::Record(record) => {
                    record.fields.iter().map(|f| (&f.name, &f.docs)).collect()
                }
                TypeDefKind::Enum(cases) => {
                    cases.cases.iter().map(|c| (&c.name, &c.docs)).collect()
                }
                TypeDefKind::Variant(variant) => {
                    variant.cases.iter().map(|c| (&c.name, &c.docs)).collect()
                }
                TypeDefKind::Flags(flags) => {
                    flags.flags.iter().map(|f| (&f.name, &f.docs)).collect()
                }
                _ => Vec::new(),
            };
            for (part, docs) in parts {
                items += 1;
                documented(&format!("{what}.{part}"), docs, &mut faults);
            }
        }
    }
    assert!(items > 80, "only {items} items were looked at");
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn numbers_are_32_bits_wide_and_bytes_cross_as_text() {
    let resolve = resolve();
    for (_, def) in &resolve.types {
        let types: Vec<wit_parser::Type> = match &def.kind {
            TypeDefKind::Record(record) => record.fields.iter().map(|field| field.ty).collect(),
            TypeDefKind::Variant(variant) => {
                variant.cases.iter().filter_map(|case| case.ty).collect()
            }
            TypeDefKind::List(ty) | TypeDefKind::Option(ty) => vec![*ty],
            _ => Vec::new(),
        };
        for ty in types {
            use wit_parser::Type::{F32, F64, S64, U8, U64};
            assert!(!matches!(ty, U64 | S64 | F32 | F64 | U8), "{:?} in {:?}", ty, def.name);
        }
    }
}

#[test]
fn the_record_of_limits_has_the_rows_of_the_table_in_their_order() {
    let resolve = resolve();
    let def = resolve
        .types
        .iter()
        .find(|(_, def)| def.name.as_deref() == Some("limits"))
        .expect("a record of limits")
        .1;
    let TypeDefKind::Record(record) = &def.kind else { panic!("no record") };
    let names: Vec<String> =
        record.fields.iter().map(|field| field.name.replace('-', "_")).collect();
    let rows: Vec<&str> = LIMITS.iter().map(|limit| limit.name).collect();
    assert_eq!(names, rows);
    for (field, limit) in record.fields.iter().zip(&LIMITS) {
        let optional = !matches!(field.ty, wit_parser::Type::U32);
        assert_eq!(optional, limit.default.is_none(), "{}", limit.name);
    }
}

#[test]
fn the_policy_schema_quotes_the_table() {
    let schema: Value =
        serde_json::from_str(&text("wit/policy.schema.json").expect("a schema")).expect("JSON");
    let rows = schema["$defs"]["limits"]["properties"].as_object().expect("limits");
    assert_eq!(rows.len(), LIMITS.len());
    for limit in &LIMITS {
        let row = &rows[limit.name];
        assert_eq!(row["minimum"], limit.min, "{}", limit.name);
        assert_eq!(row["maximum"], limit.max, "{}", limit.name);
        assert_eq!(row["default"], limit.default.map_or(Value::Null, Into::into), "{}", limit.name);
        let description = row["description"].as_str().expect("described");
        assert!(description.starts_with(limit.counts), "{}: {description}", limit.name);
        assert!(description.contains(limit.rule), "{}: {description}", limit.name);
    }
    let names = schema["$defs"].to_string() + &schema["properties"].to_string();
    for preset in &PRESETS {
        assert!(names.contains(preset.name), "{}", preset.name);
    }
}

#[test]
fn the_readme_quotes_every_limit_as_the_table_has_it() {
    let readme = text("README.md").expect("a README");
    for limit in &LIMITS {
        let line = readme
            .lines()
            .find(|line| line.starts_with(&format!("| `{}` ", limit.name)))
            .unwrap_or_else(|| panic!("README.md has no row for `{}`", limit.name));
        let digits: String = line.chars().filter(|c| *c != ',' && *c != '_').collect();
        let numbers: Vec<&str> =
            digits.split(|c: char| !c.is_ascii_digit()).filter(|n| !n.is_empty()).collect();
        for number in [Some(limit.min), limit.default, Some(limit.max)].into_iter().flatten() {
            let wanted = number.to_string();
            assert!(
                numbers.contains(&wanted.as_str()),
                "`{}`: {wanted} is not in `{line}`",
                limit.name
            );
        }
    }
    for preset in &PRESETS {
        assert!(
            readme.contains(&format!("`{}`", preset.name)),
            "README.md does not name `{}`",
            preset.name
        );
    }
}
