//! Reads vectors, and judges answers.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use result_budget_support::corpus;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

/// One vector.
#[derive(Clone, Debug)]
pub struct Vector {
    /// Topic and claim: the path below `tests/vectors`, without its ending.
    pub name: String,
    /// The file.
    pub path: PathBuf,
    /// The whole file.
    pub json: Map<String, Value>,
}

/// Every file below `tests/vectors`, in order, each checked against the schema.
///
/// # Errors
/// The first file that is no vector, with what is wrong in it.
pub fn load(names: &[String]) -> Result<Vec<Vector>> {
    let root = root();
    let schema: Value = serde_json::from_str(&fs::read_to_string(root.join("schema.json"))?)?;
    let validator = jsonschema::validator_for(&schema)?;
    let mut vectors = Vec::new();
    for topic in corpus::files(&root, "") {
        for path in corpus::files(&topic, "json") {
            let name = name_of(&root, &path);
            if !names.is_empty() && !names.iter().any(|wanted| name.contains(wanted.as_str())) {
                continue;
            }
            let text = fs::read_to_string(&path)?;
            let json: Value = serde_json::from_str(&text).with_context(|| name.clone())?;
            if let Some(fault) = validator.iter_errors(&json).next() {
                bail!("{name}: {} at `{}`", fault, fault.instance_path());
            }
            let Value::Object(json) = json else { bail!("{name}: no object") };
            vectors.push(Vector { name, path, json });
        }
    }
    Ok(vectors)
}

/// The folder of the vectors.
#[must_use]
pub fn root() -> PathBuf {
    corpus::repository().join("tests/vectors")
}

fn name_of(root: &Path, path: &Path) -> String {
    let below = path.strip_prefix(root).unwrap_or(path).with_extension("");
    below.to_string_lossy().replace('\\', "/")
}

impl Vector {
    /// Which call: `fit`, `measure`, `settle`, `failure-result`, `limit-rows`,
    /// `preset-rows`, `measure-tools` or `prepare-tools`.
    #[must_use]
    pub fn call(&self) -> &str {
        self.json.get("call").and_then(Value::as_str).unwrap_or_default()
    }

    /// What is given; an empty map where nothing is.
    #[must_use]
    pub fn given(&self, key: &str) -> Option<&Value> {
        self.json.get("given").and_then(|given| given.get(key))
    }

    /// The rules of the contract that it shows.
    #[must_use]
    pub fn rules(&self) -> Vec<&str> {
        let rules = self.json.get("rules").and_then(Value::as_array);
        rules.into_iter().flatten().filter_map(Value::as_str).collect()
    }

    /// The tool result, its parts put together.
    #[must_use]
    pub fn tool_result_json(&self) -> String {
        if let Some(text) = self.given("tool_result_json").and_then(Value::as_str) {
            return text.to_string();
        }
        self.given("tool_result_parts").map(joined).unwrap_or_default()
    }

    /// What came in, by its name; a tool's result where nothing is said.
    #[must_use]
    pub fn kind(&self) -> &str {
        self.given("kind").and_then(Value::as_str).unwrap_or("tool")
    }

    /// The report of an earlier boundary, where there is one.
    #[must_use]
    pub fn previous_report(&self) -> Option<&str> {
        self.given("previous_report").and_then(Value::as_str)
    }

    /// The policy document as text; empty where there is none.
    #[must_use]
    pub fn policy_json(&self) -> String {
        match self.given("policy_json").and_then(Value::as_str) {
            Some(text) => text.to_string(),
            None => self.given("policy").map(Value::to_string).unwrap_or_default(),
        }
    }

    /// A field of the request.
    #[must_use]
    pub fn request(&self, field: &str) -> Option<&str> {
        self.given("request")?.get(field)?.as_str()
    }

    /// The call as an adapter of another language reads it: the parts of the
    /// result put together, the policy as text.
    #[must_use]
    pub fn line(&self) -> Value {
        let mut given = self.json.get("given").cloned().unwrap_or_else(|| json!({}));
        if let Some(fields) = given.as_object_mut() {
            if fields.remove("tool_result_parts").is_some() {
                fields.insert("tool_result_json".to_string(), self.tool_result_json().into());
            }
            if fields.remove("policy").is_some() {
                fields.insert("policy_json".to_string(), self.policy_json().into());
            }
        }
        json!({ "name": self.name, "call": self.call(), "given": given })
    }

    /// What is wrong with `answer`; empty where it is as expected.
    #[must_use]
    pub fn faults(&self, answer: &Value) -> Vec<String> {
        let Some(Value::Object(expect)) = self.json.get("expect") else {
            return vec!["the vector expects nothing yet: bless it".to_string()];
        };
        let mut faults = Vec::new();
        for (key, wanted) in expect {
            let given = answer.get(key);
            let holds = match key.as_str() {
                "tool_result_digest" => {
                    let text = answer.get("tool_result_json").and_then(Value::as_str);
                    text.is_some_and(|text| digest(text) == *wanted)
                }
                "tool_result_contains" => {
                    let text = answer.get("tool_result_json").and_then(Value::as_str);
                    let pieces = wanted.as_array().into_iter().flatten().filter_map(Value::as_str);
                    text.is_some_and(|text| pieces.clone().all(|piece| text.contains(piece)))
                }
                _ => given == Some(wanted),
            };
            if !holds {
                faults.push(format!(
                    "`{key}`: expected {}, got {}",
                    short(wanted),
                    given.map_or("nothing".to_string(), short)
                ));
            }
        }
        for key in answer.as_object().into_iter().flat_map(Map::keys) {
            let told = expect.contains_key(key)
                || (key == "tool_result_json" && expect.contains_key("tool_result_digest"));
            if !told {
                faults.push(format!("`{key}` was not expected"));
            }
        }
        faults
    }
}

/// The expectation that `answer` meets: its own bytes, or the digest of a long
/// result.
#[must_use]
pub fn expectation(answer: &Value) -> Value {
    let Value::Object(fields) = answer else { return answer.clone() };
    let mut expect = Map::new();
    for (key, value) in fields {
        match value.as_str() {
            Some(text) if key == "tool_result_json" && text.len() > LONG_BYTES => {
                expect.insert("tool_result_digest".to_string(), digest(text));
            }
            _ => {
                expect.insert(key.clone(), value.clone());
            }
        }
    }
    Value::Object(expect)
}

/// Results longer than this are told by their digest.
const LONG_BYTES: usize = 4_000;

fn digest(text: &str) -> Value {
    let sha256: String =
        Sha256::digest(text.as_bytes()).iter().map(|b| format!("{b:02x}")).collect();
    json!({ "bytes": text.len(), "sha256": sha256 })
}

fn joined(parts: &Value) -> String {
    match parts {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().map(joined).collect(),
        Value::Object(fields) => {
            let times = fields.get("times").and_then(Value::as_u64).unwrap_or(0);
            let piece = fields.get("repeat").map(joined).unwrap_or_default();
            (0..times).map(|at| piece.replace("{n}", &at.to_string())).collect()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => String::new(),
    }
}

fn short(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(400) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
