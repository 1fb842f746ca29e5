//! What a run of cases has shown.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crate::case::{Fault, Made};

/// Faults of one rule that are kept: the shortest.
const KEPT: usize = 6;

/// Beside `contains`: numbers are not judged, so an item that it may count is
/// not counted.
const OF_NUMBERS: [&str; 5] =
    ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"];

/// Whether the engine may miss a cut under a schema with these keywords.
fn is_explained(keywords: &BTreeSet<String>, schema: &str) -> bool {
    let has = |name: &str| keywords.contains(name);
    EXPLAINED.iter().any(|(name, _)| has(name))
        || has("contains") && OF_NUMBERS.iter().any(|name| has(name))
        // Where a reference leads that leaves the document is not known.
        || schema.contains("\"$ref\":\"http")
}

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
    /// Errors that were looked into: a cut was sought by trying.
    pub sought: usize,
    /// Of those, the ones where a conforming cut fits.
    pub unseen: usize,
    /// Those that were refused.
    pub refused: usize,
    /// Those under a limit on the shape.
    pub shaped: Row,
    /// Counts of the rest by keyword of the schema.
    pub by_keyword: BTreeMap<String, Row>,
    /// The same by where the schema is from.
    pub by_source: BTreeMap<String, Row>,
    /// Errors where a conforming cut fits, by source: how often, and the
    /// shortest.
    pub unseen_in: BTreeMap<String, (usize, String)>,
    /// Broken rules: how often, and the shortest cases.
    pub faults: BTreeMap<&'static str, (usize, Vec<String>)>,
}

/// A line of a table.
#[derive(Clone, Copy, Debug, Default)]
pub struct Row {
    /// Cases that were cut.
    pub cut: usize,
    /// Those that became an error.
    pub errors: usize,
    /// Errors that were looked into.
    pub sought: usize,
    /// Of those, the ones where a conforming cut fits.
    pub unseen: usize,
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
    /// A limit on the shape is in force: what it wants is often more than a
    /// schema allows. Such cases are not in the tables.
    pub shaped: bool,
}

/// Keywords under which the engine does not see every cut, and why.
pub const EXPLAINED: [(&str, &str); 15] = [
    ("$dynamicRef", "where it leads is not told by the text"),
    ("$id", "it moves what references mean: none is followed"),
    ("$anchor", "references are followed by JSON Pointer alone"),
    ("not", "a cut may make it hold"),
    ("maxContains", "items stay as they are"),
    ("uniqueItems", "items stay as they are"),
    ("unevaluatedItems", "items stay as they are"),
    ("unevaluatedProperties", "what is evaluated may hang on a branch"),
    ("dependentSchemas", "they are obeyed, whether they hold or not"),
    ("dependencies", "they are obeyed, whether they hold or not"),
    ("if", "what a condition looks at stays as it is"),
    ("oneOf", "what tells the branches apart stays as it is"),
    ("prefixItems", "`items` is obeyed for them, too, as readers of the older draft do"),
    ("contentEncoding", "what is encoded stays as it is"),
    ("format", "a text with a format stays as it is, whichever it is"),
];

impl Row {
    fn add(&mut self, other: Row) {
        self.cut += other.cut;
        self.errors += other.errors;
        self.sought += other.sought;
        self.unseen += other.unseen;
    }

    /// Errors among what was cut or became one, as a percentage.
    fn share(&self) -> f64 {
        self.errors as f64 * 100.0 / (self.cut + self.errors).max(1) as f64
    }
}

impl Tally {
    /// Adds one case; `fits` is a conforming cut that fits although the engine
    /// made an error of it, where that was sought.
    pub fn add(
        &mut self,
        place: Place<'_>,
        made: &Made,
        fits: Option<Option<String>>,
        faults: Vec<Fault>,
    ) {
        self.cases += 1;
        let mut row = Row::default();
        match made {
            Made::Whole => self.whole += 1,
            Made::Beside => self.beside += 1,
            Made::Cut(_) => {
                self.conforming += usize::from(faults.is_empty());
                row.cut = 1;
            }
            Made::Error => row.errors = 1,
            Made::Refused(why) => {
                self.refused += 1;
                self.fault("refused", place, why);
            }
        }
        if let Some(fits) = fits {
            row.sought = 1;
            if let Some(cut) = fits {
                row.unseen = 1;
                let Place { source, schema, result, settings, .. } = place;
                let text = format!(
                    "{settings}\n      fits: {cut}\n      schema: {schema}\n      result: {result}"
                );
                if !is_explained(place.keywords, schema) {
                    self.fault("an error where a cut fits", place, &cut);
                }
                let known = self.unseen_in.entry(source.to_string()).or_default();
                known.0 += 1;
                if known.0 == 1 || text.len() < known.1.len() {
                    known.1 = text;
                }
            }
        }
        self.cut += row.cut;
        self.errors += row.errors;
        if place.shaped {
            self.shaped.add(row);
        }
        self.sought += row.sought;
        self.unseen += row.unseen;
        let group = place.source.split([':', '/']).next().unwrap_or_default().to_string();
        let keywords = place.keywords.iter().cloned().map(|name| (true, name));
        let named = keywords.chain([(false, group)]);
        for (is_keyword, name) in named.filter(|_| !place.shaped) {
            let table = if is_keyword { &mut self.by_keyword } else { &mut self.by_source };
            table.entry(name).or_default().add(row);
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
        self.sought += other.sought;
        self.unseen += other.unseen;
        self.shaped.add(other.shaped);
        for (reason, count) in other.skipped {
            *self.skipped.entry(reason).or_default() += count;
        }
        for (mine, theirs) in
            [(&mut self.by_keyword, other.by_keyword), (&mut self.by_source, other.by_source)]
        {
            for (name, row) in theirs {
                mine.entry(name).or_default().add(row);
            }
        }
        for (source, (count, text)) in other.unseen_in {
            let known = self.unseen_in.entry(source).or_default();
            if known.0 == 0 || text.len() < known.1.len() {
                known.1 = text;
            }
            known.0 += count;
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
        let Row { cut, errors, .. } = self.shaped;
        let _ = writeln!(
            text,
            "under a limit on the shape: {cut} cut, {errors} errors; under limits on bytes alone: {} \
             cut, {} errors",
            self.cut - cut,
            self.errors - errors
        );
        let _ = writeln!(
            text,
            "errors looked into: {}; a conforming cut fits in {} of them, in {} none was found",
            self.sought,
            self.unseen,
            self.sought - self.unseen
        );
        for (head, table) in [("keyword", &self.by_keyword), ("source", &self.by_source)] {
            let _ = writeln!(
                text,
                "{head:<34}{:>9}{:>9}{:>9}  of these, a cut fits",
                "cut", "errors", "share"
            );
            let mut rows: Vec<(&String, &Row)> = table.iter().collect();
            rows.sort_by(|a, b| b.1.share().total_cmp(&a.1.share()));
            for (name, row) in rows {
                let Row { cut, errors, sought, unseen } = row;
                let share = row.share();
                let _ = writeln!(
                    text,
                    "{name:<34}{cut:>9}{errors:>9}{share:>8.1}%  {unseen:>6} of {sought}"
                );
            }
        }
        let mut unseen: Vec<_> = self.unseen_in.iter().collect();
        unseen.sort_by_key(|(_, (count, _))| std::cmp::Reverse(*count));
        for (source, (count, shortest)) in unseen.iter().take(40) {
            let _ = writeln!(text, "not seen {count} times: {source}; {shortest:.300}");
        }
        for (name, why) in EXPLAINED {
            let unseen = self.by_keyword.get(name).map_or(0, |row| row.unseen);
            let _ = writeln!(text, "explained: {name}: {why} ({unseen})");
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
