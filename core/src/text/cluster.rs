//! Grapheme clusters (UAX 29, extended) in an encoded body, around one place.

use alloc::string::String;
use alloc::vec::Vec;

use unicode_segmentation::{GraphemeCursor, GraphemeIncomplete};

use super::WHOLE_MAX_BYTES;
use super::unit::{self, Unit};

/// Start and end of the cluster of up to 256 decoded bytes that `at` stands
/// inside.
pub(super) fn around(body: &str, at: usize) -> Option<(usize, usize)> {
    let mut first = unit::previous(body, at)?;
    let mut last = unit::next(body, at)?;
    if breaks_between(body, first, last) {
        return None;
    }
    let mut cluster_bytes = first.scalar.len_utf8() + last.scalar.len_utf8();
    while cluster_bytes <= WHOLE_MAX_BYTES {
        match unit::previous(body, first.start) {
            Some(before) if !breaks_between(body, before, first) => first = before,
            Some(_) | None => break,
        }
        cluster_bytes += first.scalar.len_utf8();
    }
    while cluster_bytes <= WHOLE_MAX_BYTES {
        match unit::next(body, last.end) {
            Some(after) if !breaks_between(body, last, after) => last = after,
            Some(_) | None => break,
        }
        cluster_bytes += last.scalar.len_utf8();
    }
    (cluster_bytes <= WHOLE_MAX_BYTES).then_some((first.start, last.end))
}

/// True where a cluster ends between two neighbours. Looks back as far as the
/// rules of flags, emoji and conjuncts ask, however far that is: a decision
/// from less would be wrong. Runs that two decisions look back through do not
/// overlap, so that this stays linear.
fn breaks_between(body: &str, before: Unit, after: Unit) -> bool {
    if before.scalar.is_ascii() && after.scalar.is_ascii() {
        return (before.scalar, after.scalar) != ('\r', '\n');
    }
    if is_regional_indicator(before.scalar) && is_regional_indicator(after.scalar) {
        return regional_indicators_before(body, after.start).is_multiple_of(2);
    }
    let mut buffer = [0; 8];
    let split = before.scalar.encode_utf8(&mut buffer).len();
    let rest = buffer.get_mut(split..).unwrap_or_default();
    let pair_bytes = split + after.scalar.encode_utf8(rest).len();
    let Some(Ok(pair)) = buffer.get(..pair_bytes).map(core::str::from_utf8) else { return true };
    // The cursor wants offsets into the decoded text. Only differences count,
    // so the pair stands at an offset that no look-back can use up.
    let pair_start = usize::MAX / 2 + 8;
    let mut cursor = GraphemeCursor::new(pair_start + split, pair_start + pair_bytes, true);
    let (mut reached, mut units) = (before.start, 16);
    loop {
        match cursor.is_boundary(pair, pair_start) {
            Ok(breaks) => return breaks,
            Err(GraphemeIncomplete::PreContext(end)) => {
                let context = text_before(body, &mut reached, units);
                cursor.provide_context(&context, end - context.len());
                units = 1_024;
            }
            // OK because the pair holds both sides of the place asked about.
            Err(
                GraphemeIncomplete::PrevChunk
                | GraphemeIncomplete::NextChunk
                | GraphemeIncomplete::InvalidOffset,
            ) => return true,
        }
    }
}

/// The text of up to `units` units before `reached`, which moves there. At the
/// start of the body a line feed: no rule looks beyond either.
fn text_before(body: &str, reached: &mut usize, units: usize) -> String {
    let mut scalars: Vec<char> = Vec::with_capacity(units);
    while scalars.len() < units
        && let Some(unit) = unit::previous(body, *reached)
    {
        scalars.push(unit.scalar);
        *reached = unit.start;
    }
    if scalars.is_empty() { String::from("\n") } else { scalars.iter().rev().collect() }
}

fn regional_indicators_before(body: &str, at: usize) -> usize {
    let (mut count, mut at) = (0, at);
    while let Some(unit) = unit::previous(body, at)
        && is_regional_indicator(unit.scalar)
    {
        count += 1;
        at = unit.start;
    }
    count
}

fn is_regional_indicator(scalar: char) -> bool {
    ('\u{1F1E6}'..='\u{1F1FF}').contains(&scalar)
}
