//! Which code runs: an image for this machine, one for the interpreter, or the
//! component compiled on the spot.

use wasmtime::Config;
use wasmtime::component::Component;

use crate::error::LoadError;

include!(concat!(env!("OUT_DIR"), "/engine.rs"));

/// The component that this crate carries, as bytes: for other runtimes.
pub static COMPONENT_WASM: &[u8] = COMPONENT;

/// How the component's code reaches the machine. Bytes do not depend on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Image {
    /// The first of the others that this build has and this machine runs.
    #[default]
    Automatic,
    /// The image compiled ahead for this kind of machine.
    Native,
    /// The image for the interpreter: any 64-bit machine, several times
    /// slower.
    Interpreted,
    /// The component, compiled while loading: needs the feature `compile`, and
    /// a fifth of a second.
    Compiled,
}

/// Where the code comes from.
pub(crate) enum Source {
    /// What this crate carries.
    Embedded(Image),
    /// A component that the host brings.
    #[cfg(feature = "compile")]
    Component(Vec<u8>),
    /// A precompiled image that the host brings and vouches for.
    Precompiled(Vec<u8>),
}

/// Code that is ready to run.
pub(crate) struct Loaded {
    pub(crate) runtime: wasmtime::Engine,
    pub(crate) component: Component,
    /// Which way it came.
    pub(crate) image: Image,
}

impl Source {
    /// Makes the code ready to run.
    pub(crate) fn load(&self) -> Result<Loaded, LoadError> {
        match self {
            // An image that was made for another system or another version of
            // the runtime is no reason to go without: the next one may serve.
            Source::Embedded(Image::Automatic) => embedded(Image::Native)
                .or_else(|_| embedded(Image::Interpreted))
                .or_else(|error| compile(COMPONENT).unwrap_or(Err(error))),
            Source::Embedded(image) => embedded(*image),
            #[cfg(feature = "compile")]
            Source::Component(component) => {
                compile(component).unwrap_or(Err(LoadError::UnsupportedMachine))
            }
            Source::Precompiled(image) => load(image, Image::Native),
        }
    }
}

/// What this crate carries, loaded in one way.
fn embedded(image: Image) -> Result<Loaded, LoadError> {
    let bytes = match image {
        Image::Native => NATIVE_IMAGE.filter(|_| has_baseline()),
        Image::Interpreted => PULLEY_IMAGE,
        Image::Automatic | Image::Compiled => {
            return compile(COMPONENT).unwrap_or(Err(LoadError::UnsupportedMachine));
        }
    };
    load(bytes.ok_or(LoadError::UnsupportedMachine)?, image)
}

/// x86-64-v2, the baseline of the native image.
#[cfg(target_arch = "x86_64")]
fn has_baseline() -> bool {
    is_x86_feature_detected!("sse3")
        && is_x86_feature_detected!("ssse3")
        && is_x86_feature_detected!("sse4.1")
        && is_x86_feature_detected!("sse4.2")
        && is_x86_feature_detected!("popcnt")
        && is_x86_feature_detected!("cmpxchg16b")
}

#[cfg(not(target_arch = "x86_64"))]
fn has_baseline() -> bool {
    true
}

/// Loads an image of this crate, or one that the host vouches for.
#[allow(unsafe_code, reason = "loading machine code cannot be checked; see SAFETY")]
fn load(bytes: &[u8], image: Image) -> Result<Loaded, LoadError> {
    let runtime = runtime(image)?;
    // SAFETY: `deserialize` asks that the bytes come from this runtime's own
    // compiler, unaltered. They are either those that the build script copied
    // from the project's assembler into this crate, or those for which the
    // host vouched by calling the unsafe `EngineBuilder::precompiled`. Version
    // and settings are checked by the runtime.
    let component = unsafe { Component::deserialize(&runtime, bytes) };
    component
        .map(|component| Loaded { runtime, component, image })
        .map_err(|error| LoadError::BadImage(format!("{error:#}")))
}

/// Compiles `component`; `None` where this build cannot.
#[cfg(feature = "compile")]
#[allow(clippy::unnecessary_wraps, reason = "the twin below has no compiler")]
fn compile(component: &[u8]) -> Option<Result<Loaded, LoadError>> {
    let image = Image::Compiled;
    Some(runtime(image).and_then(|runtime| {
        Component::from_binary(&runtime, component)
            .map(|component| Loaded { runtime, component, image })
            .map_err(|error| LoadError::BadImage(format!("{error:#}")))
    }))
}

#[cfg(not(feature = "compile"))]
fn compile(_component: &[u8]) -> Option<Result<Loaded, LoadError>> {
    None
}

/// The settings that the assembler compiles with. An image made with others is
/// refused at loading.
fn runtime(image: Image) -> Result<wasmtime::Engine, LoadError> {
    let mut config = Config::new();
    config.epoch_interruption(true);
    config.concurrency_support(false);
    config.max_wasm_stack(STACK_MAX_BYTES);
    let configured = match image {
        Image::Interpreted => config.target(PULLEY).map(|_| ()),
        Image::Automatic | Image::Native | Image::Compiled => Ok(()),
    };
    configured
        .and_then(|()| wasmtime::Engine::new(&config))
        .map_err(|error| LoadError::BadImage(format!("{error:#}")))
}

const PULLEY: &str = "pulley64";

/// The engine does not recurse; small, since hosts call from threads of their
/// own making.
const STACK_MAX_BYTES: usize = 256 * 1_024;
