//! Shared by the tests of the core.
#![allow(dead_code, reason = "each test binary uses its part")]

pub mod documents;
pub mod naive_scan;
