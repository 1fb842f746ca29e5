//! Qwen Code. It reads `content` alone. Each text part over 25,000 characters
//! or 1,000 lines keeps a fifth of that from the start and the rest from the
//! end, by lines; the whole goes to a file. Builds of late 2026 cut only from
//! 500,000 characters a part on, and keep 2,000.

use result_budget_support::Tree;

use crate::cut::{head_utf16, tail_utf16, utf16};
use crate::gemini_cli::{error, parts};
use crate::{Client, Half, Shown};

/// Qwen Code.
pub const QWEN_CODE: Client = Client {
    name: "Qwen Code",
    preset: Some("qwen-code"),
    own_cut: "a text over 25,000 characters or 1,000 lines keeps a fifth of that at its start, the rest at its end",
    half: Half::Content,
    sources: &[
        "https://github.com/QwenLM/qwen-code/blob/main/packages/core/src/utils/truncation.ts",
        "https://github.com/QwenLM/qwen-code/blob/main/packages/core/src/tools/mcp-tool.ts",
    ],
    shown,
};

const MAX_CHARS: usize = 25_000;
const MAX_LINES: usize = 1_000;
const MARK: &str = "\n\n---\n... [CONTENT TRUNCATED] ...\n---\n\n";

fn shown(result: &Tree<'_>) -> Shown {
    if let Some(error) = error(result) {
        return Shown { text: error, cut: false };
    }
    let mut cut = false;
    let texts: Vec<String> = parts(result)
        .into_iter()
        .map(|part| {
            let lines: Vec<&str> = part.split('\n').collect();
            if utf16(&part) <= MAX_CHARS && lines.len() <= MAX_LINES {
                return part;
            }
            cut = true;
            both_ends(&lines)
        })
        .collect();
    Shown { text: texts.join("\n"), cut }
}

fn both_ends(lines: &[&str]) -> String {
    let count = lines.len().min(MAX_LINES);
    let room = MAX_CHARS - MARK.len();
    let first = (count / 5).max(1);
    let start = side(lines.iter().take(first), room / 5, |line, room| {
        format!("{}...", head_utf16(line, room))
    });
    let used: usize = start.iter().map(|line| utf16(line) + 1).sum();
    let rest = lines.iter().skip(start.len()).rev().take(count - first);
    let mut end = side(rest, room.saturating_sub(used), |line, room| {
        format!("...{}", tail_utf16(line, room))
    });
    end.reverse();
    format!(
        "Tool output was too large and has been truncated.\nThe full output has been saved to: FILE\n\nTruncated part of the output:\n{}{MARK}{}",
        start.join("\n"),
        end.join("\n")
    )
}

/// Lines while there is room, and a piece of the one that is too long for it.
fn side<'a>(
    lines: impl Iterator<Item = &'a &'a str>,
    mut room: usize,
    piece: impl Fn(&str, usize) -> String,
) -> Vec<String> {
    let mut taken = Vec::new();
    for line in lines {
        if room == 0 {
            break;
        }
        if utf16(line) + 1 > room {
            if room >= 3 {
                taken.push(piece(line, room - 3));
            }
            break;
        }
        room -= utf16(line) + 1;
        taken.push((*line).to_string());
    }
    taken
}
