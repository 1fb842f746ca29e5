//! What a value weighs under the shape limits, and the least to which it can
//! be shrunk. Both are remembered, so that every value is weighed once.

use crate::json::walk::{Sort, Value};
use crate::plan::price::Weigh;
use crate::plan::shape::Rules;
use crate::plan::shrink::Shrink;
use crate::plan::strings::SHORT_BYTES;

/// Least weight of what can not be cut to anything.
pub(crate) const IMPOSSIBLE: usize = usize::MAX / 4;

impl Shrink<'_> {
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
            Sort::String if self.copy(value).is_some() => {
                self.copy(value).map_or(whole, |text| weigh.literal(text))
            }
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
                weight +=
                    usize::from(at > 0) * comma + self.natural(&item).min(self.item_room(weigh));
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
    pub(super) fn item_room(&self, weigh: Weigh) -> usize {
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
            Sort::String if self.copy(value).is_some() => whole,
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

    pub(super) fn least_object(&mut self, value: &Value, cap: usize) -> usize {
        let doc = self.doc();
        let weigh = self.price.weigh(value);
        let (comma, colon) = (weigh.literal(self.price.comma()), weigh.literal(self.price.colon()));
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
}
