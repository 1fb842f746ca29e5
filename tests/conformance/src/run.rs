//! Runs vectors through an adapter.

use anyhow::Result;

use crate::adapter::Adapter;
use crate::expectations;
use crate::vector::Vector;

/// How a host did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// The host.
    pub host: String,
    /// SHA-256 of its engine, or `native`.
    pub engine: String,
    /// Vectors that came out as expected.
    pub passed: usize,
    /// Vectors that did not, with what was wrong.
    pub failed: Vec<(String, String)>,
    /// Known failures that failed.
    pub skipped: usize,
}

/// Runs all of `vectors`.
///
/// # Errors
/// Where the list of known failures can not be read.
pub fn run(adapter: &mut dyn Adapter, vectors: &[Vector]) -> Result<Score> {
    let known = expectations::of_host(adapter.name())?;
    let mut score =
        Score { host: adapter.name().to_string(), engine: adapter.engine(), ..Score::default() };
    for vector in vectors {
        let faults = match adapter.answer(vector) {
            Ok(answer) => vector.faults(&answer),
            Err(error) => vec![format!("no answer: {error:#}")],
        };
        match (faults.is_empty(), known.get(&vector.name)) {
            (true, None) => score.passed += 1,
            (false, Some(_)) => score.skipped += 1,
            (true, Some(reason)) => {
                let what = format!("passes, though it is known to fail ({reason})");
                score.failed.push((vector.name.clone(), what));
            }
            (false, None) => score.failed.push((vector.name.clone(), faults.join("\n      "))),
        }
    }
    for name in known.keys().filter(|name| !vectors.iter().any(|vector| vector.name == **name)) {
        score.failed.push((name.clone(), "is known to fail, but is no vector".to_string()));
    }
    Ok(score)
}

impl Score {
    /// The failures, for a person.
    #[must_use]
    pub fn failures(&self) -> String {
        let lines: Vec<String> =
            self.failed.iter().map(|(name, what)| format!("  {name}\n      {what}\n")).collect();
        lines.concat()
    }
}
