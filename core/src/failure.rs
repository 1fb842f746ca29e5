//! The error results that stand in where there is no result to send
//! (contract B11).
//!
//! Each is a whole result, small and constant in form: who is at fault, what
//! was given, what is allowed. It is plain ASCII without a character that any
//! wire profile escapes, so its length under every profile is known. It never
//! advises to call again: the tool may have run.

use alloc::format;
use alloc::string::String;

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
/// and at most [`FAILURE_RESULT_MAX_BYTES`] long under any wire profile.
///
/// ```
/// use result_budget_core::{Failure, Settings, failure_result};
/// assert_eq!(
///     failure_result(&Failure::NotUtf8 { offset_bytes: 7 }, &Settings::default()),
///     concat!(
///         r#"{"content":[{"type":"text","text":"[result-budget] Tool at fault: "#,
///         r#"its result is no UTF-8 from byte 7 on, only UTF-8 is allowed. "#,
///         r#"It may have run: do not repeat changes."}],"isError":true,"resultType":"complete"}"#,
///     )
/// );
/// ```
#[must_use]
#[inline(never)]
pub fn failure_result(failure: &Failure, settings: &Settings) -> String {
    let text = text_of(failure);
    let result_type =
        if settings.revision >= Revision::R20260728 { r#","resultType":"complete""# } else { "" };
    format!(
        r#"{{"content":[{{"type":"text","text":"[result-budget] {text}"}}],"isError":true{result_type}}}"#
    )
}

/// Who is at fault, what was given, what is allowed, and what not to do.
fn text_of(failure: &Failure) -> String {
    let fault = match failure {
        Failure::Refused(FitError::LimitOutOfRange(fault)) => format!(
            "Server at fault: {} is {}, allowed {} to {}. The tool",
            plain(fault.name, NAME_MAX_BYTES),
            plain(&fault.given, GIVEN_MAX_BYTES),
            fault.min,
            fault.max
        ),
        Failure::Refused(FitError::InputTooLarge { given_bytes, max_bytes }) => format!(
            "Tool at fault: its result has {given_bytes} bytes, at most {max_bytes} are allowed. It"
        ),
        Failure::Refused(FitError::MalformedJson { offset_bytes }) => format!(
            "Tool at fault: its result is no JSON from byte {offset_bytes} on, only JSON is allowed. It"
        ),
        Failure::Refused(FitError::NotAnObject) => String::from(
            "Tool at fault: its result is JSON but no object, only an object is allowed. It",
        ),
        Failure::NotUtf8 { offset_bytes } => format!(
            "Tool at fault: its result is no UTF-8 from byte {offset_bytes} on, only UTF-8 is allowed. It"
        ),
        Failure::Deadline => String::from(
            "Boundary at fault: bounding the result took longer than allowed. The tool",
        ),
        Failure::Memory => String::from(
            "Boundary at fault: bounding the result took more memory than allowed. The tool",
        ),
        Failure::Trap => {
            String::from("Boundary at fault: it stopped while bounding the result. The tool")
        }
        Failure::BadAnswer => {
            String::from("Boundary at fault: the bounded result did not pass its check. The tool")
        }
        Failure::CircuitOpen => {
            String::from("Boundary at fault: it failed too often in a row and pauses. The tool")
        }
    };
    format!("{fault} may have run: do not repeat changes.")
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
