//! How a session of `result-budget proxy` ends: exit codes, signals, and no
//! process left.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod proxied;

use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use proxied::{Client, command, text, wait};

fn is_alive(id: &str) -> bool {
    // A zombie whose parent is gone is nobody's: the system collects it.
    let output = Command::new("ps").args(["-o", "stat=", "-p", id]).output().unwrap();
    let state = String::from_utf8(output.stdout).unwrap();
    !state.trim().is_empty() && !state.starts_with('Z')
}

fn all_gone(ids: &[String]) {
    let start = Instant::now();
    while ids.iter().any(|id| is_alive(id)) {
        assert!(start.elapsed() < Duration::from_secs(5), "{ids:?} are still there");
        thread::sleep(Duration::from_millis(20));
    }
}

/// The numbers of the server's process, and of one that it started.
fn started(client: &mut Client) -> Vec<String> {
    let answer = client.call("spawn", &json!({}));
    text(&answer).split(' ').map(String::from).collect()
}

fn send(client: &Client, signal: &str) {
    let id = client.child.id().to_string();
    assert!(Command::new("kill").args([signal, &id]).status().unwrap().success());
}

#[test]
fn the_exit_code_is_that_of_the_server() {
    let mut client = Client::ready(&[], "test");
    let pending = client.send("tools/call", &json!({"name": "never"}));
    let last = client.send("tools/call", &json!({"name": "exit", "arguments": {"code": 42}}));
    for id in [pending, last] {
        let answer: Value = serde_json::from_str(&client.answer_to(&id)).unwrap();
        assert_eq!(answer["error"]["code"], -32603);
        assert!(answer["error"]["message"].as_str().unwrap().contains("exit code 42"), "{answer}");
    }
    assert_eq!(client.wait().0, 42);
}

#[test]
fn a_server_that_dies_in_the_middle_of_an_answer_is_told_of() {
    let mut client = Client::ready(&[], "test");
    let id = client.send("tools/call", &json!({"name": "half"}));
    // What it wrote is no line; it passes, and the error comes on its own.
    let mut heard = client.hear();
    if !heard.contains("error") {
        heard = client.hear();
    }
    let error: Value = serde_json::from_str(&heard).unwrap();
    assert_eq!((&error["id"], &error["error"]["code"]), (&id, &json!(-32603)), "{error}");
    assert_eq!(client.wait().0, 3);
}

#[test]
fn a_server_that_a_signal_ends_gives_128_and_its_number() {
    let mut client = Client::ready(&[], "test");
    let ids = started(&mut client);
    assert!(Command::new("kill").args(["-KILL", &ids[0]]).status().unwrap().success());
    assert_eq!(client.wait().0, 137);
    all_gone(&ids);
}

#[test]
fn at_the_end_of_input_all_is_ended() {
    let mut client = Client::ready(&[], "test");
    let ids = started(&mut client);
    assert!(ids.iter().all(|id| is_alive(id)));
    assert_eq!(client.end().0, 0);
    all_gone(&ids);
}

#[test]
fn a_server_that_does_not_want_to_end_is_ended() {
    let mut client = Client::new(&[], &["stubborn"]);
    let ids = started(&mut client);
    let start = Instant::now();
    assert_eq!(client.end().0, 137);
    // Clients wait for two seconds, then ask, and then wait for two more.
    assert!(start.elapsed() < Duration::from_millis(3_500), "{:?}", start.elapsed());
    all_gone(&ids);
}

#[test]
fn signals_are_handed_on() {
    for (signal, code) in [("-TERM", 143), ("-INT", 130), ("-HUP", 129)] {
        let mut client = Client::ready(&[], "test");
        let ids = started(&mut client);
        send(&client, signal);
        assert_eq!(client.wait().0, code, "{signal}");
        all_gone(&ids);
    }
    let mut client = Client::new(&[], &["stubborn"]);
    let ids = started(&mut client);
    let start = Instant::now();
    send(&client, "-TERM");
    assert_eq!(client.wait().0, 137);
    assert!(start.elapsed() < Duration::from_millis(1_800), "{:?}", start.elapsed());
    all_gone(&ids);
}

#[test]
fn a_client_that_vanishes_ends_the_server() {
    // Killed, with a call in flight: both its pipes are closed at once.
    let mut client = Client::ready(&[], "test");
    let ids = started(&mut client);
    client.send("tools/call", &json!({"name": "never"}));
    let mut proxy = client.vanish();
    wait(&mut proxy, Duration::from_secs(5));
    all_gone(&ids);
    // Still holding the input, but deaf.
    let mut client = Client::ready(&[], "test");
    let ids = started(&mut client);
    client.deafen();
    client.send("tools/call", &json!({"name": "text", "arguments": {"bytes": 10}}));
    wait(&mut client.child, Duration::from_secs(5));
    all_gone(&ids);
}

#[test]
fn a_proxy_that_is_killed_leaves_no_server_that_reads_its_input() {
    let mut client = Client::ready(&[], "test");
    let ids = started(&mut client);
    send(&client, "-KILL");
    client.child.wait().unwrap();
    // The server finds its input closed. What it started is its own affair.
    all_gone(&ids[..1]);
    let _ = Command::new("kill").args(["-KILL", &ids[1]]).status();
}

#[test]
fn answers_that_are_due_at_the_end_of_input_still_come() {
    let script = r#"while read -r line; do sleep 0.3; echo '{"jsonrpc":"2.0","id":1,"result":{"content":[]}}'; done; exit 5"#;
    let request =
        r#"printf '%s\n' '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"}}'"#;
    let output = Command::new("sh")
        .arg("-c")
        .arg(format!(r#"{request} | "$0" proxy -- sh -c "$1""#))
        .args([env!("CARGO_BIN_EXE_result-budget"), script])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(5));
    let out = String::from_utf8(output.stdout).unwrap();
    assert_eq!(out, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[]}}\n");
}

#[test]
fn standard_error_passes_through() {
    let mut client = Client::ready(&[], "test");
    client.call("shout", &json!({}));
    let (code, stderr) = client.end();
    assert_eq!(code, 0);
    assert!(stderr.contains("a word on standard error\n"), "{stderr}");
}

#[test]
fn what_is_wrong_with_the_options_is_told_before_anything_starts() {
    for (options, words) in [
        (&["--preset", "tiny"][..], "no preset is called `tiny`"),
        (&["--limit-bytes", "1"], "from 256"),
        (&["--policy", "/nowhere/policy.json"], "cannot be read"),
        (&["--log", "/nowhere/log"], "cannot be written"),
        (&["--preset", "small", "--limit-bytes", "4000"], "cannot be used with"),
    ] {
        let output = command(options, &["serve"]).output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{stderr}");
        assert!(stderr.contains(words) && output.stdout.is_empty(), "{stderr}");
    }
    let run = |arguments: &[&str]| {
        Command::new(env!("CARGO_BIN_EXE_result-budget")).args(arguments).output().unwrap()
    };
    let none = run(&["proxy"]);
    assert_eq!(none.status.code(), Some(2));
    let missing = run(&["proxy", "--", "no-such-program-anywhere"]);
    assert_eq!(missing.status.code(), Some(2));
    let stderr = String::from_utf8(missing.stderr).unwrap();
    assert!(stderr.contains("`no-such-program-anywhere` cannot be started"), "{stderr}");
}
