//! Shrinks one tree of structured data into a room.
//!
//! Lists lose trailing items, the first one stays; the fields of an object
//! share its room, the small ones whole; strings keep their head. Where keys
//! and small members alone are over the room, members go from the end.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use crate::json::pointer::Pointer;
use crate::json::walk::{Doc, Sort, Value};
use crate::plan::account::{Account, BudgetKind, Cut, CutKind};
use crate::plan::flatten::Outer;
use crate::plan::price::Price;
use crate::plan::script::{Mark, Script};
use crate::plan::shape::{Rules, Shape};
use crate::plan::strings::SHORT_BYTES;
use crate::plan::weight::IMPOSSIBLE;
use crate::schema::{Permit, Permits};

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
    /// Items of such a twin that there is place for elsewhere.
    pub(crate) item_most: usize,
    /// Weight of what carries one item of such a twin elsewhere.
    pub(crate) item_shell: usize,
    /// Strings for which something else is written: where each starts, and what.
    pub(crate) copies: Vec<(usize, String)>,
    /// Values that were planned as trees in vain.
    pub(super) tree_misses: usize,
    /// A remark of ours may stand in the nodes of the tree at hand.
    pub(super) remarks: bool,
    /// Natural weights of containers that may be over a shape limit, by the
    /// offset of their start.
    pub(super) naturals: BTreeMap<usize, usize>,
    /// Least weights of containers: the weight, or what it is over.
    pub(super) leasts: BTreeMap<usize, Result<usize, usize>>,
    /// The same where they go as empty as their schema lets them.
    pub(super) tights: BTreeMap<usize, Result<usize, usize>>,
    /// What the output schema permits, where one is given.
    pub(crate) permits: Option<Permits<'d>>,
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
            item_most: usize::MAX,
            item_shell: 0,
            copies: Vec::new(),
            tree_misses: 0,
            remarks: false,
            naturals: BTreeMap::new(),
            leasts: BTreeMap::new(),
            tights: BTreeMap::new(),
            permits: None,
        }
    }

    pub(super) fn doc(&self) -> &'d Doc<'d> {
        self.price.doc
    }

    pub(super) fn clean(&self, value: &Value) -> bool {
        let next = self.copies.partition_point(|(start, _)| *start < value.start);
        self.shape.admits(value.end - value.start)
            && self.copies.get(next).is_none_or(|(start, _)| *start >= value.end)
    }

    /// What is written for `value`, where it is a copy.
    pub(super) fn copy(&self, value: &Value, permit: Permit) -> Option<&str> {
        if self.copies.is_empty() || !self.may_replace(permit) {
            return None;
        }
        let at = self.copies.binary_search_by(|(start, _)| start.cmp(&value.start)).ok()?;
        self.copies.get(at).map(|(_, text)| text.as_str())
    }

    /// Writes `value` into `room`, which is at least its least weight, and
    /// tells the weight written.
    pub(crate) fn shrink(
        &mut self,
        key: Option<&'d str>,
        value: &Value,
        permit: Permit,
        room: usize,
        depth: usize,
    ) -> usize {
        if !self.price.is_twin(value) {
            return self.shrink_value(key, value, permit, room, depth);
        }
        let from = self.script.mark();
        let weight = self.shrink_value(key, value, permit, room, depth);
        let to = self.script.mark();
        self.twin_marks = Some((from, to));
        weight
    }

    fn shrink_value(
        &mut self,
        key: Option<&'d str>,
        value: &Value,
        permit: Permit,
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
        if permit == Permit::WHOLE && !self.price.holds_twin(value) && !marks_items {
            self.script.span(value.start, value.end, self.strip(value));
            return whole;
        }
        if whole > room
            && self.clean(value)
            && !self.price.holds_twin(value)
            && !marks_items
            && let Some(weight) = self.tree(value, permit, room)
        {
            return weight;
        }
        match self.doc().sort(value) {
            Sort::Number | Sort::Literal => {
                self.script.span(value.start, value.end, false);
                whole
            }
            Sort::String => self.string(key, value, permit, room, depth),
            Sort::Array => self.array(value, permit, room, depth),
            Sort::Object => self.object(value, permit, room, depth),
        }
    }

    pub(super) fn pointer_is_root(&self) -> bool {
        // The tree's root stands one step below the result: at its own key.
        self.pointer.len() <= 1 && self.outer.is_none()
    }

    pub(super) fn strip(&self, value: &Value) -> bool {
        !self.price.spaced && value.space_bytes > 0
    }

    pub(super) fn record(
        &mut self,
        kind: CutKind,
        kept: usize,
        of: usize,
        weight: usize,
        gone: Vec<String>,
    ) {
        if !self.account.lists_more() {
            self.account.count(kind, of - kept);
            return;
        }
        let (path, within) = self.place();
        self.account.cut(Cut { path, within, kind, kept, of, gone, weight });
    }

    pub(super) fn place(&self) -> (String, Option<String>) {
        match &self.outer {
            None => (self.pointer.render(), None),
            Some((path, within)) => {
                let mut inner = within.clone();
                inner.push_str(&self.pointer.render());
                (path.clone(), Some(inner))
            }
        }
    }

    pub(super) fn array(
        &mut self,
        value: &Value,
        permit: Permit,
        room: usize,
        depth: usize,
    ) -> usize {
        let doc = self.doc();
        let weigh = self.price.weigh(value);
        let brackets = weigh.literal("[]");
        let comma = weigh.literal(self.price.comma());
        let available = room.saturating_sub(brackets);
        let item_room = self.item_room(weigh);
        let marked = self.item_marks.is_some() && self.price.is_twin(value);
        let shell = if marked { self.item_shell } else { 0 };
        let may_empty = self.rules.may_empty();
        let shares = self.shares(value, permit, available);
        // What stays: whole items up to the first that does not fit; one that
        // could fit nowhere is shortened, and others may follow it.
        let (mut used, mut kept) = (0, 0);
        let mut big: Option<(usize, usize)> = None;
        kept += shares.len();
        for (at, item) in doc.items(value).enumerate().skip_while(|_| !shares.is_empty()) {
            if at == self.shape.list_items {
                self.account.fire(BudgetKind::ListItems);
                break;
            }
            if marked && at == self.item_most {
                self.account.fire(BudgetKind::ContentBlocks);
                break;
            }
            let before = shell + if at > 0 { comma } else { 0 };
            let clean = self.clean(&item);
            let mut whole = self.price.value(&item);
            if clean && used + before + whole <= available {
                used += before + whole;
                kept += 1;
                continue;
            }
            let below = self.item_permit(permit, at, &item);
            if !clean {
                whole = self.natural(&item, below);
                // What no legal cut brings under its limits ends the list.
                let most = item_room.min(IMPOSSIBLE - 1);
                let least = self.least(None, &item, below, most, may_empty);
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
            let item_room = if clean { usize::MAX } else { item_room };
            if big.is_none() && (at == 0 || whole > available) {
                let mut least = self.least(None, &item, below, left, false);
                if least > left && at == 0 && may_empty {
                    least = self.least(None, &item, below, left, true);
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
                let tight = may_empty && left.saturating_mul(4) >= available;
                if self.least(None, &item, below, left, tight) <= left {
                    big = Some((at, left));
                    used += before + left;
                    kept += 1;
                }
            }
            break;
        }
        if let Some((_, set_aside)) = &mut big {
            *set_aside += available - used;
        }
        let total = doc.children_items(value);
        let mut weight = brackets;
        let mut last_end = None;
        self.script.text("[");
        for (at, item) in doc.items(value).enumerate().take(kept) {
            weight += shell + if at > 0 { comma } else { 0 };
            let room = match (big, shares.get(at)) {
                (Some((big, room)), _) if big == at => room,
                (_, Some(room)) => *room,
                _ => usize::MAX,
            };
            let whole = self.price.value(&item);
            let clean = self.clean(&item);
            if !marked && whole <= room && clean {
                let strip = self.strip(&item);
                self.script.next_span(last_end, self.price.comma(), item.start, item.end, strip);
                weight += whole;
            } else {
                if at > 0 {
                    self.script.text(self.price.comma());
                }
                let below = self.item_permit(permit, at, &item);
                let mut room = room.min(self.natural(&item, below));
                if !clean {
                    room = room.min(item_room);
                }
                if !clean && whole > item_room {
                    self.account.fire(BudgetKind::ItemBytes);
                }
                self.pointer.push_index(at);
                let from = self.script.mark();
                weight += self.shrink(None, &item, below, room, depth + 1);
                let to = self.script.mark();
                if let (true, Some(marks)) = (marked, &mut self.item_marks) {
                    marks.push((from, to));
                }
                self.pointer.pop();
            }
            last_end = Some(item.end);
        }
        let marker =
            if kept == 0 && !marked { self.emptied(value, total, "items", room) } else { None };
        self.close("]", marker.as_deref());
        if let Some(marker) = &marker {
            weight = weigh.literal(marker);
        }
        if kept < total {
            let lost = self.price.value(value).saturating_sub(weight);
            self.record(CutKind::ListItems, kept, total, lost, Vec::new());
        }
        weight
    }
}
