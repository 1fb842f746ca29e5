//! What a host knows of one call: what came in, and what is known about it.
//! It is told out of band, and never read from a result (contract B15).

use crate::schema::Schemas;
use crate::settings::OutputSchema;

/// What came in (contract B13).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ResultKind {
    /// The result of `tools/call`, or of `tasks/result`.
    #[default]
    Tool,
    /// The result of `prompts/get`.
    Prompt,
    /// The result of `resources/read`.
    Resource,
    /// The result of `tasks/get`, or the parameters of `notifications/tasks`.
    Task,
    /// A JSON-RPC error object: `code`, `message`, `data`.
    Error,
    /// The result of `tools/list` and the other lists: measured, never
    /// changed.
    List,
    /// The result of any other request: measured, never changed.
    Other,
}

impl ResultKind {
    /// All of them, the default first.
    pub const ALL: [ResultKind; 7] = [
        ResultKind::Tool,
        ResultKind::Prompt,
        ResultKind::Resource,
        ResultKind::Task,
        ResultKind::Error,
        ResultKind::List,
        ResultKind::Other,
    ];

    /// Its name, in kebab case.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            ResultKind::Tool => "tool",
            ResultKind::Prompt => "prompt",
            ResultKind::Resource => "resource",
            ResultKind::Task => "task",
            ResultKind::Error => "error",
            ResultKind::List => "list",
            ResultKind::Other => "other",
        }
    }

    /// The field that holds the parts of such a result.
    pub(crate) fn parts_field(self) -> &'static str {
        match self {
            ResultKind::Prompt => "messages",
            ResultKind::Resource => "contents",
            ResultKind::Tool
            | ResultKind::Task
            | ResultKind::Error
            | ResultKind::List
            | ResultKind::Other => "content",
        }
    }
}

/// What is known of one call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Call<'a> {
    /// What came in.
    pub kind: ResultKind,
    /// What is known of the tool's `outputSchema`.
    pub output_schema: OutputSchema<'a>,
    /// The full report of an earlier boundary that cut this result, as JSON
    /// text, where the host has it from there.
    pub previous_report: Option<&'a str>,
    /// Where compiled schemas are kept between calls; where there is none, the
    /// schema is compiled for this call alone.
    pub schemas: Option<&'a Schemas>,
}

impl Default for Call<'_> {
    fn default() -> Self {
        Call {
            kind: ResultKind::Tool,
            output_schema: OutputSchema::Unknown,
            previous_report: None,
            schemas: None,
        }
    }
}

impl<'a> From<OutputSchema<'a>> for Call<'a> {
    fn from(output_schema: OutputSchema<'a>) -> Self {
        Call { output_schema, ..Call::default() }
    }
}

impl From<ResultKind> for Call<'_> {
    fn from(kind: ResultKind) -> Self {
        Call { kind, ..Call::default() }
    }
}
