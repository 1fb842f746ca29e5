//! Walking by the table gives what walking byte by byte gives.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use result_budget_core::json::walk::{Doc, Sort, Value, string_end};
use result_budget_support::generate;
use result_budget_support::random::Random;

/// Compares all that is inside of two values of the same text, one of them by a
/// table without rows; tells how many rows were met.
fn compare(noted: &Doc<'_>, plain: &Doc<'_>, a: &Value, b: &Value) -> usize {
    assert_eq!((a.start, a.end, a.space_bytes), (b.start, b.end, b.space_bytes));
    assert_eq!(b.node, None);
    let mut rows = usize::from(a.node.is_some());
    assert_eq!(noted.children_items(a), plain.children_items(b));
    match noted.sort(a) {
        Sort::Array => {
            let mut others = plain.items(b);
            for item in noted.items(a) {
                rows += compare(noted, plain, &item, &others.next().unwrap());
            }
            assert_eq!(others.next(), None);
        }
        Sort::Object => {
            let mut others = plain.members(b);
            for member in noted.members(a) {
                let other = others.next().unwrap();
                assert_eq!((member.key, member.key_start), (other.key, other.key_start));
                let granularity = noted.index.granularity_bytes as usize;
                rows += usize::from(member.key.len() + 2 >= granularity);
                rows += compare(noted, plain, &member.value, &other.value);
            }
            assert_eq!(others.next(), None);
        }
        Sort::String | Sort::Number | Sort::Literal => {
            assert_eq!((noted.items(a).next(), noted.members(a).next()), (None, None));
        }
    }
    rows
}

fn check(text: &str, granularity: u32) {
    let (noted, plain) = (Doc::new(text, granularity).unwrap(), Doc::new(text, u32::MAX).unwrap());
    let rows = compare(&noted, &plain, &noted.root(), &plain.root());
    // Every row was found, and none twice.
    assert_eq!(rows, noted.index.nodes.len(), "{granularity}: {text:.200}");
}

#[test]
fn every_row_is_found_where_its_value_stands() {
    for seed in 0..300 {
        let random = &mut Random::new(seed);
        let mut text = String::from(if seed % 2 == 0 { "[" } else { "{\"rows\" : [" });
        for at in 0..1 + random.below(60) {
            if at > 0 {
                text.push_str(random.pick::<&str>(&[",", " ,", ",\n\t"]));
            }
            // Small values among the big ones, and rows in rows.
            match random.below(5) {
                0 => text.push_str(random.pick::<&str>(&[
                    "1",
                    "\"a\\\"b\"",
                    "[]",
                    "{\"k\": [1, 2 ]}",
                ])),
                1 => text.push_str(&format!("[{}]", "[\"x\"],".repeat(70) + "\"y\"")),
                _ => text.push_str(&generate::result(seed * 100 + at as u64)),
            }
        }
        text.push_str(if seed % 2 == 0 { "]" } else { "] }" });
        for granularity in [65, 125, 1_000] {
            check(&text, granularity);
        }
    }
}

#[test]
fn a_list_with_a_row_far_behind_its_small_items_is_walked_like_any() {
    let strings = format!("\"{}\"", "s".repeat(80));
    let many = format!("[{}]", vec![strings.as_str(); 200].join(","));
    // More rows inside of a child than are looked at one by one, before, between
    // and behind small ones.
    for text in [
        format!("[{many},1,{{}},{many},[2],{many}]"),
        format!("[[],[[]],{many}]"),
        format!("{{\"a\":[0],\"{}\":{many},\"b\":{many},\"c\":[{many}]}}", "k".repeat(90)),
        format!("{}{many}{}", "[".repeat(90), "]".repeat(90)),
    ] {
        check(&text, 65);
    }
}

#[test]
fn strings_end_where_they_end_byte_by_byte() {
    let naive = |bytes: &[u8], start: usize| {
        let mut at = start + 1;
        while at < bytes.len() {
            match bytes[at] {
                b'"' => return at + 1,
                b'\\' => at += 2,
                _ => at += 1,
            }
        }
        bytes.len()
    };
    let random = &mut Random::new(7);
    for _ in 0..20_000 {
        let mut text = String::from("\"");
        for _ in 0..random.below(40) {
            text.push_str(random.pick::<&str>(&[
                "a",
                "\\\\",
                "\\\"",
                "é",
                "\u{1}\u{21}",
                "[",
                "\u{7f}",
                "#",
            ]));
        }
        if !random.once_in(4) {
            text.push_str("\" ,\"next\"");
        }
        assert_eq!(string_end(text.as_bytes(), 0), naive(text.as_bytes(), 0), "{text}");
    }
}
