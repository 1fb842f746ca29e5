//! The brackets of the text in order: what is open, and the nodes.

use alloc::vec::Vec;

use super::kernel::{Masks, clear_lowest};
use super::levels::{Levels, Open};
use super::{Index, Kind, Node};

pub(super) struct Table {
    nodes: Vec<Node>,
    nodes_max: usize,
    granularity: u32,
    open: Levels,
    depth: usize,
}

/// What the text is inside of.
#[derive(Clone, Copy, Default)]
pub(super) struct Inner {
    /// All ones while the innermost container is an object.
    pub(super) in_object: u64,
    /// Commas so far of the innermost container, or outside all.
    commas: u32,
    /// Insignificant white space so far.
    space: u32,
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
            open: Levels::default(),
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
        let Inner { mut in_object, mut commas, mut space } = *inner;
        let Masks { bracket, separator, third, white, .. } = *masks;
        let colon = separator & third;
        let comma = separator & !third;
        let mut left = bracket;
        let mut behind = u64::MAX;
        while left != 0 {
            let upto = left ^ (left - 1);
            let since = upto & behind;
            behind = !upto;
            wrong |= ((colon & !in_object) | (list_only & in_object)) & since;
            commas += (comma & since).count_ones();
            let space = space + (white & upto).count_ones();
            let bit = left.trailing_zeros();
            left = clear_lowest(left);
            let byte = bytes[bit as usize & 63];
            let object = u32::from(byte & 0x20) << 26;
            if byte & 2 != 0 {
                self.open.push(Open { start: (at + bit) | object, commas, space });
                self.depth = self.depth.max(self.open.depth());
                commas = 0;
                in_object = all(object);
            } else {
                let open = self.open.pop()?;
                wrong |= u64::from((open.start ^ object) & Open::OBJECT);
                let start = open.start & !Open::OBJECT;
                let end = at + bit + 1;
                if end - start >= self.granularity {
                    let kind = if object == 0 { Kind::Array } else { Kind::Object };
                    self.note(start, end, kind, commas, space - open.space);
                }
                commas = open.commas;
                in_object = self.open.last().map_or(0, |open| all(open.start));
            }
        }
        wrong |= ((colon & !in_object) | (list_only & in_object)) & behind;
        commas += (comma & behind).count_ones();
        space += white.count_ones();
        *inner = Inner { in_object, commas, space };
        Some(wrong)
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
        if self.open.depth() != 0 || inner.commas != 0 {
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

/// All ones for the `start` of an object, else zero.
#[inline(always)]
fn all(start: u32) -> u64 {
    (i64::from(start as i32) >> 63) as u64
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
