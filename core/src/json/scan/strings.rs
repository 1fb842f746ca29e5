//! Strings: where they are, and what stands in them.

use super::block::{Block, Code};
use super::kernel::{BATCH, Masks, NO_STRING};

#[derive(Default)]
pub(super) struct Strings {
    /// Offset of the next block.
    pub(super) next: usize,
    pub(super) wrong: u64,
    /// All ones while the text is inside a string, which began at `start`.
    in_string: u64,
    start: u32,
    escapes: Escapes,
}

impl Strings {
    pub(super) fn inside(&self) -> bool {
        self.in_string != 0
    }

    pub(super) fn lone_surrogates(&self) -> u32 {
        self.escapes.lone_surrogates
    }

    /// Fills `batch` from the next blocks of `text`, and says how far.
    #[inline(never)]
    pub(super) fn take<B: Block>(
        &mut self,
        text: &[u8],
        granularity: u32,
        batch: &mut [Masks; BATCH],
    ) -> usize {
        let Self { next, mut wrong, mut in_string, mut start, .. } = *self;
        let mut base = next;
        let mut padded = [b' '; 64];
        let mut count = 0;
        while count < BATCH && base <= text.len() {
            let bytes = match text.get(base..).and_then(<[u8]>::first_chunk) {
                Some(bytes) => bytes,
                None => {
                    let tail = text.get(base..).unwrap_or_default();
                    padded.iter_mut().zip(tail).for_each(|(to, from)| *to = *from);
                    &padded
                }
            };
            let at = base as u32;
            let block = B::load(bytes);
            let odd = block.has_backslash_or_control() | self.escapes.pending();
            base += 64;
            if in_string != 0 && !(odd | block.has_quote()) {
                continue;
            }

            let (mut lines, mut escaping, mut escaped) = (0, 0, 0);
            if odd {
                if self.escapes.pending() || block.has_backslash() {
                    (escaping, escaped) = self.escapes.take::<B>(text, at as usize, bytes);
                }
                let control = block.controls();
                if in_string != 0 && block.equal(b'"') & !escaped == 0 {
                    wrong |= control;
                    continue;
                }
                if control != 0 {
                    lines = block.equal(b'\n') | block.equal(b'\r') | block.equal(b'\t');
                    wrong |= control & !lines;
                }
            }
            let Code { structure, second, third } = block.code();
            let quote = second & !structure & !escaped;
            let white = (third & !structure) | lines;
            let inside = prefix_xor(quote) ^ in_string;
            let outside = !inside;
            wrong |= (lines & inside) | (escaping & outside);
            let structure = structure & outside;
            let white = white & outside;
            let begin = quote & inside;

            let end = at.wrapping_add(quote.trailing_zeros()).wrapping_add(1);
            let long = (in_string != 0) & (end.wrapping_sub(start) >= granularity);
            let Some(masks) = batch.get_mut(count) else { break };
            *masks = Masks {
                at,
                long_string: if long { start } else { NO_STRING },
                begin,
                finish: quote & outside,
                bracket: structure & second,
                separator: structure & !second,
                third,
                white,
                other: outside & !(quote | white | structure),
                start: 0,
                list_only: 0,
            };
            count += 1;
            in_string = (inside as i64 >> 63) as u64;
            start = if begin == 0 { start } else { at + 63 - begin.leading_zeros() };
        }
        (self.next, self.in_string, self.start) = (base, in_string, start);
        self.wrong |= wrong | self.escapes.wrong;
        count
    }
}

/// Bit `i` is the parity of bits `0..=i`.
#[inline(always)]
fn prefix_xor(mut bits: u64) -> u64 {
    bits ^= bits << 1;
    bits ^= bits << 2;
    bits ^= bits << 4;
    bits ^= bits << 8;
    bits ^= bits << 16;
    bits ^ bits << 32
}

#[derive(Default)]
struct Escapes {
    /// Bit 0: the first byte of the next block is escaped.
    carried: u64,
    /// Where the other half of a high surrogate has to stand: its `u`.
    low_at: usize,
    lone_surrogates: u32,
    /// Bytes that no escape has.
    wrong: u64,
}

impl Escapes {
    #[inline(always)]
    fn pending(&self) -> bool {
        self.carried != 0
    }

    /// The backslashes that escape, and the bytes they escape: in a run of
    /// backslashes, every second one.
    #[inline(always)]
    fn find(&mut self, backslash: u64) -> (u64, u64) {
        const ODD: u64 = 0xAAAA_AAAA_AAAA_AAAA;
        let candidate = backslash & !self.carried;
        let both = ((candidate << 1 | ODD).wrapping_sub(candidate)) ^ ODD;
        let escaped = both ^ (backslash | self.carried);
        let starts = both & backslash;
        self.carried = starts >> 63;
        (starts, escaped)
    }

    /// The backslashes that escape in this block, and the bytes they escape.
    /// Apart from the kernel, since inlined there it costs blocks without
    /// escapes too.
    #[inline(never)]
    fn take<B: Block>(&mut self, text: &[u8], base: usize, bytes: &[u8; 64]) -> (u64, u64) {
        let block = B::load(bytes);
        let backslash = block.equal(b'\\');
        let (starts, escaped) = self.find(backslash);
        // Of the bytes that may be escaped, these are by far the usual.
        let rare = escaped & !(backslash | block.equal(b'"') | block.n_r_or_t());
        if rare != 0 {
            self.wrong |= self.check(text, base, rare, bytes);
        }
        (starts, escaped)
    }

    /// The bytes among the `rare` escaped ones that no escape has.
    fn check(&mut self, text: &[u8], base: usize, mut rare: u64, bytes: &[u8; 64]) -> u64 {
        let mut wrong = 0;
        while rare != 0 {
            let bit = rare.trailing_zeros();
            let fits = match bytes.get(bit as usize) {
                Some(b'/' | b'b' | b'f') => true,
                Some(b'u') => self.unit(text, base + bit as usize),
                _ => false,
            };
            wrong |= u64::from(!fits) << bit;
            rare &= rare - 1;
        }
        wrong
    }

    /// Takes the escape whose `u` is at `at`; false without four digits.
    fn unit(&mut self, text: &[u8], at: usize) -> bool {
        let Some(digits) = text.get(at + 1..).and_then(<[u8]>::first_chunk::<4>) else {
            return false;
        };
        let mut unit = 0;
        for digit in digits {
            let Some(value) = char::from(*digit).to_digit(16) else { return false };
            unit = unit << 4 | value;
        }
        match unit {
            0xD800..=0xDBFF => {
                self.lone_surrogates += 1; // until its other half turns up
                self.low_at = at + 6;
            }
            0xDC00..=0xDFFF if self.low_at == at => {
                self.lone_surrogates -= 1;
            }
            0xDC00..=0xDFFF => self.lone_surrogates += 1,
            _ => {}
        }
        true
    }
}
