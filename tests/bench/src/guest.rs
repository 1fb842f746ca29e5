//! The module that holds our scanner and `serde_json`'s, called as the host
//! calls the component: one instance, and the text copied in each time.

use anyhow::{Context, Result, anyhow, bail};
use wasmtime::component::{Component, ComponentNamedList, Func, Instance, Lift, Linker, Lower};
use wasmtime::{Config, Engine, Store};

use crate::engine_dir;

/// One instance.
pub struct Guest {
    store: Store<()>,
    ignore: Func,
    scan: Func,
    fit: Func,
}

impl std::fmt::Debug for Guest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Guest").finish_non_exhaustive()
    }
}

impl Guest {
    /// Loads the image for this machine.
    ///
    /// # Errors
    /// Where it was not built, or for another machine.
    pub fn load() -> Result<Self> {
        let name = format!("result-budget.{}.cwasm", std::env::consts::ARCH);
        let (mut store, instance) =
            instantiate(&engine_dir::file(engine_dir::GUEST, &name)?, false)?;
        let mut func = |name: &str| {
            instance.get_func(&mut store, name).with_context(|| format!("no function `{name}`"))
        };
        let (ignore, scan, fit) = (func("ignore")?, func("scan")?, func("fit")?);
        Ok(Guest { store, ignore, scan, fit })
    }

    /// Whether `text` is JSON, says `serde_json`.
    ///
    /// # Errors
    /// Where the guest traps.
    pub fn ignore(&mut self, text: &'static str) -> Result<bool> {
        let (is_json,) = self.call(self.ignore, (text,))?;
        Ok(is_json)
    }

    /// Whether `text` is JSON, says our scanner.
    ///
    /// # Errors
    /// Where the guest traps.
    pub fn scan(&mut self, text: &'static str, granularity_bytes: u32) -> Result<bool> {
        let (is_json,) = self.call(self.scan, (text, granularity_bytes))?;
        Ok(is_json)
    }

    /// Fits `text`; `None` where it stays as it is.
    ///
    /// # Errors
    /// Where the guest traps or refuses the text.
    pub fn fit(
        &mut self,
        text: &'static str,
        max_text_bytes: u32,
        max_result_bytes: u32,
    ) -> Result<Option<String>> {
        let (answer,): (Result<Option<String>, ()>,) =
            self.call(self.fit, (text, max_text_bytes, max_result_bytes))?;
        match answer {
            Ok(fitted) => Ok(fitted),
            Err(()) => bail!("the guest refused the text"),
        }
    }

    fn call<Params, Answer>(&mut self, func: Func, params: Params) -> Result<Answer>
    where
        Params: ComponentNamedList + Lower + 'static,
        Answer: ComponentNamedList + Lift + 'static,
    {
        // Checks two or three scalar types: some ten nanoseconds.
        func.typed::<Params, Answer>(&self.store)
            .and_then(|func| func.call(&mut self.store, params))
            .map_err(|error| anyhow!("{error:?}"))
    }
}

/// Starts an image under the settings that the assembler made it with.
pub(crate) fn instantiate(image: &[u8], fuel: bool) -> Result<(Store<()>, Instance)> {
    let mut config = Config::new();
    config.epoch_interruption(true);
    config.consume_fuel(fuel);
    config.concurrency_support(false);
    let start = || -> wasmtime::Result<_> {
        let engine = Engine::new(&config)?;
        #[allow(unsafe_code, reason = "the images are this project's own")]
        // SAFETY: `engine_dir::file` has checked that the image is the one
        // that the project's assembler made; the runtime checks the rest.
        let component = unsafe { Component::deserialize(&engine, image)? };
        let mut store = Store::new(&engine, ());
        // Nobody ticks: the checks cost what they cost, and never fire.
        store.set_epoch_deadline(1);
        let instance = {
            if fuel {
                store.set_fuel(u64::MAX)?;
            }
            Linker::new(&engine).instantiate(&mut store, &component)?
        };
        Ok((store, instance))
    };
    start().map_err(|error| anyhow!("{error:?}")).context("the image does not start")
}
