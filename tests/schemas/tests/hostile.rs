//! Hostile schemas: a typed error or the safe way, and work that grows with
//! what came in.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use std::time::Duration;

use result_budget_core::{FitError, Outcome, OutputSchema, Settings, fit};
use result_budget_schemas::hostile::{FAMILIES, Hostile, ODD, now, with_rows};
use serde_json::Value;

/// Longer than any family may take at its largest.
const TOO_LONG: Duration = Duration::from_secs(20);

/// Time for twice as much, over time for once: schema and result double
/// together, and a tree doubles with each level.
const DOUBLED_MAX: f64 = 3.4;

fn settings(limit: u32) -> Settings {
    let mut settings = Settings::default();
    settings.limits.cap_to(limit).unwrap();
    settings
}

/// Bounded, valid, and safe: never a success without structured content.
fn check(name: &str, case: &Hostile, limit: u32) {
    let began = now();
    let outcome = fit(&case.result, OutputSchema::Given(&case.schema), &settings(limit));
    let spent = now().saturating_sub(began);
    assert!(spent < TOO_LONG, "{name}: {spent:?}");
    let json = match outcome {
        Ok(Outcome::Unchanged) => {
            assert!(case.result.len() <= limit as usize, "{name} is over and stays as it is");
            return;
        }
        Ok(Outcome::Compacted(json)) => json,
        Ok(Outcome::Bounded(fitted)) => fitted.tool_result_json,
        Ok(Outcome::ProtocolError(_)) => panic!("{name}: a protocol error"),
        // The schema is no schema: a typed error, which names it.
        Err(FitError::MalformedJson { .. } | FitError::NotAnObject) => {
            panic!("{name}: the result is blamed for its schema")
        }
        Err(_) => return,
    };
    assert!(json.len() <= limit as usize, "{name}: {} bytes", json.len());
    let value: Value = serde_json::from_str(&json).unwrap();
    let is_error = value.get("isError") == Some(&Value::Bool(true));
    assert_ne!(is_error, value.get("structuredContent").is_some(), "{name}: {json:.400}");
}

#[test]
fn hostile_schemas_are_bounded_at_every_size() {
    for family in FAMILIES {
        for times in [0.02, 0.5, 1.0, 4.0, 20.0, 100.0] {
            let n = (family.measured as f64 * times) as usize;
            // What doubles with each step is not made of more than 10,000.
            let case = (family.make)(n.clamp(1, 100_000));
            if case.result.len() > 8_000_000 || case.schema.len() > 8_000_000 {
                continue;
            }
            for limit in [400, 4_000] {
                check(&format!("{}, {n}", family.name), &case, limit);
            }
        }
    }
}

#[test]
fn what_is_no_schema_is_a_typed_error_or_changes_nothing() {
    for text in ODD {
        let case = with_rows(text.to_string(), 100);
        for limit in [300, 2_000, 100_000] {
            check(text, &case, limit);
        }
    }
}

#[test]
fn a_deep_and_a_long_schema_are_bounded() {
    for schema in [
        format!("{}{{}}{}", r#"{"properties":{"rows":"#.repeat(10_000), "}}".repeat(10_000)),
        format!("{}{}", "[".repeat(10_000), "]".repeat(10_000)),
        format!(r#"{{"enum":[{}1]}}"#, "\"some value\",".repeat(100_000)),
        format!(r#"{{"anyOf":[{}{{}}]}}"#, "{\"type\":\"object\"},".repeat(100_000)),
        format!(r#"{{"description":"{}"}}"#, "x".repeat(3_000_000)),
    ] {
        let name = format!("{schema:.40}... of {} bytes", schema.len());
        check(&name, &with_rows(schema, 300), 3_000);
    }
}

#[test]
fn time_of_hostile_schemas_doubles_with_them() {
    let mut bad = Vec::new();
    for family in FAMILIES {
        let spent = |n: usize| {
            let case = (family.make)(n);
            let settings = settings(2_000);
            let once = || {
                let began = now();
                let outcome = fit(&case.result, OutputSchema::Given(&case.schema), &settings);
                assert!(!matches!(outcome, Ok(Outcome::Unchanged)), "{}", family.name);
                now().saturating_sub(began)
            };
            (0..5).map(|_| once()).min().unwrap()
        };
        let (once, twice) = (spent(family.measured), spent(family.measured * 2));
        let ratio = twice.as_secs_f64() / once.as_secs_f64().max(1e-6);
        println!("{:<40} {once:>12.1?} {twice:>12.1?} {ratio:>6.2}", family.name);
        // What takes no time at all says nothing.
        if twice > Duration::from_millis(2) && ratio > DOUBLED_MAX {
            bad.push(format!("{}: {once:?}, {twice:?}: {ratio:.2}", family.name));
        }
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}
