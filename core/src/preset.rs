//! The presets: three sizes, and what each known client leaves of a result
//! before it cuts by itself.
//!
//! Chooses by name alone. What a client's row says is chosen so that our text
//! is under the client's own cut in its unit, in any script, with room for what
//! the client wraps around it.

/// The ceilings of a named size, or of a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preset {
    /// Its name in a policy document and on a command line.
    pub name: &'static str,
    /// `max_text_bytes`.
    pub max_text_bytes: u32,
    /// `max_text_tokens`.
    pub max_text_tokens: Option<u32>,
    /// `max_text_lines`.
    pub max_text_lines: Option<u32>,
    /// `max_binary_bytes`.
    pub max_binary_bytes: u32,
    /// `max_result_bytes`.
    pub max_result_bytes: u32,
    /// The names by which clients that take it call themselves, in any case; a
    /// `*` at the end stands for any rest. None for a size.
    pub client_names: &'static [&'static str],
    /// What the client does by itself, in one sentence; empty for a size.
    pub client_rule: &'static str,
    /// Where that is told; empty for a size.
    pub source: &'static str,
}

impl Preset {
    /// The preset called `name`.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Preset> {
        PRESETS.iter().find(|preset| preset.name == name)
    }

    /// The preset of the client that calls itself `client_name`, with or
    /// without a remark on the bridge that it came by.
    ///
    /// ```
    /// use result_budget_core::Preset;
    /// let name = |client| Preset::of_client(client).map(|preset| preset.name);
    /// assert_eq!(name("Codex-MCP-Client"), Some("codex"));
    /// assert_eq!(name("cline (via mcp-remote 0.1.37)"), Some("cline"));
    /// assert_eq!(name("clinepad"), None);
    /// ```
    #[must_use]
    pub fn of_client(client_name: &str) -> Option<&'static Preset> {
        let own = client_name.split_once(" (via ").map_or(client_name, |(own, _)| own);
        PRESETS.iter().find(|preset| preset.client_names.iter().any(|name| is_client(own, name)))
    }
}

/// Whether the client `given` is one of those that `name` stands for.
fn is_client(given: &str, name: &str) -> bool {
    match name.strip_suffix('*') {
        Some(start) => given.get(..start.len()).is_some_and(|own| own.eq_ignore_ascii_case(start)),
        None => given.eq_ignore_ascii_case(name),
    }
}

/// The name that leaves the choice to the client's name.
pub const AUTO: &str = "auto";

/// The default.
pub(crate) const NORMAL: Preset = Preset { name: "normal", max_text_bytes: 32_000, ..CLIENT };

/// What the rows of clients have in common.
const CLIENT: Preset = Preset {
    name: "",
    max_text_bytes: 0,
    max_text_tokens: None,
    max_text_lines: None,
    max_binary_bytes: 1_024 * 1_024,
    max_result_bytes: 2 * 1_024 * 1_024,
    client_names: &[],
    client_rule: "",
    source: "",
};

/// The presets: sizes first, smallest first; `normal` is the default.
pub const PRESETS: [Preset; 11] = [
    Preset {
        name: "small",
        max_text_bytes: 8_000,
        max_binary_bytes: 256 * 1_024,
        max_result_bytes: 512 * 1_024,
        ..CLIENT
    },
    NORMAL,
    Preset {
        name: "large",
        max_text_bytes: 65_536,
        max_binary_bytes: 4 * 1_024 * 1_024,
        max_result_bytes: 8 * 1_024 * 1_024,
        ..CLIENT
    },
    Preset {
        name: "claude-code",
        max_text_bytes: 48_000,
        // Of 25,000 by a tokenizer that is not published: a fifth is margin.
        max_text_tokens: Some(20_000),
        client_names: &["claude-code", "Claude Code"],
        client_rule: "refuses over 25,000 tokens; text over 50,000 characters goes to a file, of which about 2 KB are shown",
        source: "anthropics/claude-code#42869, #45770, #78478",
        ..CLIENT
    },
    Preset {
        name: "codex",
        // It counts four bytes as a token: bytes are enough.
        max_text_bytes: 38_000,
        client_names: &["codex", "codex-mcp-client*", "codex_*"],
        client_rule: "cuts the middle of what is over about 10,000 tokens, counted as four bytes each; over 10,000 bytes for models that it does not know",
        source: "openai/codex#6544, #6746, #7906, #14466",
        ..CLIENT
    },
    Preset {
        name: "gemini-cli",
        max_text_bytes: 38_000,
        client_names: &["gemini-cli*"],
        client_rule: "cuts a single text over 40,000 characters to its first fifth and its tail; the whole goes to a file",
        source: "google-gemini/gemini-cli#19365",
        ..CLIENT
    },
    Preset {
        name: "vscode",
        max_text_bytes: 7_600,
        client_names: &["vscode", "Visual Studio Code*", "Visual-Studio-Code*", "Code - OSS*"],
        client_rule: "puts results over 8 KB into a file, and shows its path and a preview",
        source: "microsoft/vscode#329276",
        ..CLIENT
    },
    Preset {
        name: "opencode",
        max_text_bytes: 48_000,
        max_text_lines: Some(1_900),
        client_names: &["opencode"],
        client_rule: "cuts at 2,000 lines or 50 KB, whichever comes first; the whole goes to a file",
        source: "anomalyco/opencode, packages/opencode/src/tool/truncation.ts",
        ..CLIENT
    },
    Preset {
        name: "qwen-code",
        max_text_bytes: 23_500,
        max_text_lines: Some(950),
        client_names: &["qwen-code*", "qwen-cli*"],
        client_rule: "cuts at 25,000 characters or 1,000 lines; the whole goes to a file",
        source: "QwenLM/qwen-code, settings `tools.truncateToolOutputThreshold` and `tools.truncateToolOutputLines`",
        ..CLIENT
    },
    Preset {
        name: "cline",
        max_text_bytes: 7_600,
        client_names: &["cline"],
        client_rule: "cuts at 8,000 characters",
        source: "cline/cline#13263",
        ..CLIENT
    },
    Preset {
        name: "cursor",
        max_text_bytes: 32_000,
        client_names: &["cursor", "cursor-*"],
        client_rule: "puts long results into files; from which size on is not published",
        source: "Cursor's blog, January 2026",
        ..CLIENT
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limit::{LIMITS, Limits};

    #[test]
    fn every_preset_is_in_range_and_no_name_selects_two() {
        for (at, preset) in PRESETS.iter().enumerate() {
            assert!(Limits::of_preset(preset).check().is_ok(), "{}", preset.name);
            assert_ne!(preset.name, AUTO);
            let client = !preset.client_names.is_empty();
            assert_eq!(client, !preset.client_rule.is_empty() && !preset.source.is_empty());
            for (other_at, other) in PRESETS.iter().enumerate().filter(|(other, _)| *other != at) {
                assert_ne!(preset.name, other.name, "{at} {other_at}");
                for name in preset.client_names {
                    let name = name.trim_end_matches('*');
                    assert!(other.client_names.iter().all(|pattern| !is_client(name, pattern)));
                }
            }
        }
        assert!(LIMITS.iter().any(|limit| limit.name == "max_text_tokens"));
    }

    #[test]
    fn a_clients_name_is_matched_whole_or_by_its_documented_start() {
        let name = |client| Preset::of_client(client).map(|preset| preset.name);
        for (client, expected) in [
            ("claude-code", Some("claude-code")),
            ("CLAUDE-CODE", Some("claude-code")),
            ("claude-code-2", None),
            ("claude-ai", None),
            ("codex-mcp-client", Some("codex")),
            ("codex-mcp-client-7", Some("codex")),
            ("codexx", None),
            ("codex_cli_rs", Some("codex")),
            ("gemini-cli-mcp-client-weather", Some("gemini-cli")),
            ("gemini", None),
            ("Visual Studio Code", Some("vscode")),
            ("visual studio code - insiders", Some("vscode")),
            ("opencode", Some("opencode")),
            ("qwen-code-mcp-client", Some("qwen-code")),
            ("Cline", Some("cline")),
            ("cursor-vscode", Some("cursor")),
            ("cursor-vscode (via mcp-remote 0.1.37)", Some("cursor")),
            ("", None),
            ("normal", None),
            ("small", None),
            ("кодекс", None),
            ("gemini-clИ", None),
        ] {
            assert_eq!(name(client), expected, "{client}");
        }
    }
}
