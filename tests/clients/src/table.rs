//! The table of README.md.

use std::fmt::Write as _;

use crate::{CLIENTS, Half};

/// The head of the table.
pub const HEAD: &str =
    "| client | what the model sees | the client's own cut | our preset |\n|---|---|---|---|\n";

/// One row a rule.
#[must_use]
pub fn rows() -> String {
    let mut out = String::new();
    for client in CLIENTS {
        let half = match client.half {
            Half::Structured => "`structuredContent` alone, where there is any",
            Half::Content => "`content`",
        };
        let preset = client
            .preset
            .map_or("none; the notice is sure".to_string(), |preset| format!("`{preset}`"));
        let _ = writeln!(out, "| {} | {half} | {} | {preset} |", client.name, client.own_cut);
    }
    out
}
