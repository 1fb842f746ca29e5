//! Composes a bounded result: rooms first, then the parts, then the account.

mod choose;
mod copies;
mod fields;
mod hints;
mod parts;
mod plain;
mod told;
mod tree;
mod write;

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::cell::Cell;

use crate::call::ResultKind;
use crate::compose::hints::{Tier, Water};
use crate::compose::parts::{Nested, Part, PartKind};
use crate::compose::tree::Tree;
use crate::compose::write::{Pieces, assemble};
use crate::envelope::{Envelope, Field};
use crate::json::walk::Doc;
use crate::limit::{Limits, or_off};
use crate::mirror::{Found, Style};
use crate::plan::account::{Account, BudgetKind};
use crate::plan::shape::Rules;
use crate::plan::share::Need;
use crate::previous::Previous;
use crate::profile::print;
use crate::report::{REPORT_KEY, Rung, Totals, notice, report};
use crate::schema::Schema;
use crate::settings::{Revision, Settings, WireProfile};
use crate::text::Kind;

pub(crate) use crate::compose::told::Told;

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
    /// The output schema, where one is given.
    pub(crate) schema: Option<&'d Schema>,
    pub(crate) mirror: Option<Found>,
    /// The account of an earlier boundary.
    pub(crate) previous: Option<&'d Previous>,
    /// Repairs already made, and bounds known to be passed.
    pub(crate) account: Account,
    /// The whole result.
    pub(crate) limit: usize,
    /// What a model reads.
    pub(crate) text_limit: usize,
    /// Payload of the original.
    pub(crate) original_bytes: usize,
    pub(crate) form: Form,
    /// How the model is told of a cut.
    pub(crate) told: Told,
    /// Take a lower rung of the ladder than the budget has.
    pub(crate) lower: bool,
    /// Which kind of text each block is, as far as it is known: more than one
    /// attempt may ask.
    pub(crate) kinds: Vec<Cell<Option<Kind>>>,
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

impl<'d> Job<'d> {
    /// Composes the result; `None` where no legal cut fits.
    pub(crate) fn compose(&self) -> Option<Composed> {
        let (texts, indexes): (Vec<_>, Vec<_>) = parts::texts(self)
            .into_iter()
            .map(|text| text.map_or((String::new(), None), |(text, index)| (text, Some(index))))
            .unzip();
        let profile = self.settings.wire_profile;
        let nested: Vec<Option<Nested<'_>>> = texts
            .iter()
            .zip(indexes)
            .map(|(text, index)| index.map(|index| Nested::new(text, index, profile)))
            .collect();
        let mut rung = Rung::of(self.settings.limits.max_result_bytes as usize);
        // A full report, and an annotated notice, are five deep, and the notice
        // of a prompt one deeper.
        let full_depth = if self.envelope.kind == ResultKind::Prompt { 6 } else { 5 };
        if self.settings.limits.max_depth < full_depth {
            rung = rung.min(Rung::Middle);
        }
        let most = self.settings.limits.max_content_blocks as usize;
        let rungs: &[Rung] = match (rung, self.lower) {
            (Rung::Full | Rung::Middle, false) => &[rung],
            (Rung::Full | Rung::Middle, true) | (Rung::Short | Rung::Bare, false) => {
                &[Rung::Short, Rung::Bare]
            }
            (Rung::Short | Rung::Bare, true) => &[],
        };
        for rung in rungs.iter().copied() {
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

    /// A place in one of the parts, as JSON Pointer.
    pub(crate) fn place(&self, at: usize, steps: &str) -> String {
        let slash = if steps.is_empty() { "" } else { "/" };
        format!("/{}/{at}{slash}{steps}", self.envelope.kind.parts_field())
    }

    /// Whether a cut is to be kept out of caches.
    pub(crate) fn is_shared_cache(&self) -> bool {
        self.envelope.kind == ResultKind::Resource && self.settings.revision >= Revision::R20260728
    }

    /// Room for the notice: it is a block like any other.
    fn notice_room(&self, rung: Rung, names_bytes: usize) -> usize {
        if self.told == Told::Member {
            return 0;
        }
        let names = if rung >= Rung::Middle { names_bytes } else { 0 };
        (rung.notice_bytes() + names).min(or_off(self.settings.limits.max_block_text_bytes))
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
        nested: &[Option<Nested<'_>>],
        rung: Rung,
        report_room: usize,
        places: usize,
    ) -> Option<Composed> {
        let mut account = self.account.clone();
        let fields = self.fields(&mut account);
        let mut parts = parts::read(self, nested, &mut account);
        let notice_room = self.notice_room(rung, choose::names_bytes(self, &parts));
        let meta = self.meta(&mut account, report_room + notice_room)?;
        let fixed = self.fixed(&fields, meta.as_deref(), rung, report_room) + notice_room;
        let room = self.limit.checked_sub(fixed)?;
        let text_room = self.text_limit.checked_sub(notice_room)?;

        let copies = copies::copies(self);
        choose::binaries(self, &mut parts, room, copies.bytes, &mut account);
        let binary: usize = parts
            .iter()
            .filter(|part| part.kind == PartKind::Binary && part.stays)
            .map(|part| part.shell + part.whole)
            .sum();
        let room = room.checked_sub(binary)?;

        // Structured data comes first: it may not be left out.
        let mut tree = match self.envelope.structured.filter(|_| self.form == Form::Whole) {
            Some(value) => {
                let (tree, taken) = self.tree(value, room.min(text_room), copies.texts, account)?;
                account = taken;
                Some((value, tree))
            }
            None => None,
        };
        let held = tree.as_ref().map_or(0, |(_, tree)| tree.need.least + tree.lead);
        let (room, text_room) = (room.checked_sub(held)?, text_room.checked_sub(held)?);
        let shells = choose::blocks(self, &mut parts, (room, text_room, places), &mut account);
        if self.told != Told::Notice
            && parts.iter().any(|part| !part.stays || part.kind == PartKind::Note)
        {
            // No copy, or more to tell than a member can.
            return None;
        }
        if self.envelope.kind == ResultKind::Resource
            && parts.iter().any(|part| !part.stays || part.kind == PartKind::Note)
        {
            // Texts of a resource are cut; none of it is left out.
            return None;
        }
        let room = (room.checked_sub(shells)?).min(text_room) + held;

        // One water level over everything that can give.
        let wholes: usize = parts
            .iter()
            .filter(|part| part.stays && matches!(part.kind, PartKind::Whole | PartKind::Note))
            .map(|part| part.whole)
            .sum();
        let mut room = room.checked_sub(wholes)?;
        let mut needs: Vec<(Tier, Need)> = parts
            .iter()
            .filter(|part| part.shares())
            .map(|part| (part.tier, part.need()))
            .collect();
        if let Some((_, tree)) = &mut tree {
            let all = needs.iter().map(|(_, need)| need.whole).sum::<usize>() + tree.need.whole;
            if all <= room && tree.need.whole == tree.shrink.price.value(&self.envelope.structured?)
            {
                // What else went is told by our member, where that tells alone.
                if self.told != Told::Member || account.cut_count == 0 {
                    tree.lead = 0;
                }
            }
            room = room.checked_sub(tree.lead)?;
            needs.push((Tier::Plain, tree.need));
        }
        let water = Water::over(&needs, room);
        let taken: usize = needs.iter().map(|(tier, need)| need.at(water.of(*tier))).sum();
        let mut spare = room.checked_sub(taken)?;
        if let Some((value, tree)) = &mut tree {
            let at_water = tree.need.at(water.of(Tier::Plain));
            let share = (at_water + spare).min(tree.need.whole) + tree.lead;
            let left = at_water + spare - (share - tree.lead);
            tree.shrink.account = core::mem::take(&mut account);
            tree.shrink.lead = tree.lead;
            let from = tree.shrink.script.mark();
            let used = tree.shrink.shrink(None, value, tree.permit, share, 2);
            let to = tree.shrink.script.mark();
            account = core::mem::take(&mut tree.shrink.account);
            if self.mirror.is_some()
                && !parts::mirror_goes(self)
                && tree.shrink.twin_marks.is_none()
            {
                // The part that a text repeats went, and with it the text.
                return None;
            }
            tree.span = Some((from, to));
            spare = left + share.saturating_sub(used);
        }
        parts::cut_texts(self, &mut parts, nested, &water, spare, &mut account);
        let tree = tree.map(|(_, tree)| tree);
        self.finish(
            rung,
            (report_room, notice_room),
            account,
            &fields,
            meta.as_deref(),
            parts,
            tree,
        )
    }

    /// Writes the planned result and its account.
    #[allow(clippy::too_many_arguments, reason = "one plan, handed over once")]
    fn finish(
        &self,
        rung: Rung,
        (report_room, notice_room): (usize, usize),
        mut account: Account,
        fields: &[Field<'_>],
        meta: Option<&str>,
        mut parts: Vec<Part>,
        tree: Option<Tree<'_>>,
    ) -> Option<Composed> {
        let mut kept: usize = parts.iter().filter(|part| part.stays).map(|part| part.kept).sum();
        if self.form == Form::Error {
            // As text, structured data is longer than it was.
            kept = kept.min(self.original_bytes);
        }
        let mut totals = Totals {
            limit: 0,
            original_bytes: self
                .previous
                .and_then(Previous::original_bytes)
                .unwrap_or(self.original_bytes),
            kept_bytes: kept,
        };
        let tells = tree.as_ref().is_some_and(|tree| tree.lead > 0);
        let structured = tree.map_or(String::new(), |tree| {
            self.write_tree(&tree, &mut parts, &mut account, &mut totals)
        });
        // A mark of ours may be longer than what it stands for.
        totals.kept_bytes = totals.kept_bytes.min(totals.original_bytes);
        if let Some(previous) = self.previous {
            previous.join(&mut account);
        }
        totals.limit = fired_limit(&account, &self.settings.limits);
        let limits_cut = account.cut_count > 0;
        if !limits_cut && self.told == Told::Copy {
            // There is nothing to tell.
            parts.clear();
        }
        let text: usize = parts.iter().map(|part| part.text_bytes()).sum();
        let notified = limits_cut && self.told != Told::Member;
        if limits_cut && !notified && !tells {
            return None;
        }
        let blocks = parts.iter().filter(|part| part.stays).count() + usize::from(notified);
        let names = choose::names(self, &parts);
        let notice_text = notified
            .then(|| notice(&account, totals, self.form == Form::Error, notice_room, &names));
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
            return (bare.len() <= self.limit).then_some(Composed {
                json: bare,
                report_json: String::new(),
                wants: None,
                blocks,
            });
        }
        let all = usize::MAX / 4;
        let full = report(&account, totals, Rung::Full, all, WireProfile::Utf8Compact);
        if rung == Rung::Bare {
            return (bare.len() <= self.limit).then_some(Composed {
                json: bare,
                report_json: full,
                wants: None,
                blocks,
            });
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
        let same = rung == Rung::Full && profile == WireProfile::Utf8Compact && full.len() <= most;
        let wanted =
            if same { full.clone() } else { report(&account, totals, rung, most, profile) };
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
}

/// The limit that fired, in its own unit.
pub(crate) fn fired_limit(account: &Account, limits: &Limits) -> usize {
    let off = |limit: Option<u32>| limit.map_or(0, |value| value as usize);
    match account.fired {
        None | Some(BudgetKind::ResultBytes) => limits.max_result_bytes as usize,
        Some(BudgetKind::TextBytes) => limits.max_text_bytes as usize,
        Some(BudgetKind::TextTokens) => off(limits.max_text_tokens),
        Some(BudgetKind::TextLines) => off(limits.max_text_lines),
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
