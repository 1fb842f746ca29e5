//! Keeps what an MCP server hands to a model within a budget, and says what it
//! left out.
//!
//! A tool's result goes in as JSON text; the same bytes, or a bounded result
//! with its report, come out. The rules live in a WebAssembly component that
//! this crate carries and runs; equal arguments give equal bytes in every host
//! that runs the same component.
//!
//! # A whole program
//!
//! ```
//! use result_budget::{Answer, Boundary, BuildError, Call, OutputSchema};
//!
//! fn main() -> Result<(), BuildError> {
//!     // Once, at start: the policy in force.
//!     let boundary = Boundary::builder()
//!         .preset("normal")
//!         .on_report(|record| {
//!             eprintln!("{:?}: {} -> {} bytes", record.tool, record.in_bytes, record.out_bytes);
//!         })
//!         .build()?;
//!
//!     // For each call, as late as possible: what goes out is what comes out.
//!     let result = r#"{"content":[{"type":"text","text":"3 files changed"}]}"#;
//!     let call = Call {
//!         tool: Some("git_status"),
//!         revision: Some("2025-11-25"),
//!         output_schema: OutputSchema::None,
//!         ..Call::default()
//!     };
//!     let answer = boundary.fit(result, &call);
//!     println!("{}", answer.tool_result_json());
//!
//!     // Who wants to know what happened looks closer.
//!     match &answer {
//!         Answer::Unchanged { .. } | Answer::Compacted { .. } => {}
//!         Answer::Bounded { report_json, .. } => eprintln!("cut: {report_json}"),
//!         Answer::FailedClosed { failure, .. } => eprintln!("{}: {failure}", failure.code()),
//!     }
//!     assert_eq!(answer.tool_result_json(), result);
//!     Ok(())
//! }
//! ```
//!
//! # What it promises
//!
//! - [`Boundary::fit`] always gives a result to send. A result that cannot be
//!   read, or an engine that breaks, gives a small error result that says what
//!   happened, never the raw result and never nothing (contract B11).
//! - A result within every bound is borrowed, not copied.
//! - An engine that loops, traps or wants too much memory is stopped, its
//!   instance dropped, and the next call has a fresh one.
//! - This crate decides nothing: limits, presets, cuts and messages to the
//!   model come from the component.

mod answer;
mod boundary;
mod engine;
mod error;
mod guest;
mod image;
mod instance;
mod settled;
mod ticker;

pub use crate::answer::{Answer, Outcome, Record};
pub use crate::boundary::{
    Boundary, BoundaryBuilder, Call, FAILURE_RESULT, FAILURE_RESULT_TYPED, Input, Mode,
};
pub use crate::engine::{Engine, EngineBuilder, FaultCounts, Isolation};
pub use crate::error::{BuildError, Failure, Fault, LoadError, Refused};
pub use crate::guest::{
    ChosenBy, LimitFault, LimitRow, Limits, Measurement, Mirror, NameFault, NoticePlace,
    OutputSchema, Part, PolicyFault, PresetRow, Revision, Settings, Settled, TextKeep, WireProfile,
};
pub use crate::image::{COMPONENT_WASM, Image};
pub use crate::ticker::after_fork;
