//! How a result came out, and why it could not be fitted.

use alloc::string::String;

use crate::limit::LimitFault;

/// How a result came out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The result is within every bound: send the bytes that came in.
    Unchanged,
    /// White space between tokens went, and nothing else.
    Compacted(String),
    /// The result was cut or repaired.
    Bounded(Fitted),
    /// No cut was legal, and the result has no form of its own for that: in
    /// its place goes a JSON-RPC error, whose object this is.
    ProtocolError(ProtocolError),
}

/// A JSON-RPC error that stands in for a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProtocolError {
    /// The error object to send in place of the result: `code`, `message` and
    /// `data`.
    pub error_json: String,
    /// What was left out, as JSON.
    pub report_json: String,
}

/// A result that was changed, with its account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fitted {
    /// The result to send, whole.
    pub tool_result_json: String,
    /// What was cut and repaired, as JSON: the full account, of which the
    /// result itself carries what its budget allows.
    pub report_json: String,
    /// True where no cut was legal and a bounded error stands in for the
    /// result.
    pub replaced_by_error: bool,
}

/// Why a result could not be fitted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FitError {
    /// A limit is out of range. The host is at fault.
    LimitOutOfRange(LimitFault),
    /// The input is longer than the engine reads. The tool is at fault.
    InputTooLarge {
        /// Bytes that were given.
        given_bytes: u32,
        /// Bytes that are allowed.
        max_bytes: u32,
    },
    /// The text is not JSON. The tool is at fault.
    MalformedJson {
        /// Offset of the first fault.
        offset_bytes: u32,
    },
    /// The text is JSON, but no object. The tool is at fault.
    NotAnObject,
    /// The report of an earlier boundary cannot be read. The host is at fault.
    PreviousReport {
        /// JSON Pointer to the fault in it, at most 128 bytes.
        pointer: String,
    },
    /// The output schema is no schema: not JSON, or no object and no boolean.
    /// It is read only where a result must be cut. The host is at fault.
    OutputSchema {
        /// Offset of the first fault.
        offset_bytes: u32,
    },
}
