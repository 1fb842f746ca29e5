//! Time that a thread spent, and what many measurements of it say.

use std::time::Duration;

pub use result_budget_support::clock::now;

/// The value below which a quarter lies: disturbances only ever add.
#[must_use]
pub fn lower_quartile(values: &[Duration]) -> Duration {
    at(values, 1, 4)
}

/// The value in the middle.
#[must_use]
pub fn median(values: &[Duration]) -> Duration {
    at(values, 1, 2)
}

fn at(values: &[Duration], part: usize, parts: usize) -> Duration {
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    sorted.get(sorted.len() * part / parts).copied().unwrap_or_default()
}
