//! `setup`: what the other commands need and this machine may lack.

use std::process::Command;

use anyhow::{Context, Result};

use crate::apt;
use crate::process;
use crate::python;
use crate::screen::{Screen, Step};
use crate::wasm;
use crate::workspace::Workspace;

/// Something that must be here.
struct Need {
    name: &'static str,
    /// Answers with success where it is here.
    probe: &'static [&'static str],
    /// Rustup's component, where there is rustup.
    component: Option<&'static str>,
    /// Debian's packages.
    packages: &'static [&'static str],
}

/// Beside the compiler for WebAssembly, which `wasm` finds.
const NEEDS: [Need; 4] = [
    Need {
        name: "C compiler",
        probe: &["cc", "--version"],
        component: None,
        packages: &["gcc", "libc6-dev"],
    },
    // The fuzzer's engine is C++.
    Need {
        name: "C++ compiler",
        probe: &["c++", "--version"],
        component: None,
        packages: &["g++"],
    },
    Need {
        name: "rustfmt",
        probe: &["cargo", "fmt", "--version"],
        component: Some("rustfmt"),
        packages: &["rustfmt-web"],
    },
    Need {
        name: "clippy",
        probe: &["cargo", "clippy", "--version"],
        component: Some("clippy"),
        packages: &["rust-web-clippy"],
    },
];

const PYTHON: Need = Need {
    name: "Python 3.10 or newer",
    probe: &python::PROBE,
    component: None,
    packages: &["python3", "python3-venv"],
};

/// Runs as one step.
pub(crate) fn run(workspace: &Workspace, screen: &Screen) -> Result<()> {
    let step = screen.step("setup");
    let installed = install(workspace, &step);
    step.done(installed.is_ok());
    installed
}

/// Installs what is missing; fast where nothing is.
pub(crate) fn install(workspace: &Workspace, step: &Step) -> Result<()> {
    for need in &NEEDS {
        fill(workspace, step, need)?;
    }
    python(workspace, step)?;
    wasm::find(workspace, step).map(|_| ())
}

/// Python, which also brings other programs.
pub(crate) fn python(workspace: &Workspace, step: &Step) -> Result<()> {
    fill(workspace, step, &PYTHON)
}

fn fill(workspace: &Workspace, step: &Step, need: &Need) -> Result<()> {
    if is_here(workspace, need) {
        return Ok(());
    }
    bring(workspace, step, need).with_context(|| format!("{} is missing", need.name))
}

fn bring(workspace: &Workspace, step: &Step, need: &Need) -> Result<()> {
    let has_rustup = process::ask(Command::new("rustup").arg("--version")).is_some();
    if let Some(component) = need.component.filter(|_| has_rustup) {
        step.say(&format!("asking rustup for {component}"));
        let mut command = Command::new("rustup");
        command.args(["component", "add", component]);
        process::must(workspace, step, "rustup", &mut command)?;
    } else {
        apt::install(workspace, step, need.packages)?;
    }
    if !is_here(workspace, need) {
        anyhow::bail!("it was installed and still does not answer");
    }
    Ok(())
}

fn is_here(workspace: &Workspace, need: &Need) -> bool {
    let Some((program, arguments)) = need.probe.split_first() else { return false };
    process::ask(workspace.program(program).args(arguments)).is_some()
}
