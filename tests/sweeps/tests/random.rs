//! Random results under random settings, other ones with each commit.
//! `RESULT_BUDGET_LONG=1` runs ten times as many; `RESULT_BUDGET_SEED=N` runs
//! one case alone; `RESULT_BUDGET_BASE=N` begins there.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::wildcard_enum_match_arm,
    reason = "tests"
)]

use result_budget_core::limit::LIMITS;
use result_budget_core::{
    Ansi, Limits, Mirror, NoticePlace, OutputSchema, PRESETS, Revision, Settings, TextKeep,
    WireProfile, fit,
};
use result_budget_support::random::Random;
use result_budget_support::{Tree, generate};
use result_budget_sweeps::{Named, base_seed, in_parallel, long, say};

#[test]
fn every_random_result_comes_out_bounded_true_and_for_good() {
    let one = std::env::var("RESULT_BUDGET_SEED").ok().and_then(|seed| seed.parse::<u64>().ok());
    let base = one.unwrap_or_else(base_seed);
    let count = match one {
        Some(_) => 1,
        None if long() => 1_000_000,
        None => 100_000,
    };
    let tally = in_parallel(count, |number, tally| {
        let seed = base.wrapping_add(number);
        let json = generate::result(seed);
        let original = Tree::parse(&json).unwrap_or_else(|| panic!("seed {seed} makes no JSON"));
        let mut random = Random::new(seed ^ 0xABCD);
        let (named, output_schema) = settings(&mut random, seed);
        if one.is_some() {
            eprintln!("{json}\n{named:?}\n{:?}", fit(&json, output_schema, &named.settings));
        }
        tally.run("random", &json, &original, output_schema, &named);
    });
    say(&format!("random results from seed {base} on: {}", tally.summary()));
    assert!(tally.is_clean(), "rules are broken, see above");
    assert!(one.is_some() || tally.cut * 4 > tally.cases, "too little was cut: {}", tally.cut);
}

fn settings(random: &mut Random, seed: u64) -> (Named, OutputSchema<'static>) {
    let mut limits = Limits::of_preset(random.pick(&PRESETS));
    let bytes = match random.below(4) {
        0 => 256 + random.below(300),
        1 => 512 + random.below(4_000),
        2 => 256 << random.below(8),
        _ => 4_096 + random.below(30_000),
    };
    limits.cap_to(u32::try_from(bytes).expect("small")).expect("in range");
    if random.once_in(4) {
        // Some of the shape limits.
        for limit in LIMITS.iter().filter(|limit| limit.default.is_none()) {
            if random.once_in(4) {
                let value = limit.min + u32::try_from(random.size(400)).expect("small");
                limits.set(limit, Some(value)).expect("in range");
            }
        }
    }
    if random.once_in(8) {
        limits.max_content_blocks = 1 + u32::try_from(random.below(12)).expect("small");
    }
    if random.once_in(8) {
        limits.max_depth = 4 + u32::try_from(random.below(12)).expect("small");
    }
    if random.once_in(8) {
        limits.max_binary_bytes = u32::try_from(random.size(4_000)).expect("small");
    }
    let usual = random.once_in(2);
    let settings = Settings {
        limits,
        revision: *random.pick(&Revision::ALL),
        wire_profile: if usual {
            WireProfile::Utf8Compact
        } else {
            *random.pick(&WireProfile::ALL)
        },
        mirror: if usual { Mirror::Both } else { *random.pick(&Mirror::ALL) },
        notice: if usual { NoticePlace::First } else { *random.pick(&NoticePlace::ALL) },
        text_keep: if usual { TextKeep::Auto } else { *random.pick(&TextKeep::ALL) },
        ansi: Ansi::Keep,
        keep_fields: if random.once_in(6) { vec!["toolResult".to_string()] } else { Vec::new() },
        ..Settings::default()
    };
    let output_schema = if random.once_in(2) { OutputSchema::None } else { OutputSchema::Unknown };
    let name = format!("{bytes} bytes (RESULT_BUDGET_SEED={seed})");
    (Named { name, group: "random".to_string(), settings }, output_schema)
}
