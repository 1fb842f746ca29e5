//! Laws: what holds for every result and every setting, one law a test, against
//! naive twins that read JSON with another parser.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use result_budget_core::{
    FAILURE_RESULT_MAX_BYTES, Failure, FitError, Fitted, Limits, Outcome, OutputSchema, ResultKind,
    Revision, Settings, WireProfile, failure_result, fit, measure,
};
use result_budget_support::oracle::stripped;
use result_budget_support::sizes::{add_shapes, sizes};
use result_budget_support::{
    Bounded, Tree, check_bounded, check_compacted, check_unchanged, generate, text, wire,
};

/// The same cases in every run, so that a red run is red again; ten times as
/// many, and other ones, in the long form.
fn config() -> ProptestConfig {
    let long = std::env::var("RESULT_BUDGET_LONG").is_ok();
    ProptestConfig {
        cases: if long { 4_000 } else { 400 },
        rng_seed: if long { RngSeed::Random } else { RngSeed::Fixed(20_260_728) },
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// Whether a block of the result, or its resource, writes a key twice.
fn block_repeats(result: &Tree<'_>) -> bool {
    let repeats = |tree: &Tree<'_>| {
        let members = tree.members();
        (0..members.len()).any(|at| members[..at].iter().any(|other| other.key == members[at].key))
    };
    let blocks = result.member("content").map(Tree::items).unwrap_or_default();
    blocks.iter().any(|block| repeats(block) || block.member("resource").is_some_and(repeats))
}

fn settings(bytes: u32) -> Settings {
    let mut settings = Settings::default();
    settings.limits.cap_to(bytes).expect("in range");
    settings
}

/// Any revision, any printer, any schema.
fn any_settings() -> impl Strategy<Value = (Settings, OutputSchema<'static>)> {
    (256u32..40_000, 0usize..5, 0usize..4, any::<bool>()).prop_map(
        |(bytes, revision, profile, none)| {
            let settings = Settings {
                revision: Revision::ALL[revision],
                wire_profile: WireProfile::ALL[profile],
                ..settings(bytes)
            };
            (settings, if none { OutputSchema::None } else { OutputSchema::Unknown })
        },
    )
}

const NO_TOOL: &str = "a tool's result never becomes a protocol error";

fn bounded(outcome: Outcome) -> Option<Fitted> {
    match outcome {
        Outcome::Bounded(fitted) => Some(fitted),
        Outcome::Unchanged | Outcome::Compacted(_) | Outcome::ProtocolError(_) => None,
    }
}

fn one_text(body: &str) -> String {
    format!(r#"{{"content":[{{"type":"text","text":"{body}"}}]}}"#)
}

/// Kept head and tail of the one text, in bytes.
fn kept_of_text(json: &str, settings: &Settings) -> usize {
    let original = Tree::parse(json).unwrap();
    let before = original.at("/content/0/text").unwrap().text().unwrap();
    match fit(json, OutputSchema::Unknown, settings).unwrap() {
        Outcome::ProtocolError(_) => panic!("{NO_TOOL}"),
        Outcome::Unchanged | Outcome::Compacted(_) => before.len(),
        Outcome::Bounded(fitted) => {
            let after = Tree::parse(&fitted.tool_result_json).unwrap();
            let Some(kept) = after.at("/content/1/text").and_then(Tree::text) else { return 0 };
            let cut = text::cut_of(before, kept).unwrap();
            cut.head_bytes + cut.tail_bytes
        }
    }
}

#[test]
fn no_byte_more_keeps_less_of_one_text() {
    let texts = [
        "word ".repeat(400),
        "x".repeat(2_000),
        "line of text\\n".repeat(200),
        "界".repeat(600),
        "\\u0001".repeat(400),
        "e\u{301}👩\u{200d}💻 ".repeat(150),
    ];
    for body in texts {
        let json = one_text(&body);
        let mut before = 0;
        for bytes in 256..1_400 {
            let kept = kept_of_text(&json, &settings(bytes));
            // The ladder takes room for a longer notice and report at its step.
            assert!(
                bytes == 512 || kept >= before,
                "{bytes} keeps {kept}, one less keeps {before}: {body:.20}"
            );
            before = kept;
        }
    }
}

#[test]
fn no_byte_more_keeps_less_of_one_list() {
    let items: Vec<String> =
        (0..300).map(|at| format!("{{\"id\":{at},\"name\":\"item {at}\"}}")).collect();
    let json =
        format!("{{\"content\":[],\"structuredContent\":{{\"items\":[{}]}}}}", items.join(","));
    for output_schema in [OutputSchema::None, OutputSchema::Unknown] {
        let mut before = 0;
        for bytes in 256..1_400 {
            let outcome = fit(&json, output_schema, &settings(bytes)).unwrap();
            let fitted = bounded(outcome).unwrap();
            let after = Tree::parse(&fitted.tool_result_json).unwrap();
            let kept = after.at("/structuredContent/items").map_or(0, |list| list.items().len());
            assert!(
                bytes == 512 || kept >= before,
                "{bytes} keeps {kept}, one less keeps {before}"
            );
            before = kept;
        }
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_fitted_result_keeps_every_rule_of_the_contract(seed: u64, (settings, output_schema) in any_settings()) {
        let json = generate::result(seed);
        let original = Tree::parse(&json).unwrap();
        let violations = match fit(&json, output_schema, &settings).unwrap() {
            Outcome::ProtocolError(_) => panic!("{NO_TOOL}"),
            Outcome::Unchanged => check_unchanged(&json, &original, &settings),
            Outcome::Compacted(output) => check_compacted(&json, &output, &settings),
            Outcome::Bounded(fitted) => check_bounded(&Bounded {
                input: &json,
                original: &original,
                output: &fitted.tool_result_json,
                report: &fitted.report_json,
                replaced_by_error: fitted.replaced_by_error,
                output_schema,
                settings: &settings,
            }),
        };
        prop_assert!(violations.is_empty(), "{:?}\n{}", violations, json);
    }

    #[test]
    fn a_fitted_result_is_within_the_law_as_every_printer_prints_it(seed: u64, (settings, output_schema) in any_settings()) {
        let json = generate::result(seed);
        let output = match fit(&json, output_schema, &settings).unwrap() {
            Outcome::ProtocolError(_) => panic!("{NO_TOOL}"),
            Outcome::Unchanged => json,
            Outcome::Compacted(output) => output,
            Outcome::Bounded(fitted) => fitted.tool_result_json,
        };
        let bytes = wire::wire_bytes(&output, settings.wire_profile);
        prop_assert!(bytes <= settings.limits.max_result_bytes as usize, "{} bytes", bytes);
        prop_assert!(output.len() <= settings.limits.max_result_bytes as usize);
    }

    #[test]
    fn fitting_twice_changes_nothing(seed: u64, (settings, output_schema) in any_settings()) {
        let json = generate::result(seed);
        let output = match fit(&json, output_schema, &settings).unwrap() {
            Outcome::ProtocolError(_) => panic!("{NO_TOOL}"),
            Outcome::Unchanged => return Ok(()),
            Outcome::Compacted(output) => output,
            Outcome::Bounded(fitted) => fitted.tool_result_json,
        };
        prop_assert_eq!(fit(&output, output_schema, &settings), Ok(Outcome::Unchanged), "{}", output);
    }

    #[test]
    fn equal_arguments_give_equal_bytes(seed: u64, (settings, output_schema) in any_settings()) {
        let json = generate::result(seed);
        prop_assert_eq!(fit(&json, output_schema, &settings), fit(&json, output_schema, &settings));
    }

    #[test]
    fn a_compact_result_that_fits_is_returned_byte_for_byte(seed: u64) {
        let json = stripped(&generate::result(seed));
        let room = Settings { limits: Limits {
            max_result_bytes: 16 << 20, max_text_bytes: 16 << 20, max_binary_bytes: 16 << 20, ..Limits::default()
        }, ..Settings::default() };
        let original = Tree::parse(&json).unwrap();
        let unchanged = fit(&json, OutputSchema::Unknown, &room) == Ok(Outcome::Unchanged);
        let within = original.depth() <= 127 && original.member("content").map_or(0, |c| c.items().len()) <= 1_000;
        let tidy = within
            && check_unchanged(&json, &original, &room).is_empty()
            && !result_budget_support::structure::has_lone_surrogate_anywhere(&json);
        // What the naive twin finds nothing to change in is not changed.
        prop_assert!(!tidy || unchanged || block_repeats(&original), "{}", json);
        prop_assert!(!unchanged || check_unchanged(&json, &original, &room).is_empty(), "{}", json);
    }

    #[test]
    fn limits_on_shape_bind_exactly_where_they_are_passed(
        seed: u64, spaced: bool, off in proptest::array::uniform5(-1i64..3)
    ) {
        let json = generate::result(seed);
        let data = Tree::parse(&json).unwrap().member("structuredContent").map_or("[]", |data| data.raw).to_owned();
        let json = format!(r#"{{"content":[],"structuredContent":{data}}}"#);
        let json = if spaced { json } else { stripped(&json) };
        let original = Tree::parse(&json).unwrap();
        let mut limits = Limits {
            max_result_bytes: 16 << 20, max_text_bytes: 16 << 20, max_binary_bytes: 16 << 20, ..Limits::default()
        };
        let within = |limits: &Limits| {
            fit(&json, OutputSchema::None, &Settings { limits: limits.clone(), ..Settings::default() })
                == Ok(Outcome::Unchanged)
        };
        // Nothing to repair, not too deep.
        prop_assume!(within(&limits));
        let mut is = sizes(&original, WireProfile::Utf8Compact);
        add_shapes(&original, WireProfile::Utf8Compact, &mut is);
        // At, beside and far from what the result has, as far as the limit goes.
        let near = |is: usize, off: i64, least: i64| {
            let limit = if off == 2 { 100_000 } else { is as i64 + off };
            Some(limit.max(least) as u32)
        };
        limits.max_list_items = near(is.list_items, off[0], 1);
        limits.max_map_keys = near(is.map_keys, off[1], 1);
        limits.max_string_bytes = near(is.string_bytes, off[2], 64);
        limits.max_key_bytes = near(is.key_bytes, off[3], 16);
        limits.max_item_bytes = near(is.item_bytes, off[4], 64);
        let passed = [
            (is.list_items, limits.max_list_items),
            (is.map_keys, limits.max_map_keys),
            (is.string_bytes, limits.max_string_bytes),
            (is.key_bytes, limits.max_key_bytes),
            (is.item_bytes, limits.max_item_bytes),
        ].into_iter().any(|(is, limit)| is > limit.unwrap() as usize);
        prop_assert_eq!(within(&limits), !passed, "{:?} {}", limits, json);
    }

    #[test]
    fn a_report_is_there_exactly_when_something_changed(seed: u64, (settings, output_schema) in any_settings()) {
        let json = generate::result(seed);
        if let Some(fitted) = bounded(fit(&json, output_schema, &settings).unwrap()) {
            prop_assert_ne!(&fitted.tool_result_json, &json);
            let report = Tree::parse(&fitted.report_json).unwrap();
            let truncated = report.member("truncated").unwrap().raw == "true";
            let repairs = report.member("repairs").map_or(0, |repairs| repairs.items().len());
            let spaced = settings.wire_profile != WireProfile::Utf8Compact;
            prop_assert!(truncated || repairs > 0 || spaced, "{}", fitted.report_json);
        }
    }

    #[test]
    fn measuring_agrees_with_the_naive_twin(seed: u64) {
        let json = generate::result(seed);
        let original = Tree::parse(&json).unwrap();
        let settings = Settings::default();
        let told = measure(&json, &settings).unwrap();
        prop_assert_eq!(told.result_bytes as usize, json.len());
        prop_assert_eq!(told.compact_bytes as usize, stripped(&json).len());
        prop_assert_eq!(told.nesting_depth as usize, original.depth());
        let repeated = original.members().iter().enumerate().any(|(at, member)| {
            original.members()[..at].iter().any(|earlier| earlier.key == member.key)
        }) || block_repeats(&original);
        if !repeated && result_budget_support::envelope::is_complete(&original) {
            let twin = sizes(&original, settings.wire_profile);
            prop_assert_eq!(told.content_items as usize, twin.content_blocks);
            prop_assert_eq!(told.binary_bytes as usize, twin.binary_bytes);
        }
    }

    #[test]
    fn a_larger_budget_never_keeps_less_of_one_text(
        seed: u64,
        bytes in 256u32..6_000,
        more in 1u32..400,
    ) {
        let words: String = (0..400u64).map(|at| {
            let pick = seed.rotate_left(u32::try_from(at % 64).unwrap()) ^ at;
            ["word ", "line\\n", "é", "界", "\\\"", "e\u{301}", "👩\u{200d}💻 "][(pick % 7) as usize]
        }).collect();
        let json = one_text(&words);
        let (less, later) = (kept_of_text(&json, &settings(bytes)), kept_of_text(&json, &settings(bytes + more)));
        // The ladder takes room for a longer notice and report at its steps.
        let step = [512, 4_096].iter().any(|step| bytes < *step && bytes + more >= *step);
        prop_assert!(step || later >= less, "{bytes}: {less}, {}: {later}", bytes + more);
    }

    #[test]
    fn a_larger_budget_never_keeps_less_of_one_list(
        items in 50usize..600,
        bytes in 256u32..4_000,
        more in 1u32..300,
    ) {
        let list: Vec<String> = (0..items).map(|at| format!("{{\"id\":{at},\"name\":\"item {at}\"}}")).collect();
        let json = format!("{{\"content\":[],\"structuredContent\":{{\"items\":[{}]}}}}", list.join(","));
        let kept = |bytes: u32| match fit(&json, OutputSchema::Unknown, &settings(bytes)).unwrap() {
            Outcome::ProtocolError(_) => panic!("{NO_TOOL}"),
            Outcome::Unchanged | Outcome::Compacted(_) => items,
            Outcome::Bounded(fitted) => {
                let after = Tree::parse(&fitted.tool_result_json).unwrap();
                after.at("/structuredContent/items").map_or(0, |list| list.items().len())
            }
        };
        let step = [512, 4_096].iter().any(|step| bytes < *step && bytes + more >= *step);
        prop_assert!(step || kept(bytes + more) >= kept(bytes), "{bytes} +{more}: {} {}", kept(bytes), kept(bytes + more));
    }

    #[test]
    fn kept_plus_omitted_is_the_original_count(items in 2usize..2_000, bytes in 256u32..4_000) {
        let list: Vec<String> = (0..items).map(|at| at.to_string()).collect();
        let json = format!("{{\"content\":[],\"structuredContent\":{{\"items\":[{}]}}}}", list.join(","));
        let Some(fitted) = bounded(fit(&json, OutputSchema::Unknown, &settings(bytes)).unwrap()) else { return Ok(()) };
        let after = Tree::parse(&fitted.tool_result_json).unwrap();
        let report = Tree::parse(&fitted.report_json).unwrap();
        let kept = after.at("/structuredContent/items").unwrap().items().len();
        let omitted = report.member("omitted_count").and_then(Tree::number).unwrap();
        prop_assert_eq!(kept as u64 + omitted, items as u64);
        prop_assert_eq!(report.at("/cuts/0/kept").and_then(Tree::number), Some(kept as u64));
        prop_assert_eq!(report.at("/cuts/0/of").and_then(Tree::number), Some(items as u64));
    }

    #[test]
    fn text_is_never_cut_inside_a_scalar_a_cluster_or_an_escape(
        before in 0usize..80,
        piece in 0usize..8,
        bytes in 256u32..700,
    ) {
        let pieces = ["→", "👨\u{200d}👩\u{200d}👧\u{200d}👦", "🇦🇶", "e\u{301}\u{302}", "\\u001b[38;2;10;20;30m", "\\ud83c\\udf89", "\\\\", "\\u0001"];
        let json = one_text(&format!("{}{}", "a".repeat(before), pieces[piece].repeat(200)));
        let original = Tree::parse(&json).unwrap();
        if let Some(fitted) = bounded(fit(&json, OutputSchema::Unknown, &settings(bytes)).unwrap()) {
            let after = Tree::parse(&fitted.tool_result_json).unwrap();
            let whole = original.at("/content/0/text").unwrap().text().unwrap();
            let Some(kept) = after.at("/content/1/text").and_then(Tree::text) else { return Ok(()) };
            let head = kept.split("\n[").next().unwrap();
            prop_assert!(whole.starts_with(head), "{}", kept);
            prop_assert!(text::clean(whole, head.len()), "cut at {}: {:?}", head.len(), head);
        }
    }

    #[test]
    fn any_text_at_all_gives_a_result_or_a_typed_error(text in ".{0,200}", bytes in 256u32..600) {
        match fit(&text, OutputSchema::None, &settings(bytes)) {
            Ok(_) => prop_assert!(Tree::parse(&text).is_some()),
            Err(FitError::MalformedJson { offset_bytes }) => {
                prop_assert!(offset_bytes as usize <= text.len());
            }
            Err(FitError::NotAnObject) => prop_assert!(Tree::parse(&text).is_some()),
            Err(error) => prop_assert!(false, "{:?}", error),
        }
    }

    #[test]
    fn a_failure_result_is_short_and_valid_for_every_printer(offset_bytes: u32, given_bytes: u32, revision in 0usize..5) {
        let settings = Settings { revision: Revision::ALL[revision], ..Settings::default() };
        for failure in [
            Failure::NotUtf8 { offset_bytes },
            Failure::Refused(FitError::MalformedJson { offset_bytes }),
            Failure::Refused(FitError::InputTooLarge { given_bytes, max_bytes: offset_bytes }),
            Failure::Refused(FitError::NotAnObject),
            Failure::Deadline, Failure::Memory, Failure::Trap, Failure::BadAnswer, Failure::CircuitOpen,
        ] {
            let json = failure_result(&failure, ResultKind::Tool, &settings);
            let tree = Tree::parse(&json).unwrap();
            prop_assert!(result_budget_support::envelope::faults(&tree, settings.revision).is_empty());
            prop_assert_eq!(tree.member("isError").unwrap().raw, "true");
            for profile in WireProfile::ALL {
                prop_assert!(wire::wire_bytes(&json, profile) <= FAILURE_RESULT_MAX_BYTES as usize, "{}", json);
            }
        }
    }
}
