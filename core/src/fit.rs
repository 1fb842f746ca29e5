//! The one orchestration: a result in, a bounded result and its report out.

use alloc::string::String;

use crate::limit::{INPUT_MAX_BYTES, LimitFault};
use crate::settings::{OutputSchema, Settings};

/// How a result came out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The result is within every bound: send the bytes that came in.
    Unchanged,
    /// White space between tokens went, and nothing else.
    Compacted(String),
    /// The result was cut or repaired.
    Bounded(Fitted),
}

/// A result that was changed, with its account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fitted {
    /// The result to send, whole.
    pub tool_result_json: String,
    /// What was cut and repaired, as JSON: the full account, of which the
    /// result itself carries what its budget allows.
    pub report_json: String,
    /// True where no cut was legal and a bounded error stands in for the
    /// result.
    pub replaced_by_error: bool,
}

/// Why a result could not be fitted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FitError {
    /// A limit is out of range. The host is at fault.
    LimitOutOfRange(LimitFault),
    /// The input is longer than the engine reads. The tool is at fault.
    InputTooLarge {
        /// Bytes that were given.
        given_bytes: u32,
        /// Bytes that are allowed.
        max_bytes: u32,
    },
    /// The text is not JSON. The tool is at fault.
    MalformedJson {
        /// Offset of the first fault.
        offset_bytes: u32,
    },
    /// The text is JSON, but no object. The tool is at fault.
    NotAnObject,
}

/// Fits one tool result under `settings`.
///
/// # Errors
/// [`FitError`]; each case says whose fault it is.
pub fn fit(
    tool_result_json: &str,
    output_schema: OutputSchema<'_>,
    settings: &Settings,
) -> Result<Outcome, FitError> {
    settings.limits.check().map_err(FitError::LimitOutOfRange)?;
    if tool_result_json.len() > INPUT_MAX_BYTES as usize {
        return Err(FitError::InputTooLarge {
            given_bytes: u32::try_from(tool_result_json.len()).unwrap_or(u32::MAX),
            max_bytes: INPUT_MAX_BYTES,
        });
    }
    let _ = output_schema;
    crate::json::scan(tool_result_json, 65)
        .map_err(|fault| FitError::MalformedJson { offset_bytes: fault.offset_bytes })?;
    Ok(Outcome::Unchanged)
}
