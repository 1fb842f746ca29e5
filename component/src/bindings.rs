//! The binding macro and nothing else.

#![allow(unsafe_code, reason = "the canonical ABI passes pointers")]
#![allow(
    missing_docs,
    unreachable_pub,
    reason = "generated; the WIT files carry the documentation"
)]
#![allow(clippy::all, clippy::panic, clippy::unwrap_used, reason = "generated")]

wit_bindgen::generate!({
    path: "../wit",
    world: "engine",
});

export!(Component with_types_in self);

use crate::Component;
