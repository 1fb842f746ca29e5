//! 64 bytes as four 128-bit vectors, by a crate that wraps the unsafe
//! intrinsics of x86-64 and AArch64.

use wide::{bytemuck::cast, u8x16};

use super::block::{Block, Code};

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
        let [a, b, c, d] = self.0;
        let low = a.to_bitmask() | b.to_bitmask() << 16;
        let high = c.to_bitmask() | d.to_bitmask() << 16;
        u64::from(low) | u64::from(high) << 32
    }

    #[inline(always)]
    fn any(self) -> u8x16 {
        let [a, b, c, d] = self.0;
        (a | b) | (c | d)
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
        // By way of integers: arrays of bytes tempt the compiler into taking
        // vectors apart.
        let vector = |at: usize| {
            let half = |at: usize| match bytes.get(at..).and_then(<[u8]>::first_chunk) {
                Some(bytes) => u64::from_le_bytes(*bytes),
                None => 0,
            };
            cast([half(at), half(at + 8)])
        };
        Self([vector(0), vector(16), vector(32), vector(48)])
    }

    #[inline(always)]
    fn has_control(self) -> bool {
        at_most(self.lowest(), 0x1F).to_bitmask() != 0
    }

    #[inline(always)]
    fn has(self, byte: u8) -> bool {
        let byte = u8x16::splat(byte);
        self.map(|v| v.simd_eq(byte)).any().to_bitmask() != 0
    }

    #[inline(always)]
    fn has_backslash_or_control(self) -> bool {
        let backslash = u8x16::splat(b'\\');
        let any = self.map(|v| v.simd_eq(backslash)).any();
        (any | at_most(self.lowest(), 0x1F)).to_bitmask() != 0
    }

    #[inline(always)]
    fn has_quote_backslash_or_control(self) -> bool {
        let (quote, backslash) = (u8x16::splat(b'"'), u8x16::splat(b'\\'));
        let any = self.map(|v| v.simd_eq(quote) | v.simd_eq(backslash)).any();
        (any | at_most(self.lowest(), 0x1F)).to_bitmask() != 0
    }

    #[inline(always)]
    fn controls(self) -> u64 {
        self.map(|v| at_most(v, 0x1F)).mask()
    }

    #[inline(always)]
    fn lines(self) -> u64 {
        let (n, r, t) = (u8x16::splat(b'\n'), u8x16::splat(b'\r'), u8x16::splat(b'\t'));
        self.map(|v| v.simd_eq(n) | v.simd_eq(r) | v.simd_eq(t)).mask()
    }

    #[inline(always)]
    fn escapable(self) -> u64 {
        let (quote, backslash) = (u8x16::splat(b'"'), u8x16::splat(b'\\'));
        let n = u8x16::splat(b'n');
        self.map(|v| v.simd_eq(quote) | v.simd_eq(backslash) | v.simd_eq(n)).mask()
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
    fn minus_or_zero(self) -> u64 {
        let (minus, zero) = (u8x16::splat(b'-'), u8x16::splat(b'0'));
        self.map(|v| v.simd_eq(minus) | v.simd_eq(zero)).mask()
    }

    #[inline(always)]
    fn code(self) -> Code {
        let fold = u8x16::splat(0x20);
        let equal = |byte: u8| {
            let byte = u8x16::splat(byte);
            move |v: u8x16| v.simd_eq(byte)
        };
        let or = |a: Self, b: Self| {
            Self([a.0[0] | b.0[0], a.0[1] | b.0[1], a.0[2] | b.0[2], a.0[3] | b.0[3]])
        };
        let folded = self.map(|v| v | fold);
        let close = folded.map(equal(b'}'));
        let colon = self.map(equal(b':'));
        let bracket = or(folded.map(equal(b'{')), close);
        let structure = or(or(bracket, colon), self.map(equal(b','))).mask();
        let second = or(bracket, self.map(equal(b'"'))).mask();
        let third = or(or(close, colon), self.map(equal(b' '))).mask();
        Code { structure, second, third }
    }
}
