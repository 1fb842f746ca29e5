//! Precompiled images of the component.
//!
//! An image is bound to the exact version of the runtime, to the settings in
//! [`run_config`] and to the processor features in [`X86_64_V2`].

use anyhow::{Context, Result, anyhow, bail};
use target_lexicon::{Architecture, Triple};
use wasmtime::component::{Component, Linker};
use wasmtime::{Config, Engine, Store};

/// The processor features of x86-64-v2: every x86-64 machine of the last
/// fifteen years, not the one that happens to build.
const X86_64_V2: [&str; 6] =
    ["has_sse3", "has_ssse3", "has_sse41", "has_sse42", "has_popcnt", "has_cmpxchg16b"];

/// What an image is made for.
#[derive(Clone, Debug)]
pub(crate) enum Target {
    /// The machine code of this host's architecture and operating system.
    Native(Triple),
    /// Byte code for the runtime's interpreter: any 64-bit little-endian host.
    Pulley,
}

/// How a running guest is stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Metering {
    /// By a deadline.
    Epoch,
    /// By a deadline, and by counted work: slower, for tests that count.
    EpochAndFuel,
}

impl Target {
    /// This host.
    pub(crate) fn native() -> Result<Self> {
        let host = Triple::host();
        let architecture = host.architecture;
        if !matches!(architecture, Architecture::X86_64 | Architecture::Aarch64(_)) {
            bail!("no image for {architecture}: only x86_64 and aarch64 have one of their own");
        }
        Ok(Target::Native(host))
    }

    fn name(&self) -> String {
        match self {
            Target::Native(host) => host.architecture.to_string(),
            Target::Pulley => String::from("pulley64"),
        }
    }
}

/// `result-budget.<target>.cwasm`, with `fuel` in it where fuel is counted.
pub(crate) fn file_name(target: &Target, metering: Metering) -> String {
    match metering {
        Metering::Epoch => format!("result-budget.{}.cwasm", target.name()),
        Metering::EpochAndFuel => format!("result-budget.{}.fuel.cwasm", target.name()),
    }
}

/// The settings under which an image must be loaded: the host crate sets the
/// same ones. Everything that is not named here stays at the runtime's own
/// default: memories on demand, 4 GiB reserved where the machine has virtual
/// memory, SIMD on.
fn run_config(target: &Target, metering: Metering) -> Result<Config> {
    let mut config = Config::new();
    config.epoch_interruption(true);
    config.consume_fuel(metering == Metering::EpochAndFuel);
    config.concurrency_support(false);
    match target {
        Target::Native(_) => {}
        Target::Pulley => {
            config.target("pulley64").map_err(|error| anyhow!("{error:#}"))?;
        }
    }
    Ok(config)
}

/// Compiles the component. The same bytes on every build machine of one
/// architecture and operating system.
pub(crate) fn precompile(component: &[u8], target: &Target, metering: Metering) -> Result<Vec<u8>> {
    let mut config = run_config(target, metering)?;
    // Maps machine code back to WebAssembly offsets: of use to a debugger only.
    config.generate_address_map(false);
    if let Target::Native(host) = target {
        // A named target carries none of the build machine's own features.
        config.target(&host.to_string()).map_err(|error| anyhow!("{error:#}"))?;
        if host.architecture == Architecture::X86_64 {
            for flag in X86_64_V2 {
                #[allow(unsafe_code, reason = "the features are checked when an image is loaded")]
                // SAFETY: the flags name processor features; the runtime
                // refuses an image whose features the machine lacks.
                unsafe {
                    config.cranelift_flag_enable(flag);
                }
            }
        }
    }
    Engine::new(&config)
        .and_then(|engine| engine.precompile_component(component))
        .map_err(|error| anyhow!("{error:#}"))
        .with_context(|| format!("cannot compile the image for {}", target.name()))
}

/// Loads an image the way a host does: proves that it starts here.
pub(crate) fn load(image: &[u8], target: &Target, metering: Metering) -> Result<()> {
    let config = run_config(target, metering)?;
    let start = || -> wasmtime::Result<()> {
        let engine = Engine::new(&config)?;
        #[allow(unsafe_code, reason = "the image was made by this very process")]
        // SAFETY: `image` is what `precompile` returned.
        let component = unsafe { Component::deserialize(&engine, image)? };
        let mut store = Store::new(&engine, ());
        store.set_epoch_deadline(1);
        if metering == Metering::EpochAndFuel {
            store.set_fuel(u64::MAX)?;
        }
        // An empty linker: an import would be missing here.
        Linker::<()>::new(&engine).instantiate(&mut store, &component)?;
        Ok(())
    };
    start()
        .map_err(|error| anyhow!("{error:#}"))
        .with_context(|| format!("the image for {} does not start", target.name()))
}
