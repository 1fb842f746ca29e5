//! Tells logs and build output from other text, by the shape of their lines.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use super::unit;

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
    let mut tally = Tally::default();
    if body.len() <= 2 * SAMPLE_BYTES {
        tally.read(&unit::decode(body, 0, body.len()), true, true);
    } else {
        tally.read(&unit::decode(body, 0, SAMPLE_BYTES), true, false);
        let from = unit::ceil(body, body.len() - SAMPLE_BYTES);
        tally.read(&unit::decode(body, from, body.len()), false, true);
    }
    tally.is_log()
}

/// How much of each end is looked at, in encoded bytes.
const SAMPLE_BYTES: usize = 4 * 1_024;

/// How many lines of a sample are looked at.
const SAMPLE_LINES: usize = 48;

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
    fn read(&mut self, sample: &str, from_start: bool, to_end: bool) {
        self.binary |= sample.contains('\0');
        let mut parts: Vec<&str> = sample.split('\n').collect();
        if !to_end && parts.len() > 1 {
            parts.pop();
        }
        if from_start && !to_end {
            parts.truncate(SAMPLE_LINES);
        }
        let cut = usize::from(!from_start && parts.len() > 1);
        let skipped =
            if from_start { 0 } else { cut.max(parts.len().saturating_sub(SAMPLE_LINES)) };
        let mut name_before = "";
        let plain: Vec<Cow<'_, str>> =
            parts.iter().skip(skipped).map(|line| self.plain(line)).collect();
        let last = plain.len().saturating_sub(1);
        for (at, line) in plain.iter().enumerate() {
            let line = line.trim_end();
            if line.trim_start().is_empty() {
                continue;
            }
            self.lines += 1;
            if from_start && at == 0 {
                self.header = ["#Software:", "#separator", "#Version:"]
                    .iter()
                    .any(|header| line.starts_with(header));
            }
            if is_foreign(line) {
                self.foreign += 1;
                name_before = "";
                continue;
            }
            let name = source_name(line);
            self.repeated += usize::from(!name.is_empty() && name == name_before);
            name_before = name;
            if !line.starts_with('{') {
                let separators = line.bytes().filter(|byte| matches!(byte, b',' | b'\t'));
                self.separators.push(separators.count());
            }
            let spoken = has_level(line) || is_test_verdict(line) || is_build_step(line);
            let frame = is_stack_frame(line);
            self.spoken += usize::from(spoken);
            self.frames += usize::from(frame);
            self.marked += usize::from(spoken || frame || has_time(line));
            // Only at the end of a text, or right at its start: elsewhere it
            // may be quoted.
            if (from_start && at < 3) || (to_end && at + 24 > last) {
                self.failure |= is_failure(line);
            }
        }
    }

    /// `line` without escape sequences, and without what a carriage return
    /// says is written over.
    fn plain<'l>(&mut self, line: &'l str) -> Cow<'l, str> {
        let line = line.strip_suffix('\r').unwrap_or(line);
        if !line.bytes().any(|byte| matches!(byte, b'\r' | 0x1b)) {
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

/// A line of a directory listing or of a diff.
fn is_foreign(line: &str) -> bool {
    let bytes = line.trim_start().as_bytes();
    let is_mode = bytes.len() > 10
        && bytes.iter().take(10).enumerate().all(|(at, byte)| match at {
            0 => b"-dlbcpsD".contains(byte),
            _ => b"-rwxsStT".contains(byte),
        });
    is_mode
        || line.starts_with("@@ -")
        || line.starts_with("diff --git ")
        || line.starts_with("--- a/")
        || line.starts_with("+++ b/")
        || is_listed_file(line)
}

/// `time size name`, or `size time name`: listings of stores and archives.
fn is_listed_file(line: &str) -> bool {
    if !line.trim_start().starts_with(|first: char| first.is_ascii_digit()) {
        return false;
    }
    let mut words = line.split_ascii_whitespace();
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
fn has_time(line: &str) -> bool {
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
    let timed = near.iter().enumerate().filter(|(_, byte)| **byte == b':').any(|(colon, _)| {
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
fn has_level(line: &str) -> bool {
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
    let start = line.trim_start();
    if is_source_gutter(start)
        || (start.starts_with(['e', 'w', 'n', 'h', 'f', '=', '-'])
            && STARTS.iter().any(|word| start.starts_with(word)))
    {
        return true;
    }
    let near = line.as_bytes().get(..96).unwrap_or(line.as_bytes());
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
            let found = match word {
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

/// The quoted source of a compiler's message: `12 | let x`, or ` | ^^^`.
fn is_source_gutter(start: &str) -> bool {
    let rest = start.trim_start_matches(|scalar: char| scalar.is_ascii_digit());
    match rest.trim_start_matches(' ').strip_prefix('|') {
        Some(quoted) if start.len() > rest.len() => !quoted.contains('|'),
        Some(quoted) => quoted.trim_start().starts_with(['^', '-']) && !quoted.contains('|'),
        None => false,
    }
}

/// A test runner's verdict on one test.
fn is_test_verdict(line: &str) -> bool {
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
    let line = line.trim_start();
    let verdict = line.strip_prefix("not ").unwrap_or(line);
    if let Some(number) = verdict.strip_prefix("ok ")
        && number.starts_with(|scalar: char| scalar.is_ascii_digit())
    {
        return true;
    }
    (line.starts_with(['-', '=', 'P', 'F', '✓', '✔', '✗', '✘', '✕'])
        && STARTS.iter().any(|start| line.starts_with(start)))
        || (line.ends_with(['k', 'd', 'D', 'R', 'K']) && ENDS.iter().any(|end| line.ends_with(end)))
        // pytest: `tests/test_a.py ....F.. [ 50%]`
        || (line.ends_with("%]") && line.contains(" ["))
}

/// A step of a build: what builders and installers say before a name.
fn is_build_step(line: &str) -> bool {
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
    let start = line.trim_start();
    if start.starts_with(|first: char| first.is_ascii_uppercase() || first == '>')
        && STEPS.iter().any(|step| start.starts_with(step))
        && (start.ends_with("...") || !start.ends_with(['.', ',']))
    {
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
fn is_stack_frame(line: &str) -> bool {
    let start = line.trim_start();
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
fn is_failure(line: &str) -> bool {
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
    let line = line.trim_start();
    STARTS.iter().any(|start| line.starts_with(start))
        || line.contains("' panicked at ")
        || (line.starts_with("thread ") && line.contains(" panicked at "))
        || (line.starts_with("Command ") && line.contains(" exited with "))
        || line.starts_with("##[error]")
        || (line.starts_with("=====") && (line.contains(" failed") || line.contains(" passed")))
}

/// The name of a source before the first `|`, `:` or `]`: `web-1  | `,
/// `kernel: `, `[worker 3] `. Empty where there is none.
fn source_name(line: &str) -> &str {
    // Not ` - key: value`, a list.
    if !line.starts_with(|first: char| first.is_ascii_alphanumeric() || first == '[') {
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
