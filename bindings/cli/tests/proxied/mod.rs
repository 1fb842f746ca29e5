//! A client before `result-budget proxy`, with the scripted server behind it.

#![allow(dead_code, reason = "each test program uses a part")]

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// The scripted server.
pub(crate) fn server() -> &'static str {
    env!("CARGO_BIN_EXE_scripted-server")
}

/// A folder that is gone after the test.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    pub(crate) fn new(name: &str) -> Self {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
            .join(format!("proxy-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Scratch(folder)
    }

    pub(crate) fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The proxy with these options before the scripted server in this mode.
pub(crate) fn command(options: &[&str], mode: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_result-budget"));
    command.arg("proxy").args(options).arg("--").arg(server()).args(mode);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// A client.
pub(crate) struct Client {
    pub(crate) child: Child,
    stdin: Option<ChildStdin>,
    stdout: Option<BufReader<ChildStdout>>,
    next: u64,
    /// Answers that came before they were asked for.
    early: HashMap<String, String>,
    pub(crate) others: Vec<String>,
}

impl Client {
    pub(crate) fn new(options: &[&str], mode: &[&str]) -> Self {
        let mut child = command(options, mode).spawn().unwrap();
        let stdin = child.stdin.take();
        let stdout = child.stdout.take().map(BufReader::new);
        Client { child, stdin, stdout, next: 0, early: HashMap::new(), others: Vec::new() }
    }

    /// With the handshake done, as this client.
    pub(crate) fn ready(options: &[&str], name: &str) -> Self {
        let mut client = Client::new(options, &["serve"]);
        client.ask(
            "initialize",
            &json!({"protocolVersion": "2025-11-25", "clientInfo": {"name": name, "version": "1"}}),
        );
        client.say(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        client
    }

    pub(crate) fn say(&mut self, line: &str) {
        let stdin = self.stdin.as_mut().unwrap();
        stdin.write_all(line.as_bytes()).unwrap();
        stdin.write_all(b"\n").unwrap();
    }

    /// The next line, without its end.
    pub(crate) fn hear(&mut self) -> String {
        let mut line = String::new();
        let read = self.stdout.as_mut().unwrap().read_line(&mut line).unwrap();
        assert!(read > 0, "the proxy closed its output");
        assert_eq!(line.pop(), Some('\n'));
        line
    }

    /// The line of the answer with this id.
    pub(crate) fn answer_to(&mut self, id: &Value) -> String {
        let key = id.to_string();
        loop {
            if let Some(line) = self.early.remove(&key) {
                return line;
            }
            let line = self.hear();
            let message: Value = serde_json::from_str(&line).unwrap();
            if message["method"].is_string() {
                self.others.push(line);
            } else {
                let old = self.early.insert(message["id"].to_string(), line);
                assert_eq!(old, None, "two answers to one request");
            }
        }
    }

    pub(crate) fn send(&mut self, method: &str, params: &Value) -> Value {
        self.next += 1;
        let id = json!(self.next);
        self.say(
            &json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string(),
        );
        id
    }

    pub(crate) fn ask(&mut self, method: &str, params: &Value) -> Value {
        let id = self.send(method, params);
        serde_json::from_str(&self.answer_to(&id)).unwrap()
    }

    pub(crate) fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        self.ask("tools/call", &json!({"name": tool, "arguments": arguments}))
    }

    /// Closes the input and waits; the exit code and standard error.
    pub(crate) fn end(mut self) -> (i32, String) {
        drop(self.stdin.take());
        self.wait()
    }

    /// Hears no more.
    pub(crate) fn deafen(&mut self) {
        drop(self.stdout.take());
    }

    /// As if killed: both pipes are closed, and nobody waits.
    pub(crate) fn vanish(&mut self) -> Child {
        drop(self.stdout.take());
        drop(self.stdin.take());
        std::mem::replace(&mut self.child, Command::new("true").spawn().unwrap())
    }

    pub(crate) fn wait(&mut self) -> (i32, String) {
        let status = wait(&mut self.child, Duration::from_secs(20));
        let mut stderr = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
        (status, stderr)
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        drop(self.stdin.take());
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Waits for the end, but not for ever.
pub(crate) fn wait(child: &mut Child, most: Duration) -> i32 {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status.code().unwrap_or(-1);
        }
        assert!(start.elapsed() < most, "the proxy does not end");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// The text of a tool's result.
pub(crate) fn text(answer: &Value) -> String {
    let blocks = answer["result"]["content"].as_array().unwrap();
    blocks.iter().filter_map(|block| block["text"].as_str()).collect()
}
