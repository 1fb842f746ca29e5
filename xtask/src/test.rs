//! `test`: every check and test there is, a table of steps. `bench`: what is
//! measured.

use std::env;
use std::process::{Command, ExitCode};
use std::time::Duration;

use anyhow::{Result, bail};
use console::style;

use crate::clients;
use crate::component;
use crate::engines;
use crate::fuzz;
use crate::museum;
use crate::node;
use crate::parsers;
use crate::process;
use crate::proxy;
use crate::python;
use crate::reproducible;
use crate::schemas;
use crate::screen::{Screen, Step};
use crate::setup;
use crate::workspace::Workspace;

/// One line of the summary.
struct Check {
    name: &'static str,
    /// What runs.
    action: Action,
    /// A later step has no sense without this one.
    needed_by_all: bool,
}

/// A step that is a function of this program.
type Run = fn(&Workspace, &Step) -> Result<()>;

/// How a step is run. Another language is another row, with its own runner.
enum Action {
    /// A function of this program.
    Own(Run),
    /// A function of this program, and its long form.
    Sized { short: Run, long: Run },
    /// A program, made ready by a function of this one.
    Program(fn(&Workspace, &Step) -> Result<Command>),
    /// The same, but where the first function names a reason against it.
    ProgramUnless(fn() -> Option<&'static str>, fn(&Workspace, &Step) -> Result<Command>),
    /// Cargo, with these arguments and variables.
    Cargo { arguments: &'static [&'static str], variables: &'static [(&'static str, &'static str)] },
}

/// Every step, cheapest first where the order is free.
const CHECKS: [Check; 22] = [
    Check { name: "setup", action: Action::Own(setup::install), needed_by_all: true },
    Check {
        name: "format",
        action: Action::Cargo { arguments: &["fmt", "--all", "--check"], variables: &[] },
        needed_by_all: false,
    },
    Check {
        name: "component",
        action: Action::Own(|workspace, step| component::build(workspace, step, true)),
        needed_by_all: true,
    },
    Check {
        name: "lint",
        action: Action::Cargo {
            arguments: &["clippy", "--workspace", "--all-targets", "--", "-Dwarnings"],
            variables: &[],
        },
        needed_by_all: false,
    },
    Check {
        name: "tests",
        action: Action::Cargo {
            arguments: &["test", "--workspace", "--all-targets", "--no-fail-fast"],
            variables: &[],
        },
        needed_by_all: false,
    },
    Check {
        name: "examples in the documentation",
        action: Action::Cargo {
            arguments: &["test", "--workspace", "--doc", "--no-fail-fast"],
            variables: &[],
        },
        needed_by_all: false,
    },
    Check {
        name: "documentation",
        action: Action::Cargo {
            // The command's pages would take the place of the library's.
            arguments: &["doc", "--workspace", "--no-deps", "--exclude", "result-budget-cli"],
            variables: &[("RUSTDOCFLAGS", "-Dwarnings")],
        },
        needed_by_all: false,
    },
    Check { name: "python: package", action: Action::Own(python::build), needed_by_all: false },
    Check { name: "python: lint", action: Action::Own(python::lint), needed_by_all: false },
    Check { name: "python: tests", action: Action::Program(python::tests), needed_by_all: false },
    Check { name: "node: package", action: Action::Own(node::build), needed_by_all: false },
    Check { name: "node: lint", action: Action::Own(node::lint), needed_by_all: false },
    Check { name: "node: tests", action: Action::Program(node::tests), needed_by_all: false },
    Check {
        name: "vectors, on every host",
        action: Action::Program(engines::scoreboard),
        needed_by_all: false,
    },
    Check {
        name: "random results, on every host",
        action: Action::Sized { short: parsers::equal, long: parsers::equal_long },
        needed_by_all: false,
    },
    Check {
        name: "five parsers",
        action: Action::Sized { short: parsers::short, long: parsers::long },
        needed_by_all: false,
    },
    Check {
        name: "results grown from schemas",
        action: Action::Sized { short: schemas::short, long: schemas::long },
        needed_by_all: false,
    },
    Check {
        name: "fuzzing",
        action: Action::Sized { short: fuzz::short, long: fuzz::long },
        needed_by_all: false,
    },
    Check {
        name: "museum of faults",
        action: Action::Sized { short: museum::eighth, long: museum::all },
        needed_by_all: false,
    },
    Check {
        name: "clients: codex",
        action: Action::ProgramUnless(clients::no_codex, clients::codex),
        needed_by_all: false,
    },
    Check {
        name: "proxy: real servers",
        action: Action::ProgramUnless(proxy::no_servers, proxy::servers),
        needed_by_all: false,
    },
    Check {
        name: "component, a second time elsewhere",
        action: Action::Own(reproducible::check),
        needed_by_all: false,
    },
];

/// Asks the tests for their long forms.
const LONG_VARIABLE: &str = "RESULT_BUDGET_LONG";

/// A step that ended, or was never begun.
struct Outcome {
    name: &'static str,
    state: State,
    tests: Tally,
    took: Duration,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Passed,
    Failed,
    NotRun,
    /// Not for this machine, and why.
    Skipped(&'static str),
}

/// What the test runners counted.
#[derive(Clone, Copy, Default)]
struct Tally {
    passed: u64,
    failed: u64,
    ignored: u64,
}

/// Runs everything, then says how each step ended.
pub(crate) fn run(workspace: &Workspace, screen: &Screen, long: bool) -> Result<ExitCode> {
    perform_all(workspace, screen, CHECKS.iter(), long)
}

/// Runs the steps of one room, by how their names begin.
pub(crate) fn only(workspace: &Workspace, screen: &Screen, room: &str) -> Result<ExitCode> {
    let checks = CHECKS.iter().filter(|check| check.name.starts_with(room));
    perform_all(workspace, screen, checks, false)
}

fn perform_all<'a>(
    workspace: &Workspace,
    screen: &Screen,
    checks: impl Iterator<Item = &'a Check>,
    long: bool,
) -> Result<ExitCode> {
    let mut outcomes: Vec<Outcome> = Vec::new();
    let mut stopped = false;
    for check in checks {
        if stopped {
            outcomes.push(Outcome {
                name: check.name,
                state: State::NotRun,
                tests: Tally::default(),
                took: Duration::ZERO,
            });
            continue;
        }
        let step = screen.step(check.name);
        if let Action::ProgramUnless(unless, _) = check.action
            && let Some(reason) = unless()
        {
            step.say(&format!("SKIPPED: {reason}"));
            let took = step.done(true);
            let state = State::Skipped(reason);
            outcomes.push(Outcome { name: check.name, state, tests: Tally::default(), took });
            continue;
        }
        let (passed, tests) = match perform(workspace, &step, check, long) {
            Ok((passed, tests)) => (passed, tests),
            Err(error) => {
                step.say(&format!("{error:#}"));
                (false, Tally::default())
            }
        };
        let took = step.done(passed);
        let state = if passed { State::Passed } else { State::Failed };
        outcomes.push(Outcome { name: check.name, state, tests, took });
        stopped = !passed && check.needed_by_all;
    }
    summarise(screen, &outcomes);
    Ok(if outcomes.iter().all(|outcome| outcome.state.is_well()) {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

fn perform(workspace: &Workspace, step: &Step, check: &Check, long: bool) -> Result<(bool, Tally)> {
    let mut command = match &check.action {
        Action::Own(function) => {
            return function(workspace, step).map(|()| (true, Tally::default()));
        }
        Action::Sized { short, long: long_form } => {
            let function = if long { long_form } else { short };
            return function(workspace, step).map(|()| (true, Tally::default()));
        }
        Action::Program(make_ready) | Action::ProgramUnless(_, make_ready) => {
            make_ready(workspace, step)?
        }
        Action::Cargo { arguments, variables } => {
            let mut command = workspace.cargo();
            command.args(*arguments).envs(variables.iter().copied());
            command
        }
    };
    if long {
        command.env(LONG_VARIABLE, "1");
    }
    let log = check.name.replace([' ', ',', ':'], "-");
    let is_shown =
        |line: &str| is_closing_line(line) || is_row_of_hosts(line) || line.contains(" really cut");
    let ended = process::run(workspace, step, &log, &mut command, is_shown)?;
    let tests = ended.through.iter().fold(Tally::default(), |tally, line| tally.plus(line));
    Ok((ended.success, tests))
}

/// A line with which a test runner opens or closes its account.
fn is_closing_line(line: &str) -> bool {
    let line = line.trim_start();
    ["test result:", "Running ", "Doc-tests "].iter().any(|start| line.starts_with(start))
}

/// A line of the table of hosts, or of its head.
fn is_row_of_hosts(line: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().collect();
    let counts = words.iter().filter(|word| word.parse::<u32>().is_ok()).count();
    words.len() == 5 && (counts == 3 || line.ends_with("skipped  engine"))
}

impl State {
    /// Nothing is wrong with it.
    fn is_well(self) -> bool {
        matches!(self, State::Passed | State::Skipped(_))
    }
}

impl Tally {
    /// With the numbers of `test result: ok. 3 passed; 0 failed; ...`.
    fn plus(self, line: &str) -> Self {
        let Some(counts) = line.strip_prefix("test result:") else { return self };
        let mut tally = self;
        for part in counts.split([';', '.']) {
            let mut words = part.split_whitespace();
            let (Some(number), Some(word)) = (words.next(), words.next()) else { continue };
            let number: u64 = number.parse().unwrap_or_default();
            match word {
                "passed" => tally.passed += number,
                "failed" => tally.failed += number,
                "ignored" => tally.ignored += number,
                _ => {}
            }
        }
        tally
    }
}

fn summarise(screen: &Screen, outcomes: &[Outcome]) {
    let width = outcomes.iter().map(|outcome| outcome.name.len()).max().unwrap_or_default();
    screen.say("");
    for Outcome { name, state, tests, took } in outcomes {
        let word = match state {
            State::Passed => style("passed ").green(),
            State::Failed => style("FAILED ").red().bold(),
            State::NotRun => style("not run").yellow(),
            State::Skipped(_) => style("SKIPPED").yellow().bold(),
        };
        let mut line = format!("{name:<width$}  {word}  {:>7.1} s", took.as_secs_f64());
        if tests.passed + tests.failed > 0 {
            line.push_str(&format!("  {} passed, {} failed", tests.passed, tests.failed));
        }
        if let State::Skipped(reason) = state {
            line.push_str(&format!("  {reason}"));
        }
        if tests.ignored > 0 {
            line.push_str(&format!(", {} ignored", tests.ignored));
        }
        screen.say(&line);
    }
    let seconds: f64 = outcomes.iter().map(|outcome| outcome.took.as_secs_f64()).sum();
    let bad = outcomes.iter().filter(|outcome| !outcome.state.is_well()).count();
    let skipped: Vec<&str> = outcomes
        .iter()
        .filter(|outcome| matches!(outcome.state, State::Skipped(_)))
        .map(|outcome| outcome.name)
        .collect();
    let verdict = match bad {
        0 if skipped.is_empty() => style(String::from("everything passed")).green().bold(),
        0 => style(format!("everything passed but what was skipped: {}", skipped.join("; ")))
            .yellow()
            .bold(),
        bad => style(format!("{bad} of {} steps did not pass", outcomes.len())).red().bold(),
    };
    screen.say(&format!("{:<width$}  {verdict} in {seconds:.0} s", ""));
}

/// Builds the component, then runs the benchmarks, whose output is the answer.
pub(crate) fn bench(workspace: &Workspace, screen: &Screen, arguments: &[String]) -> Result<()> {
    component::run(workspace, screen, true)?;
    let step = screen.step("benchmarks");
    let mut build = workspace.cargo();
    build.args(["build", "--release", "--package", "result-budget-bench"]);
    build.args(["--package", "result-budget-cli"]);
    let built = process::must(workspace, &step, "bench", &mut build);
    step.done(built.is_ok());
    built?;
    let name = format!("result-budget-bench{}", env::consts::EXE_SUFFIX);
    let program = workspace.target.join("release").join(name);
    let status = workspace.program(program).args(arguments).status()?;
    if !status.success() {
        bail!("the benchmarks ended with {status}");
    }
    python::run(workspace, screen)?;
    python::bench(workspace, arguments)?;
    node::run(workspace, screen)?;
    node::bench(workspace, arguments)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closing_lines_are_counted_and_others_are_not() {
        let lines = [
            "test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.01s",
            "Running unittests src/lib.rs",
            "test result: FAILED. 3 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out",
        ];
        let tally = lines.iter().fold(Tally::default(), |tally, line| tally.plus(line));
        assert_eq!((tally.passed, tally.failed, tally.ignored), (15, 2, 1));
        assert!(lines.iter().all(|line| is_closing_line(line)));
        assert!(!is_closing_line("test scanner::deep ... ok"));
        assert!(is_row_of_hosts("python   205  0  0  6e6ad037f9c0"));
        assert!(is_row_of_hosts("host     passed  failed skipped  engine"));
        assert!(!is_row_of_hosts("205 vectors"));
    }
}
