//! The error results that stand in where there is no result: small under every
//! wire profile, valid in every revision, honest about who is at fault.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use result_budget_core::{
    FAILURE_RESULT_MAX_BYTES, Failure, FitError, LIMITS, LimitFault, ResultKind, Revision,
    Settings, WireProfile, failure_result,
};
use serde_json::{Value, json};

/// Prints as a host of `profile` does.
fn print(value: &Value, profile: WireProfile) -> String {
    let (comma, colon) = match profile {
        WireProfile::PythonJson => (", ", ": "),
        WireProfile::Utf8Compact | WireProfile::AsciiCompact | WireProfile::HtmlEscaped => {
            (",", ":")
        }
    };
    match value {
        Value::String(text) => escape(&serde_json::to_string(text).unwrap(), profile),
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(|item| print(item, profile)).collect();
            format!("[{}]", items.join(comma))
        }
        Value::Object(members) => {
            let members: Vec<String> = members
                .iter()
                .map(|(key, value)| {
                    let key = escape(&serde_json::to_string(key).unwrap(), profile);
                    format!("{key}{colon}{}", print(value, profile))
                })
                .collect();
            format!("{{{}}}", members.join(comma))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => value.to_string(),
    }
}

fn escape(text: &str, profile: WireProfile) -> String {
    let escaped = |c: char| match profile {
        WireProfile::Utf8Compact => false,
        WireProfile::AsciiCompact | WireProfile::PythonJson => c >= '\u{7f}',
        WireProfile::HtmlEscaped => "<>&\u{2028}\u{2029}".contains(c),
    };
    let mut out = String::new();
    for c in text.chars() {
        if escaped(c) {
            c.encode_utf16(&mut [0; 2])
                .iter()
                .for_each(|unit| out.push_str(&format!("\\u{unit:04x}")));
        } else {
            out.push(c);
        }
    }
    out
}

/// Every kind of failure, with the smallest and largest of what it carries.
fn failures() -> Vec<Failure> {
    let mut all = vec![
        Failure::Refused(FitError::NotAnObject),
        Failure::Deadline,
        Failure::Memory,
        Failure::Trap,
        Failure::BadAnswer,
        Failure::CircuitOpen,
    ];
    for number in [0, u32::MAX] {
        all.push(Failure::NotUtf8 { offset_bytes: number });
        all.push(Failure::Refused(FitError::MalformedJson { offset_bytes: number }));
        all.push(Failure::Refused(FitError::OutputSchema { offset_bytes: number }));
        all.push(Failure::Refused(FitError::InputTooLarge {
            given_bytes: number,
            max_bytes: u32::MAX,
        }));
    }
    let givens: Vec<String> =
        ["9", "<", "&", "\"", "\\", "\n", "\0", "\u{7f}", "é", "中", "😀", "\u{2028}", "/", "'"]
            .iter()
            .map(|piece| piece.repeat(64 / piece.len()))
            .chain([String::new(), String::from("-1"), String::from("1.5"), "x".repeat(100_000)])
            .collect();
    for name in
        LIMITS.iter().map(|limit| limit.name).chain(["call_max_bytes", "<a name of nothing here>"])
    {
        for given in &givens {
            let fault = LimitFault { name, given: given.clone(), min: u32::MAX, max: u32::MAX };
            all.push(Failure::Refused(FitError::LimitOutOfRange(fault)));
        }
    }
    all
}

fn results() -> impl Iterator<Item = (Failure, Revision, String)> {
    failures().into_iter().flat_map(|failure| {
        Revision::ALL.into_iter().map(move |revision| {
            let settings = Settings { revision, ..Settings::default() };
            let result = failure_result(&failure, ResultKind::Tool, &settings);
            (failure.clone(), revision, result)
        })
    })
}

fn text_of(result: &str) -> String {
    let value: Value = serde_json::from_str(result).unwrap();
    value["content"][0]["text"].as_str().unwrap().to_string()
}

#[test]
fn no_failure_is_over_256_bytes_under_any_profile() {
    let mut longest = 0;
    for (failure, _, result) in results() {
        assert!(result.is_ascii(), "{result}");
        let value: Value = serde_json::from_str(&result).unwrap();
        for profile in WireProfile::ALL {
            let printed = print(&value, profile);
            assert!(printed.len() <= FAILURE_RESULT_MAX_BYTES as usize, "{failure:?}: {printed}");
            longest = longest.max(printed.len());
            if profile != WireProfile::PythonJson {
                assert_eq!(printed.len(), result.len(), "a profile escapes something: {printed}");
            }
        }
        // The engine's own bytes are compact: printed again they are the same.
        assert_eq!(print(&value, WireProfile::Utf8Compact).len(), result.len());
    }
    // The words are no longer than they may be, and use what there is.
    assert_eq!(longest, FAILURE_RESULT_MAX_BYTES as usize);
}

#[test]
fn every_failure_is_a_whole_result_of_its_revision() {
    for (_, revision, result) in results() {
        let value: Value = serde_json::from_str(&result).unwrap();
        let text = value["content"][0]["text"].clone();
        assert!(text.is_string());
        let mut expected = json!({"content": [{"type": "text", "text": text}], "isError": true});
        if revision == Revision::R20260728 {
            expected["resultType"] = json!("complete");
        }
        assert_eq!(value, expected);
    }
}

#[test]
fn every_failure_says_who_is_at_fault_and_never_to_call_again() {
    for (failure, _, result) in results() {
        let text = text_of(&result);
        let culprit = match failure {
            Failure::Refused(
                FitError::LimitOutOfRange(_)
                | FitError::PreviousReport { .. }
                | FitError::OutputSchema { .. },
            ) => "Server",
            Failure::Refused(
                FitError::InputTooLarge { .. }
                | FitError::MalformedJson { .. }
                | FitError::NotAnObject,
            )
            | Failure::NotUtf8 { .. } => "Tool",
            Failure::Deadline
            | Failure::Memory
            | Failure::Trap
            | Failure::BadAnswer
            | Failure::CircuitOpen => "Boundary",
        };
        assert!(text.starts_with(&format!("[result-budget] {culprit} at fault: ")), "{text}");
        assert!(text.ends_with(" may have run: do not repeat changes."), "{text}");
        let words = text.to_lowercase();
        for advice in ["retry", "try again", "repeat the", "call again", "once more", "resend"] {
            assert!(!words.contains(advice), "{text}");
        }
    }
}

#[test]
fn the_wording_is_stable() {
    let fault = |given: &str| Failure::Refused(FitError::LimitOutOfRange(LIMITS[0].fault(given)));
    for (failure, words) in [
        (
            fault("255"),
            "Server at fault: max_result_bytes is 255, allowed 256 to 16777216. The tool",
        ),
        (fault("-1"), "Server at fault: max_result_bytes is -1, allowed 256 to 16777216. The tool"),
        (
            fault("1.5"),
            "Server at fault: max_result_bytes is 1.5, allowed 256 to 16777216. The tool",
        ),
        (
            fault(""),
            "Server at fault: max_result_bytes is empty, allowed 256 to 16777216. The tool",
        ),
        (
            fault(r#"<b>"é\"#),
            "Server at fault: max_result_bytes is ?b????, allowed 256 to 16777216. The tool",
        ),
        (
            fault("123456789012345678901234567890"),
            "Server at fault: max_result_bytes is 1234567890123456789012345..., allowed 256 to 16777216. The tool",
        ),
        (
            fault("1234567890123456789012345678"),
            "Server at fault: max_result_bytes is 1234567890123456789012345678, allowed 256 to 16777216. The tool",
        ),
        (
            Failure::Refused(FitError::InputTooLarge {
                given_bytes: 16777217,
                max_bytes: 16777216,
            }),
            "Tool at fault: its result has 16777217 bytes, at most 16777216 are allowed. It",
        ),
        (
            Failure::Refused(FitError::MalformedJson { offset_bytes: 12 }),
            "Tool at fault: its result is no JSON from byte 12 on, only JSON is allowed. It",
        ),
        (
            Failure::Refused(FitError::NotAnObject),
            "Tool at fault: its result is JSON but no object, only an object is allowed. It",
        ),
        (
            Failure::NotUtf8 { offset_bytes: 3 },
            "Tool at fault: its result is no UTF-8 from byte 3 on, only UTF-8 is allowed. It",
        ),
        (
            Failure::Deadline,
            "Boundary at fault: bounding the result took longer than allowed. The tool",
        ),
        (
            Failure::Memory,
            "Boundary at fault: bounding the result took more memory than allowed. The tool",
        ),
        (Failure::Trap, "Boundary at fault: it stopped while bounding the result. The tool"),
        (
            Failure::BadAnswer,
            "Boundary at fault: the bounded result did not pass its check. The tool",
        ),
        (
            Failure::CircuitOpen,
            "Boundary at fault: it failed too often in a row and pauses. The tool",
        ),
    ] {
        let text = text_of(&failure_result(&failure, ResultKind::Tool, &Settings::default()));
        assert_eq!(text, format!("[result-budget] {words} may have run: do not repeat changes."));
    }
}

#[test]
fn the_results_for_a_trap_are_constants_that_a_host_can_hold() {
    let of = |revision| {
        failure_result(
            &Failure::Trap,
            ResultKind::Tool,
            &Settings { revision, ..Settings::default() },
        )
    };
    let older = r#"{"content":[{"type":"text","text":"[result-budget] Boundary at fault: it stopped while bounding the result. The tool may have run: do not repeat changes."}],"isError":true}"#;
    let newest = r#"{"content":[{"type":"text","text":"[result-budget] Boundary at fault: it stopped while bounding the result. The tool may have run: do not repeat changes."}],"isError":true,"resultType":"complete"}"#;
    for revision in Revision::ALL {
        assert_eq!(of(revision), if revision == Revision::R20260728 { newest } else { older });
    }
}
