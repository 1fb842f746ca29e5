//! Tells logs and build output from other text, by the shape of their lines.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use super::unit;
use marks::{
    has_level, has_time, is_build_step, is_failure, is_foreign, is_stack_frame, is_test_verdict,
    source_name,
};
use result_budget_json::bytes::{any_of, count_of};
use result_budget_json::lines::{Line, has, line_of, lines};

mod marks;

/// True where the text of `body` looks like a log, or like the output of a
/// build or of tests, of which the end matters too.
///
/// Looks at the first and last 4 KiB. A guess, by the share of lines with a
/// mark: a time, a level, a test's verdict, a stack frame, a compiler's
/// message, a progress bar. Prose, Markdown, CSV, source code, diffs and
/// directory listings have too few.
///
/// ```
/// use result_budget_core::text::is_log;
/// assert!(is_log(r"ok 1 - adds\nok 2 - subtracts\nnot ok 3 - divides\n"));
/// assert!(!is_log(r"# Adding\n\nTo add is to put together.\n"));
/// ```
#[must_use]
pub fn is_log(body: &str) -> bool {
    let head = unit::decode(body, 0, SAMPLE_BYTES.min(body.len()));
    let from = unit::ceil(body, body.len().saturating_sub(SAMPLE_BYTES));
    is_log_by(body, &lines(&head), &unit::decode(body, from, body.len()))
}

/// [`is_log`] where the lines of the first 4 KiB are known, and the text of the
/// last.
pub(super) fn is_log_by(body: &str, head: &[Line<'_>], tail: &str) -> bool {
    let mut tally = Tally::default();
    if body.len() <= SAMPLE_BYTES {
        tally.read(head, true, true);
    } else if body.len() <= 2 * SAMPLE_BYTES {
        tally.read(&lines(&unit::decode(body, 0, body.len())), true, true);
    } else {
        tally.read(head, true, false);
        tally.read(&lines(tail), false, true);
    }
    tally.is_log()
}

/// How much of each end is looked at, in encoded bytes.
const SAMPLE_BYTES: usize = 4 * 1_024;

/// How many lines of a sample are looked at.
const SAMPLE_LINES: usize = 24;

/// What the lines have shown.
#[derive(Default)]
struct Tally {
    lines: usize,
    /// Lines with any mark of a log.
    marked: usize,
    /// Lines with a level or a test's verdict: marks that no table has.
    spoken: usize,
    /// Lines that only a log of another kind has: listings, diffs.
    foreign: usize,
    /// Line starts that are written over, as progress bars do.
    overwritten: usize,
    /// Stack frames.
    frames: usize,
    /// Something failed, said as only a runner or a runtime says it.
    failure: bool,
    /// Lines that repeat the name before the first `|`, `:` or `]` of the line
    /// before.
    repeated: usize,
    /// Commas and tabs of each line.
    separators: Vec<usize>,
    /// The header of a log format.
    header: bool,
    /// A NUL stands in it: no text that anybody wrote.
    binary: bool,
}

impl Tally {
    /// Reads the lines of a sample. A line that the sample cuts is left out.
    fn read(&mut self, lines: &[Line<'_>], from_start: bool, to_end: bool) {
        self.binary |= lines.iter().any(|line| line.any(has::NUL));
        let mut end = lines.len();
        if !to_end && end > 1 {
            end -= 1;
        }
        if from_start && !to_end {
            end = end.min(SAMPLE_LINES);
        }
        let cut = usize::from(!from_start && end > 1);
        let skipped = if from_start { 0 } else { cut.max(end.saturating_sub(SAMPLE_LINES)) };
        let lines = lines.get(skipped..end).unwrap_or_default();
        let mut name_before = "";
        let plain: Vec<Cow<'_, str>> = lines.iter().map(|line| self.plain(line)).collect();
        let last = plain.len().saturating_sub(1);
        for (at, (line, plain)) in lines.iter().zip(&plain).enumerate() {
            let line = match plain {
                Cow::Borrowed(text) => Line { text: text.trim_end(), has: line.has },
                Cow::Owned(text) => line_of(text.trim_end()),
            };
            let start = line.text.trim_start();
            if start.is_empty() {
                continue;
            }
            self.lines += 1;
            if from_start && at == 0 {
                self.header = ["#Software:", "#separator", "#Version:"]
                    .iter()
                    .any(|header| line.starts_with(header));
            }
            if is_foreign(line.text, start) {
                self.foreign += 1;
                name_before = "";
                continue;
            }
            let name = source_name(&line);
            self.repeated += usize::from(!name.is_empty() && name == name_before);
            name_before = name;
            if !line.text.starts_with('{') {
                let any = line.any(has::COMMA | has::TAB);
                let count = if any { count_of(line.text.as_bytes(), *b",\t") } else { 0 };
                self.separators.push(count);
            }
            let spoken = has_level(&line, start) || is_test_verdict(start) || is_build_step(start);
            let frame = is_stack_frame(start);
            self.spoken += usize::from(spoken);
            self.frames += usize::from(frame);
            self.marked += usize::from(spoken || frame || has_time(&line));
            // Only at the end of a text, or right at its start: elsewhere it
            // may be quoted.
            if (from_start && at < 3) || (to_end && at + 24 > last) {
                self.failure |= is_failure(start, line.any(has::APOSTROPHE));
            }
        }
    }

    /// `line` without escape sequences, and without what a carriage return
    /// says is written over.
    fn plain<'l>(&mut self, line: &Line<'l>) -> Cow<'l, str> {
        let controls = line.any(has::CONTROL);
        let line = line.text.strip_suffix('\r').unwrap_or(line.text);
        if !controls || !any_of(line.as_bytes(), *b"\r\r\x1b\x1b") {
            return Cow::Borrowed(line);
        }
        self.overwritten += line.trim_end_matches('\r').bytes().filter(|b| *b == b'\r').count();
        let mut plain = String::with_capacity(line.len().min(512));
        let mut scalars = line.chars().peekable();
        while let Some(scalar) = scalars.next() {
            match scalar {
                '\r' => plain.clear(),
                '\u{1b}' => match scalars.next() {
                    Some('[') => {
                        scalars.by_ref().find(|scalar| matches!(scalar, '@'..='~'));
                    }
                    Some(']') => {
                        scalars.by_ref().find(|scalar| matches!(scalar, '\u{7}' | '\\'));
                    }
                    Some(' '..='/') => {
                        scalars.next();
                    }
                    Some(_) | None => {}
                },
                _ => plain.push(scalar),
            }
        }
        Cow::Owned(plain)
    }

    fn is_log(&self) -> bool {
        let share = |part: usize, percent: usize| part * 100 >= self.lines * percent;
        if self.lines == 0 || self.binary || (self.foreign > 0 && share(self.foreign, 10)) {
            return false;
        }
        if self.header || self.failure || self.frames >= 3 {
            return true;
        }
        if self.overwritten >= 3 && share(self.overwritten, 30) {
            return true;
        }
        if self.lines < 3 || (self.is_table() && !share(self.spoken, 40)) {
            return false;
        }
        share(self.marked, 40) || (share(self.repeated, 50) && self.lines >= 5)
    }

    /// Nearly all lines have the same number of separators: CSV or TSV.
    fn is_table(&self) -> bool {
        let Some(first) = self.separators.get(self.separators.len() / 2) else { return false };
        let same = self.separators.iter().filter(|count| *count == first).count();
        *first >= 2 && same * 10 >= self.separators.len() * 9
    }
}
