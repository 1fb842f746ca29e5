//! What the engine answers, as Python's dictionaries: fields as in `wit/`,
//! with underscores.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use result_budget::{LimitRow, Measurement, PresetRow, Refused, Settled, ToolsMeasurement};

/// What a refusal carries.
pub(crate) fn refused<'py>(py: Python<'py>, refused: &Refused) -> PyResult<Bound<'py, PyDict>> {
    let told = PyDict::new(py);
    match refused {
        Refused::Policy(fault) => {
            told.set_item("pointer", &fault.pointer)?;
            told.set_item("code", &fault.code)?;
            told.set_item("given", &fault.given)?;
            told.set_item("allowed", &fault.allowed)?;
        }
        Refused::LimitOutOfRange(fault) => {
            told.set_item("name", &fault.name)?;
            told.set_item("given", &fault.given)?;
            told.set_item("min", fault.min)?;
            told.set_item("max", fault.max)?;
        }
        Refused::UnknownName(fault) => {
            told.set_item("field", &fault.field)?;
            told.set_item("given", &fault.given)?;
            told.set_item("allowed", &fault.allowed)?;
        }
        Refused::InputTooLarge { given_bytes, max_bytes } => {
            told.set_item("given_bytes", given_bytes)?;
            told.set_item("max_bytes", max_bytes)?;
        }
        Refused::NotUtf8 { offset_bytes }
        | Refused::MalformedJson { offset_bytes }
        | Refused::OutputSchema { offset_bytes } => {
            told.set_item("offset_bytes", offset_bytes)?;
        }
        Refused::NotAnObject => {}
        Refused::PreviousReport { pointer } => told.set_item("pointer", pointer)?,
    }
    Ok(told)
}

/// The sizes of a result.
pub(crate) fn measurement<'py>(
    py: Python<'py>,
    sizes: &Measurement,
) -> PyResult<Bound<'py, PyDict>> {
    let told = PyDict::new(py);
    told.set_item("result_bytes", sizes.result_bytes)?;
    told.set_item("compact_bytes", sizes.compact_bytes)?;
    told.set_item("text_bytes", sizes.text_bytes)?;
    told.set_item("text_tokens", sizes.text_tokens)?;
    told.set_item("text_lines", sizes.text_lines)?;
    told.set_item("structured_bytes", sizes.structured_bytes)?;
    told.set_item("binary_bytes", sizes.binary_bytes)?;
    told.set_item("content_items", sizes.content_items)?;
    told.set_item("nesting_depth", sizes.nesting_depth)?;
    let parts = PyList::empty(py);
    for part in &sizes.parts {
        let row = PyDict::new(py);
        row.set_item("pointer", &part.pointer)?;
        row.set_item("kind", &part.kind)?;
        row.set_item("encoded_bytes", part.encoded_bytes)?;
        row.set_item("children_items", part.children_items)?;
        parts.append(row)?;
    }
    told.set_item("parts", parts)?;
    Ok(told)
}

/// What is in force for a call, and the preset behind it.
pub(crate) fn settled<'py>(py: Python<'py>, settled: &Settled) -> PyResult<Bound<'py, PyDict>> {
    let Settled { settings, preset, chosen_by } = settled;
    let limits = PyDict::new(py);
    let of = &settings.limits;
    limits.set_item("max_result_bytes", of.max_result_bytes)?;
    limits.set_item("max_text_bytes", of.max_text_bytes)?;
    limits.set_item("max_text_tokens", of.max_text_tokens)?;
    limits.set_item("max_text_lines", of.max_text_lines)?;
    limits.set_item("max_binary_bytes", of.max_binary_bytes)?;
    limits.set_item("max_content_blocks", of.max_content_blocks)?;
    limits.set_item("max_depth", of.max_depth)?;
    limits.set_item("max_block_text_bytes", of.max_block_text_bytes)?;
    limits.set_item("max_block_binary_bytes", of.max_block_binary_bytes)?;
    limits.set_item("max_structured_bytes", of.max_structured_bytes)?;
    limits.set_item("max_list_items", of.max_list_items)?;
    limits.set_item("max_map_keys", of.max_map_keys)?;
    limits.set_item("max_string_bytes", of.max_string_bytes)?;
    limits.set_item("max_key_bytes", of.max_key_bytes)?;
    limits.set_item("max_item_bytes", of.max_item_bytes)?;
    let told = PyDict::new(py);
    told.set_item("limits", limits)?;
    told.set_item("revision", settings.revision.code())?;
    told.set_item("wire_profile", settings.wire_profile.code())?;
    told.set_item("mirror", settings.mirror.code())?;
    told.set_item("notice", settings.notice.code())?;
    told.set_item("text_keep", settings.text_keep.code())?;
    told.set_item("ansi", settings.ansi.code())?;
    told.set_item("keep_fields", &settings.keep_fields)?;
    told.set_item("preset", preset)?;
    told.set_item("preset_chosen_by", chosen_by.code())?;
    told.set_item("resources", settings.resources.code())?;
    told.set_item("call_argument", settings.call_argument)?;
    told.set_item("max_description_bytes", settings.max_description_bytes)?;
    Ok(told)
}

/// The sizes of a list of tools.
pub(crate) fn tools<'py>(
    py: Python<'py>,
    sizes: &ToolsMeasurement,
) -> PyResult<Bound<'py, PyDict>> {
    let told = PyDict::new(py);
    told.set_item("list_bytes", sizes.list_bytes)?;
    told.set_item("tools_items", sizes.tools_items)?;
    told.set_item("fits", sizes.fits)?;
    let tools = PyList::empty(py);
    for tool in &sizes.tools {
        let row = PyDict::new(py);
        row.set_item("name", &tool.name)?;
        row.set_item("tool_bytes", tool.tool_bytes)?;
        row.set_item("description_bytes", tool.description_bytes)?;
        row.set_item("input_schema_bytes", tool.input_schema_bytes)?;
        row.set_item("output_schema_bytes", tool.output_schema_bytes)?;
        tools.append(row)?;
    }
    told.set_item("tools", tools)?;
    Ok(told)
}

/// Every limit.
pub(crate) fn limit_rows<'py>(py: Python<'py>, rows: &[LimitRow]) -> PyResult<Bound<'py, PyList>> {
    let told = PyList::empty(py);
    for row in rows {
        let line = PyDict::new(py);
        line.set_item("name", &row.name)?;
        line.set_item("min", row.min)?;
        line.set_item("default_value", row.default_value)?;
        line.set_item("max", row.max)?;
        line.set_item("rule", &row.rule)?;
        line.set_item("counts", &row.counts)?;
        told.append(line)?;
    }
    Ok(told)
}

/// Every preset.
pub(crate) fn preset_rows<'py>(
    py: Python<'py>,
    rows: &[PresetRow],
) -> PyResult<Bound<'py, PyList>> {
    let told = PyList::empty(py);
    for row in rows {
        let line = PyDict::new(py);
        line.set_item("name", &row.name)?;
        line.set_item("max_text_bytes", row.max_text_bytes)?;
        line.set_item("max_text_tokens", row.max_text_tokens)?;
        line.set_item("max_text_lines", row.max_text_lines)?;
        line.set_item("max_binary_bytes", row.max_binary_bytes)?;
        line.set_item("max_result_bytes", row.max_result_bytes)?;
        line.set_item("client_names", &row.client_names)?;
        line.set_item("client_rule", &row.client_rule)?;
        line.set_item("source", &row.source)?;
        told.append(line)?;
    }
    Ok(told)
}
