//! The Rust host, as a server calls it.

use anyhow::{Result, bail};
use result_budget::{
    Answer, Boundary, BuildError, Call, Engine, Failure, Fault, Limits, Measurement, OutputSchema,
    Refused, ResultKind, Settings, ToolsMeasurement,
};
use serde_json::{Map, Value, json};

use crate::adapter::Adapter;
use crate::vector::Vector;

/// Calls the crate `result-budget`.
#[derive(Debug)]
pub struct RustHost {
    engine: Engine,
}

impl RustHost {
    /// Loads its engine.
    ///
    /// # Errors
    /// Where none runs on this machine.
    pub fn load() -> Result<Self> {
        Ok(RustHost { engine: Engine::new()? })
    }

    fn boundary(&self, vector: &Vector) -> Result<Boundary, BuildError> {
        let mut builder =
            Boundary::builder().engine(&self.engine).policy_json(vector.policy_json());
        if let Some(preset) = vector.request("preset") {
            builder = builder.preset(preset);
        }
        if let Some(limit_bytes) = vector.request("limit_bytes") {
            builder = builder.limit_bytes(limit_bytes);
        }
        if let Some(limit_tokens) = vector.request("limit_tokens") {
            builder = builder.limit_tokens(limit_tokens);
        }
        if let Some(wire_profile) = vector.request("wire_profile") {
            builder = builder.wire_profile(wire_profile);
        }
        builder.build()
    }
}

impl Adapter for RustHost {
    fn name(&self) -> &str {
        "rust"
    }

    fn engine(&self) -> String {
        self.engine.sha256().to_string()
    }

    fn answer(&mut self, vector: &Vector) -> Result<Value> {
        match vector.call() {
            "limit-rows" => return Ok(json!({ "rows": limit_rows(&self.engine)? })),
            "preset-rows" => return Ok(json!({ "rows": preset_rows(&self.engine)? })),
            _ => {}
        }
        let boundary = match self.boundary(vector) {
            Ok(boundary) => boundary,
            Err(BuildError::Refused(refused)) => return Ok(json!({ "error": told(&refused) })),
            Err(error) => return Err(error.into()),
        };
        let Some(kind) = ResultKind::named(vector.kind()) else {
            bail!("there is no kind `{}`", vector.kind());
        };
        let call = Call {
            kind,
            previous_report: vector.previous_report(),
            tool: vector.request("tool"),
            revision: vector.request("revision"),
            client_name: vector.request("client_name"),
            output_schema: output_schema(vector),
            call_max_bytes: vector.request("call_max_bytes"),
            call_max_tokens: vector.request("call_max_tokens"),
        };
        let input = vector.tool_result_json();
        match vector.call() {
            "settle" => match boundary.settled(&call) {
                Ok(settled) => Ok(json!({
                    "settings": settings_told(&settled.settings),
                    "preset": settled.preset,
                    "chosen_by": settled.chosen_by.code(),
                })),
                Err(failure) => refusal(&failure),
            },
            "measure" => match boundary.measure(&input, &call) {
                Ok(sizes) => Ok(json!({ "measurement": measurement(&sizes) })),
                Err(failure) => refusal(&failure),
            },
            "failure-result" => {
                let Some(failure) = vector.given("failure").and_then(failure) else {
                    bail!("no failure is given");
                };
                Ok(json!({ "tool_result_json": boundary.failure_result(&failure, &call) }))
            }
            "measure-tools" => match boundary.measure_tools(&input, &call) {
                Ok(sizes) => Ok(json!({ "measurement": tools_measurement(&sizes) })),
                Err(failure) => refusal(&failure),
            },
            "prepare-tools" => match boundary.prepare_tools(&input, &call) {
                Ok(None) => Ok(json!({ "outcome": "unchanged" })),
                Ok(Some(text)) => Ok(json!({ "outcome": "prepared", "tool_result_json": text })),
                Err(failure) => refusal(&failure),
            },
            "fit" => match vector.given("limits_by_hand").and_then(Value::as_object) {
                None => answered(&boundary.fit(&input, &call)),
                Some(by_hand) => {
                    let mut settings = match boundary.in_force(&call) {
                        Ok(settings) => settings,
                        Err(failure) => return refusal(&failure),
                    };
                    set_by_hand(&mut settings.limits, by_hand);
                    answered(&boundary.fit_under(&input, &call, &settings))
                }
            },
            other => bail!("there is no call `{other}`"),
        }
    }
}

fn answered(answer: &Answer<'_>) -> Result<Value> {
    Ok(match answer {
        Answer::Unchanged { .. } => json!({ "outcome": "unchanged" }),
        Answer::Compacted { tool_result_json } => {
            json!({ "outcome": "compacted", "tool_result_json": tool_result_json })
        }
        Answer::Bounded { tool_result_json, report_json, replaced_by_error } => json!({
            "outcome": "bounded",
            "tool_result_json": tool_result_json,
            "report_json": report_json,
            "replaced_by_error": replaced_by_error,
        }),
        Answer::ProtocolError { error_json, report_json } => json!({
            "outcome": "protocol-error",
            "error_json": error_json,
            "report_json": report_json,
        }),
        Answer::FailedClosed { failure, .. } => return refusal(failure),
    })
}

fn refusal(failure: &Failure) -> Result<Value> {
    match failure {
        Failure::Refused(refused) => Ok(json!({ "error": told(refused) })),
        Failure::Fault(fault) => bail!("the engine broke: {fault}"),
    }
}

fn told(refused: &Refused) -> Value {
    let code = refused.code();
    match refused {
        Refused::Policy(fault) => json!({ "code": code, "fault": {
            "pointer": fault.pointer, "code": fault.code, "given": fault.given, "allowed": fault.allowed,
        } }),
        Refused::LimitOutOfRange(fault) => json!({ "code": code, "fault": {
            "name": fault.name, "given": fault.given, "min": fault.min, "max": fault.max,
        } }),
        Refused::UnknownName(fault) => json!({ "code": code, "fault": {
            "field": fault.field, "given": fault.given, "allowed": fault.allowed,
        } }),
        Refused::InputTooLarge { given_bytes, max_bytes } => json!({ "code": code, "fault": {
            "given_bytes": given_bytes, "max_bytes": max_bytes,
        } }),
        Refused::NotUtf8 { offset_bytes }
        | Refused::MalformedJson { offset_bytes }
        | Refused::OutputSchema { offset_bytes } => {
            json!({ "code": code, "offset_bytes": offset_bytes })
        }
        Refused::PreviousReport { pointer } => json!({ "code": code, "pointer": pointer }),
        Refused::NotAnObject => json!({ "code": code }),
    }
}

fn output_schema(vector: &Vector) -> OutputSchema<'_> {
    match vector.given("output_schema") {
        Some(Value::String(name)) if name == "none" => OutputSchema::None,
        Some(Value::Object(given)) => {
            OutputSchema::Given(given.get("given").and_then(Value::as_str).unwrap_or_default())
        }
        _ => OutputSchema::Unknown,
    }
}

fn failure(given: &Value) -> Option<Failure> {
    let number = |key: &str| {
        given.get(key).and_then(Value::as_u64).and_then(|n| u32::try_from(n).ok()).unwrap_or(0)
    };
    let offset_bytes = number("offset_bytes");
    Some(match given.get("code")?.as_str()? {
        "not-utf8" => Refused::NotUtf8 { offset_bytes }.into(),
        "malformed-json" => Refused::MalformedJson { offset_bytes }.into(),
        "output-schema" => Refused::OutputSchema { offset_bytes }.into(),
        "not-an-object" => Refused::NotAnObject.into(),
        "input-too-large" => {
            let (given_bytes, max_bytes) = (number("given_bytes"), number("max_bytes"));
            Refused::InputTooLarge { given_bytes, max_bytes }.into()
        }
        "deadline" => Fault::Deadline.into(),
        "memory" => Fault::Memory.into(),
        "trap" => Fault::Trap.into(),
        "bad-answer" => Fault::BadAnswer.into(),
        "circuit-open" => Fault::CircuitOpen.into(),
        _ => return None,
    })
}

fn settings_told(settings: &Settings) -> Value {
    json!({
        "limits": limits_told(&settings.limits),
        "revision": settings.revision.code(),
        "wire_profile": settings.wire_profile.code(),
        "mirror": settings.mirror.code(),
        "notice": settings.notice.code(),
        "text_keep": settings.text_keep.code(),
        "ansi": settings.ansi.code(),
        "keep_fields": settings.keep_fields,
        "resources": settings.resources.code(),
        "call_argument": settings.call_argument,
        "max_description_bytes": settings.max_description_bytes,
    })
}

fn tools_measurement(sizes: &ToolsMeasurement) -> Value {
    let tools = sizes.tools.iter().map(|tool| {
        json!({
            "name": tool.name,
            "tool_bytes": tool.tool_bytes,
            "description_bytes": tool.description_bytes,
            "input_schema_bytes": tool.input_schema_bytes,
            "output_schema_bytes": tool.output_schema_bytes,
        })
    });
    json!({
        "list_bytes": sizes.list_bytes,
        "tools_items": sizes.tools_items,
        "fits": sizes.fits,
        "tools": tools.collect::<Vec<Value>>(),
    })
}

fn limits_told(limits: &Limits) -> Value {
    json!({
        "max_result_bytes": limits.max_result_bytes,
        "max_text_bytes": limits.max_text_bytes,
        "max_text_tokens": limits.max_text_tokens,
        "max_text_lines": limits.max_text_lines,
        "max_binary_bytes": limits.max_binary_bytes,
        "max_content_blocks": limits.max_content_blocks,
        "max_depth": limits.max_depth,
        "max_block_text_bytes": limits.max_block_text_bytes,
        "max_block_binary_bytes": limits.max_block_binary_bytes,
        "max_structured_bytes": limits.max_structured_bytes,
        "max_list_items": limits.max_list_items,
        "max_map_keys": limits.max_map_keys,
        "max_string_bytes": limits.max_string_bytes,
        "max_key_bytes": limits.max_key_bytes,
        "max_item_bytes": limits.max_item_bytes,
    })
}

fn set_by_hand(limits: &mut Limits, by_hand: &Map<String, Value>) {
    for (name, value) in by_hand {
        let number = value.as_u64().and_then(|n| u32::try_from(n).ok()).unwrap_or(u32::MAX);
        match name.as_str() {
            "max_result_bytes" => limits.max_result_bytes = number,
            "max_text_bytes" => limits.max_text_bytes = number,
            "max_binary_bytes" => limits.max_binary_bytes = number,
            "max_content_blocks" => limits.max_content_blocks = number,
            "max_depth" => limits.max_depth = number,
            "max_text_tokens" => limits.max_text_tokens = Some(number),
            "max_text_lines" => limits.max_text_lines = Some(number),
            "max_block_text_bytes" => limits.max_block_text_bytes = Some(number),
            "max_block_binary_bytes" => limits.max_block_binary_bytes = Some(number),
            "max_structured_bytes" => limits.max_structured_bytes = Some(number),
            "max_list_items" => limits.max_list_items = Some(number),
            "max_map_keys" => limits.max_map_keys = Some(number),
            "max_string_bytes" => limits.max_string_bytes = Some(number),
            "max_key_bytes" => limits.max_key_bytes = Some(number),
            "max_item_bytes" => limits.max_item_bytes = Some(number),
            _ => {}
        }
    }
}

fn measurement(sizes: &Measurement) -> Value {
    let parts = sizes.parts.iter().map(|part| {
        json!({
            "pointer": part.pointer,
            "kind": part.kind,
            "encoded_bytes": part.encoded_bytes,
            "children_items": part.children_items,
        })
    });
    json!({
        "result_bytes": sizes.result_bytes,
        "compact_bytes": sizes.compact_bytes,
        "text_bytes": sizes.text_bytes,
        "text_tokens": sizes.text_tokens,
        "text_lines": sizes.text_lines,
        "structured_bytes": sizes.structured_bytes,
        "binary_bytes": sizes.binary_bytes,
        "content_items": sizes.content_items,
        "nesting_depth": sizes.nesting_depth,
        "parts": parts.collect::<Vec<Value>>(),
    })
}

fn limit_rows(engine: &Engine) -> Result<Vec<Value>> {
    let rows = engine.limit_rows()?;
    let told = rows.iter().map(|row| {
        json!({
            "name": row.name,
            "min": row.min,
            "default_value": row.default_value,
            "max": row.max,
            "rule": row.rule,
            "counts": row.counts,
        })
    });
    Ok(told.collect())
}

fn preset_rows(engine: &Engine) -> Result<Vec<Value>> {
    let rows = engine.preset_rows()?;
    let told = rows.iter().map(|row| {
        json!({
            "name": row.name,
            "max_text_bytes": row.max_text_bytes,
            "max_text_tokens": row.max_text_tokens,
            "max_text_lines": row.max_text_lines,
            "max_binary_bytes": row.max_binary_bytes,
            "max_result_bytes": row.max_result_bytes,
            "client_names": row.client_names,
            "client_rule": row.client_rule,
            "source": row.source,
        })
    });
    Ok(told.collect())
}
