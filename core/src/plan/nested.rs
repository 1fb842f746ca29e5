//! Strings in structured data: shortened, replaced, or, where their text is
//! JSON itself, shrunk as JSON.

use alloc::string::String;
use alloc::vec::Vec;

use crate::json::escape::{ExtraTable, code_points, escape};
use crate::json::pointer::{Pointer, decode_body};
use crate::json::scan::{Index, decode_json, scan};
use crate::json::walk::{Doc, Value};
use crate::plan::account::{Account, BudgetKind, CutKind};
use crate::plan::flatten::{Outer, flatten};
use crate::plan::lift::holds_data_uri;
use crate::plan::price::{Price, Weigh};
use crate::plan::shape::{Rules, Shape};
use crate::plan::shrink::Shrink;
use crate::plan::strings::{
    SHORT_BYTES, base64_marker, is_base64, looks_like_json, may_shorten, string_marker,
};
use crate::schema::Permit;
use crate::settings::WireProfile;
use crate::text::{Keep, cut, is_prose};

impl<'d> Shrink<'d> {
    /// Whether a string may be shortened here.
    pub(super) fn may_shorten(&self, key: Option<&str>, value: &Value, permit: Permit) -> bool {
        let body = self.doc().body(value);
        if permit != Permit::ANY && !self.admits_less(value, permit) {
            return false;
        }
        if body.len() > self.shape.string_bytes {
            return true;
        }
        match self.rules {
            Rules::Any => may_shorten(key, body),
            Rules::Given if is_base64(body) && !self.may_replace(permit) => false,
            Rules::Given if self.price.is_twin(value) => body.len() > SHORT_BYTES,
            Rules::Given => may_shorten(key, body),
            Rules::KeepKeys if body.len() > SHORT_BYTES && holds_data_uri(body) => true,
            Rules::KeepKeys if self.price.is_twin(value) => body.len() > SHORT_BYTES,
            Rules::KeepKeys => may_shorten(key, body) && !looks_like_json(body) && is_prose(body),
        }
    }

    pub(super) fn string(
        &mut self,
        key: Option<&'d str>,
        value: &Value,
        permit: Permit,
        room: usize,
        depth: usize,
    ) -> usize {
        let doc = self.doc();
        let weigh = self.price.weigh(value);
        let whole = self.price.value(value);
        let body = doc.body(value);
        if let Some(text) = self.copy(value, permit).map(String::from) {
            self.record(CutKind::Binary, 0, body.len(), whole, Vec::new());
            self.script.text(&text);
            return weigh.literal(&text);
        }
        let limit = self.shape.string_bytes;
        if body.len() > limit {
            self.account.fire(BudgetKind::StringBytes);
        } else if whole <= room || !self.may_shorten(key, value, permit) {
            self.script.span(value.start, value.end, false);
            return whole;
        }
        let quotes = weigh.literal("\"\"");
        let inner = room.saturating_sub(quotes);
        let most = inner.min(limit.saturating_mul(weigh.copies));
        let text = self.text(permit).unwrap_or_default();
        if looks_like_json(body)
            && body.len() >= 128
            && text.min_chars <= LEAST_JSON.len()
            && let Some(weight) = self.json_in_string(body, text.is_bounded, most, weigh, depth)
        {
            return quotes + weight;
        }
        let may_replace = self.may_replace(permit);
        if may_replace && is_base64(body) {
            let marker = base64_marker(body.len());
            self.record(CutKind::Binary, 0, body.len(), whole, Vec::new());
            self.script.text("\"");
            self.script.text(&marker);
            self.script.text("\"");
            return quotes + weigh.literal(&marker);
        }
        if may_replace && let Some(weight) = self.lifted(body, most, weigh) {
            return quotes + weight;
        }
        let marker_most = string_marker(body.len(), body.len()).len();
        let room_body = inner.saturating_sub(weigh.copies * marker_most);
        let start = value.start + 1;
        let plain = self
            .price
            .prefix(start, value.end - 1, room_body, weigh)
            .min(limit.saturating_sub(marker_most));
        let mut kept = cut(body, plain, Keep::Head).head_end;
        if permit != Permit::ANY
            && let Some(span) = self.span(value, permit, plain)
        {
            kept = cut(body, plain.min(span.most), Keep::Head).head_end.max(span.least);
        }
        let marker = string_marker(kept, body.len());
        self.record(CutKind::String, kept, body.len(), whole, Vec::new());
        self.script.span(value.start, start + kept, false);
        self.script.text(&marker);
        self.script.text("\"");
        quotes + self.price.span(start, start + kept, 0, weigh) + weigh.literal(&marker)
    }

    /// Cuts a string whose text is JSON, so that it stays JSON. `None` where
    /// it is none after all, or it would have more code points than before and
    /// may not.
    fn json_in_string(
        &mut self,
        body: &str,
        is_bounded: bool,
        room: usize,
        weigh: Weigh,
        depth: usize,
    ) -> Option<usize> {
        let levels = DEPTH_MAX - (depth + 1).min(DEPTH_MAX);
        let (text, index) = read_text(body, room, levels)?;
        let nested = Doc { text: &text, index };
        let outer = self.place();
        let outer = (outer.0, outer.1.unwrap_or_default());
        let profile = self.price.profile;
        let before = is_bounded.then(|| self.account.clone());
        let account = core::mem::take(&mut self.account);
        let nest = Nest { outer, weigh: weigh.nested(), profile, depth: depth + 1 };
        let (written, account) = shrink_text(&nested, None, nest, room, account);
        self.account = account;
        let written = written?;
        // A document inside a text is plain text still: the profile's own
        // escapes are written once, at the outermost string.
        let plain = if self.outer.is_some() { WireProfile::Utf8Compact } else { profile };
        let mut encoded = String::from("\"");
        escape(&mut encoded, &written.0, plain);
        encoded.push('"');
        if let Some(before) = before
            && code_points(&encoded) > code_points(body) + 2
        {
            self.account = before;
            return None;
        }
        self.script.text(&encoded);
        Some(written.1)
    }
}

/// The JSON text that `body` stands for, and its index; `None` where it is no
/// JSON. White space between tokens is left out, unless more than `levels`
/// containers are nested inside one another: what is cut there is weighed as it
/// stands.
#[inline(never)]
pub(crate) fn read_text(body: &str, room: usize, levels: usize) -> Option<(String, Index)> {
    // What is smaller is of no weight in the room, and found by walking.
    let granularity = u32::try_from(room / 256).unwrap_or(u32::MAX).clamp(65, 1_024);
    if let Some(text) = decode_json(body) {
        let index = scan(&text, granularity).ok()?;
        if index.depth as usize <= levels {
            return Some((text, index));
        }
    }
    let text = decode_body(body).into_owned();
    let index = scan(&text, granularity).ok()?;
    Some((text, index))
}

/// The shortest text that is a JSON container.
const LEAST_JSON: &str = "{}";

/// How a JSON text stands in a string.
pub(crate) struct Nest {
    pub(crate) outer: Outer,
    pub(crate) weigh: Weigh,
    pub(crate) profile: WireProfile,
    /// Containers around it that are being walked.
    pub(crate) depth: usize,
}

/// Containers that are walked inside one another, texts in texts included.
pub(crate) const DEPTH_MAX: usize = 127;

/// Shrinks a JSON text that stands in a string: the text, and its weight
/// there. `None` where even its least does not fit. `table` is of the text,
/// where that is known.
pub(crate) fn shrink_text(
    nested: &Doc<'_>,
    table: Option<&ExtraTable<'_>>,
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
            Ok(doc) => shrink_text(&doc, None, nest, room, account),
            Err(_) => (None, account),
        };
    }
    let price = match table {
        Some(table) => Price::of_text(nested, table.clone(), nest.weigh),
        None => Price::new(nested, false, nest.profile, nest.weigh, None),
    };
    let mut shrink = Shrink::new(price, Rules::Any, Shape::of_text(), Pointer::new(), account);
    shrink.outer = Some(nest.outer);
    let root = nested.root();
    if shrink.least(None, &root, Permit::ANY, room, true) > room {
        return (None, shrink.account);
    }
    let from = shrink.script.mark();
    let weight = shrink.shrink(None, &root, Permit::ANY, room, nest.depth + 1);
    let to = shrink.script.mark();
    let mut text = String::new();
    shrink.script.write(from, to, nested.text, "", &mut text);
    (Some((text, weight)), shrink.account)
}
