//! Bounding: the forms that a result may take, in the order in which they are
//! tried.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec;
use core::cell::Cell;

use crate::compose::{Form, Job, Told};
use crate::envelope::{Envelope, Kind, depth_of};
use crate::fit::{Known, open_again};
use crate::json::walk::Doc;
use crate::mirror::{self, Found};
use crate::outcome::{FitError, Fitted, Outcome};
use crate::plan::account::{Account, BudgetKind};
use crate::plan::flatten::flatten;
use crate::plan::shape::Rules;
use crate::profile::number_growth;
use crate::refusal::error_outcome;
use crate::schema::Schema;
use crate::settings::{Mirror, OutputSchema, Settings, WireProfile};
use crate::sizes::{Sizes, within_shape};
use crate::units::Units;

/// What is known of a result that is to be bounded.
pub(crate) struct Source<'a> {
    /// White space between tokens is written (the wire profile prints it).
    pub(crate) spaced: bool,
    /// What came in.
    pub(crate) original: &'a str,
    /// Bytes by which another printer may lengthen its numbers.
    pub(crate) growth: usize,
    pub(crate) known: Known<'a>,
    pub(crate) settings: &'a Settings,
}

impl Source<'_> {
    /// Payload of the result before anything is cut.
    pub(crate) fn payload_bytes(&self, doc: &Doc<'_>) -> usize {
        self.envelope(doc).map_or(0, |envelope| {
            let sizes = Sizes::of(doc, &envelope, self.spaced);
            sizes.text + sizes.binary
        })
    }

    /// The text with `structuredContent` cut to the depth limit, and the
    /// mirror found before; `None` where it is no deeper.
    pub(crate) fn flatten(
        &self,
        doc: &Doc<'_>,
        account: &mut Account,
    ) -> Option<(String, Option<Found>)> {
        let envelope = self.envelope(doc)?;
        let structured = envelope.structured?;
        let levels = self.settings.limits.max_depth as usize - 1;
        if depth_of(doc, &structured) <= levels {
            return None;
        }
        let flat = flatten(doc, &structured, levels, "structuredContent", None, account);
        Some((flat, mirror::find(doc, &envelope)))
    }

    pub(crate) fn moved(
        &self,
        doc: &Doc<'_>,
        flat: &Doc<'_>,
        found: Option<Found>,
    ) -> Option<Found> {
        let (before, after) = (self.envelope(doc)?.structured?, self.envelope(flat)?.structured?);
        mirror::moved(found?, (doc, before), (flat, after))
    }

    /// Whether the printed result is within the limits on its shape.
    pub(crate) fn holds_shape(&self, doc: &Doc<'_>) -> bool {
        self.envelope(doc).is_none_or(|envelope| within_shape(doc, &envelope, self.settings))
    }

    pub(crate) fn envelope<'d>(&self, doc: &'d Doc<'d>) -> Option<Envelope<'d>> {
        match Envelope::read(doc, doc.root(), self.known.kind, self.settings) {
            Kind::Complete(envelope) => Some(envelope),
            Kind::Opaque => None,
        }
    }

    /// Bounds what is over a limit or in need of repair; `envelope` is of `doc`,
    /// where it was read before.
    pub(crate) fn bound<'d>(
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
        if tidy && compact.over(settings).is_none() && self.growth == 0 {
            let mut json = String::with_capacity(compact.result);
            crate::plan::script::compact(&mut json, doc.text);
            return Ok(Outcome::Compacted(json));
        }
        let compiled = match (output_schema, envelope.structured) {
            (OutputSchema::Given(schema), Some(_)) => Some(self.compiled(schema)?),
            (OutputSchema::Given(_) | OutputSchema::None | OutputSchema::Unknown, _) => None,
        };
        let rules = match output_schema {
            OutputSchema::None => Rules::Any,
            OutputSchema::Unknown => Rules::KeepKeys,
            OutputSchema::Given(_) => Rules::Given,
        };
        let may_add = match (&compiled, envelope.structured) {
            (Some(schema), Some(value)) => schema.admits_member(doc, &value),
            _ => rules == Rules::Any,
        };
        let mirror = found.or_else(|| mirror::find(doc, &envelope));
        let mut job = Job {
            doc,
            envelope: &envelope,
            settings,
            spaced: self.spaced,
            rules,
            may_add,
            schema: compiled.as_deref(),
            mirror,
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
        // Without a schema, a text that repeats the structured data may stand
        // alone: where the policy says so, or both can not be kept.
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

    /// The output schema, compiled now or for an earlier call.
    fn compiled(&self, schema: &str) -> Result<Arc<Schema>, FitError> {
        let compiled = match self.known.schemas {
            Some(schemas) => schemas.compiled(schema),
            None => Schema::compile(schema).map(Arc::new),
        };
        compiled.map_err(|fault| FitError::OutputSchema { offset_bytes: fault.offset_bytes })
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
