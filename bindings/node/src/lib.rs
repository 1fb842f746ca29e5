//! The engine for Node, as an addon.
//!
//! Decides nothing: texts go in, answers come out. What JavaScript's own values
//! are, and how they become text, is settled in `ts/`; this crate never looks
//! into a result.

mod answer;
mod boundary;
mod engine;
mod failure;

use std::ffi::OsString;

/// The version of the package that this addon belongs to.
#[napi_derive::napi]
pub fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

/// Runs the command `result-budget` inside of this process, with these
/// arguments, of which the first is the program's name, and says how it ended.
#[napi_derive::napi]
pub fn run_command(arguments: Vec<String>) -> u8 {
    result_budget_cli::run(arguments.into_iter().map(OsString::from))
}
