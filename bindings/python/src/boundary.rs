//! The boundary: results in, results out.

use std::borrow::Cow;
use std::path::PathBuf;

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyInt, PyString};
use result_budget::{Call, Failure, Fault, Input, Mode, OutputSchema, Refused, Settings};

use crate::answer::Answer;
use crate::engine::{self, Engine};
use crate::error;
use crate::input::{Given, Read};
use crate::printer::{self, Printed};
use crate::record;
use crate::told;

/// Fits results under one policy, from any thread.
#[pyclass(frozen, subclass, module = "result_budget._native")]
pub(crate) struct Boundary {
    inner: result_budget::Boundary,
    preset: Option<String>,
    has_policy: bool,
    has_limit: bool,
    mode: Mode,
    tenant: Option<String>,
    on_report: Option<Py<PyAny>>,
}

#[pymethods]
impl Boundary {
    #[new]
    #[pyo3(signature = (*, preset="auto", policy=None, tenant=None, limit_bytes=None, profile=None, mode="enforce", on_report=None, engine=None))]
    #[allow(clippy::too_many_arguments, reason = "each is a keyword")]
    fn new(
        py: Python<'_>,
        preset: &str,
        policy: Option<&Bound<'_, PyAny>>,
        tenant: Option<String>,
        limit_bytes: Option<&Bound<'_, PyAny>>,
        profile: Option<&str>,
        mode: &str,
        on_report: Option<Py<PyAny>>,
        engine: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let mut builder = result_budget::Boundary::builder();
        let preset = (preset != AUTO).then_some(preset);
        if let Some(preset) = preset {
            builder = builder.preset(preset);
        }
        if let Some(policy) = policy {
            builder = builder.policy_json(policy_json(policy)?);
        }
        if let Some(limit_bytes) = limit_bytes {
            builder = builder.limit_bytes(number("limit_bytes", limit_bytes)?);
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
        Ok(Boundary {
            inner,
            preset: preset.map(String::from),
            has_policy: policy.is_some(),
            has_limit: limit_bytes.is_some(),
            mode,
            tenant,
            on_report,
        })
    }

    /// Fits one result.
    #[pyo3(signature = (result, *, tool=None, revision=None, output_schema=None, max_bytes=None))]
    fn fit<'py>(
        &self,
        result: &Bound<'py, PyAny>,
        tool: Option<Cow<'_, str>>,
        revision: Option<Cow<'_, str>>,
        output_schema: Option<&Bound<'py, PyAny>>,
        max_bytes: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let call = CallArguments::new(tool, revision, output_schema, max_bytes)?;
        let fitted = self.fitted(result, &call, None)?;
        if let Some(failure) = &fitted.failure {
            raise_where_the_caller_erred(result.py(), failure)?;
        }
        Ok(fitted.result)
    }

    /// As `fit`, with the account. Raises nothing for a client's budget that
    /// is refused: that is a failure, and its result says so.
    #[pyo3(signature = (result, *, tool=None, revision=None, output_schema=None, max_bytes=None, told=None))]
    fn answer<'py>(
        &self,
        result: &Bound<'py, PyAny>,
        tool: Option<Cow<'_, str>>,
        revision: Option<Cow<'_, str>>,
        output_schema: Option<&Bound<'py, PyAny>>,
        max_bytes: Option<&Bound<'py, PyAny>>,
        told: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Answer> {
        let py = result.py();
        let call = CallArguments::new(tool, revision, output_schema, max_bytes)?;
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
    #[pyo3(signature = (result, *, tool=None, revision=None, max_bytes=None))]
    fn measure<'py>(
        &self,
        result: &Bound<'py, PyAny>,
        tool: Option<Cow<'_, str>>,
        revision: Option<Cow<'_, str>>,
        max_bytes: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let py = result.py();
        let call = CallArguments::new(tool, revision, None, max_bytes)?;
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

    /// Says whether a call can be settled, before its tool runs.
    #[pyo3(signature = (*, tool=None, revision=None, max_bytes=None))]
    fn check(
        &self,
        py: Python<'_>,
        tool: Option<Cow<'_, str>>,
        revision: Option<Cow<'_, str>>,
        max_bytes: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let call = CallArguments::new(tool, revision, None, max_bytes)?;
        let checked = py.detach(|| self.inner.check(&call.call()));
        checked.map_err(|failure| error::of_failure(py, &failure))
    }

    /// What is in force for a call.
    #[pyo3(signature = (*, tool=None, revision=None, max_bytes=None))]
    fn in_force<'py>(
        &self,
        py: Python<'py>,
        tool: Option<Cow<'_, str>>,
        revision: Option<Cow<'_, str>>,
        max_bytes: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let call = CallArguments::new(tool, revision, None, max_bytes)?;
        let settings = py.detach(|| self.inner.in_force(&call.call()));
        told::settings(py, &settings.map_err(|failure| error::of_failure(py, &failure))?)
    }

    /// The error result for a failure, by its code and what it carries.
    #[pyo3(signature = (code, *, revision=None, offset_bytes=0, given_bytes=0, max_bytes=0))]
    fn failure_result(
        &self,
        py: Python<'_>,
        code: &str,
        revision: Option<Cow<'_, str>>,
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
        let call = Call { revision: revision.as_deref(), ..Call::default() };
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
        let call = CallArguments::new(None, None, output_schema, None)?;
        let given = Given::new(result, self.inner.engine().input_max_bytes())?;
        let settings = self.inner.in_force(&Call::default());
        let mut settings = settings.map_err(|failure| error::of_failure(py, &failure))?;
        set_by_hand(&mut settings, limits)?;
        let Read::Text(text) = &given.read else {
            return Err(error::bad_type("result", result, "text"));
        };
        let answer = self.inner.fit_under(Input::Text(text), call.call().output_schema, &settings);
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

    /// The preset whose ceilings are in force, and who chose it: `argument`,
    /// `policy` or `default`.
    fn _preset_taken(&self, py: Python<'_>) -> PyResult<(Option<String>, &'static str)> {
        let taken = py.detach(|| self.inner.preset());
        let taken = taken.map_err(|fault| error::of_fault(py, fault))?;
        let why = if self.has_limit || self.preset.is_some() {
            "argument"
        } else if self.has_policy {
            "policy"
        } else {
            "default"
        };
        Ok((taken, why))
    }

    /// Hands a record of another kind of result to `on_report`.
    fn _tell(&self, py: Python<'_>, told: &Bound<'_, PyDict>) -> PyResult<()> {
        told.set_item("tenant", self.tenant.as_deref())?;
        self.tell(py, told);
        Ok(())
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
        if let Some(callback) = &self.on_report {
            if let Err(error) = callback.call1(py, (line,)) {
                error.write_unraisable(py, Some(callback.bind(py)));
            }
        }
    }
}

/// The arguments of a call, as texts.
struct CallArguments<'a> {
    tool: Option<Cow<'a, str>>,
    revision: Option<Cow<'a, str>>,
    max_bytes: Option<String>,
    schema: Schema,
}

enum Schema {
    None,
    Unknown,
    Given(String),
}

impl<'a> CallArguments<'a> {
    fn new(
        tool: Option<Cow<'a, str>>,
        revision: Option<Cow<'a, str>>,
        output_schema: Option<&Bound<'_, PyAny>>,
        max_bytes: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let max_bytes = max_bytes.map(|given| number("max_bytes", given)).transpose()?;
        Ok(CallArguments { tool, revision, max_bytes, schema: schema_of(output_schema)? })
    }

    fn call(&self) -> Call<'_> {
        Call {
            tool: self.tool.as_deref(),
            revision: self.revision.as_deref(),
            output_schema: match &self.schema {
                Schema::None => OutputSchema::None,
                Schema::Unknown => OutputSchema::Unknown,
                Schema::Given(json) => OutputSchema::Given(json),
            },
            call_max_bytes: self.max_bytes.as_deref(),
        }
    }
}

fn schema_of(given: Option<&Bound<'_, PyAny>>) -> PyResult<Schema> {
    let Some(given) = given else { return Ok(Schema::Unknown) };
    if let Ok(name) = given.cast::<PyString>() {
        return match name.to_str() {
            Ok("none") => Ok(Schema::None),
            Ok("unknown") => Ok(Schema::Unknown),
            Ok(json) if json.trim_start().starts_with('{') => Ok(Schema::Given(json.to_owned())),
            Ok(_) | Err(_) => Err(error::bad_type("output_schema", given, SCHEMA_ALLOWED)),
        };
    }
    if given.is_instance_of::<PyDict>() || given.is_instance_of::<PyBool>() {
        return document("output_schema", given).map(Schema::Given);
    }
    Err(error::bad_type("output_schema", given, SCHEMA_ALLOWED))
}

/// A number as the text in which it was given: the engine reads it.
fn number(name: &str, given: &Bound<'_, PyAny>) -> PyResult<String> {
    let py = given.py();
    if let Ok(text) = given.cast::<PyString>() {
        return Ok(text.to_string_lossy().into_owned());
    }
    if given.is_instance_of::<PyBool>() {
        return Ok(given.str()?.to_string_lossy().into_owned());
    }
    // Other libraries' whole numbers say so; a float does not.
    let whole = if given.is_instance_of::<PyInt>() {
        Ok(given.clone())
    } else {
        given.call_method0(intern!(py, "__index__"))
    };
    let shown = match &whole {
        // Python refuses to print thousands of digits in tens, not in sixteens.
        Ok(whole) => whole.str().or_else(|_| {
            whole.call_method1(intern!(py, "__format__"), (intern!(py, "#x"),))?.str()
        }),
        Err(_) => given.repr(),
    };
    shown
        .map(|text| text.to_string_lossy().into_owned())
        .map_err(|_| error::bad_type(name, given, "a whole number"))
}

/// A policy: a path, JSON text, or the document itself.
fn policy_json(given: &Bound<'_, PyAny>) -> PyResult<String> {
    let py = given.py();
    if let Ok(text) = given.cast::<PyString>() {
        let text = text.to_string_lossy();
        if text.trim_start().starts_with('{') {
            return Ok(text.into_owned());
        }
    } else if given.is_instance_of::<PyDict>() {
        return document("policy", given);
    } else if !given.hasattr(intern!(py, "__fspath__"))? {
        return Err(error::bad_type("policy", given, "a path, a dict, or JSON text"));
    }
    let path: PathBuf = given.extract()?;
    String::from_utf8(engine::read(py, &path)?).map_err(|_| {
        let message = format!("`{}` is no UTF-8 (its author is at fault)", path.display());
        error::bad_argument(py, &message)
    })
}

fn document(name: &str, given: &Bound<'_, PyAny>) -> PyResult<String> {
    match printer::print(given, DOCUMENT_MAX_BYTES) {
        Printed::Text(text) => Ok(text),
        Printed::TooLong(_) => {
            let allowed = format!("at most {DOCUMENT_MAX_BYTES} bytes of JSON");
            Err(error::bad_type(name, given, &allowed))
        }
    }
}

fn engine_of(given: &Bound<'_, PyAny>) -> PyResult<result_budget::Engine> {
    if let Ok(engine) = given.cast::<Engine>() {
        return Ok(engine.get().inner.clone());
    }
    match given.extract::<PathBuf>() {
        Ok(path) => engine::load(given.py(), &path),
        Err(_) => Err(error::bad_type("engine", given, "an Engine, or the path of an image")),
    }
}

fn mode_of(py: Python<'_>, name: &str) -> PyResult<Mode> {
    match name {
        ENFORCE => Ok(Mode::Enforce),
        REPORT_ONLY => Ok(Mode::ReportOnly),
        other => {
            let message = format!(
                "`mode` must be `{ENFORCE}` or `{REPORT_ONLY}`, got `{other}` (the caller is at fault)"
            );
            Err(error::bad_argument(py, &message))
        }
    }
}

/// What is wrong with the arguments is raised; what is wrong with the result,
/// or with the engine, has an error result.
fn raise_where_the_caller_erred(py: Python<'_>, failure: &Failure) -> PyResult<()> {
    match failure {
        Failure::Refused(
            Refused::Policy(_) | Refused::LimitOutOfRange(_) | Refused::UnknownName(_),
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

fn failure_of(code: &str, offset_bytes: u32, given_bytes: u32, max_bytes: u32) -> Option<Failure> {
    Some(match code {
        "malformed-json" => Refused::MalformedJson { offset_bytes }.into(),
        "not-an-object" => Refused::NotAnObject.into(),
        "not-utf8" => Refused::NotUtf8 { offset_bytes }.into(),
        "input-too-large" => Refused::InputTooLarge { given_bytes, max_bytes }.into(),
        "deadline" => Fault::Deadline.into(),
        "memory" => Fault::Memory.into(),
        "trap" => Fault::Trap.into(),
        "bad-answer" => Fault::BadAnswer.into(),
        "circuit-open" => Fault::CircuitOpen.into(),
        _ => return None,
    })
}

fn set_by_hand(settings: &mut Settings, limits: &Bound<'_, PyDict>) -> PyResult<()> {
    for (name, value) in limits.iter() {
        let (name, value): (String, u32) = (name.extract()?, value.extract()?);
        let of = &mut settings.limits;
        match name.as_str() {
            "max_result_bytes" => of.max_result_bytes = value,
            "max_text_bytes" => of.max_text_bytes = value,
            "max_binary_bytes" => of.max_binary_bytes = value,
            "max_content_blocks" => of.max_content_blocks = value,
            "max_depth" => of.max_depth = value,
            "max_block_text_bytes" => of.max_block_text_bytes = Some(value),
            "max_block_binary_bytes" => of.max_block_binary_bytes = Some(value),
            "max_structured_bytes" => of.max_structured_bytes = Some(value),
            "max_list_items" => of.max_list_items = Some(value),
            "max_map_keys" => of.max_map_keys = Some(value),
            "max_string_bytes" => of.max_string_bytes = Some(value),
            "max_key_bytes" => of.max_key_bytes = Some(value),
            "max_item_bytes" => of.max_item_bytes = Some(value),
            _ => {
                let message = format!("no limit is called `{name}` (the caller is at fault)");
                return Err(error::bad_argument(limits.py(), &message));
            }
        }
    }
    Ok(())
}

/// The preset that the engine takes by itself.
const AUTO: &str = "auto";
const ENFORCE: &str = "enforce";
const REPORT_ONLY: &str = "report-only";
const SCHEMA_ALLOWED: &str = "`none`, `unknown`, or a JSON Schema as a dict or JSON text";

/// The longest policy or schema that is printed: what the engine reads.
const DOCUMENT_MAX_BYTES: u32 = 16 * 1_024 * 1_024;
