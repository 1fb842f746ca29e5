//! Which branch of a schema a value takes: as much judging as that needs.
//!
//! Three answers, since most of a schema is not looked at. Bounded in depth
//! and in steps; where either ends, the answer is that nobody knows.

use alloc::string::String;
use alloc::vec::Vec;

use super::compile::literal;
use super::{
    ARRAY, BOOLEAN, INTEGER, Id, NULL, NUMBER, Node, OBJECT, OUR_MEMBER, STRING, Schema, Values,
};
use crate::json::equal::number_equal;
use crate::json::pointer::decode_body;
use crate::json::walk::{Doc, Sort, Value};

/// Whether a value is valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Yes,
    No,
    /// Not told by what is looked at.
    Unsure,
}

/// Schemas within schemas that are looked into.
const DEPTH_MAX: usize = 8;

/// Nodes, members and items that one judgement looks at.
pub(super) const STEPS_MAX: usize = 4_000;

/// Schemas that hold at one value together, at most.
pub(super) const HELD_MAX: usize = 64;

/// Digits up to which a double tells integers apart.
const DOUBLE_DIGITS: usize = 15;

impl Verdict {
    fn and(self, other: Verdict) -> Verdict {
        match (self, other) {
            (Verdict::No, _) | (_, Verdict::No) => Verdict::No,
            (Verdict::Yes, Verdict::Yes) => Verdict::Yes,
            (Verdict::Unsure, _) | (_, Verdict::Unsure) => Verdict::Unsure,
        }
    }
}

/// One judgement.
pub(super) struct Judge<'j> {
    pub(super) schema: &'j Schema,
    pub(super) doc: &'j Doc<'j>,
    /// Steps that are left.
    pub(super) steps: usize,
}

impl Judge<'_> {
    /// Whether `value` is valid under `id`.
    pub(super) fn judge(&mut self, id: Id, value: &Value) -> Verdict {
        self.judge_at(id, value, 0)
    }

    fn judge_at(&mut self, id: Id, value: &Value, depth: usize) -> Verdict {
        let Some(node) = self.schema.node(id) else { return Verdict::Unsure };
        if node.never {
            return Verdict::No;
        }
        if self.steps == 0 || depth > DEPTH_MAX || node.doubtful {
            return Verdict::Unsure;
        }
        self.steps -= 1;
        let mut verdict = self.own(node, value);
        if verdict == Verdict::No {
            return Verdict::No;
        }
        if node.opaque || node.unsure || node.conditional.is_some() || !node.one.is_empty() {
            verdict = Verdict::Unsure;
        }
        for branch in &node.all {
            verdict = verdict.and(self.judge_at(*branch, value, depth + 1));
            if verdict == Verdict::No && !node.dependent {
                return Verdict::No;
            }
        }
        if node.dependent {
            // Some of these hold only where a member is present.
            verdict = Verdict::Unsure;
        }
        for branches in node.any.iter().chain(&node.one) {
            let mut best = Verdict::No;
            for branch in branches {
                match self.judge_at(*branch, value, depth + 1) {
                    Verdict::Yes => {
                        best = Verdict::Yes;
                        break;
                    }
                    Verdict::Unsure => best = Verdict::Unsure,
                    Verdict::No => {}
                }
            }
            verdict = verdict.and(best);
        }
        if verdict == Verdict::No { verdict } else { verdict.and(self.inside(node, value, depth)) }
    }

    /// What a node says of the value itself: its type, and which values.
    fn own(&mut self, node: &Node, value: &Value) -> Verdict {
        let verdict = self.typed(node.types, value);
        match &node.values {
            Some(values) if verdict != Verdict::No => verdict.and(self.among(values, value)),
            Some(_) | None => verdict,
        }
    }

    fn typed(&self, types: u8, value: &Value) -> Verdict {
        if types == 0 {
            return Verdict::Yes;
        }
        let raw = self.doc.raw(value);
        let bit = match self.doc.sort(value) {
            Sort::Object => OBJECT,
            Sort::Array => ARRAY,
            Sort::String => STRING,
            Sort::Number => NUMBER,
            Sort::Literal if raw == "null" => NULL,
            Sort::Literal => BOOLEAN,
        };
        if types & bit == 0 {
            return Verdict::No;
        }
        // `1.0` is an integer to some.
        let spelled = raw.bytes().any(|byte| matches!(byte, b'.' | b'e' | b'E'));
        if bit == NUMBER && types & INTEGER != 0 && spelled {
            Verdict::Unsure
        } else {
            Verdict::Yes
        }
    }

    fn among(&mut self, values: &Values, value: &Value) -> Verdict {
        let raw = self.doc.raw(value);
        let look_at = values.strings.len().max(values.numbers.len());
        if look_at > self.steps {
            return Verdict::Unsure;
        }
        self.steps -= look_at / 8;
        let found = match self.doc.sort(value) {
            Sort::String => {
                let text = decode_body(self.doc.body(value));
                values.strings.iter().any(|known| *known == text)
            }
            Sort::Literal => values.literals & literal(raw) != 0,
            Sort::Number if values.numbers.iter().any(|known| number_equal(known, raw)) => true,
            // Longer numbers may be equal as doubles, as most validators
            // compare them.
            Sort::Number if raw.len() > DOUBLE_DIGITS => return Verdict::Unsure,
            Sort::Number => false,
            Sort::Object | Sort::Array if values.containers => return Verdict::Unsure,
            Sort::Object | Sort::Array => false,
        };
        if found { Verdict::Yes } else { Verdict::No }
    }

    fn inside(&mut self, node: &Node, value: &Value, depth: usize) -> Verdict {
        match self.doc.sort(value) {
            Sort::Object => self.members(node, value, depth),
            Sort::Array => self.items(node, value, depth),
            Sort::String | Sort::Number | Sort::Literal => Verdict::Yes,
        }
    }

    fn items(&mut self, node: &Node, value: &Value, depth: usize) -> Verdict {
        let doc = self.doc;
        if doc.children_items(value) < node.min_items {
            return Verdict::No;
        }
        if !node.prefix.is_empty() {
            return Verdict::Unsure;
        }
        let Some(id) = node.item else { return Verdict::Yes };
        let mut verdict = Verdict::Yes;
        for item in doc.items(value) {
            verdict = verdict.and(self.judge_at(id, &item, depth + 1));
            if verdict == Verdict::No || self.steps == 0 {
                return if verdict == Verdict::No { verdict } else { Verdict::Unsure };
            }
        }
        verdict
    }

    fn members(&mut self, node: &Node, value: &Value, depth: usize) -> Verdict {
        let doc = self.doc;
        let wants = !(node.required.is_empty()
            && node.properties.is_empty()
            && node.additional.is_empty()
            && !node.strict);
        if !wants {
            return Verdict::Yes;
        }
        let mut verdict = Verdict::Yes;
        let mut missing = node.required.len();
        self.steps = self.steps.saturating_sub(missing / 16);
        let mut met: Vec<bool> = alloc::vec![false; node.required.len()];
        for member in doc.members(value) {
            if self.steps == 0 {
                return Verdict::Unsure;
            }
            self.steps -= 1;
            let key = decode_body(member.key);
            let required = node.required.binary_search_by(|name| name.as_str().cmp(&key));
            if let Ok(at) = required
                && !core::mem::replace(&mut met[at], true)
            {
                missing -= 1;
            }
            match node.property(&key) {
                Some(inner) => {
                    verdict = verdict.and(self.judge_at(inner, &member.value, depth + 1));
                }
                None if node.strict => return Verdict::No,
                None if !node.additional.is_empty() => verdict = verdict.and(Verdict::Unsure),
                None => {}
            }
            if verdict == Verdict::No {
                return Verdict::No;
            }
        }
        if missing > 0 { Verdict::No } else { verdict }
    }

    /// Why `value` can not become valid under `id` by any cut that keeps the
    /// members named: `None` where it might.
    pub(super) fn excluded(&mut self, id: Id, value: &Value) -> Option<Vec<String>> {
        // A list over what all must hold: one broken part breaks the whole.
        let mut waiting = Vec::from([id]);
        let mut turns = 0;
        while let Some(id) = waiting.pop() {
            turns += 1;
            if turns > HELD_MAX {
                return None;
            }
            let node = self.schema.node(id).filter(|node| !node.doubtful)?;
            // A number and a literal stay as they are; a value keeps its type.
            let scalar = matches!(self.doc.sort(value), Sort::Number | Sort::Literal);
            if node.never
                || self.typed(node.types, value) == Verdict::No
                || (scalar && self.own(node, value) == Verdict::No)
            {
                return Some(Vec::new());
            }
            if self.doc.sort(value) == Sort::Object
                && let Some(why) = self.excluded_by_members(node, value)
            {
                return Some(why);
            }
            if !node.dependent {
                waiting.extend(&node.all);
            }
        }
        None
    }

    fn excluded_by_members(&mut self, node: &Node, value: &Value) -> Option<Vec<String>> {
        let doc = self.doc;
        for name in &node.required {
            let members = doc.children_items(value);
            self.steps = self.steps.checked_sub(members)?;
            let missing = !doc.members(value).any(|member| decode_body(member.key) == *name);
            if missing && name != OUR_MEMBER {
                return Some(Vec::new());
            }
        }
        for member in doc.members(value) {
            self.steps = self.steps.checked_sub(1)?;
            let key = decode_body(member.key);
            if let Some(inner) = node.property(&key) {
                // Its value stays as it is, and with it the verdict.
                if self.judge_at(inner, &member.value, 2) == Verdict::No {
                    return Some(Vec::from([key.into_owned()]));
                }
            } else if node.strict {
                return Some(Vec::from([key.into_owned()]));
            }
        }
        None
    }

    /// The members that a condition looks at, where it looks at no more than
    /// members of this value and their own values.
    pub(super) fn examined(&self, id: Id) -> Option<Vec<String>> {
        let node = self.schema.node(id)?;
        if !node.is_plain() {
            return None;
        }
        let named = node.properties.iter().map(|(key, _)| key);
        Some(named.chain(&node.required).cloned().collect())
    }
}

impl Node {
    /// The schema of the property with this decoded key.
    pub(super) fn property(&self, key: &str) -> Option<Id> {
        let at = self.properties.binary_search_by(|known| known.0.as_str().cmp(key)).ok()?;
        self.properties.get(at).map(|(_, id)| *id)
    }
}
