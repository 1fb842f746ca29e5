//! A small conforming cut of a large instance, found by trying: from the top
//! down, each list loses all it may, each member goes that may go, each long
//! text is shortened, unless it may be a handle: those are never shortened. What
//! it finds conforms; there may be a smaller one.
//!
//! It tells errors that had to be from those where a cut was not seen.

use serde_json::Value;

use crate::case::Told;

/// Trials for one instance, at most.
const TRIALS: usize = 1_500;

/// One step from a value to a child of it.
#[derive(Clone, Debug)]
enum Step {
    Key(String),
    Item(usize),
}

/// A small cut of `instance`, which is valid under `told`.
#[must_use]
pub fn small_cut(told: &Told, instance: &Value) -> Value {
    let mut search = Search { told, whole: instance.clone(), trials: TRIALS };
    let mut waiting: Vec<Vec<Step>> = vec![Vec::new()];
    while let Some(path) = waiting.pop() {
        let Some(value) = find(&mut search.whole, &path).map(|value| value.clone()) else {
            continue;
        };
        match &value {
            Value::Array(items) => {
                let kept = search.shorten(&path, items);
                waiting.extend((0..kept).map(|at| step(&path, Step::Item(at))));
            }
            Value::Object(members) => {
                // From the end: what stands first says more, as a rule.
                for key in members.keys().rev() {
                    let goes = search.attempt(&path, |value| {
                        if let Value::Object(members) = value {
                            members.shift_remove(key);
                        }
                    });
                    if !goes {
                        waiting.push(step(&path, Step::Key(key.clone())));
                    }
                }
            }
            Value::String(text) if text.len() > 64 && !may_be_a_handle(&path, text) => {
                for kept in [0, 12, 40, 100, 400, 1_000] {
                    let head: String = text.chars().take(kept).collect();
                    let marker = format!("{head}...[{} of {} bytes]", head.len(), text.len());
                    let shorter = marker.len() < text.len();
                    if shorter && search.attempt(&path, |value| *value = Value::from(marker)) {
                        break;
                    }
                }
            }
            _ => {}
        }
    }
    search.whole
}

/// Whether a text may be an id, a cursor, a URL: told by the key that it stands
/// under, or since it is one word.
fn may_be_a_handle(path: &[Step], text: &str) -> bool {
    let named = path.last().is_some_and(|step| match step {
        Step::Key(key) => HANDLES.iter().any(|end| key.to_lowercase().ends_with(end)),
        Step::Item(_) => false,
    });
    named && text.len() <= 4_096 || !text.contains(char::is_whitespace) && text.len() <= 1_024
}

/// How keys end under which handles stand.
const HANDLES: [&str; 13] = [
    "cursor", "token", "id", "uri", "url", "href", "ref", "sha", "hash", "digest", "etag", "key",
    "next",
];

struct Search<'t> {
    told: &'t Told,
    whole: Value,
    trials: usize,
}

impl Search<'_> {
    /// Keeps a change where the whole still conforms.
    fn attempt(&mut self, path: &[Step], change: impl FnOnce(&mut Value)) -> bool {
        if self.trials == 0 {
            return false;
        }
        self.trials -= 1;
        let Some(place) = find(&mut self.whole, path) else { return false };
        let before = place.clone();
        change(place);
        if self.told.oracle.is_valid(&self.whole) {
            return true;
        }
        if let Some(place) = find(&mut self.whole, path) {
            *place = before;
        }
        false
    }

    /// Takes as many items from the end of a list as may go; tells how many
    /// stay.
    fn shorten(&mut self, path: &[Step], items: &[Value]) -> usize {
        let few = (0..items.len()).take(12);
        let more = (4..16).map(|power| 1 << power).take_while(|kept| *kept < items.len());
        for kept in few.chain(more) {
            let goes = self.attempt(path, |value| {
                if let Value::Array(items) = value {
                    items.truncate(kept);
                }
            });
            if goes {
                return kept;
            }
        }
        items.len()
    }
}

fn step(path: &[Step], step: Step) -> Vec<Step> {
    let mut path = path.to_vec();
    path.push(step);
    path
}

fn find<'v>(whole: &'v mut Value, path: &[Step]) -> Option<&'v mut Value> {
    path.iter().try_fold(whole, |value, step| match step {
        Step::Key(key) => value.get_mut(key),
        Step::Item(at) => value.get_mut(*at),
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use serde_json::json;

    use super::*;

    #[test]
    fn what_may_go_is_gone_and_what_must_stay_stays() {
        let schema = json!({
            "type": "object",
            "properties": {"rows": {"type": "array", "items": {"required": ["id"]}, "minItems": 2}},
            "required": ["rows"],
        });
        let told = Told::new(&schema, false).unwrap();
        let row = json!({"text": "some", "id": 7});
        let cut = small_cut(&told, &json!({"rows": vec![row; 40], "note": "x y".repeat(500)}));
        assert_eq!(cut, json!({"rows": [{"id": 7}, {"id": 7}]}));
    }
}
