//! Keeps what an MCP server hands to a model within a budget.
//!
//! Pure: equal arguments give equal bytes. Does no I/O, reads no clock, keeps
//! no state, needs no randomness, and never panics, whatever the text. Knows
//! nothing of WIT, WebAssembly or any host language.
//!
//! [`fit()`] is the way in: a result as JSON text, what is known of the
//! [`Call`] and the [`Settings`] in force go in; the same bytes, or a bounded
//! result with its report, come out.

#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod bound;
mod call;
mod compose;
mod envelope;
pub mod failure;
pub mod fit;
pub mod json;
pub mod limit;
pub mod measure;
mod mirror;
mod order;
mod outcome;
mod plan;
pub mod preset;
mod previous;
mod profile;
mod protocol_error;
mod refusal;
mod repair;
mod report;
mod schema;
pub mod settings;
pub mod settle;
mod sizes;
mod strip;
mod task;
pub mod text;
pub mod tokens;
pub mod tools;
mod units;

pub use crate::call::{Call, ResultKind};
pub use crate::failure::{FAILURE_RESULT_MAX_BYTES, Failure, failure_result};
pub use crate::fit::{FitError, Fitted, Outcome, ProtocolError, fit};
pub use crate::limit::{INPUT_MAX_BYTES, LIMITS, Limit, LimitFault, Limits};
pub use crate::measure::{Measurement, Part, measure};
pub use crate::preset::{PRESETS, Preset};
pub use crate::schema::{SCHEMA_MAX_BYTES, SCHEMA_MAX_DEPTH, SUBSCHEMAS_MAX, Schemas};
pub use crate::settings::{
    Ansi, Mirror, NoticePlace, OutputSchema, Resources, Revision, Settings, TextKeep, WireProfile,
};
pub use crate::settle::{ChosenBy, Request, SettleError, Settled, settle};
pub use crate::tools::{ToolSizes, ToolsMeasurement, measure_tools, prepare_tools};
