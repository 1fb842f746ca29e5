//! What a text costs when it is written into a JSON string, and the writing.

use alloc::string::String;
use alloc::vec::Vec;

use crate::bytes::marks_of;
use crate::scan::{HIGH, LOW, count_quotes, first_character};

/// How the host prints the result after the engine (contract B14).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WireProfile {
    /// The engine's bytes go out as they are: compact, UTF-8.
    Utf8Compact,
    /// Compact, every non-ASCII character as `\uXXXX`.
    AsciiCompact,
    /// Python's standard printer: ASCII, a space after each `,` and `:`.
    PythonJson,
    /// Compact UTF-8 with `<`, `>`, `&`, U+2028 and U+2029 as `\uXXXX`.
    HtmlEscaped,
}

impl WireProfile {
    /// All of them, the default first.
    pub const ALL: [WireProfile; 4] = [
        WireProfile::Utf8Compact,
        WireProfile::AsciiCompact,
        WireProfile::PythonJson,
        WireProfile::HtmlEscaped,
    ];

    /// Its name in a policy document.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            WireProfile::Utf8Compact => "utf8-compact",
            WireProfile::AsciiCompact => "ascii-compact",
            WireProfile::PythonJson => "python-json",
            WireProfile::HtmlEscaped => "html-escaped",
        }
    }
}

/// Extra bytes that one byte of plain text costs inside a JSON string:
/// `quotes` for `"` and `\`, which cost again at each level of nesting, and
/// `other` for what the wire profile spells out, once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extra {
    /// `"` and `\`.
    pub quotes: usize,
    /// Everything else.
    pub other: usize,
}

/// Counts the extra bytes of `bytes`, which are whole characters of a JSON
/// text. Controls count nothing: in JSON text they are white space between
/// tokens, which is not written. Every character with the first byte of U+2028
/// is taken for it, so the count may be over by a little under `html-escaped`;
/// it is exact elsewhere.
#[must_use]
#[inline(never)]
pub fn extra(bytes: &[u8], profile: WireProfile) -> Extra {
    let mut sum = Extra::default();
    if profile == WireProfile::Utf8Compact {
        sum.quotes = count_quotes(bytes);
        return sum;
    }
    for byte in bytes {
        match byte {
            b'"' | b'\\' => sum.quotes += 1,
            b'<' | b'>' | b'&' if profile == WireProfile::HtmlEscaped => sum.other += 5,
            0xE2 if profile == WireProfile::HtmlEscaped => sum.other += 3,
            0x7F if ascii(profile) => sum.other += 5,
            0xC2..=0xDF if ascii(profile) => sum.other += 4,
            0xE0..=0xEF if ascii(profile) => sum.other += 3,
            0xF0..=0xFF if ascii(profile) => sum.other += 8,
            _ => {}
        }
    }
    sum
}

fn ascii(profile: WireProfile) -> bool {
    matches!(profile, WireProfile::AsciiCompact | WireProfile::PythonJson)
}

/// Code points of the encoded body of a string.
#[must_use]
pub fn code_points(body: &str) -> usize {
    walk(body, usize::MAX).0
}

/// The offset in the encoded body of a string behind its first `count` code
/// points; its end where there are fewer.
#[must_use]
pub fn code_points_end(body: &str, count: usize) -> usize {
    walk(body, count).1
}

/// Code points up to `most`, and where they end. Two escapes that stand for
/// one code point are one.
#[inline(never)]
fn walk(body: &str, most: usize) -> (usize, usize) {
    let bytes = body.as_bytes();
    let (mut count, mut at) = (0, 0);
    while count < most && at < bytes.len() {
        at += match bytes[at] {
            b'\\' => unescape(bytes, at).1 - at,
            0x00..=0x7F => 1,
            0x80..=0xDF => 2,
            0xE0..=0xEF => 3,
            0xF0..=0xFF => 4,
        };
        count += 1;
    }
    (count, at.min(bytes.len()))
}

/// Running totals of [`extra`] over a text, so that any part of it is priced
/// at the cost of looking at its two ends.
#[derive(Clone, Debug)]
pub struct ExtraTable<'a> {
    bytes: &'a [u8],
    profile: WireProfile,
    /// Totals before each step of `STEP` bytes.
    totals: Vec<Extra>,
}

const STEP: usize = 256;

impl<'a> ExtraTable<'a> {
    /// Totals over `text`.
    #[must_use]
    pub fn new(text: &'a str, profile: WireProfile) -> Self {
        let bytes = text.as_bytes();
        let mut totals = Vec::with_capacity(bytes.len() / STEP + 2);
        let mut sum = Extra::default();
        totals.push(sum);
        for chunk in bytes.chunks(STEP) {
            let part = extra(chunk, profile);
            sum.quotes += part.quotes;
            sum.other += part.other;
            totals.push(sum);
        }
        ExtraTable { bytes, profile, totals }
    }

    /// Who prints the text.
    #[must_use]
    pub fn profile(&self) -> WireProfile {
        self.profile
    }

    fn before(&self, at: usize) -> Extra {
        let step = at / STEP;
        let total = self.totals[step];
        let part = extra(&self.bytes[step * STEP..at], self.profile);
        Extra { quotes: total.quotes + part.quotes, other: total.other + part.other }
    }

    /// The extra bytes of `start..end`.
    #[must_use]
    pub fn of(&self, start: usize, end: usize) -> Extra {
        if end - start <= STEP {
            return extra(&self.bytes[start..end], self.profile);
        }
        let (a, b) = (self.before(start), self.before(end));
        Extra { quotes: b.quotes - a.quotes, other: b.other - a.other }
    }
}

/// Writes `text` as the body of a JSON string, as `profile` prints it.
#[inline(never)]
pub fn escape(out: &mut String, text: &str, profile: WireProfile) {
    if profile == WireProfile::Utf8Compact {
        // OK because whole characters are copied.
        out.push_str(&String::from_utf8(escape_plain(text.as_bytes())).unwrap_or_default());
        return;
    }
    let mut kept = 0;
    for (at, byte) in text.bytes().enumerate() {
        if matches!(byte, b'"' | b'\\') {
            // The byte itself goes with what follows.
            out.push_str(text.get(kept..at).unwrap_or_default());
            out.push('\\');
            kept = at;
            continue;
        }
        let special = match byte {
            0..=0x1F => true,
            b'<' | b'>' | b'&' | 0xE2 => profile == WireProfile::HtmlEscaped || byte == 0xE2,
            0x7F | 0xC0..=0xFF => ascii(profile),
            _ => false,
        };
        if !special {
            continue;
        }
        let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) else { continue };
        if profile == WireProfile::HtmlEscaped
            && c >= '\u{80}'
            && !matches!(c, '\u{2028}' | '\u{2029}')
        {
            continue;
        }
        out.push_str(text.get(kept..at).unwrap_or_default());
        kept = at + c.len_utf8();
        escape_char(out, c);
    }
    out.push_str(text.get(kept..).unwrap_or_default());
}

/// [`escape`] for a profile that spells out no more than it must: eight bytes at
/// a time, since quotes stand close together in a text that is JSON.
fn escape_plain(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len() + text.len() / 4 + 16);
    let (words, tail) = text.as_chunks::<8>();
    for bytes in words {
        let word = u64::from_le_bytes(*bytes);
        let marks = marks_of(word, b'"') | marks_of(word, b'\\');
        let controls = word.wrapping_sub(LOW * 0x20) & !word & HIGH;
        if marks | controls == 0 {
            out.extend_from_slice(bytes);
        } else if controls == 0 {
            // Each byte, with a backslash before it where one belongs there.
            let (mut wide, mut end) = ([b'\\'; 16], 0usize);
            for byte in bytes {
                end += usize::from(SPECIAL[usize::from(*byte)]);
                wide[end & 15] = *byte;
                end += 1;
            }
            let length = out.len() + end;
            out.extend_from_slice(&wide);
            out.truncate(length);
        } else {
            bytes.iter().for_each(|byte| escape_byte(&mut out, *byte));
        }
    }
    tail.iter().for_each(|byte| escape_byte(&mut out, *byte));
    out
}

fn escape_byte(out: &mut Vec<u8>, byte: u8) {
    if SPECIAL[usize::from(byte)] {
        let mut escaped = String::new();
        escape_char(&mut escaped, char::from(byte));
        out.extend_from_slice(escaped.as_bytes());
    } else {
        out.push(byte);
    }
}

/// The bytes that are escaped in any JSON string.
static SPECIAL: [bool; 256] = {
    let mut special = [false; 256];
    let mut control = 0;
    while control < 0x20 {
        special[control] = true;
        control += 1;
    }
    special[b'"' as usize] = true;
    special[b'\\' as usize] = true;
    special
};

/// The character that the escape at `at` stands for, and where it ends; U+FFFD
/// for half of a surrogate pair. A backslash that opens no escape, as in a body
/// that is not valid, counts as a character.
#[must_use]
pub fn unescape(bytes: &[u8], at: usize) -> (char, usize) {
    let short = match bytes.get(at + 1) {
        Some(b'n') => '\n',
        Some(b'"') => '"',
        Some(b'\\') => '\\',
        Some(b't') => '\t',
        Some(b'r') => '\r',
        Some(b'/') => '/',
        Some(b'b') => '\u{8}',
        Some(b'f') => '\u{c}',
        Some(_) | None => {
            let character = first_character(bytes.get(at..).unwrap_or_default());
            return character.map_or(('\\', at + 1), |(character, bytes)| (character, at + bytes));
        }
    };
    (short, at + 2)
}

/// The text that `body[from..to]` stands for; both are borders of characters and
/// escapes.
#[must_use]
#[inline(never)]
pub fn decode_part(body: &str, from: usize, to: usize) -> String {
    let bytes = body.as_bytes();
    let mut out: Vec<u8> = Vec::with_capacity(to.saturating_sub(from));
    let mut at = from;
    while at < to {
        if let Some(word) = bytes.get(at..to).and_then(<[u8]>::first_chunk::<8>)
            && marks_of(u64::from_le_bytes(*word), b'\\') == 0
        {
            out.extend_from_slice(word);
            at += 8;
            continue;
        }
        match bytes.get(at) {
            Some(b'\\') => {
                let (character, end) = unescape(bytes, at);
                out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
                at = end;
            }
            Some(byte) => {
                out.push(*byte);
                at += 1;
            }
            None => break,
        }
    }
    // OK because whole characters were copied.
    String::from_utf8(out).unwrap_or_default()
}

/// Writes one character as an escape: the short form where there is one, else
/// `\uXXXX`, two of them beyond U+FFFF.
pub fn escape_char(out: &mut String, c: char) {
    let short = match c {
        '"' => Some('"'),
        '\\' => Some('\\'),
        '\n' => Some('n'),
        '\r' => Some('r'),
        '\t' => Some('t'),
        '\u{8}' => Some('b'),
        '\u{c}' => Some('f'),
        _ => None,
    };
    if let Some(letter) = short {
        out.push('\\');
        out.push(letter);
        return;
    }
    let mut units = [0u16; 2];
    for unit in c.encode_utf16(&mut units) {
        out.push_str("\\u");
        for shift in [12, 8, 4, 0] {
            let digit = u32::from(*unit >> shift) & 15;
            out.push(char::from_digit(digit, 16).unwrap_or('0'));
        }
    }
}
