//! Our scanner and `serde_json`'s in one module: same compiler, same flags,
//! same allocator, same way in as the component's.

#![cfg_attr(target_family = "wasm", no_std)]

extern crate alloc;

use alloc::string::String;

use result_budget_core::{Limits, Outcome, OutputSchema, Settings, json};
use serde::de::IgnoredAny;

use crate::bindings::Guest;

#[allow(unsafe_code, reason = "the canonical ABI passes pointers")]
#[allow(missing_docs, unreachable_pub, reason = "generated")]
#[allow(clippy::all, clippy::panic, clippy::unwrap_used, reason = "generated")]
mod bindings {
    wit_bindgen::generate!({
        inline: r#"
            package result-budget:bench;

            world guest {
              /// Whether the text is JSON, says `serde_json`.
              export ignore: func(text: string) -> bool;
              /// Whether the text is JSON, says our scanner.
              export scan: func(text: string, granularity-bytes: u32) -> bool;
              /// Fits a result: `none` where it stays as it is.
              export fit: func(
                text: string,
                max-text-bytes: u32,
                max-result-bytes: u32,
              ) -> result<option<string>>;
            }
        "#,
    });

    export!(Module with_types_in self);

    use super::Module;
}

/// Stands for the module; it has no state.
struct Module;

impl Guest for Module {
    fn ignore(text: String) -> bool {
        serde_json::from_str::<IgnoredAny>(&text).is_ok()
    }

    fn scan(text: String, granularity_bytes: u32) -> bool {
        json::scan(&text, granularity_bytes).is_ok()
    }

    fn fit(text: String, max_text_bytes: u32, max_result_bytes: u32) -> Result<Option<String>, ()> {
        let limits = Limits { max_text_bytes, max_result_bytes, ..Limits::default() };
        let settings = Settings { limits, ..Settings::default() };
        match result_budget_core::fit(&text, OutputSchema::None, &settings) {
            Ok(Outcome::Unchanged) => Ok(None),
            Ok(Outcome::Compacted(text)) => Ok(Some(text)),
            Ok(Outcome::Bounded(fitted)) => Ok(Some(fitted.tool_result_json)),
            Ok(Outcome::ProtocolError(error)) => Ok(Some(error.error_json)),
            Err(_) => Err(()),
        }
    }
}

/// What WebAssembly lacks without the standard library.
#[cfg(target_family = "wasm")]
mod runtime {
    #[global_allocator]
    static ALLOCATOR: dlmalloc::GlobalDlmalloc = dlmalloc::GlobalDlmalloc;

    #[panic_handler]
    fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
        core::arch::wasm32::unreachable()
    }
}
