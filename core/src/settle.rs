//! Settles what is in force for a call: policy document and request in,
//! [`Settings`] out.

use alloc::string::String;

use crate::limit::LimitFault;
use crate::settings::Settings;

/// What a host knows of one call. Numbers are passed as the text in which they
/// were given, so that no host language rounds or wraps them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Request<'a> {
    /// A preset by name; the policy's own, else `normal`, where absent.
    pub preset: Option<&'a str>,
    /// A whole-result limit that also caps the text and binary ceilings.
    pub limit_bytes: Option<&'a str>,
    /// The tool's name, for its row in the policy.
    pub tool: Option<&'a str>,
    /// The protocol revision; the newest known where absent.
    pub revision: Option<&'a str>,
    /// The wire profile by name; the policy's own where absent.
    pub wire_profile: Option<&'a str>,
    /// The budget that the client asks for in this call, in bytes (contract
    /// B10): within the tool's range, else refused.
    pub call_max_bytes: Option<&'a str>,
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
    /// A limit is out of range, in the policy or in the request.
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
/// # Errors
/// [`SettleError`]; each case says whose fault it is.
pub fn settle(policy_json: &str, request: &Request<'_>) -> Result<Settings, SettleError> {
    let _ = (policy_json, request);
    Ok(Settings::default())
}
