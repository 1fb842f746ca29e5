//! What a run of cases has shown.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crate::case::{Fault, Made};

/// Faults of one rule that are kept: the shortest.
const KEPT: usize = 6;

/// Counts, and the shortest faults.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Schemas that were tried.
    pub schemas: usize,
    /// Schemas that could not be tried, by reason.
    pub skipped: BTreeMap<&'static str, usize>,
    /// Grown instances that were thrown away, since they were not valid.
    pub thrown_away: usize,
    /// Cases run.
    pub cases: usize,
    /// Those whose `structuredContent` was cut.
    pub cut: usize,
    /// Of those, the ones that conform.
    pub conforming: usize,
    /// Those in which something else was cut.
    pub beside: usize,
    /// Those that fit.
    pub whole: usize,
    /// Those that became the bounded error.
    pub errors: usize,
    /// Those that were refused.
    pub refused: usize,
    /// Cases that were cut, and those that became an error, by keyword of the
    /// schema.
    pub by_keyword: BTreeMap<String, (usize, usize)>,
    /// The same by where the schema is from.
    pub by_source: BTreeMap<String, (usize, usize)>,
    /// Broken rules: how often, and the shortest cases.
    pub faults: BTreeMap<&'static str, (usize, Vec<String>)>,
}

/// What names a case.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// Where the schema is from.
    pub source: &'a str,
    /// The schema as text.
    pub schema: &'a str,
    /// Its keywords.
    pub keywords: &'a BTreeSet<String>,
    /// What came in.
    pub result: &'a str,
    /// The settings.
    pub settings: &'a str,
}

impl Tally {
    /// Adds one case.
    pub fn add(&mut self, place: Place<'_>, made: &Made, faults: Vec<Fault>) {
        self.cases += 1;
        let (cut, errors) = match made {
            Made::Whole => {
                self.whole += 1;
                (0, 0)
            }
            Made::Beside => {
                self.beside += 1;
                (0, 0)
            }
            Made::Cut(_) => {
                self.conforming += usize::from(faults.is_empty());
                (1, 0)
            }
            Made::Error => (0, 1),
            Made::Refused(why) => {
                self.refused += 1;
                self.fault("refused", place, why);
                (0, 0)
            }
        };
        self.cut += cut;
        self.errors += errors;
        let group = place.source.split([':', '/']).next().unwrap_or_default().to_string();
        let keywords = place.keywords.iter().cloned().map(|name| (true, name));
        for (is_keyword, name) in keywords.chain([(false, group)]) {
            let table = if is_keyword { &mut self.by_keyword } else { &mut self.by_source };
            let row = table.entry(name).or_default();
            *row = (row.0 + cut, row.1 + errors);
        }
        for fault in faults {
            self.fault(fault.rule, place, &fault.what);
        }
    }

    fn fault(&mut self, rule: &'static str, place: Place<'_>, what: &str) {
        let Place { source, schema, result, settings, .. } = place;
        let text = format!(
            "{source}; {settings}\n      came out: {what}\n      schema: {schema}\n      result: \
             {result}"
        );
        let (count, shortest) = self.faults.entry(rule).or_default();
        *count += 1;
        shortest.push(text);
        shortest.sort_by_key(String::len);
        shortest.truncate(KEPT);
    }

    /// Puts two together.
    pub fn join(&mut self, other: Tally) {
        self.schemas += other.schemas;
        self.thrown_away += other.thrown_away;
        self.cases += other.cases;
        self.cut += other.cut;
        self.conforming += other.conforming;
        self.beside += other.beside;
        self.whole += other.whole;
        self.errors += other.errors;
        self.refused += other.refused;
        for (reason, count) in other.skipped {
            *self.skipped.entry(reason).or_default() += count;
        }
        for (mine, theirs) in
            [(&mut self.by_keyword, other.by_keyword), (&mut self.by_source, other.by_source)]
        {
            for (name, (cut, errors)) in theirs {
                let row = mine.entry(name).or_default();
                *row = (row.0 + cut, row.1 + errors);
            }
        }
        for (rule, (count, shortest)) in other.faults {
            let row = self.faults.entry(rule).or_default();
            row.0 += count;
            row.1.extend(shortest);
            row.1.sort_by_key(String::len);
            row.1.truncate(KEPT);
        }
    }

    /// Whether no rule was broken.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.faults.is_empty()
    }

    /// The counts, in one line.
    #[must_use]
    pub fn line(&self) -> String {
        let faults: usize = self.faults.values().map(|(count, _)| count).sum();
        format!(
            "{} schemas, {} cases, {} really cut: {} conforming, {} faults; {} errors, {} cut \
             beside, {} whole",
            self.schemas,
            self.cases,
            self.cut,
            self.conforming,
            faults,
            self.errors,
            self.beside,
            self.whole,
        )
    }

    /// Counts, tables, and the shortest faults.
    #[must_use]
    pub fn summary(&self) -> String {
        let mut text = format!("{}\n", self.line());
        let _ = writeln!(
            text,
            "instances thrown away: {}; schemas skipped: {:?}",
            self.thrown_away, self.skipped
        );
        for (head, table) in [("keyword", &self.by_keyword), ("source", &self.by_source)] {
            let _ = writeln!(text, "{head:<34}{:>9}{:>9}{:>9}", "cut", "errors", "share");
            let mut rows: Vec<(&String, &(usize, usize))> = table.iter().collect();
            let share = |row: &(usize, usize)| row.1 as f64 * 100.0 / (row.0 + row.1).max(1) as f64;
            rows.sort_by(|a, b| share(b.1).total_cmp(&share(a.1)));
            for (name, row) in rows {
                let _ = writeln!(text, "{name:<34}{:>9}{:>9}{:>8.1}%", row.0, row.1, share(row));
            }
        }
        for (rule, (count, shortest)) in &self.faults {
            let _ = writeln!(text, "BROKEN: {rule}: {count} times");
            for case in shortest {
                for line in case.lines() {
                    let _ = writeln!(text, "    {line:.1500}");
                }
            }
        }
        text
    }
}
