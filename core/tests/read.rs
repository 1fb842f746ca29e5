//! Our own documents are read strictly: what is refused anywhere in them.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use proptest::prelude::*;
use result_budget_core::json::read::{FaultCode, Value, read};

fn fault(document: &str) -> (FaultCode, String, String) {
    let fault = read(document).expect_err(document);
    assert!(fault.given.len() <= 64 && fault.pointer.len() <= 128 && !fault.allowed.is_empty());
    (fault.code, fault.pointer, fault.given)
}

#[test]
fn a_key_that_is_repeated_in_any_spelling_is_refused_at_any_depth() {
    for (document, pointer, given) in [
        (r#"{"a":1,"b":2,"a":3}"#, "/a", "a"),
        (r#"{"a":1,"\u0061":3}"#, "/a", "a"),
        (r#"[0,[{"x":{"y/":1,"z":0,"y\/":1}}]]"#, "/1/0/x/y~1", "y/"),
        (r#"{"":1,"":1}"#, "/", ""),
    ] {
        let expected = (FaultCode::DuplicateMember, pointer.to_string(), given.to_string());
        assert_eq!(fault(document), expected, "{document}");
    }
    read(r#"[{"a":{"a":[{"a":1},{"a":1}]}},{"a":1,"A":1}]"#).unwrap();
}

#[test]
fn a_nul_in_a_key_and_a_lone_surrogate_anywhere_are_refused() {
    for (document, code, pointer) in [
        (r#"{"a":{"b\u0000":1}}"#, FaultCode::UnknownMember, "/a/b\u{0}"),
        (r#"{"a":["x","\uDC00"]}"#, FaultCode::MalformedJson, "/a/1"),
        (r#"{"a":{"\ud800x":1}}"#, FaultCode::MalformedJson, "/a/\u{fffd}x"),
        (r#""\ud800""#, FaultCode::MalformedJson, ""),
    ] {
        let (seen, at, _) = fault(document);
        assert_eq!((seen, at.as_str()), (code, pointer), "{document}");
    }
    assert_eq!(read(r#""\ud83d\ude00\u0000""#).unwrap().string().unwrap(), "😀\0");
}

#[test]
fn nesting_of_32_is_read_and_33_refused() {
    let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    read(&nested(32)).unwrap();
    let (code, pointer, given) = fault(&nested(33));
    assert_eq!(
        (code, pointer.as_str(), given.as_str()),
        (FaultCode::MalformedJson, "", "nesting of 33")
    );
    fault(&nested(1_000_000));
}

#[test]
fn more_than_16_mib_is_refused_and_16_mib_are_read() {
    let text = |bytes: usize| format!("\"{}\"", "x".repeat(bytes - 2));
    assert_eq!(read(&text(16 << 20)).unwrap().string().unwrap().len(), (16 << 20) - 2);
    assert_eq!(fault(&text((16 << 20) + 1)).2, "16777217 bytes");
}

#[test]
fn an_integer_is_digits_alone_and_no_type_stands_in_for_another() {
    let integer =
        |text: &str| read(text).unwrap().integer().map_err(|fault| (fault.code, fault.given));
    assert_eq!(integer("0"), Ok(0));
    assert_eq!(integer(" 18446744073709551615\n"), Ok(u64::MAX));
    for text in [
        "1.0",
        "1e1",
        "1E+1",
        "-0",
        "-1",
        "18446744073709551616",
        "true",
        "null",
        "\"1\"",
        "[1]",
        "{}",
    ] {
        let given = text.trim_matches('"').to_string();
        assert_eq!(integer(text), Err((FaultCode::WrongType, given)), "{text}");
    }
    let kinds = ["{}", "[]", "\"\"", "1", "true", "null"];
    let reads: [fn(&Value<'_>) -> bool; 5] = [
        |value| value.object().is_ok(),
        |value| value.array().is_ok(),
        |value| value.string().is_ok(),
        |value| value.number().is_ok(),
        |value| value.boolean().is_ok(),
    ];
    for (row, text) in kinds.iter().enumerate() {
        for (column, reads) in reads.iter().enumerate() {
            assert_eq!(reads(&read(text).unwrap()), row == column, "{text} {column}");
        }
        assert_eq!(read(text).unwrap().is_null(), *text == "null");
    }
}

#[test]
fn a_fault_quotes_64_bytes_and_cuts_no_character() {
    let document = format!(r#"{{"a":"x{}"}}"#, "\\u00e9".repeat(1_000));
    let root = read(&document).unwrap().object().unwrap();
    let fault = root.get("a").unwrap().boolean().unwrap_err();
    assert_eq!(fault.given, format!("x{}", "é".repeat(31)));
}

#[test]
fn a_hundred_thousand_keys_are_read_in_about_linear_time() {
    let members: Vec<String> = (0..100_000).map(|at| format!("\"k{at}\":{at}")).collect();
    let document = format!("{{{}}}", members.join(","));
    let started = std::time::Instant::now();
    assert_eq!(read(&document).unwrap().object().unwrap().members.len(), 100_000);
    assert!(started.elapsed().as_secs() < 5, "{:?}", started.elapsed());
}

/// JSON with white space and escapes at random, no key twice.
fn document() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(serde_json::Value::from),
        any::<i64>().prop_map(serde_json::Value::from),
        "[a\"\\\\/\n\u{1}é😀{}\\[\\],:]{0,12}".prop_map(serde_json::Value::from),
    ];
    leaf.prop_recursive(5, 60, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(serde_json::Value::from),
            prop::collection::btree_map("[a\"\\\\é{}\\[\\],: ]{0,6}", inner, 0..6)
                .prop_map(|members| serde_json::Value::Object(members.into_iter().collect())),
        ]
    })
}

/// `value` as `oracle` has it, place by place.
fn same(value: &Value<'_>, oracle: &serde_json::Value, root: &serde_json::Value) {
    let pointer = value.pointer();
    if pointer.len() < 100 {
        assert_eq!(root.pointer(&pointer), Some(oracle));
    }
    assert_eq!(&serde_json::from_str::<serde_json::Value>(value.text()).unwrap(), oracle);
    match oracle {
        serde_json::Value::Object(members) => {
            let object = value.object().unwrap();
            assert_eq!(object.members.len(), members.len());
            for member in &object.members {
                same(&member.value, &members[member.key.as_ref()], root);
            }
        }
        serde_json::Value::Array(items) => {
            let read = value.array().unwrap();
            assert_eq!(read.len(), items.len());
            read.iter().zip(items).for_each(|(item, oracle)| same(item, oracle, root));
        }
        serde_json::Value::String(text) => assert_eq!(&value.string().unwrap(), text),
        serde_json::Value::Bool(truth) => assert_eq!(value.boolean().unwrap(), *truth),
        serde_json::Value::Null => assert!(value.is_null()),
        serde_json::Value::Number(number) => {
            assert_eq!(value.number().unwrap(), number.to_string())
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn every_value_is_found_as_serde_json_finds_it(oracle in document()) {
        for text in [oracle.to_string(), serde_json::to_string_pretty(&oracle).unwrap()] {
            same(&read(&text).unwrap(), &oracle, &oracle);
        }
    }
}
