//! Tool results of a kind and a size, each seed another one.

use std::fmt::Write as _;

use result_budget_support::random::Random;

/// A kind of tool result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Objects like a forge's issues, compact.
    Dense,
    /// A third text, two thirds `structuredContent`.
    Typical,
    /// Objects with bodies of 4 KB.
    LongStrings,
    /// One block of plain text.
    Text,
    /// As `Dense`, indented by two.
    Indented,
    /// One text block that holds indented JSON.
    JsonInText,
    /// A text block that repeats `structuredContent`.
    Mirrored,
}

/// A tool result.
#[derive(Clone, Debug)]
pub struct Document {
    /// The result.
    pub text: String,
    /// The JSON inside its text block, where that is JSON.
    pub part: Option<String>,
}

impl Shape {
    /// All of them.
    pub const ALL: [Shape; 7] = [
        Shape::Dense,
        Shape::Typical,
        Shape::LongStrings,
        Shape::Text,
        Shape::Indented,
        Shape::JsonInText,
        Shape::Mirrored,
    ];

    /// Its name in a table.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Shape::Dense => "dense",
            Shape::Typical => "typical",
            Shape::LongStrings => "long strings",
            Shape::Text => "text",
            Shape::Indented => "indented",
            Shape::JsonInText => "json in text",
            Shape::Mirrored => "mirrored",
        }
    }

    /// The output schema of a tool that answers with these; `None` where it has
    /// no structured data. Neither the list nor a field of an item may go; the
    /// bodies may be shortened.
    #[must_use]
    pub fn schema(self) -> Option<&'static str> {
        match self {
            Shape::Dense | Shape::Typical | Shape::Indented | Shape::Mirrored => Some(OF_ISSUES),
            Shape::LongStrings => Some(OF_PAGES),
            Shape::Text | Shape::JsonInText => None,
        }
    }

    /// A result of about `size_bytes`; each seed makes another one.
    #[must_use]
    pub fn document(self, size_bytes: usize, seed: u64) -> Document {
        let random = &mut Random::new(seed + 1);
        match self {
            Shape::Dense => with_text("issues", &issues(random, size_bytes), false),
            Shape::Typical => {
                let text = prose(random, size_bytes / 3);
                with_text(&text, &issues(random, size_bytes - text.len()), false)
            }
            Shape::LongStrings => with_text("pages", &pages(random, size_bytes), false),
            Shape::Text => {
                let text = string(&prose(random, size_bytes));
                Document {
                    text: format!(r#"{{"content":[{{"type":"text","text":{text}}}]}}"#),
                    part: None,
                }
            }
            Shape::Indented => {
                let compact = with_text("issues", &issues(random, shrunk(size_bytes, 1.0)), false);
                Document { text: indented(&compact.text), part: None }
            }
            Shape::JsonInText => {
                let part = indented(&issues(random, shrunk(size_bytes, QUOTING_GROWTH)));
                let text = format!(r#"{{"content":[{{"type":"text","text":{}}}]}}"#, string(&part));
                Document { text, part: Some(part) }
            }
            Shape::Mirrored => {
                let half = (size_bytes as f64 / MIRRORING_GROWTH) as usize;
                with_text("", &issues(random, half), true)
            }
        }
    }
}

/// A result with `structured`, and a text that is `text` or repeats it.
fn with_text(text: &str, structured: &str, repeats: bool) -> Document {
    let text = string(if repeats { structured } else { text });
    Document {
        text: format!(
            r#"{{"content":[{{"type":"text","text":{text}}}],"structuredContent":{structured},"isError":false}}"#
        ),
        part: repeats.then(|| structured.to_owned()),
    }
}

/// A list of issues as a forge's interface prints them.
fn issues(random: &mut Random, size_bytes: usize) -> String {
    let mut out = String::with_capacity(size_bytes + 2_048);
    let total = random.below(9_000);
    let _ = write!(out, r#"{{"total_count":{total},"incomplete_results":false,"items":["#);
    let first = out.len();
    // At least one, however small the result.
    while out.len() == first || out.len() + ISSUE_BYTES / 2 < size_bytes {
        if out.len() > first {
            out.push(',');
        }
        issue(random, &mut out);
    }
    out.push_str("]}");
    out
}

fn issue(random: &mut Random, out: &mut String) {
    let id = 1_000_000 + random.below(900_000_000);
    let number = random.below(90_000);
    let login = random.pick(&LOGINS);
    let _ = write!(out, r#"{{"id":{id},"number":{number},"title":""#);
    words(random, out, 8);
    let _ = write!(
        out,
        r#"","state":"{}","locked":{},"user":{{"login":"{login}","id":{},"type":"User","site_admin":false}},"labels":["#,
        random.pick(&["open", "closed"]),
        random.once_in(9),
        random.below(9_000_000),
    );
    for label in 0..random.below(4) {
        let comma = if label > 0 { "," } else { "" };
        let _ = write!(
            out,
            r#"{comma}{{"name":"{}","color":"{:06x}"}}"#,
            random.pick(&LABELS),
            random.below(1 << 24)
        );
    }
    let _ = write!(out, r#"],"assignee":null,"comments":{},"score":"#, random.below(60));
    let _ = write!(out, "{}.{},", random.below(40), random.below(100_000));
    let day = random.below(28) + 1;
    let _ = write!(
        out,
        r#""created_at":"2025-{:02}-{day:02}T0{}:1{}:33Z","url":"https://api.example.com/repos/acme/widget/issues/{number}","#,
        random.below(12) + 1,
        random.below(10),
        random.below(10),
    );
    out.push_str(r#""body":""#);
    let count = 6 + random.below(20);
    words(random, out, count);
    if random.once_in(3) {
        out.push_str(r#"\n\nSee \"notes\" – "#);
        words(random, out, 4);
    }
    let _ = write!(
        out,
        r#"","reactions":{{"+1":{},"-1":{},"heart":{}}}}}"#,
        random.below(30),
        random.below(3),
        random.below(9)
    );
}

/// Objects with a long body each.
fn pages(random: &mut Random, size_bytes: usize) -> String {
    let body_bytes = BODY_BYTES.min(size_bytes / 3);
    let mut out = String::with_capacity(size_bytes + 2 * BODY_BYTES);
    out.push_str(r#"{"pages":["#);
    let first = out.len();
    while out.len() == first || out.len() + body_bytes / 2 < size_bytes {
        if out.len() > first {
            out.push(',');
        }
        let _ = write!(out, r#"{{"path":"docs/{}.md","sha":""#, random.below(90_000));
        let _ = write!(out, r#"{:016x}","body":"#, random.next_u64());
        let bytes = body_bytes - body_bytes / 4 + random.below(body_bytes / 2);
        let body = prose(random, bytes);
        let _ = write!(out, "{}}}", string(&body));
    }
    out.push_str("]}");
    out
}

/// Lines of words, most of them ASCII. Written as JSON, it has about as many
/// escapes as real tools' long strings: of those recorded for the sweeps, half
/// have more than 26 a KiB. A test holds it to that.
fn prose(random: &mut Random, size_bytes: usize) -> String {
    let mut out = String::with_capacity(size_bytes + 256);
    while out.len() < size_bytes {
        let count = 5 + random.below(7);
        words(random, &mut out, count);
        if random.once_in(5) {
            out.push_str(" \"");
            words(random, &mut out, 2);
            out.push('"');
        }
        if random.once_in(20) {
            out.push_str(" – naïve “quotes”");
        }
        out.push('\n');
    }
    out
}

fn words(random: &mut Random, out: &mut String, count: usize) {
    for at in 0..count {
        if at > 0 {
            out.push(' ');
        }
        out.push_str(random.pick::<&str>(&WORDS));
    }
}

/// `text` as a JSON string, quotes included.
fn string(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    out.push('"');
    let mut rest = text;
    while let Some(at) = rest.find(['"', '\\', '\n']) {
        let (plain, escaped) = rest.split_at(at);
        out.push_str(plain);
        out.push_str(match escaped.as_bytes().first() {
            Some(b'"') => "\\\"",
            Some(b'\\') => "\\\\",
            _ => "\\n",
        });
        rest = &escaped[1..];
    }
    out.push_str(rest);
    out.push('"');
    out
}

/// `compact`, a text without white space between tokens, indented by two.
fn indented(compact: &str) -> String {
    let mut out = String::with_capacity(compact.len() * 2);
    let (mut depth, mut inside, mut escaped) = (0_usize, false, false);
    let mut start = 0;
    for (at, byte) in compact.bytes().enumerate() {
        if inside {
            inside = escaped || byte != b'"';
            escaped = !escaped && byte == b'\\';
            continue;
        }
        let empty = |next: usize| matches!(compact.as_bytes().get(next), Some(b'}' | b']'));
        let opened = at > 0 && matches!(compact.as_bytes().get(at - 1), Some(b'{' | b'['));
        match byte {
            b'"' => inside = true,
            b'{' | b'[' => {
                out.push_str(&compact[start..=at]);
                start = at + 1;
                depth += 1;
                if !empty(at + 1) {
                    line(&mut out, depth);
                }
            }
            b'}' | b']' => {
                out.push_str(&compact[start..at]);
                start = at;
                depth = depth.saturating_sub(1);
                if !opened {
                    line(&mut out, depth);
                }
            }
            b',' => {
                out.push_str(&compact[start..=at]);
                start = at + 1;
                line(&mut out, depth);
            }
            b':' => {
                out.push_str(&compact[start..=at]);
                start = at + 1;
                out.push(' ');
            }
            _ => {}
        }
    }
    out.push_str(&compact[start..]);
    out
}

fn line(out: &mut String, depth: usize) {
    out.push('\n');
    for _ in 0..depth {
        out.push_str("  ");
    }
}

/// The size of compact issues that come out at `size_bytes` once indented, and
/// then grown by `growth`.
fn shrunk(size_bytes: usize, growth: f64) -> usize {
    (size_bytes as f64 / (INDENT_GROWTH * growth)) as usize
}

/// By how much issues grow when they are indented; when that is then quoted;
/// when they are printed twice, once quoted. A test holds the sizes.
const INDENT_GROWTH: f64 = 1.55;
const QUOTING_GROWTH: f64 = 1.10;
const MIRRORING_GROWTH: f64 = 2.15;

/// An issue, about.
const ISSUE_BYTES: usize = 640;

/// A body of `LongStrings`.
const BODY_BYTES: usize = 4_096;

/// As a library writes it: references, unions, formats and a closed object.
const OF_ISSUES: &str = r##"{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{"total_count":{"type":"integer"},"incomplete_results":{"type":"boolean"},"items":{"type":"array","items":{"$ref":"#/$defs/Issue"}}},"required":["total_count","incomplete_results","items"],"$defs":{"User":{"type":"object","properties":{"login":{"type":"string"},"id":{"type":"integer"},"type":{"enum":["User","Bot"]},"site_admin":{"type":"boolean"}},"required":["login","id","type","site_admin"]},"Label":{"type":"object","properties":{"name":{"type":"string"},"color":{"type":"string","pattern":"^[0-9a-f]{6}$"}},"required":["name","color"],"additionalProperties":false},"Issue":{"type":"object","properties":{"id":{"type":"integer"},"number":{"type":"integer"},"title":{"type":"string"},"state":{"enum":["open","closed"]},"locked":{"type":"boolean"},"user":{"$ref":"#/$defs/User"},"labels":{"type":"array","items":{"$ref":"#/$defs/Label"}},"assignee":{"anyOf":[{"$ref":"#/$defs/User"},{"type":"null"}]},"comments":{"type":"integer","minimum":0},"score":{"type":"number"},"created_at":{"type":"string","format":"date-time"},"url":{"type":"string","format":"uri"},"body":{"type":"string"},"reactions":{"type":"object","additionalProperties":{"type":"integer"}}},"required":["id","number","title","state","user","labels","created_at","url"]}}}"##;

/// The same for pages, in the older draft.
const OF_PAGES: &str = r##"{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"pages":{"type":"array","items":{"type":"object","properties":{"path":{"type":"string"},"sha":{"type":"string","pattern":"^[0-9a-f]{16}$"},"body":{"type":"string","minLength":1}},"required":["path","sha","body"],"additionalProperties":false}}},"required":["pages"],"additionalProperties":false}"##;

const LOGINS: [&str; 6] = ["octocat", "mara-k", "jdoe", "release-bot", "zoë", "dependabot"];
const LABELS: [&str; 6] = ["bug", "help wanted", "P1", "area/parser", "good first issue", "docs"];
const WORDS: [&str; 24] = [
    "the",
    "parser",
    "refuses",
    "a",
    "valid",
    "request",
    "when",
    "timeout",
    "of",
    "upstream",
    "is",
    "shorter",
    "than",
    "its",
    "retry",
    "window",
    "and",
    "cache",
    "returns",
    "stale",
    "entries",
    "after",
    "reload",
    "configuration",
];

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

    use super::*;

    #[test]
    fn every_document_is_json_of_about_the_size_asked_for() {
        for shape in Shape::ALL {
            for size_bytes in [2_000, 64_000, 1_000_000, 4_000_000] {
                let Document { text, part } = shape.document(size_bytes, 7);
                for text in [Some(&text), part.as_ref()].into_iter().flatten() {
                    serde_json::from_str::<serde::de::IgnoredAny>(text)
                        .unwrap_or_else(|error| panic!("{}: {error}", shape.name()));
                }
                let off = text.len() as f64 / size_bytes as f64;
                let slack = if size_bytes < 10_000 { 0.4 } else { 0.06 };
                assert!((off - 1.0).abs() < slack, "{} {size_bytes}: {}", shape.name(), text.len());
            }
        }
    }

    #[test]
    fn long_strings_have_as_many_escapes_as_real_ones() {
        let text = string(&prose(&mut Random::new(1), 100_000));
        let per_kib = text.matches('\\').count() as f64 * 1_024.0 / text.len() as f64;
        assert!((per_kib - 26.0).abs() < 2.0, "{per_kib}");
    }

    #[test]
    fn another_seed_makes_another_document() {
        for shape in Shape::ALL {
            assert_ne!(shape.document(2_000, 1).text, shape.document(2_000, 2).text);
        }
    }

    #[test]
    fn the_part_of_a_document_is_what_its_text_says() {
        for shape in [Shape::JsonInText, Shape::Mirrored] {
            let Document { text, part } = shape.document(64_000, 3);
            let result: serde_json::Value = serde_json::from_str(&text).unwrap();
            assert_eq!(result["content"][0]["text"].as_str(), part.as_deref());
        }
    }

    #[test]
    fn indenting_agrees_with_serde_json() {
        let compact = r#"{"a":[],"b":{},"c":[1,{"d":"x, \" y: ["}],"e":null}"#;
        let value: serde_json::Value = serde_json::from_str(compact).unwrap();
        assert_eq!(indented(compact), serde_json::to_string_pretty(&value).unwrap());
    }
}
