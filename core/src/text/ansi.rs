//! ANSI escape sequences (ECMA-48, and what terminals made of it) in an
//! encoded body, around one place.
//!
//! What does not parse as a sequence, or has no end, is none.

use alloc::vec::Vec;
use core::ops::RangeInclusive;

use super::WHOLE_MAX_BYTES;
use super::unit::{self, Unit};

/// Start and end of the longest sequence of up to 256 decoded bytes that `at`
/// stands inside.
pub(super) fn around(body: &str, at: usize) -> Option<(usize, usize)> {
    let window = Window::around(body, at)?;
    let mut ends = StringEnds::default();
    let read = |at: usize| window.units.get(at).map(|unit| (unit.scalar, at + 1));
    for start in 0..window.split {
        if let Some(end) = sequence_end(&read, start, &mut ends)
            && end > window.split
            && let Some(sequence) = window.units.get(start..end)
            && sequence.iter().map(|unit| unit.scalar.len_utf8()).sum::<usize>() <= WHOLE_MAX_BYTES
            && let [first, .., last] = sequence
        {
            return Some((first.start, last.end));
        }
    }
    None
}

/// The units that matter for one place.
struct Window {
    /// From an introducer on, up to 255 decoded bytes before the place, to as
    /// many behind it.
    units: Vec<Unit>,
    /// Index of the first unit behind the place.
    split: usize,
}

impl Window {
    /// None where no introducer is near.
    fn around(body: &str, at: usize) -> Option<Window> {
        let (mut before_bytes, mut reached, mut from) = (0, at, None);
        while let Some(unit) = unit::previous(body, reached) {
            before_bytes += unit.scalar.len_utf8();
            if before_bytes >= WHOLE_MAX_BYTES {
                break;
            }
            reached = unit.start;
            if is_introducer(unit.scalar) {
                from = Some(reached);
            }
        }
        let mut reached = from?;
        let mut window = Window { units: Vec::new(), split: 0 };
        let mut after_bytes = 0;
        while let Some(unit) = unit::next(body, reached) {
            if unit.start >= at {
                after_bytes += unit.scalar.len_utf8();
                if after_bytes >= WHOLE_MAX_BYTES {
                    break;
                }
            } else {
                window.split += 1;
            }
            window.units.push(unit);
            reached = unit.end;
        }
        Some(window)
    }
}

/// A scalar and the place behind it, at any place of a text: an index of units,
/// or an offset of a body.
pub(super) type Read<'r> = &'r dyn Fn(usize) -> Option<(char, usize)>;

/// Whether a scalar can begin a sequence.
pub(super) fn is_introducer(scalar: char) -> bool {
    matches!(scalar, ESC | DCS | SOS | CSI | OSC | PM | APC)
}

/// The place behind the sequence that starts at `start`. `ends` must be of the
/// same text, and starts must not go down.
pub(super) fn sequence_end(read: Read<'_>, start: usize, ends: &mut StringEnds) -> Option<usize> {
    let (introducer, at) = read(start)?;
    match introducer {
        CSI => control_end(read, at),
        OSC => ends.osc.end(read, at, osc_end),
        DCS | SOS | PM | APC => ends.other.end(read, at, other_string_end),
        ESC => {
            let (second, behind) = read(at)?;
            match second {
                '[' => control_end(read, behind),
                ']' => ends.osc.end(read, behind, osc_end),
                'P' | 'X' | '^' | '_' => ends.other.end(read, behind, other_string_end),
                ' '..='/' => final_end(read, skip(read, behind, ' '..='/'), '0'..='~'),
                '0'..='~' => Some(behind),
                _ => None,
            }
        }
        _ => None,
    }
}

/// The end of a control sequence of which parameters start at `at`.
fn control_end(read: Read<'_>, at: usize) -> Option<usize> {
    final_end(read, skip(read, skip(read, at, '0'..='?'), ' '..='/'), '@'..='~')
}

/// The place behind the last scalar of a sequence, where it is one of `class`.
fn final_end(read: Read<'_>, at: usize, class: RangeInclusive<char>) -> Option<usize> {
    read(at).filter(|(last, _)| class.contains(last)).map(|(_, end)| end)
}

/// Ends of the two kinds of strings, each searched for once: many introducers
/// before one end must not cost the square of it.
#[derive(Default)]
pub(super) struct StringEnds {
    osc: StringEnd,
    other: StringEnd,
}

/// What was found last.
#[derive(Default)]
struct StringEnd {
    /// Where the string ends, or what is no part of one stands.
    stop: usize,
    /// The place behind the terminator.
    end: Option<usize>,
}

impl StringEnd {
    fn end(
        &mut self,
        read: Read<'_>,
        at: usize,
        find: fn(Read<'_>, usize) -> StringEnd,
    ) -> Option<usize> {
        if at > self.stop || self.stop == 0 {
            *self = find(read, at);
        }
        self.end
    }
}

/// An operating system command ends at BEL or ST; another escape, CAN or SUB
/// breaks it off.
fn osc_end(read: Read<'_>, at: usize) -> StringEnd {
    let mut stop = at;
    loop {
        let Some((scalar, next)) = read(stop) else { return StringEnd { stop, end: None } };
        match scalar {
            '\u{7}' | ST => return StringEnd { stop, end: Some(next) },
            ESC => return StringEnd { stop, end: final_end(read, next, '\\'..='\\') },
            '\u{18}' | '\u{1a}' => return StringEnd { stop, end: None },
            _ => stop = next,
        }
    }
}

/// Any other string ends at ST alone. A doubled escape is part of it: that is
/// how multiplexers pass sequences through.
fn other_string_end(read: Read<'_>, at: usize) -> StringEnd {
    let mut stop = at;
    loop {
        let Some((scalar, next)) = read(stop) else { return StringEnd { stop, end: None } };
        match scalar {
            ST => return StringEnd { stop, end: Some(next) },
            ESC => match read(next) {
                Some(('\\', end)) => return StringEnd { stop, end: Some(end) },
                Some((ESC, doubled)) => stop = doubled,
                Some(_) | None => return StringEnd { stop, end: None },
            },
            '\u{18}' | '\u{1a}' => return StringEnd { stop, end: None },
            _ => stop = next,
        }
    }
}

fn skip(read: Read<'_>, mut at: usize, class: RangeInclusive<char>) -> usize {
    while let Some((scalar, next)) = read(at)
        && class.contains(&scalar)
    {
        at = next;
    }
    at
}

const ESC: char = '\u{1b}';
const DCS: char = '\u{90}';
const SOS: char = '\u{98}';
const CSI: char = '\u{9b}';
const ST: char = '\u{9c}';
const OSC: char = '\u{9d}';
const PM: char = '\u{9e}';
const APC: char = '\u{9f}';
