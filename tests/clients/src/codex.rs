//! Codex. Checked beside the real program by `drive.py`.
//!
//! It reads `structuredContent` first, printed as JSON, behind a line of its
//! own; else each text block as a part of its own, and anything else but
//! pictures and sounds as the JSON of the whole block. A tool's output may be
//! 10,000 tokens of four bytes, and a fifth more for what stands around it;
//! from more than that it takes the middle. For a model of which it knows
//! nothing (any model of another provider) it is 10,000 bytes, and a fifth.

use result_budget_support::Tree;

use crate::blocks::{Block, blocks, printed, structured};
use crate::cut::{head, tail};
use crate::{Client, Half, Shown};

const SOURCES: [&str; 3] = [
    "https://github.com/openai/codex/blob/main/codex-rs/utils/output-truncation/src/lib.rs",
    "https://github.com/openai/codex/blob/main/codex-rs/protocol/src/models.rs",
    "https://developers.openai.com/codex/config-reference/",
];

/// Codex with a model that it knows.
pub const CODEX: Client = Client {
    name: "Codex",
    preset: Some("codex"),
    own_cut: "over 12,000 tokens of four bytes, the middle goes",
    half: Half::Structured,
    sources: &SOURCES,
    shown: |result| parts(result, 12_000),
};

/// Codex with a model that it does not know.
pub const CODEX_OTHER_MODELS: Client = Client {
    name: "Codex, models of others",
    // By hand: its name does not tell of the model.
    preset: Some("small"),
    own_cut: "over 12,000 bytes, the middle goes",
    shown: |result| parts(result, 3_000),
    ..CODEX
};

/// Codex before November 2025.
pub const CODEX_2025: Client = Client {
    name: "Codex before 0.60",
    preset: None,
    own_cut: "over 10 KiB or 256 lines, the middle goes",
    half: Half::Structured,
    sources: &["https://github.com/openai/codex/issues/6544"],
    shown: of_2025,
};

const HEADER: &str = "Wall time: 0.0000 seconds\nOutput:";

fn parts(result: &Tree<'_>, max_tokens: usize) -> Shown {
    let texts = match structured(result) {
        Some(structured) => vec![format!("{HEADER}\n{}", printed(structured))],
        None => {
            let blocks = blocks(result);
            let own = blocks.into_iter().filter_map(|(block, tree)| text_of(block, tree));
            [String::from(HEADER)].into_iter().chain(own).collect()
        }
    };
    let once = cut(&texts, max_tokens);
    // The output is cut when it is made, and again when it is remembered.
    Shown { text: cut(&once, max_tokens).join("\n"), cut: once != texts }
}

/// Parts while there is room, and the ends of the first that is too long.
fn cut(texts: &[String], max_tokens: usize) -> Vec<String> {
    let mut left = max_tokens;
    let (mut shown, mut omitted) = (Vec::new(), 0);
    for text in texts.iter().filter(|text| !text.is_empty()) {
        let tokens = text.len().div_ceil(4);
        if left == 0 {
            omitted += 1;
        } else if tokens <= left {
            left -= tokens;
            shown.push(text.clone());
        } else {
            shown.push(middle(text, left));
            left = 0;
        }
    }
    if omitted > 0 {
        shown.push(format!("[omitted {omitted} text items ...]"));
    }
    shown
}

fn text_of(block: Block<'_, '_>, tree: &Tree<'_>) -> Option<String> {
    match block {
        Block::Text(text) => Some(text.to_string()),
        Block::Image(_) => None,
        Block::Audio(_) => {
            Some("<audio content omitted because you do not support audio input>".to_string())
        }
        _ => Some(printed(tree)),
    }
}

/// Half the room for the head, half for the tail; the mark comes on top.
fn middle(text: &str, tokens: usize) -> String {
    let room = 4 * tokens;
    let (first, last) = (head(text, room / 2), tail(text, room - room / 2));
    let gone = (text.len() - first.len() - last.len()).div_ceil(4);
    format!("{first}…{gone} tokens truncated…{last}")
}

/// Head and tail of 128 lines and 5 KiB each.
fn of_2025(result: &Tree<'_>) -> Shown {
    let text = match structured(result) {
        Some(structured) => printed(structured),
        None => {
            let all = blocks(result);
            let texts: Vec<_> =
                all.into_iter().filter_map(|(block, tree)| text_of(block, tree)).collect();
            texts.join("\n")
        }
    };
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    if text.len() <= 10 * 1_024 && lines.len() <= 256 {
        return Shown { text, cut: false };
    }
    let side = lines.len().min(256) / 2;
    let first: String = lines.iter().take(side).copied().collect();
    let last: String = lines.iter().skip(lines.len() - side).copied().collect();
    // One long line has no side: it is cut by bytes alone.
    let (first, last) = if side == 0 { (text.clone(), text) } else { (first, last) };
    let (first, last) = (head(&first, 5 * 1_024), tail(&last, 5 * 1_024));
    Shown { text: format!("{first}\n[... omitted ...]\n{last}"), cut: true }
}
