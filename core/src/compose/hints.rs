//! What a block says of itself: how much it matters, and what it is called.

use alloc::string::String;
use alloc::vec::Vec;

use crate::envelope::{Block, key_is};
use crate::json::pointer::decode_body;
use crate::json::walk::{Doc, Sort, Value};
use crate::plan::share::{Need, level};
use crate::text::{Keep, cut};

/// How much a block matters by its annotations; hints, no contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Tier {
    /// Not meant for the model.
    Aside,
    /// Of a priority below a quarter.
    Low,
    /// Without a priority, or of one in the middle.
    Plain,
    /// Of a priority of three quarters and more.
    High,
    /// Of priority 1.
    Needed,
}

impl Tier {
    /// All of them, the first to be kept first.
    pub(crate) const ALL: [Tier; 5] =
        [Tier::Needed, Tier::High, Tier::Plain, Tier::Low, Tier::Aside];

    /// The tier of a block.
    pub(crate) fn of(doc: &Doc<'_>, block: &Block) -> Tier {
        let mut tier = None;
        for member in doc.members(&block.value) {
            if key_is(member.key, "annotations") {
                tier = Some(annotated(doc, &member.value));
            } else if key_is(member.key, "resource") {
                let inner = doc.members(&member.value).find(|m| key_is(m.key, "annotations"));
                tier = tier.or(inner.map(|inner| annotated(doc, &inner.value)));
            }
        }
        tier.unwrap_or(Tier::Plain)
    }
}

/// The water level of each tier: what matters more is full first, but none
/// goes below its least.
pub(crate) struct Water([usize; 5]);

impl Water {
    /// The levels at which `needs` weigh at most `room` together.
    pub(crate) fn over(needs: &[(Tier, Need)], room: usize) -> Water {
        let leasts: usize = needs.iter().map(|(_, need)| need.at(0)).sum();
        let mut spare = room.saturating_sub(leasts);
        let mut levels = [0; 5];
        for (tier, slot) in Tier::ALL.iter().zip(&mut levels) {
            let own: Vec<Need> =
                needs.iter().filter(|(of, _)| of == tier).map(|(_, need)| *need).collect();
            let least: usize = own.iter().map(|need| need.at(0)).sum();
            *slot = level(&own, least + spare);
            let taken: usize = own.iter().map(|need| need.at(*slot)).sum();
            spare -= (taken - least).min(spare);
        }
        Water(levels)
    }

    /// The level of a tier.
    pub(crate) fn of(&self, tier: Tier) -> usize {
        let place = Tier::ALL.iter().position(|known| *known == tier);
        place.and_then(|at| self.0.get(at)).copied().unwrap_or(0)
    }
}

fn annotated(doc: &Doc<'_>, annotations: &Value) -> Tier {
    let mut tier = Tier::Plain;
    let mut aside = false;
    for member in doc.members(annotations) {
        if key_is(member.key, "audience") && doc.sort(&member.value) == Sort::Array {
            let mut items = doc.items(&member.value).take(8);
            aside = doc.children_items(&member.value) > 0
                && !items.any(|item| decode_body(doc.body(&item)) == "assistant");
        } else if key_is(member.key, "priority") && doc.sort(&member.value) == Sort::Number {
            tier = of_priority(doc.raw(&member.value));
        }
    }
    if aside { Tier::Aside } else { tier }
}

/// Told from the digits: no number is rounded here.
fn of_priority(number: &str) -> Tier {
    let (whole, rest) = number.split_once('.').unwrap_or((number, ""));
    let hundredths = |at: usize| rest.as_bytes().get(at).map_or(0, |digit| digit - b'0');
    if number.contains(['e', 'E', '-']) {
        return Tier::Plain;
    }
    match (whole, 10 * u32::from(hundredths(0)) + u32::from(hundredths(1))) {
        ("0", ..25) => Tier::Low,
        ("0", 25..75) => Tier::Plain,
        ("0", _) => Tier::High,
        _ => Tier::Needed,
    }
}

/// Whether a block is a link to a resource.
pub(crate) fn is_link(doc: &Doc<'_>, block: &Block) -> bool {
    let mut members = doc.members(&block.value);
    members.any(|m| key_is(m.key, "type") && decode_body(doc.body(&m.value)) == "resource_link")
}

/// The type and the URI of a block, as far as they can be told in a line of
/// ours; at most 140 bytes.
pub(crate) fn name(doc: &Doc<'_>, block: &Block) -> String {
    let (mut kind, uri) = (String::from("block"), uri(doc, block));
    for member in doc.members(&block.value) {
        if key_is(member.key, "type") && doc.sort(&member.value) == Sort::String {
            kind = plain(doc.body(&member.value), 40);
        }
    }
    if !uri.is_empty() {
        kind.push(' ');
        kind.push_str(&uri);
    }
    kind
}

/// The URI of a link or a resource; empty where there is none.
pub(crate) fn uri(doc: &Doc<'_>, block: &Block) -> String {
    let own = |object: &Value| {
        let member = doc.members(object).find(|member| key_is(member.key, "uri"))?;
        Some(plain(doc.body(&member.value), 96))
    };
    let resource = || doc.members(&block.value).find(|member| key_is(member.key, "resource"));
    own(&block.value).or_else(|| own(&resource()?.value)).unwrap_or_default()
}

/// The beginning of a word that can stand in a line of ours as it is.
fn plain(body: &str, most: usize) -> String {
    let fine = |byte: &u8| (0x21..0x7F).contains(byte) && !b"\"\\<>&".contains(byte);
    // No character takes more than six bytes in a string.
    let near = body.get(..cut(body, 6 * most, Keep::Head).head_end).unwrap_or_default();
    let word = decode_body(near);
    let len = word.bytes().take_while(|byte| fine(byte)).count();
    if near.len() == body.len() && len == word.len() && len <= most {
        return word.into_owned();
    }
    let mut out = String::from(word.get(..len.min(most - 3)).unwrap_or_default());
    out.push_str("...");
    out
}
