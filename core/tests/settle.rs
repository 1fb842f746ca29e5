//! What is in force for a call, and the policy document against its published
//! schema.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::{Config, TestRunner};
use result_budget_core::{
    Ansi, LIMITS, LimitFault, Limits, Mirror, NoticePlace, PRESETS, Request, Revision, Settings,
    SettleError, TextKeep, WireProfile,
};
use serde_json::{Map, Value, json};

const SCHEMA: &str = include_str!("../../wit/policy.schema.json");

const NOTHING: Request<'static> = Request {
    preset: None,
    client_name: None,
    limit_bytes: None,
    limit_tokens: None,
    tool: None,
    revision: None,
    wire_profile: None,
    call_max_bytes: None,
    call_max_tokens: None,
};

const BUILT_IN_AND_MINE: &str = "small, normal, large, claude-code, codex, gemini-cli, vscode, opencode, qwen-code, cline, cursor, auto, mine";

/// What is in force, without the preset behind it.
fn settle(policy: &str, request: &Request<'_>) -> Result<Settings, SettleError> {
    result_budget_core::settle(policy, request).map(|settled| settled.settings)
}

fn settled(policy: &Value, request: &Request<'_>) -> Settings {
    settle(&policy.to_string(), request).unwrap()
}

fn ceilings(limits: &Limits) -> (u32, u32, u32) {
    (limits.max_text_bytes, limits.max_binary_bytes, limits.max_result_bytes)
}

fn limit_fault(answer: Result<Settings, SettleError>) -> LimitFault {
    match answer {
        Err(SettleError::LimitOutOfRange(fault)) => fault,
        other => panic!("{other:?}"),
    }
}

/// Code, pointer and what was given.
fn policy_fault(document: &str) -> (&'static str, String, String) {
    match settle(document, &NOTHING) {
        Err(SettleError::Policy { pointer, code, given, allowed }) => {
            assert!(!allowed.is_empty() && given.len() <= 64 && pointer.len() <= 128);
            (code, pointer, given)
        }
        other => panic!("{other:?} for {document}"),
    }
}

// The order of what wins.

#[test]
fn nothing_said_is_the_default() {
    assert_eq!(settle("", &NOTHING).unwrap(), Settings::default());
    assert_eq!(settle(r#" {"version": 1} "#, &NOTHING).unwrap(), Settings::default());
}

#[test]
fn each_preset_sets_its_three_ceilings() {
    for preset in &PRESETS {
        let by_request = Request { preset: Some(preset.name), ..NOTHING };
        let expected = Limits::of_preset(preset);
        assert_eq!(settle("", &by_request).unwrap().limits, expected);
        let by_policy = json!({"version": 1, "preset": preset.name});
        assert_eq!(settled(&by_policy, &NOTHING).limits, expected);
        let by_tool = json!({"version": 1, "tools": {"t": {"preset": preset.name}}});
        assert_eq!(settled(&by_tool, &Request { tool: Some("t"), ..NOTHING }).limits, expected);
    }
}

#[test]
fn each_layer_goes_over_the_one_before_and_leaves_what_it_does_not_name() {
    let policy = json!({
        "version": 1,
        "preset": "small",
        "limits": {"max_text_bytes": 7_000, "max_list_items": 50},
        "presets": {"wide": {"max_map_keys": 9, "max_text_bytes": 60_000}},
        "tools": {"log": {
            "preset": "wide", "limits": {"max_text_bytes": 9_000, "max_list_items": null}
        }},
    });
    let limits = settled(&policy, &NOTHING).limits;
    assert_eq!(ceilings(&limits), (7_000, 256 * 1_024, 512 * 1_024));
    assert_eq!((limits.max_list_items, limits.max_map_keys), (Some(50), None));

    let preset = Request { preset: Some("large"), ..NOTHING };
    let limits = settled(&policy, &preset).limits;
    assert_eq!(ceilings(&limits), (65_536, 4 << 20, 8 << 20));
    assert_eq!(limits.max_list_items, Some(50));

    let own = Request { preset: Some("wide"), ..NOTHING };
    let limits = settled(&policy, &own).limits;
    assert_eq!(ceilings(&limits), (60_000, 256 * 1_024, 512 * 1_024));
    assert_eq!((limits.max_list_items, limits.max_map_keys), (Some(50), Some(9)));

    let tool = Request { tool: Some("log"), ..preset.clone() };
    let limits = settled(&policy, &tool).limits;
    assert_eq!(ceilings(&limits), (9_000, 4 << 20, 8 << 20));
    assert_eq!((limits.max_list_items, limits.max_map_keys), (None, Some(9)));

    let other = Request { tool: Some("Log"), ..NOTHING };
    assert_eq!(settled(&policy, &other), settled(&policy, &NOTHING));
}

#[test]
fn limit_bytes_sets_the_law_and_caps_every_layer() {
    let request = |bytes| Request { limit_bytes: Some(bytes), ..NOTHING };
    assert_eq!(ceilings(&settle("", &request("10000")).unwrap().limits), (10_000, 10_000, 10_000));
    // Over the preset it raises the law, and not the ceilings of a kind.
    let limits = settle("", &request("16777216")).unwrap().limits;
    assert_eq!(ceilings(&limits), (32_000, 1 << 20, 16 << 20));
    // A tool's row goes over it downwards only.
    let policy = json!({"version": 1, "tools": {
        "more": {"preset": "large"},
        "less": {"limits": {"max_result_bytes": 500, "max_text_bytes": 400}},
    }});
    let request = |tool| Request { tool: Some(tool), limit_bytes: Some("10000"), ..NOTHING };
    let limits = settled(&policy, &request("more")).limits;
    assert_eq!(ceilings(&limits), (10_000, 10_000, 10_000));
    let limits = settled(&policy, &request("less")).limits;
    assert_eq!(ceilings(&limits), (400, 500, 500));
}

#[test]
fn a_call_lowers_limits_within_the_range_of_its_tool_and_never_raises_one() {
    let policy = json!({"version": 1, "tools": {
        "ranged": {"call_max_bytes": {"min": 1_000, "max": 5_000}},
        "open": {"limits": {"max_text_bytes": 600}},
        "wide": {"limits": {"max_result_bytes": 4_000}, "call_max_bytes": {"max": 9_000}},
    }});
    let call = |tool, bytes| Request { tool, call_max_bytes: Some(bytes), ..NOTHING };
    let document = policy.to_string();
    let range = |request: &Request<'_>| {
        let fault = limit_fault(settle(&document, request));
        assert_eq!((fault.name, fault.given.as_str()), ("call_max_bytes", "1"));
        (fault.min, fault.max)
    };
    assert_eq!(range(&call(Some("ranged"), "1")), (1_000, 5_000));
    assert_eq!(range(&call(Some("open"), "1")), (256, 2 << 20));
    assert_eq!(range(&call(Some("absent"), "1")), (256, 2 << 20));
    assert_eq!(range(&call(None, "1")), (256, 2 << 20));
    // The operator's law goes over the tool's range.
    assert_eq!(range(&call(Some("wide"), "1")), (256, 4_000));
    let capped = Request { limit_bytes: Some("800"), ..call(Some("ranged"), "1") };
    assert_eq!(range(&capped), (800, 800));

    for legal in ["1000", "5000"] {
        let bytes: u32 = legal.parse().unwrap();
        let limits = settled(&policy, &call(Some("ranged"), legal)).limits;
        assert_eq!(ceilings(&limits), (bytes, bytes, bytes));
    }
    for illegal in ["999", "5001"] {
        limit_fault(settle(&document, &call(Some("ranged"), illegal)));
    }
    let limits = settled(&policy, &call(Some("open"), "2000000")).limits;
    assert_eq!(ceilings(&limits), (600, 1 << 20, 2_000_000));
}

#[test]
fn of_the_other_choices_the_tool_goes_before_the_policy() {
    let policy = json!({
        "version": 1,
        "mirror": "text", "notice": "last", "text_keep": "tail", "ansi": "strip", "wire_profile": "python-json",
        "keep_fields": ["nextCursor", "é"],
        "tools": {
            "t": {"mirror": "structured", "notice": "first", "text_keep": "head", "ansi": "keep", "keep_fields": []},
            "empty": {},
        },
    });
    let expected = Settings {
        mirror: Mirror::Text,
        notice: NoticePlace::Last,
        text_keep: TextKeep::Tail,
        ansi: Ansi::Strip,
        wire_profile: WireProfile::PythonJson,
        keep_fields: vec!["nextCursor".into(), "é".into()],
        ..Settings::default()
    };
    assert_eq!(settled(&policy, &NOTHING), expected);
    assert_eq!(settled(&policy, &Request { tool: Some("empty"), ..NOTHING }), expected);
    let tool = Request { tool: Some("t"), wire_profile: Some("html-escaped"), ..NOTHING };
    assert_eq!(
        settled(&policy, &tool),
        Settings {
            mirror: Mirror::Structured,
            notice: NoticePlace::First,
            text_keep: TextKeep::Head,
            wire_profile: WireProfile::HtmlEscaped,
            ..Settings::default()
        }
    );
}

#[test]
fn a_revision_stands_for_the_newest_rules_that_are_not_later() {
    let named = |name| settle("", &Request { revision: Some(name), ..NOTHING }).map(|s| s.revision);
    for known in Revision::ALL {
        assert_eq!(named(known.name()), Ok(known));
    }
    assert_eq!(named("2025-06-19"), Ok(Revision::R20250618));
    assert_eq!(named("2031-01-01"), Ok(Revision::R20260728));
}

// What is refused.

#[test]
fn a_number_in_a_request_is_digits_in_range_or_refused_with_the_range() {
    let sixty_five = "9".repeat(65);
    for given in [
        "-1",
        "1.5",
        "9007199254740992",
        "4294967552",
        "abc",
        "",
        "08000",
        "255",
        "16777217",
        "8e3",
        "8000.0",
        "+8000",
        " 8000",
        "8000 ",
        "0x1f40",
        "8_000",
        "true",
        "null",
        "NaN",
        "Infinity",
        "８０００",
        "-0",
        "8000\0",
        &sixty_five,
    ] {
        let fault = limit_fault(settle("", &Request { limit_bytes: Some(given), ..NOTHING }));
        assert_eq!((fault.name, fault.min, fault.max), ("max_result_bytes", 256, 16 << 20));
        assert_eq!(fault.given, given.chars().take(64).collect::<String>());
        let fault = limit_fault(settle("", &Request { call_max_bytes: Some(given), ..NOTHING }));
        assert_eq!((fault.name, fault.min, fault.max), ("call_max_bytes", 256, 2 << 20));
    }
    for legal in ["256", "16777216"] {
        settle("", &Request { limit_bytes: Some(legal), ..NOTHING }).unwrap();
    }
}

#[test]
fn a_number_in_a_policy_is_refused_with_the_range_of_its_row() {
    for limit in &LIMITS {
        let (below, above) = (i64::from(limit.min) - 1, i64::from(limit.max) + 1);
        for given in
            [&below.to_string(), &above.to_string(), "-1", "1.5", "9007199254740992", "1e2"]
        {
            let document = format!(r#"{{"version":1,"limits":{{"{}":{given}}}}}"#, limit.name);
            let fault = limit_fault(settle(&document, &NOTHING));
            assert_eq!((fault.name, fault.min, fault.max), (limit.name, limit.min, limit.max));
            assert_eq!(&fault.given, given);
        }
        for legal in [limit.min, limit.max] {
            let limits = settled(&json!({"version": 1, "limits": {limit.name: legal}}), &NOTHING);
            assert_eq!(limits.limits.value(limit.name), Some(legal));
        }
        let null = settled(
            &json!({"version": 1, "presets": {"p": {limit.name: limit.min}}, "preset": "p",
                    "limits": {limit.name: null}}),
            &NOTHING,
        );
        assert_eq!(null.limits.value(limit.name), limit.default);
    }
}

#[test]
fn a_name_that_stands_for_nothing_is_refused_with_those_that_stand_for_something() {
    let policy = r#"{"version":1,"presets":{"mine":{}}}"#;
    let long = "é".repeat(40);
    for (request, field, given, allowed) in [
        (Request { preset: Some("Small"), ..NOTHING }, "preset", "Small", BUILT_IN_AND_MINE),
        (Request { preset: Some(""), ..NOTHING }, "preset", "", BUILT_IN_AND_MINE),
        (Request { preset: Some(&long), ..NOTHING }, "preset", &long[..64], BUILT_IN_AND_MINE),
        (
            Request { revision: Some("2024-11-04"), ..NOTHING },
            "revision",
            "2024-11-04",
            "2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25, 2026-07-28",
        ),
        (
            Request { revision: Some("latest"), ..NOTHING },
            "revision",
            "latest",
            "2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25, 2026-07-28",
        ),
        (
            Request { wire_profile: Some("utf8_compact"), ..NOTHING },
            "wire-profile",
            "utf8_compact",
            "utf8-compact, ascii-compact, python-json, html-escaped",
        ),
    ] {
        let expected = SettleError::UnknownName {
            field,
            given: given.to_string(),
            allowed: allowed.to_string(),
        };
        assert_eq!(settle(policy, &request), Err(expected));
    }
}

#[test]
fn the_names_in_a_fault_are_bounded() {
    let presets: Map<String, Value> = (0..10_000).map(|at| (format!("p{at}"), json!({}))).collect();
    let document = json!({"version": 1, "presets": presets}).to_string();
    match settle(&document, &Request { preset: Some("none"), ..NOTHING }) {
        Err(SettleError::UnknownName { allowed, .. }) => {
            assert!(allowed.contains("cursor, auto, p0, p1") && allowed.ends_with(", ..."));
            assert!(allowed.len() < 300);
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_fault_in_a_policy_says_what_where_and_what_was_given() {
    for (document, code, pointer, given) in [
        ("{", "malformed-json", "", ""),
        (" ", "malformed-json", "", ""),
        ("\u{feff}{}", "malformed-json", "", "\u{feff}{}"),
        (r#"{"version":1,}"#, "malformed-json", "", "}"),
        (r#"{"version":01}"#, "malformed-json", "", "1}"),
        ("[]", "wrong-type", "", "[]"),
        ("null", "wrong-type", "", "null"),
        ("{}", "unknown-value", "/version", ""),
        (r#"{"version":2}"#, "unknown-value", "/version", "2"),
        (r#"{"version":1.0}"#, "wrong-type", "/version", "1.0"),
        (r#"{"version":"1"}"#, "wrong-type", "/version", "1"),
        (r#"{"version":true}"#, "wrong-type", "/version", "true"),
        (r#"{"Version":1}"#, "unknown-member", "/Version", "Version"),
        (r#"{"version":1,"x-y":1}"#, "unknown-member", "/x-y", "x-y"),
        (r#"{"version":1,"version":1}"#, "duplicate-member", "/version", "version"),
        (r#"{"version":1,"\u0076ersion":1}"#, "duplicate-member", "/version", "version"),
        (r#"{"version":1,"preset":"tiny"}"#, "unknown-value", "/preset", "tiny"),
        (r#"{"version":1,"preset":null}"#, "wrong-type", "/preset", "null"),
        (
            r#"{"version":1,"limits":{"max_text":1}}"#,
            "unknown-member",
            "/limits/max_text",
            "max_text",
        ),
        (
            r#"{"version":1,"limits":{"max_text_bytes":true}}"#,
            "wrong-type",
            "/limits/max_text_bytes",
            "true",
        ),
        (
            r#"{"version":1,"limits":{"max_text_bytes":"8000"}}"#,
            "wrong-type",
            "/limits/max_text_bytes",
            "8000",
        ),
        (r#"{"version":1,"mirror":"Both"}"#, "unknown-value", "/mirror", "Both"),
        (r#"{"version":1,"presets":{"small":{}}}"#, "unknown-value", "/presets/small", "small"),
        (r#"{"version":1,"presets":{"A b":{}}}"#, "unknown-value", "/presets/A b", "A b"),
        (r#"{"version":1,"tools":{"git_*":{}}}"#, "unknown-value", "/tools/git_*", "git_*"),
        (r#"{"version":1,"tools":{"a/b~":{"x":1}}}"#, "unknown-member", "/tools/a~1b~0/x", "x"),
        (
            r#"{"version":1,"tools":{"t":{"wire_profile":"utf8-compact"}}}"#,
            "unknown-member",
            "/tools/t/wire_profile",
            "wire_profile",
        ),
        (
            r#"{"version":1,"tools":{"t":{"call_max_bytes":{"min":600,"max":500}}}}"#,
            "unknown-value",
            "/tools/t/call_max_bytes/min",
            "600",
        ),
        (r#"{"version":1,"keep_fields":["a","a"]}"#, "duplicate-member", "/keep_fields/1", "a"),
        (
            r#"{"version":1,"keep_fields":["a","\ud800"]}"#,
            "malformed-json",
            "/keep_fields/1",
            r"\ud800",
        ),
        (r#"{"version":1,"tools":{"t\u0000":{}}}"#, "unknown-member", "/tools/t\u{0}", "t\u{0}"),
    ] {
        let expected = (code, pointer.to_string(), given.to_string());
        assert_eq!(policy_fault(document), expected, "{document}");
    }
}

#[test]
fn a_policy_is_checked_whole_whatever_the_call_asks_for() {
    let document = r#"{"version":1,"tools":{"good":{},"bad":{"limits":{"max_depth":3}}}}"#;
    for tool in [None, Some("good"), Some("bad"), Some("other")] {
        let fault = limit_fault(settle(document, &Request { tool, ..NOTHING }));
        assert_eq!((fault.name, fault.given.as_str()), ("max_depth", "3"));
    }
}

// The published schema.

#[test]
fn the_schema_quotes_every_limit() {
    let schema: Value = serde_json::from_str(SCHEMA).unwrap();
    let properties = schema["$defs"]["limits"]["properties"].as_object().unwrap();
    assert_eq!(properties.len(), LIMITS.len());
    for limit in &LIMITS {
        let unit = match limit.name.rsplit('_').next().unwrap() {
            "depth" => "containers",
            unit => unit,
        };
        let default = limit.default.map_or("off".to_string(), |default| default.to_string());
        let description = format!(
            "{}; {} to {} {unit}, {default} by default (contract {})",
            limit.counts, limit.min, limit.max, limit.rule
        );
        let expected = json!({
            "description": description,
            "type": ["integer", "null"],
            "minimum": limit.min,
            "maximum": limit.max,
            "default": limit.default,
        });
        assert_eq!(properties[limit.name], expected, "{}", limit.name);
    }
    let law = &LIMITS[0];
    let call = &schema["$defs"]["tool"]["properties"]["call_max_bytes"]["properties"];
    for end in ["min", "max"] {
        assert_eq!(call[end]["minimum"], law.min);
        assert_eq!(call[end]["maximum"], law.max);
    }
    let range = format!("{} to {} bytes, ", law.min, law.max);
    assert!(
        call["min"]["description"].as_str().unwrap().contains(&format!("{range}{} by", law.min))
    );
    assert!(call["max"]["description"].as_str().unwrap().contains(&range));
}

#[test]
fn the_schema_names_every_choice_the_default_first() {
    let schema: Value = serde_json::from_str(SCHEMA).unwrap();
    let defs = &schema["$defs"];
    assert_eq!(defs["mirror"]["enum"], json!(Mirror::ALL.map(Mirror::name)));
    assert_eq!(defs["notice"]["enum"], json!(NoticePlace::ALL.map(NoticePlace::name)));
    assert_eq!(defs["ansi"]["enum"], json!(Ansi::ALL.map(Ansi::name)));
    assert_eq!(defs["text_keep"]["enum"], json!(TextKeep::ALL.map(TextKeep::name)));
    let profiles = &schema["properties"]["wire_profile"]["enum"];
    assert_eq!(*profiles, json!(WireProfile::ALL.map(WireProfile::name)));
    let built_in = &schema["properties"]["presets"]["propertyNames"]["not"]["enum"];
    let names: Vec<_> = ["auto"].into_iter().chain(PRESETS.map(|preset| preset.name)).collect();
    assert_eq!(*built_in, json!(names));
    let text = schema["properties"]["preset"]["description"].as_str().unwrap();
    assert!(PRESETS.iter().all(|preset| text.contains(&format!("`{}`", preset.name))));
}

#[test]
fn every_object_of_the_schema_is_closed_and_every_property_described() {
    fn walk(schema: &Value, path: &str, count: &mut usize) {
        let Some(object) = schema.as_object() else {
            return schema
                .as_array()
                .into_iter()
                .flatten()
                .for_each(|item| walk(item, path, count));
        };
        if object.get("type") == Some(&json!("object")) {
            *count += 1;
            let rest = object.get("additionalProperties");
            let map = object.contains_key("propertyNames") && rest.is_some_and(Value::is_object);
            assert!(map || rest == Some(&json!(false)), "open: {path}");
        }
        for (key, value) in object {
            walk(value, &format!("{path}/{key}"), count);
        }
        for (name, property) in
            object.get("properties").and_then(Value::as_object).into_iter().flatten()
        {
            let described = property.get("description").is_some() || property.get("$ref").is_some();
            assert!(described, "undescribed: {path}/{name}");
        }
    }
    let mut count = 0;
    walk(&serde_json::from_str(SCHEMA).unwrap(), "", &mut count);
    assert_eq!(count, 7);
}

fn validator() -> jsonschema::Validator {
    let schema: Value = serde_json::from_str(SCHEMA).unwrap();
    jsonschema::meta::validate(&schema).unwrap();
    jsonschema::draft202012::new(&schema).unwrap()
}

/// Documents that both accept.
fn good_documents() -> Vec<Value> {
    let all_limits: Map<String, Value> =
        LIMITS.iter().map(|limit| (limit.name.to_string(), json!(limit.min))).collect();
    let all_off: Map<String, Value> =
        LIMITS.iter().map(|limit| (limit.name.to_string(), Value::Null)).collect();
    let max_name = "a".repeat(64);
    let keys: Vec<String> = (0..64).map(|at| format!("k{at}")).collect();
    vec![
        json!({"version": 1}),
        json!({"version": 1, "preset": "small"}),
        json!({"version": 1, "preset": "large", "limits": {}}),
        json!({"version": 1, "limits": all_limits}),
        json!({"version": 1, "limits": all_off}),
        json!({"version": 1, "limits": {"max_binary_bytes": 0, "max_result_bytes": 16777216}}),
        json!({"version": 1, "mirror": "structured", "notice": "last", "text_keep": "head-and-tail", "ansi": "strip"}),
        json!({"version": 1, "wire_profile": "html-escaped"}),
        json!({"version": 1, "keep_fields": []}),
        json!({"version": 1, "keep_fields": ["nextCursor", "é", "a*b", "\u{1}"]}),
        json!({"version": 1, "keep_fields": keys}),
        json!({"version": 1, "presets": {}}),
        json!({"version": 1, "presets": {"a": {}, "0-x-": {"max_depth": 4}}, "preset": "a"}),
        json!({"version": 1, "presets": {max_name.clone(): {"max_depth": null}}, "preset": max_name}),
        json!({"version": 1, "tools": {}}),
        json!({"version": 1, "tools": {"t": {}, "A.b/c-d_e f": {}, "ü": {}}}),
        json!({"version": 1, "tools": {"t": {"preset": "normal", "limits": {"max_item_bytes": 64}}}}),
        json!({"version": 1, "presets": {"p": {}}, "tools": {"t": {"preset": "p"}}}),
        json!({"version": 1, "tools": {"t": {"call_max_bytes": {}}}}),
        json!({"version": 1, "tools": {"t": {"call_max_bytes": {"min": 256, "max": 256}}}}),
        json!({"version": 1, "tools": {"t": {"call_max_bytes": {"max": 16777216}}}}),
        json!({"version": 1, "tools": {"t": {"mirror": "both", "notice": "first", "text_keep": "auto",
               "keep_fields": ["x"], "call_max_bytes": {"min": 1000}}}}),
    ]
}

/// Documents that both refuse.
fn bad_documents() -> Vec<Value> {
    let keys: Vec<String> = (0..65).map(|at| format!("k{at}")).collect();
    let tool = |row: Value| json!({"version": 1, "tools": {"t": row}});
    let limits = |name: &str, value: Value| json!({"version": 1, "limits": {name: value}});
    vec![
        json!(null),
        json!(1),
        json!("version"),
        json!([]),
        json!({}),
        json!({"version": 0}),
        json!({"version": 2}),
        json!({"version": "1"}),
        json!({"version": true}),
        json!({"version": null}),
        json!({"version": 1.5}),
        json!({"Version": 1}),
        json!({"version": 1, "VERSION": 1}),
        json!({"version": 1, "x-note": "why"}),
        json!({"version": 1, "preset": ""}),
        json!({"version": 1, "preset": 1}),
        json!({"version": 1, "preset": "Small"}),
        json!({"version": 1, "limits": null}),
        json!({"version": 1, "limits": []}),
        limits("max_bytes", json!(1000)),
        limits("Max_result_bytes", json!(1000)),
        limits("max_result_bytes", json!(255)),
        limits("max_result_bytes", json!(16_777_217)),
        limits("max_result_bytes", json!(-1)),
        limits("max_result_bytes", json!(1000.5)),
        limits("max_result_bytes", json!(9_007_199_254_740_992_u64)),
        limits("max_result_bytes", json!("1000")),
        limits("max_result_bytes", json!(true)),
        limits("max_result_bytes", json!([1000])),
        limits("max_content_blocks", json!(1001)),
        limits("max_depth", json!(3)),
        limits("max_list_items", json!(0)),
        json!({"version": 1, "mirror": "none"}),
        json!({"version": 1, "mirror": null}),
        json!({"version": 1, "notice": "First"}),
        json!({"version": 1, "notice": ["first"]}),
        json!({"version": 1, "text_keep": "head_and_tail"}),
        json!({"version": 1, "ansi": "Strip"}),
        json!({"version": 1, "ansi": true}),
        json!({"version": 1, "wire_profile": "utf8"}),
        json!({"version": 1, "keep_fields": "a"}),
        json!({"version": 1, "keep_fields": {"a": true}}),
        json!({"version": 1, "keep_fields": [1]}),
        json!({"version": 1, "keep_fields": [""]}),
        json!({"version": 1, "keep_fields": ["a\u{0}"]}),
        json!({"version": 1, "keep_fields": ["a", "b", "a"]}),
        json!({"version": 1, "keep_fields": keys}),
        json!({"version": 1, "presets": {"normal": {}}}),
        json!({"version": 1, "presets": {"": {}}}),
        json!({"version": 1, "presets": {"-a": {}}}),
        json!({"version": 1, "presets": {"aB": {}}}),
        json!({"version": 1, "presets": {"a_b": {}}}),
        json!({"version": 1, "presets": {"a\n": {}}}),
        json!({"version": 1, "presets": {"a".repeat(65): {}}}),
        json!({"version": 1, "presets": {"a": 1}}),
        json!({"version": 1, "presets": {"a": {"preset": "small"}}}),
        json!({"version": 1, "tools": []}),
        json!({"version": 1, "tools": {"": {}}}),
        json!({"version": 1, "tools": {"*": {}}}),
        json!({"version": 1, "tools": {"git_*": {}}}),
        json!({"version": 1, "tools": {"a\nb": {}}}),
        json!({"version": 1, "tools": {"a\u{7f}": {}}}),
        json!({"version": 1, "tools": {"a\u{0}": {}}}),
        tool(json!(null)),
        tool(json!({"wire_profile": "utf8-compact"})),
        tool(json!({"limits": {"max_key_bytes": 15}})),
        tool(json!({"mirror": "x"})),
        tool(json!({"keep_fields": [null]})),
        tool(json!({"call_max_bytes": 1000})),
        tool(json!({"call_max_bytes": {"min": 255}})),
        tool(json!({"call_max_bytes": {"min": null}})),
        tool(json!({"call_max_bytes": {"max": 16_777_217}})),
        tool(json!({"call_max_bytes": {"default": 1000}})),
    ]
}

/// Refused by the one rule that a schema cannot say of a whole document: a
/// preset that there is not, an empty range.
fn beyond_the_schema(error: &SettleError) -> bool {
    match error {
        SettleError::Policy { pointer, code: "unknown-value", allowed, .. } => {
            pointer.ends_with("/preset") && allowed.starts_with("small, normal, large")
                || pointer.ends_with("/call_max_bytes/min") && allowed.starts_with("at most `max`")
        }
        SettleError::Policy { .. }
        | SettleError::LimitOutOfRange(_)
        | SettleError::UnknownName { .. } => false,
    }
}

#[test]
fn the_schema_and_settle_agree_on_documents() {
    let validator = validator();
    for document in good_documents() {
        assert!(validator.is_valid(&document), "schema refuses {document}");
        settle(&document.to_string(), &NOTHING)
            .unwrap_or_else(|error| panic!("{error}: {document}"));
    }
    for document in bad_documents() {
        assert!(!validator.is_valid(&document), "schema accepts {document}");
        assert!(settle(&document.to_string(), &NOTHING).is_err(), "settle accepts {document}");
    }
}

#[test]
fn settle_refuses_what_the_schema_says_it_cannot_say() {
    let validator = validator();
    for text in [
        r#"{"version":1,"version":1}"#,
        r#"{"version":1.0}"#,
        r#"{"version":1e0}"#,
        r#"{"version":1,"limits":{"max_text_bytes":8000.0}}"#,
        r#"{"version":1,"limits":{"max_text_bytes":8e3}}"#,
        r#"{"version":1,"limits":{"max_binary_bytes":-0}}"#,
        r#"{"version":1,"limits":{"max_depth":4,"max_depth":4}}"#,
        r#"{"version":1,"tools":{"a":{},"\u0061":{}}}"#,
        r#"{"version":1,"preset":"mine"}"#,
        r#"{"version":1,"tools":{"t":{"preset":"mine"}}}"#,
        r#"{"version":1,"tools":{"t":{"call_max_bytes":{"min":600,"max":500}}}}"#,
    ] {
        assert!(validator.is_valid(&serde_json::from_str(text).unwrap()), "{text}");
        assert!(settle(text, &NOTHING).is_err(), "{text}");
    }
}

/// A place in `document`, picked by `pick` among all there are.
fn place(document: &mut Value, pick: usize) -> &mut Value {
    fn count(value: &Value) -> usize {
        match value {
            Value::Array(items) => 1 + items.iter().map(count).sum::<usize>(),
            Value::Object(members) => 1 + members.values().map(count).sum::<usize>(),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 1,
        }
    }
    fn find(value: &mut Value, at: usize) -> &mut Value {
        if at == 0 {
            return value;
        }
        let mut left = at - 1;
        let children: Vec<&mut Value> = match value {
            Value::Array(items) => items.iter_mut().collect(),
            Value::Object(members) => members.values_mut().collect(),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Vec::new(),
        };
        for child in children {
            let inside = count(child);
            if left < inside {
                return find(child, left);
            }
            left -= inside;
        }
        unreachable!("the place was counted")
    }
    let total = count(document);
    find(document, pick % total)
}

#[test]
fn the_schema_and_settle_agree_on_documents_changed_at_random() {
    let validator = validator();
    let good = good_documents();
    let names = [
        "version",
        "preset",
        "limits",
        "presets",
        "tools",
        "t",
        "small",
        "mine",
        "p",
        "min",
        "max",
        "call_max_bytes",
        "keep_fields",
        "mirror",
        "notice",
        "text_keep",
        "wire_profile",
        "Preset",
        "max_depth",
        "max_text_bytes",
        "max_list_items",
        "",
        "a*",
        "a\u{0}",
        "é",
        "-a",
        "a-",
    ];
    let values = [
        json!(null),
        json!(true),
        json!(0),
        json!(1),
        json!(4),
        json!(63),
        json!(64),
        json!(255),
        json!(256),
        json!(1_000),
        json!(1_000_001),
        json!(16_777_216),
        json!(16_777_217),
        json!(-1),
        json!(1.5),
        json!(1e300),
        json!(""),
        json!("small"),
        json!("p"),
        json!("both"),
        json!("head"),
        json!("last"),
        json!("python-json"),
        json!([]),
        json!(["a"]),
        json!(["a", "a"]),
        json!({}),
        json!({"max_depth": 4}),
        json!({"max": 300, "min": 300}),
        json!({"min": 301, "max": 300}),
    ];
    let (mut accepted, mut refused, mut beyond) = (0, 0, 0);
    let step = (any::<usize>(), 0..4_u8, 0..names.len(), 0..values.len());
    let strategy = (0..good.len(), prop::collection::vec(step, 1..4));
    let mut runner = TestRunner::new(Config { failure_persistence: None, ..Config::with_cases(1) });
    for _ in 0..20_000 {
        let (at, steps) = strategy.new_tree(&mut runner).unwrap().current();
        let mut document = good[at].clone();
        for (pick, kind, name, value) in steps {
            let target = place(&mut document, pick);
            match (kind, target) {
                (0, target) => *target = values[value].clone(),
                (1, Value::Object(members)) => {
                    members.insert(names[name].to_string(), values[value].clone());
                }
                (2, Value::Object(members)) => {
                    let key = members.keys().nth(pick % members.len().max(1)).cloned();
                    key.and_then(|key| members.remove(&key));
                }
                (3, Value::Object(members)) => {
                    let key = members.keys().nth(pick % members.len().max(1)).cloned();
                    if let Some(value) = key.and_then(|key| members.remove(&key)) {
                        members.insert(names[name].to_string(), value);
                    }
                }
                (_, Value::Array(items)) => items.push(values[value].clone()),
                (_, target) => *target = values[value].clone(),
            }
        }
        let by_schema = validator.is_valid(&document);
        match (by_schema, settle(&document.to_string(), &NOTHING)) {
            (true, Ok(settings)) => {
                settings.limits.check().unwrap();
                accepted += 1;
            }
            (false, Err(_)) => refused += 1,
            (true, Err(error)) if beyond_the_schema(&error) => beyond += 1,
            (_, answer) => panic!("schema says {by_schema}, settle {answer:?}: {document}"),
        }
    }
    println!("accepted {accepted}, refused {refused}, refused beyond the schema {beyond}");
    assert!(accepted > 500 && refused > 5_000 && beyond > 50, "{accepted} {refused} {beyond}");
}

// Any text.

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn whatever_is_settled_is_in_range_and_under_every_cap(
        at in 0..22_usize,
        preset in prop::option::of(prop::sample::select(vec!["small", "normal", "large", "a", "p"])),
        limit in prop::option::of(200_u32..20_000_000),
        call in prop::option::of(200_u32..3_000_000),
        tool in prop::option::of(Just("t")),
    ) {
        let document = good_documents()[at].to_string();
        let (limit, call) = (limit.map(|n| n.to_string()), call.map(|n| n.to_string()));
        let request = Request {
            preset, tool, limit_bytes: limit.as_deref(), call_max_bytes: call.as_deref(), ..NOTHING
        };
        if let Ok(settings) = settle(&document, &request) {
            settings.limits.check().unwrap();
            let plain = Request { call_max_bytes: None, ..request.clone() };
            let operator = settle(&document, &plain).unwrap().limits;
            for row in &LIMITS {
                prop_assert!(settings.limits.value(row.name) <= operator.value(row.name));
            }
            for cap in [&limit, &call].into_iter().flatten() {
                let cap: u32 = cap.parse().unwrap();
                let (text, binary, result) = ceilings(&settings.limits);
                prop_assert!(text <= cap && binary <= cap && result <= cap);
            }
        }
    }

    #[test]
    fn no_text_is_too_strange_to_answer(
        policy in ".{0,200}",
        cut in any::<prop::sample::Index>(),
        at in 0..22_usize,
        words in prop::collection::vec(".{0,80}", 6),
    ) {
        let request = Request {
            preset: Some(&words[0]), limit_bytes: Some(&words[1]), tool: Some(&words[2]),
            revision: Some(&words[3]), wire_profile: Some(&words[4]), call_max_bytes: Some(&words[5]),
            client_name: Some(&words[0]), limit_tokens: None, call_max_tokens: Some(&words[5]),
        };
        let good = good_documents()[at].to_string();
        let damaged: String = good.chars().take(cut.index(good.len())).chain(policy.chars()).collect();
        for document in [&policy, &damaged, &good] {
            if let Err(SettleError::UnknownName { given, .. } | SettleError::Policy { given, .. }) =
                settle(document, &request)
            {
                prop_assert!(given.len() <= 64);
            }
        }
    }
}
