//! Composes a bounded result: rooms first, then the parts, then the account.

mod parts;
mod write;

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::compose::parts::{Part, PartKind};
use crate::compose::write::{Pieces, assemble, copy, field_head, field_value};
use crate::envelope::{Envelope, Field, Role, depth_of, is_protected_meta, key_is, size};
use crate::json::escape::escape;
use crate::json::pointer::Pointer;
use crate::json::walk::{Doc, Member, Sort, Value};
use crate::mirror::{Found, Style};
use crate::plan::account::{Account, BudgetKind, Cut, CutKind, Repair};
use crate::plan::price::{Price, Weigh};
use crate::plan::script::Mark;
use crate::plan::share::{Need, level};
use crate::plan::shrink::{Rules, Shape, Shrink};
use crate::profile::print;
use crate::report::{REMARK_MAX_BYTES, REPORT_KEY, Rung, Totals, notice, remark, report};
use crate::settings::{Settings, WireProfile};

/// What is to be composed.
pub(crate) struct Job<'d> {
    pub(crate) doc: &'d Doc<'d>,
    pub(crate) envelope: &'d Envelope<'d>,
    pub(crate) settings: &'d Settings,
    /// White space between tokens is written (the wire profile prints it).
    pub(crate) spaced: bool,
    pub(crate) rules: Rules,
    /// A member of ours may be added to structured data.
    pub(crate) may_add: bool,
    pub(crate) mirror: Option<Found>,
    /// Repairs already made, and bounds known to be passed.
    pub(crate) account: Account,
    /// The whole result.
    pub(crate) limit: usize,
    /// What a model reads.
    pub(crate) text_limit: usize,
    /// Payload of the original.
    pub(crate) original_bytes: usize,
    pub(crate) form: Form,
}

/// What the result is composed to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// The result, `structuredContent` and all.
    Whole,
    /// Without `structuredContent`, which a text repeats.
    Text,
    /// An error that carries what fits as text.
    Error,
}

/// A composed result.
pub(crate) struct Composed {
    pub(crate) json: String,
    /// The account in full, for the host; empty where only white space went.
    pub(crate) report_json: String,
    /// The account would like this much room: more than was set aside.
    wants: Option<usize>,
    /// Blocks in `content`.
    blocks: usize,
}

/// The annotation of our notice.
const AUDIENCE: &str = ",\"annotations\":{\"audience\":[\"assistant\"]}";

/// `structuredContent`, planned.
struct Tree<'d> {
    shrink: Shrink<'d>,
    need: Need,
    /// Weight set aside for a first member of ours.
    lead: usize,
    span: Option<(Mark, Mark)>,
    was_cut: bool,
}

impl<'d> Job<'d> {
    /// Composes the result; `None` where no legal cut fits.
    pub(crate) fn compose(&self) -> Option<Composed> {
        let texts = parts::texts(self);
        let nested: Vec<Option<Doc<'_>>> = texts
            .iter()
            .map(|text| text.as_deref().and_then(|text| Doc::new(text, 65).ok()))
            .collect();
        let mut rung = Rung::of(self.limit);
        if self.settings.limits.max_depth < 5 {
            // A full report, and an annotated notice, are five deep.
            rung = rung.min(Rung::Middle);
        }
        let most = self.settings.limits.max_content_blocks as usize;
        for rung in [rung, Rung::Short.min(rung), Rung::Bare] {
            let (mut room, mut places) = (rung.report_bytes(), most);
            let mut best = None;
            // Twice at most: once for the notice's place, once for a longer report.
            for _ in 0..3 {
                let Some(composed) = self.attempt(&nested, rung, room, places) else { break };
                if composed.blocks > most && places == most {
                    places = most - 1;
                    continue;
                }
                let wants = composed.wants.filter(|wants| *wants > room);
                best = Some(composed);
                match wants {
                    Some(wants) => room = wants,
                    None => break,
                }
            }
            if best.is_some() {
                return best;
            }
        }
        None
    }

    /// The width of a text of ours in the wire profile.
    pub(crate) fn width(&self, text: &str) -> usize {
        if self.spaced { self.print(text).len() } else { text.len() }
    }

    /// Prints a text of ours in the wire profile.
    pub(crate) fn print(&self, text: &str) -> String {
        print(text, self.settings.wire_profile)
    }

    /// Room for the notice: it is a block like any other.
    fn notice_room(&self, rung: Rung) -> usize {
        let most = self.settings.limits.max_block_text_bytes;
        rung.notice_bytes().min(most.map_or(usize::MAX, |most| most as usize))
    }

    pub(crate) fn comma(&self) -> &'static str {
        if self.spaced { ", " } else { "," }
    }

    pub(crate) fn colon(&self) -> &'static str {
        if self.spaced { ": " } else { ":" }
    }

    /// Whether the text of block `at` is written along with the tree.
    pub(crate) fn is_mirror(&self, at: usize) -> bool {
        match self.mirror {
            Some(found) if self.form == Form::Whole => match found.style {
                Style::Items => true,
                Style::Json | Style::Wrapped | Style::Plain => found.block == at,
            },
            Some(_) | None => false,
        }
    }

    fn attempt(
        &self,
        nested: &[Option<Doc<'_>>],
        rung: Rung,
        report_room: usize,
        places: usize,
    ) -> Option<Composed> {
        let mut account = self.account.clone();
        let meta = self.meta(&mut account)?;
        let fields = self.fields(&mut account);
        let notice_room = self.notice_room(rung);
        let fixed = self.fixed(&fields, meta.as_deref(), rung, report_room) + notice_room;
        let room = self.limit.checked_sub(fixed)?;
        let text_room = self.text_limit.checked_sub(notice_room)?;

        let mut parts = parts::read(self, nested, &mut account);
        parts::choose_binaries(self, &mut parts, room, &mut account);
        let binary: usize = parts
            .iter()
            .filter(|part| part.kind == PartKind::Binary && part.stays)
            .map(|part| part.shell + part.whole)
            .sum();
        let room = room.checked_sub(binary)?;

        // Structured data comes first: it may not be left out.
        let mut tree = match self.envelope.structured.filter(|_| self.form == Form::Whole) {
            Some(value) => {
                let (tree, taken) = self.tree(value, room.min(text_room), account)?;
                account = taken;
                Some((value, tree))
            }
            None => None,
        };
        let held = tree.as_ref().map_or(0, |(_, tree)| tree.need.least + tree.lead);
        let (room, text_room) = (room.checked_sub(held)?, text_room.checked_sub(held)?);
        let shells = parts::select(self, &mut parts, (room, text_room, places), &mut account);
        let room = (room.checked_sub(shells)?).min(text_room) + held;

        // One water level over everything that can give.
        let wholes: usize = parts
            .iter()
            .filter(|part| part.stays && matches!(part.kind, PartKind::Whole | PartKind::Note))
            .map(|part| part.whole)
            .sum();
        let mut room = room.checked_sub(wholes)?;
        let mut needs: Vec<Need> =
            parts.iter().filter(|part| part.shares()).map(Part::need).collect();
        if let Some((_, tree)) = &mut tree {
            let all: usize = needs.iter().map(|need| need.whole).sum::<usize>() + tree.need.whole;
            if all <= room && tree.need.whole == tree.shrink.price.value(&self.envelope.structured?) {
                tree.lead = 0;
            }
            room = room.checked_sub(tree.lead)?;
            needs.push(tree.need);
        }
        let water = level(&needs, room);
        let taken: usize = needs.iter().map(|need| need.at(water)).sum();
        let mut spare = room.checked_sub(taken)?;
        if let Some((value, tree)) = &mut tree {
            let share = (tree.need.at(water) + spare).min(tree.need.whole) + tree.lead;
            let left = tree.need.at(water) + spare - (share - tree.lead);
            tree.shrink.account = core::mem::take(&mut account);
            tree.shrink.lead = tree.lead;
            let cuts = tree.shrink.account.cut_count;
            let from = tree.shrink.script.mark();
            let used = tree.shrink.shrink(None, value, share, 2);
            let to = tree.shrink.script.mark();
            account = core::mem::take(&mut tree.shrink.account);
            tree.was_cut = account.cut_count > cuts;
            if self.mirror.is_some() && !parts::mirror_goes(self) && tree.shrink.twin_marks.is_none() {
                // The part that a text repeats went, and with it the text.
                return None;
            }
            tree.span = Some((from, to));
            spare = left + share.saturating_sub(used);
        }
        parts::cut_texts(self, &mut parts, nested, water, spare, &mut account);
        self.finish(rung, report_room, account, &fields, meta.as_deref(), parts, tree)
    }

    /// Writes the planned result and its account.
    #[allow(clippy::too_many_arguments, reason = "one plan, handed over once")]
    fn finish(
        &self,
        rung: Rung,
        report_room: usize,
        mut account: Account,
        fields: &[Field<'_>],
        meta: Option<&str>,
        mut parts: Vec<Part>,
        tree: Option<(Value, Tree<'_>)>,
    ) -> Option<Composed> {
        let kept = parts.iter().filter(|part| part.stays).map(|part| part.kept).sum();
        let mut totals = Totals {
            limit: self.fired_limit(&account),
            original_bytes: self.original_bytes,
            kept_bytes: kept,
        };
        let structured = tree.map_or(String::new(), |(value, tree)| {
            self.write_tree(&value, &tree, &mut parts, &mut account, &mut totals)
        });
        let text: usize = parts.iter().map(|part| part.text_bytes()).sum();
        let blocks = parts.iter().filter(|part| part.stays).count()
            + usize::from(account.cut_count > 0);
        let limits_cut = account.cut_count > 0;
        let notice_text =
            limits_cut.then(|| notice(&account, totals, self.form == Form::Error, self.notice_room(rung)));
        if text + structured.len() + notice_text.as_ref().map_or(0, String::len) > self.text_limit {
            return None;
        }
        let mut pieces = Pieces {
            fields,
            meta,
            parts: &parts,
            structured: &structured,
            notice: notice_text.as_deref(),
            report: None,
            annotated: rung >= Rung::Full,
        };
        let bare = assemble(self, &pieces);
        if !limits_cut && account.repairs.is_empty() {
            // Nothing but white space went: no account is owed.
            return (bare.len() <= self.limit)
                .then_some(Composed { json: bare, report_json: String::new(), wants: None, blocks });
        }
        let all = usize::MAX / 4;
        let full = report(&account, totals, Rung::Full, all, WireProfile::Utf8Compact);
        if rung == Rung::Bare {
            return (bare.len() <= self.limit)
                .then_some(Composed { json: bare, report_json: full, wants: None, blocks });
        }
        // The report takes what the rest leaves, up to a quarter of the whole.
        let mut shell = self.width(&format!("\"{REPORT_KEY}\":"));
        let empty_meta = meta.is_none_or(str::is_empty);
        if !empty_meta {
            shell += self.comma().len();
        }
        if meta.is_none() {
            shell += self.width(",\"_meta\":{}");
        }
        let left = self.limit.checked_sub(bare.len() + shell)?;
        let most = (self.limit / 4).max(rung.report_bytes());
        let profile = self.settings.wire_profile;
        let wanted = report(&account, totals, rung, most, profile);
        let wants = (wanted.len() > left && wanted.len() > report_room).then_some(wanted.len());
        let written = if wanted.len() <= left {
            wanted
        } else {
            report(&account, totals, rung, left, profile)
        };
        pieces.report = Some(&written);
        let json = assemble(self, &pieces);
        (json.len() <= self.limit).then_some(Composed { json, report_json: full, wants, blocks })
    }

    /// Bytes that stand in any case: braces, keys, fields that are not
    /// planned, and the shells of notice and report.
    fn fixed(
        &self,
        fields: &[Field<'_>],
        meta: Option<&str>,
        rung: Rung,
        report_room: usize,
    ) -> usize {
        let mut fixed = 2;
        let mut has_content = false;
        for field in fields {
            fixed += field_head(self, field) + self.comma().len();
            fixed += match field.role {
                Role::Content => {
                    has_content = true;
                    2
                }
                Role::Structured => 0,
                Role::Meta => 2 + meta.map_or(0, str::len),
                Role::IsError if self.form == Form::Error => 5,
                Role::IsError
                | Role::ResultType
                | Role::Kept
                | Role::Foreign
                | Role::NullCursor
                | Role::Superseded => field_value(self, field),
            };
        }
        if !has_content {
            fixed += self.width("\"content\":[],");
        }
        if self.form == Form::Error {
            fixed += self.width("\"isError\":true,");
        }
        fixed += self.width("{\"type\":\"text\",\"text\":\"\"},");
        if rung >= Rung::Full {
            fixed += self.width(AUDIENCE);
        }
        if rung > Rung::Bare {
            fixed += self.width(&format!(",\"{REPORT_KEY}\":")) + report_room;
            if meta.is_none() {
                fixed += self.width(",\"_meta\":{}");
            }
        }
        fixed
    }

    /// The fields that stay; those that go are told.
    fn fields(&self, account: &mut Account) -> Vec<Field<'d>> {
        let mut stay = Vec::new();
        let (mut gone, mut foreign, mut weight) = (Vec::new(), 0, 0);
        let doc = self.doc;
        for field in &self.envelope.fields {
            match field.role {
                Role::Structured if self.form != Form::Whole => account.cut(Cut {
                    path: pointer_to(&[field.key]),
                    within: None,
                    kind: CutKind::Structured,
                    kept: 0,
                    of: field_value(self, field),
                    gone: Vec::new(),
                    weight: 0,
                }),
                Role::Content
                | Role::Structured
                | Role::IsError
                | Role::Meta
                | Role::ResultType
                | Role::Kept => stay.push(*field),
                Role::Foreign => {
                    foreign += 1;
                    weight += field_value(self, field);
                    if gone.len() < 32 {
                        gone.push(pointer_to(&[field.key]));
                    }
                    let cursor = doc.body(&field.value);
                    if key_is(field.key, "nextCursor") && !cursor.is_empty() && cursor.len() <= 512 {
                        account.next_cursor = Some(String::from(cursor));
                    }
                }
                Role::NullCursor => repair(account, "null-next-cursor", pointer_to(&[field.key])),
                Role::Superseded => repair(account, "repeated-key", pointer_to(&[field.key])),
            }
        }
        for (at, block) in self.envelope.blocks.iter().enumerate() {
            if block.repeats {
                repair(account, "repeated-key", format!("/content/{at}"));
            }
        }
        if foreign > 0 {
            account.fire(BudgetKind::TopLevelFields);
            let path = gone.first().cloned().unwrap_or_default();
            account.cut(Cut {
                path,
                within: None,
                kind: CutKind::TopLevelFields,
                kept: stay.len(),
                of: stay.len() + foreign,
                gone,
                weight,
            });
        }
        stay
    }

    /// The members of `_meta` that stay, printed without braces. The first
    /// `None` where what must stay leaves no room.
    #[allow(clippy::option_option, reason = "no room, or no `_meta`, or its members")]
    fn meta(&self, account: &mut Account) -> Option<Option<String>> {
        let Some(meta) = self.envelope.meta else { return Some(None) };
        let limits = &self.settings.limits;
        let deep = self.doc.index.depth > limits.max_depth;
        let members: Vec<Member<'d>> = self.doc.members(&meta).collect();
        let bytes = |member: &Member<'_>| {
            member.key.len() + 4 + self.comma().len() + size(&member.value, self.spaced)
        };
        let mut gone: Vec<usize> = Vec::new();
        for (at, member) in members.iter().enumerate() {
            let ours = key_is(member.key, REPORT_KEY);
            let too_deep = deep && depth_of(self.doc, &member.value) + 2 > limits.max_depth as usize;
            if ours {
                repair(account, "earlier-report", pointer_to(&["_meta", member.key]));
                gone.push(at);
            } else if too_deep {
                if is_protected_meta(member.key) {
                    return None;
                }
                account.fire(BudgetKind::Depth);
                gone.push(at);
            }
        }
        let dropped_ours = gone.iter().filter(|at| key_is(members[**at].key, REPORT_KEY)).count();
        if size(&self.envelope.root, self.spaced) > self.limit {
            let mut free: Vec<usize> = (0..members.len())
                .filter(|at| !gone.contains(at) && !is_protected_meta(members[*at].key))
                .collect();
            let mut sum: usize = free.iter().map(|at| bytes(&members[*at])).sum();
            free.sort_by_key(|at| core::cmp::Reverse(bytes(&members[*at])));
            for at in free {
                if sum <= self.limit / 8 {
                    break;
                }
                sum -= bytes(&members[at]);
                gone.push(at);
            }
        }
        gone.sort_unstable();
        let mut out = String::new();
        let (mut paths, mut weight) = (Vec::new(), 0);
        for (at, member) in members.iter().enumerate() {
            if gone.binary_search(&at).is_ok() {
                if !key_is(member.key, REPORT_KEY) {
                    weight += bytes(member);
                    if paths.len() < 32 {
                        paths.push(pointer_to(&["_meta", member.key]));
                    }
                }
                continue;
            }
            if !out.is_empty() {
                out.push_str(self.comma());
            }
            copy(self, member.key_start, member.value.end, &mut out);
        }
        let lost = gone.len() - dropped_ours;
        if lost > 0 {
            account.cut(Cut {
                path: String::from("/_meta"),
                within: None,
                kind: CutKind::MetaKeys,
                kept: members.len() - gone.len(),
                of: members.len() - dropped_ours,
                gone: paths,
                weight,
            });
        }
        Some(Some(out))
    }

    /// Plans `structuredContent`; `None` where no legal cut fits `cap`.
    fn tree(&self, value: Value, cap: usize, mut account: Account) -> Option<(Tree<'d>, Account)> {
        let limits = &self.settings.limits;
        let twin = self.mirror.map(|found| (found.target, found.weigh()));
        let twin = twin.filter(|_| !parts::mirror_goes(self));
        let price =
            Price::new(self.doc, self.spaced, self.settings.wire_profile, Weigh::PLAIN, twin);
        let mut pointer = Pointer::new();
        pointer.push_key("structuredContent");
        let mut shrink =
            Shrink::new(price, self.rules, Shape::of(limits), pointer, Account::default());
        if let Some(Found { style: Style::Items, .. }) = self.mirror {
            shrink.item_marks = Some(Vec::new());
            shrink.item_shell = self
                .envelope
                .blocks
                .iter()
                .map(|block| size(&block.value, self.spaced) - block.payload_bytes() + 2)
                .max()
                .unwrap_or(0);
        }
        let lead = self.lead(&value);
        let mut whole = shrink.natural(&value);
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
            whole = whole.min(match found.style {
                Style::Plain => 2 * most,
                Style::Json | Style::Wrapped | Style::Items => most + most / 2 - 32,
            });
            account.fire(BudgetKind::BlockTextBytes);
        }
        let cap = cap.min(whole);
        let mut least = shrink.least(None, &value, cap, false);
        if least + lead > cap && whole != full.min(cap) && self.rules == Rules::Any {
            least = (cap / 4).min(whole);
        }
        if least + lead > cap && least < whole {
            if self.rules == Rules::KeepKeys {
                return None;
            }
            least = cap / 4;
        }
        if least > cap {
            return None;
        }
        let need = Need { least, whole };
        Some((Tree { shrink, need, lead, span: None, was_cut: false }, account))
    }

    /// Weight of a first member of ours in `structuredContent`, where one may
    /// be added and there is none of its name.
    fn lead(&self, value: &Value) -> usize {
        let doc = self.doc;
        if !self.may_add || doc.sort(value) != Sort::Object {
            return 0;
        }
        let keys = doc.children_items(value);
        let most = self.settings.limits.max_map_keys.map_or(usize::MAX, |most| most as usize);
        let taken = doc.members(value).any(|member| key_is(member.key, "result_budget"));
        if keys == 0 || keys >= most || taken {
            return 0;
        }
        let weigh = match self.mirror {
            Some(found) if found.target == *value => found.weigh(),
            Some(_) | None => Weigh::PLAIN,
        };
        let text = format!("\"result_budget\"{}\"\"{}", self.colon(), self.comma());
        weigh.literal(&text) + weigh.copies * REMARK_MAX_BYTES
    }

    /// Writes `structuredContent`, and the text blocks that repeat it.
    fn write_tree(
        &self,
        value: &Value,
        tree: &Tree<'_>,
        parts: &mut [Part],
        account: &mut Account,
        totals: &mut Totals,
    ) -> String {
        let Some((from, to)) = tree.span else { return String::new() };
        let shrink = &tree.shrink;
        let mut lead = String::new();
        if tree.lead > 0 {
            let mut text = remark(account, *totals);
            text.truncate(REMARK_MAX_BYTES);
            lead = format!("\"result_budget\"{}\"{text}\"", self.colon());
        }
        let render = |(from, to): (Mark, Mark)| {
            let mut out = String::new();
            shrink.script.write(from, to, self.doc.text, &lead, &mut out);
            out
        };
        let json = render((from, to));
        let _ = value;
        totals.kept_bytes += json.len() - lead.len();
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
                if found.style == Style::Wrapped {
                    text = format!("{{\"result\"{}{text}}}", self.colon());
                }
                let body = as_text(&text, found.style == Style::Plain);
                for part in parts.iter_mut().filter(|part| part.kind == PartKind::Mirror) {
                    totals.kept_bytes += body.len();
                    if !tree.was_cut {
                        let payload = part.block.as_ref().and_then(|block| block.payload);
                        let before = payload.map_or("", |payload| self.doc.body(&payload));
                        parts::space_went(account, format!("/content/{}/text", part.at), before, &body);
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
                            let body = as_text(&render(*marks), found.plain_items);
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
                    account.cut(Cut {
                        path: String::from("/content"),
                        within: None,
                        kind: CutKind::ContentBlocks,
                        kept: marks.len(),
                        of: marks.len() + gone,
                        gone: Vec::new(),
                        weight: 0,
                    });
                }
            }
        }
        json
    }

    /// The limit that fired, in its own unit.
    fn fired_limit(&self, account: &Account) -> usize {
        let limits = &self.settings.limits;
        let off = |limit: Option<u32>| limit.map_or(0, |value| value as usize);
        match account.fired {
            None | Some(BudgetKind::ResultBytes) => limits.max_result_bytes as usize,
            Some(BudgetKind::TextBytes) => limits.max_text_bytes as usize,
            Some(BudgetKind::BinaryBytes) => limits.max_binary_bytes as usize,
            Some(BudgetKind::ContentBlocks) => limits.max_content_blocks as usize,
            Some(BudgetKind::BlockTextBytes) => off(limits.max_block_text_bytes),
            Some(BudgetKind::BlockBinaryBytes) => off(limits.max_block_binary_bytes),
            Some(BudgetKind::StructuredBytes) => off(limits.max_structured_bytes),
            Some(BudgetKind::Depth) => limits.max_depth as usize,
            Some(BudgetKind::ListItems) => off(limits.max_list_items),
            Some(BudgetKind::MapKeys) => off(limits.max_map_keys),
            Some(BudgetKind::StringBytes) => off(limits.max_string_bytes),
            Some(BudgetKind::KeyBytes) => off(limits.max_key_bytes),
            Some(BudgetKind::ItemBytes) => off(limits.max_item_bytes),
            Some(BudgetKind::TopLevelFields) => 0,
        }
    }
}

fn pointer_to(keys: &[&str]) -> String {
    let mut pointer = Pointer::new();
    for key in keys {
        pointer.push_key(key);
    }
    pointer.render()
}

fn repair(account: &mut Account, kind: &'static str, path: String) {
    let known = account.repairs.iter_mut().find(|known| known.kind == kind && known.path == path);
    if let Some(known) = known {
        known.count += 1;
    } else if account.repairs.len() < 64 {
        account.repairs.push(Repair { kind, path, count: 1 });
    }
}
