//! Sizes are those that the limits speak of: against a plain twin, against
//! `fit` itself, and by hand.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use proptest::prelude::*;
use result_budget_core::{
    FitError, INPUT_MAX_BYTES, Limits, Measurement, Outcome, OutputSchema, PRESETS, Revision,
    Settings, WireProfile, fit, measure,
};
use serde_json::value::RawValue;
use serde_json::{Value, json};

type Members<'a> = BTreeMap<String, &'a RawValue>;

fn members(text: &str) -> Option<Members<'_>> {
    serde_json::from_str(text).ok()
}

/// `text` as a host prints it again: the profile's white space and escapes.
fn print(text: &str, profile: WireProfile) -> String {
    let (mut out, mut quoted, mut escaped) = (String::new(), false, false);
    for c in text.chars() {
        let spelled = match profile {
            WireProfile::Utf8Compact => false,
            WireProfile::AsciiCompact | WireProfile::PythonJson => c >= '\u{7f}',
            WireProfile::HtmlEscaped => "<>&\u{2028}\u{2029}".contains(c),
        };
        if !quoted && c.is_ascii_whitespace() {
            continue;
        }
        if quoted && spelled {
            c.encode_utf16(&mut [0; 2])
                .iter()
                .for_each(|unit| out.push_str(&format!("\\u{unit:04x}")));
        } else {
            out.push(c);
        }
        if !quoted && profile == WireProfile::PythonJson && (c == ',' || c == ':') {
            out.push(' ');
        }
        if c == '"' && !escaped {
            quoted = !quoted;
        }
        escaped = c == '\\' && !escaped;
    }
    out
}

fn compact(text: &str) -> String {
    print(text, WireProfile::Utf8Compact)
}

fn body_bytes(value: Option<&&RawValue>) -> Option<usize> {
    let text = value?.get();
    text.starts_with('"').then(|| text.len() - 2)
}

/// Text and base64 of a block.
fn block_sizes(block: &RawValue) -> (usize, usize) {
    let whole = (block.get().len(), 0);
    let Some(members) = members(block.get()) else { return whole };
    let kind: Option<String> =
        members.get("type").and_then(|kind| serde_json::from_str(kind.get()).ok());
    match kind.as_deref() {
        Some("text") => body_bytes(members.get("text")).map_or(whole, |text| (text, 0)),
        Some("image" | "audio") => body_bytes(members.get("data")).map_or(whole, |data| (0, data)),
        Some("resource") => {
            let resource =
                members.get("resource").and_then(|resource| self::members(resource.get()));
            let Some(resource) = resource else { return whole };
            match (body_bytes(resource.get("text")), body_bytes(resource.get("blob"))) {
                (Some(text), None) => (text, 0),
                (None, Some(blob)) => (0, blob),
                _ => whole,
            }
        }
        _ => whole,
    }
}

/// Large parts below `text`: kind, bytes, children, by pointer.
type Large = BTreeMap<String, (&'static str, u32, u32)>;

fn large(text: &str, pointer: &str, least: usize, found: &mut Large) {
    let children: Vec<(String, &RawValue)> = match text.as_bytes()[0] {
        b'{' => {
            let step = |key: String| key.replace('~', "~0").replace('/', "~1");
            members(text).unwrap().into_iter().map(|(key, value)| (step(key), value)).collect()
        }
        b'[' => {
            let items: Vec<&RawValue> = serde_json::from_str(text).unwrap();
            items.into_iter().enumerate().map(|(at, value)| (at.to_string(), value)).collect()
        }
        _ => Vec::new(),
    };
    if !pointer.is_empty() {
        let kind = match text.as_bytes()[0] {
            b'{' => "object",
            b'[' => "array",
            b'"' => "string",
            b't' => "true",
            b'f' => "false",
            b'n' => "null",
            _ => "number",
        };
        let row =
            (kind, u32::try_from(text.len()).unwrap(), u32::try_from(children.len()).unwrap());
        found.insert(pointer.to_string(), row);
    }
    for (step, value) in children {
        if value.get().len() >= least {
            large(value.get(), &format!("{pointer}/{step}"), least, found);
        }
    }
}

/// Checks everything that `measure` tells of an envelope without a key twice.
fn check(json: &str, settings: &Settings) -> Measurement {
    let seen = measure(json, settings).unwrap();
    let printed = if settings.wire_profile == WireProfile::Utf8Compact {
        json.to_string()
    } else {
        print(json, settings.wire_profile)
    };
    let number = |count: usize| u32::try_from(count).unwrap();
    let compact = compact(&printed);
    let top = members(&printed).unwrap();
    let content: Vec<&RawValue> = top
        .get("content")
        .and_then(|content| serde_json::from_str(content.get()).ok())
        .unwrap_or_default();
    let (mut text, mut binary) = (0, 0);
    for block in &content {
        let (more_text, more_binary) = block_sizes(block);
        text += more_text;
        binary += more_binary;
    }
    let structured = top.get("structuredContent").map_or(0, |value| value.get().len());
    assert!(seen.result_bytes >= number(printed.len()));
    if settings.wire_profile == WireProfile::Utf8Compact {
        assert_eq!(seen.result_bytes, number(printed.len()));
    }
    assert_eq!(seen.compact_bytes, number(compact.len()));
    assert_eq!(seen.text_bytes, number(text + structured));
    assert_eq!(seen.structured_bytes, number(structured));
    assert_eq!(seen.binary_bytes, number(binary));
    assert_eq!(seen.content_items, number(content.len()));

    let mut expected = Large::new();
    large(&compact, "", compact.len().div_ceil(64), &mut expected);
    assert_eq!(seen.parts.len(), expected.len().min(64));
    assert!(seen.parts.iter().all(|part| part.pointer.len() <= 128));
    // The largest are told: nothing that is left out is larger.
    let sizes = |all: Vec<u32>| {
        let mut all = all;
        all.sort_unstable_by(|a, b| b.cmp(a));
        all.truncate(64);
        all
    };
    let told = sizes(seen.parts.iter().map(|part| part.encoded_bytes).collect());
    assert_eq!(told, sizes(expected.values().map(|(_, bytes, _)| *bytes).collect()));
    for part in &seen.parts {
        if let Some(row) = expected.get(&part.pointer) {
            assert_eq!(
                *row,
                (part.kind, part.encoded_bytes, part.children_items),
                "{}",
                part.pointer
            );
        } else {
            assert!(part.pointer.contains("..."), "no such part: {}", part.pointer);
        }
    }
    let distinct: BTreeSet<&str> = seen.parts.iter().map(|part| part.pointer.as_str()).collect();
    assert_eq!(distinct.len(), seen.parts.len());
    seen
}

fn settings_of(limits: Limits) -> Settings {
    Settings { limits, ..Settings::default() }
}

fn within(seen: &Measurement, limits: &Limits) -> bool {
    seen.result_bytes <= limits.max_result_bytes
        && seen.text_bytes <= limits.max_text_bytes
        && seen.binary_bytes <= limits.max_binary_bytes
        && seen.content_items <= limits.max_content_blocks
        && seen.nesting_depth <= limits.max_depth
        && limits.max_text_tokens.is_none_or(|most| seen.text_tokens <= most)
        && limits.max_text_lines.is_none_or(|most| seen.text_lines <= most)
}

#[test]
fn a_result_with_every_kind_of_block_is_counted_by_hand() {
    let result = json!({
        "content": [
            {"type": "text", "text": "a \"quoted\" line\n"},
            {"type": "image", "data": "QUJD", "mimeType": "image/png"},
            {"type": "audio", "data": "QUJDRA==", "mimeType": "audio/wav"},
            {"type": "resource", "resource": {"uri": "file:///a", "text": "é<"}},
            {"type": "resource", "resource": {"uri": "file:///b", "blob": "QQ=="}},
            {"type": "resource_link", "uri": "file:///c", "name": "c"},
        ],
        "structuredContent": {"n": [1.5, null, true, "é"]},
    });
    let link = r#"{"type":"resource_link","uri":"file:///c","name":"c"}"#.len();
    let json = result.to_string();
    for (profile, text, structured, spaces) in [
        (WireProfile::Utf8Compact, 19 + 3 + link, 26, 0),
        (WireProfile::AsciiCompact, 19 + 7 + link, 30, 0),
        (WireProfile::PythonJson, 19 + 7 + link + 5, 34, 42),
        (WireProfile::HtmlEscaped, 19 + 8 + link, 26, 0),
    ] {
        let seen = check(&json, &Settings { wire_profile: profile, ..Settings::default() });
        assert_eq!(seen.text_bytes as usize, text + structured, "{profile:?}");
        assert_eq!(seen.structured_bytes as usize, structured);
        assert_eq!((seen.binary_bytes, seen.content_items, seen.nesting_depth), (16, 6, 4));
        assert_eq!(seen.result_bytes - seen.compact_bytes, spaces, "{profile:?}");
    }
}

#[test]
fn white_space_between_tokens_counts_in_the_result_and_not_in_the_compact_one() {
    let json = "\n{ \"content\" : [ ] ,\t\"structuredContent\": { \"a b\": [ 1 , 2 ] } }\n ";
    let seen = check(json, &Settings::default());
    assert_eq!(seen.result_bytes as usize, json.len());
    assert_eq!(
        seen.compact_bytes as usize,
        r#"{"content":[],"structuredContent":{"a b":[1,2]}}"#.len()
    );
    assert_eq!(seen.structured_bytes as usize, r#"{ "a b": [ 1 , 2 ] }"#.len());
}

#[test]
fn parts_stand_in_document_order_with_what_they_are() {
    let json = r#"{"structuredContent":{"b/":[true,false,null,-1.5e3],"a":"xx"},"content":[{"type":"text","text":""}]}"#;
    let seen = check(json, &Settings::default());
    let rows: Vec<(&str, &str, u32, u32)> = seen
        .parts
        .iter()
        .map(|part| (part.pointer.as_str(), part.kind, part.encoded_bytes, part.children_items))
        .collect();
    assert_eq!(
        rows,
        [
            ("/structuredContent", "object", 40, 2),
            ("/structuredContent/b~1", "array", 24, 4),
            ("/structuredContent/b~1/0", "true", 4, 0),
            ("/structuredContent/b~1/1", "false", 5, 0),
            ("/structuredContent/b~1/2", "null", 4, 0),
            ("/structuredContent/b~1/3", "number", 6, 0),
            ("/structuredContent/a", "string", 4, 0),
            ("/content", "array", 27, 1),
            ("/content/0", "object", 25, 2),
            ("/content/0/type", "string", 6, 0),
            ("/content/0/text", "string", 2, 0),
        ]
    );
}

#[test]
fn of_more_than_64_large_parts_the_largest_are_told() {
    let row = || json!({"a": {"b": {"c": "x".repeat(100)}}});
    let rows: Vec<Value> = (0..20).map(|_| row()).collect();
    let seen = check(&json!({"structuredContent": rows}).to_string(), &Settings::default());
    assert_eq!(seen.parts.len(), 64);
    let mut expected = vec!["/structuredContent".to_string()];
    for at in 0..20 {
        let row = format!("/structuredContent/{at}");
        expected.extend([row.clone(), format!("{row}/a"), format!("{row}/a/b")]);
        // Of the strings, which are equal, there is room for three.
        expected.extend((at < 3).then(|| format!("{row}/a/b/c")));
    }
    let pointers: Vec<&str> = seen.parts.iter().map(|part| part.pointer.as_str()).collect();
    assert_eq!(pointers, expected);
}

#[test]
fn a_result_that_is_never_edited_is_measured_as_a_whole_alone() {
    let json = r#"{"resultType":"input_required","content":[{"type":"text","text":"x"}],"inputRequests":{"a":{}}}"#;
    let seen = measure(json, &Settings::default()).unwrap();
    assert_eq!(seen.result_bytes as usize, json.len());
    assert_eq!((seen.nesting_depth, seen.parts.len() > 2), (3, true));
    assert_eq!(
        (seen.text_bytes, seen.structured_bytes, seen.binary_bytes, seen.content_items),
        (0, 0, 0, 0)
    );
}

#[test]
fn blocks_beyond_the_limit_are_counted_too() {
    let block = json!({"type": "text", "text": "four"});
    let json = json!({"content": vec![block; 70_000]}).to_string();
    let seen = measure(&json, &Settings::default()).unwrap();
    assert_eq!((seen.content_items, seen.text_bytes), (70_000, 280_000));
    assert!(seen.parts.len() == 1);
}

#[test]
fn a_number_that_a_printer_may_spell_out_counts_in_full() {
    let json = r#"{"structuredContent":[1e20,-1E-7,12.5]}"#;
    let python = Settings { wire_profile: WireProfile::PythonJson, ..Settings::default() };
    let seen = check(json, &python);
    assert!(seen.result_bytes as usize > print(json, WireProfile::PythonJson).len());
    assert_eq!(check(json, &Settings::default()).result_bytes as usize, json.len());
}

#[test]
fn what_fit_refuses_is_refused_alike() {
    let nested = format!("{{\"structuredContent\":{}", "[".repeat(1_000_000));
    let long = format!("{{\"content\":[\"{}\"]}}", "x".repeat(INPUT_MAX_BYTES as usize));
    let bad_limits = Limits { max_result_bytes: 255, ..Limits::default() };
    for (json, settings) in [
        ("", Settings::default()),
        ("[]", Settings::default()),
        ("\"x\"", Settings::default()),
        ("{\"content\":[NaN]}", Settings::default()),
        ("\u{feff}{}", Settings::default()),
        (nested.as_str(), Settings::default()),
        (long.as_str(), Settings::default()),
        ("{}", settings_of(bad_limits)),
    ] {
        for wire_profile in WireProfile::ALL {
            let settings = Settings { wire_profile, ..settings.clone() };
            let refused: FitError = measure(json, &settings).unwrap_err();
            assert_eq!(Err(refused), fit(json, OutputSchema::Unknown, &settings));
        }
    }
}

#[test]
fn nesting_of_a_million_and_a_key_of_a_megabyte_are_measured() {
    let depth = 1_000_000;
    let json = format!("{{\"structuredContent\":{}{}}}", "[".repeat(depth), "]".repeat(depth));
    let seen = measure(&json, &Settings::default()).unwrap();
    assert_eq!((seen.nesting_depth as usize, seen.parts.len()), (depth + 1, 64));
    let json = format!(
        "{{\"structuredContent\":{{\"{}\":\"{}\"}}}}",
        "k".repeat(1 << 20),
        "v".repeat(1 << 20)
    );
    let seen = measure(&json, &Settings::default()).unwrap();
    assert_eq!(seen.parts.len(), 2);
    assert!(seen.parts.iter().all(|part| part.pointer.len() <= 128));
}

/// Every result in the corpus's folders of whole results.
fn corpus() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpus");
    let mut all = Vec::new();
    for part in ["registry", "fetched", "local"] {
        for entry in std::fs::read_dir(folder.join(part)).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|ending| ending == "json") {
                let name = path.file_name().unwrap().to_string_lossy().into_owned();
                all.push((name, std::fs::read_to_string(path).unwrap()));
            }
        }
    }
    all.sort();
    all
}

#[test]
fn every_real_result_is_measured_as_its_twin_is_and_fits_exactly_when_it_measures_so() {
    let results = corpus();
    if results.is_empty() {
        println!("no corpus at ../shared/corpus: the law below holds on random results alone");
        return;
    }
    let (mut fitting, mut over) = (0, 0);
    for (name, json) in &results {
        for wire_profile in WireProfile::ALL {
            let profiled = Settings { wire_profile, ..Settings::default() };
            let seen = check(json, &profiled);
            let mut limits: Vec<Limits> = PRESETS.iter().map(Limits::of_preset).collect();
            // At each size, and one byte under it.
            for under in [0, 1] {
                let (text, result) = (seen.text_bytes.max(257) - under, seen.result_bytes - under);
                if result <= INPUT_MAX_BYTES {
                    let wide = Limits::of_preset(&PRESETS[2]);
                    limits.push(Limits { max_text_bytes: text, ..wide.clone() });
                    limits.push(Limits {
                        max_result_bytes: result,
                        max_text_bytes: INPUT_MAX_BYTES,
                        ..wide
                    });
                }
            }
            for limits in limits {
                let settings = Settings { limits, ..profiled.clone() };
                let outcome = fit(json, OutputSchema::Unknown, &settings).unwrap();
                if within(&seen, &settings.limits) {
                    fitting += 1;
                    let tidy = match &outcome {
                        Outcome::Unchanged => true,
                        // The text that came in is longer than what is printed.
                        Outcome::Compacted(_) => {
                            json.len() > settings.limits.max_result_bytes as usize
                        }
                        Outcome::ProtocolError(_) => false,
                        Outcome::Bounded(fitted) => !fitted.report_json.contains("\"repairs\":[]"),
                    };
                    assert!(tidy, "{name} {settings:?} {seen:?}");
                } else {
                    over += 1;
                    assert!(outcome != Outcome::Unchanged, "{name} {settings:?} {seen:?}");
                }
            }
        }
    }
    println!("{} results; within {fitting} times, over {over} times", results.len());
    assert!(fitting > results.len() && over > results.len());
}

/// A result at random: every kind of block, odd ones too, no key twice.
fn result() -> impl Strategy<Value = Value> {
    let text = || "[a-z \"\\\\\n<é😀]{0,60}".prop_map(Value::from);
    let block = prop_oneof![
        text().prop_map(|text| json!({"type": "text", "text": text})),
        text().prop_map(|data| json!({"type": "image", "data": data, "mimeType": "image/png"})),
        text().prop_map(|data| json!({"type": "audio", "data": data})),
        text()
            .prop_map(|text| json!({"type": "resource", "resource": {"uri": "a:b", "text": text}})),
        text()
            .prop_map(|blob| json!({"type": "resource", "resource": {"uri": "a:b", "blob": blob}})),
        text().prop_map(|text| json!({"type": "resource", "resource": {"text": text, "blob": ""}})),
        text().prop_map(|name| json!({"type": "resource_link", "uri": "a:b", "name": name})),
        Just(json!({"type": "text", "text": 5})),
        Just(json!({"type": "new", "data": "QQ=="})),
        Just(json!({"text": "no type"})),
        Just(json!("no object")),
        Just(json!([])),
    ];
    let leaf = prop_oneof![
        text(),
        any::<i32>().prop_map(Value::from),
        Just(Value::Null),
        Just(json!(true))
    ];
    let tree = leaf.prop_recursive(4, 80, 8, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..8).prop_map(Value::from),
            prop::collection::btree_map("[a-z/~é]{0,40}", inner, 0..8)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    });
    (prop::collection::vec(block, 0..8), prop::option::of(tree), any::<bool>()).prop_map(
        |(content, structured, error)| {
            let mut result = json!({"content": content, "isError": error});
            if let Some(structured) = structured {
                result["structuredContent"] = structured;
            }
            result
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn every_random_result_is_measured_as_its_twin_is(
        result in result(),
        pretty in any::<bool>(),
        profile in prop::sample::select(WireProfile::ALL.to_vec()),
        revision in prop::sample::select(Revision::ALL.to_vec()),
        less in 0_u32..3,
    ) {
        let json = if pretty { serde_json::to_string_pretty(&result).unwrap() } else { result.to_string() };
        let settings = Settings { wire_profile: profile, revision, ..Settings::default() };
        let seen = check(&json, &settings);
        for text in [true, false] {
            let size = if text { seen.text_bytes } else { seen.result_bytes }.saturating_sub(less);
            if size < 256 {
                continue;
            }
            let mut limits = Limits::default();
            if text { limits.max_text_bytes = size } else { limits.max_result_bytes = size }
            let settings = Settings { limits, ..settings.clone() };
            let outcome = fit(&json, OutputSchema::Unknown, &settings).unwrap();
            let longer = json.len() > settings.limits.max_result_bytes as usize;
            prop_assert_eq!(
                outcome == Outcome::Unchanged,
                within(&seen, &settings.limits) && !longer,
                "{} {:?}", json, seen
            );
        }
    }

    #[test]
    fn no_text_is_too_strange_to_measure(text in ".{0,200}", cut in any::<prop::sample::Index>(), result in result()) {
        let json = result.to_string();
        let damaged: String = json.chars().take(cut.index(json.len())).chain(text.chars()).collect();
        for text in [text, damaged] {
            let seen = measure(&text, &Settings::default());
            let fitted = fit(&text, OutputSchema::Unknown, &Settings::default());
            prop_assert_eq!(seen.is_ok(), fitted.is_ok());
        }
    }
}
