//! WIT types to core types and back, field by field.
//!
//! Every match is exhaustive and every record is taken apart by name, so that
//! a new case or field on either side does not compile until it is carried.

use alloc::string::{String, ToString};

use result_budget_core as core;

use crate::bindings::exports::result_budget::engine::{fitting, listing, settling, types};

mod settings;

pub(crate) use self::settings::{settings_in, settings_out};

/// Stands in for the name of a limit that a host made up.
const UNKNOWN_LIMIT: &str = "limit";

pub(crate) fn call_in<'a>(
    call: &'a fitting::Call,
    schemas: Option<&'a core::Schemas>,
) -> core::Call<'a> {
    let fitting::Call { kind, output_schema, previous_report } = call;
    core::Call {
        kind: kind_in(*kind),
        output_schema: output_schema_in(output_schema),
        previous_report: previous_report.as_deref(),
        schemas,
    }
}

pub(crate) fn kind_in(kind: fitting::ResultKind) -> core::ResultKind {
    match kind {
        fitting::ResultKind::Tool => core::ResultKind::Tool,
        fitting::ResultKind::Prompt => core::ResultKind::Prompt,
        fitting::ResultKind::Resource => core::ResultKind::Resource,
        fitting::ResultKind::Task => core::ResultKind::Task,
        fitting::ResultKind::Error => core::ResultKind::Error,
        fitting::ResultKind::List => core::ResultKind::List,
        fitting::ResultKind::Other => core::ResultKind::Other,
    }
}

fn output_schema_in(schema: &fitting::OutputSchema) -> core::OutputSchema<'_> {
    match schema {
        fitting::OutputSchema::None => core::OutputSchema::None,
        fitting::OutputSchema::Unknown => core::OutputSchema::Unknown,
        fitting::OutputSchema::Given(text) => core::OutputSchema::Given(text),
    }
}

pub(crate) fn outcome_out(outcome: core::Outcome) -> fitting::Outcome {
    match outcome {
        core::Outcome::Unchanged => fitting::Outcome::Unchanged,
        core::Outcome::Compacted(text) => fitting::Outcome::Compacted(text),
        core::Outcome::Bounded(fitted) => {
            let core::Fitted { tool_result_json, report_json, replaced_by_error } = fitted;
            fitting::Outcome::Bounded(fitting::Fitted {
                tool_result_json,
                report_json,
                replaced_by_error,
            })
        }
        core::Outcome::ProtocolError(error) => {
            let core::ProtocolError { error_json, report_json } = error;
            fitting::Outcome::ProtocolError(fitting::ProtocolError { error_json, report_json })
        }
    }
}

pub(crate) fn fit_error_out(error: core::FitError) -> fitting::FitError {
    match error {
        core::FitError::LimitOutOfRange(fault) => {
            fitting::FitError::LimitOutOfRange(limit_fault_out(fault))
        }
        core::FitError::InputTooLarge { given_bytes, max_bytes } => {
            fitting::FitError::InputTooLarge(fitting::SizeFault { given_bytes, max_bytes })
        }
        core::FitError::MalformedJson { offset_bytes } => {
            fitting::FitError::MalformedJson(offset_bytes)
        }
        core::FitError::NotAnObject => fitting::FitError::NotAnObject,
        core::FitError::PreviousReport { pointer } => fitting::FitError::PreviousReport(pointer),
        core::FitError::OutputSchema { offset_bytes } => {
            fitting::FitError::OutputSchema(offset_bytes)
        }
    }
}

fn fit_error_in(error: fitting::FitError) -> core::FitError {
    match error {
        fitting::FitError::LimitOutOfRange(fault) => {
            core::FitError::LimitOutOfRange(limit_fault_in(fault))
        }
        fitting::FitError::InputTooLarge(fitting::SizeFault { given_bytes, max_bytes }) => {
            core::FitError::InputTooLarge { given_bytes, max_bytes }
        }
        fitting::FitError::MalformedJson(offset_bytes) => {
            core::FitError::MalformedJson { offset_bytes }
        }
        fitting::FitError::NotAnObject => core::FitError::NotAnObject,
        fitting::FitError::PreviousReport(pointer) => core::FitError::PreviousReport { pointer },
        fitting::FitError::OutputSchema(offset_bytes) => {
            core::FitError::OutputSchema { offset_bytes }
        }
    }
}

pub(crate) fn failure_in(failure: fitting::Failure) -> core::Failure {
    match failure {
        fitting::Failure::Refused(error) => core::Failure::Refused(fit_error_in(error)),
        fitting::Failure::NotUtf8(offset_bytes) => core::Failure::NotUtf8 { offset_bytes },
        fitting::Failure::Deadline => core::Failure::Deadline,
        fitting::Failure::Memory => core::Failure::Memory,
        fitting::Failure::Trap => core::Failure::Trap,
        fitting::Failure::BadAnswer => core::Failure::BadAnswer,
        fitting::Failure::CircuitOpen => core::Failure::CircuitOpen,
    }
}

fn limit_fault_out(fault: core::LimitFault) -> types::LimitFault {
    let core::LimitFault { name, given, min, max } = fault;
    types::LimitFault { name: name.to_string(), given, min, max }
}

fn limit_fault_in(fault: types::LimitFault) -> core::LimitFault {
    let types::LimitFault { name, given, min, max } = fault;
    let name = core::LIMITS
        .iter()
        .map(|limit| limit.name)
        .chain([core::limit::CALL_MAX_BYTES, core::limit::CALL_MAX_TOKENS])
        .find(|known| *known == name)
        .unwrap_or(UNKNOWN_LIMIT);
    core::LimitFault { name, given, min, max }
}

pub(crate) fn measurement_out(measurement: core::Measurement) -> fitting::Measurement {
    let core::Measurement {
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
    fitting::Measurement {
        result_bytes,
        compact_bytes,
        text_bytes,
        text_tokens,
        text_lines,
        structured_bytes,
        binary_bytes,
        content_items,
        nesting_depth,
        parts: parts.into_iter().map(part_out).collect(),
    }
}

fn part_out(part: core::Part) -> fitting::Part {
    let core::Part { pointer, kind, encoded_bytes, children_items } = part;
    fitting::Part { pointer, kind: kind.to_string(), encoded_bytes, children_items }
}

pub(crate) fn tools_measurement_out(
    measurement: core::ToolsMeasurement,
) -> listing::ToolsMeasurement {
    let core::ToolsMeasurement { list_bytes, tools_items, fits, tools } = measurement;
    let tools = tools.into_iter().map(tool_sizes_out).collect();
    listing::ToolsMeasurement { list_bytes, tools_items, fits, tools }
}

fn tool_sizes_out(sizes: core::ToolSizes) -> listing::ToolSizes {
    let core::ToolSizes {
        name,
        tool_bytes,
        description_bytes,
        input_schema_bytes,
        output_schema_bytes,
    } = sizes;
    listing::ToolSizes {
        name,
        tool_bytes,
        description_bytes,
        input_schema_bytes,
        output_schema_bytes,
    }
}

pub(crate) fn request_in(request: &settling::Request) -> core::Request<'_> {
    let settling::Request {
        preset,
        client_name,
        limit_bytes,
        limit_tokens,
        tool,
        revision,
        wire_profile,
        call_max_bytes,
        call_max_tokens,
    } = request;
    core::Request {
        preset: preset.as_deref(),
        client_name: client_name.as_deref(),
        limit_bytes: limit_bytes.as_deref(),
        limit_tokens: limit_tokens.as_deref(),
        tool: tool.as_deref(),
        revision: revision.as_deref(),
        wire_profile: wire_profile.as_deref(),
        call_max_bytes: call_max_bytes.as_deref(),
        call_max_tokens: call_max_tokens.as_deref(),
    }
}

pub(crate) fn settled_out(settled: core::Settled) -> settling::Settled {
    let core::Settled { settings, preset, chosen_by } = settled;
    settling::Settled {
        settings: settings_out(settings),
        preset,
        chosen_by: match chosen_by {
            core::ChosenBy::Request => settling::ChosenBy::Request,
            core::ChosenBy::Client => settling::ChosenBy::Client,
            core::ChosenBy::Policy => settling::ChosenBy::Policy,
            core::ChosenBy::Default => settling::ChosenBy::Default,
        },
    }
}

pub(crate) fn settle_error_out(error: core::SettleError) -> settling::SettleError {
    match error {
        core::SettleError::Policy { pointer, code, given, allowed } => {
            settling::SettleError::Policy(settling::PolicyFault {
                pointer,
                code: code.to_string(),
                given,
                allowed,
            })
        }
        core::SettleError::LimitOutOfRange(fault) => {
            settling::SettleError::LimitOutOfRange(limit_fault_out(fault))
        }
        core::SettleError::UnknownName { field, given, allowed } => {
            settling::SettleError::UnknownName(settling::NameFault {
                field: field.to_string(),
                given,
                allowed,
            })
        }
    }
}

pub(crate) fn limit_row_out(limit: &core::Limit) -> settling::LimitRow {
    let core::Limit { name, min, default, max, rule, counts } = limit;
    settling::LimitRow {
        name: String::from(*name),
        min: *min,
        default_value: *default,
        max: *max,
        rule: String::from(*rule),
        counts: String::from(*counts),
    }
}

pub(crate) fn preset_row_out(preset: &core::Preset) -> settling::PresetRow {
    let core::Preset {
        name,
        max_text_bytes,
        max_text_tokens,
        max_text_lines,
        max_binary_bytes,
        max_result_bytes,
        client_names,
        client_rule,
        source,
    } = preset;
    settling::PresetRow {
        name: String::from(*name),
        max_text_bytes: *max_text_bytes,
        max_text_tokens: *max_text_tokens,
        max_text_lines: *max_text_lines,
        max_binary_bytes: *max_binary_bytes,
        max_result_bytes: *max_result_bytes,
        client_names: client_names.iter().copied().map(String::from).collect(),
        client_rule: String::from(*client_rule),
        source: String::from(*source),
    }
}
