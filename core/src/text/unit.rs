//! The units of an encoded body: a raw scalar value, or an escape, or two
//! escapes that make one surrogate pair. The only file here that knows how
//! escapes are written.

use alloc::string::String;

use result_budget_json::bytes::marks_of;
use result_budget_json::escape::{decode_part, unescape};

/// One scalar value and where it stands in the body.
#[derive(Clone, Copy)]
pub(super) struct Unit {
    pub(super) start: usize,
    pub(super) end: usize,
    /// U+FFFD for half a surrogate pair.
    pub(super) scalar: char,
}

/// The unit that starts at `at`, a boundary of units; none at the end.
#[inline]
pub(super) fn next(body: &str, at: usize) -> Option<Unit> {
    let bytes = body.as_bytes();
    let first = *bytes.get(at)?;
    if first == b'\\' {
        return Some(escape(bytes, at));
    }
    if first.is_ascii() {
        return Some(Unit { start: at, end: at + 1, scalar: char::from(first) });
    }
    let scalar = body.get(at..)?.chars().next()?;
    Some(Unit { start: at, end: at + scalar.len_utf8(), scalar })
}

/// The unit that ends at `at`, a boundary of units; none at the start.
#[inline]
pub(super) fn previous(body: &str, at: usize) -> Option<Unit> {
    let bytes = body.as_bytes();
    let last = *bytes.get(at.checked_sub(1)?)?;
    if !last.is_ascii() {
        let scalar = body.get(..at)?.chars().next_back()?;
        return Some(Unit { start: at - scalar.len_utf8(), end: at, scalar });
    }
    if last == b'\\' {
        // A raw backslash never stands alone, so `at` being a boundary says
        // that this one is the second of a pair: no need to count the run.
        let start = at.saturating_sub(2);
        let start = if bytes.get(start) == Some(&b'\\') { start } else { at - 1 };
        return Some(Unit { start, end: at, scalar: '\\' });
    }
    if let Some(start) = at.checked_sub(2)
        && bytes.get(start) == Some(&b'\\')
        && opens_escape(bytes, start)
    {
        let unit = escape(bytes, start);
        if unit.end == at {
            return Some(unit);
        }
    }
    if last.is_ascii_hexdigit()
        && let Some(start) = at.checked_sub(6)
        && code_unit(bytes, start).is_some()
        && opens_escape(bytes, start)
    {
        let start = pair_start(bytes, start).unwrap_or(start);
        return Some(escape(bytes, start));
    }
    Some(Unit { start: at - 1, end: at, scalar: char::from(last) })
}

/// The last boundary of units at or before `at`.
pub(super) fn floor(body: &str, at: usize) -> usize {
    let bytes = body.as_bytes();
    let mut at = at.min(bytes.len());
    if !body.is_char_boundary(at) {
        // No escape contains such a byte.
        while !body.is_char_boundary(at) {
            at -= 1;
        }
        return at;
    }
    for back in 1..=5 {
        let Some(start) = at.checked_sub(back) else { break };
        if bytes.get(start) == Some(&b'\\') && opens_escape(bytes, start) {
            let length = if code_unit(bytes, start).is_some() { 6 } else { 2 };
            if start + length > at {
                at = start;
            }
            break;
        }
    }
    if bytes.get(at) == Some(&b'\\') { pair_start(bytes, at).unwrap_or(at) } else { at }
}

/// The first boundary of units at or behind `at`.
pub(super) fn ceil(body: &str, at: usize) -> usize {
    let start = floor(body, at);
    if start >= at { start } else { next(body, start).map_or(body.len(), |unit| unit.end) }
}

/// True where a line feed, written as an escape, ends at `at`. Then `at` is a
/// boundary of units.
#[inline]
pub(super) fn line_ends_at(bytes: &[u8], at: usize) -> bool {
    let ends = |escape: &[u8]| {
        at.checked_sub(escape.len())
            .is_some_and(|start| bytes.get(start..at) == Some(escape) && opens_escape(bytes, start))
    };
    match at.checked_sub(1).and_then(|last| bytes.get(last)) {
        Some(b'n') => ends(b"\\n"),
        Some(b'a') => ends(b"\\u000a"),
        Some(b'A') => ends(b"\\u000A"),
        Some(_) | None => false,
    }
}

/// The escape that opens at `at`. A backslash that opens none, in a body that
/// is not valid, counts as a character.
#[inline]
pub(super) fn escape(bytes: &[u8], at: usize) -> Unit {
    let (scalar, end) = unescape(bytes, at);
    Unit { start: at, end, scalar }
}

/// Offset of the first backslash at or behind `from`.
#[inline]
pub(super) fn find_backslash(bytes: &[u8], from: usize) -> Option<usize> {
    let rest = bytes.get(from..)?;
    let (words, _) = rest.as_chunks::<8>();
    let mut at = from;
    for word in words {
        let hits = marks_of(u64::from_le_bytes(*word), b'\\');
        if hits != 0 {
            return Some(at + (hits.trailing_zeros() / 8) as usize);
        }
        at += 8;
    }
    let tail = bytes.get(at..)?;
    tail.iter().position(|byte| *byte == b'\\').map(|found| at + found)
}

/// Decodes the units from `from`, a boundary, that end at or before `to`.
pub(super) fn decode(body: &str, from: usize, to: usize) -> String {
    decode_part(body, from, floor(body, to))
}

/// True where the backslash at `at` opens an escape and is not the second
/// half of `\\`: where an even number of backslashes stands before it. The
/// first of a run always opens one.
fn opens_escape(bytes: &[u8], at: usize) -> bool {
    let before = bytes.get(..at).unwrap_or_default();
    before.iter().rev().take_while(|byte| **byte == b'\\').count() % 2 == 0
}

/// The value of `\uXXXX` at `at`, where it stands there.
#[inline]
fn code_unit(bytes: &[u8], at: usize) -> Option<u32> {
    let [b'\\', b'u', digits @ ..] = bytes.get(at..at.checked_add(6)?)? else { return None };
    let mut value = 0;
    for digit in digits {
        value = value * 16 + char::from(*digit).to_digit(16)?;
    }
    Some(value)
}

/// Where the pair starts, when the escape that opens at `low` is the second
/// half of one.
fn pair_start(bytes: &[u8], low: usize) -> Option<usize> {
    let high = low.checked_sub(6)?;
    let pair = is_low(code_unit(bytes, low)?) && is_high(code_unit(bytes, high)?);
    (pair && opens_escape(bytes, high)).then_some(high)
}

fn is_high(code_unit: u32) -> bool {
    (0xD800..=0xDBFF).contains(&code_unit)
}

fn is_low(code_unit: u32) -> bool {
    (0xDC00..=0xDFFF).contains(&code_unit)
}
