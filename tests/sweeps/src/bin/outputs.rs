//! Writes what the engine made of random results to a file, for parsers of
//! other languages: `outputs COUNT FILE`. Reads each with `serde_json` on the
//! way.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::process::ExitCode;

use result_budget_core::{Outcome, fit, settle};
use result_budget_support::case::Case;
use result_budget_sweeps::base_seed;

fn main() -> std::io::Result<ExitCode> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [count, file] = arguments.as_slice() else {
        eprintln!("usage: outputs COUNT FILE");
        return Ok(ExitCode::FAILURE);
    };
    let wanted: u64 = count.parse().unwrap_or_default();
    let mut file = BufWriter::new(File::create(file)?);
    let (mut written, mut cut, mut taken, mut skipped) = (0_u64, 0_u64, 0_u64, 0_u64);
    let mut seed = base_seed();
    while written < wanted {
        let case = Case::of_seed(seed);
        seed = seed.wrapping_add(1);
        let Ok(settled) = settle(&case.policy_json, &case.request()) else {
            eprintln!("the policy of a case is refused: {}", case.policy_json);
            return Ok(ExitCode::FAILURE);
        };
        let fitted = fit(&case.tool_result_json, case.output_schema(), &settled.settings);
        let (json, is_cut) = match fitted {
            Ok(Outcome::Bounded(fitted)) => (fitted.tool_result_json, true),
            Ok(Outcome::ProtocolError(error)) => (error.error_json, true),
            Ok(Outcome::Compacted(json)) => (json, false),
            // Those are the tool's own words.
            Ok(Outcome::Unchanged) => continue,
            Err(error) => {
                eprintln!("refused: {error:?}");
                return Ok(ExitCode::FAILURE);
            }
        };
        match serde_json::from_str::<serde_json::Value>(&json) {
            Ok(_) => taken += 1,
            // A tool's number stays as it was written, however large. Some
            // parsers take it as infinity, others refuse it: not our words.
            Err(error) if error.to_string().contains("out of range") => {
                skipped += 1;
                continue;
            }
            Err(error) => println!("serde_json: {error}: {json:.300}"),
        }
        written += 1;
        cut += u64::from(is_cut);
        writeln!(file, "{}\n{json}", json.len())?;
    }
    file.flush()?;
    println!("serde_json: {taken} of {written} results accepted, {cut} of them really cut");
    println!("{skipped} more results hold a number that no double can, and were left out");
    Ok(if taken == written { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
