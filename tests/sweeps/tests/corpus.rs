//! Every real result, at every preset and ten limits.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::wildcard_enum_match_arm,
    reason = "tests"
)]

use result_budget_core::{OutputSchema, PRESETS};
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
    // A few fixtures, among them pictures that a small budget leaves out whole,
    // tell less than the corpus.
    let wide = corpus::folder().is_some();
    for preset in PRESETS.iter().map(|preset| preset.name) {
        let (median, low) = (tally.payload_use(preset, 50), tally.payload_use(preset, 5));
        assert!(median >= 0.95, "{preset}: half of the results use less than {median:.3}");
        assert!(!wide || low >= 0.75, "{preset}: one in twenty uses less than {low:.3}");
    }
}
