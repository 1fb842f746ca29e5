//! `component`: the core module, the component and its images.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::inputs;
use crate::node;
use crate::process;
use crate::screen::{Screen, Step};
use crate::wasm::{self, Toolchain};
use crate::workspace::Workspace;

/// What the compiler's modules may use: WebAssembly 2.0.
const FEATURES: [&str; 8] = [
    "bulk-memory",
    "bulk-memory-opt",
    "multivalue",
    "mutable-globals",
    "nontrapping-float-to-int",
    "reference-types",
    "sign-ext",
    "simd",
];

/// Builds what is out of date, as one step.
pub(crate) fn run(workspace: &Workspace, screen: &Screen, fuel: bool) -> Result<()> {
    let step = screen.step("component");
    let built = build(workspace, &step, fuel);
    step.done(built.is_ok());
    built
}

/// Builds what is out of date.
pub(crate) fn build(workspace: &Workspace, step: &Step, fuel: bool) -> Result<()> {
    let toolchain = wasm::find(workspace, step)?;
    let inputs_sha256 = inputs::sha256(workspace)?;
    if !is_current(workspace, &toolchain, &inputs_sha256, fuel) {
        let core = core_module(workspace, step, &toolchain)?;
        let out = workspace.engine();
        assemble(workspace, step, &core, &out, &toolchain, &inputs_sha256, fuel)?;
    }
    if fuel {
        // What fuel is compared with.
        bench_guest(workspace, step, &inputs_sha256)?;
    }
    say_account(workspace, step)
}

/// Compiles the core module and says where it lies.
pub(crate) fn core_module(
    workspace: &Workspace,
    step: &Step,
    toolchain: &Toolchain,
) -> Result<PathBuf> {
    module(workspace, step, toolchain, "result-budget-component")
}

/// Builds the guest of the benchmarks, as the component is built, where it is
/// out of date.
fn bench_guest(workspace: &Workspace, step: &Step, inputs_sha256: &str) -> Result<()> {
    let out = workspace.target.join("bench-guest");
    let source = inputs::file_sha256(&workspace.root.join("tests/bench/guest/src/lib.rs"))?;
    let inputs_sha256 = format!("{inputs_sha256} {source}");
    let made = out.join("inputs.txt");
    if std::fs::read_to_string(&made).is_ok_and(|made| made == inputs_sha256) {
        return Ok(());
    }
    let toolchain = wasm::find(workspace, step)?;
    let core = module(workspace, step, &toolchain, "result-budget-bench-guest")?;
    assemble(workspace, step, &core, &out, &toolchain, &inputs_sha256, true)?;
    std::fs::write(made, inputs_sha256).context("cannot note what the guest was made of")
}

/// Compiles one package to a module, and says where that lies.
fn module(
    workspace: &Workspace,
    step: &Step,
    toolchain: &Toolchain,
    package: &str,
) -> Result<PathBuf> {
    let out = workspace.target.join("wasm");
    let mut command = toolchain.cargo(workspace)?;
    command
        .args(["build", "--package", package, "--profile", "component"])
        .args(["--target", wasm::TARGET, "--target-dir"])
        .arg(&out);
    process::must(workspace, step, "core-module", &mut command)?;
    let file = format!("{}.wasm", package.replace('-', "_"));
    let core = out.join(wasm::TARGET).join("component").join(file);
    if !core.is_file() {
        bail!("the build ended well, but `{}` is not there", core.display());
    }
    optimized(workspace, step, &core)
}

/// Makes a module smaller by a tenth, and says where that one lies. The
/// features are those that the compiler uses: no new ones come in.
fn optimized(workspace: &Workspace, step: &Step, core: &Path) -> Result<PathBuf> {
    let folder = workspace.target.join("optimizer");
    node::pinned(workspace, step, "component/optimizer", &folder, "optimizer")?;
    let smaller = core.with_extension("optimized.wasm");
    let mut command = node::node(workspace);
    command.arg(folder.join("node_modules/binaryen/bin/wasm-opt"));
    // One pass makes selections of branches, and the scanner a quarter slower.
    command.args(["-Oz", "--skip-pass=remove-unused-brs"]);
    command.args(FEATURES.map(|feature| format!("--enable-{feature}")));
    command.arg(core).arg("-o").arg(&smaller);
    process::must(workspace, step, "wasm-opt", &mut command)?;
    Ok(smaller)
}

/// Makes component and images of a module that is not the product's.
pub(crate) fn assemble_other(
    workspace: &Workspace,
    step: &Step,
    core: &Path,
    out: &Path,
) -> Result<()> {
    let toolchain = wasm::find(workspace, step)?;
    assemble(workspace, step, core, out, &toolchain, &inputs::file_sha256(core)?, false)
}

/// Starts the assembler: a program of its own, since it carries a compiler.
fn assemble(
    workspace: &Workspace,
    step: &Step,
    core: &Path,
    out: &Path,
    toolchain: &Toolchain,
    inputs_sha256: &str,
    fuel: bool,
) -> Result<()> {
    let mut command = workspace.cargo();
    // In the profile of the tests, which then need not build the runtime again.
    command.args(["run", "--package", "result-budget-assemble", "--", "--core"]).arg(core);
    command.arg("--out").arg(out);
    command.args(["--compiler", &toolchain.version, "--inputs-sha256", inputs_sha256]);
    if fuel {
        command.arg("--fuel");
    }
    process::must(workspace, step, "assemble", &mut command)
}

/// True where every file of the engine is what the account says, made from
/// these sources by this compiler.
fn is_current(
    workspace: &Workspace,
    toolchain: &Toolchain,
    inputs_sha256: &str,
    fuel: bool,
) -> bool {
    let Ok(account) = account(workspace) else { return false };
    let Some(files) = account.get("files").and_then(Value::as_object) else { return false };
    let same = |name: &str, value: &str| account.get(name).and_then(Value::as_str) == Some(value);
    same("compiler", &toolchain.version)
        && same("inputs_sha256", inputs_sha256)
        && (!fuel || files.keys().any(|name| name.contains(".fuel.")))
        && files.iter().all(|(name, facts)| {
            let sha256 = inputs::file_sha256(&workspace.engine().join(name)).ok();
            sha256.as_deref() == facts.get("sha256").and_then(Value::as_str)
        })
}

/// `engine.json`.
fn account(workspace: &Workspace) -> Result<Value> {
    let path = workspace.engine().join("engine.json");
    let text = std::fs::read_to_string(&path)
        .with_context(|| format!("cannot read `{}`", path.display()))?;
    serde_json::from_str(&text).with_context(|| format!("`{}` is not JSON", path.display()))
}

/// The hash of the sources that the engine was made from.
pub(crate) fn inputs_sha256(workspace: &Workspace) -> Result<String> {
    let account = account(workspace)?;
    let sha256 = account.get("inputs_sha256").and_then(Value::as_str);
    sha256.map(str::to_owned).context("`engine.json` names no sources")
}

/// Shows what the engine is.
fn say_account(workspace: &Workspace, step: &Step) -> Result<()> {
    let account = account(workspace)?;
    let files = account.get("files").and_then(Value::as_object);
    for (name, facts) in files.context("`engine.json` names no files")? {
        let length_bytes = facts.get("length_bytes").and_then(Value::as_u64).unwrap_or_default();
        let sha256 = facts.get("sha256").and_then(Value::as_str).unwrap_or_default();
        step.say(&format!("{sha256} {length_bytes:>8} bytes  {name}"));
    }
    let exports = account.get("exports").and_then(Value::as_array);
    let exports: Vec<&str> = exports.into_iter().flatten().filter_map(Value::as_str).collect();
    step.say(&format!("imports nothing; exports {}", exports.join(", ")));
    Ok(())
}
