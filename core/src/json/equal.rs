//! Equality of JSON values as values: white space, the spelling of strings and
//! the order of members do not matter; numbers are compared as decimals.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use super::pointer::decode_body;
use super::walk::{Doc, Sort, Value, string_end};
use crate::order::sorted;

/// Deeper values are compared token by token, in the order in which they stand.
const DEPTH_MAX: usize = 127;

/// Whether two values are equal.
#[must_use]
pub fn json_equal(a_doc: &Doc<'_>, a: &Value, b_doc: &Doc<'_>, b: &Value) -> bool {
    equal(a_doc, a, b_doc, b, 0)
}

fn equal(a_doc: &Doc<'_>, a: &Value, b_doc: &Doc<'_>, b: &Value, depth: usize) -> bool {
    let sort = a_doc.sort(a);
    if sort != b_doc.sort(b) {
        return false;
    }
    if depth > DEPTH_MAX {
        return same_tokens(a_doc.raw(a), b_doc.raw(b));
    }
    if a.compact_bytes() == b.compact_bytes()
        && a.space_bytes == b.space_bytes
        && a_doc.raw(a) == b_doc.raw(b)
    {
        return true;
    }
    match sort {
        Sort::Literal => false,
        Sort::Number => number_equal(a_doc.raw(a), b_doc.raw(b)),
        Sort::String => decode_body(a_doc.body(a)) == decode_body(b_doc.body(b)),
        Sort::Array => {
            if a_doc.children_items(a) != b_doc.children_items(b) {
                return false;
            }
            a_doc.items(a).zip(b_doc.items(b)).all(|(a, b)| equal(a_doc, &a, b_doc, &b, depth + 1))
        }
        Sort::Object => object_equal(a_doc, a, b_doc, b, depth),
    }
}

fn object_equal(a_doc: &Doc<'_>, a: &Value, b_doc: &Doc<'_>, b: &Value, depth: usize) -> bool {
    if a_doc.children_items(a) != b_doc.children_items(b) {
        return false;
    }
    // The same order is the common case, and needs no memory. Keys are compared
    // before any value, so that no value is compared twice.
    let same_order = a_doc
        .members(a)
        .zip(b_doc.members(b))
        .all(|(x, y)| x.key == y.key || decode_body(x.key) == decode_body(y.key));
    if same_order {
        return a_doc
            .members(a)
            .zip(b_doc.members(b))
            .all(|(x, y)| equal(a_doc, &x.value, b_doc, &y.value, depth + 1));
    }
    let keyed = |doc: &Doc<'_>, value: &Value| -> Vec<(alloc::string::String, Value)> {
        let members = doc.members(value);
        members.map(|member| (decode_body(member.key).into_owned(), member.value)).collect()
    };
    let (left, right) = (keyed(a_doc, a), keyed(b_doc, b));
    let a_order = sorted(left.len(), &|x, y| left[x].0.cmp(&left[y].0));
    let b_order = sorted(right.len(), &|x, y| right[x].0.cmp(&right[y].0));
    a_order.iter().zip(&b_order).all(|(x, y)| {
        let (x, y) = (&left[*x], &right[*y]);
        x.0 == y.0 && equal(a_doc, &x.1, b_doc, &y.1, depth + 1)
    })
}

/// Whether two values are the same tokens, white space aside. Iterative.
fn same_tokens(a: &str, b: &str) -> bool {
    let (mut a_at, mut b_at) = (0, 0);
    loop {
        match (token(a, &mut a_at), token(b, &mut b_at)) {
            ("", "") => return true,
            (x, y) if x == y => {}
            (x, y) if x.starts_with('"') && decode_body(x) == decode_body(y) => {}
            (x, y) if number_equal(x, y) => {}
            (_, _) => return false,
        }
    }
}

/// The token at or behind `at`, which moves behind it; empty at the end.
fn token<'a>(text: &'a str, at: &mut usize) -> &'a str {
    let bytes = text.as_bytes();
    while bytes.get(*at).is_some_and(u8::is_ascii_whitespace) {
        *at += 1;
    }
    let start = *at;
    *at = match bytes.get(start) {
        None => start,
        Some(b'"') => string_end(bytes, start),
        Some(b'{' | b'}' | b'[' | b']' | b',' | b':') => start + 1,
        Some(_) => {
            let inside = |byte: &u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
            let rest = bytes.get(start..).unwrap_or_default();
            start + rest.iter().take_while(|byte| inside(byte)).count().max(1)
        }
    };
    text.get(start..*at).unwrap_or_default()
}

/// Whether two number tokens are the same decimal.
pub(crate) fn number_equal(a: &str, b: &str) -> bool {
    a == b || matches!((Decimal::read(a), Decimal::read(b)), (Some(x), Some(y)) if x == y)
}

/// A decimal in its one spelling: no leading or trailing zero digit.
#[derive(PartialEq)]
struct Decimal<'a> {
    negative: bool,
    digits: Cow<'a, str>,
    exponent: i64,
}

impl<'a> Decimal<'a> {
    fn read(token: &'a str) -> Option<Self> {
        let (negative, rest) = match token.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, token),
        };
        let (mantissa, exponent) = match rest.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => {
                (mantissa, exponent.strip_prefix('+').unwrap_or(exponent).parse::<i64>().ok()?)
            }
            None => (rest, 0),
        };
        let (digits, places) = match mantissa.split_once('.') {
            Some((whole, part)) => {
                (Cow::Owned(alloc::format!("{whole}{part}")), i64::try_from(part.len()).ok()?)
            }
            None => (Cow::Borrowed(mantissa), 0),
        };
        let mut exponent = exponent.checked_sub(places)?;
        let short = digits.trim_start_matches('0').trim_end_matches('0');
        let dropped = digits.trim_start_matches('0').len() - short.len();
        exponent = exponent.checked_add(i64::try_from(dropped).ok()?)?;
        if short.is_empty() {
            return Some(Decimal { negative: false, digits: Cow::Borrowed(""), exponent: 0 });
        }
        let short = Cow::Owned(alloc::string::String::from(short));
        Some(Decimal { negative, digits: short, exponent })
    }
}
