//! Puts a small schema where its instances can grow: as a whole, as a member,
//! as the items of a list, beside null, as the members of a map.

use serde_json::{Map, Value, json};

use crate::schema::{find, visit};
use crate::source::Source;

/// Where a schema is put.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// It is the output schema.
    Whole,
    /// It is that of a member which must be there.
    Member,
    /// It is that of a member which need not be there, in a closed object.
    Optional,
    /// It is that of a list's items.
    Items,
    /// It, or null, is that of the items of a list whose length has a floor.
    Nullable,
    /// It is that of every member of a map.
    Map,
}

impl Place {
    /// All of them.
    pub const ALL: [Place; 6] =
        [Place::Whole, Place::Member, Place::Optional, Place::Items, Place::Nullable, Place::Map];

    /// The name of `source` here.
    #[must_use]
    pub fn name(self, source: &Source) -> String {
        let place = match self {
            Place::Whole => "",
            Place::Member => ", as a member",
            Place::Optional => ", as an optional member",
            Place::Items => ", as items",
            Place::Nullable => ", as items or null",
            Place::Map => ", as the members of a map",
        };
        format!("{}{place}", source.name)
    }

    /// The schema of `source` here; `None` where it can not be moved.
    #[must_use]
    pub fn schema(self, source: &Source) -> Option<Value> {
        if self == Place::Whole {
            return Some(source.schema.clone());
        }
        if source.is_whole {
            return None;
        }
        let mut inner = source.schema.clone();
        let dialect = inner.as_object_mut().and_then(|object| object.remove("$schema"));
        let has = |key: &'static str| {
            find(&inner, &|object: &Map<String, Value>| object.contains_key(key)).is_some()
        };
        // What has a base of its own, or is found by its dynamic scope, says
        // other things elsewhere.
        if ["$id", "$dynamicRef", "$anchor", "$dynamicAnchor", "$recursiveRef"].into_iter().any(has)
        {
            return None;
        }
        let referring = has("$ref");
        visit(&mut inner, &mut |object| {
            if let Some(Value::String(target)) = object.get_mut("$ref")
                && let Some(pointer) = target.strip_prefix('#')
            {
                *target = format!("#/$defs/moved{pointer}");
            }
        });
        let here = if referring { json!({"$ref": "#/$defs/moved"}) } else { inner.clone() };
        let mut schema = match self {
            Place::Whole => return None,
            Place::Member => json!({
                "type": "object",
                "properties": {"x": here, "note": {"type": "string"}},
                "required": ["x"],
            }),
            Place::Optional => json!({
                "type": "object",
                "properties": {"id": {"type": "integer"}, "x": here, "note": {"type": "string"}},
                "required": ["id"],
                "additionalProperties": false,
            }),
            Place::Items => json!({
                "type": "object",
                "properties": {"items": {"type": "array", "items": here}},
                "required": ["items"],
            }),
            Place::Nullable => json!({
                "type": "object",
                "properties": {
                    "items": {"type": "array", "items": {"anyOf": [here, {"type": "null"}]}, "minItems": 1},
                    "count": {"type": "integer"},
                },
                "required": ["count"],
                "additionalProperties": false,
            }),
            Place::Map => json!({"type": "object", "additionalProperties": here}),
        };
        if let Some(dialect) = dialect {
            schema["$schema"] = dialect;
        }
        if referring {
            schema["$defs"] = json!({"moved": inner});
        }
        Some(schema)
    }

    /// An instance for this place, of `instances` for the schema itself: as
    /// many of them as `room` bytes hold.
    #[must_use]
    pub fn instance(self, instances: &[Value], start: usize, room: usize) -> Option<Value> {
        let first = instances.get(start % instances.len().max(1))?;
        let length = |value: &Value| value.to_string().len() + 8;
        let mut left = room;
        let mut row: Vec<Value> = Vec::new();
        for item in instances.iter().cycle().skip(start).take(2_000) {
            if length(item) > left {
                break;
            }
            left -= length(item);
            row.push(item.clone());
        }
        let note = "a note that is long enough to be worth a cut. ".repeat(left / 48 + 1);
        Some(match self {
            Place::Whole => return None,
            Place::Member => json!({"x": first, "note": note}),
            Place::Optional => json!({"x": first, "id": 7, "note": note}),
            Place::Items => json!({"items": row}),
            Place::Nullable => json!({"count": row.len(), "items": row}),
            Place::Map => {
                let named = row.into_iter().enumerate();
                Value::Object(named.map(|(at, value)| (format!("m{at}"), value)).collect())
            }
        })
    }
}
