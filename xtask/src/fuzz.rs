//! Runs the fuzzer's targets: so many executions each, not so many seconds, on
//! the stable compiler. What they found worth keeping goes to `target/fuzz`;
//! `--keep` brings the smallest set that covers as much into the repository.

use std::env::consts::EXE_SUFFIX;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::process;
use crate::screen::{Screen, Step};
use crate::workspace::Workspace;

/// A target, and its share of the executions.
struct Target {
    name: &'static str,
    executions: u64,
    max_length_bytes: u32,
    /// Whose kept inputs it starts from: its own, or another's to which bytes
    /// mean the same.
    inputs_of: &'static str,
    /// Long inputs from the start: their bytes are choices.
    is_long_at_once: bool,
}

/// A million together, and those that ask two engines; the long run is ten times
/// as long.
const TARGETS: [Target; 4] = [
    Target {
        name: "any-bytes",
        executions: 450_000,
        max_length_bytes: 2_048,
        inputs_of: "any-bytes",
        is_long_at_once: false,
    },
    Target {
        name: "any-result",
        executions: 100_000,
        max_length_bytes: 1_024,
        inputs_of: "any-result",
        is_long_at_once: true,
    },
    Target {
        name: "any-text",
        executions: 450_000,
        max_length_bytes: 1_024,
        inputs_of: "any-text",
        is_long_at_once: false,
    },
    // Each builds a boundary, and asks two engines.
    Target {
        name: "both-engines",
        executions: 50_000,
        max_length_bytes: 1_024,
        inputs_of: "any-result",
        is_long_at_once: true,
    },
];

/// What cargo-fuzz passes to the compiler: counters in every branch, and what
/// is compared with what.
const COUNTERS: [&str; 7] = [
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "-Ccodegen-units=1",
    "--cfg=fuzzing",
];

/// Runs all targets, or one, as one step.
pub(crate) fn run(
    workspace: &Workspace,
    screen: &Screen,
    target: Option<&str>,
    executions: Option<u64>,
    keep: bool,
) -> Result<()> {
    let step = screen.step("fuzzing");
    let ran =
        run_targets(workspace, &step, target, |own| executions.unwrap_or(own), new_seed(workspace));
    let ran = ran.and_then(|()| if keep { keep_corpus(workspace, &step) } else { Ok(()) });
    step.done(ran.is_ok());
    ran
}

/// A million executions and more, the same ones each time.
pub(crate) fn short(workspace: &Workspace, step: &Step) -> Result<()> {
    run_targets(workspace, step, None, |own| own, 1)
}

/// Ten million and more.
pub(crate) fn long(workspace: &Workspace, step: &Step) -> Result<()> {
    run_targets(workspace, step, None, |own| own * 10, new_seed(workspace))
}

/// Another seed with each commit.
fn new_seed(workspace: &Workspace) -> u64 {
    1 + workspace.commit_number() % 0x7FFF_FFFF
}

fn run_targets(
    workspace: &Workspace,
    step: &Step,
    only: Option<&str>,
    executions: impl Fn(u64) -> u64,
    seed: u64,
) -> Result<()> {
    let chosen: Vec<&Target> =
        TARGETS.iter().filter(|target| only.is_none_or(|only| only == target.name)).collect();
    if chosen.is_empty() {
        bail!("there is no such target");
    }
    let triple = build(workspace, step)?;
    for target in chosen {
        let found = corpus(workspace, target);
        fs::create_dir_all(&found)?;
        let runs = executions(target.executions);
        let mut command = program(workspace, &triple, target);
        command.arg(format!("-runs={runs}"));
        command.arg(format!("-seed={seed}"));
        command.arg(format!("-max_len={}", target.max_length_bytes));
        // A slow input is a fault as well: none takes a tenth of this.
        command.args(["-timeout=20", "-rss_limit_mb=2048", "-print_final_stats=1", "-reload=0"]);
        if target.is_long_at_once {
            command.arg("-len_control=0");
        }
        command.arg(&found);
        let kept = kept(workspace, target.inputs_of);
        if kept.is_dir() {
            command.arg(kept);
        }
        let log = format!("fuzz-{}", target.name);
        let ended = process::run(workspace, step, &log, &mut command, is_account)?;
        if !ended.success {
            bail!("{} found a fault; the input is below {}", target.name, crashes(workspace));
        }
    }
    Ok(())
}

/// The lines that tell how much was done.
fn is_account(line: &str) -> bool {
    line.contains("really cut") || line.contains("number_of_executed_units")
}

/// Builds the targets; tells for which machine.
fn build(workspace: &Workspace, step: &Step) -> Result<String> {
    let about = process::ask(workspace.program("rustc").arg("-vV")).context("no compiler")?;
    let triple = about.lines().find_map(|line| line.strip_prefix("host: "));
    let triple = triple.context("the compiler does not tell its machine")?.to_owned();
    let mut build = workspace.cargo();
    build.args(["build", "--release", "--manifest-path", "tests/fuzz/Cargo.toml"]);
    // Named, so that programs of the build itself get no counters.
    build.args(["--target", &triple]);
    build.env("CARGO_TARGET_DIR", folder(workspace).join("build"));
    build.env("RESULT_BUDGET_ENGINE_DIR", workspace.engine());
    build.env("CARGO_ENCODED_RUSTFLAGS", COUNTERS.join("\u{1f}"));
    process::must(workspace, step, "fuzz-build", &mut build)?;
    Ok(triple)
}

/// The smallest set of inputs that covers as much as all that were found.
fn keep_corpus(workspace: &Workspace, step: &Step) -> Result<()> {
    let triple = build(workspace, step)?;
    for target in TARGETS.iter().filter(|target| target.inputs_of == target.name) {
        let kept = kept(workspace, target.name);
        let merged = folder(workspace).join("merged").join(target.name);
        if merged.is_dir() {
            fs::remove_dir_all(&merged)?;
        }
        fs::create_dir_all(&merged)?;
        let mut command = program(workspace, &triple, target);
        command.arg("-merge=1").arg(&merged).arg(corpus(workspace, target));
        if kept.is_dir() {
            command.arg(&kept);
        }
        process::must(workspace, step, "fuzz-merge", &mut command)?;
        if kept.is_dir() {
            fs::remove_dir_all(&kept)?;
        }
        fs::create_dir_all(&kept)?;
        let (mut files, mut bytes) = (0_u32, 0);
        for entry in fs::read_dir(&merged)? {
            let entry = entry?;
            bytes += entry.metadata()?.len();
            files += 1;
            fs::copy(entry.path(), kept.join(entry.file_name()))?;
        }
        step.say(&format!("{}: {files} inputs, {bytes} bytes", target.name));
    }
    Ok(())
}

fn program(workspace: &Workspace, triple: &str, target: &Target) -> Command {
    let built = folder(workspace).join("build").join(triple).join("release");
    let mut command = workspace.program(built.join(format!("{}{EXE_SUFFIX}", target.name)));
    command.arg(format!("-artifact_prefix={}/{}-", crashes(workspace), target.name));
    command
}

/// What is kept in the repository for a target.
fn kept(workspace: &Workspace, target: &str) -> PathBuf {
    workspace.root.join("tests/fuzz/corpus").join(target)
}

fn corpus(workspace: &Workspace, target: &Target) -> PathBuf {
    folder(workspace).join("corpus").join(target.name)
}

fn crashes(workspace: &Workspace) -> String {
    let folder = folder(workspace).join("crashes");
    // What can not be made here fails where the fuzzer writes.
    let _ = fs::create_dir_all(&folder);
    folder.display().to_string()
}

fn folder(workspace: &Workspace) -> PathBuf {
    Path::new(&workspace.target).join("fuzz")
}
