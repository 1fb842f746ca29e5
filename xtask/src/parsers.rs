//! What the engine writes, read by parsers that are not ours, and by every host
//! of every language.

use std::env::consts::EXE_SUFFIX;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Result, bail};

use crate::node;
use crate::process;
use crate::python;
use crate::screen::Step;
use crate::workspace::Workspace;

/// Results that five parsers read.
const RESULTS: u64 = 20_000;

/// Results that every host bounds.
const CASES: u64 = 5_000;

/// A tenth of the long run.
pub(crate) fn short(workspace: &Workspace, step: &Step) -> Result<()> {
    read(workspace, step, RESULTS)
}

/// The long run.
pub(crate) fn long(workspace: &Workspace, step: &Step) -> Result<()> {
    read(workspace, step, RESULTS * 10)
}

/// Random results through every host: a tenth of the long run.
pub(crate) fn equal(workspace: &Workspace, step: &Step) -> Result<()> {
    run_equal(workspace, step, CASES)
}

/// The same, the long run.
pub(crate) fn equal_long(workspace: &Workspace, step: &Step) -> Result<()> {
    run_equal(workspace, step, CASES * 10)
}

fn read(workspace: &Workspace, step: &Step, count: u64) -> Result<()> {
    let mut build = workspace.cargo();
    build.args(["build", "--workspace", "--bin", "outputs"]);
    process::must(workspace, step, "parsers-build", &mut build)?;
    let file = workspace.target.join("outputs.records");
    let mut outputs = workspace.program(debug(workspace, "outputs"));
    outputs.arg(count.to_string()).arg(&file);
    let mut own = python::python(workspace, "tools");
    own.arg("tests/parsers/check.py").arg(&file);
    let mut node = node::node(workspace);
    node.arg("tests/parsers/check.mjs").arg(&file);
    for (log, mut command) in
        [("parsers-rust", outputs), ("parsers-python", own), ("parsers-node", node)]
    {
        must_show(workspace, step, log, &mut command)?;
    }
    Ok(())
}

fn run_equal(workspace: &Workspace, step: &Step, count: u64) -> Result<()> {
    let mut build = workspace.cargo();
    build.args(["build", "--workspace", "--bin", "equal"]);
    process::must(workspace, step, "equal-build", &mut build)?;
    let mut equal = workspace.program(debug(workspace, "equal"));
    equal.arg(count.to_string()).arg(workspace.commit_number().to_string());
    must_show(workspace, step, "equal", &mut equal)
}

/// Runs a program whose lines about results are shown.
fn must_show(workspace: &Workspace, step: &Step, log: &str, command: &mut Command) -> Result<()> {
    let is_shown = |line: &str| line.contains(" results ");
    if process::run(workspace, step, log, command, is_shown)?.success {
        Ok(())
    } else {
        bail!("{log} failed")
    }
}

fn debug(workspace: &Workspace, name: &str) -> PathBuf {
    workspace.target.join("debug").join(format!("{name}{EXE_SUFFIX}"))
}
