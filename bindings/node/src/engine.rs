//! The engine: the component loaded once, called from any thread.

use std::time::Duration;

use napi::bindgen_prelude::{Either, Uint8Array};
use napi_derive::napi;
use result_budget::{Image, Isolation, LimitRow, PresetRow};

use crate::failure::Failure;

/// How an engine runs. Absent fields have the defaults of the engine.
#[napi(object, object_to_js = false)]
pub struct EngineOptions {
    /// The time that a call may take, in milliseconds.
    pub deadline_millis: Option<u32>,
    /// The most memory that one instance may have.
    pub memory_max_bytes: Option<u32>,
    /// The longest input that is read.
    pub input_max_bytes: Option<u32>,
    /// Whether each call has an instance of its own.
    pub instance_per_call: Option<bool>,
    /// Whether the interpreter runs the component.
    pub interpreted: Option<bool>,
    /// Another engine: an image made by the project's assembler for this
    /// machine and this version. It is machine code: whoever gives it vouches
    /// for it, as whoever loads an addon does.
    pub image: Option<Uint8Array>,
}

/// The component, loaded.
#[napi]
pub struct NativeEngine {
    pub(crate) engine: result_budget::Engine,
}

/// One limit of the product.
#[napi(object, object_from_js = false)]
pub struct NativeLimitRow {
    /// Its name in a policy document.
    pub name: String,
    /// Smallest legal value, inclusive.
    pub min: u32,
    /// Value when nothing is said; absent where the limit is off.
    pub default_value: Option<u32>,
    /// Largest legal value, inclusive.
    pub max: u32,
    /// The rule of the contract behind it.
    pub rule: String,
    /// What it counts.
    pub counts: String,
}

/// The ceilings of a named size, or of a client.
#[napi(object, object_from_js = false)]
pub struct NativePresetRow {
    /// Its name.
    pub name: String,
    /// What a model reads.
    pub max_text_bytes: u32,
    /// The same in tokens; absent where that is off.
    pub max_text_tokens: Option<u32>,
    /// The same in lines; absent where that is off.
    pub max_text_lines: Option<u32>,
    /// Base64 of all blocks.
    pub max_binary_bytes: u32,
    /// The whole result.
    pub max_result_bytes: u32,
    /// The names by which clients that take it call themselves.
    pub client_names: Vec<String>,
    /// What the client does by itself; empty for a size.
    pub client_rule: String,
    /// Where that is told; empty for a size.
    pub source: String,
}

#[napi]
impl NativeEngine {
    /// The engine of this process.
    #[napi]
    pub fn shared() -> Either<NativeEngine, Failure> {
        match result_budget::Engine::shared() {
            Ok(engine) => Either::A(NativeEngine { engine }),
            Err(error) => Either::B((&error).into()),
        }
    }

    /// An engine of its own.
    #[napi]
    pub fn load(options: EngineOptions) -> Either<NativeEngine, Failure> {
        let mut builder = result_budget::Engine::builder();
        if let Some(millis) = options.deadline_millis {
            builder = builder.deadline(Duration::from_millis(millis.into()));
        }
        if let Some(bytes) = options.memory_max_bytes {
            builder = builder.memory_max_bytes(usize::try_from(bytes).unwrap_or(usize::MAX));
        }
        if let Some(bytes) = options.input_max_bytes {
            builder = builder.input_max_bytes(bytes);
        }
        if options.instance_per_call == Some(true) {
            builder = builder.isolation(Isolation::Call);
        }
        if options.interpreted == Some(true) {
            builder = builder.image(Image::Interpreted);
        }
        if let Some(image) = options.image {
            builder = precompiled(builder, image.to_vec());
        }
        match builder.build() {
            Ok(engine) => Either::A(NativeEngine { engine }),
            Err(error) => Either::B((&error).into()),
        }
    }

    /// The SHA-256 of the component, in lower-case hexadecimal.
    #[napi(getter)]
    pub fn sha256(&self) -> String {
        self.engine.sha256().to_owned()
    }

    /// Every limit, in the order in which they are shown.
    #[napi]
    pub fn limit_rows(&self) -> Either<Vec<NativeLimitRow>, Failure> {
        match self.engine.limit_rows() {
            Ok(rows) => Either::A(rows.into_iter().map(limit_row).collect()),
            Err(fault) => Either::B((&result_budget::Failure::Fault(fault)).into()),
        }
    }

    /// Every preset, smallest first.
    #[napi]
    pub fn preset_rows(&self) -> Either<Vec<NativePresetRow>, Failure> {
        match self.engine.preset_rows() {
            Ok(rows) => Either::A(rows.into_iter().map(preset_row).collect()),
            Err(fault) => Either::B((&result_budget::Failure::Fault(fault)).into()),
        }
    }
}

/// Runs an image that the caller vouches for.
#[allow(unsafe_code, reason = "only the caller can vouch for machine code; see SAFETY")]
fn precompiled(
    builder: result_budget::EngineBuilder,
    image: Vec<u8>,
) -> result_budget::EngineBuilder {
    // SAFETY: whoever gives an image vouches for it: the documentation of
    // `image` says so.
    unsafe { builder.precompiled(image) }
}

fn limit_row(row: LimitRow) -> NativeLimitRow {
    let LimitRow { name, min, default_value, max, rule, counts } = row;
    NativeLimitRow { name, min, default_value, max, rule, counts }
}

fn preset_row(row: PresetRow) -> NativePresetRow {
    let PresetRow {
        name,
        max_text_bytes,
        max_text_tokens,
        max_text_lines,
        max_binary_bytes,
        max_result_bytes,
        client_names,
        client_rule,
        source,
    } = row;
    NativePresetRow {
        name,
        max_text_bytes,
        max_text_tokens,
        max_text_lines,
        max_binary_bytes,
        max_result_bytes,
        client_names,
        client_rule,
        source,
    }
}
