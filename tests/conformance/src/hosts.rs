//! Every host of this repository that answers vectors.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail};
use result_budget_support::corpus;

use crate::{Adapter, Component, CoreEngine, Process, RustHost};

/// A host in another language: its name, its program, and its arguments. Paths
/// are seen from the top of the repository.
struct Foreign {
    name: &'static str,
    program: &'static str,
    arguments: &'static [&'static str],
    /// What builds it.
    built_by: &'static str,
}

const FOREIGN: [Foreign; 2] = [
    Foreign {
        name: "python",
        program: "target/python/tools/bin/python",
        arguments: &["tests/adapters/python/addon.py"],
        built_by: "cargo xtask python",
    },
    Foreign {
        name: "python-wasmtime",
        program: "target/python/tools/bin/python",
        arguments: &["tests/adapters/python/component.py", "target/engine/result-budget.wasm"],
        built_by: "cargo xtask python",
    },
];

/// The hosts that need no other language, in the order of the scoreboard.
///
/// # Errors
/// Where the component was not built.
pub fn own() -> Result<Vec<Box<dyn Adapter>>> {
    Ok(vec![Box::new(CoreEngine), Box::new(Component::load()?), Box::new(RustHost::load()?)])
}

/// Those in other languages, started.
///
/// # Errors
/// Where one was not built: none is skipped.
pub fn foreign() -> Result<Vec<Box<dyn Adapter>>> {
    let root = corpus::repository();
    let mut hosts: Vec<Box<dyn Adapter>> = Vec::new();
    for host in &FOREIGN {
        let program: PathBuf = root.join(host.program);
        if !program.is_file() {
            bail!("{} is not there: run `{}`", program.display(), host.built_by);
        }
        let mut command = Command::new(&program);
        command.current_dir(&root).args(host.arguments);
        let started =
            Process::start(host.name, &mut command).with_context(|| host.name.to_string())?;
        hosts.push(Box::new(started));
    }
    Ok(hosts)
}
