//! Runs one recorded result and prints what comes out: `NAME LIMIT SCHEMA`.

use result_budget_core::{Outcome, OutputSchema, Settings, fit};
use result_budget_support::corpus;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, limit, schema] = arguments.as_slice() else {
        eprintln!("usage: NAME LIMIT none|unknown");
        return;
    };
    let named = result_budget_sweeps::settings_of_the_sweep()
        .into_iter()
        .find(|named| named.name == *limit)
        .map_or_else(Settings::default, |named| named.settings);
    let output_schema = if schema == "none" { OutputSchema::None } else { OutputSchema::Unknown };
    for recorded in corpus::all().iter().filter(|recorded| recorded.name == *name) {
        match fit(&recorded.json, output_schema, &named) {
            Ok(Outcome::Unchanged) => println!("unchanged"),
            Ok(Outcome::Compacted(json)) => println!("compacted\n{json}"),
            Ok(Outcome::Bounded(fitted)) => {
                println!(
                    "error: {}\n{}\n{}",
                    fitted.replaced_by_error, fitted.tool_result_json, fitted.report_json
                );
            }
            Ok(Outcome::ProtocolError(error)) => println!("{error:?}"),
            Err(error) => println!("{error:?}"),
        }
    }
}
