//! The error results that stand in where there is no result to send
//! (contract B11).

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

/// Makes the error result for `failure`, valid in the revision of `settings`.
#[must_use]
pub fn failure_result(failure: &Failure, settings: &Settings) -> String {
    let text = match failure {
        Failure::Refused(FitError::LimitOutOfRange(fault)) => {
            format!("server set {} outside {}..{}", fault.name, fault.min, fault.max)
        }
        Failure::Refused(FitError::InputTooLarge { given_bytes, max_bytes }) => {
            format!("tool result of {given_bytes} bytes is over the {max_bytes} that can be read")
        }
        Failure::Refused(FitError::MalformedJson { offset_bytes }) => {
            format!("tool result is not JSON (first fault at byte {offset_bytes})")
        }
        Failure::Refused(FitError::NotAnObject) => String::from("tool result is no JSON object"),
        Failure::NotUtf8 { offset_bytes } => {
            format!("tool result is not UTF-8 (first fault at byte {offset_bytes})")
        }
        Failure::Deadline => String::from("bounding the tool result took too long"),
        Failure::Memory => String::from("bounding the tool result took too much memory"),
        Failure::Trap => String::from("bounding the tool result failed"),
        Failure::BadAnswer => String::from("the bounded tool result did not pass its check"),
        Failure::CircuitOpen => String::from("bounding tool results keeps failing; pausing"),
    };
    let result_type =
        if settings.revision >= Revision::R20260728 { r#","resultType":"complete""# } else { "" };
    format!(
        r#"{{"content":[{{"type":"text","text":"[result-budget] {text}. The call may have run: do not repeat a change."}}],"isError":true{result_type}}}"#
    )
}
