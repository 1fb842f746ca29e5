//! Sorting, compiled once: every sort of its own would carry a copy of the
//! whole algorithm, and the component counts bytes.

use alloc::vec::Vec;
use core::cmp::Ordering;

/// Sorts places by `compare`; equal ones keep their order.
pub(crate) fn sort(places: &mut [usize], compare: &dyn Fn(usize, usize) -> Ordering) {
    // Told apart by their places, so that a sort of less code will do.
    places.sort_unstable_by(|a, b| compare(*a, *b).then(a.cmp(b)));
}

/// The places `0..count`, sorted by `compare`; equal ones keep their order.
pub(crate) fn sorted(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut places: Vec<usize> = (0..count).collect();
    sort(&mut places, compare);
    places
}
