//! An engine that breaks: the answer is the constant error, the reason is
//! typed, and the next call is fine (contract B11).

#![allow(clippy::unwrap_used, clippy::panic, clippy::expect_used, reason = "tests")]

mod common;

use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use result_budget::{
    Answer, Boundary, BuildError, Call, Engine, FAILURE_RESULT_TYPED, Failure, Fault, Isolation,
    LoadError, Outcome, Refused,
};

use crate::common::{HOSTILE_LIMIT_BYTES, component, hostile, hostile_component};

/// What the hostile component is asked to do, and what the host makes of it.
const FAULTS: [(&str, Fault); 9] = [
    (r#"{"do":"trap"}"#, Fault::Trap),
    (r#"{"do":"recurse"}"#, Fault::Trap),
    (r#"{"do":"loop"}"#, Fault::Deadline),
    (r#"{"do":"memory"}"#, Fault::Memory),
    (r#"{"do":"over budget"}"#, Fault::BadAnswer),
    (r#"{"do":"no json"}"#, Fault::BadAnswer),
    (r#"{"do":"zero"}"#, Fault::BadAnswer),
    (r#"{"do":"utf8"}"#, Fault::BadAnswer),
    (r#"{"do":"pointer"}"#, Fault::BadAnswer),
];

const FINE: &str = r#"{"do":"as it is"}"#;

fn boundary(engine: &Engine) -> Boundary {
    Boundary::builder().engine(engine).build().unwrap()
}

fn fault(boundary: &Boundary, input: &str) -> Option<Fault> {
    let answer = boundary.fit(input, &Call::default());
    match answer.failure() {
        Some(Failure::Fault(fault)) => {
            assert_eq!(answer.tool_result_json(), FAILURE_RESULT_TYPED, "{input}");
            assert_eq!(answer.outcome(), Outcome::FailedClosed);
            Some(*fault)
        }
        Some(Failure::Refused(refused)) => panic!("{input}: {refused}"),
        None => None,
    }
}

fn number(boundary: &Boundary, input: &str) -> u32 {
    let answer = boundary.fit(input, &Call::default());
    let text = answer.tool_result_json().to_owned();
    text.strip_prefix(r#"{"n":"#).unwrap().strip_suffix('}').unwrap().parse().unwrap()
}

#[test]
fn each_fault_gives_the_constant_error_and_the_next_call_is_fine() {
    let engine = hostile().build().unwrap();
    let boundary = boundary(&engine);
    for round in 0..5 {
        for (input, expected) in FAULTS {
            assert_eq!(fault(&boundary, input), Some(expected), "{input}, round {round}");
            assert_eq!(fault(&boundary, FINE), None, "after {input}, round {round}");
            // The broken instance is gone: this one has fitted once before.
            assert_eq!(number(&boundary, r#"{"do":"fits"}"#), 2, "after {input}, round {round}");
        }
    }
    let counts = engine.fault_counts();
    assert_eq!(counts.trap_calls, 10);
    assert_eq!(counts.deadline_calls, 5);
    assert_eq!(counts.memory_calls, 5);
    assert_eq!(counts.bad_answer_calls, 25);
    assert_eq!(counts.circuit_open_calls, 0);
}

#[test]
fn an_answer_of_exactly_the_limit_passes() {
    let boundary = boundary(&hostile().build().unwrap());
    let answer = boundary.fit(r#"{"do":"x"}"#, &Call::default());
    assert_eq!(answer.tool_result_json().len(), HOSTILE_LIMIT_BYTES as usize);
    assert_eq!(answer.outcome(), Outcome::Compacted);
}

#[test]
fn a_loop_is_stopped_in_about_the_time_allowed() {
    let boundary = boundary(&hostile().build().unwrap());
    for _ in 0..2 {
        let started = Instant::now();
        assert_eq!(fault(&boundary, r#"{"do":"loop"}"#), Some(Fault::Deadline));
        let elapsed = started.elapsed();
        assert!(elapsed >= Duration::from_millis(190), "{elapsed:?}");
        assert!(elapsed < Duration::from_secs(5), "{elapsed:?}");
        assert_eq!(fault(&boundary, FINE), None);
        // Long enough for the thread that keeps deadlines to fall asleep.
        thread::sleep(Duration::from_millis(1_500));
    }
}

#[test]
fn three_faults_in_a_row_open_the_circuit_for_a_second() {
    let engine = hostile().build().unwrap();
    let boundary = boundary(&engine);
    let trap = r#"{"do":"trap"}"#;
    assert_eq!(fault(&boundary, trap), Some(Fault::Trap));
    assert_eq!(fault(&boundary, trap), Some(Fault::Trap));
    assert_eq!(fault(&boundary, FINE), None, "a success starts the count anew");
    for _ in 0..3 {
        assert_eq!(fault(&boundary, trap), Some(Fault::Trap));
    }
    let opened = Instant::now();
    assert_eq!(fault(&boundary, FINE), Some(Fault::CircuitOpen));
    assert_eq!(fault(&boundary, FINE), Some(Fault::CircuitOpen));
    assert_eq!(engine.fault_counts().circuit_open_calls, 2);
    while fault(&boundary, FINE).is_some() {
        assert!(opened.elapsed() < Duration::from_secs(3));
        thread::sleep(Duration::from_millis(20));
    }
    assert!(opened.elapsed() > Duration::from_millis(900), "{:?}", opened.elapsed());
    // Closed for good: one more fault does not open it.
    assert_eq!(fault(&boundary, trap), Some(Fault::Trap));
    assert_eq!(fault(&boundary, FINE), None);
}

#[test]
fn refusals_do_not_open_the_circuit() {
    let boundary = boundary(&hostile().build().unwrap());
    for _ in 0..10 {
        let answer = boundary.fit(r#"{"do":"error"}"#, &Call::default());
        assert_eq!(answer.tool_result_json(), r#"{"failed":1}"#, "the engine's own error result");
        let refused = Refused::MalformedJson { offset_bytes: 5 };
        assert_eq!(answer.failure(), Some(&Failure::Refused(refused)));
    }
    assert_eq!(fault(&boundary, FINE), None);
}

#[test]
fn an_error_result_that_fails_its_check_is_replaced_by_the_constant_one() {
    let boundary = boundary(&hostile().build().unwrap());
    let answer = boundary.fit(b"{\"do\xff", &Call::default());
    assert_eq!(answer.tool_result_json(), FAILURE_RESULT_TYPED);
    assert_eq!(answer.failure(), Some(&Failure::Refused(Refused::NotUtf8 { offset_bytes: 4 })));
}

#[test]
fn a_fault_while_settling_is_a_fault_of_the_build() {
    let engine = hostile().build().unwrap();
    let built = Boundary::builder().engine(&engine).policy_json("trap").build();
    assert_eq!(built.unwrap_err(), BuildError::Fault(Fault::Trap));
}

#[test]
fn faults_reach_the_report() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let told = Arc::clone(&seen);
    let boundary = Boundary::builder()
        .engine(&hostile().build().unwrap())
        .on_report(move |record| {
            told.lock().unwrap().push((record.outcome, record.failure.cloned(), record.out_bytes));
        })
        .build()
        .unwrap();
    boundary.fit(r#"{"do":"trap"}"#, &Call::default());
    let expected = (
        Outcome::FailedClosed,
        Some(Failure::Fault(Fault::Trap)),
        FAILURE_RESULT_TYPED.len() as u64,
    );
    assert_eq!(*seen.lock().unwrap(), [expected]);
}

#[test]
fn the_input_cap_comes_before_the_copy() {
    let engine = hostile().input_max_bytes(20).build().unwrap();
    let boundary = boundary(&engine);
    let long = r#"{"do":"trap, if it were read"}"#;
    let answer = boundary.fit(long, &Call::default());
    let given_bytes = u32::try_from(long.len()).unwrap();
    let refused = Refused::InputTooLarge { given_bytes, max_bytes: 20 };
    assert_eq!(answer.failure(), Some(&Failure::Refused(refused)));
    assert_eq!(answer.tool_result_json(), r#"{"failed":1}"#);
    let unread = boundary.refuse_unread(1 << 40, &Call::default());
    let refused = Refused::InputTooLarge { given_bytes: u32::MAX, max_bytes: 20 };
    assert_eq!(unread.failure(), Some(&Failure::Refused(refused)));
}

#[test]
fn an_instance_is_reused_until_its_memory_is_large() {
    let engine = hostile().build().unwrap();
    let boundary = boundary(&engine);
    assert_eq!(number(&boundary, r#"{"do":"fits"}"#), 1);
    assert_eq!(number(&boundary, r#"{"do":"fits"}"#), 2);
    assert_eq!(fault(&boundary, r#"{"do":"big"}"#), None);
    assert_eq!(number(&boundary, r#"{"do":"fits"}"#), 1, "a large instance is not kept");
}

#[test]
fn isolation_gives_each_call_a_fresh_instance() {
    let boundary = boundary(&hostile().isolation(Isolation::Call).build().unwrap());
    for _ in 0..3 {
        assert_eq!(number(&boundary, r#"{"do":"fits"}"#), 1);
    }
}

#[test]
fn a_call_is_settled_once_for_each_tool_revision_and_budget() {
    let boundary = boundary(&hostile().build().unwrap());
    let settles = |call: &Call<'_>| {
        let answer = boundary.fit(r#"{"do":"settles"}"#, call);
        answer.tool_result_json().to_owned()
    };
    let tool = |name| Call { tool: Some(name), ..Call::default() };
    assert_eq!(settles(&Call::default()), r#"{"n":001}"#);
    assert_eq!(settles(&tool("a")), r#"{"n":002}"#);
    assert_eq!(settles(&tool("a")), r#"{"n":002}"#);
    assert_eq!(settles(&tool("b")), r#"{"n":003}"#);
    assert_eq!(settles(&Call { revision: Some("2025-06-18"), ..tool("a") }), r#"{"n":004}"#);
    assert_eq!(settles(&Call { call_max_bytes: Some("512"), ..tool("a") }), r#"{"n":005}"#);
    assert_eq!(settles(&tool("a")), r#"{"n":005}"#);
}

#[test]
fn another_component_is_another_behaviour() {
    let ours = Engine::new().unwrap();
    let theirs = hostile().build().unwrap();
    assert_ne!(ours.sha256(), theirs.sha256());
    assert!(theirs.limit_rows().unwrap().is_empty());
    assert!(!ours.limit_rows().unwrap().is_empty());
    let input = r#"{"do":"fits"}"#;
    assert_eq!(number(&boundary(&theirs), input), 1);
    assert_ne!(boundary(&ours).fit(input, &Call::default()).tool_result_json(), r#"{"n":001}"#);
}

#[test]
fn a_component_of_another_world_is_refused_at_loading() {
    let build = |bytes: Vec<u8>| Engine::builder().component(bytes).build().unwrap_err();
    let empty = wat::parse_str("(component)").unwrap();
    assert_eq!(build(empty).code(), "foreign-world");
    let importing = wat::parse_str(r#"(component (import "clock" (func)))"#).unwrap();
    assert_eq!(build(importing).code(), "foreign-world");
    assert_eq!(build(b"no wasm".to_vec()).code(), "bad-image");
    let small = hostile().memory_max_bytes(64 * 1_024).build().unwrap_err();
    assert!(matches!(small, LoadError::NoInstance(_)), "{small}");
}

#[test]
fn the_hostile_component_is_made_from_our_interface() {
    // A change of `wit/` that the hand-written module does not follow must
    // fail here and not turn the other tests into nonsense.
    assert!(std::panic::catch_unwind(|| component("(module)")).is_err());
    assert!(!hostile_component().is_empty());
}

#[test]
fn a_borrowed_answer_is_the_input_itself() {
    let boundary = boundary(&hostile().build().unwrap());
    let answer = boundary.fit(FINE, &Call::default());
    let Answer::Unchanged { tool_result_json } = answer else { panic!("{answer:?}") };
    assert!(std::ptr::eq(tool_result_json, FINE));
}
