//! The parts of `content`: which stay, and how each is cut.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::compose::hints::{Tier, Water, is_link};
use crate::compose::plain::cut_plain;
use crate::compose::write::{lean_cuts, lean_shell};
use crate::compose::{Form, Job, Told};
use crate::envelope::{Block, BlockKind, depth_of, size};
use crate::json::escape::{ExtraTable, escape};
use crate::json::scan::{Index, scan};
use crate::json::walk::Doc;
use crate::limit::or_off;
use crate::mirror::{Found, Style};
use crate::plan::account::{Account, BudgetKind, Cut, CutKind, Repair};
use crate::plan::nested::{DEPTH_MAX, Nest, read_text, shrink_text};
use crate::plan::price::Weigh;
use crate::plan::script::compact;
use crate::plan::share::Need;
use crate::plan::strings::looks_like_json;
use crate::settings::{Mirror, WireProfile};

/// What becomes of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PartKind {
    /// Its text shares the room.
    Text,
    /// Whole or not at all; a model reads it.
    Whole,
    /// Base64 that stays.
    Binary,
    /// A fixed text stands in for the block.
    Note,
    /// Its text is written along with `structuredContent`.
    Mirror,
    /// `structuredContent` as text, in an error.
    Structured,
}

/// One block, or what stands in for it.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    /// Its place in the original `content`.
    pub(crate) at: usize,
    pub(crate) block: Option<Block>,
    pub(crate) kind: PartKind,
    /// Bytes beside the payload, a comma among them.
    pub(crate) shell: usize,
    /// Payload as a model would read it whole.
    pub(crate) whole: usize,
    pub(crate) stays: bool,
    /// Members that are no payload and not small are left out.
    pub(crate) lean: bool,
    /// How much it matters.
    pub(crate) tier: Tier,
    /// The body to write, where it is not the original's.
    pub(crate) body: Option<String>,
    /// Payload bytes that stay.
    pub(crate) kept: usize,
}

impl Part {
    pub(crate) fn need(&self) -> Need {
        Need { least: self.whole.min(24), whole: self.whole }
    }

    /// What a model reads of it as it is written.
    pub(crate) fn text_bytes(&self) -> usize {
        match (&self.body, &self.block) {
            _ if !self.stays => 0,
            (Some(body), _) => body.len(),
            (None, Some(block)) if self.kind == PartKind::Whole => self.whole.min(block.value.end),
            (None, Some(block)) => block.text_bytes(false),
            (None, None) => 0,
        }
    }

    /// Whether it shares the room of the texts.
    pub(crate) fn shares(&self) -> bool {
        self.stays && matches!(self.kind, PartKind::Text | PartKind::Structured)
    }
}

/// A text that is JSON, and what its parts cost inside a string.
pub(crate) struct Nested<'d> {
    doc: Doc<'d>,
    table: ExtraTable<'d>,
}

impl<'d> Nested<'d> {
    pub(crate) fn new(text: &'d str, index: Index, profile: WireProfile) -> Self {
        Nested { doc: Doc { text, index }, table: ExtraTable::new(text, profile) }
    }

    /// Its weight as the compact body of a string.
    fn weight(&self) -> usize {
        let root = self.doc.root();
        let extra = self.table.of(root.start, root.end);
        root.compact_bytes() + extra.quotes + extra.other
    }
}

/// Texts of text blocks that are JSON, decoded; the last one is
/// `structuredContent` where it is to be shown as text.
pub(crate) fn texts(job: &Job<'_>) -> Vec<Option<(String, Index)>> {
    let doc = job.doc;
    let room = job.limit.min(job.text_limit);
    let mut texts: Vec<Option<(String, Index)>> = job
        .envelope
        .blocks
        .iter()
        .enumerate()
        .map(|(at, block)| {
            if job.is_mirror(at) {
                return None;
            }
            let body = match block.kind {
                BlockKind::Text | BlockKind::ResourceText => doc.body(&block.payload?),
                BlockKind::Image
                | BlockKind::Audio
                | BlockKind::ResourceBlob
                | BlockKind::Whole => {
                    return None;
                }
            };
            let worth = body.len() >= 256 && looks_like_json(body);
            if worth { read_text(body, room, DEPTH_MAX) } else { None }
        })
        .collect();
    let shown = (job.form == Form::Error) && job.mirror.is_none();
    texts.push(job.envelope.structured.filter(|_| shown).and_then(|value| {
        let text = doc.raw(&value).to_string();
        let index = scan(&text, 65).ok()?;
        Some((text, index))
    }));
    texts
}

/// The parts in order, nothing chosen yet.
pub(crate) fn read(
    job: &Job<'_>,
    nested: &[Option<Nested<'_>>],
    account: &mut Account,
) -> Vec<Part> {
    let envelope = job.envelope;
    let limits = &job.settings.limits;
    let mut parts = Vec::new();
    let blocks = envelope.blocks.iter().enumerate();
    let last = envelope.last_block.iter().map(|block| (envelope.block_count - 1, block));
    for (at, block) in blocks.chain(last) {
        let kind = match block.kind {
            BlockKind::Text if job.is_mirror(at) => PartKind::Mirror,
            BlockKind::Text | BlockKind::ResourceText => PartKind::Text,
            BlockKind::Image | BlockKind::Audio | BlockKind::ResourceBlob => PartKind::Binary,
            BlockKind::Whole => PartKind::Whole,
        };
        let bytes = size(&block.value, job.spaced);
        let payload = block.payload_bytes();
        let comma = 1 + usize::from(job.spaced);
        let mut part = Part {
            at,
            block: Some(*block),
            kind,
            shell: bytes - payload + comma,
            whole: payload,
            stays: true,
            lean: false,
            tier: Tier::of(job.doc, block),
            body: None,
            kept: 0,
        };
        if kind == PartKind::Whole {
            part.shell = comma;
            part.whole = bytes;
            // A link without its pictures is a link still.
            if bytes > (job.limit.min(job.text_limit) / 16).max(512) && is_link(job.doc, block) {
                lean_to(job, &mut part, bytes, account);
            }
            if limits.max_block_text_bytes.is_some_and(|most| part.whole > most as usize) {
                account.fire(BudgetKind::BlockTextBytes);
                part.stays = false;
            }
        }
        if kind == PartKind::Mirror
            && matches!(job.mirror, Some(Found { style: Style::Wrapped, .. }))
        {
            part.shell += job.width("{\\\"result\\\":}");
        }
        if part.shell > 512 && kind != PartKind::Whole {
            lean_to(job, &mut part, bytes, account);
        }
        if kind == PartKind::Text {
            if let Some(nested) = nested.get(at).and_then(Option::as_ref) {
                part.whole = part.whole.min(nested.weight());
            }
            if let Some(most) = limits.max_block_text_bytes
                && part.whole > most as usize
            {
                account.fire(BudgetKind::BlockTextBytes);
                part.whole = most as usize;
            }
            // A link's or an unknown block's depth is its own; a text's shell
            // may be deep too.
        }
        let too_deep = job.doc.index.depth > limits.max_depth
            && depth_of(job.doc, &block.value) + 2 > limits.max_depth as usize;
        if too_deep {
            account.fire(BudgetKind::Depth);
            part.stays = false;
        }
        parts.push(part);
    }
    let added = |kind, whole| Part {
        at: usize::MAX,
        block: None,
        kind,
        shell: job.width("{\"type\":\"text\",\"text\":\"\"},"),
        whole,
        stays: true,
        lean: false,
        tier: Tier::Plain,
        body: None,
        kept: 0,
    };
    if let Some(nested) = nested.last().and_then(Option::as_ref) {
        parts.push(added(PartKind::Structured, nested.weight()));
    }
    if job.told == Told::Copy {
        parts.push(added(PartKind::Mirror, 0));
    }
    parts
}

/// Makes a part of `bytes` lean, where that takes anything away.
fn lean_to(job: &Job<'_>, part: &mut Part, bytes: usize, account: &mut Account) {
    let Some(block) = part.block else { return };
    let (at, lean) = (part.at, lean_shell(job, &block));
    let comma = 1 + usize::from(job.spaced);
    let whole = part.kind == PartKind::Whole;
    if lean >= if whole { bytes } else { part.shell - comma } {
        return;
    }
    part.lean = true;
    let lost = if whole { bytes - lean } else { part.shell - comma - lean };
    if whole {
        part.whole = lean;
    } else {
        part.shell = lean + comma;
    }
    for (steps, kept, of) in lean_cuts(job, &block) {
        account.cut(Cut {
            path: format!("/{}/{at}{steps}", job.envelope.kind.parts_field()),
            within: None,
            kind: CutKind::MetaKeys,
            kept,
            of,
            gone: Vec::new(),
            weight: lost,
        });
    }
}

/// Cuts the texts to the water level; what one does not use goes to the next.
pub(crate) fn cut_texts(
    job: &Job<'_>,
    parts: &mut [Part],
    nested: &[Option<Nested<'_>>],
    water: &Water,
    mut spare: usize,
    account: &mut Account,
) {
    for part in parts.iter_mut() {
        if part.stays && part.kind == PartKind::Whole {
            part.kept = part.whole;
        }
        if !part.shares() {
            continue;
        }
        let share = part.need().at(water.of(part.tier));
        let body = match &part.block {
            Some(block) => block.payload.map_or("", |payload| job.doc.body(&payload)),
            None => "",
        };
        let limit = or_off(job.settings.limits.max_block_text_bytes);
        let room = (share + spare).min(limit);
        let json = match part.at {
            usize::MAX => nested.last(),
            at => nested.get(at),
        };
        let json = json.and_then(Option::as_ref);
        let used = if part.block.is_some() && body.len() <= room {
            part.kept = body.len();
            body.len()
        } else {
            let (new, kept) = cut_one(job, part, body, json, room, account);
            let len = new.len();
            part.body = Some(new);
            part.kept = kept;
            len
        };
        spare = (share + spare).saturating_sub(used);
    }
}

/// The body that stays of `body`, and how many bytes of it are payload.
fn cut_one(
    job: &Job<'_>,
    part: &Part,
    body: &str,
    json: Option<&Nested<'_>>,
    room: usize,
    account: &mut Account,
) -> (String, usize) {
    let profile = job.settings.wire_profile;
    let path = match &part.block {
        Some(block) => job.place(part.at, block.steps),
        None => String::from("/structuredContent"),
    };
    if let Some(nested) = json {
        let doc = &nested.doc;
        let mut out = String::new();
        if nested.weight() <= room {
            let mut text = String::new();
            compact(&mut text, doc.text);
            escape(&mut out, &text, profile);
            if part.block.is_some() {
                space_went(account, path, body, &out);
            }
            let kept = out.len();
            return (out, kept);
        }
        let outer = (path.clone(), String::new());
        let taken = core::mem::take(account);
        let nest = Nest { outer, weigh: Weigh::IN_STRING, profile, depth: 0 };
        let (written, taken) = shrink_text(doc, Some(&nested.table), nest, room, taken);
        *account = taken;
        if let Some((text, _)) = written {
            escape(&mut out, &text, profile);
            let kept = out.len();
            return (out, kept);
        }
    }
    cut_plain(job, part.at, body, (path, room), account)
}

/// Tells that a JSON text lost the white space between its tokens.
pub(crate) fn space_went(account: &mut Account, path: String, before: &str, after: &str) {
    if before != after && account.repairs.len() < 64 {
        let count = before.len().saturating_sub(after.len());
        account.repairs.push(Repair { kind: "white-space", path, count });
    }
}

/// Whether the policy wants a mirror's text to be replaced by a remark.
pub(crate) fn mirror_goes(job: &Job<'_>) -> bool {
    job.settings.mirror == Mirror::Structured
        && matches!(job.mirror, Some(found) if found.style != Style::Items)
}
