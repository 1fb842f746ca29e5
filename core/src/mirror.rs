//! Finds the text blocks that repeat `structuredContent`, or a part of it.

use alloc::vec::Vec;

use crate::envelope::{BlockKind, Envelope};
use crate::json::equal::json_equal;
use crate::json::pointer::decode_body;
use crate::json::scan::escaped_equal;
use crate::json::walk::{Doc, Sort, Value};
use crate::order::sorted;
use crate::plan::nested::{DEPTH_MAX, read_text};
use crate::plan::price::Weigh;

/// How a text repeats a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    /// The text is the value as JSON.
    Json,
    /// The text is the value as JSON, as the one member `result`.
    Wrapped,
    /// The value is a string, and the text is that string.
    Plain,
    /// Each block is one item of the list, in order.
    Items,
}

/// A mirror that was found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    /// The value inside `structuredContent`, or the whole of it.
    pub(crate) target: Value,
    pub(crate) style: Style,
    /// The first block of the mirror; the only one but for [`Style::Items`].
    pub(crate) block: usize,
    /// For [`Style::Items`], whether strings are plain text.
    pub(crate) plain_items: bool,
    /// For [`Style::Items`], whether any item is JSON.
    pub(crate) json_items: bool,
    /// The target was cut to the depth limit: the text is longer than it.
    pub(crate) flattened: bool,
}

impl Found {
    /// How the target is written when both copies stay.
    pub(crate) fn weigh(&self) -> Weigh {
        match self.style {
            Style::Json | Style::Wrapped => Weigh::TWICE_JSON,
            Style::Plain => Weigh::TWICE_PLAIN,
            Style::Items if !self.json_items => Weigh::TWICE_PLAIN,
            Style::Items => Weigh::TWICE_JSON,
        }
    }
}

/// Smaller values are looked for only where they are much of the whole: by
/// themselves they are cut by a limit on their shape alone.
const SMALL_BYTES: usize = 48;

/// A copy is at most so many times as long as the compact value, and a bit.
const TIMES: usize = 8;

/// Looks for a mirror: of the whole value first, then of its members, the
/// largest first.
pub(crate) fn find(doc: &Doc<'_>, envelope: &Envelope<'_>) -> Option<Found> {
    let structured = envelope.structured?;
    let mut targets: Vec<Value> = Vec::from([structured]);
    if doc.sort(&structured) == Sort::Object {
        let mut members: Vec<Value> =
            doc.members(&structured).take(64).map(|member| member.value).collect();
        // What may be equal by chance is no copy, but where it is all there is.
        let part = structured.compact_bytes() / 4;
        members.retain(|value| {
            let bytes = value.compact_bytes();
            let holds = matches!(doc.sort(value), Sort::Object | Sort::Array);
            bytes >= SMALL_BYTES || (holds && bytes > 2 && bytes >= part)
        });
        let bytes = |at: usize| members[at].compact_bytes();
        let order = sorted(members.len(), &|a, b| bytes(b).cmp(&bytes(a)));
        targets.extend(order.into_iter().map(|at| members[at]));
    }
    // A deep indent is longer than what it indents. Each text is read once for
    // the whole value, and but a few times for members.
    let whole_times = 2 * (doc.index.depth as usize).max(TIMES / 2);
    for target in targets {
        let most = if target == structured { envelope.blocks.len() } else { 16 };
        for (at, block) in envelope.blocks.iter().enumerate().take(most) {
            if block.kind != BlockKind::Text {
                continue;
            }
            let Some(body) = block.payload.map(|payload| doc.body(&payload)) else { continue };
            let times = if target == structured { whole_times } else { TIMES };
            if let Some(style) = repeats(doc, &target, body, times) {
                return Some(Found {
                    target,
                    style,
                    block: at,
                    plain_items: false,
                    json_items: false,
                    flattened: false,
                });
            }
        }
        if doc.sort(&target) == Sort::Array
            && let Some(found) = find_items(doc, envelope, target)
        {
            return Some(found);
        }
    }
    None
}

/// The same mirror in a text where parts of `structuredContent` were cut, but
/// no member of its own.
pub(crate) fn moved(
    found: Found,
    (doc, structured): (&Doc<'_>, Value),
    (new_doc, new_structured): (&Doc<'_>, Value),
) -> Option<Found> {
    let moved = |target: Value| {
        let flattened = doc.raw(&found.target) != new_doc.raw(&target);
        Found { target, flattened, ..found }
    };
    if found.target == structured {
        return Some(moved(new_structured));
    }
    let at = doc.members(&structured).position(|member| member.value == found.target)?;
    let target = new_doc.members(&new_structured).nth(at)?.value;
    Some(moved(target))
}

/// How `body` repeats `target`, if it is at most `times` as long.
fn repeats(doc: &Doc<'_>, target: &Value, body: &str, times: usize) -> Option<Style> {
    let raw = doc.raw(target);
    match doc.sort(target) {
        Sort::String => {
            let own = doc.body(target);
            let same = own == body
                || (own.len().abs_diff(body.len()) < own.len() / 2 + 16
                    && (own.contains('\\') || body.contains('\\'))
                    && decode_body(own) == decode_body(body));
            same.then_some(Style::Plain)
        }
        Sort::Object | Sort::Array => {
            // A copy is no shorter than the compact value, and not many times
            // longer, deep indents aside; anything else is not looked at.
            let compact = target.compact_bytes();
            if body.len() < compact / 2 || body.len() > times.saturating_mul(compact) + 256 {
                return None;
            }
            if target.space_bytes == 0 && escaped_equal(raw, body) {
                return Some(Style::Json);
            }
            if !crate::plan::strings::looks_like_json(body) {
                return None;
            }
            let (text, index) = read_text(body, 0, DEPTH_MAX)?;
            let other = Doc { text: &text, index };
            let root = other.root();
            if json_equal(doc, target, &other, &root) {
                return Some(Style::Json);
            }
            let member = other.members(&root).next()?;
            let wrapped = other.children_items(&root) == 1
                && decode_body(member.key) == "result"
                && json_equal(doc, target, &other, &member.value);
            wrapped.then_some(Style::Wrapped)
        }
        Sort::Number | Sort::Literal => None,
    }
}

fn find_items(doc: &Doc<'_>, envelope: &Envelope<'_>, target: Value) -> Option<Found> {
    let count = doc.children_items(&target);
    if count < 2 || count != envelope.block_count {
        return None;
    }
    // Blocks beyond the limit are not looked at: none of them can stay.
    // Strings come as plain text or as JSON, all of them alike; other items
    // as JSON.
    let (mut plain, mut json) = (None, false);
    for (item, block) in doc.items(&target).zip(&envelope.blocks) {
        if block.kind != BlockKind::Text {
            return None;
        }
        let body = doc.body(&block.payload?);
        match doc.sort(&item) {
            Sort::Number | Sort::Literal if doc.raw(&item) == body => json = true,
            Sort::Number | Sort::Literal => return None,
            Sort::Object | Sort::Array => {
                repeats(doc, &item, body, TIMES).filter(|style| *style == Style::Json)?;
                json = true;
            }
            Sort::String => {
                let is_plain = repeats(doc, &item, body, TIMES).is_some();
                let quoted = || decode_body(body) == doc.raw(&item);
                if plain.is_some_and(|plain| plain != is_plain) || (!is_plain && !quoted()) {
                    return None;
                }
                plain = Some(is_plain);
                json |= !is_plain;
            }
        }
    }
    let plain_items = plain.unwrap_or(false);
    let json_items = json;
    Some(Found { target, style: Style::Items, block: 0, plain_items, json_items, flattened: false })
}
