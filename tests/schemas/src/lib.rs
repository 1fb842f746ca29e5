//! Grows results from JSON Schemas, has the engine cut them, and holds what
//! comes out to the schemas (contract B9).
//!
//! What judges is not ours: `jsonschema` here, `jsonschema` of Python and Ajv
//! over a file of what came out. Nothing here knows how the engine reads a
//! schema.

#![allow(
    clippy::wildcard_enum_match_arm,
    clippy::indexing_slicing,
    reason = "tests look at the few cases that they judge"
)]

pub mod brute;
pub mod case;
pub mod flat;
pub mod greedy;
pub mod grow;
pub mod hostile;
mod members;
pub mod place;
pub mod schema;
pub mod source;
pub mod sweep;
pub mod tally;
pub mod text;
pub mod traps;
