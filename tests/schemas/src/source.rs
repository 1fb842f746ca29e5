//! Where schemas are from: the JSON-Schema-Test-Suite, schemas that libraries
//! generated, tools of recorded servers, and API documents.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use result_budget_support::corpus;
use serde_json::{Map, Value, json};

use crate::schema::visit;

/// A schema, and instances that are known to be valid.
#[derive(Clone, Debug)]
pub struct Source {
    /// Where it is from.
    pub name: String,
    /// The schema.
    pub schema: Value,
    /// Valid instances; none where nobody gave any.
    pub instances: Vec<Value>,
    /// It is a whole output schema: it is put at no other place.
    pub is_whole: bool,
}

/// The folder of the suite, where it was brought there; `cargo xtask schemas`
/// does.
#[must_use]
pub fn suite_folder() -> Option<PathBuf> {
    let target = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    let target = target.unwrap_or_else(|| corpus::repository().join("target"));
    let folder = target.join("schemas/suite/tests");
    folder.is_dir().then_some(folder)
}

/// Every schema of the suite, for both drafts.
#[must_use]
pub fn suite(folder: &Path) -> Vec<Source> {
    let mut found = Vec::new();
    for (draft, name) in [
        ("draft2020-12", "https://json-schema.org/draft/2020-12/schema"),
        ("draft7", "http://json-schema.org/draft-07/schema#"),
    ] {
        let formats = folder.join(draft).join("optional/format");
        for path in [folder.join(draft), formats].iter().flat_map(|at| corpus::files(at, "json")) {
            for group in read(&path).as_array().into_iter().flatten() {
                let text = |key: &str| group.get(key).and_then(Value::as_str).unwrap_or_default();
                let stem = path.file_stem().unwrap_or_default().to_string_lossy();
                let mut schema = group.get("schema").cloned().unwrap_or_default();
                if let Value::Object(object) = &mut schema {
                    object.entry("$schema").or_insert_with(|| Value::from(name));
                }
                let tests = group.get("tests").and_then(Value::as_array).into_iter().flatten();
                let valid = tests.filter(|test| test.get("valid") == Some(&Value::Bool(true)));
                found.push(Source {
                    name: format!("{draft}/{stem}: {}", text("description")),
                    schema,
                    instances: valid.filter_map(|test| test.get("data").cloned()).collect(),
                    is_whole: false,
                });
            }
        }
    }
    found
}

/// The schemas that ship with this crate, as `generate.py` and `generate.mjs`
/// wrote them.
#[must_use]
pub fn generated() -> Vec<Source> {
    let folder = corpus::repository().join("tests/schemas/fixtures");
    let mut found = Vec::new();
    for path in corpus::files(&folder, "json") {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        for (name, schema) in read(&path).as_object().into_iter().flatten() {
            found.push(whole(format!("{stem}/{name}"), schema.clone()));
        }
    }
    found
}

/// The output schemas in lists of tools, and the schemas in API documents, of
/// the corpus; none where it is not there.
#[must_use]
pub fn recorded() -> Vec<Source> {
    let Some(folder) = corpus::folder() else { return Vec::new() };
    let mut found = Vec::new();
    let mut known = BTreeSet::new();
    for server in corpus::files(&folder.join("captured"), "") {
        for path in corpus::files(&server, "jsonl") {
            for line in fs::read_to_string(&path).unwrap_or_default().lines() {
                let message: Value = serde_json::from_str(line).unwrap_or_default();
                let tools = message.pointer("/result/tools").and_then(Value::as_array);
                for tool in tools.into_iter().flatten() {
                    if let Some(schema) = tool.get("outputSchema")
                        && known.insert(schema.to_string())
                    {
                        let server = server.file_name().unwrap_or_default().to_string_lossy();
                        let name = tool.get("name").and_then(Value::as_str).unwrap_or_default();
                        found.push(whole(format!("{server}/{name}"), schema.clone()));
                    }
                }
            }
        }
    }
    for part in ["registry", "local", "fetched"] {
        for path in corpus::files(&folder.join(part), "json") {
            let text = read(&path);
            let text = text.pointer("/content/0/text").and_then(Value::as_str).unwrap_or_default();
            let document: Value = serde_json::from_str(text).unwrap_or_default();
            let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            found.extend(of_api(&stem, &document));
        }
    }
    found
}

/// Each schema of an API document as an output schema: one of it, and a list.
#[must_use]
pub fn of_api(stem: &str, document: &Value) -> Vec<Source> {
    let Some(schemas) = document.pointer("/components/schemas").and_then(Value::as_object) else {
        return Vec::new();
    };
    let mut definitions = Map::new();
    for (name, schema) in schemas {
        let mut schema = schema.clone();
        visit(&mut schema, &mut to_draft_7);
        definitions.insert(name.clone(), schema);
    }
    let whole = |name: String, schema: Value| {
        let mut schema = schema;
        schema["$schema"] = json!("http://json-schema.org/draft-07/schema#");
        schema["definitions"] = Value::Object(definitions.clone());
        whole(name, schema)
    };
    let mut found = Vec::new();
    for name in schemas.keys() {
        let one = json!({"$ref": format!("#/definitions/{name}")});
        let list = json!({
            "type": "object",
            "properties": {"items": {"type": "array", "items": one}, "total": {"type": "integer"}},
            "required": ["items"],
            "additionalProperties": false,
        });
        let all_of = json!({"type": "object", "allOf": [one]});
        found.push(whole(format!("{stem}/{name}"), all_of));
        found.push(whole(format!("{stem}/list of {name}"), list));
    }
    found
}

/// From the dialect of OpenAPI 3.0.
fn to_draft_7(schema: &mut Map<String, Value>) {
    if let Some(Value::String(target)) = schema.get_mut("$ref") {
        *target = target.replace("#/components/schemas/", "#/definitions/");
    }
    if schema.remove("nullable") == Some(Value::Bool(true))
        && let Some(Value::String(name)) = schema.get("type")
    {
        let types = json!([name, "null"]);
        schema.insert(String::from("type"), types);
    }
    for bound in ["exclusiveMinimum", "exclusiveMaximum"] {
        if schema.get(bound).is_some_and(Value::is_boolean) {
            schema.remove(bound);
        }
    }
}

fn whole(name: String, schema: Value) -> Source {
    Source { name, schema, instances: Vec::new(), is_whole: true }
}

fn read(path: &Path) -> Value {
    let text = fs::read_to_string(path).unwrap_or_default();
    serde_json::from_str(&text).unwrap_or_default()
}
