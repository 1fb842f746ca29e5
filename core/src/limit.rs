//! Every limit of the product, one row each, and a set of them that is in
//! range.
//!
//! Documentation, messages and schemas quote these rows; a test compares them.

use alloc::string::{String, ToString};

use crate::preset::{NORMAL, Preset};

/// One limit: its name, unit, range and reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    /// Name on the wire and in a policy document; the unit is its last word.
    pub name: &'static str,
    /// Smallest legal value, inclusive.
    pub min: u32,
    /// Value when nothing is said; `None` means that the limit is off.
    pub default: Option<u32>,
    /// Largest legal value, inclusive.
    pub max: u32,
    /// The contract's rule, or the reason, behind it.
    pub rule: &'static str,
    /// What it counts, as a sentence without its full stop.
    pub counts: &'static str,
}

/// A value outside the range of its limit. Whoever set it is at fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LimitFault {
    /// The limit's name.
    pub name: &'static str,
    /// The value as it was given, shortened to 64 bytes.
    pub given: String,
    /// Smallest legal value.
    pub min: u32,
    /// Largest legal value.
    pub max: u32,
}

/// The longest input that the engine reads, in bytes. Longer is refused.
pub const INPUT_MAX_BYTES: u32 = 16 * 1_024 * 1_024;

/// The name under which a fault in the budget of one call is told (contract
/// B10): its range is that of the tool.
pub const CALL_MAX_BYTES: &str = "call_max_bytes";

/// The same for a budget in tokens: its range ends at what is in force.
pub const CALL_MAX_TOKENS: &str = "call_max_tokens";

/// The law of contract B3.
pub const MAX_RESULT_BYTES: Limit = Limit {
    name: "max_result_bytes",
    min: 256,
    default: Some(2 * 1_024 * 1_024),
    max: INPUT_MAX_BYTES,
    rule: "B3",
    counts: "the whole encoded result, report included",
};
/// What a model reads.
pub const MAX_TEXT_BYTES: Limit = Limit {
    name: "max_text_bytes",
    min: 256,
    default: Some(32_000),
    max: INPUT_MAX_BYTES,
    rule: "B2",
    counts: "what a model reads: text blocks, resource text, links, `structuredContent` and our notices",
};
/// What a model reads, in its own unit.
pub const MAX_TEXT_TOKENS: Limit = Limit {
    name: "max_text_tokens",
    min: 128,
    default: None,
    max: INPUT_MAX_BYTES,
    rule: "B10",
    counts: "the same in tokens: an estimate that is never under those of o200k and cl100k",
};
/// What a model reads, in lines.
pub const MAX_TEXT_LINES: Limit = Limit {
    name: "max_text_lines",
    min: 16,
    default: None,
    max: INPUT_MAX_BYTES,
    rule: "B2",
    counts: "the same in lines, and one between two blocks; `structuredContent` is one line",
};
/// Base64 of all blocks.
pub const MAX_BINARY_BYTES: Limit = Limit {
    name: "max_binary_bytes",
    min: 0,
    default: Some(1_024 * 1_024),
    max: INPUT_MAX_BYTES,
    rule: "B2",
    counts: "base64 of images, audio and blobs, all blocks together",
};
/// Number of content blocks.
pub const MAX_CONTENT_BLOCKS: Limit = Limit {
    name: "max_content_blocks",
    min: 1,
    default: Some(1_000),
    max: 1_000,
    rule: "B2",
    counts: "blocks in `content`, our notice among them",
};
/// Nesting depth.
pub const MAX_DEPTH: Limit = Limit {
    name: "max_depth",
    min: 4,
    default: Some(127),
    max: 127,
    rule: "B2",
    counts: "containers nested inside one another, the result object being the first",
};
/// Text of one block.
pub const MAX_BLOCK_TEXT_BYTES: Limit = Limit {
    name: "max_block_text_bytes",
    min: 64,
    default: None,
    max: INPUT_MAX_BYTES,
    rule: "B2",
    counts: "text of one content block",
};
/// Base64 of one block.
pub const MAX_BLOCK_BINARY_BYTES: Limit = Limit {
    name: "max_block_binary_bytes",
    min: 0,
    default: None,
    max: INPUT_MAX_BYTES,
    rule: "B2",
    counts: "base64 of one content block",
};
/// Encoded `structuredContent`.
pub const MAX_STRUCTURED_BYTES: Limit = Limit {
    name: "max_structured_bytes",
    min: 64,
    default: None,
    max: INPUT_MAX_BYTES,
    rule: "B2",
    counts: "encoded `structuredContent`",
};
/// Items per list.
pub const MAX_LIST_ITEMS: Limit = Limit {
    name: "max_list_items",
    min: 1,
    default: None,
    max: 1_000_000,
    rule: "B2",
    counts: "items of one list in `structuredContent`",
};
/// Keys per map.
pub const MAX_MAP_KEYS: Limit = Limit {
    name: "max_map_keys",
    min: 1,
    default: None,
    max: 1_000_000,
    rule: "B2",
    counts: "keys of one map in `structuredContent`",
};
/// Bytes per string.
pub const MAX_STRING_BYTES: Limit = Limit {
    name: "max_string_bytes",
    min: 64,
    default: None,
    max: INPUT_MAX_BYTES,
    rule: "B2",
    counts: "one string in `structuredContent`, encoded, without its quotes",
};
/// Bytes per key.
pub const MAX_KEY_BYTES: Limit = Limit {
    name: "max_key_bytes",
    min: 16,
    default: None,
    max: INPUT_MAX_BYTES,
    rule: "B2",
    counts: "one key in `structuredContent`, encoded, without its quotes",
};
/// Bytes per list item.
pub const MAX_ITEM_BYTES: Limit = Limit {
    name: "max_item_bytes",
    min: 64,
    default: None,
    max: INPUT_MAX_BYTES,
    rule: "B2",
    counts: "one item of a list in `structuredContent`, encoded",
};

/// Every limit, in the order in which they are shown.
pub const LIMITS: [Limit; 15] = [
    MAX_RESULT_BYTES,
    MAX_TEXT_BYTES,
    MAX_TEXT_TOKENS,
    MAX_TEXT_LINES,
    MAX_BINARY_BYTES,
    MAX_CONTENT_BLOCKS,
    MAX_DEPTH,
    MAX_BLOCK_TEXT_BYTES,
    MAX_BLOCK_BINARY_BYTES,
    MAX_STRUCTURED_BYTES,
    MAX_LIST_ITEMS,
    MAX_MAP_KEYS,
    MAX_STRING_BYTES,
    MAX_KEY_BYTES,
    MAX_ITEM_BYTES,
];

/// The lesser of two limits, of which either may be off.
pub(crate) fn least(one: Option<u32>, other: Option<u32>) -> Option<u32> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}

/// An optional limit as a number: nothing is over one that is off.
pub(crate) fn or_off(limit: Option<u32>) -> usize {
    limit.map_or(usize::MAX, |most| most as usize)
}

/// Ceilings that one result must fit under. Every one is inclusive; `None`
/// means that the limit is off. Field names are those of [`LIMITS`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each field is documented by the row of the same name")]
pub struct Limits {
    pub max_result_bytes: u32,
    pub max_text_bytes: u32,
    pub max_text_tokens: Option<u32>,
    pub max_text_lines: Option<u32>,
    pub max_binary_bytes: u32,
    pub max_content_blocks: u32,
    pub max_depth: u32,
    pub max_block_text_bytes: Option<u32>,
    pub max_block_binary_bytes: Option<u32>,
    pub max_structured_bytes: Option<u32>,
    pub max_list_items: Option<u32>,
    pub max_map_keys: Option<u32>,
    pub max_string_bytes: Option<u32>,
    pub max_key_bytes: Option<u32>,
    pub max_item_bytes: Option<u32>,
}

impl Limit {
    /// Takes `given` when it is in range.
    ///
    /// # Errors
    /// [`LimitFault`] when it is not. It is refused, never clamped.
    pub fn check(&self, given: u32) -> Result<u32, LimitFault> {
        if self.min <= given && given <= self.max {
            Ok(given)
        } else {
            Err(self.fault(&given.to_string()))
        }
    }

    /// Reads `given` as a whole number in range: digits alone, no sign, no
    /// fraction, no exponent, no leading zero.
    ///
    /// ```
    /// use result_budget_core::limit::MAX_RESULT_BYTES;
    /// assert_eq!(MAX_RESULT_BYTES.parse("8000"), Ok(8000));
    /// assert!(MAX_RESULT_BYTES.parse("-1").is_err());
    /// ```
    ///
    /// # Errors
    /// [`LimitFault`] for anything else.
    pub fn parse(&self, given: &str) -> Result<u32, LimitFault> {
        let digits = !given.is_empty() && given.bytes().all(|b| b.is_ascii_digit());
        let canonical = digits && (given == "0" || !given.starts_with('0'));
        match given.parse::<u32>() {
            Ok(value) if canonical => self.check(value),
            Ok(_) | Err(_) => Err(self.fault(given)),
        }
    }

    /// The fault for `given`, which is shortened to 64 bytes.
    #[must_use]
    pub fn fault(&self, given: &str) -> LimitFault {
        let mut end = given.len().min(64);
        while !given.is_char_boundary(end) {
            end -= 1;
        }
        LimitFault {
            name: self.name,
            given: given.get(..end).unwrap_or_default().to_string(),
            min: self.min,
            max: self.max,
        }
    }
}

impl core::fmt::Display for LimitFault {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let LimitFault { name, given, min, max } = self;
        write!(f, "`{name}` must be a whole number from {min} to {max}, got `{given}`")
    }
}

impl core::error::Error for LimitFault {}

impl Default for Limits {
    fn default() -> Self {
        let normal = &NORMAL;
        Limits {
            max_result_bytes: normal.max_result_bytes,
            max_text_bytes: normal.max_text_bytes,
            max_text_tokens: None,
            max_text_lines: None,
            max_binary_bytes: normal.max_binary_bytes,
            max_content_blocks: 1_000,
            max_depth: 127,
            max_block_text_bytes: None,
            max_block_binary_bytes: None,
            max_structured_bytes: None,
            max_list_items: None,
            max_map_keys: None,
            max_string_bytes: None,
            max_key_bytes: None,
            max_item_bytes: None,
        }
    }
}

impl Limits {
    /// The ceilings of `preset`, every other limit at its default.
    #[must_use]
    pub fn of_preset(preset: &Preset) -> Self {
        Limits {
            max_result_bytes: preset.max_result_bytes,
            max_text_bytes: preset.max_text_bytes,
            max_text_tokens: preset.max_text_tokens,
            max_text_lines: preset.max_text_lines,
            max_binary_bytes: preset.max_binary_bytes,
            ..Limits::default()
        }
    }

    /// Lowers each ceiling that `preset` has to its value there.
    pub fn lower_to(&mut self, preset: &Preset) {
        self.max_text_bytes = self.max_text_bytes.min(preset.max_text_bytes);
        self.max_binary_bytes = self.max_binary_bytes.min(preset.max_binary_bytes);
        self.max_result_bytes = self.max_result_bytes.min(preset.max_result_bytes);
        self.max_text_tokens = least(self.max_text_tokens, preset.max_text_tokens);
        self.max_text_lines = least(self.max_text_lines, preset.max_text_lines);
    }

    /// Sets the whole-result limit to `bytes`, and the text and binary
    /// ceilings to at most that.
    ///
    /// # Errors
    /// [`LimitFault`] when `bytes` is outside the range of
    /// `max_result_bytes`.
    pub fn cap_to(&mut self, bytes: u32) -> Result<(), LimitFault> {
        self.max_result_bytes = MAX_RESULT_BYTES.check(bytes)?;
        self.max_text_bytes = self.max_text_bytes.min(bytes);
        self.max_binary_bytes = self.max_binary_bytes.min(bytes);
        Ok(())
    }

    /// The value of the limit called `name`; `None` where it is off or there
    /// is no such limit.
    #[must_use]
    pub fn value(&self, name: &str) -> Option<u32> {
        match name {
            "max_result_bytes" => Some(self.max_result_bytes),
            "max_text_bytes" => Some(self.max_text_bytes),
            "max_text_tokens" => self.max_text_tokens,
            "max_text_lines" => self.max_text_lines,
            "max_binary_bytes" => Some(self.max_binary_bytes),
            "max_content_blocks" => Some(self.max_content_blocks),
            "max_depth" => Some(self.max_depth),
            "max_block_text_bytes" => self.max_block_text_bytes,
            "max_block_binary_bytes" => self.max_block_binary_bytes,
            "max_structured_bytes" => self.max_structured_bytes,
            "max_list_items" => self.max_list_items,
            "max_map_keys" => self.max_map_keys,
            "max_string_bytes" => self.max_string_bytes,
            "max_key_bytes" => self.max_key_bytes,
            "max_item_bytes" => self.max_item_bytes,
            _ => None,
        }
    }

    /// Sets the limit called `limit.name`; `None` turns an optional limit
    /// off, and an always-on one back to its default.
    ///
    /// # Errors
    /// [`LimitFault`] when `value` is outside its range.
    pub fn set(&mut self, limit: &Limit, value: Option<u32>) -> Result<(), LimitFault> {
        let checked = match value {
            Some(value) => Some(limit.check(value)?),
            None => limit.default,
        };
        let always = checked.unwrap_or(limit.max);
        match limit.name {
            "max_result_bytes" => self.max_result_bytes = always,
            "max_text_bytes" => self.max_text_bytes = always,
            "max_text_tokens" => self.max_text_tokens = checked,
            "max_text_lines" => self.max_text_lines = checked,
            "max_binary_bytes" => self.max_binary_bytes = always,
            "max_content_blocks" => self.max_content_blocks = always,
            "max_depth" => self.max_depth = always,
            "max_block_text_bytes" => self.max_block_text_bytes = checked,
            "max_block_binary_bytes" => self.max_block_binary_bytes = checked,
            "max_structured_bytes" => self.max_structured_bytes = checked,
            "max_list_items" => self.max_list_items = checked,
            "max_map_keys" => self.max_map_keys = checked,
            "max_string_bytes" => self.max_string_bytes = checked,
            "max_key_bytes" => self.max_key_bytes = checked,
            "max_item_bytes" => self.max_item_bytes = checked,
            _ => {}
        }
        Ok(())
    }

    /// Checks every field against its row: a set of limits that a host built
    /// by hand must pass here before it is used.
    ///
    /// # Errors
    /// The first [`LimitFault`], in the order of [`LIMITS`].
    pub fn check(&self) -> Result<(), LimitFault> {
        // Field by field: this runs on every call.
        let off = |limit: &Limit, value: Option<u32>| match value {
            Some(value) => limit.check(value).map(|_| ()),
            None => Ok(()),
        };
        MAX_RESULT_BYTES.check(self.max_result_bytes)?;
        MAX_TEXT_BYTES.check(self.max_text_bytes)?;
        off(&MAX_TEXT_TOKENS, self.max_text_tokens)?;
        off(&MAX_TEXT_LINES, self.max_text_lines)?;
        MAX_BINARY_BYTES.check(self.max_binary_bytes)?;
        MAX_CONTENT_BLOCKS.check(self.max_content_blocks)?;
        MAX_DEPTH.check(self.max_depth)?;
        off(&MAX_BLOCK_TEXT_BYTES, self.max_block_text_bytes)?;
        off(&MAX_BLOCK_BINARY_BYTES, self.max_block_binary_bytes)?;
        off(&MAX_STRUCTURED_BYTES, self.max_structured_bytes)?;
        off(&MAX_LIST_ITEMS, self.max_list_items)?;
        off(&MAX_MAP_KEYS, self.max_map_keys)?;
        off(&MAX_STRING_BYTES, self.max_string_bytes)?;
        off(&MAX_KEY_BYTES, self.max_key_bytes)?;
        off(&MAX_ITEM_BYTES, self.max_item_bytes)?;
        Ok(())
    }
}
