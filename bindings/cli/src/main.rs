//! The `result-budget` command: the boundary for pipes and shells.
//!
//! Decides nothing. Reads texts, hands them to the engine, prints what comes
//! out, and says by its exit code how it went.

mod args;
mod exit;
mod fit;
mod input;
mod inspect;
mod limits;
mod message;
mod progress;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;
use result_budget::Engine;

use crate::args::{Args, Command};
use crate::exit::{Exit, Stop};

fn main() -> ExitCode {
    // Usage errors, help and version end the process in here, with code 2 or 0.
    let args = Args::parse();
    let ended = match &args.command {
        None => engine_sha(),
        Some(Command::Fit(options)) => fit::run(options),
        Some(Command::Inspect(options)) => inspect::run(options),
        Some(Command::Limits(options)) => limits::run(options),
    };
    match ended {
        Ok(exit) => exit.into(),
        // The reader has seen enough: no error, and nobody to tell.
        Err(Stop::BrokenPipe) => ExitCode::SUCCESS,
        Err(Stop::Usage(words)) => {
            message::error(&words);
            Exit::Usage.into()
        }
        Err(Stop::Engine(words)) => {
            message::error(&words);
            Exit::FailedClosed.into()
        }
    }
}

/// Prints the hash that names the engine.
fn engine_sha() -> Result<Exit, Stop> {
    let engine = Engine::shared()?;
    writeln!(io::stdout(), "{}", engine.sha256())?;
    Ok(Exit::Fine)
}
