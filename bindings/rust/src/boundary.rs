//! The boundary: what a host sends passes here last.
//!
//! Decides nothing. What is in force, what fits and what an error result says
//! comes from the component; this file carries texts to it and back.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;
use std::time::Instant;

use crate::answer::{Answer, Record};
use crate::engine::Engine;
use crate::error::{Failure, Fault, Refused};
use crate::guest::{
    FailureCase, FitCall, FitError, FitOutcome, Measurement, OutputSchema, Request, ResultKind,
    Revision, Settings, Settled, SizeFault,
};
use crate::settled::SettledCalls;

mod build;
mod input;
mod listing;

/// Fits results under one policy. Cheap to clone; clones share everything.
#[derive(Clone)]
pub struct Boundary {
    inner: Arc<Inner>,
}

/// Says what is in force at a [`Boundary`]; made by [`Boundary::builder`].
#[must_use]
#[derive(Default)]
pub struct BoundaryBuilder {
    engine: Option<Engine>,
    policy_json: String,
    preset: Option<String>,
    limit_bytes: Option<String>,
    limit_tokens: Option<String>,
    wire_profile: Option<String>,
    mode: Mode,
    on_report: Option<OnReport>,
}

/// Whether a boundary changes what passes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// What is over a bound is cut.
    #[default]
    Enforce,
    /// Nothing is changed; the report says what would have been. Input that is
    /// no UTF-8 fails closed all the same, since no message can carry it.
    ReportOnly,
}

/// What a host knows of one call.
#[derive(Clone, Copy, Debug, Default)]
pub struct Call<'a> {
    /// What came in: a tool's result unless told.
    pub kind: ResultKind,
    /// The tool's name, for its row in the policy.
    pub tool: Option<&'a str>,
    /// The protocol revision that the two sides speak; the newest known where
    /// `None`.
    pub revision: Option<&'a str>,
    /// The client's name, as it calls itself, for the preset `auto`.
    pub client_name: Option<&'a str>,
    /// What is known of the tool's `outputSchema`.
    pub output_schema: OutputSchema<'a>,
    /// The full report of an earlier boundary that cut this result, where the
    /// host has it from there: its counts go on to be counted.
    pub previous_report: Option<&'a str>,
    /// The budget that the client asks for in this call, in bytes, as the text
    /// in which it was given.
    pub call_max_bytes: Option<&'a str>,
    /// The same in tokens of what a model reads.
    pub call_max_tokens: Option<&'a str>,
}

/// A result as a host has it.
#[derive(Clone, Copy, Debug)]
pub enum Input<'a> {
    /// Known to be UTF-8.
    Text(&'a str),
    /// Not known to be UTF-8.
    Bytes(&'a [u8]),
}

type OnReport = Box<dyn Fn(&Record<'_>) + Send + Sync>;

struct Inner {
    engine: Engine,
    policy_json: String,
    preset: Option<String>,
    limit_bytes: Option<String>,
    limit_tokens: Option<String>,
    wire_profile: Option<String>,
    mode: Mode,
    on_report: Option<OnReport>,
    /// What is in force where a host tells nothing of the call.
    base: Arc<Settled>,
    settled: SettledCalls,
}

impl Boundary {
    /// Sets what is in force.
    ///
    /// ```
    /// use result_budget::{Boundary, Call};
    ///
    /// let boundary = Boundary::builder().preset("small").build()?;
    /// let result = r#"{"content":[{"type":"text","text":"hello"}]}"#;
    /// let answer = boundary.fit(result, &Call { tool: Some("greet"), ..Call::default() });
    /// assert_eq!(answer.tool_result_json(), result);
    /// # Ok::<(), result_budget::BuildError>(())
    /// ```
    pub fn builder() -> BoundaryBuilder {
        BoundaryBuilder::default()
    }

    /// The engine behind this boundary.
    #[must_use]
    pub fn engine(&self) -> &Engine {
        &self.inner.engine
    }

    /// Fits one result, text or bytes. There is always an answer, and it
    /// always holds a result to send.
    pub fn fit<'a>(&self, tool_result: impl Into<Input<'a>>, call: &Call<'_>) -> Answer<'a> {
        let input = tool_result.into();
        self.answer(Some(input), input.len_bytes(), call)
    }

    /// Answers for a result of `given_bytes` that the host did not read whole,
    /// since it is longer than [`Engine::input_max_bytes`].
    ///
    /// It always fails closed, in report-only mode too: there is no input to
    /// send.
    pub fn refuse_unread(&self, given_bytes: u64, call: &Call<'_>) -> Answer<'static> {
        self.answer(None, given_bytes, call)
    }

    /// Measures one tool result and changes nothing.
    ///
    /// # Errors
    /// [`Failure`], where [`Boundary::fit`] would fail closed.
    pub fn measure<'a>(
        &self,
        tool_result: impl Into<Input<'a>>,
        call: &Call<'_>,
    ) -> Result<Measurement, Failure> {
        let input = tool_result.into();
        let settled = self.settle(call)?;
        let engine = &self.inner.engine;
        if let Some(size) = over_cap(engine, input.len_bytes()) {
            return Err(Refused::from(FitError::InputTooLarge(size)).into());
        }
        let text = input.text().map_err(|offset_bytes| Refused::NotUtf8 { offset_bytes })?;
        let measured = engine.run(|instance| instance.measure(text, &settled.settings))?;
        Ok(measured.map_err(Refused::from)?)
    }

    /// Says whether `call` can be settled, before there is a result: the
    /// answer is kept for the call itself.
    ///
    /// # Errors
    /// [`Failure`]: the client's budget or the revision is refused, or the
    /// engine broke.
    pub fn check(&self, call: &Call<'_>) -> Result<(), Failure> {
        self.settle(call).map(|_| ())
    }

    /// What is in force for `call`.
    ///
    /// ```
    /// use result_budget::{Boundary, Call};
    ///
    /// let boundary = Boundary::builder().limit_bytes(8_000).build()?;
    /// let settings = boundary.in_force(&Call::default()).map_err(|failure| failure.code());
    /// assert_eq!(settings.map(|settings| settings.limits.max_result_bytes), Ok(8_000));
    /// # Ok::<(), result_budget::BuildError>(())
    /// ```
    ///
    /// # Errors
    /// As [`Boundary::check`].
    pub fn in_force(&self, call: &Call<'_>) -> Result<Settings, Failure> {
        self.settle(call).map(|settled| settled.settings.clone())
    }

    /// What is in force for `call`, and the preset behind it.
    ///
    /// ```
    /// use result_budget::{Boundary, Call};
    ///
    /// let boundary = Boundary::builder().preset("auto").build()?;
    /// let call = Call { client_name: Some("codex-mcp-client"), ..Call::default() };
    /// let settled = boundary.settled(&call).map_err(|failure| failure.code());
    /// let told = settled.map(|settled| (settled.preset, settled.chosen_by.code()));
    /// assert_eq!(told, Ok((String::from("codex"), "client")));
    /// # Ok::<(), result_budget::BuildError>(())
    /// ```
    ///
    /// # Errors
    /// As [`Boundary::check`].
    pub fn settled(&self, call: &Call<'_>) -> Result<Settled, Failure> {
        self.settle(call).map(|settled| Settled::clone(&settled))
    }

    /// As [`Boundary::fit`], under settings that the caller holds: those of
    /// [`Boundary::in_force`], perhaps with other limits. The engine checks
    /// them again. Neither the mode nor `on_report` is looked at.
    pub fn fit_under<'a>(
        &self,
        tool_result: impl Into<Input<'a>>,
        call: &Call<'_>,
        settings: &Settings,
    ) -> Answer<'a> {
        let input = tool_result.into();
        self.fit_settled(Some(input), input.len_bytes(), call, settings)
    }

    /// The error result to send where there is no result for `failure`'s sake:
    /// at most 256 bytes under any wire profile (contract B11). For a host
    /// that fails before it could call [`Boundary::fit`].
    ///
    /// ```
    /// use result_budget::{Boundary, Call, Failure, Fault};
    ///
    /// let boundary = Boundary::builder().build()?;
    /// let result = boundary.failure_result(&Failure::Fault(Fault::Trap), &Call::default());
    /// assert_eq!(result, result_budget::FAILURE_RESULT_TYPED);
    /// # Ok::<(), result_budget::BuildError>(())
    /// ```
    pub fn failure_result(&self, failure: &Failure, call: &Call<'_>) -> String {
        let settled = self.settle(call).unwrap_or_else(|_| Arc::clone(&self.inner.base));
        let error = failure.fit_error();
        let case = failure.case(error.as_ref());
        let answer = self.failed(failure.clone(), case, call.kind, &settled.settings);
        String::from(answer.tool_result_json())
    }

    fn answer<'a>(&self, input: Option<Input<'a>>, in_bytes: u64, call: &Call<'_>) -> Answer<'a> {
        let inner = &*self.inner;
        let Some(on_report) = &inner.on_report else {
            let unchanged =
                input.filter(|_| inner.mode == Mode::ReportOnly).and_then(Input::unchanged);
            return unchanged
                .unwrap_or_else(|| self.fit_input(input, in_bytes, call, &self.settle(call)));
        };
        let started = Instant::now();
        let settled = self.settle(call);
        let answer = self.fit_input(input, in_bytes, call, &settled);
        let unchanged = input.filter(|_| inner.mode == Mode::ReportOnly).and_then(Input::unchanged);
        on_report(&Record {
            tool: call.tool,
            client_name: call.client_name,
            preset: settled.as_ref().ok().map(|settled| settled.preset.as_str()),
            chosen_by: settled.as_ref().ok().map(|settled| settled.chosen_by),
            in_bytes,
            out_bytes: u64::try_from(answer.tool_result_json().len()).unwrap_or(u64::MAX),
            outcome: answer.outcome(),
            enforced: unchanged.is_none(),
            report_json: answer.report_json(),
            failure: answer.failure(),
            elapsed_micros: u64::try_from(started.elapsed().as_micros()).unwrap_or(u64::MAX),
        });
        unchanged.unwrap_or(answer)
    }

    /// Fits `input`; `None` stands for one that was not read whole.
    fn fit_input<'a>(
        &self,
        input: Option<Input<'a>>,
        in_bytes: u64,
        call: &Call<'_>,
        settled: &Result<Arc<Settled>, Failure>,
    ) -> Answer<'a> {
        match settled {
            Ok(settled) => self.fit_settled(input, in_bytes, call, &settled.settings),
            Err(failure) => self.not_settled(failure.clone(), call),
        }
    }

    fn fit_settled<'a>(
        &self,
        input: Option<Input<'a>>,
        in_bytes: u64,
        call: &Call<'_>,
        settings: &Settings,
    ) -> Answer<'a> {
        let engine = &self.inner.engine;
        let kind = call.kind;
        // The cap comes before the copy, and before a look at the bytes.
        let over = over_cap(engine, in_bytes);
        let input = match (over, input) {
            (None, Some(input)) => input,
            (over, _) => {
                let size = over.unwrap_or(size_fault(engine, in_bytes));
                let error = FitError::InputTooLarge(size);
                return self.failed(
                    Refused::from(error.clone()).into(),
                    FailureCase::Refused(&error),
                    kind,
                    settings,
                );
            }
        };
        let text = match input.text() {
            Ok(text) => text,
            Err(offset_bytes) => {
                let refused = Refused::NotUtf8 { offset_bytes };
                let case = FailureCase::NotUtf8(offset_bytes);
                return self.failed(refused.into(), case, kind, settings);
            }
        };
        let max_bytes = settings.limits.max_result_bytes;
        let Call { output_schema, previous_report, .. } = *call;
        let known = FitCall { kind, output_schema, previous_report };
        let fitted = engine.run(|instance| {
            let outcome = instance.fit((text, known, settings))?;
            if is_sound(&outcome, max_bytes) { Ok(outcome) } else { Err(Fault::BadAnswer) }
        });
        match fitted {
            Ok(Ok(FitOutcome::Unchanged)) => Answer::Unchanged { tool_result_json: text },
            Ok(Ok(FitOutcome::Compacted(tool_result_json))) => {
                Answer::Compacted { tool_result_json }
            }
            Ok(Ok(FitOutcome::Bounded(fitted))) => Answer::Bounded {
                tool_result_json: fitted.tool_result_json,
                report_json: fitted.report_json,
                replaced_by_error: fitted.replaced_by_error,
            },
            Ok(Ok(FitOutcome::ProtocolError(error))) => Answer::ProtocolError {
                error_json: error.error_json,
                report_json: error.report_json,
            },
            Ok(Err(error)) => self.failed(
                Refused::from(error.clone()).into(),
                FailureCase::Refused(&error),
                kind,
                settings,
            ),
            Err(fault) => constant(fault.into(), kind, settings.revision >= Revision::R20260728),
        }
    }

    /// What is in force for `call`.
    fn settle(&self, call: &Call<'_>) -> Result<Arc<Settled>, Failure> {
        let inner = &*self.inner;
        let Call { tool, revision, client_name, call_max_bytes, call_max_tokens, .. } = *call;
        let key = [tool, revision, client_name, call_max_bytes, call_max_tokens];
        if key.iter().all(Option::is_none) {
            return Ok(Arc::clone(&inner.base));
        }
        inner.settled.get_or_settle(key, || {
            let request = Request {
                preset: inner.preset.as_deref(),
                client_name,
                limit_bytes: inner.limit_bytes.as_deref(),
                limit_tokens: inner.limit_tokens.as_deref(),
                tool,
                revision,
                wire_profile: inner.wire_profile.as_deref(),
                call_max_bytes,
                call_max_tokens,
            };
            settle(&inner.engine, &inner.policy_json, request)
        })
    }

    /// The engine's own error result for what it refused, or the constant one
    /// where it breaks even at that.
    fn failed(
        &self,
        failure: Failure,
        case: FailureCase<'_>,
        kind: ResultKind,
        settings: &Settings,
    ) -> Answer<'static> {
        let made = self.inner.engine.run(|instance| {
            let text = instance.failure_result(case, kind, settings)?;
            if is_result(&text, FAILURE_RESULT_MAX_BYTES) {
                Ok(text)
            } else {
                Err(Fault::BadAnswer)
            }
        });
        match made {
            Ok(text) => Answer::FailedClosed {
                tool_result_json: Cow::Owned(text),
                is_protocol_error: kind != ResultKind::Tool,
                failure,
            },
            Err(_) => constant(failure, kind, settings.revision >= Revision::R20260728),
        }
    }

    /// The answer to a call for which nothing is in force.
    fn not_settled(&self, failure: Failure, call: &Call<'_>) -> Answer<'static> {
        match failure {
            Failure::Refused(Refused::LimitOutOfRange(fault)) => {
                let error = FitError::LimitOutOfRange(fault);
                self.failed(
                    Refused::from(error.clone()).into(),
                    FailureCase::Refused(&error),
                    call.kind,
                    &self.inner.base.settings,
                )
            }
            failure @ (Failure::Refused(_) | Failure::Fault(_)) => {
                // Dates compare as text.
                let newest = call.revision.is_none_or(|revision| revision >= RESULT_TYPE_SINCE);
                constant(failure, call.kind, newest)
            }
        }
    }
}

impl fmt::Debug for Boundary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Boundary")
            .field("engine", &self.inner.engine)
            .field("mode", &self.inner.mode)
            .finish_non_exhaustive()
    }
}

fn settle(engine: &Engine, policy_json: &str, request: Request<'_>) -> Result<Settled, Failure> {
    let settled = engine.run(|instance| instance.settle(policy_json, request))?;
    Ok(settled.map_err(Refused::from)?)
}

fn over_cap(engine: &Engine, given_bytes: u64) -> Option<SizeFault> {
    (given_bytes > u64::from(engine.input_max_bytes())).then(|| size_fault(engine, given_bytes))
}

fn size_fault(engine: &Engine, given_bytes: u64) -> SizeFault {
    SizeFault {
        given_bytes: u32::try_from(given_bytes).unwrap_or(u32::MAX),
        max_bytes: engine.input_max_bytes(),
    }
}

/// What the host can check without reading: length and first byte.
fn is_sound(outcome: &Result<FitOutcome, FitError>, max_bytes: u32) -> bool {
    match outcome {
        Ok(FitOutcome::Compacted(text)) => is_result(text, max_bytes),
        Ok(FitOutcome::Bounded(fitted)) => {
            is_result(&fitted.tool_result_json, max_bytes) && fitted.report_json.starts_with('{')
        }
        Ok(FitOutcome::ProtocolError(error)) => {
            is_result(&error.error_json, max_bytes) && error.report_json.starts_with('{')
        }
        Ok(FitOutcome::Unchanged) | Err(_) => true,
    }
}

fn is_result(text: &str, max_bytes: u32) -> bool {
    text.len() <= usize::try_from(max_bytes).unwrap_or(usize::MAX) && text.starts_with('{')
}

/// The error result for when the engine cannot make one.
fn constant(failure: Failure, kind: ResultKind, has_result_type: bool) -> Answer<'static> {
    let is_protocol_error = kind != ResultKind::Tool;
    let tool_result_json = match (is_protocol_error, has_result_type) {
        (true, _) => FAILURE_ERROR,
        (false, true) => FAILURE_RESULT_TYPED,
        (false, false) => FAILURE_RESULT,
    };
    let tool_result_json = Cow::Borrowed(tool_result_json);
    Answer::FailedClosed { tool_result_json, is_protocol_error, failure }
}

/// The JSON-RPC error object for when there is no engine at all, in place of
/// what is no tool's result.
pub const FAILURE_ERROR: &str = r#"{"code":-32603,"message":"[result-budget] Boundary at fault: it stopped while bounding the result."}"#;

/// The error result for when there is no engine at all: at most 256 bytes under
/// any wire profile, valid in each revision without `resultType`.
///
/// Equal to what the engine says of a trap; a test compares.
pub const FAILURE_RESULT: &str = r#"{"content":[{"type":"text","text":"[result-budget] Boundary at fault: it stopped while bounding the result. The tool may have run: do not repeat changes."}],"isError":true}"#;

/// The same for revisions that have `resultType`, from 2026-07-28.
pub const FAILURE_RESULT_TYPED: &str = r#"{"content":[{"type":"text","text":"[result-budget] Boundary at fault: it stopped while bounding the result. The tool may have run: do not repeat changes."}],"isError":true,"resultType":"complete"}"#;

/// The first revision whose results have `resultType`.
const RESULT_TYPE_SINCE: &str = "2026-07-28";

/// The longest error result, under any wire profile (contract B11).
const FAILURE_RESULT_MAX_BYTES: u32 = 256;

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn the_constant_error_results_are_those_of_the_engine() {
        let engine = Engine::shared().unwrap();
        for (revision, expected) in [
            ("2024-11-05", FAILURE_RESULT),
            ("2025-03-26", FAILURE_RESULT),
            ("2025-06-18", FAILURE_RESULT),
            ("2025-11-25", FAILURE_RESULT),
            (RESULT_TYPE_SINCE, FAILURE_RESULT_TYPED),
        ] {
            let request = Request { revision: Some(revision), ..Request::default() };
            let settings = settle(&engine, "", request).unwrap().settings;
            assert_eq!(
                settings.revision >= Revision::R20260728,
                revision == RESULT_TYPE_SINCE,
                "{revision}"
            );
            let made = |kind| {
                engine.run(|instance| instance.failure_result(FailureCase::Trap, kind, &settings))
            };
            assert_eq!(made(ResultKind::Tool).unwrap(), expected, "{revision}");
            for kind in ResultKind::ALL.into_iter().filter(|kind| *kind != ResultKind::Tool) {
                assert_eq!(made(kind).unwrap(), FAILURE_ERROR, "{revision}");
            }
        }
    }

    #[test]
    fn the_constant_error_results_fit_under_every_wire_profile() {
        for text in [FAILURE_RESULT, FAILURE_RESULT_TYPED, FAILURE_ERROR] {
            // Nothing that any profile escapes, and a space after each comma
            // and colon, even those inside of strings.
            assert!(text.is_ascii() && !text.contains(['<', '>', '&', '\\']));
            let spaces = text.matches([',', ':']).count();
            assert!(text.len() + spaces <= FAILURE_RESULT_MAX_BYTES as usize, "{text}");
        }
    }
}
