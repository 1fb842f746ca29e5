//! Whether a text block says again what `structuredContent` says, in one of
//! the five forms that occur.

use std::collections::BTreeSet;

use crate::tree::{Tree, Value};

/// A way in which text repeats `structuredContent`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Form {
    /// The text is JSON, equal as a value.
    Whole,
    /// The text is JSON, equal to this member.
    Member(String),
    /// The text is this member's string itself.
    MemberText(String),
    /// The text is JSON of a map whose only member `result` is the value.
    Wrapped,
    /// One block per item of the list: of this member, or of the whole.
    PerItem(Option<String>),
}

/// The forms that `result` has, each with the (first) block that has it.
/// Members count only where they are at least half of `structuredContent`, and
/// no scalar that is equal by chance, and are looked for in the first blocks,
/// but for one block an item.
#[must_use]
pub fn forms(result: &Tree<'_>) -> Vec<(Form, usize)> {
    let half = result.member("structuredContent").map_or(0, |tree| tree.raw.len().div_ceil(2));
    forms_of_members(result, half)
}

/// The blocks that the engine may take for copies, also of a small member.
#[must_use]
pub fn may_repeat(result: &Tree<'_>) -> BTreeSet<usize> {
    let mut blocks = BTreeSet::new();
    for (form, block) in forms_of_members(result, 0) {
        match form {
            Form::PerItem(_) => blocks.extend(texts(result).into_iter().map(|(at, _)| at)),
            Form::Whole | Form::Member(_) | Form::MemberText(_) | Form::Wrapped => {
                blocks.insert(block);
            }
        }
    }
    blocks
}

fn forms_of_members(result: &Tree<'_>, least_bytes: usize) -> Vec<(Form, usize)> {
    let mut forms = Vec::new();
    let Some(structured) = result.member("structuredContent") else {
        return forms;
    };
    if !structured.is_container() {
        return forms;
    }
    let texts = texts(result);
    let first = || texts.iter().filter(|(at, _)| *at < FIRST_BLOCKS);
    for (at, text) in &texts {
        if let Some(tree) = Tree::parse(text) {
            if tree.same_value(structured) {
                forms.push((Form::Whole, *at));
            }
            if let [only] = tree.members()
                && only.key == "result"
                && only.tree.same_value(structured)
            {
                forms.push((Form::Wrapped, *at));
            }
        }
    }
    for member in structured.members() {
        if member.tree.raw.len() < least_bytes {
            continue;
        }
        let filled = !member.tree.items().is_empty() || !member.tree.members().is_empty();
        let long = filled || member.tree.raw.len() >= CHANCE_BYTES;
        for (at, text) in first().filter(|_| long) {
            if says(text, &member.tree) {
                let form = match member.tree.value {
                    Value::String(_) => Form::MemberText(member.key.clone()),
                    _ => Form::Member(member.key.clone()),
                };
                forms.push((form, *at));
            }
        }
        if long && per_item(&texts, &member.tree) {
            forms.push((Form::PerItem(Some(member.key.clone())), texts[0].0));
        }
    }
    if per_item(&texts, structured) {
        forms.push((Form::PerItem(None), texts[0].0));
    }
    forms
}

/// Blocks in which a copy of a member is looked for.
const FIRST_BLOCKS: usize = 16;

/// A scalar that is shorter may be the same by chance.
const CHANCE_BYTES: usize = 48;

/// True where `result` still has `form`; a member need not be large any more.
#[must_use]
pub fn holds(result: &Tree<'_>, form: &Form) -> bool {
    let Some(structured) = result.member("structuredContent") else {
        return false;
    };
    let texts = texts(result);
    // Several, where a key is repeated.
    let values = |key: &str| -> Vec<&Tree<'_>> {
        let named = structured.members().iter().filter(|member| member.key == *key);
        named.map(|member| &member.tree).collect()
    };
    match form {
        Form::Whole => texts
            .iter()
            .any(|(_, text)| Tree::parse(text).is_some_and(|tree| tree.same_value(structured))),
        Form::Wrapped => texts.iter().any(|(_, text)| {
            Tree::parse(text).is_some_and(|tree| {
                tree.member("result").is_some_and(|result| result.same_value(structured))
            })
        }),
        Form::Member(key) | Form::MemberText(key) => {
            values(key).iter().any(|value| texts.iter().any(|(_, text)| says(text, value)))
        }
        Form::PerItem(key) => {
            key.as_ref().map_or_else(|| vec![structured], |key| values(key)).iter().any(|list| {
                let items = list.items();
                // Our notice stands before or after the blocks.
                texts.len() >= items.len()
                    && (0..=texts.len() - items.len()).any(|from| {
                        items.iter().zip(&texts[from..]).all(|(item, (_, text))| says(text, item))
                    })
            })
        }
    }
}

/// The texts of the text blocks, with the places of the blocks.
fn texts<'t>(result: &'t Tree<'_>) -> Vec<(usize, &'t str)> {
    result
        .member("content")
        .map(Tree::items)
        .unwrap_or_default()
        .iter()
        .enumerate()
        .filter(|(_, block)| block.member("type").and_then(Tree::text) == Some("text"))
        .filter_map(|(at, block)| Some((at, block.member("text")?.text()?)))
        .collect()
}

fn per_item(texts: &[(usize, &str)], list: &Tree<'_>) -> bool {
    let items = list.items();
    items.len() > 1
        && items.len() == texts.len()
        && items.iter().zip(texts).all(|(item, (_, text))| says(text, item))
}

fn says(text: &str, value: &Tree<'_>) -> bool {
    match &value.value {
        Value::String(string) => string == text,
        _ => Tree::parse(text).is_some_and(|tree| tree.same_value(value)),
    }
}
