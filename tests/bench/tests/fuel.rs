//! The component does the same work for each byte, however long the input.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use result_budget_bench::documents::Shape;
use result_budget_bench::fuel::{Counter, Fuel, SIZES_BYTES};

/// Counts are exact: the margin is for the documents, which are not all alike.
const SPREAD_MAX: f64 = 1.1;

#[test]
fn fuel_per_byte_is_constant() {
    let mut counter = Counter::load().unwrap();
    let mut uneven = Vec::new();
    for shape in Shape::ALL {
        for cut in [false, true] {
            let fuel = Fuel::count(&mut counter, shape, cut, &SIZES_BYTES).unwrap();
            println!("{}", fuel.line());
            if fuel.judged_spread() > SPREAD_MAX {
                uneven.push(fuel.line());
            }
        }
    }
    assert!(uneven.is_empty(), "uneven:\n{}", uneven.join("\n"));
}
