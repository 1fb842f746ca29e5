//! Which cuts are legal, and the limits on the shape of structured data.

use crate::limit::{Limits, or_off};

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
        Shape {
            list_items: or_off(limits.max_list_items),
            map_keys: or_off(limits.max_map_keys),
            string_bytes: or_off(limits.max_string_bytes),
            key_bytes: or_off(limits.max_key_bytes),
            item_bytes: or_off(limits.max_item_bytes),
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
