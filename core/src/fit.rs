//! The one orchestration: a result in, a bounded result and its report out.

use alloc::borrow::Cow;
use alloc::string::String;

use crate::bound::Source;
use crate::call::{Call, ResultKind};
use crate::envelope::{Envelope, Kind};
use crate::json::walk::{Doc, Sort};
use crate::limit::INPUT_MAX_BYTES;
use crate::plan::account::{Account, Repair};
use crate::plan::shape::Shape;
use crate::previous::Previous;
use crate::profile::{number_growth, print};
use crate::protocol_error;
use crate::refusal::error_outcome;
use crate::repair::replace_lone_surrogates;
use crate::schema::Schemas;
use crate::settings::{Ansi, OutputSchema, Settings, WireProfile};
use crate::sizes::{Sizes, within_shape};
use crate::strip::strip;
use crate::task;

pub use crate::outcome::{FitError, Fitted, Outcome, ProtocolError};

/// Fits one result under `settings`. What is known of its tool alone may stand
/// for the call.
///
/// Pure and linear; never panics, whatever the text.
///
/// ```
/// use result_budget_core::{Outcome, ResultKind, Settings, fit};
/// let prompt = r#"{"messages":[{"role":"user","content":{"type":"text","text":"hello"}}]}"#;
/// assert_eq!(fit(prompt, ResultKind::Prompt, &Settings::default())?, Outcome::Unchanged);
/// # Ok::<(), result_budget_core::FitError>(())
/// ```
///
/// # Errors
/// [`FitError`]; each case says whose fault it is.
pub fn fit<'a>(
    tool_result_json: &str,
    call: impl Into<Call<'a>>,
    settings: &Settings,
) -> Result<Outcome, FitError> {
    settings.limits.check().map_err(FitError::LimitOutOfRange)?;
    fit_call(tool_result_json, call.into(), settings)
}

/// [`fit()`] under limits that nobody checked. For the tests that try every
/// small tree: none of them would be cut at the smallest legal limit. What the
/// smallest error result takes is still needed.
///
/// # Errors
/// Those of [`fit()`] that tell of the text.
#[doc(hidden)]
pub fn fit_unchecked<'a>(
    tool_result_json: &str,
    call: impl Into<Call<'a>>,
    settings: &Settings,
) -> Result<Outcome, FitError> {
    fit_call(tool_result_json, call.into(), settings)
}

#[inline(never)]
fn fit_call(
    tool_result_json: &str,
    call: Call<'_>,
    settings: &Settings,
) -> Result<Outcome, FitError> {
    let doc = open_unchecked(tool_result_json, settings)?;
    let previous = call.previous_report.map(Previous::read).transpose()?;
    let known = Known {
        kind: call.kind,
        output_schema: call.output_schema,
        schemas: call.schemas,
        previous: previous.as_ref(),
        stripped: false,
        as_text: false,
    };
    fit_doc(doc, known, settings)
}

/// What is known of a result, the report of an earlier boundary read.
#[derive(Clone, Copy)]
pub(crate) struct Known<'a> {
    pub(crate) kind: ResultKind,
    pub(crate) output_schema: OutputSchema<'a>,
    pub(crate) schemas: Option<&'a Schemas>,
    pub(crate) previous: Option<&'a Previous>,
    /// What an earlier boundary added was taken off: the rest may fit, and is
    /// told of all the same.
    pub(crate) stripped: bool,
    /// Under its schema no cut of the data fits: it becomes text.
    pub(crate) as_text: bool,
}

impl Known<'_> {
    fn has_schema(&self) -> bool {
        matches!(self.output_schema, OutputSchema::Given(_))
    }

    fn again(self) -> Self {
        Known { stripped: true, ..self }
    }
}

/// Fits a result that was scanned.
pub(crate) fn fit_doc(
    doc: Doc<'_>,
    known: Known<'_>,
    settings: &Settings,
) -> Result<Outcome, FitError> {
    match known.kind {
        ResultKind::Tool | ResultKind::Prompt | ResultKind::Resource => {
            // What an earlier boundary added is of another cut: where the
            // result is cut again, it is cut as if that had not been there.
            let stripped =
                known.previous.and_then(|previous| previous.strip(&doc, known.kind, settings));
            match (fit_parts(doc, known, settings)?, stripped) {
                (Outcome::Bounded(_) | Outcome::ProtocolError(_), Some(stripped)) => {
                    fit_parts(open_again(&stripped, settings)?, known.again(), settings)
                }
                (outcome, _) => Ok(outcome),
            }
        }
        ResultKind::Task => task::fit(doc, known, settings),
        ResultKind::Error => protocol_error::fit(&doc, known, settings),
        ResultKind::List | ResultKind::Other => Ok(measured(doc.text, known.kind, settings)),
    }
}

/// The outcome for what is never edited, only measured (contract B12).
pub(crate) fn measured(json: &str, kind: ResultKind, settings: &Settings) -> Outcome {
    let printed = if settings.wire_profile == WireProfile::Utf8Compact {
        json.len()
    } else {
        print(json, settings.wire_profile).len().max(json.len())
    };
    if printed <= settings.limits.max_result_bytes as usize {
        Outcome::Unchanged
    } else {
        error_outcome(printed, kind, settings)
    }
}

/// Fits a result that is made of parts.
fn fit_parts(doc: Doc<'_>, known: Known<'_>, settings: &Settings) -> Result<Outcome, FitError> {
    let text = doc.text;
    let strips = settings.ansi == Ansi::Strip && known.has_schema();
    let outcome = fit_once(doc, known, settings)?;
    if strips && matches!(outcome, Outcome::Bounded(Fitted { replaced_by_error: true, .. })) {
        // Such an error tells the data as text: there, sequences go.
        return fit_once(open_again(text, settings)?, Known { as_text: true, ..known }, settings);
    }
    Ok(outcome)
}

fn fit_once(doc: Doc<'_>, known: Known<'_>, settings: &Settings) -> Result<Outcome, FitError> {
    let tool_result_json = doc.text;
    let limits = &settings.limits;
    let root = doc.root();
    let Kind::Complete(envelope) = Envelope::read(&doc, root, known.kind, settings) else {
        return Ok(measured(tool_result_json, known.kind, settings));
    };
    let sizes = Sizes::of(&doc, &envelope, true).counted(&doc, &envelope, settings);
    let profiled = settings.wire_profile != WireProfile::Utf8Compact;
    let stripped = (settings.ansi == Ansi::Strip)
        // What a schema says of strings it says of their sequences too.
        .then(|| strip(&doc, &envelope, known.as_text || !known.has_schema()))
        .flatten();
    let repairs = doc.index.lone_surrogates > 0 || stripped.is_some() || envelope.needs_repair();
    let shaped = within_shape(&doc, &envelope, settings);
    if !repairs && shaped && !profiled && !known.stripped && sizes.over(settings).is_none() {
        return Ok(Outcome::Unchanged);
    }
    // What follows reads the text that will be written: repaired, and printed
    // as the wire profile prints it.
    let mut account = Account::default();
    let rescan = profiled || stripped.is_some();
    let stripped = stripped.map(|(text, repairs)| {
        account.repairs = repairs;
        text
    });
    let given = stripped.as_deref().unwrap_or(tool_result_json);
    let repaired = replace_lone_surrogates(given, doc.index.lone_surrogates);
    if doc.index.lone_surrogates > 0 {
        account.repairs.push(Repair {
            kind: "lone-surrogate",
            path: String::new(),
            count: doc.index.lone_surrogates as usize,
        });
    }
    let mut text = Cow::Borrowed(repaired.as_deref().unwrap_or(given));
    if profiled {
        text = Cow::Owned(print(&text, settings.wire_profile));
    }
    let growth = if profiled { number_growth(&text) } else { 0 };
    let compact = Sizes::of(&doc, &envelope, false);
    let payload = compact.text + compact.binary;
    let source = Source {
        spaced: settings.wire_profile == WireProfile::PythonJson,
        original: tool_result_json,
        growth,
        known,
        settings,
    };
    if !rescan && doc.index.lone_surrogates == 0 && doc.index.depth <= limits.max_depth {
        // The text is the one that was read.
        let found = (None, known.as_text);
        return source.bound(&doc, Some(envelope), account, payload, shaped, found);
    }
    let doc =
        if rescan { open_again(&text, settings)? } else { Doc { text: &text, index: doc.index } };
    // The shape that counts is the printed one: an escape may be longer.
    let shaped = if rescan { source.holds_shape(&doc) } else { shaped };
    let original_bytes = if profiled { source.payload_bytes(&doc) } else { payload };
    if doc.index.depth > limits.max_depth
        && let Some((flat, found)) = source.flatten(&doc, &mut account)
    {
        let flat_doc = open_again(&flat, settings)?;
        let found = source.moved(&doc, &flat_doc, found);
        return source.bound(&flat_doc, None, account, original_bytes, shaped, (found, true));
    }
    source.bound(&doc, None, account, original_bytes, shaped, (None, known.as_text))
}

/// Scans a result after the checks that come first.
pub(crate) fn open<'a>(text: &'a str, settings: &Settings) -> Result<Doc<'a>, FitError> {
    settings.limits.check().map_err(FitError::LimitOutOfRange)?;
    open_unchecked(text, settings)
}

fn open_unchecked<'a>(text: &'a str, settings: &Settings) -> Result<Doc<'a>, FitError> {
    if text.len() > INPUT_MAX_BYTES as usize {
        return Err(FitError::InputTooLarge {
            given_bytes: u32::try_from(text.len()).unwrap_or(u32::MAX),
            max_bytes: INPUT_MAX_BYTES,
        });
    }
    open_again(text, settings)
}

pub(crate) fn open_again<'a>(text: &'a str, settings: &Settings) -> Result<Doc<'a>, FitError> {
    let limits = &settings.limits;
    let granularity = limits.max_result_bytes.min(limits.max_text_bytes) / 256;
    let shape = Shape::of(limits);
    let granularity = shape.granularity(granularity.min(1_024)).max(65);
    let doc = Doc::new(text, granularity)
        .map_err(|fault| FitError::MalformedJson { offset_bytes: fault.offset_bytes })?;
    if doc.sort(&doc.root()) == Sort::Object { Ok(doc) } else { Err(FitError::NotAnObject) }
}
