//! The `result-budget` command as a function, for programs that carry it.
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
mod proxy;

use std::ffi::OsString;
use std::io::{self, Write};

use clap::Parser;
use result_budget::Engine;

use crate::args::{Args, Command};
use crate::exit::{Ended, Exit, Stop};

/// Runs the command on the standard streams and returns its exit code. The
/// first argument is the program's name.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let args = match Args::try_parse_from(arguments) {
        Ok(args) => args,
        // A usage error, help or version: code 2 or 0.
        Err(error) => {
            // Nobody is left to tell when the stream is gone.
            let _ = error.print();
            return u8::try_from(error.exit_code()).unwrap_or(Exit::Usage.code());
        }
    };
    let ended = match &args.command {
        None => engine_sha().map(Ended::from),
        Some(Command::Fit(options)) => fit::run(options).map(Ended::from),
        Some(Command::Inspect(options)) => inspect::run(options).map(Ended::from),
        Some(Command::Limits(options)) => limits::run(options).map(Ended::from),
        Some(Command::Proxy(options)) => proxy::run(options),
    };
    match ended {
        Ok(ended) => ended.code(),
        // The reader has seen enough: no error, and nobody to tell.
        Err(Stop::BrokenPipe) => Exit::Fine.code(),
        Err(Stop::Usage(words)) => {
            message::error(&words);
            Exit::Usage.code()
        }
        Err(Stop::Engine(words)) => {
            message::error(&words);
            Exit::FailedClosed.code()
        }
    }
}

/// Prints the hash that names the engine.
fn engine_sha() -> Result<Exit, Stop> {
    let engine = Engine::shared()?;
    writeln!(io::stdout(), "{}", engine.sha256())?;
    Ok(Exit::Fine)
}
