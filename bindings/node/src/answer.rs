//! What comes out of a call, and its account.

use std::cell::RefCell;

use napi::bindgen_prelude::{Buffer, Either};
use napi_derive::napi;
use result_budget::Record;

use crate::failure::Failure;

/// A result as it came out.
#[napi(object, object_from_js = false)]
pub struct Answer {
    /// `unchanged`, `compacted`, `bounded`, `replaced-by-error` or
    /// `failed-closed`; in report-only mode what it would have been.
    pub outcome: String,
    /// The result to send, text for text and bytes for bytes; absent where
    /// that is the input itself.
    pub output: Option<Either<String, Buffer>>,
    /// What was cut and repaired, as JSON, where anything was.
    pub report_json: Option<String>,
    /// Why there was no result of the tool to send, where there was none.
    pub failure: Option<Failure>,
    /// The account of the call, where it was asked for.
    pub account: Option<Account>,
}

/// Sizes and time of one call.
#[napi(object, object_from_js = false)]
#[derive(Clone, Debug)]
pub struct Account {
    /// Length of the input.
    pub in_bytes: f64,
    /// Length of the answer; in report-only mode, of the one withheld.
    pub out_bytes: f64,
    /// False in report-only mode, where the input was sent as it was.
    pub enforced: bool,
    /// Time that the call took, in microseconds.
    pub elapsed_micros: f64,
    /// The preset in force, where one could be settled.
    pub preset: Option<String>,
    /// Who chose that preset.
    pub preset_chosen_by: Option<String>,
}

/// What a boundary told of a call, on the thread of the call.
pub(crate) struct Told {
    outcome: &'static str,
    report_json: Option<String>,
    failure: Option<Failure>,
    account: Account,
}

thread_local! {
    /// Written by the boundary before it returns, taken right after.
    static TOLD: RefCell<Option<Told>> = const { RefCell::new(None) };
}

/// Keeps what the boundary tells until [`take`].
#[allow(clippy::cast_precision_loss, reason = "sizes and times far below 2^53")]
pub(crate) fn keep(record: &Record<'_>) {
    let told = Told {
        outcome: record.outcome.code(),
        report_json: record.report_json.map(str::to_owned),
        failure: record.failure.map(Failure::from),
        account: Account {
            in_bytes: record.in_bytes as f64,
            out_bytes: record.out_bytes as f64,
            enforced: record.enforced,
            elapsed_micros: record.elapsed_micros as f64,
            preset: record.preset.map(str::to_owned),
            preset_chosen_by: record.chosen_by.map(|by| by.code().into()),
        },
    };
    TOLD.with(|slot| *slot.borrow_mut() = Some(told));
}

fn take() -> Option<Told> {
    TOLD.with(|slot| slot.borrow_mut().take())
}

/// The answer for JavaScript; `None` where the input goes out as it is and
/// nobody asked for an account.
pub(crate) fn answer(
    answer: result_budget::Answer<'_>,
    output: impl FnOnce(String) -> Either<String, Buffer>,
) -> Option<Answer> {
    use result_budget::Answer as A;
    let told = take();
    let outcome = answer.outcome().code();
    let (text, report_json, failure) = match answer {
        A::Unchanged { .. } => (None, None, None),
        A::Compacted { tool_result_json } => (Some(tool_result_json), None, None),
        A::Bounded { tool_result_json, report_json, .. } => {
            (Some(tool_result_json), Some(report_json), None)
        }
        A::FailedClosed { tool_result_json, failure } => {
            (Some(tool_result_json.into_owned()), None, Some(Failure::from(&failure)))
        }
    };
    let output = text.map(output);
    match told {
        Some(Told { outcome, report_json, failure, account }) => Some(Answer {
            outcome: outcome.into(),
            output,
            report_json,
            failure,
            account: Some(account),
        }),
        None if output.is_none() => None,
        None => {
            Some(Answer { outcome: outcome.into(), output, report_json, failure, account: None })
        }
    }
}

/// Text for text.
pub(crate) fn text(output: String) -> Either<String, Buffer> {
    Either::A(output)
}

/// Bytes for bytes.
pub(crate) fn bytes(output: String) -> Either<String, Buffer> {
    Either::B(output.into_bytes().into())
}
