//! What the engine costs, beside what else reads JSON.
//!
//! Ratios within one run are what counts: the same documents, one after
//! another, and every column in turn, so that what the machine does meanwhile
//! falls on all of them.

pub mod clock;
pub mod columns;
pub mod documents;
pub mod engine_dir;
pub mod families;
pub mod fuel;
pub mod goals;
pub mod guest;
pub mod memory;
pub mod peak;
pub mod start;
pub mod table;
