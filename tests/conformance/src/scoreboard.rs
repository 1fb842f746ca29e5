//! The table of hosts, as it is committed and as it is shown.

use std::fmt::Write as _;
use std::path::PathBuf;

use result_budget_support::corpus;

use crate::run::Score;

/// Where the committed table is.
#[must_use]
pub fn file() -> PathBuf {
    corpus::repository().join("tests/scoreboard.txt")
}

/// The table as it is committed. The SHA-256 of a component depends on the
/// compiler that made it; where it is from is told instead.
#[must_use]
pub fn committed(scores: &[Score]) -> String {
    table(scores, |score| match score.engine.as_str() {
        "native" => "result-budget-core, native".to_string(),
        _ => "target/engine/result-budget.wasm".to_string(),
    })
}

/// The table with the SHA-256 of each engine.
#[must_use]
pub fn shown(scores: &[Score]) -> String {
    table(scores, |score| score.engine.clone())
}

fn table(scores: &[Score], engine: impl Fn(&Score) -> String) -> String {
    let mut text =
        format!("{:<15} {:>7} {:>7} {:>7}  engine\n", "host", "passed", "failed", "skipped");
    for score in scores {
        let _ = writeln!(
            text,
            "{:<15} {:>7} {:>7} {:>7}  {}",
            score.host,
            score.passed,
            score.failed.len(),
            score.skipped,
            engine(score)
        );
    }
    text
}
