//! Python: its environments, the wheel, and what checks them.

use std::env::consts::{ARCH, EXE_SUFFIX};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::component;
use crate::inputs;
use crate::process;
use crate::screen::{Screen, Step};
use crate::wasm;
use crate::workspace::Workspace;

/// The environments: each is a file of pinned packages in
/// `bindings/python/requirements`. `tools` builds and tests; the others hold
/// the SDKs, of which no two go together.
const ENVIRONMENTS: [&str; 4] = ["tools", "fastmcp4", "mcp2", "mcp1"];

/// Answers where Python is new enough and can make environments.
pub(crate) const PROBE: [&str; 3] =
    ["python3", "-c", "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))"];

const PACKAGE: &str = "bindings/python";
/// The oldest C library on which the wheel runs, and the program that links
/// for it.
const LINUX: [&str; 3] = ["--zig", "--compatibility", "manylinux_2_17"];

/// Makes environments and wheel, as one step.
pub(crate) fn run(workspace: &Workspace, screen: &Screen) -> Result<()> {
    let step = screen.step("python: package");
    let built = build(workspace, &step);
    step.done(built.is_ok());
    built
}

/// Makes environments and wheel, and installs it in each.
pub(crate) fn build(workspace: &Workspace, step: &Step) -> Result<()> {
    for name in ENVIRONMENTS {
        environment(workspace, step, name)?;
    }
    let wheel = wheel(workspace, step)?;
    let length_bytes = fs::metadata(&wheel)?.len();
    step.say(&format!("{length_bytes} bytes  {}", wheel.display()));
    let sha256 = inputs::file_sha256(&wheel)?;
    for name in ENVIRONMENTS {
        let installed = folder(workspace).join(name).join("wheel.sha256");
        if fs::read_to_string(&installed).is_ok_and(|text| text == sha256) {
            continue;
        }
        let mut pip = python(workspace, name);
        pip.args(["-m", "pip", "install", "--quiet", "--force-reinstall", "--no-deps"]).arg(&wheel);
        process::must(workspace, step, &format!("pip-{name}"), &mut pip)?;
        fs::write(&installed, &sha256)?;
    }
    Ok(())
}

/// Formats, lints and types.
pub(crate) fn lint(workspace: &Workspace, step: &Step) -> Result<()> {
    let places = [PACKAGE, "tests/adapters/python", "host-examples/forge"];
    let module = |arguments: &[&str]| {
        let mut command = python(workspace, "tools");
        command.arg("-m").args(arguments);
        command
    };
    let config = format!("{PACKAGE}/pyproject.toml");
    let mut format = module(&["ruff", "format", "--check", "--config", &config]);
    process::must(workspace, step, "ruff-format", format.args(places))?;
    let mut check = module(&["ruff", "check", "--config", &config]);
    process::must(workspace, step, "ruff-check", check.args(places))?;
    let mut types = module(&["mypy", "--config-file", &config]);
    types.arg(format!("{PACKAGE}/python/result_budget")).args(&places[1..2]);
    process::must(workspace, step, "mypy", &mut types)
}

/// The tests, which need two engines that are not the product's.
pub(crate) fn tests(workspace: &Workspace, step: &Step) -> Result<Command> {
    programs(workspace, step)?;
    engines(workspace, step)?;
    let mut pytest = python(workspace, "tools");
    pytest.args(["-m", "pytest", PACKAGE]);
    Ok(pytest)
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

/// Measures; what it prints is the answer.
pub(crate) fn bench(workspace: &Workspace, arguments: &[String]) -> Result<()> {
    let mut command = python(workspace, "fastmcp4");
    let status = command.arg(format!("{PACKAGE}/bench/bench.py")).args(arguments).status()?;
    if !status.success() {
        bail!("the benchmarks of Python ended with {status}");
    }
    Ok(())
}

/// One environment, made anew where its packages are others.
fn environment(workspace: &Workspace, step: &Step, name: &str) -> Result<()> {
    let requirements = workspace.root.join(format!("{PACKAGE}/requirements/{name}.txt"));
    let wanted = fs::read_to_string(&requirements)
        .with_context(|| format!("cannot read `{}`", requirements.display()))?;
    let environment = folder(workspace).join(name);
    let made = environment.join("requirements.txt");
    if fs::read_to_string(&made).is_ok_and(|text| text == wanted) {
        return Ok(());
    }
    step.say(&format!("making the environment `{name}`"));
    let mut venv = workspace.program("python3");
    venv.args(["-m", "venv", "--clear"]).arg(&environment);
    process::must(workspace, step, &format!("venv-{name}"), &mut venv)?;
    let mut pip = python(workspace, name);
    pip.args(["-m", "pip", "install", "--quiet", "--requirement"]).arg(&requirements);
    process::must(workspace, step, &format!("pip-{name}"), &mut pip)?;
    fs::write(&made, wanted)?;
    Ok(())
}

/// Builds the wheel, for every Python from 3.10 on.
fn wheel(workspace: &Workspace, step: &Step) -> Result<PathBuf> {
    let out = folder(workspace).join("wheels");
    if out.is_dir() {
        fs::remove_dir_all(&out)?;
    }
    let mut maturin = python(workspace, "tools");
    maturin.args(["-m", "maturin", "build", "--release", "--manifest-path"]);
    maturin.arg(format!("{PACKAGE}/Cargo.toml")).arg("--out").arg(&out);
    if cfg!(target_os = "linux") {
        maturin.args(LINUX);
    }
    // No path of this machine gets into the wheel.
    let mut flags = wasm::remap(&workspace.root, "/result-budget");
    flags.extend(wasm::registries().iter().flat_map(|folder| wasm::remap(folder, "/registry")));
    maturin.env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}"));
    process::must(workspace, step, "maturin", &mut maturin)?;
    let mut wheels = fs::read_dir(&out)?;
    let wheel = wheels.next().context("maturin ended well and made no wheel")??;
    Ok(wheel.path())
}

/// Two other engines: one that breaks on demand, and ours with another table
/// of limits.
fn engines(workspace: &Workspace, step: &Step) -> Result<()> {
    let engines = folder(workspace).join("engines");
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
    let table = copy.0.join("core/src/limit.rs");
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

/// The line of the table that the other engine has otherwise.
const OTHER_LIMIT: (&str, &str) =
    ("        max_text_bytes: 8_000,", "        max_text_bytes: 9_000,");

fn folder(workspace: &Workspace) -> PathBuf {
    workspace.target.join("python")
}

/// The interpreter of an environment.
fn python(workspace: &Workspace, name: &str) -> Command {
    let environment = folder(workspace).join(name);
    let bin = environment.join(if cfg!(windows) { "Scripts" } else { "bin" });
    let mut command = workspace.program(bin.join(format!("python{EXE_SUFFIX}")));
    // Programs of the environment, such as the linker, are found by name.
    let mut path = bin.into_os_string();
    path.push(if cfg!(windows) { ";" } else { ":" });
    path.push(std::env::var_os("PATH").unwrap_or_default());
    command.env("PATH", path).env("VIRTUAL_ENV", &environment).env_remove("PYTHONHOME");
    command
}

/// A folder that goes when it is no longer needed.
struct Scratch(PathBuf);

impl Drop for Scratch {
    fn drop(&mut self) {
        // A folder that stays behind harms nobody.
        let _ = fs::remove_dir_all(Path::new(&self.0));
    }
}
