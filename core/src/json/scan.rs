//! One strict pass over a JSON text that leaves a coarse table of nodes.
//!
//! Accepts exactly RFC 8259 (one value, white space around it), plus lone
//! surrogate escapes, which are counted. Iterative: nesting is bounded only by
//! the length of the text.

use alloc::vec::Vec;

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
    let mut granularity = granularity_bytes.max(65);
    let mut index = slow(text.as_bytes(), granularity)?;
    while index.nodes.len() > text.len() / 64 + 256 {
        granularity *= 2;
        index = slow(text.as_bytes(), granularity)?;
    }
    Ok(index)
}

struct Open {
    start: usize,
    first: usize,
    object: bool,
    commas: u32,
    space: u32,
}

fn slow(b: &[u8], granularity: u32) -> Result<Index, SyntaxFault> {
    #[derive(Clone, Copy, PartialEq)]
    enum Want {
        Value,
        ValueOrClose,
        Key,
        KeyOrClose,
        CommaOrClose,
        End,
    }
    let mut nodes: Vec<Node> = Vec::new();
    let mut stack: Vec<Open> = Vec::new();
    let (mut at, mut depth, mut space, mut lone) = (0usize, 0usize, 0u32, 0u32);
    let mut want = Want::Value;
    let fault = |offset: usize| SyntaxFault { offset_bytes: offset as u32 };
    loop {
        while at < b.len() && matches!(b[at], b' ' | b'\t' | b'\n' | b'\r') {
            at += 1;
            space += 1;
        }
        if at == b.len() {
            if want == Want::End {
                break;
            }
            return Err(fault(at));
        }
        let c = b[at];
        let mut ended = false;
        match want {
            Want::End => return Err(fault(at)),
            Want::CommaOrClose => match (c, stack.last_mut()) {
                (b',', Some(open)) => {
                    open.commas += 1;
                    want = if open.object { Want::Key } else { Want::Value };
                    at += 1;
                }
                (b'}', Some(open)) if open.object => ended = true,
                (b']', Some(open)) if !open.object => ended = true,
                _ => return Err(fault(at)),
            },
            Want::KeyOrClose if c == b'}' => ended = true,
            Want::ValueOrClose if c == b']' => ended = true,
            Want::Key | Want::KeyOrClose => {
                if c != b'"' {
                    return Err(fault(at));
                }
                let end = string_end(b, at, &mut lone).map_err(fault)?;
                note_string(&mut nodes, at, end, granularity);
                at = end;
                while at < b.len() && matches!(b[at], b' ' | b'\t' | b'\n' | b'\r') {
                    at += 1;
                    space += 1;
                }
                if at == b.len() || b[at] != b':' {
                    return Err(fault(at));
                }
                at += 1;
                want = Want::Value;
            }
            Want::Value | Want::ValueOrClose => {
                match c {
                    b'{' | b'[' => {
                        let object = c == b'{';
                        stack.push(Open {
                            start: at,
                            first: nodes.len(),
                            object,
                            commas: 0,
                            space,
                        });
                        depth = depth.max(stack.len());
                        at += 1;
                        want = if object { Want::KeyOrClose } else { Want::ValueOrClose };
                        continue;
                    }
                    b'"' => {
                        let end = string_end(b, at, &mut lone).map_err(fault)?;
                        note_string(&mut nodes, at, end, granularity);
                        at = end;
                    }
                    b'-' | b'0'..=b'9' => at = number_end(b, at).map_err(fault)?,
                    b't' => at = literal_end(b, at, b"true").map_err(fault)?,
                    b'f' => at = literal_end(b, at, b"false").map_err(fault)?,
                    b'n' => at = literal_end(b, at, b"null").map_err(fault)?,
                    _ => return Err(fault(at)),
                }
                want = if stack.is_empty() { Want::End } else { Want::CommaOrClose };
            }
        }
        if ended {
            at += 1;
            if let Some(open) = stack.pop() {
                if at - open.start >= granularity as usize {
                    nodes.push(Node {
                        start: open.start as u32,
                        end: at as u32,
                        first: open.first as u32,
                        kind: if open.object { Kind::Object } else { Kind::Array },
                        commas: open.commas,
                        space_bytes: space - open.space,
                    });
                }
            }
            want = if stack.is_empty() { Want::End } else { Want::CommaOrClose };
        }
    }
    Ok(Index {
        nodes,
        granularity_bytes: granularity,
        depth: depth as u32,
        space_bytes: space,
        lone_surrogates: lone,
    })
}

fn note_string(nodes: &mut Vec<Node>, start: usize, end: usize, granularity: u32) {
    if end - start >= granularity as usize {
        nodes.push(Node {
            start: start as u32,
            end: end as u32,
            first: nodes.len() as u32,
            kind: Kind::String,
            commas: 0,
            space_bytes: 0,
        });
    }
}

fn string_end(b: &[u8], start: usize, lone: &mut u32) -> Result<usize, usize> {
    let mut at = start + 1;
    let mut high = false; // a high surrogate stands directly before `at`
    while at < b.len() {
        match b[at] {
            b'"' => {
                *lone += u32::from(high);
                return Ok(at + 1);
            }
            b'\\' => match b.get(at + 1) {
                Some(b'u') => {
                    let mut unit = 0u32;
                    for i in at + 2..at + 6 {
                        let digit = b.get(i).and_then(|c| (*c as char).to_digit(16)).ok_or(i)?;
                        unit = unit * 16 + digit;
                    }
                    match unit {
                        0xD800..=0xDBFF => {
                            *lone += u32::from(high);
                            high = true;
                        }
                        0xDC00..=0xDFFF => {
                            *lone += u32::from(!high);
                            high = false;
                        }
                        _ => {
                            *lone += u32::from(high);
                            high = false;
                        }
                    }
                    at += 6;
                }
                Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => {
                    *lone += u32::from(high);
                    high = false;
                    at += 2;
                }
                _ => return Err(at + 1),
            },
            0..=0x1F => return Err(at),
            _ => {
                *lone += u32::from(high);
                high = false;
                at += 1;
            }
        }
    }
    Err(b.len())
}

fn number_end(b: &[u8], start: usize) -> Result<usize, usize> {
    let digits = |mut at: usize| {
        let from = at;
        while at < b.len() && b[at].is_ascii_digit() {
            at += 1;
        }
        if at == from { Err(at) } else { Ok(at) }
    };
    let mut at = start + usize::from(b[start] == b'-');
    at = if b.get(at) == Some(&b'0') { at + 1 } else { digits(at)? };
    if b.get(at) == Some(&b'.') {
        at = digits(at + 1)?;
    }
    if matches!(b.get(at), Some(b'e' | b'E')) {
        at += 1;
        at += usize::from(matches!(b.get(at), Some(b'+' | b'-')));
        at = digits(at)?;
    }
    Ok(at)
}

fn literal_end(b: &[u8], start: usize, word: &[u8]) -> Result<usize, usize> {
    for (i, c) in word.iter().enumerate() {
        if b.get(start + i) != Some(c) {
            return Err(start + i);
        }
    }
    Ok(start + word.len())
}
