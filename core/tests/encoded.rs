//! What is read of an encoded body in steps of 64 bytes, against naive twins
//! that go character by character.
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

use result_budget_core::json::scan::{compact_json, decode_json, escaped_equal};
use serde::de::IgnoredAny;
use support::documents::{self, Random};

fn rounds(short: usize) -> usize {
    if std::env::var_os("RESULT_BUDGET_LONG").is_some() { 50 * short } else { short }
}

fn is_json(text: &str) -> bool {
    serde_json::from_str::<IgnoredAny>(text).is_ok()
}

/// `text` without white space outside strings.
fn compacted(text: &str) -> String {
    let (mut inside, mut escaped) = (false, false);
    text.chars()
        .filter(|c| {
            let stays = inside || !matches!(c, ' ' | '\t' | '\n' | '\r');
            inside ^= *c == '"' && !escaped;
            escaped = *c == '\\' && !escaped;
            stays
        })
        .collect()
}

/// `text` as an encoded body, spelled in the shortest way.
fn shortest(text: &str) -> String {
    let mut body = serde_json::to_string(text).unwrap();
    body.pop();
    body.split_off(1)
}

/// `text` as an encoded body, every character in a random spelling.
fn spelled(random: &mut Random, text: &str) -> String {
    let mut body = String::new();
    for c in text.chars() {
        let seldom = random.below(12);
        if seldom == 0 {
            let mut units = [0; 2];
            c.encode_utf16(&mut units)
                .iter()
                .for_each(|unit| body.push_str(&format!("\\u{unit:04x}")));
        } else if seldom < 6 && c == '/' {
            body.push_str("\\/");
        } else {
            body.push_str(&shortest(&c.to_string()));
        }
    }
    body
}

/// White space between tokens, and around what is not JSON.
fn spaced(random: &mut Random, text: &str) -> String {
    let mut out = String::new();
    let mut inside = false;
    let mut escaped = false;
    for c in text.chars() {
        let border = !inside && "{}[],:\"".contains(c);
        let mut space = |out: &mut String| {
            if random.below(3) == 0 {
                let many = if random.below(40) == 0 { 90 } else { 7 };
                out.push_str(random.pick(&[" ", "\n", "\r\n", "\t", ""]));
                out.push_str(&" ".repeat(random.below(many)));
            }
        };
        if border {
            space(&mut out);
        }
        inside ^= c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
        out.push(c);
        if border && !inside {
            space(&mut out);
        }
    }
    out
}

/// Whether `text`, spelled as `body`, was read as JSON.
fn agree(text: &str, body: &str, plain: bool) -> bool {
    let decoded = decode_json(body);
    if is_json(text) {
        assert_eq!(compact_json(text), compacted(text), "of {text:?}");
        match decoded {
            Some(decoded) => assert_eq!(decoded, compacted(text), "of {body:?}"),
            None => assert!(!plain, "refused {body:?}"),
        }
        return true;
    }
    assert!(!decoded.is_some_and(|decoded| is_json(&decoded)), "made JSON of {body:?}");
    false
}

#[test]
fn json_in_a_text_is_decoded_to_what_its_characters_say_without_white_space() {
    let (mut valid, mut mutated) = (0, 0);
    for seed in 0..rounds(3_000) {
        let mut random = Random::new(seed as u64);
        let size = if seed % 50 == 0 { 2_000 } else { 1 + seed % 60 };
        let text = documents::document(&mut random, size);
        let text = spaced(&mut random, &text);
        assert!(agree(&text, &shortest(&text), true), "the generator made {text:?}");
        agree(&text, &spelled(&mut random, &text), false);
        for _ in 0..4 {
            if let Some(text) = documents::mutation(&mut random, &text) {
                mutated += 1;
                valid += usize::from(agree(&text, &shortest(&text), true));
                agree(&text, &spelled(&mut random, &text), false);
            }
        }
    }
    // The mutations must tell on both sides.
    assert!(valid > mutated / 20 && valid < mutated * 9 / 10, "{valid} of {mutated} are valid");
}

#[test]
fn every_short_text_in_a_text_is_json_or_not_as_before() {
    const ALPHABET: [char; 13] =
        ['{', '}', '[', ']', ',', ':', '"', '\\', ' ', '\n', '1', '-', 'n'];
    fn extend(text: &mut String, left: usize) {
        agree(text, &shortest(text), true);
        if left > 0 {
            for c in ALPHABET {
                text.push(c);
                extend(text, left - 1);
                text.pop();
            }
        }
    }
    extend(&mut String::new(), 5);
    // The same where tokens and escapes meet the border of a block.
    for before in 56..64 {
        let mut text = format!("[{}", " ".repeat(before));
        extend(&mut text, 3);
        let mut text = format!("[\"{}", "x".repeat(before));
        extend(&mut text, 3);
    }
}

#[test]
fn a_copy_is_told_from_anything_else() {
    let naive = |text: &str, body: &str| {
        let mut escaped = String::new();
        for c in text.chars() {
            if matches!(c, '"' | '\\') {
                escaped.push('\\');
            }
            escaped.push(c);
        }
        escaped == body
    };
    let (mut equal, mut all) = (0, 0);
    for seed in 0..rounds(3_000) {
        let mut random = Random::new(seed as u64);
        let text = documents::document(&mut random, 1 + seed % 90);
        let body: String = shortest(&text);
        let mut check = |text: &str, body: &str| {
            let same = naive(text, body);
            assert_eq!(escaped_equal(text, body), same, "{text:?} and {body:?}");
            all += 1;
            equal += usize::from(same);
        };
        check(&text, &body);
        check(&text, &text);
        check(&body, &text);
        check(&text, &format!("{body} "));
        check(&format!("{text} "), &body);
        check(&text, &format!("{body}\\"));
        check(&text, &format!("{body}\""));
        for _ in 0..4 {
            if let Some(other) = documents::mutation(&mut random, &body) {
                check(&text, &other);
            }
            if let Some(other) = documents::mutation(&mut random, &text) {
                check(&other, &body);
            }
        }
    }
    assert!(equal > all / 20 && equal < all / 2, "{equal} of {all} are equal");
}
