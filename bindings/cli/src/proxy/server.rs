//! From the server to the client: results are bounded, and whatever else comes
//! passes byte for byte.
//!
//! A line that is no JSON-RPC message passes as well: clients skip it and say
//! so, as they do without a proxy. It has the same cap as any other.

use std::ops::Range;
use std::process::ChildStdout;
use std::sync::Arc;

use result_budget::{Answer, Call, Input, Mode, OutputSchema, ResultKind};

use super::glance::Seen;
use super::lines::{Line, Lines};
use super::log::Entry;
use super::message::{self, Answers, Edits, INVALID_REQUEST, Message};
use super::pending::{Asked, Request};
use super::session::{Event, Session, lock};
use super::skim::{self, Member, slice, string};
use super::tools::Schema;
use super::{MAX_LINE_BYTES, WRITE_BYTES};
use crate::message as say;

/// Carries lines until the server's output ends.
pub(crate) fn run(session: &Arc<Session>, output: ChildStdout) {
    let mut lines = Lines::new(output, MAX_LINE_BYTES);
    // What is not yet written, because the next line is here already.
    let mut unsent = Vec::new();
    loop {
        match lines.next_line() {
            Ok(Some(Line::Whole { bytes, has_more })) => {
                session.heard();
                let edits = Server { session }.line(bytes);
                if unsent.is_empty() && !has_more && edits.as_ref().is_some_and(Edits::is_empty) {
                    session.to_client(bytes);
                    continue;
                }
                if let Some(edits) = edits {
                    edits.write(&mut unsent);
                }
                if !has_more || unsent.len() >= WRITE_BYTES {
                    session.to_client(&unsent);
                    unsent.clear();
                    unsent.shrink_to(4 * WRITE_BYTES);
                }
            }
            Ok(Some(Line::TooLong { given_bytes, messages })) => {
                session.heard();
                session.to_client(&unsent);
                unsent.clear();
                Server { session }.too_long(given_bytes, messages);
            }
            Ok(None) | Err(_) => break,
        }
    }
    session.tell(Event::OutputEnded);
}

struct Server<'s> {
    session: &'s Arc<Session>,
}

impl Server<'_> {
    /// What of a line changes; `None` where nothing of it may pass.
    fn line<'a>(&self, line: &'a [u8]) -> Option<Edits<'a>> {
        let mut edits = Edits::new(line);
        let judge = |value: &Range<usize>, edits: &mut Edits<'_>| self.message(line, value, edits);
        if !edits.judge_each(judge) {
            return None;
        }
        Some(edits)
    }

    /// Bounds one message; says whether it may pass.
    fn message(&self, text: &[u8], value: &Range<usize>, edits: &mut Edits<'_>) -> bool {
        let message = Message::find(text, value);
        let method = message.method.as_ref().and_then(|method| string(slice(text, method)));
        match method.as_deref() {
            Some("notifications/tools/list_changed") => {
                lock(&self.session.tools).forget_schemas();
            }
            Some("notifications/tasks") => {
                if let Some(params) = &message.params
                    && !self.notification(text, params, edits)
                {
                    return false;
                }
            }
            Some(_) | None => {}
        }
        if message.answers.is_empty() {
            return true;
        }
        let id = message.id.as_ref().map(|id| slice(text, id));
        let request = id.and_then(|id| {
            let mut pending = lock(&self.session.pending);
            // What also has a method may be a request to some reader: then the
            // answer is still to come.
            let is_answer = message.method.is_none();
            if is_answer { pending.take(id) } else { pending.get(id).cloned() }
        });
        let request = request.unwrap_or_else(|| {
            let told = self.session.told();
            Request { revision: told.revision, client: told.client, ..Request::default() }
        });
        for (answers, member) in &message.answers {
            match answers {
                Answers::Error => self.bound(text, member, ResultKind::Error, &request, edits),
                Answers::Result => self.result(text, member, &request, edits),
            }
        }
        true
    }

    fn result(&self, text: &[u8], member: &Member, request: &Request, edits: &mut Edits<'_>) {
        let value = slice(text, &member.value);
        match request.asked {
            Asked::Handshake => {
                let version = skim::member(text, &member.value, "protocolVersion");
                if request.method == "initialize"
                    && let Some(version) = version.and_then(|version| string(slice(text, &version)))
                {
                    self.session.learn_revision(&version);
                }
                self.passed(request, value.len(), value.len());
            }
            Asked::List => self.passed(request, value.len(), value.len()),
            Asked::Tools { is_first_page } => {
                let seen = self.tools(value, is_first_page, request);
                self.passed(request, value.len(), seen.as_ref().map_or(value.len(), String::len));
                if let Some(seen) = seen {
                    edits.replace(member.value.clone(), seen);
                }
            }
            Asked::Result(kind) => self.bound(text, member, kind, request, edits),
            Asked::Unknown => self.bound(text, member, ResultKind::Other, request, edits),
        }
    }

    /// Learns a page of tools, and prepares it.
    fn tools(&self, value: &[u8], is_first_page: bool, request: &Request) -> Option<String> {
        let session = self.session;
        let given = std::str::from_utf8(value).ok()?;
        let call = request.call(ResultKind::List, OutputSchema::Unknown);
        let prepared = if session.mode == Mode::Enforce {
            session.boundary.prepare_tools(given, &call)
        } else {
            Ok(None)
        };
        let prepared = prepared.unwrap_or_else(|failure| {
            // Lists are never held back: what cannot be prepared goes as it is.
            say::warning(&format!("the list of tools is not prepared: {failure}"));
            None
        });
        let seen = prepared.as_deref().unwrap_or(given);
        lock(&session.tools).learn(value, seen.as_bytes());
        let extended = is_first_page.then(|| session.keeper.extend_list(seen)).flatten();
        extended.or(prepared)
    }

    /// Puts what may pass in the place of a result or an error.
    fn bound(
        &self,
        text: &[u8],
        member: &Member,
        kind: ResultKind,
        request: &Request,
        edits: &mut Edits<'_>,
    ) {
        let value = slice(text, &member.value);
        if value.first() != Some(&b'{') && value.len() <= SMALL_MAX_BYTES {
            // No result and no error, as in `"error":null`.
            return;
        }
        let answer = self.fit(value, kind, request);
        if matches!(answer, Answer::Unchanged { .. }) {
            return;
        }
        if kind != ResultKind::Error && answer.is_protocol_error() {
            edits.replace(member.key.clone(), "\"error\"");
        }
        edits.replace(member.value.clone(), answer.tool_result_json());
    }

    /// A notification has no error form: where no cut is legal, nothing goes in
    /// its place.
    fn notification(&self, text: &[u8], params: &Range<usize>, edits: &mut Edits<'_>) -> bool {
        let told = self.session.told();
        let method = String::from("notifications/tasks");
        let request =
            Request { method, revision: told.revision, client: told.client, ..Request::default() };
        let answer = self.fit(slice(text, params), ResultKind::Task, &request);
        if answer.is_protocol_error() {
            say::warning("a `notifications/tasks` that is over its budget is dropped");
            return false;
        }
        if !matches!(answer, Answer::Unchanged { .. }) {
            edits.replace(params.clone(), answer.tool_result_json());
        }
        true
    }

    fn fit<'a>(&self, value: &'a [u8], kind: ResultKind, request: &Request) -> Answer<'a> {
        let session = self.session;
        if let Some(log) = &session.log {
            log.about(&request.method);
        }
        let tool = request.tool.as_deref();
        let tool = tool.and_then(|tool| lock(&session.tools).get(tool).cloned());
        let schema = match tool.as_ref().map(|tool| &tool.output_schema) {
            Some(Schema::None) => OutputSchema::None,
            Some(Schema::Given(schema)) => OutputSchema::Given(schema),
            Some(Schema::Unknown) | None => OutputSchema::Unknown,
        };
        let mut call = request.call(kind, schema);
        if session.mode == Mode::ReportOnly {
            // Nobody was refused, so nothing is asked.
            (call.call_max_bytes, call.call_max_tokens) = (None, None);
        }
        session.keeper.fit(&session.boundary, Input::Bytes(value), &call)
    }

    /// Logs what is measured and never held back.
    fn passed(&self, request: &Request, in_bytes: usize, out_bytes: usize) {
        if let Some(log) = &self.session.log {
            log.write(&Entry {
                method: &request.method,
                tool: None,
                client: request.client.as_deref(),
                preset: None,
                in_bytes: u64::try_from(in_bytes).unwrap_or(u64::MAX),
                out_bytes: u64::try_from(out_bytes).unwrap_or(u64::MAX),
                outcome: if in_bytes == out_bytes { "unchanged" } else { "prepared" },
                enforced: false,
                code: None,
                elapsed_micros: 0,
            });
        }
    }

    /// Answers in the place of a line that was not kept.
    fn too_long(&self, given_bytes: u64, messages: Vec<Seen>) {
        let session = self.session;
        let allowed = format!("{given_bytes} bytes, at most {MAX_LINE_BYTES} are allowed");
        say::warning(&format!("a line of the server has {allowed}"));
        for seen in messages {
            let Some(id) = seen.id else {
                say::warning(
                    "a message in it has no id that can be told: nothing goes in its place",
                );
                continue;
            };
            if seen.has_method {
                // The server waits for an answer. It may be too busy to read
                // one, and must not hold up what it writes.
                let words = format!("Server at fault: its message has {allowed}.");
                let error = message::error(INVALID_REQUEST, &words);
                let session = Arc::clone(session);
                std::thread::spawn(move || {
                    session.to_server(&message::answer(&id, Answers::Error, &error));
                });
                continue;
            }
            let request = lock(&session.pending).take(&id).unwrap_or_default();
            if let Some(log) = &session.log {
                log.about(&request.method);
            }
            let call = Call {
                call_max_bytes: None,
                call_max_tokens: None,
                ..request.call(request.kind(), OutputSchema::Unknown)
            };
            let answer = session.boundary.refuse_unread(given_bytes, &call);
            let answers = if answer.is_protocol_error() { Answers::Error } else { Answers::Result };
            session.answer(&id, answers, answer.tool_result_json());
        }
    }
}

/// What is no object, and no larger than the smallest limit, is left alone.
const SMALL_MAX_BYTES: usize = 256;
