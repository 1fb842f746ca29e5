//! The one file that knows the envelopes: which fields a result has in which
//! revision, which blocks it holds, and what a model reads of them.
//!
//! Three kinds of result hold blocks: a tool's in `content`, a prompt's in
//! `messages` with a role around each, a resource's in `contents` as bare texts
//! and blobs. All are planned and written as blocks.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use crate::call::ResultKind;
use crate::json::pointer::decode_body;
use crate::json::walk::{Doc, Sort, Value};
use crate::order::{sort, sorted};
use crate::settings::{Resources, Revision, Settings};

/// What a top-level field is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// The blocks: `content`, `messages` or `contents`.
    Content,
    Structured,
    IsError,
    Meta,
    ResultType,
    /// `description` of a prompt.
    Description,
    /// `ttlMs` of a resource.
    Ttl,
    /// `cacheScope` of a resource.
    CacheScope,
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

/// One content block, with what is around it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block {
    /// The item of the list: the block itself, or a message that holds it.
    pub(crate) value: Value,
    /// The block itself.
    pub(crate) inner: Value,
    pub(crate) kind: BlockKind,
    /// The string that carries the payload.
    pub(crate) payload: Option<Value>,
    /// Where the payload stands in the item, as JSON Pointer without its first
    /// `/`.
    pub(crate) steps: &'static str,
    /// A key of it is written twice.
    pub(crate) repeats: bool,
}

/// A result that is told to be complete.
#[derive(Clone, Debug)]
pub(crate) struct Envelope<'d> {
    /// What it is: of a tool, a prompt, or a resource.
    pub(crate) kind: ResultKind,
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
    /// A complete result with parts: it is bounded.
    Complete(Envelope<'d>),
    /// Anything else (contract B12): measured, never edited.
    Opaque,
}

/// Whether the encoded `key` spells `name`.
pub(crate) fn key_is(key: &str, name: &str) -> bool {
    // An escaped name is longer.
    key == name || (key.len() > name.len() && decode_body(key) == name)
}

impl<'d> Envelope<'d> {
    /// Reads the object at `root`.
    pub(crate) fn read(
        doc: &'d Doc<'d>,
        root: Value,
        kind: ResultKind,
        settings: &Settings,
    ) -> Kind<'d> {
        let mut fields: Vec<Field<'d>> = Vec::new();
        for member in doc.members(&root) {
            let role = role(doc, member.key, &member.value, kind, settings);
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
        // What is under `ui://` is never cut, and neither is what comes with it.
        let is_ui = |item: Value| {
            doc.members(&item).any(|member| {
                let body = doc.body(&member.value);
                key_is(member.key, "uri") && decode_body(body).starts_with("ui://")
            })
        };
        if kind == ResultKind::Resource
            && (settings.resources == Resources::Whole
                || content.is_some_and(|content| doc.items(&content).any(is_ui)))
        {
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
                    blocks.push(Block::read(doc, value, kind));
                } else if let Some(block) = last.replace(Block::read(doc, value, kind)) {
                    between.text += block.text_bytes(false);
                    between.text_with_space += block.text_bytes(true);
                    between.binary += block.binary_bytes();
                }
            }
        }
        Kind::Complete(Envelope {
            kind,
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
                | Role::Description
                | Role::Ttl
                | Role::CacheScope
                | Role::Kept => false,
            })
    }
}

fn role(doc: &Doc<'_>, key: &str, value: &Value, kind: ResultKind, settings: &Settings) -> Role {
    let decoded = decode_body(key);
    let newest = settings.revision >= Revision::R20260728;
    let (prompt, resource) = (kind == ResultKind::Prompt, kind == ResultKind::Resource);
    match decoded.as_ref() {
        name if name == kind.parts_field() && doc.sort(value) == Sort::Array => Role::Content,
        "structuredContent" if !prompt && !resource => Role::Structured,
        "isError" if !prompt && !resource => Role::IsError,
        "description" if prompt => Role::Description,
        "ttlMs" if resource && newest => Role::Ttl,
        "cacheScope" if resource && newest => Role::CacheScope,
        "_meta" if doc.sort(value) == Sort::Object => Role::Meta,
        "resultType" if newest => Role::ResultType,
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
    /// Reads one item of the parts of a result of this kind.
    pub(crate) fn read(doc: &Doc<'_>, value: Value, kind: ResultKind) -> Block {
        match kind {
            ResultKind::Prompt => Block::of_message(doc, value),
            ResultKind::Resource => Block::of_contents(doc, value),
            ResultKind::Tool
            | ResultKind::Task
            | ResultKind::Error
            | ResultKind::List
            | ResultKind::Other => Block::of_content(doc, value),
        }
    }

    fn whole(value: Value) -> Block {
        Block {
            value,
            inner: value,
            kind: BlockKind::Whole,
            payload: None,
            steps: "",
            repeats: false,
        }
    }

    fn of_content(doc: &Doc<'_>, value: Value) -> Block {
        let mut block = Block::whole(value);
        if doc.sort(&value) != Sort::Object {
            return block;
        }
        let (mut kind, mut text, mut data, mut resource) = (None, None, None, None);
        let mut others = 0usize;
        for member in doc.members(&value) {
            let slot = match decode_body(member.key).as_ref() {
                "type" => &mut kind,
                "text" => &mut text,
                "data" => &mut data,
                "resource" => &mut resource,
                _ => {
                    others += 1;
                    continue;
                }
            };
            block.repeats |= slot.replace(member.value).is_some();
        }
        block.repeats |= others > 1 && repeats(doc, &value);
        let string = |value: Option<Value>| value.filter(|v| doc.sort(v) == Sort::String);
        let kind = kind.map(|kind| decode_body(doc.body(&kind)));
        let (kind_is, steps, payload) = match kind.as_deref() {
            Some("text") => (BlockKind::Text, "text", string(text)),
            Some("image") => (BlockKind::Image, "data", string(data)),
            Some("audio") => (BlockKind::Audio, "data", string(data)),
            Some("resource") => {
                match resource.and_then(|r| resource_payload(doc, &r, &mut block)) {
                    Some((BlockKind::ResourceText, payload)) => {
                        (BlockKind::ResourceText, "resource/text", Some(payload))
                    }
                    Some((kind, payload)) => (kind, "resource/blob", Some(payload)),
                    None => (BlockKind::Whole, "", None),
                }
            }
            _ => (BlockKind::Whole, "", None),
        };
        if payload.is_some() {
            block.kind = kind_is;
            block.payload = payload;
            block.steps = steps;
        }
        block
    }

    /// A message of a prompt: a role, and one block.
    fn of_message(doc: &Doc<'_>, value: Value) -> Block {
        let contents = doc.members(&value).filter(|member| key_is(member.key, "content"));
        let Some(content) = contents.last() else { return Block::whole(value) };
        let inner = Block::of_content(doc, content.value);
        let steps = match inner.steps {
            "text" => "content/text",
            "data" => "content/data",
            "resource/text" => "content/resource/text",
            "resource/blob" => "content/resource/blob",
            _ => "",
        };
        let repeats = inner.repeats || repeats(doc, &value);
        Block { value, inner: content.value, steps, repeats, ..inner }
    }

    /// What a resource holds: a text or a blob.
    fn of_contents(doc: &Doc<'_>, value: Value) -> Block {
        let mut block = Block::whole(value);
        block.repeats = repeats(doc, &value);
        if let Some((kind, payload)) = resource_payload(doc, &value, &mut block) {
            block.kind = kind;
            block.steps = if kind == BlockKind::ResourceText { "text" } else { "blob" };
            block.payload = Some(payload);
        }
        block
    }

    /// Whether its payload is base64.
    pub(crate) fn is_binary(&self) -> bool {
        matches!(self.kind, BlockKind::Image | BlockKind::Audio | BlockKind::ResourceBlob)
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
pub(crate) fn repeats(doc: &Doc<'_>, object: &Value) -> bool {
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
