//! Writing the pieces of a bounded result.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::call::ResultKind;
use crate::compose::parts::{Part, PartKind};
use crate::compose::{Form, Job, Told};
use crate::envelope::{Block, Field, Role, key_is, size, superseded};
use crate::json::pointer::decode_body;
use crate::json::walk::{Doc, Member, Sort, Value};
use crate::plan::script::compact;
use crate::profile::print;

/// Members of a block, or of its resource, that carry its meaning.
const CORE_MEMBERS: [&str; 8] =
    ["type", "text", "data", "mimeType", "resource", "uri", "blob", "annotations"];

/// A member beside the payload that is larger than this goes from a block
/// whose shell is large.
const SMALL_MEMBER_BYTES: usize = 256;

/// The MIME type of a binary block, or what is known instead.
pub(crate) fn mime(doc: &Doc<'_>, block: &Block) -> String {
    let mut found: Option<Value> = None;
    for member in doc.members(&block.inner) {
        if key_is(member.key, "mimeType") {
            found = Some(member.value);
        } else if key_is(member.key, "resource") {
            found = doc
                .members(&member.value)
                .find(|inner| key_is(inner.key, "mimeType"))
                .map(|inner| inner.value)
                .or(found);
        }
    }
    let body = found.map(|value| doc.body(&value)).unwrap_or_default();
    let name = if body.len() <= 64 { decode_body(body) } else { Cow::Borrowed("") };
    let plain = !name.is_empty()
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"/+-._;=".contains(&b));
    String::from(if plain { name.as_ref() } else { "binary" })
}

/// The key of a field and its colon, in bytes.
pub(crate) fn field_head(job: &Job<'_>, field: &Field<'_>) -> usize {
    field.key.len() + 3 + usize::from(job.spaced)
}

/// What an object of a block is no valid one without.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Needs {
    /// URI and name: it is a link.
    Name,
    /// The type of its data: it is a picture or a sound.
    MimeType,
    /// The payload that it holds.
    Payload,
}

impl Needs {
    fn of(members: &[Member<'_>], payload: Option<Value>) -> Needs {
        let data = |payload: Value| {
            members.iter().any(|member| member.value == payload && key_is(member.key, "data"))
        };
        match payload {
            None => Needs::Name,
            Some(payload) if data(payload) => Needs::MimeType,
            Some(_) => Needs::Payload,
        }
    }
}

/// Whether a member stays in a lean block.
fn stays_lean(job: &Job<'_>, key: &str, value: &Value, needs: Needs) -> bool {
    let doc = job.doc;
    if needs == Needs::MimeType && key_is(key, "mimeType") {
        return true;
    }
    if needs == Needs::Name {
        return value.compact_bytes() <= SMALL_MEMBER_BYTES
            || ["type", "uri", "name"].iter().any(|name| key_is(key, name));
    }
    let core = CORE_MEMBERS.contains(&decode_body(key).as_ref());
    if job.envelope.kind == ResultKind::Prompt && ["role", "content"].contains(&key) {
        return true;
    }
    let payload = ["text", "data", "blob", "resource", "uri"].contains(&decode_body(key).as_ref())
        && doc.sort(value) != Sort::Array;
    payload || (core && value.compact_bytes() <= SMALL_MEMBER_BYTES)
}

/// The objects of a block that lose members when it is written lean: the
/// steps to each, how many of its members stay, and of how many.
pub(crate) fn lean_cuts(job: &Job<'_>, block: &Block) -> Vec<(&'static str, usize, usize)> {
    let doc = job.doc;
    let count = |object: &Value| {
        let members: Vec<Member<'_>> = doc.members(object).collect();
        let keys: Vec<_> = members.iter().map(|member| decode_body(member.key)).collect();
        // Of a key that is repeated only the last counts.
        let gone = superseded(&keys);
        let needs = Needs::of(&members, block.payload);
        let (mut stay, mut of) = (0, 0);
        for (at, member) in members.iter().enumerate() {
            if gone.binary_search(&at).is_err() {
                of += 1;
                stay += usize::from(stays_lean(job, member.key, &member.value, needs));
            }
        }
        (stay, of)
    };
    let mut cuts = Vec::new();
    let (kept, of) = count(&block.value);
    cuts.push(("", kept, of));
    let mut place = "/resource";
    if block.inner != block.value {
        let (kept, of) = count(&block.inner);
        cuts.push(("/content", kept, of));
        place = "/content/resource";
    }
    let resource = doc.members(&block.inner).find(|member| key_is(member.key, "resource"));
    if let Some(member) = resource.filter(|member| doc.sort(&member.value) == Sort::Object) {
        let (kept, of) = count(&member.value);
        cuts.push((place, kept, of));
    }
    cuts.retain(|(_, kept, of)| kept < of);
    cuts
}

/// Bytes of a block beside its payload when it is written lean.
pub(crate) fn lean_shell(job: &Job<'_>, block: &Block) -> usize {
    let mut out = String::new();
    write_object(job, block.value, block.payload, "", true, &mut out);
    out.len()
}

/// Writes a block, with `body` for its payload where one is given.
pub(crate) fn write_block(job: &Job<'_>, part: &Part, out: &mut String) {
    let doc = job.doc;
    let (Some(block), false) = (&part.block, part.kind == PartKind::Note) else {
        let text = part.body.as_deref().unwrap_or_default();
        let (mut shell, end) = text_shell(job, part.block.as_ref());
        shell.push_str(text);
        shell.push('"');
        shell.push_str(end);
        out.push_str(&job.print(&shell));
        return;
    };
    let body = part.body.as_deref().or_else(|| block.payload.map(|value| doc.body(&value)));
    if block.repeats || part.lean {
        write_object(job, block.value, block.payload, body.unwrap_or_default(), part.lean, out);
        return;
    }
    match (block.payload, &part.body) {
        (Some(payload), Some(body)) => {
            copy(job, block.value.start, payload.start, out);
            out.push('"');
            out.push_str(body);
            out.push('"');
            copy(job, payload.end, block.value.end, out);
        }
        _ => copy(job, block.value.start, block.value.end, out),
    }
}

/// What stands before and after a text of ours, but for its closing quote: a
/// block of its own, as this kind of result has them. `block` is the one that
/// it stands in for.
fn text_shell(job: &Job<'_>, block: Option<&Block>) -> (String, &'static str) {
    const TEXT: &str = "{\"type\":\"text\",\"text\":\"";
    match job.envelope.kind {
        ResultKind::Prompt => {
            let said = block.is_some_and(|block| {
                let mut members = job.doc.members(&block.value);
                members.any(|member| {
                    key_is(member.key, "role") && job.doc.body(&member.value) == "assistant"
                })
            });
            let role = if said { "assistant" } else { "user" };
            (format!("{{\"role\":\"{role}\",\"content\":{TEXT}"), "}}")
        }
        ResultKind::Resource => {
            let head = "{\"uri\":\"result-budget:notice\",\"mimeType\":\"text/plain\",\"text\":\"";
            (String::from(head), "}")
        }
        ResultKind::Tool
        | ResultKind::Task
        | ResultKind::Error
        | ResultKind::List
        | ResultKind::Other => (String::from(TEXT), "}"),
    }
}

/// Bytes of a text of ours beside its words, a comma among them.
pub(crate) fn shell_bytes(job: &Job<'_>, block: Option<&Block>) -> usize {
    let (mut shell, end) = text_shell(job, block);
    shell.push('"');
    shell.push_str(end);
    shell.push(',');
    job.width(&shell)
}

/// What a cut resource says to caches: nobody else is to see this cut, nor
/// this reader for long.
pub(crate) const NOT_CACHED: &str = ",\"ttlMs\":0,\"cacheScope\":\"private\"";

/// Copies a part of the document that starts and ends between tokens.
pub(crate) fn copy(job: &Job<'_>, start: usize, end: usize, out: &mut String) {
    let text = job.doc.text.get(start..end).unwrap_or_default();
    if job.spaced { out.push_str(text) } else { compact(out, text) }
}

/// Writes an object member by member: of each key the last, `body` in place of
/// the payload, and only what a lean block keeps.
fn write_object(
    job: &Job<'_>,
    object: Value,
    payload: Option<Value>,
    body: &str,
    lean: bool,
    out: &mut String,
) {
    let doc = job.doc;
    let mut members: Vec<_> = doc.members(&object).collect();
    let keys: Vec<_> = members.iter().map(|member| decode_body(member.key)).collect();
    let gone = superseded(&keys);
    let needs = Needs::of(&members, payload);
    let mut at = 0;
    members.retain(|member| {
        let stays = gone.binary_search(&at).is_err()
            && (!lean || stays_lean(job, member.key, &member.value, needs));
        at += 1;
        stays
    });
    out.push('{');
    for (at, member) in members.iter().enumerate() {
        if at > 0 {
            out.push_str(job.comma());
        }
        out.push('"');
        out.push_str(member.key);
        out.push('"');
        out.push_str(job.colon());
        match payload {
            Some(payload) if member.value == payload => {
                out.push('"');
                out.push_str(body);
                out.push('"');
            }
            Some(inner)
                if member.value.contains(&inner) && doc.sort(&member.value) == Sort::Object =>
            {
                write_object(job, member.value, payload, body, lean, out);
            }
            _ => copy(job, member.value.start, member.value.end, out),
        }
    }
    out.push('}');
}

/// What a finished result is made of.
pub(crate) struct Pieces<'p> {
    pub(crate) fields: &'p [Field<'p>],
    /// The members of `_meta` that stay, printed, without braces.
    pub(crate) meta: Option<&'p str>,
    pub(crate) parts: &'p [Part],
    pub(crate) structured: &'p str,
    pub(crate) notice: Option<&'p str>,
    pub(crate) report: Option<&'p str>,
    pub(crate) annotated: bool,
}

/// Writes the whole result.
pub(crate) fn assemble(job: &Job<'_>, pieces: &Pieces<'_>) -> String {
    let mut out = String::from("{");
    let mut first = true;
    let mut head = |out: &mut String, key: &str| {
        if !first {
            out.push_str(job.comma());
        }
        first = false;
        out.push('"');
        out.push_str(key);
        out.push('"');
        out.push_str(job.colon());
    };
    let private = job.is_shared_cache() && pieces.notice.is_some();
    let has = |role: Role| pieces.fields.iter().any(|field| field.role == role);
    let needs_content = pieces.notice.is_some()
        || job.told == Told::Member
        || pieces.parts.iter().any(|part| part.stays)
        || job.envelope.content.is_some();
    if !has(Role::Content) && needs_content {
        head(&mut out, "content");
        write_content(job, pieces, &mut out);
    }
    for field in pieces.fields {
        head(&mut out, field.key);
        match field.role {
            Role::Content => write_content(job, pieces, &mut out),
            Role::Structured => out.push_str(pieces.structured),
            Role::Meta => write_meta(job, pieces, &mut out),
            Role::IsError if (job.form == Form::Error) => out.push_str("true"),
            Role::Ttl if private => out.push('0'),
            Role::CacheScope if private => out.push_str("\"private\""),
            Role::IsError
            | Role::ResultType
            | Role::Description
            | Role::Ttl
            | Role::CacheScope
            | Role::Kept
            | Role::Foreign
            | Role::NullCursor
            | Role::Superseded => copy(job, field.value.start, field.value.end, &mut out),
        }
    }
    if private && !has(Role::Ttl) {
        head(&mut out, "ttlMs");
        out.push('0');
    }
    if private && !has(Role::CacheScope) {
        head(&mut out, "cacheScope");
        out.push_str("\"private\"");
    }
    if (job.form == Form::Error) && !has(Role::IsError) {
        head(&mut out, "isError");
        out.push_str("true");
    }
    if !has(Role::Meta) && pieces.report.is_some() {
        head(&mut out, "_meta");
        write_meta(job, pieces, &mut out);
    }
    out.push('}');
    out
}

fn write_meta(job: &Job<'_>, pieces: &Pieces<'_>, out: &mut String) {
    out.push('{');
    let members = pieces.meta.unwrap_or_default();
    out.push_str(members);
    if let Some(report) = pieces.report {
        if !members.is_empty() {
            out.push_str(job.comma());
        }
        out.push('"');
        out.push_str(crate::report::REPORT_KEY);
        out.push('"');
        out.push_str(job.colon());
        out.push_str(report);
    }
    out.push('}');
}

fn write_content(job: &Job<'_>, pieces: &Pieces<'_>, out: &mut String) {
    let notice = pieces.notice.map(|text| {
        let annotated = pieces.annotated && job.envelope.kind != ResultKind::Resource;
        let (mut block, end) = text_shell(job, None);
        block.push_str(text);
        block.push('"');
        block.push_str(if annotated { super::AUDIENCE } else { "" });
        block.push_str(end);
        print(&block, job.settings.wire_profile)
    });
    let mut first = true;
    let mut comma = |out: &mut String| {
        if !first {
            out.push_str(job.comma());
        }
        first = false;
    };
    out.push('[');
    // Who reads a resource may look at its first text alone.
    let leads = job.settings.notice == crate::NoticePlace::First
        && job.envelope.kind != ResultKind::Resource;
    if let (Some(notice), true) = (&notice, leads) {
        comma(out);
        out.push_str(notice);
    }
    for part in pieces.parts.iter().filter(|part| part.stays) {
        comma(out);
        write_block(job, part, out);
    }
    if let (Some(notice), false) = (&notice, leads) {
        comma(out);
        out.push_str(notice);
    }
    out.push(']');
}

/// Bytes of a field that is written as it stands.
pub(crate) fn field_value(job: &Job<'_>, field: &Field<'_>) -> usize {
    size(&field.value, job.spaced)
}
