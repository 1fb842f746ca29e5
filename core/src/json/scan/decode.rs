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

use super::block::Block;
use crate::json::pointer::first_character;
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
pub fn decode_json(body: &str) -> Option<String> {
    #[cfg(not(target_family = "wasm"))]
    return run::<super::vector::Vectors>(body);
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    return run::<super::wasm::Vectors>(body);
    #[cfg(all(
        target_family = "wasm",
        not(all(target_arch = "wasm32", target_feature = "simd128"))
    ))]
    return run::<super::block::Words>(body);
}

fn run<B: Block>(body: &str) -> Option<String> {
    let bytes = body.as_bytes();
    let mut state = State::default();
    let mut copy = Copy::of(body);
    let (blocks, tail) = bytes.as_chunks::<64>();
    for (at, block) in blocks.iter().enumerate() {
        state.take::<B>(block, 64 * at, &mut copy)?;
    }
    let mut last = [b' '; 64];
    last.iter_mut().zip(tail).for_each(|(to, from)| *to = *from);
    state.take::<B>(&last, 64 * blocks.len(), &mut copy)?;
    copy.before(body.len());
    Some(copy.out)
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
    #[inline(always)]
    fn take<B: Block>(&mut self, bytes: &[u8; 64], at: usize, copy: &mut Copy<'_>) -> Option<()> {
        let block = B::load(bytes);
        let backslash = block.equal(b'\\');
        if backslash | self.escaped | !self.in_string == 0 {
            self.inner_escaped = false;
            return Some(());
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
        let mut gone = first | white;
        while unicode != 0 {
            let below = unicode ^ (unicode - 1);
            copy.without(gone & below, at);
            copy.character(at + unicode.trailing_zeros() as usize)?;
            gone &= !below;
            unicode &= !below;
        }
        copy.without(gone, at);
        Some(())
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

/// What is copied, and what was.
struct Copy<'a> {
    body: &'a str,
    /// Everything before this is copied, or goes.
    done: usize,
    out: String,
}

impl<'a> Copy<'a> {
    fn of(body: &'a str) -> Self {
        Copy { body, done: 0, out: String::with_capacity(body.len().min(FIRST_BYTES)) }
    }

    /// Copies up to each run of bytes that go, of the block at `at`.
    #[inline(always)]
    fn without(&mut self, mut gone: u64, at: usize) {
        while gone != 0 {
            let start = gone.trailing_zeros();
            let end = start + (gone >> start).trailing_ones();
            self.before(at + start as usize);
            self.done = self.done.max(at + end as usize);
            gone &= gone.wrapping_add(1 << start);
        }
    }

    /// Copies up to `end`, a boundary of characters.
    #[inline(always)]
    fn before(&mut self, end: usize) {
        let Some(length) = end.checked_sub(self.done) else { return };
        if self.out.capacity() - self.out.len() < length.max(STEP) {
            self.grow(length);
        }
        // A step of known length is a load and a store; most runs are shorter.
        match self.body.get(self.done..self.done + STEP) {
            Some(step) if length <= STEP => {
                self.out.push_str(step);
                self.out.truncate(self.out.len() - (STEP - length));
            }
            _ => self.out.push_str(self.body.get(self.done..end).unwrap_or_default()),
        }
    }

    /// Copies the character whose escape has its `u` at `at`, or, where that is
    /// the second half of one, nothing. `None` for one that has a meaning in
    /// JSON, or none there.
    #[cold]
    fn character(&mut self, at: usize) -> Option<()> {
        if at < self.done {
            return Some(());
        }
        let (character, bytes) = first_character(self.body.get(at - 1..)?)?;
        if matches!(character, '"' | '\\' | '\0'..'\u{20}') {
            return None;
        }
        self.out.push(character);
        self.done = at - 1 + bytes;
        Some(())
    }

    /// Makes room for `length` more bytes, and for what is likely to follow:
    /// never much more than is needed in the end.
    #[cold]
    fn grow(&mut self, length: usize) {
        let share = self.out.len() as u64 * self.body.len() as u64 / (self.done as u64).max(1);
        let more = (share as usize).saturating_sub(self.out.len());
        self.out.reserve_exact(more + more / 16 + length + FIRST_BYTES);
    }
}

const STEP: usize = 16;

/// What is set aside before anything is known of a text.
const FIRST_BYTES: usize = 16 * 1_024;
