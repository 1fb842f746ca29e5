//! The component's types as Rust sees them, field by field as in `wit/`.
//!
//! Their names and shapes are checked against the component when it is loaded.
//! What a host may read is public and documented here; the rest passes through.

#![allow(
    dead_code,
    reason = "a type names every case of the interface, also those that only pass through"
)]

use wasmtime::component::{ComponentType, Lift, Lower};

mod choice;

pub use self::choice::{
    Mirror, NoticePlace, Resources, ResultKind, Revision, TextKeep, WireProfile,
};

/// Ceilings of one call, each inclusive; `None` where a limit is off. What each
/// counts is told by [`crate::Engine::limit_rows`].
#[derive(ComponentType, Lift, Lower, Clone, Debug, PartialEq, Eq)]
#[component(record)]
pub struct Limits {
    /// The whole encoded result.
    #[component(name = "max-result-bytes")]
    pub max_result_bytes: u32,
    /// What a model reads.
    #[component(name = "max-text-bytes")]
    pub max_text_bytes: u32,
    /// The same in tokens.
    #[component(name = "max-text-tokens")]
    pub max_text_tokens: Option<u32>,
    /// The same in lines.
    #[component(name = "max-text-lines")]
    pub max_text_lines: Option<u32>,
    /// Base64 of all blocks together.
    #[component(name = "max-binary-bytes")]
    pub max_binary_bytes: u32,
    /// Blocks in `content`.
    #[component(name = "max-content-blocks")]
    pub max_content_blocks: u32,
    /// Containers nested inside one another.
    #[component(name = "max-depth")]
    pub max_depth: u32,
    /// Text of one content block.
    #[component(name = "max-block-text-bytes")]
    pub max_block_text_bytes: Option<u32>,
    /// Base64 of one content block.
    #[component(name = "max-block-binary-bytes")]
    pub max_block_binary_bytes: Option<u32>,
    /// Encoded `structuredContent`.
    #[component(name = "max-structured-bytes")]
    pub max_structured_bytes: Option<u32>,
    /// Items of one list in `structuredContent`.
    #[component(name = "max-list-items")]
    pub max_list_items: Option<u32>,
    /// Keys of one map in `structuredContent`.
    #[component(name = "max-map-keys")]
    pub max_map_keys: Option<u32>,
    /// One string in `structuredContent`.
    #[component(name = "max-string-bytes")]
    pub max_string_bytes: Option<u32>,
    /// One key in `structuredContent`.
    #[component(name = "max-key-bytes")]
    pub max_key_bytes: Option<u32>,
    /// One item of a list in `structuredContent`.
    #[component(name = "max-item-bytes")]
    pub max_item_bytes: Option<u32>,
}

/// What is known of one call, as it crosses.
#[derive(ComponentType, Lower, Clone, Copy, Debug)]
#[component(record)]
pub(crate) struct FitCall<'a> {
    pub(crate) kind: ResultKind,
    #[component(name = "output-schema")]
    pub(crate) output_schema: OutputSchema<'a>,
    #[component(name = "previous-report")]
    pub(crate) previous_report: Option<&'a str>,
}

/// What happens to the escape sequences of terminals.
#[derive(ComponentType, Lift, Lower, Clone, Copy, Debug, PartialEq, Eq)]
#[component(enum)]
#[repr(u8)]
pub enum Ansi {
    /// They stay, each whole or not at all.
    #[component(name = "keep")]
    Keep,
    /// They go, and the report says so.
    #[component(name = "strip")]
    Strip,
}

impl Ansi {
    /// The name of the case, as in `wit/types.wit`.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Ansi::Keep => "keep",
            Ansi::Strip => "strip",
        }
    }
}

/// What is in force for one call, made by the component.
#[derive(ComponentType, Lift, Lower, Clone, Debug, PartialEq, Eq)]
#[component(record)]
pub struct Settings {
    /// The ceilings.
    pub limits: Limits,
    /// The revision that the two sides speak.
    pub revision: Revision,
    /// How the host prints.
    #[component(name = "wire-profile")]
    pub wire_profile: WireProfile,
    /// What happens to a mirror.
    pub mirror: Mirror,
    /// Where the notice stands.
    pub notice: NoticePlace,
    /// Which part of a text stays.
    #[component(name = "text-keep")]
    pub text_keep: TextKeep,
    /// What happens to escape sequences.
    #[component(name = "ansi")]
    pub ansi: Ansi,
    /// Top-level keys to keep although the protocol does not name them.
    #[component(name = "keep-fields")]
    pub keep_fields: Vec<String>,
    /// What happens to a result of `resources/read`.
    pub resources: Resources,
    /// Prepared input schemas have the optional argument `max_bytes`.
    #[component(name = "call-argument")]
    pub call_argument: bool,
    /// The longest description of a tool in a prepared list; `None` where
    /// descriptions stay as they are.
    #[component(name = "max-description-bytes")]
    pub max_description_bytes: Option<u32>,
}

/// What the component is asked to settle.
#[derive(ComponentType, Lower, Clone, Copy, Debug, Default)]
#[component(record)]
pub(crate) struct Request<'a> {
    pub(crate) preset: Option<&'a str>,
    #[component(name = "client-name")]
    pub(crate) client_name: Option<&'a str>,
    #[component(name = "limit-bytes")]
    pub(crate) limit_bytes: Option<&'a str>,
    #[component(name = "limit-tokens")]
    pub(crate) limit_tokens: Option<&'a str>,
    pub(crate) tool: Option<&'a str>,
    pub(crate) revision: Option<&'a str>,
    #[component(name = "wire-profile")]
    pub(crate) wire_profile: Option<&'a str>,
    #[component(name = "call-max-bytes")]
    pub(crate) call_max_bytes: Option<&'a str>,
    #[component(name = "call-max-tokens")]
    pub(crate) call_max_tokens: Option<&'a str>,
}

/// What is in force for one call, and the preset behind it.
#[derive(ComponentType, Lift, Clone, Debug, PartialEq, Eq)]
#[component(record)]
pub struct Settled {
    /// What is in force.
    pub settings: Settings,
    /// The preset that was laid down last. What policy and call say beside it
    /// is laid over it.
    pub preset: String,
    /// Who chose it.
    #[component(name = "chosen-by")]
    pub chosen_by: ChosenBy,
}

/// Who chose a preset.
#[derive(ComponentType, Lift, Clone, Copy, Debug, PartialEq, Eq)]
#[component(enum)]
#[repr(u8)]
pub enum ChosenBy {
    /// The server named it.
    #[component(name = "request")]
    Request,
    /// `auto`: the client's name stands in the table.
    #[component(name = "client")]
    Client,
    /// The policy named it.
    #[component(name = "policy")]
    Policy,
    /// Nobody.
    #[component(name = "default")]
    Default,
}

impl ChosenBy {
    /// The name of the case, as in `wit/settling.wit`.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            ChosenBy::Request => "request",
            ChosenBy::Client => "client",
            ChosenBy::Policy => "policy",
            ChosenBy::Default => "default",
        }
    }
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
    #[component(name = "previous-report")]
    PreviousReport(String),
    #[component(name = "output-schema")]
    OutputSchema(u32),
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
#[component(record)]
pub(crate) struct ProtocolError {
    #[component(name = "error-json")]
    pub(crate) error_json: String,
    #[component(name = "report-json")]
    pub(crate) report_json: String,
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
    #[component(name = "protocol-error")]
    ProtocolError(ProtocolError),
}

/// Sizes of one tool in a list, in bytes of compact JSON.
#[derive(ComponentType, Lift, Clone, Debug, PartialEq, Eq)]
#[component(record)]
pub struct ToolSizes {
    /// Its name, at most 128 bytes of it.
    pub name: String,
    /// The whole entry.
    #[component(name = "tool-bytes")]
    pub tool_bytes: u32,
    /// `description`.
    #[component(name = "description-bytes")]
    pub description_bytes: u32,
    /// `inputSchema`.
    #[component(name = "input-schema-bytes")]
    pub input_schema_bytes: u32,
    /// `outputSchema`; zero where there is none.
    #[component(name = "output-schema-bytes")]
    pub output_schema_bytes: u32,
}

/// Sizes of a list of tools, in bytes of compact JSON.
#[derive(ComponentType, Lift, Clone, Debug, PartialEq, Eq)]
#[component(record)]
pub struct ToolsMeasurement {
    /// The whole result.
    #[component(name = "list-bytes")]
    pub list_bytes: u32,
    /// Tools in the list.
    #[component(name = "tools-items")]
    pub tools_items: u32,
    /// Whether the result is within the limit of a whole result.
    pub fits: bool,
    /// The first tools, at most 1,000.
    pub tools: Vec<ToolSizes>,
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
    /// The same in tokens, as `max_text_tokens` counts them.
    #[component(name = "text-tokens")]
    pub text_tokens: u32,
    /// The same in lines, as `max_text_lines` counts them.
    #[component(name = "text-lines")]
    pub text_lines: u32,
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

/// The ceilings of a named size, or of a client.
#[derive(ComponentType, Lift, Clone, Debug, PartialEq, Eq)]
#[component(record)]
pub struct PresetRow {
    /// Its name.
    pub name: String,
    /// What a model reads.
    #[component(name = "max-text-bytes")]
    pub max_text_bytes: u32,
    /// The same in tokens; `None` where that is off.
    #[component(name = "max-text-tokens")]
    pub max_text_tokens: Option<u32>,
    /// The same in lines; `None` where that is off.
    #[component(name = "max-text-lines")]
    pub max_text_lines: Option<u32>,
    /// Base64 of all blocks.
    #[component(name = "max-binary-bytes")]
    pub max_binary_bytes: u32,
    /// The whole result.
    #[component(name = "max-result-bytes")]
    pub max_result_bytes: u32,
    /// The names by which clients that take it call themselves, in any case; a
    /// `*` at the end stands for any rest. None for a size.
    #[component(name = "client-names")]
    pub client_names: Vec<String>,
    /// What the client does by itself, in one sentence; empty for a size.
    #[component(name = "client-rule")]
    pub client_rule: String,
    /// Where that is told; empty for a size.
    pub source: String,
}
