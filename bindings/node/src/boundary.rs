//! The boundary, called with texts and bytes.

use std::collections::BTreeMap;

use napi::bindgen_prelude::{AsyncTask, Either, Uint8Array};
use napi::{Env, Task};
use napi_derive::napi;
use result_budget::{
    Call, Limits, Measurement, Mode, OutputSchema, Part, ResultKind, Settings, Settled,
    ToolsMeasurement,
};

use crate::answer::{self, Answer};
use crate::engine::NativeEngine;
use crate::failure::Failure;

/// What is in force at a boundary. Numbers are the texts in which they were
/// given: the engine reads them.
#[napi(object, object_to_js = false)]
pub struct NativeBoundaryOptions {
    /// The policy document, as JSON text.
    pub policy_json: Option<String>,
    /// A preset by name.
    pub preset: Option<String>,
    /// A whole-result limit that also caps the text and binary ceilings.
    pub limit_bytes: Option<String>,
    /// A limit of what a model reads, in tokens.
    pub limit_tokens: Option<String>,
    /// The wire profile by name.
    pub wire_profile: Option<String>,
    /// Measures and changes nothing.
    pub report_only: bool,
    /// Gives each answer its account.
    pub accounts: bool,
}

/// What is known of one call.
#[napi(object, object_to_js = false)]
#[derive(Clone, Default)]
pub struct NativeCall {
    /// The tool's name.
    pub tool: Option<String>,
    /// The protocol revision.
    pub revision: Option<String>,
    /// The client's name, as it calls itself.
    pub client: Option<String>,
    /// `none`, or the schema as JSON text; nothing is known where absent.
    pub output_schema: Option<String>,
    /// The budget that the client asks for, as text.
    pub max_bytes: Option<String>,
    /// The same in tokens of what a model reads.
    pub max_tokens: Option<String>,
    /// What came in: `tool` where absent.
    pub kind: Option<String>,
    /// The full report of an earlier boundary, as JSON text.
    pub previous_report: Option<String>,
}

/// Fits results under one policy.
#[napi]
pub struct NativeBoundary {
    boundary: result_budget::Boundary,
}

/// The sizes that the limits speak of.
#[napi(object, object_from_js = false)]
pub struct NativeMeasurement {
    /// The result as it came in, in bytes of the wire profile.
    pub result_bytes: u32,
    /// The same without white space between tokens.
    pub compact_bytes: u32,
    /// What a model reads.
    pub text_bytes: u32,
    /// The same in tokens.
    pub text_tokens: u32,
    /// The same in lines.
    pub text_lines: u32,
    /// Encoded `structuredContent`; zero where there is none.
    pub structured_bytes: u32,
    /// Base64 of images, audio and blobs.
    pub binary_bytes: u32,
    /// Blocks in `content`.
    pub content_items: u32,
    /// Containers nested inside one another.
    pub nesting_depth: u32,
    /// The large parts, in document order.
    pub parts: Vec<NativePart>,
}

/// A part of a result that is worth showing.
#[napi(object, object_from_js = false)]
pub struct NativePart {
    /// JSON Pointer into the result.
    pub pointer: String,
    /// `object`, `array`, `string`, `number`, `true`, `false` or `null`.
    pub kind: String,
    /// Its compact encoding, in bytes.
    pub encoded_bytes: u32,
    /// Its items or members; zero for a scalar.
    pub children_items: u32,
}

/// What is in force for one call.
#[napi(object, object_from_js = false)]
pub struct NativeSettings {
    /// The limits by name; one that is off is absent.
    pub limits: BTreeMap<String, u32>,
    /// The revision that the two sides speak.
    pub revision: String,
    /// How the host prints.
    pub wire_profile: String,
    /// What happens to a mirror.
    pub mirror: String,
    /// Where the notice stands.
    pub notice: String,
    /// Which part of a text stays.
    pub text_keep: String,
    /// What happens to escape sequences.
    pub ansi: String,
    /// Top-level keys to keep.
    pub keep_fields: Vec<String>,
    /// The preset that was laid down last.
    pub preset: String,
    /// Who chose it: `request`, `client`, `policy` or `default`.
    pub preset_chosen_by: String,
    /// What happens to a result of `resources/read`.
    pub resources: String,
    /// Prepared input schemas have the optional argument `max_bytes`.
    pub call_argument: bool,
    /// The longest description of a tool in a prepared list.
    pub max_description_bytes: Option<u32>,
}

/// Sizes of a list of tools.
#[napi(object, object_from_js = false)]
pub struct NativeToolsMeasurement {
    /// The whole result.
    pub list_bytes: u32,
    /// Tools in the list.
    pub tools_items: u32,
    /// Whether it is within the limit of a whole result.
    pub fits: bool,
    /// The first tools, at most 1,000.
    pub tools: Vec<NativeToolSizes>,
}

/// Sizes of one tool.
#[napi(object, object_from_js = false)]
pub struct NativeToolSizes {
    /// Its name.
    pub name: String,
    /// The whole entry.
    pub tool_bytes: u32,
    /// `description`.
    pub description_bytes: u32,
    /// `inputSchema`.
    pub input_schema_bytes: u32,
    /// `outputSchema`; zero where there is none.
    pub output_schema_bytes: u32,
}

#[napi]
impl NativeBoundary {
    /// Settles what is in force where nothing is known of a call.
    #[napi]
    pub fn build(
        engine: &NativeEngine,
        options: NativeBoundaryOptions,
    ) -> Either<NativeBoundary, Failure> {
        let mut builder = result_budget::Boundary::builder().engine(&engine.engine);
        if let Some(policy_json) = options.policy_json {
            builder = builder.policy_json(policy_json);
        }
        if let Some(preset) = options.preset {
            builder = builder.preset(preset);
        }
        if let Some(limit_bytes) = options.limit_bytes {
            builder = builder.limit_bytes(limit_bytes);
        }
        if let Some(limit_tokens) = options.limit_tokens {
            builder = builder.limit_tokens(limit_tokens);
        }
        if let Some(wire_profile) = options.wire_profile {
            builder = builder.wire_profile(wire_profile);
        }
        if options.report_only {
            builder = builder.mode(Mode::ReportOnly);
        }
        if options.accounts {
            builder = builder.on_report(answer::keep);
        }
        match builder.build() {
            Ok(boundary) => Either::A(NativeBoundary { boundary }),
            Err(error) => Either::B((&error).into()),
        }
    }

    /// Fits a text; nothing where it goes out as it is.
    #[napi]
    pub fn fit_text(&self, tool_result: String, call: Option<NativeCall>) -> Option<Answer> {
        let call = call.unwrap_or_default();
        answer::answer(self.boundary.fit(&tool_result, &call.borrowed()), answer::text)
    }

    /// Fits bytes; nothing where they go out as they are. The output is a text
    /// where `as_text` says so: texts reach UTF-8 faster on JavaScript's side.
    #[napi]
    pub fn fit_bytes(
        &self,
        tool_result: &[u8],
        call: Option<NativeCall>,
        as_text: bool,
    ) -> Option<Answer> {
        let call = call.unwrap_or_default();
        let output = if as_text { answer::text } else { answer::bytes };
        answer::answer(self.boundary.fit(tool_result, &call.borrowed()), output)
    }

    /// Fits on another thread.
    #[napi(ts_return_type = "Promise<Answer | null>")]
    pub fn fit_async(
        &self,
        tool_result: Either<Uint8Array, String>,
        call: Option<NativeCall>,
    ) -> AsyncTask<Fit> {
        let boundary = self.boundary.clone();
        AsyncTask::new(Fit { boundary, tool_result, call: call.unwrap_or_default() })
    }

    /// Measures a text.
    #[napi]
    pub fn measure_text(
        &self,
        tool_result: String,
        call: Option<NativeCall>,
    ) -> Either<NativeMeasurement, Failure> {
        let call = call.unwrap_or_default();
        measured(self.boundary.measure(&tool_result, &call.borrowed()))
    }

    /// Measures bytes.
    #[napi]
    pub fn measure_bytes(
        &self,
        tool_result: &[u8],
        call: Option<NativeCall>,
    ) -> Either<NativeMeasurement, Failure> {
        let call = call.unwrap_or_default();
        measured(self.boundary.measure(tool_result, &call.borrowed()))
    }

    /// Measures a list of tools.
    #[napi]
    pub fn measure_tools(
        &self,
        tools_list: String,
        call: NativeCall,
    ) -> Either<NativeToolsMeasurement, Failure> {
        match self.boundary.measure_tools(&tools_list, &call.borrowed()) {
            Ok(sizes) => Either::A(sizes.into()),
            Err(failure) => Either::B((&failure).into()),
        }
    }

    /// Prepares a list of tools; nothing where it stays as it is.
    #[napi]
    pub fn prepare_tools(
        &self,
        tools_list: String,
        call: NativeCall,
    ) -> Option<Either<String, Failure>> {
        match self.boundary.prepare_tools(&tools_list, &call.borrowed()) {
            Ok(prepared) => prepared.map(Either::A),
            Err(failure) => Some(Either::B((&failure).into())),
        }
    }

    /// What is in force for a call.
    #[napi]
    pub fn in_force(&self, call: NativeCall) -> Either<NativeSettings, Failure> {
        match self.boundary.settled(&call.borrowed()) {
            Ok(settled) => Either::A(settled.into()),
            Err(failure) => Either::B((&failure).into()),
        }
    }

    /// The error result for a failure of the host, for the vectors. `fault`
    /// holds the two sizes of `input-too-large`.
    #[napi]
    pub fn failure_result(
        &self,
        code: String,
        numbers: Vec<u32>,
        call: NativeCall,
    ) -> Option<String> {
        use result_budget::{Fault, Refused};
        let mut numbers = numbers.into_iter();
        let mut next = || numbers.next().unwrap_or_default();
        let failure: result_budget::Failure = match code.as_str() {
            "not-utf8" => Refused::NotUtf8 { offset_bytes: next() }.into(),
            "malformed-json" => Refused::MalformedJson { offset_bytes: next() }.into(),
            "not-an-object" => Refused::NotAnObject.into(),
            "output-schema" => Refused::OutputSchema { offset_bytes: next() }.into(),
            "input-too-large" => {
                Refused::InputTooLarge { given_bytes: next(), max_bytes: next() }.into()
            }
            "deadline" => Fault::Deadline.into(),
            "memory" => Fault::Memory.into(),
            "trap" => Fault::Trap.into(),
            "bad-answer" => Fault::BadAnswer.into(),
            "circuit-open" => Fault::CircuitOpen.into(),
            _ => return None,
        };
        Some(self.boundary.failure_result(&failure, &call.borrowed()))
    }

    /// Fits under limits that were set past the engine, for the vectors.
    #[napi]
    pub fn fit_under(
        &self,
        tool_result: String,
        call: NativeCall,
        limits: BTreeMap<String, u32>,
    ) -> Option<Answer> {
        let call = call.borrowed();
        let mut settings = self.boundary.in_force(&call).ok()?;
        for (name, value) in limits {
            set(&mut settings.limits, &name, value)?;
        }
        let fitted = self.boundary.fit_under(&tool_result, &call, &settings);
        answer::answer(fitted, answer::text)
    }
}

/// A call that runs on another thread.
pub struct Fit {
    boundary: result_budget::Boundary,
    tool_result: Either<Uint8Array, String>,
    call: NativeCall,
}

impl Task for Fit {
    type Output = Option<Answer>;
    type JsValue = Option<Answer>;

    fn compute(&mut self) -> napi::Result<Self::Output> {
        let call = self.call.borrowed();
        Ok(match &self.tool_result {
            Either::A(bytes) => answer::answer(self.boundary.fit(&**bytes, &call), answer::bytes),
            Either::B(text) => answer::answer(self.boundary.fit(text, &call), answer::text),
        })
    }

    fn resolve(&mut self, _env: Env, output: Self::Output) -> napi::Result<Self::JsValue> {
        Ok(output)
    }
}

impl NativeCall {
    fn borrowed(&self) -> Call<'_> {
        Call {
            // Names are checked on JavaScript's side.
            kind: self.kind.as_deref().and_then(ResultKind::named).unwrap_or_default(),
            previous_report: self.previous_report.as_deref(),
            tool: self.tool.as_deref(),
            revision: self.revision.as_deref(),
            client_name: self.client.as_deref(),
            output_schema: match self.output_schema.as_deref() {
                None => OutputSchema::Unknown,
                Some("none") => OutputSchema::None,
                Some(schema) => OutputSchema::Given(schema),
            },
            call_max_bytes: self.max_bytes.as_deref(),
            call_max_tokens: self.max_tokens.as_deref(),
        }
    }
}

impl From<Settled> for NativeSettings {
    fn from(settled: Settled) -> Self {
        let Settled { settings, preset, chosen_by } = settled;
        let Settings {
            limits,
            revision,
            wire_profile,
            mirror,
            notice,
            text_keep,
            ansi,
            keep_fields,
            resources,
            call_argument,
            max_description_bytes,
        } = settings;
        NativeSettings {
            limits: rows(&limits),
            revision: revision.code().into(),
            wire_profile: wire_profile.code().into(),
            mirror: mirror.code().into(),
            notice: notice.code().into(),
            text_keep: text_keep.code().into(),
            ansi: ansi.code().into(),
            keep_fields,
            preset,
            preset_chosen_by: chosen_by.code().into(),
            resources: resources.code().into(),
            call_argument,
            max_description_bytes,
        }
    }
}

/// Every limit by its name in a policy document.
fn rows(limits: &Limits) -> BTreeMap<String, u32> {
    let on = |name: &str, value: Option<u32>| Some((name.to_owned(), value?));
    [
        on("max_result_bytes", Some(limits.max_result_bytes)),
        on("max_text_bytes", Some(limits.max_text_bytes)),
        on("max_text_tokens", limits.max_text_tokens),
        on("max_text_lines", limits.max_text_lines),
        on("max_binary_bytes", Some(limits.max_binary_bytes)),
        on("max_content_blocks", Some(limits.max_content_blocks)),
        on("max_depth", Some(limits.max_depth)),
        on("max_block_text_bytes", limits.max_block_text_bytes),
        on("max_block_binary_bytes", limits.max_block_binary_bytes),
        on("max_structured_bytes", limits.max_structured_bytes),
        on("max_list_items", limits.max_list_items),
        on("max_map_keys", limits.max_map_keys),
        on("max_string_bytes", limits.max_string_bytes),
        on("max_key_bytes", limits.max_key_bytes),
        on("max_item_bytes", limits.max_item_bytes),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Sets a limit that is always on; nothing where no such limit has that name.
fn set(limits: &mut Limits, name: &str, value: u32) -> Option<()> {
    let place = match name {
        "max_result_bytes" => &mut limits.max_result_bytes,
        "max_text_bytes" => &mut limits.max_text_bytes,
        "max_binary_bytes" => &mut limits.max_binary_bytes,
        "max_content_blocks" => &mut limits.max_content_blocks,
        "max_depth" => &mut limits.max_depth,
        _ => return None,
    };
    *place = value;
    Some(())
}

fn measured(
    measured: Result<Measurement, result_budget::Failure>,
) -> Either<NativeMeasurement, Failure> {
    match measured {
        Ok(measurement) => Either::A(measurement.into()),
        Err(failure) => Either::B((&failure).into()),
    }
}

impl From<ToolsMeasurement> for NativeToolsMeasurement {
    fn from(measurement: ToolsMeasurement) -> Self {
        let ToolsMeasurement { list_bytes, tools_items, fits, tools } = measurement;
        let tools = tools.into_iter().map(|tool| NativeToolSizes {
            name: tool.name,
            tool_bytes: tool.tool_bytes,
            description_bytes: tool.description_bytes,
            input_schema_bytes: tool.input_schema_bytes,
            output_schema_bytes: tool.output_schema_bytes,
        });
        NativeToolsMeasurement { list_bytes, tools_items, fits, tools: tools.collect() }
    }
}

impl From<Measurement> for NativeMeasurement {
    fn from(measurement: Measurement) -> Self {
        let Measurement {
            result_bytes,
            compact_bytes,
            text_bytes,
            text_tokens,
            text_lines,
            structured_bytes,
            binary_bytes,
            content_items,
            nesting_depth,
            parts,
        } = measurement;
        let parts = parts.into_iter().map(|part| {
            let Part { pointer, kind, encoded_bytes, children_items } = part;
            NativePart { pointer, kind, encoded_bytes, children_items }
        });
        NativeMeasurement {
            result_bytes,
            compact_bytes,
            text_bytes,
            text_tokens,
            text_lines,
            structured_bytes,
            binary_bytes,
            content_items,
            nesting_depth,
            parts: parts.collect(),
        }
    }
}
