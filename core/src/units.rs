//! What a model reads, counted in tokens and in lines.
//!
//! Counts what `max_text_bytes` counts: texts as they are decoded, structured
//! data and blocks of other kinds as compact JSON. Allocates nothing.

use crate::envelope::{Block, BlockKind, Envelope};
use crate::json::walk::Doc;
use crate::limit::Limits;
use crate::plan::account::BudgetKind;
use crate::tokens::Estimate;

/// Counts of what a model reads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Units {
    pub(crate) tokens: usize,
    pub(crate) lines: usize,
}

impl Units {
    /// Counts, whatever is limited.
    pub(crate) fn of(doc: &Doc<'_>, envelope: &Envelope<'_>) -> Units {
        let mut units = Units::default();
        if let Some(structured) = &envelope.structured {
            units.add(Counter::of_json(doc.raw(structured)));
        }
        for item in envelope.content.iter().flat_map(|content| doc.items(content)) {
            let block = Block::read(doc, item);
            match (block.kind, block.payload) {
                (BlockKind::Text | BlockKind::ResourceText, Some(payload)) => {
                    units.add(Counter::of_body(doc.body(&payload)));
                }
                (BlockKind::Image | BlockKind::Audio | BlockKind::ResourceBlob, _) => {}
                (BlockKind::Text | BlockKind::ResourceText | BlockKind::Whole, _) => {
                    units.add(Counter::of_json(doc.raw(&block.value)));
                }
            }
        }
        // Clients put an empty line between two texts.
        units.lines = units.lines.saturating_sub(1);
        units
    }

    /// Counts where a limit of these is on, else says zero.
    pub(crate) fn limited(doc: &Doc<'_>, envelope: &Envelope<'_>, limits: &Limits) -> Units {
        if limits.max_text_tokens.is_none() && limits.max_text_lines.is_none() {
            return Units::default();
        }
        Units::of(doc, envelope)
    }

    /// The first limit of these that is passed; the count and the limit.
    pub(crate) fn over(self, limits: &Limits) -> Option<(BudgetKind, usize, usize)> {
        [
            (BudgetKind::TextTokens, self.tokens, limits.max_text_tokens),
            (BudgetKind::TextLines, self.lines, limits.max_text_lines),
        ]
        .into_iter()
        .filter_map(|(kind, count, limit)| Some((kind, count, limit? as usize)))
        .find(|(_, count, limit)| count > limit)
    }

    /// The largest share of a limit of these that is used, in hundredths.
    pub(crate) fn use_percent(self, limits: &Limits) -> usize {
        let share = |count: usize, limit: Option<u32>| {
            limit.map_or(0, |limit| count.saturating_mul(100) / (limit as usize).max(1))
        };
        share(self.tokens, limits.max_text_tokens).max(share(self.lines, limits.max_text_lines))
    }

    fn add(&mut self, counter: Counter) {
        self.tokens += counter.tokens.total();
        self.lines += counter.line_ends + 2;
    }
}

/// Counts one text.
#[derive(Default)]
struct Counter {
    tokens: Estimate,
    line_ends: usize,
}

impl Counter {
    /// Counts the text that an encoded JSON string stands for.
    fn of_body(body: &str) -> Counter {
        let mut counter = Counter::default();
        let mut chars = body.chars();
        while let Some(c) = chars.next() {
            counter.push(if c == '\\' { unescape(&mut chars) } else { c });
        }
        counter
    }

    /// Counts JSON as it is written, without white space between its tokens.
    fn of_json(json: &str) -> Counter {
        let mut counter = Counter::default();
        let (mut in_string, mut escaped) = (false, false);
        for c in json.chars() {
            if !in_string && c.is_ascii_whitespace() {
                continue;
            }
            in_string ^= c == '"' && !escaped;
            escaped = c == '\\' && !escaped;
            counter.push(c);
        }
        counter
    }

    fn push(&mut self, c: char) {
        self.line_ends += usize::from(c == '\n');
        self.tokens.push(c);
    }
}

/// The character of an escape, whose backslash was taken from `chars`.
fn unescape(chars: &mut core::str::Chars<'_>) -> char {
    match chars.next() {
        Some('n') => '\n',
        Some('t') => '\t',
        Some('r') => '\r',
        Some('b') => '\u{8}',
        Some('f') => '\u{c}',
        Some('u') => {
            let high = hex(chars);
            let mut low = chars.clone();
            let pair = (0xD800..0xDC00).contains(&high)
                && low.next() == Some('\\')
                && low.next() == Some('u');
            if pair {
                let second = hex(&mut low);
                if (0xDC00..0xE000).contains(&second) {
                    *chars = low;
                    let scalar = 0x1_0000 + ((high & 0x3FF) << 10) + (second & 0x3FF);
                    return char::from_u32(scalar).unwrap_or(char::REPLACEMENT_CHARACTER);
                }
            }
            char::from_u32(high).unwrap_or(char::REPLACEMENT_CHARACTER)
        }
        Some(c) => c,
        None => char::REPLACEMENT_CHARACTER,
    }
}

fn hex(chars: &mut core::str::Chars<'_>) -> u32 {
    let mut value = 0;
    for digit in chars.by_ref().take(4) {
        value = value * 16 + digit.to_digit(16).unwrap_or(0);
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::pointer::{decode_body, write_json_body};
    use alloc::string::String;

    #[test]
    fn an_encoded_text_counts_as_the_text_it_stands_for() {
        for body in [
            "",
            "plain",
            "a\\nb\\n",
            "\\u00e9\\\\\\\"",
            "\\ud83d\\ude00x",
            "\\ud83dx",
            "\\ude00\\ud83d",
            "\\ud83d\\u0041",
            "\\/\\b\\f\\r\\t",
            "日本\\n語",
            "\\ud83d\\ud83d\\ude00",
        ] {
            let text = decode_body(body);
            let counter = Counter::of_body(body);
            assert_eq!(counter.tokens.total(), crate::tokens::estimate(&text), "{body}");
            assert_eq!(counter.line_ends, text.matches('\n').count(), "{body}");
            let mut again = String::new();
            write_json_body(&mut again, &text);
            assert_eq!(Counter::of_body(&again).tokens.total(), counter.tokens.total(), "{body}");
        }
    }

    #[test]
    fn white_space_between_tokens_of_json_counts_nothing() {
        let one = Counter::of_json(" { \"a b\" :\n[ 1 , \"\\\" \" ] } ").tokens.total();
        assert_eq!(one, crate::tokens::estimate("{\"a b\":[1,\"\\\" \"]}"));
    }
}
