//! One way to run a result through the engine and judge everything about it.

use std::collections::BTreeMap;

use result_budget_core::{Limits, Outcome, OutputSchema, PRESETS, Settings, fit};
use result_budget_support::{
    Bounded, Tree, Violation, check_bounded, check_compacted, check_unchanged, payload,
};

/// Limits as `--limit-bytes` sets them, of every size class.
pub const TEN_LIMITS: [u32; 10] = [256, 300, 511, 512, 1_000, 2_000, 4_095, 4_096, 8_000, 32_000];

/// What a sweep found.
#[derive(Debug, Default)]
pub struct Tally {
    /// Results run.
    pub cases: usize,
    /// Those that were really cut.
    pub cut: usize,
    /// Those that became a bounded error.
    pub replaced: usize,
    /// Violations by rule, and the first few of each in full.
    pub broken: BTreeMap<&'static str, (usize, Vec<String>)>,
    /// Use of the budget by name of the settings.
    pub payload: BTreeMap<String, Vec<f64>>,
}

/// Settings under a name.
#[derive(Clone, Debug)]
pub struct Named {
    /// How a violation calls them.
    pub name: String,
    /// The row of the table of payload use.
    pub group: String,
    /// The settings.
    pub settings: Settings,
}

/// The sizes, a client with a limit in tokens and one with a limit in lines, then
/// the ten limits.
#[must_use]
pub fn settings_of_the_sweep() -> Vec<Named> {
    let chosen = ["small", "normal", "large", "codex", "qwen-code"];
    let presets = PRESETS.iter().filter(|preset| chosen.contains(&preset.name));
    let presets = presets.map(|preset| Named {
        name: preset.name.to_string(),
        group: preset.name.to_string(),
        settings: Settings { limits: Limits::of_preset(preset), ..Settings::default() },
    });
    let limits = TEN_LIMITS.iter().map(|bytes| {
        let mut settings = Settings::default();
        // OK because each of the ten is in range; the fit would refuse it else.
        let _ = settings.limits.cap_to(*bytes);
        Named { name: format!("{bytes}"), group: format!("{bytes}"), settings }
    });
    presets.chain(limits).collect()
}

impl Tally {
    /// Fits `json`, judges the answer, and fits the answer again.
    pub fn run(
        &mut self,
        name: &str,
        json: &str,
        original: &Tree<'_>,
        output_schema: OutputSchema<'_>,
        named: &Named,
    ) {
        self.cases += 1;
        let settings = &named.settings;
        let place = format!("{name} at {} {}", named.name, schema_name(output_schema));
        let (output, violations) = match fit(json, output_schema, settings) {
            Err(error) => {
                self.note(&place, "B3", &format!("refused: {error:?}"));
                return;
            }
            Ok(Outcome::Unchanged) => {
                self.record(&place, check_unchanged(json, original, settings));
                return;
            }
            Ok(Outcome::Compacted(output)) => {
                let violations = check_compacted(json, &output, settings);
                (output, violations)
            }
            Ok(Outcome::Bounded(fitted)) => {
                let bounded = Bounded {
                    input: json,
                    original,
                    output: &fitted.tool_result_json,
                    report: &fitted.report_json,
                    replaced_by_error: fitted.replaced_by_error,
                    output_schema,
                    settings,
                };
                self.cut += 1;
                self.replaced += usize::from(fitted.replaced_by_error);
                let violations = check_bounded(&bounded);
                if !fitted.replaced_by_error
                    && let Some(after) = Tree::parse(&fitted.tool_result_json)
                {
                    let share = payload::use_of_budget(original, &after, settings.notice, settings);
                    self.payload.entry(named.group.clone()).or_default().push(share);
                }
                (fitted.tool_result_json, violations)
            }
        };
        self.record(&place, violations);
        match fit(&output, output_schema, settings) {
            Ok(Outcome::Unchanged) => {}
            Ok(_) => self.note(&place, "B6", "not idempotent: the answer was changed again"),
            Err(error) => self.note(&place, "B6", &format!("not idempotent: {error:?}")),
        }
    }

    /// Adds violations.
    pub fn record(&mut self, place: &str, violations: Vec<Violation>) {
        for violation in violations {
            self.note(place, violation.rule, &violation.what);
        }
    }

    /// Adds one violation.
    pub fn note(&mut self, place: &str, rule: &'static str, what: &str) {
        let (count, first) = self.broken.entry(rule).or_default();
        *count += 1;
        if first.len() < 12 {
            first.push(format!("{place}: {what}"));
        }
    }

    /// The whole tally as text: counts, payload use, the first violations.
    #[must_use]
    pub fn summary(&self) -> String {
        use std::fmt::Write as _;
        let mut text = format!(
            "{} cases, {} really cut, {} of those replaced by an error\n",
            self.cases, self.cut, self.replaced
        );
        for (name, shares) in &self.payload {
            let mut sorted = shares.clone();
            sorted.sort_by(f64::total_cmp);
            let at = |share: usize| sorted.get(sorted.len() * share / 100).copied().unwrap_or(0.0);
            let _ = writeln!(
                text,
                "  payload use {name:>7}: median {:.3}  p5 {:.3}  least {:.3}  ({} cut)",
                at(50),
                at(5),
                at(0),
                sorted.len()
            );
        }
        for (rule, (count, first)) in &self.broken {
            let _ = writeln!(text, "{rule} broken {count} times:");
            for what in first {
                let _ = writeln!(text, "    {what}");
            }
        }
        text
    }

    /// True where nothing was broken.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.broken.is_empty()
    }
}

fn schema_name(output_schema: OutputSchema<'_>) -> &'static str {
    match output_schema {
        OutputSchema::None => "none",
        OutputSchema::Unknown => "unknown",
        OutputSchema::Given(_) => "given",
    }
}
