//! Pairs the blocks that came out with those that went in, in order.

use std::collections::BTreeSet;

use result_budget_core::{NoticePlace, OutputSchema, WireProfile};

use crate::sizes::block_sizes;
use crate::structure::{Cut, Walk};
use crate::tree::{Tree, Value};
use crate::wire::body_bytes;

/// How the lines of ours begin.
pub const SIGNATURES: [&str; 3] = ["[result-budget]", "[cut: ", "[call ran; cut: "];

/// True where `text` begins as our notices do. What else it is must be judged
/// by its place: anyone can write this.
#[must_use]
pub fn signed(text: &str) -> bool {
    SIGNATURES.iter().any(|signature| text.starts_with(signature))
}

/// How the blocks correspond.
#[derive(Debug, Default)]
pub struct Pairing {
    /// Index of our notice among the blocks that came out.
    pub notice: Option<usize>,
    /// Index of a text that is no block of the original, where there was none.
    pub added: Option<usize>,
    /// For each other block that came out: its index and that of its original.
    pub pairs: Vec<(usize, usize)>,
    /// Every cut found inside blocks.
    pub cuts: Vec<Cut>,
    /// Every breach.
    pub faults: Vec<String>,
}

/// Pairs `after` with `before`. A block that fits none of the originals left
/// is a breach. `mirrors` are the originals whose text may take over the order
/// and the spelling of structured data.
#[must_use]
pub fn pair(
    before: &[Tree<'_>],
    after: &[Tree<'_>],
    place: NoticePlace,
    profile: WireProfile,
    mirrors: &BTreeSet<usize>,
) -> Pairing {
    let mut pairing = Pairing { notice: notice(before, after, place), ..Pairing::default() };
    let mut next = 0;
    for (at, block) in after.iter().enumerate() {
        if pairing.notice == Some(at) {
            continue;
        }
        if before.is_empty() && pairing.added.is_none() && is_bare_text(block) {
            pairing.added = Some(at);
            continue;
        }
        let mut nearest = Vec::new();
        let found = (next..before.len()).find_map(|from| {
            match compare(&before[from], block, from, profile, mirrors.contains(&from)) {
                Ok(cuts) => Some((from, cuts)),
                Err(faults) => {
                    if nearest.is_empty() {
                        nearest = faults;
                    }
                    None
                }
            }
        });
        match found {
            Some((from, cuts)) => {
                pairing.pairs.push((at, from));
                pairing.cuts.extend(cuts);
                next = from + 1;
            }
            None => pairing.faults.push(format!(
                "/content/{at} is no block of the original: {}; {}",
                block.raw.chars().take(100).collect::<String>(),
                nearest.join("; ")
            )),
        }
    }
    pairing
}

fn notice(before: &[Tree<'_>], after: &[Tree<'_>], place: NoticePlace) -> Option<usize> {
    let at = match place {
        NoticePlace::First => 0,
        NoticePlace::Last => after.len().checked_sub(1)?,
    };
    let block = after.get(at)?;
    let ours = signed(block.member("text")?.text()?);
    let text = block.member("text").and_then(Tree::text);
    let same = |other: &Tree<'_>| other.member("text").and_then(Tree::text) == text;
    // One that was in the original already is no notice of ours.
    let theirs = before.iter().filter(|earlier| same(earlier)).count();
    let kept = after.iter().filter(|later| same(later)).count();
    (ours && kept > theirs).then_some(at)
}

/// Whether any block of a result is for reading: no picture, sound or blob.
#[must_use]
pub fn has_text(result: &Tree<'_>) -> bool {
    let blocks = result.member("content").map(Tree::items).unwrap_or_default();
    let is_data = |block: &Tree<'_>| {
        block_sizes(block, WireProfile::Utf8Compact).1 > 0
            || block.member("data").or(block.at("/resource/blob")).is_some_and(|d| d.raw == "\"\"")
    };
    !blocks.iter().all(is_data)
}

/// Whether a block is a text and nothing else.
fn is_bare_text(block: &Tree<'_>) -> bool {
    let kind = block.member("type").and_then(Tree::text);
    block.members().len() == 2 && kind == Some("text") && block.member("text").is_some()
}

/// Compares one block with its supposed original.
fn compare(
    before: &Tree<'_>,
    after: &Tree<'_>,
    from: usize,
    profile: WireProfile,
    mirrored: bool,
) -> Result<Vec<Cut>, Vec<String>> {
    // Of a repeated key the last may be all that is left.
    let last = last_of_each(before);
    compare_members(&last, after, from, profile, mirrored)
        .or_else(|_| compare_members(before, after, from, profile, mirrored))
}

fn compare_members(
    before: &Tree<'_>,
    after: &Tree<'_>,
    from: usize,
    profile: WireProfile,
    mirrored: bool,
) -> Result<Vec<Cut>, Vec<String>> {
    if before.raw == after.raw {
        return Ok(Vec::new());
    }
    let kind =
        |block: &Tree<'_>| block.member("type").and_then(Tree::text).unwrap_or("").to_string();
    let (was, is) = (kind(before), kind(after));
    if was != is {
        let text = after.member("text").and_then(Tree::text).unwrap_or("");
        return if is == "text" && is_note(before, text, profile) {
            Ok(Vec::new())
        } else {
            Err(vec![format!("a block of kind `{was}` became `{is}`")])
        };
    }
    let mut walk = Walk::new(&format!("/content/{from}"), OutputSchema::None, profile);
    walk.copied = mirrored;
    walk.compare(before, after);
    if matches!(was.as_str(), "image" | "audio")
        && before.member("data").and_then(Tree::text) != after.member("data").and_then(Tree::text)
    {
        walk.faults.push("base64 was cut".to_string());
    }
    let blob =
        |block: &Tree<'_>| block.at("/resource/blob").and_then(Tree::text).map(str::to_string);
    if blob(after).is_some() && blob(before) != blob(after) {
        walk.faults.push("base64 was cut".to_string());
    }
    if walk.faults.is_empty() { Ok(walk.cuts) } else { Err(walk.faults) }
}

/// A line in place of a binary block: its kind or MIME type, and how much.
fn is_note(before: &Tree<'_>, text: &str, profile: WireProfile) -> bool {
    let binary = before.member("data").or_else(|| before.at("/resource/blob"));
    let count = |binary: &Tree<'_>| {
        // As it came, or as a host may print it: the same, where it is base64.
        // Elsewhere escapes may stay, and a profile add its own.
        let (came, printed) = (binary.raw.len() - 2, body_bytes(binary.raw, profile));
        let html = profile == WireProfile::HtmlEscaped;
        let spelled = |c: char| c == '\u{7f}' || (html && matches!(c, '<' | '>' | '&'));
        let escapable = 5 * binary.raw.chars().filter(|c| spelled(*c)).count();
        came.min(printed)..=came.max(printed) + escapable
    };
    let told = text.strip_suffix(" base64 bytes shown]").and_then(|text| text.rsplit_once("0 of "));
    let told = told.and_then(|(_, count)| count.parse::<usize>().ok());
    text.starts_with('[')
        && text.len() < 200
        && matches!((binary, told), (Some(binary), Some(told)) if count(binary).contains(&told))
}

/// A block in which of each repeated key the last is left, also in its
/// resource.
fn last_of_each<'a>(block: &Tree<'a>) -> Tree<'a> {
    let Value::Object(members) = &block.value else {
        return block.clone();
    };
    let repeated = |at: usize| members[at + 1..].iter().any(|later| later.key == members[at].key);
    let kept = (0..members.len()).filter(|at| members.len() > 64 || !repeated(*at)).map(|at| {
        let mut member = members[at].clone();
        if member.key == "resource" {
            member.tree = last_of_each(&member.tree);
        }
        member
    });
    Tree { raw: block.raw, value: Value::Object(kept.collect()) }
}
