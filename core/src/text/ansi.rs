//! ANSI escape sequences (ECMA-48, and what terminals made of it) in an
//! encoded body, around one place.
//!
//! What does not parse as a sequence, or has no end, is none.

use alloc::vec::Vec;

use super::WHOLE_MAX_BYTES;
use super::unit::{self, Unit};

/// Start and end of the longest sequence of up to 256 decoded bytes that `at`
/// stands inside.
pub(super) fn around(body: &str, at: usize) -> Option<(usize, usize)> {
    let window = Window::around(body, at)?;
    let mut ends = StringEnds::default();
    for start in 0..window.split {
        if let Some(end) = sequence_end(&window.units, start, &mut ends)
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
            if matches!(unit.scalar, ESC | DCS | SOS | CSI | OSC | PM | APC) {
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

/// Index behind the sequence that starts at `start`. `ends` must be of the
/// same units, and starts must not go down.
fn sequence_end(units: &[Unit], start: usize, ends: &mut StringEnds) -> Option<usize> {
    match scalar(units, start)? {
        CSI => control_end(units, start + 1),
        OSC => ends.osc.end(units, start + 1, osc_end),
        DCS | SOS | PM | APC => ends.other.end(units, start + 1, other_string_end),
        ESC => match scalar(units, start + 1)? {
            '[' => control_end(units, start + 2),
            ']' => ends.osc.end(units, start + 2, osc_end),
            'P' | 'X' | '^' | '_' => ends.other.end(units, start + 2, other_string_end),
            ' '..='/' => {
                let last = skip(units, start + 2, ' '..='/');
                matches!(scalar(units, last)?, '0'..='~').then_some(last + 1)
            }
            '0'..='~' => Some(start + 2),
            _ => None,
        },
        _ => None,
    }
}

/// The end of a control sequence of which parameters start at `at`.
fn control_end(units: &[Unit], at: usize) -> Option<usize> {
    let intermediates = skip(units, at, '0'..='?');
    let last = skip(units, intermediates, ' '..='/');
    matches!(scalar(units, last)?, '@'..='~').then_some(last + 1)
}

/// Ends of the two kinds of strings, each searched for once: many introducers
/// before one end must not cost the square of it.
#[derive(Default)]
struct StringEnds {
    osc: StringEnd,
    other: StringEnd,
}

/// What was found last.
#[derive(Default)]
struct StringEnd {
    /// Where the string ends, or what is no part of one stands.
    stop: usize,
    /// Index behind the terminator.
    end: Option<usize>,
}

impl StringEnd {
    fn end(
        &mut self,
        units: &[Unit],
        at: usize,
        find: fn(&[Unit], usize) -> StringEnd,
    ) -> Option<usize> {
        if at > self.stop || self.stop == 0 {
            *self = find(units, at);
        }
        self.end
    }
}

/// An operating system command ends at BEL or ST; another escape, CAN or SUB
/// breaks it off.
fn osc_end(units: &[Unit], at: usize) -> StringEnd {
    let mut stop = at;
    loop {
        match (scalar(units, stop), scalar(units, stop + 1)) {
            (Some('\u{7}' | ST), _) => return StringEnd { stop, end: Some(stop + 1) },
            (Some(ESC), Some('\\')) => return StringEnd { stop, end: Some(stop + 2) },
            (None | Some(ESC | '\u{18}' | '\u{1a}'), _) => return StringEnd { stop, end: None },
            _ => stop += 1,
        }
    }
}

/// Any other string ends at ST alone. A doubled escape is part of it: that is
/// how multiplexers pass sequences through.
fn other_string_end(units: &[Unit], at: usize) -> StringEnd {
    let mut stop = at;
    loop {
        match (scalar(units, stop), scalar(units, stop + 1)) {
            (Some(ST), _) => return StringEnd { stop, end: Some(stop + 1) },
            (Some(ESC), Some('\\')) => return StringEnd { stop, end: Some(stop + 2) },
            (Some(ESC), Some(ESC)) => stop += 2,
            (None | Some(ESC | '\u{18}' | '\u{1a}'), _) => return StringEnd { stop, end: None },
            _ => stop += 1,
        }
    }
}

fn scalar(units: &[Unit], at: usize) -> Option<char> {
    units.get(at).map(|unit| unit.scalar)
}

fn skip(units: &[Unit], from: usize, class: core::ops::RangeInclusive<char>) -> usize {
    let mut at = from;
    while scalar(units, at).is_some_and(|scalar| class.contains(&scalar)) {
        at += 1;
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
