//! A second boundary behind the first: counts go on (rule T12 of the field
//! cases: 30 KB, then 10 KB).

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use result_budget_core::{Call, Fitted, Outcome, OutputSchema, ResultKind, Settings, fit};
use serde_json::Value;

fn settings(bytes: u32) -> Settings {
    let mut settings = Settings::default();
    settings.limits.cap_to(bytes).unwrap();
    settings
}

fn cut(json: &str, call: Call<'_>, bytes: u32) -> Fitted {
    match fit(json, call, &settings(bytes)).unwrap() {
        Outcome::Bounded(fitted) => fitted,
        other @ (Outcome::Unchanged | Outcome::Compacted(_) | Outcome::ProtocolError(_)) => {
            panic!("{other:?}")
        }
    }
}

fn report(fitted: &Fitted) -> Value {
    serde_json::from_str(&fitted.report_json).unwrap()
}

fn twice(json: &str, schema: OutputSchema<'_>) -> (Value, Value, Fitted) {
    let first = cut(json, schema.into(), 30_000);
    let call = Call { previous_report: Some(&first.report_json), ..Call::from(schema) };
    let second = cut(&first.tool_result_json, call, 10_000);
    assert!(second.tool_result_json.len() <= 10_000);
    (report(&first), report(&second), second)
}

#[test]
fn a_second_cut_of_a_list_counts_from_the_original() {
    let items: Vec<String> =
        (0..5_000).map(|at| format!("{{\"id\":{at},\"name\":\"item {at}\"}}")).collect();
    let json =
        format!("{{\"content\":[],\"structuredContent\":{{\"items\":[{}]}}}}", items.join(","));
    for schema in [OutputSchema::None, OutputSchema::Unknown] {
        let (first, second, fitted) = twice(&json, schema);
        assert_eq!(first["original_bytes"], second["original_bytes"]);
        let after: Value = serde_json::from_str(&fitted.tool_result_json).unwrap();
        let kept = after["structuredContent"]["items"].as_array().unwrap().len();
        assert_eq!(second["cuts"].as_array().unwrap().len(), 1, "{second}");
        assert_eq!(second["cuts"][0]["kept"], kept);
        assert_eq!(second["cuts"][0]["of"], 5_000);
        assert_eq!(second["omitted_count"], 5_000 - kept);
        // Told once, of the original's count: by our member, or by a notice.
        let notices = fitted.tool_result_json.matches("[result-budget]").count();
        let told = usize::from(schema == OutputSchema::Unknown);
        assert_eq!(notices, told, "{}", fitted.tool_result_json);
        assert!(fitted.tool_result_json.contains(&format!("{kept} of 5000 items")));
        if schema == OutputSchema::None {
            let remark = after["structuredContent"]["result_budget"].as_str().unwrap();
            let shown = remark.strip_suffix("; ask for less").unwrap_or(remark);
            assert_eq!(shown, format!("{kept} of 5000 items shown"));
        }
    }
}

#[test]
fn a_second_cut_of_a_text_says_of_how_much_it_was_first() {
    let line = "one line of a text that is long\\n".repeat(3_000);
    let json = format!("{{\"content\":[{{\"type\":\"text\",\"text\":\"{line}\"}}]}}");
    let (first, second, fitted) = twice(&json, OutputSchema::None);
    assert_eq!(first["original_bytes"], second["original_bytes"]);
    assert_eq!(second["cuts"][0]["path"], "/content/0/text");
    assert_eq!(second["cuts"][0]["of"], line.len());
    assert!(fitted.tool_result_json.contains(&format!(" of {} bytes]", line.len())));
}

#[test]
fn a_mirror_of_a_second_cut_stays_equal_to_its_data() {
    let items: Vec<String> = (0..4_000).map(|at| format!("{{\"id\":{at}}}")).collect();
    let data = format!("{{\"items\":[{}]}}", items.join(","));
    let text = data.replace('"', "\\\"");
    let json = format!(
        "{{\"content\":[{{\"type\":\"text\",\"text\":\"{text}\"}}],\"structuredContent\":{data}}}"
    );
    let (_, second, fitted) = twice(&json, OutputSchema::None);
    let after: Value = serde_json::from_str(&fitted.tool_result_json).unwrap();
    let mirrored: Value =
        serde_json::from_str(after["content"][1]["text"].as_str().unwrap()).unwrap();
    assert_eq!(mirrored, after["structuredContent"]);
    assert_eq!(second["cuts"][0]["of"], 4_000);
}

#[test]
fn what_fits_the_second_boundary_keeps_the_first_report() {
    let json =
        format!("{{\"content\":[{{\"type\":\"text\",\"text\":\"{}\"}}]}}", "word ".repeat(9_000));
    let first = cut(&json, OutputSchema::None.into(), 10_000);
    let call = Call { previous_report: Some(&first.report_json), ..Call::default() };
    assert_eq!(fit(&first.tool_result_json, call, &settings(10_000)), Ok(Outcome::Unchanged));
}

#[test]
fn every_second_cut_is_within_its_limit_and_stable() {
    let messages: Vec<String> = (0..40)
        .map(|at| {
            let words = "word ".repeat(at * 7);
            format!(
                "{{\"role\":\"user\",\"content\":{{\"type\":\"text\",\"text\":\"{at} {words}\"}}}}"
            )
        })
        .collect();
    let json = format!("{{\"messages\":[{}]}}", messages.join(","));
    for bytes in (256..4_000).step_by(131) {
        let first = cut(&json, ResultKind::Prompt.into(), 6_000);
        let call =
            Call { previous_report: Some(&first.report_json), ..Call::from(ResultKind::Prompt) };
        let second = match fit(&first.tool_result_json, call, &settings(bytes)).unwrap() {
            Outcome::Bounded(fitted) => fitted.tool_result_json,
            Outcome::ProtocolError(error) => {
                assert!(error.error_json.len() <= bytes as usize);
                continue;
            }
            other @ (Outcome::Unchanged | Outcome::Compacted(_)) => panic!("{other:?}"),
        };
        assert!(second.len() <= bytes as usize, "{bytes}");
        assert_eq!(
            fit(&second, ResultKind::Prompt, &settings(bytes)),
            Ok(Outcome::Unchanged),
            "{bytes}"
        );
    }
}
