//! Results grown from the schemas that ship with the repository, and from the
//! suite where it is at hand: what is cut conforms, or is the bounded error.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use result_budget_core::{Outcome, OutputSchema, Settings};
use result_budget_schemas::case::{ENGINE, Fit, Told, run};
use result_budget_schemas::grow::Grower;
use result_budget_schemas::place::Place;
use result_budget_schemas::schema::validator;
use result_budget_schemas::source;
use result_budget_schemas::sweep::{Effort, sweep};
use serde_json::{Value, json};

const EFFORT: Effort = Effort { instances: 24, settings: 4, base: 20_261_130 };

#[test]
fn what_is_cut_from_real_schemas_conforms() {
    let mut sources = source::generated();
    assert!(sources.len() >= 100, "{}", sources.len());
    sources.extend(source::recorded());
    let (tally, _) = sweep(ENGINE, &sources, EFFORT);
    eprintln!("{}", tally.summary());
    assert!(tally.is_clean(), "rules are broken, see above");
    assert!(tally.cut >= 4_000, "too little was cut: {}", tally.cut);
}

#[test]
fn an_engine_that_ignores_the_schema_is_found_out() {
    let any: Fit = |json, _, settings| result_budget_core::fit(json, OutputSchema::None, settings);
    let (tally, _) = sweep(any, &source::generated(), EFFORT);
    let broken: Vec<&str> = tally.faults.keys().copied().collect();
    assert!(broken.contains(&"does not conform"), "{broken:?}");
    assert!(tally.conforming < tally.cut);
}

#[test]
fn a_success_that_lost_its_structured_content_is_found_out() {
    let dropped: Fit = |json, _, settings| {
        let outcome = result_budget_core::fit(json, OutputSchema::None, settings)?;
        Ok(match outcome {
            Outcome::Bounded(mut fitted) => {
                let mut value: Value = serde_json::from_str(&fitted.tool_result_json).unwrap();
                value.as_object_mut().unwrap().remove("structuredContent");
                fitted.tool_result_json = value.to_string();
                Outcome::Bounded(fitted)
            }
            other @ (Outcome::Unchanged | Outcome::Compacted(_) | Outcome::ProtocolError(_)) => {
                other
            }
        })
    };
    let told = Told::new(&json!({"type": "object"}), false).unwrap();
    let mut settings = Settings::default();
    settings.limits.cap_to(400).unwrap();
    let result = json!({"content": [], "structuredContent": {"rows": vec![7; 500]}}).to_string();
    let (_, faults) = run(dropped, &told, &result, &settings);
    assert!(faults.iter().any(|fault| fault.rule == "a success without structuredContent"));
}

#[test]
fn what_is_grown_is_mostly_valid_and_large() {
    let (mut grown, mut valid, mut large) = (0, 0, 0);
    for source in source::generated() {
        let oracle = validator(&source.schema).unwrap();
        for seed in 0..20 {
            grown += 1;
            if let Some(instance) = Grower::new(&source.schema, seed, 3_000).grow()
                && oracle.is_valid(&instance)
            {
                valid += 1;
                large += usize::from(instance.to_string().len() > 1_000);
            }
        }
    }
    assert!(valid * 10 > grown * 8, "{valid} of {grown}");
    assert!(large * 2 > grown, "{large} of {grown}");
}

#[test]
fn equal_seeds_give_equal_instances() {
    for source in source::generated() {
        let grow = || Grower::new(&source.schema, 7, 2_000).grow();
        assert_eq!(grow(), grow(), "{}", source.name);
    }
}

#[test]
fn a_schema_says_the_same_at_every_place() {
    let source = source::Source {
        name: String::from("a"),
        schema: json!({"$ref": "#/$defs/x", "$defs": {"x": {"items": {"$ref": "#/$defs/y"}}, "y": {"type": "integer"}}}),
        instances: vec![json!([1, 2])],
        is_whole: false,
    };
    for place in Place::ALL.into_iter().skip(1) {
        let oracle = validator(&place.schema(&source).unwrap()).unwrap();
        let good = place.instance(&source.instances, 0, 400).unwrap();
        assert!(oracle.is_valid(&good), "{place:?}: {good}");
        let bad = place.instance(&[json!(["no integer"])], 0, 400).unwrap();
        assert!(!oracle.is_valid(&bad), "{place:?}: {bad}");
    }
}
