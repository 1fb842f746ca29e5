//! Writes what the core answers into vectors, for a person to review.
//!
//! `bless NAMES...` shows what would change; `bless --write NAMES...` writes.
//! A name is any part of a vector's path; without one all vectors are meant.

use std::fs;

use anyhow::{Result, bail};
use result_budget_conformance::{Adapter, CoreEngine, vector};
use serde_json::Value;
use similar::TextDiff;

fn main() -> Result<()> {
    let mut names: Vec<String> = std::env::args().skip(1).collect();
    let write = names.iter().any(|name| name == "--write");
    names.retain(|name| name != "--write");
    if let Some(unknown) = names.iter().find(|name| name.starts_with('-')) {
        bail!("unknown option `{unknown}`; usage: bless [--write] NAMES...");
    }
    let (mut changed, vectors) = (0, vector::load(&names)?);
    for vector in &vectors {
        let answer = CoreEngine.answer(vector)?;
        let old = fs::read_to_string(&vector.path)?;
        let mut json = vector.json.clone();
        // What a person demanded of a long result stays.
        let contains = json.get("expect").and_then(|expect| expect.get("tool_result_contains"));
        let contains = contains.cloned();
        let mut expect = vector::expectation(&answer);
        if let (Some(contains), Value::Object(fields)) = (contains, &mut expect) {
            fields.insert("tool_result_contains".to_string(), contains);
        }
        json.insert("expect".to_string(), expect);
        let new = format!("{}\n", serde_json::to_string_pretty(&Value::Object(json))?);
        if old == new {
            continue;
        }
        changed += 1;
        println!("{}", vector.name);
        let diff = TextDiff::from_lines(&old, &new);
        println!("{}", diff.unified_diff().context_radius(1).header("before", "after"));
        if write {
            fs::write(&vector.path, new)?;
        }
    }
    let verb = if write { "written" } else { "would change; nothing is written without --write" };
    println!("{changed} of {} {verb}", vectors.len());
    Ok(())
}
