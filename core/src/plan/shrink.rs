//! Shrinks one tree of structured data into a room.
//!
//! Lists lose trailing items, the first one stays; the fields of an object
//! share its room, the small ones whole; strings keep their head. Where keys
//! and small members alone are over the room, members go from the end.

use alloc::string::String;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use crate::json::escape::escape;
use crate::json::pointer::{Pointer, decode_body};
use crate::json::walk::{Doc, Sort, Value};
use crate::limit::Limits;
use crate::plan::account::{Account, BudgetKind, Cut, CutKind};
use crate::plan::flatten::{Outer, flatten};
use crate::plan::price::{Price, Weigh};
use crate::plan::script::{Mark, Script};
use crate::plan::share::{Need, level};
use crate::settings::WireProfile;
use crate::plan::strings::{
    SHORT_BYTES, base64_marker, is_base64, looks_like_json, may_shorten,
    string_marker,
};
use crate::text::{Keep, cut, is_prose};

/// Which cuts are legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rules {
    /// Every cut.
    Any,
    /// No key is dropped, and of strings only prose is shortened.
    KeepKeys,
}

/// The shape limits in force; `usize::MAX` where one is off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    pub(crate) list_items: usize,
    pub(crate) map_keys: usize,
    pub(crate) string_bytes: usize,
    pub(crate) key_bytes: usize,
    pub(crate) item_bytes: usize,
}

impl Shape {
    pub(crate) fn of(limits: &Limits) -> Self {
        let off = |limit: Option<u32>| limit.map_or(usize::MAX, |value| value as usize);
        Shape {
            list_items: off(limits.max_list_items),
            map_keys: off(limits.max_map_keys),
            string_bytes: off(limits.max_string_bytes),
            key_bytes: off(limits.max_key_bytes),
            item_bytes: off(limits.max_item_bytes),
        }
    }

    /// The shape of JSON that stands in a text: nothing is limited there.
    pub(crate) fn of_text() -> Self {
        Shape {
            list_items: usize::MAX,
            map_keys: usize::MAX,
            string_bytes: usize::MAX,
            key_bytes: usize::MAX,
            item_bytes: usize::MAX,
        }
    }

    /// Whether nothing in a value of `len` bytes can be over any of these.
    pub(crate) fn admits(&self, len: usize) -> bool {
        len / 2 <= self.list_items
            && len / 4 <= self.map_keys
            && len <= self.string_bytes
            && len <= self.key_bytes
            && len <= self.item_bytes
    }
}

/// Least weight of what can not be cut to anything.
const IMPOSSIBLE: usize = usize::MAX / 4;

/// What shrinks one tree.
pub(crate) struct Shrink<'d> {
    pub(crate) price: Price<'d>,
    pub(crate) rules: Rules,
    pub(crate) shape: Shape,
    pub(crate) script: Script,
    pub(crate) pointer: Pointer<'d>,
    /// Where the document stands in the result, when it is JSON in a text.
    pub(crate) outer: Option<Outer>,
    pub(crate) account: Account,
    /// Weight set aside for a first member of ours in the root object.
    pub(crate) lead: usize,
    /// Where the twin's pieces stand.
    pub(crate) twin_marks: Option<(Mark, Mark)>,
    /// Where each item of the twin stands, for a twin that is a list.
    pub(crate) item_marks: Option<Vec<(Mark, Mark)>>,
    /// Weight of what carries one item of such a twin elsewhere.
    pub(crate) item_shell: usize,
    /// Natural weights of containers that may be over a shape limit, by the
    /// offset of their start.
    naturals: BTreeMap<usize, usize>,
    /// Least weights of containers: the weight, or what it is over.
    leasts: BTreeMap<usize, Result<usize, usize>>,
}

impl<'d> Shrink<'d> {
    pub(crate) fn new(
        price: Price<'d>,
        rules: Rules,
        shape: Shape,
        pointer: Pointer<'d>,
        account: Account,
    ) -> Self {
        Shrink {
            price,
            rules,
            shape,
            script: Script::default(),
            pointer,
            outer: None,
            account,
            lead: 0,
            twin_marks: None,
            item_marks: None,
            item_shell: 0,
            naturals: BTreeMap::new(),
            leasts: BTreeMap::new(),
        }
    }

    fn doc(&self) -> &'d Doc<'d> {
        self.price.doc
    }

    fn clean(&self, value: &Value) -> bool {
        self.shape.admits(value.end - value.start)
    }

    /// Weight of `value` under the shape limits alone; an upper bound of what
    /// shrinking it to that weight gives.
    pub(crate) fn natural(&mut self, value: &Value) -> usize {
        let shells = if self.item_marks.is_some() && self.price.is_twin(value) {
            self.item_shell * self.doc().children_items(value)
        } else {
            0
        };
        let whole = self.price.value(value) + shells;
        if self.clean(value) {
            return whole;
        }
        let weigh = self.price.weigh(value);
        match self.price.doc.sort(value) {
            Sort::Number | Sort::Literal => whole,
            Sort::String => {
                let body = value.end - value.start - 2;
                if body <= self.shape.string_bytes {
                    whole
                } else {
                    let end = value.start + 1 + self.shape.string_bytes;
                    self.price.span(value.start, end, 0, weigh) + weigh.literal("\"")
                }
            }
            Sort::Array | Sort::Object => {
                if let Some(known) = self.naturals.get(&value.start) {
                    return *known;
                }
                let weight = self.natural_container(value, weigh) + shells;
                self.naturals.insert(value.start, weight);
                weight
            }
        }
    }

    fn natural_container(&mut self, value: &Value, weigh: Weigh) -> usize {
        let doc = self.doc();
        let comma = weigh.literal(self.price.comma());
        let mut weight = weigh.literal("[]");
        if doc.sort(value) == Sort::Array {
            for (at, item) in doc.items(value).enumerate().take(self.shape.list_items) {
                weight += usize::from(at > 0) * comma
                    + self.natural(&item).min(self.item_room(weigh));
            }
        } else {
            let colon = weigh.literal(self.price.colon());
            for (at, member) in doc.members(value).enumerate().take(self.shape.map_keys) {
                if member.key.len() > self.shape.key_bytes {
                    continue;
                }
                let key_end = member.key_start + member.key.len() + 2;
                weight += usize::from(at > 0) * comma
                    + self.price.span(member.key_start, key_end, 0, weigh)
                    + colon
                    + self.natural(&member.value);
            }
        }
        weight
    }

    /// The room of one list item under its own limit.
    fn item_room(&self, weigh: Weigh) -> usize {
        self.shape.item_bytes.saturating_mul(weigh.copies)
    }

    /// The least weight to which `value` can be shrunk; anything over `cap`
    /// may be told as any number over it. `tight` lets containers go empty.
    pub(crate) fn least(
        &mut self,
        key: Option<&str>,
        value: &Value,
        cap: usize,
        tight: bool,
    ) -> usize {
        let whole = self.natural(value);
        let weigh = self.price.weigh(value);
        if whole <= SHORT_BYTES && self.clean(value) {
            return whole;
        }
        let doc = self.doc();
        match doc.sort(value) {
            Sort::Number | Sort::Literal => whole,
            Sort::String if self.may_shorten(key, value) => {
                whole.min(weigh.literal("\"\"") + weigh.copies * (SHORT_BYTES - 2))
            }
            Sort::String => whole,
            Sort::Array | Sort::Object if tight => whole.min(weigh.literal("[]")),
            Sort::Array | Sort::Object => {
                match self.leasts.get(&value.start) {
                    Some(Ok(known)) => return *known,
                    Some(Err(over)) if cap <= *over => return over + 1,
                    Some(Err(_)) | None => {}
                }
                let least = if doc.sort(value) == Sort::Object {
                    self.least_object(value, cap)
                } else {
                    self.least_array(value, cap)
                };
                let least = if least < IMPOSSIBLE { least.min(whole) } else { least };
                self.leasts.insert(value.start, if least > cap { Err(cap) } else { Ok(least) });
                least
            }
        }
    }

    fn least_array(&mut self, value: &Value, cap: usize) -> usize {
        let weigh = self.price.weigh(value);
        let first = match self.doc().items(value).next() {
            Some(item) => {
                let least = self.least(None, &item, cap, false);
                if least > self.item_room(weigh) { IMPOSSIBLE } else { least }
            }
            None => 0,
        };
        weigh.literal("[]") + first + self.item_shell
    }

    fn least_object(&mut self, value: &Value, cap: usize) -> usize {
        let doc = self.doc();
        let weigh = self.price.weigh(value);
        let (comma, colon) =
            (weigh.literal(self.price.comma()), weigh.literal(self.price.colon()));
        let mut weight = weigh.literal("{}");
        if self.rules == Rules::KeepKeys && doc.children_items(value) > self.shape.map_keys {
            return IMPOSSIBLE;
        }
        for (at, member) in doc.members(value).enumerate().take(self.shape.map_keys) {
            if member.key.len() > self.shape.key_bytes {
                if self.rules == Rules::KeepKeys {
                    return IMPOSSIBLE;
                }
                continue;
            }
            let key_end = member.key_start + member.key.len() + 2;
            weight += usize::from(at > 0) * comma
                + self.price.span(member.key_start, key_end, 0, weigh)
                + colon;
            if weight > cap {
                return weight;
            }
            weight += self.least(Some(member.key), &member.value, cap - weight, false);
            if weight > cap {
                return weight;
            }
        }
        weight
    }

    /// Whether a string may be shortened here.
    fn may_shorten(&self, key: Option<&str>, value: &Value) -> bool {
        let body = self.doc().body(value);
        if body.len() > self.shape.string_bytes {
            return true;
        }
        match self.rules {
            Rules::Any => may_shorten(key, body),
            Rules::KeepKeys if self.price.is_twin(value) => body.len() > SHORT_BYTES,
            Rules::KeepKeys => {
                may_shorten(key, body) && !looks_like_json(body) && is_prose(body)
            }
        }
    }

    /// Writes `value` into `room`, which is at least its least weight, and
    /// tells the weight written.
    pub(crate) fn shrink(
        &mut self,
        key: Option<&'d str>,
        value: &Value,
        room: usize,
        depth: usize,
    ) -> usize {
        if !self.price.is_twin(value) {
            return self.shrink_value(key, value, room, depth);
        }
        let from = self.script.mark();
        let weight = self.shrink_value(key, value, room, depth);
        let to = self.script.mark();
        self.twin_marks = Some((from, to));
        weight
    }

    fn shrink_value(
        &mut self,
        key: Option<&'d str>,
        value: &Value,
        room: usize,
        depth: usize,
    ) -> usize {
        let whole = self.price.value(value);
        let marks_items = self.item_marks.is_some() && self.price.is_twin(value);
        if whole <= room
            && self.clean(value)
            && !self.price.holds_twin(value)
            && !marks_items
            && (self.lead == 0 || !self.pointer_is_root())
        {
            self.script.span(value.start, value.end, self.strip(value));
            return whole;
        }
        match self.doc().sort(value) {
            Sort::Number | Sort::Literal => {
                self.script.span(value.start, value.end, false);
                whole
            }
            Sort::String => self.string(key, value, room, depth),
            Sort::Array => self.array(value, room, depth),
            Sort::Object => self.object(value, room, depth),
        }
    }

    fn pointer_is_root(&self) -> bool {
        // The tree's root stands one step below the result: at its own key.
        self.pointer.len() <= 1 && self.outer.is_none()
    }

    fn strip(&self, value: &Value) -> bool {
        !self.price.spaced && value.space_bytes > 0
    }

    fn record(&mut self, kind: CutKind, kept: usize, of: usize, weight: usize, gone: Vec<String>) {
        if !self.account.lists_more() {
            self.account.count(kind, of - kept);
            return;
        }
        let (path, within) = self.place();
        self.account.cut(Cut { path, within, kind, kept, of, gone, weight });
    }

    fn place(&self) -> (String, Option<String>) {
        match &self.outer {
            None => (self.pointer.render(), None),
            Some((path, within)) => {
                let mut inner = within.clone();
                inner.push_str(&self.pointer.render());
                (path.clone(), Some(inner))
            }
        }
    }

    fn array(&mut self, value: &Value, room: usize, depth: usize) -> usize {
        let doc = self.doc();
        let weigh = self.price.weigh(value);
        let brackets = weigh.literal("[]");
        let comma = weigh.literal(self.price.comma());
        let available = room.saturating_sub(brackets);
        let item_room = self.item_room(weigh);
        let marked = self.item_marks.is_some() && self.price.is_twin(value);
        let shell = if marked { self.item_shell } else { 0 };
        // What stays: whole items up to the first that does not fit; one that
        // could fit nowhere is shortened, and others may follow it.
        let (mut used, mut kept) = (0, 0);
        let mut big: Option<(usize, usize)> = None;
        for (at, item) in doc.items(value).enumerate() {
            if at == self.shape.list_items {
                self.account.fire(BudgetKind::ListItems);
                break;
            }
            let before = shell + if at > 0 { comma } else { 0 };
            let mut whole = self.natural(&item);
            if !self.clean(&item) {
                // What no legal cut brings under its limits ends the list.
                let tight = self.rules == Rules::Any;
                let least = self.least(None, &item, item_room.min(IMPOSSIBLE - 1), tight);
                if least > item_room || least >= IMPOSSIBLE {
                    self.account.fire(BudgetKind::ItemBytes);
                    break;
                }
                whole = whole.min(item_room);
            }
            if used + before + whole <= available {
                used += before + whole;
                kept += 1;
                continue;
            }
            let Some(left) = available.checked_sub(used + before) else { break };
            if big.is_none() && (at == 0 || whole > available) {
                let mut least = self.least(None, &item, left, false);
                if least > left && at == 0 && self.rules == Rules::Any {
                    least = self.least(None, &item, left, true);
                }
                if least <= left.min(item_room) {
                    let set_aside = least.max(available / 4).min(left);
                    big = Some((at, set_aside));
                    used += before + set_aside;
                    kept += 1;
                    continue;
                }
            } else if big.is_none() && left >= SHORT_BYTES && left.saturating_mul(3) >= whole {
                // The next item, shortened, into a gap worth filling; without
                // some of its keys only where the gap is a quarter of all.
                let tight = self.rules == Rules::Any && left.saturating_mul(4) >= available;
                if self.least(None, &item, left, tight) <= left {
                    big = Some((at, left));
                    used += before + left;
                    kept += 1;
                }
            }
            break;
        }
        if let Some((_, set_aside)) = &mut big {
            *set_aside = (*set_aside + available - used).min(item_room);
        }
        let total = doc.children_items(value);
        let mut weight = brackets;
        let mut last_end = None;
        self.script.text("[");
        for (at, item) in doc.items(value).enumerate().take(kept) {
            weight += shell + if at > 0 { comma } else { 0 };
            let room = match big {
                Some((big, room)) if big == at => room,
                _ => usize::MAX,
            };
            let whole = self.price.value(&item);
            if !marked && whole <= room.min(item_room) && self.clean(&item) {
                let strip = self.strip(&item);
                self.script.next_span(last_end, self.price.comma(), item.start, item.end, strip);
                weight += whole;
            } else {
                if at > 0 {
                    self.script.text(self.price.comma());
                }
                let room = room.min(self.natural(&item)).min(item_room);
                if whole > item_room {
                    self.account.fire(BudgetKind::ItemBytes);
                }
                self.pointer.push_index(at);
                let from = self.script.mark();
                weight += self.shrink(None, &item, room, depth + 1);
                let to = self.script.mark();
                if let (true, Some(marks)) = (marked, &mut self.item_marks) {
                    marks.push((from, to));
                }
                self.pointer.pop();
            }
            last_end = Some(item.end);
        }
        self.script.text("]");
        if kept < total {
            let lost = self.price.value(value).saturating_sub(weight);
            self.record(CutKind::ListItems, kept, total, lost, Vec::new());
        }
        weight
    }

    fn object(&mut self, value: &Value, room: usize, depth: usize) -> usize {
        let doc = self.doc();
        let weigh = self.price.weigh(value);
        let (comma, colon) =
            (weigh.literal(self.price.comma()), weigh.literal(self.price.colon()));
        let braces = weigh.literal("{}");
        let lead = if self.pointer_is_root() { self.lead } else { 0 };
        let tight = self.rules == Rules::Any && self.least_object(value, room) + lead > room;
        let available = room.saturating_sub(braces + lead);
        let decent = (available / 16).clamp(48 * weigh.copies, 512 * weigh.copies);
        // What stays: every member, sharing the room; when tight, members go
        // from the end.
        let (mut fixed, mut seen, mut kept) = (0, 0, 0);
        let mut needs: Vec<(usize, Need)> = Vec::new();
        for member in doc.members(value) {
            if seen == self.shape.map_keys {
                self.account.fire(BudgetKind::MapKeys);
                break;
            }
            if member.key.len() > self.shape.key_bytes {
                self.account.fire(BudgetKind::KeyBytes);
                seen += 1;
                continue;
            }
            let key_end = member.key_start + member.key.len() + 2;
            let head = if kept > 0 { comma } else { 0 }
                + self.price.span(member.key_start, key_end, 0, weigh)
                + colon;
            let whole = self.natural(&member.value);
            let cap = available.saturating_sub(fixed + head);
            let mut least = self.least(Some(member.key), &member.value, cap, tight);
            if tight {
                least = least.max(decent).min(whole);
                let others: usize = needs.iter().map(|(_, need)| need.least).sum();
                if fixed + others + head + least > available {
                    break;
                }
            }
            fixed += head;
            if least >= whole {
                fixed += whole;
            } else {
                needs.push((seen, Need { least, whole }));
            }
            seen += 1;
            kept += 1;
        }
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
        let lists = self.account.lists_more() && self.outer.is_none();
        for (at, member) in doc.members(value).enumerate() {
            let stays = at < seen && member.key.len() <= self.shape.key_bytes;
            if stays && written == 0 && lead > 0 {
                self.script.text(self.price.comma());
            }
            if !stays {
                // What comes next is not joined over the gap.
                self.script.mark();
                if gone.len() == 32 || !lists {
                    if at >= seen {
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
                self.script.next_span(last_end, self.price.comma(), member.key_start, key_end, false);
                self.script.text(self.price.colon());
                self.pointer.push_key(member.key);
                let room = member_room.unwrap_or_else(|| self.natural(&member.value));
                let taken = self.shrink(Some(member.key), &member.value, room, depth + 1);
                weight += taken;
                spare += room.saturating_sub(taken);
                self.pointer.pop();
            }
            last_end = Some(member.value.end);
            written += 1;
        }
        self.script.text("}");
        let total = doc.children_items(value);
        if written < total {
            let lost = self.price.value(value).saturating_sub(weight);
            self.record(CutKind::MapKeys, written, total, lost, gone);
        }
        weight
    }

    fn string(&mut self, key: Option<&'d str>, value: &Value, room: usize, depth: usize) -> usize {
        let doc = self.doc();
        let weigh = self.price.weigh(value);
        let whole = self.price.value(value);
        let body = doc.body(value);
        let limit = self.shape.string_bytes;
        if body.len() > limit {
            self.account.fire(BudgetKind::StringBytes);
        } else if whole <= room || !self.may_shorten(key, value) {
            self.script.span(value.start, value.end, false);
            return whole;
        }
        let quotes = weigh.literal("\"\"");
        let inner = room.saturating_sub(quotes);
        if looks_like_json(body) && body.len() >= 128 {
            if let Some(weight) = self.json_in_string(body, inner.min(limit.saturating_mul(weigh.copies)), weigh, depth) {
                return quotes + weight;
            }
        }
        if is_base64(body) {
            let marker = base64_marker(body.len());
            self.record(CutKind::Binary, 0, body.len(), whole, Vec::new());
            self.script.text("\"");
            self.script.text(&marker);
            self.script.text("\"");
            return quotes + weigh.literal(&marker);
        }
        let marker_most = string_marker(body.len(), body.len()).len();
        let room_body = inner.saturating_sub(weigh.copies * marker_most);
        let start = value.start + 1;
        let plain = self
            .price
            .prefix(start, value.end - 1, room_body, weigh)
            .min(limit.saturating_sub(marker_most));
        let kept = cut(body, plain, Keep::Head).head_end;
        let marker = string_marker(kept, body.len());
        self.record(CutKind::String, kept, body.len(), whole, Vec::new());
        self.script.span(value.start, start + kept, false);
        self.script.text(&marker);
        self.script.text("\"");
        quotes + self.price.span(start, start + kept, 0, weigh) + weigh.literal(&marker)
    }

    /// Cuts a string whose text is JSON, so that it stays JSON. `None` where
    /// it is none after all.
    fn json_in_string(
        &mut self,
        body: &str,
        room: usize,
        weigh: Weigh,
        depth: usize,
    ) -> Option<usize> {
        let text = decode_body(body);
        let nested = Doc::new(&text, 65).ok()?;
        let outer = self.place();
        let outer = (outer.0, outer.1.unwrap_or_default());
        let profile = self.price.profile;
        let account = core::mem::take(&mut self.account);
        let nest = Nest { outer, weigh: weigh.nested(), profile, depth: depth + 1 };
        let (written, account) = shrink_text(&nested, nest, room, account);
        self.account = account;
        let written = written?;
        // A document inside a text is plain text still: the profile's own
        // escapes are written once, at the outermost string.
        let plain = if self.outer.is_some() { WireProfile::Utf8Compact } else { profile };
        let mut encoded = String::from("\"");
        escape(&mut encoded, &written.0, plain);
        encoded.push('"');
        self.script.text(&encoded);
        Some(written.1)
    }
}

/// How a JSON text stands in a string.
pub(crate) struct Nest {
    pub(crate) outer: Outer,
    pub(crate) weigh: Weigh,
    pub(crate) profile: WireProfile,
    /// Containers around it that are being walked.
    pub(crate) depth: usize,
}

/// Containers that are walked inside one another, texts in texts included.
const DEPTH_MAX: usize = 127;

/// Shrinks a JSON text that stands in a string: the text, and its weight
/// there. `None` where even its least does not fit.
pub(crate) fn shrink_text(
    nested: &Doc<'_>,
    nest: Nest,
    room: usize,
    mut account: Account,
) -> (Option<(String, usize)>, Account) {
    let levels = DEPTH_MAX - nest.depth.min(DEPTH_MAX);
    if levels < 4 {
        return (None, account);
    }
    if nested.index.depth as usize > levels {
        let flat = flatten(nested, &nested.root(), levels, "", Some(&nest.outer), &mut account);
        return match Doc::new(&flat, 65) {
            Ok(doc) => shrink_text(&doc, nest, room, account),
            Err(_) => (None, account),
        };
    }
    let price = Price::new(nested, false, nest.profile, nest.weigh, None);
    let mut shrink = Shrink::new(price, Rules::Any, Shape::of_text(), Pointer::new(), account);
    shrink.outer = Some(nest.outer);
    let root = nested.root();
    if shrink.least(None, &root, room, true) > room {
        return (None, shrink.account);
    }
    let from = shrink.script.mark();
    let weight = shrink.shrink(None, &root, room, nest.depth + 1);
    let to = shrink.script.mark();
    let mut text = String::new();
    shrink.script.write(from, to, nested.text, "", &mut text);
    (Some((text, weight)), shrink.account)
}
