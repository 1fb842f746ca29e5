//! Lines and rows of an encoded body, one after the other. A line ends where a
//! cut is legal: not inside an escape sequence that goes on in the next line.

use result_budget_json::bytes::any_of;

use super::{WHOLE_MAX_BYTES, ansi, unit};

/// Walks the lines of a body.
#[derive(Clone, Debug)]
pub(super) struct Lines<'b> {
    body: &'b str,
    /// Where the next line starts.
    at: usize,
    end: usize,
    /// A quoted line end ends no row, as in CSV.
    quotes: bool,
    /// Up to here a sequence that was opened may go on.
    open_to: usize,
}

/// Start of a line, and the place behind its line end.
pub(super) type Line = (usize, usize);

impl<'b> Lines<'b> {
    /// The lines of `body[start..end]`; both are boundaries of units.
    pub(super) fn new(body: &'b str, start: usize, end: usize) -> Self {
        Lines { body, at: start, end: end.min(body.len()), quotes: false, open_to: 0 }
    }

    /// Rows as CSV has them: with line ends inside of quotes.
    pub(super) fn quoted(mut self, quotes: bool) -> Self {
        self.quotes = quotes;
        self
    }

    /// Whether a line may end at `at`.
    fn ends(&mut self, start: usize, at: usize) -> bool {
        let line = self.body.as_bytes().get(start..at).unwrap_or_default();
        // The introducers of one byte: U+0090 to U+009F.
        if any_of(line, [0xC2; 4])
            && line.windows(2).any(|pair| matches!(pair, [0xC2, 0x90..=0x9F]))
        {
            self.open_to = at + REACH_BYTES;
        }
        at > self.open_to || ansi::around(self.body, at).is_none()
    }
}

/// How far a sequence of up to 256 decoded bytes reaches.
const REACH_BYTES: usize = 6 * WHOLE_MAX_BYTES;

impl Iterator for Lines<'_> {
    type Item = Line;

    fn next(&mut self) -> Option<Line> {
        let start = self.at;
        if start >= self.end {
            return None;
        }
        let bytes = self.body.as_bytes().get(..self.end)?;
        let (mut at, mut quoted) = (start, false);
        while let Some(found) = unit::find_backslash(bytes, at) {
            let escape = unit::escape(bytes, found);
            at = escape.end;
            match escape.scalar {
                '\n' if !quoted && self.ends(start, at) => {
                    self.at = at;
                    return Some((start, at));
                }
                '"' if self.quotes => quoted = !quoted,
                // Only a string goes on behind a line end.
                '\u{1b}' if matches!(bytes.get(at), Some(b']' | b'P' | b'X' | b'^' | b'_')) => {
                    self.open_to = at + REACH_BYTES;
                }
                '\u{90}'..='\u{9f}' => self.open_to = at + REACH_BYTES,
                _ => {}
            }
        }
        self.at = self.end;
        Some((start, self.end))
    }
}

/// Where the text of a line ends and its line end begins.
pub(super) fn text_end(body: &str, line: Line) -> usize {
    let (start, mut end) = line;
    for ends in ['\n', '\r'] {
        match unit::previous(body, end) {
            Some(last) if last.scalar == ends && last.start >= start => end = last.start,
            Some(_) | None => {}
        }
    }
    end
}
