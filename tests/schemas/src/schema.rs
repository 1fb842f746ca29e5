//! A JSON Schema as a value: where its subschemas are, where its references
//! lead, and which keywords it uses.

use std::collections::BTreeSet;

use jsonschema::{Draft, Validator};
use serde_json::{Map, Value};

/// Keywords whose value is one schema.
const ONE: [&str; 12] = [
    "additionalProperties",
    "unevaluatedProperties",
    "propertyNames",
    "additionalItems",
    "unevaluatedItems",
    "items",
    "contains",
    "not",
    "if",
    "then",
    "else",
    "contentSchema",
];

/// Keywords whose value is a list of schemas.
const LIST: [&str; 5] = ["allOf", "anyOf", "oneOf", "prefixItems", "items"];

/// Keywords whose value is a map of schemas; of `dependencies` some are lists
/// of names.
const MAP: [&str; 6] =
    ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"];

/// Calls `visit` with every schema object in `schema`, itself included.
pub fn visit(schema: &mut Value, visitor: &mut impl FnMut(&mut Map<String, Value>)) {
    let Value::Object(object) = schema else { return };
    visitor(object);
    for (key, value) in object.iter_mut() {
        let key = key.as_str();
        match value {
            Value::Array(items) if LIST.contains(&key) => {
                items.iter_mut().for_each(|item| visit(item, visitor));
            }
            Value::Object(members) if MAP.contains(&key) => {
                members.values_mut().for_each(|member| visit(member, visitor));
            }
            Value::Object(_) if ONE.contains(&key) => visit(value, visitor),
            _ => {}
        }
    }
}

/// Every schema object in `schema` of which `wanted` holds.
pub fn find<'s>(
    schema: &'s Value,
    wanted: &impl Fn(&'s Map<String, Value>) -> bool,
) -> Option<&'s Value> {
    let object = schema.as_object()?;
    if wanted(object) {
        return Some(schema);
    }
    object.iter().find_map(|(key, value)| {
        let key = key.as_str();
        match value {
            Value::Array(items) if LIST.contains(&key) => {
                items.iter().find_map(|item| find(item, wanted))
            }
            Value::Object(members) if MAP.contains(&key) => {
                members.values().find_map(|member| find(member, wanted))
            }
            Value::Object(_) if ONE.contains(&key) => find(value, wanted),
            _ => None,
        }
    })
}

/// Every keyword in `schema`, notes and definitions left out.
#[must_use]
pub fn keywords(schema: &Value) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    visit(&mut schema.clone(), &mut |object| {
        found.extend(object.keys().filter(|key| !NOTES.contains(&key.as_str())).cloned());
    });
    if schema.is_boolean() {
        found.insert(schema.to_string());
    }
    found
}

/// Keywords that judge nothing.
const NOTES: [&str; 12] = [
    "$schema",
    "$comment",
    "$defs",
    "definitions",
    "title",
    "description",
    "default",
    "examples",
    "deprecated",
    "readOnly",
    "writeOnly",
    "discriminator",
];

/// Where `reference` leads from the root of the document, for the plain forms;
/// `None` for the rest.
#[must_use]
pub fn resolve<'s>(root: &'s Value, reference: &str) -> Option<&'s Value> {
    let Some(fragment) = reference.strip_prefix('#') else {
        let of_id = |object: &Map<String, Value>| {
            let id = object.get("$id").and_then(Value::as_str).unwrap_or_default();
            !id.is_empty() && id.rsplit('/').next() == reference.rsplit('/').next()
        };
        return find(root, &of_id);
    };
    if fragment.is_empty() || fragment.starts_with('/') {
        let decoded = fragment.replace("%25", "%").replace("%22", "\"").replace("%5E", "^");
        return root.pointer(&decoded);
    }
    find(root, &|object: &Map<String, Value>| {
        ["$anchor", "$dynamicAnchor"]
            .iter()
            .any(|key| object.get(*key).and_then(Value::as_str) == Some(fragment))
            || object.get("$id").and_then(Value::as_str) == Some(reference)
    })
}

/// Whether the schema says that it is of draft-07.
#[must_use]
pub fn is_draft_7(schema: &Value) -> bool {
    schema.get("$schema").and_then(Value::as_str).is_some_and(|name| name.contains("draft-07"))
}

/// The oracle for `schema`: formats are asserted, and nothing is fetched.
///
/// # Errors
/// Where the schema is none, or refers to what is not in it.
pub fn validator(schema: &Value) -> Result<Validator, String> {
    let draft = if is_draft_7(schema) { Draft::Draft7 } else { Draft::Draft202012 };
    jsonschema::options()
        .with_draft(draft)
        .should_validate_formats(true)
        .offline()
        .build(schema)
        .map_err(|error| error.to_string())
}
