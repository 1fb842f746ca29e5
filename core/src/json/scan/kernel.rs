//! The grammar as arithmetic on masks of 64 bytes.
//!
//! Two tricks carry it. *Prefix XOR* over the quotes marks the insides of
//! strings (Langdale and Lemire, 2019). *Addition* finds the end of a run: in
//! `run + start` a carry goes from a bit at the start of a run of ones to the
//! first zero behind it, and into the next block if there is none.
//!
//! The text goes through in batches of blocks, and each batch through four
//! small loops: strings, rules between neighbours, scalars, containers. In one
//! large loop the state would not fit into registers, and the compiler of the
//! WebAssembly runtime would repeat arithmetic in every branch that needs its
//! result; what was stored to a batch is loaded instead. Every rule is a mask
//! of the bytes that break it, gathered in `wrong`.

use super::Index;
use super::block::Block;
use super::scalar::Scalars;
use super::strings::Strings;
use super::table::Table;

/// Blocks in a batch.
pub(super) const BATCH: usize = 32;

/// What stands outside strings in a block, one bit a byte. A block that is
/// wholly inside one has none of it and is left out.
#[derive(Clone, Copy, Default)]
pub(super) struct Masks {
    /// Offset of the block.
    pub(super) at: u32,
    /// Where the string began that goes on into the block and ends in it, if it
    /// is long enough for a node; else [`NO_STRING`].
    pub(super) long_string: u32,
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
    /// The first bytes of these.
    pub(super) start: u64,
    /// Where no object can have a comma, a nested value or its end, since
    /// it would need a colon first.
    pub(super) list_only: u64,
}

pub(super) const NO_STRING: u32 = u32::MAX;

/// The index of `text`, or `None` when it is not JSON.
pub(super) fn run<B: Block>(text: &[u8], granularity: u32) -> Option<Index> {
    let mut batch = [Masks::default(); BATCH];
    let mut strings = Strings::default();
    let mut rules = Rules::default();
    let mut scalars = Scalars::new();
    let mut table = Table::new(text.len(), granularity.max(65));
    // The last block is padded with spaces, and a full one is followed by one
    // of spaces: they settle all that is carried on.
    while strings.next <= text.len() {
        let count = strings.take::<B>(text, table.granularity(), &mut batch);
        let batch = batch.get_mut(..count)?;
        rules.take(batch);
        scalars.take::<B>(text, batch);
        if !table.take(text, batch) || strings.wrong | rules.wrong | scalars.wrong != 0 {
            return None;
        }
    }
    if strings.inside() || rules.ended == 0 || !scalars.finish(text) {
        return None;
    }
    let padding = (strings.next - text.len()) as u32;
    table.finish(padding, strings.lone_surrogates())
}

/// What may stand behind what, whatever the container.
#[derive(Default)]
struct Rules {
    wrong: u64,
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
    #[inline(never)]
    fn take(&mut self, batch: &mut [Masks]) {
        let Self { mut wrong, mut ended, mut quoted, mut opened, mut listed, mut in_scalar } =
            *self;
        for masks in batch {
            let Masks { begin, finish, bracket, separator, third, white, other, .. } = *masks;
            let close = bracket & third;
            let open = bracket & !third;
            let colon = separator & third;
            let behind = other << 1 | in_scalar;
            let start = other & !behind;
            let scalar_ended = behind & !other;
            in_scalar = other >> 63;

            // The token behind the end of a value, a closing quote, a bracket.
            let end = finish | close;
            let (after_end, carry) = skip(end << 1 | ended | scalar_ended, white);
            ended = end >> 63 | carry;
            let (after_quote, carry) = skip(finish << 1 | quoted, white);
            quoted = finish >> 63 | carry;
            let (after_open, carry) = skip(open << 1 | opened, white);
            opened = open >> 63 | carry;

            // The comma, colon or bracket that comes next after a comma or an
            // opening bracket. A colon must; where something else does, the
            // container cannot be an object, an empty one aside.
            let list = (separator & !third) | open;
            let (next, carry) = skip(list << 1 | listed, !(separator | bracket));
            listed = list >> 63 | carry;

            let close = close & !after_open;
            wrong |= (begin | open | start) & after_end;
            wrong |= (separator | close) & !after_end;
            wrong |= colon & !(after_quote & next);
            masks.start = start;
            masks.list_only = next & (list | close);
        }
        *self = Self { wrong, ended, quoted, opened, listed, in_scalar };
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
