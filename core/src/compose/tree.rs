//! `structuredContent`: planned as one tree, and written with the texts that
//! repeat it.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::compose::parts::{self, Part, PartKind};
use crate::compose::write::copy;
use crate::compose::{Job, Told};
use crate::envelope::{key_is, size};
use crate::json::escape::escape;
use crate::json::pointer::{Pointer, decode_body};
use crate::json::walk::{Sort, Value};
use crate::limit::or_off;
use crate::mirror::{Found, Style};
use crate::plan::account::{Account, BudgetKind, Cut, CutKind};
use crate::plan::price::{Price, Weigh};
use crate::plan::script::{Mark, compact};
use crate::plan::shape::{Rules, Shape};
use crate::plan::share::Need;
use crate::plan::shrink::Shrink;
use crate::plan::weight::IMPOSSIBLE;
use crate::report::{Rung, Totals, remark, remark_max_bytes};
use crate::schema::{Permit, Permits};
use crate::tools::NOTICE_MEMBER;
use result_budget_json::bytes::{find, has_quoted};

/// Keys from which on a look at the whole text is cheaper than one at each.
const MANY_KEYS: usize = 64;

/// `structuredContent`, planned.
pub(super) struct Tree<'d> {
    pub(super) shrink: Shrink<'d>,
    /// What the output schema permits for the whole of it.
    pub(super) permit: Permit,
    pub(super) need: Need,
    /// Weight set aside for a first member of ours.
    pub(super) lead: usize,
    pub(super) span: Option<(Mark, Mark)>,
}

impl<'d> Job<'d> {
    /// Plans `structuredContent`; `None` where no legal cut fits `cap`.
    pub(super) fn tree(
        &self,
        value: Value,
        cap: usize,
        copies: Vec<(usize, String)>,
        mut account: Account,
    ) -> Option<(Tree<'d>, Account)> {
        let limits = &self.settings.limits;
        let twin = self.mirror.map(|found| (found.target, found.weigh()));
        let twin = twin.filter(|_| !parts::mirror_goes(self));
        let price =
            Price::new(self.doc, self.spaced, self.settings.wire_profile, Weigh::PLAIN, twin);
        let mut pointer = Pointer::new();
        pointer.push_key("structuredContent");
        let mut shrink =
            Shrink::new(price, self.rules, Shape::of(limits), pointer, Account::default());
        shrink.copies = copies;
        if let Some(Found { style: Style::Items, .. }) = self.mirror {
            shrink.item_marks = Some(Vec::new());
            shrink.item_most = (limits.max_content_blocks as usize - 1).max(1);
            shrink.item_shell = self
                .envelope
                .blocks
                .iter()
                .map(|block| size(&block.value, self.spaced) - block.payload_bytes() + 2)
                .max()
                .unwrap_or(0);
        }
        shrink.permits = self.schema.map(|schema| Permits::new(schema, self.doc.text.len()));
        let permit = shrink.root_permit(&value);
        let mut lead = self.lead(&value);
        let mut whole = shrink.natural(&value, permit);
        let full = shrink.price.value(&value);
        if let Some(most) = limits.max_structured_bytes {
            let copies = shrink.price.weigh(&value).copies;
            if value.compact_bytes() > most as usize {
                account.fire(BudgetKind::StructuredBytes);
            }
            whole = whole.min((most as usize * copies).saturating_sub(lead));
        }
        if let (Some(found), Some(most)) = (self.mirror, limits.max_block_text_bytes) {
            // The text's share of both copies, at its largest.
            let most = most as usize;
            let both = match found.style {
                Style::Plain => 2 * most,
                Style::Json | Style::Wrapped | Style::Items => most + most / 2 - 32,
            };
            if 2 * lead > both {
                lead = 0;
            }
            whole = whole.min(both - lead);
            account.fire(BudgetKind::BlockTextBytes);
        }
        let cap = cap.min(whole);
        let mut least = shrink.least(None, &value, permit, cap, false);
        if least + lead > cap && self.rules == Rules::Given {
            let tight = shrink.least(None, &value, permit, cap, true);
            least = if tight >= IMPOSSIBLE { tight } else { tight.max((cap / 4).min(whole)) };
        }
        if least + lead > cap && whole != full.min(cap) && self.rules == Rules::Any {
            least = (cap / 4).min(whole);
        }
        // Without our member it may be whole, or it loses its last keys.
        if least + lead > cap && (least < whole || lead > 0) && self.rules == Rules::Any {
            least = cap / 4;
        }
        // In data of a closed form our member is a courtesy.
        let lead = if self.rules != Rules::Any && least + lead > cap { 0 } else { lead };
        if least > cap || (lead == 0 && self.told == Told::Member) {
            return None;
        }
        let need = Need { least, whole };
        Some((Tree { shrink, permit, need, lead, span: None }, account))
    }

    /// Weight of a first member of ours in `structuredContent`, where one may
    /// be added and there is none of its name.
    pub(super) fn lead(&self, value: &Value) -> usize {
        let doc = self.doc;
        if !self.may_add || doc.sort(value) != Sort::Object {
            return 0;
        }
        let keys = doc.children_items(value);
        let most = or_off(self.settings.limits.max_map_keys);
        // Of many keys none is read where the text shows that it is not there.
        let text = doc.raw(value);
        let may_be_taken = keys < MANY_KEYS
            || has_quoted(text, NOTICE_MEMBER)
            || find(text.as_bytes(), 0, b'\\').is_some();
        let taken =
            may_be_taken && doc.members(value).any(|member| key_is(member.key, NOTICE_MEMBER));
        if keys == 0 || keys >= most || taken {
            return 0;
        }
        let weigh = match self.mirror {
            Some(found) if found.target == *value => found.weigh(),
            Some(_) | None => Weigh::PLAIN,
        };
        let text = format!("\"{NOTICE_MEMBER}\"{}\"\"{}", self.colon(), self.comma());
        weigh.literal(&text) + weigh.copies * remark_max_bytes(self.advises())
    }

    /// Whether our member says how to go on, as the notice does.
    pub(super) fn advises(&self) -> bool {
        Rung::of(self.limit.min(self.text_limit)) == Rung::Full
    }

    /// Writes `structuredContent`, and the text blocks that repeat it.
    pub(super) fn write_tree(
        &self,
        tree: &Tree<'_>,
        parts: &mut [Part],
        account: &mut Account,
        totals: &mut Totals,
    ) -> String {
        let Some((from, to)) = tree.span else { return String::new() };
        let shrink = &tree.shrink;
        let mut lead = String::new();
        if tree.lead > 0 {
            let mut told = account.clone();
            if let Some(previous) = self.previous {
                previous.join(&mut told);
            }
            let text = remark(&told, *totals, self.advises());
            lead = format!("\"{NOTICE_MEMBER}\"{}\"{text}\"", self.colon());
        }
        let render = |(from, to): (Mark, Mark)| {
            let mut out = String::new();
            shrink.script.write(from, to, self.doc.text, &lead, &mut out);
            out
        };
        let json = render((from, to));
        totals.kept_bytes += json.len() - self.ours(&json, &lead).len();
        let profile = self.settings.wire_profile;
        let Some(found) = self.mirror else { return json };
        if parts::mirror_goes(self) {
            for part in parts.iter_mut().filter(|part| part.kind == PartKind::Mirror) {
                account.cut(Cut {
                    path: format!("/content/{}/text", part.at),
                    within: None,
                    kind: CutKind::Text,
                    kept: 0,
                    of: part.whole,
                    gone: Vec::new(),
                    weight: 0,
                });
                part.body = Some(String::from("[as structuredContent]"));
            }
            return json;
        }
        let as_text = |json: &str, plain: bool| {
            let mut body = String::new();
            if plain {
                body.push_str(json.get(1..json.len().max(2) - 1).unwrap_or_default());
            } else {
                escape(&mut body, json, profile);
            }
            body
        };
        match found.style {
            Style::Json | Style::Wrapped | Style::Plain => {
                let mut text = render(shrink.twin_marks.unwrap_or((from, to)));
                let ours = as_text(self.ours(&text, &lead), false).len();
                if found.style == Style::Wrapped {
                    text = format!("{{\"result\"{}{text}}}", self.colon());
                }
                let mut body = as_text(&text, found.style == Style::Plain);
                let uncut = !found.flattened && self.is_whole(&found.target, &text);
                for part in parts.iter_mut().filter(|part| part.kind == PartKind::Mirror) {
                    if part.block.is_some() {
                        if uncut {
                            body = self.own_text(part, body, account);
                        }
                        totals.kept_bytes += body.len().saturating_sub(ours);
                    }
                    part.body = Some(body.clone());
                }
            }
            Style::Items => {
                let marks = shrink.item_marks.as_deref().unwrap_or_default();
                let mirrors = parts.iter_mut().filter(|part| part.kind == PartKind::Mirror);
                let mut gone = 0;
                for (at, part) in mirrors.enumerate() {
                    match marks.get(at) {
                        Some(marks) => {
                            let item = render(*marks);
                            let plain = found.plain_items && item.starts_with('"');
                            let body = as_text(&item, plain);
                            totals.kept_bytes += body.len();
                            part.body = Some(body);
                        }
                        None => {
                            part.stays = false;
                            gone += 1;
                        }
                    }
                }
                if gone > 0 {
                    let kept = parts.iter().filter(|part| part.stays).count();
                    account.content_blocks(kept, self.envelope.block_count);
                }
            }
        }
        json
    }

    /// What of `json` is our member, with the comma behind it.
    fn ours<'j>(&self, json: &'j str, lead: &str) -> &'j str {
        let Some(rest) = json.strip_prefix('{').and_then(|rest| rest.strip_prefix(lead)) else {
            return "";
        };
        let comma = if rest.starts_with(',') { self.comma().len() } else { 0 };
        json.get(1..1 + lead.len() + comma).filter(|_| !lead.is_empty()).unwrap_or_default()
    }

    /// Whether `written` is all of `target`.
    fn is_whole(&self, target: &Value, written: &str) -> bool {
        if written.len() < size(target, self.spaced) {
            return false;
        }
        let mut whole = String::new();
        copy(self, target.start, target.end, &mut whole);
        written.contains(&whole)
    }

    /// The text of a mirror of which nothing was cut: its own words and order,
    /// without white space where they do not fit as they are.
    fn own_text(&self, part: &Part, body: String, account: &mut Account) -> String {
        let payload = part.block.as_ref().and_then(|block| block.payload);
        let own = payload.map_or("", |payload| self.doc.body(&payload));
        if own.len() <= body.len() {
            return String::from(own);
        }
        let (mut text, mut tight) = (String::new(), String::new());
        compact(&mut text, &decode_body(own));
        escape(&mut tight, &text, self.settings.wire_profile);
        let body = if tight.len() <= body.len() { tight } else { body };
        parts::space_went(account, format!("/content/{}/text", part.at), own, &body);
        body
    }
}
