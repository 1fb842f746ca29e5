//! Failures that are known, with their reason. Empty on the main line.

use std::collections::BTreeMap;
use std::fs;

use anyhow::{Context, Result};
use result_budget_support::corpus;

/// Vectors that this host is known to fail, by name, with the reason.
///
/// # Errors
/// Where the file is not there, or no such table.
pub fn of_host(host: &str) -> Result<BTreeMap<String, String>> {
    let path = corpus::repository().join(format!("tests/expectations/{host}.toml"));
    let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    Ok(toml::from_str(&text)?)
}
