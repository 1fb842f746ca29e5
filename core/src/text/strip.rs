//! Takes the escape sequences of terminals out of an encoded body: whole
//! sequences of every kind, and an introducer that begins none, since what
//! comes to stand behind it would be read as one.

use alloc::string::String;

use super::ansi::{StringEnds, is_introducer, sequence_end};
use super::unit;

/// `body` without escape sequences, and how many went; `None` where there is
/// none. What comes out has no introducer in it: a second pass finds nothing.
///
/// ```
/// use result_budget_core::text::without_ansi;
/// let (text, count) = without_ansi(r"\u001b[31mred\u001b[0m").unwrap();
/// assert_eq!((text.as_str(), count), ("red", 2));
/// assert_eq!(without_ansi("red"), None);
/// ```
#[must_use]
pub fn without_ansi(body: &str) -> Option<(String, usize)> {
    let bytes = body.as_bytes();
    let mut out = String::new();
    let (mut kept, mut at, mut count) = (0, 0, 0);
    let mut ends = StringEnds::default();
    let read = |at: usize| unit::next(body, at).map(|unit| (unit.scalar, unit.end));
    while let Some(found) = next_introducer(bytes, at) {
        let Some(unit) = unit::next(body, found) else { break };
        at = unit.end;
        if !is_introducer(unit.scalar) {
            continue;
        }
        out.push_str(body.get(kept..found).unwrap_or_default());
        at = sequence_end(&read, found, &mut ends).unwrap_or(unit.end);
        kept = at;
        count += 1;
    }
    if count == 0 {
        return None;
    }
    out.push_str(body.get(kept..).unwrap_or_default());
    Some((out, count))
}

/// Where an introducer may stand: at an escape, or at the first byte of
/// U+0080 to U+00BF.
fn next_introducer(bytes: &[u8], from: usize) -> Option<usize> {
    let rest = bytes.get(from..)?;
    rest.iter().position(|byte| matches!(byte, b'\\' | 0xC2)).map(|at| from + at)
}
