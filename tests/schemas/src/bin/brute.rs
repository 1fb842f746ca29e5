//! Tries every cut of small instances by hand, and says where the engine finds
//! none although one fits.

use std::process::ExitCode;

use result_budget_core::fit;
use result_budget_schemas::brute::{blocks, brute};

fn main() -> ExitCode {
    let found =
        brute(|json, schema, settings| fit::fit_unchecked(json, schema, settings), &blocks());
    println!("{}", found.summary());
    if found.broken.is_empty() && found.missed.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
