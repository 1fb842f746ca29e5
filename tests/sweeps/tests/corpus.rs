//! Every real result, at every preset and ten limits.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::wildcard_enum_match_arm,
    reason = "tests"
)]

use result_budget_core::OutputSchema;
use result_budget_support::{Tree, corpus};
use result_budget_sweeps::{Tally, settings_of_the_sweep};

#[test]
fn every_real_result_comes_out_bounded_true_and_for_good() {
    let mut tally = Tally::default();
    let settings = settings_of_the_sweep();
    let results = corpus::all();
    assert!(results.len() >= 5, "only {} results found", results.len());
    for recorded in &results {
        let original = Tree::parse(&recorded.json).expect("a recorded result is JSON");
        for named in &settings {
            for output_schema in [OutputSchema::None, OutputSchema::Unknown] {
                tally.run(&recorded.name, &recorded.json, &original, output_schema, named);
            }
        }
    }
    eprintln!("{}", tally.summary());
    assert!(tally.is_clean(), "rules are broken, see above");
    // A sweep in which little is cut shows little.
    assert!(tally.cut * 3 > tally.cases, "only {} of {} were cut", tally.cut, tally.cases);
}
