//! What a schema says of an object's members: which must be there, which are
//! named, and which schemas hold for one by its name.

use std::collections::BTreeSet;

use regex::Regex;
use serde_json::{Map, Value};

use crate::flat::Flat;

/// What a schema says of an object's members.
pub(crate) struct Members<'s> {
    pub(crate) required: BTreeSet<&'s str>,
    pub(crate) named: Vec<&'s str>,
    pub(crate) dependent: Vec<(&'s str, Vec<&'s str>)>,
    pub(crate) patterns: Vec<(&'s str, Option<Regex>)>,
    /// Of each schema object: names, patterns, and what holds for the rest.
    groups: Vec<Group<'s>>,
    unevaluated: Vec<&'s Value>,
}

struct Group<'s> {
    named: Option<&'s Map<String, Value>>,
    patterns: Vec<(Option<Regex>, &'s Value)>,
    rest: Option<&'s Value>,
}

impl<'s> Members<'s> {
    pub(crate) fn of(flat: &Flat<'s>) -> Self {
        let mut rules = Members {
            required: flat.forced.iter().copied().collect(),
            named: Vec::new(),
            dependent: Vec::new(),
            patterns: Vec::new(),
            groups: Vec::new(),
            unevaluated: flat.all("unevaluatedProperties").collect(),
        };
        let texts = |value: &'s Value| {
            value.as_array().into_iter().flatten().filter_map(Value::as_str).collect::<Vec<_>>()
        };
        for object in &flat.objects {
            rules.required.extend(object.get("required").map(texts).unwrap_or_default());
            for name in ["dependentRequired", "dependencies"] {
                for (key, value) in
                    object.get(name).and_then(Value::as_object).into_iter().flatten()
                {
                    if value.is_array() {
                        rules.dependent.push((key, texts(value)));
                    }
                }
            }
            let named = object.get("properties").and_then(Value::as_object);
            rules.named.extend(named.into_iter().flatten().map(|(key, _)| key.as_str()));
            let patterns = object.get("patternProperties").and_then(Value::as_object);
            let patterns: Vec<(&str, &Value)> = patterns
                .into_iter()
                .flatten()
                .map(|(pattern, schema)| (pattern.as_str(), schema))
                .collect();
            rules.patterns.extend(patterns.iter().map(|(text, _)| (*text, Regex::new(text).ok())));
            rules.groups.push(Group {
                named,
                patterns: patterns
                    .iter()
                    .map(|(text, value)| (Regex::new(text).ok(), *value))
                    .collect(),
                rest: object.get("additionalProperties"),
            });
        }
        rules
    }

    /// The schemas of a member; `None` where it may not be there.
    pub(crate) fn schemas_of(&self, name: &str) -> Option<Vec<&'s Value>> {
        let mut found: Vec<&Value> = Vec::new();
        for group in &self.groups {
            let before = found.len();
            found.extend(group.named.and_then(|named| named.get(name)));
            for (pattern, schema) in &group.patterns {
                if pattern.as_ref().is_some_and(|pattern| pattern.is_match(name)) {
                    found.push(schema);
                }
            }
            if found.len() == before {
                found.extend(group.rest);
            }
        }
        if found.is_empty() {
            found.extend(&self.unevaluated);
        }
        (!found.iter().any(|schema| **schema == Value::Bool(false))).then_some(found)
    }
}
