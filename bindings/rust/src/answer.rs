//! What comes out of a call.

use std::borrow::Cow;

use crate::error::Failure;
use crate::guest::ChosenBy;

/// A result as it came out. There is always one to send.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer<'a> {
    /// Within every bound: the input itself, borrowed.
    Unchanged {
        /// The result to send.
        tool_result_json: &'a str,
    },
    /// White space between tokens went, and nothing else.
    Compacted {
        /// The result to send.
        tool_result_json: String,
    },
    /// Cut or repaired.
    Bounded {
        /// The result to send.
        tool_result_json: String,
        /// What was cut and repaired, as JSON: the full account, of which the
        /// result itself carries what its budget allows.
        report_json: String,
        /// True where no cut was legal and a bounded error stands in for the
        /// result.
        replaced_by_error: bool,
    },
    /// There is no result of the tool to send; a small error result says so
    /// (contract B11).
    FailedClosed {
        /// The result to send, at most 256 bytes under any wire profile.
        tool_result_json: Cow<'static, str>,
        /// Why.
        failure: Failure,
    },
}

/// How a result came out, without the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Within every bound.
    Unchanged,
    /// White space between tokens went.
    Compacted,
    /// Cut or repaired.
    Bounded,
    /// No cut was legal: a bounded error stands in for the result.
    ReplacedByError,
    /// There was no result of the tool to send.
    FailedClosed,
}

/// One call, as told to [`crate::BoundaryBuilder::on_report`].
#[derive(Clone, Copy, Debug)]
pub struct Record<'a> {
    /// The tool's name, where the host told it.
    pub tool: Option<&'a str>,
    /// The client's name, where the host told it.
    pub client_name: Option<&'a str>,
    /// The preset in force, where one could be settled.
    pub preset: Option<&'a str>,
    /// Who chose that preset.
    pub chosen_by: Option<ChosenBy>,
    /// Length of the input.
    pub in_bytes: u64,
    /// Length of the answer; in report-only mode, of the one withheld.
    pub out_bytes: u64,
    /// How the result came out; in report-only mode, how it would have.
    pub outcome: Outcome,
    /// False in report-only mode, where the input was sent as it was.
    pub enforced: bool,
    /// What was cut and repaired, as JSON, where anything was.
    pub report_json: Option<&'a str>,
    /// Why there was no result of the tool to send, where there was none.
    pub failure: Option<&'a Failure>,
    /// Time that the call took.
    pub elapsed_micros: u64,
}

impl Answer<'_> {
    /// The result to send: whole, valid, within every bound.
    #[must_use]
    pub fn tool_result_json(&self) -> &str {
        match self {
            Answer::Unchanged { tool_result_json } => tool_result_json,
            Answer::Compacted { tool_result_json } | Answer::Bounded { tool_result_json, .. } => {
                tool_result_json
            }
            Answer::FailedClosed { tool_result_json, .. } => tool_result_json,
        }
    }

    /// How the result came out.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        match self {
            Answer::Unchanged { .. } => Outcome::Unchanged,
            Answer::Compacted { .. } => Outcome::Compacted,
            Answer::Bounded { replaced_by_error: false, .. } => Outcome::Bounded,
            Answer::Bounded { replaced_by_error: true, .. } => Outcome::ReplacedByError,
            Answer::FailedClosed { .. } => Outcome::FailedClosed,
        }
    }

    /// What was cut and repaired, as JSON, where anything was.
    #[must_use]
    pub fn report_json(&self) -> Option<&str> {
        match self {
            Answer::Bounded { report_json, .. } => Some(report_json),
            Answer::Unchanged { .. } | Answer::Compacted { .. } | Answer::FailedClosed { .. } => {
                None
            }
        }
    }

    /// Why there is no result of the tool to send, where there is none.
    #[must_use]
    pub fn failure(&self) -> Option<&Failure> {
        match self {
            Answer::FailedClosed { failure, .. } => Some(failure),
            Answer::Unchanged { .. } | Answer::Compacted { .. } | Answer::Bounded { .. } => None,
        }
    }
}

impl Outcome {
    /// The stable name of the case, in kebab case.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Outcome::Unchanged => "unchanged",
            Outcome::Compacted => "compacted",
            Outcome::Bounded => "bounded",
            Outcome::ReplacedByError => "replaced-by-error",
            Outcome::FailedClosed => "failed-closed",
        }
    }
}
