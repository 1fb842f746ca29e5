//! The error results that stand in where there is no result to send
//! (contract B11).
//!
//! Each is a whole result, small and constant in form: who is at fault, what
//! was given, what is allowed. It is plain ASCII without a character that any
//! wire profile escapes, so its length under every profile is known. It never
//! advises to call again: the tool may have run.

use alloc::format;
use alloc::string::String;

use crate::call::ResultKind;
use crate::fit::FitError;
use crate::settings::{Revision, Settings};

/// Why a host has no result of the tool to send.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The engine refused the result.
    Refused(FitError),
    /// The result is no UTF-8.
    NotUtf8 {
        /// Offset of the first fault.
        offset_bytes: u32,
    },
    /// The engine did not finish in the time that the host allows.
    Deadline,
    /// The engine needed more memory than the host allows.
    Memory,
    /// The engine stopped: a defect of ours.
    Trap,
    /// The engine's answer did not pass the host's check: a defect of ours.
    BadAnswer,
    /// Too many failures in a row; the host pauses.
    CircuitOpen,
}

/// The longest failure result, in bytes, under any wire profile.
pub const FAILURE_RESULT_MAX_BYTES: u32 = 256;

/// Makes the error result for `failure`, valid in the revision of `settings`,
/// and at most [`FAILURE_RESULT_MAX_BYTES`] long under any wire profile. For
/// what is no tool's result it is a JSON-RPC error object, to send in its place.
///
/// ```
/// use result_budget_core::{Failure, ResultKind, Settings, failure_result};
/// let failure = Failure::NotUtf8 { offset_bytes: 7 };
/// assert_eq!(
///     failure_result(&failure, ResultKind::Tool, &Settings::default()),
///     concat!(
///         r#"{"content":[{"type":"text","text":"[result-budget] Tool at fault: "#,
///         r#"its result is no UTF-8 from byte 7 on, only UTF-8 is allowed. "#,
///         r#"It may have run: do not repeat changes."}],"isError":true,"resultType":"complete"}"#,
///     )
/// );
/// assert_eq!(
///     failure_result(&failure, ResultKind::Prompt, &Settings::default()),
///     concat!(
///         r#"{"code":-32603,"message":"[result-budget] Server at fault: "#,
///         r#"its result is no UTF-8 from byte 7 on, only UTF-8 is allowed."}"#,
///     )
/// );
/// ```
#[must_use]
#[inline(never)]
pub fn failure_result(failure: &Failure, kind: ResultKind, settings: &Settings) -> String {
    let (fault, subject) = text_of(failure);
    if kind != ResultKind::Tool {
        let fault =
            fault.strip_prefix("Tool").map_or(fault.clone(), |rest| format!("Server{rest}"));
        return format!(r#"{{"code":-32603,"message":"[result-budget] {fault}."}}"#);
    }
    let text = format!("{fault}. {subject} may have run: do not repeat changes.");
    let result_type =
        if settings.revision >= Revision::R20260728 { r#","resultType":"complete""# } else { "" };
    format!(
        r#"{{"content":[{{"type":"text","text":"[result-budget] {text}"}}],"isError":true{result_type}}}"#
    )
}

/// Who is at fault, what was given, what is allowed; and what may have run.
fn text_of(failure: &Failure) -> (String, &'static str) {
    const IT: &str = "It";
    const TOOL: &str = "The tool";
    match failure {
        Failure::Refused(FitError::LimitOutOfRange(fault)) => {
            let text = format!(
                "Server at fault: {} is {}, allowed {} to {}",
                plain(fault.name, NAME_MAX_BYTES),
                plain(&fault.given, GIVEN_MAX_BYTES),
                fault.min,
                fault.max
            );
            (text, TOOL)
        }
        Failure::Refused(FitError::InputTooLarge { given_bytes, max_bytes }) => {
            let text = format!(
                "Tool at fault: its result has {given_bytes} bytes, at most {max_bytes} are allowed"
            );
            (text, IT)
        }
        Failure::Refused(FitError::MalformedJson { offset_bytes }) => {
            let text = format!(
                "Tool at fault: its result is no JSON from byte {offset_bytes} on, only JSON is allowed"
            );
            (text, IT)
        }
        Failure::Refused(FitError::NotAnObject) => {
            let text = "Tool at fault: its result is JSON but no object, only an object is allowed";
            (String::from(text), IT)
        }
        Failure::Refused(FitError::PreviousReport { .. }) => {
            let text = "Server at fault: the report of an earlier boundary cannot be read";
            (String::from(text), TOOL)
        }
        Failure::Refused(FitError::OutputSchema { offset_bytes }) => {
            let text = format!(
                "Server at fault: the tool's output schema is no schema from byte {offset_bytes} on"
            );
            (text, TOOL)
        }
        Failure::NotUtf8 { offset_bytes } => {
            let text = format!(
                "Tool at fault: its result is no UTF-8 from byte {offset_bytes} on, only UTF-8 is allowed"
            );
            (text, IT)
        }
        Failure::Deadline => boundary("bounding the result took longer than allowed"),
        Failure::Memory => boundary("bounding the result took more memory than allowed"),
        Failure::Trap => boundary("it stopped while bounding the result"),
        Failure::BadAnswer => boundary("the bounded result did not pass its check"),
        Failure::CircuitOpen => boundary("it failed too often in a row and pauses"),
    }
}

fn boundary(what: &str) -> (String, &'static str) {
    (format!("Boundary at fault: {what}"), "The tool")
}

/// `text` as far as it may be quoted: at most `max_bytes`, and `?` for every
/// character that is not plain in each wire profile.
fn plain(text: &str, max_bytes: usize) -> String {
    let mut out = String::new();
    for character in text.chars() {
        if out.len() == max_bytes {
            out.truncate(max_bytes.saturating_sub(3));
            out.push_str("...");
            break;
        }
        let legal = character.is_ascii_alphanumeric() || " +-._".contains(character);
        out.push(if legal { character } else { '?' });
    }
    if out.is_empty() { String::from("empty") } else { out }
}

const NAME_MAX_BYTES: usize = 24;
const GIVEN_MAX_BYTES: usize = 28;
