//! Takes the escape sequences of terminals out of an encoded body: whole
//! sequences of every kind, and an introducer that begins none, since what
//! comes to stand behind it would be read as one.

use alloc::string::String;

use super::unit;

/// `body` without escape sequences, and how many went; `None` where there is
/// none. What comes out has no introducer in it: a second pass finds nothing.
///
/// ```
/// use result_budget_core::text::without_ansi;
/// let (text, count) = without_ansi(r"\u001b[31mred\u001b[0m").unwrap();
/// assert_eq!((text.as_str(), count), ("red", 2));
/// assert_eq!(without_ansi("red"), None);
/// ```
#[must_use]
pub fn without_ansi(body: &str) -> Option<(String, usize)> {
    let bytes = body.as_bytes();
    let mut out = String::new();
    let (mut kept, mut at, mut count) = (0, 0, 0);
    let mut dead = [0; 2];
    while let Some(found) = next_introducer(bytes, at) {
        let Some(unit) = unit::next(body, found) else { break };
        at = unit.end;
        if !is_introducer(unit.scalar) {
            continue;
        }
        out.push_str(body.get(kept..found).unwrap_or_default());
        at = sequence_end(body, unit, &mut dead).unwrap_or(unit.end);
        kept = at;
        count += 1;
    }
    if count == 0 {
        return None;
    }
    out.push_str(body.get(kept..).unwrap_or_default());
    Some((out, count))
}

/// Where an introducer may stand: at an escape, or at the first byte of
/// U+0080 to U+00BF.
fn next_introducer(bytes: &[u8], from: usize) -> Option<usize> {
    let rest = bytes.get(from..)?;
    rest.iter().position(|byte| matches!(byte, b'\\' | 0xC2)).map(|at| from + at)
}

fn is_introducer(scalar: char) -> bool {
    matches!(scalar, '\u{1b}' | '\u{90}' | '\u{98}' | '\u{9b}' | '\u{9d}' | '\u{9e}' | '\u{9f}')
}

/// Where the sequence ends that `introducer` begins. `dead` tells up to where
/// strings of the two kinds are known to have no end: each is searched once.
fn sequence_end(body: &str, introducer: unit::Unit, dead: &mut [usize; 2]) -> Option<usize> {
    let at = introducer.end;
    match introducer.scalar {
        '\u{9b}' => control_end(body, at),
        '\u{9d}' => string_end(body, at, true, dead),
        '\u{1b}' => {
            let second = unit::next(body, at)?;
            match second.scalar {
                '[' => control_end(body, second.end),
                ']' => string_end(body, second.end, true, dead),
                'P' | 'X' | '^' | '_' => string_end(body, second.end, false, dead),
                ' '..='/' => {
                    let last = skip(body, second.end, ' ', '/');
                    unit::next(body, last)
                        .filter(|unit| matches!(unit.scalar, '0'..='~'))
                        .map(|unit| unit.end)
                }
                '0'..='~' => Some(second.end),
                _ => None,
            }
        }
        _ => string_end(body, at, false, dead),
    }
}

/// The end of a control sequence of which parameters start at `at`.
fn control_end(body: &str, at: usize) -> Option<usize> {
    let last = skip(body, skip(body, at, '0', '?'), ' ', '/');
    unit::next(body, last).filter(|unit| matches!(unit.scalar, '@'..='~')).map(|unit| unit.end)
}

/// The end of a string: BEL or ST for a command of the operating system, ST
/// for any other, in which a doubled escape is a part of it.
fn string_end(body: &str, at: usize, command: bool, dead: &mut [usize; 2]) -> Option<usize> {
    let [commands, others] = dead;
    let dead = if command { commands } else { others };
    if at < *dead {
        return None;
    }
    let mut reached = at;
    while let Some(unit) = unit::next(body, reached) {
        match unit.scalar {
            '\u{9c}' => return Some(unit.end),
            '\u{7}' if command => return Some(unit.end),
            '\u{1b}' => match unit::next(body, unit.end) {
                Some(second) if second.scalar == '\\' => return Some(second.end),
                Some(second) if second.scalar == '\u{1b}' && !command => reached = second.end,
                Some(_) | None => break,
            },
            '\u{18}' | '\u{1a}' => break,
            _ => reached = unit.end,
        }
    }
    *dead = reached;
    None
}

fn skip(body: &str, mut at: usize, least: char, most: char) -> usize {
    while let Some(unit) = unit::next(body, at)
        && (least..=most).contains(&unit.scalar)
    {
        at = unit.end;
    }
    at
}
