//! Cuts plain text that stands inside a JSON string, on the encoded bytes.
//!
//! A *body* is what stands between the quotes of a valid JSON string: raw
//! UTF-8 and escapes. Offsets in and out are offsets into it; it is never
//! decoded as a whole. A cut costs time in proportion to a window around it,
//! plus the length of a run (of backslashes, regional indicators or combining
//! characters) that the window ends in.
//!
//! Knows nothing of MCP or of budgets. Never panics: where a body is no valid
//! JSON string the answer is merely arbitrary, and still within the room.

mod ansi;
mod cluster;
mod data_uri;
mod diff;
mod kind;
mod lines;
mod listing;
mod log;
mod markup;
mod pieces;
mod prose;
mod rows;
mod strip;
mod unit;

use alloc::string::String;

use unit::Unit;

pub use data_uri::{DataUri, next_data_uri};
pub(crate) use data_uri::{lift, without_half_remarks};
pub(crate) use kind::Kind;
pub use log::is_log;
pub(crate) use pieces::ends_line;
pub use prose::is_prose;
pub use strip::without_ansi;

/// Which part of a text stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// The beginning.
    Head,
    /// The end.
    Tail,
    /// Beginning and end, half of the room each; what the head leaves of its
    /// half goes to the tail.
    HeadAndTail,
}

/// Where a body is cut: `body[..head_end]` and `body[tail_start..]` stay.
/// `head_end <= tail_start <= body.len()`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextCut {
    /// Offset behind the part of the head that stays; zero where none does.
    pub head_end: usize,
    /// Offset of the part of the tail that stays; the body's length where
    /// none does.
    pub tail_start: usize,
}

/// A grapheme cluster or an ANSI escape sequence of at most so many decoded
/// bytes is never cut (contract B8). A longer one may be, between two scalar
/// values: else one endless cluster would leave nothing of a text.
pub(crate) const WHOLE_MAX_BYTES: usize = 256;

/// Picks what stays of `body` within `room_bytes` encoded bytes, inclusive:
/// `head_end + (body.len() - tail_start) <= room_bytes`.
///
/// No cut falls inside a scalar value, a JSON escape, a surrogate pair written
/// as two escapes, or a grapheme cluster or ANSI escape sequence of up to 256
/// decoded bytes. A cut falls behind a line end where one is within a
/// sixteenth of the room (at most 1,024 bytes; at least 24 from 64 bytes of
/// room up), else as close to the limit as is legal. Where not even the first
/// cluster has room, nothing stays. A body that fits stays whole.
///
/// ```
/// use result_budget_core::text::{Keep, TextCut, cut};
/// assert_eq!(cut(r"ab\ncd", 3, Keep::Head), TextCut { head_end: 2, tail_start: 6 });
/// assert_eq!(cut(r"ab\ncd", 3, Keep::Tail), TextCut { head_end: 0, tail_start: 4 });
/// assert_eq!(cut("abcdefg", 4, Keep::HeadAndTail), TextCut { head_end: 2, tail_start: 5 });
/// ```
#[must_use]
pub fn cut(body: &str, room_bytes: usize, keep: Keep) -> TextCut {
    let all = body.len();
    if all <= room_bytes {
        return TextCut { head_end: all, tail_start: all };
    }
    match keep {
        Keep::Head => TextCut { head_end: head_end(body, room_bytes), tail_start: all },
        Keep::Tail => TextCut { head_end: 0, tail_start: tail_start(body, room_bytes) },
        Keep::HeadAndTail => {
            let head_end = head_end(body, room_bytes / 2);
            // OK because a head is never longer than its room. The gap stays
            // open: the tail starts behind `all - room_bytes + head_end`.
            TextCut { head_end, tail_start: tail_start(body, room_bytes - head_end) }
        }
    }
}

/// What a cut by kind left of a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// Parts of the body in order, with texts of ours between them.
    pub body: String,
    /// Bytes that are of the body.
    pub kept_bytes: usize,
}

/// Cuts `body`, which is longer than `room_bytes`, as the kind of text that it
/// is has it: diffs at files and hunks, tables and lines of JSON between rows,
/// listings by depth and width. `None` where it is of another kind, or where
/// that leaves too little: then [`cut`] is the way.
///
/// What stays is at most `room_bytes` long; its parts begin and end at line
/// ends, and each is told by a text in brackets. `keep` speaks of rows alone.
/// Costs one pass over the body.
#[must_use]
pub fn cut_by_kind(body: &str, room_bytes: usize, keep: Keep) -> Option<Shown> {
    shown_by_kind(body, room_bytes, Kind::of(body), keep)
}

/// [`cut_by_kind`] where the kind is known.
pub(crate) fn shown_by_kind(
    body: &str,
    room_bytes: usize,
    kind: Kind,
    keep: Keep,
) -> Option<Shown> {
    let pieces = match kind {
        Kind::Diff => diff::cut(body, room_bytes),
        Kind::Rows(form) => rows::cut(body, room_bytes, form, keep),
        Kind::Listing(how) => listing::cut(body, room_bytes, how),
        Kind::Plain | Kind::Log | Kind::Xml | Kind::Html | Kind::Markdown => None,
    }?;
    // OK because each of them counts what it writes; else the plain cut is one
    // that holds.
    (pieces.out.len() <= room_bytes).then_some(Shown { body: pieces.out, kept_bytes: pieces.kept })
}

/// The end of a head of at most `room_bytes`, of a body that is longer, and
/// what closes a block that it leaves open; both together fit.
pub(crate) fn head_by_kind(body: &str, room_bytes: usize, kind: Kind) -> (usize, String) {
    markup::head_end(body, room_bytes, kind)
        .filter(|(_, close)| kind == Kind::Markdown || close.is_empty())
        .unwrap_or_else(|| (cut(body, room_bytes, Keep::Head).head_end, String::new()))
}

/// Number of bytes of UTF-8 that `body`, or a part of a body that a cut left,
/// decodes to. An escape of half a surrogate pair counts as U+FFFD.
///
/// ```
/// assert_eq!(result_budget_core::text::decoded_bytes(r"a\n\u00e9\ud83d\ude00"), 8);
/// ```
#[must_use]
pub fn decoded_bytes(body: &str) -> usize {
    let bytes = body.as_bytes();
    let (mut count, mut at) = (bytes.len(), 0);
    while let Some(found) = unit::find_backslash(bytes, at) {
        let Unit { end, scalar, .. } = unit::escape(bytes, found);
        // OK because no escape is shorter than what it stands for.
        count -= end - found - scalar.len_utf8();
        at = end;
    }
    count
}

/// Number of lines of `body`: line feeds, and one more where text stands
/// behind the last.
///
/// ```
/// assert_eq!(result_budget_core::text::lines(r"a\nb\u000a"), 2);
/// assert_eq!(result_budget_core::text::lines(r"a\\nb"), 1);
/// ```
#[must_use]
pub fn lines(body: &str) -> usize {
    let bytes = body.as_bytes();
    let (mut count, mut line_start, mut at) = (0, 0, 0);
    while let Some(found) = unit::find_backslash(bytes, at) {
        let Unit { end, scalar, .. } = unit::escape(bytes, found);
        if scalar == '\n' {
            count += 1;
            line_start = end;
        }
        at = end;
    }
    count + usize::from(line_start < bytes.len())
}

/// The cut for a head of at most `room` bytes, of a body that is longer.
fn head_end(body: &str, room: usize) -> usize {
    let nearest = room - line_reach(room);
    let mut at = room;
    while at > 0 && at >= nearest {
        if unit::line_ends_at(body.as_bytes(), at) {
            match whole_around(body, at) {
                None => return at,
                // Every place inside it is as illegal as this one.
                Some((start, _)) => at = start,
            }
        } else {
            at -= 1;
        }
    }
    let mut at = unit::floor(body, room);
    while let Some((start, _)) = whole_around(body, at) {
        at = start;
    }
    at
}

/// The cut for a tail of at most `room` bytes, of a body that is longer.
fn tail_start(body: &str, room: usize) -> usize {
    let earliest = body.len() - room;
    let farthest = earliest + line_reach(room);
    let mut at = earliest;
    while at <= farthest {
        if unit::line_ends_at(body.as_bytes(), at) {
            match whole_around(body, at) {
                None => return at,
                Some((_, end)) => at = end,
            }
        } else {
            at += 1;
        }
    }
    let mut at = unit::ceil(body, earliest);
    while let Some((_, end)) = whole_around(body, at) {
        at = end;
    }
    at
}

/// How far from the limit a line end is near; less than `room`, unless that
/// is zero.
fn line_reach(room: usize) -> usize {
    let least = if room >= 64 { 24 } else { 0 };
    (room / 16).min(1_024).max(least)
}

/// Start and end of a sequence or cluster that must stay whole and that `at`,
/// a boundary of units, stands inside. Everything between its ends is
/// illegal.
fn whole_around(body: &str, at: usize) -> Option<(usize, usize)> {
    ansi::around(body, at).or_else(|| cluster::around(body, at))
}
