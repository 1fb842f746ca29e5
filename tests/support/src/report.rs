//! Whether a report tells the truth (contract B5).

use std::collections::BTreeSet;

use result_budget_core::{Limits, WireProfile};

use crate::sizes::sizes;
use crate::structure::{Cut, Unit};
use crate::tree::{Tree, Value};

/// Key of the report in `_meta`.
pub const KEY: &str = "dev.result-budget/report";

/// Checks the full report against the original and the cuts that were found by
/// comparing.
#[must_use]
pub fn faults(
    original: &Tree<'_>,
    report: &Tree<'_>,
    found: &[Cut],
    profile: WireProfile,
) -> Vec<String> {
    let mut faults = common_faults(original, report);
    let truncated = report.member("truncated").map(|truncated| truncated.raw) == Some("true");
    if !truncated && !found.is_empty() {
        faults.push("something was cut, but `truncated` is not true".to_string());
    }
    for field in ["truncated", "budget_kind", "omitted_count", "omitted_paths"] {
        // A result that was only repaired passed no bound.
        if report.member(field).is_none() && (truncated || field != "budget_kind") {
            faults.push(format!("the report has no `{field}`"));
        }
    }
    let number = |field: &str| report.member(field).and_then(Tree::number);
    if number("kept_bytes") > number("original_bytes") {
        faults.push(format!("`kept_bytes` is over `original_bytes`: {}", report.raw));
    }
    let sizes = sizes(original, profile);
    let payload = sizes.text_bytes + sizes.binary_bytes;
    let escapable = 5 * original.raw.matches(['\\', '\u{7f}']).count();
    match report.member("original_bytes").and_then(Tree::number) {
        Some(bytes) if bytes as usize == payload => {}
        // Escapes count as they came, which a printer may write shorter.
        Some(bytes)
            if profile != WireProfile::Utf8Compact
                && (payload..=payload + escapable).contains(&(bytes as usize)) => {}
        // The bounded error of last resort says no more than that nothing fits.
        None if report.member("cuts").is_none() => {}
        other => {
            faults.push(format!("`original_bytes` is {other:?}, the payload has {payload}"));
        }
    }
    let cuts = report.member("cuts").map(Tree::items).unwrap_or_default();
    for cut in cuts {
        let path = cut.member("path").and_then(Tree::text).unwrap_or("");
        let unit = cut.member("unit").and_then(Tree::text).unwrap_or("");
        let kept = cut.member("kept").and_then(Tree::number);
        let of = cut.member("of").and_then(Tree::number);
        let wanted = match unit {
            "items" => Unit::Items,
            "members" | "keys" => Unit::Members,
            _ => continue,
        };
        let within = cut.member("within").and_then(Tree::text).unwrap_or("");
        let path = format!("{path}{within}");
        // Several, where a key is repeated.
        let real: Vec<(u64, u64)> = found
            .iter()
            .filter(|real| real.pointer == path && real.unit == wanted)
            .map(|real| (real.kept as u64, real.of as u64))
            .collect();
        if !real.is_empty() && !real.iter().any(|real| (kept, of) == (Some(real.0), Some(real.1))) {
            faults.push(format!(
                "the report says {kept:?} of {of:?} {unit} at `{path}`, in truth {real:?}"
            ));
        }
    }
    faults
}

/// Checks the report that the result itself carries.
#[must_use]
pub fn carried_faults(original: &Tree<'_>, report: &Tree<'_>, limits: &Limits) -> Vec<String> {
    let mut faults = common_faults(original, report);
    let ceiling = limits.max_result_bytes as usize;
    if ceiling >= 4_096 && report.raw.len() > ceiling / 4 {
        faults.push(format!(
            "the report has {} bytes, over a quarter of {ceiling}",
            report.raw.len()
        ));
    }
    for (list, most) in [("omitted_paths", 32), ("cuts", 8), ("repairs", 8)] {
        let items = report.member(list).map_or(0, |list| list.items().len());
        if items > most {
            faults.push(format!("the report lists {items} {list}, at most {most} are allowed"));
        }
    }
    let paths = report.member("omitted_paths").map(Tree::items).unwrap_or_default();
    if paths.iter().filter_map(Tree::text).any(|path| path.len() > 128) {
        faults.push("the report has a path of more than 128 bytes".to_string());
    }
    faults
}

fn common_faults(original: &Tree<'_>, report: &Tree<'_>) -> Vec<String> {
    let mut faults = Vec::new();
    if !matches!(report.value, Value::Object(_)) {
        return vec!["the report is no map".to_string()];
    }
    let mut resolves = |path: &str| {
        // A long path is shortened, the place marked by dots.
        let whole = path.split("...").next().unwrap_or(path);
        let whole = if whole.len() < path.len() {
            whole.rsplit_once('/').map_or("", |(parent, _)| parent)
        } else {
            path
        };
        if original.at(whole).is_none() {
            faults.push(format!("`{path}` is not in the original"));
        }
    };
    for path in report.member("omitted_paths").map(Tree::items).unwrap_or_default() {
        resolves(path.text().unwrap_or("no string"));
    }
    for cut in report.member("cuts").map(Tree::items).unwrap_or_default() {
        resolves(cut.member("path").and_then(Tree::text).unwrap_or("no path"));
    }
    for cut in report.member("cuts").map(Tree::items).unwrap_or_default() {
        let path = cut.member("path").and_then(Tree::text).unwrap_or("");
        let kept = cut.member("kept").and_then(Tree::number);
        let of = cut.member("of").and_then(Tree::number);
        if kept.is_none() || of.is_none() || kept > of {
            faults.push(format!("the cut at `{path}` says {kept:?} of {of:?}"));
        }
        let within = cut.member("within").and_then(Tree::text);
        let unit = cut.member("unit").and_then(Tree::text).unwrap_or("");
        let there = children(original, path, within, unit);
        if !there.is_empty()
            && !there.iter().any(|there| of == Some(*there as u64))
            // A report of another boundary is data, but none that we count.
            && path != "/_meta"
        {
            let within = within.unwrap_or("");
            faults.push(format!(
                "the cut at `{path}` `{within}` says of {of:?}, there were {there:?}"
            ));
        }
    }
    faults
}

/// How many children stand in the original at `path`, and `within` the JSON
/// text there, counted in `unit`: one number, or several where a key is
/// repeated.
fn children(original: &Tree<'_>, path: &str, within: Option<&str>, unit: &str) -> Vec<usize> {
    let in_block = within.is_none() && is_block(path);
    let count = |tree: &Tree<'_>| match (&tree.value, unit) {
        (Value::Array(items), "items" | "blocks") => vec![items.len()],
        (Value::Object(members), "keys" | "members") => {
            // In a block only the last of a repeated key counts.
            let distinct: BTreeSet<&str> = members.iter().map(|member| &*member.key).collect();
            vec![if in_block { distinct.len() } else { members.len() }]
        }
        _ => Vec::new(),
    };
    let mut counts = Vec::new();
    for place in original.all_at(path) {
        match within {
            None => counts.extend(count(place)),
            Some(within) => {
                let inner = place.text().and_then(Tree::parse);
                counts.extend(inner.iter().flat_map(|inner| inner.all_at(within)).flat_map(count));
            }
        }
    }
    counts
}

/// Whether a path is that of a content block, or of the resource in one.
fn is_block(path: &str) -> bool {
    let rest =
        path.strip_prefix("/content/").map(|rest| rest.strip_suffix("/resource").unwrap_or(rest));
    rest.is_some_and(|at| !at.is_empty() && at.bytes().all(|byte| byte.is_ascii_digit()))
}
