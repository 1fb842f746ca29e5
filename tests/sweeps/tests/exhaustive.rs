//! Every JSON tree of a few nodes, as structured content, as a text, and as
//! both, at budgets from just above the smallest error result on. At the
//! smallest legal limit hardly any of them would be cut: the floor is lowered
//! here, and here alone.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use result_budget_core::fit;
use result_budget_core::{OutputSchema, Settings};
use result_budget_support::{Tree, generate};
use result_budget_sweeps::{Fit, Named, in_parallel, long, say};

/// The engine, without its check of the limits.
const FIT: Fit = |json, output_schema, settings| fit::fit_unchecked(json, output_schema, settings);

/// The smallest error result of the newest revision takes 172.
const BUDGETS: [u32; 8] = [176, 192, 208, 232, 256, 300, 380, 512];

/// What stands at the end of a branch: what is never cut, what is cut at once,
/// what is a name, and what is empty.
const LEAVES: [&str; 5] = [
    "-1.50E3",
    r#""One line of prose, naïve and \ud83c\udf89 festive.\nAnd a \"second\" line, which says more than the first one did and is somewhat longer than it, so that it alone needs a cut.""#,
    r#""id-1""#,
    "[]",
    "{}",
];

/// The key of a member by its place: the third repeats the first, and the
/// fifth begs for more room than it has.
const KEYS: [&str; 5] = ["a", "b/~", "a", "result", "a-key-of-some-length-that-is-no-prose"];

#[test]
fn every_small_tree_comes_out_bounded_at_every_budget() {
    let nodes = if long() { 6 } else { 5 };
    let trees = trees(nodes);
    let ladder: Vec<Named> = BUDGETS.iter().map(|bytes| at(*bytes)).collect();
    let count = u64::try_from(trees.len()).expect("fits");
    let tally = in_parallel(count, |number, tally| {
        let tree = &trees[usize::try_from(number).expect("fits")];
        for json in results(tree) {
            let original = Tree::parse(&json).expect("is JSON");
            for named in &ladder {
                for schema in [OutputSchema::None, OutputSchema::Unknown] {
                    tally.run_with(FIT, &json, &json, &original, schema, named);
                }
            }
        }
    });
    say(&format!("{} trees of up to {nodes} nodes: {}", trees.len(), tally.summary()));
    assert!(tally.is_clean(), "rules are broken, see above");
    assert!(tally.cases >= if long() { 2_900_000 } else { 290_000 }, "{}", tally.cases);
    assert!(tally.cut * 4 > tally.cases, "too little was cut: {}", tally.cut);
    assert!(tally.replaced * 2 < tally.cut, "nothing but errors: {}", tally.replaced);
}

#[test]
fn there_are_as_many_trees_as_there_must_be() {
    // With five leaves and two kinds of branch, counted by hand.
    for (nodes, count) in [(1, 5), (2, 5 + 10), (3, 15 + 70), (4, 85 + 590)] {
        assert_eq!(trees(nodes).len(), count, "{nodes} nodes");
    }
    let mut four = trees(4);
    let count = four.len();
    four.sort();
    four.dedup();
    assert_eq!(four.len(), count, "a tree occurs twice");
}

/// A tree as structured content, as the text of a block, and as both.
fn results(tree: &str) -> [String; 3] {
    let text = generate::encoded(tree);
    [
        format!(r#"{{"content":[],"structuredContent":{tree}}}"#),
        format!(r#"{{"content":[{{"type":"text","text":"{text}"}}]}}"#),
        format!(r#"{{"content":[{{"type":"text","text":"{text}"}}],"structuredContent":{tree}}}"#),
    ]
}

fn at(bytes: u32) -> Named {
    let mut settings = Settings::default();
    settings.limits.max_result_bytes = bytes;
    settings.limits.max_text_bytes = bytes;
    settings.limits.max_binary_bytes = bytes;
    Named { name: bytes.to_string(), group: bytes.to_string(), settings }
}

/// Every tree of at most `nodes` nodes, smallest first.
fn trees(nodes: usize) -> Vec<String> {
    // `of[n]` are the trees of n nodes; `rows[n]` the rows of trees that have
    // n nodes together, of which a list or a map is made.
    let mut of: Vec<Vec<String>> = vec![vec![], LEAVES.map(str::to_string).to_vec()];
    let mut rows: Vec<Vec<Vec<String>>> = vec![vec![vec![]]];
    for count in 1..=nodes {
        if count > 1 {
            let inside = &rows[count - 1];
            let lists = inside.iter().map(|row| format!("[{}]", row.join(",")));
            let maps = inside.iter().map(|row| {
                let members: Vec<String> =
                    KEYS.iter().zip(row).map(|(key, tree)| format!("\"{key}\":{tree}")).collect();
                format!("{{{}}}", members.join(","))
            });
            of.push(lists.chain(maps).collect());
        }
        let mut longer = Vec::new();
        for first in 1..=count {
            for tree in &of[first] {
                for rest in &rows[count - first] {
                    longer.push([std::slice::from_ref(tree), rest.as_slice()].concat());
                }
            }
        }
        rows.push(longer);
    }
    of.concat()
}
