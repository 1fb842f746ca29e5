//! Strict reading of our own documents: policies, arguments, inventories.
//!
//! Stricter than the reading of results, since whoever writes these can be
//! told: a key that is repeated in an object, a NUL in a key and a lone
//! surrogate are refused anywhere in the document; an integer is digits alone.
//! Every fault carries a JSON Pointer.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::ops::Range;

use crate::json::pointer::{Pointer, decode_body, decode_body_strictly};
use crate::json::scan;
use crate::limit::INPUT_MAX_BYTES;
use crate::order::sorted;

/// Containers that may be nested in one another.
pub const DOCUMENT_MAX_DEPTH: u32 = 32;

/// The most of what was given that a fault quotes, in bytes.
pub const GIVEN_MAX_BYTES: usize = 64;

/// What is wrong at a place of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultCode {
    /// No JSON, or more of it than is read.
    MalformedJson,
    /// A key that means nothing there.
    UnknownMember,
    /// A key, or an item of a set, that was there before.
    DuplicateMember,
    /// Another type than the one that belongs there.
    WrongType,
    /// The right type, but a value that means nothing there.
    UnknownValue,
}

/// A fault in a document. Its author is at fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentFault {
    /// JSON Pointer to the place, at most 128 bytes; empty for the whole.
    pub pointer: String,
    /// What is wrong there.
    pub code: FaultCode,
    /// What was given, at most [`GIVEN_MAX_BYTES`] of it.
    pub given: String,
    /// What is allowed.
    pub allowed: String,
}

/// A value of a document that was read, with its place.
#[derive(Clone, Debug)]
pub struct Value<'a> {
    document: &'a str,
    span: Range<usize>,
    place: Pointer<'a>,
}

/// An object whose members are known.
#[derive(Clone, Debug)]
pub struct Object<'a> {
    /// In document order, no key twice.
    pub members: Vec<Member<'a>>,
}

/// A key and its value.
#[derive(Clone, Debug)]
pub struct Member<'a> {
    /// The key, decoded.
    pub key: Cow<'a, str>,
    /// What belongs to it.
    pub value: Value<'a>,
}

/// Reads `document` whole.
///
/// ```
/// use result_budget_core::json::read::{FaultCode, read};
/// let root = read(r#"{"limits":{"a":1}}"#)?.object()?;
/// let limits = root.get("limits").ok_or("absent")?.object()?;
/// assert_eq!(limits.members[0].value.integer()?, 1);
/// let fault = read(r#"{"limits":{"a":1,"\u0061":2}}"#).unwrap_err();
/// assert_eq!((fault.code, fault.pointer.as_str()), (FaultCode::DuplicateMember, "/limits/a"));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
///
/// # Errors
/// [`DocumentFault`] where it is no JSON, over 16 MiB, nested deeper than
/// [`DOCUMENT_MAX_DEPTH`], or holds what this module refuses anywhere.
pub fn read(document: &str) -> Result<Value<'_>, DocumentFault> {
    let malformed = |given: &str, allowed: String| DocumentFault {
        pointer: String::new(),
        code: FaultCode::MalformedJson,
        given: shorten(given).to_string(),
        allowed,
    };
    if document.len() > INPUT_MAX_BYTES as usize {
        let given = format!("{} bytes", document.len());
        return Err(malformed(&given, format!("at most {INPUT_MAX_BYTES} bytes")));
    }
    let index = scan(document, INPUT_MAX_BYTES).map_err(|fault| {
        let at = fault.offset_bytes as usize;
        let rest = document.get(at..).unwrap_or_default();
        malformed(rest, format!("JSON (RFC 8259); the first fault is at byte {at}"))
    })?;
    if index.depth > DOCUMENT_MAX_DEPTH {
        let given = format!("nesting of {}", index.depth);
        return Err(malformed(&given, format!("nesting of at most {DOCUMENT_MAX_DEPTH}")));
    }
    let start = skip_space(document.as_bytes(), 0);
    let span = start..value_end(document.as_bytes(), start);
    let root = Value { document, span, place: Pointer::new() };
    root.check_strictly()?;
    Ok(root)
}

impl<'a> Value<'a> {
    /// The value as it stands in the document.
    #[must_use]
    pub fn text(&self) -> &'a str {
        self.document.get(self.span.clone()).unwrap_or_default()
    }

    /// Where it stands in the document.
    #[must_use]
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// Its place.
    #[must_use]
    pub fn pointer(&self) -> String {
        self.place.render()
    }

    /// True for `null`.
    #[must_use]
    pub fn is_null(&self) -> bool {
        self.text() == "null"
    }

    /// Its members.
    ///
    /// # Errors
    /// [`FaultCode::WrongType`] unless it is an object.
    pub fn object(&self) -> Result<Object<'a>, DocumentFault> {
        if !self.text().starts_with('{') {
            return Err(self.wrong_type("an object"));
        }
        let children = self.children(|place, key, _| place.push_key(key));
        let members = children
            .map(|(key, value)| Member { key: decode_body(key.unwrap_or_default()), value })
            .collect();
        Ok(Object { members })
    }

    /// Its items.
    ///
    /// # Errors
    /// [`FaultCode::WrongType`] unless it is an array.
    pub fn array(&self) -> Result<Vec<Value<'a>>, DocumentFault> {
        if !self.text().starts_with('[') {
            return Err(self.wrong_type("an array"));
        }
        Ok(self.children(|place, _, index| place.push_index(index)).map(|(_, item)| item).collect())
    }

    /// Its text, decoded.
    ///
    /// # Errors
    /// [`FaultCode::WrongType`] unless it is a string.
    pub fn string(&self) -> Result<Cow<'a, str>, DocumentFault> {
        match string_body(self.text()) {
            Some(body) => Ok(decode_body(body)),
            None => Err(self.wrong_type("a string")),
        }
    }

    /// True or false.
    ///
    /// # Errors
    /// [`FaultCode::WrongType`] unless it is a boolean.
    pub fn boolean(&self) -> Result<bool, DocumentFault> {
        match self.text() {
            "true" => Ok(true),
            "false" => Ok(false),
            _ => Err(self.wrong_type("true or false")),
        }
    }

    /// Its number as it stands in the document, for a limit's row to parse.
    ///
    /// # Errors
    /// [`FaultCode::WrongType`] unless it is a number.
    pub fn number(&self) -> Result<&'a str, DocumentFault> {
        match self.text().bytes().next() {
            Some(b'-' | b'0'..=b'9') => Ok(self.text()),
            Some(_) | None => Err(self.wrong_type("a whole number")),
        }
    }

    /// Its number, digits alone: no sign, no fraction, no exponent.
    ///
    /// # Errors
    /// [`FaultCode::WrongType`] for anything else, and for more than fits in
    /// 64 bits.
    pub fn integer(&self) -> Result<u64, DocumentFault> {
        // OK because the one thing that `parse` takes beyond digits, a leading
        // `+`, is no JSON.
        self.number()?.parse().map_err(|_| self.wrong_type("a whole number"))
    }

    /// One of the `choices`, by its name.
    ///
    /// # Errors
    /// [`FaultCode::WrongType`] unless it is a string,
    /// [`FaultCode::UnknownValue`] where no choice has that name.
    pub fn choice<T: Copy>(
        &self,
        choices: &[T],
        name: impl Fn(T) -> &'static str,
    ) -> Result<T, DocumentFault> {
        let given = self.string()?;
        choices.iter().copied().find(|choice| name(*choice) == given).ok_or_else(|| {
            let names: Vec<&str> = choices.iter().map(|choice| name(*choice)).collect();
            self.unknown_value(&names.join(", "))
        })
    }

    /// The fault of another type standing here.
    #[must_use]
    pub fn wrong_type(&self, allowed: &str) -> DocumentFault {
        self.fault(FaultCode::WrongType, allowed)
    }

    /// The fault of a value that means nothing here.
    #[must_use]
    pub fn unknown_value(&self, allowed: &str) -> DocumentFault {
        self.fault(FaultCode::UnknownValue, allowed)
    }

    /// The fault `code` here; quotes a string decoded, all else as it stands.
    #[must_use]
    pub fn fault(&self, code: FaultCode, allowed: &str) -> DocumentFault {
        let text = self.text();
        let given = string_body(text).map_or(Cow::Borrowed(text), quotable);
        fault_at(&self.place, code, &given, allowed)
    }

    /// The fault of the key that leads here, where `key` is no such name as
    /// belongs there.
    #[must_use]
    pub fn unknown_key(&self, key: &str, allowed: &str) -> DocumentFault {
        fault_at(&self.place, FaultCode::UnknownValue, key, allowed)
    }

    /// Keys (encoded) and values inside; `step` leads from here to a child.
    fn children(
        &self,
        step: impl Fn(&mut Pointer<'a>, &'a str, usize),
    ) -> impl Iterator<Item = (Option<&'a str>, Value<'a>)> {
        let (document, place) = (self.document, self.place.clone());
        Children { document, at: self.span.start + 1, object: self.text().starts_with('{') }
            .enumerate()
            .map(move |(index, (key, span))| {
                let mut place = place.clone();
                step(&mut place, key.unwrap_or_default(), index);
                (key, Value { document, span, place })
            })
    }

    /// What is refused anywhere in a document, in document order but for keys
    /// that are repeated: those show at the end of their object.
    fn check_strictly(&self) -> Result<(), DocumentFault> {
        if let Some(body) = string_body(self.text()) {
            decode_strictly(body, &self.place)?;
        }
        let mut place = self.place.clone();
        // One frame a level, so no more than the scan let through.
        let mut frames = Vec::new();
        frames.extend(Frame::of(self.document, self.span.start, place.len()));
        while let Some(frame) = frames.last_mut() {
            place.truncate(frame.depth);
            let Some((key, span)) = frame.children.next() else {
                frame.refuse_duplicates(&place)?;
                frames.pop();
                continue;
            };
            match key {
                Some(body) => {
                    place.push_key(body);
                    let key = decode_strictly(body, &place)?;
                    if key.contains('\0') {
                        let allowed = "a key without NUL";
                        return Err(fault_at(&place, FaultCode::UnknownMember, &key, allowed));
                    }
                    frame.keys.push((key, body));
                }
                None => place.push_index(frame.items),
            }
            frame.items += 1;
            if let Some(body) = self.document.get(span.clone()).and_then(string_body) {
                decode_strictly(body, &place)?;
            }
            frames.extend(Frame::of(self.document, span.start, place.len()));
        }
        Ok(())
    }
}

impl<'a> Object<'a> {
    /// The value of the member called `name`.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Value<'a>> {
        self.members.iter().find(|member| member.key == name).map(|member| &member.value)
    }

    /// Refuses every member that is not in `names`; the spelling counts.
    ///
    /// # Errors
    /// [`FaultCode::UnknownMember`] for the first one.
    pub fn allow_only(&self, names: &[&str]) -> Result<(), DocumentFault> {
        match self.members.iter().find(|member| !names.contains(&member.key.as_ref())) {
            Some(member) => Err(member.unknown(&names.join(", "))),
            None => Ok(()),
        }
    }
}

impl Member<'_> {
    /// The fault of a key that means nothing here.
    #[must_use]
    pub fn unknown(&self, allowed: &str) -> DocumentFault {
        fault_at(&self.value.place, FaultCode::UnknownMember, &self.key, allowed)
    }
}

impl FaultCode {
    /// All of them.
    pub const ALL: [FaultCode; 5] = [
        FaultCode::MalformedJson,
        FaultCode::UnknownMember,
        FaultCode::DuplicateMember,
        FaultCode::WrongType,
        FaultCode::UnknownValue,
    ];

    /// Its stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            FaultCode::MalformedJson => "malformed-json",
            FaultCode::UnknownMember => "unknown-member",
            FaultCode::DuplicateMember => "duplicate-member",
            FaultCode::WrongType => "wrong-type",
            FaultCode::UnknownValue => "unknown-value",
        }
    }
}

impl core::fmt::Display for DocumentFault {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let DocumentFault { pointer, code, given, allowed } = self;
        write!(f, "{} at `{pointer}`: got `{given}`, allowed: {allowed}", code.name())
    }
}

impl core::error::Error for DocumentFault {}

/// At most [`GIVEN_MAX_BYTES`] of `text`, from its start.
#[must_use]
pub fn shorten(text: &str) -> &str {
    first_bytes(text, GIVEN_MAX_BYTES)
}

/// A container of the strict check that is not yet at its end.
struct Frame<'a> {
    children: Children<'a>,
    /// Steps from the root to it.
    depth: usize,
    items: usize,
    /// Decoded, and as they stand.
    keys: Vec<(Cow<'a, str>, &'a str)>,
}

impl<'a> Frame<'a> {
    fn of(document: &'a str, start: usize, depth: usize) -> Option<Self> {
        let object = match document.as_bytes().get(start) {
            Some(b'{') => true,
            Some(b'[') => false,
            Some(_) | None => return None,
        };
        let children = Children { document, at: start + 1, object };
        Some(Frame { children, depth, items: 0, keys: Vec::new() })
    }

    fn refuse_duplicates(&mut self, place: &Pointer<'a>) -> Result<(), DocumentFault> {
        let keys = &self.keys;
        let order = sorted(keys.len(), &|a, b| keys[a].cmp(&keys[b]));
        match order.windows(2).find(|pair| matches!(pair, [a, b] if keys[*a].0 == keys[*b].0)) {
            Some([_, twin]) => {
                let (key, body) = &keys[*twin];
                let mut place = place.clone();
                place.push_key(body);
                Err(fault_at(&place, FaultCode::DuplicateMember, key, "each key once"))
            }
            Some(_) | None => Ok(()),
        }
    }
}

/// The children of a container: keys as they stand, and spans of values. The
/// text was scanned, so whatever is not here is not there.
struct Children<'a> {
    document: &'a str,
    at: usize,
    object: bool,
}

impl<'a> Iterator for Children<'a> {
    type Item = (Option<&'a str>, Range<usize>);

    fn next(&mut self) -> Option<Self::Item> {
        let bytes = self.document.as_bytes();
        let mut at = skip_space(bytes, self.at);
        if bytes.get(at) == Some(&b',') {
            at = skip_space(bytes, at + 1);
        }
        if matches!(bytes.get(at), None | Some(b']' | b'}')) {
            return None;
        }
        let mut key = None;
        if self.object {
            let end = string_end(bytes, at);
            key = self.document.get(at..end).and_then(string_body);
            // The colon is the one byte between.
            at = skip_space(bytes, skip_space(bytes, end) + 1);
        }
        self.at = value_end(bytes, at);
        Some((key, at..self.at))
    }
}

fn fault_at(place: &Pointer<'_>, code: FaultCode, given: &str, allowed: &str) -> DocumentFault {
    DocumentFault {
        pointer: place.render(),
        code,
        given: shorten(given).to_string(),
        allowed: allowed.to_string(),
    }
}

/// `body` decoded, as far as a fault can quote it.
fn quotable(body: &str) -> Cow<'_, str> {
    // OK because no escape of a character is longer than twelve bytes.
    decode_body(first_bytes(body, 12 * GIVEN_MAX_BYTES + 12))
}

fn first_bytes(text: &str, max_bytes: usize) -> &str {
    let mut end = text.len().min(max_bytes);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or_default()
}

fn decode_strictly<'a>(body: &'a str, place: &Pointer<'_>) -> Result<Cow<'a, str>, DocumentFault> {
    decode_body_strictly(body).ok_or_else(|| {
        let allowed = "surrogates in pairs";
        fault_at(place, FaultCode::MalformedJson, body, allowed)
    })
}

/// What stands between the quotes of a string.
fn string_body(text: &str) -> Option<&str> {
    text.strip_prefix('"')?.strip_suffix('"')
}

fn skip_space(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    at + rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r')).count()
}

/// Behind the closing quote of the string that begins at `start`.
fn string_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    loop {
        match bytes.get(at) {
            None => return bytes.len(),
            Some(b'"') => return at + 1,
            Some(b'\\') => at += 2,
            Some(_) => at += 1,
        }
    }
}

/// Behind the value that begins at `start`.
fn value_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start;
    let mut depth = 0_u32;
    loop {
        match bytes.get(at) {
            None => return bytes.len(),
            Some(b'"') => at = string_end(bytes, at),
            Some(b'{' | b'[') => {
                depth += 1;
                at += 1;
                continue;
            }
            Some(b'}' | b']') => {
                depth = depth.saturating_sub(1);
                at += 1;
            }
            Some(b',' | b':' | b' ' | b'\t' | b'\n' | b'\r') => {
                at += 1;
                continue;
            }
            Some(_) => {
                let rest = bytes.get(at..).unwrap_or_default();
                let inside = |byte: &&u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
                at += rest.iter().take_while(inside).count().max(1);
            }
        }
        if depth == 0 {
            return at;
        }
    }
}
