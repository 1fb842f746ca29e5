//! The loops of the engine that see every byte of a text.
//!
//! A crate of its own, since the component is compiled for size and these for
//! speed. Nothing here is generic on the outside, so that its code is made
//! here.

#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

pub mod bytes;
pub mod escape;
pub mod lines;
pub mod scan;
pub mod walk;
