//! The museum of faults: each file of `tests/museum` is a fault that somebody
//! shipped, made again in a scratch copy of this checkout. A test named there
//! must turn red. A fault that no longer applies, does not compile, or lives,
//! fails the command.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::inputs;
use crate::process;
use crate::screen::{Screen, Step};
use crate::workspace::Workspace;

/// One fault.
struct Fault {
    name: String,
    /// What went wrong, as a sentence.
    kind: String,
    /// The report it is from: the number of a public case, or a threat.
    source: String,
    file: String,
    find: String,
    replace: String,
    killed_by: Killer,
}

/// The test that must turn red.
enum Killer {
    /// `vector:topic/claim`
    Vector(String),
    /// `test:target::name`, one of core's own: `target` is a file of
    /// `core/tests`, or `lib`.
    Test { target: String, name: String },
}

/// Which faults are tried.
pub(crate) enum Choice<'a> {
    All,
    /// An eighth, another one with each commit, and what the commit touched.
    Eighth,
    /// Those whose names contain one of these.
    Named(&'a [String]),
}

/// Tries the faults as one step, and prints the table.
pub(crate) fn run(workspace: &Workspace, screen: &Screen, choice: &Choice<'_>) -> Result<()> {
    let step = screen.step("museum of faults");
    let tried = try_all(workspace, &step, choice);
    step.done(tried.is_ok());
    tried
}

/// The eighth that belongs to this commit.
pub(crate) fn eighth(workspace: &Workspace, step: &Step) -> Result<()> {
    try_all(workspace, step, &Choice::Eighth)
}

/// Every one.
pub(crate) fn all(workspace: &Workspace, step: &Step) -> Result<()> {
    try_all(workspace, step, &Choice::All)
}

fn try_all(workspace: &Workspace, step: &Step, choice: &Choice<'_>) -> Result<()> {
    let faults = load(workspace)?;
    let all = faults.len();
    let chosen = choose(workspace, faults, choice);
    if chosen.is_empty() {
        bail!("no fault has such a name");
    }
    let scratch = workspace.target.join("museum");
    let tree = scratch.join("tree");
    synchronise(workspace, &tree)?;
    let museum = Workspace { target: scratch.join("target"), ..workspace.at(tree) };

    // Green first: a test that is red without the fault says nothing.
    let names: Vec<&str> = chosen.iter().filter_map(|fault| fault.killed_by.vector()).collect();
    if !names.is_empty() {
        let mut green = native(&museum, &names);
        process::must(workspace, step, "museum-green", &mut green)?;
    }
    for fault in &chosen {
        if let Killer::Test { target, name } = &fault.killed_by {
            let mut green = core_test(&museum, target, name);
            process::must(workspace, step, "museum-green", &mut green)?;
        }
    }

    let (mut killed, mut bad) = (0, Vec::new());
    for fault in &chosen {
        let verdict = try_one(&museum, fault)?;
        let is_killed = matches!(verdict, Verdict::Killed);
        step.say(&format!(
            "{:<7} {:<11} {:<60} {}",
            verdict.word(),
            fault.source,
            fault.kind,
            fault.killed_by.shown()
        ));
        if is_killed {
            killed += 1;
        } else {
            bad.push(format!("{}: {}", fault.name, verdict.told()));
        }
    }
    step.say(&format!("{killed} of {} faults killed, of {all} in the museum", chosen.len()));
    if bad.is_empty() { Ok(()) } else { bail!("{}", bad.join("\n")) }
}

/// How a fault fared.
enum Verdict {
    Killed,
    /// The test stayed green.
    Lives,
    /// The text to replace is not there exactly once.
    Gone(usize),
    /// The fault does not compile, or the test ended otherwise.
    Broken(String),
}

impl Verdict {
    fn word(&self) -> &'static str {
        match self {
            Verdict::Killed => "killed",
            Verdict::Lives => "LIVES",
            Verdict::Gone(_) => "GONE",
            Verdict::Broken(_) => "BROKEN",
        }
    }

    fn told(&self) -> String {
        match self {
            Verdict::Killed => String::from("killed"),
            Verdict::Lives => String::from("the test stays green"),
            Verdict::Gone(times) => format!("what it replaces stands there {times} times"),
            Verdict::Broken(output) => format!("it does not compile, or the test broke:\n{output}"),
        }
    }
}

/// Makes the fault, asks its killer, and takes the fault back.
fn try_one(museum: &Workspace, fault: &Fault) -> Result<Verdict> {
    let path = museum.root.join(&fault.file);
    let whole = fs::read_to_string(&path)
        .with_context(|| format!("{}: no file `{}`", fault.name, fault.file))?;
    let times = whole.matches(&fault.find).count();
    if times != 1 {
        return Ok(Verdict::Gone(times));
    }
    fs::write(&path, whole.replace(&fault.find, &fault.replace))?;
    let verdict = ask(museum, &fault.killed_by);
    fs::write(&path, whole)?;
    verdict
}

fn ask(museum: &Workspace, killer: &Killer) -> Result<Verdict> {
    let mut command = match killer {
        Killer::Vector(name) => native(museum, &[name]),
        Killer::Test { target, name } => core_test(museum, target, name),
    };
    let output = command.output()?;
    let told = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    // A panic of the engine kills the program that runs vectors: red as well.
    let red = match killer {
        Killer::Vector(_) => told.contains("0 passed; 1 failed") || told.contains("panicked at"),
        Killer::Test { .. } => told.contains("test result: FAILED"),
    };
    Ok(match (output.status.success(), red) {
        (true, _) => Verdict::Lives,
        (false, true) => Verdict::Killed,
        (false, false) => {
            let from = told.len().saturating_sub(SHOWN_BYTES);
            let from = (from..told.len()).find(|at| told.is_char_boundary(*at)).unwrap_or(from);
            Verdict::Broken(told.get(from..).unwrap_or_default().to_owned())
        }
    })
}

/// The program that runs vectors against the core.
fn native(museum: &Workspace, names: &[&str]) -> Command {
    let mut command = quick(museum, "run");
    command.args(["--quiet", "--package", "result-budget-conformance", "--no-default-features"]);
    command.args(["--bin", "native", "--"]).args(names);
    command
}

fn core_test(museum: &Workspace, target: &str, name: &str) -> Command {
    let mut command = quick(museum, "test");
    command.args(["--quiet", "--package", "result-budget-core"]);
    match target {
        "lib" => command.arg("--lib"),
        _ => command.args(["--test", target]),
    };
    command.args(["--", "--exact", name]);
    command
}

/// Cargo, with the core compiled as fast as can be: it runs once.
fn quick(museum: &Workspace, verb: &str) -> Command {
    let mut command = museum.cargo();
    command.arg(verb);
    for package in ["result-budget-core", "result-budget-json", "result-budget-support"] {
        command.args(["--config", &format!("profile.dev.package.{package}.opt-level=0")]);
    }
    command
}

impl Killer {
    fn read(text: &str) -> Option<Self> {
        if let Some(name) = text.strip_prefix("vector:") {
            return Some(Killer::Vector(name.to_owned()));
        }
        let (target, name) = text.strip_prefix("test:")?.split_once("::")?;
        Some(Killer::Test { target: target.to_owned(), name: name.to_owned() })
    }

    fn vector(&self) -> Option<&str> {
        match self {
            Killer::Vector(name) => Some(name),
            Killer::Test { .. } => None,
        }
    }

    fn shown(&self) -> String {
        match self {
            Killer::Vector(name) => name.clone(),
            Killer::Test { target, name } => format!("{target}::{name}"),
        }
    }
}

/// Every fault, by name.
fn load(workspace: &Workspace) -> Result<Vec<Fault>> {
    let mut paths: Vec<PathBuf> = fs::read_dir(workspace.root.join("tests/museum"))?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()?;
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "toml"));
    paths.sort();
    paths.iter().map(|path| read(path)).collect()
}

fn read(path: &Path) -> Result<Fault> {
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let text = fs::read_to_string(path)?;
    let table: toml::Table = toml::from_str(&text).with_context(|| name.clone())?;
    let field = |key: &str| -> Result<String> {
        let value = table.get(key).and_then(toml::Value::as_str);
        Ok(value.with_context(|| format!("{name}: no `{key}`"))?.to_owned())
    };
    let killer = field("killed_by")?;
    let known = ["kind", "source", "file", "find", "replace", "killed_by"];
    if let Some(key) = table.keys().find(|key| !known.contains(&key.as_str())) {
        bail!("{name}: unknown `{key}`");
    }
    Ok(Fault {
        kind: field("kind")?,
        source: field("source")?,
        file: field("file")?,
        find: field("find")?,
        replace: field("replace")?,
        killed_by: Killer::read(&killer)
            .with_context(|| format!("{name}: `{killer}` names no test"))?,
        name,
    })
}

fn choose(workspace: &Workspace, faults: Vec<Fault>, choice: &Choice<'_>) -> Vec<Fault> {
    match choice {
        Choice::All => faults,
        Choice::Named(parts) => faults
            .into_iter()
            .filter(|fault| parts.iter().any(|part| fault.name.contains(part.as_str())))
            .collect(),
        Choice::Eighth => {
            let turn = workspace.commit_number() % 8;
            let touched = process::ask(workspace.program("git").args([
                "diff",
                "--name-only",
                "HEAD~1",
                "--",
                "core",
                "tests/museum",
            ]))
            .unwrap_or_default();
            faults
                .into_iter()
                .zip(0u64..)
                .filter(|(fault, at)| {
                    at % 8 == turn || touched.contains(&format!("museum/{}.toml", fault.name))
                })
                .map(|(fault, _)| fault)
                .collect()
        }
    }
}

/// Makes `tree` equal to the checkout. A file that is equal already keeps its
/// time, so that nothing is built for nothing.
fn synchronise(workspace: &Workspace, tree: &Path) -> Result<()> {
    fs::create_dir_all(tree)?;
    let wanted = inputs::sources(workspace)?;
    let copied = Workspace { target: tree.join("target"), ..workspace.at(tree.to_path_buf()) };
    for file in inputs::sources(&copied)? {
        if wanted.binary_search(&file).is_err() {
            fs::remove_file(tree.join(file))?;
        }
    }
    for file in wanted {
        let (from, to) = (workspace.root.join(&file), tree.join(&file));
        let bytes = fs::read(&from)?;
        if fs::read(&to).is_ok_and(|there| there == bytes) {
            continue;
        }
        if let Some(folder) = to.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(&to, bytes).with_context(|| format!("cannot copy `{}`", file.display()))?;
    }
    Ok(())
}

/// How much of a program that broke is shown.
const SHOWN_BYTES: usize = 2_000;
