//! The engine for Node, as an addon.
//!
//! Decides nothing: texts go in, answers come out. What JavaScript's own values
//! are, and how they become text, is settled in `ts/`; this crate never looks
//! into a result.

mod answer;
mod boundary;
mod command;
mod engine;
mod failure;

/// The version of the package that this addon belongs to.
#[napi_derive::napi]
pub fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}
