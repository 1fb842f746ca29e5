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
    max_binary_bytes: u32,
    max_result_bytes: u32,
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
        max_binary_bytes: row.max_binary_bytes,
        max_result_bytes: row.max_result_bytes,
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
    writeln!(
        out,
        "\n{BOLD}{:<24} {:>16} {:>16} {:>16}{BOLD:#}",
        "preset", "max_text_bytes", "max_binary_bytes", "max_result_bytes"
    )?;
    for row in presets {
        let text = grouped(row.max_text_bytes.into());
        let binary = grouped(row.max_binary_bytes.into());
        let result = grouped(row.max_result_bytes.into());
        writeln!(out, "{:<24} {text:>16} {binary:>16} {result:>16}", row.name)?;
    }
    Ok(())
}

const BOLD: Style = Style::new().bold();
