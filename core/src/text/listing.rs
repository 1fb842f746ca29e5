//! Cuts a listing of a tree by depth and width: what is near the root stays,
//! what is below is counted on the line that it belongs to.

use alloc::format;
use alloc::vec::Vec;

use super::lines::{Line, Lines, text_end};
use super::pieces::{Pieces, digits};
use super::unit;
use result_budget_json::lines::{Line as Sampled, has};

/// How a listing shows what is below what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Listing {
    /// Lines drawn in boxes, as `tree` and `npm ls` do.
    Drawn,
    /// Paths, one a line.
    Paths,
    /// A folder's name and a colon, then what is in it, as `ls -R` does.
    Folders,
}

/// Levels that are told apart; what is deeper is of the deepest.
const LEVELS: usize = 32;
/// Widths that are told apart: powers of two.
const WIDTHS: usize = 24;

/// What stands at one level.
#[derive(Clone, Copy, Default)]
struct Level {
    /// Bytes of its lines.
    bytes: usize,
    /// Lines behind which deeper ones follow.
    parents: usize,
    /// Bytes and number of lines by their place among their siblings: bucket
    /// `n` is of the places from `2^(n-1)` to below `2^n`, 0 of the first.
    by_place: [(usize, usize); WIDTHS],
}

/// The place of a line in the tree, from line to line.
#[derive(Clone)]
struct Places {
    how: Listing,
    /// Children seen at each level since the last line above it.
    seen: [usize; LEVELS],
    last: usize,
}

impl Places {
    fn new(how: Listing) -> Self {
        Places { how, seen: [0; LEVELS], last: 0 }
    }

    /// Level of the next line, and its place among its siblings.
    fn next(&mut self, body: &str, line: Line) -> (usize, usize) {
        let level = depth(body, line, self.how).min(LEVELS - 1);
        if level < self.last {
            for seen in self.seen.iter_mut().skip(level + 1) {
                *seen = 0;
            }
        }
        self.last = level;
        let Some(seen) = self.seen.get_mut(level) else { return (level, 0) };
        *seen += 1;
        (level, *seen - 1)
    }
}

/// How deep a line stands.
fn depth(body: &str, line: Line, how: Listing) -> usize {
    let text = body.get(line.0..line.1).unwrap_or_default();
    match how {
        Listing::Drawn => {
            let (mut at, mut column) = (line.0, 0);
            while let Some(unit) = unit::next(body, at)
                && unit.end <= line.1
                && is_drawn(unit.scalar)
            {
                at = unit.end;
                column += 1;
            }
            column / 2
        }
        Listing::Paths => {
            let end = text_end(body, line) - line.0;
            let path = text.get(..end).unwrap_or_default();
            path.strip_suffix('/').unwrap_or(path).bytes().filter(|byte| *byte == b'/').count()
        }
        Listing::Folders => {
            let end = text_end(body, line) - line.0;
            let name = text.get(..end).unwrap_or_default();
            usize::from(!name.is_empty() && !name.ends_with(':'))
        }
    }
}

/// What a tree is drawn with, before a name.
fn is_drawn(scalar: char) -> bool {
    matches!(
        scalar,
        ' ' | '\u{a0}'
            | '│'
            | '├'
            | '└'
            | '─'
            | '┬'
            | '╰'
            | '┃'
            | '┣'
            | '┗'
            | '━'
            | '|'
            | '`'
            | '+'
            | '-'
            | '\\'
    )
}

/// Cuts `body`, which is longer than `room`. `None` where nothing of it can be
/// shown so.
pub(super) fn cut(body: &str, room: usize, how: Listing) -> Option<Pieces<'_>> {
    let mut levels = [Level::default(); LEVELS];
    let mut places = Places::new(how);
    let mut all = 0usize;
    let mut last = 0;
    for line in Lines::new(body, 0, body.len()) {
        let (level, place) = places.next(body, line);
        if all > 0 && level > last {
            for above in levels.get_mut(last..level).unwrap_or_default() {
                above.parents += 1;
            }
        }
        if let Some(level) = levels.get_mut(level) {
            level.bytes += line.1 - line.0;
            let bucket = place.checked_ilog2().map_or(0, |log| log as usize + 1).min(WIDTHS - 1);
            if let Some((bytes, count)) = level.by_place.get_mut(bucket) {
                *bytes += line.1 - line.0;
                *count += 1;
            }
        }
        last = level;
        all += 1;
    }
    let width = digits(all);
    // ` [N more below]`
    let mark = 14 + width;
    // `[N of M lines, N of M bytes]`, line ends, and one mark for the road.
    let closing = 28 + 2 * width + 2 * digits(body.len()) + mark + 4;
    let space = room.checked_sub(closing)?;
    let (levels_whole, width_whole, sure) = choose(&levels, space, mark)?;
    let mut extra = space - sure;

    let mut pieces = Pieces::new(body, room);
    let mut places = Places::new(how);
    let (mut hidden, mut kept) = (0usize, 0usize);
    // Nothing is shown below a line that is not.
    let mut below = usize::MAX;
    // Since the last line that was sure: was another shown, was one not?
    let (mut expanded, mut gap) = (false, false);
    // The line end of the last line shown: a mark goes before it.
    let mut open: Option<Line> = None;
    for line in Lines::new(body, 0, body.len()) {
        let (level, place) = places.next(body, line);
        // Behind a line that is shown, what follows is counted on this one instead.
        let cost = line.1 - line.0 + if hidden > 0 { mark } else { 0 };
        let is_sure = level < levels_whole || (level == levels_whole && place < width_whole);
        let stays = if level > below {
            false
        } else {
            below = usize::MAX;
            is_sure || cost <= extra
        };
        if !stays {
            below = below.min(level);
            hidden += 1;
            gap = true;
            continue;
        }
        if !is_sure {
            extra -= cost;
            expanded = true;
        } else if core::mem::replace(&mut expanded, false) && hidden == 0 && !gap {
            // All of it is shown: no mark is needed, though one was set aside.
            extra += mark;
        }
        gap &= !is_sure;
        close(&mut pieces, open, hidden);
        hidden = 0;
        let end = text_end(body, line);
        pieces.span(line.0, end);
        open = Some((end, line.1));
        kept += 1;
    }
    close(&mut pieces, open, hidden);
    pieces.end_line();
    pieces.say(&format!("[{kept} of {all} lines, {} of {} bytes]", pieces.kept, body.len()));
    (kept > 0).then_some(pieces)
}

/// Ends the line shown last, and says how many behind it are not shown.
fn close(pieces: &mut Pieces<'_>, open: Option<Line>, hidden: usize) {
    if hidden > 0 {
        let blank = if open.is_some() { " " } else { "" };
        pieces.say(&format!("{blank}[{hidden} more below]"));
    }
    match open {
        Some(end) => pieces.span(end.0, end.1),
        None if hidden > 0 => pieces.say("\\n"),
        None => {}
    }
}

/// The levels that stay whole, how many children of each line stay at the one
/// below them, and what all of that weighs at most.
fn choose(levels: &[Level; LEVELS], space: usize, mark: usize) -> Option<(usize, usize, usize)> {
    let mut whole = 0;
    let (mut bytes, mut parents) = (0usize, 0usize);
    for level in levels {
        if bytes + level.bytes + level.parents * mark > space {
            break;
        }
        bytes += level.bytes;
        parents = level.parents;
        whole += 1;
    }
    let sure = bytes + parents * mark;
    let Some(next) = levels.get(whole) else { return Some((whole, 0, sure)) };
    let (mut width, mut best) = (0, sure);
    let (mut more, mut count) = (0, 0);
    for (log, bucket) in next.by_place.iter().enumerate() {
        more += bucket.0;
        count += bucket.1;
        let weight = sure + more + count.min(next.parents) * mark;
        if weight > space {
            break;
        }
        (width, best) = (1 << log, weight);
    }
    (best <= space).then_some((whole, width, best))
}

/// What kind of listing the lines of a sample are.
pub(super) fn kind_of(lines: &[Sampled<'_>], head: &str) -> Option<Listing> {
    let is_blank = |line: &Sampled<'_>| match line.text.as_bytes().first() {
        Some(first) if first.is_ascii_graphic() => false,
        Some(_) => line.text.trim().is_empty(),
        None => true,
    };
    let lines: Vec<&Sampled<'_>> = lines.iter().filter(|line| !is_blank(line)).collect();
    if lines.len() < 6 {
        return None;
    }
    let share = |is: &dyn Fn(&Sampled<'_>) -> bool, percent: usize| {
        lines.iter().filter(|line| is(line)).count() * 100 >= lines.len() * percent
    };
    let drawn = |line: &Sampled<'_>| {
        if !line.any(has::WIDE | has::DASH) {
            return false;
        }
        let line = line.text;
        let start = line.trim_start_matches([' ', '\u{a0}', '│', '|', '┃']);
        let before = line.strip_suffix(start).unwrap_or_default();
        start.starts_with(['├', '└', '╰', '┣', '┗'])
            || ["`-- ", "+-- ", "\\-- "].iter().any(|mark| start.starts_with(mark))
            || (before.ends_with('|') && start.starts_with("-- "))
    };
    if share(&drawn, 70) {
        return Some(Listing::Drawn);
    }
    let folder = |line: &Sampled<'_>| line.text.ends_with(':') && line.text.starts_with(['.', '/']);
    let first = lines.first()?;
    if folder(first)
        && head.contains(":\n")
        && lines.iter().filter(|line| folder(line)).count() >= 2
    {
        return Some(Listing::Folders);
    }
    // Neither blanks nor `://`, and nothing else that is rare in a path.
    const NOT_OF_PATHS: u32 = has::BLANK
        | has::TAB
        | has::COLON
        | has::SEMICOLON
        | has::COMMA
        | has::EQUALS
        | has::OF_CODE
        | has::QUOTE
        | has::APOSTROPHE
        | has::BAR;
    let path = |line: &Sampled<'_>| line.any(has::SLASH) && !line.any(NOT_OF_PATHS);
    let alike = lines
        .iter()
        .zip(lines.iter().skip(1))
        .filter(|(a, b)| a.text.split('/').next() == b.text.split('/').next());
    (share(&path, 90) && alike.count() * 2 >= lines.len()).then_some(Listing::Paths)
}
