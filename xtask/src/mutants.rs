//! Mutation testing: cargo-mutants changes scanner, planner and report, one
//! place at a time, and runs the tests of the core and the vectors. What no
//! test notices is listed; `tests/mutants.md` explains what may stay.

use std::env::consts::EXE_SUFFIX;
use std::process::Command;

use anyhow::{Result, bail};

use crate::process;
use crate::screen::{Screen, Step};
use crate::workspace::Workspace;

/// What is changed.
const FILES: [&str; 4] =
    ["core/json/src/scan/**", "core/src/plan/**", "core/src/compose/**", "core/src/report.rs"];

/// The program, of an exact version: its answers are kept in prose.
const PROGRAM: [&str; 2] = ["cargo-mutants", "27.1.0"];

/// Changes what belongs to `shard`, as `k/n`, or everything.
pub(crate) fn run(workspace: &Workspace, screen: &Screen, shard: Option<&str>) -> Result<()> {
    let step = screen.step("mutants");
    let ran = mutate(workspace, &step, shard);
    step.done(ran.is_ok());
    ran
}

fn mutate(workspace: &Workspace, step: &Step, shard: Option<&str>) -> Result<()> {
    let program = install(workspace, step)?;
    let mut command: Command = program;
    command.arg("mutants");
    for file in FILES {
        command.args(["--file", file]);
    }
    if let Some(shard) = shard {
        command.args(["--shard", shard]);
    }
    // The vectors are a test of the package `result-budget-conformance`.
    command.args(["--test-package", "result-budget-core,result-budget-conformance"]);
    command.args(["--no-shuffle", "--timeout", "60", "--baseline", "skip", "--colors", "never"]);
    command.arg("--output").arg(workspace.target.join("mutants"));
    command.args(["--", "--no-default-features"]);
    let is_shown = |line: &str| {
        line.contains("MISSED") || line.contains("TIMEOUT") || line.contains("mutants tested")
    };
    let ended = process::run(workspace, step, "mutants", &mut command, is_shown)?;
    if !ended.success {
        bail!("a change went unnoticed, or the tests broke; `tests/mutants.md` tells which may");
    }
    Ok(())
}

/// Installs the program where it is not.
fn install(workspace: &Workspace, step: &Step) -> Result<Command> {
    let tools = workspace.target.join("tools");
    let program = tools.join("bin").join(format!("{}{EXE_SUFFIX}", PROGRAM[0]));
    if !program.is_file() {
        let mut install = workspace.cargo();
        install.args(["install", PROGRAM[0], "--version", PROGRAM[1], "--locked", "--root"]);
        process::must(workspace, step, "mutants-install", install.arg(&tools))?;
    }
    Ok(workspace.program(program))
}
