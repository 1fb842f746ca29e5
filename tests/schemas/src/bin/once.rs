//! Cuts one result under one schema: `once SCHEMA RESULT LIMIT [NAME=NUMBER]...`,
//! with other limits by their names. Prints what came out, and what is wrong
//! with it.

use std::process::ExitCode;

use result_budget_core::{LIMITS, Outcome, OutputSchema, Settings, fit};
use result_budget_schemas::case::{Fit, run, validator_of_text};

/// The engine, without its check of the limits.
const FIT: Fit = |json, schema, settings| fit::fit_unchecked(json, schema, settings);

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [schema, result, limit, others @ ..] = arguments.as_slice() else {
        eprintln!("usage: once SCHEMA RESULT LIMIT");
        return ExitCode::FAILURE;
    };
    let mut settings = Settings::default();
    let bytes = limit.parse().unwrap_or(u32::MAX);
    settings.limits.max_result_bytes = bytes;
    settings.limits.max_text_bytes = bytes;
    for (name, number) in others.iter().filter_map(|other| other.split_once('=')) {
        let limit = LIMITS.iter().find(|limit| limit.name == name);
        let set = limit.map(|limit| settings.limits.set(limit, number.parse().ok()));
        if !matches!(set, Some(Ok(()))) {
            eprintln!("no limit, or out of its range: {name}={number}");
        }
    }
    match FIT(result, OutputSchema::Given(schema), &settings) {
        Ok(Outcome::Bounded(fitted)) => {
            println!("{} bytes: {}", fitted.tool_result_json.len(), fitted.tool_result_json);
            println!("report: {}", fitted.report_json);
        }
        other => println!("{other:?}"),
    }
    match validator_of_text(schema) {
        Ok(told) => {
            let (made, faults) = run(FIT, &told, result, &settings);
            println!("{made:?}");
            for fault in &faults {
                println!("BROKEN: {}: {}", fault.rule, fault.what);
            }
            if faults.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        Err(error) => {
            println!("no oracle: {error}");
            ExitCode::SUCCESS
        }
    }
}
