//! From the text of a schema to nodes: one pass over each subschema that is
//! reached, by a list of what is still to be read.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use super::{
    Conditional, Id, NULL, Node, SCHEMA_MAX_BYTES, SCHEMA_MAX_DEPTH, SUBSCHEMAS_MAX, Schema,
    SchemaFault, Values,
};
use crate::envelope::{key_is, repeats};
use crate::json::pointer::decode_body;
use crate::json::walk::{Doc, Sort, Value};
use crate::order::sorted;

/// More than is read.
pub(super) struct TooLarge;

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

pub(super) struct Reader<'d, 's> {
    pub(super) doc: &'d Doc<'s>,
    /// Nodes by where their subschema starts.
    pub(super) known: BTreeMap<usize, usize>,
    /// Subschemas in the order of their nodes.
    pub(super) waiting: Vec<Value>,
    /// Objects that references lead through: where each starts, and its place
    /// in `members`.
    pub(super) indexed: BTreeMap<usize, usize>,
    /// Their members, sorted by decoded key.
    pub(super) members: Vec<Vec<(String, Value)>>,
    pub(super) steps: usize,
    /// An inner `$id` moves the base of references: none is followed then.
    pub(super) rebased: bool,
    /// The schema says that it is of a draft before 2019-09.
    pub(super) is_old: bool,
    /// It says that it is of draft 2020-12.
    pub(super) is_new: bool,
}

/// What is put together only when all members of a subschema were read.
#[derive(Default)]
pub(super) struct Loose {
    /// A keyword that judges stands beside `$ref`.
    pub(super) beside: bool,
    pub(super) referring: bool,
    pub(super) nullable: bool,
    pub(super) condition: Option<Id>,
    pub(super) then: Option<Id>,
    pub(super) otherwise: Option<Id>,
    pub(super) tuple: Option<Value>,
    pub(super) old_tuple: Option<Value>,
    pub(super) rest: Option<Value>,
    pub(super) rest_is_old: Option<Value>,
    pub(super) contains: Option<Value>,
    pub(super) min_contains: Option<usize>,
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
            is_new: false,
        };
        let says = |draft: &str| {
            doc.members(&root).any(|member| {
                key_is(member.key, "$schema") && doc.body(&member.value).contains(draft)
            })
        };
        reader.is_old = says("draft-0");
        reader.is_new = says("2020-12");
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
    pub(super) fn id(&mut self, value: Value) -> Result<Id, TooLarge> {
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

    pub(super) fn ids(&mut self, list: &Value) -> Result<Vec<Id>, TooLarge> {
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
            let judges = self.keyword(key.as_ref(), &inner, &mut node, &mut loose)
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
        if loose.nullable && node.types != 0 {
            node.types |= NULL;
        }
        if let Some(condition) = loose.condition {
            let (then, otherwise) = (loose.then, loose.otherwise);
            node.conditional = Some(Conditional { condition, then, otherwise });
        }
        // A list of schemas under `items` is of the old draft, where
        // `additionalItems` are the rest.
        node.item_follows = loose.old_tuple.is_some() || (loose.tuple.is_some() && self.is_new);
        for tuple in loose.old_tuple.into_iter().chain(loose.tuple) {
            node.prefix.extend(self.ids(&tuple)?);
        }
        node.opaque |= loose.old_tuple.is_some() && loose.tuple.is_some();
        let rest = if loose.old_tuple.is_some() { loose.rest_is_old } else { loose.rest };
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

    /// The decoded strings of a list.
    pub(super) fn names(&self, list: &Value) -> Vec<String> {
        let doc = self.doc;
        doc.items(list).map(|name| decode_body(doc.body(&name)).into_owned()).collect()
    }

    /// The members of an object, sorted by decoded key: of each the last.
    pub(super) fn in_order(&self, object: &Value) -> Vec<(String, Value)> {
        let members: Vec<_> = self.doc.members(object).collect();
        let keys: Vec<_> = members.iter().map(|member| decode_body(member.key)).collect();
        let order = sorted(keys.len(), &|a, b| keys[a].cmp(&keys[b]));
        let last = |at: usize| order.get(at + 1).is_none_or(|next| keys[*next] != keys[order[at]]);
        let places = (0..order.len()).filter(|at| last(*at)).map(|at| order[at]);
        places.map(|at| (String::from(keys[at].as_ref()), members[at].value)).collect()
    }

    pub(super) fn properties(&mut self, object: &Value) -> Result<Vec<(String, Id)>, TooLarge> {
        let named = self.in_order(object).into_iter();
        named.map(|(name, value)| Ok((name, self.id(value)?))).collect()
    }

    /// A number of things; whatever is none is not understood.
    pub(super) fn count(&self, opaque: &mut bool, value: &Value) -> usize {
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
    pub(super) fn add(&mut self, doc: &Doc<'_>, value: &Value) {
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
