//! What a part of a document weighs on the wire.

use crate::json::escape::{Extra, ExtraTable, extra};
use crate::json::walk::{Doc, Value};
use crate::settings::WireProfile;

/// How often, and how deep inside strings, a part is written.
///
/// A copy at depth `k` (inside `k` strings) spells each `"` and `\` with
/// `2^k - 1` extra bytes; other extras are paid once by every copy that stands
/// inside a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Weigh {
    /// Number of copies.
    pub(crate) copies: usize,
    /// Sum of `2^k - 1` over the copies.
    pub(crate) quotes: usize,
    /// Copies inside a string.
    pub(crate) others: usize,
}

impl Weigh {
    /// Written once, as it stands.
    pub(crate) const PLAIN: Weigh = Weigh { copies: 1, quotes: 0, others: 0 };
    /// Written once, inside a string.
    pub(crate) const IN_STRING: Weigh = Weigh { copies: 1, quotes: 1, others: 1 };
    /// Written as it stands, and again inside a string.
    pub(crate) const TWICE_JSON: Weigh = Weigh { copies: 2, quotes: 1, others: 1 };
    /// Written twice as it stands.
    pub(crate) const TWICE_PLAIN: Weigh = Weigh { copies: 2, quotes: 0, others: 0 };

    /// The same one string deeper.
    pub(crate) fn nested(self) -> Weigh {
        Weigh {
            copies: self.copies,
            quotes: 2 * self.quotes + self.copies,
            // What the profile spells out may hold a backslash of its own.
            others: self.copies + self.quotes,
        }
    }

    fn of(self, len: usize, extra: Extra) -> usize {
        self.copies * len + self.quotes * extra.quotes + self.others * extra.other
    }

    fn needs_extra(self) -> bool {
        self.quotes != 0 || self.others != 0
    }

    /// The weight of a text of ours.
    pub(crate) fn literal(self, text: &str) -> usize {
        // OK because our own texts are ASCII without controls.
        self.of(text.len(), extra(text.as_bytes(), WireProfile::Utf8Compact))
    }
}

/// Prices of the parts of one document.
#[derive(Debug)]
pub(crate) struct Price<'d> {
    pub(crate) doc: &'d Doc<'d>,
    /// White space between tokens is written, not dropped (the wire profile
    /// prints it).
    pub(crate) spaced: bool,
    pub(crate) profile: WireProfile,
    base: Weigh,
    /// A part that is written more often than the rest.
    twin: Option<(Value, Weigh)>,
    table: Option<ExtraTable<'d>>,
    table_start: usize,
}

impl<'d> Price<'d> {
    pub(crate) fn new(
        doc: &'d Doc<'d>,
        spaced: bool,
        profile: WireProfile,
        base: Weigh,
        twin: Option<(Value, Weigh)>,
    ) -> Self {
        let (mut table, mut table_start) = (None, 0);
        if base.needs_extra() {
            table = Some(ExtraTable::new(doc.text, profile));
        } else if let Some((value, weigh)) = twin
            && weigh.needs_extra()
        {
            table = Some(ExtraTable::new(doc.raw(&value), profile));
            table_start = value.start;
        }
        Price { doc, spaced, profile, base, twin, table, table_start }
    }

    /// Prices of a document of which the running totals are known.
    pub(crate) fn of_text(doc: &'d Doc<'d>, table: ExtraTable<'d>, base: Weigh) -> Self {
        let profile = table.profile();
        let table = Some(table);
        Price { doc, spaced: false, profile, base, twin: None, table, table_start: 0 }
    }

    /// The twin, where `value` holds it without being it.
    pub(crate) fn holds_twin(&self, value: &Value) -> bool {
        matches!(self.twin, Some((twin, _)) if value.contains(&twin) && !twin.contains(value))
    }

    /// Whether `value` is the twin itself.
    pub(crate) fn is_twin(&self, value: &Value) -> bool {
        matches!(self.twin, Some((twin, _)) if twin.start == value.start && twin.end == value.end)
    }

    /// How the bytes of `value` are written.
    pub(crate) fn weigh(&self, value: &Value) -> Weigh {
        match self.twin {
            Some((twin, weigh)) if twin.contains(value) => weigh,
            Some(_) | None => self.base,
        }
    }

    fn extra(&self, start: usize, end: usize, weigh: Weigh) -> Extra {
        match &self.table {
            Some(table) if weigh.needs_extra() => {
                table.of(start - self.table_start, end - self.table_start)
            }
            Some(_) | None => Extra::default(),
        }
    }

    /// The weight of `start..end`, of which `space_bytes` are white space
    /// between tokens.
    pub(crate) fn span(&self, start: usize, end: usize, space_bytes: usize, weigh: Weigh) -> usize {
        let len = end - start - if self.spaced { 0 } else { space_bytes };
        weigh.of(len, self.extra(start, end, weigh))
    }

    /// The weight of a whole value.
    pub(crate) fn value(&self, value: &Value) -> usize {
        let own = self.span(value.start, value.end, value.space_bytes, self.weigh(value));
        match self.twin {
            Some((twin, weigh)) if self.holds_twin(value) => {
                own + self.span(twin.start, twin.end, twin.space_bytes, weigh)
                    - self.span(twin.start, twin.end, twin.space_bytes, self.base)
            }
            Some(_) | None => own,
        }
    }

    /// The longest prefix of `start..end` whose weight is at most `room`; not
    /// aligned to anything.
    pub(crate) fn prefix(&self, start: usize, end: usize, room: usize, weigh: Weigh) -> usize {
        if !weigh.needs_extra() {
            return (room / weigh.copies.max(1)).min(end - start);
        }
        let (mut low, mut high) = (0, (room / weigh.copies.max(1)).min(end - start));
        while low < high {
            let middle = (low + high).div_ceil(2);
            if self.span(start, start + middle, 0, weigh) <= room {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        low
    }

    /// `,` as it is printed.
    pub(crate) fn comma(&self) -> &'static str {
        if self.spaced { ", " } else { "," }
    }

    /// `:` as it is printed.
    pub(crate) fn colon(&self) -> &'static str {
        if self.spaced { ": " } else { ":" }
    }
}
