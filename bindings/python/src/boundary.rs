//! The boundary: results in, results out.

use std::borrow::Cow;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use result_budget::{Call, Failure, Fault, Input, Mode, Refused};

use crate::answer::Answer;
use crate::arguments::{
    CallArguments, ENFORCE, REPORT_ONLY, engine_of, failure_of, kind_of, mode_of, number,
    policy_json, set_by_hand,
};
use crate::engine::Engine;
use crate::error;
use crate::input::{Given, Read};
use crate::record;
use crate::told;

/// Fits results under one policy, from any thread.
#[pyclass(frozen, subclass, module = "result_budget._native")]
pub(crate) struct Boundary {
    inner: result_budget::Boundary,
    mode: Mode,
    tenant: Option<String>,
    on_report: Option<Py<PyAny>>,
}

#[pymethods]
impl Boundary {
    #[new]
    // The text says what `help` would otherwise show as three dots.
    #[pyo3(signature = (*, preset=Some("auto"), policy=None, tenant=None, limit_bytes=None, limit_tokens=None, profile=None, mode="enforce", on_report=None, engine=None), text_signature = "(*, preset='auto', policy=None, tenant=None, limit_bytes=None, limit_tokens=None, profile=None, mode='enforce', on_report=None, engine=None)")]
    #[allow(clippy::too_many_arguments, reason = "each is a keyword")]
    fn new(
        py: Python<'_>,
        preset: Option<&str>,
        policy: Option<&Bound<'_, PyAny>>,
        tenant: Option<String>,
        limit_bytes: Option<&Bound<'_, PyAny>>,
        limit_tokens: Option<&Bound<'_, PyAny>>,
        profile: Option<&str>,
        mode: &str,
        on_report: Option<Py<PyAny>>,
        engine: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let mut builder = result_budget::Boundary::builder();
        if let Some(preset) = preset {
            builder = builder.preset(preset);
        }
        if let Some(policy) = policy {
            builder = builder.policy_json(policy_json(policy)?);
        }
        if let Some(limit_bytes) = limit_bytes {
            builder = builder.limit_bytes(number("limit_bytes", limit_bytes)?);
        }
        if let Some(limit_tokens) = limit_tokens {
            builder = builder.limit_tokens(number("limit_tokens", limit_tokens)?);
        }
        if let Some(profile) = profile {
            builder = builder.wire_profile(profile);
        }
        if let Some(engine) = engine {
            builder = builder.engine(&engine_of(engine)?);
        }
        let mode = mode_of(py, mode)?;
        builder = builder.mode(mode);
        if let Some(callback) = &on_report {
            if !callback.bind(py).is_callable() {
                return Err(error::bad_type("on_report", callback.bind(py), "callable"));
            }
            builder = builder.on_report(record::keep);
        }
        let inner = py.detach(|| builder.build()).map_err(|error| error::of_build(py, &error))?;
        Ok(Boundary { inner, mode, tenant, on_report })
    }

    /// Fits one result.
    #[pyo3(signature = (result, *, tool=None, revision=None, client=None, output_schema=None, max_bytes=None, max_tokens=None, kind="tool", previous_report=None))]
    #[allow(clippy::too_many_arguments, reason = "each is a keyword")]
    fn fit<'py>(
        &self,
        result: &Bound<'py, PyAny>,
        tool: Option<Cow<'_, str>>,
        revision: Option<Cow<'_, str>>,
        client: Option<Cow<'_, str>>,
        output_schema: Option<&Bound<'py, PyAny>>,
        max_bytes: Option<&Bound<'py, PyAny>>,
        max_tokens: Option<&Bound<'py, PyAny>>,
        kind: &str,
        previous_report: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let call =
            CallArguments::new(tool, revision, client, output_schema, max_bytes, max_tokens)?
                .of_kind(result.py(), kind, previous_report)?;
        let fitted = self.fitted(result, &call, None)?;
        if let Some(failure) = &fitted.failure {
            raise_where_the_caller_erred(result.py(), failure)?;
        }
        Ok(fitted.result)
    }

    /// As `fit`, with the account. Raises nothing for a client's budget that
    /// is refused: that is a failure, and its result says so.
    #[pyo3(signature = (result, *, tool=None, revision=None, client=None, output_schema=None, max_bytes=None, max_tokens=None, kind="tool", previous_report=None, told=None))]
    #[allow(clippy::too_many_arguments, reason = "each is a keyword")]
    fn answer<'py>(
        &self,
        result: &Bound<'py, PyAny>,
        tool: Option<Cow<'_, str>>,
        revision: Option<Cow<'_, str>>,
        client: Option<Cow<'_, str>>,
        output_schema: Option<&Bound<'py, PyAny>>,
        max_bytes: Option<&Bound<'py, PyAny>>,
        max_tokens: Option<&Bound<'py, PyAny>>,
        kind: &str,
        previous_report: Option<&Bound<'py, PyAny>>,
        told: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Answer> {
        let py = result.py();
        let call =
            CallArguments::new(tool, revision, client, output_schema, max_bytes, max_tokens)?
                .of_kind(py, kind, previous_report)?;
        let fitted = self.fitted(result, &call, told)?;
        Ok(Answer {
            result: fitted.result.unbind(),
            outcome: fitted.outcome,
            report_json: fitted.report_json,
            failure: fitted
                .failure
                .map(|failure| error::of_failure(py, &failure).into_value(py).into_any()),
        })
    }

    /// Measures one result.
    #[pyo3(signature = (result, *, tool=None, revision=None, client=None, max_bytes=None, max_tokens=None))]
    fn measure<'py>(
        &self,
        result: &Bound<'py, PyAny>,
        tool: Option<Cow<'_, str>>,
        revision: Option<Cow<'_, str>>,
        client: Option<Cow<'_, str>>,
        max_bytes: Option<&Bound<'py, PyAny>>,
        max_tokens: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let py = result.py();
        let call = CallArguments::new(tool, revision, client, None, max_bytes, max_tokens)?;
        let given = Given::new(result, self.inner.engine().input_max_bytes())?;
        let measured = py.detach(|| match &given.read {
            Read::Text(text) => self.inner.measure(Input::Text(text), &call.call()),
            Read::Bytes(bytes) => self.inner.measure(Input::Bytes(bytes), &call.call()),
            Read::TooLong(given_bytes) => {
                let answer = self.inner.refuse_unread(*given_bytes, &call.call());
                Err(answer.failure().cloned().unwrap_or(Failure::Fault(Fault::Trap)))
            }
        });
        told::measurement(py, &measured.map_err(|failure| error::of_failure(py, &failure))?)
    }

    /// Measures a list of tools.
    #[pyo3(signature = (result, *, revision=None))]
    fn measure_tools<'py>(
        &self,
        result: &Bound<'py, PyAny>,
        revision: Option<Cow<'_, str>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let py = result.py();
        let call = CallArguments::new(None, revision, None, None, None, None)?;
        let given = Given::new(result, self.inner.engine().input_max_bytes())?;
        let measured = py.detach(|| {
            let text = self.list_text(&given.read)?;
            self.inner.measure_tools(text, &call.call())
        });
        told::tools(py, &measured.map_err(|failure| error::of_failure(py, &failure))?)
    }

    /// Prepares a list of tools.
    #[pyo3(signature = (result, *, revision=None))]
    fn prepare_tools<'py>(
        &self,
        result: &Bound<'py, PyAny>,
        revision: Option<Cow<'_, str>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = result.py();
        let call = CallArguments::new(None, revision, None, None, None, None)?;
        let given = Given::new(result, self.inner.engine().input_max_bytes())?;
        let prepared = py.detach(|| {
            let text = self.list_text(&given.read)?;
            self.inner.prepare_tools(text, &call.call())
        });
        match prepared.map_err(|failure| error::of_failure(py, &failure))? {
            None => Ok(given.as_given()),
            Some(text) => given.answered(&text),
        }
    }

    /// Says whether a call can be settled, before its tool runs.
    #[pyo3(signature = (*, tool=None, revision=None, client=None, max_bytes=None, max_tokens=None))]
    fn check(
        &self,
        py: Python<'_>,
        tool: Option<Cow<'_, str>>,
        revision: Option<Cow<'_, str>>,
        client: Option<Cow<'_, str>>,
        max_bytes: Option<&Bound<'_, PyAny>>,
        max_tokens: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let call = CallArguments::new(tool, revision, client, None, max_bytes, max_tokens)?;
        let checked = py.detach(|| self.inner.check(&call.call()));
        checked.map_err(|failure| error::of_failure(py, &failure))
    }

    /// What is in force for a call.
    #[pyo3(signature = (*, tool=None, revision=None, client=None, max_bytes=None, max_tokens=None))]
    fn in_force<'py>(
        &self,
        py: Python<'py>,
        tool: Option<Cow<'_, str>>,
        revision: Option<Cow<'_, str>>,
        client: Option<Cow<'_, str>>,
        max_bytes: Option<&Bound<'py, PyAny>>,
        max_tokens: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let call = CallArguments::new(tool, revision, client, None, max_bytes, max_tokens)?;
        let settled = py.detach(|| self.inner.settled(&call.call()));
        told::settled(py, &settled.map_err(|failure| error::of_failure(py, &failure))?)
    }

    /// The error result for a failure, by its code and what it carries.
    #[pyo3(signature = (code, *, revision=None, kind="tool", offset_bytes=0, given_bytes=0, max_bytes=0))]
    #[allow(clippy::too_many_arguments, reason = "each is a keyword")]
    fn failure_result(
        &self,
        py: Python<'_>,
        code: &str,
        revision: Option<Cow<'_, str>>,
        kind: &str,
        offset_bytes: u32,
        given_bytes: u32,
        max_bytes: u32,
    ) -> PyResult<String> {
        let failure = failure_of(code, offset_bytes, given_bytes, max_bytes).ok_or_else(|| {
            error::bad_argument(
                py,
                &format!("no failure is called `{code}` (the caller is at fault)"),
            )
        })?;
        let kind = kind_of(py, kind)?;
        let call = Call { kind, revision: revision.as_deref(), ..Call::default() };
        Ok(py.detach(|| self.inner.failure_result(&failure, &call)))
    }

    /// Fits under limits that were changed after they were settled: for the
    /// vectors, which show that the engine checks them again.
    #[pyo3(signature = (result, limits, *, output_schema=None))]
    fn _fit_by_hand<'py>(
        &self,
        result: &Bound<'py, PyAny>,
        limits: &Bound<'py, PyDict>,
        output_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Answer> {
        let py = result.py();
        let call = CallArguments::new(None, None, None, output_schema, None, None)?;
        let given = Given::new(result, self.inner.engine().input_max_bytes())?;
        let settings = self.inner.in_force(&Call::default());
        let mut settings = settings.map_err(|failure| error::of_failure(py, &failure))?;
        set_by_hand(&mut settings, limits)?;
        let Read::Text(text) = &given.read else {
            return Err(error::bad_type("result", result, "text"));
        };
        let answer = self.inner.fit_under(Input::Text(text), &call.call(), &settings);
        let outcome = answer.outcome().code();
        Ok(Answer {
            result: given.answered(answer.tool_result_json())?.unbind(),
            outcome,
            report_json: answer.report_json().map(String::from),
            failure: answer
                .failure()
                .map(|failure| error::of_failure(py, failure).into_value(py).into_any()),
        })
    }

    /// Hands a record of another kind of result to `on_report`.
    fn _tell(&self, py: Python<'_>, told: &Bound<'_, PyDict>) -> PyResult<()> {
        told.set_item("tenant", self.tenant.as_deref())?;
        self.tell(py, told);
        Ok(())
    }

    /// Whether anybody is told of calls.
    #[getter]
    fn _reports(&self) -> bool {
        self.on_report.is_some()
    }

    #[getter]
    fn engine(&self) -> Engine {
        Engine { inner: self.inner.engine().clone() }
    }

    #[getter]
    fn mode(&self) -> &'static str {
        match self.mode {
            Mode::Enforce => ENFORCE,
            Mode::ReportOnly => REPORT_ONLY,
        }
    }

    #[getter]
    fn tenant(&self) -> Option<&str> {
        self.tenant.as_deref()
    }
}

/// What came out, in the type of the input.
struct Fitted<'py> {
    result: Bound<'py, PyAny>,
    outcome: &'static str,
    report_json: Option<String>,
    failure: Option<Failure>,
}

impl Boundary {
    /// The text of a list of tools.
    fn list_text<'g>(&self, read: &'g Read<'_>) -> Result<&'g str, Failure> {
        match read {
            Read::Text(text) => Ok(text),
            Read::Bytes(bytes) => std::str::from_utf8(bytes).map_err(|error| {
                let offset_bytes = u32::try_from(error.valid_up_to()).unwrap_or(u32::MAX);
                Refused::NotUtf8 { offset_bytes }.into()
            }),
            Read::TooLong(given_bytes) => {
                let answer = self.inner.refuse_unread(*given_bytes, &Call::default());
                Err(answer.failure().cloned().unwrap_or(Failure::Fault(Fault::Trap)))
            }
        }
    }

    fn fitted<'py>(
        &self,
        result: &Bound<'py, PyAny>,
        call: &CallArguments<'_>,
        told: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Fitted<'py>> {
        let py = result.py();
        let given = Given::new(result, self.inner.engine().input_max_bytes())?;
        let (answer, record) = py.detach(|| {
            let answer = match &given.read {
                Read::Text(text) => self.inner.fit(Input::Text(text), &call.call()),
                Read::Bytes(bytes) => self.inner.fit(Input::Bytes(bytes), &call.call()),
                Read::TooLong(given_bytes) => self.inner.refuse_unread(*given_bytes, &call.call()),
            };
            (answer, record::take())
        });
        if let (Some(record), Some(_)) = (record, &self.on_report) {
            let line = record.told(py)?;
            line.set_item("tenant", self.tenant.as_deref())?;
            if let Some(told) = told {
                line.update(told.as_mapping())?;
            }
            self.tell(py, &line);
        }
        let result = match &answer {
            result_budget::Answer::Unchanged { .. } => given.as_given(),
            result_budget::Answer::Compacted { .. }
            | result_budget::Answer::Bounded { .. }
            | result_budget::Answer::ProtocolError { .. }
            | result_budget::Answer::FailedClosed { .. } => {
                given.answered(answer.tool_result_json())?
            }
        };
        Ok(Fitted {
            result,
            outcome: answer.outcome().code(),
            report_json: answer.report_json().map(String::from),
            failure: answer.failure().cloned(),
        })
    }

    /// An exception in the callback must not cost the result: it goes where
    /// Python puts exceptions that nobody can catch.
    fn tell(&self, py: Python<'_>, line: &Bound<'_, PyDict>) {
        if let Some(callback) = &self.on_report
            && let Err(error) = callback.call1(py, (line,))
        {
            error.write_unraisable(py, Some(callback.bind(py)));
        }
    }
}

/// What is wrong with the arguments is raised; what is wrong with the result,
/// or with the engine, has an error result.
fn raise_where_the_caller_erred(py: Python<'_>, failure: &Failure) -> PyResult<()> {
    match failure {
        Failure::Refused(
            Refused::Policy(_)
            | Refused::LimitOutOfRange(_)
            | Refused::UnknownName(_)
            | Refused::PreviousReport { .. }
            | Refused::OutputSchema { .. },
        ) => Err(error::of_failure(py, failure)),
        Failure::Refused(
            Refused::InputTooLarge { .. }
            | Refused::NotUtf8 { .. }
            | Refused::MalformedJson { .. }
            | Refused::NotAnObject,
        )
        | Failure::Fault(_) => Ok(()),
    }
}
