//! Keywords of JSON Schema, each read into its node.

use alloc::string::String;
use alloc::vec::Vec;

use super::compile::{Loose, Reader, TooLarge};
use super::{ARRAY, BOOLEAN, INTEGER, NULL, NUMBER, Node, OBJECT, OUR_MEMBER, STRING, Values};
use crate::envelope::key_is;
use crate::json::pointer::decode_body;
use crate::json::walk::{Doc, Member, Sort, Value};
use crate::order::sorted;

impl Reader<'_, '_> {
    /// Keywords that say something of the value itself; whether `key` is one.
    pub(super) fn keyword(
        &self,
        key: &str,
        inner: &Value,
        node: &mut Node,
        loose: &mut Loose,
    ) -> bool {
        let doc = self.doc;
        match key {
            "type" => match types(doc, inner) {
                Some(types) => node.types = types,
                None => node.opaque = true,
            },
            // No word of JSON Schema: some readers add null to the types.
            "nullable" => {
                node.unsure = true;
                loose.nullable = doc.raw(inner) == "true";
            }
            "const" | "enum" => {
                node.unsure |= node.values.is_some();
                let mut values = Values::default();
                if key == "const" {
                    values.add(doc, inner);
                } else {
                    node.opaque |= doc.sort(inner) != Sort::Array;
                    doc.items(inner).for_each(|item| values.add(doc, &item));
                }
                node.values = Some(values);
            }
            "minLength" => {
                node.unsure = true;
                node.min_length = self.count(&mut node.opaque, inner);
            }
            "maxLength" => {
                node.unsure = true;
                node.has_max_length = true;
            }
            "pattern" | "format" | "contentEncoding" | "contentMediaType" | "contentSchema" => {
                node.unsure = true;
                node.fixed_string = true;
            }
            "minItems" => node.min_items = self.count(&mut node.opaque, inner),
            "uniqueItems" => {
                if doc.raw(inner) != "false" {
                    node.unsure = true;
                    node.fixed_items = true;
                }
            }
            "minContains" => loose.min_contains = Some(self.count(&mut node.opaque, inner)),
            "maxContains" => {
                node.unsure = true;
                node.fixed_items = true;
            }
            "required" => {
                // In draft-04 a boolean: not ours to judge.
                node.opaque |= doc.sort(inner) != Sort::Array;
                let names = self.names(inner);
                let order = sorted(names.len(), &|a, b| names[a].cmp(&names[b]));
                node.required = order.into_iter().map(|at| names[at].clone()).collect();
                node.required.dedup();
            }
            "maxProperties" => {
                node.unsure = true;
                node.closed = true;
            }
            "minProperties" => {
                node.unsure = true;
                node.min_properties = self.count(&mut node.opaque, inner);
            }
            "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf"
            | "maxItems" => node.unsure = true,
            // Notes, definitions, and words of other vocabularies: they judge
            // nothing.
            _ => return false,
        }
        true
    }

    /// Keywords that hold schemas; whether `key` is one.
    pub(super) fn applicator(
        &mut self,
        key: &str,
        inner: &Value,
        node: &mut Node,
        loose: &mut Loose,
    ) -> Result<bool, TooLarge> {
        let doc = self.doc;
        match key {
            "$ref" => {
                loose.referring = true;
                match self.reference(inner)? {
                    Some(id) => node.all.push(id),
                    None => node.opaque = true,
                }
            }
            "$dynamicRef" | "$recursiveRef" | "not" | "disallow" | "extends" => {
                node.opaque = true;
            }
            "items" if doc.sort(inner) == Sort::Array => loose.old_tuple = Some(*inner),
            "items" => loose.rest = Some(*inner),
            "additionalItems" => loose.rest_is_old = Some(*inner),
            "prefixItems" => loose.tuple = Some(*inner),
            "contains" => loose.contains = Some(*inner),
            "unevaluatedItems" => {
                node.unsure = true;
                node.fixed_items = true;
                node.unevaluated = true;
            }
            "properties" => node.properties = self.properties(inner)?,
            "patternProperties" => {
                let members: Vec<Value> = doc.members(inner).map(|m| m.value).collect();
                node.unsure |= !members.is_empty();
                node.closed |= !members.is_empty();
                for member in members {
                    node.patterns.push(self.id(member)?);
                }
            }
            "additionalProperties" | "unevaluatedProperties" => {
                let free = doc.raw(inner) == "true" || is_empty(doc, inner);
                node.closed |= !free;
                node.unevaluated |= !free && key == "unevaluatedProperties";
                if doc.raw(inner) != "false" {
                    node.unsure |= !free;
                    if !free {
                        node.additional.push(self.id(*inner)?);
                    }
                } else if key == "additionalProperties" {
                    node.strict = true;
                } else {
                    node.unsure = true;
                }
            }
            "propertyNames" => {
                node.unsure = true;
                node.closed = true;
            }
            "dependentRequired" | "dependentSchemas" | "dependencies" => {
                node.unsure = true;
                let members: Vec<Member<'_>> = doc.members(inner).collect();
                for Member { key, value, .. } in members {
                    node.asks_ours |= key_is(key, OUR_MEMBER);
                    if doc.sort(&value) == Sort::Array {
                        let asks = decode_body(key);
                        let names = self.names(&value).into_iter();
                        node.wanted.extend(names.map(|name| (String::from(asks.as_ref()), name)));
                    } else {
                        node.dependent = true;
                        node.all.push(self.id(value)?);
                    }
                }
            }
            "allOf" => node.all.extend(self.ids(inner)?),
            "anyOf" => node.any.push(self.ids(inner)?),
            "oneOf" => node.one.push(self.ids(inner)?),
            "if" => loose.condition = Some(self.id(*inner)?),
            "then" => loose.then = Some(self.id(*inner)?),
            "else" => loose.otherwise = Some(self.id(*inner)?),
            _ => return Ok(false),
        }
        Ok(true)
    }
}

fn is_empty(doc: &Doc<'_>, value: &Value) -> bool {
    doc.sort(value) == Sort::Object && doc.children_items(value) == 0
}

fn types(doc: &Doc<'_>, value: &Value) -> Option<u8> {
    let one = |value: &Value| match doc.body(value) {
        "null" => Some(NULL),
        "boolean" => Some(BOOLEAN),
        "object" => Some(OBJECT),
        "array" => Some(ARRAY),
        "number" => Some(NUMBER),
        "integer" => Some(NUMBER | INTEGER),
        "string" => Some(STRING),
        _ => None,
    };
    match doc.sort(value) {
        Sort::String => one(value),
        Sort::Array => {
            let (mut all, mut wide) = (0, false);
            for item in doc.items(value) {
                let bits = one(&item)?;
                wide |= bits == NUMBER;
                all |= bits;
            }
            // `number` beside `integer` is `number`.
            Some(if wide { all & !INTEGER } else { all })
        }
        Sort::Object | Sort::Number | Sort::Literal => None,
    }
}
