//! Finds the members of an object in a line, by their places, and makes no
//! values of them.
//!
//! Reads leniently on purpose. Some clients take more than JSON, such as `NaN`:
//! a result with one in it must be found all the same, and the engine refuses
//! it. For whatever is JSON it finds exactly what a strict reader finds.

use std::borrow::Cow;
use std::ops::Range;

use memchr::memchr2;

/// One member: the key with its quotes, and the value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Member {
    pub(crate) key: Range<usize>,
    pub(crate) value: Range<usize>,
}

/// The members of the object that `value` is; none of anything else.
pub(crate) fn members<'a>(text: &'a [u8], value: &Range<usize>) -> Members<'a> {
    Members { inside: Inside::new(text, value, b'{') }
}

/// The items of the array that `value` is; none of anything else.
pub(crate) fn items<'a>(text: &'a [u8], value: &Range<usize>) -> Items<'a> {
    Items { inside: Inside::new(text, value, b'[') }
}

/// The last member called `name`: what readers take where one is repeated.
pub(crate) fn member(text: &[u8], object: &Range<usize>, name: &str) -> Option<Range<usize>> {
    members(text, object)
        .filter(|member| key_is(text, &member.key, name))
        .last()
        .map(|member| member.value)
}

/// The bytes in `range`; empty where they are not all there.
pub(crate) fn slice<'a>(text: &'a [u8], range: &Range<usize>) -> &'a [u8] {
    text.get(range.clone()).unwrap_or_default()
}

/// Whether the key in `range`, quotes and escapes as they stand, is `name`.
pub(crate) fn key_is(text: &[u8], range: &Range<usize>, name: &str) -> bool {
    let key = slice(text, range);
    let body = key.get(1..key.len().saturating_sub(1)).unwrap_or_default();
    // Six bytes at most stand for one character of a name in ASCII.
    body == name.as_bytes()
        || (body.contains(&b'\\')
            && body.len() <= 6 * name.len()
            && string(key).is_some_and(|key| key == name))
}

/// The text of an encoded string, quotes included; `None` of anything else.
pub(crate) fn string(encoded: &[u8]) -> Option<Cow<'_, str>> {
    let body = encoded.strip_prefix(b"\"")?.strip_suffix(b"\"")?;
    if body.iter().any(|byte| *byte == b'\\' || *byte < b' ') {
        serde_json::from_slice::<String>(encoded).ok().map(Cow::Owned)
    } else {
        std::str::from_utf8(body).ok().map(Cow::Borrowed)
    }
}

/// Where the one value of a line is: white space, a value, white space.
pub(crate) fn root(line: &[u8]) -> Range<usize> {
    let start = skip_space(line, 0);
    let end = line.iter().rposition(|byte| !is_space(*byte)).map_or(start, |at| at + 1);
    start..end.max(start)
}

/// The ranges to take out of `text` so that the parts in `gone` are no longer
/// there, nor the commas that held them apart from the rest. `parts` are all
/// items or members, in order.
pub(crate) fn without(text: &[u8], parts: &[Range<usize>], gone: &[bool]) -> Vec<Range<usize>> {
    let last_kept = gone.iter().rposition(|gone| !gone);
    let mut ranges = Vec::new();
    for (at, part) in parts.iter().enumerate() {
        if gone.get(at) != Some(&true) {
            continue;
        }
        let has_kept_behind = last_kept.is_some_and(|last| last > at);
        let range = if has_kept_behind {
            // With the comma behind it.
            let next = parts.get(at + 1).map_or(part.end, |next| next.start);
            let comma = slice(text, &(part.end..next)).iter().position(|byte| *byte == b',');
            part.start..comma.map_or(part.end, |comma| part.end + comma + 1)
        } else if let Some(before) = at.checked_sub(1).and_then(|before| parts.get(before)) {
            // With all that stands between it and the one before.
            before.end..part.end
        } else {
            part.clone()
        };
        ranges.push(range);
    }
    ranges
}

pub(crate) struct Members<'a> {
    inside: Inside<'a>,
}

impl Iterator for Members<'_> {
    type Item = Member;

    fn next(&mut self) -> Option<Member> {
        let inside = &mut self.inside;
        let start = inside.next_start()?;
        if inside.text.get(start) != Some(&b'"') {
            // No key: nothing that a reader would take.
            inside.at = inside.end;
            return None;
        }
        let key = start..skip_value(inside.text, start).min(inside.end);
        let colon = skip_space(inside.text, key.end);
        if inside.text.get(colon) != Some(&b':') {
            inside.at = inside.end;
            return None;
        }
        let start = skip_space(inside.text, colon + 1);
        let value = start..skip_value(inside.text, start).min(inside.end).max(start);
        inside.at = value.end;
        Some(Member { key, value })
    }
}

pub(crate) struct Items<'a> {
    inside: Inside<'a>,
}

impl Iterator for Items<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        let inside = &mut self.inside;
        let start = inside.next_start()?;
        let end = skip_value(inside.text, start).min(inside.end);
        inside.at = end.max(start + 1);
        Some(start..end.max(start))
    }
}

/// What is between a container's brackets.
struct Inside<'a> {
    text: &'a [u8],
    at: usize,
    end: usize,
}

impl<'a> Inside<'a> {
    fn new(text: &'a [u8], value: &Range<usize>, opens: u8) -> Self {
        let end = value.end.min(text.len());
        if text.get(value.start) == Some(&opens) {
            Inside { text, at: value.start + 1, end }
        } else {
            Inside { text, at: end, end }
        }
    }

    /// Where the next part starts, behind white space and commas.
    fn next_start(&mut self) -> Option<usize> {
        while let Some(byte) = self.text.get(self.at)
            && (is_space(*byte) || *byte == b',')
        {
            self.at += 1;
        }
        let byte = self.text.get(self.at)?;
        (self.at < self.end && !matches!(byte, b'}' | b']')).then_some(self.at)
    }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

fn skip_space(text: &[u8], mut at: usize) -> usize {
    while text.get(at).is_some_and(|byte| is_space(*byte)) {
        at += 1;
    }
    at
}

/// Offset behind the value at `start`.
fn skip_value(text: &[u8], start: usize) -> usize {
    match text.get(start) {
        Some(b'"') => skip_string(text, start),
        Some(b'{' | b'[') => skip_container(text, start),
        _ => {
            let rest = text.get(start..).unwrap_or_default();
            let ends = |byte: &u8| is_space(*byte) || matches!(byte, b',' | b'}' | b']');
            start + rest.iter().position(ends).unwrap_or(rest.len())
        }
    }
}

/// Offset behind the string whose first quote is at `start`.
fn skip_string(text: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    loop {
        let rest = text.get(at..).unwrap_or_default();
        match memchr2(b'"', b'\\', rest) {
            None => return text.len(),
            Some(found) if rest.get(found) == Some(&b'"') => return at + found + 1,
            Some(found) => at += found + 2,
        }
    }
}

fn skip_container(text: &[u8], start: usize) -> usize {
    let (mut at, mut depth) = (start, 0usize);
    while let Some(byte) = text.get(at) {
        match byte {
            b'"' => {
                at = skip_string(text, at);
                continue;
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' => {
                depth -= 1;
                if depth == 0 {
                    return at + 1;
                }
            }
            _ => {}
        }
        at += 1;
    }
    text.len()
}
