//! Requests that the client waits for.
//!
//! At most [`PENDING_MAX_ITEMS`] are known; beyond that the oldest is
//! forgotten. An answer without a known request is still bounded, as a result
//! of unknown kind.

use std::borrow::Cow;
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use result_budget::{Call, OutputSchema, ResultKind};

use super::skim;

/// What was asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Asked {
    /// What a session begins with: never held back.
    Handshake,
    /// The first page of `tools/list`, or a later one.
    Tools { is_first_page: bool },
    /// Another list.
    List,
    /// A result to bound.
    Result(ResultKind),
    /// Nothing is known of it.
    #[default]
    Unknown,
}

/// One request.
#[derive(Clone, Debug, Default)]
pub(crate) struct Request {
    /// The id, as the client spells it.
    pub(crate) id: Vec<u8>,
    pub(crate) asked: Asked,
    pub(crate) method: String,
    pub(crate) tool: Option<String>,
    pub(crate) revision: Option<Arc<str>>,
    pub(crate) client: Option<Arc<str>>,
    pub(crate) max_bytes: Option<String>,
    pub(crate) max_tokens: Option<String>,
}

/// The requests by id.
#[derive(Default)]
pub(crate) struct Pending {
    requests: HashMap<Box<[u8]>, (u64, Request)>,
    /// In the order in which they came; some are answered already.
    order: VecDeque<(u64, Box<[u8]>)>,
    count: u64,
}

impl Asked {
    /// What a request of `method` asks for.
    pub(crate) fn of(method: &str, is_first_page: bool) -> Self {
        match method {
            "tools/call" | "tasks/result" => Asked::Result(ResultKind::Tool),
            "tasks/get" => Asked::Result(ResultKind::Task),
            "prompts/get" => Asked::Result(ResultKind::Prompt),
            "resources/read" => Asked::Result(ResultKind::Resource),
            "initialize" | "server/discover" | "ping" => Asked::Handshake,
            "tools/list" => Asked::Tools { is_first_page },
            _ if method.ends_with("/list") => Asked::List,
            _ => Asked::Result(ResultKind::Other),
        }
    }
}

impl Request {
    /// What the boundary is told of it.
    pub(crate) fn call<'a>(
        &'a self,
        kind: ResultKind,
        output_schema: OutputSchema<'a>,
    ) -> Call<'a> {
        Call {
            kind,
            tool: self.tool.as_deref(),
            revision: self.revision.as_deref(),
            client_name: self.client.as_deref(),
            output_schema,
            previous_report: None,
            call_max_bytes: self.max_bytes.as_deref(),
            call_max_tokens: self.max_tokens.as_deref(),
        }
    }

    /// The kind of its result.
    pub(crate) fn kind(&self) -> ResultKind {
        match self.asked {
            Asked::Result(kind) => kind,
            Asked::Tools { .. } | Asked::List => ResultKind::List,
            Asked::Handshake | Asked::Unknown => ResultKind::Other,
        }
    }
}

impl Pending {
    /// Takes note of a request.
    pub(crate) fn insert(&mut self, request: Request) {
        let key: Box<[u8]> = normal(&request.id).into();
        self.count += 1;
        self.order.push_back((self.count, key.clone()));
        self.requests.insert(key, (self.count, request));
        while self.requests.len() > PENDING_MAX_ITEMS || self.order.len() > ORDER_MAX_ITEMS {
            let Some((count, key)) = self.order.pop_front() else { break };
            if self.requests.get(&key).is_some_and(|(at, _)| *at == count) {
                if self.requests.len() > PENDING_MAX_ITEMS {
                    self.requests.remove(&key);
                } else {
                    // Still waited for: it moves to the end.
                    self.order.push_back((count, key));
                }
            }
        }
    }

    /// The request with this id, which is then no longer waited for.
    pub(crate) fn take(&mut self, id: &[u8]) -> Option<Request> {
        let (_, request) = self.requests.remove(normal(id).as_ref())?;
        if self.requests.is_empty() {
            self.order.clear();
        }
        Some(request)
    }

    /// The same, which is still waited for.
    pub(crate) fn get(&self, id: &[u8]) -> Option<&Request> {
        self.requests.get(normal(id).as_ref()).map(|(_, request)| request)
    }

    /// All that is waited for, oldest first.
    pub(crate) fn take_all(&mut self) -> Vec<Request> {
        let mut all: Vec<_> = std::mem::take(&mut self.requests).into_values().collect();
        self.order.clear();
        all.sort_by_key(|(count, _)| *count);
        all.into_iter().map(|(_, request)| request).collect()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.requests.is_empty()
    }
}

/// A word of a client that is kept as long as its request: none where it is
/// longer than any that means something.
pub(crate) fn short(word: Cow<'_, str>) -> Option<String> {
    (word.len() <= WORD_MAX_BYTES).then(|| word.into_owned())
}

/// An id such that equal values have equal bytes: text decoded, a whole number
/// in digits, all else as spelled. `"1"` and `1` stay two.
fn normal(id: &[u8]) -> Cow<'_, [u8]> {
    match id.first() {
        Some(b'"') if id.contains(&b'\\') => skim::string(id)
            .map_or(Cow::Borrowed(id), |text| Cow::Owned(format!("\"{text}\"").into_bytes())),
        Some(b'0'..=b'9' | b'-') if id.iter().any(|byte| matches!(byte, b'.' | b'e' | b'E')) => {
            let number = std::str::from_utf8(id).ok().and_then(|id| id.parse::<f64>().ok());
            match number.filter(|number| number.fract() == 0.0 && number.abs() < WHOLE_MAX) {
                Some(number) => Cow::Owned(format!("{number:.0}").into_bytes()),
                None => Cow::Borrowed(id),
            }
        }
        _ => Cow::Borrowed(id),
    }
}

/// As many requests are known at once.
pub(crate) const PENDING_MAX_ITEMS: usize = 16_384;

/// Names of methods, tools and clients, and revisions.
const WORD_MAX_BYTES: usize = 1_024;

/// Answered requests leave holes in the order, of which no more are kept.
const ORDER_MAX_ITEMS: usize = 4 * PENDING_MAX_ITEMS;

/// Below it, each whole number is one that every reader keeps.
const WHOLE_MAX: f64 = 9_007_199_254_740_992.0;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_equal_where_their_values_are() {
        let same = [("1", "1.0"), ("1", "1e0"), ("\"a\"", "\"\\u0061\""), ("10", "1e1")];
        for (a, b) in same {
            assert_eq!(normal(a.as_bytes()), normal(b.as_bytes()), "{a} {b}");
        }
        let other = [("1", "\"1\""), ("1", "1.5"), ("9007199254740993", "9007199254740993.0")];
        for (a, b) in other {
            assert_ne!(normal(a.as_bytes()), normal(b.as_bytes()), "{a} {b}");
        }
    }

    #[test]
    fn the_oldest_request_is_forgotten_beyond_the_maximum() {
        let mut pending = Pending::default();
        let request = |id: usize| Request { id: id.to_string().into_bytes(), ..Request::default() };
        for id in 0..=PENDING_MAX_ITEMS {
            pending.insert(request(id));
        }
        assert!(pending.take(b"0").is_none());
        assert!(pending.take(b"1").is_some());
        assert_eq!(pending.take_all().len(), PENDING_MAX_ITEMS - 1);
    }

    #[test]
    fn a_request_that_waits_long_outlives_many_answered_ones() {
        let mut pending = Pending::default();
        let request = |id: String| Request { id: id.into_bytes(), ..Request::default() };
        pending.insert(request(String::from("\"slow\"")));
        for id in 0..5 * ORDER_MAX_ITEMS {
            pending.insert(request(id.to_string()));
            assert!(pending.take(id.to_string().as_bytes()).is_some());
        }
        assert!(pending.order.len() <= ORDER_MAX_ITEMS);
        assert!(pending.take(b"\"slow\"").is_some());
    }
}
