//! Which strings may be shortened, and what stands in for the rest of them.

use alloc::format;
use alloc::string::String;

/// Strings of at most this many encoded bytes are never cut.
pub(crate) const SHORT_BYTES: usize = 64;

/// An opaque word (no white space) of at most this many bytes is never cut: it
/// may be a cursor, an id, a URL, a digest.
const OPAQUE_BYTES: usize = 1_024;

/// The marker behind (or between) what stays of a string in structured data.
pub(crate) fn string_marker(kept: usize, of: usize) -> String {
    format!("...[{kept} of {of} bytes]")
}

/// What stands in for base64.
pub(crate) fn base64_marker(of: usize) -> String {
    format!("[0 of {of} bytes of base64]")
}

/// What stands in for a container that is nested too deep.
pub(crate) const DEPTH_MARKER: &str = "\"[too deep]\"";

/// Whether a string may be shortened when every cut is legal: it is not short,
/// and no cursor, id, URL or digest.
pub(crate) fn may_shorten(key: Option<&str>, body: &str) -> bool {
    if body.len() <= SHORT_BYTES {
        return false;
    }
    if body.len() <= 4 * OPAQUE_BYTES && key.is_some_and(names_a_handle) {
        return false;
    }
    body.len() > OPAQUE_BYTES || has_space(body)
}

/// Whether a key is one under which handles stand.
fn names_a_handle(key: &str) -> bool {
    const ENDS: [&str; 13] = [
        "cursor", "token", "id", "uri", "url", "href", "ref", "sha", "hash", "digest", "etag",
        "key", "next",
    ];
    ENDS.iter().any(|end| {
        key.len() >= end.len()
            && key
                .as_bytes()
                .get(key.len() - end.len()..)
                .is_some_and(|tail| tail.eq_ignore_ascii_case(end.as_bytes()))
            && (key.len() == end.len() || {
                // A word of its own: `_id`, `-id`, `nextId`, but not `paid`.
                let at = key.len() - end.len();
                let (before, first) = (key.as_bytes()[at - 1], key.as_bytes()[at]);
                !before.is_ascii_alphanumeric()
                    || (first.is_ascii_uppercase() && !before.is_ascii_uppercase())
            })
    })
}

/// White space, as it is encoded, or text that is written without it.
fn has_space(body: &str) -> bool {
    body.bytes().any(|byte| byte == b' ' || byte >= 0xE0)
        || body.contains("\\n")
        || body.contains("\\t")
}

/// The data of a `data:` URI in base64, or the body itself where it is no such
/// URI; `None` for one that is written in another way.
pub(crate) fn data_of(body: &str) -> Option<&str> {
    let Some(rest) = body.strip_prefix("data:") else { return Some(body) };
    let head = rest.as_bytes().get(..rest.len().min(160)).unwrap_or_default();
    let at = head.windows(8).position(|word| word == b";base64,")?;
    rest.get(at + 8..)
}

/// Whether a long string is base64: kept whole or replaced whole.
pub(crate) fn is_base64(body: &str) -> bool {
    let Some(data) = data_of(body) else { return false };
    let word =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_' | b'=');
    // Some printers escape each slash.
    let is_data = data.split("\\/").all(|part| part.bytes().all(word));
    if data.len() < OPAQUE_BYTES || !is_data {
        return false;
    }
    if data.len() < body.len() {
        // It says so itself.
        return true;
    }
    // Encoded bytes use most of the alphabet; repeated or plain words do not.
    let mut seen = [false; 128];
    for byte in data.bytes().take(512) {
        seen[usize::from(byte & 127)] = true;
    }
    let count = |range: core::ops::RangeInclusive<u8>| {
        range.filter(|byte| seen[usize::from(*byte)]).count()
    };
    count(b'a'..=b'z') >= 8 && count(b'A'..=b'Z') >= 8 && count(b'0'..=b'9') >= 3
}

/// Whether the text of this body may be a JSON container, told by its ends.
pub(crate) fn looks_like_json(body: &str) -> bool {
    let trimmed = trim_encoded(body);
    let bytes = trimmed.as_bytes();
    matches!((bytes.first(), bytes.last()), (Some(b'{'), Some(b'}')) | (Some(b'['), Some(b']')))
}

/// A body without encoded white space at its ends.
fn trim_encoded(mut body: &str) -> &str {
    loop {
        let before = body.len();
        body = body.trim_matches(' ');
        for space in ["\\n", "\\r", "\\t"] {
            body = body.strip_prefix(space).unwrap_or(body);
            body = body.strip_suffix(space).unwrap_or(body);
        }
        if body.len() == before {
            return body;
        }
    }
}
