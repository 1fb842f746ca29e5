//! The program `result-budget`.

use std::env;
use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(result_budget_cli::run(env::args_os()))
}
