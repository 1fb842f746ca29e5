//! The one orchestration: a result in, a bounded result and its report out.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec;
use core::cell::Cell;

use crate::call::{Call, ResultKind};
use crate::compose::{Form, Job, Told};
use crate::envelope::{Envelope, Kind, depth_of};
use crate::json::walk::{Doc, Sort};
use crate::limit::INPUT_MAX_BYTES;
use crate::mirror::{self, Found};
use crate::plan::account::{Account, BudgetKind, Repair};
use crate::plan::flatten::flatten;
use crate::plan::shape::{Rules, Shape};
use crate::previous::Previous;
use crate::profile::{number_growth, print};
use crate::protocol_error;
use crate::refusal::error_outcome;
use crate::repair::replace_lone_surrogates;
use crate::schema::{Schema, Schemas};
use crate::settings::{Ansi, Mirror, OutputSchema, Settings, WireProfile};
use crate::sizes::{Sizes, within_shape};
use crate::strip::strip;
use crate::task;
use crate::units::Units;

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
    match fit_once(doc, known, settings)? {
        // Such an error tells the data as text: there, sequences go.
        Outcome::Bounded(Fitted { replaced_by_error: true, .. }) if strips => {
            fit_once(open_again(text, settings)?, Known { as_text: true, ..known }, settings)
        }
        outcome => Ok(outcome),
    }
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

/// What is known of a result that is to be bounded.
struct Source<'a> {
    /// White space between tokens is written (the wire profile prints it).
    spaced: bool,
    /// What came in.
    original: &'a str,
    /// Bytes by which another printer may lengthen its numbers.
    growth: usize,
    known: Known<'a>,
    settings: &'a Settings,
}

impl Source<'_> {
    /// Payload of the result before anything is cut.
    fn payload_bytes(&self, doc: &Doc<'_>) -> usize {
        self.envelope(doc).map_or(0, |envelope| {
            let sizes = Sizes::of(doc, &envelope, self.spaced);
            sizes.text + sizes.binary
        })
    }

    /// The text with `structuredContent` cut to the depth limit, and the
    /// mirror found before; `None` where it is no deeper.
    fn flatten(&self, doc: &Doc<'_>, account: &mut Account) -> Option<(String, Option<Found>)> {
        let envelope = self.envelope(doc)?;
        let structured = envelope.structured?;
        let levels = self.settings.limits.max_depth as usize - 1;
        if depth_of(doc, &structured) <= levels {
            return None;
        }
        let flat = flatten(doc, &structured, levels, "structuredContent", None, account);
        Some((flat, mirror::find(doc, &envelope)))
    }

    fn moved(&self, doc: &Doc<'_>, flat: &Doc<'_>, found: Option<Found>) -> Option<Found> {
        let (before, after) = (self.envelope(doc)?.structured?, self.envelope(flat)?.structured?);
        mirror::moved(found?, (doc, before), (flat, after))
    }

    /// Whether the printed result is within the limits on its shape.
    fn holds_shape(&self, doc: &Doc<'_>) -> bool {
        self.envelope(doc).is_none_or(|envelope| within_shape(doc, &envelope, self.settings))
    }

    fn envelope<'d>(&self, doc: &'d Doc<'d>) -> Option<Envelope<'d>> {
        match Envelope::read(doc, doc.root(), self.known.kind, self.settings) {
            Kind::Complete(envelope) => Some(envelope),
            Kind::Opaque => None,
        }
    }

    /// Bounds what is over a limit or in need of repair; `envelope` is of `doc`,
    /// where it was read before.
    fn bound<'d>(
        &self,
        doc: &'d Doc<'d>,
        envelope: Option<Envelope<'d>>,
        mut account: Account,
        original_bytes: usize,
        shaped: bool,
        (found, flat): (Option<Found>, bool),
    ) -> Result<Outcome, FitError> {
        let (settings, output_schema) = (self.settings, self.known.output_schema);
        let limits = &settings.limits;
        let Some(envelope) = envelope.or_else(|| self.envelope(doc)) else {
            return Ok(error_outcome(self.original.len(), self.known.kind, settings));
        };
        let profiled = settings.wire_profile != WireProfile::Utf8Compact;
        let sizes = Sizes::of(doc, &envelope, true).counted(doc, &envelope, settings);
        let tidy = !self.known.stripped
            && account.repairs.is_empty()
            && account.cut_count == 0
            && !envelope.needs_repair()
            && shaped;
        let law = limits.max_result_bytes as usize;
        if tidy && profiled && sizes.over(settings).is_none() && doc.text.len() + self.growth <= law
        {
            return Ok(if self.original.len() <= law {
                Outcome::Unchanged
            } else {
                Outcome::Compacted(String::from(doc.text))
            });
        }
        if let Some(kind) = sizes.fired(settings) {
            account.fire(kind);
        }
        if self.growth > 0 && doc.text.len() + self.growth > law {
            account.fire(BudgetKind::ResultBytes);
        }
        let compact = Sizes { units: sizes.units, ..Sizes::of(doc, &envelope, self.spaced) };
        let fits = tidy && compact.over(settings).is_none() && self.growth == 0;
        let compiled =
            match output_schema {
                OutputSchema::Given(schema) if !fits && envelope.structured.is_some() => {
                    let known = self.known.schemas.map(|schemas| schemas.compiled(schema));
                    let schema = known.unwrap_or_else(|| Schema::compile(schema).map(Arc::new));
                    Some(schema.map_err(|fault| FitError::OutputSchema {
                        offset_bytes: fault.offset_bytes,
                    })?)
                }
                OutputSchema::Given(_) | OutputSchema::None | OutputSchema::Unknown => None,
            };
        let mut job = Job {
            doc,
            envelope: &envelope,
            settings,
            spaced: self.spaced,
            rules: Rules::Any,
            may_add: true,
            schema: None,
            mirror: found.or_else(|| mirror::find(doc, &envelope)),
            previous: self.known.previous,
            account,
            limit: law,
            text_limit: limits.max_text_bytes as usize,
            original_bytes,
            form: Form::Whole,
            told: Told::Notice,
            lower: false,
            kinds: vec![Cell::new(None); envelope.blocks.len()],
        };
        if fits {
            let mut json = String::with_capacity(compact.result);
            crate::plan::script::compact(&mut json, doc.text);
            return Ok(Outcome::Compacted(json));
        }
        (job.rules, job.may_add, job.schema) = match output_schema {
            OutputSchema::None => (Rules::Any, true, None),
            OutputSchema::Unknown => (Rules::KeepKeys, false, None),
            OutputSchema::Given(_) => (Rules::Given, true, compiled.as_deref()),
        };
        // Without a schema, a text that repeats the structured data may stand
        // alone: where the policy says so, or both can not be kept.
        let mirror = job.mirror;
        let may_stand_alone = output_schema == OutputSchema::None && mirror.is_some();
        let first = if may_stand_alone && settings.mirror == Mirror::Text {
            Form::Text
        } else {
            Form::Whole
        };
        // Tokens and lines are closed in on from the size of the text itself.
        let text_limit = limits.max_text_bytes as usize;
        let text_limit = match sizes.units.over(limits) {
            Some(_) => text_limit.min(compact.text + NOTICE_BYTES),
            None => text_limit,
        };
        for (lower, form, apart) in ladder(job.rules, first) {
            let legal = match form {
                Form::Whole if apart => job.rules == Rules::Given && !flat && mirror.is_some(),
                Form::Whole => job.rules != Rules::Given || !flat,
                Form::Text => may_stand_alone,
                Form::Error => envelope.structured.is_some(),
            };
            if !legal {
                continue;
            }
            (job.form, job.lower) = (form, lower);
            for told in Told::ALL {
                job.mirror = mirror.filter(|_| !apart);
                if !job.may_tell(told) {
                    continue;
                }
                if told == Told::Copy {
                    job.mirror = envelope.structured.map(Found::added);
                }
                (job.told, job.limit, job.text_limit) = (told, law, text_limit);
                if let Some(outcome) = self.compose(&mut job, law) {
                    return Ok(outcome);
                }
            }
        }
        Ok(error_outcome(self.original.len(), self.known.kind, settings))
    }

    /// Composes in one form. Room for numbers that a printer spells out, and
    /// how many tokens and lines a text has, are known only of what stays: the
    /// limit is closed in on.
    fn compose(&self, job: &mut Job<'_>, law: usize) -> Option<Outcome> {
        let limits = &self.settings.limits;
        let text_limit = job.text_limit;
        // Where both are to be found, the numbers get their room at once.
        let counted = limits.max_text_tokens.is_some() || limits.max_text_lines.is_some();
        let closes_in = self.growth > 0 && !counted;
        let top = if closes_in { law } else { text_limit };
        if self.growth > 0 && counted {
            job.limit = law - self.growth.min(law / 2);
        }
        let (mut least, mut most, mut room) = (0, top, top);
        let mut best = None;
        for _ in 0..12 {
            job.text_limit = text_limit.min(room);
            if closes_in {
                job.limit = room;
            }
            let mut next = None;
            match job.compose() {
                Some(composed) => {
                    let growth = if self.growth > 0 { number_growth(&composed.json) } else { 0 };
                    let units = self.units(&composed.json);
                    if let Some((kind, count, limit)) = units.over(limits) {
                        most = room;
                        // Text gives about as many of these as it has bytes.
                        next = Some(job.text_limit.saturating_mul(limit) / count.max(1));
                        job.account.bind(kind);
                    } else if composed.json.len() + growth > law {
                        most = room;
                    } else {
                        least = room;
                        best = Some(composed);
                        if units.use_percent(limits) >= ENOUGH_PERCENT {
                            break;
                        }
                    }
                }
                // Too little even for what must stay.
                None => least = room,
            }
            if most - least <= 1 || room == top && least == top {
                break;
            }
            room =
                next.filter(|next| least < *next && *next < most).unwrap_or(least.midpoint(most));
        }
        best.map(|composed| {
            if composed.report_json.is_empty() {
                Outcome::Compacted(composed.json)
            } else {
                Outcome::Bounded(Fitted {
                    tool_result_json: composed.json,
                    report_json: composed.report_json,
                    replaced_by_error: job.form == Form::Error,
                })
            }
        })
    }
}

impl Source<'_> {
    /// Tokens and lines of what was composed, where they are limited.
    fn units(&self, json: &str) -> Units {
        let limits = &self.settings.limits;
        if limits.max_text_tokens.is_none() && limits.max_text_lines.is_none() {
            return Units::default();
        }
        // OK because what was composed is a result.
        open_again(json, self.settings).ok().map_or(Units::default(), |doc| {
            self.envelope(&doc).map_or(Units::default(), |envelope| Units::of(&doc, &envelope))
        })
    }
}

/// Forms in the order in which they are tried: whether on a lower rung, which
/// form, and whether a text is cut apart from the data that it repeats.
///
/// The rung is fixed by the budget: a lower one only where no form fits on its
/// own. Under an output schema, a lower one comes before an error: less is said
/// of a cut, but there is one. Apart, a text and the data may lose different
/// parts, where the schema keeps them from going together.
fn ladder(rules: Rules, first: Form) -> [(bool, Form, bool); 6] {
    match rules {
        Rules::Any | Rules::KeepKeys => [
            (false, first, false),
            (false, Form::Text, false),
            (false, Form::Error, false),
            (true, first, false),
            (true, Form::Text, false),
            (true, Form::Error, false),
        ],
        Rules::Given => [
            (false, Form::Whole, false),
            (false, Form::Whole, true),
            (true, Form::Whole, false),
            (true, Form::Whole, true),
            (false, Form::Error, false),
            (true, Form::Error, false),
        ],
    }
}

/// Room for a notice beside the text.
const NOTICE_BYTES: usize = 160;

/// Where this much of a limit in tokens or lines is used, no closer one is
/// sought.
const ENOUGH_PERCENT: usize = 97;
