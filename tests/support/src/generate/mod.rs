//! Makes tool results: ordinary ones, and ones that nobody would send who
//! means well. The same seed makes the same result.

mod blocks;
mod meta;
mod strings;
mod values;

use crate::random::Random;

pub use strings::{encoded, word};

/// Makes the result of `seed`: always JSON, always an object, at times no
/// valid result.
#[must_use]
pub fn result(seed: u64) -> String {
    result_of(&mut Random::new(seed))
}

/// Makes the result that `random` chooses.
#[must_use]
pub fn result_of(random: &mut Random) -> String {
    let space = match random.below(5) {
        0 => "\n  ",
        1 => " ",
        _ => "",
    };
    let mut fields: Vec<(String, String)> = Vec::new();
    let structured = random.once_in(2).then(|| values::structured(random));
    let content = match &structured {
        Some(structured) if random.once_in(2) => blocks::mirror(random, structured),
        _ => blocks::content(random, space),
    };
    if !random.once_in(12) {
        fields.push(("content".into(), content));
    }
    if let Some(structured) = structured {
        fields.push(("structuredContent".into(), structured));
    }
    match random.below(6) {
        0 => fields.push(("isError".into(), "true".into())),
        1 | 2 => fields.push(("isError".into(), "false".into())),
        _ => {}
    }
    match random.below(20) {
        0 => fields.push(("resultType".into(), "\"input_required\"".into())),
        1 => fields.push(("resultType".into(), "\"x-\\u0061\"".into())),
        2..=7 => {}
        _ => fields.push(("resultType".into(), "\"complete\"".into())),
    }
    if random.once_in(3) {
        fields.push(("_meta".into(), meta::meta(random)));
    }
    if random.once_in(6) {
        for _ in 0..random.below(4) {
            fields.push(foreign(random));
        }
    }
    if random.once_in(10) && !fields.is_empty() {
        // A key of the envelope once more.
        let again = fields[random.below(fields.len())].clone();
        fields.push(again);
    }
    shuffle(random, &mut fields);
    let members: Vec<String> = fields
        .iter()
        .map(|(key, value)| format!("\"{key}\":{}{value}", if space.is_empty() { "" } else { " " }))
        .collect();
    format!("{{{space}{}{space}}}", members.join(&format!(",{space}")))
}

fn foreign(random: &mut Random) -> (String, String) {
    match random.below(6) {
        0 => ("nextCursor".into(), "null".into()),
        1 => ("nextCursor".into(), format!("\"{}\"", "c".repeat(random.size(900)))),
        2 => ("cacheScope".into(), "\"private\"".into()),
        3 => ("ttlMs".into(), "60000".into()),
        4 => ("toolResult".into(), values::value(random, 3)),
        _ => (strings::body(random, 30), values::value(random, 2)),
    }
}

fn shuffle<T>(random: &mut Random, items: &mut [T]) {
    for at in (1..items.len()).rev() {
        items.swap(at, random.below(at + 1));
    }
}
