//! The component's types as Rust sees them, field by field as in `wit/`.
//!
//! Their names and shapes are checked against the component when it is loaded.
//! What a host may read is public and documented here; the rest passes through.

#![allow(
    dead_code,
    reason = "a type names every case of the interface, also those that only pass through"
)]

use wasmtime::component::{ComponentType, Lift, Lower};

/// Ceilings of one call. The host reads the whole-result limit, to check the
/// engine's answer, and passes the rest on.
#[derive(ComponentType, Lift, Lower, Clone, Debug, PartialEq, Eq)]
#[component(record)]
pub(crate) struct Limits {
    #[component(name = "max-result-bytes")]
    pub(crate) max_result_bytes: u32,
    #[component(name = "max-text-bytes")]
    max_text_bytes: u32,
    #[component(name = "max-binary-bytes")]
    max_binary_bytes: u32,
    #[component(name = "max-content-blocks")]
    max_content_blocks: u32,
    #[component(name = "max-depth")]
    max_depth: u32,
    #[component(name = "max-block-text-bytes")]
    max_block_text_bytes: Option<u32>,
    #[component(name = "max-block-binary-bytes")]
    max_block_binary_bytes: Option<u32>,
    #[component(name = "max-structured-bytes")]
    max_structured_bytes: Option<u32>,
    #[component(name = "max-list-items")]
    max_list_items: Option<u32>,
    #[component(name = "max-map-keys")]
    max_map_keys: Option<u32>,
    #[component(name = "max-string-bytes")]
    max_string_bytes: Option<u32>,
    #[component(name = "max-key-bytes")]
    max_key_bytes: Option<u32>,
    #[component(name = "max-item-bytes")]
    max_item_bytes: Option<u32>,
}

/// A dated revision of the protocol, oldest first.
#[derive(ComponentType, Lift, Lower, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[component(enum)]
#[repr(u8)]
pub(crate) enum Revision {
    #[component(name = "r20241105")]
    R20241105,
    #[component(name = "r20250326")]
    R20250326,
    #[component(name = "r20250618")]
    R20250618,
    #[component(name = "r20251125")]
    R20251125,
    #[component(name = "r20260728")]
    R20260728,
}

#[derive(ComponentType, Lift, Lower, Clone, Copy, Debug, PartialEq, Eq)]
#[component(enum)]
#[repr(u8)]
pub(crate) enum WireProfile {
    #[component(name = "utf8-compact")]
    Utf8Compact,
    #[component(name = "ascii-compact")]
    AsciiCompact,
    #[component(name = "python-json")]
    PythonJson,
    #[component(name = "html-escaped")]
    HtmlEscaped,
}

#[derive(ComponentType, Lift, Lower, Clone, Copy, Debug, PartialEq, Eq)]
#[component(enum)]
#[repr(u8)]
pub(crate) enum Mirror {
    #[component(name = "both")]
    Both,
    #[component(name = "structured")]
    Structured,
    #[component(name = "text")]
    Text,
}

#[derive(ComponentType, Lift, Lower, Clone, Copy, Debug, PartialEq, Eq)]
#[component(enum)]
#[repr(u8)]
pub(crate) enum NoticePlace {
    #[component(name = "first")]
    First,
    #[component(name = "last")]
    Last,
}

#[derive(ComponentType, Lift, Lower, Clone, Copy, Debug, PartialEq, Eq)]
#[component(enum)]
#[repr(u8)]
pub(crate) enum TextKeep {
    #[component(name = "auto")]
    Auto,
    #[component(name = "head")]
    Head,
    #[component(name = "tail")]
    Tail,
    #[component(name = "head-and-tail")]
    HeadAndTail,
}

/// What is in force for one call, made by the component.
#[derive(ComponentType, Lift, Lower, Clone, Debug, PartialEq, Eq)]
#[component(record)]
pub(crate) struct Settings {
    pub(crate) limits: Limits,
    pub(crate) revision: Revision,
    #[component(name = "wire-profile")]
    wire_profile: WireProfile,
    mirror: Mirror,
    notice: NoticePlace,
    #[component(name = "text-keep")]
    text_keep: TextKeep,
    #[component(name = "keep-fields")]
    keep_fields: Vec<String>,
}

/// What the component is asked to settle.
#[derive(ComponentType, Lower, Clone, Copy, Debug, Default)]
#[component(record)]
pub(crate) struct Request<'a> {
    pub(crate) preset: Option<&'a str>,
    #[component(name = "limit-bytes")]
    pub(crate) limit_bytes: Option<&'a str>,
    pub(crate) tool: Option<&'a str>,
    pub(crate) revision: Option<&'a str>,
    #[component(name = "wire-profile")]
    pub(crate) wire_profile: Option<&'a str>,
    #[component(name = "call-max-bytes")]
    pub(crate) call_max_bytes: Option<&'a str>,
}

/// What is known of the tool's `outputSchema`.
#[derive(ComponentType, Lower, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[component(variant)]
pub enum OutputSchema<'a> {
    /// The tool declares none: every cut is legal.
    #[component(name = "none")]
    None,
    /// Nobody told: no key is added, none is dropped.
    #[default]
    #[component(name = "unknown")]
    Unknown,
    /// The schema, as JSON text.
    #[component(name = "given")]
    Given(&'a str),
}

/// A limit outside its range. Whoever set it is at fault.
#[derive(ComponentType, Lift, Lower, Clone, Debug, PartialEq, Eq)]
#[component(record)]
pub struct LimitFault {
    /// The limit's name, as in a policy document.
    pub name: String,
    /// The value as it was given, at most 64 bytes of it.
    pub given: String,
    /// Smallest legal value, inclusive.
    pub min: u32,
    /// Largest legal value, inclusive.
    pub max: u32,
}

/// A fault in the policy document. Its author is at fault.
#[derive(ComponentType, Lift, Clone, Debug, PartialEq, Eq)]
#[component(record)]
pub struct PolicyFault {
    /// JSON Pointer to the place, at most 128 bytes; empty for the whole.
    pub pointer: String,
    /// What is wrong there, as a stable code in kebab case.
    pub code: String,
    /// What was given, at most 64 bytes of it.
    pub given: String,
    /// What is allowed.
    pub allowed: String,
}

/// A name that stands for nothing here. The caller is at fault.
#[derive(ComponentType, Lift, Clone, Debug, PartialEq, Eq)]
#[component(record)]
pub struct NameFault {
    /// `preset`, `revision` or `wire-profile`.
    pub field: String,
    /// The name that was given, at most 64 bytes of it.
    pub given: String,
    /// The names that are allowed, with commas.
    pub allowed: String,
}

#[derive(ComponentType, Lift, Lower, Clone, Copy, Debug, PartialEq, Eq)]
#[component(record)]
pub(crate) struct SizeFault {
    #[component(name = "given-bytes")]
    pub(crate) given_bytes: u32,
    #[component(name = "max-bytes")]
    pub(crate) max_bytes: u32,
}

#[derive(ComponentType, Lift, Lower, Clone, Debug, PartialEq, Eq)]
#[component(variant)]
pub(crate) enum FitError {
    #[component(name = "limit-out-of-range")]
    LimitOutOfRange(LimitFault),
    #[component(name = "input-too-large")]
    InputTooLarge(SizeFault),
    #[component(name = "malformed-json")]
    MalformedJson(u32),
    #[component(name = "not-an-object")]
    NotAnObject,
}

#[derive(ComponentType, Lift, Clone, Debug, PartialEq, Eq)]
#[component(variant)]
pub(crate) enum SettleError {
    #[component(name = "policy")]
    Policy(PolicyFault),
    #[component(name = "limit-out-of-range")]
    LimitOutOfRange(LimitFault),
    #[component(name = "unknown-name")]
    UnknownName(NameFault),
}

/// Why an error result is asked for. The host asks only in the first two
/// cases: in the others it is the engine itself that failed.
#[derive(ComponentType, Lower, Clone, Copy, Debug)]
#[component(variant)]
pub(crate) enum FailureCase<'a> {
    #[component(name = "refused")]
    Refused(&'a FitError),
    #[component(name = "not-utf8")]
    NotUtf8(u32),
    #[component(name = "deadline")]
    Deadline,
    #[component(name = "memory")]
    Memory,
    #[component(name = "trap")]
    Trap,
    #[component(name = "bad-answer")]
    BadAnswer,
    #[component(name = "circuit-open")]
    CircuitOpen,
}

#[derive(ComponentType, Lift, Clone, Debug, PartialEq, Eq)]
#[component(record)]
pub(crate) struct Fitted {
    #[component(name = "tool-result-json")]
    pub(crate) tool_result_json: String,
    #[component(name = "report-json")]
    pub(crate) report_json: String,
    #[component(name = "replaced-by-error")]
    pub(crate) replaced_by_error: bool,
}

#[derive(ComponentType, Lift, Clone, Debug, PartialEq, Eq)]
#[component(variant)]
pub(crate) enum FitOutcome {
    #[component(name = "unchanged")]
    Unchanged,
    #[component(name = "compacted")]
    Compacted(String),
    #[component(name = "bounded")]
    Bounded(Fitted),
}

/// A part of a result that is worth showing: large in itself.
#[derive(ComponentType, Lift, Clone, Debug, PartialEq, Eq)]
#[component(record)]
pub struct Part {
    /// JSON Pointer (RFC 6901) into the result, at most 128 bytes.
    pub pointer: String,
    /// `object`, `array`, `string`, `number`, `true`, `false` or `null`.
    pub kind: String,
    /// Its compact encoding, in bytes.
    #[component(name = "encoded-bytes")]
    pub encoded_bytes: u32,
    /// Its items or members; zero for a scalar.
    #[component(name = "children-items")]
    pub children_items: u32,
}

/// The sizes that the limits speak of.
#[derive(ComponentType, Lift, Clone, Debug, PartialEq, Eq)]
#[component(record)]
pub struct Measurement {
    /// The result as it came in, in bytes of the wire profile.
    #[component(name = "result-bytes")]
    pub result_bytes: u32,
    /// The same without white space between tokens.
    #[component(name = "compact-bytes")]
    pub compact_bytes: u32,
    /// What a model reads.
    #[component(name = "text-bytes")]
    pub text_bytes: u32,
    /// Encoded `structuredContent`; zero where there is none.
    #[component(name = "structured-bytes")]
    pub structured_bytes: u32,
    /// Base64 of images, audio and blobs.
    #[component(name = "binary-bytes")]
    pub binary_bytes: u32,
    /// Blocks in `content`.
    #[component(name = "content-items")]
    pub content_items: u32,
    /// Containers nested inside one another.
    #[component(name = "nesting-depth")]
    pub nesting_depth: u32,
    /// The large parts, in document order, at most 64.
    pub parts: Vec<Part>,
}

/// One limit of the product.
#[derive(ComponentType, Lift, Clone, Debug, PartialEq, Eq)]
#[component(record)]
pub struct LimitRow {
    /// Its name in a policy document; the unit is its last word.
    pub name: String,
    /// Smallest legal value, inclusive.
    pub min: u32,
    /// Value when nothing is said; `None` where the limit is off.
    #[component(name = "default-value")]
    pub default_value: Option<u32>,
    /// Largest legal value, inclusive.
    pub max: u32,
    /// The rule of the contract behind it.
    pub rule: String,
    /// What it counts.
    pub counts: String,
}

/// The three ceilings of a named size.
#[derive(ComponentType, Lift, Clone, Debug, PartialEq, Eq)]
#[component(record)]
pub struct PresetRow {
    /// Its name.
    pub name: String,
    /// What a model reads.
    #[component(name = "max-text-bytes")]
    pub max_text_bytes: u32,
    /// Base64 of all blocks.
    #[component(name = "max-binary-bytes")]
    pub max_binary_bytes: u32,
    /// The whole result.
    #[component(name = "max-result-bytes")]
    pub max_result_bytes: u32,
}
