//! Reads lines as they come, byte for byte, and never holds more of one than
//! its cap.

use std::io::{self, Read};

use memchr::memchr;

use super::glance::{Glance, Seen};

/// Lines of a stream.
pub(crate) struct Lines<R> {
    source: R,
    max_bytes: usize,
    buffer: Vec<u8>,
    /// What of the buffer is not yet told.
    start: usize,
    end: usize,
    /// Up to here there is no line end.
    searched: usize,
}

/// One line.
pub(crate) enum Line<'a> {
    /// All of it, with its line end where it has one.
    Whole {
        bytes: &'a [u8],
        /// The next line is here already, whole.
        has_more: bool,
    },
    /// It is over the cap: its length, and whose it is.
    TooLong { given_bytes: u64, messages: Vec<Seen> },
}

impl<R: Read> Lines<R> {
    pub(crate) fn new(source: R, max_bytes: usize) -> Self {
        let buffer = vec![0; BUFFER_BYTES];
        Lines { source, max_bytes, buffer, start: 0, end: 0, searched: 0 }
    }

    /// The next line; `None` at the end. The last one may lack its line end.
    pub(crate) fn next_line(&mut self) -> io::Result<Option<Line<'_>>> {
        loop {
            let rest = self.buffer.get(self.searched..self.end).unwrap_or_default();
            if let Some(found) = memchr(b'\n', rest) {
                let line_end = self.searched + found + 1;
                return Ok(Some(self.whole(line_end)));
            }
            self.searched = self.end;
            if self.end - self.start > self.max_bytes {
                return self.too_long().map(Some);
            }
            self.make_room();
            if self.fill()? == 0 {
                let end = self.end;
                return Ok((end > self.start).then(|| self.whole(end)));
            }
        }
    }

    fn whole(&mut self, line_end: usize) -> Line<'_> {
        let line = self.start..line_end;
        (self.start, self.searched) = (line_end, line_end);
        let rest = self.buffer.get(line_end..self.end).unwrap_or_default();
        let has_more = memchr(b'\n', rest).is_some();
        Line::Whole { bytes: self.buffer.get(line).unwrap_or_default(), has_more }
    }

    /// Reads on to the end of the line and keeps none of it.
    fn too_long(&mut self) -> io::Result<Line<'static>> {
        let mut glance = Glance::default();
        glance.feed(self.buffer.get(self.start..self.end).unwrap_or_default());
        loop {
            (self.start, self.end) = (0, 0);
            let ended = self.fill()? == 0;
            let piece = self.buffer.get(..self.end).unwrap_or_default();
            let found = memchr(b'\n', piece);
            let line_end = found.map_or(piece.len(), |found| found + 1);
            glance.feed(piece.get(..line_end).unwrap_or_default());
            if found.is_some() || ended {
                (self.start, self.searched) = (line_end, line_end);
                let (given_bytes, messages) = glance.finish();
                return Ok(Line::TooLong { given_bytes, messages });
            }
        }
    }

    /// Sees that there is room behind the end.
    fn make_room(&mut self) {
        if self.start == self.end {
            (self.start, self.end, self.searched) = (0, 0, 0);
            if self.buffer.len() > KEPT_MAX_BYTES {
                self.buffer = vec![0; BUFFER_BYTES];
            }
        }
        if self.buffer.len() - self.end >= BUFFER_BYTES / 2 {
            return;
        }
        if self.start > 0 {
            self.buffer.copy_within(self.start..self.end, 0);
            (self.end, self.searched) = (self.end - self.start, self.searched - self.start);
            self.start = 0;
        }
        if self.buffer.len() - self.end < BUFFER_BYTES / 2 {
            // At most as much again as the longest line that is kept.
            self.buffer.resize(2 * self.buffer.len(), 0);
        }
    }

    /// Reads once; the count of bytes, none at the end.
    fn fill(&mut self) -> io::Result<usize> {
        loop {
            let room = self.buffer.get_mut(self.end..).unwrap_or_default();
            match self.source.read(room) {
                Ok(read) => {
                    self.end += read;
                    return Ok(read);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}

/// A pipe's worth.
const BUFFER_BYTES: usize = 64 * 1_024;

/// A buffer that grew larger is given back after its line.
const KEPT_MAX_BYTES: usize = 4 * 1_024 * 1_024;
