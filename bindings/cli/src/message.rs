//! What is said to a person on standard error.

use std::io::Write;

use anstyle::{AnsiColor, Style};

/// Says why the command stops.
pub(crate) fn error(words: &str) {
    say("error", AnsiColor::Red.on_default().bold(), words);
}

/// Says what happened to one result.
pub(crate) fn warning(words: &str) {
    say("warning", AnsiColor::Yellow.on_default().bold(), words);
}

/// Says what holds from now on.
pub(crate) fn note(words: &str) {
    say("note", AnsiColor::Cyan.on_default(), words);
}

fn say(kind: &str, style: Style, words: &str) {
    // Nobody is left to tell when standard error is gone.
    let _ = writeln!(anstream::stderr(), "{style}{kind}:{style:#} {}", printable(words));
}

/// `text` without what a terminal would obey: names and keys come from tools.
pub(crate) fn printable(text: &str) -> String {
    text.chars()
        .flat_map(|c| {
            let escaped = if is_unsafe(c) { Some(c.escape_default()) } else { None };
            let plain = if escaped.is_some() { None } else { Some(c) };
            escaped.into_iter().flatten().chain(plain)
        })
        .collect()
}

/// Control characters, and those that turn the direction of writing.
fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// `number` with a comma after each three digits.
pub(crate) fn grouped(number: u64) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_by_three_digits() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1_000), "1,000");
        assert_eq!(grouped(16_777_216), "16,777,216");
    }

    #[test]
    fn a_terminal_obeys_nothing_that_a_tool_wrote() {
        assert_eq!(printable("a\u{1b}[2Jé\u{202e}"), "a\\u{1b}[2Jé\\u{202e}");
    }
}
