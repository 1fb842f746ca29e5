//! Cuts what is nested too deep, in one pass, before anything is planned: no
//! later step meets a depth that an attacker chose.

use alloc::string::String;
use alloc::vec::Vec;

use crate::json::pointer::Pointer;
use crate::json::walk::{Doc, Value, string_end};
use crate::plan::account::{Account, BudgetKind, Cut, CutKind};
use crate::plan::strings::DEPTH_MARKER;

struct Frame<'a> {
    /// The key of the member that is open; none in a list.
    key: Option<&'a str>,
    object: bool,
    index: usize,
}

/// Where a document stands: a path in the result, and a path inside the text
/// there.
pub(crate) type Outer = (String, String);

/// Writes the text of `doc` anew, with every container in `value` that has
/// `levels` containers of `value` around it replaced by a marker. `place` is
/// where `value` stands.
pub(crate) fn flatten(
    doc: &Doc<'_>,
    value: &Value,
    levels: usize,
    place: &str,
    outer: Option<&Outer>,
    account: &mut Account,
) -> String {
    let text = doc.text;
    let bytes = text.as_bytes();
    let mut out = String::new();
    let mut frames: Vec<Frame<'_>> = Vec::new();
    let (mut kept, mut at) = (0, value.start);
    while at < value.end {
        match bytes[at] {
            b'"' => {
                let end = string_end(bytes, at);
                if let Some(frame) = frames.last_mut().filter(|frame| frame.object)
                    && frame.key.is_none()
                {
                    frame.key = text.get(at + 1..end - 1);
                }
                at = end;
            }
            byte @ (b'{' | b'[') if frames.len() < levels => {
                frames.push(Frame { key: None, object: byte == b'{', index: 0 });
                at += 1;
            }
            b'{' | b'[' => {
                let (end, children) = container(bytes, at);
                out.push_str(text.get(kept..at).unwrap_or_default());
                out.push_str(DEPTH_MARKER);
                account.fire(BudgetKind::Depth);
                note(&frames, children, end - at, place, outer, account);
                kept = end;
                at = end;
            }
            b'}' | b']' => {
                frames.pop();
                at += 1;
            }
            b',' => {
                if let Some(frame) = frames.last_mut() {
                    frame.key = None;
                    frame.index += 1;
                }
                at += 1;
            }
            _ => at += 1,
        }
    }
    out.push_str(text.get(kept..).unwrap_or_default());
    out
}

fn note(
    frames: &[Frame<'_>],
    children: usize,
    weight: usize,
    place: &str,
    outer: Option<&Outer>,
    account: &mut Account,
) {
    if !account.lists_more() {
        account.count(CutKind::Depth, children);
        return;
    }
    let mut pointer = Pointer::new();
    if outer.is_none() {
        pointer.push_key(place);
    }
    for frame in frames {
        match frame.key {
            Some(key) if frame.object => pointer.push_key(key),
            _ => pointer.push_index(frame.index),
        }
    }
    let (path, within) = match outer {
        None => (pointer.render(), None),
        Some((path, within)) => {
            let mut within = within.clone();
            within.push_str(&pointer.render());
            (path.clone(), Some(within))
        }
    };
    let kind = CutKind::Depth;
    account.cut(Cut { path, within, kind, kept: 0, of: children, gone: Vec::new(), weight });
}

/// The end of the container at `start`, and its children.
fn container(bytes: &[u8], start: usize) -> (usize, usize) {
    let (mut at, mut depth, mut commas, mut empty) = (start, 0usize, 0, true);
    while at < bytes.len() {
        match bytes[at] {
            b'"' => {
                empty = false;
                at = string_end(bytes, at);
                continue;
            }
            b'{' | b'[' => {
                empty &= depth == 0;
                depth += 1;
            }
            b'}' | b']' => {
                depth -= 1;
                if depth == 0 {
                    return (at + 1, if empty { 0 } else { commas + 1 });
                }
            }
            b',' if depth == 1 => commas += 1,
            b' ' | b'\t' | b'\n' | b'\r' => {}
            _ => empty = false,
        }
        at += 1;
    }
    (bytes.len(), commas + 1)
}
