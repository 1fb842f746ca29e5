//! The engine that this crate carries, through the public interface.

#![allow(clippy::unwrap_used, clippy::panic, clippy::expect_used, reason = "tests")]

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

use result_budget::{
    Answer, Boundary, BuildError, Call, Engine, Failure, Image, Isolation, Mode, Outcome,
    OutputSchema, Refused,
};

/// A result of about `bytes`, in several lines of text that name `tag`.
fn text_result(tag: &str, bytes: usize) -> String {
    let line = format!("{tag}: a line of a log, long enough to be one.\\n");
    let text = line.repeat(bytes / line.len() + 1);
    format!(r#"{{"content":[{{"type":"text","text":"{text}"}}]}}"#)
}

fn list_result(items: usize) -> String {
    let items: Vec<String> = (0..items)
        .map(|id| format!(r#"{{"id":{id},"name":"item {id}","note":"some words on it, é"}}"#))
        .collect();
    format!(
        r#"{{"content":[{{"type":"text","text":"see structured content"}}],"structuredContent":{{"items":[{}]}}}}"#,
        items.join(",")
    )
}

fn limited(engine: &Engine, bytes: u32) -> Boundary {
    Boundary::builder().engine(engine).limit_bytes(bytes).build().unwrap()
}

#[test]
fn a_result_within_every_bound_is_borrowed() {
    let boundary = Boundary::builder().build().unwrap();
    let input = text_result("small", 1_000);
    let Answer::Unchanged { tool_result_json } = boundary.fit(&input, &Call::default()) else {
        panic!("changed");
    };
    assert!(std::ptr::eq(tool_result_json, input.as_str()));
}

#[test]
fn a_result_over_a_bound_is_cut_and_accounted_for() {
    let engine = Engine::new().unwrap();
    for input in [text_result("long", 100_000), list_result(2_000)] {
        for limit_bytes in [256, 512, 1_000, 8_000, 32_000] {
            let boundary = limited(&engine, limit_bytes);
            let answer = boundary.fit(&input, &Call::default());
            assert!(answer.tool_result_json().len() <= limit_bytes as usize);
            assert_eq!(answer.outcome(), Outcome::Bounded, "limit {limit_bytes}");
            assert!(answer.report_json().unwrap().starts_with(r#"{"truncated":true"#));
        }
    }
}

#[test]
fn threads_never_see_the_results_of_others() {
    let engine = Engine::new().unwrap();
    let boundary = limited(&engine, 1_000);
    let crossings = AtomicU64::new(0);
    let bounded = AtomicU64::new(0);
    thread::scope(|scope| {
        for thread in 0..64 {
            let (boundary, crossings, bounded) = (&boundary, &crossings, &bounded);
            scope.spawn(move || {
                for call in 0..1_000 {
                    let tag = format!("<{thread}/{call}>");
                    let tool = format!("tool {}", call % 200);
                    // Every second one is over the limit.
                    let input = text_result(&tag, if call % 2 == 0 { 200 } else { 3_000 });
                    let call = Call { tool: Some(&tool), ..Call::default() };
                    let answer = boundary.fit(&input, &call);
                    let text = answer.tool_result_json();
                    let own = text.matches(&tag).count();
                    if own == 0 || text.matches('<').count() != own {
                        crossings.fetch_add(1, Ordering::Relaxed);
                    }
                    if answer.outcome() == Outcome::Bounded {
                        bounded.fetch_add(1, Ordering::Relaxed);
                    }
                }
            });
        }
    });
    assert_eq!(crossings.into_inner(), 0);
    assert_eq!(bounded.into_inner(), 32_000);
}

#[test]
fn the_bytes_depend_neither_on_isolation_nor_on_the_image() {
    let engines = [
        Engine::builder().build().unwrap(),
        Engine::builder().isolation(Isolation::Call).build().unwrap(),
        Engine::builder().image(Image::Interpreted).build().unwrap(),
        Engine::builder().image(Image::Compiled).build().unwrap(),
    ];
    let inputs = [
        text_result("a", 100),
        text_result("b", 20_000),
        list_result(3),
        list_result(700),
        String::from("no json"),
        String::from("[]"),
        String::from("{ \"content\" : [ ] }"),
        text_result("c", 300_000),
    ];
    for limit_bytes in [256, 1_000, 8_000] {
        let boundaries: Vec<Boundary> =
            engines.iter().map(|engine| limited(engine, limit_bytes)).collect();
        // Twice, so that a reused instance has a past.
        for input in inputs.iter().chain(&inputs) {
            for schema in [OutputSchema::None, OutputSchema::Unknown] {
                let call = Call { output_schema: schema, ..Call::default() };
                let first = boundaries[0].fit(input, &call);
                for boundary in &boundaries[1..] {
                    assert_eq!(boundary.fit(input, &call), first);
                    assert_eq!(boundary.measure(input, &call), boundaries[0].measure(input, &call));
                }
            }
        }
    }
}

#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
#[test]
fn the_native_image_is_the_one_that_runs() {
    assert_eq!(Engine::new().unwrap().image(), Image::Native);
}

#[test]
fn numbers_reach_the_engine_as_they_were_given() {
    let built = |limit: &str| Boundary::builder().limit_bytes(limit).build().map(|_| ());
    assert_eq!(built("256"), Ok(()));
    assert_eq!(built("16777216"), Ok(()));
    for given in
        ["255", "-1", "1.5", "9007199254740992", "abc", "", "16777217", "1e3", "0256", " 256"]
    {
        match built(given) {
            Err(BuildError::Refused(Refused::LimitOutOfRange(fault))) => {
                assert_eq!(fault.given, given);
                assert_eq!((fault.min, fault.max), (256, 16_777_216));
                assert_eq!(fault.name, "max_result_bytes");
            }
            other => panic!("{given}: {other:?}"),
        }
    }
    assert!(Boundary::builder().limit_bytes(8_000.0).build().is_ok());
    assert!(Boundary::builder().limit_bytes(8_000.5).build().is_err());
    assert!(Boundary::builder().limit_bytes(i64::MIN).build().is_err());
    assert!(Boundary::builder().limit_bytes(f64::NAN).build().is_err());
}

#[test]
fn unknown_names_are_refused_with_those_that_are_known() {
    let preset = Boundary::builder().preset("huge").build().unwrap_err();
    assert_eq!(preset.code(), "unknown-name");
    assert!(preset.to_string().contains("normal"), "{preset}");
    let profile = Boundary::builder().wire_profile("utf-16").build().unwrap_err();
    assert_eq!(profile.code(), "unknown-name");
    assert!(profile.to_string().contains("python-json"), "{profile}");
    let policy = Boundary::builder().policy_json("{").build().unwrap_err();
    assert_eq!(policy.code(), "policy");
}

#[test]
fn a_call_that_cannot_be_settled_fails_closed() {
    let boundary = Boundary::builder().build().unwrap();
    let input = text_result("a", 100);
    for (call, code) in [
        (Call { call_max_bytes: Some("-1"), ..Call::default() }, "limit-out-of-range"),
        (Call { revision: Some("yesterday"), ..Call::default() }, "unknown-name"),
    ] {
        let answer = boundary.fit(&input, &call);
        assert_eq!(answer.failure().map(Failure::code), Some(code));
        assert!(answer.tool_result_json().len() <= 256);
        assert!(answer.tool_result_json().contains(r#""isError":true"#));
        assert_eq!(boundary.check(&call).unwrap_err().code(), code);
        assert_eq!(boundary.measure(&input, &call).unwrap_err().code(), code);
    }
}

#[test]
fn bad_input_fails_closed_with_a_typed_reason() {
    let boundary = Boundary::builder().build().unwrap();
    let cases: [(&[u8], &str); 9] = [
        (b"", "malformed-json"),
        (b"nope", "malformed-json"),
        (b"{\"a\":NaN}", "malformed-json"),
        (b"\xef\xbb\xbf{}", "malformed-json"),
        (b"{\"a\":\"\0\"}", "malformed-json"),
        (b"[]", "not-an-object"),
        (b"\"text\"", "not-an-object"),
        (b"{\"a\":\"\xff\"}", "not-utf8"),
        (b"{\"a\":\"\xed\xa0\x80\"}", "not-utf8"),
    ];
    for (input, code) in cases {
        let answer = boundary.fit(input, &Call::default());
        let shown = String::from_utf8_lossy(input);
        assert_eq!(answer.failure().map(Failure::code), Some(code), "{shown}");
        assert!(answer.tool_result_json().starts_with('{'), "{shown}");
        assert!(answer.tool_result_json().len() <= 256, "{shown}");
        let measured = boundary.measure(input, &Call::default());
        assert_eq!(measured.unwrap_err().code(), code, "{shown}");
    }
}

#[test]
fn the_hosts_input_cap_is_the_engines() {
    let engine = Engine::builder().input_max_bytes(u32::MAX).build().unwrap();
    let boundary = Boundary::builder().engine(&engine).build().unwrap();
    let max_bytes = Engine::new().unwrap().input_max_bytes();
    let mut input = String::from("{}");
    input.push_str(&" ".repeat(max_bytes as usize - 2));
    assert_eq!(boundary.fit(&input, &Call::default()).failure(), None);
    input.push(' ');
    let answer = boundary.fit(&input, &Call::default());
    let refused = Refused::InputTooLarge { given_bytes: max_bytes + 1, max_bytes };
    assert_eq!(answer.failure(), Some(&Failure::Refused(refused)));
}

#[test]
fn report_only_changes_nothing_and_tells_what_it_would_have_done() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let told = Arc::clone(&seen);
    let boundary = Boundary::builder()
        .limit_bytes(1_000)
        .mode(Mode::ReportOnly)
        .on_report(move |record| {
            assert!(!record.enforced);
            told.lock().unwrap().push((
                record.tool.map(String::from),
                record.in_bytes,
                record.out_bytes,
                record.outcome,
                record.report_json.map(String::from),
                record.failure.cloned(),
            ));
        })
        .build()
        .unwrap();
    let long = text_result("long", 10_000);
    let call = Call { tool: Some("log"), ..Call::default() };
    for input in ["no json", &long, "{}"] {
        let Answer::Unchanged { tool_result_json } = boundary.fit(input, &call) else {
            panic!("changed");
        };
        assert!(std::ptr::eq(tool_result_json, input));
    }
    let seen = seen.lock().unwrap();
    assert_eq!(seen.len(), 3);
    assert_eq!(seen[0].3, Outcome::FailedClosed);
    assert_eq!(seen[0].5.as_ref().unwrap().code(), "malformed-json");
    let (tool, in_bytes, out_bytes, outcome, report_json, failure) = &seen[1];
    assert_eq!(tool.as_deref(), Some("log"));
    assert_eq!(*in_bytes, long.len() as u64);
    assert_eq!(*outcome, Outcome::Bounded);
    assert!(*out_bytes <= 1_000);
    assert!(report_json.as_ref().unwrap().contains(r#""truncated":true"#));
    assert_eq!(*failure, None);
    assert_eq!(seen[2].3, Outcome::Unchanged);
}

#[test]
fn one_record_is_told_for_each_call() {
    let calls = Arc::new(AtomicU64::new(0));
    let told = Arc::clone(&calls);
    let boundary = Boundary::builder()
        .on_report(move |record| {
            assert!(record.enforced);
            told.fetch_add(record.in_bytes, Ordering::Relaxed);
        })
        .build()
        .unwrap();
    boundary.fit("{}", &Call::default());
    boundary.fit(b"\xff", &Call::default());
    boundary.refuse_unread(100_000_000, &Call::default());
    assert_eq!(calls.load(Ordering::Relaxed), 100_000_003);
}

#[test]
fn a_measurement_tells_the_sizes() {
    let boundary = Boundary::builder().build().unwrap();
    let input = list_result(100);
    let measurement = boundary.measure(&input, &Call::default()).unwrap();
    assert_eq!(measurement.result_bytes as usize, input.len());
    assert_eq!(measurement.compact_bytes as usize, input.len());
    assert_eq!(measurement.content_items, 1);
    assert_eq!(measurement.nesting_depth, 4);
    assert!(measurement.structured_bytes > 4_000);
    assert!(measurement.parts.iter().any(|part| part.pointer == "/structuredContent/items"));
}

#[test]
fn the_preset_behind_a_call_is_told_with_who_chose_it() {
    let policy = r#"{"version":1,"preset":"large","tools":{"t":{"preset":"small"}}}"#;
    let named = |builder: result_budget::BoundaryBuilder, call: Call<'_>| {
        let settled = builder.build().unwrap().settled(&call).unwrap();
        (settled.preset, settled.chosen_by.code())
    };
    let told = |preset: &str, by| (String::from(preset), by);
    let codex = Call { client_name: Some("codex-mcp-client"), ..Call::default() };
    let other = Call { client_name: Some("a shell"), ..Call::default() };
    assert_eq!(named(Boundary::builder(), Call::default()), told("normal", "default"));
    assert_eq!(named(Boundary::builder(), codex), told("normal", "default"));
    let auto = || Boundary::builder().preset("auto");
    assert_eq!(named(auto(), codex), told("codex", "client"));
    assert_eq!(named(auto(), other), told("normal", "default"));
    assert_eq!(named(auto().policy_json(policy), other), told("large", "policy"));
    assert_eq!(named(auto().policy_json(policy), codex), told("codex", "client"));
    let tool = Call { tool: Some("t"), ..codex };
    assert_eq!(named(auto().policy_json(policy), tool), told("small", "policy"));
    assert_eq!(named(Boundary::builder().preset("small"), codex), told("small", "request"));
}

#[test]
fn two_clients_of_one_boundary_are_kept_apart_and_each_report_tells_its_preset() {
    let (sender, told) = std::sync::mpsc::channel();
    let sender = std::sync::Mutex::new(sender);
    let boundary = Boundary::builder()
        .preset("auto")
        .on_report(move |record| {
            let line = (
                record.client_name.map(String::from),
                record.preset.map(String::from),
                record.chosen_by.map(result_budget::ChosenBy::code),
            );
            sender.lock().unwrap().send(line).unwrap();
        })
        .build()
        .unwrap();
    let result = format!(r#"{{"content":[{{"type":"text","text":"{}"}}]}}"#, "word ".repeat(9_000));
    let kept = |client| {
        let call = Call { client_name: client, ..Call::default() };
        let answer = boundary.fit(&result, &call);
        (answer.tool_result_json().len(), told.recv().unwrap())
    };
    for _ in 0..2 {
        let (cline, line) = kept(Some("Cline"));
        assert_eq!(line, (Some("Cline".into()), Some("cline".into()), Some("client")));
        let (gemini, _) = kept(Some("gemini-cli-mcp-client"));
        let (nobody, line) = kept(None);
        assert_eq!(line, (None, Some("normal".into()), Some("default")));
        assert!(cline < 8_500 && (30_000..32_500).contains(&nobody) && gemini > 36_000);
    }
}

#[test]
fn settings_changed_by_hand_are_checked_again() {
    let boundary = limited(&Engine::new().unwrap(), 8_000);
    let input = text_result("long", 100_000);
    let mut settings = boundary.in_force(&Call::default()).unwrap();
    let fitted = boundary.fit_under(&input, &Call::default(), &settings);
    assert_eq!(fitted, boundary.fit(&input, &Call::default()));
    settings.limits.max_result_bytes = 255;
    let refused = boundary.fit_under(&input, &Call::default(), &settings);
    assert_eq!(refused.failure().map(Failure::code), Some("limit-out-of-range"));
}
