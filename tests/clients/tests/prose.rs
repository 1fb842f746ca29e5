//! The table of README.md is that of the rules.
//! `RESULT_BUDGET_BLESS=1` writes it.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::wildcard_enum_match_arm,
    reason = "tests"
)]

use std::{env, fs};

use result_budget_clients::{CLIENTS, table};
use result_budget_core::Preset;
use result_budget_support::corpus;

#[test]
fn the_readme_tells_what_each_client_shows() {
    let path = corpus::repository().join("README.md");
    let readme = fs::read_to_string(&path).expect("a text");
    let start = readme.find(table::HEAD).expect("the table's head") + table::HEAD.len();
    // A table without rows ends at once.
    let end = match readme[start..].find("\n\n") {
        Some(end) if !readme[start..].starts_with('\n') => start + end + 1,
        Some(_) | None => start,
    };
    let new = format!("{}{}{}", &readme[..start], table::rows(), &readme[end..]);
    if env::var_os("RESULT_BUDGET_BLESS").is_some() {
        fs::write(&path, new).expect("written");
    } else {
        assert!(readme == new, "the table in README.md is old; RESULT_BUDGET_BLESS=1 writes it");
    }
}

#[test]
fn every_rule_says_where_it_is_told_and_names_a_preset_that_is_there() {
    for client in CLIENTS {
        assert!(!client.sources.is_empty(), "{}", client.name);
        assert!(client.sources.iter().all(|source| source.starts_with("https://")));
        assert!(client.preset.is_none_or(|name| Preset::named(name).is_some()), "{}", client.name);
    }
}
