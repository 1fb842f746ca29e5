//! JSON Pointers (RFC 6901) of bounded length, and the two ways of a JSON
//! string: decoding an encoded body, encoding a text.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use core::str::Chars;

use result_budget_json::bytes::{find, marks_of};

/// The longest rendered pointer, in bytes of the JSON string body that it
/// becomes (quotes not counted), hence also in bytes of UTF-8.
pub const POINTER_MAX_BYTES: usize = 128;

/// The longest segment of a pointer that is too long as a whole, in the same
/// bytes, its `/` not counted.
pub const SEGMENT_MAX_BYTES: usize = 40;

/// A place in a JSON text, as a stack of steps from its root.
///
/// Steps are borrowed: a key of a megabyte costs as much as one of a byte.
///
/// ```
/// use result_budget_core::json::pointer::Pointer;
/// let mut place = Pointer::new();
/// place.push_key("a/b\\u0020~");
/// place.push_index(3);
/// assert_eq!(place.render(), "/a~1b ~0/3");
/// place.pop();
/// place.pop();
/// assert_eq!(place.render(), "");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pointer<'a> {
    steps: Vec<Step<'a>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step<'a> {
    /// The key as it stands in the text, without its quotes.
    Key(&'a str),
    Index(usize),
}

impl<'a> Pointer<'a> {
    /// The root.
    #[must_use]
    pub fn new() -> Self {
        Pointer { steps: Vec::new() }
    }

    /// Steps into the member whose key stands in the text as
    /// `encoded_key_body`: escapes included, quotes not.
    pub fn push_key(&mut self, encoded_key_body: &'a str) {
        self.steps.push(Step::Key(encoded_key_body));
    }

    /// Steps into an item of an array, the first being 0.
    pub fn push_index(&mut self, index: usize) {
        self.steps.push(Step::Index(index));
    }

    /// Takes the last step back; at the root nothing happens.
    pub fn pop(&mut self) {
        self.steps.pop();
    }

    /// Takes steps back until no more than `steps` are left.
    pub fn truncate(&mut self, steps: usize) {
        self.steps.truncate(steps);
    }

    /// Steps from the root.
    #[must_use]
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether the last step is the key of a member.
    #[must_use]
    pub fn ends_with_key(&self) -> bool {
        matches!(self.steps.last(), Some(Step::Key(_)))
    }

    /// True at the root.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// The pointer as text: empty at the root, and never longer than
    /// [`POINTER_MAX_BYTES`].
    ///
    /// A pointer that fits is exact. One that does not is shortened, first by
    /// its long segments, then by its middle:
    /// - a segment over [`SEGMENT_MAX_BYTES`] becomes `head...tail...hash`: its
    ///   first and last characters, and eight hexadecimal digits of [`fnv1a`];
    /// - where that is not enough, as many segments as fit stay, from both ends
    ///   in turn, and `...N...` stands for the `N` left out.
    ///
    /// The answer depends on the steps alone, stays within RFC 6901's grammar,
    /// and costs the same however long the keys are.
    #[must_use]
    pub fn render(&self) -> String {
        let whole = self.render_whole(Step::exact);
        if let Some(fitting) = whole.or_else(|| self.render_whole(|step, _| Some(step.short()))) {
            return fitting;
        }
        // OK because what is left out has no more digits than the whole.
        let marker_bytes = marker(self.steps.len()).len();
        let (mut head, mut tail) = (String::new(), Vec::<String>::new());
        let mut used_bytes = marker_bytes;
        let (mut left, mut right) = (0, self.steps.len());
        while left < right {
            let at_head = left <= self.steps.len() - right;
            let at = if at_head { left } else { right - 1 };
            let Some(step) = self.steps.get(at) else { break };
            let (segment, segment_bytes) = step.short();
            used_bytes += segment_bytes;
            if used_bytes > POINTER_MAX_BYTES {
                break;
            }
            if at_head {
                head.push_str(&segment);
                left += 1;
            } else {
                tail.push(segment);
                right -= 1;
            }
        }
        head.push_str(&marker(right - left));
        tail.iter().rev().for_each(|segment| head.push_str(segment));
        head
    }

    /// Every segment as `write` gives it, told how many bytes are left; `None`
    /// where they do not fit.
    fn render_whole(
        &self,
        write: impl Fn(Step<'a>, usize) -> Option<(String, usize)>,
    ) -> Option<String> {
        let mut out = String::new();
        let mut left_bytes = POINTER_MAX_BYTES;
        for step in &self.steps {
            let (segment, segment_bytes) = write(*step, left_bytes)?;
            left_bytes = left_bytes.checked_sub(segment_bytes)?;
            out.push_str(&segment);
        }
        Some(out)
    }
}

impl Step<'_> {
    /// The whole segment with its `/`, and its bytes; `None` when it takes
    /// more than `max_bytes`.
    fn exact(self, max_bytes: usize) -> Option<(String, usize)> {
        let mut out = String::from("/");
        let mut used_bytes = 1;
        match self {
            Step::Index(index) => {
                out.push_str(&index.to_string());
                used_bytes = out.len();
            }
            Step::Key(body) if body.len() < max_bytes && is_plain(body) => {
                out.push_str(body);
                used_bytes = out.len();
            }
            Step::Key(body) => {
                for (character, _) in Decoder::new(body) {
                    used_bytes += push_escaped(&mut out, character);
                    if used_bytes > max_bytes {
                        return None;
                    }
                }
            }
        }
        (used_bytes <= max_bytes).then_some((out, used_bytes))
    }

    /// The segment with its `/`, shortened where it is over
    /// [`SEGMENT_MAX_BYTES`], and its bytes.
    fn short(self) -> (String, usize) {
        let body = match (self.exact(1 + SEGMENT_MAX_BYTES), self) {
            (Some(exact), _) => return exact,
            (None, Step::Key(body)) => body,
            // OK because an index has 20 digits at most.
            (None, Step::Index(index)) => {
                let segment = format!("/{index}");
                let segment_bytes = segment.len();
                return (segment, segment_bytes);
            }
        };
        let mut out = String::from("/");
        let mut used_bytes = 1;
        for (character, _) in Decoder::new(body) {
            let mut next = String::new();
            let next_bytes = push_escaped(&mut next, character);
            if used_bytes + next_bytes > 1 + HEAD_BYTES {
                break;
            }
            out.push_str(&next);
            used_bytes += next_bytes;
        }
        out.push_str("...");
        used_bytes += 3;
        let tail: Vec<char> =
            Decoder::new(decodable_tail(body)).map(|(character, _)| character).collect();
        let mut from = tail.len();
        let mut tail_bytes = 0;
        for (at, character) in tail.iter().enumerate().rev() {
            tail_bytes += push_escaped(&mut String::new(), *character);
            if tail_bytes > TAIL_BYTES {
                break;
            }
            from = at;
        }
        for character in tail.iter().skip(from) {
            used_bytes += push_escaped(&mut out, *character);
        }
        out.push_str(&format!("...{:08x}", fnv1a(body)));
        (out, used_bytes + 11)
    }
}

/// Whether a key stands in a pointer, and in a JSON string, as it is.
fn is_plain(body: &str) -> bool {
    body.bytes().all(|byte| (0x20..0x7F).contains(&byte) && !b"~/\"\\".contains(&byte))
}

/// FNV-1a, 32 bits, over `body`. Of a body over 8,192 bytes its first and last
/// 4,096 are taken, and its length as eight bytes, lowest first.
#[must_use]
pub fn fnv1a(body: &str) -> u32 {
    let bytes = body.as_bytes();
    let step = |hash: u32, byte: &u8| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193);
    if bytes.len() <= 2 * HASHED_END_BYTES {
        return bytes.iter().fold(FNV_BASIS, step);
    }
    let (head, tail) = (
        bytes.get(..HASHED_END_BYTES).unwrap_or_default(),
        bytes.get(bytes.len() - HASHED_END_BYTES..).unwrap_or_default(),
    );
    let length = (bytes.len() as u64).to_le_bytes();
    head.iter().chain(tail).chain(&length).fold(FNV_BASIS, step)
}

/// Writes `text` to `out` as a JSON string, quotes included, in its shortest
/// compact form: RFC 8259's two-character escapes, `\u00XX` for the other
/// controls, everything else as it is.
pub fn write_json_string(out: &mut String, text: &str) {
    out.push('"');
    write_json_body(out, text);
    out.push('"');
}

/// As [`write_json_string`], without the quotes.
pub fn write_json_body(out: &mut String, text: &str) {
    let mut rest = text;
    while let Some(at) = rest.bytes().position(|byte| byte < 0x20 || byte == b'"' || byte == b'\\')
    {
        // OK because `at` is the offset of an ASCII byte.
        let (clean, special) = rest.split_at(at);
        out.push_str(clean);
        let mut characters = special.chars();
        match characters.next() {
            Some('"') => out.push_str("\\\""),
            Some('\\') => out.push_str("\\\\"),
            Some('\n') => out.push_str("\\n"),
            Some('\r') => out.push_str("\\r"),
            Some('\t') => out.push_str("\\t"),
            Some('\u{8}') => out.push_str("\\b"),
            Some('\u{c}') => out.push_str("\\f"),
            Some(control) => out.push_str(&format!("\\u{:04x}", u32::from(control))),
            None => {}
        }
        rest = characters.as_str();
    }
    out.push_str(rest);
}

/// The text that `body` stands for: an encoded JSON string without its quotes.
///
/// A lone surrogate becomes U+FFFD, and so does an escape that JSON does not
/// have; neither is left in a body that the scanner and the repairs passed.
#[must_use]
pub fn decode_body(body: &str) -> Cow<'_, str> {
    let escapes = find(body.as_bytes(), 0, b'\\').is_some();
    if escapes { Cow::Owned(decode(body)) } else { Cow::Borrowed(body) }
}

/// Decodes eight bytes at a time where there is no escape: texts are decoded
/// by the megabyte.
fn decode(body: &str) -> String {
    let bytes = body.as_bytes();
    // Decoding never lengthens; eight more for the last whole step.
    let mut out = vec![0u8; bytes.len() + 8];
    let (mut at, mut end) = (0, 0);
    while let Some(byte) = bytes.get(at) {
        if let Some(step) = bytes.get(at..at + 8).and_then(|step| <[u8; 8]>::try_from(step).ok()) {
            if let Some(slot) = out.get_mut(end..end + 8) {
                slot.copy_from_slice(&step);
            }
            let plain = before_any(u64::from_le_bytes(step), b'\\');
            (at, end) = (at + plain, end + plain);
            if plain == 8 {
                continue;
            }
        } else if *byte != b'\\' {
            out[end] = *byte;
            (at, end) = (at + 1, end + 1);
            continue;
        }
        match bytes.get(at + 1) {
            Some(same @ (b'"' | b'\\' | b'/')) => {
                out[end] = *same;
                (at, end) = (at + 2, end + 1);
            }
            Some(b'n') => {
                out[end] = b'\n';
                (at, end) = (at + 2, end + 1);
            }
            _ => {
                let mut decoder = Decoder::new(body.get(at..).unwrap_or_default());
                let character = decoder.next().map_or(char::REPLACEMENT_CHARACTER, |next| next.0);
                end += character.encode_utf8(&mut out[end..]).len();
                at = bytes.len() - decoder.rest.as_str().len();
            }
        }
    }
    out.truncate(end);
    // OK because whole characters were copied; were it wrong, the text would
    // be shown with replacement characters, never lost.
    String::from_utf8(out)
        .unwrap_or_else(|fault| String::from_utf8_lossy(fault.as_bytes()).into_owned())
}

/// How many of eight bytes, in memory order, come before the first `sought`.
pub(crate) fn before_any(word: u64, sought: u8) -> usize {
    (marks_of(word, sought).trailing_zeros() / 8) as usize
}

/// As [`decode_body`], but `None` where a lone surrogate or an unknown escape
/// would be replaced.
#[must_use]
pub fn decode_body_strictly(body: &str) -> Option<Cow<'_, str>> {
    if body.contains('\\') {
        Decoder::new(body)
            .map(|(character, faithful)| faithful.then_some(character))
            .collect::<Option<String>>()
            .map(Cow::Owned)
    } else {
        Some(Cow::Borrowed(body))
    }
}

/// The characters of an encoded body, each with whether it is what the body
/// says (true) or stands in for what cannot be said (false).
struct Decoder<'a> {
    rest: Chars<'a>,
}

impl<'a> Decoder<'a> {
    fn new(body: &'a str) -> Self {
        Decoder { rest: body.chars() }
    }

    /// Takes the four digits of a `\u` escape, if all are there.
    fn unit(&mut self) -> Option<u32> {
        let digits = self.rest.as_str().get(..4)?;
        if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        let unit = u32::from_str_radix(digits, 16).ok()?;
        self.rest = self.rest.as_str().get(4..)?.chars();
        Some(unit)
    }

    /// Takes the low half of a surrogate pair, if it stands here.
    fn low_half(&mut self) -> Option<u32> {
        let mut ahead = Decoder { rest: self.rest.as_str().strip_prefix("\\u")?.chars() };
        let unit = ahead.unit().filter(|unit| (0xDC00..=0xDFFF).contains(unit))?;
        self.rest = ahead.rest;
        Some(unit)
    }
}

impl Iterator for Decoder<'_> {
    type Item = (char, bool);

    fn next(&mut self) -> Option<(char, bool)> {
        let character = match self.rest.next()? {
            '\\' => match self.rest.next() {
                Some(same @ ('"' | '\\' | '/')) => Some(same),
                Some('n') => Some('\n'),
                Some('r') => Some('\r'),
                Some('t') => Some('\t'),
                Some('b') => Some('\u{8}'),
                Some('f') => Some('\u{c}'),
                Some('u') => match self.unit() {
                    Some(high @ 0xD800..=0xDBFF) => self.low_half().and_then(|low| {
                        char::from_u32(0x1_0000 + ((high - 0xD800) << 10) + (low - 0xDC00))
                    }),
                    Some(unit) => char::from_u32(unit),
                    None => None,
                },
                Some(_) | None => None,
            },
            plain => Some(plain),
        };
        Some(character.map_or((char::REPLACEMENT_CHARACTER, false), |character| (character, true)))
    }
}

/// Writes `character` as part of a pointer segment; gives the bytes that it
/// takes in a JSON string.
fn push_escaped(out: &mut String, character: char) -> usize {
    match character {
        '~' => out.push_str("~0"),
        '/' => out.push_str("~1"),
        _ => out.push(character),
    }
    match character {
        '~' | '/' | '"' | '\\' | '\n' | '\r' | '\t' | '\u{8}' | '\u{c}' => 2,
        '\0'..='\u{1f}' => 6,
        _ => character.len_utf8(),
    }
}

/// The end of `body`, about [`TAIL_WINDOW_BYTES`] of it, from a place that is
/// sure to be outside every escape; empty where there is none.
fn decodable_tail(body: &str) -> &str {
    let bytes = body.as_bytes();
    let from = body.len().saturating_sub(TAIL_WINDOW_BYTES);
    (from..body.len())
        .find(|at| {
            let before =
                |count: usize| bytes.get(at.saturating_sub(count)..*at).unwrap_or_default();
            let here = bytes.get(*at..).unwrap_or_default();
            // A backslash behind another byte begins an escape, and an escape
            // that spans a place begins at most five bytes before it.
            let between = !before(5).contains(&b'\\')
                || (here.first() == Some(&b'\\') && !before(1).contains(&b'\\'));
            let low_half =
                matches!(here, [b'\\', b'u', b'd' | b'D', b'c'..=b'f' | b'C'..=b'F', ..]);
            between && !low_half && body.is_char_boundary(*at)
        })
        .and_then(|at| body.get(at..))
        .unwrap_or_default()
}

/// Stands for `steps` segments left out.
fn marker(steps: usize) -> String {
    format!("/...{steps}...")
}

// A shortened segment: head, `...`, tail, `...` and eight digits.
const HEAD_BYTES: usize = 15;
const TAIL_BYTES: usize = SEGMENT_MAX_BYTES - HEAD_BYTES - 3 - 11;
// Each of the tail's bytes may stand in the text as an escape of six.
const TAIL_WINDOW_BYTES: usize = 6 * TAIL_BYTES + 12;

const FNV_BASIS: u32 = 0x811C_9DC5;
const HASHED_END_BYTES: usize = 4_096;
