//! One instance of the component: its store, its functions, its memory cap.
//!
//! An instance that has failed once must be dropped: a trap poisons its store
//! for good.

use wasmtime::component::{
    Component, ComponentExportIndex, ComponentNamedList, Func, InstancePre, Lift, Linker, Lower,
    TypedFunc,
};
use wasmtime::{ResourceLimiter, Store, Trap};

use crate::error::{Fault, LoadError};
use crate::guest::{
    FailureCase, FitError, FitOutcome, LimitRow, Measurement, OutputSchema, PresetRow, Request,
    Settings, SettleError, Settled,
};

/// The parameters and the answer of each exported function, in one place:
/// what is checked at loading is what is called.
pub(crate) type FitParams<'a> = (&'a str, OutputSchema<'a>, &'a Settings);
type FitAnswer = (Result<FitOutcome, FitError>,);
type MeasureParams<'a> = (&'a str, &'a Settings);
type MeasureAnswer = (Result<Measurement, FitError>,);
type FailureParams<'a> = (FailureCase<'a>, &'a Settings);
type FailureAnswer = (String,);
type SettleParams<'a> = (&'a str, Request<'a>);
type SettleAnswer = (Result<Settled, SettleError>,);
type LimitRowsAnswer = (Vec<LimitRow>,);
type PresetRowsAnswer = (Vec<PresetRow>,);

/// Everything that is needed to make an instance, checked once.
pub(crate) struct Template {
    pre: InstancePre<Guard>,
    exports: Exports,
    memory_max_bytes: usize,
}

/// Where the functions stand in the component.
struct Exports {
    fit: ComponentExportIndex,
    measure: ComponentExportIndex,
    failure_result: ComponentExportIndex,
    settle: ComponentExportIndex,
    limit_rows: ComponentExportIndex,
    preset_rows: ComponentExportIndex,
}

/// One instance. Calls take `&mut self`: the component is single-threaded.
pub(crate) struct Instance {
    store: Store<Guard>,
    fit: Func,
    measure: Func,
    failure_result: Func,
    settle: Func,
    limit_rows: Func,
    preset_rows: Func,
}

/// Holds an instance to its memory cap, and remembers how it went.
struct Guard {
    memory_max_bytes: usize,
    memory_bytes: usize,
    /// True once memory was asked for and not given: the trap that follows is
    /// no defect of the component.
    denied: bool,
}

impl Template {
    /// Checks `component` against the interface that this host calls. The
    /// instance on which it did so is as good as any.
    pub(crate) fn new(
        engine: &wasmtime::Engine,
        component: &Component,
        memory_max_bytes: usize,
    ) -> Result<(Self, Instance), LoadError> {
        let linker = Linker::new(engine);
        // An engine imports nothing, so the linker is empty.
        let pre = linker
            .instantiate_pre(component)
            .map_err(|error| LoadError::ForeignWorld(format!("{error:#}")))?;
        let fitting = interface(component, FITTING)?;
        let settling = interface(component, SETTLING)?;
        let exports = Exports {
            fit: function(component, &fitting, "fit")?,
            measure: function(component, &fitting, "measure")?,
            failure_result: function(component, &fitting, "failure-result")?,
            settle: function(component, &settling, "settle")?,
            limit_rows: function(component, &settling, "limit-rows")?,
            preset_rows: function(component, &settling, "preset-rows")?,
        };
        let template = Template { pre, exports, memory_max_bytes };
        let instance = template.check_types()?;
        Ok((template, instance))
    }

    /// Makes an instance.
    pub(crate) fn instantiate(&self) -> Result<Instance, Fault> {
        self.start().map_err(|(error, denied)| fault_of(&error, denied))
    }

    fn start(&self) -> Result<Instance, (wasmtime::Error, bool)> {
        let guard =
            Guard { memory_max_bytes: self.memory_max_bytes, memory_bytes: 0, denied: false };
        let mut store = Store::new(self.pre.engine(), guard);
        store.limiter(|guard| guard);
        // A component without a start function runs nothing here; one that
        // has one gets a second.
        store.set_epoch_deadline(START_TICKS);
        let made = self.pre.instantiate(&mut store).and_then(|instance| {
            let mut func = |index: &ComponentExportIndex| {
                instance
                    .get_func(&mut store, index)
                    .ok_or_else(|| wasmtime::Error::msg("an export is missing"))
            };
            Ok((
                func(&self.exports.fit)?,
                func(&self.exports.measure)?,
                func(&self.exports.failure_result)?,
                func(&self.exports.settle)?,
                func(&self.exports.limit_rows)?,
                func(&self.exports.preset_rows)?,
            ))
        });
        match made {
            Ok((fit, measure, failure_result, settle, limit_rows, preset_rows)) => Ok(Instance {
                store,
                fit,
                measure,
                failure_result,
                settle,
                limit_rows,
                preset_rows,
            }),
            Err(error) => Err((error, store.data().denied)),
        }
    }

    /// Checks each function against the types of this host. [`Instance::call`]
    /// relies on it.
    fn check_types(&self) -> Result<Instance, LoadError> {
        let mut instance =
            self.start().map_err(|(error, _)| LoadError::NoInstance(format!("{error:#}")))?;
        instance.check::<FitParams<'static>, FitAnswer>(|this| this.fit, "fit")?;
        instance.check::<MeasureParams<'static>, MeasureAnswer>(|this| this.measure, "measure")?;
        instance.check::<FailureParams<'static>, FailureAnswer>(
            |this| this.failure_result,
            "failure-result",
        )?;
        instance.check::<SettleParams<'static>, SettleAnswer>(|this| this.settle, "settle")?;
        instance.check::<(), LimitRowsAnswer>(|this| this.limit_rows, "limit-rows")?;
        instance.check::<(), PresetRowsAnswer>(|this| this.preset_rows, "preset-rows")?;
        Ok(instance)
    }
}

impl Instance {
    /// Gives the next calls `ticks` of the epoch.
    pub(crate) fn arm(&mut self, ticks: u64) {
        self.store.set_epoch_deadline(ticks);
    }

    /// Linear memory, in bytes. It never shrinks.
    pub(crate) fn memory_bytes(&self) -> usize {
        self.store.data().memory_bytes
    }

    pub(crate) fn fit(
        &mut self,
        params: FitParams<'_>,
    ) -> Result<Result<FitOutcome, FitError>, Fault> {
        let (answer,) = self.call::<FitParams<'_>, FitAnswer>(self.fit, params)?;
        Ok(answer)
    }

    pub(crate) fn measure(
        &mut self,
        tool_result_json: &str,
        settings: &Settings,
    ) -> Result<Result<Measurement, FitError>, Fault> {
        let params = (tool_result_json, settings);
        let (answer,) = self.call::<MeasureParams<'_>, MeasureAnswer>(self.measure, params)?;
        Ok(answer)
    }

    pub(crate) fn failure_result(
        &mut self,
        failure: FailureCase<'_>,
        settings: &Settings,
    ) -> Result<String, Fault> {
        let params = (failure, settings);
        let (answer,) =
            self.call::<FailureParams<'_>, FailureAnswer>(self.failure_result, params)?;
        Ok(answer)
    }

    pub(crate) fn settle(
        &mut self,
        policy_json: &str,
        request: Request<'_>,
    ) -> Result<Result<Settled, SettleError>, Fault> {
        let params = (policy_json, request);
        let (answer,) = self.call::<SettleParams<'_>, SettleAnswer>(self.settle, params)?;
        Ok(answer)
    }

    pub(crate) fn limit_rows(&mut self) -> Result<Vec<LimitRow>, Fault> {
        let (rows,) = self.call::<(), LimitRowsAnswer>(self.limit_rows, ())?;
        Ok(rows)
    }

    pub(crate) fn preset_rows(&mut self) -> Result<Vec<PresetRow>, Fault> {
        let (rows,) = self.call::<(), PresetRowsAnswer>(self.preset_rows, ())?;
        Ok(rows)
    }

    /// Calls `func`, whose type [`Template::check_types`] has checked.
    #[allow(
        unsafe_code,
        reason = "the safe way checks types by name on every call, or copies the input"
    )]
    fn call<Params, Answer>(&mut self, func: Func, params: Params) -> Result<Answer, Fault>
    where
        Params: ComponentNamedList + Lower,
        Answer: ComponentNamedList + Lift + 'static,
    {
        // SAFETY: `new_unchecked` asks that `func` have this very type. Each
        // `func` belongs to the component that `Template::new` has checked,
        // and is called above with the aliases that it was checked with;
        // aliases differ there in lifetimes alone, which the component's
        // types do not know.
        let typed = unsafe { TypedFunc::<Params, Answer>::new_unchecked(func) };
        typed
            .call(&mut self.store, params)
            .map_err(|error| fault_of(&error, self.store.data().denied))
    }

    fn check<Params, Answer>(
        &mut self,
        func: impl Fn(&Self) -> Func,
        name: &str,
    ) -> Result<(), LoadError>
    where
        Params: ComponentNamedList + Lower + 'static,
        Answer: ComponentNamedList + Lift + 'static,
    {
        func(self)
            .typed::<Params, Answer>(&self.store)
            .map(|_| ())
            .map_err(|error| LoadError::ForeignWorld(format!("`{name}`: {error:#}")))
    }
}

impl ResourceLimiter for Guard {
    fn memory_growing(
        &mut self,
        _current: usize,
        desired: usize,
        _maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        if desired > self.memory_max_bytes {
            self.denied = true;
            return Ok(false);
        }
        self.memory_bytes = desired;
        Ok(true)
    }

    fn memory_grow_failed(&mut self, _error: wasmtime::Error) -> wasmtime::Result<()> {
        // The machine has no more to give.
        self.denied = true;
        Ok(())
    }

    fn table_growing(
        &mut self,
        _current: usize,
        desired: usize,
        _maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        Ok(desired <= TABLE_MAX_ITEMS)
    }
}

/// Names what happened. What is no trap of the guest is an answer that could
/// not be read: text that is no UTF-8, a pointer past the end.
fn fault_of(error: &wasmtime::Error, denied: bool) -> Fault {
    match error.downcast_ref::<Trap>() {
        Some(Trap::Interrupt) => Fault::Deadline,
        _ if denied => Fault::Memory,
        Some(_) => Fault::Trap,
        None => Fault::BadAnswer,
    }
}

fn interface(component: &Component, name: &str) -> Result<ComponentExportIndex, LoadError> {
    component
        .get_export_index(None, name)
        .ok_or_else(|| LoadError::ForeignWorld(format!("no interface `{name}`")))
}

fn function(
    component: &Component,
    interface: &ComponentExportIndex,
    name: &str,
) -> Result<ComponentExportIndex, LoadError> {
    component
        .get_export_index(Some(interface), name)
        .ok_or_else(|| LoadError::ForeignWorld(format!("no function `{name}`")))
}

const FITTING: &str = "result-budget:engine/fitting@0.1.0";
const SETTLING: &str = "result-budget:engine/settling@0.1.0";

/// Ticks that an instance may take to start.
const START_TICKS: u64 = 100;

/// Far above what a component of this size needs.
const TABLE_MAX_ITEMS: usize = 100_000;
