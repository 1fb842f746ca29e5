//! What tests in other languages start: the table of hosts, and two engines
//! that are not the product's: one that breaks on demand, and ours with another
//! table of presets.

use std::env::consts::{ARCH, EXE_SUFFIX};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, bail};

use crate::component;
use crate::inputs;
use crate::process;
use crate::screen::Step;
use crate::wasm;
use crate::workspace::Workspace;

/// The line of the table that the other engine has otherwise: that of `small`.
const OTHER_LIMIT: (&str, &str) =
    ("        max_text_bytes: 8_000,", "        max_text_bytes: 9_000,");

/// Makes both where the product's own engine is newer.
pub(crate) fn build(workspace: &Workspace, step: &Step) -> Result<()> {
    programs(workspace, step)?;
    let engines = workspace.target.join("other-engines");
    let made = engines.join("inputs.sha256");
    let inputs_sha256 = component::inputs_sha256(workspace)?;
    if fs::read_to_string(&made).is_ok_and(|text| text == inputs_sha256) {
        return Ok(());
    }
    let core = engines.join("broken.core.wasm");
    fs::create_dir_all(&engines)?;
    let example =
        workspace.target.join("debug/examples").join(format!("broken_engine{EXE_SUFFIX}"));
    process::must(workspace, step, "broken-engine", workspace.program(example).arg(&core))?;
    component::assemble_other(workspace, step, &core, &engines.join("broken"))?;

    let copy = Scratch(engines.join("sources"));
    fs::create_dir_all(&copy.0)?;
    inputs::copy_sources(workspace, &copy.0)?;
    let table = copy.0.join("core/src/preset.rs");
    let text = fs::read_to_string(&table)?;
    let (before, after) = OTHER_LIMIT;
    if text.matches(before).count() != 1 {
        bail!("`{}` has no single line `{before}`", table.display());
    }
    fs::write(&table, text.replace(before, after))?;
    let elsewhere = Workspace { target: engines.join("target"), ..workspace.at(copy.0.clone()) };
    share_library(workspace, &elsewhere)?;
    let toolchain = wasm::find(&elsewhere, step)?;
    let core = component::core_module(&elsewhere, step, &toolchain)?;
    let kept = engines.join("other.core.wasm");
    fs::copy(core, &kept)?;
    component::assemble_other(workspace, step, &kept, &engines.join("other"))?;
    fs::write(&made, inputs_sha256)?;
    step.say(&format!("two other engines for {ARCH}"));
    Ok(())
}

/// The vectors, on every host of every language.
pub(crate) fn scoreboard(workspace: &Workspace, step: &Step) -> Result<Command> {
    programs(workspace, step)?;
    let name = format!("scoreboard{EXE_SUFFIX}");
    Ok(workspace.program(workspace.target.join("debug").join(name)))
}

/// Builds what tests start: the broken engine, the table of hosts, and the
/// command line, with which the wheel's command is compared.
///
/// With the whole workspace in view, and an example among them, since the
/// tests of the workspace are built so: the runtime is not compiled once more
/// with other features.
fn programs(workspace: &Workspace, step: &Step) -> Result<()> {
    let mut build = workspace.cargo();
    build.args(["build", "--workspace", "--example", "broken_engine"]);
    build.args(["--bin", "result-budget", "--bin", "scoreboard"]);
    process::must(workspace, step, "programs", &mut build)
}

/// A library for WebAssembly that was compiled from source serves both.
fn share_library(workspace: &Workspace, elsewhere: &Workspace) -> Result<()> {
    let from = workspace.target.join("wasm-sysroot");
    let to = elsewhere.target.join("wasm-sysroot");
    fs::create_dir_all(&elsewhere.target)?;
    #[cfg(unix)]
    if from.is_dir() && !to.exists() {
        std::os::unix::fs::symlink(from, to)?;
    }
    // Elsewhere it is compiled a second time.
    #[cfg(not(unix))]
    let _ = (from, to);
    Ok(())
}

/// A folder that goes when it is no longer needed.
struct Scratch(PathBuf);

impl Drop for Scratch {
    fn drop(&mut self) {
        // A folder that stays behind harms nobody.
        let _ = fs::remove_dir_all(Path::new(&self.0));
    }
}
