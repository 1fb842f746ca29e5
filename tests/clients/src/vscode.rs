//! VS Code with GitHub Copilot. It reads `structuredContent` first, and skips
//! the text blocks then; links and embedded resources stay. A block for the
//! user alone is not shown. Each text over 8,192 characters goes to a file,
//! and the model gets its path alone.

use result_budget_support::Tree;

use crate::blocks::{Block, blocks, is_for_model, printed, structured};
use crate::cut::utf16;
use crate::{Client, Half, Shown};

/// VS Code.
pub const VSCODE: Client = Client {
    name: "VS Code",
    preset: Some("vscode"),
    own_cut: "a text over 8,192 characters goes to a file",
    half: Half::Structured,
    sources: &[
        "https://github.com/microsoft/vscode/blob/main/src/vs/workbench/contrib/mcp/common/mcpLanguageModelToolContribution.ts",
        "https://github.com/microsoft/vscode/pull/329276",
        "https://code.visualstudio.com/docs/copilot/reference/copilot-settings",
    ],
    shown,
};

const MAX_CHARS: usize = 8 * 1_024;

fn shown(result: &Tree<'_>) -> Shown {
    let structured = structured(result);
    let own = blocks(result).into_iter().filter(|(_, tree)| is_for_model(tree));
    let texts = own.filter_map(|(block, _)| match block {
        Block::Text(text) => structured.is_none().then(|| text.to_string()),
        Block::ResourceText(text) => Some(text.to_string()),
        Block::Link(_, uri) => Some(uri.to_string()),
        Block::Image(_) | Block::Audio(_) | Block::ResourceBlob(_) | Block::Other(_) => None,
    });
    let mut cut = false;
    let shown: Vec<String> = texts
        .chain(structured.map(printed))
        .map(|text| {
            let chars = utf16(&text);
            if chars <= MAX_CHARS {
                return text;
            }
            cut = true;
            format!(
                "Large tool result ({}KB) written to file. Use the read_file tool to access the content at: FILE",
                chars / 1_024
            )
        })
        .collect();
    Shown { text: shown.join("\n"), cut }
}
