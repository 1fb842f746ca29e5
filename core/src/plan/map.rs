//! Maps: the fields of an object share its room, the small ones whole. Where
//! keys and small members alone are over the room, members go from the end, but
//! for those that tell how to go on.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::json::pointer::decode_body;
use crate::json::walk::{Sort, Value};
use crate::plan::account::{BudgetKind, CutKind};
use crate::plan::legal::{Pin, Pins};
use crate::plan::shape::Rules;
use crate::plan::share::{Need, level};
use crate::plan::shrink::Shrink;
use crate::plan::weight::IMPOSSIBLE;
use crate::schema::Permit;

/// Members that go since they would not fit alone, at most: for each one all
/// keys are read.
const GIANTS: usize = 8;

/// Whether a key is one under which a server says how to go on.
fn tells_how_to_go_on(key: &str) -> bool {
    // Most keys are told by their ends alone.
    let mark = |byte: &&u8| !matches!(byte, b'_' | b'-');
    let (first, last) = (key.as_bytes().iter().find(mark), key.as_bytes().iter().rfind(mark));
    if !matches!(first, Some(b'n' | b'N' | b'c' | b'C'))
        && !matches!(last, Some(b'r' | b'R' | b'e' | b'E'))
    {
        return false;
    }
    let mut name = [0u8; 24];
    let mut len = 0;
    for byte in key.bytes().filter(|byte| !matches!(byte, b'_' | b'-')) {
        let Some(slot) = name.get_mut(len) else { return false };
        *slot = byte.to_ascii_lowercase();
        len += 1;
    }
    let name = name.get(..len).unwrap_or_default();
    name.starts_with(b"next")
        || name.starts_with(b"continuation")
        || name.ends_with(b"cursor")
        || name == b"hasmore"
}

impl<'d> Shrink<'d> {
    /// Whether `object` has more than one member with this key: then to drop
    /// one would show the other in its place.
    fn repeats(&self, object: &Value, key: &str) -> bool {
        let key = decode_body(key);
        self.doc().members(object).filter(|member| decode_body(member.key) == key).nth(1).is_some()
    }

    pub(super) fn object(
        &mut self,
        value: &Value,
        permit: Permit,
        room: usize,
        depth: usize,
    ) -> usize {
        let doc = self.doc();
        let weigh = self.price.weigh(value);
        let (comma, colon) = (weigh.literal(self.price.comma()), weigh.literal(self.price.colon()));
        let braces = weigh.literal("{}");
        let lead = if self.pointer_is_root() { self.lead } else { 0 };
        let tight = self.rules.may_empty() && self.least_object(value, permit, room) + lead > room;
        let available = room.saturating_sub(braces + lead);
        let decent = (available / 16).clamp(48 * weigh.copies, 512 * weigh.copies);
        // What stays: every member, sharing the room; when tight, those go that
        // would not fit alone, and then members from the end, but for those that
        // a schema requires, and those that tell how to go on.
        let given = self.rules == Rules::Given;
        let pins = if tight { self.pins(value, permit, room) } else { None };
        let Pins { pins, barred } = pins.unwrap_or_default();
        // What is set aside for members that must stay, until they are met.
        let mut held = pins.iter().map(|pin| pin.weight).sum::<usize>();
        let mut fixed = self.commas(value, pins.len());
        let spare = available.saturating_sub(held + fixed);
        let cursors =
            if tight { self.cursors(value, &pins, &barred, spare / 4) } else { Vec::new() };
        let available =
            available - cursors.iter().map(|(_, bytes)| *bytes).sum::<usize>().min(available);
        let keys_most = self.shape.map_keys - cursors.len().min(self.shape.map_keys);
        let is_cursor = |at: usize| cursors.iter().any(|(cursor, _)| *cursor == at);
        let (mut leasts, mut kept, mut free) = (0, 0, 0);
        // From here on, none stays but those that must.
        let mut stop = usize::MAX;
        let mut giants: Vec<usize> = Vec::new();
        let mut needs: Vec<(usize, Need)> = Vec::new();
        let mut pin_at = pins.iter().peekable();
        for (at, member) in doc.members(value).enumerate() {
            let pin = pin_at.next_if(|pin| pin.at == at);
            if stop < at && pin.is_none() {
                if pin_at.peek().is_none() {
                    break;
                }
                continue;
            }
            let full =
                if pins.is_empty() { at == keys_most } else { free + pins.len() >= keys_most };
            if full && pin.is_none() {
                self.account.fire(BudgetKind::MapKeys);
                stop = at;
                continue;
            }
            if is_cursor(at) {
                kept += 1;
                continue;
            }
            if member.key.len() > self.shape.key_bytes {
                self.account.fire(BudgetKind::KeyBytes);
                continue;
            }
            if barred.contains(&at) {
                giants.push(at);
                continue;
            }
            let key_end = member.key_start + member.key.len() + 2;
            let joins = pin.is_none() && (kept > 0 || !pins.is_empty());
            let head = if joins { comma } else { 0 }
                + self.price.span(member.key_start, key_end, 0, weigh)
                + colon;
            let below = self.member_permit(permit, member.key, &member.value);
            let mut whole = self.natural(&member.value, below);
            let taken = if tight { 0 } else { fixed };
            let cap = available.saturating_sub(taken + head);
            let mut least = self.least(Some(member.key), &member.value, below, cap, tight);
            let impossible = least >= IMPOSSIBLE;
            if given {
                whole = whole.min(available);
            }
            if let Some(pin) = pin {
                held -= pin.weight;
                let room = available.saturating_sub(fixed + leasts + held + head);
                least = least.max(decent.min(room)).min(whole);
            } else if tight {
                least = least.max(decent).min(whole);
                if (head + least > available || impossible)
                    && (giants.len() < GIANTS || given)
                    && (given || !self.repeats(value, member.key))
                {
                    giants.push(at);
                    continue;
                }
                if fixed + leasts + held + head + least > available {
                    stop = at;
                    continue;
                }
            }
            fixed += head;
            if least >= whole {
                fixed += whole;
            } else {
                leasts += least;
                needs.push((at, Need { least, whole }));
            }
            kept += 1;
            free += usize::from(pin.is_none());
        }
        let is_pinned = |at: usize| pins.binary_search_by(|pin| pin.at.cmp(&at)).is_ok();
        let shares: Vec<Need> = needs.iter().map(|(_, need)| *need).collect();
        let water = level(&shares, available.saturating_sub(fixed));
        let shared: usize = shares.iter().map(|need| need.at(water)).sum();
        let mut spare = available.saturating_sub(fixed + shared);
        self.script.text("{");
        if lead > 0 {
            self.script.lead();
        }
        let (mut weight, mut last_end, mut written) = (braces + lead, None, 0);
        let mut gone: Vec<String> = Vec::new();
        let mut need_at = needs.iter().peekable();
        let mut giant_at = giants.iter().peekable();
        let lists = self.account.lists_more() && self.outer.is_none();
        let gone_most = self.account.gone_left();
        for (at, member) in doc.members(value).enumerate() {
            let stays = is_cursor(at)
                || is_pinned(at)
                || (at < stop
                    && member.key.len() <= self.shape.key_bytes
                    && giant_at.next_if_eq(&&at).is_none());
            if stays && written == 0 && lead > 0 {
                self.script.text(self.price.comma());
            }
            if !stays {
                // What comes next is not joined over the gap.
                self.script.mark();
                if gone.len() >= gone_most || !lists {
                    let last = cursors.last().is_none_or(|(last, _)| *last < at)
                        && pins.last().is_none_or(|last| last.at < at);
                    if at >= stop && last {
                        break;
                    }
                    continue;
                }
                self.pointer.push_key(member.key);
                gone.push(self.pointer.render());
                self.pointer.pop();
                continue;
            }
            let key_end = member.key_start + member.key.len() + 2;
            let head = self.price.span(member.key_start, key_end, 0, weigh) + colon;
            weight += head + if written > 0 { comma } else { 0 };
            let member_room = match need_at.peek() {
                Some((flexible, need)) if *flexible == at => {
                    need_at.next();
                    let share = (need.at(water) + spare).min(need.whole);
                    spare = spare + need.at(water) - share;
                    Some(share)
                }
                _ => None,
            };
            let whole = self.price.value(&member.value);
            let clean = self.clean(&member.value);
            let simple = clean
                && !self.price.is_twin(&member.value)
                && member_room.is_none_or(|room| whole <= room);
            let tidy = member.value.start - key_end == self.price.colon().len();
            if simple {
                let strip = self.strip(&member.value) || !tidy;
                self.script.next_span(
                    last_end,
                    self.price.comma(),
                    member.key_start,
                    member.value.end,
                    strip,
                );
                weight += whole;
                spare += member_room.map_or(0, |room| room - whole);
            } else {
                self.script.next_span(
                    last_end,
                    self.price.comma(),
                    member.key_start,
                    key_end,
                    false,
                );
                self.script.text(self.price.colon());
                self.pointer.push_key(member.key);
                let below = self.member_permit(permit, member.key, &member.value);
                let room = member_room.unwrap_or_else(|| self.natural(&member.value, below));
                let taken = self.shrink(Some(member.key), &member.value, below, room, depth + 1);
                weight += taken;
                spare += room.saturating_sub(taken);
                self.pointer.pop();
            }
            last_end = Some(member.value.end);
            written += 1;
        }
        let total = doc.children_items(value);
        let mut marker = None;
        if written == 0 && lead == 0 {
            marker = self.emptied(value, total, "keys", room);
        }
        self.close("}", marker.as_deref());
        if written < total {
            let lost = self.price.value(value).saturating_sub(weight);
            self.record(CutKind::MapKeys, written, total, lost, gone);
        }
        marker.map_or(weight, |marker| weigh.literal(&marker))
    }

    /// Members that tell how to go on, with what they weigh: a few short ones,
    /// of at most `room` together.
    fn cursors(
        &mut self,
        object: &Value,
        pins: &[Pin],
        barred: &[usize],
        room: usize,
    ) -> Vec<(usize, usize)> {
        let doc = self.doc();
        let weigh = self.price.weigh(object);
        let marks = weigh.literal(self.price.comma()) + weigh.literal(self.price.colon());
        let (mut found, mut left): (Vec<(usize, usize)>, usize) = (Vec::new(), room);
        for (at, member) in doc.members(object).enumerate() {
            if !tells_how_to_go_on(member.key) {
                continue;
            }
            let scalar = match doc.sort(&member.value) {
                Sort::String | Sort::Number | Sort::Literal => true,
                Sort::Object | Sort::Array => false,
            };
            if !scalar
                || member.key.len() > self.shape.key_bytes
                || pins.iter().any(|pin| pin.at == at)
                || barred.contains(&at)
            {
                continue;
            }
            let key_end = member.key_start + member.key.len() + 2;
            let weight = marks
                + self.price.span(member.key_start, key_end, 0, weigh)
                + self.natural(&member.value, Permit::ANY);
            if weight <= left && found.len() < 4 && !self.repeats(object, member.key) {
                left -= weight;
                found.push((at, weight));
            }
        }
        found
    }

    /// What stands for a container of which nothing is left, where a string may
    /// stand: an empty one would be taken for its value.
    pub(super) fn emptied(
        &self,
        value: &Value,
        of: usize,
        unit: &str,
        room: usize,
    ) -> Option<String> {
        // Items of a list keep their type, and so does the whole.
        let root = self.outer.is_none() && self.pointer.len() == 1;
        let member = self.pointer.ends_with_key() && !root;
        if of == 0 || self.rules != Rules::Any || !member || self.price.is_twin(value) {
            return None;
        }
        let marker = format!("\"[0 of {of} {unit}]\"");
        (self.price.weigh(value).literal(&marker) <= room).then_some(marker)
    }

    /// Closes a container, or puts a marker in place of one that is empty.
    pub(super) fn close(&mut self, bracket: &str, marker: Option<&str>) {
        match marker {
            Some(marker) => self.script.replace_last(1, marker),
            None => self.script.text(bracket),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::tells_how_to_go_on;

    #[test]
    fn keys_that_tell_how_to_go_on_are_told_with_and_without_marks_and_capitals() {
        let naive = |key: &str| {
            let name = key.replace(['_', '-'], "").to_ascii_lowercase();
            name.len() <= 24
                && (name.starts_with("next")
                    || name.starts_with("continuation")
                    || name.ends_with("cursor")
                    || name == "hasmore")
        };
        let words =
            ["next", "Cursor", "_", "-", "continuation", "has", "More", "x", "Token", "r", "e"];
        for a in words {
            for b in words {
                for c in words {
                    for key in [alloc::format!("{a}{b}{c}"), alloc::format!("{a}{b}"), a.into()] {
                        assert_eq!(tells_how_to_go_on(&key), naive(&key), "{key}");
                    }
                }
            }
        }
        assert!(!tells_how_to_go_on(""));
    }
}
