//! The judge: what may come out, given what went in.

use std::collections::BTreeSet;

use result_budget_core::{LIMITS, Mirror, OutputSchema, Settings, WireProfile};

use crate::sizes::{add_shapes, sizes};
use crate::structure::{Cut, Unit, Walk};
use crate::tree::{Tree, Value};
use crate::wire::wire_bytes;
use crate::{blocks, envelope, mirror, report};

/// A rule that was broken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The contract's rule.
    pub rule: &'static str,
    /// What is wrong.
    pub what: String,
}

/// A bounded result, to be judged.
#[derive(Clone, Copy, Debug)]
pub struct Bounded<'a> {
    /// What went in, as text and as a tree.
    pub input: &'a str,
    /// The same as a tree.
    pub original: &'a Tree<'a>,
    /// What came out.
    pub output: &'a str,
    /// Its full report.
    pub report: &'a str,
    /// Whether a bounded error stands in for the result.
    pub replaced_by_error: bool,
    /// What is known of the output schema.
    pub output_schema: OutputSchema<'a>,
    /// What was in force.
    pub settings: &'a Settings,
}

struct Judge<'a> {
    bounded: Bounded<'a>,
    violations: Vec<Violation>,
}

/// Judges a result that was cut or repaired.
#[must_use]
pub fn check_bounded(bounded: &Bounded<'_>) -> Vec<Violation> {
    let mut judge = Judge { bounded: *bounded, violations: Vec::new() };
    judge.all();
    judge.violations
}

/// Judges a result that was left alone: it must be within every bound, with
/// nothing to repair.
#[must_use]
pub fn check_unchanged(input: &str, original: &Tree<'_>, settings: &Settings) -> Vec<Violation> {
    if !envelope::is_complete(original) {
        // Never edited, only measured.
        let bytes = wire_bytes(input, settings.wire_profile);
        return (bytes > settings.limits.max_result_bytes as usize)
            .then(|| breach("B3", format!("max_result_bytes: {bytes} is over")))
            .into_iter()
            .collect();
    }
    let mut violations = over(input, original, settings);
    let known = envelope::known_keys(settings.revision);
    let mut seen = BTreeSet::new();
    for member in original.members() {
        if !known.contains(&member.key.as_str()) && !settings.keep_fields.contains(&member.key) {
            violations.push(breach("B4", format!("foreign key `{}` was left", member.key)));
        }
        if !seen.insert(&member.key) {
            violations.push(breach("B6", format!("repeated key `{}` was left", member.key)));
        }
    }
    violations
}

/// Judges a result that lost white space alone.
#[must_use]
pub fn check_compacted(input: &str, output: &str, settings: &Settings) -> Vec<Violation> {
    let Some(tree) = Tree::parse(output) else {
        return vec![breach("B3", "compacted result is no JSON".to_string())];
    };
    let mut violations = over(output, &tree, settings);
    let printed = settings.wire_profile != WireProfile::Utf8Compact
        && Tree::parse(input).is_some_and(|input| same_but_for_escapes(&input, &tree));
    if !printed && !same_but_for_space(input, output) {
        violations.push(breach("B6", "compacting changed more than white space".to_string()));
    }
    violations
}

/// `json` without white space between tokens.
#[must_use]
pub fn stripped(json: &str) -> String {
    let (mut quoted, mut escaped) = (false, false);
    json.chars()
        .filter(|c| {
            if quoted {
                match c {
                    _ if escaped => escaped = false,
                    '\\' => escaped = true,
                    '"' => quoted = false,
                    _ => {}
                }
                return true;
            }
            quoted = *c == '"';
            !matches!(c, ' ' | '\t' | '\n' | '\r')
        })
        .collect()
}

fn breach(rule: &'static str, what: String) -> Violation {
    Violation { rule, what }
}

/// Everything that is over its limit.
fn over(json: &str, tree: &Tree<'_>, settings: &Settings) -> Vec<Violation> {
    let limits = &settings.limits;
    let mut sizes = sizes(tree, settings.wire_profile);
    if LIMITS.iter().any(|limit| limit.default.is_none() && limits.value(limit.name).is_some()) {
        add_shapes(tree, settings.wire_profile, &mut sizes);
    }
    let result = wire_bytes(json, settings.wire_profile);
    let rows: [(&'static str, usize, Option<u32>); 15] = [
        ("max_result_bytes", result, Some(limits.max_result_bytes)),
        ("max_text_bytes", sizes.text_bytes, Some(limits.max_text_bytes)),
        ("max_text_tokens", sizes.text_tokens, limits.max_text_tokens),
        ("max_text_lines", sizes.text_lines.saturating_sub(1), limits.max_text_lines),
        ("max_binary_bytes", sizes.binary_bytes, Some(limits.max_binary_bytes)),
        ("max_content_blocks", sizes.content_blocks, Some(limits.max_content_blocks)),
        ("max_depth", sizes.depth, Some(limits.max_depth)),
        ("max_block_text_bytes", sizes.block_text_bytes, limits.max_block_text_bytes),
        ("max_block_binary_bytes", sizes.block_binary_bytes, limits.max_block_binary_bytes),
        ("max_structured_bytes", sizes.structured_bytes, limits.max_structured_bytes),
        ("max_list_items", sizes.list_items, limits.max_list_items),
        ("max_map_keys", sizes.map_keys, limits.max_map_keys),
        ("max_string_bytes", sizes.string_bytes, limits.max_string_bytes),
        ("max_key_bytes", sizes.key_bytes, limits.max_key_bytes),
        ("max_item_bytes", sizes.item_bytes, limits.max_item_bytes),
    ];
    rows.into_iter()
        .filter_map(|(name, is, limit)| {
            let limit = limit? as usize;
            let rule = if name == "max_result_bytes" { "B3" } else { "B2" };
            (is > limit).then(|| breach(rule, format!("{name}: {is} is over {limit}")))
        })
        .collect()
}

impl Judge<'_> {
    fn add(&mut self, rule: &'static str, what: impl Into<String>) {
        self.violations.push(breach(rule, what.into()));
    }

    fn all(&mut self) {
        let Bounded { input, original, output, settings, .. } = self.bounded;
        let Some(after) = Tree::parse(output) else {
            self.add("B3", "the result is no JSON");
            return;
        };
        if serde_json::from_str::<serde::de::IgnoredAny>(output).is_err()
            || crate::structure::has_lone_surrogate_anywhere(output)
        {
            self.add("B3", "the result has a lone surrogate");
        }
        if output == input {
            self.add("B6", "the result is called bounded, but nothing changed");
        }
        self.violations.extend(over(output, &after, settings));
        self.envelope(&after);
        if !envelope::is_complete(original) && !self.bounded.replaced_by_error {
            self.add("B12", "a result that is not complete was edited");
        }
        if self.bounded.replaced_by_error {
            self.error_result(&after);
            self.reports(&after, &[]);
            return;
        }
        let (cuts, kept_blocks) = self.parts(&after);
        self.reports(&after, &cuts);
        // One copy may go; while both are there, they say the same.
        if settings.mirror == Mirror::Both && after.member("structuredContent").is_some() {
            for (form, block) in mirror::forms(original) {
                if kept_blocks.contains(&block) && !mirror::holds(&after, &form) {
                    let what = "text and structuredContent were equal, and are no more";
                    self.add("B8", format!("{what} ({form:?})"));
                }
            }
        }
    }

    fn envelope(&mut self, after: &Tree<'_>) {
        let Bounded { original, settings, .. } = self.bounded;
        let known = envelope::known_keys(settings.revision);
        for member in after.members() {
            if !known.contains(&member.key.as_str()) && !settings.keep_fields.contains(&member.key)
            {
                self.add(
                    "B4",
                    format!("foreign key `{}`", member.key.chars().take(40).collect::<String>()),
                );
            }
        }
        // What was wrong stays wrong at most; nothing new is.
        let was = envelope::faults(original, settings.revision);
        let was_whole = was.iter().all(|fault| !fault.starts_with("/content/"));
        for fault in envelope::faults(after, settings.revision) {
            if !was.contains(&fault) && (was_whole || !fault.starts_with("/content/")) {
                self.add("B3", format!("no valid result of {}: {fault}", settings.revision.name()));
            }
        }
    }

    fn error_result(&mut self, after: &Tree<'_>) {
        if after.member("isError").map(|error| error.raw) != Some("true") {
            self.add("B9", "a bounded error without isError");
        }
        if after.member("structuredContent").is_some() {
            self.add("B9", "a bounded error with structuredContent");
        }
        self.notice(after, true);
    }

    /// Compares everything but the report; tells the cuts, and the blocks of
    /// the original that are still there.
    fn parts(&mut self, after: &Tree<'_>) -> (Vec<Cut>, Vec<usize>) {
        let Bounded { original, settings, output_schema, .. } = self.bounded;
        let before_blocks = original.member("content").map(Tree::items).unwrap_or_default();
        let after_blocks = after.member("content").map(Tree::items).unwrap_or_default();
        let pairing = {
            let mirrors = mirror::may_repeat(original);
            blocks::pair(
                before_blocks,
                after_blocks,
                settings.notice,
                settings.wire_profile,
                &mirrors,
            )
        };
        for fault in &pairing.faults {
            self.add("B8", fault.clone());
        }
        if let Some(text) = pairing.added.and_then(|at| after_blocks[at].member("text")?.text()) {
            // One that we add says what the data says, and no more.
            let same = |data: &Tree<'_>| Tree::parse(text).is_some_and(|own| own.same_value(data));
            if !after.member("structuredContent").is_some_and(same) {
                self.add("B8", "a text was added that does not repeat structuredContent");
            }
        }
        let mut cuts = pairing.cuts;
        if pairing.pairs.len() < before_blocks.len() {
            cuts.push(Cut {
                pointer: "/content".to_string(),
                unit: Unit::Items,
                kept: pairing.pairs.len(),
                of: before_blocks.len(),
            });
        }
        match (original.member("structuredContent"), after.member("structuredContent")) {
            (Some(before), Some(after)) => {
                let mut walk =
                    Walk::new("/structuredContent", output_schema, settings.wire_profile);
                walk.compare(before, after);
                for fault in walk.faults {
                    self.add("B8", fault);
                }
                cuts.extend(walk.cuts);
            }
            (None, Some(_)) => self.add("B6", "structuredContent came from nowhere"),
            (Some(_), None) => {
                if !matches!(output_schema, OutputSchema::None) && settings.mirror != Mirror::Text {
                    self.add("B9", "structuredContent is gone, though a schema may demand it");
                }
                cuts.push(Cut {
                    pointer: "/structuredContent".to_string(),
                    unit: Unit::Members,
                    kept: 0,
                    of: 1,
                });
            }
            (None, None) => {}
        }
        for key in ["isError", "resultType"] {
            let (was, is) = (original.member(key), after.member(key));
            let foreign = !envelope::known_keys(settings.revision).contains(&key);
            if is.is_none() && foreign {
                continue;
            }
            let same = match (was, is) {
                (Some(was), Some(is)) => same_spelling(was, is, settings.wire_profile),
                (was, is) => was.is_none() && is.is_none(),
            };
            if !same {
                self.add("B4", format!("`{key}` changed"));
            }
        }
        self.meta(original, after);
        if !cuts.is_empty() {
            self.notice(after, false);
        }
        (cuts, pairing.pairs.iter().map(|(_, from)| *from).collect())
    }

    fn meta(&mut self, original: &Tree<'_>, after: &Tree<'_>) {
        let settings = self.bounded.settings;
        let was = original.member("_meta").map(Tree::members).unwrap_or_default();
        let is = after.member("_meta").map(Tree::members).unwrap_or_default();
        for member in is {
            let same = was.iter().any(|before| {
                before.key == member.key && {
                    same_spelling(&before.tree, &member.tree, settings.wire_profile)
                }
            });
            if member.key != report::KEY && !same {
                self.add("B12", format!("`_meta` key `{}` was edited", member.key));
            }
        }
        for member in was.iter().filter(|member| protected(&member.key)) {
            if !is.iter().any(|kept| kept.key == member.key) {
                self.add("B12", format!("protected `_meta` key `{}` is gone", member.key));
            }
        }
    }

    /// The model must be told (contract B7).
    fn notice(&mut self, after: &Tree<'_>, error: bool) {
        let texts: Vec<&str> = after
            .member("content")
            .map(Tree::items)
            .unwrap_or_default()
            .iter()
            .filter_map(|block| block.member("text")?.text())
            .collect();
        let ours = |text: &&&str| blocks::signed(text);
        let found = texts.iter().find(ours);
        // A notice before data that had no text would hide it from who reads
        // `content` first: our member in the data tells it.
        let before = self.bounded.original;
        let had_text = blocks::has_text(before);
        let had_blocks = before.member("content").is_some_and(|all| !all.items().is_empty());
        // Tokens and lines are closed in on: the member may miss what a notice
        // happens to hit.
        let limits = &self.bounded.settings.limits;
        let counted = limits.max_text_tokens.is_some() || limits.max_text_lines.is_some();
        if let Some(told) = crate::structure::remark_in(before, after) {
            if found.is_some() && !had_blocks && !counted && texts.len() == 1 && !error {
                self.add("B7", format!("a notice hides data that tells `{told}` itself"));
            }
            if found.is_none() && !had_text {
                return;
            }
        }
        match found {
            None => self.add("B7", "no notice"),
            Some(notice) if !notice.contains(" of ") && !error => {
                self.add("B7", format!("the notice does not say how much of how much: `{notice}`"));
            }
            Some(_) => {}
        }
    }

    fn reports(&mut self, after: &Tree<'_>, cuts: &[Cut]) {
        let Bounded { original, report: full, settings, .. } = self.bounded;
        match Tree::parse(full) {
            Some(full) => {
                for fault in report::faults(original, &full, cuts, settings.wire_profile) {
                    self.add("B5", fault);
                }
            }
            None => self.add("B5", "the report is no JSON"),
        }
        let carried = after.member("_meta").and_then(|meta| meta.member(report::KEY));
        match carried {
            Some(carried) => {
                for fault in report::carried_faults(original, carried, &settings.limits) {
                    self.add("B5", format!("carried: {fault}"));
                }
            }
            // Near 512 bytes the last rung may be all that fits.
            None if settings.limits.max_result_bytes >= 1_024
                && settings.limits.max_text_bytes >= 1_024 =>
            {
                self.add("B5", "the result carries no report");
            }
            None => {}
        }
    }
}

/// True where one is the other, white space between tokens and the printer's
/// escapes aside.
fn same_spelling(before: &Tree<'_>, after: &Tree<'_>, profile: WireProfile) -> bool {
    let (before_raw, after_raw) = (stripped(before.raw), stripped(after.raw));
    before_raw == after_raw
        || (profile != WireProfile::Utf8Compact && before.same_value(after))
        || (crate::structure::has_lone_surrogate_anywhere(before.raw) && before.same_value(after))
}

/// Keys of `_meta` that clients and SDKs depend on (contract B12).
#[must_use]
pub fn protected(key: &str) -> bool {
    key.starts_with("io.modelcontextprotocol/")
        || matches!(key, "fastmcp" | "progressToken" | "traceparent" | "tracestate" | "baggage")
}

/// True for a list or a map.
#[must_use]
pub fn is_container(tree: &Tree<'_>) -> bool {
    matches!(tree.value, Value::Array(_) | Value::Object(_) | Value::Deep)
}

/// True where nothing but white space between tokens went, also between those
/// of JSON inside a text.
fn same_but_for_space(input: &str, output: &str) -> bool {
    let input = stripped(input);
    input == output
        || match (Tree::parse(&input), Tree::parse(output)) {
            (Some(before), Some(after)) => same_parts(&before, &after),
            _ => false,
        }
}

/// True where a printer spelled nothing but strings anew.
fn same_but_for_escapes(before: &Tree<'_>, after: &Tree<'_>) -> bool {
    match (&before.value, &after.value) {
        (Value::String(a), Value::String(b)) => a == b,
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_but_for_escapes(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len()
                && a.iter()
                    .zip(b)
                    .all(|(a, b)| a.key == b.key && same_but_for_escapes(&a.tree, &b.tree))
        }
        _ => stripped(before.raw) == stripped(after.raw),
    }
}

fn same_parts(before: &Tree<'_>, after: &Tree<'_>) -> bool {
    match (&before.value, &after.value) {
        _ if before.raw == after.raw => true,
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_parts(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len()
                && a.iter()
                    .zip(b)
                    .all(|(a, b)| a.raw_key == b.raw_key && same_parts(&a.tree, &b.tree))
        }
        (Value::String(a), Value::String(b)) => {
            crate::text::is_json_container(a) && stripped(a) == *b
        }
        _ => false,
    }
}
