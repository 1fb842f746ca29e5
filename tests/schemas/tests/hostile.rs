//! Hostile schemas: a typed error or the safe way, and work that grows with
//! what came in.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use std::time::Duration;

use result_budget_core::{FitError, Outcome, OutputSchema, SCHEMA_MAX_BYTES, Settings, fit};
use result_budget_schemas::hostile::{FAMILIES, Family, Hostile, ODD, with_rows};
use result_budget_support::clock::now;
use serde_json::Value;

/// Longer than any family may take at its largest.
const TOO_LONG: Duration = Duration::from_secs(20);

/// The most that reading a schema of a megabyte and cutting under it may take,
/// in a build with checks on a slow machine.
const MOST: Duration = Duration::from_millis(250);

/// Time for sixteen times as much, over time for once. Work that grows with
/// the square would take 256 times as long, unless it has a cap of its own.
const GROWN_MAX: f64 = 24.0;

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

/// The largest member of a family that a limit on schemas, or half a megabyte
/// of result, allows.
fn largest(family: Family) -> usize {
    let fits = |n: usize| {
        let case = (family.make)(n);
        case.schema.len() <= SCHEMA_MAX_BYTES && case.result.len() <= 500_000
    };
    (0..17).map(|power| 1 << power).take_while(|n| fits(*n)).last().unwrap()
}

#[test]
fn the_largest_hostile_schemas_cost_little_beside_their_size() {
    let mut bad = Vec::new();
    for family in FAMILIES {
        for n in [largest(family), largest(family) / 4] {
            let case = (family.make)(n.max(1));
            let settings = settings(2_000);
            let time = |schema: OutputSchema<'_>| {
                let began = now();
                let _ = fit(&case.result, schema, &settings);
                now().saturating_sub(began)
            };
            let given = (0..3).map(|_| time(OutputSchema::Given(&case.schema))).min().unwrap();
            let plain = (0..3).map(|_| time(OutputSchema::None)).min().unwrap();
            println!(
                "{:<40} n {n:>6}, schema {:>8}, result {:>8}: {given:>10.1?}, plain {plain:>10.1?}",
                family.name,
                case.schema.len(),
                case.result.len()
            );
            if given > MOST {
                bad.push(format!("{}, {n}: {given:?}", family.name));
            }
        }
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}

#[test]
fn time_of_hostile_schemas_grows_no_faster_than_they_do() {
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
        let (once, more) = (spent(family.measured), spent(family.measured * 16));
        let ratio = more.as_secs_f64() / once.as_secs_f64().max(1e-6);
        println!("{:<40} {once:>12.1?} {more:>12.1?} {ratio:>6.2}", family.name);
        if ratio > GROWN_MAX {
            bad.push(format!("{}: {once:?}, {more:?}: {ratio:.2}", family.name));
        }
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}
