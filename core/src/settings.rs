//! What is in force for one call: limits, and the choices beside them.

use alloc::string::String;
use alloc::vec::Vec;

use crate::limit::Limits;

/// A dated revision of the Model Context Protocol, oldest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the name is the date")]
pub enum Revision {
    R20241105,
    R20250326,
    R20250618,
    R20251125,
    R20260728,
}

pub use result_budget_json::escape::WireProfile;

/// What happens to a text block that repeats `structuredContent`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mirror {
    /// Both stay, equal, each with half the room.
    Both,
    /// The text block is replaced by a short remark.
    Structured,
    /// `structuredContent` goes, where no output schema demands it.
    Text,
}

/// Where our notice stands in `content`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoticePlace {
    /// Before all other blocks: clients cut middles and tails.
    First,
    /// After all other blocks.
    Last,
}

/// Which part of a long plain text stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextKeep {
    /// Head and tail for errors and logs, else the head.
    Auto,
    /// The head.
    Head,
    /// The tail.
    Tail,
    /// Head and tail.
    HeadAndTail,
}

/// What happens to a result of `resources/read` (contract B13).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resources {
    /// It goes whole, or not at all.
    Whole,
    /// Its texts may be cut, but for those under `ui://`.
    Cut,
}

/// What happens to the escape sequences of terminals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ansi {
    /// They stay, each whole or not at all.
    Keep,
    /// They go, and the report says so.
    Strip,
}

/// What is known of the tool's `outputSchema` (contract B9).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputSchema<'a> {
    /// The tool declares none: every cut is legal.
    None,
    /// Nobody told: no key is added, none is dropped.
    Unknown,
    /// The schema, as JSON text: cuts obey it. It is compiled where a result
    /// must be cut.
    Given(&'a str),
}

/// Limits and choices for one call. The limits must be in range:
/// [`crate::fit()`] checks them first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The ceilings.
    pub limits: Limits,
    /// The revision that the two sides speak.
    pub revision: Revision,
    /// How the host prints.
    pub wire_profile: WireProfile,
    /// What happens to a mirror.
    pub mirror: Mirror,
    /// Where the notice stands.
    pub notice: NoticePlace,
    /// Which part of a text stays.
    pub text_keep: TextKeep,
    /// What happens to escape sequences.
    pub ansi: Ansi,
    /// Top-level keys to keep although the protocol does not name them.
    pub keep_fields: Vec<String>,
    /// What happens to a result of `resources/read`.
    pub resources: Resources,
    /// Prepared input schemas have the optional argument `max_bytes`.
    pub call_argument: bool,
    /// The longest description of a tool in a prepared list, in bytes of its
    /// JSON string.
    pub max_description_bytes: Option<u32>,
}

impl Revision {
    /// All of them, oldest first.
    pub const ALL: [Revision; 5] = [
        Revision::R20241105,
        Revision::R20250326,
        Revision::R20250618,
        Revision::R20251125,
        Revision::R20260728,
    ];

    /// The date, as on the wire.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Revision::R20241105 => "2024-11-05",
            Revision::R20250326 => "2025-03-26",
            Revision::R20250618 => "2025-06-18",
            Revision::R20251125 => "2025-11-25",
            Revision::R20260728 => "2026-07-28",
        }
    }

    /// The rules that hold for `name`: those of the newest revision that is
    /// not later. A date before the first revision, or anything that is no
    /// date, is `None`.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let bytes = name.as_bytes();
        let date = bytes.len() == 10
            && bytes.iter().enumerate().all(|(at, byte)| match at {
                4 | 7 => *byte == b'-',
                _ => byte.is_ascii_digit(),
            });
        if !date {
            return None;
        }
        Self::ALL.iter().rev().find(|known| known.name() <= name).copied()
    }
}

impl Mirror {
    /// All of them, the default first.
    pub const ALL: [Mirror; 3] = [Mirror::Both, Mirror::Structured, Mirror::Text];

    /// Its name in a policy document.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Mirror::Both => "both",
            Mirror::Structured => "structured",
            Mirror::Text => "text",
        }
    }
}

impl NoticePlace {
    /// All of them, the default first.
    pub const ALL: [NoticePlace; 2] = [NoticePlace::First, NoticePlace::Last];

    /// Its name in a policy document.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            NoticePlace::First => "first",
            NoticePlace::Last => "last",
        }
    }
}

impl TextKeep {
    /// All of them, the default first.
    pub const ALL: [TextKeep; 4] =
        [TextKeep::Auto, TextKeep::Head, TextKeep::Tail, TextKeep::HeadAndTail];

    /// Its name in a policy document.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            TextKeep::Auto => "auto",
            TextKeep::Head => "head",
            TextKeep::Tail => "tail",
            TextKeep::HeadAndTail => "head-and-tail",
        }
    }
}

impl Resources {
    /// All of them, the default first.
    pub const ALL: [Resources; 2] = [Resources::Whole, Resources::Cut];

    /// Its name in a policy document.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Resources::Whole => "whole",
            Resources::Cut => "cut",
        }
    }
}

impl Ansi {
    /// All of them, the default first.
    pub const ALL: [Ansi; 2] = [Ansi::Keep, Ansi::Strip];

    /// Its name in a policy document.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Ansi::Keep => "keep",
            Ansi::Strip => "strip",
        }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            limits: Limits::default(),
            revision: Revision::R20260728,
            wire_profile: WireProfile::Utf8Compact,
            mirror: Mirror::Both,
            notice: NoticePlace::First,
            text_keep: TextKeep::Auto,
            ansi: Ansi::Keep,
            keep_fields: Vec::new(),
            resources: Resources::Whole,
            call_argument: false,
            max_description_bytes: None,
        }
    }
}
