//! Takes escape sequences of terminals out of a result, where the policy says
//! so: out of texts, and out of the strings of structured data, so that a text
//! that repeats it still does. Keys stay as they are.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::envelope::{BlockKind, Envelope};
use crate::json::escape::escape;
use crate::json::pointer::decode_body;
use crate::json::scan::scan;
use crate::json::walk::{Doc, string_end};
use crate::plan::account::Repair;
use crate::plan::strings::looks_like_json;
use crate::settings::WireProfile;
use crate::text::without_ansi;

/// The result without sequences, and what went where; `None` where there is
/// none. Structured data is left alone unless `of_data`.
pub(crate) fn strip(
    doc: &Doc<'_>,
    envelope: &Envelope<'_>,
    of_data: bool,
) -> Option<(String, Vec<Repair>)> {
    let mut parts: Vec<(usize, usize, String)> = Vec::new();
    let mut repairs = Vec::new();
    let mut note = |start: usize, end: usize, path: String, new: Option<(String, usize)>| {
        if let Some((text, count)) = new {
            // In the order of the text: `structuredContent` may stand first.
            let place = parts.iter().rposition(|part| part.0 < start).map_or(0, |at| at + 1);
            parts.insert(place, (start, end, text));
            if repairs.len() < 64 {
                repairs.push(Repair { kind: "ansi", path, count });
            }
        }
    };
    let last = envelope.last_block.iter().map(|block| (envelope.block_count - 1, block));
    for (at, block) in envelope.blocks.iter().enumerate().chain(last) {
        let Some(payload) = block.payload else { continue };
        if !matches!(block.kind, BlockKind::Text | BlockKind::ResourceText) {
            continue;
        }
        let body = doc.body(&payload);
        let path = format!("/{}/{at}/{}", envelope.kind.parts_field(), block.steps);
        note(payload.start + 1, payload.end - 1, path, of_body(body));
    }
    if let Some(value) = envelope.structured.filter(|_| of_data) {
        let path = String::from("/structuredContent");
        note(value.start, value.end, path, of_json(doc.raw(&value)));
    }
    if parts.is_empty() {
        return None;
    }
    let mut out = String::with_capacity(doc.text.len());
    let mut from = 0;
    for (start, end, text) in &parts {
        out.push_str(doc.text.get(from..*start).unwrap_or_default());
        out.push_str(text);
        from = *end;
    }
    out.push_str(doc.text.get(from..).unwrap_or_default());
    Some((out, repairs))
}

/// A text, or the strings of the JSON that it is.
fn of_body(body: &str) -> Option<(String, usize)> {
    if looks_like_json(body) && body.contains("\\\\u00") {
        let text = decode_body(body);
        if scan(&text, 1_024).is_ok() {
            let (text, count) = of_json(&text)?;
            let mut out = String::with_capacity(body.len());
            escape(&mut out, &text, WireProfile::Utf8Compact);
            return Some((out, count));
        }
    }
    without_ansi(body)
}

/// The strings of a valid JSON text that are no keys.
fn of_json(text: &str) -> Option<(String, usize)> {
    let bytes = text.as_bytes();
    let mut out = String::new();
    let (mut kept, mut at, mut count) = (0, 0, 0);
    while let Some(found) = bytes.get(at..)?.iter().position(|byte| *byte == b'"') {
        let start = at + found;
        at = string_end(bytes, start).min(bytes.len());
        let behind = bytes.get(at..).unwrap_or_default();
        let is_key = behind.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b':');
        let body = text.get(start + 1..at.saturating_sub(1)).unwrap_or_default();
        if let Some((new, went)) = without_ansi(body).filter(|_| !is_key) {
            out.push_str(text.get(kept..start + 1).unwrap_or_default());
            out.push_str(&new);
            kept = at - 1;
            count += went;
        }
    }
    out.push_str(text.get(kept..).unwrap_or_default());
    (count > 0).then_some((out, count))
}
