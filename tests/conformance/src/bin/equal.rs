//! Random results through every host of every language: the same bytes as the
//! core gives. `equal COUNT`.

use std::path::PathBuf;

use anyhow::{Result, bail};
use result_budget_conformance::{Adapter, CoreEngine, hosts, vector::Vector};
use result_budget_support::case::Case;
use serde_json::{Value, json};

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let count: u64 = arguments.next().and_then(|count| count.parse().ok()).unwrap_or(5_000);
    let base: u64 = arguments.next().and_then(|base| base.parse().ok()).unwrap_or_default();
    // The first of them is the core itself.
    let mut all: Vec<Box<dyn Adapter>> =
        hosts::own()?.into_iter().skip(1).chain(hosts::foreign()?).collect();
    let mut equal = vec![0_u64; all.len()];
    let (mut cut, mut shown) = (0_u64, 0);
    for number in 0..count {
        let vector = vector_of(base.wrapping_add(number));
        let wanted = CoreEngine.answer(&vector)?;
        cut += u64::from(wanted.get("outcome").and_then(Value::as_str) == Some("bounded"));
        for (host, equal) in all.iter_mut().zip(&mut equal) {
            let answer = host.answer(&vector)?;
            if answer == wanted {
                *equal += 1;
            } else if shown < 5 {
                shown += 1;
                println!("{} differs at {}:\n  {wanted}\n  {answer}", host.name(), vector.name);
            }
        }
    }
    for (host, equal) in all.iter().zip(&equal) {
        println!("{:<16} {equal} of {count} results byte for byte as the core", host.name());
    }
    println!("{cut} of {count} results were really cut");
    if equal.iter().any(|equal| *equal != count) {
        bail!("a host differs");
    }
    Ok(())
}

fn vector_of(seed: u64) -> Vector {
    let case = Case::of_seed(seed);
    let schema = if case.has_no_schema { "none" } else { "unknown" };
    let json = json!({
        "call": "fit",
        "given": {
            "tool_result_json": case.tool_result_json,
            "policy_json": case.policy_json,
            "request": {
                "limit_bytes": case.limit_bytes,
                "wire_profile": case.wire_profile,
                "revision": case.revision,
            },
            "output_schema": schema,
        },
    });
    let json = json.as_object().cloned().unwrap_or_default();
    Vector { name: format!("seed-{seed}"), path: PathBuf::new(), json }
}
