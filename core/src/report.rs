//! The account as JSON for the machine, and as one line for the model. Both
//! are bounded, whatever was cut.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::json::pointer::write_json_string;
use crate::order::sorted;
use crate::plan::account::{Account, BudgetKind, Cut, CutKind, Thinned};
use crate::profile::{print, printed_bytes};
use crate::settings::WireProfile;

/// The member of `_meta` that holds the report.
pub(crate) const REPORT_KEY: &str = "dev.result-budget/report";

const PATHS_MAX: usize = 32;
const CUTS_MAX: usize = 8;
const REPAIRS_MAX: usize = 8;

/// How much account a budget allows; fixed by the whole-result limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Rung {
    /// The notice alone.
    Bare,
    /// A short notice and `{"truncated":true}`.
    Short,
    /// The four fields of contract B5, with one path.
    Middle,
    /// Everything.
    Full,
}

impl Rung {
    pub(crate) fn of(limit_bytes: usize) -> Rung {
        match limit_bytes {
            4_096.. => Rung::Full,
            512.. => Rung::Middle,
            _ => Rung::Short,
        }
    }

    /// Room that a plan sets aside for the report at first.
    pub(crate) fn report_bytes(self) -> usize {
        match self {
            Rung::Full => 440,
            Rung::Middle => 150,
            Rung::Short => 18,
            Rung::Bare => 0,
        }
    }

    /// Room that a plan sets aside for the notice.
    pub(crate) fn notice_bytes(self) -> usize {
        match self {
            Rung::Full => 136,
            Rung::Middle => 72,
            Rung::Short | Rung::Bare => 40,
        }
    }
}

/// The numbers that a report tells beside the cuts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Totals {
    /// The limit that fired, in its own unit.
    pub(crate) limit: usize,
    /// Payload of the original, in bytes.
    pub(crate) original_bytes: usize,
    /// Payload that stays, in bytes.
    pub(crate) kept_bytes: usize,
}

/// The report as JSON, at most `room` bytes in the wire profile: the longest
/// lists that fit. The fields without lists are written in any case.
pub(crate) fn report(
    account: &Account,
    totals: Totals,
    rung: Rung,
    room: usize,
    profile: WireProfile,
) -> String {
    let truncated = account.cut_count > 0;
    let kind = account.fired.unwrap_or(BudgetKind::ResultBytes).name();
    let mut paths = Paths::default();
    match rung {
        Rung::Bare | Rung::Short => print(&format!("{{\"truncated\":{truncated}}}"), profile),
        Rung::Middle => {
            if let Some(first) = account.cuts.iter().max_by_key(|cut| cut.weight) {
                paths.add(first, 1);
            }
            let whole = |list: &str| {
                let head =
                    if truncated { format!("\"budget_kind\":\"{kind}\",") } else { String::new() };
                format!(
                    "{{\"truncated\":{truncated},{head}\"omitted_count\":{},\"omitted_paths\":[{list}]}}",
                    account.omitted_count
                )
            };
            let full = print(&whole(&paths.0.join(",")), profile);
            if full.len() <= room { full } else { print(&whole(""), profile) }
        }
        Rung::Full => full_report(account, totals, room, profile),
    }
}

fn full_report(account: &Account, totals: Totals, room: usize, profile: WireProfile) -> String {
    let mut out = format!("{{\"truncated\":{}", account.cut_count > 0);
    if account.cut_count > 0 {
        let kind = account.fired.unwrap_or(BudgetKind::ResultBytes);
        out.push_str(&format!(
            ",\"budget_kind\":\"{}\",\"limit_{}\":{}",
            kind.name(),
            limit_unit(kind),
            totals.limit
        ));
    }
    out.push_str(&format!(
        ",\"original_bytes\":{},\"kept_bytes\":{},\"omitted_count\":{}",
        totals.original_bytes, totals.kept_bytes, account.omitted_count
    ));
    if let Some(cursor) = &account.next_cursor {
        out.push_str(&format!(",\"next_cursor\":\"{cursor}\""));
    }
    // The lists take turns: the biggest cut, its path, a repair, and so on.
    let listed = &account.cuts;
    let order = sorted(listed.len(), &|a, b| listed[b].weight.cmp(&listed[a].weight));
    let (mut cuts, mut paths, mut repairs): (Vec<(usize, String)>, _, _) =
        (Vec::new(), Paths::default(), Vec::new());
    // Brackets, names and the count of what is not listed.
    let mut left = room.saturating_sub(printed_bytes(&out, profile) + 90);
    let mut take = |text: &str| {
        let len = printed_bytes(text, profile) + 2;
        let fits = len <= left;
        if fits {
            left -= len;
        }
        fits
    };
    for turn in 0..order.len().max(account.repairs.len()).min(PATHS_MAX) {
        if let Some(repair) = account.repairs.get(turn).filter(|_| turn < REPAIRS_MAX) {
            let mut text = format!("{{\"kind\":\"{}\",\"path\":", repair.kind);
            write_json_string(&mut text, &repair.path);
            text.push_str(&format!(",\"count\":{}}}", repair.count));
            if take(&text) {
                repairs.push(text);
            }
        }
        let Some(at) = order.get(turn) else { continue };
        let cut = &account.cuts[*at];
        if cuts.len() < CUTS_MAX {
            let text = cut_json(cut);
            if take(&text) {
                cuts.push((*at, text));
            }
        }
        let mut more = Paths::default();
        more.add(cut, PATHS_MAX);
        for path in more.0 {
            if paths.0.len() < PATHS_MAX && !paths.0.contains(&path) && take(&path) {
                paths.0.push(path);
            }
        }
    }
    let (listed, in_order) = (cuts.len(), &cuts);
    let cuts: Vec<&str> = sorted(listed, &|a, b| in_order[a].0.cmp(&in_order[b].0))
        .into_iter()
        .map(|at| in_order[at].1.as_str())
        .collect();
    out.push_str(&format!(
        ",\"omitted_paths\":[{}],\"cuts\":[{}]",
        paths.0.join(","),
        cuts.join(",")
    ));
    if account.cut_count > listed {
        out.push_str(&format!(",\"unlisted_cuts\":{}", account.cut_count - listed));
    }
    out.push_str(&format!(",\"repairs\":[{}]}}", repairs.join(",")));
    print(&out, profile)
}

/// The last word of a limit's name in a report.
fn limit_unit(kind: BudgetKind) -> &'static str {
    match kind {
        BudgetKind::ResultBytes
        | BudgetKind::TextBytes
        | BudgetKind::BinaryBytes
        | BudgetKind::BlockTextBytes
        | BudgetKind::BlockBinaryBytes
        | BudgetKind::StructuredBytes
        | BudgetKind::StringBytes
        | BudgetKind::KeyBytes
        | BudgetKind::ItemBytes => "bytes",
        BudgetKind::TextTokens => "tokens",
        BudgetKind::TextLines => "lines",
        BudgetKind::ContentBlocks => "blocks",
        BudgetKind::Depth => "depth",
        BudgetKind::ListItems => "items",
        BudgetKind::MapKeys => "keys",
        BudgetKind::TopLevelFields => "fields",
    }
}

fn cut_json(cut: &Cut) -> String {
    let mut out = String::from("{\"path\":");
    write_json_string(&mut out, &cut.path);
    if let Some(within) = &cut.within {
        out.push_str(",\"within\":");
        write_json_string(&mut out, within);
    }
    out.push_str(&format!(
        ",\"kind\":\"{}\",\"kept\":{},\"of\":{},\"unit\":\"{}\"}}",
        cut.kind.name(),
        cut.kept,
        cut.of,
        cut.kind.unit()
    ));
    out
}

/// Omitted paths as JSON strings.
#[derive(Default)]
struct Paths(Vec<String>);

impl Paths {
    fn add(&mut self, cut: &Cut, most: usize) {
        let own = core::slice::from_ref(&cut.path);
        let paths = if cut.gone.is_empty() { own } else { &cut.gone };
        for path in paths.iter().take(most) {
            let mut text = String::new();
            write_json_string(&mut text, path);
            self.0.push(text);
        }
    }
}

/// The line for the model: the longest form of at most `room` bytes; the
/// shortest one in any case. ASCII, without quotes or backslashes, but for the
/// path, which is left out where it has any.
/// `names` are those of blocks that went, as many as there is room for.
pub(crate) fn notice(
    account: &Account,
    totals: Totals,
    replaced: bool,
    room: usize,
    names: &[String],
) -> String {
    let Totals { limit, original_bytes, kept_bytes } = totals;
    let short = format!("{kept_bytes} of {original_bytes} bytes");
    let kind = account.fired.unwrap_or(BudgetKind::ResultBytes);
    let unit = limit_unit(kind);
    // The counts are in bytes, which is not what the limit speaks of.
    let bytes = if matches!(kind, BudgetKind::TextTokens | BudgetKind::TextLines) {
        format!("{short} within {limit} {unit}")
    } else {
        short.clone()
    };
    let mut forms: Vec<String> = Vec::new();
    let main = account.cuts.iter().max_by_key(|cut| cut.weight);
    if replaced {
        forms.push(format!(
            "[result-budget] The call ran, do not repeat it. No legal cut of its structured result fits {limit} {unit}: {short} follow as text."
        ));
        forms.push(format!("[result-budget] Call ran, do not repeat it; {short} fit."));
        forms.push(format!("[call ran; cut: {short}]"));
    } else if let Some(cut) = main {
        const NEXT: &str = "The same call is cut the same way: ask for less.";
        let plain = |text: &str| {
            text.bytes().all(|byte| (0x20..0x7F).contains(&byte) && !b"\"\\<>&".contains(&byte))
        };
        if is_thinned(account) {
            // What is shown of one list says little of the whole tree, and an
            // empty list may be none.
            let Thinned { kept, of, lists, emptied } = account.thinned;
            let cut = if emptied > 0 { "; [] may be a cut list" } else { "" };
            let counted = format!("{kept} of {of} items of {lists} cut lists shown");
            forms.push(format!("[result-budget] {counted}, {bytes} in all{cut}. {NEXT}"));
            forms.push(format!("[result-budget] {counted}, {bytes}{cut}. Ask for less."));
            forms.push(format!("[result-budget] {bytes} shown{cut}. Ask for less."));
        }
        let counted = format!("{} of {} {}", cut.kept, cut.of, cut.kind.unit());
        let all =
            if cut.kind.unit() == "bytes" { String::new() } else { format!(", {bytes} in all") };
        let counted = if cut.kind.unit() == "bytes" && bytes != short {
            format!("{counted} within {limit} {unit}")
        } else {
            counted
        };
        if plain(&cut.path) {
            forms.push(format!("[result-budget] {counted} at {}{all}. {NEXT}", cut.path));
        }
        forms.push(format!("[result-budget] {counted} shown{all}. {NEXT}"));
        forms.push(format!("[result-budget] {counted} shown. {NEXT}"));
        if cut.kind.unit() != "bytes" && (cut.kept > 0 || kept_bytes == original_bytes) {
            forms.push(format!("[result-budget] {counted} shown, {bytes}. Ask for less."));
            forms.push(format!("[result-budget] {counted} shown. Ask for less."));
            forms.push(format!("[cut: {counted}; ask for less]"));
        }
        forms.push(format!("[result-budget] {bytes} shown. Ask for less."));
        forms.push(format!("[result-budget] {short} shown. Ask for less."));
        forms.push(format!("[cut: {short}; ask for less]"));
        forms.push(format!("[cut: {short}]"));
    }
    let last = forms.pop().unwrap_or_else(|| format!("[cut: {short}]"));
    // The names go before the longer words.
    let mut tail = String::new();
    let least = forms.iter().map(String::len).min().unwrap_or(last.len());
    for name in names {
        let lead = if tail.is_empty() { LEFT_OUT } else { ", " };
        if least + tail.len() + lead.len() + name.len() + 1 > room {
            break;
        }
        tail.push_str(lead);
        tail.push_str(name);
    }
    if !tail.is_empty() {
        tail.push('.');
    }
    let left = room.saturating_sub(tail.len());
    let mut form = forms.into_iter().find(|form| form.len() <= left).unwrap_or(last);
    if form.len() <= left {
        form.push_str(&tail);
    }
    form
}

/// Whether the lists of trees were cut, and nothing else.
fn is_thinned(account: &Account) -> bool {
    account.thinned.lists > 1 && account.cuts.iter().all(|cut| cut.kind == CutKind::ListItems)
}

/// What stands before the names of blocks that went.
pub(crate) const LEFT_OUT: &str = " Left out: ";

/// The short remark inside `structuredContent`, as the body of a string. It is
/// all that a client tells which shows that half alone, so it says how to go
/// on where there is room (contract B7).
pub(crate) fn remark(account: &Account, totals: Totals, advises: bool) -> String {
    let own = account.cuts.iter().filter(|cut| cut.path.starts_with("/structuredContent"));
    let main = own.max_by_key(|cut| cut.weight);
    let mut text = match main.or_else(|| account.cuts.iter().max_by_key(|cut| cut.weight)) {
        Some(_) if is_thinned(account) => {
            format!("{} of {} items shown", account.thinned.kept, account.thinned.of)
        }
        Some(cut) => format!("{} of {} {} shown", cut.kept, cut.of, cut.kind.unit()),
        None => format!("{} of {} bytes shown", totals.kept_bytes, totals.original_bytes),
    };
    text.truncate(REMARK_MAX_BYTES);
    if advises {
        text.push_str(ADVICE);
    }
    text
}

/// Whether a text is such a remark.
pub(crate) fn is_remark(text: &str) -> bool {
    text.strip_suffix(ADVICE).unwrap_or(text).ends_with(" shown")
}

/// The longest remark, in bytes.
pub(crate) fn remark_max_bytes(advises: bool) -> usize {
    REMARK_MAX_BYTES + if advises { ADVICE.len() } else { 0 }
}

const REMARK_MAX_BYTES: usize = 38;
const ADVICE: &str = "; ask for less";
