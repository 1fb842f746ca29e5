//! `result-budget proxy` between a client and a server: who hears what.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod proxied;

use std::fs;

use serde_json::{Value, json};

use proxied::{Client, Scratch, text};

#[test]
fn what_fits_passes_and_what_does_not_is_bounded() {
    let mut client = Client::ready(&["--limit-bytes", "4000"], "test");
    let small = client.call("text", &json!({"bytes": 1_000}));
    assert_eq!(text(&small).len(), 1_000);
    let large = client.call("text", &json!({"bytes": 100_000}));
    assert!(large["result"].to_string().len() <= 4_000);
    assert!(text(&large).contains("of 100000 bytes"), "{large}");
    for (method, kept) in [("prompts/get", "messages"), ("tasks/get", "result")] {
        let answer = client.ask(method, &json!({}));
        assert!(answer["result"].to_string().len() <= 4_000, "{method}");
        assert!(!answer["result"][kept].is_null(), "{method}");
    }
    let read = client.ask("resources/read", &json!({}));
    assert_eq!(read["error"]["code"], -32603, "a read is never cut unless asked: {read}");
    let failed = client.ask("fail", &json!({}));
    assert_eq!(failed["error"]["code"], -32001);
    assert!(failed["error"].to_string().len() <= 4_000);
    assert_eq!(client.ask("x/y", &json!({"bytes": 10}))["result"]["of"], "x/y");
    let other = client.ask("x/y", &json!({"bytes": 10_000}));
    assert!(other["error"]["message"].as_str().unwrap().contains("[result-budget]"), "{other}");
    assert_eq!(client.end().0, 0);
}

#[test]
fn an_answer_that_nobody_asked_for_is_measured_all_the_same() {
    let mut client = Client::ready(&["--limit-bytes", "4000"], "test");
    let line = format!(
        r#"{{"jsonrpc":"2.0","id":"nobody","result":{{"content":[{{"type":"text","text":"{}"}}]}}}}"#,
        "x".repeat(10_000)
    );
    client.send("tools/call", &json!({"name": "raw", "arguments": {"line": line}}));
    let answer: Value = serde_json::from_str(&client.hear()).unwrap();
    assert_eq!(answer["id"], "nobody");
    assert!(answer["result"].is_null() && answer["error"]["code"] == -32603, "{answer}");
    assert!(answer.to_string().len() < 1_000);
}

#[test]
fn ids_are_told_apart_by_type_and_found_in_any_spelling() {
    let mut client = Client::ready(&["--limit-bytes", "4000"], "test");
    client.say(r#"{"jsonrpc":"2.0","id":"\u0041","method":"tools/call","params":{"name":"text","arguments":{"bytes":5000}}}"#);
    let first: Value = serde_json::from_str(&client.hear()).unwrap();
    assert!(text(&first).contains(" of 5000 bytes"), "{first}");
    // The text "7" waits for a tool; an answer to the number 7 is of unknown kind.
    client.say(r#"{"jsonrpc":"2.0","id":"7","method":"tools/call","params":{"name":"never"}}"#);
    let line = format!(r#"{{"jsonrpc":"2.0","id":7,"result":{{"x":"{}"}}}}"#, "x".repeat(5_000));
    client.say(&json!({"jsonrpc": "2.0", "id": "r", "method": "tools/call", "params": {"name": "raw", "arguments": {"line": line}}}).to_string());
    let second: Value = serde_json::from_str(&client.hear()).unwrap();
    assert_eq!((&second["id"], &second["error"]["code"]), (&json!(7), &json!(-32603)));
}

#[test]
fn many_requests_in_flight_are_answered_in_any_order_and_none_is_crossed() {
    let calls: u64 = 10_000;
    let mut client = Client::ready(&["--preset", "small"], "test");
    for round in 0..calls.div_ceil(64) {
        let sent: Vec<(Value, String)> = (0..64)
            .map(|at| {
                let arguments = json!({"of": 64, "mark": format!("{round}-{at}")});
                let id =
                    client.send("tools/call", &json!({"name": "held", "arguments": arguments}));
                (id, arguments["mark"].to_string())
            })
            .collect();
        for (id, mark) in sent {
            let answer: Value = serde_json::from_str(&client.answer_to(&id)).unwrap();
            assert!(text(&answer).contains(&mark), "{id}: {answer}");
        }
    }
    assert_eq!(client.end().0, 0);
}

#[test]
fn progress_cancellation_and_requests_of_the_server_pass_untouched() {
    let mut client = Client::ready(&[], "test");
    client.call("progress", &json!({}));
    assert_eq!(
        client.others,
        (0..3)
            .map(|at| format!(
                r#"{{"jsonrpc" :"2.0","method":"notifications/progress","params":{{"progressToken":7,"progress":{at}.0}}}}"#
            ))
            .collect::<Vec<_>>()
    );
    let id = client.send("tools/call", &json!({"name": "ask", "arguments": {}}));
    assert_eq!(
        client.hear(),
        r#"{"jsonrpc":"2.0", "id":"s\u0031","method":"sampling/createMessage","params":{"maxTokens":1e2}}"#
    );
    let reply =
        r#"{ "jsonrpc":"2.0","result":{"role":"assistant","n":1.0,"t":"\u00e9"},"id":"s1" }"#;
    client.say(reply);
    let answer: Value = serde_json::from_str(&client.answer_to(&id)).unwrap();
    assert_eq!(text(&answer), reply);
    // A request that was cancelled is never answered, and does no harm.
    let id = client.send("tools/call", &json!({"name": "never", "arguments": {}}));
    client.say(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}}).to_string());
    assert_eq!(text(&client.call("echo", &json!({"a": 1}))), r#"{"a":1}"#);
    let (code, _) = client.end();
    assert_eq!(code, 0);
}

#[test]
fn an_over_long_line_becomes_an_error_under_its_id() {
    let mut client = Client::ready(&[], "test");
    let huge = client.call("huge", &json!({"bytes": 40_000_000}));
    assert_eq!(huge["result"]["isError"], true, "{huge}");
    assert!(text(&huge).contains("bytes, at most 16777216 are allowed"), "{huge}");
    // Between the longest result and the longest line the engine refuses.
    let large = client.call("huge", &json!({"bytes": 16 * 1_024 * 1_024 + 1_000}));
    assert!(text(&large).contains("Tool at fault"), "{large}");
    // The other way round.
    let long = "x".repeat(17 * 1_024 * 1_024);
    let refused = client.ask("tools/call", &json!({"name": "echo", "arguments": {"text": long}}));
    assert_eq!(refused["error"]["code"], -32600, "{refused}");
    assert_eq!(text(&client.call("echo", &json!({"a": 1}))), r#"{"a":1}"#);
    let (code, stderr) = client.end();
    assert_eq!(code, 0);
    assert!(stderr.contains("a line of the server has 40000"), "{stderr}");
}

#[test]
fn a_result_of_sixteen_megabytes_passes_or_is_cut() {
    let bytes = 16 * 1_024 * 1_024 - 200;
    let scratch = Scratch::new("sixteen");
    let policy =
        r#"{"version":1,"limits":{"max_text_bytes":16777216,"max_result_bytes":16777216}}"#;
    fs::write(scratch.path("policy.json"), policy).unwrap();
    let mut client = Client::ready(&["--policy", &scratch.path("policy.json")], "test");
    assert_eq!(text(&client.call("text", &json!({"bytes": bytes}))).len(), bytes);
    let mut client = Client::ready(&[], "test");
    let cut = client.call("text", &json!({"bytes": bytes}));
    assert!(cut["result"].to_string().len() < 40_000);
    assert!(text(&cut).contains(&format!(" of {bytes} bytes")));
}

#[cfg(target_os = "linux")]
#[test]
fn an_over_long_line_is_not_held_in_memory() {
    let mut client = Client::ready(&[], "test");
    let peak = |client: &Client| -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", client.child.id())).unwrap();
        let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse().unwrap()
    };
    client.call("huge", &json!({"bytes": 20_000_000}));
    let before = peak(&client);
    client.call("huge", &json!({"bytes": 200_000_000}));
    let grown_kib = peak(&client).saturating_sub(before);
    assert!(grown_kib < 4_096, "{grown_kib} KiB more");
}

#[test]
fn what_looks_like_a_result_and_is_no_json_fails_closed() {
    let mut client = Client::ready(&["--limit-bytes", "4000"], "test");
    for line in [
        format!(
            r#"{{"jsonrpc":"2.0","id":$ID,"result":{{"content":[{{"type":"text","text":"{}"}}],"x":NaN}}}}"#,
            "x".repeat(9_000)
        ),
        format!(
            r#"{{"jsonrpc":"2.0","id":$ID,"result":{{"a":1}},"res\u0075lt":{{"content":[{{"type":"text","text":"{}"}}]}}}}"#,
            "x".repeat(9_000)
        ),
    ] {
        client.send("tools/call", &json!({"name": "raw", "arguments": {"line": line}}));
        let answer = client.hear();
        assert!(answer.len() < 4_200, "{} bytes", answer.len());
        assert!(!answer.contains(&"x".repeat(4_000)));
    }
    // No message at all: clients skip it, and it passes as it is.
    client.send("tools/call", &json!({"name": "raw", "arguments": {"line": "no json [1,2"}}));
    assert_eq!(client.hear(), "no json [1,2");
}

#[test]
fn each_result_of_a_batch_is_bounded() {
    let mut client = Client::ready(&["--limit-bytes", "4000"], "test");
    let big = "x".repeat(9_000);
    let line = format!(
        r#" [ {{"jsonrpc":"2.0","id":"a","result":{{"content":[{{"type":"text","text":"{big}"}}]}}}} ,{{"jsonrpc":"2.0","method":"notifications/tasks","params":{{"taskId":"t","status":"working","x":"{big}"}}}}, {{"jsonrpc":"2.0","id":$ID,"result":{{"content":[{{"type":"text","text":"{big}"}}]}}}} ] "#
    );
    let id = client.send("tools/call", &json!({"name": "raw", "arguments": {"line": line}}));
    let heard = client.hear();
    let batch: Value = serde_json::from_str(&heard).unwrap();
    let items = batch.as_array().unwrap();
    assert_eq!(items.len(), 2, "{heard}");
    assert_eq!((&items[0]["id"], items[0]["error"]["code"].as_i64()), (&json!("a"), Some(-32603)));
    assert_eq!(items[1]["id"], id);
    assert!(text(&items[1]).contains("of 9000 bytes"));
    assert!(heard.starts_with(" [ ") && heard.ends_with(" ] "));
}

#[test]
fn prepared_tools_are_in_force() {
    let scratch = Scratch::new("prepared");
    fs::write(scratch.path("policy.json"), r#"{"version":1,"call_argument":"max_bytes"}"#).unwrap();
    let options = ["--limit-bytes", "2000", "--policy", &scratch.path("policy.json")];
    let mut client = Client::ready(&options, "test");
    // Seen in no list: nothing is known, nothing is taken out.
    let raw = client.call("line", &json!({"max_bytes": 300}));
    assert!(text(&raw).contains("max_bytes"), "{raw}");
    let first = client.ask("tools/list", &json!({}));
    assert!(first["result"]["tools"][0]["inputSchema"]["properties"]["max_bytes"].is_object());
    let second = client.ask("tools/list", &json!({"cursor": "2"}));
    let properties = &second["result"]["tools"][1]["outputSchema"]["properties"];
    assert!(properties["result_budget"].is_object(), "{second}");
    // Cut where the schema allows, with the notice where the prepared one does.
    let cut = client.call("structured", &json!({"items": 5_000}));
    let structured = &cut["result"]["structuredContent"];
    assert!(structured["items"].as_array().unwrap().len() < 5_000);
    assert!(structured["result_budget"].is_string() && structured["total"] == 5_000, "{cut}");
    // Our argument is taken out, and nothing else changes by a byte.
    for (given, seen) in [
        (r#"{"a":1.0 , "max_bytes" : 900,"b":"\u00e9"}"#, r#"{"a":1.0 , "b":"\u00e9"}"#),
        (r#"{ "max_bytes":900 }"#, r#"{  }"#),
        (r#"{"a":1 , "max\u005fbytes":900 }"#, r#"{"a":1 }"#),
        (r#"{"max_bytes":1,"a":1,"max_bytes":900}"#, r#"{"a":1}"#),
    ] {
        let id = json!(format!("edit {given}"));
        let line = |arguments: &str| {
            format!(
                r#"{{"id":{id},"method":"tools/call","params":{{"name":"line","arguments":{arguments}}}}}"#
            )
        };
        client.say(&line(given));
        let answer: Value = serde_json::from_str(&client.answer_to(&id)).unwrap();
        assert_eq!(text(&answer), line(seen));
    }
    let asked = client.call("text", &json!({"bytes": 50_000, "max_bytes": 700}));
    assert!(asked["result"].to_string().len() <= 700, "{asked}");
    let meta = json!({"name": "text", "arguments": {"bytes": 50_000}, "_meta": {"dev.result-budget/max_bytes": 600}});
    let asked = client.ask("tools/call", &meta);
    assert!(asked["result"].to_string().len() <= 600, "{asked}");
    // Out of range: refused before the tool runs.
    let refused = client.call("exit", &json!({}));
    assert!(refused["error"]["message"].as_str().unwrap().contains("exit code 0"), "{refused}");
}

#[test]
fn a_budget_out_of_range_is_refused_before_the_tool_runs() {
    let mut client = Client::ready(&[], "test");
    for given in [json!(1), json!("many"), json!(null), json!(99_999_999)] {
        let params = json!({"name": "exit", "arguments": {"code": 9}, "_meta": {"dev.result-budget/max_bytes": given}});
        let refused = client.ask("tools/call", &params);
        assert!(text(&refused).contains("call_max_bytes"), "{refused}");
    }
    assert_eq!(client.end().0, 0);
}

#[test]
fn the_preset_auto_follows_the_client_of_the_handshake() {
    for (options, name, preset) in [
        (&["--preset", "auto"][..], "codex-mcp-client", "codex"),
        (&["--preset", "auto"], "nobody knows", "normal"),
        (&["--preset", "auto", "--client", "codex-mcp-client"], "nobody knows", "codex"),
    ] {
        let scratch = Scratch::new(name);
        let log = scratch.path("log");
        let mut client = Client::ready(&[options, &["--log", &log]].concat(), name);
        client.call("text", &json!({"bytes": 10}));
        let (_, stderr) = client.end();
        assert!(stderr.contains(&format!("preset {preset} ")), "{stderr}");
        let log = fs::read_to_string(log).unwrap();
        let last: Value = serde_json::from_str(log.lines().last().unwrap()).unwrap();
        assert_eq!(last["preset"], preset);
    }
}

#[test]
fn the_revision_is_that_of_the_handshake_or_of_the_request() {
    let mut client = Client::ready(&["--limit-bytes", "2000"], "test");
    // Before 2026-07-28 an error result has no `resultType`.
    let line = r#"{"jsonrpc":"2.0","id":$ID,"result":{"content":1,"x":NaN}}"#;
    let old = client.call("raw", &json!({"line": line}));
    assert!(old["result"]["isError"] == true && old["result"]["resultType"].is_null(), "{old}");
    let new = client.ask(
        "tools/call",
        &json!({"name": "raw", "arguments": {"line": line}, "_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}}),
    );
    assert_eq!(new["result"]["resultType"], "complete", "{new}");
}

#[test]
fn report_only_changes_nothing_and_logs_what_would_be_cut() {
    let scratch = Scratch::new("report");
    let log = scratch.path("log");
    let mut client =
        Client::ready(&["--limit-bytes", "4000", "--report-only", "--log", &log], "test");
    let list = client.ask("tools/list", &json!({"cursor": "2"}));
    assert!(list["result"]["tools"][1]["outputSchema"]["properties"]["result_budget"].is_null());
    let large = client.call("text", &json!({"bytes": 100_000}));
    assert_eq!(text(&large).len(), 100_000);
    client.call("text", &json!({"bytes": 10}));
    client.end();
    let log = fs::read_to_string(log).unwrap();
    let lines: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 4, "{log}");
    assert_eq!(lines[0]["method"], "initialize");
    assert_eq!(
        (&lines[1]["method"], &lines[1]["outcome"]),
        (&json!("tools/list"), &json!("unchanged"))
    );
    let cut = &lines[2];
    assert_eq!((&cut["method"], &cut["tool"]), (&json!("tools/call"), &json!("text")));
    assert_eq!((&cut["outcome"], &cut["enforced"]), (&json!("bounded"), &json!(false)));
    assert!(
        cut["in_bytes"].as_u64().unwrap() > 100_000 && cut["out_bytes"].as_u64().unwrap() <= 4_000
    );
    assert!(cut["elapsed_micros"].as_u64().unwrap() > 0);
    assert_eq!((&lines[3]["outcome"], &lines[3]["enforced"]), (&json!("unchanged"), &json!(false)));
}
