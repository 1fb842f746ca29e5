//! What `fit` holds natively, counted by the allocator. Alone in its process,
//! so that no other test is counted.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use result_budget_bench::documents::Shape;
use result_budget_bench::memory::Held;
use result_budget_bench::peak::Peak;

#[global_allocator]
static PEAK: Peak = Peak::new();

#[test]
fn memory_stays_within_the_input_a_third_and_eight_megabytes() {
    let mut over = Vec::new();
    for shape in Shape::ALL {
        for cut in [false, true] {
            for size_bytes in [1_000_000, 16_000_000] {
                let held = Held::measure(&PEAK, shape, cut, size_bytes).unwrap();
                println!("{}", held.line());
                if held.peak_bytes > held.goal_bytes() {
                    over.push(held.line());
                }
            }
        }
    }
    assert!(over.is_empty(), "over:\n{}", over.join("\n"));
}
