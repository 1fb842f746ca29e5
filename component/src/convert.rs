//! WIT types to core types and back, field by field.
//!
//! Every match is exhaustive and every record is taken apart by name, so that
//! a new case or field on either side does not compile until it is carried.

use alloc::string::{String, ToString};

use result_budget_core as core;

use crate::bindings::exports::result_budget::engine::{fitting, settling, types};

/// Stands in for the name of a limit that a host made up.
const UNKNOWN_LIMIT: &str = "limit";

pub(crate) fn settings_in(settings: types::Settings) -> core::Settings {
    let types::Settings { limits, revision, wire_profile, mirror, notice, text_keep, keep_fields } =
        settings;
    core::Settings {
        limits: limits_in(limits),
        revision: revision_in(revision),
        wire_profile: wire_profile_in(wire_profile),
        mirror: mirror_in(mirror),
        notice: notice_place_in(notice),
        text_keep: text_keep_in(text_keep),
        keep_fields,
    }
}

pub(crate) fn settings_out(settings: core::Settings) -> types::Settings {
    let core::Settings { limits, revision, wire_profile, mirror, notice, text_keep, keep_fields } =
        settings;
    types::Settings {
        limits: limits_out(limits),
        revision: revision_out(revision),
        wire_profile: wire_profile_out(wire_profile),
        mirror: mirror_out(mirror),
        notice: notice_place_out(notice),
        text_keep: text_keep_out(text_keep),
        keep_fields,
    }
}

fn limits_in(limits: types::Limits) -> core::Limits {
    let types::Limits {
        max_result_bytes,
        max_text_bytes,
        max_text_tokens,
        max_text_lines,
        max_binary_bytes,
        max_content_blocks,
        max_depth,
        max_block_text_bytes,
        max_block_binary_bytes,
        max_structured_bytes,
        max_list_items,
        max_map_keys,
        max_string_bytes,
        max_key_bytes,
        max_item_bytes,
    } = limits;
    core::Limits {
        max_result_bytes,
        max_text_bytes,
        max_text_tokens,
        max_text_lines,
        max_binary_bytes,
        max_content_blocks,
        max_depth,
        max_block_text_bytes,
        max_block_binary_bytes,
        max_structured_bytes,
        max_list_items,
        max_map_keys,
        max_string_bytes,
        max_key_bytes,
        max_item_bytes,
    }
}

fn limits_out(limits: core::Limits) -> types::Limits {
    let core::Limits {
        max_result_bytes,
        max_text_bytes,
        max_text_tokens,
        max_text_lines,
        max_binary_bytes,
        max_content_blocks,
        max_depth,
        max_block_text_bytes,
        max_block_binary_bytes,
        max_structured_bytes,
        max_list_items,
        max_map_keys,
        max_string_bytes,
        max_key_bytes,
        max_item_bytes,
    } = limits;
    types::Limits {
        max_result_bytes,
        max_text_bytes,
        max_text_tokens,
        max_text_lines,
        max_binary_bytes,
        max_content_blocks,
        max_depth,
        max_block_text_bytes,
        max_block_binary_bytes,
        max_structured_bytes,
        max_list_items,
        max_map_keys,
        max_string_bytes,
        max_key_bytes,
        max_item_bytes,
    }
}

fn revision_in(revision: types::Revision) -> core::Revision {
    match revision {
        types::Revision::R20241105 => core::Revision::R20241105,
        types::Revision::R20250326 => core::Revision::R20250326,
        types::Revision::R20250618 => core::Revision::R20250618,
        types::Revision::R20251125 => core::Revision::R20251125,
        types::Revision::R20260728 => core::Revision::R20260728,
    }
}

fn revision_out(revision: core::Revision) -> types::Revision {
    match revision {
        core::Revision::R20241105 => types::Revision::R20241105,
        core::Revision::R20250326 => types::Revision::R20250326,
        core::Revision::R20250618 => types::Revision::R20250618,
        core::Revision::R20251125 => types::Revision::R20251125,
        core::Revision::R20260728 => types::Revision::R20260728,
    }
}

fn wire_profile_in(profile: types::WireProfile) -> core::WireProfile {
    match profile {
        types::WireProfile::Utf8Compact => core::WireProfile::Utf8Compact,
        types::WireProfile::AsciiCompact => core::WireProfile::AsciiCompact,
        types::WireProfile::PythonJson => core::WireProfile::PythonJson,
        types::WireProfile::HtmlEscaped => core::WireProfile::HtmlEscaped,
    }
}

fn wire_profile_out(profile: core::WireProfile) -> types::WireProfile {
    match profile {
        core::WireProfile::Utf8Compact => types::WireProfile::Utf8Compact,
        core::WireProfile::AsciiCompact => types::WireProfile::AsciiCompact,
        core::WireProfile::PythonJson => types::WireProfile::PythonJson,
        core::WireProfile::HtmlEscaped => types::WireProfile::HtmlEscaped,
    }
}

fn mirror_in(mirror: types::Mirror) -> core::Mirror {
    match mirror {
        types::Mirror::Both => core::Mirror::Both,
        types::Mirror::Structured => core::Mirror::Structured,
        types::Mirror::Text => core::Mirror::Text,
    }
}

fn mirror_out(mirror: core::Mirror) -> types::Mirror {
    match mirror {
        core::Mirror::Both => types::Mirror::Both,
        core::Mirror::Structured => types::Mirror::Structured,
        core::Mirror::Text => types::Mirror::Text,
    }
}

fn notice_place_in(place: types::NoticePlace) -> core::NoticePlace {
    match place {
        types::NoticePlace::First => core::NoticePlace::First,
        types::NoticePlace::Last => core::NoticePlace::Last,
    }
}

fn notice_place_out(place: core::NoticePlace) -> types::NoticePlace {
    match place {
        core::NoticePlace::First => types::NoticePlace::First,
        core::NoticePlace::Last => types::NoticePlace::Last,
    }
}

fn text_keep_in(keep: types::TextKeep) -> core::TextKeep {
    match keep {
        types::TextKeep::Auto => core::TextKeep::Auto,
        types::TextKeep::Head => core::TextKeep::Head,
        types::TextKeep::Tail => core::TextKeep::Tail,
        types::TextKeep::HeadAndTail => core::TextKeep::HeadAndTail,
    }
}

fn text_keep_out(keep: core::TextKeep) -> types::TextKeep {
    match keep {
        core::TextKeep::Auto => types::TextKeep::Auto,
        core::TextKeep::Head => types::TextKeep::Head,
        core::TextKeep::Tail => types::TextKeep::Tail,
        core::TextKeep::HeadAndTail => types::TextKeep::HeadAndTail,
    }
}

pub(crate) fn output_schema_in(schema: &fitting::OutputSchema) -> core::OutputSchema<'_> {
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
