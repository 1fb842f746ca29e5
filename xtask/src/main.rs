//! The project's own commands: `cargo xtask <verb>`.
//!
//! Holds no rule of the product. Compiles in seconds: whatever needs the
//! WebAssembly runtime is a program of its own that is started from here.

mod apt;
mod clients;
mod component;
mod demo;
mod drawing;
mod engines;
mod fuzz;
mod inputs;
mod museum;
mod mutants;
mod node;
mod parsers;
mod process;
mod proxy;
mod python;
mod reproducible;
mod schemas;
mod screen;
mod setup;
mod test;
mod wasm;
mod workspace;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

use crate::screen::Screen;
use crate::workspace::Workspace;

/// The project's own commands.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Options {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// Bound a recorded answer of a real server, and show before and after
    Demo {
        /// A tool result of your own
        file: Option<PathBuf>,
    },
    /// Run every check and test there is
    Test {
        /// Also run the long forms of the tests
        #[arg(long)]
        long: bool,
    },
    /// Build the component and its precompiled images
    Component {
        /// Build it a second time in another folder, and compare the bytes
        #[arg(long)]
        check_reproducible: bool,
        /// Also make images that count fuel
        #[arg(long)]
        fuel: bool,
        /// Compile the standard library from its source, as on a machine
        /// whose toolchain cannot get the WebAssembly target
        #[arg(long)]
        library_from_source: bool,
    },
    /// Run the benchmarks
    Bench {
        /// Passed on to the benchmarks
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// Build the Python package, and install it in the environments of its tests
    Python {
        /// Also lint it, and run its tests
        #[arg(long)]
        test: bool,
    },
    /// Build the package for Node, and install what its tests need
    Node,
    /// Run the fuzzer's targets
    Fuzz {
        /// One of them: `any-bytes`, `any-result`, `any-text` or `both-engines`
        target: Option<String>,
        /// Executions of each, in place of its share of a million
        #[arg(long)]
        executions: Option<u64>,
        /// Bring what covers most into `tests/fuzz/corpus`
        #[arg(long)]
        keep: bool,
    },
    /// Make known faults again in a scratch copy, and see that a test of each
    /// turns red
    Museum {
        /// Parts of names; all where none is given
        names: Vec<String>,
    },
    /// Change the core line by line, and list what no test notices
    Mutants {
        /// A part of the changes, as `k/n`
        #[arg(long)]
        shard: Option<String>,
    },
    /// Grow results from JSON Schemas, have them cut, and judge what comes out
    Schemas,
    /// Run the real Codex before a scripted model
    Clients,
    /// Run real servers behind the proxy, before the official clients
    Proxy,
    /// Install what the other commands need and this machine lacks
    Setup,
}

fn main() -> ExitCode {
    let screen = Screen::new();
    match run(&Options::parse().verb, &screen) {
        Ok(code) => code,
        Err(error) => {
            screen.fail(&format!("{error:#}"));
            ExitCode::FAILURE
        }
    }
}

fn run(verb: &Verb, screen: &Screen) -> Result<ExitCode> {
    let workspace = Workspace::here()?;
    match verb {
        Verb::Demo { file } => demo::run(&workspace, screen, file.as_deref())?,
        Verb::Test { long } => return test::run(&workspace, screen, *long),
        Verb::Component { check_reproducible, fuel, library_from_source } => {
            let workspace = Workspace { library_from_source: *library_from_source, ..workspace };
            component::run(&workspace, screen, *fuel)?;
            if *check_reproducible {
                reproducible::run(&workspace, screen)?;
            }
        }
        Verb::Bench { arguments } => test::bench(&workspace, screen, arguments)?,
        Verb::Python { test } => {
            component::run(&workspace, screen, false)?;
            if *test {
                return test::only(&workspace, screen, "python: ");
            }
            python::run(&workspace, screen)?;
        }
        Verb::Node => {
            component::run(&workspace, screen, false)?;
            node::run(&workspace, screen)?;
        }
        Verb::Fuzz { target, executions, keep } => {
            component::run(&workspace, screen, false)?;
            fuzz::run(&workspace, screen, target.as_deref(), *executions, *keep)?;
        }
        Verb::Museum { names } if names.is_empty() => {
            museum::run(&workspace, screen, &museum::Choice::All)?;
        }
        Verb::Museum { names } => {
            museum::run(&workspace, screen, &museum::Choice::Named(names))?;
        }
        Verb::Mutants { shard } => mutants::run(&workspace, screen, shard.as_deref())?,
        Verb::Schemas => return test::only(&workspace, screen, "results grown"),
        Verb::Clients => return test::only(&workspace, screen, "clients: "),
        Verb::Proxy => return test::only(&workspace, screen, "proxy: "),
        Verb::Setup => setup::run(&workspace, screen)?,
    }
    Ok(ExitCode::SUCCESS)
}
