//! Grows an instance from a schema: large where the schema lets it be large.
//! What comes out is likely to be valid; the oracle decides.

use std::collections::BTreeSet;

use result_budget_support::random::Random;
use serde_json::{Map, Number, Value};

use crate::flat::{Flat, Root};
use crate::members::Members;
use crate::schema::is_draft_7;
use crate::text;

/// Levels after which only what must be there is there.
const SIMPLE_DEPTH: usize = 7;

/// Levels that nothing goes below.
const MAX_DEPTH: usize = 24;

/// Grows one instance.
#[derive(Debug)]
pub struct Grower<'s> {
    root: Root<'s>,
    random: Random,
    /// Bytes that may still be spent; what must be there is there all the same.
    room: isize,
    /// Steps until it is given up.
    steps: usize,
}

impl<'s> Grower<'s> {
    /// A grower of about `room` bytes.
    #[must_use]
    pub fn new(schema: &'s Value, seed: u64, room: usize) -> Self {
        let room = isize::try_from(room).unwrap_or(isize::MAX);
        let root = Root { schema, is_old: is_draft_7(schema) };
        Grower { root, random: Random::new(seed), room, steps: 60_000 }
    }

    /// An instance; `None` where none was found.
    pub fn grow(&mut self) -> Option<Value> {
        self.value(&[self.root.schema], 0)
    }

    fn value(&mut self, seeds: &[&'s Value], depth: usize) -> Option<Value> {
        self.steps = self.steps.checked_sub(1)?;
        if depth > MAX_DEPTH {
            return None;
        }
        let simple = depth >= SIMPLE_DEPTH || self.room <= 0;
        let flat = self.root.flatten(seeds, &mut self.random, simple)?;
        if let Some(value) = flat.all("const").next() {
            return Some(self.spent(value.clone()));
        }
        if let Some(values) = flat.all("enum").find_map(Value::as_array) {
            let types = flat.types();
            let fits = |value: &&Value| {
                let integer = value.is_i64() || value.is_u64();
                types.contains(&name_of(value)) || integer && types.contains(&"integer")
            };
            let values: Vec<&Value> = values.iter().filter(fits).collect();
            if values.is_empty() {
                return None;
            }
            let value = (*self.random.pick(&values)).clone();
            return Some(self.spent(value));
        }
        let name = self.name(&flat, simple)?;
        match name {
            "object" => self.object(&flat, depth),
            "array" => self.array(&flat, depth),
            "string" => self.string(&flat, simple).map(|text| self.spent(Value::String(text))),
            "integer" | "number" => {
                let value = self.number(&flat, name == "integer")?;
                Some(self.spent(value))
            }
            "boolean" => {
                let value = Value::Bool(self.random.once_in(2));
                Some(self.spent(value))
            }
            _ => Some(self.spent(Value::Null)),
        }
    }

    fn spent(&mut self, value: Value) -> Value {
        let bytes = match &value {
            Value::String(text) => text.len() + 2,
            Value::Object(_) | Value::Array(_) => 20,
            _ => 5,
        };
        self.room -= isize::try_from(bytes).unwrap_or(isize::MAX) + 1;
        value
    }

    /// One of the types that are left: what the keywords speak of, mostly.
    fn name(&mut self, flat: &Flat<'s>, simple: bool) -> Option<&'static str> {
        let mut left = flat.types();
        let spoken = |name: &str| {
            let keywords: &[&str] = match name {
                "object" => &OF_OBJECTS,
                "array" => &OF_ARRAYS,
                "string" => &["minLength", "maxLength", "pattern", "format"],
                _ => &["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
            };
            keywords.iter().any(|keyword| flat.all(keyword).next().is_some())
        };
        let of_number = left.contains(&"number");
        if of_number {
            left.retain(|name| *name != "integer");
        }
        let hinted: Vec<&'static str> = left.iter().copied().filter(|name| spoken(name)).collect();
        if !hinted.is_empty() && !self.random.once_in(20) {
            return Some(*self.random.pick(&hinted));
        }
        if left.len() > 2 && simple {
            left.retain(|name| !matches!(*name, "object" | "array"));
        } else if left.len() > 2 && self.random.once_in(2) {
            left.retain(|name| matches!(*name, "object" | "array" | "string"));
        }
        (!left.is_empty()).then(|| *self.random.pick(&left))
    }

    fn number(&mut self, flat: &Flat<'s>, whole: bool) -> Option<Value> {
        let step = flat.top("multipleOf").filter(|step| *step > 0.0);
        let unit = step.unwrap_or(if whole { 1.0 } else { 0.25 });
        let low = [flat.top("minimum"), flat.top("exclusiveMinimum").map(|low| low + unit)];
        let high =
            [flat.bottom("maximum"), flat.bottom("exclusiveMaximum").map(|high| high - unit)];
        let low = low.into_iter().flatten().reduce(f64::max);
        let high = high.into_iter().flatten().reduce(f64::min);
        if step.is_none() && low.is_none() && high.is_none() && self.random.once_in(20) {
            return Some(Value::from(9_007_199_254_740_993_i64));
        }
        let (low, high) = match (low, high) {
            (Some(low), Some(high)) => (low, high),
            (Some(low), None) => (low, low + 1_000.0 * unit),
            (None, Some(high)) => (high - 1_000.0 * unit, high),
            (None, None) => (-100.0, 900.0),
        };
        let steps = ((high - low) / unit).clamp(0.0, 1_000_000.0) as usize;
        let mut value = low + unit * self.random.below(steps + 1) as f64;
        if let Some(step) = step {
            value = (value / step).ceil() * step;
        } else if whole {
            value = value.ceil();
        }
        if value.fract() == 0.0 && value.abs() < 9e15 {
            return Some(Value::from(value as i64));
        }
        Number::from_f64(value).map(Value::Number)
    }

    fn string(&mut self, flat: &Flat<'s>, simple: bool) -> Option<String> {
        let min = flat.most("minLength").unwrap_or(0);
        let max = flat.least("maxLength").unwrap_or(usize::MAX);
        if let Some(pattern) = flat.texts("pattern").next() {
            let repeat = *self.random.pick(&[2, 8, 40, 400]);
            let mut text = text::of_pattern(&mut self.random, pattern, repeat.max(min))?;
            let length = text.chars().count();
            if length < min && !pattern.ends_with('$') {
                text.push_str(&"x".repeat(min - length));
            }
            return Some(text);
        }
        let format = flat.texts("format").next();
        if let Some(text) = format.and_then(|name| text::of_format(&mut self.random, name)) {
            return Some(text);
        }
        if flat.texts("contentMediaType").any(|name| name == "application/json") {
            return Some(String::from(r#"{"a":[1,2,3],"b":"text"}"#));
        }
        if flat.texts("contentEncoding").next().is_some() {
            return Some(
                "aGVsbG8gd29ybGQsIHRoaXMgaXMgYmFzZTY0ISEh".repeat(1 + self.random.below(20)),
            );
        }
        let wanted = if simple {
            self.random.below(8)
        } else {
            let most = *self.random.pick(&[8, 8, 30, 30, 200, 200, 2_000]);
            1 + self.random.below(most)
        };
        Some(text::prose(&mut self.random, wanted.clamp(min.min(max), max.max(min))))
    }

    fn array(&mut self, flat: &Flat<'s>, depth: usize) -> Option<Value> {
        self.room -= 2;
        let min = flat.most("minItems").unwrap_or(0);
        let max = flat.least("maxItems").unwrap_or(usize::MAX);
        let contains = self.contained(flat);
        let least = contains.iter().map(|(_, count)| *count).sum::<usize>().max(min).min(max);
        let wanted = if self.room <= 0 || depth >= SIMPLE_DEPTH {
            least
        } else {
            let most = *self.random.pick(&[3, 20, 20, 60, 200, 2_000]);
            (least + self.random.below(most + 1)).min(max)
        };
        let unique = flat.all("uniqueItems").any(|value| value == &Value::Bool(true));
        let mut seen = BTreeSet::new();
        let mut items: Vec<Value> = Vec::new();
        // Where items are that `contains` speaks of: anywhere.
        let mut places: Vec<Option<&'s Value>> = vec![None; wanted];
        for (schema, count) in &contains {
            let mut left = *count;
            for _ in 0..wanted * 4 + 8 {
                if left == 0 || wanted == 0 {
                    break;
                }
                let at = self.random.below(wanted);
                if places[at].is_none() {
                    places[at] = Some(*schema);
                    left -= 1;
                }
            }
        }
        for at in 0..wanted {
            let pending = places[at..].iter().any(Option::is_some);
            if self.room <= 0 && items.len() >= min && !pending {
                break;
            }
            let mut seeds = item_schemas(flat, at);
            seeds.extend(places[at]);
            let tries = if unique { 6 } else { 2 };
            let mut found = None;
            for _ in 0..tries {
                let Some(item) = self.value(&seeds, depth + 1) else { continue };
                if !unique || seen.insert(item.to_string()) {
                    found = Some(item);
                    break;
                }
            }
            match found {
                Some(item) => items.push(item),
                None if items.len() >= min => break,
                None => return None,
            }
        }
        Some(Value::Array(items))
    }

    /// What each `contains` wants, and how many of it.
    fn contained(&mut self, flat: &Flat<'s>) -> Vec<(&'s Value, usize)> {
        let mut found = Vec::new();
        for object in &flat.objects {
            let Some(schema) = object.get("contains") else { continue };
            let number = |key: &str| object.get(key).and_then(Value::as_f64).map(|n| n as usize);
            let min = number("minContains").unwrap_or(1);
            let max = number("maxContains").unwrap_or(min + 4).max(min);
            found.push((schema, min + self.random.below(max - min + 1)));
        }
        found
    }

    fn object(&mut self, flat: &Flat<'s>, depth: usize) -> Option<Value> {
        self.room -= 2;
        let rules = Members::of(flat);
        let mut names: Vec<String> =
            rules.required.iter().map(|name| (*name).to_string()).collect();
        let least = flat.most("minProperties").unwrap_or(0);
        let most = flat.least("maxProperties").unwrap_or(usize::MAX);
        let simple = depth >= SIMPLE_DEPTH || self.room <= 0;
        let one_in = *self.random.pick(&[1, 1, 2, 4]);
        for name in &rules.named {
            if (!simple && self.random.once_in(one_in)) && names.len() < most {
                push(&mut names, name);
            }
        }
        let extra = if simple { 0 } else { *self.random.pick(&[0, 0, 1, 5, 5, 40]) };
        let wanted = (names.len() + extra).max(least).min(most);
        for turn in 0..(wanted * 3 + 8) {
            if names.len() >= wanted {
                break;
            }
            if let Some(name) = self.invented(flat, &rules, turn)
                && rules.schemas_of(&name).is_some()
            {
                push(&mut names, &name);
            }
        }
        loop {
            let before = names.len();
            for (key, needed) in &rules.dependent {
                if names.iter().any(|name| name == key) {
                    needed.iter().for_each(|name| push(&mut names, name));
                }
            }
            if names.len() == before {
                break;
            }
        }
        if names.len() < least || names.len() > most {
            return None;
        }
        if self.random.once_in(3) {
            for at in (1..names.len()).rev() {
                let other = self.random.below(at + 1);
                names.swap(at, other);
            }
        }
        let mut members = Map::new();
        for name in names {
            let needed = rules.required.contains(name.as_str());
            let Some(seeds) = rules.schemas_of(&name) else {
                if needed {
                    return None;
                }
                continue;
            };
            self.room -= isize::try_from(name.len() + 4).unwrap_or(4);
            match self.value(&seeds, depth + 1) {
                Some(value) => {
                    members.insert(name, value);
                }
                None if needed => return None,
                None => {}
            }
        }
        Some(Value::Object(members))
    }

    /// A name for a member that the schema does not name.
    fn invented(&mut self, flat: &Flat<'s>, rules: &Members<'s>, turn: usize) -> Option<String> {
        let ruled: Vec<&'s Value> = flat.all("propertyNames").collect();
        if !ruled.is_empty() {
            let flat = self.root.flatten(&ruled, &mut self.random, false)?;
            if let Some(values) = flat.all("enum").find_map(Value::as_array) {
                return Some(self.random.pick(values).as_str()?.to_string());
            }
            return self.string(&flat, true);
        }
        if !rules.patterns.is_empty() && !self.random.once_in(4) {
            let (pattern, _) = rules.patterns[self.random.below(rules.patterns.len())];
            let repeat = *self.random.pick(&[2, 6]);
            return text::of_pattern(&mut self.random, pattern, repeat);
        }
        let kind = *self.random.pick(&["extra", "note", "détail", "x/~y"]);
        Some(format!("{kind}_{}", turn + self.random.below(3)))
    }
}

fn push(names: &mut Vec<String>, name: &str) {
    if !names.iter().any(|known| known == name) {
        names.push(name.to_string());
    }
}

fn name_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// The schemas of the item at `at`.
fn item_schemas<'s>(flat: &Flat<'s>, at: usize) -> Vec<&'s Value> {
    let mut found: Vec<&Value> = Vec::new();
    for object in &flat.objects {
        let (prefix, rest) = match object.get("items") {
            Some(Value::Array(tuple)) => (Some(tuple), object.get("additionalItems")),
            rest => (object.get("prefixItems").and_then(Value::as_array), rest),
        };
        found.extend(prefix.and_then(|prefix| prefix.get(at)).or(rest));
    }
    if found.is_empty() {
        found.extend(flat.all("unevaluatedItems"));
    }
    found
}

const OF_OBJECTS: [&str; 11] = [
    "properties",
    "required",
    "patternProperties",
    "additionalProperties",
    "propertyNames",
    "minProperties",
    "maxProperties",
    "dependentRequired",
    "dependentSchemas",
    "dependencies",
    "unevaluatedProperties",
];

const OF_ARRAYS: [&str; 10] = [
    "items",
    "prefixItems",
    "additionalItems",
    "contains",
    "minItems",
    "maxItems",
    "uniqueItems",
    "minContains",
    "maxContains",
    "unevaluatedItems",
];
