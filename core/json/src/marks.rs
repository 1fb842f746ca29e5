//! The marks of a log that take a look at each word of a line.

use crate::bytes::{any_of, starts_with_any, two_capitals};
use crate::lines::{Line, has};

/// A time of day with a date or a source near it, or seconds since something,
/// near the start of the line.
#[must_use]
#[inline(never)]
pub fn has_time(sampled: &Line<'_>) -> bool {
    let line = sampled.text;
    let bytes = line.as_bytes();
    let near = bytes.get(..80).unwrap_or(bytes);
    let start = near.iter().position(|byte| !b" \t[(<\"'|".contains(byte)).unwrap_or(0);
    let first = near.get(start..).unwrap_or_default();
    let digits = first.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let follows = first.get(digits).copied().unwrap_or(b' ');
    // Seconds since 1970, and seconds since the start in brackets.
    if (digits == 10 && matches!(follows, b'.' | b' ' | b':')) || (digits == 13 && follows == b' ')
    {
        return true;
    }
    let fraction = first.get(digits + 1..).unwrap_or_default();
    let fraction_digits = fraction.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if line.starts_with('[')
        && digits > 0
        && follows == b'.'
        && fraction_digits >= 3
        && fraction.get(fraction_digits) == Some(&b']')
    {
        return true;
    }
    // Seconds, or a date directly before: `10:15` alone is no time stamp.
    const SHAPES: [(usize, &[u8]); 4] = [
        (2, b"00:00:00"),
        (13, b"0000-00-00T00:00"),
        (13, b"0000-00-00 00:00"),
        (13, b"0000/00/00 00:00"),
    ];
    let timed = sampled.any(has::COLON)
        && near.iter().enumerate().filter(|(_, byte)| **byte == b':').any(|(colon, _)| {
            SHAPES.iter().any(|(before, shape)| {
                colon.checked_sub(*before).is_some_and(|start| {
                    // Not the middle of a longer number or of a word.
                    let open = start
                        .checked_sub(1)
                        .and_then(|left| near.get(left))
                        .is_none_or(|left| !left.is_ascii_alphanumeric() || *left == b'T');
                    open && near.get(start..).is_some_and(|text| shaped(text, shape))
                })
            })
        });
    if timed {
        return true;
    }
    // A structured record: one object a line, with a time or a level.
    first.starts_with(b"{")
        && line.ends_with('}')
        && ["\"level\"", "\"severity\"", "\"ts\"", "\"time\"", "\"timestamp\"", "imestamp\":"]
            .iter()
            .any(|key| line.contains(key))
}

/// True where `text` starts as `shape` does, a zero standing for any digit.
#[must_use]
#[inline(never)]
pub fn shaped(text: &[u8], shape: &[u8]) -> bool {
    text.len() >= shape.len()
        && text.iter().zip(shape).all(|(byte, wanted)| match wanted {
            b'0' => byte.is_ascii_digit(),
            _ => byte == wanted,
        })
}

/// A level in capitals among the first words, or as a field, or a compiler's
/// word at the start.
#[must_use]
#[inline(never)]
pub fn has_level(sampled: &Line<'_>, start: &str) -> bool {
    const STARTS: [&str; 14] = [
        "error:",
        "error[",
        "warning:",
        "warning[",
        "note:",
        "help:",
        "fatal:",
        "npm ERR!",
        "npm WARN",
        "npm error",
        "npm warn",
        "= note:",
        "= help:",
        "--> ",
    ];
    if is_source_gutter(start) || starts_with_any(start, &STARTS) {
        return true;
    }
    let line = sampled.text;
    let near = line.as_bytes().get(..96).unwrap_or(line.as_bytes());
    // Of the whole line: what has nothing of it has nothing of it near its start.
    let may = sampled.any(has::CAPITAL | has::OPENING | has::EQUALS | has::QUOTE | has::COLON);
    if !may || !may_name_a_level(near) {
        return false;
    }
    // Not `LOG_ERROR = 3;`, `Level.WARN,` or `| ERROR |`: code and tables.
    let loud_counts = !line.ends_with([';', ',', '{', '(', '|']);
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let mut at = 0;
    while let Some(rest) = near.get(at..)
        && !rest.is_empty()
    {
        let length = rest.iter().take_while(|byte| is_word(byte)).count();
        if let Some(word) = rest.get(..length)
            && (3..=8).contains(&length)
        {
            let before = near.get(..at).unwrap_or_default();
            let behind = rest.get(length..).unwrap_or_default();
            // In small letters only what stands beside it makes it a level.
            let capital = word.first().is_some_and(u8::is_ascii_uppercase);
            let beside = matches!(before.last(), Some(b'[' | b'"'))
                || before.ends_with(b": ")
                || behind.starts_with(b"=");
            let found = (capital || beside)
                && match word {
                    b"level" => {
                        behind.starts_with(b"=")
                            || before.ends_with(b"\"") && behind.starts_with(b"\":")
                    }
                    b"error" | b"warn" | b"warning" | b"info" | b"notice" | b"debug" => {
                        // `[error]`, and a compiler's `a.c:3:5: error: `.
                        before.ends_with(b"[") && behind.starts_with(b"]")
                            || before.ends_with(b": ")
                                && (behind.starts_with(b":") || behind.starts_with(b" "))
                                && matches!(word, b"error" | b"warning")
                    }
                    b"INFO" | b"WARN" | b"WARNING" | b"ERROR" | b"DEBUG" | b"TRACE" | b"FATAL"
                    | b"CRITICAL" | b"NOTICE" | b"ERR" | b"SEVERE" | b"INF" | b"WRN" | b"DBG" => {
                        loud_counts
                    }
                    _ => false,
                };
            if found {
                return true;
            }
        }
        at += length.max(1);
    }
    false
}

/// False where no word can be a level: there are no two capitals side by side,
/// and nothing that stands beside a level in small letters.
fn may_name_a_level(near: &[u8]) -> bool {
    two_capitals(near) || any_of(near, *b"[=\":")
}

/// The quoted source of a compiler's message: `12 | let x`, or ` | ^^^`.
fn is_source_gutter(start: &str) -> bool {
    if !starts_with_digit(start) && !start.starts_with('|') {
        return false;
    }
    let rest = start.trim_start_matches(|scalar: char| scalar.is_ascii_digit());
    match rest.trim_start_matches(' ').strip_prefix('|') {
        Some(quoted) if start.len() > rest.len() => !quoted.contains('|'),
        Some(quoted) => quoted.trim_start().starts_with(['^', '-']) && !quoted.contains('|'),
        None => false,
    }
}

/// Whether it starts with a digit.
#[must_use]
#[inline]
pub fn starts_with_digit(start: &str) -> bool {
    start.as_bytes().first().is_some_and(u8::is_ascii_digit)
}
