//! Questions about short runs of bytes, asked often: without a way out of the
//! loop, so that the compiler takes many bytes at a time.

use crate::scan::{self, HIGH, LOW};

/// Whether any of `bytes` is one of `sought`.
#[must_use]
#[inline(never)]
pub fn any_of(bytes: &[u8], sought: [u8; 4]) -> bool {
    let [a, b, c, d] = sought;
    let is = |byte: u8| (byte == a) | (byte == b) | (byte == c) | (byte == d);
    bytes.iter().fold(0, |found, byte| found | u8::from(is(*byte))) != 0
}

/// How many of `bytes` are one of `sought`.
#[must_use]
#[inline(never)]
pub fn count_of(bytes: &[u8], sought: [u8; 2]) -> usize {
    let [a, b] = sought;
    bytes.iter().map(|byte| usize::from((*byte == a) | (*byte == b))).sum()
}

/// Marks the bytes of `word` that are `sought` by their high bits. The lowest
/// mark is exact, those above it may be set in vain; none is missing.
#[must_use]
#[inline(always)]
pub const fn marks_of(word: u64, sought: u8) -> u64 {
    let zero_where_sought = word ^ (LOW * sought as u64);
    zero_where_sought.wrapping_sub(LOW) & !zero_where_sought & HIGH
}

/// Offset of the first `sought` at or behind `from`: 64 bytes at a time.
#[must_use]
#[inline(never)]
pub fn find(bytes: &[u8], from: usize, sought: u8) -> Option<usize> {
    scan::find_byte(bytes, from, sought)
}

/// Whether `"key"` may stand in `text`: false only where it does not.
#[must_use]
#[inline(never)]
pub fn has_quoted(text: &str, key: &str) -> bool {
    scan::has_quoted(text.as_bytes(), key.as_bytes())
}

/// Whether `text` starts with one of `words`, none of them empty.
#[must_use]
#[inline(never)]
pub fn starts_with_any(text: &str, words: &[&str]) -> bool {
    let Some(first) = text.as_bytes().first() else { return false };
    words.iter().any(|word| word.as_bytes().first() == Some(first) && text.starts_with(word))
}

/// Whether two capital letters of ASCII stand side by side.
#[must_use]
#[inline(never)]
pub fn two_capitals(bytes: &[u8]) -> bool {
    let pairs = bytes.iter().zip(bytes.iter().skip(1));
    let both = |(a, b): (&u8, &u8)| a.is_ascii_uppercase() & b.is_ascii_uppercase();
    pairs.fold(0, |found, pair| found | u8::from(both(pair))) != 0
}
