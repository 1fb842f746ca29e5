//! Compiled schemas that are kept from one call to the next.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::cell::RefCell;

use super::{SCHEMA_MAX_BYTES, SUBSCHEMAS_MAX, Schema, SchemaFault};

/// Schemas that are kept, at most. All of them together have no more bytes and
/// subschemas than one may have.
const KEPT_MAX: usize = 32;

/// Output schemas that were compiled, the last ones used: each is compiled once
/// for its tool. What it holds changes no answer.
///
/// ```
/// use result_budget_core::{Call, OutputSchema, Schemas, Settings, fit};
/// let schemas = Schemas::default();
/// let output_schema = OutputSchema::Given(r#"{"type":"object","required":["rows"]}"#);
/// let call = Call { output_schema, schemas: Some(&schemas), ..Call::default() };
/// let result = r#"{"content":[],"structuredContent":{"rows":[1,2,3]}}"#;
/// assert_eq!(fit(result, call, &Settings::default()), fit(result, output_schema, &Settings::default()));
/// ```
#[derive(Debug, Default)]
pub struct Schemas {
    /// The one used last stands last.
    kept: RefCell<Vec<(String, Arc<Schema>)>>,
}

impl PartialEq for Schemas {
    /// None differs from another in what it answers.
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Schemas {}

impl Schemas {
    /// None yet.
    #[must_use]
    pub const fn new() -> Self {
        Schemas { kept: RefCell::new(Vec::new()) }
    }

    /// The schema with this text, compiled now or before.
    pub(crate) fn compiled(&self, text: &str) -> Result<Arc<Schema>, SchemaFault> {
        let Ok(mut kept) = self.kept.try_borrow_mut() else {
            return Schema::compile(text).map(Arc::new);
        };
        if let Some(at) = kept.iter().position(|(known, _)| known == text) {
            let found = kept.remove(at);
            let schema = Arc::clone(&found.1);
            kept.push(found);
            return Ok(schema);
        }
        let schema = Arc::new(Schema::compile(text)?);
        if text.len() <= SCHEMA_MAX_BYTES {
            kept.push((String::from(text), Arc::clone(&schema)));
        }
        let over = |kept: &[(String, Arc<Schema>)]| {
            kept.len() > KEPT_MAX
                || kept.iter().map(|(text, _)| text.len()).sum::<usize>() > SCHEMA_MAX_BYTES
                || kept.iter().map(|(_, schema)| schema.nodes.len()).sum::<usize>() > SUBSCHEMAS_MAX
        };
        while over(&kept) {
            kept.remove(0);
        }
        Ok(schema)
    }
}
