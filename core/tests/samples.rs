//! What is asked of many bytes at a time, against the same asked of one by one.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use result_budget_core::WireProfile;
use result_budget_core::json::pointer::decode_body;
use result_budget_json::bytes::{find, has_quoted};
use result_budget_json::escape::{decode_part, escape};
use result_budget_json::lines::{has, line_of, lines};
use result_budget_support::random::Random;

/// A text of such pieces, up to a few hundred bytes long.
fn text_of(random: &mut Random, pieces: &[&str]) -> String {
    let count = random.size(120);
    (0..count).map(|_| *random.pick::<&str>(pieces)).collect()
}

const PIECES: [&str; 36] = [
    "a", "word", " ", "  ", ", ", ",", "\n", "\r\n", "\r", "\t", ";", ":", "|", "[", "]", "=",
    "\"", "'", "/", "-", "<", "(", "{", "`", "\0", "\u{1b}", "é", "語", "AB", "Z", "\\", "\u{1f}",
    "\u{7f}", "\u{2028}", "𝄞", "12",
];

#[test]
fn the_marks_of_a_line_are_what_stands_in_it() {
    let marks: [(&[char], u32); 17] = [
        (&[' '], has::BLANK),
        (&[','], has::COMMA),
        (&['\t'], has::TAB),
        (&[';'], has::SEMICOLON),
        (&[':'], has::COLON),
        (&['|'], has::BAR),
        (&['['], has::OPENING),
        (&[']'], has::CLOSING),
        (&['='], has::EQUALS),
        (&['"'], has::QUOTE),
        (&['\''], has::APOSTROPHE),
        (&['/'], has::SLASH),
        (&['-'], has::DASH),
        (&['<', '>', '(', ')', '{', '}', '`'], has::OF_CODE),
        (&['\0'], has::NUL),
        (&['\r', '\u{1b}'], has::CONTROL),
        (&['A', 'B', 'Z'], has::CAPITAL),
    ];
    let random = &mut Random::new(1);
    for _ in 0..5_000 {
        let text = text_of(random, &PIECES);
        let found = lines(&text);
        assert!(found.iter().map(|line| line.text).eq(text.split('\n')), "{text:?}");
        for line in found {
            for (chars, mark) in marks {
                assert_eq!(line.any(mark), line.text.contains(chars), "{line:?} {chars:?}");
            }
            assert_eq!(line.any(has::WIDE), !line.text.is_ascii());
            assert_eq!(line_of(line.text), line);
            for (first, second) in [(b' ', b' '), (b',', b' '), (b'd', b',')] {
                let pair = String::from_utf8(vec![first, second]).unwrap();
                assert_eq!(line.has_pair(first, second), line.text.contains(&pair), "{line:?}");
            }
            for word in ["word", "a", "  ", "\"", "語"] {
                assert_eq!(line.starts_with(word), line.text.starts_with(word), "{line:?}");
            }
        }
    }
}

#[test]
fn a_byte_is_found_where_it_stands_first() {
    let random = &mut Random::new(2);
    for round in 0..3_000 {
        let mut bytes = vec![b'.'; random.below(900)];
        for _ in 0..random.below(4) {
            if let Some(at) = bytes.len().checked_sub(1) {
                bytes[random.below(at + 1)] = *random.pick(b"; x");
            }
        }
        for sought in *b"; x." {
            let from = random.below(bytes.len() + 2);
            let naive = bytes.iter().enumerate().skip(from).find(|(_, byte)| **byte == sought);
            let naive = naive.map(|(at, _)| at);
            assert_eq!(find(&bytes, from, sought), naive, "{round}");
        }
    }
}

#[test]
fn a_quoted_key_is_seen_wherever_it_stands() {
    let random = &mut Random::new(3);
    let pieces = ["\"", "k", "key", "\"key\"", "kkey\"", "\"\"", "padding padding ", "\"k\":", "é"];
    let (mut seen, mut not) = (0, 0);
    for _ in 0..20_000 {
        let kinds = 1 + random.below(pieces.len());
        let text = text_of(random, &pieces[..kinds]);
        for key in ["key", "k", "kk", "é", "padding padding "] {
            let naive = text.contains(&format!("\"{key}\""));
            assert_eq!(has_quoted(&text, key), naive, "{key} in {text:?}");
            seen += usize::from(naive);
            not += usize::from(!naive);
        }
        assert!(has_quoted(&text, ""));
    }
    assert!(seen > 1_000 && not > 1_000, "{seen} {not}");
}

#[test]
fn texts_are_escaped_and_decoded_as_serde_json_does_it() {
    let random = &mut Random::new(4);
    for _ in 0..10_000 {
        let text = text_of(random, &PIECES);
        let mut body = String::from("before ");
        escape(&mut body, &text, WireProfile::Utf8Compact);
        let body = &body["before ".len()..];
        assert_eq!(format!("\"{body}\""), serde_json::to_string(&text).unwrap());
        assert_eq!(decode_part(body, 0, body.len()), text);
    }
}

#[test]
fn a_part_of_a_body_is_decoded_as_the_whole_is() {
    let pieces = [
        "a",
        "word and word ",
        "\\n",
        "\\\"",
        "\\\\",
        "\\/",
        "\\t\\r\\b\\f",
        "\\u0041",
        "\\ud834\\udd1e",
        "\\ud834",
        "\\udd1e",
        "\\uFFFf",
        "é",
        "語",
        "𝄞",
    ];
    let random = &mut Random::new(5);
    for _ in 0..10_000 {
        let (head, part, tail) =
            (text_of(random, &pieces), text_of(random, &pieces), text_of(random, &pieces));
        // Halves of a pair must not meet at a border.
        let body = format!("{head}.{part}.{tail}");
        let from = head.len() + 1;
        assert_eq!(decode_part(&body, from, from + part.len()), decode_body(&part), "{part}");
    }
    // What no valid body has: a backslash that opens nothing is a character.
    assert_eq!(decode_part("a\\x\\u12", 0, 7), "a\\x\\u12");
}
