//! Hostile results cost no more for each byte when they are larger, and none
//! costs many times what only reading it does.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use result_budget_bench::families::Family;
use result_budget_bench::fuel::{CUT_BYTES, Counter};

/// Fuel for twice the input over fuel for the input: a hundredth of the whole
/// is for what a cut costs once, and for documents that do not double exactly.
const DOUBLED_MAX: f64 = 2.1;

/// Fuel over that of `serde_json`'s `IgnoredAny` in the same module, which it
/// must not grow over. The aim is 2.5; a cut walks wide maps and many blocks
/// more than once.
const TIMES_MAX: f64 = 4.5;

#[test]
fn fuel_of_hostile_results_doubles_with_them() {
    let largest = if std::env::var("RESULT_BUDGET_LONG").is_ok() { 15 << 20 } else { 4 << 20 };
    let mut counter = Counter::load().unwrap();
    let mut guest = Counter::load_guest().unwrap();
    let settings = counter.settle("", Some(CUT_BYTES)).unwrap();
    let (mut bad, mut counts) = (Vec::new(), 0);
    for family in Family::ALL {
        let mut line = format!("{:<20}", family.name());
        let mut before: Option<u64> = None;
        let mut size = 64 << 10;
        let mut times = 0.0;
        while size <= largest {
            let json = family.result(size);
            let (units, outcome) = counter.fit(&json, &settings).unwrap();
            assert_eq!(outcome, "bounded", "{} of {size}", family.name());
            counts += 1;
            if let Some(before) = before {
                let doubled = units as f64 / before as f64;
                line.push_str(&format!(" {doubled:.3}"));
                if doubled > DOUBLED_MAX {
                    bad.push(format!("{} at {size}: {doubled:.3}", family.name()));
                }
            }
            before = Some(units);
            times = units as f64 / guest.ignore(&json).unwrap() as f64;
            size *= 2;
        }
        println!("{line}  {times:.2}x IgnoredAny");
        if times > TIMES_MAX {
            bad.push(format!("{}: {times:.2}x IgnoredAny", family.name()));
        }
    }
    println!("{counts} hostile results, all of them really cut");
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}
