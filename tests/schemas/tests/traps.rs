//! Schemas that set a trap: at every limit the cut conforms, or is the bounded
//! error.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use result_budget_core::fit;
use result_budget_schemas::case::{Fit, Made, run};
use result_budget_schemas::traps::traps;
use serde_json::Value;

/// The engine, without its check of the limits.
const FIT: Fit = |json, schema, settings| fit::fit_unchecked(json, schema, settings);

#[test]
fn no_trap_is_stepped_into_at_any_limit() {
    let mut bad = Vec::new();
    let mut all = 0;
    for trap in traps() {
        let told = trap.told().unwrap_or_else(|error| panic!("{}: {error}", trap.name));
        let before: Value = serde_json::from_str(&trap.result).unwrap();
        let valid = told.oracle.is_valid(&before["structuredContent"]);
        assert!(valid, "{}: not valid before the cut", trap.name);
        let (mut cut, mut errors) = (0, 0);
        let mut shortest: Option<String> = None;
        for limit in (180..trap.result.len()).step_by(11) {
            let mut settings = trap.settings.clone();
            settings.limits.max_result_bytes = u32::try_from(limit).unwrap();
            settings.limits.max_text_bytes = u32::try_from(limit).unwrap();
            let (made, faults) = run(FIT, &told, &trap.result, &settings);
            match made {
                Made::Cut(_) => cut += 1,
                Made::Error => errors += 1,
                Made::Refused(why) => panic!("{}: {why}", trap.name),
                Made::Whole | Made::Beside => {}
            }
            for fault in faults {
                let text = format!("limit {limit}: {}: {:.900}", fault.rule, fault.what);
                if shortest.as_ref().is_none_or(|known| text.len() < known.len()) {
                    shortest = Some(text);
                }
            }
        }
        eprintln!("{:<64} {cut:>5} cut {errors:>5} errors", trap.name);
        all += cut;
        bad.extend(shortest.map(|text| format!("{}: {text}\n    {:.600}", trap.name, trap.schema)));
    }
    eprintln!("{all} really cut");
    assert!(bad.is_empty(), "{} traps:\n{}", bad.len(), bad.join("\n"));
}
