//! What a tool's output schema lets us cut (contract B9).
//!
//! A schema is compiled to nodes, one for each subschema, and a node to what
//! keeps a valid value valid: the fewest items, the members that must stay,
//! the strings that must not change. It is no validator. The rule is
//! *preservation*: the result was valid before, and every cut that is allowed
//! here leaves it so. No cut changes the type of a value. What is not
//! understood is left whole.
//!
//! Dialects 2020-12 and draft-07; where the two differ, what holds under both.
//! `$ref` is followed inside the document, and nowhere else.

mod compile;
mod judge;
mod kept;
mod keyword;
mod permit;
mod reference;

use alloc::string::String;
use alloc::vec::Vec;

use crate::json::walk::{Doc, Value};

pub use self::kept::Schemas;
pub(crate) use self::permit::{Permit, Permits, Text};

/// The longest schema that is read, in bytes. Of a longer one nothing is
/// understood.
pub const SCHEMA_MAX_BYTES: usize = 1_024 * 1_024;

/// Subschemas that are read, at most.
pub const SUBSCHEMAS_MAX: usize = 10_000;

/// Containers nested in one another in a schema, at most.
pub const SCHEMA_MAX_DEPTH: u32 = 512;

/// Why a text is no schema: it is not JSON, or neither an object nor a
/// boolean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SchemaFault {
    /// Offset of the first byte at fault.
    pub(crate) offset_bytes: u32,
}

/// A compiled output schema.
#[derive(Debug)]
pub(crate) struct Schema {
    nodes: Vec<Node>,
}

/// The place of a node in its schema.
type Id = u32;

/// What one subschema says, as far as a cut can break it.
#[derive(Debug, Default)]
struct Node {
    /// `false`, or a keyword that we do not judge: the value stays whole.
    opaque: bool,
    /// What is written beside it may count or not (a repeated keyword, a
    /// neighbour of `$ref` in an old draft): nothing is judged by it.
    doubtful: bool,
    /// The schema `false`.
    never: bool,
    /// Keywords that matter to validity, and that `judge` does not look at.
    unsure: bool,
    /// Types that are allowed, as bits; all of them where zero.
    types: u8,
    /// The values of `const` or `enum`.
    values: Option<Values>,
    /// `pattern`, `format` and their like: a string stays as it is.
    fixed_string: bool,
    /// `minLength`, in code points.
    min_length: usize,
    /// There is a `maxLength`.
    has_max_length: bool,
    /// `minItems`.
    min_items: usize,
    /// `uniqueItems` and others: items may go, and none may change.
    fixed_items: bool,
    /// `items`, or `additionalItems` behind a list of schemas.
    item: Option<Id>,
    /// `item` begins behind the prefix. Not so for `prefixItems`: who reads
    /// the older draft does not know that, and takes `items` for all of them.
    item_follows: bool,
    prefix: Vec<Id>,
    /// `contains` with `minContains`.
    contains: Option<(Id, usize)>,
    /// Decoded names, sorted, each once.
    required: Vec<String>,
    /// `dependentRequired`: a name, and another that it asks for.
    wanted: Vec<(String, String)>,
    /// Sorted by decoded key.
    properties: Vec<(String, Id)>,
    /// `patternProperties`: whatever the key, all of them are obeyed.
    patterns: Vec<Id>,
    /// `additionalProperties` and `unevaluatedProperties`.
    additional: Vec<Id>,
    /// `additionalProperties` is `false`, and no pattern says more.
    strict: bool,
    /// `minProperties`.
    min_properties: usize,
    /// Whether no member of ours may be added, unless it is named.
    closed: bool,
    /// `unevaluatedProperties` or `unevaluatedItems`: what is evaluated hangs
    /// on which branches hold.
    unevaluated: bool,
    all: Vec<Id>,
    any: Vec<Vec<Id>>,
    one: Vec<Vec<Id>>,
    conditional: Option<Conditional>,
    /// There is a schema that holds where a member is present.
    dependent: bool,
    /// Our member would ask for others.
    asks_ours: bool,
}

/// The values of an `enum`, decoded.
#[derive(Debug, Default)]
struct Values {
    strings: Vec<String>,
    /// Numbers, as they are spelled.
    numbers: Vec<String>,
    /// `null`, `true` and `false`, as bits.
    literals: u8,
    /// Some value is an object or a list: those are not compared.
    containers: bool,
}

#[derive(Clone, Copy, Debug)]
struct Conditional {
    condition: Id,
    then: Option<Id>,
    otherwise: Option<Id>,
}

/// The member that we may add.
const OUR_MEMBER: &str = crate::tools::NOTICE_MEMBER;

const NULL: u8 = 1;
const BOOLEAN: u8 = 2;
const OBJECT: u8 = 4;
const ARRAY: u8 = 8;
const NUMBER: u8 = 16;
const STRING: u8 = 32;
/// Set beside [`NUMBER`] where only integers are allowed.
const INTEGER: u8 = 64;

impl Schema {
    fn node(&self, id: Id) -> Option<&Node> {
        self.nodes.get(id as usize)
    }

    /// Whether a member of ours, a string, may be added to a whole value.
    pub(crate) fn admits_member(&self, doc: &Doc<'_>, value: &Value) -> bool {
        let mut permits = Permits::new(self, doc.text.len());
        let permit = permits.root(doc, value);
        permits.may_add(permit, OUR_MEMBER)
    }

    /// A schema of which nothing is understood: everything stays whole.
    fn not_understood() -> Self {
        Schema { nodes: Vec::from([Node { opaque: true, ..Node::default() }]) }
    }
}

impl Node {
    /// Whether every cut that keeps the type is legal as far as this node
    /// goes. Branches and what holds beside it are nodes of their own.
    fn is_free(&self) -> bool {
        self.says_little() && self.required.is_empty() && self.properties.is_empty()
    }

    /// Whether it says nothing that a cut could break, but for members by
    /// their names.
    fn says_little(&self) -> bool {
        !self.fixed_string
            && self.min_length == 0
            && !self.has_max_length
            && self.min_items == 0
            && !self.fixed_items
            && self.contains.is_none()
            && self.wanted.is_empty()
            && self.min_properties == 0
            && !self.closed
            && self.item.is_none()
            && self.prefix.is_empty()
            && self.patterns.is_empty()
            && self.additional.is_empty()
    }

    /// Whether it says no more than a type, and what members there are.
    fn is_plain(&self) -> bool {
        let branches = self.all.is_empty()
            && self.any.is_empty()
            && self.one.is_empty()
            && self.conditional.is_none();
        branches
            && !self.never
            && !self.opaque
            && !self.unsure
            && self.values.is_none()
            && self.says_little()
    }

    /// Whether any short text is valid.
    fn admits_a_string(&self) -> bool {
        (self.types == 0 || self.types & STRING != 0) && self.is_plain()
    }
}
