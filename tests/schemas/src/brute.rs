//! Small schemas and small instances, every conforming cut of which is tried
//! by hand: where one fits, the bounded error is a fault.
//!
//! What fits is stated here, from the outside: a result whose
//! `structuredContent` takes `n` bytes fits a limit of `n + room_beside()`.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::case::{Fit, Made, Told, run};
use result_budget_core::Settings;

/// A schema with three valid instances, which differ.
#[derive(Clone, Debug)]
pub struct Block {
    /// What it is, in words.
    pub name: String,
    /// The schema.
    pub schema: Value,
    /// Instances of it.
    pub instances: [Value; 3],
}

/// The room that the smallest result takes beside `structuredContent`: one
/// notice of 40 bytes in the only block, and no report. It is the lowest rung
/// of the ladder, which every budget may go down to.
#[must_use]
pub fn room_beside() -> usize {
    let shell = r#"{"content":[{"type":"text","text":""}],"structuredContent":}"#;
    shell.len() + 40 + SLACK_BYTES
}

/// What the engine sets aside for a list, or a map, whose children stay as they
/// are: its brackets, twice.
const SLACK_BYTES: usize = 2;

/// The smallest error result takes 172 bytes.
const LEAST_LIMIT: usize = 176;

/// Variants of one value that are tried, at most.
const VARIANTS: usize = 4_000;

/// What the brute force has shown.
#[derive(Clone, Debug, Default)]
pub struct Brute {
    /// Schemas with an instance.
    pub pairs: usize,
    /// Those of which some cut conforms.
    pub with_a_cut: usize,
    /// Pairs and limits.
    pub points: usize,
    /// Of those, the ones at which a conforming cut fits.
    pub fitting: usize,
    /// Really cut.
    pub cut: usize,
    /// The bounded error, rightly.
    pub errors: usize,
    /// Cuts that do not conform, or break another rule.
    pub broken: Vec<String>,
    /// The bounded error where a conforming cut fits, by kind of schema: how
    /// often, and the shortest.
    pub missed: BTreeMap<String, Missed>,
}

/// Errors where a conforming cut fits.
#[derive(Clone, Debug, Default)]
pub struct Missed {
    /// How many.
    pub count: usize,
    /// The most bytes that were to spare.
    pub spare_bytes: usize,
    /// The shortest of them.
    pub shortest: String,
}

/// Tries every pair at a ladder of limits.
#[must_use]
pub fn brute(fit: Fit, blocks: &[Block]) -> Brute {
    let mut found = Brute::default();
    for block in blocks {
        let Ok(told) = Told::new(&block.schema, false) else {
            found.broken.push(format!("{} is no schema", block.name));
            continue;
        };
        for instance in &block.instances {
            if !told.oracle.is_valid(instance) {
                found.broken.push(format!("{}: {instance} is not valid", block.name));
                continue;
            }
            found.pairs += 1;
            pair(fit, block, &told, instance, &mut found);
        }
    }
    found
}

fn pair(fit: Fit, block: &Block, told: &Told, instance: &Value, found: &mut Brute) {
    let mut cuts = cuts(instance);
    cuts.sort_by_cached_key(|cut| cut.to_string().len());
    let least = cuts.iter().find(|cut| told.oracle.is_valid(cut)).unwrap_or(instance);
    let result = json!({"content": [], "structuredContent": instance}).to_string();
    let enough = least.to_string().len() + room_beside();
    found.with_a_cut += usize::from(enough < result.len());
    let mut limits = vec![enough, enough + 1, enough + 9, enough + 48, enough - 1];
    limits.extend([176, 200, 232, 256, 300, 380, 512, 600, 800]);
    limits.extend([result.len() - 1, result.len() * 3 / 4]);
    limits.retain(|limit| (LEAST_LIMIT..result.len()).contains(limit));
    limits.sort_unstable();
    limits.dedup();
    for limit in limits {
        let mut settings = Settings::default();
        let bytes = u32::try_from(limit).unwrap_or(u32::MAX);
        settings.limits.max_result_bytes = bytes;
        settings.limits.max_text_bytes = bytes;
        found.points += 1;
        found.fitting += usize::from(limit >= enough);
        let (made, faults) = run(fit, told, &result, &settings);
        for fault in faults {
            found.broken.push(format!(
                "{}: {}; limit {limit}\n    schema: {}\n    result: {result}\n    {}",
                fault.rule, block.name, told.text, fault.what
            ));
        }
        match made {
            Made::Cut(_) => found.cut += 1,
            Made::Error if limit >= enough => {
                let text = format!(
                    "limit {limit}, enough {enough}\n    schema: {}\n    result: {result}\n    \
                     fits: {least}",
                    told.text
                );
                let row = found.missed.entry(block.name.clone()).or_default();
                row.count += 1;
                row.spare_bytes = row.spare_bytes.max(limit - enough);
                if row.count == 1 || text.len() < row.shortest.len() {
                    row.shortest = text;
                }
            }
            Made::Error => found.errors += 1,
            Made::Refused(why) => found.broken.push(format!("refused: {}: {why}", block.name)),
            Made::Whole | Made::Beside => {}
        }
    }
}

/// Every cut of a value, itself included: fewer items from the end, any
/// members, strings of more than 64 bytes to a few lengths.
#[must_use]
pub fn cuts(value: &Value) -> Vec<Value> {
    match value {
        Value::String(text) if text.len() > 64 => {
            let mut found = vec![value.clone()];
            for kept in [0, 12, 40] {
                let head: String = text.chars().take(kept).collect();
                let marker = format!("{head}...[{kept} of {} bytes]", text.len());
                found.push(Value::String(marker));
            }
            found
        }
        Value::Array(items) => {
            let mut found = vec![Value::Array(Vec::new())];
            let mut heads: Vec<Vec<Value>> = vec![Vec::new()];
            for item in items {
                let variants = cuts(item);
                heads = heads
                    .iter()
                    .flat_map(|head| {
                        variants.iter().map(move |last| {
                            let mut row = head.clone();
                            row.push(last.clone());
                            row
                        })
                    })
                    .take(VARIANTS)
                    .collect();
                found.extend(heads.iter().cloned().map(Value::Array));
            }
            found
        }
        Value::Object(members) => {
            let mut found: Vec<Map<String, Value>> = vec![Map::new()];
            for (key, member) in members {
                let variants = cuts(member);
                let with = found.iter().flat_map(|head| {
                    variants.iter().map(move |value| {
                        let mut object = head.clone();
                        object.insert(key.clone(), value.clone());
                        object
                    })
                });
                let with: Vec<Map<String, Value>> = with.take(VARIANTS).collect();
                found.extend(with);
                found.truncate(VARIANTS);
            }
            found.into_iter().map(Value::Object).collect()
        }
        _ => vec![value.clone()],
    }
}

impl Brute {
    /// The counts, in one line.
    #[must_use]
    pub fn line(&self) -> String {
        let missed: usize = self.missed.values().map(|missed| missed.count).sum();
        format!(
            "{} small schemas with an instance, {} with a conforming cut; {} points, a cut fits at \
             {}: {} really cut, {} errors where none fits, {missed} errors where one fits, {} faults",
            self.pairs,
            self.with_a_cut,
            self.points,
            self.fitting,
            self.cut,
            self.errors,
            self.broken.len()
        )
    }

    /// The counts, and what is wrong, the shortest first.
    #[must_use]
    pub fn summary(&self) -> String {
        let mut text = format!("{}\n", self.line());
        let mut broken = self.broken.clone();
        broken.sort_by_key(String::len);
        for fault in broken.iter().take(8) {
            text.push_str(&format!("BROKEN {fault:.3000}\n"));
        }
        let mut missed: Vec<_> = self.missed.iter().collect();
        missed.sort_by_key(|(_, missed)| missed.shortest.len());
        for (name, Missed { count, spare_bytes, shortest }) in missed.iter().take(25) {
            text.push_str(&format!(
                "MISSED {count} times, with up to {spare_bytes} bytes to spare: {name}; \
                 {shortest:.3000}\n"
            ));
        }
        for (name, Missed { count, spare_bytes, .. }) in missed.iter().skip(25) {
            text.push_str(&format!("missed, too: {count} times, {spare_bytes} to spare: {name}\n"));
        }
        text
    }
}

/// Every schema that is put together from a few parts.
#[must_use]
pub fn blocks() -> Vec<Block> {
    let leaves = leaves();
    let middles: Vec<Block> = leaves.iter().flat_map(middles).collect();
    leaves.iter().chain(&middles).flat_map(objects).collect()
}

fn prose(at: usize) -> Value {
    let text = ["first line of a text", "second text of the three", "third and last of them all"];
    Value::from(format!("{}, {}.", text[at], ["and so on and on"; 7].join(" ")))
}

fn block(name: impl Into<String>, schema: Value, make: impl Fn(usize) -> Value) -> Block {
    Block { name: name.into(), schema, instances: [make(0), make(1), make(2)] }
}

/// Scalars, and a value of which nothing is said.
fn leaves() -> Vec<Block> {
    vec![
        block("text", json!({"type": "string"}), prose),
        block("text with minLength", json!({"type": "string", "minLength": 40}), prose),
        block("text with maxLength", json!({"type": "string", "maxLength": 160}), prose),
        block("text with a pattern", json!({"type": "string", "pattern": "^[a-z ,.]+$"}), prose),
        block("one of two texts", json!({"enum": [prose(0), prose(1), prose(2)]}), prose),
        block("number", json!({"type": "integer", "minimum": 7}), |at| json!(7 + at)),
        block("text or null", json!({"anyOf": [{"type": "string"}, {"type": "null"}]}), prose),
        block("anything", json!({}), |at| json!({"a": prose(at), "b": [1, 2, 3], "c": true})),
    ]
}

/// Lists, maps and unions of one block.
fn middles(of: &Block) -> Vec<Block> {
    let (name, schema) = (&of.name, &of.schema);
    let row = |at: usize| {
        let mut row = of.instances.to_vec();
        row.rotate_left(at);
        Value::Array(row)
    };
    let list = |words: &str, more: Value| {
        let mut list = json!({"type": "array", "items": schema});
        for (key, value) in more.as_object().into_iter().flatten() {
            list[key] = value.clone();
        }
        block(format!("list of {name}{words}"), list, row)
    };
    let number_row = |at: usize| json!([of.instances[at], -7, of.instances[(at + 1) % 3]]);
    let map = |at: usize| json!({"k": of.instances[at], "l": of.instances[(at + 1) % 3]});
    let told = |kind: &str, key: &str, of: Value| {
        json!({
            "type": "object",
            "properties": {"kind": {"const": kind}, key: of},
            "required": ["kind"],
        })
    };
    let found = vec![
        list("", json!({})),
        list(", minItems 1", json!({"minItems": 1})),
        list(", minItems 2", json!({"minItems": 2})),
        list(", unique", json!({"uniqueItems": true})),
        block(
            format!("tuple of {name} and number"),
            json!({"type": "array", "prefixItems": [schema, {"type": "integer"}], "items": schema}),
            number_row,
        ),
        block(
            format!("list that contains -7, of {name}"),
            json!({"type": "array", "items": {"anyOf": [{"const": -7}, schema]}, "contains": {"const": -7}}),
            number_row,
        ),
        block(
            format!("map of {name}"),
            json!({"additionalProperties": schema, "type": "object"}),
            map,
        ),
        block(
            format!("map of {name}, minProperties 1"),
            json!({"type": "object", "additionalProperties": schema, "minProperties": 1}),
            map,
        ),
        block(
            format!("map by pattern of {name}"),
            json!({"type": "object", "patternProperties": {"^[kl]$": schema}, "additionalProperties": false}),
            map,
        ),
        block(
            format!("one of two kinds, of {name}"),
            json!({"oneOf": [told("a", "x", schema.clone()), told("b", "y", schema.clone())]}),
            |at| json!({"kind": "a", "x": of.instances[at]}),
        ),
        block(
            format!("any of two shapes, of {name}"),
            json!({"anyOf": [told("b", "y", schema.clone()), told("a", "x", schema.clone())]}),
            |at| json!({"x": of.instances[at], "kind": "a"}),
        ),
        block(
            format!("if it is of a kind then {name}"),
            json!({
                "type": "object",
                "properties": {"kind": {"enum": ["a", "b"]}, "x": schema},
                "required": ["kind"],
                "if": {"properties": {"kind": {"const": "a"}}, "required": ["kind"]},
                "then": {"required": ["x"]},
            }),
            |at| json!({"kind": if at == 0 { "b" } else { "a" }, "x": of.instances[at]}),
        ),
    ];
    found.into_iter().collect()
}

/// Objects with the block as a member, beside a small one.
fn objects(of: &Block) -> Vec<Block> {
    let (name, schema) = (&of.name, &of.schema);
    let make = |at: usize| match at {
        0 => json!({"a": of.instances[0], "b": 1}),
        1 => json!({"b": 2, "a": of.instances[1]}),
        _ => json!({"c": "not named", "a": of.instances[2], "b": 3}),
    };
    let named = |at: usize| match at {
        0 => json!({"a": of.instances[0], "b": 1}),
        1 => json!({"a": of.instances[1]}),
        _ => json!({"b": 3, "a": of.instances[2]}),
    };
    let both = |at: usize| json!({"a": of.instances[at], "b": at});
    let object = |words: &str, more: Value, make: &dyn Fn(usize) -> Value| {
        let mut object = json!({
            "type": "object",
            "properties": {"a": schema, "b": {"type": "integer"}},
        });
        for (key, value) in more.as_object().into_iter().flatten() {
            object[key] = value.clone();
        }
        block(format!("object{words}, a is {name}"), object, make)
    };
    vec![
        object("", json!({}), &make),
        object(" that requires a", json!({"required": ["a"]}), &make),
        object(" that requires b", json!({"required": ["b"]}), &make),
        object(" that requires both", json!({"required": ["a", "b"]}), &both),
        object(" that is closed", json!({"additionalProperties": false}), &named),
        object(
            " that is closed and requires a",
            json!({"additionalProperties": false, "required": ["a"]}),
            &named,
        ),
        object(" with minProperties 1", json!({"minProperties": 1}), &make),
        object(" with dependentRequired", json!({"dependentRequired": {"b": ["a"]}}), &both),
        object(" by allOf", json!({"allOf": [{"required": ["b"]}, {"type": "object"}]}), &make),
        block(
            format!("object by reference, a is {name}"),
            json!({
                "$ref": "#/$defs/o",
                "$defs": {
                    "o": {
                        "type": "object",
                        "properties": {"a": schema, "b": {"type": "integer"}},
                        "required": ["b"],
                    },
                },
            }),
            make,
        ),
    ]
}
