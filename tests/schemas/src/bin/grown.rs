//! Grows, cuts and judges: `grown INSTANCES SETTINGS [FILE]`. Writes records
//! for validators of other languages to FILE.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::process::ExitCode;
use std::time::Instant;

use result_budget_schemas::case::ENGINE;
use result_budget_schemas::source;
use result_budget_schemas::sweep::{Effort, sweep};

fn main() -> std::io::Result<ExitCode> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize| arguments.get(at).and_then(|text| text.parse::<u64>().ok());
    let (Some(instances), Some(settings), base) = (number(0), number(1), number(3)) else {
        eprintln!("usage: grown INSTANCES SETTINGS [FILE [SEED]]");
        return Ok(ExitCode::FAILURE);
    };
    let mut sources = source::generated();
    let generated = sources.len();
    sources.extend(source::recorded());
    let recorded = sources.len() - generated;
    let suite = source::suite_folder().map(|folder| source::suite(&folder)).unwrap_or_default();
    println!("schemas: {generated} generated, {recorded} recorded, {} of the suite", suite.len());
    if suite.is_empty() && arguments.len() > 2 {
        println!("the suite is not below target: `cargo xtask test` brings it there");
        return Ok(ExitCode::FAILURE);
    }
    sources.extend(suite);
    let base = base.unwrap_or(20_261_130);
    let effort = Effort { instances, settings: usize::try_from(settings).unwrap_or(1), base };
    let began = Instant::now();
    let (tally, records) = sweep(ENGINE, &sources, effort);
    println!("{}", tally.summary());
    println!("seed {base}, {:.0} s", began.elapsed().as_secs_f64());
    if let Some(path) = arguments.get(2) {
        let mut file = BufWriter::new(File::create(path)?);
        for record in &records {
            for part in [&record.name, &record.schema, &record.before, &record.after] {
                writeln!(file, "{}\n{part}", part.len())?;
            }
        }
        file.flush()?;
        println!("{} records", records.len());
        // In full, for whoever looks into one.
        for (at, case) in tally.faults.values().flat_map(|(_, shortest)| shortest).enumerate() {
            std::fs::write(format!("{path}.fault-{at}"), case)?;
        }
    }
    Ok(if tally.is_clean() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
