//! Each rule at its edge: what fits is shown as it is, and one more is cut as
//! the client tells.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::wildcard_enum_match_arm,
    reason = "tests"
)]

use result_budget_clients::cut::{head, head_utf16, tail, tail_utf16, utf16};
use result_budget_clients::{CLIENTS, Shown};
use result_budget_support::Tree;
use serde_json::{Value, json};

fn shown(client: &str, result: &Value) -> Shown {
    let client = CLIENTS.iter().find(|found| found.name == client).expect("a client");
    let json = result.to_string();
    (client.shown)(&Tree::parse(&json).expect("JSON"))
}

fn text(text: &str) -> Value {
    json!({ "content": [{ "type": "text", "text": text }] })
}

/// The most characters of one text that the client shows whole.
fn edge(client: &str, make: impl Fn(usize) -> Value) -> usize {
    let (mut least, mut most) = (1, 1 << 20);
    while least + 1 < most {
        let at = usize::midpoint(least, most);
        if shown(client, &make(at)).cut { most = at } else { least = at }
    }
    least
}

#[test]
fn one_text_is_cut_behind_the_edge_that_each_client_documents() {
    for (client, ascii, chinese) in [
        // 36 bytes of 48,000 are taken by Codex' own line, to the next token.
        ("Codex", 47_964, 15_988),
        ("Codex, models of others", 11_964, 3_988),
        ("Codex before 0.60", 10_240, 3_413),
        ("VS Code", 8_192, 8_192),
        ("Gemini CLI", 40_000, 40_000),
        ("OpenCode", 51_200, 17_066),
        ("OpenCode of June 2026", 51_200, 17_066),
        ("Qwen Code", 25_000, 25_000),
    ] {
        assert_eq!(edge(client, |at| text(&"a".repeat(at))), ascii, "{client}");
        assert_eq!(edge(client, |at| text(&"\u{7b2c}".repeat(at))), chinese, "{client}");
    }
}

#[test]
fn claude_code_counts_characters_and_tokens() {
    assert_eq!(edge("Claude Code", |at| text(&"some words ".repeat(at))), 50_000 / 11);
    // 37,500 characters, and far more than 25,000 tokens.
    assert!(shown("Claude Code", &text(&"\u{1f468}\u{200d}\u{1f33e}".repeat(15_000 / 2))).cut);
}

#[test]
fn lines_are_counted_where_the_client_counts_them() {
    for (client, lines) in [("Codex before 0.60", 256), ("OpenCode", 1_999), ("Qwen Code", 999)] {
        assert_eq!(edge(client, |at| text(&"a\n".repeat(at))), lines, "{client}");
    }
}

#[test]
fn a_client_keeps_the_ends_that_it_documents() {
    let long = format!("START {} END", "middle ".repeat(40_000));
    for (client, start, end) in [
        ("Codex", true, true),
        ("Codex before 0.60", true, true),
        ("Claude Code", true, false),
        ("VS Code", false, false),
        ("Gemini CLI", true, true),
        // Its end is made of other lines than its start: one line has no end.
        ("Qwen Code", true, false),
        // Whole lines alone: of one that is too long nothing stays.
        ("OpenCode", false, false),
    ] {
        let shown = shown(client, &text(&long));
        assert!(shown.cut, "{client}");
        assert_eq!(shown.text.contains("START"), start, "{client}");
        assert_eq!(shown.text.contains(" END"), end, "{client}");
    }
}

#[test]
fn each_client_reads_the_half_that_it_documents() {
    let both = json!({
        "content": [{ "type": "text", "text": "WORDS" }],
        "structuredContent": { "data": "DATA" },
    });
    let alone = json!({ "content": [], "structuredContent": { "data": "DATA" } });
    let null =
        json!({ "content": [{ "type": "text", "text": "WORDS" }], "structuredContent": null });
    for (client, words, data, of_data_alone) in [
        ("Codex", false, true, true),
        ("Claude Code", false, true, true),
        ("VS Code", false, true, true),
        ("Gemini CLI", true, false, false),
        ("OpenCode", true, false, true),
        ("OpenCode of June 2026", false, true, true),
        ("Qwen Code", true, false, false),
    ] {
        let seen = shown(client, &both).text;
        assert_eq!(seen.contains("WORDS"), words, "{client}");
        assert_eq!(seen.contains("DATA"), data, "{client}");
        assert_eq!(shown(client, &alone).text.contains("DATA"), of_data_alone, "{client}");
        assert!(shown(client, &null).text.contains("WORDS"), "{client}");
    }
}

#[test]
fn gemini_cli_cuts_a_lone_text_and_never_one_of_two() {
    let block = json!({ "type": "text", "text": "a".repeat(90_000) });
    assert!(shown("Gemini CLI", &json!({ "content": [block] })).cut);
    assert!(!shown("Gemini CLI", &json!({ "content": [block, block] })).cut);
}

#[test]
fn vs_code_leaves_out_what_is_for_the_user_alone() {
    let block = |audience: Value| json!({ "type": "text", "text": audience.to_string(), "annotations": { "audience": audience } });
    let result =
        json!({ "content": [block(json!(["user"])), block(json!(["user", "assistant"]))] });
    assert_eq!(shown("VS Code", &result).text, "[\"user\",\"assistant\"]");
}

#[test]
fn cuts_fall_between_characters_in_either_unit() {
    let text = "a\u{e9}\u{7b2c}\u{1f44d}z";
    for at in 0..=utf16(text) + 2 {
        let (first, last) = (head_utf16(text, at), tail_utf16(text, at));
        assert!(
            text.starts_with(first) && utf16(first) <= at && utf16(first) + 2 > at.min(utf16(text))
        );
        assert!(text.ends_with(last) && utf16(last) <= at && utf16(last) + 2 > at.min(utf16(text)));
    }
    for at in 0..=text.len() + 2 {
        let (first, last) = (head(text, at), tail(text, at));
        assert!(
            text.starts_with(first) && first.len() <= at && first.len() + 4 > at.min(text.len())
        );
        assert!(text.ends_with(last) && last.len() <= at && last.len() + 4 > at.min(text.len()));
    }
}
