//! The brackets of the text in order: what is open, and the nodes.

use alloc::vec::Vec;

use super::kernel::{Masks, clear_lowest};
use super::levels::{Levels, Open};
use super::{Index, Kind, Node};

pub(super) struct Table {
    nodes: Vec<Node>,
    nodes_max: usize,
    granularity: u32,
    /// The inner levels of what is open, as many as [`Inner::near`] says; the
    /// outer ones are in `far`.
    near: [Open; NEAR],
    far: Levels,
    depth: usize,
}

/// Room for the inner levels. A block opens or closes 64 at most: between
/// blocks, half of the room is moved where less than that is free, or is left
/// of it.
const NEAR: usize = 256;
const BLOCK: usize = 64;
const MOVED: usize = NEAR / 2;

/// What the text is inside of.
#[derive(Clone, Copy, Default)]
pub(super) struct Inner {
    /// All ones while the innermost container is an object.
    pub(super) in_object: u64,
    /// Commas so far of the innermost container, or outside all.
    commas: u32,
    /// Insignificant white space so far.
    space: u32,
    /// Levels in [`Table::near`].
    near: usize,
}

impl Inner {
    /// Takes a block without brackets whose separators are right.
    #[inline(always)]
    pub(super) fn take_plain(&mut self, masks: &Masks) {
        self.commas += (masks.separator & !masks.third).count_ones();
        self.space += masks.white.count_ones();
    }
}

impl Table {
    pub(super) fn new(text_bytes: usize, granularity: u32) -> Self {
        Self {
            nodes: Vec::new(),
            nodes_max: text_bytes / 64 + 256,
            granularity,
            near: [Open::default(); NEAR],
            far: Levels::default(),
            depth: 0,
        }
    }

    #[inline(always)]
    pub(super) fn granularity(&self) -> u32 {
        self.granularity
    }

    /// Takes any block; the bytes that are wrong, or `None` for an end of
    /// nothing.
    #[inline(always)]
    pub(super) fn take(
        &mut self,
        inner: &mut Inner,
        bytes: &[u8; 64],
        at: u32,
        masks: &Masks,
        list_only: u64,
    ) -> Option<u64> {
        let mut wrong = 0;
        if inner.near > NEAR - BLOCK || (inner.near < BLOCK && self.far.depth() > 0) {
            inner.near = self.balance(inner.near);
        }
        let Inner { mut in_object, mut commas, mut space, mut near } = *inner;
        let Masks { bracket, separator, third, white, .. } = *masks;
        let colon = separator & third;
        let comma = separator & !third;
        // The bytes directly inside objects, those of nested values aside.
        let mut in_objects = 0;
        let mut deepest = near;
        let mut left = bracket;
        let mut behind = u64::MAX;
        while left != 0 {
            let upto = left ^ (left - 1);
            let since = upto & behind;
            behind = !upto;
            in_objects |= in_object & since;
            commas += (comma & since).count_ones();
            let space = space + (white & upto).count_ones();
            let bit = left.trailing_zeros();
            left = clear_lowest(left);
            let byte = bytes[bit as usize & 63];
            let object = all(u32::from(byte & 0x20) << 26);
            if byte & 2 != 0 {
                let around = in_object as u32 & Open::IN_OBJECT;
                self.near[near % NEAR] = Open { start: (at + bit) | around, commas, space };
                near += 1;
                deepest = deepest.max(near);
                commas = 0;
                in_object = object;
            } else {
                near = near.checked_sub(1)?;
                wrong |= object ^ in_object;
                let open = self.near[near % NEAR];
                let start = open.start & !Open::IN_OBJECT;
                let end = at + bit + 1;
                if end - start >= self.granularity {
                    let kind = if object == 0 { Kind::Array } else { Kind::Object };
                    self.note(start, end, kind, commas, space - open.space);
                }
                commas = open.commas;
                in_object = all(open.start);
            }
        }
        in_objects |= in_object & behind;
        wrong |= (colon & !in_objects) | (list_only & in_objects);
        commas += (comma & behind).count_ones();
        space += white.count_ones();
        self.depth = self.depth.max(self.far.depth() + deepest);
        *inner = Inner { in_object, commas, space, near };
        Some(wrong)
    }

    /// Moves levels, so that the next block finds what it may open or close;
    /// how many are near then.
    #[cold]
    #[inline(never)]
    fn balance(&mut self, near: usize) -> usize {
        if near > NEAR - BLOCK {
            for open in self.near.iter().take(MOVED) {
                self.far.push(*open);
            }
            self.near.copy_within(MOVED..near, 0);
            return near - MOVED;
        }
        let moved = self.far.depth().min(MOVED);
        self.near.copy_within(0..near, moved);
        for open in self.near.iter_mut().take(moved).rev() {
            *open = self.far.pop().unwrap_or_default();
        }
        near + moved
    }

    /// Notes a string. Apart, like [`Table::note`], from the loop over the
    /// blocks, whose registers are few.
    #[inline(never)]
    pub(super) fn note_string(&mut self, start: u32, end: u32) {
        let first = self.nodes.len() as u32;
        let kind = Kind::String;
        self.push(Node { start, end, first, kind, commas: 0, space_bytes: 0 });
    }

    #[inline(never)]
    fn note(&mut self, start: u32, end: u32, kind: Kind, commas: u32, space_bytes: u32) {
        let first = first_of(&self.nodes, start);
        self.push(Node { start, end, first, kind, commas, space_bytes });
    }

    #[inline(always)]
    fn push(&mut self, node: Node) {
        self.nodes.push(node);
        if self.nodes.len() > self.nodes_max {
            self.coarsen();
        }
    }

    /// Doubles the granularity until the nodes that are left fit.
    #[cold]
    fn coarsen(&mut self) {
        while self.nodes.len() > self.nodes_max {
            self.granularity = self.granularity.saturating_mul(2);
            let mut kept = 0;
            for i in 0..self.nodes.len() {
                let node = self.nodes[i];
                if node.end - node.start >= self.granularity {
                    let first = first_of(&self.nodes[..kept], node.start);
                    self.nodes[kept] = Node { first, ..node };
                    kept += 1;
                }
            }
            self.nodes.truncate(kept);
        }
    }

    /// The index of a text that ends here, the last `padding` bytes of white
    /// space aside; `None` when it must not end here.
    pub(super) fn finish(self, inner: Inner, padding: u32, lone_surrogates: u32) -> Option<Index> {
        if inner.near + self.far.depth() != 0 || inner.commas != 0 {
            return None;
        }
        Some(Index {
            nodes: self.nodes,
            granularity_bytes: self.granularity,
            depth: self.depth as u32,
            space_bytes: inner.space - padding,
            lone_surrogates,
        })
    }
}

/// All ones where the highest bit is set, else zero.
#[inline(always)]
fn all(bits: u32) -> u64 {
    (i64::from(bits as i32) >> 63) as u64
}

/// Index of the first of the last nodes that begin behind `start`: they are
/// its descendants. Steps from child to child, so over a whole text it looks
/// at every node once.
fn first_of(nodes: &[Node], start: u32) -> u32 {
    let mut first = nodes.len();
    while let Some(child) = first.checked_sub(1).and_then(|last| nodes.get(last)) {
        if child.start < start {
            break;
        }
        first = child.first as usize;
    }
    first as u32
}
