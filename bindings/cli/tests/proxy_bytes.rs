//! What is not bounded passes `result-budget proxy` byte for byte, in both
//! directions, however it is spelled.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod proxied;

use std::env;
use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use proxied::{Scratch, command, wait};

/// Random numbers, the same ones each time.
struct Chance(u64);

impl Chance {
    fn below(&mut self, most: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % most
    }

    fn one_of<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len())]
    }

    fn space(&mut self) -> &'static str {
        self.one_of(&["", "", "", " ", "  ", "\t", " \r", "\t "])
    }

    fn string(&mut self) -> String {
        let pieces = [
            "a",
            "\\u00e9",
            "é",
            "\\/",
            "\\\"",
            "\\\\",
            "}",
            "{",
            "[",
            ",",
            ":",
            "\\u0000",
            "\u{1f600}",
            "\\ud83d\\ude00",
            "\\ud800",
            "id",
            "result",
            " ",
            "\\n",
            "x".repeat(50).leak(),
        ];
        let body: String = (0..self.below(8)).map(|_| self.one_of(&pieces)).collect();
        format!("\"{body}\"")
    }

    fn value(&mut self, depth: usize) -> String {
        match self.below(if depth == 0 { 4 } else { 6 }) {
            0 => self.string(),
            1 => String::from(self.one_of(&[
                "1.0",
                "-0",
                "1E400",
                "1e-7",
                "12345678901234567890123",
                "0",
            ])),
            2 => String::from(self.one_of(&["true", "false", "null"])),
            3 => String::from(self.one_of(&["{}", "[ ]", "{\t}", "\"\""])),
            4 => {
                let items: Vec<String> = (0..self.below(4))
                    .map(|_| format!("{}{}{}", self.space(), self.value(depth - 1), self.space()))
                    .collect();
                format!("[{}]", items.join(","))
            }
            _ => self.object(depth, Vec::new()),
        }
    }

    /// These members and others, in any order.
    fn object(&mut self, depth: usize, mut members: Vec<String>) -> String {
        for _ in 0..self.below(4) {
            let key = self.string();
            let (before, after, value) =
                (self.space(), self.space(), self.value(depth.saturating_sub(1)));
            members.push(format!("{key}{before}:{after}{value}"));
        }
        let mut all = String::from("{");
        let count = members.len();
        for at in 0..count {
            let member = members.swap_remove(self.below(members.len()));
            let comma = if at + 1 < count { "," } else { "" };
            all.push_str(&format!("{}{member}{}{comma}", self.space(), self.space()));
        }
        all + self.space() + "}"
    }

    fn message(&mut self, is_servers: bool) -> String {
        let id = self.value(0);
        let mut members = vec![String::from("\"jsonrpc\":\"2.0\"")];
        if self.below(5) > 0 {
            members.push(format!("\"{}\" :{id}", self.one_of(&["id", "id", "\\u0069d"])));
        }
        let method = self.one_of(&[
            "tools/call",
            "ping",
            "x/y",
            "notifications/progress",
            "sampling/createMessage",
            "initialize",
            "notifications/cancelled",
            "tools\\/list",
            "notifications/message",
            "resources/read",
        ]);
        let params = self.value(3);
        match self.below(4) {
            0 => members.push(format!("\"method\":\"{method}\"")),
            1 => members.push(format!("\"method\":\"{method}\",\"params\":{params}")),
            // What is a result to bound is an object that is one: a list of
            // anything else is whatever the server says it is.
            2 if is_servers => {
                let text = self.string();
                let content = format!(r#""content":[{{"type":"text","text":{text}}}]"#);
                let result = self.object(2, vec![content]);
                members.push(format!("\"result\":{result}"));
            }
            2 => members.push(format!("\"result\":{}", self.value(3))),
            _ if is_servers => {
                members.push(String::from("\"error\":{\"code\":-1 ,\"message\":\"m\\u00e9\"}"))
            }
            _ => members.push(format!("\"error\":{}", self.value(2))),
        }
        self.object(1, members)
    }

    fn line(&mut self, is_servers: bool) -> String {
        match self.below(12) {
            0 => String::from(self.one_of(&[
                "", " ", "\t", "no json", "{", "}", "[1,2", "\"a\\", "nul", "]{", "{\"id\":",
            ])),
            1 => {
                let items: Vec<String> =
                    (0..self.below(4)).map(|_| self.message(is_servers)).collect();
                format!("{}[{}]", self.space(), items.join(" ,"))
            }
            _ => format!("{}{}{}", self.space(), self.message(is_servers), self.space()),
        }
    }

    fn stream(&mut self, lines: usize, is_servers: bool) -> Vec<u8> {
        let mut all = Vec::new();
        for _ in 0..lines {
            all.extend_from_slice(self.line(is_servers).as_bytes());
            if self.below(20) == 0 {
                all.extend_from_slice(b" \xff\xfe");
            }
            all.extend_from_slice(self.one_of(&["\n", "\n", "\r\n", "\n\n"]).as_bytes());
        }
        // The last line has no end.
        all.extend_from_slice(b"{\"jsonrpc\":\"2.0\",\"method\":\"last\"}");
        all
    }
}

/// Sends `heard` and `said` through the proxy at the same time; both arrive.
fn passes(name: &str, options: &[&str], said: &[u8], heard: &[u8]) {
    let scratch = Scratch::new(name);
    let (from, into) = (scratch.path("from"), scratch.path("into"));
    fs::write(&from, heard).unwrap();
    let mut child = command(options, &["replay", &from, &into]).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let all = said.to_vec();
    let writer = thread::spawn(move || stdin.write_all(&all).unwrap());
    let mut stderr = child.stderr.take().unwrap();
    let errors = thread::spawn(move || {
        let mut text = String::new();
        stderr.read_to_string(&mut text).unwrap();
        text
    });
    let mut out = Vec::new();
    child.stdout.take().unwrap().read_to_end(&mut out).unwrap();
    writer.join().unwrap();
    let code = wait(&mut child, Duration::from_secs(20));
    let errors = errors.join().unwrap();
    assert_eq!(code, 0, "{errors}");
    // What the server never answered is answered with errors, on lines of their own.
    let errors = out.split_off(heard.len().min(out.len()));
    for line in errors.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        assert!(line.starts_with(br#"{"jsonrpc":"2.0","id":"#), "{line:?}");
        assert!(line.ends_with(br#"answered (exit code 0)."}}"#), "{line:?}");
    }
    assert!(errors.is_empty() || errors[0] == b'\n' || heard.last() == Some(&b'\n'));
    same(name, &out, heard);
    same(name, &fs::read(into).unwrap(), said);
}

fn same(name: &str, got: &[u8], given: &[u8]) {
    let at = got.iter().zip(given).position(|(a, b)| a != b).unwrap_or(got.len().min(given.len()));
    let around = |all: &[u8]| {
        let (start, end) = (at.saturating_sub(200).min(all.len()), (at + 100).min(all.len()));
        String::from_utf8_lossy(&all[start..end]).into_owned()
    };
    assert!(
        got == given,
        "{name}: {} of {} bytes, other at byte {at}:\n{}\n{}",
        got.len(),
        given.len(),
        around(got),
        around(given)
    );
}

#[test]
fn whatever_is_not_bounded_passes_byte_for_byte() {
    for seed in 0..8 {
        let mut chance = Chance(seed);
        let said = chance.stream(1_500, false);
        let heard = chance.stream(1_500, true);
        // Results are told of and not changed; all else is not even told of.
        passes(&format!("report-only-{seed}"), &["--report-only"], &said, &heard);
    }
}

#[test]
fn results_that_fit_pass_byte_for_byte_with_the_boundary_in_force() {
    // As servers print them: `1.0`, escapes, unknown members, any spacing.
    let heard: Vec<u8> = [
        r#"{ "jsonrpc" : "2.0" , "x":1.0, "id" : "a" , "result" : {"content":[{"type":"text","text":"\u00e9\/"}] , "structuredContent": {"n":1.0,"m":1E2} } , "y":[1.0] }"#,
        r#"{"result":{"content":[],"isError" : false},"jsonrpc":"2.0","id":1.0}"#,
        r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}"#,
        r#"{"jsonrpc":"2.0","id":2,"error":null,"result":{"content":[]}}"#,
        r#"{"jsonrpc":"2.0","id":3,"result":"text"}"#,
        "",
        r#"[ {"jsonrpc":"2.0","id":4,"result":{"content":[]}} ,{"jsonrpc":"2.0","method":"x"}]"#,
        r#"{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1.0}}"#,
        "not json at all \u{e9}\r",
        r#"{"jsonrpc":"2.0","id":5,"method":"roots/list"}"#,
    ]
    .join("\n")
    .into_bytes();
    passes("enforced", &["--preset", "small"], b"{\"id\":1,\"method\":\"x\"}\r\n\n", &heard);
}

/// The results that ship with the repository, and the larger corpus where it is
/// there: beside the repository, or where `RESULT_BUDGET_CORPUS` says.
fn recorded() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap();
    let beside = root.parent().unwrap().join("shared/corpus");
    let corpus = env::var_os("RESULT_BUDGET_CORPUS").map_or(beside, PathBuf::from);
    let folders = ["registry", "fetched", "local"].map(|part| corpus.join(part));
    let mut files: Vec<PathBuf> = folders
        .into_iter()
        .chain([root.join("tests/fixtures")])
        .filter_map(|folder| fs::read_dir(folder).ok())
        .flatten()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "json"))
        .collect();
    files.sort();
    files.iter().map(|path| fs::read_to_string(path).unwrap()).collect()
}

#[test]
fn recorded_results_pass_byte_for_byte() {
    let mut heard = Vec::new();
    let results = recorded();
    assert!(results.len() > 5);
    eprintln!("results: {}", results.len());
    for (id, result) in results.iter().enumerate() {
        // As other printers would have it.
        let json = result.replace(['\n', '\r'], " ");
        let json = json.replace("\u{e9}", "\\u00e9").replace(": 1,", ": 1.0 ,");
        let line =
            format!("{{\"id\":{id}.0 ,\"x\":[1E2] ,\"result\" :{json}\t, \"jsonrpc\":\"2.0\"}}\n");
        heard.extend_from_slice(line.as_bytes());
    }
    let said = heard.clone();
    passes("recorded", &["--limit-bytes", "16777216"], &said, &heard);
}

/// A session in which the server says `from`; what it heard, and the client.
fn replayed(name: &str, from: &[u8], said: &[u8], until: &str) -> (String, String) {
    let scratch = Scratch::new(name);
    let (out, into) = (scratch.path("from"), scratch.path("into"));
    fs::write(&out, from).unwrap();
    let mut child = command(&[], &["replay", &out, &into]).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(said).unwrap();
    let mut heard = String::new();
    for _ in 0..1_000 {
        heard = fs::read_to_string(&into).unwrap_or_default();
        if heard.contains(until) {
            break;
        }
        thread::sleep(Duration::from_millis(10));
    }
    drop(stdin);
    let mut stdout = String::new();
    child.stdout.take().unwrap().read_to_string(&mut stdout).unwrap();
    wait(&mut child, Duration::from_secs(20));
    (heard, stdout)
}

#[test]
fn a_refused_call_is_taken_out_of_its_batch() {
    let refused = r#"{"id":1,"method":"tools/call","params":{"name":"a","_meta":{"dev.result-budget/max_bytes":1}}}"#;
    let ping = r#"{"id":2,"method":"ping"}"#;
    for (said, seen) in [
        (format!("[{refused} , {ping}]\n"), format!("[ {ping}]\n")),
        (format!("[ {ping} , {refused} ]\n"), format!("[ {ping} ]\n")),
        (format!("[{refused},{refused}]\n{ping}\n"), format!("{ping}\n")),
    ] {
        let (heard, answers) = replayed("batch", b"", said.as_bytes(), "ping");
        assert_eq!(heard, seen);
        let first = answers.lines().next().unwrap();
        assert!(
            first.contains(r#""id":1,"result""#) && first.contains("call_max_bytes"),
            "{first}"
        );
    }
}

#[test]
fn an_over_long_request_of_the_server_is_answered_in_the_place_of_the_client() {
    let long = "x".repeat(17 * 1_024 * 1_024);
    let from = format!(
        "{{\"jsonrpc\":\"2.0\",\"method\":\"sampling/createMessage\",\"params\":{{\"id\":7,\"x\":\"{long}\"}},\"id\":\"big\"}}\n{{\"method\":\"next\"}}\n"
    );
    let (heard, answers) = replayed("long", from.as_bytes(), b"", "big");
    let start = r#"{"jsonrpc":"2.0","id":"big","error":{"code":-32600,"message":"[result-budget] Server at fault: "#;
    assert!(heard.starts_with(start), "{heard}");
    assert_eq!(answers, "{\"method\":\"next\"}\n");
}
