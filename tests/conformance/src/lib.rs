//! Vectors: what the engine does, as files that any language can read.
//!
//! A vector gives the arguments of one call and the exact answer. An adapter
//! makes the call in one way; this crate compares. The format is told in
//! `tests/vectors/README.md`.

#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "a value of the runtime or of JSON is one of the few that are expected"
)]

pub mod adapter;
#[cfg(feature = "hosts")]
pub mod component;
mod core_engine;
pub mod expectations;
#[cfg(feature = "hosts")]
pub mod hosts;
mod process;
pub mod run;
#[cfg(feature = "hosts")]
mod rust_host;
pub mod scoreboard;
pub mod vector;

pub use adapter::Adapter;
#[cfg(feature = "hosts")]
pub use component::Component;
pub use core_engine::CoreEngine;
pub use process::Process;
#[cfg(feature = "hosts")]
pub use rust_host::RustHost;
