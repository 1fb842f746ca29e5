//! Sorting, compiled once and small: every sort of its own would carry a copy
//! of the whole algorithm, and the library's are made for speed at any size.
//! The component counts bytes.

use alloc::vec::Vec;
use core::cmp::Ordering;

/// Sorts places by `compare`; equal ones keep their order.
pub(crate) fn sort(places: &mut [usize], compare: &dyn Fn(usize, usize) -> Ordering) {
    let mut merged = Vec::with_capacity(places.len());
    let mut run = 1;
    // Runs that are in order, merged in pairs until there is one.
    while run < places.len() {
        merged.clear();
        for pair in places.chunks(run.saturating_mul(2)) {
            let (mut left, mut right) = pair.split_at(run.min(pair.len()));
            while let (Some((first, after_first)), Some((second, after_second))) =
                (left.split_first(), right.split_first())
            {
                if compare(*second, *first).is_lt() {
                    merged.push(*second);
                    right = after_second;
                } else {
                    merged.push(*first);
                    left = after_first;
                }
            }
            merged.extend_from_slice(left);
            merged.extend_from_slice(right);
        }
        places.copy_from_slice(&merged);
        run = run.saturating_mul(2);
    }
}

/// The places `0..count`, sorted by `compare`; equal ones keep their order.
pub(crate) fn sorted(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut places: Vec<usize> = (0..count).collect();
    sort(&mut places, compare);
    places
}

#[cfg(test)]
mod tests {
    use super::{sort, sorted};
    use alloc::vec::Vec;

    #[test]
    fn the_order_is_that_of_the_library_and_equal_ones_stay() {
        let mut seed = 7_u64;
        for count in 0..200 {
            for kinds in [1, 2, 5, 1_000] {
                let keys: Vec<u64> = (0..count)
                    .map(|_| {
                        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                        (seed >> 33) % kinds
                    })
                    .collect();
                let mut expected: Vec<usize> = (0..count).collect();
                expected.sort_by_key(|at| keys[*at]);
                assert_eq!(sorted(count, &|a, b| keys[a].cmp(&keys[b])), expected);
                // Also from an order that is not that of the places.
                let mut backwards: Vec<usize> = (0..count).rev().collect();
                sort(&mut backwards, &|a, b| keys[a].cmp(&keys[b]).then(a.cmp(&b)));
                assert_eq!(backwards, expected);
            }
        }
    }
}
