//! What comes out of a call.

use pyo3::prelude::*;

use crate::input;

/// A result as it came out, with its account.
#[pyclass(frozen, module = "result_budget")]
pub(crate) struct Answer {
    /// The result to send, in the type of the input.
    #[pyo3(get)]
    pub(crate) result: Py<PyAny>,
    /// How it came out.
    #[pyo3(get)]
    pub(crate) outcome: &'static str,
    /// What was cut and repaired, as JSON text.
    #[pyo3(get)]
    pub(crate) report_json: Option<String>,
    /// Why there was no result of the tool to send.
    #[pyo3(get)]
    pub(crate) failure: Option<Py<PyAny>>,
}

#[pymethods]
impl Answer {
    /// What was cut and repaired.
    #[getter]
    fn report<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.report_json.as_deref().map(|json| input::parsed(py, json)).transpose()
    }

    fn __repr__(&self) -> String {
        format!("<Answer {}>", self.outcome)
    }
}
