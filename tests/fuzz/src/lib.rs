//! What the targets do with a fuzzer's bytes: run the engine, judge the answer,
//! panic where a rule is broken, and say from time to time how many cases
//! really showed anything.

use std::sync::Mutex;

use result_budget::{Answer, Boundary, Call};
use result_budget_core::text::{Keep, cut};
use result_budget_core::{
    FAILURE_RESULT_MAX_BYTES, Failure, FitError, Outcome, OutputSchema, ResultKind, Settings,
    WireProfile, failure_result, fit, measure, settle,
};
use result_budget_support::case::Case;
use result_budget_support::random::Random;
use result_budget_support::wire::wire_bytes;
use result_budget_support::{Tree, generate};
use result_budget_sweeps::{Named, Tally};
use unicode_segmentation::UnicodeSegmentation as _;

static TALLY: Mutex<Counts> = Mutex::new(Counts { executed: 0, cut: 0, refused: 0 });

struct Counts {
    executed: u64,
    cut: u64,
    refused: u64,
}

/// Any bytes: a result or a typed error, and whether it is JSON as another
/// parser says. Of a result every rule is asked, the account too.
pub fn any_bytes(bytes: &[u8]) {
    let mut settings = Settings::default();
    let (choice, text) = bytes.split_at(bytes.len().min(2));
    let mut random = Random::of_bytes(choice);
    let limit = 256 + u32::try_from(random.below(256)).unwrap_or(0) * 9;
    settings.wire_profile = *random.pick(&WireProfile::ALL);
    assert!(settings.limits.cap_to(limit).is_ok(), "in range");
    let text = match std::str::from_utf8(text) {
        Ok(text) => text,
        Err(error) => {
            let offset_bytes = u32::try_from(error.valid_up_to()).unwrap_or(u32::MAX);
            let failure = Failure::NotUtf8 { offset_bytes };
            let failed = failure_result(&failure, ResultKind::Tool, &settings);
            assert!(failed.len() <= FAILURE_RESULT_MAX_BYTES as usize, "{failed}");
            count("any bytes", false, true);
            return;
        }
    };
    let is_json = serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok();
    let measured = measure(text, &settings);
    let fitted = fit(text, OutputSchema::None, &settings);
    assert_eq!(measured.is_ok(), fitted.is_ok(), "measure and fit disagree");
    let cut = match fitted {
        Err(FitError::MalformedJson { offset_bytes }) => {
            assert!(!is_json, "valid JSON is refused at {offset_bytes}");
            assert!(offset_bytes as usize <= text.len(), "an offset behind the end");
            false
        }
        Err(FitError::NotAnObject) => {
            assert!(is_json && !text.trim_start().starts_with('{'), "an object is refused");
            false
        }
        Err(error) => panic!("{error:?}"),
        Ok(outcome) => {
            assert!(is_json, "what is no JSON is taken");
            let named = Named { name: format!("{limit}"), group: String::new(), settings };
            holds(text, &outcome, &named.settings);
            judge(text, OutputSchema::None, &named)
        }
    };
    count("any bytes", cut, !is_json);
}

/// Any result under any policy: every rule of the contract that an oracle
/// knows.
pub fn any_result(bytes: &[u8]) {
    let case = Case::of_bytes(bytes);
    let settings = settled(&case);
    let named = Named { name: format!("{case:?}"), group: String::new(), settings };
    let cut = judge(&case.tool_result_json, case.output_schema(), &named);
    count("any result", cut, false);
}

/// Any result under any policy, native and in the component: the same answer
/// to the byte, whatever was asked of either before.
pub fn both_engines(bytes: &[u8]) {
    let case = Case::of_bytes(bytes);
    let settings = settled(&case);
    let native = match fit(&case.tool_result_json, case.output_schema(), &settings) {
        Ok(outcome) => outcome,
        Err(error) => panic!("{error:?}: {}", case.tool_result_json),
    };
    let boundary = Boundary::builder()
        .policy_json(&case.policy_json)
        .limit_bytes(&case.limit_bytes)
        .wire_profile(case.wire_profile)
        .build();
    let boundary = match boundary {
        Ok(boundary) => boundary,
        Err(error) => panic!("{error:?}: {}", case.policy_json),
    };
    let output_schema = if case.has_no_schema {
        result_budget::OutputSchema::None
    } else {
        result_budget::OutputSchema::Unknown
    };
    let call = Call { revision: Some(case.revision), output_schema, ..Call::default() };
    let answer = boundary.fit(case.tool_result_json.as_str(), &call);
    match (&native, &answer) {
        (Outcome::Unchanged, Answer::Unchanged { .. }) => {}
        (Outcome::Compacted(ours), Answer::Compacted { tool_result_json }) => {
            assert_eq!(ours, tool_result_json);
        }
        (
            Outcome::Bounded(ours),
            Answer::Bounded { tool_result_json, report_json, replaced_by_error },
        ) => {
            assert_eq!(&ours.tool_result_json, tool_result_json);
            assert_eq!(&ours.report_json, report_json);
            assert_eq!(ours.replaced_by_error, *replaced_by_error);
        }
        _ => panic!("{native:?} and {answer:?}"),
    }
    count("both engines", matches!(native, Outcome::Bounded(_)), false);
}

/// Any text and any cut: within its room, and nowhere inside of anything.
pub fn any_text(bytes: &[u8]) {
    let (choice, text) = bytes.split_at(bytes.len().min(4));
    let mut random = Random::of_bytes(choice);
    let keep = *random.pick(&[Keep::Head, Keep::Tail, Keep::HeadAndTail]);
    let escapes = random.once_in(2);
    let text = String::from_utf8_lossy(text);
    let body = if escapes { escaped(&text) } else { generate::encoded(&text) };
    let room = random.below(body.len() + 2);
    let made = cut(&body, room, keep);
    let (head, tail) = (made.head_end, made.tail_start);
    assert!(head <= tail && tail <= body.len(), "{made:?} of {}", body.len());
    assert!(head + (body.len() - tail) <= room, "{made:?} is over {room}");
    let whole = decoded(&body);
    let (head, tail) = (decoded(&body[..head]), decoded(&body[tail..]));
    assert!(whole.starts_with(&head) && whole.ends_with(&tail), "something else than was there");
    for at in [head.len(), whole.len() - tail.len()] {
        let mut start = 0;
        for cluster in whole.graphemes(true) {
            let inside = start < at && at < start + cluster.len();
            assert!(!inside || cluster.len() > 256, "a cluster is cut at {at}");
            start += cluster.len();
        }
    }
    count("any text", made.head_end < made.tail_start, false);
}

fn settled(case: &Case) -> Settings {
    match settle(&case.policy_json, &case.request()) {
        Ok(settled) => settled.settings,
        Err(error) => panic!("{error:?}: {}", case.policy_json),
    }
}

/// What holds without any oracle: within the limit, JSON, and the same the
/// second time.
fn holds(given: &str, outcome: &Outcome, settings: &Settings) {
    let json = match outcome {
        Outcome::Unchanged => given,
        Outcome::Compacted(json) => json.as_str(),
        Outcome::Bounded(fitted) => fitted.tool_result_json.as_str(),
        Outcome::ProtocolError(error) => panic!("a tool's result became {error:?}"),
    };
    let limit = settings.limits.max_result_bytes as usize;
    assert!(wire_bytes(json, settings.wire_profile) <= limit, "over {limit}: {json}");
    assert!(serde_json::from_str::<serde::de::IgnoredAny>(json).is_ok(), "no JSON: {json}");
    let again = fit(json, OutputSchema::None, settings);
    assert_eq!(again, Ok(Outcome::Unchanged), "changed again: {json}");
}

/// Runs and judges; tells whether anything was cut.
fn judge(json: &str, output_schema: OutputSchema<'_>, named: &Named) -> bool {
    let Some(original) = Tree::parse(json) else { panic!("the oracle can not read {json}") };
    let mut tally = Tally::default();
    tally.run("fuzz", json, &original, output_schema, named);
    assert!(tally.is_clean(), "{}\n{json}", tally.summary());
    tally.cut > 0
}

/// The text that a body stands for.
fn decoded(body: &str) -> String {
    match serde_json::from_str(&format!("\"{body}\"")) {
        Ok(text) => text,
        Err(error) => panic!("no body of a string: {error}: {body}"),
    }
}

/// `text` with every character as an escape.
fn escaped(text: &str) -> String {
    text.encode_utf16().map(|unit| format!("\\u{unit:04x}")).collect()
}

fn count(target: &str, cut: bool, refused: bool) {
    let Ok(mut counts) = TALLY.lock() else { return };
    counts.executed += 1;
    counts.cut += u64::from(cut);
    counts.refused += u64::from(refused);
    if counts.executed.is_multiple_of(50_000) {
        let Counts { executed, cut, refused } = *counts;
        eprintln!("{target}: {executed} executions, {cut} really cut, {refused} refused");
    }
}
