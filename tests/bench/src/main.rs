//! `cargo xtask bench`: one table, one run, and each figure beside its goal.
//!
//! Never fails on time: a machine may be slow. Fails where something does not
//! do what it is measured for.

use std::fs;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result};
use clap::Parser;
use result_budget_bench::columns::{Column, Subjects};
use result_budget_bench::documents::{Document, Shape};
use result_budget_bench::fuel::{self, Counter, Fuel};
use result_budget_bench::goals::Goal;
use result_budget_bench::memory::Held;
use result_budget_bench::peak::Peak;
use result_budget_bench::start::{self, Start};
use result_budget_bench::table::{self, Row};

#[global_allocator]
static PEAK: Peak = Peak::new();

/// What the engine costs, beside what else reads JSON.
#[derive(Parser)]
#[command(name = "cargo xtask bench")]
struct Options {
    /// Fewer and smaller documents: proves that everything runs, in under a
    /// minute
    #[arg(long)]
    short: bool,
    /// Only kinds whose name contains this
    #[arg(long, value_name = "TEXT", default_value = "")]
    shape: String,
}

/// Documents of one size.
struct Size {
    bytes: usize,
    documents: u64,
    rounds: usize,
    cut_bytes: usize,
}

/// Many small documents, so that no branch predictor learns them.
const FULL: [Size; 4] = [
    Size { bytes: 2_000, documents: 512, rounds: 31, cut_bytes: 1_024 },
    Size { bytes: 64_000, documents: 32, rounds: 31, cut_bytes: 32_000 },
    Size { bytes: 1_000_000, documents: 6, rounds: 21, cut_bytes: 32_000 },
    Size { bytes: 16_000_000, documents: 1, rounds: 15, cut_bytes: 32_000 },
];

const SHORT: [Size; 3] = [
    Size { bytes: 2_000, documents: 128, rounds: 15, cut_bytes: 1_024 },
    Size { bytes: 64_000, documents: 8, rounds: 15, cut_bytes: 32_000 },
    Size { bytes: 1_000_000, documents: 2, rounds: 15, cut_bytes: 32_000 },
];

fn main() -> Result<()> {
    let options = Options::parse();
    let began = Instant::now();
    let shapes: Vec<Shape> = Shape::ALL
        .into_iter()
        .filter(|shape| shape.name().contains(options.shape.as_str()))
        .collect();
    let mut goals = Vec::new();

    println!("{}\n\n{}", table::LEGEND, table::head());
    for shape in &shapes {
        let sizes: &[Size] = if options.short { &SHORT } else { &FULL };
        for size in sizes {
            let row = measure(*shape, size)?;
            for line in table::lines(&row) {
                println!("{line}");
            }
            time_goals(&row, &mut goals);
        }
    }

    let fuel_sizes = if options.short { &fuel::SIZES_BYTES[..2] } else { &fuel::SIZES_BYTES[..] };
    count_fuel(&shapes, fuel_sizes, &mut goals)?;
    hold_memory(&shapes, if options.short { 4_000_000 } else { 16_000_000 }, &mut goals)?;
    weigh_and_start(if options.short { 5 } else { 20 }, &mut goals)?;

    println!();
    for goal in &goals {
        println!("{}", goal.line());
    }
    let met = goals.iter().filter(|goal| goal.is_met()).count();
    let seconds = began.elapsed().as_secs_f64();
    println!("\n{met} of {} goals met; {seconds:.0} s", goals.len());
    Ok(())
}

fn measure(shape: Shape, size: &Size) -> Result<Row> {
    let documents: Vec<Document> =
        (0..size.documents).map(|seed| shape.document(size.bytes, seed)).collect();
    // The runtime wants arguments that outlive everything.
    let documents: &'static [Document] = documents.leak();
    let mut subjects = Subjects::load(size.cut_bytes, shape.schema())?;
    let name = table::size_name(size.bytes);
    for document in documents.iter().take(8) {
        subjects.check(document).with_context(|| format!("{}, {name}", shape.name()))?;
    }
    let times = subjects.time(documents, size.rounds)?;
    let total_bytes = documents.iter().map(|document| document.text.len()).sum();
    Ok(Row { shape, size_bytes: size.bytes, total_bytes, times })
}

/// Goals are judged at 1 MB, and shown at the other sizes in the table.
fn time_goals(row: &Row, goals: &mut Vec<Goal>) {
    if row.size_bytes != 1_000_000 {
        return;
    }
    let (name, times) = (row.shape.name(), &row.times);
    let beside_ignored = match row.shape {
        Shape::Dense => Some(0.6),
        Shape::Typical => Some(0.55),
        Shape::LongStrings => Some(0.35),
        Shape::Text | Shape::Indented | Shape::JsonInText | Shape::Mirrored => None,
    };
    if let Some(at_most) = beside_ignored {
        for (column, limits) in [
            (Column::ComponentFit, "unchanged"),
            (Column::ComponentFitShapes, "unchanged, shape limits too"),
        ] {
            goals.push(Goal::ratio(
                format!("{name}: component, {limits} / serde_json IgnoredAny in wasm"),
                at_most,
                times.ratio(column, Column::GuestIgnore),
            ));
        }
    }
    if row.shape == Shape::Typical {
        goals.push(Goal::ratio(
            format!("{name}: native, unchanged / sonic-rs IgnoredAny"),
            1.0,
            times.ratio(Column::Fit, Column::SonicIgnore),
        ));
        goals.push(Goal {
            decimals: 3,
            ..Goal::ratio(
                format!("{name}: native, unchanged / serde_json::Value round trip"),
                1.0 / 12.0,
                times.ratio(Column::Fit, Column::Value),
            )
        });
    }
    if row.shape.schema().is_some() {
        for (place, given, cut) in [
            ("component", Column::ComponentCutGiven, Column::ComponentCut),
            ("native", Column::CutGiven, Column::Cut),
        ] {
            goals.push(Goal::ratio(
                format!("{name}: {place}, cut under an output schema / cut"),
                1.5,
                times.ratio(given, cut),
            ));
        }
    }
    for (place, cut, fit, scan_part) in [
        ("component", Column::ComponentCut, Column::ComponentFit, Column::GuestScanPart),
        ("native", Column::Cut, Column::Fit, Column::ScanPart),
    ] {
        let (what, measured) = if times.of(scan_part).is_some() {
            ("cut less one scan of the part", table::beyond_a_scan(times, cut, fit, scan_part))
        } else {
            ("cut", times.ratio(cut, fit))
        };
        goals.push(Goal::ratio(format!("{name}: {place}, {what} / unchanged"), 1.2, measured));
    }
}

fn count_fuel(shapes: &[Shape], sizes_bytes: &[usize], goals: &mut Vec<Goal>) -> Result<()> {
    let mut counter = Counter::load()?;
    println!("\nFuel of the component for each byte of input");
    for cut in [false, true] {
        let mut worst: Option<Fuel> = None;
        for shape in shapes {
            let fuel = Fuel::count(&mut counter, *shape, cut, sizes_bytes)?;
            println!("{}", fuel.line());
            if worst.as_ref().is_none_or(|worst| worst.judged_spread() < fuel.judged_spread()) {
                worst = Some(fuel);
            }
        }
        if let Some(worst) = worst {
            goals.push(Goal::ratio(
                format!(
                    "most / least fuel per byte, {}; worst: {}",
                    worst.what(),
                    worst.shape.name()
                ),
                1.1,
                worst.judged_spread(),
            ));
        }
    }
    Ok(())
}

fn hold_memory(shapes: &[Shape], largest_bytes: usize, goals: &mut Vec<Goal>) -> Result<()> {
    println!("\nNative memory of `fit`, in bytes");
    let mut worst: Option<Held> = None;
    for shape in shapes {
        for cut in [false, true] {
            for size_bytes in [1_000_000, largest_bytes] {
                let held = Held::measure(&PEAK, *shape, cut, size_bytes)?;
                println!("{}", held.line());
                if worst.is_none_or(|worst| worst.share() < held.share()) {
                    worst = Some(held);
                }
            }
        }
    }
    if let Some(worst) = worst {
        goals.push(Goal::ratio(
            format!(
                "native memory / (input + a third + 8 MB); worst: {}, {}",
                worst.shape.name(),
                if worst.cut { "cut" } else { "unchanged" }
            ),
            1.0,
            worst.share(),
        ));
    }
    Ok(())
}

fn weigh_and_start(runs: usize, goals: &mut Vec<Goal>) -> Result<()> {
    goals.push(Goal::amount(
        "the component",
        result_budget_support::COMPONENT_MAX_BYTES as f64,
        result_budget::COMPONENT_WASM.len() as f64,
        "bytes",
    ));
    let file = std::env::temp_dir().join(format!("result-budget-bench-{}", std::process::id()));
    fs::write(&file, Shape::Typical.document(2_000, 1).text)?;
    let started = Start::measure(&start::command()?, &[Path::new("fit"), &file], runs);
    fs::remove_file(&file)?;
    let started = started?;
    println!(
        "\nFrom the start of a process to its first output, median and least of {runs}, in ms"
    );
    let millis = |time: std::time::Duration| time.as_secs_f64() * 1e3;
    let line = |name: &str, start: Start| {
        println!("{name:<28}{:>8.2}{:>8.2}", millis(start.median), millis(start.least));
    };
    line("result-budget fit, 2 KB", started);
    let nothing = Path::new("/bin/true");
    if nothing.is_file() {
        line("/bin/true", Start::measure(nothing, &[], runs)?);
    }
    goals.push(Goal {
        unit: "ms",
        ..Goal::ratio("first answer of the command", 5.0, millis(started.median))
    });
    Ok(())
}
