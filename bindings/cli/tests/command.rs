//! The command as a shell sees it: exit codes, streams, order, memory.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::thread;

const FINE: &str = r#"{"content":[{"type":"text","text":"hello"}]}"#;

fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_result-budget"));
    command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn run(args: &[&str], input: &[u8]) -> Output {
    let mut child = command(args).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    // A command that stops early closes the pipe: no fault of the test.
    let writer = thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

fn out(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

fn err(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).unwrap()
}

/// A file that is gone after the test.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str, text: &[u8]) -> Self {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
            .join(format!("{}-{name}", std::process::id()));
        fs::write(&path, text).unwrap();
        Scratch(path)
    }

    fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

fn long_result(tag: &str, bytes: usize) -> String {
    let line = format!("{tag}: one line of a long log.\\n");
    format!(r#"{{"content":[{{"type":"text","text":"{}"}}]}}"#, line.repeat(bytes / line.len() + 1))
}

#[test]
fn a_result_that_fits_goes_through_byte_for_byte() {
    let input = "{ \"content\": [\n] }";
    let output = run(&["fit"], input.as_bytes());
    assert_eq!((code(&output), out(&output), err(&output)), (0, input, ""));
    let file = Scratch::new("fine.json", FINE.as_bytes());
    for args in [["fit", file.path()], ["fit", "-"]] {
        let output = run(&args, FINE.as_bytes());
        assert_eq!((code(&output), out(&output)), (0, FINE));
    }
}

#[test]
fn a_result_over_the_limit_is_bounded_and_reported() {
    let input = long_result("x", 20_000);
    let output = run(&["fit", "--limit-bytes", "1000", "--report"], input.as_bytes());
    assert_eq!(code(&output), 0);
    assert!(out(&output).len() <= 1_000 && !out(&output).ends_with('\n'));
    serde_json::from_str::<serde_json::Value>(out(&output)).unwrap();
    let report: serde_json::Value = serde_json::from_str(err(&output)).unwrap();
    assert_eq!(report["truncated"], true);
    assert_eq!(err(&output).lines().count(), 1);
}

#[test]
fn options_reach_the_engine() {
    let input = long_result("x", 50_000);
    let small = run(&["fit", "--preset", "small"], input.as_bytes());
    let large = run(&["fit", "--preset", "large"], input.as_bytes());
    assert!(small.stdout.len() < 9_000, "{}", small.stdout.len());
    assert_eq!(out(&large), input);
    let asked = run(&["fit", "--max-bytes", "2000"], input.as_bytes());
    assert_eq!(code(&asked), 0);
    assert!(asked.stdout.len() <= 2_000);
    let policy = Scratch::new("policy.json", br#"{"version":1,"preset":"small"}"#);
    let by_policy = run(&["fit", "--policy", policy.path()], input.as_bytes());
    assert_eq!((code(&by_policy), out(&by_policy)), (0, out(&small)), "{}", err(&by_policy));
    let accents = r#"{"content":[{"type":"text","text":"ééé"}]}"#;
    for profile in ["utf8-compact", "ascii-compact", "python-json", "html-escaped"] {
        assert_eq!(out(&run(&["fit", "--profile", profile], accents.as_bytes())), accents);
    }
    let schema = Scratch::new("schema.json", br#"{"type":"object"}"#);
    for schema in ["none", "unknown", schema.path()] {
        assert_eq!(code(&run(&["fit", "--output-schema", schema], input.as_bytes())), 0);
    }
}

#[test]
fn the_report_is_json_whatever_happens() {
    for (input, outcome) in [(FINE, "unchanged"), ("no json", "failed-closed")] {
        let output = run(&["fit", "--report"], input.as_bytes());
        let report: serde_json::Value = serde_json::from_str(err(&output)).unwrap();
        assert_eq!(report["outcome"], outcome);
    }
}

#[test]
fn limits_out_of_range_are_usage_errors_with_one_message() {
    for option in ["--limit-bytes", "--max-bytes"] {
        for given in ["255", "-1", "1.5", "9007199254740992", "abc", "", "16777217", "1e3", "-"] {
            let output = run(&["fit", option, given], FINE.as_bytes());
            assert_eq!(code(&output), 2, "{option} {given}: {}", out(&output));
            assert_eq!(out(&output), "", "{option} {given}");
            assert!(err(&output).contains(&format!("got `{given}`")), "{option}: {}", err(&output));
            assert!(err(&output).contains("from 256 to"), "{}", err(&output));
            assert!(err(&output).contains("is at fault"), "{}", err(&output));
        }
        assert_eq!(code(&run(&["fit", option, "256"], FINE.as_bytes())), 0, "{option}");
    }
}

#[test]
fn usage_errors_print_nothing_on_standard_output() {
    let no_policy = Scratch::new("policy-bad.json", br#"{"presets":1"#);
    let unknown_member =
        Scratch::new("policy-unknown.json", br#"{"version":1,"no_such_member":1}"#);
    let binary = Scratch::new("policy-binary.json", b"\xff\xfe");
    let cases: [(&[&str], &str); 14] = [
        (&[], "Usage"),
        (&["fit", "--no-such-option"], "--no-such-option"),
        (&["fit", "--preset", "small", "--limit-bytes", "1000"], "cannot be used with"),
        (&["fit", "--preset", "huge"], "huge"),
        (&["fit", "--revision", "yesterday"], "yesterday"),
        (&["fit", "--profile", "utf-16"], "utf-16"),
        (&["fit", "--policy", no_policy.path()], "malformed-json"),
        (&["fit", "--policy", unknown_member.path()], "no_such_member"),
        (&["fit", "--policy", binary.path()], "cannot be read"),
        (&["fit", "--policy", "/no/such/file"], "/no/such/file"),
        (&["fit", "--output-schema", "/no/such/file"], "/no/such/file"),
        (&["fit", "/no/such/file"], "/no/such/file"),
        (&["fit", env!("CARGO_MANIFEST_DIR")], "cannot be read"),
        (&["inspect", "/no/such/file"], "/no/such/file"),
    ];
    for (args, words) in cases {
        let output = run(args, FINE.as_bytes());
        assert_eq!((code(&output), out(&output)), (2, ""), "{args:?}");
        assert!(err(&output).contains(words), "{args:?}: {}", err(&output));
    }
}

#[test]
fn what_cannot_be_read_fails_closed_and_prints_a_bounded_error() {
    let cases: [(&[u8], &str); 10] = [
        (b"", "not JSON"),
        (b"no json", "not JSON"),
        (b"{} {}", "not JSON"),
        (b"\xef\xbb\xbf{}", "not JSON"),
        (b"{\"a\":\"\0\"}", "not JSON"),
        (b"\0", "not JSON"),
        (b"[]", "no object"),
        (b"7", "no object"),
        (b"{\"a\":\"\xff\"}", "no UTF-8"),
        (b"\xff\xfe{\0}\0", "no UTF-8"),
    ];
    for (input, words) in cases {
        let output = run(&["fit"], input);
        let shown = String::from_utf8_lossy(input);
        assert_eq!(code(&output), 3, "{shown}");
        assert!(output.stdout.len() <= 256, "{shown}");
        let result: serde_json::Value = serde_json::from_str(out(&output)).unwrap();
        assert_eq!(result["isError"], true, "{shown}");
        assert!(err(&output).contains(words), "{shown}: {}", err(&output));
        assert!(err(&output).contains("the tool is at fault"), "{shown}: {}", err(&output));
        assert!(!err(&output).contains('\u{1b}'), "no colours off a terminal");
    }
}

#[test]
fn a_result_over_the_input_cap_fails_closed() {
    let mut input = vec![b' '; 16 * 1_024 * 1_024 - 1];
    input.extend_from_slice(b"{}");
    let output = run(&["fit"], &input);
    assert_eq!(code(&output), 3);
    assert!(out(&output).len() <= 256 && out(&output).contains("16777217"), "{}", out(&output));
    let output = run(&["fit"], &input[1..]);
    assert_eq!(code(&output), 0, "{}", err(&output));
}

#[test]
fn lines_come_out_in_order_one_for_one() {
    let mut input = String::new();
    for line in 0..500 {
        match line % 5 {
            0 => input.push_str(&long_result(&format!("<{line}>"), 5_000)),
            1 => input.push_str("no json"),
            2 => {}
            _ => input.push_str(&format!(r#"{{"content":[{{"type":"text","text":"<{line}>"}}]}}"#)),
        }
        input.push('\n');
    }
    // The last line may lack its end.
    input.push_str(FINE);
    let output = run(&["fit", "--jsonl", "--limit-bytes", "1000"], input.as_bytes());
    assert_eq!(code(&output), 3);
    assert!(out(&output).ends_with('\n'));
    let lines: Vec<&str> = out(&output).lines().collect();
    assert_eq!(lines.len(), 501);
    for (number, line) in lines.iter().enumerate() {
        assert!(line.len() <= 1_000);
        let result: serde_json::Value = serde_json::from_str(line).unwrap();
        match number % 5 {
            _ if number == 500 => assert_eq!(*line, FINE),
            1 | 2 => assert_eq!(result["isError"], true),
            _ => assert!(line.contains(&format!("<{number}>")), "{number}: {line}"),
        }
    }
    assert_eq!(err(&output).lines().count(), 200);
    assert!(err(&output).lines().all(|line| line.starts_with("warning: line ")));
}

#[test]
fn lines_without_failure_end_with_zero() {
    let output = run(&["fit", "--jsonl"], format!("{FINE}\r\n{FINE}\n").as_bytes());
    assert_eq!((code(&output), out(&output)), (0, format!("{FINE}\r\n{FINE}\n").as_str()));
    let output = run(&["fit", "--jsonl"], b"");
    assert_eq!((code(&output), out(&output)), (0, ""));
    let output = run(&["fit", "--jsonl", "--report"], format!("{FINE}\n[]\n").as_bytes());
    assert_eq!(code(&output), 3);
    assert_eq!(err(&output).lines().count(), 2);
}

#[test]
fn a_line_is_answered_before_the_next_is_sent() {
    let mut child = command(&["fit", "--jsonl"]).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    for line in 0..3 {
        let input = format!(r#"{{"content":[],"_meta":{{"n":{line}}}}}"#);
        writeln!(stdin, "{input}").unwrap();
        let mut answer = String::new();
        stdout.read_line(&mut answer).unwrap();
        assert_eq!(answer.trim_end(), input);
    }
    drop(stdin);
    assert!(child.wait().unwrap().success());
}

#[cfg(target_os = "linux")]
#[test]
fn a_line_over_the_cap_is_answered_in_constant_memory() {
    let mut child = command(&["fit", "--jsonl"]).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let chunk = vec![b'x'; 1 << 20];
    for _ in 0..3 {
        for _ in 0..200 {
            stdin.write_all(&chunk).unwrap();
        }
        writeln!(stdin, "\n{FINE}").unwrap();
        let mut answer = String::new();
        stdout.read_line(&mut answer).unwrap();
        assert!(answer.contains("209715200") && answer.len() <= 257, "{answer}");
        answer.clear();
        stdout.read_line(&mut answer).unwrap();
        assert_eq!(answer.trim_end(), FINE);
    }
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let peak_kib: u64 = peak.trim().strip_suffix(" kB").unwrap().parse().unwrap();
    assert!(peak_kib < 64 * 1_024, "{peak_kib} KiB");
    drop(stdin);
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert_eq!(said.lines().count(), 3);
    assert_eq!(child.wait().unwrap().code(), Some(3));
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let mut child = command(&["fit", "--jsonl"]).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    drop(child.stdout.take());
    let _ = writeln!(stdin, "{FINE}");
    let _ = writeln!(stdin, "{FINE}");
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    assert_eq!((code(&output), err(&output)), (0, ""));
}

#[test]
fn inspect_shows_sizes_as_a_table_and_as_json() {
    let input = long_result("x", 20_000);
    let table = run(&["inspect"], input.as_bytes());
    assert_eq!(code(&table), 0, "{}", err(&table));
    assert!(
        out(&table).contains("/content/0/text") && out(&table).contains('█'),
        "{}",
        out(&table)
    );
    let json = run(&["inspect", "--json", "-"], input.as_bytes());
    let sizes: serde_json::Value = serde_json::from_str(out(&json)).unwrap();
    assert_eq!(sizes["result_bytes"], input.len());
    assert_eq!(sizes["content_items"], 1);
    for input in [&b"no json"[..], b"\xff", b"[]"] {
        let output = run(&["inspect"], input);
        assert_eq!((code(&output), out(&output)), (3, ""));
        assert!(err(&output).contains("the tool is at fault"), "{}", err(&output));
    }
}

#[test]
fn a_key_cannot_drive_the_terminal() {
    let input =
        format!(r#"{{"content":[],"structuredContent":{{"\u001b[2J":"{}"}}}}"#, "x".repeat(9_000));
    let output = run(&["inspect"], input.as_bytes());
    assert_eq!(code(&output), 0);
    assert!(!out(&output).contains('\u{1b}'), "{}", out(&output));
}

#[test]
fn limits_lists_every_limit_and_preset() {
    let table = run(&["limits"], b"");
    assert_eq!(code(&table), 0);
    for words in ["max_result_bytes", "16,777,216", "max_item_bytes", "normal", "65,536", "off"] {
        assert!(out(&table).contains(words), "{words}");
    }
    let json = run(&["limits", "--json"], b"");
    let tables: serde_json::Value = serde_json::from_str(out(&json)).unwrap();
    assert_eq!(tables["limits"][0]["min"], 256);
    assert_eq!(tables["presets"][1]["name"], "normal");
}

#[test]
fn the_engine_and_the_version_have_names() {
    let sha = run(&["--engine-sha"], b"");
    assert_eq!(code(&sha), 0);
    let digits = out(&sha).trim_end();
    assert!(digits.len() == 64 && digits.bytes().all(|byte| byte.is_ascii_hexdigit()), "{digits}");
    let version = run(&["--version"], b"");
    assert_eq!(out(&version), concat!("result-budget ", env!("CARGO_PKG_VERSION"), "\n"));
    assert_eq!(code(&run(&["--help"], b"")), 0);
}
