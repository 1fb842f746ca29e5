//! Every vector, against every host; and that the vectors are what they say.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use std::collections::BTreeSet;
use std::fs;

use result_budget_conformance::vector::{self, Vector};
use result_budget_conformance::{Adapter, CoreEngine, hosts, run, scoreboard};
use serde_json::Value;

fn vectors() -> Vec<Vector> {
    vector::load(&[]).expect("every vector follows the schema")
}

#[test]
fn every_host_answers_every_vector_byte_for_byte_and_the_scoreboard_says_so() {
    let vectors = vectors();
    let hosts = hosts::own().expect("the component is built");
    let scores: Vec<run::Score> = hosts
        .into_iter()
        .map(|mut host| run::run(host.as_mut(), &vectors).expect("runs"))
        .collect();
    eprintln!("{}", scoreboard::shown(&scores));
    let failures: String = scores.iter().map(run::Score::failures).collect();
    assert!(failures.is_empty(), "\n{failures}");
    // Those in other languages come behind these; the command below runs them.
    let kept = fs::read_to_string(scoreboard::file()).expect("there is a scoreboard");
    assert!(
        kept.starts_with(&scoreboard::committed(&scores)),
        "{kept}\nrun `cargo run -p result-budget-conformance --bin scoreboard -- --write`"
    );
}

#[test]
fn there_are_at_least_seven_hundred_vectors_and_every_rule_at_hand_has_some() {
    let vectors = vectors();
    assert!(vectors.len() >= 700, "only {}", vectors.len());
    let shown: BTreeSet<&str> = vectors.iter().flat_map(Vector::rules).collect();
    for rule in
        ["B2", "B3", "B4", "B5", "B6", "B7", "B8", "B9", "B10", "B11", "B12", "B13", "B14", "B15"]
    {
        let count = vectors.iter().filter(|vector| vector.rules().contains(&rule)).count();
        assert!(count >= 2, "{rule} has {count} vectors, {shown:?}");
    }
}

#[test]
fn the_name_of_a_vector_is_its_claim() {
    for vector in vectors() {
        let (topic, claim) = vector.name.split_once('/').expect("topic/claim");
        let legal = |text: &str| {
            text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
        };
        assert!(legal(topic) && legal(claim), "{}", vector.name);
        assert!(claim.matches('-').count() >= 2, "{} is no sentence", vector.name);
    }
}

#[test]
fn no_vector_repeats_the_arguments_of_another() {
    let mut seen: std::collections::BTreeMap<String, String> = std::collections::BTreeMap::new();
    for vector in vectors() {
        let arguments =
            format!("{} {}", vector.call(), vector.json.get("given").unwrap_or(&Value::Null));
        if let Some(other) = seen.insert(arguments, vector.name.clone()) {
            panic!("{} and {other} give the same", vector.name);
        }
    }
}

#[test]
fn a_wrong_answer_is_seen() {
    let vectors = vectors();
    let mut wrong = 0;
    for vector in &vectors {
        let mut answer = CoreEngine.answer(vector).expect("answers");
        assert!(vector.faults(&answer).is_empty(), "{}", vector.name);
        let fields = answer.as_object_mut().expect("an object");
        let key = fields.keys().next().expect("has a field").clone();
        fields.insert(key, Value::String("something else".into()));
        wrong += usize::from(!vector.faults(&answer).is_empty());
    }
    assert_eq!(wrong, vectors.len());
}
