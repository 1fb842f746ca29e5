//! Every real result, natively and through the component: the same bytes.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::wildcard_enum_match_arm,
    reason = "tests"
)]

use result_budget_conformance::Component;
use result_budget_conformance::component::{output_schema, settings_of, told_outcome};
use result_budget_core::{Outcome, OutputSchema, Request, fit, settle};
use result_budget_support::corpus;
use result_budget_sweeps::settings_of_the_sweep;
use wasmtime::component::Val;

#[test]
fn every_real_result_comes_out_the_same_natively_and_through_the_component() {
    let mut component = Component::load().expect("the component is built");
    let (mut cases, mut different) = (0, Vec::new());
    let results = corpus::all();
    for named in settings_of_the_sweep() {
        let preset = named.name.parse::<u32>().is_err();
        let field = if preset { "preset" } else { "limit_bytes" };
        let request = |key: &str| (key == field).then(|| named.name.clone());
        let settled = component.settle("", &request).expect("no trap");
        let Val::Result(Ok(Some(theirs))) = settled else { panic!("{} is refused", named.name) };
        let theirs = settings_of(&theirs);
        // What the sweep sets by hand is what `settle` settles.
        let asked = Request {
            preset: preset.then_some(named.name.as_str()),
            limit_bytes: (!preset).then_some(named.name.as_str()),
            ..Request::default()
        };
        let ours = settle("", &asked).expect("is settled").settings;
        assert_eq!(ours, named.settings, "{}", named.name);
        for recorded in &results {
            for schema in [OutputSchema::None, OutputSchema::Unknown] {
                let name = if schema == OutputSchema::None { "none" } else { "unknown" };
                let native = fit(&recorded.json, schema, &named.settings).expect("is fitted");
                let answer = component
                    .fit(&recorded.json, output_schema(Some(&name.into())), theirs.clone())
                    .expect("no trap");
                let Val::Result(Ok(Some(answer))) = answer else { panic!("refused") };
                cases += 1;
                if told_outcome(&answer) != told(native) {
                    different.push(format!("{} at {} {name}", recorded.name, named.name));
                }
            }
        }
    }
    eprintln!("{cases} cases through the component, {} different", different.len());
    assert!(different.is_empty(), "{:#?}", different.iter().take(10).collect::<Vec<_>>());
}

fn told(outcome: Outcome) -> serde_json::Value {
    match outcome {
        Outcome::Unchanged => serde_json::json!({ "outcome": "unchanged" }),
        Outcome::Compacted(text) => {
            serde_json::json!({ "outcome": "compacted", "tool_result_json": text })
        }
        Outcome::Bounded(fitted) => serde_json::json!({
            "outcome": "bounded",
            "tool_result_json": fitted.tool_result_json,
            "report_json": fitted.report_json,
            "replaced_by_error": fitted.replaced_by_error,
        }),
    }
}
