//! A look at a line that is too long to be kept, piece by piece: whose it is,
//! and nothing else. Memory does not grow with the line.

use memchr::memchr2;

/// What is known of one message of the line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Seen {
    /// Its id, as it is spelled; `None` where it has none, or one too long.
    pub(crate) id: Option<Vec<u8>>,
    /// It has a method: a request or a notification.
    pub(crate) has_method: bool,
}

/// The state of the look.
#[derive(Debug, Default)]
pub(crate) struct Glance {
    given_bytes: u64,
    depth: usize,
    /// The depth of a message's members: 1, or 2 in a batch; 0 until known.
    base: usize,
    in_string: bool,
    is_escaped: bool,
    place: Place,
    /// The key at hand, then the id at hand.
    word: Vec<u8>,
    is_kept: bool,
    is_id: bool,
    message: Seen,
    messages: Vec<Seen>,
}

/// Where among a message's members the look is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Place {
    /// In no message.
    #[default]
    Outside,
    Key,
    Colon,
    Value,
}

impl Glance {
    /// Looks at the next piece.
    pub(crate) fn feed(&mut self, piece: &[u8]) {
        self.given_bytes += u64::try_from(piece.len()).unwrap_or(u64::MAX);
        let mut at = 0;
        while let Some(byte) = piece.get(at) {
            if !self.in_string {
                self.token(*byte);
                at += 1;
            } else if self.is_escaped {
                self.is_escaped = false;
                self.keep(&[*byte]);
                at += 1;
            } else {
                let rest = piece.get(at..).unwrap_or_default();
                let found = memchr2(b'"', b'\\', rest);
                let end = found.map_or(rest.len(), |found| found + 1);
                self.keep(rest.get(..end).unwrap_or_default());
                at += end;
                match found.and_then(|found| rest.get(found)) {
                    Some(b'\\') => self.is_escaped = true,
                    Some(_) => self.string_ends(),
                    None => {}
                }
            }
        }
    }

    /// How long the line was, and its messages: one, or those of a batch.
    pub(crate) fn finish(self) -> (u64, Vec<Seen>) {
        (self.given_bytes, self.messages)
    }

    fn token(&mut self, byte: u8) {
        let is_base = self.depth == self.base && self.base > 0;
        match byte {
            b' ' | b'\t' | b'\n' | b'\r' => {}
            b'"' => {
                self.in_string = true;
                if is_base && self.place == Place::Key {
                    self.start_word();
                }
                self.keep(b"\"");
            }
            b'{' | b'[' => {
                self.keep(&[byte]);
                self.depth += 1;
                if self.base == 0 {
                    self.base = if byte == b'{' { 1 } else { 2 };
                }
                if self.depth == self.base {
                    self.place = if byte == b'{' { Place::Key } else { Place::Outside };
                    self.message = Seen::default();
                }
            }
            b'}' | b']' => {
                if is_base {
                    self.value_ends();
                    if self.place != Place::Outside && self.messages.len() < MESSAGES_MAX_ITEMS {
                        self.messages.push(std::mem::take(&mut self.message));
                    }
                    self.place = Place::Outside;
                }
                self.depth = self.depth.saturating_sub(1);
                self.keep(&[byte]);
            }
            b',' if is_base => {
                self.value_ends();
                if self.place != Place::Outside {
                    self.place = Place::Key;
                }
            }
            b':' if is_base && self.place == Place::Colon => {
                let key = super::skim::string(&self.word);
                self.is_id = key.as_deref() == Some("id");
                self.message.has_method |= key.as_deref() == Some("method");
                self.place = Place::Value;
                self.is_kept = false;
                if self.is_id {
                    self.start_word();
                }
            }
            _ => self.keep(&[byte]),
        }
    }

    fn string_ends(&mut self) {
        self.in_string = false;
        if self.depth == self.base && self.place == Place::Key {
            self.place = Place::Colon;
            self.is_kept = false;
        }
    }

    fn value_ends(&mut self) {
        if std::mem::take(&mut self.is_id) {
            let fits = self.word.len() < WORD_MAX_BYTES;
            self.message.id = fits.then(|| std::mem::take(&mut self.word));
        }
        self.is_kept = false;
    }

    fn start_word(&mut self) {
        self.word.clear();
        self.is_kept = true;
    }

    fn keep(&mut self, bytes: &[u8]) {
        if self.is_kept {
            let room = WORD_MAX_BYTES.saturating_sub(self.word.len());
            self.word.extend_from_slice(bytes.get(..room.min(bytes.len())).unwrap_or_default());
        }
    }
}

/// Ids of this length and over are taken for unknown.
pub(crate) const WORD_MAX_BYTES: usize = 1_024;

/// The most messages of a batch that are told.
const MESSAGES_MAX_ITEMS: usize = 1_000;
