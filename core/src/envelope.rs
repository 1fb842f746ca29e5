//! The one file that knows the envelopes: which fields a tool result has in
//! which revision, which blocks its content holds, and what a model reads of
//! them.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use crate::json::pointer::decode_body;
use crate::json::walk::{Doc, Sort, Value};
use crate::order::{sort, sorted};
use crate::settings::{Revision, Settings};

/// What a top-level field is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Content,
    Structured,
    IsError,
    Meta,
    ResultType,
    /// Not of the protocol, but kept by the policy.
    Kept,
    /// Not of the protocol: it goes.
    Foreign,
    /// `"nextCursor": null`: it goes.
    NullCursor,
    /// A key that comes again later: it goes.
    Superseded,
}

/// One top-level field.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field<'d> {
    pub(crate) key: &'d str,
    pub(crate) value: Value,
    pub(crate) role: Role,
}

/// What a content block is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BlockKind {
    Text,
    Image,
    Audio,
    ResourceText,
    ResourceBlob,
    /// A link, or a kind that this engine does not know: whole or not at all.
    Whole,
}

/// One content block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block {
    pub(crate) value: Value,
    pub(crate) kind: BlockKind,
    /// The string that carries the payload.
    pub(crate) payload: Option<Value>,
    /// A key of it is written twice.
    pub(crate) repeats: bool,
}

/// A result that is told to be complete.
#[derive(Clone, Debug)]
pub(crate) struct Envelope<'d> {
    pub(crate) root: Value,
    pub(crate) fields: Vec<Field<'d>>,
    pub(crate) content: Option<Value>,
    /// The first blocks, at most one more than the limit allows.
    pub(crate) blocks: Vec<Block>,
    /// All blocks.
    pub(crate) block_count: usize,
    /// The last block, where it is not among `blocks`.
    pub(crate) last_block: Option<Block>,
    /// Sizes of the blocks between.
    pub(crate) between: Between,
    pub(crate) structured: Option<Value>,
    pub(crate) meta: Option<Value>,
    pub(crate) is_error: bool,
}

/// Sizes of blocks that are counted, not kept in memory.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Between {
    pub(crate) text: usize,
    pub(crate) text_with_space: usize,
    pub(crate) binary: usize,
}

/// What a result is.
#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant, reason = "one a call, never stored")]
pub(crate) enum Kind<'d> {
    /// A complete tool result: it is bounded.
    Complete(Envelope<'d>),
    /// Anything else (contract B12): measured, never edited.
    Opaque,
}

/// Whether the encoded `key` spells `name`.
pub(crate) fn key_is(key: &str, name: &str) -> bool {
    key == name || (key.contains('\\') && decode_body(key) == name)
}

impl<'d> Envelope<'d> {
    /// Reads the object at `root`.
    pub(crate) fn read(doc: &'d Doc<'d>, root: Value, settings: &Settings) -> Kind<'d> {
        let mut fields: Vec<Field<'d>> = Vec::new();
        for member in doc.members(&root) {
            let role = role(doc, member.key, &member.value, settings);
            fields.push(Field { key: member.key, value: member.value, role });
        }
        supersede(&mut fields);
        let find = |role: Role| fields.iter().find(|field| field.role == role);
        // The last of its kind counts, in whatever revision (contract B12).
        if let Some(field) = fields.iter().rev().find(|field| key_is(field.key, "resultType"))
            && decode_body(doc.body(&field.value)) != "complete"
        {
            return Kind::Opaque;
        }
        let content = find(Role::Content).map(|field| field.value);
        let structured = find(Role::Structured).map(|field| field.value);
        if content.is_none() && structured.is_none() {
            return Kind::Opaque;
        }
        let meta = find(Role::Meta).map(|field| field.value);
        let is_error = find(Role::IsError).is_some_and(|field| doc.raw(&field.value) == "true");
        let most = settings.limits.max_content_blocks as usize + 1;
        let (mut blocks, mut block_count, mut last) = (Vec::new(), 0, None);
        let mut between = Between::default();
        if let Some(content) = content {
            for value in doc.items(&content) {
                block_count += 1;
                if blocks.len() < most {
                    blocks.push(Block::read(doc, value));
                } else if let Some(block) = last.replace(Block::read(doc, value)) {
                    between.text += block.text_bytes(false);
                    between.text_with_space += block.text_bytes(true);
                    between.binary += block.binary_bytes();
                }
            }
        }
        Kind::Complete(Envelope {
            root,
            fields,
            content,
            blocks,
            block_count,
            last_block: last,
            between,
            structured,
            meta,
            is_error,
        })
    }

    /// Whether the envelope itself needs a change: a field to go, or a key
    /// that is written twice.
    pub(crate) fn needs_repair(&self) -> bool {
        self.blocks.iter().any(|block| block.repeats)
            || self.fields.iter().any(|field| match field.role {
                Role::Foreign | Role::NullCursor | Role::Superseded => true,
                Role::Content
                | Role::Structured
                | Role::IsError
                | Role::Meta
                | Role::ResultType
                | Role::Kept => false,
            })
    }
}

fn role(doc: &Doc<'_>, key: &str, value: &Value, settings: &Settings) -> Role {
    let decoded = decode_body(key);
    match decoded.as_ref() {
        "content" if doc.sort(value) == Sort::Array => Role::Content,
        "structuredContent" => Role::Structured,
        "isError" => Role::IsError,
        "_meta" if doc.sort(value) == Sort::Object => Role::Meta,
        "resultType" if settings.revision >= Revision::R20260728 => Role::ResultType,
        "nextCursor" if doc.raw(value) == "null" => Role::NullCursor,
        name if settings.keep_fields.iter().any(|kept| kept == name) => Role::Kept,
        _ => Role::Foreign,
    }
}

/// Of each key, only the last field stays.
fn supersede(fields: &mut [Field<'_>]) {
    // Sorted positions, not pairs: an object may have a million fields.
    let keys: Vec<_> = fields.iter().map(|field| decode_body(field.key)).collect();
    for at in superseded(&keys) {
        fields[at].role = Role::Superseded;
    }
}

/// The places of keys that come again later, in order.
pub(crate) fn superseded(keys: &[Cow<'_, str>]) -> Vec<usize> {
    let order = sorted(keys.len(), &|a, b| keys[a].cmp(&keys[b]));
    let mut gone: Vec<usize> = order
        .windows(2)
        .filter_map(|pair| match pair {
            [a, b] if keys[*a] == keys[*b] => Some(*a),
            _ => None,
        })
        .collect();
    sort(&mut gone, &|a, b| a.cmp(&b));
    gone
}

impl Block {
    pub(crate) fn read(doc: &Doc<'_>, value: Value) -> Block {
        let mut block = Block { value, kind: BlockKind::Whole, payload: None, repeats: false };
        if doc.sort(&value) != Sort::Object {
            return block;
        }
        let (mut kind, mut text, mut data, mut resource) = (None, None, None, None);
        let mut members = 0usize;
        for member in doc.members(&value) {
            members += 1;
            let slot = match decode_body(member.key).as_ref() {
                "type" => &mut kind,
                "text" => &mut text,
                "data" => &mut data,
                "resource" => &mut resource,
                _ => continue,
            };
            block.repeats |= slot.replace(member.value).is_some();
        }
        block.repeats |= members > 4 && repeats(doc, &value);
        let string = |value: Option<Value>| value.filter(|v| doc.sort(v) == Sort::String);
        let (kind_is, payload) = match kind.map(|kind| decode_body(doc.body(&kind))).as_deref() {
            Some("text") => (BlockKind::Text, string(text)),
            Some("image") => (BlockKind::Image, string(data)),
            Some("audio") => (BlockKind::Audio, string(data)),
            Some("resource") => {
                match resource.and_then(|r| resource_payload(doc, &r, &mut block)) {
                    Some((kind, payload)) => (kind, Some(payload)),
                    None => (BlockKind::Whole, None),
                }
            }
            _ => (BlockKind::Whole, None),
        };
        if payload.is_some() {
            block.kind = kind_is;
            block.payload = payload;
        }
        block
    }

    /// Whether its payload is base64.
    pub(crate) fn is_binary(&self) -> bool {
        matches!(self.kind, BlockKind::Image | BlockKind::Audio | BlockKind::ResourceBlob)
    }

    /// Where the payload stands in the block, as JSON Pointer steps.
    pub(crate) fn payload_steps(&self) -> &'static [&'static str] {
        match self.kind {
            BlockKind::Text => &["text"],
            BlockKind::Image | BlockKind::Audio => &["data"],
            BlockKind::ResourceText => &["resource", "text"],
            BlockKind::ResourceBlob => &["resource", "blob"],
            BlockKind::Whole => &[],
        }
    }

    /// Encoded bytes of the payload, its quotes not counted.
    pub(crate) fn payload_bytes(&self) -> usize {
        self.payload.map_or(0, |payload| payload.end - payload.start - 2)
    }

    /// What a model reads of it; `space` counts white space between tokens.
    pub(crate) fn text_bytes(&self, space: bool) -> usize {
        match self.kind {
            BlockKind::Text | BlockKind::ResourceText => self.payload_bytes(),
            BlockKind::Image | BlockKind::Audio | BlockKind::ResourceBlob => 0,
            BlockKind::Whole => size(&self.value, space),
        }
    }

    /// Base64 in it.
    pub(crate) fn binary_bytes(&self) -> usize {
        if self.is_binary() { self.payload_bytes() } else { 0 }
    }
}

/// Bytes of a value, with or without white space between its tokens.
pub(crate) fn size(value: &Value, space: bool) -> usize {
    if space { value.end - value.start } else { value.compact_bytes() }
}

fn resource_payload(
    doc: &Doc<'_>,
    resource: &Value,
    block: &mut Block,
) -> Option<(BlockKind, Value)> {
    let (mut text, mut blob) = (None, None);
    for member in doc.members(resource) {
        let slot = match decode_body(member.key).as_ref() {
            "text" => &mut text,
            "blob" => &mut blob,
            _ => continue,
        };
        block.repeats |= slot.replace(member.value).is_some();
    }
    let string = |value: Option<Value>| value.filter(|v| doc.sort(v) == Sort::String);
    match (string(text), string(blob)) {
        (Some(text), None) => Some((BlockKind::ResourceText, text)),
        (None, Some(blob)) => Some((BlockKind::ResourceBlob, blob)),
        _ => None,
    }
}

/// Whether an object writes a key twice.
fn repeats(doc: &Doc<'_>, object: &Value) -> bool {
    let keys: Vec<_> = doc.members(object).map(|member| decode_body(member.key)).collect();
    !superseded(&keys).is_empty()
}

/// Whether a member of `_meta` is one that clients or SDKs depend on
/// (contract B12): it is never edited, and never dropped.
pub(crate) fn is_protected_meta(key: &str) -> bool {
    let key = decode_body(key);
    if matches!(
        key.as_ref(),
        "fastmcp" | "progressToken" | "traceparent" | "tracestate" | "baggage" | "ui"
    ) {
        return true;
    }
    let Some((prefix, _)) = key.split_once('/') else { return false };
    prefix == "ui"
        || prefix == "openai"
        || prefix == "anthropic"
        || prefix.split('.').any(|label| label == "modelcontextprotocol" || label == "mcp")
}

/// Containers nested below and at `value`.
pub(crate) fn depth_of(doc: &Doc<'_>, value: &Value) -> usize {
    let bytes = doc.text.as_bytes();
    let (mut at, mut depth, mut most) = (value.start, 0usize, 0);
    while at < value.end {
        match bytes[at] {
            b'"' => {
                at = crate::json::walk::string_end(bytes, at);
                continue;
            }
            b'{' | b'[' => {
                depth += 1;
                most = most.max(depth);
            }
            b'}' | b']' => depth -= 1,
            _ => {}
        }
        at += 1;
    }
    most
}
