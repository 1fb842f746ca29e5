//! One exception class, defined in Python, with a stable code.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyType};
use result_budget::{BuildError, Failure, Fault, LoadError, Refused};

use crate::told;

/// The exception `result_budget.ResultBudgetError` for a failure of a call.
pub(crate) fn of_failure(py: Python<'_>, failure: &Failure) -> PyErr {
    match failure {
        Failure::Refused(refused) => of_refused(py, refused),
        Failure::Fault(fault) => of_fault(py, *fault),
    }
}

/// The same, for a boundary that was not made.
pub(crate) fn of_build(py: Python<'_>, error: &BuildError) -> PyErr {
    match error {
        BuildError::Load(error) => of_load(py, error),
        BuildError::Refused(refused) => of_refused(py, refused),
        BuildError::Fault(fault) => of_fault(py, *fault),
    }
}

/// The same, for an engine that broke.
pub(crate) fn of_fault(py: Python<'_>, fault: Fault) -> PyErr {
    made(py, fault.code(), &fault.to_string(), None)
}

/// The same, for an engine that was not loaded.
pub(crate) fn of_load(py: Python<'_>, error: &LoadError) -> PyErr {
    made(py, error.code(), &error.to_string(), None)
}

/// An argument that no engine was asked about. The caller is at fault.
pub(crate) fn bad_argument(py: Python<'_>, message: &str) -> PyErr {
    made(py, "bad-argument", message, None)
}

/// An argument of another type than those that are allowed.
pub(crate) fn bad_type(name: &str, given: &Bound<'_, PyAny>, allowed: &str) -> PyErr {
    let given_type = given.get_type().name().map_or_else(|_| String::new(), |n| n.to_string());
    let message = format!(
        "`{name}` must be {allowed}, got one of type `{given_type}` (the caller is at fault)"
    );
    bad_argument(given.py(), &message)
}

fn of_refused(py: Python<'_>, refused: &Refused) -> PyErr {
    let message = format!("{refused} ({} is at fault)", refused.at_fault());
    match told::refused(py, refused) {
        Ok(details) => made(py, refused.code(), &message, Some(&details)),
        Err(error) => error,
    }
}

fn made(py: Python<'_>, code: &str, message: &str, details: Option<&Bound<'_, PyDict>>) -> PyErr {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let class = CLASS.import(py, "result_budget._error", "ResultBudgetError");
    let exception = class.and_then(|class| class.call1((message, code, details)));
    match exception {
        Ok(exception) => PyErr::from_value(exception),
        Err(error) => error,
    }
}
