//! How the command ends.

use std::io;

use result_budget::{BuildError, Failure, Fault, LoadError, Refused};

/// The exit codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Unchanged or bounded.
    Fine,
    /// Options, files, policy or limits are at fault; nothing was printed.
    Usage,
    /// A bounded error was printed in place of a result.
    FailedClosed,
}

/// A command that came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    /// One of ours.
    Exit(Exit),
    /// The exit code of the process that was run.
    Code(u8),
}

/// Why the command stops early.
#[derive(Debug)]
pub(crate) enum Stop {
    /// What the caller gave is at fault.
    Usage(String),
    /// There is no engine, or it broke.
    Engine(String),
    /// Whoever reads our output is gone.
    BrokenPipe,
}

impl Exit {
    /// What the process ends with.
    pub(crate) fn code(self) -> u8 {
        match self {
            Exit::Fine => 0,
            Exit::Usage => 2,
            Exit::FailedClosed => 3,
        }
    }
}

impl Ended {
    /// What the process ends with.
    pub(crate) fn code(self) -> u8 {
        match self {
            Ended::Exit(exit) => exit.code(),
            Ended::Code(code) => code,
        }
    }
}

impl From<Exit> for Ended {
    fn from(exit: Exit) -> Self {
        Ended::Exit(exit)
    }
}

impl From<BuildError> for Stop {
    fn from(error: BuildError) -> Self {
        match error {
            BuildError::Refused(refused) => refused.into(),
            BuildError::Load(error) => error.into(),
            BuildError::Fault(fault) => fault.into(),
        }
    }
}

impl From<Refused> for Stop {
    fn from(refused: Refused) -> Self {
        Stop::Usage(format!("{refused} ({} is at fault)", refused.at_fault()))
    }
}

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Self {
        Stop::Engine(fault.to_string())
    }
}

impl From<LoadError> for Stop {
    fn from(error: LoadError) -> Self {
        Stop::Engine(error.to_string())
    }
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Refused(refused) => refused.into(),
            Failure::Fault(fault) => fault.into(),
        }
    }
}

/// For errors of our own output: input and files are told apart where they are
/// read.
impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            Stop::BrokenPipe
        } else {
            Stop::Usage(format!("the output cannot be written: {error}"))
        }
    }
}
