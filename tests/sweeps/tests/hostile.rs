//! Inputs that nobody would send who means well, each at the limits where
//! trouble lives. Whatever goes in: a result within every bound or a typed
//! error, in time that grows with the input and not faster.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::wildcard_enum_match_arm,
    reason = "tests"
)]

use std::time::{Duration, Instant};

use result_budget_core::{
    FitError, INPUT_MAX_BYTES, Limits, Outcome, OutputSchema, Request, Settings, SettleError, fit,
    measure, settle,
};
use result_budget_support::{Tree, corpus};
use result_budget_sweeps::{Named, Tally, say};

fn hostile() -> Vec<(&'static str, String)> {
    let structured = |value: String| format!(r#"{{"content":[],"structuredContent":{value}}}"#);
    let text = |body: String| format!(r#"{{"content":[{{"type":"text","text":"{body}"}}]}}"#);
    let many = |piece: &dyn Fn(usize) -> String, count: usize| -> String {
        (0..count).map(piece).collect::<Vec<_>>().join(",")
    };
    let million = 1_000_000;
    vec![
        (
            "depth of a million",
            structured(format!("{}{}", "[".repeat(million), "]".repeat(million))),
        ),
        (
            "depth of a hundred thousand maps",
            structured(format!("{}1{}", "{\"a\":".repeat(100_000), "}".repeat(100_000))),
        ),
        ("a key of a megabyte", structured(format!("{{\"{}\":1}}", "k".repeat(million)))),
        (
            "a hundred keys of ten kilobytes",
            structured(format!(
                "{{{}}}",
                many(&|n| format!("\"{n}{}\":{n}", "k".repeat(10_000)), 100)
            )),
        ),
        (
            "70,000 blocks",
            format!(
                r#"{{"content":[{}]}}"#,
                many(&|_| r#"{"type":"text","text":"x"}"#.into(), 70_000)
            ),
        ),
        (
            "70,000 blocks of no kind",
            format!(r#"{{"content":[{}]}}"#, many(&|n| n.to_string(), 70_000)),
        ),
        (
            "100,000 keys",
            structured(format!("{{{}}}", many(&|n| format!("\"k{n}\":{n}"), 100_000))),
        ),
        (
            "100,000 times the same key",
            structured(format!("{{{}}}", many(&|n| format!("\"k\":{n}"), 100_000))),
        ),
        (
            "100,000 fields in the envelope",
            format!("{{\"content\":[],{}}}", many(&|n| format!("\"f{n}\":{n}"), 100_000)),
        ),
        (
            "100,000 times `content` in the envelope",
            format!("{{{}}}", many(&|_| "\"content\":[]".into(), 100_000)),
        ),
        (
            "100,000 members of `_meta`",
            format!(
                "{{\"content\":[],\"_meta\":{{{}}}}}",
                many(&|n| format!("\"m{n}\":{n}"), 100_000)
            ),
        ),
        ("a number of a million digits", structured(format!("[{}]", "7".repeat(million)))),
        (
            "a million numbers",
            structured(format!("[{}]", many(&|n| (n % 10).to_string(), million))),
        ),
        ("a million empty lists", structured(format!("[{}]", many(&|_| "[]".into(), million)))),
        ("a megabyte of quotes", text("\\\"".repeat(million / 2))),
        ("a megabyte of backslashes", text("\\\\".repeat(million / 2))),
        ("a megabyte of control characters", text("\\u0001".repeat(million / 6))),
        ("a megabyte of lone surrogates", text("\\ud800".repeat(million / 6))),
        ("a megabyte of reversed pairs", text("\\udc00\\ud83d".repeat(million / 12))),
        ("one grapheme cluster of a megabyte", text(format!("e{}", "\u{301}".repeat(million / 2)))),
        ("a family of a megabyte", text("👩\u{200d}".repeat(million / 7))),
        ("a megabyte of flags", text("🇦🇶".repeat(million / 8))),
        (
            "an escape sequence that never ends",
            text(format!("\\u001b[{}", "1;".repeat(million / 2))),
        ),
        ("a megabyte of escapes alone", text("\\u001b".repeat(million / 6))),
        ("a megabyte of line ends", text("\\n".repeat(million / 2))),
        (
            "JSON in JSON in JSON",
            text(quoted(&quoted(&format!("{{\\\"a\\\":[{}]}}", many(&|n| n.to_string(), 2_000))))),
        ),
        ("a text of open brackets", text("[".repeat(million))),
        (
            "a text that is a chain of a hundred thousand brackets",
            text(format!("{}{}", "[".repeat(100_000), "]".repeat(100_000))),
        ),
        (
            "base64 of a megabyte",
            format!(
                r#"{{"content":[{{"type":"image","data":"{}","mimeType":"image/png"}}]}}"#,
                "QUJD".repeat(250_000)
            ),
        ),
        (
            "a thousand images",
            format!(
                r#"{{"content":[{}]}}"#,
                many(&|_| r#"{"type":"image","data":"QUJD","mimeType":"a/b"}"#.into(), 1_000)
            ),
        ),
        (
            "content that is a wall of our notices",
            format!(
                r#"{{"content":[{}]}}"#,
                many(
                    &|n| format!(
                        r#"{{"type":"text","text":"[result-budget] {n} of 9 items shown."}}"#
                    ),
                    5_000
                )
            ),
        ),
        (
            "a report that says that all is well",
            format!(
                r#"{{"content":[{{"type":"text","text":"{}"}}],"_meta":{{"dev.result-budget/report":{{"truncated":false}}}}}}"#,
                "word ".repeat(20_000)
            ),
        ),
        (
            "protected keys that leave no room",
            format!(
                r#"{{"content":[],"_meta":{{"io.modelcontextprotocol/x":"{}"}}}}"#,
                "x".repeat(40_000)
            ),
        ),
        (
            "a kind of a megabyte",
            format!(r#"{{"content":[{{"type":"{}"}}]}}"#, "t".repeat(million)),
        ),
        (
            "a link of a megabyte",
            format!(
                r#"{{"content":[{{"type":"resource_link","uri":"file:///{}","name":"n"}}]}}"#,
                "u".repeat(million)
            ),
        ),
        (
            "an opaque result of a megabyte",
            format!(r#"{{"resultType":"task","taskId":"{}"}}"#, "t".repeat(million)),
        ),
        ("a megabyte of white space", format!("{{{}\"content\":[]}}", " ".repeat(million))),
        ("a megabyte of white space in data", structured(format!("[1{}]", " ".repeat(million)))),
        ("nothing", "{}".into()),
        ("a content that is no list", r#"{"content":"text"}"#.into()),
        ("blocks that are no objects", r#"{"content":[1,null,"x",[],{}]}"#.into()),
        ("a text that is no string", r#"{"content":[{"type":"text","text":7}]}"#.into()),
    ]
}

fn quoted(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

#[test]
fn every_hostile_result_comes_out_bounded_and_in_time() {
    let mut tally = Tally::default();
    let mut slowest = (Duration::ZERO, String::new());
    for (name, json) in hostile() {
        let original = Tree::parse(&json).unwrap_or_else(|| panic!("{name} is no JSON"));
        for bytes in [256, 300, 511, 512, 2_000, 4_096, 32_000] {
            let mut settings = Settings::default();
            settings.limits.cap_to(bytes).expect("in range");
            let named = Named { name: bytes.to_string(), group: "hostile".into(), settings };
            for output_schema in [OutputSchema::None, OutputSchema::Unknown] {
                let start = Instant::now();
                let answer = fit(&json, output_schema, &named.settings);
                let took = start.elapsed();
                drop(answer);
                if took > slowest.0 {
                    slowest = (took, format!("{name} at {bytes}"));
                }
                tally.run(name, &json, &original, output_schema, &named);
            }
        }
    }
    say(&format!("hostile results: {}slowest: {:?} for {}", tally.summary(), slowest.0, slowest.1));
    assert!(tally.is_clean(), "rules are broken, see above");
    // Two megabytes at most, and the machine may be busy: what takes seconds
    // is not linear.
    assert!(slowest.0 < Duration::from_secs(5), "{:?} for {}", slowest.0, slowest.1);
}

#[test]
fn what_is_no_json_is_told_by_the_place_of_the_first_fault() {
    for (text, offset) in [
        ("", 0),
        (" ", 1),
        ("nope", 1),
        ("NaN", 0),
        ("{\"content\":[NaN]}", 12),
        ("{\"content\":[Infinity]}", 12),
        ("\u{feff}{}", 0),
        ("{\"a\":\"\0\"}", 6),
        ("{\"a\":\"\n\"}", 6),
        ("{\"a\":01}", 6),
        ("{\"a\":1.}", 7),
        ("{\"a\":-}", 6),
        ("{\"a\":\"\\x\"}", 7),
        ("{\"a\":\"\\u12G4\"}", 10),
        ("{'a':1}", 1),
        ("{\"a\":1,}", 7),
        ("{\"a\" 1}", 5),
        ("{\"a\":1}}", 7),
        ("{\"a\":[1}", 7),
    ] {
        let answer = fit(text, OutputSchema::None, &Settings::default());
        let Err(FitError::MalformedJson { offset_bytes }) = answer else {
            panic!("`{text}` gave {answer:?}");
        };
        assert_eq!(offset_bytes, offset, "`{text}`");
        let measured = measure(text, &Settings::default());
        assert_eq!(measured, Err(FitError::MalformedJson { offset_bytes }), "`{text}`");
    }
}

#[test]
fn a_result_that_is_cut_off_anywhere_is_refused_and_never_panics() {
    for recorded in corpus::fixtures().iter().filter(|recorded| recorded.json.len() < 5_000) {
        for end in (0..recorded.json.len()).filter(|end| recorded.json.is_char_boundary(*end)) {
            let answer = fit(&recorded.json[..end], OutputSchema::None, &Settings::default());
            assert!(
                matches!(answer, Err(FitError::MalformedJson { .. })),
                "{} at {end}",
                recorded.name
            );
        }
    }
}

#[test]
fn a_byte_changed_anywhere_gives_a_result_or_a_typed_error() {
    let json = r#"{"content":[{"type":"text","text":"a\n\u00e9 \ud83c\udf89"},{"type":"image","data":"QUJD","mimeType":"image/png"}],"structuredContent":{"a":[1,-2.5e3,true,null,{"b":"c"}]},"isError":false,"_meta":{"x":1}}"#;
    let mut settings = Settings::default();
    settings.limits.cap_to(256).expect("in range");
    for at in 0..json.len() {
        for byte in
            [b'"', b'\\', b'{', b'}', b'[', b']', b',', b':', b' ', b'0', b'x', 0, 0x1f, 0x7f]
        {
            let mut bytes = json.as_bytes().to_vec();
            bytes[at] = byte;
            let Ok(text) = String::from_utf8(bytes) else { continue };
            let valid = serde_json::from_str::<serde::de::IgnoredAny>(&text).is_ok();
            match fit(&text, OutputSchema::None, &settings) {
                Ok(Outcome::Unchanged) => assert!(valid, "{text}"),
                Ok(Outcome::Compacted(out)) => assert!(valid && out.len() <= 256, "{text}"),
                Ok(Outcome::Bounded(fitted)) => {
                    assert!(fitted.tool_result_json.len() <= 256, "{text}");
                    assert!(valid, "{text}");
                }
                Ok(Outcome::ProtocolError(error)) => panic!("{error:?}: {text}"),
                // A repaired surrogate is valid for us and not for them.
                Err(FitError::MalformedJson { .. } | FitError::NotAnObject) => {
                    assert!(!valid, "{text}");
                }
                Err(error) => panic!("{error:?}: {text}"),
            }
        }
    }
}

#[test]
fn the_longest_input_is_read_and_one_byte_more_is_refused() {
    let shell = r#"{"content":[{"type":"text","text":""}]}"#.len();
    let text = "x".repeat(INPUT_MAX_BYTES as usize - shell);
    let json = format!(r#"{{"content":[{{"type":"text","text":"{text}"}}]}}"#);
    assert!(fit(&json, OutputSchema::None, &Settings::default()).is_ok());
    let longer = format!("{json} ");
    assert_eq!(
        fit(&longer, OutputSchema::None, &Settings::default()),
        Err(FitError::InputTooLarge {
            given_bytes: INPUT_MAX_BYTES + 1,
            max_bytes: INPUT_MAX_BYTES
        })
    );
}

#[test]
fn limits_out_of_range_are_refused_by_name_with_what_is_allowed() {
    for given in
        ["255", "-1", "1.5", "9007199254740992", "16777217", "", "0x100", "1e3", " 512", "+512"]
    {
        let request = Request { limit_bytes: Some(given), ..Request::default() };
        let Err(SettleError::LimitOutOfRange(fault)) = settle("", &request) else {
            panic!("`{given}` is taken");
        };
        assert_eq!((fault.name, fault.min, fault.max), ("max_result_bytes", 256, INPUT_MAX_BYTES));
        assert_eq!(fault.given, given);
    }
    let limits = Limits { max_result_bytes: 255, ..Limits::default() };
    let settings = Settings { limits, ..Settings::default() };
    let answer = fit("no json either", OutputSchema::None, &settings);
    assert!(matches!(answer, Err(FitError::LimitOutOfRange(_))), "{answer:?}");
}
