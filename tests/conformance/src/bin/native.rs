//! Runs vectors through the core alone, all of them or those named, and ends
//! with 1 where one is red. Needs no component: it is what a fault in the core
//! is tried with.

use std::process::ExitCode;

use anyhow::{Result, bail};
use result_budget_conformance::{CoreEngine, run, vector};

fn main() -> Result<ExitCode> {
    let names: Vec<String> = std::env::args().skip(1).collect();
    let mut vectors = vector::load(&names)?;
    vectors.retain(|vector| names.is_empty() || names.contains(&vector.name));
    if let Some(name) = names.iter().find(|name| !vectors.iter().any(|v| v.name == **name)) {
        bail!("there is no vector `{name}`");
    }
    let score = run::run(&mut CoreEngine, &vectors)?;
    print!("{}", score.failures());
    println!("test result: {} passed; {} failed", score.passed, score.failed.len());
    Ok(if score.failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(RED) })
}

/// Neither a panic nor a wrong command ends so.
const RED: u8 = 7;
