//! Arguments as the engine takes them: numbers and documents as texts.

use std::borrow::Cow;
use std::path::PathBuf;

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict, PyInt, PyString};
use result_budget::{Call, Failure, Fault, Mode, OutputSchema, Refused, ResultKind, Settings};

use crate::engine::{self, Engine};
use crate::error;
use crate::printer::{self, Printed};

/// The arguments of a call, as texts.
pub(crate) struct CallArguments<'a> {
    tool: Option<Cow<'a, str>>,
    revision: Option<Cow<'a, str>>,
    client: Option<Cow<'a, str>>,
    max_bytes: Option<String>,
    max_tokens: Option<String>,
    schema: Schema,
    pub(crate) kind: ResultKind,
    previous_report: Option<String>,
}

enum Schema {
    None,
    Unknown,
    Given(String),
}

impl<'a> CallArguments<'a> {
    pub(crate) fn new(
        tool: Option<Cow<'a, str>>,
        revision: Option<Cow<'a, str>>,
        client: Option<Cow<'a, str>>,
        output_schema: Option<&Bound<'_, PyAny>>,
        max_bytes: Option<&Bound<'_, PyAny>>,
        max_tokens: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let max_bytes = max_bytes.map(|given| number("max_bytes", given)).transpose()?;
        let max_tokens = max_tokens.map(|given| number("max_tokens", given)).transpose()?;
        Ok(CallArguments {
            tool,
            revision,
            client,
            max_bytes,
            max_tokens,
            schema: schema_of(output_schema)?,
            kind: ResultKind::Tool,
            previous_report: None,
        })
    }

    /// Says what the result is, and what an earlier boundary told of it.
    pub(crate) fn of_kind(
        mut self,
        py: Python<'_>,
        kind: &str,
        previous_report: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        self.kind = kind_of(py, kind)?;
        self.previous_report = match previous_report {
            None => None,
            Some(given) => match given.cast::<PyString>() {
                Ok(text) => Some(text.to_string_lossy().into_owned()),
                Err(_) => Some(document("previous_report", given)?),
            },
        };
        Ok(self)
    }

    pub(crate) fn call(&self) -> Call<'_> {
        Call {
            kind: self.kind,
            previous_report: self.previous_report.as_deref(),
            tool: self.tool.as_deref(),
            revision: self.revision.as_deref(),
            client_name: self.client.as_deref(),
            output_schema: match &self.schema {
                Schema::None => OutputSchema::None,
                Schema::Unknown => OutputSchema::Unknown,
                Schema::Given(json) => OutputSchema::Given(json),
            },
            call_max_bytes: self.max_bytes.as_deref(),
            call_max_tokens: self.max_tokens.as_deref(),
        }
    }
}

/// A kind of result by its name.
pub(crate) fn kind_of(py: Python<'_>, name: &str) -> PyResult<ResultKind> {
    ResultKind::named(name).ok_or_else(|| {
        let names: Vec<String> =
            ResultKind::ALL.iter().map(|kind| format!("`{}`", kind.code())).collect();
        let allowed = names.join(", ");
        let message =
            format!("`kind` must be one of {allowed}, got `{name}` (the caller is at fault)");
        error::bad_argument(py, &message)
    })
}

fn schema_of(given: Option<&Bound<'_, PyAny>>) -> PyResult<Schema> {
    let Some(given) = given else { return Ok(Schema::Unknown) };
    if let Ok(name) = given.cast::<PyString>() {
        return match name.to_str() {
            Ok("none") => Ok(Schema::None),
            Ok("unknown") => Ok(Schema::Unknown),
            // Another word is meant for one of these; what else it is, the
            // engine says.
            Ok(json) if !json.bytes().all(|byte| byte.is_ascii_alphabetic()) => {
                Ok(Schema::Given(json.to_owned()))
            }
            Ok(json @ ("true" | "false")) => Ok(Schema::Given(json.to_owned())),
            Ok(_) | Err(_) => Err(error::bad_type("output_schema", given, SCHEMA_ALLOWED)),
        };
    }
    if given.is_instance_of::<PyDict>() || given.is_instance_of::<PyBool>() {
        return document("output_schema", given).map(Schema::Given);
    }
    Err(error::bad_type("output_schema", given, SCHEMA_ALLOWED))
}

/// A number as the text in which it was given: the engine reads it.
pub(crate) fn number(name: &str, given: &Bound<'_, PyAny>) -> PyResult<String> {
    let py = given.py();
    if let Ok(text) = given.cast::<PyString>() {
        return Ok(text.to_string_lossy().into_owned());
    }
    if given.is_instance_of::<PyBool>() {
        return Ok(given.str()?.to_string_lossy().into_owned());
    }
    // Other libraries' whole numbers say so; a float does not.
    let whole = if given.is_instance_of::<PyInt>() {
        Ok(given.clone())
    } else {
        given.call_method0(intern!(py, "__index__"))
    };
    let shown = match whole.as_ref().ok().and_then(|whole| whole.cast::<PyInt>().ok()) {
        // Python refuses to print thousands of digits in tens, not in sixteens.
        Some(whole) => printer::decimal(whole).or_else(|_| {
            let arguments = (whole, intern!(py, "#x"));
            py.get_type::<PyInt>().call_method1(intern!(py, "__format__"), arguments)?.extract()
        }),
        None => given.repr().map(|text| text.to_string_lossy().into_owned()),
    };
    shown.map_err(|_| error::bad_type(name, given, "a whole number"))
}

/// A policy: a path, JSON text (bytes, or text that opens an object), or the
/// document itself.
pub(crate) fn policy_json(given: &Bound<'_, PyAny>) -> PyResult<String> {
    let py = given.py();
    if let Ok(text) = given.cast::<PyString>() {
        let text = text.to_string_lossy();
        if text.trim_start().starts_with('{') {
            return Ok(text.into_owned());
        }
    } else if given.is_instance_of::<PyDict>() {
        return document("policy", given);
    } else if let Ok(bytes) = given.cast::<PyBytes>() {
        return utf8(py, bytes.as_bytes().to_vec(), "`policy`");
    } else if !given.hasattr(intern!(py, "__fspath__"))? {
        return Err(error::bad_type("policy", given, "a path, a dict, or JSON text"));
    }
    let path: PathBuf = given.extract()?;
    utf8(py, engine::read(py, &path)?, &format!("`{}`", path.display()))
}

fn utf8(py: Python<'_>, bytes: Vec<u8>, name: &str) -> PyResult<String> {
    String::from_utf8(bytes).map_err(|_| {
        error::bad_argument(py, &format!("{name} is no UTF-8 (its author is at fault)"))
    })
}

fn document(name: &str, given: &Bound<'_, PyAny>) -> PyResult<String> {
    match printer::print(given, DOCUMENT_MAX_BYTES) {
        Printed::Text(text) => Ok(text),
        Printed::TooLong(_) => {
            let allowed = format!("at most {DOCUMENT_MAX_BYTES} bytes of JSON");
            Err(error::bad_type(name, given, &allowed))
        }
    }
}

pub(crate) fn engine_of(given: &Bound<'_, PyAny>) -> PyResult<result_budget::Engine> {
    if let Ok(engine) = given.cast::<Engine>() {
        return Ok(engine.get().inner.clone());
    }
    match given.extract::<PathBuf>() {
        Ok(path) => engine::load(given.py(), &path),
        Err(_) => Err(error::bad_type("engine", given, "an Engine, or the path of an image")),
    }
}

pub(crate) fn mode_of(py: Python<'_>, name: &str) -> PyResult<Mode> {
    match name {
        ENFORCE => Ok(Mode::Enforce),
        REPORT_ONLY => Ok(Mode::ReportOnly),
        other => {
            let message = format!(
                "`mode` must be `{ENFORCE}` or `{REPORT_ONLY}`, got `{other}` (the caller is at fault)"
            );
            Err(error::bad_argument(py, &message))
        }
    }
}

pub(crate) fn failure_of(
    code: &str,
    offset_bytes: u32,
    given_bytes: u32,
    max_bytes: u32,
) -> Option<Failure> {
    Some(match code {
        "malformed-json" => Refused::MalformedJson { offset_bytes }.into(),
        "not-an-object" => Refused::NotAnObject.into(),
        "output-schema" => Refused::OutputSchema { offset_bytes }.into(),
        "not-utf8" => Refused::NotUtf8 { offset_bytes }.into(),
        "input-too-large" => Refused::InputTooLarge { given_bytes, max_bytes }.into(),
        "deadline" => Fault::Deadline.into(),
        "memory" => Fault::Memory.into(),
        "trap" => Fault::Trap.into(),
        "bad-answer" => Fault::BadAnswer.into(),
        "circuit-open" => Fault::CircuitOpen.into(),
        _ => return None,
    })
}

pub(crate) fn set_by_hand(settings: &mut Settings, limits: &Bound<'_, PyDict>) -> PyResult<()> {
    for (name, value) in limits.iter() {
        let (name, value): (String, u32) = (name.extract()?, value.extract()?);
        let of = &mut settings.limits;
        match name.as_str() {
            "max_result_bytes" => of.max_result_bytes = value,
            "max_text_bytes" => of.max_text_bytes = value,
            "max_binary_bytes" => of.max_binary_bytes = value,
            "max_content_blocks" => of.max_content_blocks = value,
            "max_depth" => of.max_depth = value,
            "max_text_tokens" => of.max_text_tokens = Some(value),
            "max_text_lines" => of.max_text_lines = Some(value),
            "max_block_text_bytes" => of.max_block_text_bytes = Some(value),
            "max_block_binary_bytes" => of.max_block_binary_bytes = Some(value),
            "max_structured_bytes" => of.max_structured_bytes = Some(value),
            "max_list_items" => of.max_list_items = Some(value),
            "max_map_keys" => of.max_map_keys = Some(value),
            "max_string_bytes" => of.max_string_bytes = Some(value),
            "max_key_bytes" => of.max_key_bytes = Some(value),
            "max_item_bytes" => of.max_item_bytes = Some(value),
            _ => {
                let message = format!("no limit is called `{name}` (the caller is at fault)");
                return Err(error::bad_argument(limits.py(), &message));
            }
        }
    }
    Ok(())
}

/// The names of the modes.
pub(crate) const ENFORCE: &str = "enforce";
pub(crate) const REPORT_ONLY: &str = "report-only";

const SCHEMA_ALLOWED: &str = "`none`, `unknown`, or a JSON Schema as a dict or JSON text";

/// The longest policy or schema that is printed: what the engine reads.
const DOCUMENT_MAX_BYTES: u32 = 16 * 1_024 * 1_024;
