//! A JSON document as a tree that keeps how each part was written.
//!
//! Numbers keep their text, objects keep order and repeated keys. Lone
//! surrogates in strings read as U+FFFD.

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// Containers below this depth are kept as text only.
pub const MAX_DEPTH: usize = 200;

/// A part of a document.
#[derive(Clone, Debug)]
pub struct Tree<'a> {
    /// The part as it was written.
    pub raw: &'a str,
    /// What it is.
    pub value: Value<'a>,
}

/// What a part is.
#[derive(Clone, Debug)]
pub enum Value<'a> {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number; its digits are in [`Tree::raw`].
    Number,
    /// A string, without escapes.
    String(String),
    /// A list.
    Array(Vec<Tree<'a>>),
    /// A map, in order, repeated keys and all.
    Object(Vec<Member<'a>>),
    /// A container deeper than [`MAX_DEPTH`]: only its text is kept.
    Deep,
}

/// A member of a map.
#[derive(Clone, Debug)]
pub struct Member<'a> {
    /// The key as it was written, quotes included.
    pub raw_key: &'a str,
    /// The key, without escapes.
    pub key: String,
    /// Its value.
    pub tree: Tree<'a>,
}

impl<'a> Tree<'a> {
    /// Reads a document; `None` where it is no JSON.
    #[must_use]
    pub fn parse(json: &'a str) -> Option<Tree<'a>> {
        let raw: &RawValue = serde_json::from_str(json).ok()?;
        grow(raw.get().trim(), 0)
    }

    /// The member called `key`, the last one where it is repeated.
    #[must_use]
    pub fn member(&self, key: &str) -> Option<&Tree<'a>> {
        self.members().iter().rev().find(|member| member.key == key).map(|member| &member.tree)
    }

    /// The members of a map; none for anything else.
    #[must_use]
    pub fn members(&self) -> &[Member<'a>] {
        match &self.value {
            Value::Object(members) => members,
            _ => &[],
        }
    }

    /// The items of a list; none for anything else.
    #[must_use]
    pub fn items(&self) -> &[Tree<'a>] {
        match &self.value {
            Value::Array(items) => items,
            _ => &[],
        }
    }

    /// The text of a string.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match &self.value {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    /// A whole number that fits.
    #[must_use]
    pub fn number(&self) -> Option<u64> {
        match self.value {
            Value::Number => self.raw.parse().ok(),
            _ => None,
        }
    }

    /// True for a list or a map.
    #[must_use]
    pub fn is_container(&self) -> bool {
        matches!(self.value, Value::Array(_) | Value::Object(_) | Value::Deep)
    }

    /// What the JSON Pointer `pointer` (RFC 6901) names: one place, or several
    /// where a key is repeated.
    #[must_use]
    pub fn all_at(&self, pointer: &str) -> Vec<&Tree<'a>> {
        if pointer.is_empty() {
            return vec![self];
        }
        let Some(rest) = pointer.strip_prefix('/') else { return Vec::new() };
        let (step, rest) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        let name = step.replace("~1", "/").replace("~0", "~");
        match &self.value {
            Value::Array(items) => {
                let item = name.parse::<usize>().ok().and_then(|at| items.get(at));
                item.map(|item| item.all_at(rest)).unwrap_or_default()
            }
            Value::Object(members) => members
                .iter()
                .filter(|member| member.key == name)
                .flat_map(|member| member.tree.all_at(rest))
                .collect(),
            _ => Vec::new(),
        }
    }

    /// The last of [`Tree::all_at`].
    #[must_use]
    pub fn at(&self, pointer: &str) -> Option<&Tree<'a>> {
        self.all_at(pointer).pop()
    }

    /// Containers nested inside one another.
    #[must_use]
    pub fn depth(&self) -> usize {
        match &self.value {
            Value::Array(items) => 1 + items.iter().map(Tree::depth).max().unwrap_or(0),
            Value::Object(members) => {
                1 + members.iter().map(|member| member.tree.depth()).max().unwrap_or(0)
            }
            Value::Deep => deepest(self.raw),
            Value::Null | Value::Bool(_) | Value::Number | Value::String(_) => 0,
        }
    }

    /// Equality of values: numbers as decimals, maps in any order, strings
    /// without regard to escapes.
    #[must_use]
    pub fn same_value(&self, other: &Tree<'_>) -> bool {
        match (&self.value, &other.value) {
            (Value::Null, Value::Null) => true,
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (Value::Number, Value::Number) => decimal(self.raw) == decimal(other.raw),
            (Value::String(a), Value::String(b)) => a == b,
            (Value::Array(a), Value::Array(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.same_value(b))
            }
            (Value::Object(a), Value::Object(b)) => a.len() == b.len() && same_members(a, b),
            (Value::Deep, Value::Deep) => self.raw == other.raw,
            _ => false,
        }
    }
}

fn same_members(a: &[Member<'_>], b: &[Member<'_>]) -> bool {
    let sorted = |members: &[Member<'_>]| {
        let mut order: Vec<usize> = (0..members.len()).collect();
        order.sort_by(|x, y| members[*x].key.cmp(&members[*y].key));
        order
    };
    sorted(a).iter().zip(sorted(b)).all(|(x, y)| {
        let (a, b) = (&a[*x], &b[y]);
        a.key == b.key && a.tree.same_value(&b.tree)
    })
}

/// A number as sign, digits without zeros at either end, and exponent.
#[must_use]
pub fn decimal(number: &str) -> (bool, String, i64) {
    let (negative, rest) = match number.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, number),
    };
    let (mantissa, exponent) = rest.split_once(['e', 'E']).unwrap_or((rest, "0"));
    let exponent: i64 = exponent
        .trim_start_matches('+')
        .parse()
        .unwrap_or(if exponent.starts_with('-') { i64::MIN / 4 } else { i64::MAX / 4 });
    let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{part}");
    let point = exponent - part.len() as i64;
    let trimmed = digits.trim_start_matches('0');
    let significant = trimmed.trim_end_matches('0');
    if significant.is_empty() {
        return (negative, String::new(), 0);
    }
    (negative, significant.to_string(), point + (trimmed.len() - significant.len()) as i64)
}

/// The deepest nesting in a JSON text, by counting brackets outside strings.
#[must_use]
pub fn deepest(json: &str) -> usize {
    let (mut depth, mut most, mut quoted, mut escaped) = (0usize, 0usize, false, false);
    for byte in json.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            b'{' | b'[' if !quoted => {
                depth += 1;
                most = most.max(depth);
            }
            b'}' | b']' if !quoted => depth -= 1,
            _ => {}
        }
    }
    most
}

/// The text of a JSON string, quotes included in `raw`; a lone surrogate reads
/// as U+FFFD.
#[must_use]
pub fn unquoted(raw: &str) -> String {
    if let Ok(text) = serde_json::from_str(raw) {
        return text;
    }
    let mut units: Vec<u16> = Vec::new();
    let inner = raw.get(1..raw.len().saturating_sub(1)).unwrap_or_default();
    let mut rest = inner.chars();
    while let Some(next) = rest.next() {
        if next != '\\' {
            units.extend(next.encode_utf16(&mut [0; 2]).iter());
            continue;
        }
        units.extend(escaped_unit(&mut rest));
    }
    String::from_utf16_lossy(&units)
}

/// The UTF-16 unit of an escape whose backslash was read.
pub(crate) fn escaped_unit(rest: &mut std::str::Chars<'_>) -> Option<u16> {
    Some(match rest.next()? {
        'u' => {
            let hex: String = rest.by_ref().take(4).collect();
            u16::from_str_radix(&hex, 16).unwrap_or(0xFFFD)
        }
        'b' => 8,
        'f' => 12,
        'n' => 10,
        'r' => 13,
        't' => 9,
        other => other as u16,
    })
}

fn grow(raw: &str, depth: usize) -> Option<Tree<'_>> {
    let value = match raw.as_bytes().first()? {
        b'n' => Value::Null,
        b't' => Value::Bool(true),
        b'f' => Value::Bool(false),
        b'"' => Value::String(unquoted(raw)),
        b'[' | b'{' if depth == MAX_DEPTH => Value::Deep,
        b'[' => {
            let items: Vec<&RawValue> = serde_json::from_str(raw).ok()?;
            Value::Array(
                items
                    .into_iter()
                    .map(|item| grow(item.get(), depth + 1))
                    .collect::<Option<Vec<_>>>()?,
            )
        }
        b'{' => {
            let pairs: Pairs<'_> = serde_json::from_str(raw).ok()?;
            let mut members = Vec::with_capacity(pairs.0.len());
            for (key, value) in pairs.0 {
                members.push(Member {
                    raw_key: key.get(),
                    key: unquoted(key.get()),
                    tree: grow(value.get(), depth + 1)?,
                });
            }
            Value::Object(members)
        }
        _ => Value::Number,
    };
    Some(Tree { raw, value })
}

struct Pairs<'a>(Vec<(&'a RawValue, &'a RawValue)>);

impl<'de: 'a, 'a> Deserialize<'de> for Pairs<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = Vec<(&'de RawValue, &'de RawValue)>;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a map")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                Ok(pairs)
            }
        }
        deserializer.deserialize_map(Reader).map(Pairs)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;

    #[test]
    fn a_tree_keeps_how_each_part_was_written() {
        let json = r#" {"z":1E400,"a":[-0, "\ud800x","é"],"z":{"k\u0041":null}} "#;
        let tree = Tree::parse(json).unwrap();
        assert_eq!(tree.members().len(), 3);
        assert_eq!(tree.members()[0].tree.raw, "1E400");
        assert_eq!(tree.at("/a/0").unwrap().raw, "-0");
        assert_eq!(tree.at("/a/1").unwrap().text(), Some("\u{FFFD}x"));
        assert_eq!(tree.at("/z/kA").unwrap().raw, "null");
        assert_eq!(tree.depth(), 2);
    }

    #[test]
    fn numbers_compare_as_decimals() {
        for (a, b, same) in [
            ("1.0", "1", true),
            ("100", "1e2", true),
            ("0.10", "1E-1", true),
            ("9007199254740993", "9007199254740992", false),
            ("1.000000000000000000005", "1", false),
            ("1e400", "10e399", true),
        ] {
            assert_eq!(decimal(a) == decimal(b), same, "{a} {b}");
        }
    }

    #[test]
    fn a_chain_of_a_million_brackets_is_read() {
        let json = format!("{}{}", "[".repeat(1_000_000), "]".repeat(1_000_000));
        assert_eq!(Tree::parse(&json).unwrap().depth(), 1_000_000);
    }
}
