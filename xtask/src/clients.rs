//! Clients: the real Codex, installed and run before a scripted model.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};

use crate::node;
use crate::process;
use crate::python;
use crate::screen::Step;
use crate::workspace::Workspace;

const CODEX: &str = "tests/clients/codex";

/// Why the real Codex is not run on this machine, where it is not.
pub(crate) fn no_codex() -> Option<&'static str> {
    let known = cfg!(target_os = "linux")
        && (cfg!(target_arch = "x86_64") || cfg!(target_arch = "aarch64"));
    (!known).then_some("the real Codex is run on Linux alone, on x86-64 and arm64")
}

/// Its tests: they need the package for Python, and the rule made anew.
pub(crate) fn codex(workspace: &Workspace, step: &Step) -> Result<Command> {
    let program = program(workspace, step)?;
    let mut build = workspace.cargo();
    build.args(["build", "--package", "result-budget-clients", "--bin", "shown"]);
    process::must(workspace, step, "clients-shown", &mut build)?;
    let mut pytest = python::python(workspace, "fastmcp4");
    pytest.args(["-m", "pytest", "-q", "-p", "no:cacheprovider", CODEX]);
    pytest.env("CODEX", program).env("SHOWN", workspace.target.join("debug/shown"));
    Ok(pytest)
}

/// Installs the pinned Codex below `target`, and finds it there.
fn program(workspace: &Workspace, step: &Step) -> Result<PathBuf> {
    let folder = workspace.target.join("clients/codex");
    node::pinned(workspace, step, CODEX, &folder, "codex")?;
    let arch = if cfg!(target_arch = "aarch64") { "arm64" } else { "x64" };
    let vendor = folder.join(format!("node_modules/@openai/codex-linux-{arch}/vendor"));
    let mut targets =
        fs::read_dir(&vendor).with_context(|| format!("npm brought no {}", vendor.display()))?;
    let target = targets.next().context("the package of Codex is empty")??;
    Ok(target.path().join("bin/codex"))
}
