//! How much of a ceiling a cut result uses for what the server said, our own
//! notices not counted.

use result_budget_core::{NoticePlace, Settings};

use crate::blocks;
use crate::sizes::{block_sizes, sizes};
use crate::tree::Tree;

/// Payload as a share of the ceiling that is nearest to being full.
#[must_use]
pub fn use_of_budget(
    original: &Tree<'_>,
    output: &Tree<'_>,
    place: NoticePlace,
    settings: &Settings,
) -> f64 {
    let before = original.member("content").map(Tree::items).unwrap_or_default();
    let after = output.member("content").map(Tree::items).unwrap_or_default();
    let all = (0..before.len()).collect();
    let pairing = blocks::pair(before, after, place, settings.wire_profile, &all);
    let notice_bytes =
        pairing.notice.map_or(0, |at| block_sizes(&after[at], settings.wire_profile).0);
    let was = sizes(original, settings.wire_profile);
    let is = sizes(output, settings.wire_profile);
    let limits = &settings.limits;
    let text = (is.text_bytes - notice_bytes) as f64;
    let mut shares = vec![
        (text + is.binary_bytes as f64) / f64::from(limits.max_result_bytes),
        text / f64::from(limits.max_text_bytes),
    ];
    if was.binary_bytes > limits.max_binary_bytes as usize {
        shares.push(is.binary_bytes as f64 / f64::from(limits.max_binary_bytes));
    }
    shares.into_iter().fold(0.0, f64::max)
}
