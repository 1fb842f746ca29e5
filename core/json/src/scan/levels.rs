//! The stack of what is open, small however deep.

use alloc::vec::Vec;

/// A container that is open.
#[derive(Clone, Copy, Default)]
pub(super) struct Open {
    /// Offset of the bracket, and [`Open::IN_OBJECT`] where the container
    /// around it is an object.
    pub(super) start: u32,
    /// Commas so far of the container around it.
    pub(super) commas: u32,
    /// Insignificant white space before it in the whole text.
    pub(super) space: u32,
}

impl Open {
    pub(super) const IN_OBJECT: u32 = 1 << 31;
}

/// Levels in the open part of the stack; beyond, the outer half is packed.
const LOOSE: usize = 1 << 15;

#[derive(Default)]
pub(super) struct Levels {
    /// The inner levels; empty only when there is none at all.
    loose: Vec<Open>,
    /// The outer levels as differences, from a byte to five each, to be read
    /// from the end: a text of brackets alone would otherwise cost many times
    /// its length.
    packed: Vec<u8>,
    packed_count: usize,
    /// The innermost packed one.
    base: Open,
}

impl Levels {
    #[inline(always)]
    pub(super) fn push(&mut self, open: Open) {
        if self.loose.len() == LOOSE {
            self.pack();
        }
        self.loose.push(open);
    }

    #[inline(always)]
    pub(super) fn pop(&mut self) -> Option<Open> {
        let open = self.loose.pop();
        if self.loose.is_empty() && self.packed_count > 0 {
            self.unpack();
        }
        open
    }

    #[inline(always)]
    pub(super) fn depth(&self) -> usize {
        self.packed_count + self.loose.len()
    }

    #[cold]
    fn pack(&mut self) {
        for open in self.loose.drain(..LOOSE / 2) {
            // `start` is rotated, so that the difference is small for objects
            // among arrays too.
            let start = open.start.rotate_left(1);
            let forward = start.wrapping_sub(self.base.start);
            let space = open.space - self.base.space;
            if forward < 64 && open.commas < 2 && space == 0 {
                self.packed.push((forward | open.commas << 6) as u8);
            } else {
                for value in [forward, open.commas, space] {
                    write(&mut self.packed, value);
                }
                self.packed.push(0x80);
            }
            self.base = Open { start, ..open };
        }
        self.packed_count += LOOSE / 2;
    }

    #[cold]
    fn unpack(&mut self) {
        for _ in 0..LOOSE / 2 {
            let byte = u32::from(self.packed.pop().unwrap_or_default());
            let [forward, commas, space] = if byte < 0x80 {
                [byte & 63, byte >> 6, 0]
            } else {
                let space = read(&mut self.packed);
                let commas = read(&mut self.packed);
                [read(&mut self.packed), commas, space]
            };
            let start = self.base.start.rotate_right(1);
            self.loose.push(Open { start, commas, space: self.base.space });
            self.base.start = self.base.start.wrapping_sub(forward);
            self.base.space -= space;
        }
        self.loose.reverse();
        self.packed_count -= LOOSE / 2;
    }
}

/// Seven bits a byte, the lowest last; the high bit says that another follows,
/// seen from the end.
fn write(bytes: &mut Vec<u8>, value: u32) {
    let length = (32 - value.leading_zeros()).div_ceil(7).max(1);
    for group in (0..length).rev() {
        let more = if group + 1 < length { 0x80 } else { 0 };
        bytes.push((value >> (7 * group) & 0x7F) as u8 | more);
    }
}

fn read(bytes: &mut Vec<u8>) -> u32 {
    let (mut value, mut shift) = (0, 0);
    while let Some(byte) = bytes.pop() {
        value |= u32::from(byte & 0x7F) << shift;
        if byte < 0x80 {
            break;
        }
        shift += 7;
    }
    value
}
