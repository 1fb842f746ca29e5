//! What the product promises of itself, beside what was measured.

/// One figure.
#[derive(Clone, Debug)]
pub struct Goal {
    /// What is counted.
    pub what: String,
    /// The most that it may be.
    pub at_most: f64,
    /// What it is.
    pub measured: f64,
    /// How many decimals matter.
    pub decimals: usize,
    /// What it is counted in; empty for a ratio.
    pub unit: &'static str,
}

impl Goal {
    /// A ratio.
    #[must_use]
    pub fn ratio(what: impl Into<String>, at_most: f64, measured: f64) -> Self {
        Goal { what: what.into(), at_most, measured, decimals: 2, unit: "" }
    }

    /// An amount in whole units.
    #[must_use]
    pub fn amount(
        what: impl Into<String>,
        at_most: f64,
        measured: f64,
        unit: &'static str,
    ) -> Self {
        Goal { what: what.into(), at_most, measured, decimals: 0, unit }
    }

    /// Whether it is met. Nothing measured is not met.
    #[must_use]
    pub fn is_met(&self) -> bool {
        self.measured <= self.at_most
    }

    /// `what: goal <= x, measured y, met`.
    #[must_use]
    pub fn line(&self) -> String {
        let Goal { what, at_most, measured, decimals, unit } = self;
        let space = if unit.is_empty() { "" } else { " " };
        let verdict = if self.is_met() { "met" } else { "NOT MET" };
        format!(
            "{what:<80} goal <= {at_most:.decimals$}{space}{unit}, measured {measured:.decimals$}{space}{unit}, {verdict}"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::Goal;

    #[test]
    fn a_figure_at_its_goal_is_met_and_one_over_it_or_missing_is_not() {
        assert!(Goal::ratio("a", 0.6, 0.6).is_met());
        assert!(!Goal::ratio("a", 0.6, 0.61).is_met());
        assert!(!Goal::ratio("a", 0.6, f64::NAN).is_met());
    }

    #[test]
    fn a_line_says_goal_measure_and_verdict() {
        let line = Goal::amount("size", 300.0, 301.0, "bytes").line();
        assert!(line.ends_with("goal <= 300 bytes, measured 301 bytes, NOT MET"), "{line}");
    }
}
