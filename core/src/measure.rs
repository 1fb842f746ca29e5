//! The sizes that the limits speak of, without changing anything.

use alloc::string::String;
use alloc::vec::Vec;

use crate::envelope::{Block, Envelope, Kind, size};
use crate::fit::{FitError, open};
use crate::json::pointer::Pointer;
use crate::json::walk::{Doc, Sort, Value};
use crate::profile::{number_growth, print};
use crate::settings::{Settings, WireProfile};
use crate::units::Units;

/// A part of a result that is worth showing: large in itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// JSON Pointer (RFC 6901) into the result, at most 128 bytes.
    pub pointer: String,
    /// `object`, `array`, `string`, `number`, `true`, `false` or `null`.
    pub kind: &'static str,
    /// Its compact encoding, in bytes.
    pub encoded_bytes: u32,
    /// Its items or members; zero for a scalar.
    pub children_items: u32,
}

/// The sizes of one result.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Measurement {
    /// The result as it came in, in bytes of the wire profile.
    pub result_bytes: u32,
    /// The same without white space between tokens.
    pub compact_bytes: u32,
    /// What a model reads.
    pub text_bytes: u32,
    /// The same in tokens, as `max_text_tokens` counts them.
    pub text_tokens: u32,
    /// The same in lines, as `max_text_lines` counts them.
    pub text_lines: u32,
    /// Encoded `structuredContent`; zero where there is none.
    pub structured_bytes: u32,
    /// Base64 of images, audio and blobs.
    pub binary_bytes: u32,
    /// Blocks in `content`.
    pub content_items: u32,
    /// Containers nested inside one another.
    pub nesting_depth: u32,
    /// The large parts, in document order, at most 64.
    pub parts: Vec<Part>,
}

/// Measures one tool result, and changes nothing.
///
/// Sizes are counted as [`crate::fit()`] counts them against the limits: as the
/// wire profile prints the result, white space between tokens included. A
/// number with an exponent counts in full what another printer may make of it.
/// All blocks are counted, also those beyond `max_content_blocks`. Of a result
/// that is never edited (contract B12), text in any unit, structured content,
/// binary data and blocks are zero.
///
/// A part is large when its compact encoding is at least 1/64 of that of the
/// whole. Where there are more than 64, the largest are told; of equals the
/// first.
///
/// ```
/// use result_budget_core::{Settings, measure};
/// let result = r#"{"content":[{"type":"text","text":"three \"words\" here"}]}"#;
/// let measurement = measure(result, &Settings::default())?;
/// assert_eq!((measurement.result_bytes, measurement.text_bytes), (59, 20));
/// let text = &measurement.parts[3];
/// assert_eq!((text.pointer.as_str(), text.kind, text.encoded_bytes), ("/content/0/text", "string", 22));
/// # Ok::<(), result_budget_core::FitError>(())
/// ```
///
/// # Errors
/// [`FitError`], as for [`crate::fit()`].
#[inline(never)]
pub fn measure(tool_result_json: &str, settings: &Settings) -> Result<Measurement, FitError> {
    let given = open(tool_result_json, settings)?;
    if settings.wire_profile == WireProfile::Utf8Compact {
        return Ok(measure_printed(&given, 0, settings));
    }
    let printed = print(tool_result_json, settings.wire_profile);
    // OK because the printer writes JSON where it reads JSON.
    let doc = Doc::new(&printed, GRANULARITY_BYTES)
        .map_err(|fault| FitError::MalformedJson { offset_bytes: fault.offset_bytes })?;
    Ok(measure_printed(&doc, number_growth(&printed), settings))
}

/// Measures what stands in `doc`, of which numbers may grow by `growth` bytes.
fn measure_printed(doc: &Doc<'_>, growth: usize, settings: &Settings) -> Measurement {
    let root = doc.root();
    let mut measurement = Measurement {
        result_bytes: count(doc.text.len() + growth),
        compact_bytes: count(root.compact_bytes()),
        nesting_depth: doc.index.depth,
        parts: large_parts(doc, &root),
        ..Measurement::default()
    };
    if let Kind::Complete(envelope) = Envelope::read(doc, root, settings) {
        let structured = envelope.structured.map_or(0, |value| size(&value, true));
        let (mut text, mut binary) = (structured, 0);
        for item in envelope.content.iter().flat_map(|content| doc.items(content)) {
            let block = Block::read(doc, item);
            text += block.text_bytes(true);
            binary += block.binary_bytes();
        }
        let units = Units::of(doc, &envelope);
        measurement.text_bytes = count(text);
        measurement.text_tokens = count(units.tokens);
        measurement.text_lines = count(units.lines);
        measurement.structured_bytes = count(structured);
        measurement.binary_bytes = count(binary);
        measurement.content_items = count(envelope.block_count);
    }
    measurement
}

fn large_parts(doc: &Doc<'_>, root: &Value) -> Vec<Part> {
    let least_bytes = root.compact_bytes().div_ceil(PART_SHARE);
    let mut parts = Parts { doc, least_bytes, place: Pointer::new(), found: Vec::new() };
    parts.look_into(root);
    parts.found
}

/// The large parts found so far, in document order.
struct Parts<'d> {
    doc: &'d Doc<'d>,
    least_bytes: usize,
    place: Pointer<'d>,
    found: Vec<Part>,
}

impl<'d> Parts<'d> {
    // No deeper than `PARTS_MAX_ITEMS`: a value is no larger than the ones
    // around it, so what it is in stands in the list wherever it does.
    fn look_into(&mut self, value: &Value) {
        let doc = self.doc;
        for (index, item) in doc.items(value).enumerate() {
            if self.is_large(&item) {
                self.place.push_index(index);
                self.note(&item);
            }
        }
        for member in doc.members(value) {
            if self.is_large(&member.value) {
                self.place.push_key(member.key);
                self.note(&member.value);
            }
        }
    }

    fn is_large(&self, value: &Value) -> bool {
        let bytes = value.compact_bytes();
        let full = self.found.len() >= PARTS_MAX_ITEMS;
        bytes >= self.least_bytes && !(full && count(bytes) <= self.smallest_bytes())
    }

    /// Takes the value at the present place, looks into it, and steps back.
    fn note(&mut self, value: &Value) {
        if self.found.len() >= PARTS_MAX_ITEMS {
            let least = self.smallest_bytes();
            let last = self.found.iter().rposition(|part| part.encoded_bytes == least);
            last.map(|at| self.found.remove(at));
        }
        self.found.push(Part {
            pointer: self.place.render(),
            kind: kind(self.doc, value),
            encoded_bytes: count(value.compact_bytes()),
            children_items: count(self.doc.children_items(value)),
        });
        self.look_into(value);
        self.place.pop();
    }

    fn smallest_bytes(&self) -> u32 {
        self.found.iter().map(|part| part.encoded_bytes).min().unwrap_or_default()
    }
}

fn kind(doc: &Doc<'_>, value: &Value) -> &'static str {
    match doc.sort(value) {
        Sort::Object => "object",
        Sort::Array => "array",
        Sort::String => "string",
        Sort::Number => "number",
        Sort::Literal => match doc.raw(value) {
            "true" => "true",
            "false" => "false",
            _ => "null",
        },
    }
}

/// A size as it is told: no text that is read comes near the end of 32 bits.
fn count(size: usize) -> u32 {
    u32::try_from(size).unwrap_or(u32::MAX)
}

/// A part is large from the whole divided by this.
const PART_SHARE: usize = 64;
const PARTS_MAX_ITEMS: usize = 64;
const GRANULARITY_BYTES: u32 = 65;
