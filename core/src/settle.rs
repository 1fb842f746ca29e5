//! Settles what is in force for a call: policy document and request in,
//! [`Settings`] out.
//!
//! The policy document is JSON; `wit/policy.schema.json` describes it. Beyond
//! what a schema can say, it is read by the strict rules of
//! [`crate::json::read`].

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::json::read::{DocumentFault, shorten};
use crate::limit::{
    CALL_MAX_TOKENS, Limit, LimitFault, Limits, MAX_RESULT_BYTES, MAX_TEXT_TOKENS, least,
};
use crate::preset::{AUTO, NORMAL, Preset};
use crate::settings::{Revision, Settings, WireProfile};

mod policy;

use self::policy::{CallRange, Policy, PolicyFault, Row};

/// What a host knows of one call. Numbers are passed as the text in which they
/// were given, so that no host language rounds or wraps them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Request<'a> {
    /// A preset by name, or `auto` for that of the client; the policy's own,
    /// else `normal`, where absent.
    pub preset: Option<&'a str>,
    /// The client's name, as it calls itself, for `auto`.
    pub client_name: Option<&'a str>,
    /// A whole-result limit that also caps the text and binary ceilings.
    pub limit_bytes: Option<&'a str>,
    /// A limit of what a model reads, in tokens.
    pub limit_tokens: Option<&'a str>,
    /// The tool's name, for its row in the policy.
    pub tool: Option<&'a str>,
    /// The protocol revision; the newest known where absent.
    pub revision: Option<&'a str>,
    /// The wire profile by name; the policy's own where absent.
    pub wire_profile: Option<&'a str>,
    /// The budget that the client asks for in this call, in bytes (contract
    /// B10): within the tool's range, else refused.
    pub call_max_bytes: Option<&'a str>,
    /// The same in tokens of what a model reads: at most what is in force.
    pub call_max_tokens: Option<&'a str>,
}

/// What is in force for a call, and the preset behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settled {
    /// What is in force.
    pub settings: Settings,
    /// The preset that was laid down last. What policy and request say beside
    /// it is laid over it.
    pub preset: String,
    /// Who chose it.
    pub chosen_by: ChosenBy,
}

/// Who chose a preset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChosenBy {
    /// The request named it.
    Request,
    /// `auto`: the client's name stands in the table.
    Client,
    /// The policy named it.
    Policy,
    /// Nobody.
    Default,
}

/// Why nothing was settled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettleError {
    /// The policy document is faulty. Its author is at fault.
    Policy {
        /// JSON Pointer to the place, at most 128 bytes; empty for the whole.
        pointer: String,
        /// `malformed-json`, `unknown-member`, `duplicate-member`,
        /// `wrong-type` or `unknown-value`.
        code: &'static str,
        /// What was given, at most 64 bytes of it.
        given: String,
        /// What is allowed.
        allowed: String,
    },
    /// A limit is out of range, in the policy or in the request. For the
    /// budget of a call it is called `call_max_bytes` and carries the tool's
    /// range.
    LimitOutOfRange(LimitFault),
    /// A name in the request stands for nothing here. The caller is at fault.
    UnknownName {
        /// `preset`, `revision` or `wire-profile`.
        field: &'static str,
        /// The name that was given, at most 64 bytes of it.
        given: String,
        /// The names that are allowed, with commas.
        allowed: String,
    },
}

/// Settles one call. `policy_json` is the policy document, or empty for none.
///
/// Limits are laid over one another, later over earlier; each layer sets the
/// rows that it names and leaves the others:
///
/// 1. the defaults, which are those of the preset `normal`;
/// 2. the policy's `preset`; with `auto`, lowered to that of the client, which
///    stands alone where the policy names none; then the policy's `limits`;
/// 3. the request's `preset`, where it is not `auto`;
/// 4. the request's `limit_bytes`: sets the whole-result limit, caps the text
///    and binary ceilings; and `limit_tokens`: sets the limit in tokens;
/// 5. the `preset` of the tool's row, with `auto` lowered to that of the client;
///    then its `limits`;
/// 6. `limit_bytes` and `limit_tokens` again, as caps: no row of a tool goes
///    over them;
/// 7. the request's `call_max_bytes` and `call_max_tokens`, as caps: a caller
///    lowers, and never raises.
///
/// A built-in preset names five rows: its ceilings, tokens and lines; a preset
/// of the policy those that it lists. A row set to `null` is off, or at its
/// default where it is always on.
///
/// `call_max_bytes` must be within the tool's `call_max_bytes`, whose `min` is
/// 256 where absent, and whose `max` is never over the whole-result limit of
/// steps 1 to 6; a `min` over that `max` counts as equal to it.
///
/// `auto` in the request, or in the policy where the request names no preset,
/// takes the preset of the client's name. That name comes from the client: it
/// never raises what a preset of the policy says.
///
/// Of the other choices the tool's row goes before the policy, and a name in
/// the request before both.
///
/// ```
/// use result_budget_core::{Request, settle};
/// let policy = r#"{"version":1,"preset":"small","tools":{"log":{"limits":{"max_text_bytes":500}}}}"#;
/// let request = Request { tool: Some("log"), ..Request::default() };
/// let settled = settle(policy, &request)?;
/// assert_eq!(settled.settings.limits.max_text_bytes, 500);
/// assert_eq!(settled.settings.limits.max_result_bytes, 512 * 1_024);
/// assert_eq!(settled.preset, "small");
/// # Ok::<(), result_budget_core::SettleError>(())
/// ```
///
/// # Errors
/// [`SettleError`]; each case says whose fault it is. The policy is checked
/// whole, and before the request.
#[inline(never)]
pub fn settle(policy_json: &str, request: &Request<'_>) -> Result<Settled, SettleError> {
    let policy = Policy::read(policy_json)?;
    let tool = request.tool.and_then(|name| policy.tool(name));
    let limit_bytes = request.limit_bytes.map(|given| MAX_RESULT_BYTES.parse(given)).transpose()?;
    let limit_tokens =
        request.limit_tokens.map(|given| MAX_TEXT_TOKENS.parse(given)).transpose()?;
    let auto = request.preset.map_or(policy.auto, |name| name == AUTO);
    let client = request.client_name.filter(|_| auto).and_then(Preset::of_client);

    let mut taken = Taken {
        limits: Limits::default(),
        preset: NORMAL.name,
        chosen_by: ChosenBy::Default,
        client,
    };
    if let (None, Some(client)) = (&policy.all.preset, client) {
        taken.limits = Limits::of_preset(client);
        (taken.preset, taken.chosen_by) = (client.name, ChosenBy::Client);
    }
    taken.lay(&policy.all)?;
    if let Some(name) = request.preset.filter(|name| *name != AUTO) {
        let preset = policy.preset(name);
        preset
            .ok_or_else(|| unknown_name("preset", name, policy.preset_names(&[AUTO])))?
            .apply(&mut taken.limits)?;
        (taken.preset, taken.chosen_by) = (name, ChosenBy::Request);
    }
    if let Some(bytes) = limit_bytes {
        taken.limits.cap_to(bytes)?;
    }
    if limit_tokens.is_some() {
        taken.limits.max_text_tokens = limit_tokens;
    }
    if let Some(row) = tool {
        taken.lay(row)?;
    }
    let Taken { mut limits, preset, chosen_by, .. } = taken;
    if let Some(bytes) = limit_bytes {
        let bytes = bytes.min(limits.max_result_bytes);
        limits.cap_to(bytes)?;
    }
    limits.max_text_tokens = least(limits.max_text_tokens, limit_tokens);
    if let Some(given) = request.call_max_bytes {
        let range = tool.map_or(CallRange::default(), |row| row.call);
        let bytes = call_bytes(given, range, limits.max_result_bytes)?;
        limits.cap_to(bytes)?;
    }
    if let Some(given) = request.call_max_tokens {
        let max = limits.max_text_tokens.unwrap_or(MAX_TEXT_TOKENS.max);
        let range = Limit { name: CALL_MAX_TOKENS, max, ..MAX_TEXT_TOKENS };
        limits.max_text_tokens = Some(range.parse(given)?);
    }

    let default = Settings::default();
    let rows = [tool, Some(&policy.all)];
    let rows = || rows.iter().flatten();
    let settings = Settings {
        limits,
        revision: request.revision.map_or(Ok(default.revision), revision_named)?,
        wire_profile: match request.wire_profile {
            Some(name) => wire_profile_named(name)?,
            None => policy.wire_profile.unwrap_or(default.wire_profile),
        },
        mirror: rows().find_map(|row| row.mirror).unwrap_or(default.mirror),
        notice: rows().find_map(|row| row.notice).unwrap_or(default.notice),
        text_keep: rows().find_map(|row| row.text_keep).unwrap_or(default.text_keep),
        keep_fields: rows()
            .find_map(|row| row.keep_fields.as_ref())
            .map_or(default.keep_fields, |keys| keys.iter().map(ToString::to_string).collect()),
    };
    Ok(Settled { settings, preset: preset.to_string(), chosen_by })
}

/// Limits while they are laid over one another, and the last preset among them.
struct Taken<'p> {
    limits: Limits,
    preset: &'p str,
    chosen_by: ChosenBy,
    /// The preset of the client, with `auto`.
    client: Option<&'static Preset>,
}

impl<'p> Taken<'p> {
    /// Lays a row of the policy over what there is.
    fn lay(&mut self, row: &'p Row<'_>) -> Result<(), LimitFault> {
        if let Some((name, layer)) = &row.preset {
            layer.apply(&mut self.limits)?;
            (self.preset, self.chosen_by) = (name, ChosenBy::Policy);
            let own = self.limits.max_text_bytes;
            if let Some(client) = self.client {
                self.limits.lower_to(client);
                if client.max_text_bytes < own {
                    (self.preset, self.chosen_by) = (client.name, ChosenBy::Client);
                }
            }
        }
        row.layer.apply(&mut self.limits)
    }
}

impl ChosenBy {
    /// Its name on the wire.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            ChosenBy::Request => "request",
            ChosenBy::Client => "client",
            ChosenBy::Policy => "policy",
            ChosenBy::Default => "default",
        }
    }
}

impl From<PolicyFault> for SettleError {
    fn from(fault: PolicyFault) -> Self {
        match fault {
            PolicyFault::Document(DocumentFault { pointer, code, given, allowed }) => {
                SettleError::Policy { pointer, code: code.name(), given, allowed }
            }
            PolicyFault::Limit(fault) => SettleError::LimitOutOfRange(fault),
        }
    }
}

impl From<LimitFault> for SettleError {
    fn from(fault: LimitFault) -> Self {
        SettleError::LimitOutOfRange(fault)
    }
}

impl core::fmt::Display for SettleError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            SettleError::Policy { pointer, code, given, allowed } => {
                write!(f, "policy at `{pointer}`: {code}, got `{given}`, allowed: {allowed}")
            }
            SettleError::LimitOutOfRange(fault) => fault.fmt(f),
            SettleError::UnknownName { field, given, allowed } => {
                write!(f, "unknown {field} `{given}`, allowed: {allowed}")
            }
        }
    }
}

impl core::error::Error for SettleError {}

/// The budget that a client asked for.
fn call_bytes(given: &str, range: CallRange, result_bytes: u32) -> Result<u32, LimitFault> {
    let max = range.max.unwrap_or(result_bytes).min(result_bytes);
    let min = range.min.unwrap_or(MAX_RESULT_BYTES.min).min(max);
    Limit { name: crate::limit::CALL_MAX_BYTES, min, max, ..MAX_RESULT_BYTES }.parse(given)
}

fn revision_named(name: &str) -> Result<Revision, SettleError> {
    Revision::named(name).ok_or_else(|| {
        let names: Vec<&str> = Revision::ALL.iter().map(|known| known.name()).collect();
        unknown_name("revision", name, names.join(", "))
    })
}

fn wire_profile_named(name: &str) -> Result<WireProfile, SettleError> {
    let found = WireProfile::ALL.iter().find(|profile| profile.name() == name).copied();
    found.ok_or_else(|| {
        let names: Vec<&str> = WireProfile::ALL.iter().map(|known| known.name()).collect();
        unknown_name("wire-profile", name, names.join(", "))
    })
}

fn unknown_name(field: &'static str, given: &str, allowed: String) -> SettleError {
    SettleError::UnknownName { field, given: shorten(given).to_string(), allowed }
}
