//! One way to run a result through the engine and judge everything about it.

use std::collections::BTreeMap;
use std::io::{self, Write as _};
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use result_budget_core::{FitError, Limits, Outcome, OutputSchema, PRESETS, Settings, fit};
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
    /// Those that lost white space alone.
    pub compacted: usize,
    /// Those that became a bounded error.
    pub replaced: usize,
    /// Violations by rule, and the first few of each in full.
    pub broken: BTreeMap<&'static str, (usize, Vec<String>)>,
    /// Use of the budget by name of the settings.
    pub payload: BTreeMap<String, Vec<(f64, String)>>,
}

/// The engine, or what a test puts in its place.
pub type Fit = fn(&str, OutputSchema<'_>, &Settings) -> Result<Outcome, FitError>;

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
        let fit: Fit = |json, output_schema, settings| fit(json, output_schema, settings);
        self.run_with(fit, name, json, original, output_schema, named);
    }

    /// The same with another engine.
    pub fn run_with(
        &mut self,
        fit: Fit,
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
            Ok(Outcome::ProtocolError(_)) => {
                self.note(&place, "B13", "a tool's result became a protocol error");
                return;
            }
            Ok(Outcome::Unchanged) => {
                self.record(&place, check_unchanged(json, original, settings));
                return;
            }
            Ok(Outcome::Compacted(output)) => {
                self.compacted += 1;
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
                    && !only_copies_went(&fitted.report_json)
                    && let Some(after) = Tree::parse(&fitted.tool_result_json)
                {
                    let share = payload::use_of_budget(original, &after, settings.notice, settings);
                    self.payload
                        .entry(named.group.clone())
                        .or_default()
                        .push((share, place.clone()));
                }
                (fitted.tool_result_json, violations)
            }
        };
        self.record(&place, violations);
        match fit(&output, output_schema, settings) {
            Ok(Outcome::Unchanged) => {}
            Ok(_) => self.note(&place, NOT_IDEMPOTENT, "the answer was changed again"),
            Err(error) => self.note(&place, NOT_IDEMPOTENT, &format!("{error:?}")),
        }
    }

    /// Adds violations.
    pub fn record(&mut self, place: &str, violations: Vec<Violation>) {
        for violation in violations {
            let over = violation.rule == "B3" && violation.what.contains(" is over");
            let rule = if over { OVER } else { violation.rule };
            self.note(place, rule, &violation.what);
        }
    }

    /// Adds one violation.
    pub fn note(&mut self, place: &str, rule: &'static str, what: &str) {
        let (count, first) = self.broken.entry(rule).or_default();
        *count += 1;
        if first.len() < SHOWN {
            first.push(format!("{place}: {what}"));
        }
    }

    /// How many cases there were, how many showed anything, and how many broke
    /// each of the three promises that hold for all.
    #[must_use]
    pub fn line(&self) -> String {
        let broken = |rules: &[&str]| -> usize {
            rules.iter().filter_map(|rule| self.broken.get(rule)).map(|(count, _)| count).sum()
        };
        let all: usize = self.broken.values().map(|(count, _)| count).sum();
        let (over, invalid) = (broken(&["B2", OVER]), broken(&["B3"]));
        let not_idempotent = broken(&[NOT_IDEMPOTENT]);
        format!(
            "{} cases, {} really cut ({} of those replaced by an error), {} compacted: \
             {over} over, {invalid} invalid, {not_idempotent} not idempotent, {} other faults",
            self.cases,
            self.cut,
            self.replaced,
            self.compacted,
            all - over - invalid - not_idempotent,
        )
    }

    /// Adds what another tally found.
    pub fn add(&mut self, other: Tally) {
        self.cases += other.cases;
        self.cut += other.cut;
        self.compacted += other.compacted;
        self.replaced += other.replaced;
        for (rule, (count, first)) in other.broken {
            let (sum, shown) = self.broken.entry(rule).or_default();
            *sum += count;
            shown.extend(first);
            shown.truncate(SHOWN);
        }
        for (group, shares) in other.payload {
            self.payload.entry(group).or_default().extend(shares);
        }
    }

    /// The whole tally as text: counts, payload use, the first violations.
    #[must_use]
    pub fn summary(&self) -> String {
        use std::fmt::Write as _;
        let mut text = format!("{}\n", self.line());
        for name in self.payload.keys() {
            let (at, least) = (|share| self.payload_use(name, share), self.least(name));
            let _ = writeln!(
                text,
                "  payload use {name:>7}: median {:.3}  p5 {:.3}  least {:.3}  ({} cut)",
                at(50),
                at(5),
                at(0),
                self.payload.get(name).map_or(0, Vec::len)
            );
            let _ = writeln!(text, "      least: {}", least.join(", "));
        }
        for (rule, (count, first)) in &self.broken {
            let _ = writeln!(text, "{rule} broken {count} times:");
            for what in first {
                let _ = writeln!(text, "    {what}");
            }
        }
        text
    }

    /// The payload use of a group that `percent` of its results stay below.
    #[must_use]
    pub fn payload_use(&self, group: &str, percent: usize) -> f64 {
        let mut shares: Vec<f64> =
            self.payload.get(group).into_iter().flatten().map(|(share, _)| *share).collect();
        shares.sort_by(f64::total_cmp);
        shares.get(shares.len() * percent / 100).copied().unwrap_or(1.0)
    }

    /// The results of a group that use least.
    fn least(&self, group: &str) -> Vec<String> {
        let mut rows: Vec<&(f64, String)> = self.payload.get(group).into_iter().flatten().collect();
        rows.sort_by(|a, b| a.0.total_cmp(&b.0));
        rows.iter().take(5).map(|(share, place)| format!("{place} {share:.3}")).collect()
    }

    /// True where nothing was broken.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.broken.is_empty()
    }
}

/// Whether all that went is base64 that a block says again: then nothing that
/// could fill the room was left out.
fn only_copies_went(report: &str) -> bool {
    let Some(report) = Tree::parse(report) else { return false };
    let cuts = report.member("cuts").map(Tree::items).unwrap_or_default();
    let is_copy = |cut: &Tree<'_>| {
        let text = |key: &str| cut.member(key).and_then(Tree::text).unwrap_or("").to_string();
        text("kind") == "binary" && text("path").starts_with("/structuredContent")
    };
    report.member("unlisted_cuts").is_none() && !cuts.is_empty() && cuts.iter().all(is_copy)
}

/// Runs `judge` on every number below `count`, on every processor, and puts
/// the tallies together.
pub fn in_parallel(count: u64, judge: impl Fn(u64, &mut Tally) + Sync) -> Tally {
    let next = AtomicU64::new(0);
    let mut whole = Tally::default();
    thread::scope(|scope| {
        let work = || {
            let mut tally = Tally::default();
            loop {
                let start = next.fetch_add(STRIDE, Ordering::Relaxed);
                if start >= count {
                    return tally;
                }
                for number in start..count.min(start + STRIDE) {
                    judge(number, &mut tally);
                }
            }
        };
        let threads = thread::available_parallelism().map_or(1, usize::from);
        let running: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        for thread in running {
            match thread.join() {
                Ok(tally) => whole.add(tally),
                // A panic inside is a broken promise of its own.
                Err(_) => whole.note("a thread", "B11", "the engine or its judge panicked"),
            }
        }
    });
    whole
}

/// The first seed of this run: the same for every short run, so that it can be
/// repeated; another one with each commit for a long run, so that it explores
/// new ground. `RESULT_BUDGET_BASE` sets it.
#[must_use]
pub fn base_seed() -> u64 {
    if let Some(base) = std::env::var("RESULT_BUDGET_BASE").ok().and_then(|base| base.parse().ok())
    {
        return base;
    }
    if !long() {
        return SHORT_BASE;
    }
    let git = Command::new("git").args(["rev-parse", "HEAD"]).output();
    let commit = git.ok().filter(|output| output.status.success());
    let commit = commit.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    // 48 bits: any case of the run still has a short number.
    commit
        .as_deref()
        .and_then(|commit| commit.get(..12))
        .and_then(|digits| u64::from_str_radix(digits, 16).ok())
        .unwrap_or_default()
}

/// Says how much a test has shown, also where the test passes: what a test
/// prints is thrown away then.
pub fn say(text: &str) {
    // Nobody to tell it to is no fault of what is told.
    let _ = writeln!(io::stderr(), "{text}");
}

/// Whether the long forms were asked for.
#[must_use]
pub fn long() -> bool {
    std::env::var("RESULT_BUDGET_LONG").is_ok()
}

/// The first seed of a short run.
const SHORT_BASE: u64 = 20_261_130;

/// Numbers that one thread takes at a time.
const STRIDE: u64 = 64;

/// The two rules of which a part is counted alone.
const OVER: &str = "B3, over";
const NOT_IDEMPOTENT: &str = "B6, idempotent";

/// Violations of one rule that are shown.
const SHOWN: usize = 12;

fn schema_name(output_schema: OutputSchema<'_>) -> &'static str {
    match output_schema {
        OutputSchema::None => "none",
        OutputSchema::Unknown => "unknown",
        OutputSchema::Given(_) => "given",
    }
}
