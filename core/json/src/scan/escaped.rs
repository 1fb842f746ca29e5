//! Compares a JSON text with an encoded body that may say the same: a text
//! block often repeats `structuredContent` byte for byte.

use super::Fastest;
use super::block::Block;
use super::escapes::find;

/// Whether `body` is `text` written into a JSON string in the shortest way:
/// only `"` and `\` escaped. False where it is spelled otherwise, which does
/// not mean that it differs.
#[must_use]
#[inline(never)]
pub fn escaped_equal(text: &str, body: &str) -> bool {
    run::<Fastest>(text.as_bytes(), body.as_bytes())
}

fn run<B: Block>(text: &[u8], body: &[u8]) -> bool {
    if body.len() < text.len() {
        return false;
    }
    let (mut body_padded, mut text_padded) = ([0; WIDE], [0; WIDE]);
    // Of `body`, the bytes so far, and those of them that begin escapes.
    let (mut at, mut firsts, mut carried) = (0, 0, 0);
    while at < body.len() {
        let here = wide(body, at, &mut body_padded);
        let there = wide(text, at - firsts, &mut text_padded);
        let Some(block) = here.first_chunk().map(B::load) else { return false };
        let (backslash, quote) = (block.equal(b'\\'), block.equal(b'"'));
        let (escaped, carry) = find(backslash, carried);
        carried = carry;
        if escaped & !(backslash | quote) | quote & !escaped != 0 {
            return false;
        }
        let first = backslash & !escaped;
        if differ(here, there, !first & (u64::MAX >> (64 - (body.len() - at).min(64)))) {
            return false;
        }
        firsts += first.count_ones() as usize;
        at += 64;
    }
    carried == 0 && body.len() - firsts == text.len()
}

/// Whether the bytes of `body` in `keep`, put together, are not those with
/// which `text` begins.
#[inline(always)]
fn differ(body: &[u8; WIDE], text: &[u8; WIDE], mut keep: u64) -> bool {
    let mut wrong = 0;
    let mut at = 0;
    while keep != 0 {
        // How many runs a block has is hard to predict: two for each look.
        for _ in 0..2 {
            let start = keep.trailing_zeros();
            let length = keep.wrapping_shr(start).trailing_ones() as usize;
            let start = start as usize;
            let mut done = 0;
            loop {
                let left = (length - done).min(STEP);
                let step = step(body, start + done) ^ step(text, at + done);
                wrong |= step & FIRST_BYTES[left];
                done += STEP;
                if done >= length {
                    break;
                }
            }
            at += length;
            keep &= keep.wrapping_add(keep & keep.wrapping_neg());
        }
    }
    wrong != 0
}

#[inline(always)]
fn step(bytes: &[u8; WIDE], at: usize) -> u128 {
    let at = at & 63;
    bytes[at..at + STEP].first_chunk().map_or(0, |step| u128::from_le_bytes(*step))
}

/// What stands at `at`, with zeros behind the end.
#[inline(always)]
fn wide<'a>(bytes: &'a [u8], at: usize, padded: &'a mut [u8; WIDE]) -> &'a [u8; WIDE] {
    let rest = bytes.get(at..).unwrap_or_default();
    rest.first_chunk().unwrap_or_else(|| {
        *padded = [0; WIDE];
        padded.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
        padded
    })
}

/// A block and what a step may read behind it.
const WIDE: usize = 64 + STEP;
const STEP: usize = 16;

/// The first bytes of a step, as many as the index says.
static FIRST_BYTES: [u128; STEP + 1] = {
    let mut masks = [0; STEP + 1];
    let mut count = 1;
    while count <= STEP {
        masks[count] = masks[count - 1] << 8 | 0xFF;
        count += 1;
    }
    masks
};
