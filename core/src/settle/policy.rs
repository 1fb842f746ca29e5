//! Reading the policy document's boundary half. Every fault in it is found,
//! whatever the call asks for: a policy is good or not.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::json::read::{DocumentFault, FaultCode, Member, Value, read};
use crate::limit::{LIMITS, Limit, LimitFault, Limits, MAX_RESULT_BYTES};
use crate::preset::{AUTO, PRESETS, Preset};
use crate::settings::{Mirror, NoticePlace, TextKeep, WireProfile};

/// The one version of the policy document that there is.
const POLICY_VERSION: u64 = 1;

/// A policy document, read and found good.
#[derive(Debug, Default)]
pub(super) struct Policy<'a> {
    pub(super) all: Row<'a>,
    /// The preset is that of the client, where it is known.
    pub(super) auto: bool,
    pub(super) wire_profile: Option<WireProfile>,
    presets: Vec<(Cow<'a, str>, Layer)>,
    tools: Vec<(Cow<'a, str>, Row<'a>)>,
}

/// What is said for all tools, or for one: what is absent is not said.
#[derive(Debug, Default)]
pub(super) struct Row<'a> {
    /// The preset and its name.
    pub(super) preset: Option<(Cow<'a, str>, Layer)>,
    /// The rows of `limits`.
    pub(super) layer: Layer,
    pub(super) mirror: Option<Mirror>,
    pub(super) notice: Option<NoticePlace>,
    pub(super) text_keep: Option<TextKeep>,
    pub(super) keep_fields: Option<Vec<Cow<'a, str>>>,
    pub(super) call: CallRange,
}

/// The range of the budget that a client may ask for in a call.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct CallRange {
    pub(super) min: Option<u32>,
    pub(super) max: Option<u32>,
}

/// Some limits, and what they are set to.
#[derive(Debug, Default, Clone)]
pub(super) struct Layer {
    rows: Vec<(Limit, Option<u32>)>,
}

/// Why a policy document was refused.
pub(super) enum PolicyFault {
    Document(DocumentFault),
    Limit(LimitFault),
}

impl<'a> Policy<'a> {
    /// Reads `policy_json`; empty text says nothing at all.
    pub(super) fn read(policy_json: &'a str) -> Result<Self, PolicyFault> {
        let mut policy = Policy::default();
        if policy_json.is_empty() {
            return Ok(policy);
        }
        let whole = read(policy_json)?;
        let root = whole.object()?;
        root.allow_only(&POLICY_MEMBERS)?;
        match root.get("version") {
            Some(version) if version.integer()? == POLICY_VERSION => {}
            Some(version) => return Err(version.unknown_value("1").into()),
            None => return Err(absent_version().into()),
        }
        // First, for the others to name them.
        if let Some(presets) = root.get("presets") {
            for Member { key, value } in presets.object()?.members {
                if !is_preset_name(&key) || key == AUTO || Preset::named(&key).is_some() {
                    return Err(value.unknown_key(&key, PRESET_NAMES).into());
                }
                policy.presets.push((key, Layer::read(&value)?));
            }
        }
        policy.all = policy.row(&root.members, &[AUTO])?;
        policy.auto = policy.all.preset.take_if(|(name, _)| name == AUTO).is_some();
        if let Some(profile) = root.get("wire_profile") {
            policy.wire_profile = Some(profile.choice(&WireProfile::ALL, WireProfile::name)?);
        }
        if let Some(tools) = root.get("tools") {
            for Member { key, value } in tools.object()?.members {
                if !is_tool_name(&key) {
                    return Err(value.unknown_key(&key, TOOL_NAMES).into());
                }
                let row = value.object()?;
                row.allow_only(&TOOL_MEMBERS)?;
                policy.tools.push((key, policy.row(&row.members, &[])?));
            }
        }
        Ok(policy)
    }

    /// What is said for the tool called `name`.
    pub(super) fn tool(&self, name: &str) -> Option<&Row<'a>> {
        self.tools.iter().find(|(tool, _)| tool == name).map(|(_, row)| row)
    }

    /// The limits of the preset called `name`: a built-in one, or the
    /// document's own.
    pub(super) fn preset(&self, name: &str) -> Option<Layer> {
        let own = self.presets.iter().find(|(preset, _)| preset == name);
        own.map(|(_, layer)| layer.clone()).or_else(|| Preset::named(name).map(Layer::of_preset))
    }

    /// The presets that there are, as a fault tells them: with commas, the
    /// built-in ones first, then `more`, and no more than about 256 bytes of
    /// them.
    pub(super) fn preset_names(&self, more: &[&str]) -> String {
        let built_in = PRESETS.iter().map(|preset| preset.name).chain(more.iter().copied());
        let mut names = String::new();
        for name in built_in.chain(self.presets.iter().map(|(name, _)| name.as_ref())) {
            if !names.is_empty() {
                names.push_str(", ");
            }
            if names.len() + name.len() > NAMES_MAX_BYTES {
                names.push_str("...");
                break;
            }
            names.push_str(name);
        }
        names
    }

    /// Reads what is said for all tools, or for one. `more` are names of presets
    /// that have no limits.
    fn row(&self, members: &[Member<'a>], more: &[&str]) -> Result<Row<'a>, PolicyFault> {
        let get = |name| members.iter().find(|member| member.key == name).map(|found| &found.value);
        let mut row = Row::default();
        if let Some(value) = get("preset") {
            let name = value.string()?;
            let preset = if more.contains(&name.as_ref()) {
                Some(Layer::default())
            } else {
                self.preset(&name)
            };
            let preset = preset.ok_or_else(|| value.unknown_value(&self.preset_names(more)))?;
            row.preset = Some((name, preset));
        }
        if let Some(value) = get("limits") {
            row.layer = Layer::read(value)?;
        }
        if let Some(value) = get("mirror") {
            row.mirror = Some(value.choice(&Mirror::ALL, Mirror::name)?);
        }
        if let Some(value) = get("notice") {
            row.notice = Some(value.choice(&NoticePlace::ALL, NoticePlace::name)?);
        }
        if let Some(value) = get("text_keep") {
            row.text_keep = Some(value.choice(&TextKeep::ALL, TextKeep::name)?);
        }
        if let Some(value) = get("keep_fields") {
            row.keep_fields = Some(read_keep_fields(value)?);
        }
        if let Some(value) = get("call_max_bytes") {
            row.call = CallRange::read(value)?;
        }
        Ok(row)
    }
}

impl Layer {
    fn of_preset(preset: &Preset) -> Self {
        let limits = Limits::of_preset(preset);
        let rows = PRESET_LIMITS.iter().filter_map(|name| limit_named(name));
        Layer { rows: rows.map(|limit| (limit, limits.value(limit.name))).collect() }
    }

    fn read(value: &Value<'_>) -> Result<Self, PolicyFault> {
        let mut layer = Layer::default();
        for member in value.object()?.members {
            let limit = limit_named(&member.key).ok_or_else(|| {
                let names: Vec<&str> = LIMITS.iter().map(|limit| limit.name).collect();
                member.unknown(&names.join(", "))
            })?;
            let set =
                if member.value.is_null() { None } else { Some(bytes(&member.value, &limit)?) };
            layer.rows.push((limit, set));
        }
        Ok(layer)
    }

    /// Lays this over `limits`: what it names is set, all else stays.
    pub(super) fn apply(&self, limits: &mut Limits) -> Result<(), LimitFault> {
        self.rows.iter().try_for_each(|(limit, value)| limits.set(limit, *value))
    }
}

impl CallRange {
    fn read(value: &Value<'_>) -> Result<Self, PolicyFault> {
        let object = value.object()?;
        object.allow_only(&["min", "max"])?;
        let end = |name| object.get(name).map(|end| bytes(end, &MAX_RESULT_BYTES)).transpose();
        let range = CallRange { min: end("min")?, max: end("max")? };
        match (range.min, range.max, object.get("min")) {
            (Some(min), Some(max), Some(place)) if min > max => {
                Err(place.unknown_value(&format!("at most `max`, which is {max}")).into())
            }
            _ => Ok(range),
        }
    }
}

impl From<DocumentFault> for PolicyFault {
    fn from(fault: DocumentFault) -> Self {
        PolicyFault::Document(fault)
    }
}

impl From<LimitFault> for PolicyFault {
    fn from(fault: LimitFault) -> Self {
        PolicyFault::Limit(fault)
    }
}

/// A number in the range of `limit`.
fn bytes(value: &Value<'_>, limit: &Limit) -> Result<u32, PolicyFault> {
    Ok(limit.parse(value.number()?)?)
}

fn limit_named(name: &str) -> Option<Limit> {
    LIMITS.iter().find(|limit| limit.name == name).copied()
}

fn read_keep_fields<'a>(value: &Value<'a>) -> Result<Vec<Cow<'a, str>>, PolicyFault> {
    let mut keys: Vec<Cow<'a, str>> = Vec::new();
    let items = value.array()?;
    if items.len() > KEEP_FIELDS_MAX_ITEMS {
        return Err(value.unknown_value(&format!("at most {KEEP_FIELDS_MAX_ITEMS} keys")).into());
    }
    for item in items {
        let key = item.string()?;
        if key.is_empty() || key.contains('\0') {
            return Err(item.unknown_value("a key of a result, not empty, without NUL").into());
        }
        if keys.contains(&key) {
            return Err(item.fault(FaultCode::DuplicateMember, "each key once").into());
        }
        keys.push(key);
    }
    Ok(keys)
}

fn absent_version() -> DocumentFault {
    DocumentFault {
        pointer: String::from("/version"),
        code: FaultCode::UnknownValue,
        given: String::new(),
        allowed: String::from("1; the member must be there"),
    }
}

/// A name of one's own: `^[a-z0-9][a-z0-9-]{0,63}$`.
fn is_preset_name(name: &str) -> bool {
    let legal = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    (1..=64).contains(&name.len()) && !name.starts_with('-') && name.bytes().all(legal)
}

/// An exact name: a `*` would look like a pattern, and match nothing.
fn is_tool_name(name: &str) -> bool {
    !name.is_empty() && !name.contains(|c: char| c == '*' || c.is_ascii_control())
}

const POLICY_MEMBERS: [&str; 10] = [
    "version",
    "preset",
    "limits",
    "mirror",
    "notice",
    "text_keep",
    "wire_profile",
    "keep_fields",
    "presets",
    "tools",
];

const TOOL_MEMBERS: [&str; 7] =
    ["preset", "limits", "mirror", "notice", "text_keep", "keep_fields", "call_max_bytes"];

/// What a built-in preset names.
const PRESET_LIMITS: [&str; 5] =
    ["max_text_bytes", "max_text_tokens", "max_text_lines", "max_binary_bytes", "max_result_bytes"];

const PRESET_NAMES: &str = "a name of your own: 1 to 64 of `a-z`, `0-9` and `-`, no `-` first, none of a built-in preset, and not `auto`";
const TOOL_NAMES: &str = "the exact name of a tool: not empty, no `*`, no control character";

const KEEP_FIELDS_MAX_ITEMS: usize = 64;
const NAMES_MAX_BYTES: usize = 256;
