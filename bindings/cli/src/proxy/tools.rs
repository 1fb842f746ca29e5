//! What the server says of its tools: learnt from each page of `tools/list`
//! that passes. Of a tool that was in none, nothing is known.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use super::skim;

/// One tool.
#[derive(Clone, Debug)]
pub(crate) struct Tool {
    /// Its output schema as clients see it.
    pub(crate) output_schema: Schema,
    /// `max_bytes` among its arguments is ours, and not the server's.
    pub(crate) has_added_argument: bool,
}

/// What is known of an output schema.
#[derive(Clone, Debug)]
pub(crate) enum Schema {
    None,
    Unknown,
    Given(Arc<str>),
}

/// The tools by name. At most [`TOOLS_MAX_ITEMS`] are known, and of schemas
/// [`SCHEMAS_MAX_BYTES`] in all; beyond that nothing more is learnt.
#[derive(Default)]
pub(crate) struct Tools {
    tools: HashMap<String, Tool>,
    schemas_bytes: usize,
}

impl Tools {
    pub(crate) fn get(&self, name: &str) -> Option<&Tool> {
        self.tools.get(name)
    }

    /// Takes note of a page as the server gave it, and as clients see it.
    pub(crate) fn learn(&mut self, given: &[u8], seen: &[u8]) {
        let pages = entries(given).into_iter().zip(entries(seen));
        for (given_tool, seen_tool) in pages {
            let Some(name) = skim::member(given, &given_tool, "name") else { continue };
            let Some(name) = skim::string(skim::slice(given, &name)) else { continue };
            let has_added_argument =
                has_argument(seen, &seen_tool) && !has_argument(given, &given_tool);
            let output_schema = match skim::member(seen, &seen_tool, "outputSchema") {
                None => Schema::None,
                Some(schema) => match std::str::from_utf8(skim::slice(seen, &schema)) {
                    Ok("null") => Schema::None,
                    Ok(schema) => Schema::Given(schema.into()),
                    Err(_) => Schema::Unknown,
                },
            };
            self.keep(&name, Tool { output_schema, has_added_argument });
        }
    }

    /// The list has changed: schemas are unknown until it is read again.
    pub(crate) fn forget_schemas(&mut self) {
        self.schemas_bytes = 0;
        for tool in self.tools.values_mut() {
            tool.output_schema = Schema::Unknown;
        }
    }

    fn keep(&mut self, name: &str, mut tool: Tool) {
        let old = self.tools.get(name);
        if old.is_none() && (self.tools.len() >= TOOLS_MAX_ITEMS || name.len() > NAME_MAX_BYTES) {
            return;
        }
        self.schemas_bytes -= old.map_or(0, |old| old.output_schema.len_bytes());
        if self.schemas_bytes + tool.output_schema.len_bytes() > SCHEMAS_MAX_BYTES {
            tool.output_schema = Schema::Unknown;
        }
        self.schemas_bytes += tool.output_schema.len_bytes();
        self.tools.insert(String::from(name), tool);
    }
}

impl Schema {
    fn len_bytes(&self) -> usize {
        match self {
            Schema::None | Schema::Unknown => 0,
            Schema::Given(schema) => schema.len(),
        }
    }
}

fn entries(list: &[u8]) -> Vec<Range<usize>> {
    let tools = skim::member(list, &skim::root(list), "tools");
    tools.map_or_else(Vec::new, |tools| skim::items(list, &tools).collect())
}

fn has_argument(list: &[u8], tool: &Range<usize>) -> bool {
    skim::member(list, tool, "inputSchema")
        .and_then(|schema| skim::member(list, &schema, "properties"))
        .is_some_and(|properties| skim::member(list, &properties, CALL_ARGUMENT).is_some())
}

/// The argument that a prepared list may add to a tool.
pub(crate) const CALL_ARGUMENT: &str = "max_bytes";

const TOOLS_MAX_ITEMS: usize = 10_000;
const SCHEMAS_MAX_BYTES: usize = 64 * 1_024 * 1_024;
const NAME_MAX_BYTES: usize = 1_024;
