//! Laws of the other kinds of result: never over, valid, stable.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use result_budget_core::{
    Outcome, Resources, ResultKind, Revision, Settings, WireProfile, fit, prepare_tools,
};
use serde_json::Value;

/// Inputs of each kind, from small to large.
fn inputs(kind: ResultKind) -> Vec<String> {
    let mut all = Vec::new();
    for size in [0, 1, 7, 40, 300, 1_500] {
        let words = "wörd <b> \\\"q\\\" ".repeat(size);
        let list: Vec<String> =
            (0..size).map(|at| format!("{{\"id\":{at},\"s\":\"é\"}}")).collect();
        let list = list.join(",");
        let json = list.replace('"', "\\\"");
        match kind {
            ResultKind::Prompt => {
                let many: String = (0..size / 8)
                    .map(|at| format!("{{\"role\":\"assistant\",\"content\":{{\"type\":\"text\",\"text\":\"{at}\"}}}},"))
                    .collect();
                all.push(format!("{{\"messages\":[{many}{{\"role\":\"user\",\"content\":{{\"type\":\"text\",\"text\":\"{words}\"}}}},{{\"role\":\"user\",\"content\":{{\"type\":\"text\",\"text\":\"[{json}]\"}}}}]}}"));
                all.push(format!("{{\"description\":\"{words}\",\"messages\":[5,{{\"role\":1}},{{\"role\":\"user\",\"content\":[\"{words}\"]}}]}}"));
            }
            ResultKind::Resource => {
                all.push(format!("{{\"contents\":[{{\"uri\":\"a:b\",\"text\":\"{words}\"}},{{\"uri\":\"a:c\",\"text\":\"[{json}]\"}}],\"ttlMs\":5}}"));
                all.push(format!(
                    "{{\"contents\":[{{\"uri\":\"a:b\",\"blob\":\"{}\"}}]}}",
                    "AAAA".repeat(size)
                ));
            }
            ResultKind::Task => {
                all.push(format!("{{\"taskId\":\"t\",\"status\":\"completed\",\"result\":{{\"content\":[{{\"type\":\"text\",\"text\":\"{words}\"}}],\"structuredContent\":[{list}]}}}}"));
                all.push(format!("{{\"taskId\":\"t\",\"status\":\"failed\",\"error\":{{\"code\":1,\"message\":\"{words}\",\"data\":[{list}]}}}}"));
                all.push(format!(
                    "{{\"taskId\":\"t\",\"status\":\"working\",\"statusMessage\":\"{words}\"}}"
                ));
            }
            ResultKind::Error => {
                all.push(format!("{{\"code\":-32000,\"message\":\"{words}\",\"data\":{{\"rows\":[{list}],\"uri\":\"x\",\"n\":1e5}}}}"));
                all.push(format!("{{\"code\":7,\"message\":\"{words}\"}}"));
                all.push(format!(
                    "{{\"code\":7,\"message\":\"m\",\"data\":\"{words}\",\"more\":1}}"
                ));
                all.push(format!(
                    "{{\"code\":7,\"message\":\"m\",\"data\":{{\"supported\":[{list}]}}}}"
                ));
            }
            ResultKind::List | ResultKind::Other => all.push(format!("{{\"x\":\"{words}\"}}")),
            ResultKind::Tool => {}
        }
    }
    all
}

#[test]
fn whatever_comes_in_what_goes_out_is_within_the_law_valid_and_stable() {
    let (mut cases, mut cut) = (0, 0);
    for kind in ResultKind::ALL {
        for json in inputs(kind) {
            for bytes in [256, 300, 511, 512, 700, 1_000, 2_000, 4_095, 4_096, 9_000] {
                for profile in WireProfile::ALL {
                    for revision in [Revision::R20251125, Revision::R20260728] {
                        let mut settings = Settings {
                            wire_profile: profile,
                            revision,
                            resources: Resources::Cut,
                            ..Settings::default()
                        };
                        settings.limits.cap_to(bytes).unwrap();
                        cases += 1;
                        let (out, kind) = match fit(&json, kind, &settings).unwrap() {
                            Outcome::Unchanged => (json.clone(), kind),
                            Outcome::Compacted(out) => (out, kind),
                            Outcome::Bounded(fitted) => (fitted.tool_result_json, kind),
                            Outcome::ProtocolError(error) => (error.error_json, ResultKind::Error),
                        };
                        cut += usize::from(out != json);
                        let place = format!("{kind:?} {bytes} {profile:?}\n{json}\n{out}");
                        assert!(out.len() <= bytes as usize, "{place}");
                        serde_json::from_str::<Value>(&out).unwrap();
                        let again = fit(&out, kind, &settings).unwrap();
                        assert_eq!(again, Outcome::Unchanged, "{place}");
                    }
                }
            }
        }
    }
    println!("{cases} cases, {cut} cut");
    assert!(cut > 1_000);
}

#[test]
fn a_code_is_kept_unless_its_data_has_no_room() {
    for json in inputs(ResultKind::Error) {
        let code = serde_json::from_str::<Value>(&json).unwrap()["code"].clone();
        for bytes in (256..3_000).step_by(97) {
            let mut settings = Settings::default();
            settings.limits.cap_to(bytes).unwrap();
            if let Outcome::Bounded(fitted) = fit(&json, ResultKind::Error, &settings).unwrap() {
                let after: Value = serde_json::from_str(&fitted.tool_result_json).unwrap();
                let expected =
                    if fitted.replaced_by_error { Value::from(-32603) } else { code.clone() };
                assert_eq!(after["code"], expected);
            }
        }
    }
}

#[test]
fn preparing_is_idempotent_and_only_adds() {
    let schema = r#"{"type":"object","properties":{"n":{}},"additionalProperties":false}"#;
    let tools: Vec<String> = (0..50)
        .map(|at| format!("{{\"name\":\"t{at}\",\"inputSchema\":{{\"type\":\"object\"}},\"outputSchema\":{schema}}}"))
        .collect();
    let list = format!("{{\"tools\":[{}],\"x\":1}}", tools.join(", "));
    let settings = Settings { call_argument: true, ..Settings::default() };
    let prepared = prepare_tools(&list, &settings).unwrap().unwrap();
    assert_eq!(prepare_tools(&prepared, &settings), Ok(None));
    let mut after: Value = serde_json::from_str(&prepared).unwrap();
    for tool in after["tools"].as_array_mut().unwrap() {
        tool["outputSchema"]["properties"]
            .as_object_mut()
            .unwrap()
            .remove("result_budget")
            .unwrap();
        tool["inputSchema"].as_object_mut().unwrap().remove("properties").unwrap();
    }
    assert_eq!(after, serde_json::from_str::<Value>(&list).unwrap());
}
