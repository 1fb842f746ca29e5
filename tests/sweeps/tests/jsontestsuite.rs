//! The public suite of JSON parsing cases, as whole documents and inside tool
//! results. Every `y_` is accepted, every `n_` refused, and each `i_`, which
//! the standard leaves open, as the table here says.
//!
//! The suite is not part of this repository: without the corpus a reduced list
//! of the same kinds is used, and the test says so.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::wildcard_enum_match_arm,
    reason = "tests"
)]

use std::fs;

use result_budget_core::json::scan;
use result_budget_core::{FitError, Outcome, OutputSchema, Settings, fit};
use result_budget_support::corpus;

/// What we say to the open cases that are UTF-8: `true` is accepted.
///
/// Numbers are never read, so none is out of range; lone surrogates are
/// repaired, so none is refused; a byte order mark is not JSON; depth is cut.
const OPEN: [(&str, bool); 22] = [
    ("i_number_double_huge_neg_exp", true),
    ("i_number_huge_exp", true),
    ("i_number_neg_int_huge_exp", true),
    ("i_number_pos_double_huge_exp", true),
    ("i_number_real_neg_overflow", true),
    ("i_number_real_pos_overflow", true),
    ("i_number_real_underflow", true),
    ("i_number_too_big_neg_int", true),
    ("i_number_too_big_pos_int", true),
    ("i_number_very_big_negative_int", true),
    ("i_object_key_lone_2nd_surrogate", true),
    ("i_string_1st_surrogate_but_2nd_missing", true),
    ("i_string_1st_valid_surrogate_2nd_invalid", true),
    ("i_string_incomplete_surrogate_and_escape_valid", true),
    ("i_string_incomplete_surrogate_pair", true),
    ("i_string_incomplete_surrogates_escape_valid", true),
    ("i_string_invalid_lonely_surrogate", true),
    ("i_string_invalid_surrogate", true),
    ("i_string_inverted_surrogates_U+1D11E", true),
    ("i_string_lone_second_surrogate", true),
    ("i_structure_500_nested_arrays", true),
    ("i_structure_UTF-8_BOM_empty_object", false),
];

struct Case {
    name: String,
    bytes: Vec<u8>,
}

fn cases() -> Vec<Case> {
    let file = corpus::folder().map(|folder| folder.join("hostile/jsontestsuite.jsonl"));
    let Some(text) = file.and_then(|file| fs::read_to_string(file).ok()) else {
        eprintln!("the suite is not at hand: the reduced list is used");
        return reduced();
    };
    text.lines()
        .map(|line| {
            let case: serde_json::Value = serde_json::from_str(line).expect("a case a line");
            let name = case["name"].as_str().expect("a name").to_string();
            let bytes = match (case["b64"].as_str(), case.get("repeat")) {
                (Some(b64), _) => base64(b64),
                (None, Some(repeat)) => repeated(repeat),
                (None, None) => panic!("{name} has no bytes"),
            };
            Case { name, bytes }
        })
        .collect()
}

fn reduced() -> Vec<Case> {
    let case = |name: &str, text: &str| Case { name: name.to_string(), bytes: text.into() };
    vec![
        case("y_number", "[-0.0e+1]"),
        case("y_string", r#"["\u0041\/\ud83c\udf89"]"#),
        case("y_space", " [] "),
        case("n_comma", "[1,]"),
        case("n_number", "[01]"),
        case("n_nan", "[NaN]"),
        case("n_control", "[\"\u{1}\"]"),
        case("n_open", "[\"a"),
        case("i_number_huge_exp", "[1e9999]"),
        case("i_string_lone_second_surrogate", r#"["\uDFAA"]"#),
        case("i_structure_UTF-8_BOM_empty_object", "\u{feff}{}"),
    ]
}

/// `{"unit": …, "times": n}`
fn repeated(repeat: &serde_json::Value) -> Vec<u8> {
    let times = usize::try_from(repeat["times"].as_u64().expect("whole")).expect("fits");
    repeat["unit"].as_str().expect("text").repeat(times).into_bytes()
}

fn base64(text: &str) -> Vec<u8> {
    const DIGITS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut bits, mut count, mut bytes) = (0u32, 0, Vec::new());
    for digit in text.trim_end_matches('=').chars() {
        let value = DIGITS.find(digit).expect("base64");
        bits = bits << 6 | u32::try_from(value).expect("small");
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count & 0xff) as u8);
        }
    }
    bytes
}

fn verdict(name: &str) -> bool {
    match name.as_bytes().first() {
        Some(b'n') if name.starts_with("n_") => false,
        // Cases without a mark are there to see what a parser makes of them.
        Some(b'i') => {
            let row = OPEN.iter().find(|(open, _)| *open == name.trim_end_matches(".json"));
            row.unwrap_or_else(|| panic!("`{name}` is not in the table")).1
        }
        _ => true,
    }
}

#[test]
fn whole_documents_are_accepted_and_refused_as_the_standard_says() {
    let (mut checked, mut not_text) = (0, 0);
    for Case { name, bytes } in cases() {
        let Ok(text) = String::from_utf8(bytes) else {
            // The engine takes text: the host refuses these before it.
            not_text += 1;
            continue;
        };
        assert_eq!(scan(&text, 65).is_ok(), verdict(&name), "{name}");
        checked += 1;
    }
    eprintln!("{checked} documents, {not_text} are no UTF-8");
}

#[test]
fn as_a_part_of_a_tool_result_the_verdict_is_the_same() {
    for Case { name, bytes } in cases() {
        let Ok(text) = String::from_utf8(bytes) else { continue };
        // A document may start with a mark or end early; a part may not.
        let result = format!(r#"{{"content":[],"structuredContent":{{"v":{text}}}}}"#);
        for pad in 0..70 {
            // Every token meets every border of a block.
            let shifted = format!("{}{result}", " ".repeat(pad));
            match fit(&shifted, OutputSchema::None, &Settings::default()) {
                Ok(outcome) => {
                    assert!(verdict(&name), "{name} is accepted at {pad}");
                    if let Outcome::Bounded(fitted) = outcome {
                        let output = &fitted.tool_result_json;
                        let valid = serde_json::from_str::<serde::de::IgnoredAny>(output);
                        assert!(valid.is_ok(), "{name}: {output}");
                    }
                }
                Err(FitError::MalformedJson { offset_bytes }) => {
                    assert!(!verdict(&name), "{name} is refused at {pad}");
                    assert!(offset_bytes as usize <= shifted.len(), "{name}");
                }
                Err(error) => panic!("{name}: {error:?}"),
            }
        }
    }
}
