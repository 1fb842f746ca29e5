//! Results of the kinds that servers answer with, each longer than what any
//! client shows.

use std::fmt::Write as _;

use serde_json::{Value, json};

/// A made result.
#[derive(Clone, Debug)]
pub struct Made {
    /// Its kind and size.
    pub name: String,
    /// The result.
    pub json: String,
}

/// Bytes of payload, about: over the smallest cut, over most, over all.
const SIZES: [usize; 3] = [12_000, 60_000, 160_000];

/// Every kind in every size.
#[must_use]
pub fn all() -> Vec<Made> {
    let make = |size: usize| KINDS.iter().map(move |(kind, make)| (kind, size, make(size)));
    SIZES
        .into_iter()
        .flat_map(make)
        .map(|(kind, size, value)| Made {
            name: format!("{kind}, {size}"),
            json: value.to_string(),
        })
        .collect()
}

type Kind = (&'static str, fn(usize) -> Value);

const KINDS: [Kind; 31] = [
    ("log", |size| text(&log(size))),
    ("log of short lines", |size| text(&lines(size, |at| format!("{at}\n")))),
    ("log with colours", |size| {
        text(&lines(size, |at| format!("\u{1b}[31mERROR\u{1b}[0m request {at} failed\n")))
    }),
    ("error", |size| json!({ "content": [block(&log(size))], "isError": true })),
    ("diff", |size| text(&diff(size))),
    ("prose", |size| text(&prose(size))),
    ("one line", |size| text(&lines(size, |at| format!("word{at} ")))),
    ("Chinese", |size| text(&lines(size, |at| format!("第{at}行：服务器没有回答。\n")))),
    ("emoji", |size| text(&lines(size, |at| format!("👩‍👩‍👧‍👦 {at} 🏳️‍🌈\n")))),
    ("quotes and backslashes", |size| text(&lines(size, |at| format!("\"{at}\\\"\t\\n\n")))),
    ("JSON in a text", |size| text(&rows(size).to_string())),
    ("JSON in a text, printed wide", |size| {
        text(&serde_json::to_string_pretty(&rows(size)).unwrap_or_default())
    }),
    ("JSON lines", |size| {
        text(&lines(size, |at| format!("{{\"id\":{at},\"level\":\"info\",\"note\":\"began\"}}\n")))
    }),
    ("table", |size| text(&lines(size, |at| format!("{at},name {at},open,2026-11-30\n")))),
    ("many blocks", |size| {
        let blocks: Vec<Value> = (0..size / 300).map(|at| block(&prose_of(300, at))).collect();
        json!({ "content": blocks })
    }),
    ("two texts", |size| json!({ "content": [block(&log(size)), block(&prose(size))] })),
    ("a text for the user", |size| {
        let mut user = block(&prose(size));
        user["annotations"] = json!({ "audience": ["user"] });
        json!({ "content": [user, block(&log(size))] })
    }),
    ("resource text", |size| {
        let resource =
            json!({ "uri": "file:///book.txt", "mimeType": "text/plain", "text": prose(size) });
        json!({ "content": [{ "type": "resource", "resource": resource }] })
    }),
    ("links", |size| {
        let link = |at: usize| json!({ "type": "resource_link", "uri": format!("file:///src/part/{at}.rs"), "name": format!("{at}.rs") });
        json!({ "content": (0..size / 80).map(link).collect::<Vec<_>>() })
    }),
    ("picture and text", |size| {
        let picture = json!({ "type": "image", "data": base64(4_000), "mimeType": "image/png" });
        json!({ "content": [picture, block(&log(size))] })
    }),
    ("picture that is too large", |size| {
        let picture = json!({ "type": "image", "data": base64(4 << 20), "mimeType": "image/png" });
        json!({ "content": [block(&log(size / 8)), picture] })
    }),
    ("blob", |size| {
        let blob =
            json!({ "uri": "file:///a.bin", "mimeType": "application/x", "blob": base64(size) });
        json!({ "content": [block(&log(size)), { "type": "resource", "resource": blob }] })
    }),
    ("rows", |size| json!({ "content": [], "structuredContent": rows(size) })),
    (
        "rows and a word",
        |size| json!({ "content": [block("Here they are.")], "structuredContent": rows(size) }),
    ),
    ("rows, mirrored", |size| {
        let rows = rows(size);
        json!({ "content": [block(&rows.to_string())], "structuredContent": rows })
    }),
    ("list, mirrored", |size| {
        let list = rows(size)["rows"].clone();
        json!({ "content": [block(&list.to_string())], "structuredContent": list })
    }),
    ("text, wrapped as `result`", |size| {
        let text = log(size);
        json!({ "content": [block(&text)], "structuredContent": { "result": text } })
    }),
    ("one long string", |size| {
        json!({
            "content": [block("A page.")],
            "structuredContent": { "title": "page", "body": prose(size), "next": "abc" },
        })
    }),
    ("two lists", |size| {
        let own = rows(size / 2)["rows"].clone();
        json!({ "content": [block("Two.")], "structuredContent": { "open": own.clone(), "closed": own } })
    }),
    ("wide map", |size| {
        let members = (0..size / 30).map(|at| (format!("setting_{at}"), json!(at)));
        let map: serde_json::Map<String, Value> = members.collect();
        json!({ "content": [block("Settings.")], "structuredContent": map })
    }),
    (
        "base64 in a field",
        |size| json!({ "content": [block("A file.")], "structuredContent": { "name": "a.bin", "data": base64(size) } }),
    ),
];

fn block(text: &str) -> Value {
    json!({ "type": "text", "text": text })
}

fn text(text: &str) -> Value {
    json!({ "content": [block(text)] })
}

/// Lines made by `line` until there are `size` bytes.
fn lines(size: usize, line: impl Fn(usize) -> String) -> String {
    let mut out = String::with_capacity(size + 100);
    let mut at = 1;
    while out.len() < size {
        out.push_str(&line(at));
        at += 1;
    }
    out
}

fn log(size: usize) -> String {
    lines(size, |at| {
        format!("2026-11-30T12:00:{:02}Z INFO  worker-{} took job {at}\n", at % 60, at % 7)
    })
}

fn prose(size: usize) -> String {
    prose_of(size, 0)
}

fn prose_of(size: usize, seed: usize) -> String {
    lines(size, |at| {
        format!(
            "Section {} tells how a result number {at} was made, and what is left of it.\n\n",
            at + seed
        )
    })
}

fn diff(size: usize) -> String {
    lines(size, |at| {
        let mut out = format!(
            "diff --git a/src/{at}.rs b/src/{at}.rs\n--- a/src/{at}.rs\n+++ b/src/{at}.rs\n@@ -1,3 +1,4 @@\n"
        );
        let _ =
            write!(out, " fn number() -> u32 {{\n-    {at}\n+    // more\n+    {at} + 1\n }}\n");
        out
    })
}

fn rows(size: usize) -> Value {
    let row = |at: usize| json!({ "id": at, "title": format!("issue number {at}"), "state": "open", "labels": ["bug"] });
    json!({ "rows": (0..size / 75).map(row).collect::<Vec<_>>(), "total": size / 75 })
}

/// Letters that look like what they are not: base64 of nothing.
fn base64(size: usize) -> String {
    let letters = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut state = 1u32;
    let letter = |_| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        char::from(letters[(state >> 26) as usize % 64])
    };
    (0..size / 4 * 4).map(letter).collect()
}
