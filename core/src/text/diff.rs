//! Cuts a unified diff at the borders of files and hunks: an index of all
//! files first, small files whole, the big ones give. What stays of a file
//! keeps its own header, and what stays of a hunk the line that says where it
//! belongs.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::lines::{Line, Lines, text_end};
use super::pieces::{Pieces, digits};
use super::{Keep, cut as cut_text, unit};
use crate::plan::share::{Need, level};
use result_budget_json::lines::Line as Sampled;

/// One file of a diff.
#[derive(Clone, Copy, Debug)]
struct File {
    start: usize,
    end: usize,
    /// Where its path stands.
    path: Line,
    added: usize,
    removed: usize,
}

/// A whole diff, as one pass shows it.
#[derive(Debug, Default)]
struct Files {
    /// The first files.
    listed: Vec<File>,
    /// All files.
    count: usize,
    /// Where the first one starts.
    start: usize,
}

/// Less of a file than its header and so much is not worth showing.
const LEAST_BYTES: usize = 96;
/// Where there are many files, each that is shown has so much room at least.
const SHARE_BYTES: usize = 384;
/// A path in the index is shown up to this length, its end.
const PATH_MAX_BYTES: usize = 200;

/// Where something is missing that the index tells.
const GAP: &str = "[...]\\n";

/// Cuts `body`, which is longer than `room`. `None` where no file is found, or
/// where not even the index has room.
pub(super) fn cut<'b>(body: &'b str, room: usize) -> Option<Pieces<'b>> {
    let files = Files::read(body, room / 24 + 1);
    if files.listed.is_empty() {
        return None;
    }
    let width = digits(body.len());
    // `[diff: N of M files whole, N in part; N of M bytes]` and a line end.
    let head_most = 48 + 5 * width;
    let room = room.checked_sub(head_most)?;
    let (indexed, index_bytes) = files.index(room / 2, width);
    let room = room.checked_sub(index_bytes + 2)?;

    let mut shown = Pieces::new(body, room);
    // What stands before the first file: a commit's message, a table of files.
    if files.start > 0 {
        let most = room / 6;
        if files.start <= most {
            shown.span(0, files.start);
        } else if most > 64 {
            let end = cut_text(body.get(..files.start)?, most - 40, Keep::Head).head_end;
            shown.span(0, end);
            shown.end_line();
            shown.say(GAP);
        }
    }
    // Many files: those that come first, each with a share that says something.
    let mut left = room.checked_sub(shown.out.len())?;
    let needs = needs(files.listed.iter().map(|file| file.end - file.start), left);
    let water = level(&needs, left);
    let mut spare = left.checked_sub(needs.iter().map(|need| need.at(water)).sum())?;
    let (mut whole, mut part) = (0usize, 0usize);
    let mut shares = Vec::new();
    for (file, need) in files.listed.iter().zip(&needs) {
        let share = (need.at(water) + spare).min(left);
        let before = shown.out.len();
        let mut how = How::Nothing;
        // Files between that are not shown leave a mark.
        let gap = if shares.last() == Some(&How::Nothing) { GAP } else { "" };
        if need.whole > 0
            && let Some(share) = share.checked_sub(gap.len())
        {
            shown.say(gap);
            how = if file.end - file.start <= share {
                shown.span(file.start, file.end);
                shown.end_line();
                How::Whole
            } else {
                part_of(&mut shown, body, *file, share)
            };
            if how == How::Nothing {
                shown.out.truncate(before);
            }
        }
        // A line end of ours, behind the last file alone, is set aside.
        let used = shown.out.len() - before;
        whole += usize::from(how == How::Whole);
        part += usize::from(how == How::Part);
        spare = (need.at(water) + spare).saturating_sub(used);
        left = left.saturating_sub(used);
        shares.push(how);
    }
    let mut pieces = Pieces::new(body, room);
    pieces.say(&format!(
        "[diff: {whole} of {} files whole, {part} in part; {} of {} bytes]\\n",
        files.count,
        shown.kept,
        body.len()
    ));
    for (file, how) in files.listed.iter().zip(&shares).take(indexed) {
        pieces.say(&format!("[+{} -{} {}] ", file.added, file.removed, how.name()));
        pieces.say(&file.path_text(body));
        pieces.say("\\n");
    }
    if indexed < files.count {
        pieces.say(&format!("[and {} more files]\\n", files.count - indexed));
    }
    pieces.say(&shown.out);
    pieces.kept = shown.kept;
    Some(pieces)
}

/// What parts of such sizes need: where there are more of them than the room
/// has shares for, the first ones, and the others nothing.
fn needs(sizes: impl Iterator<Item = usize>, room: usize) -> Vec<Need> {
    let mut planned = 0;
    sizes
        .enumerate()
        .map(|(at, whole)| {
            planned += whole.min(SHARE_BYTES);
            Need { least: 0, whole: if planned <= room || at == 0 { whole } else { 0 } }
        })
        .collect()
}

/// How much of a file is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum How {
    Whole,
    Part,
    Nothing,
}

impl How {
    fn name(self) -> &'static str {
        match self {
            How::Whole => "whole",
            How::Part => "part",
            How::Nothing => "none",
        }
    }
}

impl File {
    /// Its path as the index shows it.
    fn path_text(&self, body: &str) -> String {
        let mut end = self.path.0;
        // A line of the index has no line ends and no escape sequences in it.
        while let Some(unit) = unit::next(body, end)
            && unit.end <= self.path.1
            && !unit.scalar.is_control()
        {
            end = unit.end;
        }
        let path = body.get(self.path.0..end).unwrap_or_default();
        if path.len() <= PATH_MAX_BYTES {
            return String::from(path);
        }
        let from = cut_text(path, PATH_MAX_BYTES - 3, Keep::Tail).tail_start;
        format!("...{}", path.get(from..).unwrap_or_default())
    }

    /// Bytes of its line in the index, at most.
    fn index_bytes(&self) -> usize {
        let numbers = digits(self.added) + digits(self.removed);
        numbers + 14 + (self.path.1 - self.path.0).min(PATH_MAX_BYTES)
    }
}

impl Files {
    /// How many files the index lists within `room`, and its bytes.
    fn index(&self, room: usize, width: usize) -> (usize, usize) {
        // `[and N more files]` and a line end.
        let more = 19 + width;
        let (mut bytes, mut fitting) = (0, 0);
        for (at, file) in self.listed.iter().enumerate() {
            bytes += file.index_bytes();
            if bytes + more <= room {
                fitting = at + 1;
            }
            if bytes > room {
                let fitting_bytes: usize =
                    self.listed.iter().take(fitting).map(File::index_bytes).sum();
                return (fitting, fitting_bytes + more);
            }
        }
        if self.listed.len() == self.count {
            return (self.count, bytes);
        }
        let fitting_bytes: usize = self.listed.iter().take(fitting).map(File::index_bytes).sum();
        (fitting, fitting_bytes + more)
    }

    /// Finds the files; at most `most` are listed.
    fn read(body: &str, most: usize) -> Files {
        let mut files = Files::default();
        // Lines of the old and of the new file that the hunk still has.
        let (mut old, mut new) = (0usize, 0usize);
        let mut current: Option<File> = None;
        // The header of a file goes on until its first hunk.
        let mut in_header = false;
        let mut named = false;
        // `Index:` and the `diff` behind it are of one file.
        let mut by_index = false;
        for line in Lines::new(body, 0, body.len()) {
            let text = body.get(line.0..line.1).unwrap_or_default();
            let first = first_of(text);
            if (old > 0 || new > 0) && matches!(first, b'+' | b'-' | b' ') {
                if let Some(file) = &mut current {
                    file.added += usize::from(first == b'+');
                    file.removed += usize::from(first == b'-');
                }
                new = new.saturating_sub(usize::from(first != b'-'));
                old = old.saturating_sub(usize::from(first != b'+'));
                continue;
            }
            let path_at = |skip: usize| (line.0 + skip, path_end(body, line));
            let opens = if text.starts_with("diff ") || text.starts_with("Index: ") {
                !core::mem::replace(&mut by_index, text.starts_with("Index: "))
            } else if text.starts_with("--- ") && !text.starts_with("--- \\n") {
                !in_header || named
            } else {
                false
            };
            if opens {
                files.push(current.take(), line.0, most);
                let path = match text.rfind(" b/") {
                    Some(at) if text.starts_with("diff ") => path_at(at + 3),
                    _ => path_at(text.find(' ').map_or(0, |at| at + 1)),
                };
                let path = without_prefix(body, path);
                current = Some(File { start: line.0, end: body.len(), path, added: 0, removed: 0 });
                (in_header, named) = (true, false);
                (old, new) = (0, 0);
            }
            let Some(file) = &mut current else { continue };
            if in_header && (text.starts_with("--- ") || text.starts_with("+++ ")) {
                let path = without_prefix(body, path_at(4));
                let absent = body.get(path.0..path.1) == Some("/dev/null");
                if !absent {
                    file.path = path;
                }
                named |= text.starts_with("+++ ");
                by_index = false;
            } else if text.starts_with("@@") {
                in_header = false;
                named = true;
                (old, new) = hunk_lines(text);
            }
        }
        files.push(current, body.len(), most);
        files
    }

    /// Notes a file that ends at `end`; before the first one, where it starts.
    fn push(&mut self, file: Option<File>, end: usize, most: usize) {
        let Some(mut file) = file else {
            self.start = end;
            return;
        };
        file.end = end;
        self.count += 1;
        if self.listed.len() < most {
            self.listed.push(file);
        }
    }
}

/// The first byte of a line. An empty line is one of context, of which the
/// blank was lost on the way.
fn first_of(text: &str) -> u8 {
    if text.starts_with("\\n") || text.starts_with("\\r\\n") {
        return b' ';
    }
    text.as_bytes().first().copied().unwrap_or(0)
}

/// Where a path on a line ends: before a tab and a time, and the line end.
fn path_end(body: &str, line: Line) -> usize {
    let end = text_end(body, line);
    body.get(line.0..end).and_then(|text| text.find("\\t")).map_or(end, |at| line.0 + at)
}

/// A path without `a/` or `b/`.
fn without_prefix(body: &str, (start, end): Line) -> Line {
    let end = end.max(start);
    let prefix = |mark: &str| body.get(start..end).is_some_and(|path| path.starts_with(mark));
    (start + 2 * usize::from(prefix("a/") || prefix("b/")), end)
}

/// Lines of the old and the new file, as `@@ -1,7 +1,9 @@` tells them.
fn hunk_lines(text: &str) -> (usize, usize) {
    if text.starts_with("@@@") {
        // A merge of several: its lines go on until the next header.
        return (usize::MAX, usize::MAX);
    }
    let mut words = text.split(' ').skip(1);
    let mut side = || -> usize {
        let word = words.next().unwrap_or("");
        let count = word.split_once(',').map_or("1", |(_, count)| count);
        count.parse().unwrap_or(0)
    };
    (side(), side())
}

/// One hunk of a file.
#[derive(Clone, Copy, Debug)]
struct Hunk {
    start: usize,
    end: usize,
    /// Its lines, the first among them.
    lines: usize,
}

/// Shows a part of `file` within `room`: its header, and of its hunks what
/// fits.
fn part_of(shown: &mut Pieces<'_>, body: &str, file: File, room: usize) -> How {
    let mut hunks: Vec<Hunk> = Vec::new();
    let mut header_end = file.end;
    let (mut old, mut new) = (0usize, 0usize);
    let mut count = 0usize;
    for line in Lines::new(body, file.start, file.end) {
        let text = body.get(line.0..line.1).unwrap_or_default();
        let first = first_of(text);
        if let Some(hunk) = hunks.last_mut() {
            // Also the first line of the next one: it is taken off below.
            hunk.lines += 1;
        }
        if (old > 0 || new > 0) && matches!(first, b'+' | b'-' | b' ') {
            new = new.saturating_sub(usize::from(first != b'-'));
            old = old.saturating_sub(usize::from(first != b'+'));
            continue;
        }
        if text.starts_with("@@") {
            header_end = header_end.min(line.0);
            count += 1;
            if hunks.len() <= room / 16 {
                if let Some(hunk) = hunks.last_mut() {
                    hunk.end = line.0;
                    hunk.lines -= 1;
                }
                hunks.push(Hunk { start: line.0, end: file.end, lines: 1 });
            }
            (old, new) = hunk_lines(text);
        }
    }
    let header = header_end - file.start;
    // `[N of M hunks whole, N of M bytes]` and a line end, and one line's more.
    let closing = 38 + 4 * digits(body.len());
    let Some(mut left) = room.checked_sub(header + closing).filter(|left| *left >= LEAST_BYTES)
    else {
        return How::Nothing;
    };
    let before = shown.kept;
    shown.span(file.start, header_end);
    shown.end_line();
    let needs = needs(hunks.iter().map(|hunk| hunk.end - hunk.start), left);
    let water = level(&needs, left);
    let mut spare = left.saturating_sub(needs.iter().map(|need| need.at(water)).sum());
    let (mut whole, mut skipped) = (0usize, 0usize);
    let gap_bytes = 24 + 2 * digits(body.len());
    for (hunk, need) in hunks.iter().zip(&needs) {
        let share = (need.at(water) + spare).min(left);
        let start = shown.out.len();
        let gap = if skipped > 0 { gap_bytes } else { 0 };
        let fits = need.whole > 0 && need.whole + gap <= share;
        let lines = if fits || need.whole == 0 {
            None
        } else {
            lines_within(body, (hunk.start, hunk.end), share, gap)
        };
        if fits || lines.is_some() {
            if skipped > 0 {
                shown.say(&format!("[left out: {skipped} of {count} hunks]\\n"));
            }
            skipped = 0;
        }
        match lines {
            _ if fits => {
                shown.span(hunk.start, hunk.end);
                whole += 1;
            }
            Some((end, kept)) => {
                shown.span(hunk.start, end);
                shown.say(&format!("[{kept} of {} lines]\\n", hunk.lines));
            }
            None => skipped += 1,
        }
        let used = shown.out.len() - start;
        spare = (need.at(water) + spare).saturating_sub(used);
        left = left.saturating_sub(used);
    }
    shown.end_line();
    let kept = shown.kept - before;
    shown.say(&format!(
        "[{whole} of {count} hunks whole, {kept} of {} bytes]\\n",
        file.end - file.start
    ));
    How::Part
}

/// Where the lines of a hunk end that stay within `room`, a marker and a gap
/// included, and their number; `None` where that is too little to say anything.
fn lines_within(body: &str, hunk: Line, room: usize, gap: usize) -> Option<(usize, usize)> {
    let room = room.checked_sub(gap + 14 + 2 * digits(body.len()))?;
    let (mut end, mut kept) = (hunk.0, 0usize);
    for line in Lines::new(body, hunk.0, hunk.1) {
        if line.1 - hunk.0 > room {
            break;
        }
        end = line.1;
        kept += 1;
    }
    // The header of a hunk alone says nothing.
    (kept >= 3).then_some((end, kept))
}

/// Whether the text of a sample is a unified diff: its first lines say so, and
/// its last lines do not contradict.
pub(super) fn is_diff(head: &[Sampled<'_>], tail: &str) -> bool {
    let of_git = head.iter().any(|line| line.starts_with("diff --git "));
    let named = || {
        head.iter().any(|line| line.starts_with("@@"))
            && head.windows(2).any(
                |pair| matches!(pair, [a, b] if a.starts_with("--- ") && b.starts_with("+++ ")),
            )
    };
    if !of_git && !named() {
        return false;
    }
    // Prose that quotes a diff ends as prose.
    let of_diff = |line: &&str| {
        line.is_empty()
            || line.starts_with(['+', '-', ' ', '\\', '@'])
            || [
                "index ",
                "Index: ",
                "diff ",
                "new file",
                "deleted file",
                "old mode",
                "new mode",
                "similarity",
                "rename ",
                "copy ",
                "Binary files",
                "dissimilarity",
                "====",
                "GIT binary",
            ]
            .iter()
            .any(|word| line.starts_with(word))
    };
    let last: Vec<&str> = tail.lines().skip(1).collect();
    let good = last.iter().filter(|line| of_diff(line)).count();
    good + 2 >= last.len() || good * 10 >= last.len() * 9
}
