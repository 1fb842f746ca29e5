//! One strict pass over a JSON text that leaves a coarse table of nodes.
//!
//! Accepts exactly RFC 8259 (one value, white space around it), plus lone
//! surrogate escapes, which are counted. Iterative: nesting is bounded only by
//! the length of the text.
//!
//! Works on 64 bytes at a time. `block` says which bytes of a block are
//! quotes, brackets and so on, one bit a byte; `kernel` takes each block through
//! `strings`, its own rules, `scalar` and `table`, all of them arithmetic on
//! those masks, and leaves what few blocks have to `escapes`; `table` knows what
//! is open (`levels`) and writes the nodes. Where the text is refused, `locate`
//! finds the offset, byte by byte.

mod block;
mod decode;
mod escaped;
mod escapes;
mod kernel;
mod levels;
mod locate;
mod scalar;
mod strings;
mod table;
#[cfg(not(target_family = "wasm"))]
mod vector;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wasm;

use alloc::vec::Vec;

pub(crate) use decode::first_character;
pub use decode::{compact_json, decode_json};
pub use escaped::escaped_equal;

use block::Block;
pub(crate) use block::{HIGH, LOW};

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `{ … }`
    Object,
    /// `[ … ]`
    Array,
    /// `" … "`, as a value or as a key.
    String,
}

/// A container, or a string (value or key), that spans at least the
/// granularity. Nodes stand in post-order: by their `end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// Offset of its first byte: the bracket or quote.
    pub start: u32,
    /// Offset behind its last byte.
    pub end: u32,
    /// Index in the table of its first descendant; its own index where it has
    /// none. All nodes from `first` up to itself are its descendants.
    pub first: u32,
    /// Object, array or string.
    pub kind: Kind,
    /// Commas directly inside a container; zero for a string. A container
    /// that is not empty has one more child than commas.
    pub commas: u32,
    /// Bytes of insignificant white space inside it, at any depth.
    pub space_bytes: u32,
}

/// What the pass leaves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Index {
    /// The table, in post-order.
    pub nodes: Vec<Node>,
    /// The granularity that was used in the end: no smaller than asked for.
    /// Every container and string of at least so many bytes has a node, and
    /// none below it has.
    pub granularity_bytes: u32,
    /// Containers nested inside one another at the deepest place; zero for a
    /// scalar.
    pub depth: u32,
    /// Bytes of insignificant white space, around the value too.
    pub space_bytes: u32,
    /// `\uD800` to `\uDFFF` escapes without their other half.
    pub lone_surrogates: u32,
}

/// The text is not JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SyntaxFault {
    /// Offset of the first byte that no valid document has there; the length
    /// of the text where the document ends too early.
    pub offset_bytes: u32,
}

/// Scans `text`, at most 16 MiB of it (callers check), noting every container
/// and string of at least `granularity_bytes` (65 or more; a smaller one is
/// taken as 65).
///
/// The table never has more than `text.len() / 64 + 256` nodes: when it is
/// full the granularity is doubled and the smaller nodes go. The answer equals
/// that of a scan with the final granularity.
///
/// # Errors
/// [`SyntaxFault`] when `text` is not JSON.
pub fn scan(text: &str, granularity_bytes: u32) -> Result<Index, SyntaxFault> {
    kernel::run::<Fastest>(text.as_bytes(), granularity_bytes)
        .ok_or_else(|| locate::fault(text.as_bytes()))
}

/// The most commas directly inside one container of less than
/// `granularity_bytes` bytes in `text`, valid JSON no deeper than `depth`.
/// Byte by byte: for limits so low that no table tells.
#[must_use]
#[inline(never)]
pub fn small_commas(text: &str, granularity_bytes: u32, depth: u32) -> u32 {
    let mut open: Vec<(usize, u32)> = Vec::with_capacity(depth as usize);
    let (mut most, mut commas) = (0, 0);
    let (mut in_string, mut escaped) = (false, false);
    for (at, byte) in text.bytes().enumerate() {
        if in_string {
            in_string = escaped || byte != b'"';
            escaped = !escaped && byte == b'\\';
            continue;
        }
        match byte {
            b'"' => in_string = true,
            b',' => commas += 1,
            b'{' | b'[' => {
                open.push((at, commas));
                commas = 0;
            }
            b'}' | b']' => {
                let (start, outer) = open.pop().unwrap_or_default();
                if at + 1 - start < granularity_bytes as usize {
                    most = commas.max(most);
                }
                commas = outer;
            }
            _ => {}
        }
    }
    most
}

/// Offset of the first `sought` at or behind `from`: 64 bytes at a time.
pub(crate) fn find_byte(bytes: &[u8], from: usize, sought: u8) -> Option<usize> {
    let rest = bytes.get(from..)?;
    // Four blocks without a way out, then those one by one.
    let (wide, _) = rest.as_chunks::<256>();
    let has = |any: bool, block: &[u8; 64]| any | Fastest::load(block).has(sought);
    let free = wide.iter().take_while(|four| !four.as_chunks::<64>().0.iter().fold(false, has));
    let skipped = 256 * free.count();
    let (blocks, tail) = rest.get(skipped..)?.as_chunks::<64>();
    let found = blocks.iter().position(|block| Fastest::load(block).has(sought));
    let at = match found.and_then(|at| Some((at, blocks.get(at)?))) {
        Some((at, block)) => {
            skipped + 64 * at + Fastest::load(block).equal(sought).trailing_zeros() as usize
        }
        None => rest.len() - tail.len() + tail.iter().position(|byte| *byte == sought)?,
    };
    Some(from + at)
}

/// Whether `"key"` stands anywhere in `text`, for a key as it is encoded: false
/// for certain, true for any key that is empty.
pub(crate) fn has_quoted(text: &[u8], key: &[u8]) -> bool {
    let Some(first) = key.first() else { return true };
    let stands_at = |at: usize| {
        let behind = text.get(at..).and_then(|rest| rest.strip_prefix(key));
        behind.is_some_and(|rest| rest.first() == Some(&b'"'))
    };
    let mut before = 0;
    let mut in_block = |bytes: &[u8; 64], start: usize| {
        let block = Fastest::load(bytes);
        let quote = block.equal(b'"');
        let mut found = block.equal(*first) & (quote << 1 | before);
        before = quote >> 63;
        while found != 0 {
            if stands_at(start + found.trailing_zeros() as usize) {
                return true;
            }
            found &= found - 1;
        }
        false
    };
    let (blocks, tail) = text.as_chunks::<64>();
    blocks.iter().enumerate().any(|(at, block)| in_block(block, 64 * at))
        || in_block(&block::last(tail), 64 * blocks.len())
}

/// The quotes and backslashes in `bytes`.
#[must_use]
pub(crate) fn count_quotes(bytes: &[u8]) -> usize {
    let count = |bytes: &[u8; 64]| {
        let block = Fastest::load(bytes);
        (block.equal(b'"') | block.equal(b'\\')).count_ones() as usize
    };
    let (blocks, tail) = bytes.as_chunks::<64>();
    blocks.iter().map(count).sum::<usize>() + count(&block::last(tail))
}

#[cfg(not(target_family = "wasm"))]
type Fastest = vector::Vectors;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
type Fastest = wasm::Vectors;
#[cfg(all(target_family = "wasm", not(all(target_arch = "wasm32", target_feature = "simd128"))))]
type Fastest = block::Words;

/// [`scan`] without SIMD, the fallback of targets that have none; on all
/// targets, so that tests can compare the two.
///
/// # Errors
/// As [`scan`].
#[doc(hidden)]
pub fn scan_words(text: &str, granularity_bytes: u32) -> Result<Index, SyntaxFault> {
    kernel::run::<block::Words>(text.as_bytes(), granularity_bytes)
        .ok_or_else(|| locate::fault(text.as_bytes()))
}
