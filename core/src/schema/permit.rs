//! What may be cut at a value: the nodes that hold there, put together.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::judge::{HELD_MAX, Judge, STEPS_MAX, Verdict};
use super::{Id, Node, Schema};
use crate::envelope::repeats;
use crate::json::pointer::decode_body;
use crate::json::walk::{Doc, Sort, Value};

/// What may be cut at one value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Permit(u32);

impl Permit {
    /// Nothing: the value stays as it is.
    pub(crate) const WHOLE: Permit = Permit(0);
    /// Everything but its type.
    pub(crate) const ANY: Permit = Permit(1);
}

/// What must be kept of a string that may be shortened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Text {
    /// Code points, markers counted.
    pub(crate) min_chars: usize,
    /// It may not have more code points than it had.
    pub(crate) is_bounded: bool,
}

/// Steps of judging for one plan, beside one for each byte of the document.
const STEPS: usize = 200_000;

/// Places of which the nodes are remembered, at most: keys of a map are the
/// tool's to choose.
const MEMO_MAX: usize = 2_048;

/// Permits of a schema, each made once.
#[derive(Debug)]
pub(crate) struct Permits<'s> {
    schema: &'s Schema,
    known: Vec<Held>,
    /// Permits by their nodes and pins, and what stands below a permit, by
    /// its place.
    memo: Vec<(String, Below)>,
    /// Permits that hang on the value, by where that starts.
    hanging: BTreeMap<usize, usize>,
    /// Steps of judging that are left: the work stays linear.
    steps: usize,
}

/// The nodes that hold at a place, and their permit where no branch hangs on
/// the value.
#[derive(Clone, Debug, Default)]
struct Below {
    nodes: Vec<Id>,
    permit: Option<Permit>,
}

/// The nodes of a permit.
#[derive(Debug, Default)]
struct Held {
    nodes: Vec<Id>,
    /// Members that stay as they are, since a branch hangs on them.
    pins: Vec<String>,
}

impl<'s> Permits<'s> {
    pub(crate) fn new(schema: &'s Schema, document_bytes: usize) -> Self {
        Permits {
            schema,
            known: Vec::from([Held::default(), Held::default()]),
            memo: Vec::new(),
            hanging: BTreeMap::new(),
            steps: STEPS + document_bytes,
        }
    }

    /// The permit of the whole value.
    pub(crate) fn root(&mut self, doc: &Doc<'_>, value: &Value) -> Permit {
        self.resolve(Vec::from([0]), doc, value).0
    }

    /// The permit of an item.
    pub(crate) fn item(
        &mut self,
        parent: Permit,
        at: usize,
        doc: &Doc<'_>,
        value: &Value,
    ) -> Permit {
        if parent <= Permit::ANY {
            return parent;
        }
        if self.nodes(parent).any(|node| node.fixed_items) {
            return Permit::WHOLE;
        }
        let prefix = self.nodes(parent).map(|node| node.prefix.len()).max().unwrap_or(0);
        let mut place = format!("{}[{}", parent.0, at.min(prefix));
        // What is counted by `contains` goes on to be.
        let mut counted = Vec::new();
        for (id, _) in self.contains(parent) {
            match self.counts(id, doc, value) {
                Some(true) => {
                    insert(&mut counted, id);
                    place += &format!("+{id}");
                }
                Some(false) => {}
                None => return Permit::WHOLE,
            }
        }
        let schema = self.schema;
        self.below(parent, place, doc, value, |node| {
            let own = node.prefix.get(at).copied();
            let rest = node.item.filter(|_| own.is_none() || !node.item_follows);
            // Who takes `false` for all items has refused them all before.
            let rest = rest
                .filter(|rest| own.is_none() || schema.node(*rest).is_none_or(|node| !node.never));
            let contains = node.contains.map(|(id, _)| id).filter(|id| counted.contains(id));
            own.into_iter().chain(rest).chain(contains).collect()
        })
    }

    fn contains(&self, permit: Permit) -> Vec<(Id, usize)> {
        self.nodes(permit).filter_map(|node| node.contains).collect()
    }

    /// Whether an item is surely one of those that `contains` counts; `None`
    /// where the steps have ended.
    fn counts(&mut self, id: Id, doc: &Doc<'_>, item: &Value) -> Option<bool> {
        let mut judge = self.judge(doc);
        let had = judge.steps;
        let verdict = judge.judge(id, item);
        let left = judge.steps;
        self.steps -= had - left;
        (left > 0).then_some(verdict == Verdict::Yes)
    }

    /// The permit of a member's value.
    pub(crate) fn member(
        &mut self,
        parent: Permit,
        key: &str,
        doc: &Doc<'_>,
        value: &Value,
    ) -> Permit {
        if parent <= Permit::ANY {
            return parent;
        }
        let key = decode_body(key);
        if self.is_pinned(parent, &key) {
            return Permit::WHOLE;
        }
        let place = format!("{}.{key}", parent.0);
        self.below(parent, place, doc, value, |node| {
            let named = node.property(&key);
            let other: &[Id] = if named.is_some() { &[] } else { &node.additional };
            named.into_iter().chain(other.iter().chain(&node.patterns).copied()).collect()
        })
    }

    /// The permit of a member's value, where it is the same for all values.
    pub(crate) fn straight_member(
        &mut self,
        parent: Permit,
        key: &str,
        doc: &Doc<'_>,
        value: &Value,
    ) -> Option<Permit> {
        let permit = self.member(parent, key, doc, value);
        (!self.hanging.contains_key(&value.start)).then_some(permit)
    }

    /// The permit of an item, where it is the same for all items and the list
    /// may lose all of them.
    pub(crate) fn free_item(
        &mut self,
        parent: Permit,
        doc: &Doc<'_>,
        value: &Value,
    ) -> Option<Permit> {
        let permit = self.item(parent, 0, doc, value);
        let is_free =
            |node: &Node| node.min_items == 0 && node.contains.is_none() && node.prefix.is_empty();
        let is_same = !self.hanging.contains_key(&value.start);
        (is_same && parent != Permit::WHOLE && self.nodes(parent).all(is_free)).then_some(permit)
    }

    fn below(
        &mut self,
        parent: Permit,
        place: String,
        doc: &Doc<'_>,
        value: &Value,
        of: impl Fn(&Node) -> Vec<Id>,
    ) -> Permit {
        let nodes = match self.known_as(&place).ok() {
            Some(Below { permit: Some(permit), .. }) => return *permit,
            Some(Below { nodes, permit: None }) => nodes.clone(),
            None => {
                let mut nodes = Vec::new();
                self.nodes(parent).flat_map(of).for_each(|id| insert(&mut nodes, id));
                nodes
            }
        };
        if let Some(known) = self.hanging.get(&value.start) {
            return Permit(*known as u32);
        }
        let (permit, hangs) = self.resolve(nodes.clone(), doc, value);
        self.remember(place, Below { nodes, permit: (!hangs).then_some(permit) });
        if hangs {
            self.hanging.insert(value.start, permit.0 as usize);
        }
        permit
    }

    /// What is remembered under a name, or the place for it.
    fn known_as(&self, name: &str) -> Result<&Below, usize> {
        let at = self.memo.partition_point(|(known, _)| known.as_str() < name);
        match self.memo.get(at) {
            Some((known, below)) if known == name => Ok(below),
            Some(_) | None => Err(at),
        }
    }

    fn push(&mut self, nodes: Vec<Id>, pins: Vec<String>) -> Permit {
        self.known.push(Held { nodes, pins });
        Permit(self.known.len() as u32 - 1)
    }

    fn remember(&mut self, name: String, below: Below) {
        if self.memo.len() < MEMO_MAX
            && let Err(at) = self.known_as(&name)
        {
            self.memo.insert(at, (name, below));
        }
    }

    fn held(&self, permit: Permit) -> Option<&Held> {
        self.known.get(permit.0 as usize)
    }

    fn is_pinned(&self, permit: Permit, key: &str) -> bool {
        self.held(permit).is_none_or(|held| has(&held.pins, key))
    }

    fn nodes(&self, permit: Permit) -> impl Iterator<Item = &'s Node> {
        let schema = self.schema;
        let ids = self.held(permit).map_or(&[][..], |held| &held.nodes);
        ids.iter().filter_map(move |id| schema.node(*id))
    }

    /// What a string must keep; `None` where it stays as it is.
    pub(crate) fn text(&self, permit: Permit) -> Option<Text> {
        if permit <= Permit::ANY {
            return (permit == Permit::ANY).then_some(Text::default());
        }
        let mut text = Text::default();
        for node in self.nodes(permit) {
            if node.fixed_string {
                return None;
            }
            text.min_chars = text.min_chars.max(node.min_length);
            text.is_bounded |= node.has_max_length;
        }
        Some(text)
    }

    /// Items that a list must keep, from its start.
    pub(crate) fn min_items(&mut self, permit: Permit, doc: &Doc<'_>, value: &Value) -> usize {
        if permit <= Permit::ANY {
            return if permit == Permit::ANY { 0 } else { usize::MAX };
        }
        let mut least = self.nodes(permit).map(|node| node.min_items).max().unwrap_or(0);
        for (id, count) in self.contains(permit) {
            least = least.max(self.contained(id, count, doc, value));
        }
        least
    }

    /// Items up to the `count`-th that is surely one of those.
    fn contained(&mut self, id: Id, count: usize, doc: &Doc<'_>, value: &Value) -> usize {
        let mut found = 0;
        for (at, item) in doc.items(value).enumerate() {
            match self.counts(id, doc, &item) {
                Some(true) => found += 1,
                Some(false) => {}
                None => return usize::MAX,
            }
            if found >= count {
                return at + 1;
            }
        }
        usize::MAX
    }

    fn judge<'j>(&self, doc: &'j Doc<'j>) -> Judge<'j>
    where
        's: 'j,
    {
        Judge { schema: self.schema, doc, steps: self.steps.min(STEPS_MAX) }
    }

    /// Whether a member must stay, by its encoded key.
    pub(crate) fn requires(&self, permit: Permit, key: &str) -> bool {
        if permit <= Permit::ANY {
            return permit == Permit::WHOLE;
        }
        let key = decode_body(key);
        self.is_pinned(permit, &key) || self.nodes(permit).any(|node| has(&node.required, &key))
    }

    /// Pairs of decoded names: where the first stays, so does the second.
    pub(crate) fn wanted(&self, permit: Permit) -> Vec<&'s (String, String)> {
        self.nodes(permit).flat_map(|node| &node.wanted).collect()
    }

    /// Members that an object must keep.
    pub(crate) fn min_members(&self, permit: Permit) -> usize {
        if permit == Permit::WHOLE {
            return usize::MAX;
        }
        self.nodes(permit).map(|node| node.min_properties).max().unwrap_or(0)
    }

    /// Whether a member of ours, a string, may be added under a plain key.
    pub(crate) fn may_add(&self, permit: Permit, key: &str) -> bool {
        if permit <= Permit::ANY {
            return permit == Permit::ANY;
        }
        !self.is_pinned(permit, key)
            && !self.nodes(permit).any(|node| node.asks_ours)
            && self.nodes(permit).all(|node| match node.property(key) {
                Some(inner) => self.schema.node(inner).is_some_and(Node::admits_a_string),
                None => !node.closed,
            })
    }

    /// The permit of a value at which `nodes` hold, and whether that hangs on
    /// the value.
    fn resolve(&mut self, mut waiting: Vec<Id>, doc: &Doc<'_>, value: &Value) -> (Permit, bool) {
        let schema = self.schema;
        let mut judge = self.judge(doc);
        let had = judge.steps;
        let mut held: Vec<Id> = Vec::new();
        let mut pins: Vec<String> = Vec::new();
        let (mut hangs, mut whole) = (false, false);
        while let Some(id) = waiting.pop() {
            if held.binary_search(&id).is_ok() {
                continue;
            }
            let Some(node) = schema.node(id).filter(|_| held.len() < HELD_MAX) else {
                whole = true;
                break;
            };
            insert(&mut held, id);
            whole |= node.opaque || node.values.is_some();
            waiting.extend(&node.all);
            let branches =
                !node.any.is_empty() || !node.one.is_empty() || node.conditional.is_some();
            if branches {
                hangs = true;
                // Of a key that is repeated validators see one value.
                whole |= doc.sort(value) == Sort::Object && repeats(doc, value);
                whole |= !branch(node, &mut judge, value, &mut waiting, &mut pins);
            }
        }
        self.steps -= had - judge.steps;
        // Where the steps ended, that hangs on what was judged before.
        hangs |= self.steps == 0;
        let is_free = |id: &Id| schema.node(*id).is_some_and(Node::is_free);
        let permit = if whole {
            Permit::WHOLE
        } else if pins.is_empty() && held.iter().all(is_free) {
            Permit::ANY
        } else {
            self.name(held, pins)
        };
        (permit, hangs)
    }

    fn name(&mut self, nodes: Vec<Id>, pins: Vec<String>) -> Permit {
        let mut key = String::from("=");
        for id in &nodes {
            key += &format!("{id},");
        }
        // Pins are of one value, as a rule: who has some is not remembered.
        if !pins.is_empty() {
            return self.push(nodes, pins);
        }
        if let Ok(Below { permit: Some(known), .. }) = self.known_as(&key) {
            return *known;
        }
        let permit = self.push(nodes, pins);
        self.remember(key, Below { nodes: Vec::new(), permit: Some(permit) });
        permit
    }
}

/// Whether a sorted list has this name.
fn has(names: &[String], name: &str) -> bool {
    names.binary_search_by(|known| known.as_str().cmp(name)).is_ok()
}

/// Puts `item` into its place in a list without repetitions.
fn insert<T: Ord>(list: &mut Vec<T>, item: T) {
    if let Err(at) = list.binary_search(&item) {
        list.insert(at, item);
    }
}

/// Adds the branches of `node` that hold at `value`, and the members on which
/// that hangs; `false` where that is not told.
fn branch(
    node: &Node,
    judge: &mut Judge<'_>,
    value: &Value,
    waiting: &mut Vec<Id>,
    pins: &mut Vec<String>,
) -> bool {
    for any in &node.any {
        let mut chosen = Vec::new();
        for branch in any {
            match judge.judge(*branch, value) {
                Verdict::Yes => {
                    chosen = Vec::from([*branch]);
                    break;
                }
                Verdict::Unsure => chosen.push(*branch),
                Verdict::No => {}
            }
        }
        // What keeps each of them keeps whichever holds.
        waiting.extend(chosen);
    }
    for one in &node.one {
        let mut left = Vec::new();
        for branch in one {
            match judge.excluded(*branch, value) {
                Some(why) => why.into_iter().for_each(|key| insert(pins, key)),
                None => left.push(*branch),
            }
        }
        match left.as_slice() {
            [only] => waiting.push(*only),
            [] | [..] => return false,
        }
    }
    if let Some(conditional) = node.conditional
        && (conditional.then.is_some() || conditional.otherwise.is_some())
    {
        let Some(keys) = judge.examined(conditional.condition) else { return false };
        keys.into_iter().for_each(|key| insert(pins, key));
        let verdict = judge.judge(conditional.condition, value);
        if verdict != Verdict::No {
            waiting.extend(conditional.then);
        }
        if verdict != Verdict::Yes {
            waiting.extend(conditional.otherwise);
        }
    }
    true
}
