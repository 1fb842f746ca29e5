//! The table of README.md.

use std::fmt::Write as _;

use crate::{CLIENTS, Half};

/// One row a rule.
#[must_use]
pub fn table() -> String {
    let mut out =
        String::from("| client | reads first | its own cut | our preset |\n|---|---|---|---|\n");
    for client in CLIENTS {
        let half = match client.half {
            Half::Structured => "`structuredContent`",
            Half::Content => "`content`",
        };
        let preset = client
            .preset
            .map_or("the notice alone is sure".to_string(), |preset| format!("`{preset}`"));
        let _ = writeln!(out, "| {} | {half} | {} | {preset} |", client.name, client.own_cut);
    }
    out
}
