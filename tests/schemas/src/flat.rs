//! All schema objects that hold at one place, references and branches
//! followed: one branch is chosen where there are several.

use std::ptr;

use result_budget_support::random::Random;
use serde_json::{Map, Value};

use crate::schema::resolve;

/// One document.
#[derive(Clone, Copy, Debug)]
pub struct Root<'s> {
    /// The whole schema.
    pub schema: &'s Value,
    /// It is of draft-07: what stands beside a `$ref` is not read.
    pub is_old: bool,
}

/// What holds at one place.
#[derive(Clone, Debug, Default)]
pub struct Flat<'s> {
    /// Schema objects, each of which holds.
    pub objects: Vec<&'s Map<String, Value>>,
    /// Members that a chosen branch hangs on.
    pub forced: Vec<&'s str>,
}

impl<'s> Root<'s> {
    /// What holds where `seeds` hold. `simple` prefers branches that are small.
    /// `None` where nothing is valid.
    pub fn flatten(
        self,
        seeds: &[&'s Value],
        random: &mut Random,
        simple: bool,
    ) -> Option<Flat<'s>> {
        let mut flat = Flat::default();
        let mut waiting: Vec<&Value> = seeds.iter().rev().copied().collect();
        while let Some(schema) = waiting.pop() {
            let object = match schema {
                Value::Object(object) => object,
                Value::Bool(true) => continue,
                _ => return None,
            };
            if flat.objects.len() > 200 {
                return None;
            }
            if flat.objects.iter().any(|known| ptr::eq(*known, object)) {
                continue;
            }
            for name in ["$ref", "$dynamicRef"] {
                if let Some(target) = object.get(name).and_then(Value::as_str) {
                    waiting.extend(resolve(self.schema, target));
                }
            }
            if self.is_old && object.contains_key("$ref") {
                continue;
            }
            flat.objects.push(object);
            waiting.extend(list(object, "allOf"));
            for name in ["anyOf", "oneOf"] {
                let branches: Vec<&Value> = list(object, name).collect();
                if !branches.is_empty() {
                    let branch = *random.pick(&branches);
                    let small = branches.iter().copied().find(|branch| is_small(branch));
                    waiting.push(if simple { small.unwrap_or(branch) } else { branch });
                }
            }
            if let Some(condition) = object.get("if") {
                if random.once_in(2) {
                    waiting.push(condition);
                    waiting.extend(object.get("then"));
                } else {
                    waiting.extend(object.get("else"));
                }
            }
            for name in ["dependentSchemas", "dependencies"] {
                let members = object.get(name).and_then(Value::as_object);
                for (key, schema) in members.into_iter().flatten() {
                    if !schema.is_array() && random.once_in(2) {
                        flat.forced.push(key);
                        waiting.push(schema);
                    }
                }
            }
        }
        Some(flat)
    }
}

impl<'s> Flat<'s> {
    /// Every value of a keyword.
    pub fn all<'k>(&'k self, keyword: &'k str) -> impl Iterator<Item = &'s Value> + 'k {
        self.objects.iter().filter_map(move |object| object.get(keyword))
    }

    /// The largest value of a keyword that is a count.
    #[must_use]
    pub fn most(&self, keyword: &str) -> Option<usize> {
        self.all(keyword).filter_map(count).max()
    }

    /// The smallest one.
    #[must_use]
    pub fn least(&self, keyword: &str) -> Option<usize> {
        self.all(keyword).filter_map(count).min()
    }

    /// The largest value of a keyword that is a number.
    #[must_use]
    pub fn top(&self, keyword: &str) -> Option<f64> {
        self.all(keyword).filter_map(Value::as_f64).reduce(f64::max)
    }

    /// The smallest one.
    #[must_use]
    pub fn bottom(&self, keyword: &str) -> Option<f64> {
        self.all(keyword).filter_map(Value::as_f64).reduce(f64::min)
    }

    /// Every text under a keyword.
    pub fn texts<'k>(&'k self, keyword: &'k str) -> impl Iterator<Item = &'s str> + 'k {
        self.all(keyword).filter_map(Value::as_str)
    }

    /// The types that are left, by the names of the standard.
    #[must_use]
    pub fn types(&self) -> Vec<&'static str> {
        let mut left = TYPES.to_vec();
        for value in self.all("type") {
            let named: Vec<&str> = match value {
                Value::String(name) => vec![name],
                Value::Array(names) => names.iter().filter_map(Value::as_str).collect(),
                _ => Vec::new(),
            };
            let holds = |name: &str| {
                named.contains(&name) || name == "integer" && named.contains(&"number")
            };
            left.retain(|name| holds(name));
        }
        left
    }
}

/// The items of a list under a keyword.
fn list<'s>(object: &'s Map<String, Value>, keyword: &str) -> impl Iterator<Item = &'s Value> {
    object.get(keyword).and_then(Value::as_array).into_iter().flatten()
}

fn count(value: &Value) -> Option<usize> {
    value.as_f64().filter(|number| *number >= 0.0).map(|number| number as usize)
}

/// Whether its instances are scalars.
fn is_small(schema: &Value) -> bool {
    let of_type = |name: &Value| !matches!(name.as_str(), Some("object" | "array") | None);
    schema.get("type").is_some_and(of_type)
        || schema.get("const").is_some_and(|value| !value.is_object() && !value.is_array())
}

const TYPES: [&str; 7] = ["object", "array", "string", "integer", "number", "boolean", "null"];
