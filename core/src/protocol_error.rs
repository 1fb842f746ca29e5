//! JSON-RPC errors: the code stays as it is, the message keeps its head, the
//! data is cut like structured data without a schema (contract B13).
//!
//! What the protocol itself defines in `data` is kept whole: a client acts on
//! it. An error that promises such data and has no room for it becomes another
//! error.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::compose::fired_limit;
use crate::envelope::{key_is, superseded};
use crate::fit::{FitError, Fitted, Known, Outcome, measured, open_again};
use crate::json::pointer::{Pointer, decode_body};
use crate::json::walk::{Doc, Member, Sort, Value};
use crate::plan::account::{Account, BudgetKind, Cut, CutKind, Repair};
use crate::plan::flatten::flatten;
use crate::plan::price::{Price, Weigh};
use crate::plan::shape::{Rules, Shape};
use crate::plan::share::{Need, level};
use crate::plan::shrink::Shrink;
use crate::profile::{number_growth, print};
use crate::refusal::error_outcome;
use crate::repair::replace_lone_surrogates;
use crate::report::{REPORT_KEY, Rung, Totals, notice, report};
use crate::schema::Permit;
use crate::settings::{Settings, WireProfile};
use crate::text::{Keep, cut};

/// What the protocol defines in `data` of its own errors.
const PROTECTED: [&str; 5] =
    ["requiredCapabilities", "supported", "requested", "uri", "elicitations"];

/// An error, read.
struct Read<'d> {
    doc: &'d Doc<'d>,
    code: &'d str,
    message: Value,
    data: Option<Value>,
    /// Fields that no error has, and keys that come again.
    foreign: Vec<&'d str>,
    repeated: usize,
}

/// Fits a JSON-RPC error object.
pub(crate) fn fit(
    doc: &Doc<'_>,
    known: Known<'_>,
    settings: &Settings,
) -> Result<Outcome, FitError> {
    let text = doc.text;
    let limits = &settings.limits;
    let Some(error) = Read::of(doc) else { return Ok(measured(text, known.kind, settings)) };
    let profiled = settings.wire_profile != WireProfile::Utf8Compact;
    let lone = doc.index.lone_surrogates;
    let mut account = Account::default();
    if error.fits(settings)
        && lone == 0
        && !profiled
        && text.len() <= limits.max_result_bytes as usize
    {
        return Ok(Outcome::Unchanged);
    }
    let repaired = replace_lone_surrogates(text, lone);
    if lone > 0 {
        let count = lone as usize;
        account.repairs.push(Repair { kind: "lone-surrogate", path: String::new(), count });
    }
    let mut written = Cow::Borrowed(repaired.as_deref().unwrap_or(text));
    if profiled {
        written = Cow::Owned(print(&written, settings.wire_profile));
        let doc = open_again(&written, settings)?;
        let fits = Read::of(&doc).is_some_and(|error| error.fits(settings));
        let law = limits.max_result_bytes as usize;
        if fits && lone == 0 && written.len() + number_growth(&written) <= law {
            let unchanged = text.len() <= law;
            return Ok(if unchanged {
                Outcome::Unchanged
            } else {
                Outcome::Compacted(written.into_owned())
            });
        }
    }
    let doc = open_again(&written, settings)?;
    let payload = Read::of(&doc).map_or(0, |error| error.payload_bytes());
    let levels = limits.max_depth as usize - 1;
    let data = Read::of(&doc).and_then(|error| error.data);
    let flat = data
        .filter(|_| doc.index.depth > limits.max_depth)
        .map(|data| flatten(&doc, &data, levels, "data", None, &mut account));
    let doc = match &flat {
        Some(flat) => open_again(flat, settings)?,
        None => doc,
    };
    Ok(Read::of(&doc)
        .and_then(|error| error.bound(account, payload, known, settings))
        .unwrap_or_else(|| error_outcome(text.len(), known.kind, settings)))
}

impl<'d> Read<'d> {
    /// Reads an error; `None` where it has no message.
    fn of(doc: &'d Doc<'d>) -> Option<Self> {
        let (mut code, mut message, mut data) = (None, None, None);
        let (mut foreign, mut repeated) = (Vec::new(), 0);
        for member in doc.members(&doc.root()) {
            let slot = match decode_body(member.key).as_ref() {
                "code" => &mut code,
                "message" => &mut message,
                "data" => &mut data,
                _ => {
                    foreign.push(member.key);
                    continue;
                }
            };
            repeated += usize::from(slot.replace(member.value).is_some());
        }
        let message = message.filter(|value| doc.sort(value) == Sort::String)?;
        let code = code.map_or("", |value| doc.raw(&value));
        let is_code = code.len() <= CODE_MAX_BYTES
            && code.bytes().all(|byte| byte == b'-' || byte.is_ascii_digit());
        let code = if is_code && !code.is_empty() { code } else { INTERNAL_ERROR };
        Some(Read { doc, code, message, data, foreign, repeated })
    }

    /// What a model may read of it.
    fn payload_bytes(&self) -> usize {
        self.doc.body(&self.message).len() + self.data.map_or(0, |data| data.compact_bytes())
    }

    /// Whether it is within every bound but the law.
    fn fits(&self, settings: &Settings) -> bool {
        let limits = &settings.limits;
        let data = self.data.map_or(0, |data| data.end - data.start);
        self.foreign.is_empty()
            && self.repeated == 0
            && self.doc.body(&self.message).len() + data <= limits.max_text_bytes as usize
            && self.doc.index.depth <= limits.max_depth
            && self.data.is_none_or(|data| self.is_shaped(&data, settings))
    }

    /// Whether the data is within the limits on shape: the protocol's own
    /// members and our report are left out.
    fn is_shaped(&self, data: &Value, settings: &Settings) -> bool {
        let shape = Shape::printed(&settings.limits, settings.wire_profile);
        if self.doc.sort(data) != Sort::Object {
            return shape.holds(self.doc, data);
        }
        let mut keys = 0;
        self.doc.members(data).filter(|member| !is_exempt(member)).all(|member| {
            keys += 1;
            member.key.len() <= shape.key_bytes && shape.holds(self.doc, &member.value)
        }) && keys <= shape.map_keys
    }

    fn bound(
        &self,
        mut account: Account,
        original_bytes: usize,
        known: Known<'_>,
        settings: &Settings,
    ) -> Option<Outcome> {
        for key in &self.foreign {
            let mut pointer = Pointer::new();
            pointer.push_key(key);
            account.fire(BudgetKind::TopLevelFields);
            account.cut(Cut {
                path: pointer.render(),
                within: None,
                kind: CutKind::TopLevelFields,
                kept: 0,
                of: 1,
                gone: Vec::new(),
                weight: key.len(),
            });
        }
        if self.repeated > 0 {
            let count = self.repeated;
            account.repairs.push(Repair { kind: "repeated-key", path: String::new(), count });
        }
        let mut rung = Rung::of(settings.limits.max_result_bytes as usize);
        if settings.limits.max_depth < 5 {
            rung = rung.min(Rung::Middle);
        }
        let rungs = [rung, rung.min(Rung::Middle), Rung::Short, Rung::Bare];
        let fitted = rungs
            .into_iter()
            .find_map(|rung| self.compose(account.clone(), rung, original_bytes, known, settings));
        fitted.map(|(json, report_json)| {
            if report_json.is_empty() {
                Outcome::Compacted(json)
            } else {
                let (tool_result_json, replaced_by_error) = (json, false);
                Outcome::Bounded(Fitted { tool_result_json, report_json, replaced_by_error })
            }
        })
    }

    /// The members of the data that stay whole, as text of members, and the
    /// rest as a text of its own.
    fn split(&self, data: &Value, profile: WireProfile) -> (String, String) {
        let doc = self.doc;
        if doc.sort(data) != Sort::Object {
            return (String::new(), print(doc.raw(data), profile));
        }
        let members: Vec<Member<'_>> = doc.members(data).collect();
        let keys: Vec<_> = members.iter().map(|member| decode_body(member.key)).collect();
        let gone = superseded(&keys);
        let (mut whole, mut rest) = (String::new(), String::from("{"));
        for (at, member) in members.iter().enumerate() {
            let (ours, exempt) = (key_is(member.key, REPORT_KEY), is_exempt(member));
            let out = if exempt { &mut whole } else { &mut rest };
            if ours || (exempt && gone.binary_search(&at).is_ok()) {
                continue;
            }
            if !out.is_empty() && !out.ends_with('{') {
                out.push(',');
            }
            out.push_str(doc.text.get(member.key_start..member.value.end).unwrap_or_default());
        }
        rest.push('}');
        (print(&whole, profile), print(&rest, profile))
    }

    /// Composes the error on one rung of the ladder, with its full report;
    /// `None` where it does not fit.
    fn compose(
        &self,
        mut account: Account,
        rung: Rung,
        original_bytes: usize,
        known: Known<'_>,
        settings: &Settings,
    ) -> Option<(String, String)> {
        let profile = settings.wire_profile;
        let limits = &settings.limits;
        let spaced = profile == WireProfile::PythonJson;
        let (comma, colon) = if spaced { (", ", ": ") } else { (",", ":") };
        let mut body = self.doc.body(&self.message);
        if let Some(at) = known.previous.and_then(|previous| previous.notice_in(body)) {
            // What an earlier boundary said of its cut is said anew.
            body = body.get(..at).unwrap_or_default();
        }
        let (whole, rest) = self.data.map_or_else(Default::default, |d| self.split(&d, profile));
        let is_object = rest.is_empty() || rest.starts_with('{');
        let growth = if spaced || profile != WireProfile::Utf8Compact {
            number_growth(&whole) + number_growth(&rest)
        } else {
            0
        };
        // Room that is taken in any case.
        let report_shell = print(&format!(",\"{REPORT_KEY}\":"), profile).len();
        let braces = print(",\"data\":{}", profile).len();
        let report_room = if rung == Rung::Bare || !is_object {
            0
        } else {
            rung.report_bytes() + report_shell + braces
        };
        let notice_room = rung.notice_bytes() + 1;
        let around = print("{\"code\":,\"message\":\"\",\"data\":{}}", profile).len()
            + self.code.len()
            + whole.len()
            + comma.len()
            + growth;
        let law = limits.max_result_bytes as usize;
        let room = law
            .checked_sub(around)?
            .min((limits.max_text_bytes as usize).checked_sub(whole.len() + 4)?)
            .checked_sub(report_room + notice_room)?;

        let data_doc = if rest.is_empty() { None } else { Some(open_any(&rest)?) };
        let mut pointer = Pointer::new();
        pointer.push_key("data");
        let mut tree = data_doc.as_ref().map(|doc| {
            let price = Price::new(doc, spaced, profile, Weigh::PLAIN, None);
            let shape = Shape::of(limits);
            Shrink::new(price, Rules::Any, shape, pointer, Account::default())
        });
        let mut needs = Vec::from([Need { least: body.len().min(48), whole: body.len() }]);
        if let (Some(tree), Some(doc)) = (&mut tree, &data_doc) {
            let root = doc.root();
            let natural = tree.natural(&root, Permit::ANY);
            let cap = (room.saturating_sub(48)).min(natural);
            let least = tree.least(None, &root, Permit::ANY, cap, true);
            if least > cap {
                return None;
            }
            needs.push(Need { least, whole: natural });
        }
        let water = level(&needs, room);
        let taken: usize = needs.iter().map(|need| need.at(water)).sum();
        let spare = room.checked_sub(taken)?;

        // The data first; what it leaves goes to the message.
        let (mut data, mut left) = (String::new(), spare);
        if let (Some(tree), Some(doc), Some(need)) = (&mut tree, &data_doc, needs.get(1)) {
            tree.account = core::mem::take(&mut account);
            let share = (need.at(water) + spare).min(need.whole);
            let from = tree.script.mark();
            let used = tree.shrink(None, &doc.root(), Permit::ANY, share, 2);
            let to = tree.script.mark();
            account = core::mem::take(&mut tree.account);
            tree.script.write(from, to, doc.text, "", &mut data);
            left = (need.at(water) + spare).saturating_sub(used);
        }
        let share = needs.first().map_or(0, |need| need.at(water)) + left;
        let message = cut_message(body, share, &mut account);
        if account.cut_count > 0 && account.fired.is_none() {
            let over_law = self.doc.text.len() > law;
            account.fire(if over_law { BudgetKind::ResultBytes } else { BudgetKind::TextBytes });
        }
        if let Some(previous) = known.previous {
            previous.join(&mut account);
        }
        let totals = Totals {
            limit: fired_limit(&account, limits),
            original_bytes: known
                .previous
                .and_then(super::previous::Previous::original_bytes)
                .unwrap_or(original_bytes),
            kept_bytes: message.len() + data.len() + whole.len(),
        };
        let mut members = data.get(1..data.len().max(2) - 1).unwrap_or_default().to_string();
        if is_object && !whole.is_empty() {
            let gap = if members.is_empty() { "" } else { comma };
            members = format!("{whole}{gap}{members}");
        }
        if account.cut_count == 0 && account.repairs.is_empty() {
            let json = self.write(&message, "", &members, &data, is_object, (comma, colon));
            return (json.len() + growth <= law).then_some((json, String::new()));
        }
        let said = if account.cut_count > 0 {
            format!(" {}", notice(&account, totals, false, notice_room - 1, &[]))
        } else {
            String::new()
        };
        let full = report(&account, totals, Rung::Full, usize::MAX / 4, WireProfile::Utf8Compact);
        if is_object && rung > Rung::Bare {
            let bare = self.write(&message, &said, &members, &data, true, (comma, colon));
            // Without data there are braces, and its name, to pay as well.
            let shell = report_shell + braces;
            let text = message.len() + said.len() + members.len() + shell + 2;
            let left = law
                .checked_sub(bare.len() + growth + shell)?
                .min((limits.max_text_bytes as usize).checked_sub(text)?);
            let most = left.min((law / 4).max(rung.report_bytes()));
            let written = report(&account, totals, rung, most, profile);
            if written.len() > left {
                return None;
            }
            if !members.is_empty() {
                members.push_str(comma);
            }
            members.push_str(&format!("\"{REPORT_KEY}\"{colon}{written}"));
        }
        let json = self.write(&message, &said, &members, &data, is_object, (comma, colon));
        let text =
            message.len() + said.len() + if is_object { members.len() + 2 } else { data.len() };
        let fits = json.len() + growth <= law && text <= limits.max_text_bytes as usize;
        fits.then_some((json, full))
    }

    fn write(
        &self,
        message: &str,
        said: &str,
        members: &str,
        data: &str,
        is_object: bool,
        (comma, colon): (&str, &str),
    ) -> String {
        let code = self.code;
        let mut out =
            format!("{{\"code\"{colon}{code}{comma}\"message\"{colon}\"{message}{said}\"");
        if !is_object {
            out.push_str(&format!("{comma}\"data\"{colon}{data}"));
        } else if !members.is_empty() || self.data.is_some() {
            out.push_str(&format!("{comma}\"data\"{colon}{{{members}}}"));
        }
        out.push('}');
        out
    }
}

/// Scans a text of ours, of whatever sort.
fn open_any(text: &str) -> Option<Doc<'_>> {
    Doc::new(text, 65).ok()
}

/// The head of a message that fits `room`, with how much of how much it is.
fn cut_message(body: &str, room: usize, account: &mut Account) -> String {
    if body.len() <= room {
        return body.to_string();
    }
    let most = 2 * body.len().to_string().len() + 16;
    let marked = room >= 3 * most;
    let head = cut(body, if marked { room - most } else { room }, Keep::Head).head_end;
    account.cut(Cut {
        path: String::from("/message"),
        within: None,
        kind: CutKind::Text,
        kept: head,
        of: body.len(),
        gone: Vec::new(),
        weight: body.len() - head,
    });
    let kept = body.get(..head).unwrap_or_default();
    if marked { format!("{kept} [{head} of {} bytes]", body.len()) } else { kept.to_string() }
}

/// A member of `data` that no limit on shape looks at.
fn is_exempt(member: &Member<'_>) -> bool {
    let key = decode_body(member.key);
    key == REPORT_KEY || PROTECTED.contains(&key.as_ref())
}

/// The code of JSON-RPC for an error inside of the server.
const INTERNAL_ERROR: &str = "-32603";
const CODE_MAX_BYTES: usize = 20;
