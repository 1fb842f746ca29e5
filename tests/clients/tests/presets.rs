//! Each client's own cut, after its preset: nothing is cut a second time, and
//! the model is told what we cut (contract B7).

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::wildcard_enum_match_arm,
    reason = "tests"
)]

use std::collections::BTreeMap;

use result_budget_clients::blocks::{blocks, printed, structured};
use result_budget_clients::{CLIENTS, Client, Half, families};
use result_budget_core::{NoticePlace, Outcome, OutputSchema, Request, Settings, fit, settle};
use result_budget_support::{Tree, corpus};

/// Counts by what happened, and what must not happen.
#[derive(Default)]
struct Tally {
    counts: BTreeMap<(String, &'static str), usize>,
    broken: Vec<String>,
}

impl Tally {
    fn count(&mut self, client: &Client, what: &'static str) {
        *self.counts.entry((client.name.to_string(), what)).or_default() += 1;
    }

    fn of(&self, what: &str) -> usize {
        self.counts.iter().filter(|((_, of), _)| *of == what).map(|(_, count)| count).sum()
    }

    fn close(&self) {
        let mut last = "";
        for ((client, what), count) in &self.counts {
            if client != last {
                eprintln!("{client}");
                last = client;
            }
            eprintln!("  {count:>6}  {what}");
        }
        let shown = self.broken.len().min(40);
        assert!(self.broken.is_empty(), "{}: {:#?}", self.broken.len(), &self.broken[..shown]);
    }
}

/// Every recorded result and every made one.
fn results() -> Vec<(String, String)> {
    let recorded = corpus::all().into_iter().map(|found| (found.name, found.json));
    recorded.chain(families::all().into_iter().map(|made| (made.name, made.json))).collect()
}

fn preset(name: &str) -> Settings {
    let request = Request { preset: Some(name), ..Request::default() };
    settle("", &request).expect("a preset").settings
}

/// What we send, and whether something of it was cut.
fn sent(json: &str, output_schema: OutputSchema<'_>, settings: &Settings) -> (String, bool) {
    match fit(json, output_schema, settings).expect("a result") {
        Outcome::Unchanged => (json.to_string(), false),
        Outcome::Compacted(json) => (json, false),
        Outcome::Bounded(fitted) => {
            let report = Tree::parse(&fitted.report_json).expect("a report");
            let cut = report.member("truncated").expect("a field").raw == "true";
            (fitted.tool_result_json, cut)
        }
        Outcome::ProtocolError(error) => panic!("no result of a tool: {error:?}"),
    }
}

const SCHEMAS: [(&str, OutputSchema<'static>); 2] =
    [("no schema", OutputSchema::None), ("unknown schema", OutputSchema::Unknown)];

#[test]
fn a_client_cuts_nothing_of_what_its_preset_sends() {
    let mut tally = Tally::default();
    for client in CLIENTS {
        let Some(settings) = client.preset.map(preset) else { continue };
        for (name, json) in results() {
            let before = Tree::parse(&json).expect("JSON");
            for (schema, output_schema) in SCHEMAS {
                let (json, cut) = sent(&json, output_schema, &settings);
                let result = Tree::parse(&json).expect("JSON");
                let shown = (client.shown)(&result);
                tally.count(&client, "results");
                if cut {
                    tally.count(&client, "cut by us");
                }
                if (client.shown)(&before).cut {
                    tally.count(&client, "that the client would have cut");
                }
                if !shown.cut {
                    continue;
                }
                if let Some(why) = shown_as_text(&client, &result) {
                    tally.count(&client, why);
                } else {
                    tally.broken.push(format!("{}: {name}, {schema}: cut again", client.name));
                }
            }
        }
    }
    tally.close();
    assert!(tally.of("cut by us") > 500, "too little was cut");
    assert!(tally.of("that the client would have cut") > 500, "too little would be cut");
}

/// Why a client cuts what our limits do not keep from it.
fn shown_as_text(client: &Client, result: &Tree<'_>) -> Option<&'static str> {
    let blob = blocks(result).iter().any(|(_, tree)| tree.at("/resource/blob").is_some());
    (client.name.starts_with("Codex") && blob)
        .then_some("cut again: a blob, which is shown as text")
}

#[test]
fn the_notice_is_in_what_each_client_shows() {
    let mut tally = Tally::default();
    for client in CLIENTS {
        let settings = preset(client.preset.unwrap_or("codex"));
        told_everywhere(&client, &settings, &mut tally);
    }
    tally.close();
    assert!(tally.of("told") > 1_000, "too little was told");
}

#[test]
fn under_a_larger_preset_the_notice_survives_the_clients_own_cut() {
    let mut tally = Tally::default();
    for client in CLIENTS {
        told_everywhere(&client, &preset("large"), &mut tally);
    }
    tally.close();
    assert!(tally.of("told, and cut by the client") > 500, "too little was cut");
}

#[test]
fn a_notice_that_comes_last_is_lost() {
    let mut lost = BTreeMap::new();
    for client in CLIENTS {
        let settings = Settings { notice: NoticePlace::Last, ..preset("large") };
        for (_, json) in results() {
            let (json, cut) = sent(&json, OutputSchema::None, &settings);
            let after = Tree::parse(&json).expect("JSON");
            let shown = (client.shown)(&after);
            let notice = blocks(&after).last().and_then(|(_, tree)| tree.at("/text")?.text());
            if cut && shown.cut && !shown.text.contains(notice.unwrap_or_default()) {
                *lost.entry(client.name).or_insert(0) += 1;
            }
        }
    }
    eprintln!("lost: {lost:?}");
    assert!(lost["OpenCode"] > 20 && lost["Claude Code"] > 20, "{lost:?}");
}

/// A notice of ours before data that had no text would be all that is shown by
/// a client that reads `content`, and the data where there is none.
#[test]
fn data_that_a_client_showed_is_not_hidden_by_the_notice() {
    let mut tally = Tally::default();
    // The data of every result that has any, without its text.
    let alone = |(name, json): (String, String)| {
        let data = Tree::parse(&json)?.member("structuredContent")?.raw.to_string();
        Some((name, format!("{{\"content\":[],\"structuredContent\":{data}}}")))
    };
    let results: Vec<_> = results().into_iter().filter_map(alone).collect();
    for client in CLIENTS {
        let settings = preset(client.preset.unwrap_or("codex"));
        let short = r#"{"content":[],"structuredContent":{"probe":"a word"}}"#;
        if !(client.shown)(&Tree::parse(short).expect("JSON")).text.contains("a word") {
            tally.count(&client, "data alone is not shown");
            continue;
        }
        for (name, json) in results.clone() {
            for (schema, output_schema) in SCHEMAS {
                let (after, cut) = sent(&json, output_schema, &settings);
                let after = Tree::parse(&after).expect("JSON");
                let Some(data) = structured(&after).map(first_leaf) else {
                    tally.count(&client, "an error in place of the data");
                    continue;
                };
                if !(client.shown)(&after).text.contains(&data) {
                    tally.broken.push(format!("{}: {name}, {schema}: hidden", client.name));
                } else if cut {
                    tally.count(&client, "shown after a cut");
                }
            }
        }
    }
    tally.close();
    assert!(tally.of("shown after a cut") > 20, "too little was cut");
}

/// The beginning of the first value that holds no other, is not ours, and is
/// long enough to be no number of a notice; empty where there is none.
fn first_leaf(tree: &Tree<'_>) -> String {
    let mut left = vec![tree];
    while let Some(tree) = left.pop() {
        let members = tree.members().iter().filter(|member| member.key != "result_budget");
        left.extend(members.map(|member| &member.tree).rev());
        left.extend(tree.items().iter().rev());
        let text = printed(tree);
        if !tree.is_container() && text.len() >= 8 {
            return text.chars().take(40).collect();
        }
    }
    String::new()
}

fn told_everywhere(client: &Client, settings: &Settings, tally: &mut Tally) {
    for (name, json) in results() {
        let before = Tree::parse(&json).expect("JSON");
        for (schema, output_schema) in SCHEMAS {
            let (after, cut) = sent(&json, output_schema, settings);
            if !cut {
                continue;
            }
            let after = Tree::parse(&after).expect("JSON");
            let told = told(client, &before, &after);
            match (told, untellable(&after, output_schema)) {
                (Ok(what), _) | (Err(_), Some(what)) => tally.count(client, what),
                (Err(what), None) => {
                    tally.broken.push(format!("{}: {name}, {schema}: {what}", client.name));
                }
            }
        }
    }
}

/// Where nothing may be added to the structured half that is shown alone.
fn untellable(after: &Tree<'_>, output_schema: OutputSchema<'_>) -> Option<&'static str> {
    let structured = structured(after)?;
    if output_schema == OutputSchema::Unknown {
        return Some("not told: nothing may be added, since nobody told the schema");
    }
    structured.members().is_empty().then_some("not told: a list has no member to add")
}

/// How the model is told of a cut.
fn told(client: &Client, before: &Tree<'_>, after: &Tree<'_>) -> Result<&'static str, String> {
    let shown = (client.shown)(after);
    let start = |end: usize| shown.text.chars().take(end).collect::<String>();
    let no_content = blocks(after).is_empty();
    if no_content && shown.text.is_empty() {
        return Ok("nothing: data without a text is nothing to this client");
    }
    let reads_structured =
        (client.half == Half::Structured || no_content) && structured(after).is_some();
    if !reads_structured {
        let notice = after.at("/content/0/text").and_then(Tree::text).unwrap_or_default();
        if !notice.starts_with("[result-budget] ") || !notice.contains(" of ") {
            return Err(format!("no notice: {notice:?}"));
        }
        let advice = ["sk for less", "not repeat it"].iter().any(|words| notice.contains(words));
        if !advice {
            return Err(format!("no way on: {notice:?}"));
        }
        if !shown.text.contains(notice) {
            return Err(format!("not shown: {notice:?} in {:?}", start(200)));
        }
        return Ok(if shown.cut { "told, and cut by the client" } else { "told" });
    }
    // The model reads the structured half alone.
    if shown.cut && !shown.text.contains(&printed(structured(after).expect("there"))[..16]) {
        return Ok("not a byte of it is shown: the client tells of a file");
    }
    let (old, new) = (structured(before).map(printed), structured(after).map(printed));
    if old == new {
        return Ok("the half that is shown is whole");
    }
    let told = if shown.cut { "told, and cut by the client" } else { "told" };
    // Our member, with the way on, before anything that is cut.
    let member = shown.text.find("{\"result_budget\":\"").and_then(|at| {
        let member = shown.text.get(at..)?;
        let end = member.find(" shown; ask for less\"")?;
        member.get(..end)?.contains(" of ").then_some(at)
    });
    if member.is_some_and(|at| at < 200) {
        return Ok(told);
    }
    // A mark in the string that was cut.
    if [" bytes]", " bytes of base64]"].iter().any(|mark| shown.text.contains(mark)) {
        return Ok("told by a mark in a string");
    }
    Err(format!("nothing tells of it: {:?}", start(200)))
}
