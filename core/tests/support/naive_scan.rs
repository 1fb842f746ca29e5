//! The naive twin of the scanner: one byte at a time, obviously right.

use result_budget_core::json::{Index, Kind, Node, SyntaxFault};

/// The same answer as the scanner of the crate, a byte at a time.
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
            let Some(open) = stack.pop() else { return Err(fault(at - 1)) };
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

/// The same without the cap on the table.
pub fn uncapped(text: &str, granularity_bytes: u32) -> Result<Index, SyntaxFault> {
    slow(text.as_bytes(), granularity_bytes)
}
