//! The scanner against its naive twin and against serde_json.
//!
//! `RESULT_BUDGET_LONG=1` multiplies the random part by fifty.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    missing_docs,
    unreachable_pub,
    reason = "tests"
)]

mod support;

use std::path::{Path, PathBuf};

use result_budget_core::json::scan::scan_words;
use result_budget_core::json::{Index, scan};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;
use support::documents::{self, Random};
use support::naive_scan;

const GRANULARITIES: [u32; 5] = [65, 80, 128, 256, 4096];

/// Whole index, or fault with its offset, from every engine at `granularity`.
fn agree_at(text: &str, granularity: u32) {
    let naive = naive_scan::scan(text, granularity);
    for (engine, answer) in
        [("simd", scan(text, granularity)), ("words", scan_words(text, granularity))]
    {
        assert!(
            answer == naive,
            "{engine} at {granularity} on {} bytes {:?}:\n{:?}\nnaive:\n{:?}",
            text.len(),
            text.chars().take(2000).collect::<String>(),
            answer.map(brief),
            naive.map(brief),
        );
    }
}

fn brief(mut index: Index) -> Index {
    index.nodes.truncate(12);
    index
}

/// All granularities that can matter for `text`, and serde_json's verdict.
fn agree(text: &str) -> bool {
    for granularity in GRANULARITIES {
        agree_at(text, granularity);
        if text.len() < 65 {
            break;
        }
    }
    let valid = accepts::<IgnoredAny>(text);
    assert_eq!(valid, accepts::<&RawValue>(text), "the oracles differ on {text:?}");
    assert_eq!(scan(text, 128).is_ok(), valid, "verdict on {} bytes {text:?}", text.len());
    valid
}

fn accepts<'a, T: Deserialize<'a>>(text: &'a str) -> bool {
    let mut reader = serde_json::Deserializer::from_str(text);
    reader.disable_recursion_limit();
    T::deserialize(&mut reader).is_ok() && reader.end().is_ok()
}

fn rounds(short: usize) -> usize {
    if std::env::var_os("RESULT_BUDGET_LONG").is_some() { short * 50 } else { short }
}

fn corpus() -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpus");
    if path.is_dir() {
        return Some(path);
    }
    eprintln!("no corpus at {}: this part of the test did not run", path.display());
    None
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() { files(&path, found) } else { found.push(path) }
    }
}

fn strings(value: &serde_json::Value, each: &mut impl FnMut(&str)) {
    match value {
        serde_json::Value::String(text) => each(text),
        serde_json::Value::Array(items) => items.iter().for_each(|item| strings(item, each)),
        serde_json::Value::Object(members) => members.iter().for_each(|(key, member)| {
            each(key);
            strings(member, each);
        }),
        serde_json::Value::Null | serde_json::Value::Bool(_) | serde_json::Value::Number(_) => {}
    }
}

#[test]
fn random_documents_and_mutations_of_them() {
    let (mut valid, mut mutated) = (0, 0);
    for seed in 0..rounds(1500) {
        let mut random = Random::new(seed as u64);
        let size = if seed % 50 == 0 { 2000 } else { 1 + seed % 60 };
        let text = documents::document(&mut random, size);
        assert!(agree(&text), "the generator made {text:?}");
        for _ in 0..4 {
            if let Some(text) = documents::mutation(&mut random, &text) {
                mutated += 1;
                valid += usize::from(agree(&text));
            }
        }
    }
    // The mutations must tell on both sides.
    assert!(valid > mutated / 20 && valid < mutated * 9 / 10, "{valid} of {mutated} are valid");
}

#[test]
fn every_short_string_of_structural_bytes() {
    const ALPHABET: [u8; 15] = *b"{}[],:\"\\ \n1-.eu";
    fn extend(text: &mut String, left: usize) {
        agree(text);
        if left > 0 {
            for byte in ALPHABET {
                text.push(char::from(byte));
                extend(text, left - 1);
                text.pop();
            }
        }
    }
    let most = if std::env::var_os("RESULT_BUDGET_LONG").is_some() { 6 } else { 5 };
    extend(&mut String::new(), most);
}

#[test]
fn short_strings_at_a_block_border() {
    const ALPHABET: [&str; 12] = ["0", "1", "-", ".", "e", "+", "t", "\"", ",", " ", "]", ":"];
    for shift in 60..=64 {
        let head = format!("[{}", " ".repeat(shift - 1));
        let mut digits = [0; 4];
        'all: loop {
            let tail: String = digits.iter().map(|digit| ALPHABET[*digit]).collect();
            agree_at(&format!("{head}{tail}]"), 65);
            for digit in &mut digits {
                *digit += 1;
                if *digit < ALPHABET.len() {
                    continue 'all;
                }
                *digit = 0;
            }
            break;
        }
    }
}

#[test]
fn json_test_suite_at_every_shift() {
    #[derive(Deserialize)]
    struct Case {
        name: String,
        b64: Option<String>,
        repeat: Option<Repeat>,
    }
    #[derive(Deserialize)]
    struct Repeat {
        unit: String,
        times: usize,
    }
    let Some(corpus) = corpus() else { return };
    let suite = std::fs::read_to_string(corpus.join("hostile/jsontestsuite.jsonl")).unwrap();
    let mut texts = 0;
    for line in suite.lines() {
        let case: Case = serde_json::from_str(line).unwrap();
        let bytes = match (case.b64, case.repeat) {
            (Some(b64), None) => base64(&b64),
            (None, Some(repeat)) => repeat.unit.repeat(repeat.times).into_bytes(),
            _ => panic!("{line}"),
        };
        // What is not UTF-8 cannot reach the scanner.
        let Ok(text) = String::from_utf8(bytes) else { continue };
        texts += 1;
        let valid = agree(&text);
        assert!(!case.name.starts_with("y_") || valid, "{}", case.name);
        assert!(!case.name.starts_with("n_") || !valid, "{}", case.name);
        if text.len() > 10_000 {
            continue;
        }
        for shift in 1..=70 {
            let pad = " ".repeat(shift);
            agree_at(&format!("{pad}{text}"), 65);
            agree_at(&format!("[{pad}{text},{text}]"), 65);
            agree_at(&format!("[\"{}\",{text}{pad}]", "x".repeat(shift)), 65);
        }
    }
    assert!(texts > 300, "{texts}");
}

fn base64(text: &str) -> Vec<u8> {
    let (mut bytes, mut bits, mut held) = (Vec::new(), 0u32, 0);
    for c in text.bytes().filter(|c| *c != b'=') {
        let six = match c {
            b'A'..=b'Z' => c - b'A',
            b'a'..=b'z' => c - b'a' + 26,
            b'0'..=b'9' => c - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => panic!("{text}"),
        };
        bits = bits << 6 | u32::from(six);
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push((bits >> held) as u8);
        }
    }
    bytes
}

#[test]
fn recorded_documents_and_the_strings_in_them() {
    let Some(corpus) = corpus() else { return };
    let mut found = Vec::new();
    for folder in ["captured", "fetched", "local", "registry"] {
        files(&corpus.join(folder), &mut found);
    }
    let long = std::env::var_os("RESULT_BUDGET_LONG").is_some();
    let (mut documents, mut turn) = (0, 0);
    let mut check = |text: &str| {
        turn += 1;
        if long || text.len() < 8192 {
            agree(text)
        } else {
            agree_at(text, GRANULARITIES[turn % GRANULARITIES.len()]);
            scan(text, 65).is_ok()
        }
    };
    for path in found {
        let Ok(file) = std::fs::read_to_string(&path) else { continue };
        let whole = path.extension().is_some_and(|extension| extension == "json");
        let texts: Vec<&str> = if whole { vec![&file] } else { file.lines().collect() };
        for text in texts {
            if !check(text) {
                continue;
            }
            documents += 1;
            // A lone surrogate keeps serde_json from building values.
            let Ok(value) = serde_json::from_str(text) else { continue };
            strings(&value, &mut |text| {
                check(text);
            });
            if long || text.len() < 65_536 {
                check(&serde_json::to_string_pretty(&value).unwrap());
            }
        }
    }
    assert!(documents > 60, "{documents}");
}

#[test]
fn chains_of_brackets() {
    for depth in [1, 2, 31, 32, 33, 63, 64, 65, 66, 127, 128, 129, 200, 1000, 20_000] {
        for (open, inner, close) in [
            ("[", "", "]"),
            ("[", "1", "]"),
            ("{\"a\":", "1", "}"),
            ("[1,", "\"x\"", ",{}]"),
            ("[ ", "\n", " ]"),
            ("[{\"k\":", "true", "}]"),
        ] {
            let (open, close) = (open.repeat(depth), close.repeat(depth));
            assert!(agree(&format!("{open}{inner}{close}")));
            agree_at(&format!("{open}{inner}{close}]"), 65);
            agree_at(&format!("{open}{inner}{}", &close[1..]), 65);
            agree_at(&format!("{open}{inner}{close},"), 65);
            let long = format!("{open}\"{}\"{close}", "s".repeat(300));
            for granularity in GRANULARITIES {
                agree_at(&long, granularity);
            }
        }
    }
}

#[test]
fn a_million_levels() {
    let depth = 1_000_000;
    let text = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    let index = scan(&text, 65).unwrap();
    assert_eq!(index.depth as usize, depth);
    assert_eq!(index, naive_scan::scan(&text, 65).unwrap());
    assert_eq!(scan(&text, 65), scan_words(&text, 65));
    let mixed = format!("{}null{}", "{\"a\":[ 1,".repeat(depth / 2), "]}".repeat(depth / 2));
    assert_eq!(scan(&mixed, 65), naive_scan::scan(&mixed, 65));
    assert!(scan(&mixed, 65).is_ok());
    // Up and down across the border where the outer levels are packed away.
    let mut waves = String::new();
    for (up, down) in [(40_000, 10_000), (60_000, 59_000), (9_000, 30_000), (70_000, 80_000)] {
        waves.push_str(&"[ 1,2, {\"key\" :".repeat(up / 2));
        waves.push_str("[[],0]");
        waves.push_str(&"} ,\n3,[]]".repeat(down / 2));
    }
    // Each wave goes on as the next member of the object it stopped in.
    let waves = waves.replace("][ 1", "],\"next\" :[ 1");
    assert!(scan(&waves, 65).is_ok());
    assert_eq!(scan(&waves, 65), naive_scan::scan(&waves, 65));
    assert_eq!(scan_words(&waves, 65), naive_scan::scan(&waves, 65));
    // Levels of every length, so that packed ones need one byte and more.
    let mut spread = String::new();
    for level in 0..70_000 {
        let pad = "k".repeat(if level % 1000 == 0 { 20_000 } else { level % 90 });
        let space = " ".repeat(usize::from(level % 7 == 0));
        spread.push_str(&format!("[{space}\"{pad}\",{}", "0,".repeat(level % 4)));
    }
    spread.push('1');
    spread.push_str(&"]".repeat(70_000));
    assert!(scan(&spread, 65).is_ok());
    assert_eq!(scan(&spread, 65), naive_scan::scan(&spread, 65));
    let unclosed = "[".repeat(depth);
    assert_eq!(scan(&unclosed, 65).unwrap_err().offset_bytes as usize, depth);
    let mismatched = format!("{}{}}}", "[".repeat(depth), "]".repeat(depth - 1));
    assert_eq!(scan(&mismatched, 65).unwrap_err().offset_bytes as usize, 2 * depth - 1);
}

#[test]
fn the_table_is_capped_and_equals_a_run_with_the_final_granularity() {
    let string = format!("\"{}\"", "s".repeat(130));
    let mut texts = vec![
        format!("{}{}{}", "[".repeat(3000), string, "]".repeat(3000)),
        format!("[{}0]", format!("{{\"a\":[[[{string}]]]}},").repeat(800)),
        format!(
            "[{}0]",
            "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[\"\"]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]],".repeat(800)
        ),
    ];
    texts.push(format!("[{}]", texts.join(" , ")));
    let mut capped = 0;
    for text in texts {
        for granularity in GRANULARITIES {
            agree_at(&text, granularity);
            let index = scan(&text, granularity).unwrap();
            assert!(index.nodes.len() <= text.len() / 64 + 256);
            capped += usize::from(index.granularity_bytes > granularity);
            let direct = naive_scan::uncapped(&text, index.granularity_bytes).unwrap();
            assert_eq!(index, direct);
        }
    }
    assert!(capped >= 4, "{capped}");
}

#[test]
fn long_keys_and_strings_of_every_length_around_the_granularities() {
    for length in (55..90).chain(120..136).chain([250, 254, 255, 4093, 4094, 4095, 70_000]) {
        for shift in [0, 1, 5, 31, 60, 61, 62, 63] {
            let (pad, string) = (" ".repeat(shift), "k".repeat(length));
            let text = format!("{pad}{{\"{string}\":[\"{string}\"],\"b\":\"{string}\"}}");
            for granularity in GRANULARITIES {
                agree_at(&text, granularity);
            }
        }
    }
    let text = format!("{{\"{}\":1}}", "k".repeat(1_000_000));
    assert!(agree(&text));
}

#[test]
fn every_escape_at_every_offset_of_a_block() {
    for escape in [
        r"\n",
        r"\\",
        r#"\""#,
        r"\/",
        r"\b",
        r"\f",
        r"\r",
        r"\t",
        r"\u0041",
        r"\uABCD",
        r"\uabcd",
        r"\ud83d\ude00",
        r"\ud83d",
        r"\ude00",
        r"\ud83d\ud83d\ude00",
        r"\ude00\ud83d",
        r"\ud83dx\ude00",
        r"\ud83d\n\ude00",
        r"\\\\\\",
        r#"\\\\\""#,
        r"\\ud83d",
        r"\ud83d\\ude00",
        r"\x",
        r"\u12",
        r"\u12g4",
        r"\u",
        r"\",
        r"\\\",
        "\\\n",
        "\\é",
        r"\u00e",
        r"\U0041",
        r"\0",
        r"\'",
        r"\u+123",
        "\\u12\u{e9}4",
    ] {
        for shift in 0..=66 {
            let text = format!("\"{}{escape}\"", "x".repeat(shift));
            agree(&text);
            agree_at(&format!("[{text},{text}]"), 65);
            agree_at(&format!("{{{text}:{text} , \"\":1}}"), 65);
            agree_at(&format!("\"{}{escape}", "x".repeat(shift)), 65);
            agree_at(&format!("[{}{escape}]", " ".repeat(shift)), 65);
        }
    }
    // Runs of backslashes over several blocks.
    for count in 0..200 {
        agree(&format!("\"{}\"", "\\".repeat(count)));
    }
}

#[test]
fn every_byte_in_every_place() {
    for byte in 0..=0x80u8 {
        let c = if byte == 0x80 { '\u{20AC}' } else { char::from(byte) };
        for text in [
            format!("{c}"),
            format!("[{c}]"),
            format!("\"{c}\""),
            format!("[1{c}2]"),
            format!("{{\"a\"{c}1}}"),
            format!("{{\"a\":1{c}\"b\":2}}"),
            format!("tru{c}"),
            format!("true{c}"),
            format!("[-{c}]"),
            format!("[1.{c}]"),
            format!("[1e{c}]"),
            format!("[0{c}]"),
            format!("\"\\{c}\""),
        ] {
            for shift in [0, 1, 57, 58, 59, 60, 61, 62, 63] {
                agree(&format!("{}{text}", " ".repeat(shift)));
            }
        }
    }
}

#[test]
fn numbers_and_literals_across_block_borders() {
    for scalar in [
        "0",
        "-0",
        "10",
        "-1",
        "1.5",
        "-0.25e-10",
        "1E+2",
        "1e2",
        "00",
        "01",
        "-01",
        "1.",
        ".5",
        "1e",
        "1e+",
        "-",
        "--1",
        "1-1",
        "1.2.3",
        "1e2e3",
        "1e2.5",
        "+1",
        "0x1",
        "1_0",
        "true",
        "false",
        "null",
        "tru",
        "nul",
        "fals",
        "truer",
        "nulll",
        "true1",
        "1true",
        "-true",
        "NaN",
        "Infinity",
        "true.",
        "1ee2",
        "1.e2",
        "0.0e0",
        "0e",
        "9é",
        "é",
        "null-1",
        "1 2",
        "true false",
        "1\"\"",
    ] {
        for shift in 0..=66 {
            agree_at(&format!("{}{scalar}", " ".repeat(shift)), 65);
            agree_at(&format!("[{}{scalar},{scalar}]", " ".repeat(shift)), 65);
            agree_at(&format!("{{\"{}\":{scalar}}}", "k".repeat(shift)), 65);
        }
    }
    for digits in [62, 63, 64, 65, 127, 128, 129, 300] {
        for (head, tail) in [
            ("", ""),
            ("-", ""),
            ("1.", ""),
            ("", ".5"),
            ("", "e1"),
            ("1e", ""),
            ("1e", ".0"),
            ("0", ""),
        ] {
            for shift in 0..5 {
                agree(&format!("[{}{head}{}{tail}]", " ".repeat(shift), "7".repeat(digits)));
            }
        }
    }
}
