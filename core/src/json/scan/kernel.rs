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
use super::block::{Block, Code};
use super::scalar::{numbers, scalars_hold};
use super::table::{COLON, LIST_ONLY, Mark, Table};

/// Marks in a batch, and the room that one more block may take.
const MARKS: usize = 256;
const MARKS_FULL: usize = MARKS - 66;
/// Scalars in a batch.
const SCALARS: usize = 128;
const SCALARS_FULL: usize = SCALARS - 34;

/// The index of `text`, or `None` when it is not JSON.
pub(super) fn run<B: Block>(text: &[u8], granularity: u32) -> Option<Index> {
    let mut table = Table::new(text.len(), granularity.max(65));
    let mut marks = [Mark::default(); MARKS];
    let mut marks_count = 0;
    let mut scalars = [0u32; SCALARS];
    let mut scalars_count = 0;
    let mut escapes = Escapes::default();

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
        let odd = block.has_backslash_or_control() | escapes.pending();
        if in_string != 0 && !(odd | block.has_quote()) {
            continue;
        }

        let mut lines = 0;
        let mut escaping = 0;
        let mut escaped = 0;
        if odd {
            if escapes.pending() || block.has_backslash() {
                (escaping, escaped) = escapes.take::<B>(text, this, bytes);
                wrong |= escapes.wrong;
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
        wrong |= (lines & inside) | (escaping & !inside);
        let end = quote.trailing_zeros();
        if (in_string != 0) & (at.wrapping_add(end) + 1 - string_start >= granularity) {
            marks[marks_count % MARKS] =
                Mark { at: at + end, commas: string_start, space, seen: 0 };
            marks_count += 1;
        }
        in_string = (inside as i64 >> 63) as u64;
        let begin = quote & inside;
        if begin != 0 {
            string_start = at + 63 - begin.leading_zeros();
        }

        // What stands outside strings.
        let outside = !inside;
        let white = white & outside;
        let structure = structure & outside;
        let bracket = structure & second;
        let close = bracket & third;
        let open = bracket & !third;
        let separator = structure & !second;
        let colon = separator & third;
        let finish = quote & outside;
        let other = outside & !(quote | white | structure);
        let behind = other << 1 | in_scalar;
        let start = other & !behind;
        let scalar_ended = behind & !other;
        in_scalar = other >> 63;

        // The token behind the end of a value, a closing quote, a bracket.
        let end = finish | close;
        let mut after_end = end << 1 | ended | scalar_ended;
        let mut after_quote = finish << 1 | quoted;
        let mut after_open = open << 1 | opened;
        ended = end >> 63;
        quoted = finish >> 63;
        opened = open >> 63;
        if white != 0 {
            let carry;
            (after_end, carry) = skip(after_end, white);
            ended |= carry;
            let carry;
            (after_quote, carry) = skip(after_quote, white);
            quoted |= carry;
            let carry;
            (after_open, carry) = skip(after_open, white);
            opened |= carry;
        }
        wrong |= (begin | open | start) & after_end;
        wrong |= (separator | close) & !(after_end | (close & after_open));
        wrong |= colon & !after_quote;

        // The comma, colon or bracket that comes next after a comma or an
        // opening bracket. A colon must; where something else does, the
        // container cannot be an object, an empty one aside.
        let list = structure & !third;
        let (next, carry) = skip(list << 1 | listed, !structure);
        listed = list >> 63 | carry;
        wrong |= colon & !next;
        let list_only = next & (list | (close & !after_open));

        // Two scalars without a branch, a few more one by one, many at once.
        let mut each = start;
        for _ in 0..2 {
            scalars[scalars_count % SCALARS] = at + each.trailing_zeros();
            scalars_count += usize::from(each != 0);
            each = clear_lowest(each);
        }
        if each != 0 {
            if clear_lowest(clear_lowest(each)) != 0 {
                scalars_count -= 2;
                let (faults, left) = numbers(block, other & !lead(other, behind), start);
                wrong |= faults;
                each = left;
            }
            while each != 0 {
                scalars[scalars_count % SCALARS] = at + each.trailing_zeros();
                scalars_count += 1;
                each = clear_lowest(each);
            }
        }

        let comma = separator & !third;
        let mut bracket = bracket;
        let mut unseen = u64::MAX;
        while bracket != 0 {
            let upto = bracket ^ (bracket - 1);
            let since = upto & unseen;
            unseen = !upto;
            marks[marks_count % MARKS] = Mark {
                at: at + bracket.trailing_zeros(),
                commas: commas + (comma & upto).count_ones(),
                space: space + (white & upto).count_ones(),
                seen: seen | flags(colon & since, list_only & since),
            };
            marks_count += 1;
            seen = 0;
            bracket = clear_lowest(bracket);
        }
        seen |= flags(colon & unseen, list_only & unseen);
        commas += comma.count_ones();
        if white != 0 {
            space += white.count_ones();
        }

        if marks_count > MARKS_FULL || scalars_count > SCALARS_FULL {
            if wrong != 0
                || !table.take(text, &marks[..marks_count])
                || !scalars_hold(text, &scalars[..scalars_count])
            {
                return None;
            }
            (marks_count, scalars_count) = (0, 0);
            granularity = table.granularity();
        }
    }
    if wrong != 0
        || in_string != 0
        || ended == 0
        || !table.take(text, &marks[..marks_count])
        || !scalars_hold(text, &scalars[..scalars_count])
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
pub(super) fn skip(from: u64, run: u64) -> (u64, u64) {
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
fn clear_lowest(bits: u64) -> u64 {
    bits & bits.wrapping_sub(1)
}

/// The run of `other` that began in the block before.
#[inline(always)]
fn lead(other: u64, behind: u64) -> u64 {
    (other & !other.wrapping_add(1)) & 0u64.wrapping_sub(behind & 1)
}

#[inline(always)]
fn flags(colon: u64, list_only: u64) -> u32 {
    (u32::from(colon != 0) * COLON) | (u32::from(list_only != 0) * LIST_ONLY)
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
