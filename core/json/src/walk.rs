//! Walking a scanned document: children in order, big ones by the table, small
//! ones byte by byte. Nothing here checks grammar; the scan did.

use alloc::vec::Vec;

use crate::bytes::marks_of;
use crate::scan::{Index, Node, SyntaxFault, scan};

/// A scanned text.
#[derive(Clone, Debug)]
pub struct Doc<'a> {
    /// The text.
    pub text: &'a str,
    /// What the scan left.
    pub index: Index,
}

/// One value in a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    /// Offset of its first byte.
    pub start: usize,
    /// Offset behind its last byte.
    pub end: usize,
    /// Bytes of insignificant white space inside it.
    pub space_bytes: usize,
    /// Its row in the table, where it has one.
    pub node: Option<usize>,
}

/// One member of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Member<'a> {
    /// The key as it is encoded, without its quotes.
    pub key: &'a str,
    /// Offset of the key's first quote.
    pub key_start: usize,
    /// The value.
    pub value: Value,
}

/// What a value is, told by its first byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// `{ … }`
    Object,
    /// `[ … ]`
    Array,
    /// `" … "`
    String,
    /// A number.
    Number,
    /// `true`, `false` or `null`.
    Literal,
}

impl Value {
    /// Its encoding without white space between tokens, in bytes.
    #[must_use]
    pub fn compact_bytes(&self) -> usize {
        self.end - self.start - self.space_bytes
    }

    /// Whether `other` lies inside this value, or is it.
    #[must_use]
    pub fn contains(&self, other: &Value) -> bool {
        self.start <= other.start && other.end <= self.end
    }
}

impl<'a> Doc<'a> {
    /// Scans `text`.
    ///
    /// # Errors
    /// [`SyntaxFault`] when it is not JSON.
    pub fn new(text: &'a str, granularity_bytes: u32) -> Result<Self, SyntaxFault> {
        Ok(Doc { text, index: scan(text, granularity_bytes)? })
    }

    /// The document's one value.
    #[must_use]
    pub fn root(&self) -> Value {
        let bytes = self.text.as_bytes();
        let start = skip_space(bytes, 0);
        match self.index.nodes.last() {
            Some(last) if last.start as usize == start => self.row(self.index.nodes.len() - 1),
            _ => small_value(bytes, start),
        }
    }

    fn row(&self, at: usize) -> Value {
        let node = &self.index.nodes[at];
        Value {
            start: node.start as usize,
            end: node.end as usize,
            space_bytes: node.space_bytes as usize,
            node: Some(at),
        }
    }

    /// What `value` is.
    #[must_use]
    pub fn sort(&self, value: &Value) -> Sort {
        match self.text.as_bytes().get(value.start) {
            Some(b'{') => Sort::Object,
            Some(b'[') => Sort::Array,
            Some(b'"') => Sort::String,
            Some(b't' | b'f' | b'n') => Sort::Literal,
            _ => Sort::Number,
        }
    }

    /// The bytes of `value`, white space inside it included.
    #[must_use]
    pub fn raw(&self, value: &Value) -> &'a str {
        self.text.get(value.start..value.end).unwrap_or_default()
    }

    /// The encoded body of a string value; empty for anything else.
    #[must_use]
    pub fn body(&self, value: &Value) -> &'a str {
        if self.sort(value) == Sort::String {
            self.text.get(value.start + 1..value.end - 1).unwrap_or_default()
        } else {
            ""
        }
    }

    /// Items of an array, or members of an object: how many. Cheap for a
    /// value with a row; a walk for a small one.
    #[must_use]
    pub fn children_items(&self, value: &Value) -> usize {
        let bytes = self.text.as_bytes();
        match self.sort(value) {
            Sort::Object | Sort::Array => {}
            Sort::String | Sort::Number | Sort::Literal => return 0,
        }
        if skip_space(bytes, value.start + 1) + 1 == value.end {
            return 0;
        }
        match value.node {
            Some(at) => self.index.nodes[at].commas as usize + 1,
            None => small_commas(bytes, value) + 1,
        }
    }

    /// The children of the value in row `row` that have rows, last first; of
    /// an object its keys too.
    pub fn noted_children(&self, row: usize) -> impl Iterator<Item = Value> {
        self.noted_rows(row).map(|row| self.row(row))
    }

    fn noted_rows(&self, row: usize) -> impl Iterator<Item = usize> {
        let nodes = &self.index.nodes;
        let first = nodes[row].first as usize;
        let mut next = row;
        core::iter::from_fn(move || {
            let child = next.checked_sub(1).filter(|child| *child >= first)?;
            next = nodes[child].first as usize;
            Some(child)
        })
    }

    /// Whether a string is a key.
    pub fn is_key(&self, string: &Node) -> bool {
        let bytes = self.text.as_bytes();
        bytes.get(skip_space(bytes, string.end as usize)) == Some(&b':')
    }

    /// Items of an array in order; nothing for any other value.
    #[must_use]
    pub fn items(&self, array: &Value) -> Items<'_, 'a> {
        let mut steps = self.steps(array);
        if self.sort(array) != Sort::Array {
            steps.at = steps.end;
        }
        Items { steps }
    }

    /// Members of an object in order; nothing for any other value.
    #[must_use]
    pub fn members(&self, object: &Value) -> Members<'_, 'a> {
        let mut steps = self.steps(object);
        if self.sort(object) != Sort::Object {
            steps.at = steps.end;
        }
        Members { steps }
    }

    fn steps(&self, value: &Value) -> Steps<'_, 'a> {
        let (next, last) =
            value.node.map_or((0, 0), |row| (self.index.nodes[row].first as usize, row));
        Steps { doc: self, next, last, far: Vec::new(), at: value.start + 1, end: value.end - 1 }
    }
}

/// Rows that are looked at one by one for that of the next child. Of more, the
/// children are found from the last one on, by steps from child to child.
const NEAR_ROWS: usize = 32;

struct Steps<'d, 'a> {
    doc: &'d Doc<'a>,
    /// The first row of what is not passed yet.
    next: usize,
    /// Behind the last row of what is inside.
    last: usize,
    /// Rows of the big children that are not passed, the next one last; empty
    /// until they are asked for.
    far: Vec<u32>,
    at: usize,
    end: usize,
}

impl Steps<'_, '_> {
    /// Moves over white space and separators; false at the end.
    #[inline]
    fn more(&mut self) -> bool {
        let bytes = self.doc.text.as_bytes();
        while self.at < self.end && matches!(bytes[self.at], b' ' | b'\t' | b'\n' | b'\r' | b',') {
            self.at += 1;
        }
        self.at < self.end
    }

    #[inline]
    fn value(&mut self) -> Value {
        let (bytes, start) = (self.doc.text.as_bytes(), self.at);
        let mut value = Value { start, end: start, space_bytes: 0, node: None };
        match bytes.get(start) {
            Some(b'"') if self.next >= self.last => value.end = string_end(bytes, start),
            Some(b'"' | b'{' | b'[') => {
                let row = if self.next < self.last { self.row() } else { None };
                value = match row {
                    Some(row) => self.doc.row(row),
                    None => small_value(bytes, start),
                };
            }
            Some(_) | None => value.end = scalar_end(bytes, start),
        }
        self.at = value.end;
        value
    }

    /// The row of the value that starts here, where it has one.
    fn row(&mut self) -> Option<usize> {
        let (nodes, at) = (&self.doc.index.nodes, self.at);
        let starts_here = |row: &usize| nodes[*row].start as usize == at;
        let mut row = Some(self.next).filter(starts_here);
        if row.is_none() && matches!(self.doc.text.as_bytes()[at], b'{' | b'[') {
            // Rows stand in order of their ends: what comes first in the table
            // is inside of this value, or behind it.
            if self.far.is_empty() {
                let near = self.last.min(self.next + NEAR_ROWS);
                row = (self.next + 1..near).find(starts_here);
                if row.is_none() && near < self.last {
                    self.look_far();
                }
            }
            if let Some(far) = self.far.last() {
                row = Some(*far as usize).filter(starts_here);
            }
        }
        let row = row?;
        if self.far.last().is_some_and(|far| *far as usize == row) {
            self.far.pop();
        }
        self.next = row + 1;
        Some(row)
    }

    #[cold]
    #[inline(never)]
    fn look_far(&mut self) {
        let nodes = &self.doc.index.nodes;
        let mut behind = self.last;
        while let Some(child) = behind.checked_sub(1).filter(|child| *child >= self.next) {
            self.far.push(child as u32);
            behind = nodes[child].first as usize;
        }
    }
}

/// Items of an array, in order.
pub struct Items<'d, 'a> {
    steps: Steps<'d, 'a>,
}

impl Iterator for Items<'_, '_> {
    type Item = Value;

    fn next(&mut self) -> Option<Value> {
        if self.steps.more() { Some(self.steps.value()) } else { None }
    }
}

/// Members of an object, in order.
pub struct Members<'d, 'a> {
    steps: Steps<'d, 'a>,
}

impl<'a> Iterator for Members<'_, 'a> {
    type Item = Member<'a>;

    fn next(&mut self) -> Option<Member<'a>> {
        if !self.steps.more() {
            return None;
        }
        let key = self.steps.value();
        let text = self.steps.doc.text;
        let bytes = text.as_bytes();
        let mut at = key.end;
        while at < self.steps.end && bytes.get(at) != Some(&b':') {
            at += 1;
        }
        self.steps.at = skip_space(bytes, at + 1);
        let value = self.steps.value();
        Some(Member {
            key: text.get(key.start + 1..key.end - 1).unwrap_or_default(),
            key_start: key.start,
            value,
        })
    }
}

/// Moves over white space between tokens.
pub fn skip_space(bytes: &[u8], mut at: usize) -> usize {
    while at < bytes.len() && matches!(bytes[at], b' ' | b'\t' | b'\n' | b'\r') {
        at += 1;
    }
    at
}

/// Offset behind the string that starts at `start`: eight bytes at a time.
#[must_use]
pub fn string_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    loop {
        while let Some(word) = bytes.get(at..).and_then(<[u8]>::first_chunk::<8>) {
            let word = u64::from_le_bytes(*word);
            let hits = marks_of(word, b'"') | marks_of(word, b'\\');
            if hits != 0 {
                at += (hits.trailing_zeros() / 8) as usize;
                break;
            }
            at += 8;
        }
        match bytes.get(at) {
            Some(b'"') => return at + 1,
            Some(b'\\') => at += 2,
            Some(_) => at += 1,
            None => return bytes.len(),
        }
    }
}

/// Offset behind the number or literal that starts at `start`.
#[inline]
fn scalar_end(bytes: &[u8], start: usize) -> usize {
    let rest = bytes.get(start..).unwrap_or_default();
    let ends = |byte: &u8| matches!(byte, b',' | b'}' | b']' | b' ' | b'\t' | b'\n' | b'\r');
    start + rest.iter().position(ends).unwrap_or(rest.len())
}

/// The value at `start`, which has no row of its own.
fn small_value(bytes: &[u8], start: usize) -> Value {
    let mut space_bytes = 0;
    let end = match bytes.get(start) {
        Some(b'"') => string_end(bytes, start),
        Some(b'{' | b'[') => {
            let (mut at, mut depth) = (start, 0usize);
            loop {
                match bytes.get(at) {
                    None => break bytes.len(),
                    Some(b'"') => {
                        at = string_end(bytes, at);
                        continue;
                    }
                    Some(b'{' | b'[') => depth += 1,
                    Some(b'}' | b']') => {
                        depth -= 1;
                        if depth == 0 {
                            break at + 1;
                        }
                    }
                    Some(b' ' | b'\t' | b'\n' | b'\r') => space_bytes += 1,
                    Some(_) => {}
                }
                at += 1;
            }
        }
        _ => scalar_end(bytes, start),
    };
    Value { start, end, space_bytes, node: None }
}

fn small_commas(bytes: &[u8], value: &Value) -> usize {
    let (mut at, mut depth, mut commas) = (value.start, 0usize, 0);
    while at < value.end {
        match bytes[at] {
            b'"' => {
                at = string_end(bytes, at);
                continue;
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth -= 1,
            b',' if depth == 1 => commas += 1,
            _ => {}
        }
        at += 1;
    }
    commas
}
