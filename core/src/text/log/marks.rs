//! What one line shows: the marks of logs, and of what only looks like one.

use result_budget_json::bytes::{any_of, starts_with_any, two_capitals};
use result_budget_json::lines::{Line, has};

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

/// A time of day with a date or a source near it, or seconds since something,
/// near the start of the line.
pub(super) fn has_time(sampled: &Line<'_>) -> bool {
    let line = sampled.text;
    let bytes = line.as_bytes();
    let near = bytes.get(..80).unwrap_or(bytes);
    let start = near.iter().position(|byte| !b" \t[(<\"'|".contains(byte)).unwrap_or(0);
    let first = near.get(start..).unwrap_or_default();
    let digits = first.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let follows = first.get(digits).copied().unwrap_or(b' ');
    // Seconds since 1970, and seconds since the start in brackets.
    if (digits == 10 && matches!(follows, b'.' | b' ' | b':')) || (digits == 13 && follows == b' ')
    {
        return true;
    }
    let fraction = first.get(digits + 1..).unwrap_or_default();
    let fraction_digits = fraction.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if line.starts_with('[')
        && digits > 0
        && follows == b'.'
        && fraction_digits >= 3
        && fraction.get(fraction_digits) == Some(&b']')
    {
        return true;
    }
    // Seconds, or a date directly before: `10:15` alone is no time stamp.
    const SHAPES: [(usize, &[u8]); 4] = [
        (2, b"00:00:00"),
        (13, b"0000-00-00T00:00"),
        (13, b"0000-00-00 00:00"),
        (13, b"0000/00/00 00:00"),
    ];
    let timed = sampled.any(has::COLON)
        && near.iter().enumerate().filter(|(_, byte)| **byte == b':').any(|(colon, _)| {
            SHAPES.iter().any(|(before, shape)| {
                colon.checked_sub(*before).is_some_and(|start| {
                    // Not the middle of a longer number or of a word.
                    let open = start
                        .checked_sub(1)
                        .and_then(|left| near.get(left))
                        .is_none_or(|left| !left.is_ascii_alphanumeric() || *left == b'T');
                    open && near.get(start..).is_some_and(|text| shaped(text, shape))
                })
            })
        });
    if timed {
        return true;
    }
    // A structured record: one object a line, with a time or a level.
    first.starts_with(b"{")
        && line.ends_with('}')
        && ["\"level\"", "\"severity\"", "\"ts\"", "\"time\"", "\"timestamp\"", "imestamp\":"]
            .iter()
            .any(|key| line.contains(key))
}

/// True where `text` starts as `shape` does, a zero standing for any digit.
fn shaped(text: &[u8], shape: &[u8]) -> bool {
    text.len() >= shape.len()
        && text.iter().zip(shape).all(|(byte, wanted)| match wanted {
            b'0' => byte.is_ascii_digit(),
            _ => byte == wanted,
        })
}

/// A level in capitals among the first words, or as a field, or a compiler's
/// word at the start.
pub(super) fn has_level(sampled: &Line<'_>, start: &str) -> bool {
    const STARTS: [&str; 14] = [
        "error:",
        "error[",
        "warning:",
        "warning[",
        "note:",
        "help:",
        "fatal:",
        "npm ERR!",
        "npm WARN",
        "npm error",
        "npm warn",
        "= note:",
        "= help:",
        "--> ",
    ];
    if is_source_gutter(start) || starts_with_any(start, &STARTS) {
        return true;
    }
    let line = sampled.text;
    let near = line.as_bytes().get(..96).unwrap_or(line.as_bytes());
    // Of the whole line: what has nothing of it has nothing of it near its start.
    let may = sampled.any(has::CAPITAL | has::OPENING | has::EQUALS | has::QUOTE | has::COLON);
    if !may || !may_name_a_level(near) {
        return false;
    }
    // Not `LOG_ERROR = 3;`, `Level.WARN,` or `| ERROR |`: code and tables.
    let loud_counts = !line.ends_with([';', ',', '{', '(', '|']);
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let mut at = 0;
    while let Some(rest) = near.get(at..)
        && !rest.is_empty()
    {
        let length = rest.iter().take_while(|byte| is_word(byte)).count();
        if let Some(word) = rest.get(..length)
            && (3..=8).contains(&length)
        {
            let before = near.get(..at).unwrap_or_default();
            let behind = rest.get(length..).unwrap_or_default();
            // In small letters only what stands beside it makes it a level.
            let capital = word.first().is_some_and(u8::is_ascii_uppercase);
            let beside = matches!(before.last(), Some(b'[' | b'"'))
                || before.ends_with(b": ")
                || behind.starts_with(b"=");
            let found = (capital || beside)
                && match word {
                    b"level" => {
                        behind.starts_with(b"=")
                            || before.ends_with(b"\"") && behind.starts_with(b"\":")
                    }
                    b"error" | b"warn" | b"warning" | b"info" | b"notice" | b"debug" => {
                        // `[error]`, and a compiler's `a.c:3:5: error: `.
                        before.ends_with(b"[") && behind.starts_with(b"]")
                            || before.ends_with(b": ")
                                && (behind.starts_with(b":") || behind.starts_with(b" "))
                                && matches!(word, b"error" | b"warning")
                    }
                    b"INFO" | b"WARN" | b"WARNING" | b"ERROR" | b"DEBUG" | b"TRACE" | b"FATAL"
                    | b"CRITICAL" | b"NOTICE" | b"ERR" | b"SEVERE" | b"INF" | b"WRN" | b"DBG" => {
                        loud_counts
                    }
                    _ => false,
                };
            if found {
                return true;
            }
        }
        at += length.max(1);
    }
    false
}

/// False where no word can be a level: there are no two capitals side by side,
/// and nothing that stands beside a level in small letters.
fn may_name_a_level(near: &[u8]) -> bool {
    two_capitals(near) || any_of(near, *b"[=\":")
}

/// The quoted source of a compiler's message: `12 | let x`, or ` | ^^^`.
fn is_source_gutter(start: &str) -> bool {
    if !starts_with_digit(start) && !start.starts_with('|') {
        return false;
    }
    let rest = start.trim_start_matches(|scalar: char| scalar.is_ascii_digit());
    match rest.trim_start_matches(' ').strip_prefix('|') {
        Some(quoted) if start.len() > rest.len() => !quoted.contains('|'),
        Some(quoted) => quoted.trim_start().starts_with(['^', '-']) && !quoted.contains('|'),
        None => false,
    }
}

/// Whether it starts with a digit.
fn starts_with_digit(start: &str) -> bool {
    start.as_bytes().first().is_some_and(u8::is_ascii_digit)
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
