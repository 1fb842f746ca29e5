//! The brackets of the text in order: what is open, and the nodes.

use alloc::vec::Vec;

use super::levels::{Levels, Open};
use super::{Index, Kind, Node};

/// A bracket, or a long string that ends, with what stands before it.
#[derive(Clone, Copy, Default)]
pub(super) struct Mark {
    /// Offset of the bracket or of the closing quote.
    pub(super) at: u32,
    /// Commas before it in the whole text. For a string: the offset of its
    /// opening quote.
    pub(super) commas: u32,
    /// Insignificant white space before it in the whole text.
    pub(super) space: u32,
    /// [`COLON`] and [`LIST_ONLY`], since the bracket before.
    pub(super) seen: u32,
}

/// A colon: the container is an object.
pub(super) const COLON: u32 = 1;
/// A comma, a nested value or the closing bracket stands where an object has a
/// colon first: the container is an array.
pub(super) const LIST_ONLY: u32 = 2;

pub(super) struct Table {
    nodes: Vec<Node>,
    nodes_max: usize,
    granularity: u32,
    open: Levels,
    depth: usize,
    /// What the innermost container must not have.
    forbidden: u32,
    /// Commas of the innermost container up to the last bracket, and of the
    /// whole text up to there.
    commas: u32,
    commas_before: u32,
}

impl Table {
    pub(super) fn new(text_bytes: usize, granularity: u32) -> Self {
        Self {
            nodes: Vec::new(),
            nodes_max: text_bytes / 64 + 256,
            granularity,
            open: Levels::default(),
            depth: 0,
            forbidden: COLON,
            commas: 0,
            commas_before: 0,
        }
    }

    pub(super) fn granularity(&self) -> u32 {
        self.granularity
    }

    /// Takes the next marks; false when the text is not JSON.
    pub(super) fn take(&mut self, text: &[u8], marks: &[Mark]) -> bool {
        let mut wrong = 0;
        let (mut forbidden, mut commas, mut before) =
            (self.forbidden, self.commas, self.commas_before);
        for mark in marks {
            let byte = text.get(mark.at as usize).copied().unwrap_or(0);
            if byte == b'"' {
                self.note(mark.commas, mark.at + 1, Kind::String, 0, 0);
                continue;
            }
            wrong |= mark.seen & forbidden;
            commas += mark.commas - before;
            before = mark.commas;
            let object = u32::from(byte & 0x20) << 26;
            if byte & 2 != 0 {
                self.open.push(Open { start: mark.at | object, commas, space: mark.space });
                self.depth = self.depth.max(self.open.depth());
                commas = 0;
                forbidden = forbidden_in(object);
            } else {
                let Some(open) = self.open.pop() else { return false };
                wrong |= (open.start ^ object) & Open::OBJECT;
                let start = open.start & !Open::OBJECT;
                if mark.at + 1 - start >= self.granularity {
                    let kind = if object == 0 { Kind::Array } else { Kind::Object };
                    self.note(start, mark.at + 1, kind, commas, mark.space - open.space);
                }
                commas = open.commas;
                forbidden = self.open.last().map_or(COLON, |open| forbidden_in(open.start));
            }
        }
        (self.forbidden, self.commas, self.commas_before) = (forbidden, commas, before);
        wrong == 0
    }

    fn note(&mut self, start: u32, end: u32, kind: Kind, commas: u32, space_bytes: u32) {
        if end - start >= self.granularity {
            push(&mut self.nodes, Node { start, end, first: 0, kind, commas, space_bytes });
            if self.nodes.len() > self.nodes_max {
                self.coarsen();
            }
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

    /// The index of a text that ends here, outside any string; `None` when it
    /// must not end here.
    pub(super) fn finish(
        self,
        seen: u32,
        commas: u32,
        space_bytes: u32,
        lone_surrogates: u32,
    ) -> Option<Index> {
        let commas = self.commas + (commas - self.commas_before);
        if self.open.depth() != 0 || commas != 0 || seen & COLON != 0 {
            return None;
        }
        Some(Index {
            nodes: self.nodes,
            granularity_bytes: self.granularity,
            depth: self.depth as u32,
            space_bytes,
            lone_surrogates,
        })
    }
}

/// `start` tells what a container is by [`Open::OBJECT`].
fn forbidden_in(start: u32) -> u32 {
    if start & Open::OBJECT != 0 { LIST_ONLY } else { COLON }
}

fn push(nodes: &mut Vec<Node>, node: Node) {
    let first = first_of(nodes, node.start);
    nodes.push(Node { first, ..node });
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
