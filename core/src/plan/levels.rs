//! Trees: nodes that hold a list of nodes under one key. Cut level by level,
//! so that the upper levels stay, rather than the first branch in full; the
//! lists of the first level that does not fit share what is left.
//!
//! One pass over each level, no recursion: a cut list loses its last items, so
//! the whole cut is a row of spans that are left out.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::envelope::key_is;
use crate::json::walk::{Doc, Sort, Value};
use crate::order::{sort, sorted};
use crate::plan::account::CutKind;
use crate::plan::price::Weigh;
use crate::plan::shape::Rules;
use crate::plan::share::{Need, level};
use crate::plan::shrink::Shrink;
use crate::schema::Permit;
use crate::tools::NOTICE_MEMBER;
use result_budget_json::bytes::{find, has_quoted};

/// How many nodes, members and children are looked at to tell a tree.
const SAMPLE: usize = 32;

/// A list of nodes.
#[derive(Clone, Copy, Debug)]
struct List {
    value: Value,
    /// The list that holds the node, and the place of the node in it; none for
    /// a list of the root.
    parent: Option<(usize, usize)>,
    /// Where the key of the list begins, if a remark may stand before it.
    key_start: Option<usize>,
    /// Its items, without the lists that they hold.
    cost: usize,
    /// Weight set aside for the remark.
    remark: usize,
    of: usize,
    kept: usize,
    /// Where the last item that stays ends.
    kept_end: usize,
}

/// A change to the text of a tree.
#[derive(Clone, Copy, Debug)]
enum Edit {
    /// The remark on this list is written.
    Remark(usize),
    /// What ends here is left out.
    Gap(usize),
}

/// A node as it is read.
struct Node {
    /// Without the items of its list, the remark counted.
    base: usize,
    list: Option<List>,
}

impl<'d> Shrink<'d> {
    /// Writes `value` as a tree, where it is one and that uses the room well;
    /// tells the weight.
    pub(super) fn tree(&mut self, value: &Value, permit: Permit, room: usize) -> Option<usize> {
        let doc = self.doc();
        if self.tree_misses >= MISSES_MAX {
            return None;
        }
        let key = tree_key(doc, value)?;
        self.remarks = self.tree_permit(value, permit, key)?;
        let weigh = self.price.weigh(value);
        let lead =
            if self.pointer_is_root() && doc.sort(value) == Sort::Object { self.lead } else { 0 };
        let mut lists: Vec<List> = Vec::new();
        let mut used = lead;
        if doc.sort(value) == Sort::Array {
            used += weigh.literal("[]");
            lists.push(self.list(*value, None, None));
        } else {
            let node = self.node(value, key, None, lead == 0, weigh);
            used += node.base;
            lists.push(node.list?);
        }
        let used = self.levels(&mut lists, key, used, room, weigh);
        // Where the weight is not in the nodes, fields may be shortened.
        let used = used.filter(|used| used.saturating_mul(4) >= room.saturating_mul(3));
        if used.is_none() {
            self.tree_misses += 1;
        }
        let used = used?;
        self.write_levels(value, key, &lists, lead > 0);
        Some(used)
    }

    /// Whether a remark of ours may stand in each node; `None` where the lists of
    /// a tree may not lose all of their items, at every level.
    fn tree_permit(&mut self, value: &Value, permit: Permit, key: &str) -> Option<bool> {
        let doc = self.price.doc;
        let Some(permits) = self.permits.as_mut().filter(|_| permit != Permit::ANY) else {
            return Some(self.rules != Rules::KeepKeys);
        };
        let mut node = *value;
        let mut at = permit;
        if doc.sort(value) == Sort::Array {
            let first = doc.items(value).next()?;
            (node, at) = (first, permits.free_item(permit, doc, &first)?);
        }
        // One schema for all nodes: once it comes again, it is that of all.
        for _ in 0..3 {
            let list = doc.members(&node).find(|member| member.key == key)?.value;
            let below = permits.straight_member(at, key, doc, &list)?;
            let first = doc.items(&list).next()?;
            let next = permits.free_item(below, doc, &first)?;
            if next == at {
                return Some(
                    permits.may_add(permit, NOTICE_MEMBER) && permits.may_add(at, NOTICE_MEMBER),
                );
            }
            (node, at) = (first, next);
        }
        None
    }

    /// Fills `lists` level by level; the weight in all, or `None` where not
    /// even one node fits.
    fn levels(
        &mut self,
        lists: &mut Vec<List>,
        key: &str,
        mut used: usize,
        room: usize,
        weigh: Weigh,
    ) -> Option<usize> {
        let doc = self.doc();
        let comma = weigh.literal(self.price.comma());
        let mut from = 0;
        loop {
            let to = lists.len();
            let mut below: Vec<List> = Vec::new();
            let mut needs: Vec<Need> = Vec::new();
            for (at, list) in lists.iter_mut().enumerate().skip(from) {
                for (index, item) in doc.items(&list.value).enumerate() {
                    let node = self.node(&item, key, Some((at, index)), true, weigh);
                    list.cost += node.base + if index > 0 { comma } else { 0 };
                    below.extend(node.list);
                }
                needs.push(Need { least: 0, whole: list.cost.saturating_sub(list.remark) });
            }
            let all: usize = needs.iter().map(|need| need.whole).sum();
            if used + all <= room {
                used += all;
                for list in &mut lists[from..to] {
                    (list.kept, list.kept_end) = (list.of, list.value.end - 1);
                }
                if below.is_empty() {
                    return Some(used);
                }
                from = to;
                lists.append(&mut below);
                continue;
            }
            let water = level(&needs, room.checked_sub(used)?);
            let mut spare = room - used - needs.iter().map(|need| need.at(water)).sum::<usize>();
            let mut next = below.into_iter().peekable();
            for at in from..to {
                let need = needs[at - from];
                let share = need.at(water) + spare;
                let whole = need.whole <= share;
                let (mut taken, mut kept) = (if whole { need.whole } else { 0 }, 0);
                let value = lists[at].value;
                for (index, item) in doc.items(&value).enumerate() {
                    if !whole {
                        let node = self.node(&item, key, None, true, weigh);
                        let weight = node.base + if index > 0 { comma } else { 0 };
                        if taken + weight > share {
                            break;
                        }
                        taken += weight;
                    }
                    kept += 1;
                    lists[at].kept_end = item.end;
                    while next.peek().is_some_and(|list| list.parent == Some((at, index))) {
                        lists.extend(next.next());
                    }
                }
                while next.peek().is_some_and(|list| list.parent.is_some_and(|p| p.0 == at)) {
                    next.next();
                }
                lists[at].kept = kept;
                used += taken;
                spare = share - taken;
            }
            return lists.first().is_some_and(|root| root.kept > 0).then_some(used);
        }
    }

    fn list(&self, value: Value, parent: Option<(usize, usize)>, key: Option<usize>) -> List {
        let of = self.doc().children_items(&value);
        List {
            value,
            parent,
            key_start: key,
            cost: 0,
            remark: 0,
            of,
            kept: 0,
            kept_end: value.start + 1,
        }
    }

    /// Reads one node: what it weighs, and its list, where that holds anything.
    fn node(
        &self,
        node: &Value,
        key: &str,
        parent: Option<(usize, usize)>,
        may_remark: bool,
        weigh: Weigh,
    ) -> Node {
        let doc = self.doc();
        let whole = self.price.value(node);
        let (mut found, mut taken) = (None, false);
        for member in doc.members(node) {
            taken |= key_is(member.key, NOTICE_MEMBER);
            if found.is_none()
                && member.key == key
                && doc.sort(&member.value) == Sort::Array
                && doc.children_items(&member.value) > 0
            {
                found = Some(member);
            }
        }
        let Some(member) = found else { return Node { base: whole, list: None } };
        let remarks = may_remark && !taken && self.remarks;
        let mut list = self.list(member.value, parent, remarks.then_some(member.key_start));
        if remarks {
            list.remark = weigh.literal(&self.remark_member(list.of, list.of));
        }
        let base = whole - self.price.value(&member.value) + weigh.literal("[]") + list.remark;
        Node { base, list: Some(list) }
    }

    /// A member that tells a model how many items of the next one are shown:
    /// without it, a list that was cut to nothing looks like an empty one.
    fn remark_member(&self, kept: usize, of: usize) -> String {
        let (colon, comma) = (self.price.colon(), self.price.comma());
        format!("\"{NOTICE_MEMBER}\"{colon}\"{kept} of {of} items\"{comma}")
    }

    fn write_levels(&mut self, value: &Value, key: &'d str, lists: &[List], lead: bool) {
        let doc = self.doc();
        let mut cut: Vec<usize> =
            (0..lists.len()).filter(|at| lists[*at].kept < lists[*at].of).collect();
        // The account lists the first few: the heaviest.
        let lost = |list: &List| list.value.end - list.kept_end;
        sort(&mut cut, &|a, b| lost(&lists[b]).cmp(&lost(&lists[a])));
        for at in &cut {
            let list = lists[*at];
            let thinned = &mut self.account.thinned;
            thinned.kept += list.kept;
            thinned.of += list.of;
            thinned.lists += 1;
            thinned.emptied += usize::from(list.kept == 0);
            let steps =
                if self.account.lists_more() { self.push_path(value, key, lists, list) } else { 0 };
            self.record(CutKind::ListItems, list.kept, list.of, lost(&list), Vec::new());
            for _ in 0..steps {
                self.pointer.pop();
            }
        }
        // A remark stands before the list, the gap behind what stays of it.
        let mut edits: Vec<(usize, Edit)> = Vec::new();
        for at in cut {
            let list = lists[at];
            edits.extend(list.key_start.map(|start| (start, Edit::Remark(at))));
            edits.push((list.kept_end, Edit::Gap(list.value.end - 1)));
        }
        let order = sorted(edits.len(), &|a, b| edits[a].0.cmp(&edits[b].0));
        let strip = self.strip(value);
        let mut from = value.start;
        if lead {
            self.script.text("{");
            self.script.lead();
            self.script.text(self.price.comma());
            from = doc.members(value).next().map_or(value.end - 1, |member| member.key_start);
        }
        for (place, edit) in order.into_iter().map(|at| edits[at]) {
            self.script.span(from, place, strip);
            from = match edit {
                Edit::Remark(at) => {
                    let remark = self.remark_member(lists[at].kept, lists[at].of);
                    self.script.text(&remark);
                    place
                }
                Edit::Gap(end) => end,
            };
        }
        self.script.span(from, value.end, strip);
    }

    /// Pushes the steps from the tree to one of its lists; tells how many.
    fn push_path(&mut self, value: &Value, key: &'d str, lists: &[List], list: List) -> usize {
        let mut indexes = Vec::new();
        let mut next = list.parent;
        while let Some((at, index)) = next {
            indexes.push(index);
            next = lists[at].parent;
        }
        let mut steps = 0;
        if self.doc().sort(value) == Sort::Object {
            self.pointer.push_key(key);
            steps += 1;
        }
        for index in indexes.into_iter().rev() {
            self.pointer.push_index(index);
            self.pointer.push_key(key);
            steps += 2;
        }
        steps
    }
}

/// Trees that are planned in vain, at most: each time all nodes are read.
const MISSES_MAX: usize = 4;

/// A node up to this length is looked through before its members are walked; in
/// a longer one members are passed over without a look at what is in them.
const SMALL_BYTES: usize = 1_024;

/// The key under which the nodes of `value` hold nodes, two levels deep: seen
/// in the first few of each level.
fn tree_key<'d>(doc: &'d Doc<'d>, value: &Value) -> Option<&'d str> {
    let holds = |node: &Value, key: &str| {
        // Most nodes do not have the key at all, which is cheap to see.
        let text = doc.raw(node);
        (text.len() > SMALL_BYTES || has_quoted(text, key))
            && doc.members(node).take(SAMPLE).any(|member| {
                member.key == key
                    && doc.sort(&member.value) == Sort::Array
                    && doc.children_items(&member.value) > 0
            })
    };
    let key_of = |node: &Value| {
        // A list that holds nodes with lists opens two.
        let text = doc.raw(node);
        let list_behind = |from: usize| find(text.as_bytes(), from, b'[');
        if text.len() <= SMALL_BYTES && list_behind(0).and_then(|at| list_behind(at + 1)).is_none()
        {
            return None;
        }
        doc.members(node)
            .take(SAMPLE)
            .filter(|member| doc.sort(&member.value) == Sort::Array)
            .find(|member| {
                doc.items(&member.value).take(SAMPLE).any(|child| holds(&child, member.key))
            })
            .map(|member| member.key)
    };
    match doc.sort(value) {
        Sort::Object => key_of(value),
        Sort::Array => doc.items(value).take(SAMPLE).find_map(|node| key_of(&node)),
        Sort::String | Sort::Number | Sort::Literal => None,
    }
}
