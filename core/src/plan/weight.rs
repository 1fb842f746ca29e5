//! What a value weighs under the shape limits, and the least to which it can
//! be shrunk. Both are remembered, so that every value is weighed once.

use crate::json::walk::{Sort, Value};
use crate::plan::price::Weigh;
use crate::plan::shape::Rules;
use crate::plan::shrink::Shrink;
use crate::plan::strings::SHORT_BYTES;
use crate::schema::Permit;

/// Least weight of what can not be cut to anything.
pub(crate) const IMPOSSIBLE: usize = usize::MAX / 4;

impl Shrink<'_> {
    /// Weight of `value` under the shape limits alone; an upper bound of what
    /// shrinking it to that weight gives.
    pub(crate) fn natural(&mut self, value: &Value, permit: Permit) -> usize {
        let shells = if self.item_marks.is_some() && self.price.is_twin(value) {
            self.item_shell * self.doc().children_items(value)
        } else {
            0
        };
        let whole = self.price.value(value) + shells;
        if self.clean(value) {
            return whole;
        }
        if permit == Permit::WHOLE {
            let holds = self.shape.holds(self.price.doc, value);
            return if holds { whole } else { IMPOSSIBLE };
        }
        let weigh = self.price.weigh(value);
        match self.price.doc.sort(value) {
            Sort::Number | Sort::Literal => whole,
            Sort::String if self.copy(value, permit).is_some() => {
                self.copy(value, permit).map_or(whole, |text| weigh.literal(text))
            }
            Sort::String => {
                let body = value.end - value.start - 2;
                if body <= self.shape.string_bytes {
                    whole
                } else if !self.may_shorten(None, value, permit) {
                    IMPOSSIBLE
                } else {
                    let end = value.start + 1 + self.shape.string_bytes;
                    self.price.span(value.start, end, 0, weigh) + weigh.literal("\"")
                }
            }
            Sort::Array | Sort::Object => {
                if let Some(known) = self.naturals.get(&value.start) {
                    return *known;
                }
                let weight = self.natural_container(value, permit, weigh) + shells;
                self.naturals.insert(value.start, weight);
                weight
            }
        }
    }

    fn natural_container(&mut self, value: &Value, permit: Permit, weigh: Weigh) -> usize {
        let doc = self.doc();
        let comma = weigh.literal(self.price.comma());
        let mut weight = weigh.literal("[]");
        if doc.sort(value) == Sort::Array {
            for (at, item) in doc.items(value).enumerate().take(self.shape.list_items) {
                let natural = self.natural_item(permit, at, &item, self.item_room(weigh));
                weight = (weight + usize::from(at > 0) * comma + natural).min(IMPOSSIBLE);
            }
        } else {
            let colon = weigh.literal(self.price.colon());
            for (at, member) in doc.members(value).enumerate().take(self.shape.map_keys) {
                if member.key.len() > self.shape.key_bytes {
                    continue;
                }
                let key_end = member.key_start + member.key.len() + 2;
                let below = self.member_permit(permit, member.key, &member.value);
                let natural = self.natural(&member.value, below);
                if natural >= IMPOSSIBLE && !self.requires(permit, member.key) {
                    continue;
                }
                weight += usize::from(at > 0) * comma
                    + self.price.span(member.key_start, key_end, 0, weigh)
                    + colon;
                weight = (weight + natural).min(IMPOSSIBLE);
            }
        }
        weight
    }

    /// The same of an item of a list; its own limit holds where it is over one.
    pub(super) fn natural_item(
        &mut self,
        permit: Permit,
        at: usize,
        item: &Value,
        item_room: usize,
    ) -> usize {
        if self.clean(item) {
            return self.price.value(item);
        }
        let below = self.item_permit(permit, at, item);
        self.natural(item, below).min(item_room)
    }

    /// The room of one list item under its own limit.
    pub(super) fn item_room(&self, weigh: Weigh) -> usize {
        self.shape.item_bytes.saturating_mul(weigh.copies)
    }

    /// The least weight to which `value` can be shrunk; anything over `cap`
    /// may be told as any number over it. `tight` lets containers go empty.
    pub(crate) fn least(
        &mut self,
        key: Option<&str>,
        value: &Value,
        permit: Permit,
        cap: usize,
        tight: bool,
    ) -> usize {
        let whole = self.natural(value, permit);
        if permit == Permit::WHOLE {
            return whole;
        }
        let weigh = self.price.weigh(value);
        if whole <= SHORT_BYTES && self.clean(value) {
            return whole;
        }
        let doc = self.doc();
        match doc.sort(value) {
            Sort::Number | Sort::Literal => whole,
            Sort::String if self.copy(value, permit).is_some() => whole,
            Sort::String if self.may_shorten(key, value, permit) => {
                let given = self.rules == Rules::Given;
                let short = weigh.literal("\"\"") + weigh.copies * (SHORT_BYTES - 2);
                let short = if given && tight { 0 } else { short };
                let least = if given { self.least_text(value, permit, weigh) } else { 0 };
                whole.min(short.max(least))
            }
            Sort::String => whole,
            Sort::Array | Sort::Object if tight && permit == Permit::ANY => {
                whole.min(weigh.literal("[]"))
            }
            Sort::Array | Sort::Object if tight => self.least_given(value, permit, cap),
            Sort::Array | Sort::Object => {
                match self.leasts.get(&value.start) {
                    Some(Ok(known)) => return *known,
                    Some(Err(over)) if cap <= *over => return over + 1,
                    Some(Err(_)) | None => {}
                }
                let least = if doc.sort(value) == Sort::Object {
                    self.least_object(value, permit, cap)
                } else {
                    self.least_array(value, permit, cap)
                };
                let least = if least < IMPOSSIBLE { least.min(whole) } else { least };
                self.leasts.insert(value.start, if least > cap { Err(cap) } else { Ok(least) });
                least
            }
        }
    }

    fn least_array(&mut self, value: &Value, permit: Permit, cap: usize) -> usize {
        let weigh = self.price.weigh(value);
        if self.min_items(permit, value) > 1 {
            return self.least_items(value, permit, cap, false);
        }
        let first = match self.doc().items(value).next() {
            Some(item) => {
                let below = self.item_permit(permit, 0, &item);
                let least = self.least(None, &item, below, cap, false);
                let over = least > self.item_room(weigh) && !self.clean(&item);
                if over { IMPOSSIBLE } else { least }
            }
            None => 0,
        };
        weigh.literal("[]") + first + self.item_shell
    }

    pub(super) fn least_object(&mut self, value: &Value, permit: Permit, cap: usize) -> usize {
        let doc = self.doc();
        let weigh = self.price.weigh(value);
        let (comma, colon) = (weigh.literal(self.price.comma()), weigh.literal(self.price.colon()));
        let mut weight = weigh.literal("{}");
        let keeps_keys = self.rules != Rules::Any;
        if keeps_keys && doc.children_items(value) > self.shape.map_keys {
            return IMPOSSIBLE;
        }
        for (at, member) in doc.members(value).enumerate().take(self.shape.map_keys) {
            if member.key.len() > self.shape.key_bytes {
                if keeps_keys {
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
            let below = self.member_permit(permit, member.key, &member.value);
            weight += self.least(Some(member.key), &member.value, below, cap - weight, false);
            if weight > cap {
                return weight.min(IMPOSSIBLE);
            }
        }
        weight
    }
}
