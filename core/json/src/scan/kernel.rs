//! The grammar as arithmetic on masks of 64 bytes.
//!
//! Two tricks carry it. *Prefix XOR* over the quotes marks the insides of
//! strings (Langdale and Lemire, 2019). *Addition* finds the end of a run: in
//! `run + start` a carry goes from a bit at the start of a run of ones to the
//! first zero behind it, and into the next block if there is none.
//!
//! One loop over the blocks, with three ways through it, from short to long: a
//! block that is wholly inside a string; one that has nothing but strings and
//! separators outside strings, as most have, so that few rules can be broken;
//! and any other. Every rule is a mask of the bytes that break it, gathered in
//! `wrong`.
//!
//! The compiler of the WebAssembly runtime has few registers for so much state.
//! Hence no `continue`, which would make it load all constants again on some of
//! the ways through; and calls, not inlined code, for what few blocks need.

use core::hint::black_box;
use core::slice::from_ref;

use super::Index;
use super::block::{Block, last};
use super::escapes::Escapes;
use super::scalar::Scalars;
use super::strings::Strings;
use super::table::{Inner, Table};

/// What stands outside strings in a block, one bit a byte.
#[derive(Clone, Copy)]
pub(super) struct Masks {
    /// The first bytes of strings.
    pub(super) begin: u64,
    /// The last bytes of strings.
    pub(super) finish: u64,
    /// Brackets.
    pub(super) bracket: u64,
    /// Commas and colons.
    pub(super) separator: u64,
    /// Of the two above, closing brackets and colons.
    pub(super) third: u64,
    /// Insignificant white space.
    pub(super) white: u64,
    /// Whatever else: numbers and literals, or what no valid text has.
    pub(super) other: u64,
    /// Where the string began that goes on into the block and ends in it, if it
    /// is long enough for a node; else [`NO_STRING`].
    pub(super) long_string: u32,
}

pub(super) const NO_STRING: u32 = u32::MAX;

/// The index of `text`, or `None` when it is not JSON.
pub(super) fn run<B: Block>(text: &[u8], granularity: u32) -> Option<Index> {
    // The last block is padded with spaces, and a full one is followed by one
    // of spaces: they settle all that is carried on.
    let (blocks, tail) = text.as_chunks::<64>();
    let last = last(tail);

    let mut strings = Strings::default();
    let mut escapes = Escapes::default();
    let mut rules = Rules::default();
    let mut scalars = Scalars::new();
    let mut table = Table::new(text.len(), granularity.max(65));
    let mut inner = Inner::default();
    let mut wrong = 0;
    let mut next = 0;
    for mut part in [blocks, from_ref(&last)] {
        while let Some((bytes, rest)) = part.split_first() {
            part = rest;
            let at = next;
            next += 64;
            let block = B::load(bytes);
            let (mut lines, mut escaped) = (0, 0);
            if block.has_backslash_or_control() | escapes.pending() {
                if block.has_backslash() | escapes.pending() {
                    escaped = escapes.take::<B>(text, at, bytes);
                }
                if block.has_control() {
                    lines = block.lines();
                    wrong |= block.controls() & !lines;
                }
            }
            let granularity = table.granularity();
            if let Some(masks) = strings.take(block, at, granularity, lines, escaped, &mut wrong) {
                if masks.long_string != NO_STRING {
                    // It ends before anything else in the block.
                    table.note_string(masks.long_string, at + masks.finish.trailing_zeros() + 1);
                }
                if masks.bracket | masks.other | rules.unusual() == 0 {
                    wrong |= rules.take_plain(&masks, inner.in_object);
                    inner.take_plain(&masks);
                } else {
                    // Through a barrier, so that no vector is kept for what few blocks need.
                    let bytes = black_box(bytes);
                    let (faults, start, list_only) = rules.take(&masks);
                    wrong |= faults;
                    if masks.other | scalars.carried() != 0 {
                        wrong |= scalars.take(text, B::load(bytes), at, masks.other, start);
                    }
                    wrong |= table.take(&mut inner, bytes, at, &masks, list_only)?;
                    if wrong != 0 {
                        return None;
                    }
                }
            } else {
                let count = escapes.pass::<B>(text, next, part);
                part = part.get(count..).unwrap_or_default();
                next += 64 * count as u32;
            }
        }
    }
    if wrong | escapes.wrong != 0 || strings.inside() || rules.ended == 0 || !scalars.finish(text) {
        return None;
    }
    let padding = next - text.len() as u32;
    table.finish(inner, padding, escapes.lone_surrogates)
}

/// What may stand behind what, whatever the container.
#[derive(Default)]
struct Rules {
    // Bit 0 of each: what the byte before the block was, white space skipped:
    // the end of a value, a closing quote, an opening bracket.
    ended: u64,
    quoted: u64,
    opened: u64,
    /// Was the last comma, colon or bracket a comma or an opening bracket?
    listed: u64,
    in_scalar: u64,
}

impl Rules {
    /// Not zero when what came before is more than [`Rules::take_plain`] knows.
    #[inline(always)]
    fn unusual(&self) -> u64 {
        self.opened | self.in_scalar
    }

    /// Takes a block of strings and separators alone, in an object as
    /// `in_object` says, all ones or zero.
    #[inline(always)]
    fn take_plain(&mut self, masks: &Masks, in_object: u64) -> u64 {
        let Masks { begin, finish, separator, third, white, .. } = *masks;
        let colon = separator & third;
        let comma = separator & !third;

        // Values end with quotes, the one before the block perhaps aside: then
        // the first separator must not be a colon.
        let unquoted = (self.ended ^ self.quoted).wrapping_neg();
        let (after_end, carry) = skip(finish << 1 | self.ended, white);
        let mut wrong = (begin & after_end) | (separator & !after_end);
        wrong |= colon & separator & separator.wrapping_neg() & unquoted;
        self.ended = finish >> 63 | carry;
        self.quoted = self.ended & (self.quoted | u64::from(finish != 0));

        // In an object, and only there, a colon comes next after a comma.
        let (next, carry) = skip(comma << 1 | self.listed, !separator);
        self.listed = comma >> 63 | carry;
        wrong | (colon ^ (next & in_object))
    }

    /// Takes any block. The bytes that are wrong, the first bytes of scalars,
    /// and where no object can have a comma, a nested value or its end, since it
    /// would need a colon first.
    #[inline(always)]
    fn take(&mut self, masks: &Masks) -> (u64, u64, u64) {
        let Masks { begin, finish, bracket, separator, third, white, other, .. } = *masks;
        let close = bracket & third;
        let open = bracket & !third;
        let colon = separator & third;
        let behind = other << 1 | self.in_scalar;
        let start = other & !behind;
        let scalar_ended = behind & !other;
        self.in_scalar = other >> 63;

        // The token behind the end of a value, a closing quote, a bracket.
        let end = finish | close;
        let (after_end, carry) = skip(end << 1 | self.ended | scalar_ended, white);
        self.ended = end >> 63 | carry;
        let (after_quote, carry) = skip(finish << 1 | self.quoted, white);
        self.quoted = finish >> 63 | carry;
        let (after_open, carry) = skip(open << 1 | self.opened, white);
        self.opened = open >> 63 | carry;

        // The comma, colon or bracket that comes next after a comma or an
        // opening bracket. A colon must; where something else does, the
        // container cannot be an object, an empty one aside.
        let list = (separator & !third) | open;
        let (next, carry) = skip(list << 1 | self.listed, !(separator | bracket));
        self.listed = list >> 63 | carry;

        let close = close & !after_open;
        let mut wrong = (begin | open | start) & after_end;
        wrong |= (separator | close) & !after_end;
        wrong |= colon & !(after_quote & next);
        (wrong, start, next & (list | close))
    }
}

/// The first byte outside `run` at or behind each bit of `from`, where a bit
/// of `from` is in `run` only at the start of one; and whether one of them lies
/// in the next block.
#[inline(always)]
pub(super) fn skip(from: u64, run: u64) -> (u64, u64) {
    let (sum, carry) = (from & run).overflowing_add(run);
    ((from | sum) & !run, u64::from(carry))
}

#[inline(always)]
pub(super) fn clear_lowest(bits: u64) -> u64 {
    bits & bits.wrapping_sub(1)
}
