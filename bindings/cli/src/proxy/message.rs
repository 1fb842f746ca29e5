//! One JSON-RPC message, as places in its line; and the messages that are ours.

use std::ops::Range;

use super::skim::{self, Member};

/// Where the parts of a message are. Of a repeated member the last one counts.
#[derive(Debug, Default)]
pub(crate) struct Message {
    pub(crate) id: Option<Range<usize>>,
    pub(crate) method: Option<Range<usize>>,
    pub(crate) params: Option<Range<usize>>,
    /// `result` and `error`, each time that they stand there: some reader will
    /// take each of them.
    pub(crate) answers: Vec<(Answers, Member)>,
}

/// How an answer went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answers {
    Result,
    Error,
}

impl Message {
    /// Finds the parts of the object that `value` is.
    pub(crate) fn find(text: &[u8], value: &Range<usize>) -> Self {
        let mut message = Message::default();
        for member in skim::members(text, value) {
            let is = |name| skim::key_is(text, &member.key, name);
            if is("id") {
                message.id = Some(member.value);
            } else if is("method") {
                message.method = Some(member.value);
            } else if is("params") {
                message.params = Some(member.value);
            } else if is("result") {
                message.answers.push((Answers::Result, member));
            } else if is("error") {
                message.answers.push((Answers::Error, member));
            }
        }
        message
    }
}

/// A line that changes in places.
pub(crate) struct Edits<'a> {
    text: &'a [u8],
    edits: Vec<(Range<usize>, Vec<u8>)>,
}

impl<'a> Edits<'a> {
    pub(crate) fn new(text: &'a [u8]) -> Self {
        Edits { text, edits: Vec::new() }
    }

    pub(crate) fn replace(&mut self, range: Range<usize>, with: impl Into<Vec<u8>>) {
        self.edits.push((range, with.into()));
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.edits.is_empty()
    }

    /// Lets `judge` see the line's message, or each of a batch (2025-03-26), and
    /// takes out those of which it says no. Says whether anything is left.
    pub(crate) fn judge_each(
        &mut self,
        mut judge: impl FnMut(&Range<usize>, &mut Self) -> bool,
    ) -> bool {
        let root = skim::root(self.text);
        match self.text.get(root.start) {
            Some(b'{') => judge(&root, self),
            Some(b'[') => {
                let items: Vec<_> = skim::items(self.text, &root).collect();
                let gone: Vec<bool> = items.iter().map(|item| !judge(item, self)).collect();
                for range in skim::without(self.text, &items, &gone) {
                    self.replace(range, "");
                }
                gone.is_empty() || !gone.iter().all(|gone| *gone)
            }
            Some(_) | None => true,
        }
    }

    /// Writes the line as it is now; what is not changed stays byte for byte.
    pub(crate) fn write(mut self, out: &mut Vec<u8>) {
        self.edits.sort_by_key(|(range, _)| range.start);
        let mut at = 0;
        for (range, with) in &self.edits {
            out.extend_from_slice(skim::slice(self.text, &(at..range.start.max(at))));
            out.extend_from_slice(with);
            at = range.end.max(at);
        }
        out.extend_from_slice(skim::slice(self.text, &(at..self.text.len())));
    }
}

/// A whole answer of ours, with its line end: `id` as the other side spells it,
/// `member` is `result` or `error`.
pub(crate) fn answer(id: &[u8], answers: Answers, json: &str) -> Vec<u8> {
    let member = match answers {
        Answers::Result => "result",
        Answers::Error => "error",
    };
    let mut line = Vec::with_capacity(id.len() + json.len() + 48);
    line.extend_from_slice(br#"{"jsonrpc":"2.0","id":"#);
    line.extend_from_slice(id);
    line.extend_from_slice(b",\"");
    line.extend_from_slice(member.as_bytes());
    line.extend_from_slice(b"\":");
    line.extend_from_slice(json.as_bytes());
    line.extend_from_slice(b"}\n");
    line
}

/// An error object of ours. `words` are plain: no quotes, no backslashes.
pub(crate) fn error(code: i32, words: &str) -> String {
    format!(r#"{{"code":{code},"message":"[result-budget] {words}"}}"#)
}

/// JSON-RPC's own codes.
pub(crate) const INVALID_REQUEST: i32 = -32_600;
pub(crate) const INTERNAL_ERROR: i32 = -32_603;
