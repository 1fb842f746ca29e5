//! 64 bytes as four vectors of WebAssembly's simd128. Vectors are made from
//! integers, so no pointer and no unsafe is involved; the compiler turns that
//! into plain loads.

use core::arch::wasm32::{
    i16x8_shl, i64x2, u8x16, u8x16_bitmask, u8x16_eq, u8x16_le, u8x16_min, u8x16_splat, u8x16_sub,
    u8x16_sub_sat, u8x16_swizzle, v128, v128_and, v128_any_true, v128_or, v128_xor,
};

use super::block::{Block, Code};

#[derive(Clone, Copy)]
pub(super) struct Vectors([v128; 4]);

impl Vectors {
    #[inline(always)]
    fn map(self, each: impl Fn(v128) -> v128) -> Self {
        let [a, b, c, d] = self.0;
        Self([each(a), each(b), each(c), each(d)])
    }

    /// The high bit of every byte.
    #[inline(always)]
    fn mask(self) -> u64 {
        let [a, b, c, d] = self.0;
        let low = u32::from(u8x16_bitmask(a)) | u32::from(u8x16_bitmask(b)) << 16;
        let high = u32::from(u8x16_bitmask(c)) | u32::from(u8x16_bitmask(d)) << 16;
        u64::from(low) | u64::from(high) << 32
    }

    #[inline(always)]
    fn any(self) -> v128 {
        let [a, b, c, d] = self.0;
        v128_or(v128_or(a, b), v128_or(c, d))
    }

    /// Not zero in columns with a byte below `limit`.
    #[inline(always)]
    fn below(self, limit: u8) -> v128 {
        let [a, b, c, d] = self.0;
        u8x16_sub_sat(u8x16_splat(limit), u8x16_min(u8x16_min(a, b), u8x16_min(c, d)))
    }
}

impl Block for Vectors {
    #[inline(always)]
    fn load(bytes: &[u8; 64]) -> Self {
        let vector = |at: usize| {
            let half = |at: usize| match bytes.get(at..).and_then(<[u8]>::first_chunk) {
                Some(bytes) => i64::from_le_bytes(*bytes),
                None => 0,
            };
            i64x2(half(at), half(at + 8))
        };
        Self([vector(0), vector(16), vector(32), vector(48)])
    }

    #[inline(always)]
    fn has_control(self) -> bool {
        v128_any_true(self.below(0x20))
    }

    #[inline(always)]
    fn has(self, byte: u8) -> bool {
        let byte = u8x16_splat(byte);
        v128_any_true(self.map(|v| u8x16_eq(v, byte)).any())
    }

    #[inline(always)]
    fn has_backslash_or_control(self) -> bool {
        let backslash = u8x16_splat(b'\\');
        let any = self.map(|v| u8x16_eq(v, backslash)).any();
        v128_any_true(v128_or(any, self.below(0x20)))
    }

    #[inline(always)]
    fn has_quote_backslash_or_control(self) -> bool {
        // With this bit turned over, a quote comes directly behind the control
        // characters, and what was there goes away.
        let turned = self.map(|v| v128_xor(v, u8x16_splat(0x02)));
        let low = turned.below(0x21);
        let backslash = u8x16_splat(b'\\');
        v128_any_true(v128_or(low, self.map(|v| u8x16_eq(v, backslash)).any()))
    }

    #[inline(always)]
    fn controls(self) -> u64 {
        let last = u8x16_splat(0x1F);
        self.map(|v| u8x16_le(v, last)).mask()
    }

    #[inline(always)]
    fn lines(self) -> u64 {
        let (n, r, t) = (u8x16_splat(b'\n'), u8x16_splat(b'\r'), u8x16_splat(b'\t'));
        let ends = |v| v128_or(u8x16_eq(v, n), u8x16_eq(v, r));
        self.map(|v| v128_or(ends(v), u8x16_eq(v, t))).mask()
    }

    #[inline(always)]
    fn escapable(self) -> u64 {
        let (quote, backslash) = (u8x16_splat(b'"'), u8x16_splat(b'\\'));
        let n = u8x16_splat(b'n');
        let either = |v| v128_or(u8x16_eq(v, quote), u8x16_eq(v, backslash));
        self.map(|v| v128_or(either(v), u8x16_eq(v, n))).mask()
    }

    #[inline(always)]
    fn equal(self, byte: u8) -> u64 {
        let byte = u8x16_splat(byte);
        self.map(|v| u8x16_eq(v, byte)).mask()
    }

    #[inline(always)]
    fn digits(self) -> u64 {
        let (zero, nine) = (u8x16_splat(b'0'), u8x16_splat(9));
        self.map(|v| u8x16_le(u8x16_sub(v, zero), nine)).mask()
    }

    #[inline(always)]
    fn minus_or_zero(self) -> u64 {
        let (minus, zero) = (u8x16_splat(b'-'), u8x16_splat(b'0'));
        self.map(|v| v128_or(u8x16_eq(v, minus), u8x16_eq(v, zero))).mask()
    }

    /// With 0x20 added to the square brackets, no two of the six classes end
    /// in the same four bits. So one lookup tells which byte it would have to
    /// be, and another one a code of three bits for it; three masks of the
    /// code cost half of six masks.
    #[inline(always)]
    fn code(self) -> Code {
        let byte_for = u8x16(b' ', 0, b'"', 0, 0, 0, 0, 0, 0, 0, b':', b'{', b',', b'}', 0, 0);
        let code_for = u8x16(0x20, 0, 0x40, 0, 0, 0, 0, 0, 0, 0, 0xA0, 0xC0, 0x80, 0xE0, 0, 0);
        let (low, fold) = (u8x16_splat(0x0F), u8x16_splat(0x20));
        let code = self.map(|v| {
            let nibble = v128_and(v, low);
            let hit = u8x16_eq(v128_or(v, fold), u8x16_swizzle(byte_for, nibble));
            v128_and(u8x16_swizzle(code_for, nibble), hit)
        });
        // Shifts of 16 bits are one instruction; what crosses into the upper
        // byte does not reach its high bit.
        let structure = code.mask();
        let second = code.map(|v| i16x8_shl(v, 1)).mask();
        let third = code.map(|v| i16x8_shl(v, 2)).mask();
        Code { structure, second, third }
    }
}
