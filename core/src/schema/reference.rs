//! References inside a schema: `#` and a JSON Pointer (RFC 6901).

use alloc::string::String;
use alloc::vec::Vec;

use super::Id;
use super::compile::{Reader, TooLarge};
use crate::json::pointer::decode_body;
use crate::json::walk::{Sort, Value};

/// Members and items that are looked at while references are followed, at
/// most.
const STEPS_MAX: usize = 1_000_000;

impl Reader<'_, '_> {
    /// Where a reference leads; `None` where that is not in this document.
    pub(super) fn reference(&mut self, value: &Value) -> Result<Option<Id>, TooLarge> {
        let text = decode_body(self.doc.body(value));
        if self.rebased || self.doc.sort(value) != Sort::String {
            return Ok(None);
        }
        match self.find(&text)? {
            Some(target) => Ok(Some(self.id(target)?)),
            None => Ok(None),
        }
    }

    /// The last member of this name. The members of an object are put in order
    /// the first time.
    fn member(&mut self, object: &Value, name: &str) -> Option<Value> {
        let next = self.members.len();
        let at = *self.indexed.entry(object.start).or_insert(next);
        if at == next {
            let members = self.in_order(object);
            self.steps += members.len();
            self.members.push(members);
        }
        self.steps += 1;
        let members = self.members.get(at)?;
        let found = members.binary_search_by(|(known, _)| known.as_str().cmp(name)).ok()?;
        members.get(found).map(|(_, value)| *value)
    }

    /// The value at `#` and a JSON Pointer.
    fn find(&mut self, reference: &str) -> Result<Option<Value>, TooLarge> {
        let doc = self.doc;
        let Some(pointer) = reference.strip_prefix('#') else { return Ok(None) };
        let mut value = doc.root();
        if pointer.is_empty() {
            return Ok(Some(value));
        }
        let Some(pointer) = pointer.strip_prefix('/') else { return Ok(None) };
        for step in pointer.split('/') {
            let Some(step) = unescape(step) else { return Ok(None) };
            let mut next = self.member(&value, &step);
            if doc.sort(&value) == Sort::Array
                && let Ok(at) = step.parse::<usize>()
            {
                self.steps = self.steps.saturating_add(at.min(doc.children_items(&value)));
                next = doc.items(&value).nth(at);
            }
            if self.steps > STEPS_MAX {
                return Err(TooLarge);
            }
            let Some(found) = next else { return Ok(None) };
            value = found;
        }
        Ok(Some(value))
    }
}

/// A step of a JSON Pointer in a URI fragment; `None` where it is none.
fn unescape(step: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(step.len());
    let mut rest = step.bytes();
    while let Some(byte) = rest.next() {
        let byte = match byte {
            b'%' => {
                let digit = |byte: Option<u8>| char::from(byte?).to_digit(16);
                let (high, low) = (digit(rest.next())?, digit(rest.next())?);
                u8::try_from(high * 16 + low).ok()?
            }
            byte => byte,
        };
        bytes.push(byte);
    }
    let text = String::from_utf8(bytes).ok()?;
    Some(text.replace("~1", "/").replace("~0", "~"))
}
