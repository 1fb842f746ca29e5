//! Numbers and literals.

use super::block::Block;
use super::kernel::{clear_lowest, skip};

/// Literals that are still to be looked at, and how many may be so before a
/// block.
const ROOM: usize = 256;
const FULL: usize = ROOM - 33;

pub(super) struct Scalars {
    numbers: Numbers,
    /// Offsets of the literals.
    literals: [u32; ROOM],
    count: usize,
}

impl Scalars {
    pub(super) fn new() -> Self {
        Self { numbers: Numbers::default(), literals: [0; ROOM], count: 0 }
    }

    /// Not zero when the block before ended within a scalar.
    #[inline(always)]
    pub(super) fn carried(&self) -> u64 {
        self.numbers.carried
    }

    /// Takes the scalars of a block: their bytes, and the first ones of them.
    #[inline(always)]
    pub(super) fn take<B: Block>(
        &mut self,
        text: &[u8],
        block: B,
        at: u32,
        other: u64,
        start: u64,
    ) -> u64 {
        let (mut wrong, literal) = self.numbers.take(block, other, start);
        // One without a branch, more in a loop.
        self.literals[self.count % ROOM] = at + literal.trailing_zeros();
        self.count += usize::from(literal != 0);
        let mut left = clear_lowest(literal);
        while left != 0 {
            self.literals[self.count % ROOM] = at + left.trailing_zeros();
            self.count += 1;
            left = clear_lowest(left);
        }
        if self.count > FULL {
            wrong |= look(text, self.literals.get(..self.count).unwrap_or_default());
            self.count = 0;
        }
        wrong
    }

    /// Looks at the literals that are left; false when one of the scalars of
    /// the whole text is none.
    pub(super) fn finish(&self, text: &[u8]) -> bool {
        look(text, self.literals.get(..self.count).unwrap_or_default()) == 0
    }
}

/// Not zero unless there is a literal at each of these offsets.
#[inline(never)]
fn look(text: &[u8], starts: &[u32]) -> u64 {
    let mut wrong = 0;
    for start in starts {
        let rest = text.get(*start as usize..).unwrap_or_default();
        let word = match rest.first_chunk() {
            Some(chunk) => u64::from_le_bytes(*chunk),
            None => {
                let mut padded = [b' '; 8];
                padded.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
                u64::from_le_bytes(padded)
            }
        };
        wrong |= u64::from(!is_literal(word));
    }
    wrong
}

/// Does `word`, eight bytes of text, begin with a literal and a byte that may
/// stand behind it? No branch: which literal comes next is hard to predict.
#[inline(always)]
fn is_literal(word: u64) -> bool {
    // By bits 3 and 4 of the first letter: f, n, t; no literal has both.
    const LITERALS: [(u64, u32); 4] = [
        (u64::from_le_bytes(*b"false\0\0\0"), 40),
        (u64::from_le_bytes(*b"null\0\0\0\0"), 32),
        (u64::from_le_bytes(*b"true\0\0\0\0"), 32),
        (u64::MAX, 32),
    ];
    let (literal, literal_bits) = LITERALS[(word >> 3 & 3) as usize];
    let behind = (word >> literal_bits) as u8;
    (word & ((1 << literal_bits) - 1) == literal) & ENDS_SCALAR[usize::from(behind)]
}

/// May this byte stand behind a scalar? One that may not would belong to the
/// same run of bytes; whether one that may is in its place is up to other rules.
static ENDS_SCALAR: [bool; 256] = {
    let mut table = [false; 256];
    let ends = b",}] \n\r\t:{[\"";
    let mut i = 0;
    while i < ends.len() {
        table[ends[i] as usize] = true;
        i += 1;
    }
    table
};

/// What of a number or literal goes on into the next block; bit 0 of each.
#[derive(Clone, Copy, Default)]
struct Numbers {
    /// Any of them.
    carried: u64,
    literal: u64,
    minus: u64,
    zero: u64,
    integer: u64,
    point: u64,
    fraction: u64,
    exponent: u64,
    sign: u64,
}

impl Numbers {
    /// The bytes that break a number, and the first bytes of literals, which
    /// are not looked at any further. `other` are the bytes of both, `start`
    /// the first ones.
    #[inline(always)]
    fn take<B: Block>(&mut self, block: B, other: u64, start: u64) -> (u64, u64) {
        self.carried = other >> 63;
        let digit = block.digits() & other;
        let special = block.minus_or_zero() & other;
        let minus = special & !digit;
        let literal = start & !(digit | minus);
        let (sum, carry) = other.overflowing_add(literal | (self.literal & other));
        self.literal = u64::from(carry);
        let number = other & sum;

        let digit = digit & number;
        let negative = minus & start;
        let first = negative << 1 | self.minus;
        let mut wrong = first & !digit;
        let first = (start | first) & digit;
        let zero = first & special;
        wrong |= (zero << 1 | self.zero) & digit;
        self.minus = negative >> 63;
        self.zero = zero >> 63;
        let (integer_end, integer) = skip(first | self.integer, digit);
        self.integer = integer;

        let marks = number & !(digit | negative);
        if marks | self.point | self.fraction | self.exponent | self.sign != 0 {
            let point = block.equal(b'.') & number;
            let exponent = (block.equal(b'e') | block.equal(b'E')) & number;
            let sign = (block.equal(b'+') | minus) & marks;
            wrong |= marks & !(point | exponent | sign);
            wrong |= point & !integer_end;
            let begin = point << 1 | self.point;
            wrong |= begin & !digit;
            let (fraction_end, fraction) = skip(begin | self.fraction, digit);
            wrong |= exponent & !(integer_end | fraction_end);
            let power = exponent << 1 | self.exponent;
            wrong |= sign & !power;
            wrong |= ((power & !sign) | sign << 1 | self.sign) & !digit;
            self.point = point >> 63;
            self.fraction = fraction;
            self.exponent = exponent >> 63;
            self.sign = sign >> 63;
        }
        (wrong, literal)
    }
}
