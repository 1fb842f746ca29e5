//! A whole program: a recorded answer of a server in, what may be sent out.
//! Run it from the top folder: `cargo run -p result-budget --example fit`.

use std::error::Error;
use std::fs;

use result_budget::{Boundary, Call};

fn main() -> Result<(), Box<dyn Error>> {
    // Once, at start: what is in force.
    let boundary = Boundary::builder().preset("normal").build()?;

    // For each call, as late as possible: what comes out is what is sent.
    let result = fs::read_to_string("tests/fixtures/api-issues-list.json")?;
    let call = Call { tool: Some("list_issues"), revision: Some("2025-11-25"), ..Call::default() };
    let answer = boundary.fit(&result, &call);
    let to_send = answer.tool_result_json();

    // There is always a result to send. Who wants to know more looks closer.
    println!("{}: {} bytes in, {} out", answer.outcome().code(), result.len(), to_send.len());
    if let Some(report_json) = answer.report_json() {
        println!("{report_json}");
    }
    if let Some(failure) = answer.failure() {
        eprintln!("{}: {failure}", failure.code());
    }
    Ok(())
}
