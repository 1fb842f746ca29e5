//! Whether a shortened text is what its original's head, or head and tail,
//! would be (contract B7, B8).

use unicode_segmentation::GraphemeCursor;

use crate::tree::{Tree, Value};

/// The longest marker that may stand where text was left out, in bytes.
pub const MARKER_MAX_BYTES: usize = 200;

/// How a text was cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// Bytes kept at the head.
    pub head_bytes: usize,
    /// Bytes kept at the tail.
    pub tail_bytes: usize,
}

/// Finds the cut that makes `kept` from `original`.
///
/// # Errors
/// What is wrong, where it is no cut of the original.
pub fn cut_of(original: &str, kept: &str) -> Result<Cut, String> {
    head_and_tail(original, kept).or_else(|fault| {
        pieces_of(original, kept).map_err(|piece| format!("{fault}; nor pieces: {piece:.200}"))
    })
}

/// Finds the cut where more than one part is missing: parts of the original in
/// order, at legal places, with markers of ours between them.
fn pieces_of<'k>(original: &str, kept: &'k str) -> Result<Cut, &'k str> {
    let (mut at, mut bytes) = (0, 0);
    for piece in without_markers(kept) {
        // A line end before or behind a marker may be ours.
        let forms = [piece, piece.strip_suffix('\n').unwrap_or(piece)];
        let found = forms.iter().find_map(|form| {
            let starts = original[at..].match_indices(form).map(|(found, _)| at + found);
            let legal =
                |start: &usize| clean(original, *start) && clean(original, start + form.len());
            starts.take(200).find(legal).map(|start| (start, form.len()))
        });
        let (start, length) = found.ok_or(piece)?;
        at = start + length;
        bytes += length;
    }
    Ok(Cut { head_bytes: bytes, tail_bytes: 0 })
}

/// The parts of a text between what looks like markers of ours.
fn without_markers(kept: &str) -> Vec<&str> {
    let (mut parts, mut from, mut at) = (Vec::new(), 0, 0);
    while let Some(open) = kept[at..].find('[').map(|found| at + found) {
        at = open + 1;
        let Some(close) = kept[open..].find(']').map(|found| open + found + 1) else { break };
        let inside = &kept[open + 1..close - 1];
        let broken = inside.contains(['[', '\n']);
        if broken || inside.len() > MARKER_MAX_BYTES || !is_marker(inside) {
            continue;
        }
        let (mut start, mut end) = (open, close);
        if inside.starts_with('+') || inside.starts_with("diff: ") {
            // A line of an index: all of it is ours.
            end = kept[close..].find('\n').map_or(kept.len(), |found| close + found + 1);
        } else if inside.ends_with(" more below") && kept[..open].ends_with(' ') {
            start -= 1;
            // The line end is that of the line before what is left out.
            let line_end = kept[close..].len() - kept[close..].trim_start_matches('\r').len();
            end += line_end + usize::from(kept[close + line_end..].starts_with('\n'));
        } else if inside.ends_with(" bytes") && kept[..open].ends_with("...") {
            // In a string of structured data.
            start -= 3;
        } else if !inside.starts_with("data URI: ") {
            end += usize::from(kept[close..].starts_with('\n'));
        }
        parts.push(&kept[from..start]);
        (from, at) = (end, end);
    }
    parts.push(&kept[from..]);
    parts.retain(|part| !part.trim_matches(['`', '~', '\n']).is_empty());
    // A fence that is closed by us.
    for part in &mut parts {
        let line = part.trim_end_matches('\n');
        let bare = line.trim_end_matches(['`', '~']);
        if line.len() - bare.len() >= 3 && (bare.is_empty() || bare.ends_with('\n')) {
            *part = bare;
        }
    }
    parts
}

/// What stands between the brackets of a marker.
fn is_marker(inside: &str) -> bool {
    let between = |start: &str, end: &str| {
        inside.strip_prefix(start).and_then(|rest| rest.strip_suffix(end)).is_some_and(is_number)
    };
    let diff = inside.strip_prefix("diff: ").and_then(|rest| rest.split_once(" in part; "));
    let lines = inside.strip_prefix('+').and_then(|rest| rest.split_once(" -"));
    let uri = inside.strip_prefix("data URI: ").and_then(|rest| rest.rsplit_once(", "));
    inside == "..."
        || inside == "as structuredContent"
        || inside.starts_with("see /content/")
        || inside.starts_with("left out: ")
        || between("and ", " more files")
        || between("", " more below")
        || uri.is_some_and(|(_, count)| is_count(count))
        || diff.is_some_and(|(_, count)| is_count(count))
        || lines.is_some_and(|(more, less)| {
            let less = less.split_once(' ').map_or(less, |(less, _)| less);
            is_number(more) && is_number(less)
        })
        || inside.split(", ").all(is_count)
}

/// Whether a text says how much of how much, as in `3 of 7 rows`.
#[must_use]
pub fn is_count(text: &str) -> bool {
    let Some((kept, rest)) = text.split_once(" of ") else { return false };
    let (of, unit) = rest.split_once(' ').unwrap_or((rest, ""));
    let number = |text: &str| text.parse::<u64>().ok().filter(|_| is_number(text));
    let words = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b' ');
    matches!((number(kept), number(of)), (Some(kept), Some(of)) if kept <= of)
        && !unit.is_empty()
        && words(unit)
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Finds the cut that leaves a head and a tail.
fn head_and_tail(original: &str, kept: &str) -> Result<Cut, String> {
    let head = common_head(original, kept);
    let room = kept.len().min(original.len()) - head;
    let tail = common_tail(&original[head..], &kept[head..]).min(room);
    let marker = &kept[head..kept.len() - tail];
    if marker.len() > MARKER_MAX_BYTES {
        return Err(format!(
            "neither head nor head and tail of the original: {} foreign bytes after {head}: `{}`",
            marker.len(),
            marker.chars().take(60).collect::<String>()
        ));
    }
    // A head or a tail alone says nothing in the text where there is no room.
    if !original.starts_with(kept) && !original.ends_with(kept) && !marked(kept, head, tail) {
        return Err(format!(
            "no marker of ours after {head}: `{}`",
            marker.chars().take(60).collect::<String>()
        ));
    }
    // The marker may begin, or end, as the text goes on: the cut may lie a few
    // characters before the first difference.
    if head > 0 && head < original.len() && !backwards(original, head).any(|at| clean(original, at))
    {
        return Err(format!("cut inside a cluster or an escape at byte {head}"));
    }
    let tail_start = original.len() - tail;
    if tail > 0 && !forwards(original, tail_start).any(|at| clean(original, at)) {
        return Err(format!("tail begins inside a cluster or an escape at byte {tail_start}"));
    }
    Ok(Cut { head_bytes: head, tail_bytes: tail })
}

/// Whether a marker of ours stands where what is foreign in `kept` does. It may
/// begin, and end, as the original does there.
fn marked(kept: &str, head: usize, tail: usize) -> bool {
    let open = kept[..head].rfind('[').into_iter();
    let opens = kept[head..].match_indices('[').map(|(at, _)| head + at);
    open.chain(opens).take(64).any(|open| {
        kept[open..].find(']').map(|at| open + at).is_some_and(|close| {
            close + 1 + MARKER_MAX_BYTES >= kept.len() - tail && is_marker(&kept[open + 1..close])
        })
    })
}

/// True where a cut at byte `at` of `text` splits neither a grapheme cluster
/// nor an ANSI escape sequence of up to 256 bytes.
#[must_use]
pub fn clean(text: &str, at: usize) -> bool {
    if at == 0 || at >= text.len() {
        return true;
    }
    text.is_char_boundary(at) && !in_cluster(text, at) && !in_ansi(text.as_bytes(), at)
}

/// Clusters longer than 256 bytes may be cut: they are an attack, no letters.
fn in_cluster(text: &str, at: usize) -> bool {
    let mut cursor = GraphemeCursor::new(at, text.len(), true);
    if cursor.is_boundary(text, 0) == Ok(true) {
        return false;
    }
    let start = cursor.prev_boundary(text, 0).ok().flatten().unwrap_or(0);
    let mut cursor = GraphemeCursor::new(at, text.len(), true);
    let end = cursor.next_boundary(text, 0).ok().flatten().unwrap_or(text.len());
    end - start <= 256
}

fn in_ansi(text: &[u8], at: usize) -> bool {
    let from = at.saturating_sub(256);
    (from..at)
        .filter(|start| text[*start] == 0x1b)
        .any(|start| ansi_end(text, start).is_some_and(|end| at < end && end - start <= 256))
}

/// Offset behind the escape sequence that starts at `start`; `None` where it is
/// none, or never ends.
fn ansi_end(text: &[u8], start: usize) -> Option<usize> {
    match text.get(start + 1)? {
        b'[' => {
            let mut at = start + 2;
            while matches!(text.get(at)?, 0x20..=0x3f) {
                at += 1;
            }
            matches!(text.get(at)?, 0x40..=0x7e).then_some(at + 1)
        }
        b']' | b'P' | b'X' | b'^' | b'_' => {
            let mut at = start + 2;
            loop {
                match text.get(at)? {
                    0x07 => return Some(at + 1),
                    0x1b if text.get(at + 1) == Some(&b'\\') => return Some(at + 2),
                    0x1b => return None,
                    _ => at += 1,
                }
            }
        }
        0x20..=0x2f => {
            let mut at = start + 2;
            while matches!(text.get(at)?, 0x20..=0x2f) {
                at += 1;
            }
            matches!(text.get(at)?, 0x30..=0x7e).then_some(at + 1)
        }
        0x30..=0x7e => Some(start + 2),
        _ => None,
    }
}

/// True where `text` is a JSON list or map.
#[must_use]
pub fn is_json_container(text: &str) -> bool {
    let start = text.trim_start_matches([' ', '\t', '\n', '\r']);
    start.starts_with(['{', '['])
        && Tree::parse(text).is_some_and(|tree| {
            matches!(tree.value, Value::Array(_) | Value::Object(_) | Value::Deep)
        })
}

fn common_head(a: &str, b: &str) -> usize {
    let mut at = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
    while !a.is_char_boundary(at) || !b.is_char_boundary(at) {
        at -= 1;
    }
    at
}

fn common_tail(a: &str, b: &str) -> usize {
    let mut back = a.bytes().rev().zip(b.bytes().rev()).take_while(|(a, b)| a == b).count();
    while !a.is_char_boundary(a.len() - back) || !b.is_char_boundary(b.len() - back) {
        back -= 1;
    }
    back
}

fn backwards(text: &str, from: usize) -> impl Iterator<Item = usize> + '_ {
    (from.saturating_sub(8)..=from).rev().filter(|at| text.is_char_boundary(*at))
}

fn forwards(text: &str, from: usize) -> impl Iterator<Item = usize> + '_ {
    (from..=(from + 8).min(text.len())).filter(|at| text.is_char_boundary(*at))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;

    #[test]
    fn a_cut_is_found_and_a_fake_is_not() {
        let original = "line one\nline two\nline three\nline four\n".repeat(20);
        let kept = format!("{}[10 of 780 bytes]\n{}", &original[..18], &original[720..]);
        let cut = cut_of(&original, &kept).unwrap();
        assert_eq!(cut.head_bytes, 18);
        assert!(cut.tail_bytes >= original.len() - 720);
        assert!(cut_of(&original, &original.replace("line two", "line 2")).is_err());
    }

    #[test]
    fn a_cut_inside_a_sequence_is_seen() {
        let text = format!("{}\u{1b}[38;2;10;20;30;40;50mred", "a".repeat(40));
        assert!(clean(&text, 40));
        for inside in 41..60 {
            assert!(!clean(&text, inside), "{inside}");
        }
        let family = "👨‍👩‍👧‍👦👨‍👩‍👧‍👦";
        assert!(clean(family, family.len() / 2));
        assert!(!clean(family, 7));
        assert!(cut_of(&text, &text[..55]).is_err());
    }
}
