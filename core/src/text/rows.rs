//! Cuts a text of rows between rows: tables, and lines of JSON. The header
//! stays, the rows are counted, and so does a line behind them that sums up.

use alloc::format;

use super::lines::{Line, Lines, text_end};
use super::pieces::{Pieces, digits};
use super::{Keep, unit};

/// What the rows of a text are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rows {
    /// Rows at the start that stay: names of columns, and what divides them
    /// from the rest.
    pub(crate) header: usize,
    /// A quoted line end ends no row.
    pub(crate) quotes: bool,
    /// What they are called.
    pub(crate) unit: &'static str,
}

/// Cuts `body`, which is longer than `room`. `None` where rows are too long
/// for the room.
pub(super) fn cut<'b>(body: &'b str, room: usize, rows: Rows, keep: Keep) -> Option<Pieces<'b>> {
    let mut lines = Lines::new(body, 0, body.len()).quoted(rows.quotes);
    let header_end = lines.by_ref().take(rows.header).last().map_or(0, |line| line.1);
    if header_end > room / 4 {
        return None;
    }
    let foot = Some(footer(body, header_end)).filter(|at| body.len() - at <= room / 4);
    let cut = |foot: usize| cut_before(body, room, rows, keep, (lines.clone(), header_end, foot));
    foot.and_then(cut).or_else(|| cut(body.len()))
}

/// Cuts the rows that `lines` gives, which start at `header_end`; what starts
/// at `foot` stays. `None` where that is inside a row.
fn cut_before<'b>(
    body: &'b str,
    room: usize,
    rows: Rows,
    keep: Keep,
    (lines, header_end, foot): (Lines<'b>, usize, usize),
) -> Option<Pieces<'b>> {
    // `[N of M rows, N of M bytes]`, and a line end on each side.
    let most = 4 * digits(body.len()) + rows.unit.len() + 26;
    let space = room.checked_sub(header_end + (body.len() - foot) + most)?;
    let head_space = match keep {
        Keep::Head => space,
        Keep::Tail => 0,
        Keep::HeadAndTail => space / 2,
    };
    let mut head = (header_end, true);
    let mut tail = None;
    let (mut all, mut kept) = (0usize, 0usize);
    for line in lines {
        if line.0 >= foot {
            break;
        }
        if line.1 > foot {
            return None;
        }
        let counts = usize::from(text_end(body, line) > line.0);
        all += counts;
        if head.1 && line.1 - header_end <= head_space {
            head.0 = line.1;
            kept += counts;
            continue;
        }
        head.1 = false;
        let left = if keep == Keep::Head { 0 } else { space - (head.0 - header_end) };
        if line.0 >= foot.saturating_sub(left) {
            tail = tail.or(Some(line.0));
            kept += counts;
        }
    }
    let tail = tail.unwrap_or(foot);
    let used = head.0 - header_end + (foot - tail);
    if kept == 0 || space - used > room / 4 || tail < head.0 {
        return None;
    }
    let mut pieces = Pieces::new(body, room);
    pieces.span(0, head.0);
    pieces.end_line();
    let bytes = head.0 + (body.len() - tail);
    let unit = rows.unit;
    pieces.say(&format!("[{kept} of {all} {unit}, {bytes} of {} bytes]", body.len()));
    if tail < body.len() {
        pieces.say("\\n");
    }
    pieces.span(tail, body.len());
    Some(pieces)
}

/// Where the lines start that sum up a table; the body's length where none do.
fn footer(body: &str, header_end: usize) -> usize {
    const NEAR_BYTES: usize = 480;
    let from = unit::ceil(body, body.len().saturating_sub(NEAR_BYTES)).max(header_end);
    let mut last: [Line; 4] = [(body.len(), body.len()); 4];
    for (at, line) in Lines::new(body, from, body.len()).enumerate() {
        // The first is but the end of one, where the window cuts it.
        if at > 0 || from == header_end {
            last.rotate_left(1);
            last[3] = line;
        }
    }
    let mut foot = body.len();
    for line in last.iter().rev().filter(|line| line.0 < line.1) {
        let text = unit::decode(body, line.0, line.1);
        let text = text.trim();
        let frame = !text.is_empty() && text.bytes().all(|byte| b"+-=| ".contains(&byte));
        // The frame above a line that sums up goes with it.
        if sums_up(text) || (frame && foot < body.len()) {
            foot = line.0;
        } else if !text.is_empty() && !frame {
            break;
        }
    }
    foot
}

/// `(600 rows)`, `600 rows in set`, `Total 12`.
fn sums_up(text: &str) -> bool {
    let mut low = alloc::string::String::from(text.get(..text.len().min(96)).unwrap_or_default());
    low.make_ascii_lowercase();
    let low = low.trim_start_matches(['|', ' ', '"', '*']);
    low.starts_with("total")
        || low.starts_with("showing ")
        || (low.starts_with(|first: char| first == '(' || first.is_ascii_digit())
            && low.split([' ', ')']).any(|word| matches!(word, "rows" | "row")))
}
