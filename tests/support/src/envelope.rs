//! What a valid `CallToolResult` is, by protocol revision: hand checks against
//! the published schemas.

use std::collections::BTreeSet;

use result_budget_core::Revision;

use crate::tree::{Tree, Value};

/// Top-level keys that the revision names. The four of contract B4 are kept in
/// every revision.
#[must_use]
pub fn known_keys(revision: Revision) -> &'static [&'static str] {
    if revision >= Revision::R20260728 {
        &["content", "structuredContent", "isError", "_meta", "resultType"]
    } else {
        &["content", "structuredContent", "isError", "_meta"]
    }
}

/// True for a complete tool result: one that may be edited (contract B12).
#[must_use]
pub fn is_complete(result: &Tree<'_>) -> bool {
    let kind = result.member("resultType");
    let list =
        result.member("content").is_some_and(|content| matches!(content.value, Value::Array(_)));
    kind.is_none_or(|kind| kind.text() == Some("complete"))
        && (list || result.member("structuredContent").is_some())
}

/// Why `result` is no valid tool result of `revision`; empty where it is one.
#[must_use]
pub fn faults(result: &Tree<'_>, revision: Revision) -> Vec<String> {
    let mut faults = Vec::new();
    if !matches!(result.value, Value::Object(_)) {
        return vec!["no object".to_string()];
    }
    let mut seen = BTreeSet::new();
    for member in result.members() {
        if !seen.insert(&member.key) && faults.len() < 20 {
            faults.push(format!("`{}` is repeated", short(&member.key)));
        }
    }
    match result.member("content").map(|content| &content.value) {
        Some(Value::Array(blocks)) => {
            for (at, block) in blocks.iter().enumerate() {
                for fault in block_faults(block, revision) {
                    faults.push(format!("/content/{at}: {fault}"));
                }
            }
        }
        Some(_) => faults.push("`content` is no list".to_string()),
        None => faults.push("`content` is missing".to_string()),
    }
    match result.member("structuredContent").map(|structured| &structured.value) {
        None | Some(Value::Object(_)) => {}
        Some(_) if revision >= Revision::R20260728 => {}
        Some(_) => faults.push("`structuredContent` is no object".to_string()),
    }
    if let Some(is_error) = result.member("isError")
        && !matches!(is_error.value, Value::Bool(_))
    {
        faults.push("`isError` is no boolean".to_string());
    }
    if let Some(meta) = result.member("_meta")
        && !matches!(meta.value, Value::Object(_))
    {
        faults.push("`_meta` is no object".to_string());
    }
    if revision >= Revision::R20260728 && result.member("resultType").and_then(Tree::text).is_none()
    {
        faults.push("`resultType` is no string".to_string());
    }
    faults
}

fn block_faults(block: &Tree<'_>, revision: Revision) -> Vec<String> {
    let mut faults = Vec::new();
    let mut string = |tree: &Tree<'_>, key: &str| {
        if tree.member(key).and_then(Tree::text).is_none() {
            faults.push(format!("`{key}` is no string"));
        }
    };
    let mut others = Vec::new();
    match block.member("type").and_then(Tree::text) {
        Some("text") => string(block, "text"),
        Some("image") => {
            string(block, "data");
            string(block, "mimeType");
        }
        Some("audio") if revision >= Revision::R20250326 => {
            string(block, "data");
            string(block, "mimeType");
        }
        Some("resource_link") if revision >= Revision::R20250618 => {
            string(block, "uri");
            string(block, "name");
        }
        Some("resource") => match block.member("resource") {
            Some(resource) => {
                string(resource, "uri");
                let text = resource.member("text").and_then(Tree::text).is_some();
                let blob = resource.member("blob").and_then(Tree::text).is_some();
                if text == blob {
                    others.push("not exactly one of `text` and `blob`".to_string());
                }
            }
            None => others.push("`resource` is missing".to_string()),
        },
        Some(other) => others.push(format!("kind `{}` is unknown", short(other))),
        None => others.push("`type` is no string".to_string()),
    }
    faults.extend(others);
    if let Some(annotations) = block.member("annotations") {
        faults.extend(annotation_faults(annotations));
    }
    if let Some(meta) = block.member("_meta")
        && !matches!(meta.value, Value::Object(_))
    {
        faults.push("`_meta` is no object".to_string());
    }
    faults
}

fn annotation_faults(annotations: &Tree<'_>) -> Vec<String> {
    let mut faults = Vec::new();
    if !matches!(annotations.value, Value::Object(_)) {
        faults.push("`annotations` is no object".to_string());
    }
    if let Some(audience) = annotations.member("audience") {
        let known = |role: &Tree<'_>| matches!(role.text(), Some("user" | "assistant"));
        if !matches!(audience.value, Value::Array(_)) || !audience.items().iter().all(known) {
            faults.push("`audience` is no list of roles".to_string());
        }
    }
    if let Some(priority) = annotations.member("priority") {
        let value: f64 = priority.raw.parse().unwrap_or(f64::NAN);
        if !(0.0..=1.0).contains(&value) {
            faults.push("`priority` is not from 0 to 1".to_string());
        }
    }
    faults
}

fn short(text: &str) -> String {
    text.chars().take(40).collect()
}
