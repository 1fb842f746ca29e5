//! OpenCode. It joins the texts, and keeps whole lines from the start: at most
//! 2,000 of them, and 50 KiB; the whole goes to a file. It reads `content`,
//! and `structuredContent` where there is none. For two weeks of June 2026 it
//! read `structuredContent` first.

use result_budget_support::Tree;

use crate::blocks::{Block, blocks, printed, structured};
use crate::{Client, Half, Shown};

/// OpenCode.
pub const OPENCODE: Client = Client {
    name: "OpenCode",
    preset: Some("opencode"),
    own_cut: "over 50 KiB or 2,000 lines, whole lines from the start stay",
    half: Half::Content,
    sources: &[
        "https://github.com/anomalyco/opencode/blob/dev/packages/opencode/src/tool/truncate.ts",
        "https://github.com/anomalyco/opencode/pull/34505",
    ],
    shown: |result| {
        let texts = texts(result);
        let empty = result.member("content").is_none_or(|content| content.items().is_empty());
        let structured = structured(result).filter(|_| empty);
        head(&structured.map_or(texts, printed))
    },
};

/// OpenCode of June 2026.
pub const OPENCODE_2026_06: Client = Client {
    name: "OpenCode of June 2026",
    half: Half::Structured,
    sources: &["https://github.com/anomalyco/opencode/pull/32074"],
    shown: |result| head(&structured(result).map_or_else(|| texts(result), printed)),
    ..OPENCODE
};

const MAX_LINES: usize = 2_000;
const MAX_BYTES: usize = 50 * 1_024;

fn texts(result: &Tree<'_>) -> String {
    let texts: Vec<&str> = blocks(result)
        .into_iter()
        .filter_map(|(block, _)| match block {
            Block::Text(text) | Block::ResourceText(text) => Some(text),
            _ => None,
        })
        .collect();
    texts.join("\n\n")
}

fn head(text: &str) -> Shown {
    let lines = text.split('\n').count();
    if text.len() <= MAX_BYTES && lines <= MAX_LINES {
        return Shown { text: text.to_string(), cut: false };
    }
    let mut kept: Vec<&str> = Vec::new();
    let mut bytes = 0;
    for line in text.split('\n').take(MAX_LINES) {
        let more = line.len() + usize::from(!kept.is_empty());
        if bytes + more > MAX_BYTES {
            break;
        }
        bytes += more;
        kept.push(line);
    }
    let told = format!(
        "{}\n\n...truncated...\n\nThe tool call succeeded but the output was truncated. Full output saved to: FILE",
        kept.join("\n")
    );
    Shown { text: told, cut: true }
}
