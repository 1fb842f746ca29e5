//! What both directions of a session share.

use std::fs::File;
use std::io::{self, Write};
use std::process::ChildStdin;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::Instant;

use result_budget::{Boundary, Call, Mode};

use super::keeper::Keeper;
use super::log::Log;
use super::message::{self, Answers};
use super::pending::Pending;
use super::streams;
use super::tools::Tools;
use crate::message as say;

/// What happens to a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// Standard input is at its end.
    InputEnded,
    /// Nobody reads our standard output any more.
    ClientGone,
    /// The server closed its standard output, and all of it is passed on.
    OutputEnded,
    /// The server's process has ended.
    ServerEnded,
    /// This signal came.
    #[cfg_attr(not(unix), allow(dead_code, reason = "no signals there"))]
    Signal(i32),
}

pub(crate) struct Session {
    pub(crate) boundary: Boundary,
    pub(crate) mode: Mode,
    pub(crate) keeper: Box<dyn Keeper>,
    pub(crate) log: Option<Arc<Log>>,
    pub(crate) pending: Mutex<Pending>,
    pub(crate) tools: Mutex<Tools>,
    /// What the handshake told.
    pub(crate) told: RwLock<Told>,
    pub(crate) events: Sender<Event>,
    /// The server can no longer be asked.
    pub(crate) is_server_gone: AtomicBool,
    to_client: Mutex<Output>,
    /// The same stream, to look at while somebody writes.
    output: Option<File>,
    to_server: Mutex<Option<ChildStdin>>,
    started: Instant,
    /// When the server last said something, in milliseconds since the start.
    last_heard_millis: AtomicU64,
}

/// Where the client reads.
struct Output {
    stream: File,
    /// What was written last is no whole line.
    is_in_line: bool,
}

/// What the handshake told.
#[derive(Clone, Debug, Default)]
pub(crate) struct Told {
    pub(crate) revision: Option<Arc<str>>,
    pub(crate) client: Option<Arc<str>>,
    /// The client was named on the command line, and no other counts.
    pub(crate) is_client_fixed: bool,
}

impl Session {
    pub(crate) fn new(
        (boundary, mode): (Boundary, Mode),
        keeper: Box<dyn Keeper>,
        log: Option<Arc<Log>>,
        client: Option<&str>,
        (to_client, to_server): (File, ChildStdin),
        events: Sender<Event>,
    ) -> Self {
        Session {
            boundary,
            mode,
            keeper,
            log,
            pending: Mutex::default(),
            tools: Mutex::default(),
            told: RwLock::new(Told {
                revision: None,
                client: client.map(Arc::from),
                is_client_fixed: client.is_some(),
            }),
            events,
            is_server_gone: AtomicBool::new(false),
            output: to_client.try_clone().ok(),
            to_client: Mutex::new(Output { stream: to_client, is_in_line: false }),
            to_server: Mutex::new(Some(to_server)),
            started: Instant::now(),
            last_heard_millis: AtomicU64::new(0),
        }
    }

    /// Passes on what the server wrote.
    pub(crate) fn to_client(&self, bytes: &[u8]) {
        self.write(&mut lock(&self.to_client), bytes);
    }

    /// Answers the client in the server's place.
    pub(crate) fn answer(&self, id: &[u8], answers: Answers, json: &str) {
        self.say_to_client(&message::answer(id, answers, json));
    }

    /// Writes lines of ours to the client.
    fn say_to_client(&self, lines: &[u8]) {
        let mut output = lock(&self.to_client);
        if output.is_in_line {
            // The server's last line has no end.
            self.write(&mut output, b"\n");
        }
        self.write(&mut output, lines);
    }

    fn write(&self, output: &mut Output, bytes: &[u8]) {
        if output.stream.write_all(bytes).is_err() {
            self.tell(Event::ClientGone);
        }
        output.is_in_line = bytes.last().map_or(output.is_in_line, |last| *last != b'\n');
    }

    /// Writes whole lines to the server; says whether it takes them.
    pub(crate) fn to_server(&self, lines: &[u8]) -> bool {
        let written = match lock(&self.to_server).as_mut() {
            Some(stdin) => stdin.write_all(lines),
            None => Err(io::ErrorKind::BrokenPipe.into()),
        };
        if written.is_err() {
            self.is_server_gone.store(true, Ordering::Release);
        }
        written.is_ok()
    }

    /// Whether somebody still reads what we write.
    pub(crate) fn is_output_read(&self) -> bool {
        self.output.as_ref().is_none_or(streams::is_read)
    }

    /// Closes the server's standard input, unless somebody is writing there.
    pub(crate) fn close_server_input(&self) -> bool {
        match self.to_server.try_lock() {
            Ok(mut stdin) => {
                *stdin = None;
                true
            }
            Err(_) => false,
        }
    }

    /// Answers all that is still waited for: the server will not.
    pub(crate) fn fail_pending(&self, words: &str) {
        self.is_server_gone.store(true, Ordering::Release);
        let error = message::error(message::INTERNAL_ERROR, words);
        let all = lock(&self.pending).take_all();
        let mut lines = Vec::new();
        for request in all {
            lines.extend_from_slice(&message::answer(&request.id, Answers::Error, &error));
        }
        if !lines.is_empty() {
            self.say_to_client(&lines);
        }
    }

    /// Whoever listens may be gone: the process is about to end then.
    pub(crate) fn tell(&self, event: Event) {
        let _ = self.events.send(event);
    }

    pub(crate) fn told(&self) -> Told {
        self.told.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The client of the handshake, unless the command line named one.
    pub(crate) fn learn_client(&self, name: &str) {
        let mut told = self.told.write().unwrap_or_else(PoisonError::into_inner);
        if !told.is_client_fixed {
            told.client = Some(name.into());
        }
        let client = told.client.clone();
        drop(told);
        let call = Call { client_name: client.as_deref(), ..Call::default() };
        let Ok(settled) = self.boundary.settled(&call) else { return };
        let limits = &settled.settings.limits;
        // Names come from clients.
        let client: String = client.as_deref().unwrap_or("unnamed").chars().take(64).collect();
        say::note(&format!(
            "preset {} (chosen by {}, client {client}): text {}, binary {}, result {} bytes{}",
            settled.preset,
            settled.chosen_by.code(),
            limits.max_text_bytes,
            limits.max_binary_bytes,
            limits.max_result_bytes,
            if self.mode == Mode::ReportOnly { ", report-only" } else { "" },
        ));
    }

    /// The revision of the handshake, unless the engine knows none of that
    /// name: then its newest holds.
    pub(crate) fn learn_revision(&self, revision: &str) {
        let revision = self.known_revision(revision);
        self.told.write().unwrap_or_else(PoisonError::into_inner).revision = revision;
    }

    pub(crate) fn known_revision(&self, revision: &str) -> Option<Arc<str>> {
        let call = Call { revision: Some(revision), ..Call::default() };
        self.boundary.check(&call).is_ok().then(|| revision.into())
    }

    pub(crate) fn heard(&self) {
        let now = u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.last_heard_millis.store(now, Ordering::Relaxed);
    }

    /// Milliseconds since the server last said something.
    pub(crate) fn silent_millis(&self) -> u64 {
        let now = u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX);
        now.saturating_sub(self.last_heard_millis.load(Ordering::Relaxed))
    }
}

/// A lock that a panic elsewhere does not take away.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
