//! Which cuts are legal, and the limits on the shape of structured data.

use crate::envelope::size;
use crate::json::Kind;
use crate::json::scan::small_commas;
use crate::json::walk::{Doc, Sort, Value};
use crate::limit::{Limits, or_off};
use crate::settings::WireProfile;

/// Which cuts are legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rules {
    /// Every cut.
    Any,
    /// No key is dropped, and of strings only prose is shortened.
    KeepKeys,
    /// What the output schema permits; no value changes its type.
    Given,
}

impl Rules {
    /// Whether members may go and containers go empty, where nothing else
    /// fits.
    pub(crate) fn may_empty(self) -> bool {
        match self {
            Rules::Any | Rules::Given => true,
            Rules::KeepKeys => false,
        }
    }
}

/// The shape limits in force; `usize::MAX` where one is off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    pub(crate) list_items: usize,
    pub(crate) map_keys: usize,
    pub(crate) string_bytes: usize,
    pub(crate) key_bytes: usize,
    pub(crate) item_bytes: usize,
    /// White space between tokens counts: the host prints it.
    pub(crate) spaced: bool,
}

impl Shape {
    pub(crate) fn of(limits: &Limits) -> Self {
        Shape {
            list_items: or_off(limits.max_list_items),
            map_keys: or_off(limits.max_map_keys),
            string_bytes: or_off(limits.max_string_bytes),
            key_bytes: or_off(limits.max_key_bytes),
            item_bytes: or_off(limits.max_item_bytes),
            spaced: false,
        }
    }

    /// The same for a text as this host prints it.
    pub(crate) fn printed(limits: &Limits, profile: WireProfile) -> Self {
        Shape { spaced: profile == WireProfile::PythonJson, ..Shape::of(limits) }
    }

    fn item_fits(&self, item: &Value) -> bool {
        size(item, self.spaced) <= self.item_bytes
    }

    /// The shape of JSON that stands in a text: nothing is limited there.
    pub(crate) fn of_text() -> Self {
        Shape {
            list_items: usize::MAX,
            map_keys: usize::MAX,
            string_bytes: usize::MAX,
            key_bytes: usize::MAX,
            item_bytes: usize::MAX,
            spaced: false,
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

    /// The size from which on the scan should note values, so that these
    /// limits can be told from its table: at most `granularity`.
    pub(crate) fn granularity(&self, granularity: u32) -> u32 {
        let least = [self.string_bytes, self.key_bytes, self.item_bytes].into_iter().min();
        least
            .and_then(|bytes| u32::try_from(bytes).ok())
            .map_or(granularity, |bytes| granularity.min(bytes))
    }

    /// Whether `value` is within every one of these.
    pub(crate) fn holds(&self, doc: &Doc<'_>, value: &Value) -> bool {
        self.admits(value.end - value.start)
            || self.holds_by_table(doc, value).unwrap_or_else(|| self.holds_by_walk(doc, value))
    }

    /// The same, from the table alone; `None` where values without a row in it
    /// might be over a limit.
    fn holds_by_table(&self, doc: &Doc<'_>, value: &Value) -> Option<bool> {
        let index = &doc.index;
        let row = value.node?;
        let unlisted_bytes = index.granularity_bytes as usize - 1;
        let few = |commas: u32, limit: usize| (commas as usize) < limit;
        // Bytes of a string or key are told without its two quotes.
        let told = unlisted_bytes <= self.item_bytes
            && unlisted_bytes <= self.string_bytes.saturating_add(2)
            && unlisted_bytes <= self.key_bytes.saturating_add(2);
        if !told || !self.admits_unlisted(doc) {
            return None;
        }
        let first = index.nodes.get(row)?.first as usize;
        Some(index.nodes.get(first..=row)?.iter().enumerate().all(|(at, node)| {
            let body_bytes = (node.end - node.start) as usize - 2;
            match node.kind {
                Kind::String if body_bytes <= self.string_bytes.min(self.key_bytes) => true,
                Kind::String if doc.is_key(node) => body_bytes <= self.key_bytes,
                Kind::String => body_bytes <= self.string_bytes,
                Kind::Object => few(node.commas, self.map_keys),
                Kind::Array => {
                    few(node.commas, self.list_items)
                        && (self.item_bytes == usize::MAX
                            || doc.noted_children(first + at).all(|item| self.item_fits(&item)))
                }
            }
        }))
    }

    /// Whether no container without a row has too many children. As a rule it
    /// has no room for so many.
    fn admits_unlisted(&self, doc: &Doc<'_>) -> bool {
        let index = &doc.index;
        let unlisted_bytes = index.granularity_bytes as usize - 1;
        (unlisted_bytes / 2 <= self.list_items && unlisted_bytes / 5 <= self.map_keys)
            || (small_commas(doc.text, index.granularity_bytes, index.depth) as usize)
                < self.list_items.min(self.map_keys)
    }

    fn holds_by_walk(&self, doc: &Doc<'_>, value: &Value) -> bool {
        if self.admits(value.end - value.start) {
            return true;
        }
        match doc.sort(value) {
            Sort::Number | Sort::Literal => true,
            Sort::String => doc.body(value).len() <= self.string_bytes,
            Sort::Array => {
                doc.children_items(value) <= self.list_items
                    && doc
                        .items(value)
                        .all(|item| self.item_fits(&item) && self.holds_by_walk(doc, &item))
            }
            Sort::Object => {
                doc.children_items(value) <= self.map_keys
                    && doc.members(value).all(|member| {
                        member.key.len() <= self.key_bytes && self.holds_by_walk(doc, &member.value)
                    })
            }
        }
    }
}
