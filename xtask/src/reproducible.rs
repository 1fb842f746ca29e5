//! Builds the component a second time, from nothing, in another folder: the
//! bytes must be the same.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::component;
use crate::inputs;
use crate::screen::{Screen, Step};
use crate::wasm;
use crate::workspace::Workspace;

/// Runs the check as one step. The component must be built already.
pub(crate) fn run(workspace: &Workspace, screen: &Screen) -> Result<()> {
    let step = screen.step("component, a second time elsewhere");
    let checked = check(workspace, &step);
    step.done(checked.is_ok());
    checked
}

/// Compares this checkout's core module with one that is built from a copy.
pub(crate) fn check(workspace: &Workspace, step: &Step) -> Result<()> {
    let copy = Scratch::new()?;
    inputs::copy_sources(workspace, &copy.0)?;
    let elsewhere = workspace.at(copy.0.clone());
    if component::inputs_sha256(workspace)? != inputs::sha256(&elsewhere)? {
        bail!("the sources are not those that the component was built from; build it again");
    }
    // What rustup refused to this checkout it refuses to the other.
    let remembered = Path::new("wasm-sysroot/rustup-refused");
    if workspace.target.join(remembered).is_file() {
        fs::create_dir_all(elsewhere.target.join("wasm-sysroot"))?;
        fs::copy(workspace.target.join(remembered), elsewhere.target.join(remembered))?;
    }
    let toolchain = wasm::find(&elsewhere, step)?;
    let second = fs::read(component::core_module(&elsewhere, step, &toolchain)?)?;
    let first_path = workspace.engine().join("result-budget.core.wasm");
    let first =
        fs::read(&first_path).with_context(|| format!("cannot read `{}`", first_path.display()))?;
    if first != second {
        let kept = workspace.engine().join("result-budget.core.second.wasm");
        fs::write(&kept, &second)?;
        let at = first.iter().zip(&second).position(|(one, other)| one != other);
        bail!(
            "two builds differ: {} and {} bytes, first difference at byte {}; the second is kept as `{}`",
            first.len(),
            second.len(),
            at.unwrap_or(first.len().min(second.len())),
            kept.display()
        );
    }
    step.say(&format!("two builds in two folders: the same {} bytes", first.len()));
    Ok(())
}

/// A folder that goes when it is no longer needed.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Result<Self> {
        let name = format!("result-budget-elsewhere-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        fs::create_dir(&folder)
            .with_context(|| format!("cannot make the folder `{}`", folder.display()))?;
        Ok(Scratch(folder))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // A folder that stays behind harms nobody.
        let _ = fs::remove_dir_all(&self.0);
    }
}
