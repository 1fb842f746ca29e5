//! What an output schema permits at each value, and the least that it demands
//! (contract B9). Without a schema everything is permitted here, and
//! [`Rules`] says the rest.

use alloc::vec;
use alloc::vec::Vec;

use crate::envelope::repeats;
use crate::json::escape::{code_points, code_points_end};
use crate::json::pointer::decode_body;
use crate::json::walk::{Doc, Sort, Value};
use crate::order::sorted;
use crate::plan::price::Weigh;
use crate::plan::shape::Rules;
use crate::plan::share::{Need, level};
use crate::plan::shrink::Shrink;
use crate::plan::strings::{SHORT_BYTES, base64_marker, is_base64, string_marker};
use crate::plan::weight::IMPOSSIBLE;
use crate::schema::{Permit, Text};

/// A member that must stay: its place, and the weight of its key and of the
/// least of its value, without a comma.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pin {
    pub(super) at: usize,
    pub(super) weight: usize,
}

/// What must stay of the members of an object.
#[derive(Clone, Debug, Default)]
pub(super) struct Pins {
    /// Members that must stay, in order.
    pub(super) pins: Vec<Pin>,
    /// Members that go, since they ask for others that need not stay.
    pub(super) barred: Vec<usize>,
}

/// How much of a string stays, in bytes of its encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) least: usize,
    pub(super) most: usize,
}

/// Names in `dependentRequired` that are looked at; where there are more, all
/// members stay.
const WANTED_MAX: usize = 64;

/// The longest encoding of a code point: two escapes.
const CHAR_MAX_BYTES: usize = 12;

/// Code points of the shortest marker that stands in for the whole of a string.
const MARKER_CHARS: usize = 18;

impl Shrink<'_> {
    /// The permit of the whole tree.
    pub(crate) fn root_permit(&mut self, value: &Value) -> Permit {
        let doc = self.price.doc;
        self.permits.as_mut().map_or(Permit::ANY, |permits| permits.root(doc, value))
    }

    pub(super) fn item_permit(&mut self, parent: Permit, at: usize, item: &Value) -> Permit {
        let doc = self.price.doc;
        let given = self.permits.as_mut();
        given.map_or(Permit::ANY, |permits| permits.item(parent, at, doc, item))
    }

    pub(super) fn member_permit(&mut self, parent: Permit, key: &str, value: &Value) -> Permit {
        // What is never cut needs none.
        let is_short = value.end - value.start <= SHORT_BYTES && self.clean(value);
        if is_short && !matches!(self.doc().sort(value), Sort::Array | Sort::Object) {
            return Permit::ANY;
        }
        let doc = self.price.doc;
        let given = self.permits.as_mut();
        given.map_or(Permit::ANY, |permits| permits.member(parent, key, doc, value))
    }

    /// Whether a member must stay.
    pub(super) fn requires(&self, permit: Permit, key: &str) -> bool {
        match &self.permits {
            Some(permits) => permits.requires(permit, key),
            None => self.rules != Rules::Any,
        }
    }

    /// What a string must keep; `None` where it stays as it is.
    pub(super) fn text(&self, permit: Permit) -> Option<Text> {
        match &self.permits {
            Some(permits) => permits.text(permit),
            None => Some(Text::default()),
        }
    }

    /// Whether a marker of ours may stand for the whole of a string.
    pub(super) fn may_replace(&self, permit: Permit) -> bool {
        self.text(permit).is_some_and(|text| text.min_chars <= MARKER_CHARS)
    }

    /// How much of a string may stay beside a marker, where `wish` bytes of it
    /// are wished for; `None` where it stays as it is.
    pub(super) fn span(&self, value: &Value, permit: Permit, wish: usize) -> Option<Span> {
        let body = self.doc().body(value);
        let text = self.text(permit)?;
        if self.permits.is_none() {
            return Some(Span { least: 0, most: body.len() });
        }
        let marker = string_marker(body.len(), body.len()).len();
        let shortest = string_marker(0, body.len()).len();
        let least = text.min_chars.saturating_sub(shortest);
        // It never has more code points than before: of a marker each is one.
        // They are counted only where that is near.
        let tail = marker * CHAR_MAX_BYTES;
        let most = match body.len().checked_sub(tail) {
            Some(most) if least.saturating_mul(CHAR_MAX_BYTES) <= most && wish <= most => most,
            Some(_) | None => {
                let most = code_points(body).checked_sub(marker)?;
                if least > most {
                    return None;
                }
                code_points_end(body, most)
            }
        };
        Some(Span { least: code_points_end(body, least), most })
    }

    /// Whether less of a string may stay, within the limit on strings.
    pub(super) fn admits_less(&self, value: &Value, permit: Permit) -> bool {
        let body = self.doc().body(value);
        let marker = string_marker(body.len(), body.len()).len();
        let limit = self.shape.string_bytes;
        self.span(value, permit, 0)
            .is_some_and(|span| body.len() <= limit || span.least + marker <= limit)
    }

    /// The weight of the shortest text that a schema admits for a string, a
    /// marker among it.
    pub(super) fn least_text(&self, value: &Value, permit: Permit, weigh: Weigh) -> usize {
        let body = self.doc().body(value);
        let kept = self.span(value, permit, 0).map_or(body.len(), |span| span.least);
        let marker = if is_base64(body) {
            base64_marker(body.len())
        } else {
            string_marker(body.len(), body.len())
        };
        let start = value.start + 1;
        weigh.literal("\"\"")
            + self.price.span(start, start + kept, 0, weigh)
            + weigh.literal(&marker)
    }

    /// The weight of the commas between so many members of `value`.
    pub(super) fn commas(&self, value: &Value, members: usize) -> usize {
        let comma = self.price.weigh(value).literal(self.price.comma());
        comma * members.saturating_sub(1)
    }

    /// Items that must stay, from the first.
    pub(super) fn min_items(&mut self, permit: Permit, value: &Value) -> usize {
        let doc = self.price.doc;
        let all = doc.children_items(value);
        let given = self.permits.as_mut();
        given.map_or(0, |permits| permits.min_items(permit, doc, value).min(all))
    }

    /// The least weight to which a container can be brought under a schema,
    /// empty where it may be.
    pub(super) fn least_given(&mut self, value: &Value, permit: Permit, cap: usize) -> usize {
        match self.tights.get(&value.start) {
            Some(Ok(known)) => return *known,
            Some(Err(over)) if cap <= *over => return over + 1,
            Some(Err(_)) | None => {}
        }
        let least = if self.doc().sort(value) == Sort::Array {
            self.least_items(value, permit, cap, true)
        } else {
            let braces = self.price.weigh(value).literal("{}");
            match self.pins(value, permit, cap) {
                Some(Pins { pins, .. }) => {
                    let commas = self.commas(value, pins.len());
                    pins.iter().fold(braces + commas, |sum, pin| (sum + pin.weight).min(IMPOSSIBLE))
                }
                None => IMPOSSIBLE,
            }
        };
        self.tights.insert(value.start, if least > cap { Err(cap) } else { Ok(least) });
        least
    }

    /// The weight of a list that keeps no more items than it must.
    pub(super) fn least_items(
        &mut self,
        value: &Value,
        permit: Permit,
        cap: usize,
        tight: bool,
    ) -> usize {
        let doc = self.doc();
        let weigh = self.price.weigh(value);
        let comma = weigh.literal(self.price.comma());
        let item_room = self.item_room(weigh);
        let marked = self.item_marks.is_some() && self.price.is_twin(value);
        let shell = if marked { self.item_shell } else { 0 };
        let least_items = self.min_items(permit, value);
        let most = if marked { self.item_most } else { usize::MAX };
        if least_items > self.shape.list_items.min(most) {
            return IMPOSSIBLE;
        }
        let mut weight = weigh.literal("[]");
        for (at, item) in doc.items(value).enumerate().take(least_items) {
            let below = self.item_permit(permit, at, &item);
            let least = self.least(None, &item, below, cap.saturating_sub(weight), tight);
            if least > item_room && !self.clean(&item) {
                return IMPOSSIBLE;
            }
            weight = (weight + shell + usize::from(at > 0) * comma + least).min(IMPOSSIBLE);
            if weight > cap {
                return weight;
            }
        }
        weight
    }

    /// The rooms of the items that must stay, where they do not fit whole:
    /// then no other stays. Empty where they fit, or where one is the most that
    /// must stay.
    pub(super) fn shares(&mut self, value: &Value, permit: Permit, room: usize) -> Vec<usize> {
        let doc = self.price.doc;
        let must = self.min_items(permit, value);
        let mut shares: Vec<Need> = Vec::new();
        if must < 2 {
            return Vec::new();
        }
        let weigh = self.price.weigh(value);
        let item_room = self.item_room(weigh);
        let marked = self.item_marks.is_some() && self.price.is_twin(value);
        let beside = if marked { self.item_shell * must } else { 0 } + self.commas(value, must);
        let room = room.saturating_sub(beside);
        let mut whole = 0;
        for (at, item) in doc.items(value).enumerate().take(must) {
            let natural = self.natural_item(permit, at, &item, item_room);
            whole = (whole + natural).min(IMPOSSIBLE);
            shares.push(Need { least: 0, whole: natural });
        }
        if whole <= room {
            return Vec::new();
        }
        for tight in [false, true] {
            let mut sum = 0;
            for (at, item) in doc.items(value).enumerate().take(must) {
                let below = self.item_permit(permit, at, &item);
                shares[at].least = self.least(None, &item, below, room, tight);
                sum = (sum + shares[at].least).min(IMPOSSIBLE);
            }
            if sum <= room {
                break;
            }
        }
        let water = level(&shares, room);
        shares.iter().map(|need| need.at(water)).collect()
    }

    /// What must stay of the members, within `cap`; `None` where there is no
    /// way.
    pub(super) fn pins(&mut self, value: &Value, permit: Permit, cap: usize) -> Option<Pins> {
        let doc: &Doc<'_> = self.price.doc;
        let Some(permits) = self.permits.as_ref().filter(|_| permit != Permit::ANY) else {
            return Some(Pins::default());
        };
        // To drop one of two members with one key would show the other.
        let wanted = permits.wanted(permit);
        if repeats(doc, value) || wanted.len() > WANTED_MAX {
            let all = doc.children_items(value);
            return self.pinned(value, permit, &vec![true; all], all, Vec::new(), cap);
        }
        let few = permits.min_members(permit);
        let required = |key: &str| permits.requires(permit, key);
        let mut must: Vec<bool> = doc.members(value).map(|member| required(member.key)).collect();
        if wanted.is_empty() {
            return self.pinned(value, permit, &must, few, Vec::new(), cap);
        }
        // A member, and the one that it asks for.
        let place =
            |name: &str| doc.members(value).position(|member| decode_body(member.key) == name);
        let pairs: Vec<(usize, Option<usize>)> =
            wanted.iter().filter_map(|(asks, name)| Some((place(asks)?, place(name)))).collect();
        // All that is asked for stays; or only what those ask for that must
        // stay, and the others go that ask.
        let mut all = must.clone();
        for (_, name) in &pairs {
            name.iter().for_each(|at| all[*at] = true);
        }
        if let Some(pins) = self.pinned(value, permit, &all, few, Vec::new(), cap) {
            return Some(pins);
        }
        for _ in 0..pairs.len() {
            for (asks, name) in &pairs {
                name.iter().for_each(|at| must[*at] |= must[*asks]);
            }
        }
        let goes = |(asks, name): &(usize, Option<usize>)| {
            (!must[*asks] && name.is_some_and(|at| !must[at])).then_some(*asks)
        };
        let barred = pairs.iter().filter_map(goes).collect();
        self.pinned(value, permit, &must, few, barred, cap)
    }

    fn pinned(
        &mut self,
        value: &Value,
        permit: Permit,
        must: &[bool],
        few: usize,
        barred: Vec<usize>,
        cap: usize,
    ) -> Option<Pins> {
        let doc: &Doc<'_> = self.price.doc;
        let weigh = self.price.weigh(value);
        let colon = weigh.literal(self.price.colon());
        let few = few.min(must.len());
        let mut weight = weigh.literal("{}");
        let comma = weigh.literal(self.price.comma());
        let (mut pins, mut free): (Vec<Pin>, Vec<Pin>) = (Vec::new(), Vec::new());
        for (at, member) in doc.members(value).enumerate() {
            let must = must[at];
            if !must && (few == 0 || barred.contains(&at)) {
                continue;
            }
            let too_long = member.key.len() > self.shape.key_bytes;
            let key_end = member.key_start + member.key.len() + 2;
            let head = colon + self.price.span(member.key_start, key_end, 0, weigh);
            let below = self.member_permit(permit, member.key, &member.value);
            let left = cap.saturating_sub(weight + head);
            let least = self.least(Some(member.key), &member.value, below, left, true);
            let pin = Pin { at, weight: (head + least).min(IMPOSSIBLE) };
            if must {
                weight += pin.weight + if pins.is_empty() { 0 } else { comma };
                if too_long || weight > cap {
                    return None;
                }
                pins.push(pin);
            } else if !too_long {
                free.push(pin);
            }
        }
        // So many must stay, whichever: the lightest.
        let order = sorted(free.len(), &|a, b| free[a].weight.cmp(&free[b].weight));
        for at in order.into_iter().take(few.saturating_sub(pins.len())) {
            weight += free[at].weight + if pins.is_empty() { 0 } else { comma };
            pins.push(free[at]);
        }
        let order = sorted(pins.len(), &|a, b| pins[a].at.cmp(&pins[b].at));
        let enough = pins.len() >= few && pins.len() <= self.shape.map_keys && weight <= cap;
        let pins = order.into_iter().map(|at| pins[at]).collect();
        enough.then_some(Pins { pins, barred })
    }
}
