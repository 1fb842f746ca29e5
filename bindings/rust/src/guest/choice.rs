//! What is chosen by name, and what came in.

use wasmtime::component::{ComponentType, Lift, Lower};

/// A dated revision of the protocol, oldest first.
#[derive(ComponentType, Lift, Lower, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[component(enum)]
#[repr(u8)]
pub enum Revision {
    /// The revision of 2024-11-05.
    #[component(name = "r20241105")]
    R20241105,
    /// The revision of 2025-03-26.
    #[component(name = "r20250326")]
    R20250326,
    /// The revision of 2025-06-18.
    #[component(name = "r20250618")]
    R20250618,
    /// The revision of 2025-11-25.
    #[component(name = "r20251125")]
    R20251125,
    /// The revision of 2026-07-28.
    #[component(name = "r20260728")]
    R20260728,
}

impl Revision {
    /// The name of the case, as in `wit/types.wit`.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Revision::R20241105 => "r20241105",
            Revision::R20250326 => "r20250326",
            Revision::R20250618 => "r20250618",
            Revision::R20251125 => "r20251125",
            Revision::R20260728 => "r20260728",
        }
    }
}

/// How the host prints the result after the engine (contract B14).
#[derive(ComponentType, Lift, Lower, Clone, Copy, Debug, PartialEq, Eq)]
#[component(enum)]
#[repr(u8)]
pub enum WireProfile {
    /// As the engine writes it: compact, UTF-8.
    #[component(name = "utf8-compact")]
    Utf8Compact,
    /// Compact, every non-ASCII character as `\uXXXX`.
    #[component(name = "ascii-compact")]
    AsciiCompact,
    /// ASCII, a space after each comma and colon.
    #[component(name = "python-json")]
    PythonJson,
    /// Compact UTF-8 with what HTML gives a meaning as `\uXXXX`.
    #[component(name = "html-escaped")]
    HtmlEscaped,
}

impl WireProfile {
    /// The name of the case, as in `wit/types.wit`.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            WireProfile::Utf8Compact => "utf8-compact",
            WireProfile::AsciiCompact => "ascii-compact",
            WireProfile::PythonJson => "python-json",
            WireProfile::HtmlEscaped => "html-escaped",
        }
    }
}

/// What happens to a text block that repeats `structuredContent`.
#[derive(ComponentType, Lift, Lower, Clone, Copy, Debug, PartialEq, Eq)]
#[component(enum)]
#[repr(u8)]
pub enum Mirror {
    /// Both stay, equal.
    #[component(name = "both")]
    Both,
    /// The text block is replaced by a short remark.
    #[component(name = "structured")]
    Structured,
    /// `structuredContent` goes, where no output schema demands it.
    #[component(name = "text")]
    Text,
}

impl Mirror {
    /// The name of the case, as in `wit/types.wit`.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Mirror::Both => "both",
            Mirror::Structured => "structured",
            Mirror::Text => "text",
        }
    }
}

/// Where the notice stands in `content`.
#[derive(ComponentType, Lift, Lower, Clone, Copy, Debug, PartialEq, Eq)]
#[component(enum)]
#[repr(u8)]
pub enum NoticePlace {
    /// Before all other blocks.
    #[component(name = "first")]
    First,
    /// After all other blocks.
    #[component(name = "last")]
    Last,
}

impl NoticePlace {
    /// The name of the case, as in `wit/types.wit`.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            NoticePlace::First => "first",
            NoticePlace::Last => "last",
        }
    }
}

/// Which part of a long plain text stays.
#[derive(ComponentType, Lift, Lower, Clone, Copy, Debug, PartialEq, Eq)]
#[component(enum)]
#[repr(u8)]
pub enum TextKeep {
    /// Head and tail for errors and logs, else the head.
    #[component(name = "auto")]
    Auto,
    /// The head.
    #[component(name = "head")]
    Head,
    /// The tail.
    #[component(name = "tail")]
    Tail,
    /// Head and tail.
    #[component(name = "head-and-tail")]
    HeadAndTail,
}

impl TextKeep {
    /// The name of the case, as in `wit/types.wit`.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            TextKeep::Auto => "auto",
            TextKeep::Head => "head",
            TextKeep::Tail => "tail",
            TextKeep::HeadAndTail => "head-and-tail",
        }
    }
}

/// What happens to a result of `resources/read`.
#[derive(ComponentType, Lift, Lower, Clone, Copy, Debug, PartialEq, Eq)]
#[component(enum)]
#[repr(u8)]
pub enum Resources {
    /// It goes whole, or not at all.
    #[component(name = "whole")]
    Whole,
    /// Its texts may be cut, but for those under `ui://`.
    #[component(name = "cut")]
    Cut,
}

impl Resources {
    /// The name of the case, as in `wit/types.wit`.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Resources::Whole => "whole",
            Resources::Cut => "cut",
        }
    }
}

/// What came in (contract B13).
#[derive(ComponentType, Lift, Lower, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[component(enum)]
#[repr(u8)]
pub enum ResultKind {
    /// The result of `tools/call`, or of `tasks/result`.
    #[default]
    #[component(name = "tool")]
    Tool,
    /// The result of `prompts/get`.
    #[component(name = "prompt")]
    Prompt,
    /// The result of `resources/read`.
    #[component(name = "resource")]
    Resource,
    /// The result of `tasks/get`, or the parameters of `notifications/tasks`.
    #[component(name = "task")]
    Task,
    /// A JSON-RPC error object: `code`, `message`, `data`.
    #[component(name = "error")]
    Error,
    /// The result of `tools/list` and the other lists: measured, never changed.
    #[component(name = "list")]
    List,
    /// The result of any other request: measured, never changed.
    #[component(name = "other")]
    Other,
}

impl ResultKind {
    /// All of them, the default first.
    pub const ALL: [ResultKind; 7] = [
        ResultKind::Tool,
        ResultKind::Prompt,
        ResultKind::Resource,
        ResultKind::Task,
        ResultKind::Error,
        ResultKind::List,
        ResultKind::Other,
    ];

    /// The name of the case, as in `wit/fitting.wit`.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            ResultKind::Tool => "tool",
            ResultKind::Prompt => "prompt",
            ResultKind::Resource => "resource",
            ResultKind::Task => "task",
            ResultKind::Error => "error",
            ResultKind::List => "list",
            ResultKind::Other => "other",
        }
    }

    /// The kind of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.code() == name)
    }
}
