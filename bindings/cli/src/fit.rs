//! `fit`: a result in, a result out.

use std::io::{self, BufWriter, IsTerminal, Write};

use result_budget::{Answer, Boundary, BuildError, Call, Failure, OutputSchema, ResultKind};
use serde::Serialize;

use crate::args::FitOptions;
use crate::exit::{Exit, Stop};
use crate::input::{self, Lines, Piece};
use crate::message;
use crate::progress::Progress;

/// Runs `fit`.
pub(crate) fn run(options: &FitOptions) -> Result<Exit, Stop> {
    let schema = output_schema(options)?;
    let previous = options.previous_report.as_deref().map(input::read_document).transpose()?;
    let call = Call {
        kind: kind(options)?,
        previous_report: previous.as_deref(),
        tool: options.tool.as_deref(),
        revision: options.revision.as_deref(),
        output_schema: match &schema {
            Schema::None => OutputSchema::None,
            Schema::Unknown => OutputSchema::Unknown,
            Schema::Given(json) => OutputSchema::Given(json),
        },
        client_name: options.client.as_deref(),
        call_max_bytes: options.max_bytes.as_deref(),
        call_max_tokens: options.max_tokens.as_deref(),
    };
    // Opened first: an unreadable file is the plainest of faults.
    let (reader, name) = input::open(options.file.as_ref())?;
    let boundary = boundary(options)?;
    boundary.check(&call)?;
    if options.jsonl {
        lines(&boundary, &call, reader, &name, options.report)
    } else {
        single(&boundary, &call, reader, &name, options.report)
    }
}

/// The account of a result that has none of its own.
#[derive(Serialize)]
struct Account<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    truncated: Option<bool>,
    outcome: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
}

/// What `--output-schema` says.
enum Schema {
    None,
    Unknown,
    Given(String),
}

fn kind(options: &FitOptions) -> Result<ResultKind, Stop> {
    ResultKind::named(&options.kind).ok_or_else(|| {
        let names: Vec<&str> = ResultKind::ALL.iter().map(|kind| kind.code()).collect();
        let (given, allowed) = (&options.kind, names.join(", "));
        Stop::Usage(format!("no kind is called `{given}`, allowed: {allowed}"))
    })
}

fn output_schema(options: &FitOptions) -> Result<Schema, Stop> {
    let path = &options.output_schema;
    if path.as_os_str() == "none" {
        Ok(Schema::None)
    } else if path.as_os_str() == "unknown" {
        Ok(Schema::Unknown)
    } else {
        input::read_document(path).map(Schema::Given)
    }
}

fn boundary(options: &FitOptions) -> Result<Boundary, Stop> {
    let FitOptions { policy, preset, limit_bytes, .. } = options;
    let mut builder = input::builder(policy, preset, limit_bytes)?;
    if let Some(limit_tokens) = &options.limit_tokens {
        builder = builder.limit_tokens(limit_tokens);
    }
    if let Some(profile) = &options.profile {
        builder = builder.wire_profile(profile);
    }
    builder.build().map_err(|error| {
        if matches!(error, BuildError::Load(_) | BuildError::Fault(_)) {
            // Whoever reads our output must not take silence for a result.
            let _ = io::stdout().write_all(result_budget::FAILURE_RESULT.as_bytes());
        }
        error.into()
    })
}

fn single(
    boundary: &Boundary,
    call: &Call<'_>,
    reader: impl io::Read,
    name: &str,
    report: bool,
) -> Result<Exit, Stop> {
    let mut buffer = Vec::new();
    let max_bytes = boundary.engine().input_max_bytes();
    let piece = input::read_whole(reader, max_bytes, &mut buffer)
        .map_err(|error| input::unreadable(name, &error))?;
    let answer = answer(boundary, call, piece, &buffer);
    let mut out = io::stdout().lock();
    out.write_all(answer.tool_result_json().as_bytes())?;
    if out.is_terminal() {
        out.write_all(b"\n")?;
    }
    out.flush()?;
    tell(&answer, report, "")?;
    Ok(exit_of(&answer))
}

fn lines(
    boundary: &Boundary,
    call: &Call<'_>,
    reader: impl io::Read,
    name: &str,
    report: bool,
) -> Result<Exit, Stop> {
    let mut lines = Lines::new(reader, boundary.engine().input_max_bytes());
    let mut out = BufWriter::new(io::stdout().lock());
    let mut line = Vec::new();
    let mut progress = Progress::new(report);
    let (mut results, mut failed): (u64, u64) = (0, 0);
    let mut exit = Exit::Fine;
    while let Some(piece) = lines.read_line(&mut line, || Ok(out.flush()?), name)? {
        let answer = answer(boundary, call, piece, &line);
        out.write_all(answer.tool_result_json().as_bytes())?;
        out.write_all(b"\n")?;
        results += 1;
        if exit_of(&answer) == Exit::FailedClosed {
            exit = Exit::FailedClosed;
            failed += 1;
            progress.clear();
        }
        tell(&answer, report, &format!("line {results}: "))?;
        progress.tell(results, failed);
    }
    out.flush()?;
    progress.clear();
    Ok(exit)
}

fn answer<'a>(boundary: &Boundary, call: &Call<'_>, piece: Piece, bytes: &'a [u8]) -> Answer<'a> {
    match piece {
        Piece::Whole => boundary.fit(bytes, call),
        Piece::TooLong(given_bytes) => boundary.refuse_unread(given_bytes, call),
    }
}

fn exit_of(answer: &Answer<'_>) -> Exit {
    if answer.failure().is_some() { Exit::FailedClosed } else { Exit::Fine }
}

/// With `--report`, one line of JSON for each result and nothing else on
/// standard error; without, a line for a person where a result failed.
fn tell(answer: &Answer<'_>, report: bool, place: &str) -> Result<(), Stop> {
    let failure = answer.failure();
    if report {
        let account = match answer.report_json() {
            Some(report_json) => String::from(report_json),
            None => account(answer, failure)?,
        };
        writeln!(io::stderr(), "{account}")?;
    } else if let Some(failure) = failure {
        let fault = match failure {
            Failure::Refused(refused) => format!(" ({} is at fault)", refused.at_fault()),
            Failure::Fault(_) => String::new(),
        };
        message::warning(&format!("{place}{failure}{fault}"));
    }
    Ok(())
}

fn account(answer: &Answer<'_>, failure: Option<&Failure>) -> Result<String, Stop> {
    let account = Account {
        truncated: failure.is_none().then_some(false),
        outcome: answer.outcome().code(),
        code: failure.map(Failure::code),
        message: failure.map(ToString::to_string),
    };
    serde_json::to_string(&account).map_err(|error| Stop::Engine(error.to_string()))
}
