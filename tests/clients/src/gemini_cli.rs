//! Gemini CLI. It reads `content` alone. One text part, and no other, is cut
//! at 40,000 characters: a fifth of them from the start, the rest from the
//! end; the whole goes to a file. More than one part is never cut. An error
//! is told as the JSON of the whole result.

use result_budget_support::Tree;
use result_budget_support::tree::Value;

use crate::blocks::{Block, blocks, printed};
use crate::cut::{head_utf16, tail_utf16, utf16};
use crate::{Client, Half, Shown};

/// Gemini CLI.
pub const GEMINI_CLI: Client = Client {
    name: "Gemini CLI",
    preset: Some("gemini-cli"),
    own_cut: "a lone text over 40,000 characters keeps the first 8,000 and the last 32,000",
    half: Half::Content,
    sources: &[
        "https://github.com/google-gemini/gemini-cli/blob/main/packages/core/src/scheduler/tool-executor.ts",
        "https://github.com/google-gemini/gemini-cli/blob/main/packages/core/src/utils/fileUtils.ts",
        "https://github.com/google-gemini/gemini-cli/blob/main/packages/core/src/tools/mcp-tool.ts",
    ],
    shown,
};

const MAX_CHARS: usize = 40_000;

fn shown(result: &Tree<'_>) -> Shown {
    if let Some(error) = error(result) {
        return Shown { text: error, cut: false };
    }
    let parts = parts(result);
    match parts.as_slice() {
        [only] if utf16(only) > MAX_CHARS => {
            let (first, last) = (MAX_CHARS / 5, MAX_CHARS - MAX_CHARS / 5);
            let text = format!(
                "Output too large. Showing first {first} and last {last} characters. For full output see: FILE\n{}\n\n... [{} characters omitted] ...\n\n{}",
                head_utf16(only, first),
                utf16(only) - MAX_CHARS,
                tail_utf16(only, last)
            );
            Shown { text, cut: true }
        }
        parts => Shown { text: parts.join("\n"), cut: false },
    }
}

/// An error: the whole of it, as JSON.
pub(crate) fn error(result: &Tree<'_>) -> Option<String> {
    let is_error = result.member("isError").is_some_and(|is| matches!(is.value, Value::Bool(true)));
    let told = "MCP tool 'TOOL' reported tool error for function call: {} with response: ";
    is_error.then(|| format!("{told}{}", printed(result)))
}

/// The parts for the model, without what is no text.
pub(crate) fn parts(result: &Tree<'_>) -> Vec<String> {
    let given = |what: &str, mime: &str| {
        vec![format!("[Tool 'TOOL' provided the following {what} with mime-type: {mime}]")]
    };
    let part = |block: Block<'_, '_>| match block {
        Block::Text(text) | Block::ResourceText(text) => vec![text.to_string()],
        Block::Image(mime) => given("image data", mime),
        Block::Audio(mime) => given("audio data", mime),
        Block::ResourceBlob(mime) => given("embedded resource", mime),
        Block::Link(name, uri) => vec![format!("Resource Link: {name} at {uri}")],
        Block::Other(_) => Vec::new(),
    };
    blocks(result).into_iter().flat_map(|(block, _)| part(block)).collect()
}
