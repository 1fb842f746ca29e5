//! Whether a value that came out is a legal cut of the one that went in.
//!
//! Kept leaves are as they were, keys keep their order, lists are prefixes,
//! strings are heads or heads and tails.

use result_budget_core::{OutputSchema, WireProfile};

use crate::text;
use crate::tree::{Member, Tree, Value, decimal};

/// What was found missing at one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    /// JSON Pointer into the original.
    pub pointer: String,
    /// What was counted.
    pub unit: Unit,
    /// How many are left.
    pub kept: usize,
    /// How many there were.
    pub of: usize,
}

/// What a cut counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Items of a list.
    Items,
    /// Members of a map.
    Members,
    /// Bytes of a string.
    Bytes,
    /// A container at the deepest level allowed.
    Depth,
}

/// Walks two trees side by side.
#[derive(Debug)]
pub struct Walk {
    /// Whether members may be dropped, and one of ours added.
    pub loose: bool,
    /// Whether a printer may have spelled strings anew.
    pub respelled: bool,
    /// Whether a text that is JSON repeats structured data, whose order and
    /// spelling it may take over.
    pub copied: bool,
    /// Whether the walk is inside JSON that a text holds.
    inside_text: bool,
    /// Every cut found.
    pub cuts: Vec<Cut>,
    /// Every breach found, at most 20.
    pub faults: Vec<String>,
    path: Vec<String>,
}

/// The member that the engine may add to open structured content.
pub const OUR_MEMBER: &str = "result_budget";

impl Walk {
    /// A walk that starts at `pointer` of the original.
    #[must_use]
    pub fn new(pointer: &str, output_schema: OutputSchema<'_>, profile: WireProfile) -> Self {
        Walk {
            loose: matches!(output_schema, OutputSchema::None),
            respelled: profile != WireProfile::Utf8Compact,
            copied: false,
            inside_text: false,
            cuts: Vec::new(),
            faults: Vec::new(),
            path: vec![pointer.to_string()],
        }
    }

    /// Compares `kept` with `original`.
    pub fn compare(&mut self, original: &Tree<'_>, kept: &Tree<'_>) {
        if original.raw == kept.raw {
            return;
        }
        match (&original.value, &kept.value) {
            (Value::Array(before), Value::Array(after)) => self.lists(before, after),
            (Value::Object(before), Value::Object(after)) => self.maps(before, after),
            (Value::String(before), Value::String(after)) => {
                self.strings(original.raw, before, after)
            }
            (Value::Array(_) | Value::Object(_) | Value::Deep, Value::String(marker))
                if marker == "[too deep]" =>
            {
                let of = original.items().len().max(original.members().len());
                self.cut(Unit::Depth, 0, of);
            }
            (Value::Array(items), Value::String(marker))
                if self.loose && *marker == format!("[0 of {} items]", items.len()) =>
            {
                self.cut(Unit::Items, 0, items.len());
            }
            (Value::Object(members), Value::String(marker))
                if self.loose && *marker == format!("[0 of {} keys]", members.len()) =>
            {
                self.cut(Unit::Members, 0, members.len());
            }
            // Inside a text that repeats structured data the other copy's
            // spelling may stand.
            (Value::Number, Value::Number)
                if self.inside_text
                    && self.copied
                    && decimal(original.raw) == decimal(kept.raw) => {}
            _ => self.fault(format!(
                "`{}` became `{}`",
                original.raw.chars().take(40).collect::<String>(),
                kept.raw.chars().take(60).collect::<String>()
            )),
        }
    }

    fn lists(&mut self, before: &[Tree<'_>], after: &[Tree<'_>]) {
        if after.len() > before.len() {
            self.fault(format!("a list grew from {} to {} items", before.len(), after.len()));
        }
        if after.len() < before.len() {
            self.cut(Unit::Items, after.len(), before.len());
        }
        for (at, (before, after)) in before.iter().zip(after).enumerate() {
            if before.raw != after.raw {
                self.path.push(at.to_string());
                self.compare(before, after);
                self.path.pop();
            }
        }
    }

    fn maps(&mut self, before: &[Member<'_>], after: &[Member<'_>]) {
        let mut order = Order::new(before, self.inside_text && self.copied);
        let mut kept = 0;
        let mut ours = 0;
        for member in after {
            match order.next(member) {
                Some(earlier) => {
                    kept += 1;
                    if !self.respelled
                        && !self.copied
                        && earlier.raw_key != member.raw_key
                        && !repaired(earlier.raw_key, member.raw_key)
                    {
                        self.fault(format!("key {} became {}", earlier.raw_key, member.raw_key));
                    }
                    if earlier.tree.raw != member.tree.raw {
                        self.path.push(escaped(&member.key));
                        self.compare(&earlier.tree, &member.tree);
                        self.path.pop();
                    }
                }
                None if self.loose && ours == 0 && is_ours(before, member) => ours += 1,
                None => self.fault(format!(
                    "key {} is not in the original, or out of order",
                    member.raw_key.chars().take(60).collect::<String>()
                )),
            }
        }
        if kept < before.len() {
            self.cut(Unit::Members, kept, before.len());
            if !self.loose {
                self.fault(format!(
                    "{} of {} members dropped without leave",
                    before.len() - kept,
                    before.len()
                ));
            }
        }
    }

    fn strings(&mut self, raw: &str, before: &str, after: &str) {
        if before == after {
            let text = self.inside_text || self.path.last().is_some_and(|step| step == "text");
            let copied = self.copied && text;
            if !self.respelled && !copied && !has_lone_surrogate(raw) {
                self.fault("a string was spelled anew".to_string());
            }
            return;
        }
        if text::is_json_container(before) && Tree::parse(after).is_some() {
            if let (Some(before), Some(after)) = (Tree::parse(before), Tree::parse(after)) {
                // No schema speaks of what stands inside a string.
                let (loose, inside) = (self.loose, self.inside_text);
                (self.loose, self.inside_text) = (true, true);
                self.compare(&before, &after);
                (self.loose, self.inside_text) = (loose, inside);
            }
            return;
        }
        match text::cut_of(before, after) {
            Ok(cut) => self.cut(Unit::Bytes, cut.head_bytes + cut.tail_bytes, before.len()),
            Err(fault) => self.fault(fault),
        }
    }

    fn cut(&mut self, unit: Unit, kept: usize, of: usize) {
        let pointer = self.pointer();
        self.cuts.push(Cut { pointer, unit, kept, of });
    }

    fn fault(&mut self, what: String) {
        if self.faults.len() < 20 {
            let place = self.pointer();
            self.faults.push(format!("{}: {what}", place.chars().take(120).collect::<String>()));
        }
    }

    fn pointer(&self) -> String {
        self.path.join("/")
    }
}

/// The members of a map, taken one after the other. Of a key that is repeated
/// the first that is left is meant, so none goes while a later one stays.
struct Order<'m, 'a> {
    members: &'m [Member<'a>],
    /// Behind the last one that was taken in order.
    next: usize,
    /// Those before `next` that were not taken.
    skipped: Vec<usize>,
    /// Whether any of them may be taken still.
    reorders: bool,
}

impl<'m, 'a> Order<'m, 'a> {
    fn new(members: &'m [Member<'a>], reorders: bool) -> Self {
        Order { members, next: 0, skipped: Vec::new(), reorders }
    }

    fn next(&mut self, member: &Member<'_>) -> Option<&'m Member<'a>> {
        let same =
            |earlier: &Member<'_>| earlier.raw_key == member.raw_key || earlier.key == member.key;
        if let Some(place) = self.skipped.iter().position(|at| same(&self.members[*at])) {
            // Out of order, or one that hides another of its name.
            let at = self.skipped[place];
            return self.reorders.then(|| {
                self.skipped.remove(place);
                &self.members[at]
            });
        }
        let ahead = self.members[self.next..].iter().position(same)?;
        let at = self.next + ahead;
        self.skipped.extend(self.next..at);
        self.next = at + 1;
        Some(&self.members[at])
    }
}

/// Whether a member of the map that was `before` is the one that the engine
/// adds: a remark that says how much of how much is shown.
fn is_ours(before: &[Member<'_>], member: &Member<'_>) -> bool {
    let tells = |text: &str| {
        let text = text.strip_suffix("; ask for less").unwrap_or(text);
        text::is_count(text.strip_suffix(" shown").unwrap_or(text))
    };
    member.key == OUR_MEMBER
        && before.iter().all(|member| member.key != OUR_MEMBER)
        && member.tree.text().is_some_and(tells)
}

/// What our member at the head of structured data tells, where it is ours.
#[must_use]
pub fn remark_in<'t>(original: &Tree<'_>, after: &'t Tree<'_>) -> Option<&'t str> {
    let before = original.member("structuredContent")?.members();
    let first = after.member("structuredContent")?.members().first()?;
    first.tree.text().filter(|_| is_ours(before, first))
}

/// A key as a step of a JSON Pointer.
#[must_use]
pub fn escaped(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

/// True where the encoded string `raw` holds half of a surrogate pair.
#[must_use]
pub fn has_lone_surrogate(raw: &str) -> bool {
    serde_json::from_str::<String>(raw).is_err()
}

fn repaired(before: &str, after: &str) -> bool {
    has_lone_surrogate(before) && crate::tree::unquoted(before) == crate::tree::unquoted(after)
}

/// True where any string of `json` holds half of a surrogate pair.
#[must_use]
pub fn has_lone_surrogate_anywhere(json: &str) -> bool {
    // Only an escape can spell one.
    let lower = |at: usize| json.as_bytes().get(at).is_some_and(|b| matches!(b, b'd' | b'D'));
    if !json.match_indices("\\u").any(|(at, _)| lower(at + 2)) {
        return false;
    }
    Tree::parse(json).is_some_and(|tree| any_lone(&tree))
}

fn any_lone(tree: &Tree<'_>) -> bool {
    match &tree.value {
        Value::String(_) => has_lone_surrogate(tree.raw),
        Value::Array(items) => items.iter().any(any_lone),
        Value::Object(members) => members
            .iter()
            .any(|member| has_lone_surrogate(member.raw_key) || any_lone(&member.tree)),
        Value::Null | Value::Bool(_) | Value::Number | Value::Deep => false,
    }
}
