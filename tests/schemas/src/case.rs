//! One case: a schema, a valid instance and settings; what the engine makes of
//! them, and what is wrong with that.

use jsonschema::Validator;
use result_budget_core::{
    Ansi, FitError, Mirror, Outcome, OutputSchema, Revision, Settings, WireProfile, fit,
    prepare_tools,
};
use result_budget_support::random::Random;
use serde_json::{Value, json};

use crate::schema::validator;

/// A schema as it is told to the engine and to clients.
#[derive(Debug)]
pub struct Told {
    /// As it is told.
    pub schema: Value,
    /// The same as text.
    pub text: String,
    /// The oracle for it.
    pub oracle: Validator,
    /// It went through `prepare_tools`, and was changed there.
    pub is_prepared: bool,
}

impl Told {
    /// The schema as it is; prepared where `prepares`.
    ///
    /// # Errors
    /// Where it is no schema, or refers to what is not in it.
    pub fn new(schema: &Value, prepares: bool) -> Result<Self, String> {
        let mut told = schema.clone();
        let mut is_prepared = false;
        if prepares {
            let list = json!({"tools": [
                {"name": "t", "inputSchema": {"type": "object"}, "outputSchema": schema},
            ]});
            let prepared = prepare_tools(&list.to_string(), &Settings::default())
                .map_err(|error| format!("{error:?}"))?;
            if let Some(list) = prepared {
                let list: Value = serde_json::from_str(&list).map_err(|error| error.to_string())?;
                told = list.pointer("/tools/0/outputSchema").cloned().unwrap_or_default();
                is_prepared = true;
            }
        }
        let oracle = validator(&told)?;
        Ok(Told { text: told.to_string(), schema: told, oracle, is_prepared })
    }
}

/// A schema that is told as this text, escapes and repetitions included.
///
/// # Errors
/// Where it is no schema, or refers to what is not in it.
pub fn validator_of_text(text: &str) -> Result<Told, String> {
    let schema: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let oracle = validator(&schema)?;
    Ok(Told { text: text.to_string(), schema, oracle, is_prepared: false })
}

/// What the engine made of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Made {
    /// It fits as it is.
    Whole,
    /// `structuredContent` was cut, and is this now.
    Cut(String),
    /// Something else was cut, or white space went.
    Beside,
    /// The bounded error.
    Error,
    /// The schema or the result was refused.
    Refused(String),
}

/// A rule that was broken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Which, in a few words.
    pub rule: &'static str,
    /// What came out, and what is wrong with it.
    pub what: String,
}

/// The engine, or what a test puts in its place.
pub type Fit = fn(&str, OutputSchema<'_>, &Settings) -> Result<Outcome, FitError>;

/// The engine.
pub const ENGINE: Fit = |json, schema, settings| fit(json, schema, settings);

/// A result around `instance`: alone, repeated as text, or beside a text.
#[must_use]
pub fn result(random: &mut Random, instance: &Value) -> String {
    let content = match random.below(5) {
        0 | 1 => json!([]),
        2 => json!([{"type": "text", "text": "What was asked for is in the structured part."}]),
        _ => json!([{"type": "text", "text": instance.to_string()}]),
    };
    json!({"content": content, "structuredContent": instance}).to_string()
}

/// Settings under which a result of `bytes` is cut, mostly; and their name.
#[must_use]
pub fn settings(random: &mut Random, bytes: usize) -> (Settings, String) {
    let share = *random.pick(&[5, 12, 25, 40, 60, 80, 95]);
    let limit = (bytes * share / 100).clamp(256, 1_000_000);
    let mut settings = Settings::default();
    // OK because the number is in range.
    let _ = settings.limits.cap_to(u32::try_from(limit).unwrap_or(256));
    let mut name = format!("limit {limit}");
    if random.once_in(6) {
        settings.mirror = *random.pick(&[Mirror::Structured, Mirror::Text]);
        name = format!("{name}, mirror {}", settings.mirror.name());
    }
    if random.once_in(8) {
        settings.wire_profile = *random.pick(&[WireProfile::AsciiCompact, WireProfile::PythonJson]);
        name = format!("{name}, {:?}", settings.wire_profile);
    }
    if random.once_in(4) {
        let limits = &mut settings.limits;
        let tenth = u32::try_from(bytes / 10).unwrap_or(u32::MAX);
        let what = match random.below(9) {
            0 => {
                limits.max_list_items = Some(*random.pick(&[1, 3, 10]));
                "max_list_items"
            }
            1 => {
                limits.max_map_keys = Some(*random.pick(&[1, 3, 10]));
                "max_map_keys"
            }
            2 => {
                limits.max_string_bytes = Some(64);
                "max_string_bytes 64"
            }
            3 => {
                limits.max_item_bytes = Some(*random.pick(&[64, 200]));
                "max_item_bytes"
            }
            4 => {
                limits.max_structured_bytes = Some(*random.pick(&[64, 300]));
                "max_structured_bytes"
            }
            5 => {
                limits.max_depth = *random.pick(&[4, 5, 6]);
                "max_depth"
            }
            6 => {
                limits.max_key_bytes = Some(16);
                "max_key_bytes 16"
            }
            7 => {
                limits.max_text_tokens = Some(tenth.max(128));
                "max_text_tokens"
            }
            _ => {
                limits.max_text_lines = Some(16);
                "max_text_lines 16"
            }
        };
        // Sometimes alone: then nothing else is over.
        if random.once_in(3) && bytes < 1_000_000 {
            limits.max_result_bytes = 2_000_000;
            limits.max_text_bytes = 2_000_000;
            name = String::from("limit 2000000");
        }
        name = format!("{name}, {what}");
    }
    if random.once_in(12) {
        settings.ansi = Ansi::Strip;
        name = format!("{name}, strip");
    }
    if random.once_in(12) {
        settings.revision = *random.pick(&[Revision::R20250618, Revision::R20251125]);
        name = format!("{name}, {}", settings.revision.name());
    }
    (settings, name)
}

/// Runs one case, and judges what came out.
pub fn run(fit: Fit, told: &Told, result: &str, settings: &Settings) -> (Made, Vec<Fault>) {
    let mut faults = Vec::new();
    let mut fault = |rule, what: String| faults.push(Fault { rule, what });
    let schema = OutputSchema::Given(&told.text);
    let (output, replaced) = match fit(result, schema, settings) {
        Err(error) => return (Made::Refused(format!("{error:?}")), faults),
        Ok(Outcome::Unchanged) => return (Made::Whole, faults),
        Ok(Outcome::ProtocolError(_)) => {
            fault("a tool's result became a protocol error", String::new());
            return (Made::Error, faults);
        }
        Ok(Outcome::Compacted(json)) => (json, false),
        Ok(Outcome::Bounded(fitted)) => (fitted.tool_result_json, fitted.replaced_by_error),
    };
    let limit = settings.limits.max_result_bytes as usize;
    if output.len() > limit {
        fault("over the limit", format!("{} bytes: {output}", output.len()));
    }
    let after: Value = match serde_json::from_str(&output) {
        Ok(after) => after,
        Err(error) => {
            fault("no JSON", format!("{error}: {output}"));
            return (Made::Beside, faults);
        }
    };
    let is_error = after.get("isError") == Some(&Value::Bool(true));
    let structured = after.get("structuredContent");
    if fit(&output, schema, settings) != Ok(Outcome::Unchanged) {
        fault("not idempotent", output.clone());
    }
    if replaced != is_error {
        fault("the outcome does not say whether it is an error", output.clone());
    }
    let Some(structured) = structured else {
        if !is_error {
            fault("a success without structuredContent", output.clone());
        }
        return (Made::Error, faults);
    };
    if is_error {
        fault("an error with structuredContent", output.clone());
    }
    if let Some(error) = told.oracle.iter_errors(structured).next() {
        let at = error.instance_path().to_string();
        fault("does not conform", format!("at `{at}`: {error:.300}: {output}"));
    }
    let before: Value = serde_json::from_str(result).unwrap_or_default();
    let is_cut = before.get("structuredContent") != Some(structured);
    (if is_cut { Made::Cut(structured.to_string()) } else { Made::Beside }, faults)
}
