//! Python: its environments, the wheel, and what checks them.

use std::env::consts::EXE_SUFFIX;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::engines;
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
    let places = [
        PACKAGE,
        "tests/adapters/python",
        "tests/parsers",
        "tests/schemas",
        "tests/clients/codex",
        "tests/proxy",
        "host-examples/forge",
    ];
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
    types.arg(format!("{PACKAGE}/python/result_budget")).args(&places[1..3]);
    process::must(workspace, step, "mypy", &mut types)
}

/// The tests, which need two engines that are not the product's.
pub(crate) fn tests(workspace: &Workspace, step: &Step) -> Result<Command> {
    engines::build(workspace, step)?;
    let mut pytest = python(workspace, "tools");
    pytest.args(["-m", "pytest", PACKAGE]);
    Ok(pytest)
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
pub(crate) fn environment(workspace: &Workspace, step: &Step, name: &str) -> Result<()> {
    let requirements = workspace.root.join(format!("{PACKAGE}/requirements/{name}.txt"));
    environment_in(workspace, step, &folder(workspace).join(name), &requirements)
}

/// The same in any folder, with what a file asks for.
pub(crate) fn environment_in(
    workspace: &Workspace,
    step: &Step,
    environment: &Path,
    requirements: &Path,
) -> Result<()> {
    let wanted = fs::read_to_string(requirements)
        .with_context(|| format!("cannot read `{}`", requirements.display()))?;
    let made = environment.join("requirements.txt");
    if fs::read_to_string(&made).is_ok_and(|text| text == wanted) {
        return Ok(());
    }
    let name = environment.file_name().unwrap_or_default().to_string_lossy();
    step.say(&format!("making the environment `{name}`"));
    let mut venv = workspace.program("python3");
    venv.args(["-m", "venv", "--clear"]).arg(environment);
    process::must(workspace, step, &format!("venv-{name}"), &mut venv)?;
    let mut pip = interpreter(workspace, environment);
    pip.args(["-m", "pip", "install", "--quiet", "--requirement"]).arg(requirements);
    process::must(workspace, step, &format!("pip-{name}"), &mut pip)?;
    Ok(fs::write(&made, wanted)?)
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

fn folder(workspace: &Workspace) -> PathBuf {
    workspace.target.join("python")
}

/// The interpreter of an environment.
pub(crate) fn python(workspace: &Workspace, name: &str) -> Command {
    interpreter(workspace, &folder(workspace).join(name))
}

fn interpreter(workspace: &Workspace, environment: &Path) -> Command {
    let bin = environment.join(if cfg!(windows) { "Scripts" } else { "bin" });
    let mut command = workspace.program(bin.join(format!("python{EXE_SUFFIX}")));
    // Programs of the environment, such as the linker, are found by name.
    let mut path = bin.into_os_string();
    path.push(if cfg!(windows) { ";" } else { ":" });
    path.push(std::env::var_os("PATH").unwrap_or_default());
    command.env("PATH", path).env("VIRTUAL_ENV", environment).env_remove("PYTHONHOME");
    command
}
