//! From the client to the server: what is asked is remembered, and passed on
//! byte for byte.
//!
//! Taken out is only the argument that the proxy itself added to a tool.
//! Answered here is a request that must not reach the server: one whose budget
//! is refused, one that is for the keeper, one that is too long.

use std::fs::File;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use result_budget::{Mode, OutputSchema, ResultKind};

use super::lines::{Line, Lines};
use super::message::{self, Answers, Edits, INTERNAL_ERROR, INVALID_REQUEST, Message};
use super::pending::{Asked, Request, short};
use super::session::{Event, Session, lock};
use super::skim::{self, member, members, slice, string};
use super::tools::CALL_ARGUMENT;
use super::{MAX_LINE_BYTES, WRITE_BYTES};
use crate::message as say;

/// Carries lines until the input ends.
pub(crate) fn run(session: &Session, input: File) {
    let mut lines = Lines::new(input, MAX_LINE_BYTES);
    let mut client = Client { session, unsent: Vec::new(), unsent_ids: Vec::new() };
    loop {
        match lines.next_line() {
            Ok(Some(Line::Whole { bytes, has_more })) => {
                client.line(bytes);
                if !has_more || client.unsent.len() >= WRITE_BYTES {
                    client.send();
                }
            }
            Ok(Some(Line::TooLong { given_bytes, messages })) => {
                client.send();
                let allowed = format!("{given_bytes} bytes, at most {MAX_LINE_BYTES} are allowed");
                say::warning(&format!("a line of the client has {allowed}"));
                for seen in messages {
                    let Some(id) = seen.id else { continue };
                    let words = format!("Client at fault: its message has {allowed}.");
                    let error = message::error(INVALID_REQUEST, &words);
                    if seen.has_method {
                        session.answer(&id, Answers::Error, &error);
                    } else {
                        // The server waits for it.
                        session.to_server(&message::answer(&id, Answers::Error, &error));
                    }
                }
            }
            Ok(None) | Err(_) => break,
        }
    }
    client.send();
    session.tell(Event::InputEnded);
}

struct Client<'s> {
    session: &'s Session,
    unsent: Vec<u8>,
    /// Whose requests they are.
    unsent_ids: Vec<Vec<u8>>,
}

impl Client<'_> {
    fn send(&mut self) {
        if !self.unsent.is_empty() && !self.session.to_server(&self.unsent) {
            // They will never be answered.
            for id in std::mem::take(&mut self.unsent_ids) {
                self.refuse_ended(&id);
            }
        }
        self.unsent.clear();
        self.unsent_ids.clear();
    }

    fn line(&mut self, line: &[u8]) {
        let mut edits = Edits::new(line);
        let judge = |value: &Range<usize>, edits: &mut Edits<'_>| self.message(line, value, edits);
        if !edits.judge_each(judge) {
            return;
        }
        if edits.is_empty() {
            self.unsent.extend_from_slice(line);
        } else {
            edits.write(&mut self.unsent);
        }
    }

    /// Takes note of one message; says whether the server is to see it.
    fn message(&mut self, text: &[u8], value: &Range<usize>, edits: &mut Edits<'_>) -> bool {
        let message = Message::find(text, value);
        let Some(method) = message.method.and_then(|method| string(slice(text, &method))) else {
            // An answer to the server, or something that only it understands.
            return true;
        };
        let params = message.params.unwrap_or_default();
        let Some(id) = message.id.map(|id| slice(text, &id)) else {
            if method == "notifications/cancelled"
                && let Some(id) = member(text, &params, "requestId")
            {
                // Never answered; an answer that is on its way is of unknown kind.
                lock(&self.session.pending).take(slice(text, &id));
            }
            return true;
        };
        let (mut request, arguments) = self.describe(text, &method, &params);
        if let Some(arguments) = arguments {
            self.take_argument(text, &arguments, &mut request, edits);
        }
        request.id = id.to_vec();
        if request.asked == Asked::Result(ResultKind::Tool)
            && self.is_answered(text, &params, &request)
        {
            return false;
        }
        if id.len() < super::glance::WORD_MAX_BYTES {
            lock(&self.session.pending).insert(request);
        }
        if self.session.is_server_gone.load(Ordering::Acquire) {
            self.refuse_ended(id);
            return false;
        }
        self.unsent_ids.push(id.to_vec());
        true
    }

    /// What a request tells, and where its arguments are.
    fn describe(
        &self,
        text: &[u8],
        method: &str,
        params: &Range<usize>,
    ) -> (Request, Option<Range<usize>>) {
        let told = self.session.told();
        let mut request = Request {
            method: short(method.into()).unwrap_or_default(),
            revision: told.revision,
            client: told.client,
            ..Request::default()
        };
        let (mut is_first_page, mut arguments, mut meta) = (true, None, None);
        for member in members(text, params) {
            let is = |name| skim::key_is(text, &member.key, name);
            if is("_meta") {
                meta = Some(member.value);
            } else if method == "tools/call" && is("name") {
                request.tool = string(slice(text, &member.value)).and_then(short);
            } else if method == "tools/call" && is("arguments") {
                arguments = Some(member.value);
            } else if method == "tools/list" && is("cursor") {
                is_first_page = slice(text, &member.value) == b"null";
            } else if method == "initialize" && is("clientInfo") {
                let name = skim::member(text, &member.value, "name");
                if let Some(name) = name.and_then(|name| string(slice(text, &name))) {
                    self.session.learn_client(&name);
                }
            }
        }
        request.asked = Asked::of(method, is_first_page);
        for member in meta.iter().flat_map(|meta| members(text, meta)) {
            let is = |name| skim::key_is(text, &member.key, name);
            if is("io.modelcontextprotocol/protocolVersion") {
                let revision = string(slice(text, &member.value)).and_then(short);
                request.revision =
                    revision.and_then(|revision| self.session.known_revision(&revision));
            } else if is("io.modelcontextprotocol/clientInfo") && !told.is_client_fixed {
                let name = skim::member(text, &member.value, "name");
                request.client =
                    name.and_then(|name| string(slice(text, &name)).and_then(short)).map(Arc::from);
            } else if is("dev.result-budget/max_bytes") {
                request.max_bytes = Some(as_given(slice(text, &member.value)));
            } else if is("dev.result-budget/max_tokens") {
                request.max_tokens = Some(as_given(slice(text, &member.value)));
            }
        }
        (request, arguments)
    }

    /// Takes our own argument out of a call, and its value as the budget where
    /// `_meta` names none.
    fn take_argument(
        &self,
        text: &[u8],
        arguments: &Range<usize>,
        request: &mut Request,
        edits: &mut Edits<'_>,
    ) {
        let tool = request.tool.as_deref();
        let is_ours = tool.is_some_and(|tool| {
            lock(&self.session.tools).get(tool).is_some_and(|tool| tool.has_added_argument)
        });
        if !is_ours {
            return;
        }
        let all: Vec<_> = members(text, arguments).collect();
        let gone: Vec<bool> =
            all.iter().map(|member| skim::key_is(text, &member.key, CALL_ARGUMENT)).collect();
        let last = all.iter().zip(&gone).rfind(|(_, gone)| **gone).map(|(member, _)| member);
        let Some(last) = last else { return };
        let given = as_given(slice(text, &last.value));
        request.max_bytes.get_or_insert(given);
        let spans: Vec<_> = all.iter().map(|member| member.key.start..member.value.end).collect();
        for range in skim::without(text, &spans, &gone) {
            edits.replace(range, "");
        }
    }

    /// Answers a call that is not for the server.
    fn is_answered(&self, text: &[u8], params: &Range<usize>, request: &Request) -> bool {
        let session = self.session;
        let call = request.call(ResultKind::Tool, OutputSchema::Unknown);
        let asks = request.max_bytes.is_some() || request.max_tokens.is_some();
        if asks
            && session.mode == Mode::Enforce
            && let Err(failure) = session.boundary.check(&call)
        {
            // Before the tool has run.
            let result = session.boundary.failure_result(&failure, &call);
            session.answer(&request.id, Answers::Result, &result);
            return true;
        }
        let own = request.tool.as_deref().and_then(|tool| {
            let params = std::str::from_utf8(slice(text, params)).ok()?;
            session.keeper.answer(tool, params, &call)
        });
        if let Some(result) = &own {
            session.answer(&request.id, Answers::Result, result);
        }
        own.is_some()
    }

    fn refuse_ended(&self, id: &[u8]) {
        // Whoever takes it out is the one who answers.
        if let Some(request) = lock(&self.session.pending).take(id) {
            let error = message::error(INTERNAL_ERROR, super::ENDED);
            self.session.answer(&request.id, Answers::Error, &error);
        }
    }
}

/// A budget as the engine is to read it: a text without its quotes, all else in
/// the client's spelling.
fn as_given(value: &[u8]) -> String {
    string(value)
        .map_or_else(|| String::from_utf8_lossy(value).into_owned(), |text| text.into_owned())
}
