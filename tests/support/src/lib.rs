//! What the tests share: inputs, ordinary and hostile, and oracles that judge
//! what came out.
//!
//! The oracles are slow and plain on purpose. They read JSON with `serde_json`,
//! take only settings from the core, and know its rules from the contract
//! alone, so that one mistake is not made twice.

#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "an oracle looks at the few cases that it judges"
)]

pub mod blocks;
pub mod case;
pub mod clock;
pub mod corpus;
pub mod envelope;
pub mod generate;
pub mod mirror;
pub mod oracle;
pub mod payload;
pub mod random;
pub mod report;
pub mod sizes;
pub mod structure;
pub mod text;
pub mod tree;
pub mod wire;

/// What the component weighs at most: a goal of the bench, and a check of
/// `tests/architecture`.
pub const COMPONENT_MAX_BYTES: usize = 500_000;

pub use oracle::{Bounded, Violation, check_bounded, check_compacted, check_unchanged};
pub use tree::Tree;
