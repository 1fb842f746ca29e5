//! The grammar as arithmetic on masks of 64 bytes.
//!
//! Two tricks carry it. *Prefix XOR* over the quotes marks the insides of
//! strings (Langdale and Lemire, 2019). *Addition* finds the end of a run: in
//! `run + start` a carry goes from a bit at the start of a run of ones to the
//! first zero behind it, and into the next block if there is none.
//!
//! Every rule is a mask of the bytes that break it, gathered in `wrong`. Rules
//! that depend on the container are checked by [`Table`], which gets the
//! brackets in batches.

use super::Index;
use super::block::{Block, Classes};
use super::table::{COLON, LIST_ONLY, Mark, Table};

/// Brackets in a batch, and the room that one more block may take.
const MARKS: usize = 256;
const MARKS_FULL: usize = MARKS - 66;
/// Literals in a batch.
const LITERALS: usize = 128;
const LITERALS_FULL: usize = LITERALS - 34;

/// The index of `text`, or `None` when it is not JSON.
pub(super) fn run<B: Block>(text: &[u8], granularity: u32) -> Option<Index> {
    let mut table = Table::new(text.len(), granularity.max(65));
    let mut marks = [Mark::default(); MARKS];
    let mut marks_count = 0;
    let mut literals = [0u32; LITERALS];
    let mut literals_count = 0;
    let mut escapes = Escapes::default();
    let mut scalars = Scalars::default();

    let mut wrong = 0u64;
    let mut granularity = table.granularity();
    // All ones while the text is inside a string, which began here.
    let mut in_string = 0u64;
    let mut string_start = 0u32;
    // What the byte before the block was (bit 0), white space skipped: the end
    // of a value, a closing quote, an opening bracket.
    let mut ended = 0u64;
    let mut quoted = 0u64;
    let mut opened = 0u64;
    // Was the last comma, colon or bracket a comma or an opening bracket?
    let mut listed = 0u64;
    let mut in_scalar = 0u64;
    let mut seen = 0u32;
    let mut commas = 0u32;
    let mut space = 0u32;

    let mut padded = [b' '; 64];
    let mut base = 0usize;
    // The last block is padded with spaces, and a full one is followed by one
    // of spaces: they settle all that is carried on.
    while base <= text.len() {
        let bytes = match text.get(base..).and_then(<[u8]>::first_chunk) {
            Some(bytes) => bytes,
            None => {
                let tail = text.get(base..).unwrap_or_default();
                padded.get_mut(..tail.len())?.copy_from_slice(tail);
                &padded
            }
        };
        let at = base as u32;
        let this = base;
        base += 64;
        let block = B::load(bytes);
        if in_string != 0 && !block.breaks_string() && !escapes.pending() {
            continue;
        }

        let Classes { mut quote, space: mut white, comma, colon, open, close } = block.classes();
        let mut lines = 0;
        if block.has_control() {
            lines = block.equal(b'\n') | block.equal(b'\r') | block.equal(b'\t');
            wrong |= block.controls() & !lines;
            white |= lines;
        }
        let mut escaping = 0;
        if escapes.pending() || block.has_backslash() {
            let (starts, escaped) = escapes.find(block.equal(b'\\'));
            wrong |= escapes.check(text, this, escaped & !quote, bytes);
            escaping = starts;
            quote &= !escaped;
        }
        let inside = prefix_xor(quote) ^ in_string;
        wrong |= (lines & inside) | (escaping & !inside);
        if in_string != 0 {
            if quote == 0 {
                continue;
            }
            let end = at + quote.trailing_zeros();
            if end + 1 - string_start >= granularity {
                marks[marks_count] = Mark { at: end, commas: string_start, space, seen };
                marks_count += 1;
            }
        }
        in_string = (inside as i64 >> 63) as u64;
        let begin = quote & inside;
        if begin != 0 {
            string_start = at + 63 - begin.leading_zeros();
        }

        // What stands outside strings.
        let outside = !inside;
        let white = white & outside;
        let comma = comma & outside;
        let colon = colon & outside;
        let open = open & outside;
        let close = close & outside;
        let finish = quote & outside;
        let structure = comma | colon | open | close;
        let other = outside & !(quote | white | structure);
        let behind = other << 1 | in_scalar;
        let start = other & !behind;
        let scalar_ended = behind & !other;

        // The token behind the end of a value, a closing quote, a bracket.
        let end = finish | close;
        let (after_end, carry) = skip(end << 1 | ended | scalar_ended, white);
        ended = end >> 63 | carry;
        let (after_quote, carry) = skip(finish << 1 | quoted, white);
        quoted = finish >> 63 | carry;
        let (after_open, carry) = skip(open << 1 | opened, white);
        opened = open >> 63 | carry;
        wrong |= (begin | open | start) & after_end;
        wrong |= (comma | colon | close) & !(after_end | (close & after_open));
        wrong |= colon & !after_quote;

        // The comma, colon or bracket that comes next after a comma or an
        // opening bracket. A colon must; where something else does, the
        // container cannot be an object, an empty one aside.
        let list = comma | open;
        let (next, carry) = skip(list << 1 | listed, !structure);
        listed = list >> 63 | carry;
        wrong |= colon & !next;
        let list_only = next & (list | (close & !after_open));

        if other | in_scalar != 0 {
            let (faults, literal) = scalars.check(block, other, start);
            wrong |= faults;
            let mut literal = literal;
            while literal != 0 {
                literals[literals_count] = at + literal.trailing_zeros();
                literals_count += 1;
                literal &= literal - 1;
            }
        }
        in_scalar = other >> 63;

        let mut bracket = open | close;
        let mut unseen = u64::MAX;
        while bracket != 0 {
            let upto = bracket ^ (bracket - 1);
            let since = upto & unseen;
            unseen = !upto;
            marks[marks_count] = Mark {
                at: at + bracket.trailing_zeros(),
                commas: commas + (comma & upto).count_ones(),
                space: space + (white & upto).count_ones(),
                seen: seen | flags(colon & since, list_only & since),
            };
            marks_count += 1;
            seen = 0;
            bracket &= bracket - 1;
        }
        seen |= flags(colon & unseen, list_only & unseen);
        commas += comma.count_ones();
        space += white.count_ones();

        if marks_count > MARKS_FULL || literals_count > LITERALS_FULL {
            if wrong != 0
                || !table.take(text, &marks[..marks_count])
                || !literals_hold(text, &literals[..literals_count])
            {
                return None;
            }
            (marks_count, literals_count) = (0, 0);
            granularity = table.granularity();
        }
    }
    if wrong != 0
        || in_string != 0
        || ended == 0
        || !table.take(text, &marks[..marks_count])
        || !literals_hold(text, &literals[..literals_count])
    {
        return None;
    }
    let padding = (base - text.len()) as u32;
    table.finish(seen, commas, space - padding, escapes.lone_surrogates)
}

/// The first byte outside `run` at or behind each bit of `from`, where a bit
/// of `from` is in `run` only at the start of one; and whether one of them lies
/// in the next block.
#[inline(always)]
fn skip(from: u64, run: u64) -> (u64, u64) {
    let (sum, carry) = (from & run).overflowing_add(run);
    ((from | sum) & !run, u64::from(carry))
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

#[inline(always)]
fn flags(colon: u64, list_only: u64) -> u32 {
    u32::from(colon != 0) * COLON | u32::from(list_only != 0) * LIST_ONLY
}

#[derive(Default)]
struct Escapes {
    /// Bit 0: the first byte of the next block is escaped.
    carried: u64,
    /// Where the other half of a high surrogate has to stand: its `u`.
    low_at: usize,
    lone_surrogates: u32,
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

    /// The bytes among the `escaped` ones that no escape has.
    fn check(&mut self, text: &[u8], base: usize, mut escaped: u64, bytes: &[u8; 64]) -> u64 {
        let mut wrong = 0;
        while escaped != 0 {
            let bit = escaped.trailing_zeros();
            let fits = match bytes.get(bit as usize) {
                Some(b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => true,
                Some(b'u') => self.unit(text, base + bit as usize),
                _ => false,
            };
            wrong |= u64::from(!fits) << bit;
            escaped &= escaped - 1;
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

/// What of a number or literal goes on into the next block; bit 0 of each.
#[derive(Default)]
struct Scalars {
    literal: u64,
    minus: u64,
    zero: u64,
    integer: u64,
    point: u64,
    fraction: u64,
    exponent: u64,
    sign: u64,
}

impl Scalars {
    /// The bytes that break a number, and the first bytes of literals, which
    /// are not looked at any further. `other` are the bytes of both.
    #[inline(always)]
    fn check<B: Block>(&mut self, block: B, other: u64, start: u64) -> (u64, u64) {
        let digit = block.digits() & other;
        let minus = block.equal(b'-') & other;
        let literal = start & !(digit | minus);
        let (sum, carry) = other.overflowing_add(literal | (self.literal & other));
        self.literal = u64::from(carry);
        let number = other & sum;

        let digit = digit & number;
        let negative = minus & start;
        let first = negative << 1 | self.minus;
        let mut wrong = first & !digit;
        let first = (start | first) & digit;
        let zero = first & block.equal(b'0');
        wrong |= (zero << 1 | self.zero) & digit;
        self.minus = negative >> 63;
        self.zero = zero >> 63;
        let (integer_end, integer) = skip(first | self.integer, digit);

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
        self.integer = integer;
        (wrong, literal)
    }
}

/// Is there a whole literal at each of these offsets?
fn literals_hold(text: &[u8], starts: &[u32]) -> bool {
    starts.iter().all(|start| {
        let rest = text.get(*start as usize..).unwrap_or_default();
        let length = match rest.first() {
            Some(b't') if rest.starts_with(b"true") => 4,
            Some(b'n') if rest.starts_with(b"null") => 4,
            Some(b'f') if rest.starts_with(b"false") => 5,
            _ => return false,
        };
        // Were it none of these, it would belong to the same run of bytes.
        matches!(
            rest.get(length),
            None | Some(
                b' ' | b'\t' | b'\n' | b'\r' | b',' | b':' | b'{' | b'[' | b'}' | b']' | b'"'
            )
        )
    })
}
