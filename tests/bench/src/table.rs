//! The one table: a line for each kind and size natively, one in WebAssembly.

use std::time::Duration;

use crate::columns::{Column, Times};
use crate::documents::Shape;

/// What was measured over documents of one kind and size.
#[derive(Clone, Debug)]
pub struct Row {
    /// The kind.
    pub shape: Shape,
    /// The size asked for.
    pub size_bytes: usize,
    /// All documents together, in bytes.
    pub total_bytes: usize,
    /// The times.
    pub times: Times,
}

/// The head of the table.
#[must_use]
pub fn head() -> String {
    let titles = [
        "copy",
        "ignore",
        "sonic",
        "value",
        "scan",
        "fit",
        "shapes",
        "cut",
        "| fit/ignore",
        "fit/sonic",
        "value/fit",
        "shapes/fit",
        "cut/fit",
        "cut+scan",
        "given/cut",
    ];
    let mut line = format!("{:<13}{:>6}  {:<6}", "", "", "");
    for (at, title) in titles.iter().enumerate() {
        line.push_str(&format!("{title:>width$}", width = width(at)));
    }
    line
}

/// The two lines of a row.
#[must_use]
pub fn lines(row: &Row) -> [String; 2] {
    let times = &row.times;
    let native = line(
        row,
        "native",
        [
            Some(Column::Copy),
            Some(Column::Ignore),
            Some(Column::SonicIgnore),
            Some(Column::Value),
            Some(Column::Scan),
            Some(Column::Fit),
            Some(Column::FitShapes),
            Some(Column::Cut),
        ],
        [
            times.ratio(Column::Fit, Column::Ignore),
            times.ratio(Column::Fit, Column::SonicIgnore),
            times.ratio(Column::Value, Column::Fit),
            times.ratio(Column::FitShapes, Column::Fit),
            times.ratio(Column::Cut, Column::Fit),
            beyond_a_scan(times, Column::Cut, Column::Fit, Column::ScanPart),
            times.ratio(Column::CutGiven, Column::Cut),
        ],
    );
    let wasm = line(
        row,
        "wasm",
        [
            None,
            Some(Column::GuestIgnore),
            None,
            None,
            Some(Column::GuestScan),
            Some(Column::ComponentFit),
            Some(Column::ComponentFitShapes),
            Some(Column::ComponentCut),
        ],
        [
            times.ratio(Column::ComponentFit, Column::GuestIgnore),
            f64::NAN,
            f64::NAN,
            times.ratio(Column::ComponentFitShapes, Column::ComponentFit),
            times.ratio(Column::ComponentCut, Column::ComponentFit),
            beyond_a_scan(times, Column::ComponentCut, Column::ComponentFit, Column::GuestScanPart),
            times.ratio(Column::ComponentCutGiven, Column::ComponentCut),
        ],
    );
    [native, wasm]
}

/// What the titles stand for.
pub const LEGEND: &str = "\
MB/s of processor time, for information; ratios of times are what counts.
copy: memcpy. ignore: serde_json IgnoredAny. sonic: sonic-rs IgnoredAny. value: serde_json::Value read and printed.
scan: our scanner, validating. fit: unchanged, ceilings and depth in force. shapes: unchanged, limits on items, keys,
strings in force too. cut: to 32,000 bytes (1,024 where the input is 2 KB) with report and notice. cut+scan: cut less
one scan of the JSON in the text, over fit. given/cut: under an output schema, compiled before, over cut. wasm: ignore and scan in one module; fit and cut by the component behind
its Rust host; the copy in is counted everywhere. value/fit: how many times over.";

/// A cut, less one scan of the JSON inside the text block, in units of what
/// stays as it is.
#[must_use]
pub fn beyond_a_scan(times: &Times, cut: Column, fit: Column, scan_part: Column) -> f64 {
    times.ratio(cut, fit) - times.ratio(scan_part, fit)
}

fn line(row: &Row, place: &str, speeds: [Option<Column>; 8], ratios: [f64; 7]) -> String {
    let mut line = format!("{:<13}{:>6}  {place:<6}", row.shape.name(), size_name(row.size_bytes));
    let speeds = speeds.map(|column| column.and_then(|column| row.times.of(column)));
    for (at, time) in speeds.into_iter().enumerate() {
        let cell = time.map_or_else(|| String::from("-"), |time| speed(row.total_bytes, time));
        line.push_str(&format!("{cell:>width$}", width = width(at)));
    }
    for (at, ratio) in (speeds.len()..).zip(ratios) {
        let cell = if ratio.is_nan() { String::from("-") } else { format!("{ratio:.2}") };
        line.push_str(&format!("{cell:>width$}", width = width(at)));
    }
    line
}

fn width(at: usize) -> usize {
    if at < 8 { 8 } else { 12 }
}

/// `2 KB`, `16 MB`: rounded, since documents are a little off.
#[must_use]
pub fn size_name(bytes: usize) -> String {
    let (unit, name) = if bytes < 900_000 { (1_000, "KB") } else { (1_000_000, "MB") };
    format!("{} {name}", (bytes + unit / 2) / unit)
}

fn speed(bytes: usize, time: Duration) -> String {
    format!("{:.0}", bytes as f64 / time.as_secs_f64() / 1e6)
}
