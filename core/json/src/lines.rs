//! What the lines of a sample have in them: one pass, after which most questions
//! about a line are answered without another look at it.

use alloc::vec::Vec;

use crate::bytes::find;

/// A line, and what is in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Line<'t> {
    /// The line without its line feed.
    pub text: &'t str,
    /// Marks, as in [`has`], of what it has at least once.
    pub has: u32,
}

/// The marks of [`Line::has`].
#[allow(missing_docs, reason = "the names say it")]
pub mod has {
    pub const BLANK: u32 = 1;
    pub const COMMA: u32 = 1 << 1;
    pub const CAPITAL: u32 = 1 << 2;
    pub const TAB: u32 = 1 << 3;
    pub const SEMICOLON: u32 = 1 << 4;
    pub const COLON: u32 = 1 << 5;
    pub const BAR: u32 = 1 << 6;
    pub const OPENING: u32 = 1 << 7;
    pub const CLOSING: u32 = 1 << 8;
    pub const EQUALS: u32 = 1 << 9;
    pub const QUOTE: u32 = 1 << 10;
    pub const APOSTROPHE: u32 = 1 << 11;
    pub const SLASH: u32 = 1 << 12;
    pub const DASH: u32 = 1 << 13;
    /// One of `<>(){}` and the back quote.
    pub const OF_CODE: u32 = 1 << 14;
    pub const NUL: u32 = 1 << 15;
    /// A carriage return or an escape character.
    pub const CONTROL: u32 = 1 << 16;
    /// A byte that is not of ASCII.
    pub const WIDE: u32 = 1 << 17;
}

static MARKS: [u32; 256] = {
    let mut marks = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        marks[byte] = match byte as u8 {
            b' ' => has::BLANK,
            b',' => has::COMMA,
            b'A'..=b'Z' => has::CAPITAL,
            b'\t' => has::TAB,
            b';' => has::SEMICOLON,
            b':' => has::COLON,
            b'|' => has::BAR,
            b'[' => has::OPENING,
            b']' => has::CLOSING,
            b'=' => has::EQUALS,
            b'"' => has::QUOTE,
            b'\'' => has::APOSTROPHE,
            b'/' => has::SLASH,
            b'-' => has::DASH,
            b'<' | b'>' | b'(' | b')' | b'{' | b'}' | b'`' => has::OF_CODE,
            0 => has::NUL,
            b'\r' | 0x1B => has::CONTROL,
            0x80.. => has::WIDE,
            _ => 0,
        };
        byte += 1;
    }
    marks
};

/// The lines of `text`: what `split('\n')` gives, so that the last one is empty
/// where the text ends in a line feed.
#[must_use]
#[inline(never)]
pub fn lines(text: &str) -> Vec<Line<'_>> {
    let mut lines = Vec::with_capacity(32);
    let mut start = 0;
    while let Some(end) = find(text.as_bytes(), start, b'\n') {
        lines.push(line_of(text.get(start..end).unwrap_or_default()));
        start = end + 1;
    }
    lines.push(line_of(text.get(start..).unwrap_or_default()));
    lines
}

/// `text`, which has no line feed in it, as a line.
#[must_use]
pub fn line_of(text: &str) -> Line<'_> {
    Line { text, has: text.bytes().fold(0, |all, byte| all | MARKS[usize::from(byte)]) }
}

impl Line<'_> {
    /// Whether it has one of these, as in [`has`].
    #[must_use]
    #[inline]
    pub fn any(&self, marks: u32) -> bool {
        self.has & marks != 0
    }

    /// Whether `second` stands right behind `first` in it.
    #[must_use]
    #[inline(never)]
    pub fn has_pair(&self, first: u8, second: u8) -> bool {
        let bytes = self.text.as_bytes();
        let pairs = bytes.iter().zip(bytes.iter().skip(1));
        let is = |(a, b): (&u8, &u8)| (*a == first) & (*b == second);
        pairs.fold(0, |found, pair| found | u8::from(is(pair))) != 0
    }

    /// Whether it starts with `word`.
    #[must_use]
    #[inline(never)]
    pub fn starts_with(&self, word: &str) -> bool {
        self.text.as_bytes().first() == word.as_bytes().first() && self.text.starts_with(word)
    }
}
