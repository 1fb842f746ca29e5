//! The command `result-budget`, run inside of this process.

use std::ffi::OsString;

use napi_derive::napi;

#[allow(unreachable_pub, reason = "JavaScript reaches it")]
/// Runs the command with these arguments, of which the first is the program's
/// name, and says how it ended.
#[napi]
pub fn run_command(arguments: Vec<String>) -> u8 {
    result_budget_cli::run(arguments.into_iter().map(OsString::from))
}
