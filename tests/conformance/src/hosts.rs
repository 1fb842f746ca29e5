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
    /// A file that is there once the host is built.
    needs: &'static str,
    /// What builds it.
    built_by: &'static str,
}

const FOREIGN: [Foreign; 4] = [
    Foreign {
        name: "python",
        program: "target/python/tools/bin/python",
        arguments: &["tests/adapters/python/addon.py"],
        needs: "target/python/tools/bin/python",
        built_by: "cargo xtask python",
    },
    Foreign {
        name: "python-wasmtime",
        program: "target/python/tools/bin/python",
        arguments: &["tests/adapters/python/component.py", "target/engine/result-budget.wasm"],
        needs: "target/python/tools/bin/python",
        built_by: "cargo xtask python",
    },
    Foreign {
        name: "node",
        program: "node",
        arguments: &["tests/adapters/node/adapter.mjs", "addon"],
        needs: "bindings/node/native/result-budget.node",
        built_by: "cargo xtask node",
    },
    Foreign {
        name: "jco",
        program: "node",
        arguments: &["tests/adapters/node/adapter.mjs", "wasm"],
        needs: "bindings/node/engine/engine.js",
        built_by: "cargo xtask node",
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
        let needed: PathBuf = root.join(host.needs);
        if !needed.is_file() {
            bail!("{} is not there: run `{}`", needed.display(), host.built_by);
        }
        // What `xtask` installed goes before the machine's own.
        let own = root.join("target/node/tools/bin").join(host.program);
        let program = match host.program.contains('/') {
            true => root.join(host.program),
            false if own.is_file() => own,
            false => host.program.into(),
        };
        let mut command = Command::new(&program);
        command.current_dir(&root).args(host.arguments);
        let started =
            Process::start(host.name, &mut command).with_context(|| host.name.to_string())?;
        hosts.push(Box::new(started));
    }
    Ok(hosts)
}
