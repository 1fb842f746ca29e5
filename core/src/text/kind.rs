//! Tells what kind of text a body is, from the first and last 4 KiB of it.
//!
//! | kind | told by | how it is cut |
//! |---|---|---|
//! | diff | `diff --git`, or `---`, `+++` and `@@`; the end is a diff too | index of files, files, hunks, lines |
//! | table | a line of dashes below the names of columns, or a Markdown table | rows; header and last line stay |
//! | lines of JSON | the first lines are JSON each | lines |
//! | log | [`super::is_log`] | head and tail |
//! | CSV, TSV | nearly all rows have the same number of fields | rows; header stays |
//! | listing | box drawing, paths, or `ls -R` | depth and width |
//! | XML, HTML | its first tag | behind the end of an element that is near |
//! | Markdown | a heading or a fence | at a heading, a blank line or a fence that is near |
//! | plain | none of these | the head |
//!
//! The first that holds is taken. A wrong guess costs nothing but beauty: each
//! way to cut keeps within the room and at legal places, whatever the text is.

use alloc::vec::Vec;

use super::listing::{self, Listing};
use super::rows::Rows;
use super::{diff, log, unit};
use crate::json::scan::scan;
use result_budget_json::bytes::count_of;
use result_budget_json::lines::{Line, has, lines};

/// What kind of text a body is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// None of the others.
    Plain,
    /// A log, or the output of a build or of tests.
    Log,
    /// A unified diff.
    Diff,
    /// A table, or lines of JSON.
    Rows(Rows),
    /// A tree.
    Listing(Listing),
    /// XML, with a root.
    Xml,
    /// HTML.
    Html,
    /// Markdown.
    Markdown,
}

/// How much of each end is looked at, in encoded bytes.
const SAMPLE_BYTES: usize = 4 * 1_024;

impl Kind {
    /// The kind of `body`.
    pub(crate) fn of(body: &str) -> Kind {
        let head_end = unit::floor(body, SAMPLE_BYTES);
        let sample = unit::decode(body, 0, head_end);
        let tail_start = unit::ceil(body, body.len().saturating_sub(SAMPLE_BYTES));
        let cut = head_end < body.len();
        let own_tail = (cut || tail_start > 0).then(|| unit::decode(body, tail_start, body.len()));
        let tail = own_tail.as_deref().unwrap_or(&sample);
        let parts = lines(&sample);
        // A line that the sample cuts says nothing.
        let (head, rows) = match parts.split_last() {
            Some((last, rows)) if cut && !rows.is_empty() => {
                (sample.get(..sample.len() - last.text.len()).unwrap_or_default(), rows)
            }
            Some((_, rows)) => (sample.as_str(), rows),
            None => (sample.as_str(), &[][..]),
        };
        let lines = whole_lines(head, &parts, rows);
        if lines.iter().any(|line| line.any(has::NUL)) {
            return Kind::Plain;
        }
        if diff::is_diff(&lines, tail) {
            return Kind::Diff;
        }
        if let Some(header) = ruled_table(&lines) {
            return Kind::Rows(Rows { header, quotes: false, unit: "rows" });
        }
        if is_json_lines(&lines) {
            return Kind::Rows(Rows { header: 0, quotes: false, unit: "lines" });
        }
        if log::is_log_by(body, &parts, tail) {
            return Kind::Log;
        }
        if let Some(kind) = markup(head, tail) {
            return kind;
        }
        if let Some(header) = separated(&rows_of(head, rows)) {
            return Kind::Rows(Rows { header, quotes: true, unit: "rows" });
        }
        if let Some(how) = listing::kind_of(&lines, head) {
            return Kind::Listing(how);
        }
        if is_markdown(&lines) { Kind::Markdown } else { Kind::Plain }
    }
}

/// The lines of `head` as `str::lines` gives them, of its `parts`; `rows` are
/// those that a line feed ends.
fn whole_lines<'t>(head: &str, parts: &[Line<'t>], rows: &[Line<'t>]) -> Vec<Line<'t>> {
    let mut lines: Vec<Line<'t>> = rows
        .iter()
        .map(|line| Line { text: line.text.strip_suffix('\r').unwrap_or(line.text), ..*line })
        .collect();
    // Behind the last line feed stands another line, where anything does.
    lines.extend(parts.last().filter(|last| !head.ends_with('\n') && !last.text.is_empty()));
    lines
}

impl Kind {
    /// This kind where it is one of rows, else plain text.
    pub(crate) fn rows_alone(self) -> Kind {
        match self {
            Kind::Rows(_) => self,
            Kind::Plain
            | Kind::Log
            | Kind::Diff
            | Kind::Listing(_)
            | Kind::Xml
            | Kind::Html
            | Kind::Markdown => Kind::Plain,
        }
    }
}

/// Rows of the header of a table that has a line below it, as Markdown, shells
/// of databases and reports draw one, or names of columns in capitals.
fn ruled_table(lines: &[Line<'_>]) -> Option<usize> {
    let rule = lines.iter().take(6).enumerate().skip(1).find(|(_, line)| is_rule(line.text));
    if let Some((at, rule)) = rule {
        // `+---+` stands above the names too.
        let above = lines.get(at - 1)?.text;
        let (at, above) = if is_rule(above) || above.trim().is_empty() {
            let mut below = lines.iter().enumerate().skip(at + 1).take(2);
            let second = below.find(|(_, line)| is_rule(line.text))?.0;
            (second, lines.get(second - 1)?.text)
        } else {
            (at, above)
        };
        let rows = lines.get(at + 1..).unwrap_or_default();
        let rule = rule.text;
        let columns = rule.split(['|', '+', ' ', '\t']).filter(|part| !part.is_empty()).count();
        let barred = rule.contains(['|', '+']);
        let good = rows.iter().filter(|row| {
            if barred { row.any(has::BAR) } else { row.has_pair(b' ', b' ') || columns > 2 }
        });
        let named = !above.trim().is_empty() && (!barred || above.contains('|'));
        return (named && columns >= 2 && rows.len() >= 3 && good.count() * 10 >= rows.len() * 6)
            .then_some(at + 1);
    }
    let header = lines.first()?;
    if lines.len() < 5
        || !header.has_pair(b' ', b' ')
        || header.text.bytes().any(|byte| byte.is_ascii_lowercase() || byte == b'[')
    {
        return None;
    }
    let names = header.text.split("  ").filter(|name| !name.trim().is_empty()).count();
    let spaced = lines.iter().skip(1).filter(|row| row.has_pair(b' ', b' ')).count();
    (names >= 3
        && header.text.bytes().filter(u8::is_ascii_uppercase).count() >= 6
        && spaced * 10 >= (lines.len() - 1) * 9)
        .then_some(1)
}

/// A line of dashes, in two parts or more.
fn is_rule(line: &str) -> bool {
    let line = line.trim();
    line.len() >= 5
        && line.bytes().all(|byte| b"-=+|: ".contains(&byte))
        && line.bytes().filter(|byte| matches!(byte, b'-' | b'=')).count() * 2 >= line.len()
        && line.trim_matches(['|', '+']).contains(['|', '+', ' '])
}

/// The first lines are JSON each.
fn is_json_lines(lines: &[Line<'_>]) -> bool {
    let first = lines.get(..3).unwrap_or_default();
    !first.is_empty()
        && lines
            .iter()
            // The last one may say how to go on.
            .take(lines.len() - 1)
            .all(|line| line.text.is_empty() || line.text.starts_with(['{', '[']))
        && first.iter().all(|line| scan(line.text, 65).is_ok())
}

/// The first rows of a sample, line ends inside of quotes not counted; `lines`
/// are those of it that a line feed ends.
fn rows_of<'t>(head: &'t str, lines: &[Line<'t>]) -> Vec<Line<'t>> {
    let (mut rows, mut start, mut end, mut quoted, mut all) = (Vec::new(), 0, 0, false, 0);
    for line in lines {
        end += line.text.len() + 1;
        all |= line.has;
        if line.any(has::QUOTE) {
            quoted ^= count_of(line.text.as_bytes(), [b'"'; 2]) % 2 == 1;
        }
        if quoted {
            continue;
        }
        rows.push(Line { text: head.get(start..end - 1).unwrap_or_default(), has: all });
        if rows.len() == 24 {
            break;
        }
        (start, all) = (end, 0);
    }
    rows
}

/// Rows of the header of CSV or TSV.
fn separated(rows: &[Line<'_>]) -> Option<usize> {
    if rows.len() < 4 {
        return None;
    }
    let header = rows.first()?;
    // In a sentence a blank stands behind the mark.
    let spoken = rows
        .iter()
        .filter(|row| row.any(has::COMMA) && !row.any(has::QUOTE) && row.has_pair(b',', b' '))
        .count();
    if spoken * 2 > rows.len() {
        return None;
    }
    let marks = [(b',', 3, has::COMMA), (b'\t', 2, has::TAB), (b';', 3, has::SEMICOLON)];
    let (mark, ..) = marks.into_iter().find(|(mark, least, one)| {
        let first = if header.any(*one) { fields(header.text, *mark) } else { 1 };
        let same = || rows.iter().filter(|row| fields(row.text, *mark) == first).count();
        first >= *least && same() * 10 >= rows.len() * 9
    })?;
    // Names of columns are no numbers.
    let numbers = header.text.split(char::from(mark)).any(|name| is_number(name.trim()));
    Some(usize::from(!numbers))
}

/// Whether a word is a number as tables have them. No parser of numbers: its
/// tables alone would be a fortieth of the component.
fn is_number(word: &str) -> bool {
    let digits = word.trim_start_matches(['-', '+']);
    digits.starts_with(|first: char| first.is_ascii_digit() || first == '.')
        && digits.ends_with(|last: char| last.is_ascii_digit())
        && digits.bytes().all(|byte| byte.is_ascii_digit() || b".eE+-".contains(&byte))
}

/// Fields of a row.
fn fields(row: &str, mark: u8) -> usize {
    let mut quoted = false;
    let marks = row.bytes().filter(|byte| {
        quoted ^= *byte == b'"';
        *byte == mark && !quoted
    });
    marks.count() + 1
}

/// XML or HTML, by the first tag and the last.
fn markup(head: &str, tail: &str) -> Option<Kind> {
    let start = head.trim_start_matches(['\u{feff}', ' ', '\n', '\r', '\t']);
    let first = start.strip_prefix('<')?;
    let low = head.to_ascii_lowercase();
    let closes = ["</p>", "</div>", "</li>", "</tr>", "</h1>", "</h2>", "</table>", "</head>"];
    let blocks: usize = closes.iter().map(|close| low.matches(close).count()).sum();
    if low.contains("<!doctype html") || low.contains("<html") || blocks >= 2 {
        return Some(Kind::Html);
    }
    let ends = tail.trim_end().ends_with('>');
    let opens = first.starts_with(|s: char| s == '?' || s == '!' || s.is_ascii_alphabetic());
    (opens && (ends || first.starts_with("?xml"))).then_some(Kind::Xml)
}

/// A heading and a blank line, or a fence.
fn is_markdown(lines: &[Line<'_>]) -> bool {
    let heading = |line: &Line<'_>| {
        let text = line.text.trim_start_matches('#');
        (1..=6).contains(&(line.text.len() - text.len())) && text.starts_with(' ')
    };
    lines.iter().any(|line| line.starts_with("```") || line.starts_with("~~~"))
        || (lines.iter().any(|line| line.text.is_empty()) && lines.iter().any(heading))
}
