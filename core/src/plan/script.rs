//! What is written, as pieces of the document and texts of ours.

use alloc::string::String;
use alloc::vec::Vec;

use crate::json::scan::compact_json;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Piece {
    /// Bytes of the document; `strip` where white space between tokens in
    /// them is to be dropped.
    Span { start: usize, end: usize, strip: bool },
    /// Bytes of ours.
    Text { start: usize, end: usize },
    /// The place of a text that is known only when all is planned.
    Lead,
}

/// A place in a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mark {
    pieces: usize,
}

/// Pieces in the order in which they are written.
#[derive(Debug, Default)]
pub(crate) struct Script {
    pieces: Vec<Piece>,
    texts: String,
    /// Pieces before this one are closed: nothing is joined to them.
    closed: usize,
}

impl Script {
    /// Adds a text of ours.
    pub(crate) fn text(&mut self, text: &str) {
        let start = self.texts.len();
        self.texts.push_str(text);
        let end = self.texts.len();
        let open = self.closed < self.pieces.len();
        match self.pieces.last_mut() {
            Some(Piece::Text { end: last, .. }) if open && *last == start => {
                *last = end;
            }
            _ => self.pieces.push(Piece::Text { start, end }),
        }
    }

    /// Adds bytes of the document.
    pub(crate) fn span(&mut self, start: usize, end: usize, strip: bool) {
        self.pieces.push(Piece::Span { start, end, strip });
    }

    /// Adds the next child of a container: joined to the last piece where that
    /// ends at `last_end`, the end of the child before; else after `comma`.
    pub(crate) fn next_span(
        &mut self,
        last_end: Option<usize>,
        comma: &str,
        start: usize,
        end: usize,
        strip: bool,
    ) {
        if let Some(last_end) = last_end {
            let gap_strip = strip || start - last_end != comma.len();
            let joins = self.closed < self.pieces.len();
            if let Some(Piece::Span { end: last, strip: last_strip, .. }) = self.pieces.last_mut()
                && joins
                && *last == last_end
            {
                *last = end;
                *last_strip |= gap_strip;
                return;
            }
            self.text(comma);
        }
        self.span(start, end, strip);
    }

    /// Puts a text of ours in place of the last bytes of such a text.
    pub(crate) fn replace_last(&mut self, bytes: usize, text: &str) {
        if let Some(Piece::Text { end, .. }) = self.pieces.last_mut() {
            *end -= bytes;
            self.texts.truncate(*end);
        }
        self.text(text);
    }

    /// Leaves room for a text that is given when the script is written.
    pub(crate) fn lead(&mut self) {
        self.pieces.push(Piece::Lead);
    }

    /// The place reached; later pieces are not joined to earlier ones.
    pub(crate) fn mark(&mut self) -> Mark {
        self.closed = self.pieces.len();
        Mark { pieces: self.pieces.len() }
    }

    /// Writes what stands between two marks.
    pub(crate) fn write(&self, from: Mark, to: Mark, document: &str, lead: &str, out: &mut String) {
        for piece in self.pieces.get(from.pieces..to.pieces).unwrap_or_default() {
            match *piece {
                Piece::Span { start, end, strip } => {
                    let text = document.get(start..end).unwrap_or_default();
                    if strip { compact(out, text) } else { out.push_str(text) }
                }
                Piece::Text { start, end } => {
                    out.push_str(self.texts.get(start..end).unwrap_or_default());
                }
                Piece::Lead => out.push_str(lead),
            }
        }
    }
}

/// Writes JSON text without the white space between its tokens.
pub(crate) fn compact(out: &mut String, text: &str) {
    out.push_str(&compact_json(text));
}
