//! `proxy`: the boundary before a server that somebody else wrote.
//!
//! Starts the server, stands between it and the client, and bounds each result
//! on its way. Decides nothing: what fits and what an error says comes from the
//! engine.

mod child;
mod client;
mod glance;
mod keeper;
mod lines;
mod log;
mod message;
mod pending;
mod server;
mod session;
mod skim;
mod streams;
mod tools;
#[cfg(test)]
mod twin;

use std::sync::Arc;
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use result_budget::{Boundary, Call, Mode};

use self::child::Server;
use self::keeper::KeepsNothing;
use self::log::Log;
use self::session::{Event, Session, lock};
use crate::args::ProxyOptions;
use crate::exit::{Ended, Stop};
use crate::input;

/// Runs `proxy`; ends when the server has ended.
pub(crate) fn run(options: &ProxyOptions) -> Result<Ended, Stop> {
    let mode = if options.report_only { Mode::ReportOnly } else { Mode::Enforce };
    let log = options.log.as_deref().map(|path| {
        Log::open(path).map(Arc::new).map_err(|error| {
            Stop::Usage(format!("`{}` cannot be written: {error}", path.display()))
        })
    });
    let log = log.transpose()?;
    let boundary = boundary(options, mode, log.as_ref())?;
    let client = options.client.as_deref().filter(|client| *client != "auto");
    // What is at fault is told before anything is started.
    boundary.check(&Call { client_name: client, ..Call::default() })?;
    let (input, output) = streams::standard()
        .map_err(|error| Stop::Usage(format!("the standard streams cannot be used: {error}")))?;
    let (events, heard) = mpsc::channel();
    streams::listen(&events)
        .map_err(|error| Stop::Usage(format!("signals cannot be heard: {error}")))?;
    let (server, to_server, from_server) = Server::start(&options.command).map_err(|error| {
        let program = options.command.first().map(|program| program.to_string_lossy());
        Stop::Usage(format!("`{}` cannot be started: {error}", program.unwrap_or_default()))
    })?;
    let server = Arc::new(server);
    let keeper = Box::new(KeepsNothing);
    let session =
        Arc::new(Session::new((boundary, mode), keeper, log, client, (output, to_server), events));
    // None of them is waited for: whatever holds one up ends with the process.
    thread::spawn({
        let session = Arc::clone(&session);
        move || client::run(&session, input)
    });
    thread::spawn({
        let session = Arc::clone(&session);
        move || server::run(&session, from_server)
    });
    thread::spawn({
        let (session, server) = (Arc::clone(&session), Arc::clone(&server));
        move || {
            server.wait();
            session.tell(Event::ServerEnded);
        }
    });
    Ok(Ended::Code(watch(&session, &server, &heard)))
}

fn boundary(options: &ProxyOptions, mode: Mode, log: Option<&Arc<Log>>) -> Result<Boundary, Stop> {
    let ProxyOptions { policy, preset, limit_bytes, .. } = options;
    let mut builder = input::builder(policy, preset, limit_bytes)?.mode(mode);
    if let Some(log) = log {
        let log = Arc::clone(log);
        builder = builder.on_report(move |record| log.record(record));
    }
    Ok(builder.build()?)
}

/// How far the end has come.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Running,
    /// The server is to end by itself.
    Closing,
    /// It was asked to.
    Terminated,
}

/// Waits for the end, sees to it where it does not come by itself, and returns
/// the server's exit code.
fn watch(session: &Session, server: &Server, events: &Receiver<Event>) -> u8 {
    let mut stage = Stage::Running;
    let mut deadline: Option<Instant> = None;
    // Answers may still come: the input is at its end, the output is not.
    let mut is_finishing = false;
    let (mut is_input_open, mut has_output_ended) = (false, false);
    loop {
        let wait = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        let wait =
            if is_finishing || is_input_open { Some(wait.unwrap_or(TICK).min(TICK)) } else { wait };
        let event = match wait {
            Some(wait) => events.recv_timeout(wait).ok(),
            None => events.recv().ok(),
        };
        if is_input_open {
            is_input_open = !session.close_server_input();
        }
        match event {
            Some(Event::ServerEnded) => break,
            Some(Event::InputEnded) => {
                // From now on its silence counts.
                session.heard();
                is_input_open = !session.close_server_input();
                is_finishing = stage == Stage::Running;
            }
            Some(Event::OutputEnded) => {
                has_output_ended = true;
                is_finishing = false;
                is_input_open = !session.close_server_input();
                // How it ended is worth a moment.
                deadline = deadline.or(Some(Instant::now() + MOMENT));
            }
            Some(Event::ClientGone) => {
                is_input_open = !session.close_server_input();
                is_finishing = false;
                if stage == Stage::Running {
                    (stage, deadline) = (Stage::Closing, Some(Instant::now() + GRACE));
                }
            }
            Some(Event::Signal(signal)) => {
                is_finishing = false;
                if stage == Stage::Terminated {
                    server.kill();
                }
                server.hand_on(signal);
                (stage, deadline) = (Stage::Terminated, Some(Instant::now() + LAST_GRACE));
                is_input_open = !session.close_server_input();
            }
            None => {}
        }
        if is_finishing && !may_finish(session) {
            is_finishing = false;
            (stage, deadline) = (Stage::Closing, Some(Instant::now() + GRACE));
        }
        if deadline.is_some_and(|deadline| deadline <= Instant::now()) {
            match stage {
                Stage::Running => {
                    session
                        .fail_pending("Server at fault: it closed its output before it answered.");
                    (stage, deadline) = (Stage::Closing, Some(Instant::now() + GRACE));
                }
                Stage::Closing => {
                    server.terminate();
                    (stage, deadline) = (Stage::Terminated, Some(Instant::now() + LAST_GRACE));
                }
                Stage::Terminated => {
                    server.kill();
                    deadline = Some(Instant::now() + LAST_GRACE);
                }
            }
        }
    }
    // What it wrote before its end is still to be passed on; what it started
    // may hold the pipe open, and is not waited for.
    let deadline = Instant::now() + GRACE;
    while !has_output_ended {
        match events.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(Event::OutputEnded) => has_output_ended = true,
            Ok(Event::ClientGone) | Err(_) => break,
            Ok(Event::InputEnded | Event::ServerEnded | Event::Signal(_)) => {}
        }
    }
    server.kill();
    let code = server.exit_code();
    session.fail_pending(&format!("{ENDED_WITH} {code})."));
    code
}

/// Whether answers are still due that somebody will read.
fn may_finish(session: &Session) -> bool {
    !lock(&session.pending).is_empty()
        && session.silent_millis() < SILENCE_MAX_MILLIS
        && session.is_output_read()
}

/// What a request hears that comes too late.
const ENDED: &str = "Server at fault: it ended before it answered.";
const ENDED_WITH: &str = "Server at fault: it ended before it answered (exit code";

/// The longest line: the longest result that the engine reads, and what
/// JSON-RPC puts around it.
const MAX_LINE_BYTES: usize = 16 * 1_024 * 1_024 + 64 * 1_024;

/// Lines that are here at once are written at once, up to so many bytes.
const WRITE_BYTES: usize = 64 * 1_024;

const TICK: Duration = Duration::from_millis(50);
const MOMENT: Duration = Duration::from_millis(200);

/// From the end of its input to the request to end: less than clients leave to
/// a server, so that none of its processes outlives us.
const GRACE: Duration = Duration::from_millis(1_500);

/// From the request to end to the end.
const LAST_GRACE: Duration = Duration::from_millis(1_000);

/// Answers that are still due at the end of the input are waited for while the
/// server says something at least so often.
const SILENCE_MAX_MILLIS: u64 = 30_000;
