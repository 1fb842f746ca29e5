//! Numbers and literals.

use super::block::Block;
use super::kernel::skip;

/// For a block with many scalars. The bytes that break a number, and the first
/// bytes of what is left to [`scalars_hold`]: literals, and the scalar that
/// goes on into the next block. `other` are the bytes of scalars, those that
/// began before the block aside; `start` their first bytes, at least one.
#[inline(always)]
pub(super) fn numbers<B: Block>(block: B, other: u64, start: u64) -> (u64, u64) {
    let tail = if other >> 63 == 0 { 0 } else { u64::MAX << (63 - start.leading_zeros()) };
    let left = tail & start;
    let (other, start) = (other & !tail, start & !tail);
    // From here on bit 63 is in no run, so nothing is carried on.
    let digit = block.digits() & other;
    let special = block.minus_or_zero() & other;
    let minus = special & !digit;
    let literal = start & !(digit | minus);
    let number = other & other.wrapping_add(literal);

    let digit = digit & number;
    let negative = minus & start;
    let mut wrong = negative << 1 & !digit;
    let first = (start | negative << 1) & digit;
    wrong |= (first & special) << 1 & digit; // a leading zero
    let marks = number & !(digit | negative);
    if marks != 0 {
        let point = block.equal(b'.') & number;
        let exponent = (block.equal(b'e') | block.equal(b'E')) & number;
        let sign = (block.equal(b'+') | minus) & marks;
        wrong |= marks & !(point | exponent | sign);
        let (integer_end, _) = skip(first, digit);
        wrong |= point & !integer_end;
        wrong |= point << 1 & !digit;
        let (fraction_end, _) = skip(point << 1, digit);
        wrong |= exponent & !(integer_end | fraction_end);
        let power = exponent << 1;
        wrong |= sign & !power;
        wrong |= ((power & !sign) | sign << 1) & !digit;
    }
    (wrong, literal | left)
}

/// Is there one whole number or literal at each of these offsets?
pub(super) fn scalars_hold(text: &[u8], starts: &[u32]) -> bool {
    starts.iter().all(|start| {
        let rest = text.get(*start as usize..).unwrap_or_default();
        rest.first_chunk().is_some_and(is_short) || is_scalar(rest)
    })
}

const LOW: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = LOW << 7;

/// Does `text` begin with a literal or an integer of up to fifteen digits, and
/// the byte behind it? No branch: what comes next in a text is hard to predict.
#[inline(always)]
fn is_short(text: &[u8; 16]) -> bool {
    let [word, more] = [0, 8].map(|at| {
        text.get(at..).and_then(<[u8]>::first_chunk).map_or(0, |chunk| u64::from_le_bytes(*chunk))
    });
    // By bits 3 and 4 of the first letter: f, n, t; no literal has both.
    const LITERALS: [(u64, u32); 4] = [
        (u64::from_le_bytes(*b"false\0\0\0"), 5),
        (u64::from_le_bytes(*b"null\0\0\0\0"), 4),
        (u64::from_le_bytes(*b"true\0\0\0\0"), 4),
        (u64::MAX, 4),
    ];
    let (literal, literal_bytes) = LITERALS[(word >> 3 & 3) as usize];
    let is_literal = word & ((1 << (literal_bytes * 8)) - 1) == literal;

    let digits = other_than_digits(word).trailing_zeros() / 8;
    let more_digits = other_than_digits(more).trailing_zeros() / 8;
    let digits = if digits == 8 { 8 + more_digits } else { digits };
    let is_integer =
        (digits.wrapping_sub(1) < 15) & ((digits == 1) | (word & 0xFF != u64::from(b'0')));

    let length = if is_literal { literal_bytes } else { digits };
    let behind = text[length as usize % 16];
    (is_literal | is_integer) & ENDS_SCALAR[usize::from(behind)]
}

/// Marks the bytes of `word` that are no digits.
#[inline(always)]
fn other_than_digits(word: u64) -> u64 {
    let digits = word ^ (LOW * b'0' as u64); // 0 to 9
    (((digits & !HIGH) + LOW * 0x76) | digits) & HIGH
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

/// Does `text` begin with one whole scalar?
fn is_scalar(text: &[u8]) -> bool {
    let end = match text.first() {
        Some(b't') => text.starts_with(b"true").then_some(4),
        Some(b'n') => text.starts_with(b"null").then_some(4),
        Some(b'f') => text.starts_with(b"false").then_some(5),
        _ => number_end(text),
    };
    end.is_some_and(|end| text.get(end).is_none_or(|byte| ENDS_SCALAR[usize::from(*byte)]))
}

/// Offset behind the number that `text` begins with.
fn number_end(text: &[u8]) -> Option<usize> {
    let digits = |from: usize| {
        let mut end = from;
        while let Some(chunk) = text.get(end..).and_then(<[u8]>::first_chunk) {
            let others = other_than_digits(u64::from_le_bytes(*chunk));
            if others != 0 {
                end += others.trailing_zeros() as usize / 8;
                return (end > from).then_some(end);
            }
            end += 8;
        }
        end += text.get(end..)?.iter().take_while(|byte| byte.is_ascii_digit()).count();
        (end > from).then_some(end)
    };
    let begin = usize::from(text.first() == Some(&b'-'));
    let mut end = if text.get(begin) == Some(&b'0') { begin + 1 } else { digits(begin)? };
    if text.get(end) == Some(&b'.') {
        end = digits(end + 1)?;
    }
    if matches!(text.get(end), Some(b'e' | b'E')) {
        end += 1;
        end = digits(end + usize::from(matches!(text.get(end), Some(b'+' | b'-'))))?;
    }
    Some(end)
}
