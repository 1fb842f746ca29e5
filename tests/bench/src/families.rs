//! Results that nobody would send who means well, of any size: each family
//! grows in another way.

use std::fmt::Write as _;

use result_budget_support::generate::encoded;

/// A way to grow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the name says it")]
pub enum Family {
    WideMap,
    DeepLists,
    LongKeys,
    OneLongString,
    AllEscapes,
    ManyBlocks,
    SameKey,
    Numbers,
    ManySmallStrings,
    JsonInText,
    Mirror,
    LogText,
    Chinese,
    EscapeSequences,
}

impl Family {
    /// All of them.
    pub const ALL: [Family; 14] = [
        Family::WideMap,
        Family::DeepLists,
        Family::LongKeys,
        Family::OneLongString,
        Family::AllEscapes,
        Family::ManyBlocks,
        Family::SameKey,
        Family::Numbers,
        Family::ManySmallStrings,
        Family::JsonInText,
        Family::Mirror,
        Family::LogText,
        Family::Chinese,
        Family::EscapeSequences,
    ];

    /// Its name in a table.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Family::WideMap => "wide map",
            Family::DeepLists => "deep lists",
            Family::LongKeys => "long keys",
            Family::OneLongString => "one long string",
            Family::AllEscapes => "escapes alone",
            Family::ManyBlocks => "many blocks",
            Family::SameKey => "one key, repeated",
            Family::Numbers => "numbers",
            Family::ManySmallStrings => "many small strings",
            Family::JsonInText => "JSON in text",
            Family::Mirror => "a text that repeats",
            Family::LogText => "a log",
            Family::Chinese => "Chinese",
            Family::EscapeSequences => "escape sequences",
        }
    }

    /// A result of about `bytes`.
    #[must_use]
    pub fn result(self, bytes: usize) -> String {
        match self {
            Family::WideMap => structured(&row('{', bytes, |at| format!("\"k{at}\":{at}"))),
            Family::DeepLists => {
                // A tower is cut to the depth limit; beside it stands another.
                let towers = row('[', bytes, |_| format!("{}{}", "[".repeat(200), "]".repeat(200)));
                structured(&towers)
            }
            Family::LongKeys => {
                let key = "k".repeat(1_000);
                structured(&row('{', bytes, |at| format!("\"{at}{key}\":{at}")))
            }
            Family::OneLongString => text(&"x".repeat(bytes)),
            Family::AllEscapes => text(&"\\\"\\\\\\n\\u0001".repeat(bytes / 12)),
            Family::ManyBlocks => {
                let blocks = row('[', bytes, |_| String::from(r#"{"type":"text","text":"x"}"#));
                format!(r#"{{"content":{blocks}}}"#)
            }
            Family::SameKey => structured(&row('{', bytes, |at| format!("\"k\":{at}"))),
            Family::Numbers => structured(&row('[', bytes, |at| format!("{}.5e{}", at, at % 9))),
            Family::ManySmallStrings => structured(&row('[', bytes, |_| String::from("\"ab\""))),
            Family::JsonInText => text(&encoded(&rows(bytes * 3 / 4))),
            Family::Mirror => {
                let rows = rows(bytes * 2 / 5);
                format!(
                    r#"{{"content":[{{"type":"text","text":"{}"}}],"structuredContent":{{"rows":{rows}}}}}"#,
                    encoded(&format!("{{\"rows\":{rows}}}"))
                )
            }
            Family::LogText => {
                let line = "2026-11-30T15:04:05Z ERROR worker-7 lost its lease\\n";
                text(&line.repeat(bytes / line.len()))
            }
            Family::Chinese => text(&"你好世界".repeat(bytes / 12)),
            Family::EscapeSequences => {
                text(&"\\u001b[38;2;10;20;30mword\\u001b[0m ".repeat(bytes / 40))
            }
        }
    }
}

fn structured(value: &str) -> String {
    format!(r#"{{"content":[],"structuredContent":{value}}}"#)
}

fn text(body: &str) -> String {
    format!(r#"{{"content":[{{"type":"text","text":"{body}"}}]}}"#)
}

/// Objects like those of a query.
fn rows(bytes: usize) -> String {
    row('[', bytes, |at| format!(r#"{{"id":{at},"name":"row {at}","open":true}}"#))
}

/// A list or a map of about `bytes`.
fn row(open: char, bytes: usize, child: impl Fn(usize) -> String) -> String {
    let mut out = String::with_capacity(bytes + 2_048);
    out.push(open);
    let mut at = 0;
    while out.len() < bytes {
        if at > 0 {
            out.push(',');
        }
        // OK because a string takes whatever is written.
        let _ = write!(out, "{}", child(at));
        at += 1;
    }
    out.push(if open == '{' { '}' } else { ']' });
    out
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

    use super::*;

    #[test]
    fn every_family_is_json_and_doubles() {
        for family in Family::ALL {
            let (small, large) = (family.result(64 * 1_024), family.result(128 * 1_024));
            serde_json::from_str::<serde::de::IgnoredAny>(&small).unwrap();
            let times = large.len() as f64 / small.len() as f64;
            assert!((times - 2.0).abs() < 0.1, "{}: {times}", family.name());
        }
    }
}
