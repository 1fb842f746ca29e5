//! The engine behind its WIT interface: convert in, call the core, convert
//! out.
//!
//! Decides nothing. Imports nothing: on WebAssembly it has no standard
//! library, an allocator of its own, and a panic that is a trap.

#![cfg_attr(target_family = "wasm", no_std)]

extern crate alloc;

use alloc::string::String;
use alloc::vec::Vec;

use result_budget_core::Schemas;

use crate::bindings::exports::result_budget::engine::{fitting, listing, settling};

mod bindings;
mod convert;

/// Stands for the engine. It remembers compiled schemas and nothing else, and
/// they change no answer.
struct Component;

static SCHEMAS: spin::Mutex<Schemas> = spin::Mutex::new(Schemas::new());

impl fitting::Guest for Component {
    fn fit(
        tool_result_json: String,
        call: fitting::Call,
        settings: fitting::Settings,
    ) -> Result<fitting::Outcome, fitting::FitError> {
        let settings = convert::settings_in(settings);
        let schemas = SCHEMAS.try_lock();
        let call = convert::call_in(&call, schemas.as_deref());
        result_budget_core::fit(&tool_result_json, call, &settings)
            .map(convert::outcome_out)
            .map_err(convert::fit_error_out)
    }

    fn measure(
        tool_result_json: String,
        settings: fitting::Settings,
    ) -> Result<fitting::Measurement, fitting::FitError> {
        result_budget_core::measure(&tool_result_json, &convert::settings_in(settings))
            .map(convert::measurement_out)
            .map_err(convert::fit_error_out)
    }

    fn failure_result(
        failure: fitting::Failure,
        kind: fitting::ResultKind,
        settings: fitting::Settings,
    ) -> String {
        let (failure, kind) = (convert::failure_in(failure), convert::kind_in(kind));
        result_budget_core::failure_result(&failure, kind, &convert::settings_in(settings))
    }
}

impl listing::Guest for Component {
    fn measure_tools(
        tools_list_json: String,
        settings: listing::Settings,
    ) -> Result<listing::ToolsMeasurement, listing::FitError> {
        result_budget_core::measure_tools(&tools_list_json, &convert::settings_in(settings))
            .map(convert::tools_measurement_out)
            .map_err(convert::fit_error_out)
    }

    fn prepare_tools(
        tools_list_json: String,
        settings: listing::Settings,
    ) -> Result<Option<String>, listing::FitError> {
        result_budget_core::prepare_tools(&tools_list_json, &convert::settings_in(settings))
            .map_err(convert::fit_error_out)
    }
}

impl settling::Guest for Component {
    fn settle(
        policy_json: String,
        request: settling::Request,
    ) -> Result<settling::Settled, settling::SettleError> {
        result_budget_core::settle(&policy_json, &convert::request_in(&request))
            .map(convert::settled_out)
            .map_err(convert::settle_error_out)
    }

    fn limit_rows() -> Vec<settling::LimitRow> {
        result_budget_core::LIMITS.iter().map(convert::limit_row_out).collect()
    }

    fn preset_rows() -> Vec<settling::PresetRow> {
        result_budget_core::PRESETS.iter().map(convert::preset_row_out).collect()
    }
}

/// What WebAssembly lacks without the standard library.
#[cfg(target_family = "wasm")]
mod runtime {
    #[global_allocator]
    static ALLOCATOR: dlmalloc::GlobalDlmalloc = dlmalloc::GlobalDlmalloc;

    /// A panic is a defect of ours: it traps, and the host fails closed.
    #[panic_handler]
    fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
        core::arch::wasm32::unreachable()
    }
}
