//! Every conforming cut of small results, tried by hand.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use result_budget_core::{OutputSchema, fit};
use result_budget_schemas::brute::{blocks, brute, cuts};
use result_budget_schemas::case::Fit;
use serde_json::json;

/// The engine, without its check of the limits.
const FIT: Fit = |json, schema, settings| fit::fit_unchecked(json, schema, settings);

#[test]
fn where_a_conforming_cut_fits_there_is_no_error() {
    let found = brute(FIT, &blocks());
    eprintln!("{}", found.summary());
    assert!(found.broken.is_empty(), "rules are broken, see above");
    assert!(found.missed.is_empty(), "a cut was missed, see above");
    assert!(found.cut >= 10_000, "too little was cut: {}", found.cut);
}

#[test]
fn an_engine_that_gives_up_or_ignores_the_schema_is_found_out() {
    let some: Vec<_> = blocks().into_iter().step_by(40).collect();
    let any: Fit = |json, _, settings| fit::fit_unchecked(json, OutputSchema::None, settings);
    assert!(!brute(any, &some).broken.is_empty());
    let whole: Fit = |json, _, settings| {
        fit::fit_unchecked(json, OutputSchema::Given(r#"{"const":0}"#), settings)
    };
    assert!(!brute(whole, &some).missed.is_empty());
}

#[test]
fn every_cut_of_a_value_is_tried() {
    let found = cuts(&json!({"a": [1, 2], "b": "x".repeat(70)}));
    // Three heads of the list or no list, and four texts or no text.
    assert_eq!(found.len(), 4 * 5);
    for cut in [json!({}), json!({"a": [1]}), json!({"a": [], "b": "...[0 of 70 bytes]"})] {
        assert!(found.contains(&cut), "{cut}");
    }
}
