//! Decodes a text that stands in a JSON string and is JSON itself: without the
//! white space between its tokens, which nothing of what follows needs.
//!
//! A text is told apart by its escapes: in an encoded body every quote is
//! escaped, so is every backslash, and a line end is `\n`. As in the scanner,
//! 64 bytes are looked at by arithmetic on masks. What goes, the first bytes
//! of escapes and white space, are runs of few bytes; what stays between them
//! is copied. Checks no grammar but what dropping bytes could hide; the scan
//! does.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::Fastest;
use super::block::Block;
use super::escapes::find;
use super::kernel::skip;
use super::strings::prefix_xor;

/// The JSON text that `body`, an encoded JSON string without its quotes,
/// stands for, without white space between its tokens.
///
/// `None` where the text is no JSON, or spells its own quotes or white space
/// by `\uXXXX`. An answer does not mean that the text is JSON; but it is JSON
/// exactly if the answer is.
#[must_use]
#[inline(never)]
pub fn decode_json(body: &str) -> Option<String> {
    let mut state = State::default();
    Copy::of(body.len()).all(body, |bytes| state.take::<Fastest>(bytes))
}

/// `text`, valid JSON or a part of it between tokens, without the white space
/// between its tokens.
#[must_use]
#[inline(never)]
pub fn compact_json(text: &str) -> String {
    let (mut escaped, mut in_string) = (0, 0);
    let copied = Copy::of(text.len()).all(text, |bytes| {
        let block = Fastest::load(bytes);
        let code = block.code();
        let (escape, carry) = find(block.equal(b'\\'), escaped);
        escaped = carry;
        let inside = prefix_xor(code.second & !code.structure & !escape) ^ in_string;
        in_string = (inside as i64 >> 63) as u64;
        let white = (code.third & !code.structure) | block.lines();
        Some((!(white & !inside), 0))
    });
    // OK because nothing above refuses.
    copied.unwrap_or_default()
}

/// What goes on from one block into the next; bit 0 of each mask.
#[derive(Default)]
struct State {
    /// The first byte is escaped.
    escaped: u64,
    /// The first character of the text is escaped, in the text itself.
    inner_escaped: bool,
    /// All ones inside a string of the text.
    in_string: u64,
    in_scalar: u64,
    /// A scalar ended, and only white space came behind it.
    after_scalar: u64,
}

impl State {
    /// Takes a block: the bytes that stay, and the `u` of `\uXXXX`.
    #[inline(always)]
    fn take<B: Block>(&mut self, bytes: &[u8; 64]) -> Option<(u64, u64)> {
        let block = B::load(bytes);
        let backslash = block.equal(b'\\');
        if backslash | self.escaped | !self.in_string == 0 {
            self.inner_escaped = false;
            return Some((u64::MAX, 0));
        }
        let (escaped, carry) = find(backslash, self.escaped);
        self.escaped = carry;
        // The bytes that begin escapes; they go.
        let first = backslash & !escaped;
        let code = block.code();
        let mut quote = code.second & !code.structure & escaped;
        let slash = backslash & escaped;
        let mut line = block.equal(b'n') & escaped;
        let rare = escaped & !(quote | slash | line);
        if slash != 0 || self.inner_escaped {
            // What the text itself escapes is no end of its string.
            quote &= !self.inner(first, slash);
        }
        let mut unicode = 0;
        if rare != 0 {
            unicode = block.equal(b'u') & rare;
            line |= (block.equal(b't') | block.equal(b'r')) & rare;
            // What is left are controls, which stand in no JSON text.
            if rare & !(unicode | line | block.equal(b'/')) != 0 {
                return None;
            }
        }
        let inside = prefix_xor(quote) ^ self.in_string;
        let outside = !inside;
        self.in_string = (inside as i64 >> 63) as u64;

        let white = (code.third & !code.structure & outside) | line;
        // A number or literal must not grow together with the one behind it.
        let other = outside & !(white | first | quote | code.structure);
        let ended = (other << 1 | self.in_scalar) & !other;
        let (next, carry) = skip(ended | self.after_scalar, white | (first & outside));
        self.in_scalar = other >> 63;
        self.after_scalar = carry;
        if (line & inside) | (unicode & outside) | (next & other) != 0 {
            return None;
        }
        Some((!(first | white), unicode))
    }

    /// The characters that backslashes of the text itself escape, by the last
    /// byte of each. `slash` are those backslashes, `first` the bytes that go.
    #[inline(never)]
    fn inner(&mut self, first: u64, slash: u64) -> u64 {
        let (mut escaped, mut left) = (0, slash);
        let mut next = self.inner_escaped.then_some(0);
        self.inner_escaped = false;
        loop {
            if let Some(at) = next {
                if at == 64 {
                    self.inner_escaped = true;
                    break;
                }
                // Behind the byte that goes, where the character has one.
                let byte = (1 << at) << (first >> at & 1);
                self.inner_escaped = byte == 0;
                escaped |= byte;
                left &= !byte;
            }
            if left == 0 {
                break;
            }
            next = Some(left.trailing_zeros() + 1);
            left &= left - 1;
        }
        escaped
    }
}

/// What stays, copied.
struct Copy {
    /// Zeros behind `end`.
    out: Vec<u8>,
    end: usize,
    /// What is before this place goes, or is copied.
    skip: usize,
    all_bytes: usize,
}

impl Copy {
    fn of(all_bytes: usize) -> Self {
        Copy { out: vec![0; FIRST_BYTES.min(all_bytes + WIDE)], end: 0, skip: 0, all_bytes }
    }

    /// Copies all of `text` that `take` keeps: of each block the bytes that
    /// stay, and the `u` of `\uXXXX`.
    #[inline(always)]
    fn all(
        mut self,
        text: &str,
        mut take: impl FnMut(&[u8; 64]) -> Option<(u64, u64)>,
    ) -> Option<String> {
        let mut padded = [b' '; WIDE];
        let mut at = 0;
        while let Some(rest) = text.as_bytes().get(at..)
            && !rest.is_empty()
        {
            let wide = rest.first_chunk().unwrap_or_else(|| {
                padded = [b' '; WIDE];
                padded.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
                &padded
            });
            let (mut keep, unicode) = take(wide.first_chunk()?)?;
            keep &= u64::MAX >> (64 - rest.len().min(64));
            if unicode != 0 || self.skip > at {
                keep = self.characters(text, wide, at, keep, unicode)?;
            }
            self.kept(wide, at, keep);
            at += 64;
        }
        self.out.truncate(self.end);
        // OK because whole characters were copied.
        String::from_utf8(self.out).ok()
    }

    /// Copies the bytes of `block` that are in `keep`; `at` is where it stands.
    #[inline(never)]
    fn kept(&mut self, block: &[u8; WIDE], at: usize, mut keep: u64) {
        if self.out.len() - self.end < WIDE {
            self.grow(at);
        }
        let Some(out) = self.out.get_mut(self.end..).and_then(<[u8]>::first_chunk_mut::<WIDE>)
        else {
            return;
        };
        // A step of known length is a load and a store, and most runs are no
        // longer. What is written too far is written over by the next one.
        let step = |out: &mut [u8; WIDE], from: usize, to: usize| {
            let (from, to) = (from & 63, to & 63);
            out[to..to + STEP].copy_from_slice(&block[from..from + STEP]);
        };
        let mut end = 0;
        while keep != 0 {
            // Without a look at what is left: how many runs a block has is
            // hard to predict.
            for _ in 0..4 {
                let start = keep.trailing_zeros();
                let length = (keep.wrapping_shr(start)).trailing_ones() as usize;
                let start = start as usize;
                step(out, start, end);
                let mut more = STEP;
                while more < length {
                    step(out, start + more, end + more);
                    more += STEP;
                }
                end += length;
                keep &= keep.wrapping_add(keep & keep.wrapping_neg());
            }
        }
        self.end += end;
    }

    /// Copies up to the last of the characters that are spelled `\uXXXX`, by
    /// their `u`; what of `keep` is left. `None` for one that has a meaning in
    /// JSON, or none there.
    #[cold]
    fn characters(
        &mut self,
        body: &str,
        block: &[u8; WIDE],
        at: usize,
        mut keep: u64,
        mut unicode: u64,
    ) -> Option<u64> {
        loop {
            let behind = u64::MAX.checked_shl(self.skip.saturating_sub(at) as u32).unwrap_or(0);
            keep &= behind;
            unicode &= behind;
            if unicode == 0 {
                return Some(keep);
            }
            let bit = unicode.trailing_zeros();
            self.kept(block, at, keep & ((1 << bit) - 1));
            let start = (at + bit as usize).checked_sub(1)?;
            let (character, bytes) = first_character(body.as_bytes().get(start..)?)?;
            if matches!(character, '"' | '\\' | '\0'..='\x1F') {
                return None;
            }
            if self.out.len() - self.end < WIDE {
                self.grow(at);
            }
            self.end += character.encode_utf8(self.out.get_mut(self.end..)?).len();
            self.skip = start + bytes;
        }
    }

    /// Makes room for what is likely to follow behind `at`, and never much
    /// more.
    #[cold]
    fn grow(&mut self, at: usize) {
        let likely = self.end as u64 * self.all_bytes as u64 / (at as u64).max(1);
        let likely = (likely as usize).max(self.end);
        let length = likely + (likely - self.end) / 16 + FIRST_BYTES;
        self.out.reserve_exact(length - self.out.len());
        self.out.resize(length, 0);
    }
}

/// The character whose escape, `\uXXXX` or two of them, stands first, and the
/// bytes that it takes. Half a pair stands for U+FFFD.
pub(crate) fn first_character(body: &[u8]) -> Option<(char, usize)> {
    let first = unit(body)?;
    let second = body.get(6..).and_then(unit).unwrap_or(0);
    if (0xD800..0xDC00).contains(&first) && (0xDC00..0xE000).contains(&second) {
        let character = char::from_u32(0x1_0000 + ((first - 0xD800) << 10) + (second - 0xDC00));
        return Some((character?, 12));
    }
    Some((char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER), 6))
}

/// The number in the `\uXXXX` that stands first.
pub(crate) fn unit(body: &[u8]) -> Option<u32> {
    let [b'\\', b'u', digits @ ..] = body.first_chunk::<6>()? else { return None };
    digits.iter().try_fold(0, |unit, digit| Some(unit << 4 | char::from(*digit).to_digit(16)?))
}

/// A block and what a step may read behind it.
const WIDE: usize = 64 + STEP;
const STEP: usize = 16;

/// Set aside before anything is known of a text, and behind what is likely.
const FIRST_BYTES: usize = 4 * 1_024;
