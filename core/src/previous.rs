//! The account of an earlier boundary, handed over out of band: what it
//! counted goes on to be counted (contract B5, design 4).

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::call::ResultKind;
use crate::envelope::{Block, BlockKind, Envelope, Kind, Role, key_is};
use crate::fit::FitError;
use crate::json::escape::escape;
use crate::json::read::{DocumentFault, Object, Value as Told, read};
use crate::json::walk::{Doc, Value};
use crate::plan::account::{Account, BudgetKind, Cut, CutKind};
use crate::report::{REPORT_KEY, is_remark};
use crate::settings::{Settings, WireProfile};
use crate::tools::NOTICE_MEMBER;

/// What the earlier boundary told.
#[derive(Clone, Debug)]
pub(crate) struct Previous {
    truncated: bool,
    original_bytes: Option<usize>,
    omitted_count: usize,
    cuts: Vec<Cut>,
    /// Its cuts, the unlisted ones too.
    cut_count: usize,
    next_cursor: Option<String>,
    /// Places of parts that it left out, in order.
    gone_parts: Vec<usize>,
}

impl Previous {
    /// Reads a report. Members that this version does not know are passed over:
    /// the earlier boundary may be newer.
    pub(crate) fn read(report_json: &str) -> Result<Self, FitError> {
        Self::of(report_json).map_err(|fault| FitError::PreviousReport { pointer: fault.pointer })
    }

    fn of(report_json: &str) -> Result<Self, DocumentFault> {
        let document = read(report_json)?;
        let root = document.object()?;
        let mut paths = Vec::new();
        for path in list(&root, "omitted_paths")? {
            paths.push(path.string()?.into_owned());
        }
        let mut cuts = Vec::new();
        for told in list(&root, "cuts")? {
            let cut = told.object()?;
            let demand = |name: &str| cut.get(name).ok_or_else(|| told.wrong_type("a cut"));
            let path = demand("path")?.string()?.into_owned();
            let kind = demand("kind")?.choice(&CutKind::ALL, CutKind::name)?;
            let within = cut.get("within").map(Told::string).transpose()?;
            let (kept, of) = (count(demand("kept")?)?, count(demand("of")?)?);
            let below = format!("{path}/");
            let gone = paths.iter().filter(|gone| gone.starts_with(&below)).cloned().collect();
            let weight = if kind.unit() == "bytes" { of.saturating_sub(kept) } else { 0 };
            let within = within.map(alloc::borrow::Cow::into_owned);
            cuts.push(Cut { path, within, kind, kept, of, gone, weight });
        }
        let number = |name: &str| root.get(name).map(count).transpose();
        let original_bytes = number("original_bytes")?;
        let lost = original_bytes.unwrap_or(0).saturating_sub(number("kept_bytes")?.unwrap_or(0));
        for cut in &mut cuts {
            // What is not counted in bytes weighs what the whole cut did.
            cut.weight = cut.weight.max(if cut.kind.unit() == "bytes" { 0 } else { lost });
        }
        let mut gone_parts: Vec<usize> = paths
            .iter()
            .filter_map(|path| part_of(path))
            .filter_map(|(_, at, rest)| rest.is_empty().then_some(at))
            .collect();
        crate::order::sort(&mut gone_parts, &|a, b| a.cmp(&b));
        Ok(Previous {
            truncated: root.get("truncated").map(Told::boolean).transpose()? == Some(true),
            original_bytes,
            omitted_count: number("omitted_count")?.unwrap_or(0),
            cut_count: cuts.len() + number("unlisted_cuts")?.unwrap_or(0),
            cuts,
            next_cursor: root
                .get("next_cursor")
                .map(|cursor| {
                    cursor.string()?;
                    let text = cursor.text();
                    Ok(text.get(1..text.len() - 1).unwrap_or_default().to_string())
                })
                .transpose()?,
            gone_parts,
        })
    }

    /// Payload of the original, as the earlier boundary counted it.
    pub(crate) fn original_bytes(&self) -> Option<usize> {
        self.original_bytes.filter(|_| self.truncated)
    }

    /// Where a message ends that the earlier boundary added its notice to.
    pub(crate) fn notice_in(&self, message: &str) -> Option<usize> {
        let found = NOTICES.iter().filter_map(|notice| message.rfind(&format!(" {notice}")));
        found.max().filter(|_| self.truncated)
    }

    /// Of how many bytes the text at `path` was.
    pub(crate) fn of_text(&self, path: &str) -> Option<usize> {
        let path = self.moved(path);
        let known = self.cuts.iter().find(|cut| cut.kind == CutKind::Text && cut.path == path);
        known.filter(|_| self.truncated).map(|cut| cut.of)
    }

    /// Adds what the earlier boundary counted: its cuts first, and where the
    /// same place was cut again, of what it was first.
    pub(crate) fn join(&self, account: &mut Account) {
        if !self.truncated {
            return;
        }
        let own = core::mem::take(&mut account.cuts);
        account.cuts.clone_from(&self.cuts);
        account.cut_count += self.cut_count.max(1);
        account.omitted_count += self.omitted_count;
        account.next_cursor = account.next_cursor.take().or_else(|| self.next_cursor.clone());
        if account.fired.is_none() {
            account.fire(BudgetKind::ResultBytes);
        }
        for mut cut in own {
            cut.path = self.moved(&cut.path);
            for gone in &mut cut.gone {
                *gone = self.moved(gone);
            }
            let same = |known: &&mut Cut| {
                known.path == cut.path && known.within == cut.within && known.kind == cut.kind
            };
            match account.cuts.iter_mut().find(same) {
                Some(known) => {
                    known.kept = cut.kept;
                    known.of = known.of.max(cut.of);
                    known.weight = known.weight.saturating_add(cut.weight);
                    known.gone.append(&mut cut.gone);
                    account.cut_count -= 1;
                }
                None => account.cuts.push(cut),
            }
        }
    }

    /// A path of what came out of the earlier boundary, as it was in the
    /// original: parts that were left out count.
    fn moved(&self, path: &str) -> String {
        let Some((field, mut at, rest)) = part_of(path) else { return path.to_string() };
        for gone in &self.gone_parts {
            at += usize::from(*gone <= at);
        }
        format!("/{field}/{at}{rest}")
    }

    /// The result without what the earlier boundary added: its notice, its
    /// report, and its remark in structured data and the texts that repeat it.
    /// `None` where it added nothing.
    pub(crate) fn strip(
        &self,
        doc: &Doc<'_>,
        kind: ResultKind,
        settings: &Settings,
    ) -> Option<String> {
        if !self.truncated {
            return None;
        }
        let Kind::Complete(envelope) = Envelope::read(doc, doc.root(), kind, settings) else {
            return None;
        };
        let mut out = String::from("{");
        let remark = envelope.structured.and_then(|value| remark_of(doc, &value));
        for field in &envelope.fields {
            comma(&mut out);
            out.push('"');
            out.push_str(field.key);
            out.push_str("\":");
            match field.role {
                Role::Content => strip_parts(doc, &field.value, kind, remark, &mut out),
                Role::Meta => {
                    strip_members(doc, &field.value, &|key, _| key_is(key, REPORT_KEY), &mut out);
                }
                Role::Structured if remark.is_some() => {
                    strip_members(doc, &field.value, &|_, at| at == 0, &mut out);
                }
                Role::Structured
                | Role::IsError
                | Role::ResultType
                | Role::Description
                | Role::Ttl
                | Role::CacheScope
                | Role::Kept
                | Role::Foreign
                | Role::NullCursor
                | Role::Superseded => out.push_str(doc.raw(&field.value)),
            }
        }
        out.push('}');
        Some(out)
    }
}

/// The first member of ours in structured data, as it is written.
fn remark_of<'d>(doc: &Doc<'d>, value: &Value) -> Option<&'d str> {
    let first = doc.members(value).next()?;
    let ours = key_is(first.key, NOTICE_MEMBER) && is_remark(doc.body(&first.value));
    doc.text.get(first.key_start..first.value.end).filter(|_| ours)
}

fn strip_parts(
    doc: &Doc<'_>,
    parts: &Value,
    kind: ResultKind,
    remark: Option<&str>,
    out: &mut String,
) {
    let is_notice = |item: Option<Value>| {
        item.map(|item| Block::read(doc, item, kind)).is_some_and(|block| {
            let body = block.payload.map_or("", |payload| doc.body(&payload));
            let text = matches!(block.kind, BlockKind::Text | BlockKind::ResourceText);
            text && NOTICES.iter().any(|notice| body.starts_with(notice))
        })
    };
    let count = doc.children_items(parts);
    let notice = if is_notice(doc.items(parts).next()) {
        Some(0)
    } else {
        count.checked_sub(1).filter(|_| is_notice(doc.items(parts).last()))
    };
    // The remark as it stands in a text that repeats the data.
    let mut mirrored = String::new();
    if let Some(remark) = remark {
        mirrored.push('{');
        escape(&mut mirrored, remark, WireProfile::Utf8Compact);
    }
    out.push('[');
    for (at, item) in doc.items(parts).enumerate() {
        if Some(at) == notice {
            continue;
        }
        comma(out);
        let payload = Block::read(doc, item, kind).payload;
        let body = payload.map_or("", |payload| doc.body(&payload));
        let rest = body.strip_prefix(&mirrored).filter(|_| !mirrored.is_empty());
        match (payload, rest) {
            (Some(payload), Some(rest)) => {
                out.push_str(doc.text.get(item.start..=payload.start).unwrap_or_default());
                out.push('{');
                out.push_str(rest.trim_start_matches([',', ' ']));
                out.push_str(doc.text.get(payload.end - 1..item.end).unwrap_or_default());
            }
            _ => out.push_str(doc.raw(&item)),
        }
    }
    out.push(']');
}

fn strip_members(
    doc: &Doc<'_>,
    object: &Value,
    goes: &dyn Fn(&str, usize) -> bool,
    out: &mut String,
) {
    out.push('{');
    for (at, member) in doc.members(object).enumerate() {
        if !goes(member.key, at) {
            comma(out);
            out.push_str(doc.text.get(member.key_start..member.value.end).unwrap_or_default());
        }
    }
    out.push('}');
}

fn comma(out: &mut String) {
    if !out.ends_with(['{', '[']) {
        out.push(',');
    }
}

/// The field of parts that `path` goes into, the place there, and the rest.
fn part_of(path: &str) -> Option<(&str, usize, &str)> {
    let (field, rest) = path.strip_prefix('/')?.split_once('/')?;
    let end = rest.find('/').unwrap_or(rest.len());
    let (at, rest) = (rest.get(..end)?, rest.get(end..)?);
    let known = [ResultKind::Tool, ResultKind::Prompt, ResultKind::Resource]
        .iter()
        .any(|kind| kind.parts_field() == field);
    if known { Some((field, at.parse().ok()?, rest)) } else { None }
}

fn list<'a>(root: &Object<'a>, name: &str) -> Result<Vec<Told<'a>>, DocumentFault> {
    root.get(name).map_or(Ok(Vec::new()), Told::array)
}

fn count(value: &Told<'_>) -> Result<usize, DocumentFault> {
    let number = value.integer()?;
    match u32::try_from(number) {
        Ok(number) => Ok(number as usize),
        Err(_) => Err(value.unknown_value("at most 4294967295")),
    }
}

/// How our notices begin.
const NOTICES: [&str; 3] = ["[result-budget] ", "[cut: ", "[call ran"];
