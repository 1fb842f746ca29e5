//! The core, in process.

use anyhow::{Result, bail};
use result_budget_core::{
    Call, Failure, FitError, LIMITS, LimitFault, Limits, Outcome, OutputSchema, PRESETS, Request,
    ResultKind, Settings, SettleError, ToolsMeasurement, failure_result, fit, measure,
    measure_tools, prepare_tools, settle,
};
use serde_json::{Map, Value, json};

use crate::adapter::Adapter;
use crate::vector::Vector;

/// Calls `result-budget-core` natively.
#[derive(Debug, Default)]
pub struct CoreEngine;

impl Adapter for CoreEngine {
    fn name(&self) -> &str {
        "core"
    }

    fn engine(&self) -> String {
        "native".to_string()
    }

    fn answer(&mut self, vector: &Vector) -> Result<Value> {
        let policy = vector.policy_json();
        let request = Request {
            preset: vector.request("preset"),
            client_name: vector.request("client_name"),
            limit_bytes: vector.request("limit_bytes"),
            limit_tokens: vector.request("limit_tokens"),
            tool: vector.request("tool"),
            revision: vector.request("revision"),
            wire_profile: vector.request("wire_profile"),
            call_max_bytes: vector.request("call_max_bytes"),
            call_max_tokens: vector.request("call_max_tokens"),
        };
        match vector.call() {
            "limit-rows" => return Ok(json!({ "rows": limit_rows() })),
            "preset-rows" => return Ok(json!({ "rows": preset_rows() })),
            _ => {}
        }
        let settled = match settle(&policy, &request) {
            Ok(settled) => settled,
            Err(error) => return Ok(json!({ "error": settle_error(&error) })),
        };
        let mut settings = settled.settings;
        if let Some(Value::Object(by_hand)) = vector.given("limits_by_hand") {
            set_by_hand(&mut settings.limits, by_hand);
        }
        let input = vector.tool_result_json();
        let schema;
        let output_schema = match vector.given("output_schema") {
            None => OutputSchema::Unknown,
            Some(Value::String(name)) if name == "unknown" => OutputSchema::Unknown,
            Some(Value::String(_)) => OutputSchema::None,
            Some(given) => {
                schema = given.get("given").and_then(Value::as_str).unwrap_or_default().to_string();
                OutputSchema::Given(&schema)
            }
        };
        let kind = ResultKind::ALL.into_iter().find(|kind| kind.name() == vector.kind());
        let Some(kind) = kind else { bail!("there is no kind `{}`", vector.kind()) };
        let previous_report = vector.previous_report();
        let call = Call { kind, output_schema, previous_report, schemas: None };
        Ok(match vector.call() {
            "measure-tools" => match measure_tools(&input, &settings) {
                Ok(sizes) => json!({ "measurement": tools_measurement(&sizes) }),
                Err(error) => json!({ "error": fit_error(&error) }),
            },
            "prepare-tools" => match prepare_tools(&input, &settings) {
                Ok(None) => json!({ "outcome": "unchanged" }),
                Ok(Some(text)) => json!({ "outcome": "prepared", "tool_result_json": text }),
                Err(error) => json!({ "error": fit_error(&error) }),
            },
            "fit" => match fit(&input, call, &settings) {
                Ok(outcome) => told(outcome),
                Err(error) => json!({ "error": fit_error(&error) }),
            },
            "measure" => match measure(&input, &settings) {
                Ok(sizes) => json!({ "measurement": measurement(&sizes) }),
                Err(error) => json!({ "error": fit_error(&error) }),
            },
            "settle" => json!({
                "settings": told_settings(&settings),
                "preset": settled.preset,
                "chosen_by": settled.chosen_by.name(),
            }),
            "failure-result" => {
                let failure = vector.given("failure").map(failure).transpose()?;
                let Some(failure) = failure else { bail!("no failure is given") };
                json!({ "tool_result_json": failure_result(&failure, kind, &settings) })
            }
            other => bail!("there is no call `{other}`"),
        })
    }
}

fn told(outcome: Outcome) -> Value {
    match outcome {
        Outcome::Unchanged => json!({ "outcome": "unchanged" }),
        Outcome::Compacted(text) => json!({ "outcome": "compacted", "tool_result_json": text }),
        Outcome::Bounded(fitted) => json!({
            "outcome": "bounded",
            "tool_result_json": fitted.tool_result_json,
            "report_json": fitted.report_json,
            "replaced_by_error": fitted.replaced_by_error,
        }),
        Outcome::ProtocolError(error) => json!({
            "outcome": "protocol-error",
            "error_json": error.error_json,
            "report_json": error.report_json,
        }),
    }
}

fn fit_error(error: &FitError) -> Value {
    match error {
        FitError::LimitOutOfRange(fault) => {
            json!({ "code": "limit-out-of-range", "fault": limit_fault(fault) })
        }
        FitError::InputTooLarge { given_bytes, max_bytes } => json!({
            "code": "input-too-large",
            "fault": { "given_bytes": given_bytes, "max_bytes": max_bytes },
        }),
        FitError::MalformedJson { offset_bytes } => {
            json!({ "code": "malformed-json", "offset_bytes": offset_bytes })
        }
        FitError::NotAnObject => json!({ "code": "not-an-object" }),
        FitError::OutputSchema { offset_bytes } => {
            json!({ "code": "output-schema", "offset_bytes": offset_bytes })
        }
        FitError::PreviousReport { pointer } => {
            json!({ "code": "previous-report", "pointer": pointer })
        }
    }
}

fn settle_error(error: &SettleError) -> Value {
    match error {
        SettleError::Policy { pointer, code, given, allowed } => json!({
            "code": "policy",
            "fault": { "pointer": pointer, "code": code, "given": given, "allowed": allowed },
        }),
        SettleError::LimitOutOfRange(fault) => {
            json!({ "code": "limit-out-of-range", "fault": limit_fault(fault) })
        }
        SettleError::UnknownName { field, given, allowed } => json!({
            "code": "unknown-name",
            "fault": { "field": field, "given": given, "allowed": allowed },
        }),
    }
}

fn limit_fault(fault: &LimitFault) -> Value {
    json!({ "name": fault.name, "given": fault.given, "min": fault.min, "max": fault.max })
}

fn failure(given: &Value) -> Result<Failure> {
    let number = |value: &Value, key: &str| -> u32 {
        value.get(key).and_then(Value::as_u64).and_then(|n| u32::try_from(n).ok()).unwrap_or(0)
    };
    Ok(match given.get("code").and_then(Value::as_str).unwrap_or_default() {
        "not-utf8" => Failure::NotUtf8 { offset_bytes: number(given, "offset_bytes") },
        "deadline" => Failure::Deadline,
        "memory" => Failure::Memory,
        "trap" => Failure::Trap,
        "bad-answer" => Failure::BadAnswer,
        "circuit-open" => Failure::CircuitOpen,
        "not-an-object" => Failure::Refused(FitError::NotAnObject),
        "output-schema" => {
            Failure::Refused(FitError::OutputSchema { offset_bytes: number(given, "offset_bytes") })
        }
        "malformed-json" => Failure::Refused(FitError::MalformedJson {
            offset_bytes: number(given, "offset_bytes"),
        }),
        "input-too-large" => Failure::Refused(FitError::InputTooLarge {
            given_bytes: number(given, "given_bytes"),
            max_bytes: number(given, "max_bytes"),
        }),
        other => bail!("there is no failure `{other}`"),
    })
}

fn set_by_hand(limits: &mut Limits, by_hand: &Map<String, Value>) {
    for (name, value) in by_hand {
        let value = value.as_u64().and_then(|value| u32::try_from(value).ok()).unwrap_or(u32::MAX);
        match name.as_str() {
            "max_result_bytes" => limits.max_result_bytes = value,
            "max_text_bytes" => limits.max_text_bytes = value,
            "max_binary_bytes" => limits.max_binary_bytes = value,
            "max_content_blocks" => limits.max_content_blocks = value,
            "max_depth" => limits.max_depth = value,
            "max_text_tokens" => limits.max_text_tokens = Some(value),
            "max_text_lines" => limits.max_text_lines = Some(value),
            "max_block_text_bytes" => limits.max_block_text_bytes = Some(value),
            "max_block_binary_bytes" => limits.max_block_binary_bytes = Some(value),
            "max_structured_bytes" => limits.max_structured_bytes = Some(value),
            "max_list_items" => limits.max_list_items = Some(value),
            "max_map_keys" => limits.max_map_keys = Some(value),
            "max_string_bytes" => limits.max_string_bytes = Some(value),
            "max_key_bytes" => limits.max_key_bytes = Some(value),
            "max_item_bytes" => limits.max_item_bytes = Some(value),
            _ => {}
        }
    }
}

fn measurement(sizes: &result_budget_core::Measurement) -> Value {
    let parts: Vec<Value> = sizes
        .parts
        .iter()
        .map(|part| {
            json!({
                "pointer": part.pointer,
                "kind": part.kind,
                "encoded_bytes": part.encoded_bytes,
                "children_items": part.children_items,
            })
        })
        .collect();
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
        "parts": parts,
    })
}

fn told_settings(settings: &Settings) -> Value {
    let limits: Map<String, Value> = LIMITS
        .iter()
        .map(|limit| (limit.name.to_string(), json!(settings.limits.value(limit.name))))
        .collect();
    json!({
        "limits": limits,
        "revision": format!("r{}", settings.revision.name().replace('-', "")),
        "wire_profile": settings.wire_profile.name(),
        "mirror": settings.mirror.name(),
        "notice": settings.notice.name(),
        "text_keep": settings.text_keep.name(),
        "ansi": settings.ansi.name(),
        "keep_fields": settings.keep_fields,
        "resources": settings.resources.name(),
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

fn limit_rows() -> Value {
    LIMITS
        .iter()
        .map(|limit| {
            json!({
                "name": limit.name,
                "min": limit.min,
                "default_value": limit.default,
                "max": limit.max,
                "rule": limit.rule,
                "counts": limit.counts,
            })
        })
        .collect()
}

fn preset_rows() -> Value {
    PRESETS
        .iter()
        .map(|preset| {
            json!({
                "name": preset.name,
                "max_text_bytes": preset.max_text_bytes,
                "max_text_tokens": preset.max_text_tokens,
                "max_text_lines": preset.max_text_lines,
                "max_binary_bytes": preset.max_binary_bytes,
                "max_result_bytes": preset.max_result_bytes,
                "client_names": preset.client_names,
                "client_rule": preset.client_rule,
                "source": preset.source,
            })
        })
        .collect()
}
