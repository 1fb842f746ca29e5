//! Random trees: what stays is what a plain walk by levels says may stay.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::wildcard_enum_match_arm,
    reason = "tests"
)]

use std::fmt::Write as _;

use result_budget_core::{Outcome, OutputSchema, Settings, fit};
use result_budget_support::Tree;
use result_budget_support::random::Random;
use result_budget_sweeps::{Named, Tally};

/// Writes a random list of nodes, `depth` levels at most.
fn write_list(random: &mut Random, depth: usize, width: usize, out: &mut String) {
    out.push('[');
    let count = if random.once_in(6) { 4 * width } else { 1 + random.below(width) };
    for at in 0..count {
        let comma = if at > 0 { "," } else { "" };
        let id = random.below(100_000);
        write!(out, "{comma}{{\"name\":\"n{id}\"").unwrap();
        if random.once_in(5) {
            out.push_str(",\"tags\":[\"a\",\"b\"]");
        }
        if depth > 1 && !random.once_in(3) {
            out.push_str(",\"children\":");
            write_list(random, depth - 1, width, out);
        }
        out.push('}');
    }
    out.push(']');
}

/// Nodes on each level.
fn levels(list: &Tree<'_>) -> Vec<usize> {
    let mut counts = Vec::new();
    let mut level: Vec<&Tree<'_>> = list.items().iter().collect();
    while !level.is_empty() {
        counts.push(level.len());
        let lists = level.iter().filter_map(|node| node.member("children"));
        level = lists.flat_map(|list| list.items().iter()).collect();
    }
    counts
}

/// The nodes that are left of `before`: levels in full, a part of one, no more.
fn is_cut_by_level(before: &[usize], after: &[usize]) -> bool {
    let full = before.iter().zip(after).take_while(|(before, after)| before == after).count();
    after.len() <= full + 1 && !after.is_empty()
}

#[test]
fn random_trees_keep_their_upper_levels() {
    let (mut tally, mut by_level) = (Tally::default(), 0);
    for seed in 0..400 {
        let mut random = Random::new(seed);
        let mut list = String::new();
        let (depth, width) = (3 + random.below(4), 2 + random.below(3));
        write_list(&mut random, depth, width, &mut list);
        let in_text = random.once_in(3);
        let json = if in_text {
            let text = serde_json::to_string(&list).unwrap();
            format!("{{\"content\":[{{\"type\":\"text\",\"text\":{text}}}]}}")
        } else {
            format!("{{\"content\":[],\"structuredContent\":{{\"tree\":{list}}}}}")
        };
        let mut settings = Settings::default();
        let bytes = 700 + random.below(json.len().max(701));
        settings.limits.cap_to(u32::try_from(bytes).unwrap()).unwrap();
        let schema = *random.pick(&[OutputSchema::None, OutputSchema::Unknown]);
        let named = Named {
            name: format!("{bytes} (seed {seed})"),
            group: String::from("trees"),
            settings: settings.clone(),
        };
        tally.run("tree", &json, &Tree::parse(&json).unwrap(), schema, &named);
        let Ok(Outcome::Bounded(fitted)) = fit(&json, schema, &settings) else { continue };
        if fitted.replaced_by_error {
            continue;
        }
        let output = Tree::parse(&fitted.tool_result_json).unwrap();
        let text = output.at("/content/1/text").and_then(Tree::text).map(str::to_string);
        let kept = if in_text {
            Tree::parse(text.as_deref().unwrap())
        } else {
            output.at("/structuredContent/tree").cloned()
        };
        let (before, after) = (levels(&Tree::parse(&list).unwrap()), levels(&kept.unwrap()));
        // Too flat to be told as a tree: then it is a list like any other.
        if before.len() < 4 {
            continue;
        }
        assert!(is_cut_by_level(&before, &after), "seed {seed}: {before:?} became {after:?}");
        by_level += usize::from(after.len() > 1 && after != before);
    }
    eprintln!("{}", tally.summary());
    assert!(tally.is_clean(), "rules are broken, see above");
    assert!(by_level > 60, "only {by_level} trees were cut below their first level");
    let median = tally.payload_use("trees", 50);
    assert!(median >= 0.6, "half of the trees use less than {median:.3}");
}
