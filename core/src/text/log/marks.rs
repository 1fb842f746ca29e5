//! What one line shows: the marks of logs, and of what only looks like one.

use result_budget_json::bytes::{any_of, starts_with_any};
use result_budget_json::lines::{Line, has};
use result_budget_json::marks::{shaped, starts_with_digit};

/// A line of a directory listing or of a diff.
pub(super) fn is_foreign(line: &str, start: &str) -> bool {
    let bytes = start.as_bytes();
    let is_mode = bytes.len() > 10
        && bytes.iter().take(10).enumerate().all(|(at, byte)| match at {
            0 => b"-dlbcpsD".contains(byte),
            _ => b"-rwxsStT".contains(byte),
        });
    is_mode
        || starts_with_any(line, &["@@ -", "diff --git ", "--- a/", "+++ b/"])
        || is_listed_file(start)
}

/// `time size name`, or `size time name`: listings of stores and archives.
fn is_listed_file(start: &str) -> bool {
    if !starts_with_digit(start) {
        return false;
    }
    let mut words = start.split_ascii_whitespace();
    let (Some(a), Some(b), Some(c), Some(_), None) =
        (words.next(), words.next(), words.next(), words.next(), words.next())
    else {
        return false;
    };
    let number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    let date = |word: &str| shaped(word.as_bytes(), b"0000-00-00") && word.len() == 10;
    let time = |word: &str| shaped(word.as_bytes(), b"00:00");
    (date(a) && time(b) && number(c)) || (number(a) && date(b) && time(c))
}

/// A test runner's verdict on one test.
pub(super) fn is_test_verdict(line: &str) -> bool {
    const STARTS: [&str; 13] = [
        "--- PASS", "--- FAIL", "--- SKIP", "=== RUN", "PASS ", "FAIL ", "PASS: ", "FAIL: ", "✓ ",
        "✔ ", "✗ ", "✘ ", "✕ ",
    ];
    const ENDS: [&str; 8] = [
        " ... ok",
        " ... FAILED",
        " ... ignored",
        " PASSED",
        " FAILED",
        " SKIPPED",
        " ERROR",
        " OK",
    ];
    let verdict = line.strip_prefix("not ").unwrap_or(line);
    if let Some(number) = verdict.strip_prefix("ok ")
        && number.starts_with(|scalar: char| scalar.is_ascii_digit())
    {
        return true;
    }
    starts_with_any(line, &STARTS)
        || (matches!(line.as_bytes().last(), Some(b'k' | b'd' | b'D' | b'R' | b'K')) && ENDS.iter().any(|end| line.ends_with(end)))
        // pytest: `tests/test_a.py ....F.. [ 50%]`
        || (line.ends_with("%]") && line.contains(" ["))
}

/// A step of a build: what builders and installers say before a name.
pub(super) fn is_build_step(start: &str) -> bool {
    const STEPS: [&str; 16] = [
        "Compiling ",
        "Checking ",
        "Downloading ",
        "Downloaded ",
        "Building ",
        "Linking ",
        "Collecting ",
        "Unpacking ",
        "Setting up ",
        "Fetching ",
        "Get:",
        "Requirement already",
        "Preparing to unpack ",
        "Selecting previously",
        "> Task :",
        "Step ",
    ];
    if starts_with_any(start, &STEPS) && (start.ends_with("...") || !start.ends_with(['.', ','])) {
        return true;
    }
    // `[12/340] CXX a.o`, `[ 12%] Building`
    start.strip_prefix('[').and_then(|rest| rest.split_once(']')).is_some_and(|(count, _)| {
        count.len() <= 12
            && count.ends_with(|end: char| end == '%' || end.is_ascii_digit())
            && count.contains(['/', '%'])
            && count.bytes().all(|byte| byte.is_ascii_digit() || b" /%".contains(&byte))
    })
}

/// One frame of a stack trace.
pub(super) fn is_stack_frame(start: &str) -> bool {
    if !matches!(start.as_bytes().first(), Some(b'a' | b'F' | b'#' | b'f' | b'g')) {
        return false;
    }
    if let Some(rest) = start.strip_prefix("at ") {
        return rest.ends_with(')') && rest.contains('(')
            || rest.rsplit(':').next().is_some_and(|last| {
                !last.is_empty() && last.bytes().all(|byte| byte.is_ascii_digit())
            });
    }
    (start.starts_with("File \"") && start.contains("\", line "))
        || is_numbered_frame(start)
        || (start.starts_with("from ") && start.contains(".rb:"))
        || (start.starts_with("goroutine ") && start.ends_with("]:"))
}

/// `#1 0x55d0 in main`, `#1 /app/a.php(12): f()`, `#3 {main}`.
fn is_numbered_frame(start: &str) -> bool {
    let Some(number) = start.strip_prefix('#') else { return false };
    let rest = number.trim_start_matches(|scalar: char| scalar.is_ascii_digit());
    rest.len() < number.len()
        && rest.starts_with(' ')
        && (rest.contains("): ")
            || rest.contains("]: ")
            || rest.ends_with("{main}")
            || (rest.contains(" 0x") && rest.contains(" in ")))
}

/// What a runner or a runtime says when something failed.
/// `quoted` says that an apostrophe stands in it.
pub(super) fn is_failure(line: &str, quoted: bool) -> bool {
    const STARTS: [&str; 14] = [
        "Traceback (most recent call last)",
        "error[E",
        "FAILED",
        "BUILD FAILED",
        "BUILD FAILURE",
        "FAILURE:",
        "npm ERR!",
        "npm error",
        "test result: ",
        "Exception in thread",
        "stack backtrace:",
        "panic: ",
        "make: *** ",
        "goroutine ",
    ];
    starts_with_any(line, &STARTS)
        || (quoted && line.contains("' panicked at "))
        || (line.starts_with("thread ") && line.contains(" panicked at "))
        || (line.starts_with("Command ") && line.contains(" exited with "))
        || line.starts_with("##[error]")
        || (line.starts_with("=====") && (line.contains(" failed") || line.contains(" passed")))
}

/// The name of a source before the first `|`, `:` or `]`: `web-1  | `,
/// `kernel: `, `[worker 3] `. Empty where there is none.
pub(super) fn source_name<'l>(sampled: &Line<'l>) -> &'l str {
    let line = sampled.text;
    if !sampled.any(has::BAR | has::COLON | has::CLOSING) {
        return "";
    }
    // Not ` - key: value`, a list.
    if !line.starts_with(|first: char| first.is_ascii_alphanumeric() || first == '[') {
        return "";
    }
    // No character is longer than four bytes.
    let near = line.as_bytes().get(..160).unwrap_or(line.as_bytes());
    if !any_of(near, *b"|:]]") {
        return "";
    }
    let Some(end) = line.char_indices().take(40).find(|(_, s)| matches!(s, '|' | ':' | ']')) else {
        return "";
    };
    let (name, rest) = line.split_at(end.0);
    let name = name.trim();
    let letters = name.bytes().filter(u8::is_ascii_alphabetic).count();
    // Behind a colon a blank: `http://` and `a::b` are no sources.
    let plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b" ._-[/".contains(&byte));
    let spaced = rest.as_bytes().get(1).is_none_or(|byte| *byte == b' ');
    if letters >= 2 && plain && spaced { name } else { "" }
}
