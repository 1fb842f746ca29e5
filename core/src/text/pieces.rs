//! What stays of a body: parts of it in order, and short texts of ours between
//! them.

use alloc::string::String;

use super::unit;

/// A text under construction, as the body of a JSON string.
#[derive(Debug)]
pub(crate) struct Pieces<'b> {
    body: &'b str,
    /// What is written so far.
    pub(crate) out: String,
    /// How much of it is of the body.
    pub(crate) kept: usize,
}

impl<'b> Pieces<'b> {
    pub(super) fn new(body: &'b str, room: usize) -> Self {
        Pieces { body, out: String::with_capacity(room.min(body.len())), kept: 0 }
    }

    /// Adds `body[start..end]`.
    pub(super) fn span(&mut self, start: usize, end: usize) {
        let span = self.body.get(start..end).unwrap_or_default();
        self.out.push_str(span);
        self.kept += span.len();
    }

    /// Adds a text of ours: ASCII that every wire profile prints as it stands,
    /// line ends as escapes.
    pub(super) fn say(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// Ends the line that is open.
    pub(super) fn end_line(&mut self) {
        if !self.out.is_empty() && !ends_line(&self.out) {
            self.out.push_str("\\n");
        }
    }
}

/// Whether an encoded body ends with a line end.
pub(crate) fn ends_line(body: &str) -> bool {
    unit::line_ends_at(body.as_bytes(), body.len())
}

/// How many digits a number has.
pub(super) fn digits(number: usize) -> usize {
    number.checked_ilog10().unwrap_or(0) as usize + 1
}
