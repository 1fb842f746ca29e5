//! Claude Code. It reads `structuredContent` first, as JSON, and the text
//! blocks are not seen then. Over 50,000 characters, or 25,000 tokens, the
//! whole goes to a file, and about the first 2,000 characters are shown.
//!
//! Its source is closed: this is what its users measured and its documentation
//! tells. Its tokenizer is not published: the engine's estimate stands in.

use result_budget_core::tokens::estimate;
use result_budget_support::Tree;

use crate::blocks::{Block, blocks, printed, structured};
use crate::cut::{head_utf16, utf16};
use crate::{Client, Half, Shown};

/// Claude Code.
pub const CLAUDE_CODE: Client = Client {
    name: "Claude Code",
    preset: Some("claude-code"),
    own_cut: "over 50,000 characters or 25,000 tokens it goes to a file, and about the first 2,000 characters are shown",
    half: Half::Structured,
    sources: &[
        "https://github.com/anthropics/claude-code/issues/79944",
        "https://github.com/anthropics/claude-code/issues/45770",
        "https://github.com/anthropics/claude-code/issues/78478",
    ],
    shown,
};

const MAX_CHARS: usize = 50_000;
const MAX_TOKENS: usize = 25_000;
const PREVIEW_CHARS: usize = 2_000;

fn shown(result: &Tree<'_>) -> Shown {
    let text = structured(result).map_or_else(|| texts(result), printed);
    if utf16(&text) <= MAX_CHARS && estimate(&text) <= MAX_TOKENS {
        return Shown { text, cut: false };
    }
    let preview = head_utf16(&text, PREVIEW_CHARS);
    // To a line's end, where one is in the second half.
    let line = preview.rfind('\n').filter(|at| *at > preview.len() / 2);
    let preview = preview.get(..line.unwrap_or(preview.len())).unwrap_or_default();
    let text = format!(
        "<persisted-output>\nOutput too large ({} characters). Full output saved to: FILE\n\nPreview (first 2KB):\n{preview}\n...\n</persisted-output>",
        utf16(&text)
    );
    Shown { text, cut: true }
}

fn texts(result: &Tree<'_>) -> String {
    let texts: Vec<&str> = blocks(result)
        .into_iter()
        .filter_map(|(block, _)| match block {
            Block::Text(text) | Block::ResourceText(text) => Some(text),
            Block::Link(_, uri) => Some(uri),
            _ => None,
        })
        .collect();
    texts.join("\n")
}
