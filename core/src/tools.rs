//! Lists of tools: measured, and prepared for our notice and for budgets of
//! single calls. No tool and no schema is ever dropped (contract B13).
//!
//! [`prepare_tools`] is a constant rewrite: equal list, equal answer, and a
//! second pass changes nothing. It reads the top of each schema and no more; a
//! schema that says more there than which properties it has is left alone.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::call::ResultKind;
use crate::envelope::{key_is, repeats};
use crate::fit::{FitError, measured, open};
use crate::json::pointer::decode_body;
use crate::json::walk::{Doc, Sort, Value};
use crate::limit::MAX_RESULT_BYTES;
use crate::settings::Settings;
use crate::text::{Keep, cut};

/// The optional member that a prepared output schema has for our notice.
pub const NOTICE_MEMBER: &str = "result_budget";

/// What it is, as a schema.
pub const NOTICE_SCHEMA: &str =
    r#"{"type":"string","description":"How much of this result is shown, where it was cut."}"#;

/// The optional argument that a prepared input schema has for a budget.
pub const CALL_ARGUMENT: &str = "max_bytes";

/// Sizes of one tool, in bytes of compact JSON.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ToolSizes {
    /// Its name, at most 128 bytes of it.
    pub name: String,
    /// The whole entry.
    pub tool_bytes: u32,
    /// `description`.
    pub description_bytes: u32,
    /// `inputSchema`.
    pub input_schema_bytes: u32,
    /// `outputSchema`; zero where there is none.
    pub output_schema_bytes: u32,
}

/// Sizes of a list of tools, in bytes of compact JSON.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ToolsMeasurement {
    /// The whole result.
    pub list_bytes: u32,
    /// Tools in the list.
    pub tools_items: u32,
    /// Whether the result is within the limit of a whole result.
    pub fits: bool,
    /// The first tools, at most 1,000.
    pub tools: Vec<ToolSizes>,
}

/// Measures the result of `tools/list`, and changes nothing.
///
/// # Errors
/// [`FitError`], as for [`crate::fit()`].
#[inline(never)]
pub fn measure_tools(
    tools_list_json: &str,
    settings: &Settings,
) -> Result<ToolsMeasurement, FitError> {
    let doc = open(tools_list_json, settings)?;
    let mut found = ToolsMeasurement {
        list_bytes: bytes(&doc.root()),
        fits: measured(tools_list_json, ResultKind::List, settings) == crate::Outcome::Unchanged,
        ..ToolsMeasurement::default()
    };
    let Some(tools) = member(&doc, &doc.root(), "tools") else { return Ok(found) };
    for tool in doc.items(&tools) {
        found.tools_items += 1;
        if found.tools.len() >= TOOLS_MAX_ITEMS {
            continue;
        }
        let size = |name: &str| member(&doc, &tool, name).map_or(0, |value| bytes(&value));
        let name = member(&doc, &tool, "name").map_or("", |name| doc.body(&name));
        let end = cut(name, NAME_MAX_BYTES, Keep::Head).head_end;
        found.tools.push(ToolSizes {
            name: decode_body(name.get(..end).unwrap_or_default()).to_string(),
            tool_bytes: bytes(&tool),
            description_bytes: size("description"),
            input_schema_bytes: size("inputSchema"),
            output_schema_bytes: size("outputSchema"),
        });
    }
    Ok(found)
}

/// Prepares the result of `tools/list`; `None` where it stays as it is.
///
/// Adds to each closed output schema the optional member `result_budget`, so
/// that our notice may stand in structured content; where the policy says so,
/// to each input schema the optional argument `max_bytes`, and shortens
/// descriptions that are too long. Nothing else changes, by a byte.
///
/// ```
/// use result_budget_core::{Settings, tools::prepare_tools};
/// let list = concat!(
///     r#"{"tools":[{"name":"a","inputSchema":{"type":"object"},"outputSchema":"#,
///     r#"{"type":"object","properties":{"n":{}},"additionalProperties":false}}]}"#,
/// );
/// let prepared = prepare_tools(list, &Settings::default())?.unwrap_or_default();
/// assert!(prepared.contains(r#""properties":{"n":{},"result_budget":{"type":"string","#));
/// assert_eq!(prepare_tools(&prepared, &Settings::default())?, None);
/// # Ok::<(), result_budget_core::FitError>(())
/// ```
///
/// # Errors
/// [`FitError`], as for [`crate::fit()`].
#[inline(never)]
pub fn prepare_tools(
    tools_list_json: &str,
    settings: &Settings,
) -> Result<Option<String>, FitError> {
    let doc = open(tools_list_json, settings)?;
    let mut edits = Edits { doc: &doc, out: String::new(), at: 0 };
    if let Some(tools) = member(&doc, &doc.root(), "tools") {
        for tool in doc.items(&tools) {
            edits.tool(&tool, settings);
        }
    }
    Ok(edits.finish())
}

/// A text that is copied with changes, in order.
struct Edits<'d> {
    doc: &'d Doc<'d>,
    out: String,
    /// What is before this is written.
    at: usize,
}

impl Edits<'_> {
    fn replace(&mut self, start: usize, end: usize, text: &str) {
        self.out.push_str(self.doc.text.get(self.at..start).unwrap_or_default());
        self.out.push_str(text);
        self.at = end;
    }

    fn finish(mut self) -> Option<String> {
        if self.at == 0 {
            return None;
        }
        self.out.push_str(self.doc.text.get(self.at..).unwrap_or_default());
        Some(self.out)
    }

    fn tool(&mut self, tool: &Value, settings: &Settings) {
        let doc = self.doc;
        if repeats(doc, tool) {
            return;
        }
        for field in doc.members(tool) {
            let value = field.value;
            match decode_body(field.key).as_ref() {
                "description" => self.description(&value, settings),
                "outputSchema" if is_plain(doc, &value) && is_closed(doc, &value) => {
                    self.property(&value, NOTICE_MEMBER, NOTICE_SCHEMA);
                }
                "inputSchema" if settings.call_argument && is_plain(doc, &value) => {
                    let (min, max) = (MAX_RESULT_BYTES.min, settings.limits.max_result_bytes);
                    let schema = format!(
                        r#"{{"type":"integer","minimum":{min},"maximum":{max},"description":"The most bytes that the result may have."}}"#
                    );
                    self.property(&value, CALL_ARGUMENT, &schema);
                }
                _ => {}
            }
        }
    }

    /// Adds a property to a schema that has none of its name.
    fn property(&mut self, schema: &Value, name: &str, declared: &str) {
        let doc = self.doc;
        let end = |object: &Value| {
            let comma = if doc.children_items(object) == 0 { "" } else { "," };
            (object.end - 1, comma)
        };
        match member(doc, schema, "properties") {
            Some(properties) if doc.sort(&properties) != Sort::Object => {}
            Some(properties) => {
                if !repeats(doc, &properties) && member(doc, &properties, name).is_none() {
                    let (at, comma) = end(&properties);
                    self.replace(at, at, &format!("{comma}\"{name}\":{declared}"));
                }
            }
            None => {
                let (at, comma) = end(schema);
                let text = format!("{comma}\"properties\":{{\"{name}\":{declared}}}");
                self.replace(at, at, &text);
            }
        }
    }

    /// Shortens a description that is too long, at the end of a sentence or of
    /// a word.
    fn description(&mut self, value: &Value, settings: &Settings) {
        let body = self.doc.body(value);
        let most = settings.max_description_bytes.map_or(usize::MAX, |most| most as usize);
        if body.len() <= most {
            return;
        }
        let marker = 2 * body.len().to_string().len() + 12;
        let room = most.saturating_sub(marker);
        let head = body.get(..cut(body, room, Keep::Head).head_end).unwrap_or_default();
        let sentence = head.rfind(". ").map(|at| at + 1).filter(|at| 2 * at >= head.len());
        let end = sentence.or_else(|| head.rfind(' ')).unwrap_or(head.len());
        let kept = head.get(..end).unwrap_or_default().trim_end_matches(' ');
        let text = format!("{kept} [{} of {} bytes]", kept.len(), body.len());
        self.replace(value.start + 1, value.end - 1, &text);
    }
}

/// Whether a schema is an object that says at its top no more than which
/// properties there are: then one more of them is a matter of `properties`.
fn is_plain(doc: &Doc<'_>, schema: &Value) -> bool {
    doc.sort(schema) == Sort::Object
        && !repeats(doc, schema)
        && doc.members(schema).all(|member| {
            let key = decode_body(member.key);
            let is_object = key != "type" || doc.body(&member.value) == "object";
            is_object && !KEYWORDS.contains(&key.as_ref())
        })
}

/// Whether a schema admits no property that it does not name.
fn is_closed(doc: &Doc<'_>, schema: &Value) -> bool {
    ["additionalProperties", "unevaluatedProperties"]
        .iter()
        .any(|name| member(doc, schema, name).is_some_and(|value| doc.raw(&value) == "false"))
}

/// The last member of this name.
fn member(doc: &Doc<'_>, object: &Value, name: &str) -> Option<Value> {
    doc.members(object).filter(|member| key_is(member.key, name)).last().map(|found| found.value)
}

fn bytes(value: &Value) -> u32 {
    u32::try_from(value.compact_bytes()).unwrap_or(u32::MAX)
}

/// What says more of an object than which properties it has.
const KEYWORDS: [&str; 15] = [
    "$ref",
    "$dynamicRef",
    "$recursiveRef",
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "if",
    "patternProperties",
    "propertyNames",
    "maxProperties",
    "dependentSchemas",
    "dependencies",
    "const",
    "enum",
];

const TOOLS_MAX_ITEMS: usize = 1_000;
const NAME_MAX_BYTES: usize = 128;
