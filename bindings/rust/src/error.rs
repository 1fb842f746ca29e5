//! What can go wrong, and whose fault it is.
//!
//! [`Refused`]: the engine looked and said no; somebody else is at fault.
//! [`Fault`]: the engine broke; we are. [`LoadError`]: there is no engine.

use std::error::Error;
use std::fmt;

use crate::guest::{
    FailureCase, FitError, LimitFault, NameFault, PolicyFault, SettleError, SizeFault,
};

/// The engine said no.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// The policy document is faulty. Its author is at fault.
    Policy(PolicyFault),
    /// A limit is out of range. Whoever set it is at fault.
    LimitOutOfRange(LimitFault),
    /// A name stands for nothing here. The caller is at fault.
    UnknownName(NameFault),
    /// The result is longer than is read. The tool is at fault.
    InputTooLarge {
        /// Bytes that were given.
        given_bytes: u32,
        /// Bytes that are allowed.
        max_bytes: u32,
    },
    /// The result is no UTF-8. The tool is at fault.
    NotUtf8 {
        /// Offset of the first fault.
        offset_bytes: u32,
    },
    /// The result is not JSON. The tool is at fault.
    MalformedJson {
        /// Offset of the first fault.
        offset_bytes: u32,
    },
    /// The result is JSON, but no object. The tool is at fault.
    NotAnObject,
    /// The report of an earlier boundary cannot be read. Whoever gave it is at
    /// fault.
    PreviousReport {
        /// JSON Pointer to the fault in it, at most 128 bytes.
        pointer: String,
    },
    /// The tool's output schema is no schema: not JSON, or no object and no
    /// boolean. It is read only where a result must be cut. Whoever gave it is
    /// at fault.
    OutputSchema {
        /// Offset of the first fault.
        offset_bytes: u32,
    },
}

/// The engine broke: a defect of ours, or less memory or time than it needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It did not finish in the time allowed.
    Deadline,
    /// It needed more memory than allowed.
    Memory,
    /// It stopped.
    Trap,
    /// Its answer did not pass the host's check.
    BadAnswer,
    /// It failed several times in a row; the host pauses for a second.
    CircuitOpen,
}

/// Why a call has no result of the tool to send.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The engine said no.
    Refused(Refused),
    /// The engine broke.
    Fault(Fault),
}

/// Why there is no engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoadError {
    /// No image in this build runs on this machine. The build is at fault: the
    /// feature `compile`, or the interpreter's image, would serve it.
    UnsupportedMachine,
    /// The image or component is damaged, or made for another version of the
    /// runtime. Carries the runtime's words.
    BadImage(String),
    /// The component does not export what this host calls.
    ForeignWorld(String),
    /// The first instance did not start within the memory allowed.
    NoInstance(String),
    /// The thread that keeps deadlines could not be started.
    NoThread(String),
}

/// Why there is no boundary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BuildError {
    /// There is no engine.
    Load(LoadError),
    /// The engine said no to the policy, a limit or a name.
    Refused(Refused),
    /// The engine broke.
    Fault(Fault),
}

impl Refused {
    /// The stable name of the case, in kebab case.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Refused::Policy(_) => "policy",
            Refused::LimitOutOfRange(_) => "limit-out-of-range",
            Refused::UnknownName(_) => "unknown-name",
            Refused::InputTooLarge { .. } => "input-too-large",
            Refused::NotUtf8 { .. } => "not-utf8",
            Refused::MalformedJson { .. } => "malformed-json",
            Refused::NotAnObject => "not-an-object",
            Refused::PreviousReport { .. } => "previous-report",
            Refused::OutputSchema { .. } => "output-schema",
        }
    }

    /// Who is at fault, as words for a message.
    #[must_use]
    pub fn at_fault(&self) -> &'static str {
        match self {
            Refused::Policy(_) => "the author of the policy",
            Refused::LimitOutOfRange(_) => "whoever set the limit",
            Refused::UnknownName(_) => "whoever gave the name",
            Refused::InputTooLarge { .. }
            | Refused::NotUtf8 { .. }
            | Refused::MalformedJson { .. }
            | Refused::NotAnObject => "the tool",
            Refused::PreviousReport { .. } => "whoever gave the previous report",
            Refused::OutputSchema { .. } => "whoever gave the output schema",
        }
    }
}

impl Failure {
    /// What the engine said, where it refused a result.
    pub(crate) fn fit_error(&self) -> Option<FitError> {
        match self {
            Failure::Refused(Refused::LimitOutOfRange(fault)) => {
                Some(FitError::LimitOutOfRange(fault.clone()))
            }
            Failure::Refused(Refused::InputTooLarge { given_bytes, max_bytes }) => {
                let (given_bytes, max_bytes) = (*given_bytes, *max_bytes);
                Some(FitError::InputTooLarge(SizeFault { given_bytes, max_bytes }))
            }
            Failure::Refused(Refused::MalformedJson { offset_bytes }) => {
                Some(FitError::MalformedJson(*offset_bytes))
            }
            Failure::Refused(Refused::NotAnObject) => Some(FitError::NotAnObject),
            Failure::Refused(Refused::PreviousReport { pointer }) => {
                Some(FitError::PreviousReport(pointer.clone()))
            }
            Failure::Refused(Refused::OutputSchema { offset_bytes }) => {
                Some(FitError::OutputSchema(*offset_bytes))
            }
            Failure::Refused(
                Refused::Policy(_) | Refused::UnknownName(_) | Refused::NotUtf8 { .. },
            )
            | Failure::Fault(_) => None,
        }
    }

    /// The case for which the engine has an error result; `said` is what
    /// [`Failure::fit_error`] answers.
    pub(crate) fn case<'a>(&self, said: Option<&'a FitError>) -> FailureCase<'a> {
        match (said, self) {
            (Some(error), _) => FailureCase::Refused(error),
            (None, Failure::Refused(Refused::NotUtf8 { offset_bytes })) => {
                FailureCase::NotUtf8(*offset_bytes)
            }
            (None, Failure::Fault(Fault::Deadline)) => FailureCase::Deadline,
            (None, Failure::Fault(Fault::Memory)) => FailureCase::Memory,
            (None, Failure::Fault(Fault::BadAnswer)) => FailureCase::BadAnswer,
            (None, Failure::Fault(Fault::CircuitOpen)) => FailureCase::CircuitOpen,
            // A policy or a name is refused before there is a result.
            (None, Failure::Fault(Fault::Trap) | Failure::Refused(_)) => FailureCase::Trap,
        }
    }
}

impl Fault {
    /// The stable name of the case, in kebab case.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Fault::Deadline => "deadline",
            Fault::Memory => "memory",
            Fault::Trap => "trap",
            Fault::BadAnswer => "bad-answer",
            Fault::CircuitOpen => "circuit-open",
        }
    }
}

impl Failure {
    /// The stable name of the case, in kebab case.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Failure::Refused(refused) => refused.code(),
            Failure::Fault(fault) => fault.code(),
        }
    }
}

impl LoadError {
    /// The stable name of the case, in kebab case.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            LoadError::UnsupportedMachine => "unsupported-machine",
            LoadError::BadImage(_) => "bad-image",
            LoadError::ForeignWorld(_) => "foreign-world",
            LoadError::NoInstance(_) => "no-instance",
            LoadError::NoThread(_) => "no-thread",
        }
    }
}

impl BuildError {
    /// The stable name of the case, in kebab case.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            BuildError::Load(error) => error.code(),
            BuildError::Refused(refused) => refused.code(),
            BuildError::Fault(fault) => fault.code(),
        }
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refused::Policy(PolicyFault { pointer, code, given, allowed }) => {
                write!(f, "the policy is faulty")?;
                if !pointer.is_empty() {
                    write!(f, " at `{pointer}`")?;
                }
                write!(f, " ({code}):")?;
                if !given.is_empty() {
                    write!(f, " got `{given}`,")?;
                }
                write!(f, " allowed: {allowed}")
            }
            Refused::LimitOutOfRange(LimitFault { name, given, min, max }) => {
                write!(f, "`{name}` must be a whole number from {min} to {max}, got `{given}`")
            }
            Refused::UnknownName(NameFault { field, given, allowed }) => {
                write!(f, "no {field} is called `{given}`, allowed: {allowed}")
            }
            Refused::InputTooLarge { given_bytes, max_bytes } => {
                write!(
                    f,
                    "the tool result is {given_bytes} bytes long, at most {max_bytes} are read"
                )
            }
            Refused::NotUtf8 { offset_bytes } => {
                write!(f, "the tool result is no UTF-8, first fault at byte {offset_bytes}")
            }
            Refused::MalformedJson { offset_bytes } => {
                write!(f, "the tool result is not JSON, first fault at byte {offset_bytes}")
            }
            Refused::NotAnObject => write!(f, "the tool result is JSON, but no object"),
            Refused::PreviousReport { pointer } => {
                write!(f, "the previous report cannot be read, first fault at `{pointer}`")
            }
            Refused::OutputSchema { offset_bytes } => {
                write!(f, "the output schema is no schema, first fault at byte {offset_bytes}")
            }
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Fault::Deadline => "the engine did not finish in the time allowed",
            Fault::Memory => "the engine needed more memory than allowed",
            Fault::Trap => "the engine stopped",
            Fault::BadAnswer => "the engine's answer did not pass its check",
            Fault::CircuitOpen => {
                "the engine failed several times in a row and is paused for a second"
            }
        })
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Refused(refused) => refused.fmt(f),
            Failure::Fault(fault) => fault.fmt(f),
        }
    }
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LoadError::UnsupportedMachine => {
                write!(
                    f,
                    "this build has no engine image for this machine; build with the feature `compile`"
                )
            }
            LoadError::BadImage(words) => write!(f, "the engine image cannot be loaded: {words}"),
            LoadError::ForeignWorld(words) => {
                write!(f, "the component is no result-budget engine of this version: {words}")
            }
            LoadError::NoInstance(words) => write!(f, "the engine did not start: {words}"),
            LoadError::NoThread(words) => {
                write!(f, "the thread that keeps deadlines did not start: {words}")
            }
        }
    }
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BuildError::Load(error) => error.fmt(f),
            BuildError::Refused(refused) => refused.fmt(f),
            BuildError::Fault(fault) => fault.fmt(f),
        }
    }
}

impl Error for Refused {}
impl Error for Fault {}
impl Error for Failure {}
impl Error for LoadError {}
impl Error for BuildError {}

impl From<FitError> for Refused {
    fn from(error: FitError) -> Self {
        match error {
            FitError::LimitOutOfRange(fault) => Refused::LimitOutOfRange(fault),
            FitError::InputTooLarge(size) => {
                Refused::InputTooLarge { given_bytes: size.given_bytes, max_bytes: size.max_bytes }
            }
            FitError::MalformedJson(offset_bytes) => Refused::MalformedJson { offset_bytes },
            FitError::NotAnObject => Refused::NotAnObject,
            FitError::PreviousReport(pointer) => Refused::PreviousReport { pointer },
            FitError::OutputSchema(offset_bytes) => Refused::OutputSchema { offset_bytes },
        }
    }
}

impl From<SettleError> for Refused {
    fn from(error: SettleError) -> Self {
        match error {
            SettleError::Policy(fault) => Refused::Policy(fault),
            SettleError::LimitOutOfRange(fault) => Refused::LimitOutOfRange(fault),
            SettleError::UnknownName(fault) => Refused::UnknownName(fault),
        }
    }
}

impl From<Refused> for Failure {
    fn from(refused: Refused) -> Self {
        Failure::Refused(refused)
    }
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Self {
        Failure::Fault(fault)
    }
}

impl From<Failure> for BuildError {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Refused(refused) => BuildError::Refused(refused),
            Failure::Fault(fault) => BuildError::Fault(fault),
        }
    }
}

impl From<LoadError> for BuildError {
    fn from(error: LoadError) -> Self {
        BuildError::Load(error)
    }
}
