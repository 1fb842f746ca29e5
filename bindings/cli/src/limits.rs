//! `limits`: every limit and preset, as the engine tells them.

use std::io::Write;

use anstyle::Style;
use result_budget::{Engine, LimitRow, PresetRow};
use serde::Serialize;

use crate::args::LimitsOptions;
use crate::exit::{Exit, Stop};
use crate::message::grouped;

/// Runs `limits`.
pub(crate) fn run(options: &LimitsOptions) -> Result<Exit, Stop> {
    let engine = Engine::shared()?;
    let limits = engine.limit_rows()?;
    let presets = engine.preset_rows()?;
    if options.json {
        print_json(&limits, &presets)?
    } else {
        print_tables(&limits, &presets)?
    }
    Ok(Exit::Fine)
}

#[derive(Serialize)]
struct Tables<'a> {
    limits: Vec<Limit<'a>>,
    presets: Vec<Preset<'a>>,
}

#[derive(Serialize)]
struct Limit<'a> {
    name: &'a str,
    min: u32,
    default: Option<u32>,
    max: u32,
    rule: &'a str,
    counts: &'a str,
}

#[derive(Serialize)]
struct Preset<'a> {
    name: &'a str,
    max_text_bytes: u32,
    max_text_tokens: Option<u32>,
    max_text_lines: Option<u32>,
    max_binary_bytes: u32,
    max_result_bytes: u32,
    client_names: &'a [String],
    client_rule: &'a str,
    source: &'a str,
}

fn print_json(limits: &[LimitRow], presets: &[PresetRow]) -> Result<(), Stop> {
    let limits = limits.iter().map(|row| Limit {
        name: &row.name,
        min: row.min,
        default: row.default_value,
        max: row.max,
        rule: &row.rule,
        counts: &row.counts,
    });
    let presets = presets.iter().map(|row| Preset {
        name: &row.name,
        max_text_bytes: row.max_text_bytes,
        max_text_tokens: row.max_text_tokens,
        max_text_lines: row.max_text_lines,
        max_binary_bytes: row.max_binary_bytes,
        max_result_bytes: row.max_result_bytes,
        client_names: &row.client_names,
        client_rule: &row.client_rule,
        source: &row.source,
    });
    let tables = Tables { limits: limits.collect(), presets: presets.collect() };
    let json = serde_json::to_string(&tables).map_err(|error| Stop::Engine(error.to_string()))?;
    writeln!(std::io::stdout(), "{json}")?;
    Ok(())
}

fn print_tables(limits: &[LimitRow], presets: &[PresetRow]) -> Result<(), Stop> {
    let mut out = anstream::stdout().lock();
    writeln!(
        out,
        "{BOLD}{:<24} {:>6} {:>12} {:>12}  counts{BOLD:#}",
        "limit", "min", "default", "max"
    )?;
    for row in limits {
        let default = row.default_value.map_or(String::from("off"), |value| grouped(value.into()));
        let (min, max) = (grouped(row.min.into()), grouped(row.max.into()));
        writeln!(
            out,
            "{:<24} {min:>6} {default:>12} {max:>12}  {} ({})",
            row.name, row.counts, row.rule
        )?;
    }
    let (clients, sizes): (Vec<_>, Vec<_>) =
        presets.iter().partition(|row| !row.client_names.is_empty());
    writeln!(
        out,
        "\n{BOLD}{:<24} {:>16} {:>16} {:>16}{BOLD:#}",
        "preset", "max_text_bytes", "max_binary_bytes", "max_result_bytes"
    )?;
    for row in sizes {
        let text = grouped(row.max_text_bytes.into());
        let binary = grouped(row.max_binary_bytes.into());
        let result = grouped(row.max_result_bytes.into());
        writeln!(out, "{:<24} {text:>16} {binary:>16} {result:>16}", row.name)?;
    }
    writeln!(
        out,
        "\n{BOLD}{:<24} {:>16} {:>16} {:>16}  what the client does{BOLD:#}",
        "client", "max_text_bytes", "max_text_tokens", "max_text_lines"
    )?;
    let off = |value: Option<u32>| value.map_or(String::from("off"), |value| grouped(value.into()));
    for row in clients {
        let text = grouped(row.max_text_bytes.into());
        let (tokens, lines) = (off(row.max_text_tokens), off(row.max_text_lines));
        writeln!(out, "{:<24} {text:>16} {tokens:>16} {lines:>16}  {}", row.name, row.client_rule)?;
        writeln!(out, "{:<24} names: {}; source: {}", "", row.client_names.join(", "), row.source)?;
    }
    Ok(())
}

const BOLD: Style = Style::new().bold();
