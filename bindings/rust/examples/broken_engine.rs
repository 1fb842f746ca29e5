//! Writes the core module of an engine that breaks on demand, for the tests of
//! the packages in other languages.
//!
//! Usage: broken_engine OUT_FILE

#![allow(clippy::unwrap_used, reason = "a tool of the tests")]

#[allow(dead_code, reason = "the tests use the rest")]
#[path = "../tests/common/mod.rs"]
mod common;

use std::env;
use std::error::Error;
use std::fs;

fn main() -> Result<(), Box<dyn Error>> {
    let out = env::args_os().nth(1).ok_or("usage: broken_engine OUT_FILE")?;
    // The assembler demands the ceiling that the product's module has.
    let memory = r#"(memory (export "memory") 4"#;
    let with_ceiling = common::HOSTILE.replace(memory, &format!("{memory} 4096"));
    fs::write(out, common::module(&with_ceiling))?;
    Ok(())
}
