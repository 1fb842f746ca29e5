//! 64 bytes as four 128-bit vectors, by a crate that wraps the unsafe
//! intrinsics of x86-64 and AArch64.

use wide::u8x16;

use super::block::{Block, Classes};

#[derive(Clone, Copy)]
pub(super) struct Vectors([u8x16; 4]);

impl Vectors {
    #[inline(always)]
    fn map(self, each: impl Fn(u8x16) -> u8x16) -> Self {
        let [a, b, c, d] = self.0;
        Self([each(a), each(b), each(c), each(d)])
    }

    /// The high bit of every byte.
    #[inline(always)]
    fn mask(self) -> u64 {
        let [a, b, c, d] = self.0.map(|vector| u64::from(vector.to_bitmask()));
        (a | b << 16) | (c | d << 16) << 32
    }

    /// Is the high bit of any byte set?
    #[inline(always)]
    fn any(self) -> bool {
        let [a, b, c, d] = self.0;
        ((a | b) | (c | d)).to_bitmask() != 0
    }

    /// The smallest byte in each of 16 columns.
    #[inline(always)]
    fn lowest(self) -> u8x16 {
        let [a, b, c, d] = self.0;
        a.min(b).min(c.min(d))
    }
}

/// All ones where `vector` is at most `limit`.
#[inline(always)]
fn at_most(vector: u8x16, limit: u8) -> u8x16 {
    vector.min(u8x16::splat(limit)).simd_eq(vector)
}

impl Block for Vectors {
    #[inline(always)]
    fn load(bytes: &[u8; 64]) -> Self {
        let (vectors, _) = bytes.as_chunks::<16>();
        let mut block = [u8x16::splat(0); 4];
        for (to, from) in block.iter_mut().zip(vectors) {
            *to = u8x16::new(*from);
        }
        Self(block)
    }

    #[inline(always)]
    fn breaks_string(self) -> bool {
        let (quote, backslash) = (u8x16::splat(b'"'), u8x16::splat(b'\\'));
        let Self([a, b, c, d]) = self.map(|v| v.simd_eq(quote) | v.simd_eq(backslash));
        (((a | b) | (c | d)) | at_most(self.lowest(), 0x1F)).to_bitmask() != 0
    }

    #[inline(always)]
    fn has_backslash(self) -> bool {
        let backslash = u8x16::splat(b'\\');
        self.map(|v| v.simd_eq(backslash)).any()
    }

    #[inline(always)]
    fn has_control(self) -> bool {
        at_most(self.lowest(), 0x1F).to_bitmask() != 0
    }

    #[inline(always)]
    fn controls(self) -> u64 {
        self.map(|v| at_most(v, 0x1F)).mask()
    }

    #[inline(always)]
    fn equal(self, byte: u8) -> u64 {
        let byte = u8x16::splat(byte);
        self.map(|v| v.simd_eq(byte)).mask()
    }

    #[inline(always)]
    fn digits(self) -> u64 {
        let zero = u8x16::splat(b'0');
        self.map(|v| at_most(v - zero, 9)).mask()
    }

    #[inline(always)]
    fn classes(self) -> Classes {
        let fold = u8x16::splat(0x20);
        let folded = self.map(|v| v | fold);
        Classes {
            quote: self.equal(b'"'),
            space: self.equal(b' '),
            comma: self.equal(b','),
            colon: self.equal(b':'),
            open: folded.equal(b'{'),
            close: folded.equal(b'}'),
        }
    }
}
