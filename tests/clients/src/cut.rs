//! Ways to cut, in the units that clients count in.

/// Length as JavaScript counts it.
#[must_use]
pub fn utf16(text: &str) -> usize {
    text.chars().map(char::len_utf16).sum()
}

/// The first `units` of JavaScript; half a pair at the end is left out.
#[must_use]
pub fn head_utf16(text: &str, units: usize) -> &str {
    let mut left = units;
    let end = text.char_indices().find(|(_, c)| match left.checked_sub(c.len_utf16()) {
        Some(rest) => {
            left = rest;
            false
        }
        None => true,
    });
    text.get(..end.map_or(text.len(), |(at, _)| at)).unwrap_or_default()
}

/// The last `units` of JavaScript; half a pair at the start is left out.
#[must_use]
pub fn tail_utf16(text: &str, units: usize) -> &str {
    let mut left = units;
    let mut start = text.len();
    for (at, c) in text.char_indices().rev() {
        let Some(rest) = left.checked_sub(c.len_utf16()) else { break };
        left = rest;
        start = at;
    }
    text.get(start..).unwrap_or_default()
}

/// The first `bytes` or less, on a character.
#[must_use]
pub fn head(text: &str, bytes: usize) -> &str {
    let mut end = bytes.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or_default()
}

/// The last `bytes` or less, on a character.
#[must_use]
pub fn tail(text: &str, bytes: usize) -> &str {
    let mut start = text.len().saturating_sub(bytes);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    text.get(start..).unwrap_or_default()
}
