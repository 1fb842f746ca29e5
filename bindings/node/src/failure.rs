//! Failures as objects: JavaScript makes errors of them where it throws.

use std::collections::BTreeMap;

use napi::bindgen_prelude::Either;
use napi_derive::napi;
use result_budget::{BuildError, LimitFault, LoadError, NameFault, PolicyFault, Refused};

/// What went wrong, and whose fault it is.
#[napi(object, object_from_js = false)]
#[derive(Clone, Debug, Default)]
pub struct Failure {
    /// The stable name of the case, in kebab case.
    pub code: String,
    /// Who is at fault, what was given and what is allowed, as one line.
    pub message: String,
    /// Where the input is faulty, in bytes from its start.
    pub offset_bytes: Option<u32>,
    /// The facts of the message, by the names that the interface gives them.
    pub fault: Option<BTreeMap<String, Either<String, u32>>>,
}

impl From<&result_budget::Failure> for Failure {
    fn from(failure: &result_budget::Failure) -> Self {
        match failure {
            result_budget::Failure::Refused(refused) => refused.into(),
            result_budget::Failure::Fault(fault) => Failure {
                code: fault.code().into(),
                message: fault.to_string(),
                ..Failure::default()
            },
        }
    }
}

impl From<&Refused> for Failure {
    fn from(refused: &Refused) -> Self {
        let (offset_bytes, fault) = match refused {
            Refused::Policy(PolicyFault { pointer, code, given, allowed }) => {
                let texts = [("pointer", pointer), ("code", code), ("given", given)];
                (None, Some(facts(texts.into_iter().chain([("allowed", allowed)]), [])))
            }
            Refused::LimitOutOfRange(LimitFault { name, given, min, max }) => {
                let numbers = [("min", *min), ("max", *max)];
                (None, Some(facts([("name", name), ("given", given)], numbers)))
            }
            Refused::UnknownName(NameFault { field, given, allowed }) => {
                let texts = [("field", field), ("given", given), ("allowed", allowed)];
                (None, Some(facts(texts, [])))
            }
            Refused::InputTooLarge { given_bytes, max_bytes } => {
                let numbers = [("given_bytes", *given_bytes), ("max_bytes", *max_bytes)];
                (None, Some(facts([], numbers)))
            }
            Refused::NotUtf8 { offset_bytes }
            | Refused::MalformedJson { offset_bytes }
            | Refused::OutputSchema { offset_bytes } => (Some(*offset_bytes), None),
            Refused::NotAnObject => (None, None),
            Refused::PreviousReport { pointer } => (None, Some(facts([("pointer", pointer)], []))),
        };
        Failure {
            code: refused.code().into(),
            message: format!("{refused} ({} is at fault)", refused.at_fault()),
            offset_bytes,
            fault,
        }
    }
}

impl From<&LoadError> for Failure {
    fn from(error: &LoadError) -> Self {
        Failure { code: error.code().into(), message: error.to_string(), ..Failure::default() }
    }
}

impl From<&BuildError> for Failure {
    fn from(error: &BuildError) -> Self {
        match error {
            BuildError::Load(error) => error.into(),
            BuildError::Refused(refused) => refused.into(),
            BuildError::Fault(fault) => (&result_budget::Failure::Fault(*fault)).into(),
        }
    }
}

fn facts<'a>(
    texts: impl IntoIterator<Item = (&'a str, &'a String)>,
    numbers: impl IntoIterator<Item = (&'a str, u32)>,
) -> BTreeMap<String, Either<String, u32>> {
    let texts = texts.into_iter().map(|(name, text)| (name, Either::A(text.clone())));
    let numbers = numbers.into_iter().map(|(name, number)| (name, Either::B(number)));
    texts.chain(numbers).map(|(name, value)| (name.to_owned(), value)).collect()
}
