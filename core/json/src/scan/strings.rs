//! Strings: where they are, and so what stands outside them.

use super::block::{Block, Code};
use super::kernel::{Masks, NO_STRING};

#[derive(Default)]
pub(super) struct Strings {
    /// All ones while the text is inside a string, which began at `start`.
    in_string: u64,
    start: u32,
}

impl Strings {
    pub(super) fn inside(&self) -> bool {
        self.in_string != 0
    }

    /// What stands outside strings in the block, or `None` when it is wholly
    /// inside one.
    #[inline(always)]
    pub(super) fn take<B: Block>(
        &mut self,
        block: B,
        at: u32,
        granularity: u32,
        lines: u64,
        escaped: u64,
        wrong: &mut u64,
    ) -> Option<Masks> {
        let Code { structure, second, third } = block.code();
        let quote = second & !structure & !escaped;
        if quote | !self.in_string == 0 {
            *wrong |= lines;
            return None;
        }
        let white = (third & !structure) | lines;
        let inside = prefix_xor(quote) ^ self.in_string;
        let outside = !inside;
        *wrong |= lines & inside;
        let structure = structure & outside;
        let white = white & outside;
        let begin = quote & inside;

        // The string that goes on into the block ends at the first quote.
        let end = at + quote.trailing_zeros() + 1;
        let long = end.wrapping_sub(self.start) & self.in_string as u32 >= granularity;
        let long_string = if long { self.start } else { NO_STRING };
        self.in_string = (inside as i64 >> 63) as u64;
        self.start = if begin == 0 { self.start } else { at + 63 - begin.leading_zeros() };
        Some(Masks {
            begin,
            finish: quote & outside,
            bracket: structure & second,
            separator: structure & !second,
            third,
            white,
            other: outside & !(quote | white | structure),
            long_string,
        })
    }
}

/// Bit `i` is the parity of bits `0..=i`.
#[inline(always)]
pub(super) fn prefix_xor(mut bits: u64) -> u64 {
    bits ^= bits << 1;
    bits ^= bits << 2;
    bits ^= bits << 4;
    bits ^= bits << 8;
    bits ^= bits << 16;
    bits ^ bits << 32
}
