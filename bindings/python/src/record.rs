//! What `on_report` is told of a call.

use std::cell::RefCell;

use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::error;
use crate::input;

/// One call, kept until the interpreter's lock is there again.
pub(crate) struct Record {
    tool: Option<String>,
    client: Option<String>,
    preset: Option<String>,
    chosen_by: Option<&'static str>,
    in_bytes: u64,
    out_bytes: u64,
    outcome: &'static str,
    enforced: bool,
    report_json: Option<String>,
    failure: Option<result_budget::Failure>,
    elapsed_micros: u64,
}

thread_local! {
    static LAST: RefCell<Option<Record>> = const { RefCell::new(None) };
}

/// Keeps what the host tells, on the thread of the call.
pub(crate) fn keep(told: &result_budget::Record<'_>) {
    let record = Record {
        tool: told.tool.map(String::from),
        client: told.client_name.map(String::from),
        preset: told.preset.map(String::from),
        chosen_by: told.chosen_by.map(result_budget::ChosenBy::code),
        in_bytes: told.in_bytes,
        out_bytes: told.out_bytes,
        outcome: told.outcome.code(),
        enforced: told.enforced,
        report_json: told.report_json.map(String::from),
        failure: told.failure.cloned(),
        elapsed_micros: told.elapsed_micros,
    };
    LAST.with(|last| *last.borrow_mut() = Some(record));
}

/// What was kept by the call that this thread has just made.
pub(crate) fn take() -> Option<Record> {
    LAST.with(|last| last.borrow_mut().take())
}

impl Record {
    /// As a dictionary.
    pub(crate) fn told<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let told = PyDict::new(py);
        told.set_item("tool", self.tool.as_deref())?;
        told.set_item("client", self.client.as_deref())?;
        told.set_item("preset", self.preset.as_deref())?;
        told.set_item("preset_chosen_by", self.chosen_by)?;
        told.set_item("in_bytes", self.in_bytes)?;
        told.set_item("out_bytes", self.out_bytes)?;
        told.set_item("outcome", self.outcome)?;
        told.set_item("enforced", self.enforced)?;
        let report = self.report_json.as_deref().map(|json| input::parsed(py, json)).transpose()?;
        told.set_item("report", report)?;
        let failure = self.failure.as_ref();
        told.set_item("code", failure.map(result_budget::Failure::code))?;
        let message = failure.map(|failure| error::of_failure(py, failure).value(py).to_string());
        told.set_item("message", message)?;
        told.set_item("elapsed_micros", self.elapsed_micros)?;
        Ok(told)
    }
}
