//! `inspect`: where the bytes of a result are.

use std::io::Write;

use anstyle::{AnsiColor, Style};
use result_budget::{Boundary, Call, Failure, Measurement, Refused};
use serde::Serialize;

use crate::args::InspectOptions;
use crate::exit::{Exit, Stop};
use crate::input::{self, Piece};
use crate::message::{grouped, printable};

/// Runs `inspect`.
pub(crate) fn run(options: &InspectOptions) -> Result<Exit, Stop> {
    let (reader, name) = input::open(options.file.as_ref())?;
    let boundary = Boundary::builder().build()?;
    let max_bytes = boundary.engine().input_max_bytes();
    let mut buffer = Vec::new();
    let piece = input::read_whole(reader, max_bytes, &mut buffer)
        .map_err(|error| input::unreadable(&name, &error))?;
    let measured = match piece {
        Piece::Whole => boundary.measure(&buffer, &Call::default()),
        Piece::TooLong(given_bytes) => {
            let given_bytes = u32::try_from(given_bytes).unwrap_or(u32::MAX);
            Err(Refused::InputTooLarge { given_bytes, max_bytes }.into())
        }
    };
    let measurement = match measured {
        Ok(measurement) => measurement,
        Err(Failure::Refused(refused)) => {
            return Err(Stop::Engine(format!("{refused} ({} is at fault)", refused.at_fault())));
        }
        Err(Failure::Fault(fault)) => return Err(fault.into()),
    };
    if options.json {
        print_json(&measurement)?
    } else {
        print_table(&name, &measurement)?
    }
    Ok(Exit::Fine)
}

/// A measurement as `--json` prints it.
#[derive(Serialize)]
struct Sizes<'a> {
    result_bytes: u32,
    compact_bytes: u32,
    text_bytes: u32,
    text_tokens: u32,
    text_lines: u32,
    structured_bytes: u32,
    binary_bytes: u32,
    content_items: u32,
    nesting_depth: u32,
    parts: Vec<Part<'a>>,
}

#[derive(Serialize)]
struct Part<'a> {
    pointer: &'a str,
    kind: &'a str,
    encoded_bytes: u32,
    children_items: u32,
}

fn print_json(measurement: &Measurement) -> Result<(), Stop> {
    let parts = measurement.parts.iter().map(|part| Part {
        pointer: &part.pointer,
        kind: &part.kind,
        encoded_bytes: part.encoded_bytes,
        children_items: part.children_items,
    });
    let sizes = Sizes {
        result_bytes: measurement.result_bytes,
        compact_bytes: measurement.compact_bytes,
        text_bytes: measurement.text_bytes,
        text_tokens: measurement.text_tokens,
        text_lines: measurement.text_lines,
        structured_bytes: measurement.structured_bytes,
        binary_bytes: measurement.binary_bytes,
        content_items: measurement.content_items,
        nesting_depth: measurement.nesting_depth,
        parts: parts.collect(),
    };
    let json = serde_json::to_string(&sizes).map_err(|error| Stop::Engine(error.to_string()))?;
    writeln!(std::io::stdout(), "{json}")?;
    Ok(())
}

fn print_table(name: &str, measurement: &Measurement) -> Result<(), Stop> {
    let mut out = anstream::stdout().lock();
    let whole = measurement.compact_bytes.max(1);
    writeln!(out, "{BOLD}{}{BOLD:#}", printable(name))?;
    let rows = [
        ("as it came in", measurement.result_bytes),
        ("compact", measurement.compact_bytes),
        ("what a model reads", measurement.text_bytes),
        ("structured content", measurement.structured_bytes),
        ("binary data", measurement.binary_bytes),
    ];
    for (label, bytes) in rows {
        let bytes_text = grouped(u64::from(bytes));
        writeln!(out, "  {label:<20} {bytes_text:>12} bytes  {BAR}{}{BAR:#}", bar(bytes, whole))?;
    }
    let tokens = grouped(u64::from(measurement.text_tokens));
    writeln!(out, "  {:<20} {tokens:>12} tokens at most", "what a model reads")?;
    let items = grouped(u64::from(measurement.content_items));
    writeln!(out, "  {:<20} {items:>12}", "content blocks")?;
    writeln!(out, "  {:<20} {:>12}", "nesting depth", measurement.nesting_depth)?;
    if measurement.parts.is_empty() {
        return Ok(());
    }
    let pointers: Vec<String> =
        measurement.parts.iter().map(|part| printable(&part.pointer)).collect();
    let width =
        pointers.iter().map(|pointer| pointer.chars().count()).max().unwrap_or(0).clamp(4, 60);
    writeln!(
        out,
        "\n  {BOLD}{:<width$} {:>12}  {:<22} {:>14}{BOLD:#}",
        "part", "bytes", "", "kind"
    )?;
    for (part, pointer) in measurement.parts.iter().zip(&pointers) {
        let bytes = grouped(u64::from(part.encoded_bytes));
        let kind = match part.children_items {
            0 => part.kind.clone(),
            items => format!("{} of {}", part.kind, grouped(u64::from(items))),
        };
        let bar = bar(part.encoded_bytes, whole);
        writeln!(out, "  {pointer:<width$} {bytes:>12}  {BAR}{bar:<22}{BAR:#} {kind:>14}")?;
    }
    Ok(())
}

/// A bar of at most [`BAR_COLUMNS`] columns; a part that is there at all shows.
fn bar(bytes: u32, whole: u32) -> String {
    if bytes == 0 {
        return String::new();
    }
    let eighths = u64::from(bytes) * BAR_COLUMNS * 8 / u64::from(whole.max(bytes));
    let eighths = eighths.max(1);
    let full = usize::try_from(eighths / 8).unwrap_or(0);
    let part = usize::try_from(eighths % 8).unwrap_or(0);
    let mut bar = "█".repeat(full);
    bar.extend(["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"].get(part).copied());
    bar
}

const BAR_COLUMNS: u64 = 22;
const BOLD: Style = Style::new().bold();
const BAR: Style = AnsiColor::Cyan.on_default();

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_is_never_longer_than_its_columns_and_never_empty_for_a_byte() {
        assert_eq!(bar(0, 100), "");
        assert_eq!(bar(1, 1_000_000), "▏");
        assert_eq!(bar(100, 100).chars().count(), 22);
        assert_eq!(bar(200, 100).chars().count(), 22);
        assert_eq!(bar(50, 100).chars().count(), 11);
        assert_eq!(bar(u32::MAX, u32::MAX).chars().count(), 22);
    }
}
