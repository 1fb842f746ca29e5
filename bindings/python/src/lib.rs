//! The Python package `result_budget`: its compiled half, `_native`.
//!
//! Converts and calls. Limits, presets, cuts and messages come from the
//! engine; numbers reach it as the text in which they were given. The
//! interpreter's lock is released while the engine works.

mod answer;
mod arguments;
mod boundary;
mod engine;
mod error;
mod input;
mod printer;
mod record;
mod told;

use std::ffi::OsString;

use pyo3::prelude::*;

/// What Python imports as `result_budget._native`.
#[pymodule(gil_used = false)]
mod _native {
    #[pymodule_export]
    use super::_after_fork;
    #[pymodule_export]
    use super::answer::Answer;
    #[pymodule_export]
    use super::boundary::Boundary;
    #[pymodule_export]
    use super::engine::Engine;
    #[pymodule_export]
    use super::run_command;
}

/// Python calls it in the child of a fork.
#[pyfunction]
fn _after_fork() {
    result_budget::after_fork();
}

/// Runs the command line `result-budget`, and returns its exit code. The first
/// argument is the program's name.
#[pyfunction]
fn run_command(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| result_budget_cli::run(arguments))
}
