//! Draws a result before and after: sizes as bars, cuts and notice in words.

use console::style;

/// Columns of a bar at full length, in a window that has room.
const BAR_MAX_COLUMNS: usize = 40;

/// Parts that are shown of each result.
const PARTS_SHOWN: usize = 8;

/// The sizes of one result.
pub(crate) struct Sizes {
    pub(crate) result_bytes: u64,
    pub(crate) text_bytes: u64,
    pub(crate) structured_bytes: u64,
    pub(crate) binary_bytes: u64,
    /// Pointer and size of the large parts, in document order.
    pub(crate) parts: Vec<(String, u64)>,
}

/// One cut of the report.
pub(crate) struct Cut {
    pub(crate) path: String,
    pub(crate) kept: u64,
    pub(crate) of: u64,
    pub(crate) unit: String,
}

/// Everything that is shown.
pub(crate) struct Picture {
    pub(crate) title: String,
    pub(crate) before: Sizes,
    pub(crate) after: Sizes,
    pub(crate) cuts: Vec<Cut>,
    pub(crate) notice: Option<String>,
}

impl Picture {
    /// The lines, for a window of that many columns.
    pub(crate) fn draw(&self, columns: usize) -> Vec<String> {
        let mut lines =
            vec![format!("{}", style(printable(&self.title)).bold().underlined()), String::new()];
        // One scale for both, so that lengths compare.
        let scale = Scale::new(self.before.result_bytes.max(self.after.result_bytes), columns);
        lines.push(heading("before", "what the tool answered"));
        scale.rows(&self.before, &mut lines);
        lines.push(heading("after", "what the model gets"));
        scale.rows(&self.after, &mut lines);
        lines.push(heading("cut", "what was left out"));
        if self.cuts.is_empty() {
            lines.push(String::from("  nothing"));
        }
        for Cut { path, kept, of, unit } in &self.cuts {
            lines.push(format!(
                "  {}  {} of {} {} kept",
                scale.label(path),
                style(grouped(*kept)).green(),
                grouped(*of),
                printable(unit)
            ));
        }
        lines.push(String::new());
        lines.push(heading("notice", "what the model reads of it"));
        lines.push(match &self.notice {
            Some(notice) => format!("  {}", style(printable(notice)).yellow()),
            None => String::from("  none: nothing was cut"),
        });
        lines.push(String::new());
        lines
    }
}

/// Turns bytes into columns.
struct Scale {
    largest_bytes: u64,
    bar_columns: usize,
    label_columns: usize,
}

impl Scale {
    fn new(largest_bytes: u64, columns: usize) -> Self {
        let columns = columns.clamp(50, 120);
        let bar_columns = (columns / 3).min(BAR_MAX_COLUMNS);
        // Two spaces before, two between, and a number of up to 13 columns.
        let label_columns = columns - bar_columns - 2 - 2 - 2 - 13;
        Scale { largest_bytes: largest_bytes.max(1), bar_columns, label_columns }
    }

    fn rows(&self, sizes: &Sizes, lines: &mut Vec<String>) {
        for (label, bytes) in [
            ("whole result", sizes.result_bytes),
            ("read by the model", sizes.text_bytes),
            ("structured content", sizes.structured_bytes),
            ("binary data", sizes.binary_bytes),
        ] {
            if bytes > 0 {
                lines.push(self.row(label, bytes, true));
            }
        }
        let parts: Vec<&(String, u64)> =
            sizes.parts.iter().filter(|part| !is_shell(part, &sizes.parts)).collect();
        let mut shown: Vec<usize> = (0..parts.len()).collect();
        shown.sort_by_key(|at| std::cmp::Reverse(parts.get(*at).map(|part| part.1)));
        shown.truncate(PARTS_SHOWN);
        shown.sort_unstable();
        for (pointer, bytes) in shown.iter().filter_map(|at| parts.get(*at).copied()) {
            let pointer = if pointer.is_empty() { "/" } else { pointer };
            lines.push(self.row(pointer, *bytes, false));
        }
        let rest = parts.len().saturating_sub(PARTS_SHOWN);
        if rest > 0 {
            lines.push(format!("  and {rest} smaller parts"));
        }
        lines.push(String::new());
    }

    fn row(&self, label: &str, bytes: u64, whole: bool) -> String {
        let bar = self.bar(bytes);
        let bar = if whole { style(bar).cyan() } else { style(bar).blue() };
        format!("  {}  {:>13}  {bar}", self.label(label), grouped(bytes))
    }

    /// The label in its column; a long one keeps both ends.
    fn label(&self, label: &str) -> String {
        let characters: Vec<char> = printable(label).chars().collect();
        let text: String = if characters.len() <= self.label_columns {
            characters.iter().collect()
        } else {
            let tail = self.label_columns / 2;
            let head = self.label_columns - tail - 1;
            let (start, end) = (characters.iter().take(head), characters.iter());
            start.chain(&['…']).chain(end.skip(characters.len() - tail)).collect()
        };
        format!("{text:<width$}", width = self.label_columns)
    }

    /// A bar; whatever is there at all shows.
    fn bar(&self, bytes: u64) -> String {
        if bytes == 0 {
            return String::new();
        }
        let columns = u64::try_from(self.bar_columns).unwrap_or(u64::MAX);
        let eighths =
            (bytes.min(self.largest_bytes).saturating_mul(columns * 8) / self.largest_bytes).max(1);
        let full = usize::try_from(eighths / 8).unwrap_or(self.bar_columns);
        let part = usize::try_from(eighths % 8).unwrap_or_default();
        let mut bar = "█".repeat(full);
        bar.push_str(["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"].get(part).unwrap_or(&""));
        bar
    }
}

/// True where all but a fiftieth of a part is one part inside it: the inner one
/// says the same.
fn is_shell((pointer, bytes): &(String, u64), parts: &[(String, u64)]) -> bool {
    parts.iter().any(|(inner, inner_bytes)| {
        let below = inner.strip_prefix(pointer.as_str()).is_some_and(|rest| rest.starts_with('/'));
        below && inner_bytes.saturating_mul(50) >= bytes.saturating_mul(49)
    })
}

fn heading(word: &str, meaning: &str) -> String {
    format!("{}  {}", style(word).bold(), style(meaning).dim())
}

/// Thousands apart, for people.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Without what would move the cursor or change colours: the text is a tool's.
fn printable(text: &str) -> String {
    text.chars().map(|character| if character.is_control() { ' ' } else { character }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes(result_bytes: u64, parts: &[(&str, u64)]) -> Sizes {
        Sizes {
            result_bytes,
            text_bytes: result_bytes / 2,
            structured_bytes: 0,
            binary_bytes: 0,
            parts: parts.iter().map(|(pointer, bytes)| (String::from(*pointer), *bytes)).collect(),
        }
    }

    #[test]
    fn no_line_is_wider_than_the_window() {
        let long = "/content/0/text/".repeat(20);
        for columns in [50, 80, 120, 400] {
            let picture = Picture {
                title: String::from("tree"),
                before: sizes(4_294_967_295, &[(&long, 4_000_000_000), ("/a", 1)]),
                after: sizes(32_000, &[]),
                cuts: Vec::new(),
                notice: None,
            };
            for line in picture.draw(columns) {
                let width = console::measure_text_width(&line);
                assert!(width <= columns, "{width} of {columns} columns: {line}");
            }
        }
    }

    #[test]
    fn bars_of_both_results_share_one_scale() {
        let scale = Scale::new(100, 120);
        assert_eq!(scale.bar(100).chars().count(), 40);
        assert_eq!(scale.bar(50).chars().count(), 20);
        assert_eq!(scale.bar(0), "");
        assert_eq!(Scale::new(u64::from(u32::MAX), 80).bar(1), "▏");
    }

    #[test]
    fn only_the_largest_parts_are_shown_and_in_document_order() {
        let parts: Vec<(String, u64)> =
            (0..20).map(|at| (format!("/{at}"), (at * 7) % 20)).collect();
        let parts: Vec<(&str, u64)> = parts.iter().map(|part| (part.0.as_str(), part.1)).collect();
        let mut lines = Vec::new();
        Scale::new(20, 80).rows(&sizes(20, &parts), &mut lines);
        let pointers: Vec<&str> = lines
            .iter()
            .filter_map(|line| line.split_whitespace().next())
            .filter(|word| word.starts_with('/'))
            .collect();
        assert_eq!(pointers, ["/2", "/5", "/8", "/11", "/14", "/16", "/17", "/19"]);
        assert!(lines.iter().any(|line| line.contains("12 smaller parts")));
    }

    #[test]
    fn a_part_that_is_nearly_all_one_inner_part_gives_way_to_it() {
        let parts = [("/content", 1_000), ("/content/0", 998), ("/content/1", 2), ("/contents", 5)];
        let mut lines = Vec::new();
        Scale::new(1_000, 80).rows(&sizes(1_000, &parts), &mut lines);
        let text = lines.join("\n");
        assert!(!text.contains("/content  ") && text.contains("/content/0  "), "{text}");
        assert!(text.contains("/content/1  ") && text.contains("/contents  "), "{text}");
    }

    #[test]
    fn a_tool_cannot_reach_the_terminal() {
        assert_eq!(printable("a\u{1b}[31mb\n"), "a [31mb ");
        assert_eq!(grouped(1_234_567), "1,234,567");
    }
}
