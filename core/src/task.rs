//! Tasks of both eras: a state is never edited, a result that stands inline in
//! one is bounded as what it is (contract B12, B13).

use alloc::format;

use crate::call::ResultKind;
use crate::envelope::key_is;
use crate::fit::{FitError, Fitted, Known, Outcome, fit_doc, measured, open_again};
use crate::json::walk::{Doc, Sort, Value};
use crate::limit::MAX_RESULT_BYTES;
use crate::profile::{number_growth, print};
use crate::settings::{Settings, WireProfile};

/// Fits the result of `tasks/get`, or the parameters of `notifications/tasks`.
///
/// What is no state at all is the result of a task, as `tasks/result` gives it.
pub(crate) fn fit(
    doc: Doc<'_>,
    known: Known<'_>,
    settings: &Settings,
) -> Result<Outcome, FitError> {
    let root = doc.root();
    let last = |name: &str| {
        let named = doc.members(&root).filter(|member| key_is(member.key, name));
        named.last().map(|member| member.value)
    };
    let status = last("status").map_or("", |status| doc.body(&status));
    if last("taskId").is_none() {
        return fit_doc(doc, Known { kind: ResultKind::Tool, ..known }, settings);
    }
    let inline = match status {
        "completed" => last("result").map(|value| (value, ResultKind::Tool)),
        "failed" => last("error").map(|value| (value, ResultKind::Error)),
        _ => None,
    };
    match inline.filter(|(value, _)| doc.sort(value) == Sort::Object) {
        Some((value, kind)) => fit_inline(&doc, value, Known { kind, ..known }, settings),
        None => Ok(measured(doc.text, ResultKind::Task, settings)),
    }
}

/// Bounds what stands inline, in the room that the state around it leaves.
fn fit_inline(
    doc: &Doc<'_>,
    value: Value,
    known: Known<'_>,
    settings: &Settings,
) -> Result<Outcome, FitError> {
    let (text, profile) = (doc.text, settings.wire_profile);
    let before = print(text.get(..value.start).unwrap_or_default(), profile);
    let after = print(text.get(value.end..).unwrap_or_default(), profile);
    let profiled = profile != WireProfile::Utf8Compact;
    let growth = |part: &str| if profiled { number_growth(part) } else { 0 };
    let around = before.len() + after.len() + growth(&before) + growth(&after);
    let law = settings.limits.max_result_bytes as usize;
    let room = u32::try_from(law.saturating_sub(around)).unwrap_or(0);
    if room < MAX_RESULT_BYTES.min {
        // What fits is smaller than any limit could ask for.
        return Ok(measured(text, ResultKind::Task, settings));
    }
    let mut inner = settings.clone();
    inner.limits.max_result_bytes = room;
    inner.limits.max_text_bytes = inner.limits.max_text_bytes.min(room);
    inner.limits.max_binary_bytes = inner.limits.max_binary_bytes.min(room);
    let outcome = fit_doc(open_again(doc.raw(&value), &inner)?, known, &inner)?;
    let whole = |part: &str| format!("{before}{part}{after}");
    Ok(match outcome {
        Outcome::Unchanged if text.len() <= law => Outcome::Unchanged,
        Outcome::Unchanged => Outcome::Compacted(whole(doc.raw(&value))),
        Outcome::Compacted(part) => Outcome::Compacted(whole(&part)),
        Outcome::Bounded(fitted) => {
            Outcome::Bounded(Fitted { tool_result_json: whole(&fitted.tool_result_json), ..fitted })
        }
        outcome @ Outcome::ProtocolError(_) => outcome,
    })
}
