//! Cuts a text that is no JSON, and tells what is missing.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::cell::Cell;

use crate::compose::Job;
use crate::plan::account::{Account, Cut, CutKind};
use crate::settings::TextKeep;
use crate::text::{self, Keep, Kind, ends_line};

/// Cuts the encoded text of block `at` to `room`, with a marker where something
/// is missing, and tells how many bytes of it are payload. `data:` URIs go first,
/// each as a whole.
pub(crate) fn cut_plain(
    job: &Job<'_>,
    at: usize,
    body: &str,
    (path, room): (String, usize),
    account: &mut Account,
) -> (String, usize) {
    let lifted = text::lift(body);
    let (rest, uris, went) =
        lifted.as_ref().map_or((body, 0, 0), |(rest, uris, went)| (rest.as_str(), *uris, *went));
    let (text, kept) = if rest.len() <= room {
        (String::from(rest), body.len() - went)
    } else {
        let of = job.previous.and_then(|previous| previous.of_text(&path));
        cut_text(job, at, (rest, went > 0), room, of.unwrap_or(rest.len()))
    };
    let mut cut = |kind, kept, of, weight| {
        let (path, gone) = (path.clone(), Vec::new());
        account.cut(Cut { path, within: None, kind, kept, of, gone, weight });
    };
    cut(CutKind::Text, kept, body.len(), body.len() - kept.min(body.len()));
    if went > 0 {
        // Of less weight than the text it stands in: that one is told first.
        cut(CutKind::Binary, 0, went, 0);
        // One of them is counted with the cut.
        account.omitted_count += uris - 1;
    }
    (text, kept)
}

/// Which kind of text block `at` is.
fn kind(job: &Job<'_>, at: usize, body: &str) -> Kind {
    let known = job.kinds.get(at);
    known.and_then(Cell::get).unwrap_or_else(|| {
        let kind = Kind::of(body);
        known.inspect(|known| known.set(Some(kind)));
        kind
    })
}

/// The text that stays of the `of` bytes that there were, and how many bytes of
/// it are of `body`; `remarks` says that remarks of ours stand in it.
fn cut_text(
    job: &Job<'_>,
    at: usize,
    (body, remarks): (&str, bool),
    room: usize,
    of: usize,
) -> (String, usize) {
    let digits = of.max(body.len()).to_string().len();
    // `\n[N of M bytes]\n`, at its longest.
    let most = 2 * digits + 16;
    let marked = room >= 8 * most;
    let kind = if marked { kind(job, at, body) } else { Kind::Plain };
    let both_ends = job.envelope.is_error || kind == Kind::Log || {
        matches!(kind, Kind::Rows(rows) if rows.header == 0 && text::is_log(body))
    };
    let (keep, kind) = match job.settings.text_keep {
        TextKeep::Auto if both_ends => (Keep::HeadAndTail, kind),
        TextKeep::Auto => (Keep::Head, kind),
        // What the policy asks for goes over the kind, but for rows: those have
        // ends of their own.
        TextKeep::Head => (Keep::Head, kind.rows_alone()),
        TextKeep::Tail => (Keep::Tail, kind.rows_alone()),
        TextKeep::HeadAndTail => (Keep::HeadAndTail, kind.rows_alone()),
    };
    // Without a marker no more stays than with the first one: a larger room
    // never keeps less.
    let plain = if marked { room - most } else { room.min(7 * most) };
    let keep = if marked || keep == Keep::Tail { keep } else { Keep::Head };
    // How the tool itself says to go on stays (its own last line).
    let trailer = trailer(body)
        .filter(|start| keep == Keep::Head && marked && body.len() - start <= plain / 4);
    let (main, last) = body.split_at(trailer.unwrap_or(body.len()));
    // OK because a trailer is at most a quarter of the room.
    if let Some(shown) = text::shown_by_kind(main, room.saturating_sub(last.len() + 2), kind, keep)
    {
        let mut out = shown.body;
        if !last.is_empty() && !ends_line(&out) {
            out.push_str("\\n");
        }
        out.push_str(last);
        return (out, shown.kept_bytes + last.len());
    }
    let mut close = String::new();
    let cut = if keep == Keep::Head && marked {
        let (head_end, fence) = text::head_by_kind(main, plain - last.len(), kind);
        close = fence;
        text::TextCut { head_end, tail_start: main.len() }
    } else {
        text::cut(body, plain, keep)
    };
    let mut head = body.get(..cut.head_end).unwrap_or_default();
    let mut tail = body.get(cut.tail_start..).unwrap_or_default();
    if remarks {
        (head, tail) = text::without_half_remarks(head, tail);
    }
    let kept = head.len() + tail.len();
    let mut out = String::with_capacity(kept + most);
    out.push_str(head);
    if marked {
        if !head.is_empty() && !ends_line(head) {
            out.push_str("\\n");
        }
        out.push_str(&close);
        out.push_str(&format!("[{kept} of {of} bytes]"));
        if !tail.is_empty() && !tail.starts_with("\\n") {
            out.push_str("\\n");
        }
    }
    out.push_str(tail);
    (out, kept)
}

/// Where the last line of a text starts, when it is short and tells how to go
/// on: where it names a cursor, a page, an offset, or that there is more.
fn trailer(body: &str) -> Option<usize> {
    const SHORT_BYTES: usize = 240;
    const WORDS: [&str; 10] = [
        "cursor",
        "next",
        "more",
        "offset",
        "continue",
        "page",
        "session",
        "token",
        "truncated",
        "remaining",
    ];
    let text = if ends_line(body) { body.len() - 2 } else { body.len() };
    let mut floor = text.saturating_sub(SHORT_BYTES);
    while !body.is_char_boundary(floor) {
        floor += 1;
    }
    let tail = body.get(floor..text)?;
    let start = tail
        .rmatch_indices("\\n")
        .map(|(at, _)| floor + at + 2)
        .find(|at| body.get(..*at).is_some_and(ends_line))?;
    let line = body.get(start..text)?.to_ascii_lowercase();
    (!line.is_empty() && WORDS.iter().any(|word| line.contains(word))).then_some(start)
}
