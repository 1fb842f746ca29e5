//! From the text of a schema to nodes: one pass over each subschema that is
//! reached, by a list of what is still to be read.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use super::{
    ARRAY, BOOLEAN, Conditional, INTEGER, Id, NULL, NUMBER, Node, OBJECT, OUR_MEMBER,
    SCHEMA_MAX_BYTES, SCHEMA_MAX_DEPTH, STRING, SUBSCHEMAS_MAX, Schema, SchemaFault, Values,
};
use crate::envelope::{key_is, repeats};
use crate::json::pointer::decode_body;
use crate::json::walk::{Doc, Member, Sort, Value};
use crate::order::sorted;

/// Members and items that are looked at while references are followed, at
/// most.
const STEPS_MAX: usize = 1_000_000;

/// More than is read.
struct TooLarge;

impl Schema {
    /// Compiles a schema. One that is longer, deeper or has more subschemas
    /// than is read compiles to one that lets nothing be cut.
    ///
    /// # Errors
    /// [`SchemaFault`] where `text` is no schema at all.
    pub(crate) fn compile(text: &str) -> Result<Self, SchemaFault> {
        let too_long = text.len() > SCHEMA_MAX_BYTES;
        let granularity = if too_long { u32::MAX } else { 65 };
        let doc = Doc::new(text, granularity)
            .map_err(|fault| SchemaFault { offset_bytes: fault.offset_bytes })?;
        let root = doc.root();
        let is_schema = match doc.sort(&root) {
            Sort::Object => true,
            Sort::Literal => doc.raw(&root) != "null",
            Sort::Array | Sort::String | Sort::Number => false,
        };
        if !is_schema {
            return Err(SchemaFault { offset_bytes: root.start as u32 });
        }
        if too_long || doc.index.depth > SCHEMA_MAX_DEPTH {
            return Ok(Schema::not_understood());
        }
        Ok(Reader::read_all(&doc, root).unwrap_or_else(|_| Schema::not_understood()))
    }
}

struct Reader<'d, 's> {
    doc: &'d Doc<'s>,
    /// Nodes by where their subschema starts.
    known: BTreeMap<usize, usize>,
    /// Subschemas in the order of their nodes.
    waiting: Vec<Value>,
    /// Objects that references lead through: where each starts, and its place
    /// in `members`.
    indexed: BTreeMap<usize, usize>,
    /// Their members, sorted by decoded key.
    members: Vec<Vec<(String, Value)>>,
    steps: usize,
    /// An inner `$id` moves the base of references: none is followed then.
    rebased: bool,
    /// The schema says that it is of a draft before 2019-09.
    is_old: bool,
}

/// What is put together only when all members of a subschema were read.
#[derive(Default)]
struct Loose {
    /// A keyword that judges stands beside `$ref`.
    beside: bool,
    referring: bool,
    condition: Option<Id>,
    then: Option<Id>,
    otherwise: Option<Id>,
    tuple: Option<Value>,
    old_tuple: Option<Value>,
    rest: Option<Value>,
    rest_is_old: Option<Value>,
    contains: Option<Value>,
    min_contains: Option<usize>,
}

impl<'d, 's> Reader<'d, 's> {
    fn read_all(doc: &'d Doc<'s>, root: Value) -> Result<Schema, TooLarge> {
        let mut reader = Reader {
            doc,
            known: BTreeMap::new(),
            waiting: Vec::new(),
            indexed: BTreeMap::new(),
            members: Vec::new(),
            steps: 0,
            rebased: false,
            is_old: false,
        };
        reader.is_old = doc.members(&root).any(|member| {
            key_is(member.key, "$schema") && doc.body(&member.value).contains("draft-0")
        });
        reader.rebased = reader.has_inner_base(&root);
        reader.id(root)?;
        let mut nodes: Vec<Node> = Vec::new();
        // Nodes are numbered as they are met, and read in that order.
        while let Some(value) = reader.waiting.get(nodes.len()).copied() {
            let node = reader.read(value)?;
            nodes.push(node);
        }
        let mut schema = Schema { nodes };
        schema.settle_unevaluated();
        Ok(schema)
    }

    /// The node of the subschema `value`.
    fn id(&mut self, value: Value) -> Result<Id, TooLarge> {
        if let Some(known) = self.known.get(&value.start) {
            return Ok(*known as Id);
        }
        if self.waiting.len() >= SUBSCHEMAS_MAX {
            return Err(TooLarge);
        }
        let id = self.waiting.len();
        self.known.insert(value.start, id);
        self.waiting.push(value);
        Ok(id as Id)
    }

    fn ids(&mut self, list: &Value) -> Result<Vec<Id>, TooLarge> {
        let doc = self.doc;
        doc.items(list).map(|item| self.id(item)).collect()
    }

    /// Whether a subschema below the root has an `$id`, or a reference is not
    /// told by the text alone.
    fn has_inner_base(&self, root: &Value) -> bool {
        let own = self.doc.members(root).filter(|member| member.key == "$id").count();
        let text = self.doc.text;
        // Nobody spells these letters as escapes to be understood.
        let escaped = ["\\u0024", "\\u0052", "\\u006", "\\u007"];
        text.matches("\"$id\"").count() > own
            || text.contains("\"$dynamicRef\"")
            || escaped.iter().any(|escape| text.contains(escape))
    }

    fn read(&mut self, value: Value) -> Result<Node, TooLarge> {
        let doc = self.doc;
        let mut node = Node::default();
        match doc.sort(&value) {
            Sort::Object => {}
            Sort::Literal if doc.raw(&value) == "true" => return Ok(node),
            Sort::Literal | Sort::Array | Sort::String | Sort::Number => {
                node.never = doc.raw(&value) == "false";
                node.opaque = true;
                return Ok(node);
            }
        }
        // Of a keyword that is repeated validators see the last.
        node.doubtful = repeats(doc, &value);
        let mut loose = Loose::default();
        for member in doc.members(&value) {
            let inner = member.value;
            let key = decode_body(member.key);
            let judges = self.keyword(key.as_ref(), &inner, &mut node, &mut loose)?
                || self.applicator(key.as_ref(), &inner, &mut node, &mut loose)?;
            loose.beside |= judges && key.as_ref() != "$ref";
        }
        self.put_together(node, loose)
    }

    fn put_together(&mut self, mut node: Node, loose: Loose) -> Result<Node, TooLarge> {
        // What stands beside a reference is ignored in old drafts, by some.
        node.doubtful |= loose.beside && self.is_old && loose.referring;
        node.opaque |= node.doubtful;
        node.strict &= node.patterns.is_empty();
        if let Some(condition) = loose.condition {
            let (then, otherwise) = (loose.then, loose.otherwise);
            node.conditional = Some(Conditional { condition, then, otherwise });
        }
        // A list of schemas under `items` is of the old draft, where
        // `additionalItems` are the rest.
        node.item_follows = loose.old_tuple.is_some();
        for tuple in loose.old_tuple.into_iter().chain(loose.tuple) {
            node.prefix.extend(self.ids(&tuple)?);
        }
        node.opaque |= loose.old_tuple.is_some() && loose.tuple.is_some();
        let rest = if node.item_follows { loose.rest_is_old } else { loose.rest };
        if let Some(rest) = rest {
            node.item = Some(self.id(rest)?);
        }
        // The old draft has no `minContains`.
        let min_contains = if self.is_old { 1 } else { loose.min_contains.unwrap_or(1) };
        if let Some(contains) = loose.contains
            && min_contains > 0
        {
            node.unsure = true;
            node.contains = Some((self.id(contains)?, min_contains));
        }
        Ok(node)
    }

    /// Keywords that say something of the value itself; whether `key` is one.
    fn keyword(
        &mut self,
        key: &str,
        inner: &Value,
        node: &mut Node,
        loose: &mut Loose,
    ) -> Result<bool, TooLarge> {
        let doc = self.doc;
        match key {
            "type" => match types(doc, inner) {
                Some(types) => node.types = types,
                None => node.opaque = true,
            },
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
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Keywords that hold schemas; whether `key` is one.
    fn applicator(
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

    /// The decoded strings of a list.
    fn names(&self, list: &Value) -> Vec<String> {
        let doc = self.doc;
        doc.items(list).map(|name| decode_body(doc.body(&name)).into_owned()).collect()
    }

    fn properties(&mut self, object: &Value) -> Result<Vec<(String, Id)>, TooLarge> {
        let doc = self.doc;
        let mut named: Vec<(String, Id)> = Vec::new();
        for member in doc.members(object) {
            named.push((decode_body(member.key).into_owned(), self.id(member.value)?));
        }
        let order = sorted(named.len(), &|a, b| named[a].0.cmp(&named[b].0));
        let mut in_order: Vec<(String, Id)> = Vec::with_capacity(named.len());
        for at in order {
            let (name, id) = core::mem::take(&mut named[at]);
            in_order.push((name, id));
        }
        Ok(in_order)
    }

    /// A number of things; whatever is none is not understood.
    fn count(&self, opaque: &mut bool, value: &Value) -> usize {
        let raw = self.doc.raw(value);
        let whole = match raw.split_once('.') {
            Some((whole, part)) if part.bytes().all(|digit| digit == b'0') => whole,
            _ => raw,
        };
        if whole.is_empty() || !whole.bytes().all(|byte| byte.is_ascii_digit()) {
            *opaque = true;
            return 0;
        }
        whole.parse().unwrap_or(usize::MAX)
    }

    /// Where a reference leads; `None` where that is not in this document.
    fn reference(&mut self, value: &Value) -> Result<Option<Id>, TooLarge> {
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
        let doc = self.doc;
        let at = match self.indexed.get(&object.start) {
            Some(at) => *at,
            None => {
                let members: Vec<Member<'_>> = doc.members(object).collect();
                self.steps += members.len();
                let keys: Vec<_> = members.iter().map(|member| decode_body(member.key)).collect();
                let order = sorted(keys.len(), &|a, b| keys[a].cmp(&keys[b]));
                let in_order = |at: usize| (keys[at].as_ref().into(), members[at].value);
                self.members.push(order.into_iter().map(in_order).collect());
                self.indexed.insert(object.start, self.members.len() - 1);
                self.members.len() - 1
            }
        };
        self.steps += 1;
        let members = self.members.get(at)?;
        let end = members.partition_point(|(known, _)| known.as_str() <= name);
        members.get(end.checked_sub(1)?).filter(|(known, _)| known == name).map(|(_, value)| *value)
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

impl Schema {
    /// Where it hangs on the branches that hold what is evaluated, nothing is
    /// cut.
    fn settle_unevaluated(&mut self) {
        for at in 0..self.nodes.len() {
            if !self.nodes[at].unevaluated {
                continue;
            }
            let (mut waiting, mut seen) = (Vec::from([at as Id]), Vec::new());
            let mut hangs = false;
            while let Some(id) = waiting.pop() {
                if seen.contains(&id) {
                    continue;
                }
                seen.push(id);
                hangs |= seen.len() > 64;
                let Some(node) = self.node(id).filter(|_| !hangs) else { break };
                hangs |= node.opaque
                    || node.dependent
                    || !node.any.is_empty()
                    || !node.one.is_empty()
                    || node.conditional.is_some();
                waiting.extend(&node.all);
            }
            self.nodes[at].opaque |= hangs;
        }
    }
}

impl Values {
    fn add(&mut self, doc: &Doc<'_>, value: &Value) {
        match doc.sort(value) {
            Sort::String => self.strings.push(decode_body(doc.body(value)).into_owned()),
            Sort::Number => self.numbers.push(String::from(doc.raw(value))),
            Sort::Literal => self.literals |= literal(doc.raw(value)),
            Sort::Object | Sort::Array => self.containers = true,
        }
    }
}

/// A bit for each of the three literals.
pub(super) fn literal(raw: &str) -> u8 {
    match raw {
        "null" => 1,
        "true" => 2,
        _ => 4,
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
