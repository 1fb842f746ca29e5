//! Finds `data:` URIs with base64 in an encoded body. They are kept whole or
//! replaced whole: half of one is of no use to anybody.

use alloc::format;
use alloc::string::String;

use result_budget_json::bytes::find;

/// Where a `data:` URI stands in a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DataUri {
    /// Offset of its `d`.
    pub start: usize,
    /// Offset of its base64.
    pub data_start: usize,
    /// Offset behind its base64.
    pub end: usize,
}

/// A URI that is no longer than what would stand in for it stays.
const LEAST_BYTES: usize = 80;
/// How a remark begins, and how it ends.
const REMARK: &str = "[data URI: ";
const REMARK_END: &str = " bytes of base64]";
/// A remark is no longer: a type of 64 bytes, and a number.
const REMARK_MAX_BYTES: usize = 128;
/// The type and its parameters are no longer than this.
const TYPE_MAX_BYTES: usize = 160;

/// The first `data:` URI with base64 at or behind `from`, of more than 80
/// encoded bytes. Reads each byte a few times at most.
///
/// ```
/// use result_budget_core::text::next_data_uri;
/// let body = format!("![x](data:image/png;base64,{}) and so on", "iVBORw0K".repeat(20));
/// let uri = next_data_uri(&body, 0).unwrap();
/// assert_eq!(&body[uri.start..uri.start + 15], "data:image/png;");
/// assert_eq!(&body[uri.end..], ") and so on");
/// assert_eq!(next_data_uri(&body, uri.end), None);
/// ```
#[must_use]
pub fn next_data_uri(body: &str, from: usize) -> Option<DataUri> {
    const MARK: &[u8] = b";base64,";
    let bytes = body.as_bytes();
    let mut at = from;
    while let Some(found) = find(bytes, at, b';') {
        at = found + 1;
        if !bytes.get(found..).is_some_and(|rest| rest.starts_with(MARK)) {
            continue;
        }
        let before = bytes.get(from.max(found.saturating_sub(TYPE_MAX_BYTES))..found)?;
        let typed = before.iter().rev().take_while(|byte| is_of_type(**byte)).count();
        let colon = found - typed;
        if !body.get(from..colon).is_some_and(|text| text.ends_with("data:")) {
            continue;
        }
        let data_start = found + MARK.len();
        let end = data_end(bytes, data_start);
        let start = colon - 5;
        if end - start > LEAST_BYTES {
            return Some(DataUri { start, data_start, end });
        }
        at = end;
    }
    None
}

/// What a media type and its parameters are written with; a slash may be an
/// escape.
fn is_of_type(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"/\\+-._;=\"".contains(&byte)
}

/// Where the base64 that starts at `at` ends.
fn data_end(bytes: &[u8], mut at: usize) -> usize {
    loop {
        let rest = bytes.get(at..).unwrap_or_default();
        let run = rest
            .iter()
            .take_while(|byte| byte.is_ascii_alphanumeric() || b"+/-_=%".contains(byte))
            .count();
        at += run;
        // A slash that is written as an escape.
        match bytes.get(at..at + 2) {
            Some(b"\\/") => at += 2,
            Some(_) | None => return at,
        }
    }
}

impl DataUri {
    /// Encoded bytes of the base64.
    #[must_use]
    pub fn data_bytes(&self) -> usize {
        self.end - self.data_start
    }

    /// What stands in for it in a text: its type and its size.
    #[must_use]
    pub fn remark(&self, body: &str) -> String {
        // `;base64,` is eight bytes.
        let typed = body.get(self.start + 5..self.data_start - 8).unwrap_or_default();
        let name: String = typed
            .chars()
            .filter(|scalar| *scalar != '\\')
            .take_while(|scalar| *scalar != ';')
            .take(64)
            .collect();
        let name = if name.contains('"') || name.is_empty() { "binary" } else { &name };
        format!("{REMARK}{name}, 0 of {}{REMARK_END}", self.data_bytes())
    }
}

/// `body` with a remark in place of each `data:` URI, how many these are, and
/// the bytes of base64 that went; `None` where there is none.
pub(crate) fn lift(body: &str) -> Option<(String, usize, usize)> {
    let mut uri = next_data_uri(body, 0)?;
    let mut out = String::with_capacity(body.len() / 4);
    let (mut from, mut count, mut went) = (0, 0, 0);
    loop {
        out.push_str(body.get(from..uri.start).unwrap_or_default());
        out.push_str(&uri.remark(body));
        count += 1;
        went += uri.data_bytes();
        from = uri.end;
        match next_data_uri(body, from) {
            Some(next) => uri = next,
            None => break,
        }
    }
    out.push_str(body.get(from..).unwrap_or_default());
    Some((out, count, went))
}

/// Head and tail of a text with remarks, without the half of one that a cut
/// left at the end of the one or the start of the other.
pub(crate) fn without_half_remarks<'b>(head: &'b str, tail: &'b str) -> (&'b str, &'b str) {
    let mut from = head.len().saturating_sub(REMARK_MAX_BYTES);
    while !head.is_char_boundary(from) {
        from += 1;
    }
    let end =
        (from..head.len()).rev().filter(|at| head.as_bytes().get(*at) == Some(&b'[')).find(|at| {
            // It may be cut inside of its first words.
            let part = head.get(*at..).unwrap_or_default();
            (part.starts_with(REMARK) || REMARK.starts_with(part)) && !part.contains(']')
        });
    let mut to = tail.len().min(REMARK_MAX_BYTES);
    while !tail.is_char_boundary(to) {
        to -= 1;
    }
    let start = tail.get(..to).and_then(|near| {
        let close = near.find(']')? + 1;
        let part = near.get(..close)?;
        let half = part.ends_with(REMARK_END) || REMARK_END.ends_with(part);
        (half && !part.contains('[') && !part.contains("\\n")).then_some(close)
    });
    (
        head.get(..end.unwrap_or(head.len())).unwrap_or(head),
        tail.get(start.unwrap_or(0)..).unwrap_or(tail),
    )
}
