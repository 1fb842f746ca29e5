//! What reaches the model: each client's own cut of a tool result, made anew
//! from its public source or documentation.
//!
//! No code of a client is here, only its rule: which half of the result it
//! reads, how it joins blocks, where it cuts, what it keeps. The real Codex
//! is run beside its rule by `tests/clients/codex/drive.py`.

#![allow(clippy::wildcard_enum_match_arm, reason = "a client looks at the few cases that it shows")]

pub mod blocks;
pub mod claude_code;
pub mod codex;
pub mod cut;
pub mod families;
pub mod gemini_cli;
pub mod opencode;
pub mod qwen_code;
pub mod table;
pub mod vscode;

use result_budget_support::Tree;

/// What a model gets to read of a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The text, in order; pictures and sounds are left out.
    pub text: String,
    /// The client took something away, or put it into a file.
    pub cut: bool,
}

/// Which half of a result a client hands to the model where both are there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Half {
    /// `structuredContent`, as JSON; the text blocks are not seen.
    Structured,
    /// `content`; `structuredContent` is not seen, or only where there is no
    /// content.
    Content,
}

/// A client and its rule.
#[derive(Clone, Copy, Debug)]
pub struct Client {
    /// Its name, and the build or mode where there is more than one rule.
    pub name: &'static str,
    /// The preset under which it cuts nothing; none where there is no such one,
    /// and only the notice is promised.
    pub preset: Option<&'static str>,
    /// Its own cut, in a sentence.
    pub own_cut: &'static str,
    /// Which half it reads.
    pub half: Half,
    /// Where the rule is told.
    pub sources: &'static [&'static str],
    /// The rule.
    pub shown: fn(&Tree<'_>) -> Shown,
}

/// Every rule. A client comes again where older builds, or other modes, cut
/// in another way.
pub const CLIENTS: [Client; 9] = [
    codex::CODEX,
    codex::CODEX_OTHER_MODELS,
    codex::CODEX_2025,
    claude_code::CLAUDE_CODE,
    vscode::VSCODE,
    gemini_cli::GEMINI_CLI,
    opencode::OPENCODE,
    opencode::OPENCODE_2026_06,
    qwen_code::QWEN_CODE,
];
