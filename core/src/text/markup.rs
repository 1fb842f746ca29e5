//! Where a head of Markdown, HTML or XML ends: at the border of a block or of
//! an element, where one is near.

use alloc::string::String;

use super::lines::{Lines, text_end};
use super::{Kind, unit, whole_around};

/// The end of a head of `body` that a border gives, and what closes a block of
/// code that it opens. `None` where no border is near; `room` is less than the
/// body.
pub(super) fn head_end(body: &str, room: usize, kind: Kind) -> Option<(usize, String)> {
    match kind {
        Kind::Markdown => markdown(body, room),
        Kind::Html => element_end(body, room, room / 8, &|name| {
            BLOCKS.iter().any(|block| name.eq_ignore_ascii_case(block))
        }),
        Kind::Xml => {
            let [outer, inner] = children(body);
            let end = |name: &str| {
                element_end(body, room, room / 4, &|found| !name.is_empty() && found == name)
            };
            end(&outer).or_else(|| end(&inner))
        }
        Kind::Plain | Kind::Log | Kind::Diff | Kind::Rows(_) | Kind::Listing(_) => None,
    }
}

/// Elements whose end ends a block of a page.
const BLOCKS: [&str; 34] = [
    "p",
    "div",
    "li",
    "ul",
    "ol",
    "dl",
    "dd",
    "dt",
    "tr",
    "table",
    "tbody",
    "thead",
    "section",
    "article",
    "header",
    "footer",
    "nav",
    "main",
    "aside",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "pre",
    "blockquote",
    "form",
    "figure",
    "script",
    "style",
    "head",
    "body",
    "title",
];

/// Behind the last end tag of such a name within `reach` before `room`.
fn element_end(
    body: &str,
    room: usize,
    reach: usize,
    is_border: &dyn Fn(&str) -> bool,
) -> Option<(usize, String)> {
    let bytes = body.as_bytes();
    let least = room - reach;
    let mut at = room;
    while at > least {
        let before = bytes.get(least..at)?;
        let close = least + before.iter().rposition(|byte| *byte == b'>')?;
        at = close;
        let near = bytes.get(close.saturating_sub(66)..close).unwrap_or_default();
        let Some(open) = near.iter().rposition(|byte| *byte == b'<') else { continue };
        let name = near.get(open + 1..).unwrap_or_default();
        // A slash may be written as an escape.
        let name = name.strip_prefix(b"\\").unwrap_or(name).strip_prefix(b"/");
        let Some(name) = name.and_then(|name| core::str::from_utf8(name).ok()) else { continue };
        if is_border(name.trim_end()) {
            let mut end = close + 1;
            // The line end goes with it.
            if let Some(next) = unit::next(body, end)
                && next.scalar == '\n'
                && next.end <= room
            {
                end = next.end;
            }
            if whole_around(body, end).is_none() {
                return Some((end, String::new()));
            }
        }
    }
    None
}

/// The names of the first element inside the root, and of the first inside
/// that one.
fn children(body: &str) -> [String; 2] {
    let sample = unit::decode(body, 0, 4_096.min(body.len()));
    let mut names = [String::new(), String::new()];
    let mut depth = 0;
    for tag in sample.split('<').skip(1) {
        let name: &str =
            tag.split(|s: char| s.is_whitespace() || matches!(s, '>' | '/')).next().unwrap_or("");
        if tag.starts_with(['?', '!']) {
            continue;
        }
        if tag.starts_with('/') {
            depth -= 1;
            continue;
        }
        if let Some(slot) = usize::try_from(depth - 1).ok().and_then(|at| names.get_mut(at))
            && slot.is_empty()
        {
            slot.push_str(name);
        }
        let closed = tag.split('>').next().is_some_and(|inside| inside.ends_with('/'));
        depth += i32::from(!closed);
    }
    names
}

/// Before a heading, behind a blank line or a block of code; inside of a long
/// one at a line end, and then it is closed.
fn markdown(body: &str, room: usize) -> Option<(usize, String)> {
    let room = room.checked_sub(CLOSE_MAX_BYTES)?;
    let least = room - room / 8;
    let mut fence: Option<&str> = None;
    let (mut border, mut line_end) = (0, 0);
    for line in Lines::new(body, 0, body.len()) {
        let text = body.get(line.0..text_end(body, line)).unwrap_or_default();
        let start = text.trim_start_matches(' ');
        if line.0 > room {
            break;
        }
        if fence.is_none() && start.starts_with('#') {
            border = line.0;
        }
        if line.1 > room {
            break;
        }
        line_end = line.1;
        match fence {
            Some(open) if start.starts_with(open) => {
                fence = None;
                border = line.1;
            }
            Some(_) => {}
            None => {
                let run = fence_of(start);
                if run.is_some() {
                    // Before it, no block is open.
                    border = line.0;
                    fence = run;
                } else if start.is_empty() {
                    border = line.1;
                }
            }
        }
    }
    if border > 0 && border >= least {
        return Some((border, String::new()));
    }
    let mut close = String::new();
    if let Some(open) = fence
        && line_end > 0
        && line_end >= least
    {
        close.push_str(open);
        close.push_str("\\n");
        return Some((line_end, close));
    }
    None
}

/// The fence that a line opens, where it is one that is worth closing.
fn fence_of(start: &str) -> Option<&str> {
    let mark = start.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
    let run = start.len() - start.trim_start_matches(mark).len();
    if (3..=8).contains(&run) { start.get(..run) } else { None }
}

/// A fence and a line end.
const CLOSE_MAX_BYTES: usize = 10;
