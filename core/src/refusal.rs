//! The bounded errors for a result of which nothing could be kept.

use alloc::format;
use alloc::string::String;

use crate::call::ResultKind;
use crate::outcome::{Fitted, Outcome, ProtocolError};
use crate::profile::print;
use crate::report::REPORT_KEY;
use crate::settings::{Revision, Settings};

/// The bounded error for a result of which nothing could be kept: in the form
/// that this kind of result has for it, else as a JSON-RPC error.
pub(crate) fn error_outcome(given_bytes: usize, kind: ResultKind, settings: &Settings) -> Outcome {
    let (tool_result_json, report_json) = match kind {
        ResultKind::Tool => nothing_fits(given_bytes, settings),
        // An error is replaced by an error: it goes where the other would.
        ResultKind::Error => no_result_fits(given_bytes, settings),
        ResultKind::Prompt
        | ResultKind::Resource
        | ResultKind::Task
        | ResultKind::List
        | ResultKind::Other => {
            let (error_json, report_json) = no_result_fits(given_bytes, settings);
            return Outcome::ProtocolError(ProtocolError { error_json, report_json });
        }
    };
    Outcome::Bounded(Fitted { tool_result_json, report_json, replaced_by_error: true })
}

/// The error result and its report; at most 256 bytes where the limit is under
/// 512, in every wire profile.
fn nothing_fits(given_bytes: usize, settings: &Settings) -> (String, String) {
    let limit = settings.limits.max_result_bytes;
    let result_type =
        if settings.revision >= Revision::R20260728 { ",\"resultType\":\"complete\"" } else { "" };
    let report = String::from(NOTHING_KEPT);
    let meta = if limit >= 512 {
        format!(",\"_meta\":{{\"{REPORT_KEY}\":{report}}}")
    } else {
        String::new()
    };
    let mut text = format!(
        "[result-budget] The call ran, do not repeat it. 0 of {given_bytes} bytes shown: no cut fits {limit}."
    );
    let most = settings.limits.max_block_text_bytes.unwrap_or(u32::MAX);
    if text.len() > most as usize {
        text = format!("[call ran; cut: 0 of {given_bytes} bytes]");
    }
    let json = format!(
        "{{\"content\":[{{\"type\":\"text\",\"text\":\"{text}\"}}],\"isError\":true{result_type}{meta}}}"
    );
    (print(&json, settings.wire_profile), report)
}

/// The JSON-RPC error object in place of a result that has no form for errors,
/// and its report; at most 256 bytes where the limit is under 512, in every
/// wire profile.
fn no_result_fits(given_bytes: usize, settings: &Settings) -> (String, String) {
    let limit = settings.limits.max_result_bytes;
    let data = if limit >= 512 {
        format!(",\"data\":{{\"{REPORT_KEY}\":{NOTHING_KEPT}}}")
    } else {
        String::new()
    };
    let why = if given_bytes > limit as usize {
        format!("no cut fits {limit}")
    } else {
        String::from("no legal cut of it fits")
    };
    let json = format!(
        "{{\"code\":-32603,\"message\":\"[result-budget] 0 of {given_bytes} bytes shown: {why}. The same request has the same answer.\"{data}}}"
    );
    (print(&json, settings.wire_profile), String::from(NOTHING_KEPT))
}

/// The report of a result of which nothing is kept.
const NOTHING_KEPT: &str = "{\"truncated\":true,\"budget_kind\":\"result-bytes\",\"omitted_count\":1,\"omitted_paths\":[\"\"]}";
