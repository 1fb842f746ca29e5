//! Planning a cut: what stays, in which room, and the account of it.
//!
//! A plan works on parts of one scanned document and is linear: no cut is
//! tried by printing again. Weights are bytes on the wire of every copy that a
//! part will have there.

pub(crate) mod account;
pub(crate) mod flatten;
mod legal;
mod levels;
mod lift;
pub(crate) mod map;
pub(crate) mod nested;
pub(crate) mod price;
pub(crate) mod script;
pub(crate) mod shape;
pub(crate) mod share;
pub(crate) mod shrink;
pub(crate) mod strings;
pub(crate) mod weight;
