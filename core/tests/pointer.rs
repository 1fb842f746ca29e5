//! Pointers are exact where they fit, bounded always, and RFC 6901 in form.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use proptest::prelude::*;
use result_budget_core::json::pointer::{
    POINTER_MAX_BYTES, Pointer, SEGMENT_MAX_BYTES, decode_body, decode_body_strictly, fnv1a,
    write_json_string,
};

fn pointer_of<'a>(keys: &[&'a str]) -> Pointer<'a> {
    let mut pointer = Pointer::new();
    keys.iter().for_each(|key| pointer.push_key(key));
    pointer
}

/// RFC 6901, section 3.
fn is_rfc_6901(pointer: &str) -> bool {
    let bytes = pointer.as_bytes();
    (pointer.is_empty() || pointer.starts_with('/'))
        && bytes
            .iter()
            .enumerate()
            .all(|(at, byte)| *byte != b'~' || matches!(bytes.get(at + 1), Some(b'0' | b'1')))
}

#[test]
fn the_examples_of_rfc_6901_come_out_as_it_prints_them() {
    let document: serde_json::Value = serde_json::from_str(
        r#"{"foo":["bar","baz"],"":0,"a/b":1,"c%d":2,"e^f":3,"g|h":4,"i\\j":5,"k\"l":6," ":7,"m~n":8}"#,
    )
    .unwrap();
    let mut deep = pointer_of(&["foo"]);
    deep.push_index(0);
    assert_eq!(document.pointer(&deep.render()).unwrap(), "bar");
    for (body, rendered, value) in [
        ("", "/", 0),
        ("a/b", "/a~1b", 1),
        ("c%d", "/c%d", 2),
        ("e^f", "/e^f", 3),
        ("g|h", "/g|h", 4),
        (r"i\\j", r"/i\j", 5),
        (r#"k\"l"#, r#"/k"l"#, 6),
        (" ", "/ ", 7),
        ("m~n", "/m~0n", 8),
    ] {
        assert_eq!(pointer_of(&[body]).render(), rendered);
        assert_eq!(document.pointer(rendered).unwrap(), value);
    }
}

#[test]
fn two_spellings_of_a_key_are_one_pointer() {
    assert_eq!(pointer_of(&[r"\u0061\/\ud83d\ude00"]).render(), pointer_of(&["a/😀"]).render());
}

#[test]
fn a_pointer_of_128_bytes_is_exact_and_one_more_is_shortened() {
    let key = "k".repeat(POINTER_MAX_BYTES - 1);
    assert_eq!(pointer_of(&[&key]).render(), format!("/{key}"));
    let key = "k".repeat(POINTER_MAX_BYTES);
    assert_eq!(
        pointer_of(&[&key]).render(),
        format!("/{}...{}...{:08x}", "k".repeat(15), "k".repeat(11), fnv1a(&key))
    );
}

#[test]
fn a_long_segment_keeps_its_ends_and_its_neighbours_stay_whole() {
    let key = format!("https://example.org/{}/last.json", "x".repeat(200));
    let pointer = pointer_of(&["structuredContent", &key, "body"]);
    assert_eq!(
        pointer.render(),
        format!("/structuredContent/https:~1~1examp...~1last.json...{:08x}/body", fnv1a(&key))
    );
}

#[test]
fn long_keys_that_differ_in_the_middle_have_different_pointers() {
    let keys: Vec<String> =
        (0..500).map(|at| format!("{}{at}{}", "a".repeat(100), "b".repeat(100))).collect();
    let mut pointers: Vec<String> = keys.iter().map(|key| pointer_of(&[key]).render()).collect();
    pointers.sort();
    pointers.dedup();
    assert_eq!(pointers.len(), 500);
}

#[test]
fn a_deep_place_keeps_both_ends_and_says_how_many_steps_are_left_out() {
    let mut pointer = pointer_of(&["structuredContent"]);
    (0..100).for_each(|_| pointer.push_key("child"));
    pointer.push_index(7);
    let rendered = pointer.render();
    assert_eq!(
        rendered,
        format!("/structuredContent{}/...84...{}/7", "/child".repeat(8), "/child".repeat(8))
    );
}

#[test]
fn a_million_steps_and_a_megabyte_of_key_cost_no_more_than_a_few() {
    let key = "\\u0000".repeat(170_000);
    let mut pointer = Pointer::new();
    (0..1_000_000).for_each(|_| pointer.push_key(&key));
    let started = std::time::Instant::now();
    for _ in 0..1_000 {
        let rendered = pointer.render();
        assert!(rendered.len() <= POINTER_MAX_BYTES && rendered.contains("/...999997.../"));
    }
    // Reading one such key whole takes longer than a thousandth of this.
    assert!(started.elapsed().as_millis() < 2_000, "{:?}", started.elapsed());
}

#[test]
fn the_hash_is_fnv_1a() {
    // From the published test vectors of FNV-1a, 32 bits.
    assert_eq!(fnv1a(""), 0x811c_9dc5);
    assert_eq!(fnv1a("a"), 0xe40c_292c);
    assert_eq!(fnv1a("foobar"), 0xbf9c_f968);
    let (short, long) = ("x".repeat(8_192), "x".repeat(8_193));
    assert_ne!(fnv1a(&short), fnv1a(&long));
    assert_ne!(fnv1a(&long), fnv1a(&format!("{long}x")));
}

#[test]
fn lone_halves_become_u_fffd_and_strictly_nothing() {
    for (body, text) in [
        (r"\ud800", "\u{fffd}"),
        (r"\udc00", "\u{fffd}"),
        (r"\ud800\ud800\udc00", "\u{fffd}\u{10000}"),
        (r"\ud800\u0041", "\u{fffd}A"),
        (r"\ud800\n", "\u{fffd}\n"),
        (r"\udc00\ud800", "\u{fffd}\u{fffd}"),
        // What no scanner passes.
        (r"\", "\u{fffd}"),
        (r"\u12", "\u{fffd}12"),
        (r"\u+123", "\u{fffd}+123"),
        (r"\q", "\u{fffd}"),
    ] {
        assert_eq!(decode_body(body), text, "{body}");
        assert_eq!(decode_body_strictly(body), None, "{body}");
    }
    assert_eq!(decode_body_strictly(r"\uD83D\uDE00\ufffd").unwrap(), "😀\u{fffd}");
}

/// The body of a JSON string in a random spelling.
fn spelling() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => "[a-zA-Z/~._ -]{1,30}".prop_map(|text| text),
        1 => "[é-ỹ一-龥😀-😎]{1,20}".prop_map(|text| text),
        1 => prop::sample::select(vec![
            r#"\""#, r"\\", r"\/", r"\b", r"\f", r"\n", r"\r", r"\t", r"\u0000", r"\u001f", r"\u00e9",
            r"\uD83d\ude00", r"\\\\\\", r"\\u1234", r"\\\u0041",
        ])
        .prop_map(String::from),
        1 => (0u32..0xD800).prop_map(|unit| format!("\\u{unit:04X}")),
        1 => prop::sample::select(vec![r"\\", r"\u4e2d", r"\ud83d\ude00", "~", "/", r"\u0000"])
            .prop_flat_map(|same| (1usize..60).prop_map(move |times| same.repeat(times))),
    ];
    prop::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn every_pointer_is_bounded_well_formed_and_exact_where_it_fits(
        keys in prop::collection::vec((spelling(), prop::option::of(0usize..10_000)), 0..12)
    ) {
        let mut pointer = Pointer::new();
        let mut exact = String::new();
        for (key, index) in &keys {
            let decoded: String = serde_json::from_str(&format!("\"{key}\"")).unwrap();
            pointer.push_key(key);
            exact.push('/');
            exact.push_str(&decoded.replace('~', "~0").replace('/', "~1"));
            if let Some(index) = index {
                pointer.push_index(*index);
                exact.push_str(&format!("/{index}"));
            }
        }
        let body_bytes = |text: &str| serde_json::to_string(text).unwrap().len() - 2;
        let rendered = pointer.render();
        prop_assert!(is_rfc_6901(&rendered), "{rendered}");
        prop_assert!(body_bytes(&rendered) <= POINTER_MAX_BYTES, "{rendered}");
        prop_assert_eq!(rendered == exact, body_bytes(&exact) <= POINTER_MAX_BYTES);
        prop_assert!(!rendered.contains('\u{fffd}'), "a tail was decoded from inside an escape: {}", rendered);
        for segment in rendered.split('/').skip(1) {
            prop_assert!(rendered == exact || body_bytes(segment) <= SEGMENT_MAX_BYTES + 1);
        }
    }

    #[test]
    fn decoding_agrees_with_serde_json(body in spelling()) {
        let oracle: String = serde_json::from_str(&format!("\"{body}\"")).unwrap();
        prop_assert_eq!(decode_body(&body), oracle.as_str());
        prop_assert_eq!(decode_body_strictly(&body).unwrap(), oracle.as_str());
    }

    #[test]
    fn writing_agrees_with_serde_json(text in any::<String>(), controls in "[\\x00-\\x7f]{0,40}") {
        for text in [text, controls] {
            let mut written = String::new();
            write_json_string(&mut written, &text);
            prop_assert_eq!(written, serde_json::to_string(&text).unwrap());
        }
    }
}
