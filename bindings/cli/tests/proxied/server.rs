//! An MCP server that does what a test tells it: the other side of the tests of
//! `result-budget proxy`, and of its measurements.
//!
//! `serve` answers JSON-RPC, `stubborn` does so and does not want to end,
//! `replay OUT IN` writes the file OUT in odd pieces and keeps what it hears in
//! the file IN, `echo` answers as fast as it can, `relay COMMAND…` copies bytes
//! both ways and looks at none, `tap FILE COMMAND…` does so too and keeps what
//! the client hears in FILE.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::zombie_processes,
    reason = "a test's counterpart, which leaves processes behind on purpose"
)]

use std::collections::VecDeque;
use std::env;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Command, Stdio, exit};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match arguments.first().map(String::as_str) {
        Some("serve") => serve(),
        Some("stubborn") => {
            ignore_requests_to_end();
            serve();
            loop {
                thread::sleep(Duration::from_secs(60));
            }
        }
        Some("replay") => replay(&arguments[1], &arguments[2]),
        Some("echo") => echo(),
        Some("relay") => relay(&arguments[1..], None),
        Some("tap") => relay(&arguments[2..], Some(File::create(&arguments[1]).unwrap())),
        other => panic!("no mode {other:?}"),
    }
}

#[cfg(unix)]
fn ignore_requests_to_end() {
    use signal_hook::consts::{SIGINT, SIGTERM};
    let signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM]).unwrap();
    // Heard, and nothing done.
    std::mem::forget(signals);
}

#[cfg(not(unix))]
fn ignore_requests_to_end() {}

fn say(line: &str) {
    let mut out = io::stdout().lock();
    out.write_all(line.as_bytes()).unwrap();
    out.write_all(b"\n").unwrap();
    out.flush().unwrap();
}

fn answer(id: &Value, result: &Value) {
    say(&json!({"jsonrpc": "2.0", "id": id, "result": result}).to_string());
}

fn text(text: &str) -> Value {
    json!({"content": [{"type": "text", "text": text}]})
}

/// Calls that are answered together, in another order.
#[derive(Default)]
struct Held {
    calls: VecDeque<(Value, Value)>,
    /// Waits for the client's answer.
    asking: Option<Value>,
}

fn serve() {
    let mut held = Held::default();
    let mut seed = 0x2545_f491_4f6c_dd1d_u64;
    for line in io::stdin().lock().lines() {
        let line = line.unwrap();
        let Ok(message) = serde_json::from_str::<Value>(&line) else { continue };
        let id = message["id"].clone();
        let params = &message["params"];
        match message["method"].as_str() {
            None => {
                if let Some(asking) = held.asking.take() {
                    // The client's answer, as it came.
                    answer(&asking, &text(&line));
                }
            }
            Some("initialize") => answer(
                &id,
                &json!({
                    "protocolVersion": params["protocolVersion"].as_str().unwrap_or("2025-11-25"),
                    "capabilities": {"tools": {}},
                    "serverInfo": {"name": "scripted", "version": "1"},
                }),
            ),
            Some("tools/list") => answer(&id, &tools(params["cursor"].as_str())),
            Some("tools/call") => call(&line, id, params, &mut held, &mut seed),
            Some("prompts/get") => answer(
                &id,
                &json!({"messages": [{"role": "user", "content": {"type": "text", "text": "p".repeat(40_000)}}]}),
            ),
            Some("resources/read") => answer(
                &id,
                &json!({"contents": [{"uri": "file:///a", "text": "r".repeat(600_000)}]}),
            ),
            Some("tasks/get") => answer(
                &id,
                &json!({"taskId": "t", "status": "completed", "result": text(&"t".repeat(40_000))}),
            ),
            Some("fail") => say(
                &json!({"jsonrpc": "2.0", "id": id, "error": {"code": -32001, "message": "m".repeat(40_000)}})
                    .to_string(),
            ),
            Some(_) if id.is_null() => {}
            Some(method) => {
                answer(&id, &json!({"of": method, "bytes": "x".repeat(params["bytes"].as_u64().unwrap_or(0) as usize)}));
            }
        }
    }
}

fn tools(cursor: Option<&str>) -> Value {
    let tool = |name: &str| json!({"name": name, "inputSchema": {"type": "object", "properties": {"bytes": {"type": "integer"}}}});
    if cursor.is_some() {
        return json!({"tools": [tool("line"), {
            "name": "structured",
            "inputSchema": {"type": "object"},
            "outputSchema": {
                "type": "object",
                "properties": {"items": {"type": "array", "items": {"type": "string"}}, "total": {"type": "integer"}},
                "required": ["items", "total"],
                "additionalProperties": false,
            },
        }]});
    }
    json!({"tools": [tool("text"), tool("echo")], "nextCursor": "2"})
}

fn call(line: &str, id: Value, params: &Value, held: &mut Held, seed: &mut u64) {
    let arguments = &params["arguments"];
    let number = |name: &str| arguments[name].as_u64().unwrap_or(0) as usize;
    match params["name"].as_str().unwrap() {
        "text" => {
            let line = "a word of the text, ";
            let whole = line.repeat(number("bytes") / line.len() + 1);
            answer(&id, &text(&whole[..number("bytes")]));
        }
        "echo" => answer(&id, &text(&arguments.to_string())),
        "line" => answer(&id, &text(line)),
        "structured" => {
            let items: Vec<String> =
                (0..number("items")).map(|item| format!("item {item}")).collect();
            let structured = json!({"items": items, "total": items.len()});
            answer(
                &id,
                &json!({"content": [{"type": "text", "text": structured.to_string()}], "structuredContent": structured}),
            );
        }
        "raw" => say(&arguments["line"].as_str().unwrap().replace("$ID", &id.to_string())),
        "progress" => {
            for at in 0..3 {
                say(&format!(
                    r#"{{"jsonrpc" :"2.0","method":"notifications/progress","params":{{"progressToken":7,"progress":{at}.0}}}}"#
                ));
            }
            answer(&id, &text("done"));
        }
        "ask" => {
            held.asking = Some(id);
            say(
                r#"{"jsonrpc":"2.0", "id":"s\u0031","method":"sampling/createMessage","params":{"maxTokens":1e2}}"#,
            );
        }
        "never" => {}
        "held" => {
            held.calls.push_back((id, arguments.clone()));
            if held.calls.len() == number("of") {
                let mut calls: Vec<_> = held.calls.drain(..).collect();
                while !calls.is_empty() {
                    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    let (id, arguments) = calls.swap_remove((*seed >> 33) as usize % calls.len());
                    answer(&id, &text(&arguments.to_string()));
                }
            }
        }
        "huge" => huge(&id, number("bytes")),
        "exit" => exit(i32::try_from(number("code")).unwrap()),
        "half" => {
            let mut out = io::stdout().lock();
            out.write_all(br#"{"jsonrpc":"2.0","id":"#).unwrap();
            out.flush().unwrap();
            exit(3);
        }
        #[cfg(unix)]
        "spawn" => {
            let child = Command::new("sleep").arg("600").spawn().unwrap();
            answer(&id, &text(&format!("{} {}", std::process::id(), child.id())));
        }
        "shout" => {
            eprintln!("a word on standard error");
            answer(&id, &text("said"));
        }
        other => panic!("no tool {other}"),
    }
}

/// An answer whose id comes last, behind a text of so many bytes.
fn huge(id: &Value, bytes: usize) {
    let mut out = io::BufWriter::with_capacity(64 * 1_024, io::stdout().lock());
    out.write_all(br#"{"result":{"content":[{"type":"text","text":"\"id\":7,"#).unwrap();
    let piece = [b'x'; 4_096];
    let mut left = bytes;
    while left > 0 {
        let some = left.min(piece.len());
        out.write_all(&piece[..some]).unwrap();
        left -= some;
    }
    writeln!(out, r#""}}]}},"\u0069d" : {id} ,"jsonrpc":"2.0"}}"#).unwrap();
    out.flush().unwrap();
}

fn replay(out: &str, heard: &str) {
    let bytes = fs::read(out).unwrap();
    let writer = thread::spawn(move || {
        let mut stdout = File::from(own(io::stdout()));
        let mut at = 0;
        let mut size = 1;
        while at < bytes.len() {
            let end = (at + size).min(bytes.len());
            stdout.write_all(&bytes[at..end]).unwrap();
            at = end;
            size = size * 7 % 4_093 + 1;
        }
    });
    let mut file = File::create(heard).unwrap();
    io::copy(&mut io::stdin().lock(), &mut file).unwrap();
    writer.join().unwrap();
}

#[cfg(unix)]
fn own(stream: impl std::os::fd::AsFd) -> std::os::fd::OwnedFd {
    stream.as_fd().try_clone_to_owned().unwrap()
}

#[cfg(windows)]
fn own(stream: impl std::os::windows::io::AsHandle) -> std::os::windows::io::OwnedHandle {
    stream.as_handle().try_clone_to_owned().unwrap()
}

/// Answers each call with the text that it brings, and looks no closer.
fn echo() {
    let mut input = BufReader::with_capacity(64 * 1_024, File::from(own(io::stdin())));
    let mut output = File::from(own(io::stdout()));
    let (mut line, mut out) = (Vec::new(), Vec::new());
    let place = |line: &[u8], sought: &str| {
        line.windows(sought.len()).position(|window| window == sought.as_bytes()).unwrap()
            + sought.len()
    };
    loop {
        line.clear();
        if input.read_until(b'\n', &mut line).unwrap() == 0 {
            return;
        }
        let id = place(&line, "\"id\":");
        let id_end = id + line[id..].iter().position(|byte| *byte == b',').unwrap();
        let said = place(&line, "\"text\":\"");
        let said_end = line.iter().rposition(|byte| *byte == b'"').unwrap();
        out.clear();
        out.extend_from_slice(br#"{"jsonrpc":"2.0","id":"#);
        out.extend_from_slice(&line[id..id_end]);
        out.extend_from_slice(br#","result":{"content":[{"type":"text","text":""#);
        out.extend_from_slice(&line[said..said_end]);
        out.extend_from_slice(b"\"}]}}\n");
        output.write_all(&out).unwrap();
    }
}

/// The least that can stand between two processes.
fn relay(command: &[String], mut heard: Option<File>) {
    let mut child = Command::new(&command[0])
        .args(&command[1..])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let copy = |mut from: File, mut to: File, heard: Option<&mut File>| {
        let mut heard = heard;
        let mut buffer = vec![0; 64 * 1_024];
        loop {
            match from.read(&mut buffer) {
                Ok(0) | Err(_) => return,
                Ok(read) => {
                    if let Some(heard) = &mut heard {
                        heard.write_all(&buffer[..read]).unwrap();
                    }
                    to.write_all(&buffer[..read]).unwrap();
                }
            }
        }
    };
    let to_child = File::from(own(child.stdin.take().unwrap()));
    let from_child = File::from(own(child.stdout.take().unwrap()));
    let (input, output) = (File::from(own(io::stdin())), File::from(own(io::stdout())));
    thread::spawn(move || copy(input, to_child, None));
    copy(from_child, output, heard.as_mut());
    exit(child.wait().unwrap().code().unwrap_or(1));
}
