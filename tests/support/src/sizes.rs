//! The sizes that the limits speak of, measured on a tree.

use result_budget_core::WireProfile;

use crate::tree::{Tree, Value};
use crate::wire::{body_bytes, printed_bytes};

/// Sizes of one result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sizes {
    /// What a model reads.
    pub text_bytes: usize,
    /// The same in tokens, as the core estimates them; `tests/tokens` holds the
    /// estimate against real tokenizers.
    pub text_tokens: usize,
    /// The same in lines, an empty one after each part.
    pub text_lines: usize,
    /// Base64 of all blocks.
    pub binary_bytes: usize,
    /// Blocks in `content`.
    pub content_blocks: usize,
    /// The longest text of one block.
    pub block_text_bytes: usize,
    /// The longest base64 of one block.
    pub block_binary_bytes: usize,
    /// Encoded `structuredContent`.
    pub structured_bytes: usize,
    /// Containers nested inside one another.
    pub depth: usize,
    /// The longest list in `structuredContent`.
    pub list_items: usize,
    /// The widest map in `structuredContent`.
    pub map_keys: usize,
    /// The longest string in `structuredContent`.
    pub string_bytes: usize,
    /// The longest key in `structuredContent`.
    pub key_bytes: usize,
    /// The longest list item in `structuredContent`.
    pub item_bytes: usize,
}

/// Text and base64 of one block.
#[must_use]
pub fn block_sizes(block: &Tree<'_>, profile: WireProfile) -> (usize, usize) {
    let body = |part: Option<&Tree<'_>>| match part {
        Some(part) if part.text().is_some() => Some(body_bytes(part.raw, profile)),
        _ => None,
    };
    match block.member("type").and_then(Tree::text) {
        Some("text") => {
            (body(block.member("text")).unwrap_or_else(|| printed_bytes(block.raw, profile)), 0)
        }
        Some("image" | "audio") => (0, body(block.member("data")).unwrap_or(0)),
        Some("resource") => {
            let resource = block.member("resource");
            let text = body(resource.and_then(|resource| resource.member("text"))).unwrap_or(0);
            let blob = body(resource.and_then(|resource| resource.member("blob"))).unwrap_or(0);
            (text, blob)
        }
        _ => (printed_bytes(block.raw, profile), 0),
    }
}

/// What a model reads of a result, part by part: texts as they are decoded, all
/// else as JSON without white space between its tokens.
fn read_by_a_model(result: &Tree<'_>) -> Vec<String> {
    let mut parts = Vec::new();
    for block in result.member("content").map(Tree::items).unwrap_or_default() {
        let resource = block.member("resource");
        let has = |name| resource.is_some_and(|inner| inner.member(name).is_some());
        let text = match block.member("type").and_then(Tree::text) {
            Some("text") => block.member("text").and_then(Tree::text),
            Some("image" | "audio") if block.member("data").and_then(Tree::text).is_some() => {
                continue;
            }
            Some("resource") if has("blob") && !has("text") => continue,
            Some("resource") => {
                resource.and_then(|inner| inner.member("text")).and_then(Tree::text)
            }
            _ => None,
        };
        parts.push(text.map_or_else(|| crate::oracle::stripped(block.raw), String::from));
    }
    parts
        .extend(result.member("structuredContent").map(|value| crate::oracle::stripped(value.raw)));
    parts
}

/// Measures a result.
#[must_use]
pub fn sizes(result: &Tree<'_>, profile: WireProfile) -> Sizes {
    let mut sizes = Sizes { depth: result.depth(), ..Sizes::default() };
    for block in result.member("content").map(Tree::items).unwrap_or_default() {
        let (text, binary) = block_sizes(block, profile);
        sizes.content_blocks += 1;
        sizes.text_bytes += text;
        sizes.binary_bytes += binary;
        sizes.block_text_bytes = sizes.block_text_bytes.max(text);
        sizes.block_binary_bytes = sizes.block_binary_bytes.max(binary);
    }
    if let Some(structured) = result.member("structuredContent") {
        sizes.structured_bytes = printed_bytes(structured.raw, profile);
        sizes.text_bytes += sizes.structured_bytes;
    }
    for part in read_by_a_model(result) {
        sizes.text_tokens += result_budget_core::tokens::estimate(&part);
        sizes.text_lines += part.split('\n').count() + 1;
    }
    sizes
}

/// Adds what the shape limits speak of: lists, maps, strings, keys and items of
/// `structuredContent`. Slow on deep data.
pub fn add_shapes(result: &Tree<'_>, profile: WireProfile, sizes: &mut Sizes) {
    if let Some(structured) = result.member("structuredContent") {
        shapes(structured, profile, sizes);
    }
}

fn shapes(tree: &Tree<'_>, profile: WireProfile, sizes: &mut Sizes) {
    match &tree.value {
        Value::Array(items) => {
            sizes.list_items = sizes.list_items.max(items.len());
            for item in items {
                sizes.item_bytes = sizes.item_bytes.max(printed_bytes(item.raw, profile));
                shapes(item, profile, sizes);
            }
        }
        Value::Object(members) => {
            sizes.map_keys = sizes.map_keys.max(members.len());
            for member in members {
                sizes.key_bytes = sizes.key_bytes.max(body_bytes(member.raw_key, profile));
                shapes(&member.tree, profile, sizes);
            }
        }
        Value::String(_) => {
            sizes.string_bytes = sizes.string_bytes.max(body_bytes(tree.raw, profile));
        }
        Value::Null | Value::Bool(_) | Value::Number | Value::Deep => {}
    }
}
