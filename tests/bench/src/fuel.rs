//! What the component does, counted by the runtime: exact, and the same on
//! every machine.

use anyhow::{Context, Result, anyhow, bail};
use wasmtime::Store;
use wasmtime::component::{Instance, Val};

use crate::documents::Shape;
use crate::engine_dir;
use crate::guest::instantiate;
use crate::table::size_name;

/// The component in an image that counts fuel.
pub struct Counter {
    store: Store<()>,
    instance: Instance,
}

/// What one kind of result takes.
#[derive(Clone, Debug)]
pub struct Fuel {
    /// The kind.
    pub shape: Shape,
    /// Whether the results are cut to 32,000 bytes, or stay as they are.
    pub cut: bool,
    /// Input and fuel, in order of the input.
    pub counts: Vec<Count>,
}

/// One count.
#[derive(Clone, Copy, Debug)]
pub struct Count {
    /// The input, in bytes.
    pub input_bytes: usize,
    /// Units of fuel.
    pub units: u64,
}

impl std::fmt::Debug for Counter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Counter").finish_non_exhaustive()
    }
}

impl Counter {
    /// Loads the image for this machine.
    ///
    /// # Errors
    /// Where it was not built.
    pub fn load() -> Result<Self> {
        let name = format!("result-budget.{}.fuel.cwasm", std::env::consts::ARCH);
        Self::of(&engine_dir::file(engine_dir::ENGINE, &name)?)
    }

    /// Loads the guest of the benchmarks, which has another parser.
    ///
    /// # Errors
    /// Where it was not built.
    pub fn load_guest() -> Result<Self> {
        let name = format!("result-budget.{}.fuel.cwasm", std::env::consts::ARCH);
        Self::of(&engine_dir::file(engine_dir::GUEST, &name)?)
    }

    fn of(image: &[u8]) -> Result<Self> {
        let (store, instance) = instantiate(image, true)?;
        Ok(Counter { store, instance })
    }

    /// Fuel of reading `text` with `serde_json`, as the guest does.
    ///
    /// # Errors
    /// Where this is not the guest, or it traps.
    pub fn ignore(&mut self, text: &str) -> Result<u64> {
        let store = &mut self.store;
        let func = self.instance.get_func(&mut *store, "ignore").context("no `ignore`")?;
        let full = u64::MAX;
        store.set_fuel(full).map_err(|error| anyhow!("{error:?}"))?;
        let mut results = [Val::Bool(false)];
        func.call(&mut *store, &[Val::String(text.to_owned())], &mut results)
            .map_err(|error| anyhow!("{error:?}"))?;
        let left = store.get_fuel().map_err(|error| anyhow!("{error:?}"))?;
        let [Val::Bool(true)] = results else { bail!("the guest says that this is no JSON") };
        Ok(full - left)
    }

    /// What is in force under `policy_json` and `limit_bytes`.
    ///
    /// # Errors
    /// Where the component refuses it.
    pub fn settle(&mut self, policy_json: &str, limit_bytes: Option<&str>) -> Result<Val> {
        let absent = |name: &str| (String::from(name), Val::Option(None));
        let limit = limit_bytes.map(|text| Box::new(Val::String(text.to_owned())));
        let request = Val::Record(vec![
            absent("preset"),
            absent("client-name"),
            (String::from("limit-bytes"), Val::Option(limit)),
            absent("limit-tokens"),
            absent("tool"),
            absent("revision"),
            absent("wire-profile"),
            absent("call-max-bytes"),
            absent("call-max-tokens"),
        ]);
        let arguments = [Val::String(policy_json.to_owned()), request];
        let answer = self.call("settling", "settle", &arguments)?;
        let Val::Result(Ok(Some(settled))) = answer else { bail!("refused: {answer:?}") };
        let Val::Record(fields) = *settled else { bail!("no record: {settled:?}") };
        let settings = fields.into_iter().find(|(name, _)| name == "settings");
        settings.map(|(_, settings)| settings).context("no settings")
    }

    /// Fuel of fitting `text`, and the outcome's name.
    ///
    /// # Errors
    /// Where the component refuses it or traps.
    pub fn fit(&mut self, text: &str, settings: &Val) -> Result<(u64, String)> {
        let call = Val::Record(vec![
            ("kind".into(), Val::Enum("tool".into())),
            ("output-schema".into(), Val::Variant("none".into(), None)),
            ("previous-report".into(), Val::Option(None)),
        ]);
        let arguments = [Val::String(text.to_owned()), call, settings.clone()];
        let full = u64::MAX;
        self.store.set_fuel(full).map_err(|error| anyhow!("{error:?}"))?;
        let answer = self.call("fitting", "fit", &arguments)?;
        let left = self.store.get_fuel().map_err(|error| anyhow!("{error:?}"))?;
        let Val::Result(Ok(Some(outcome))) = answer else { bail!("refused: {answer:?}") };
        let Val::Variant(name, _) = *outcome else { bail!("no outcome: {outcome:?}") };
        Ok((full - left, name))
    }

    fn call(&mut self, interface: &str, name: &str, arguments: &[Val]) -> Result<Val> {
        let path = format!("result-budget:engine/{interface}@{}", env!("CARGO_PKG_VERSION"));
        let store = &mut self.store;
        let index = self
            .instance
            .get_export_index(&mut *store, None, &path)
            .and_then(|interface| {
                self.instance.get_export_index(&mut *store, Some(&interface), name)
            })
            .with_context(|| format!("the component has no `{path}` with a `{name}`"))?;
        let func = self.instance.get_func(&mut *store, index).context("no function")?;
        let mut results = [Val::Bool(false)];
        func.call(&mut *store, arguments, &mut results).map_err(|error| anyhow!("{error:?}"))?;
        let [result] = results;
        Ok(result)
    }
}

impl Fuel {
    /// Counts for one kind, at each of `sizes_bytes`.
    ///
    /// # Errors
    /// Where the component does not do what was asked.
    pub fn count(
        counter: &mut Counter,
        shape: Shape,
        cut: bool,
        sizes_bytes: &[usize],
    ) -> Result<Self> {
        let settings = if cut {
            counter.settle("", Some(CUT_BYTES))?
        } else {
            counter.settle(ALL_FITS_POLICY, None)?
        };
        let expected = if cut { "bounded" } else { "unchanged" };
        let mut counts = Vec::new();
        for size_bytes in sizes_bytes {
            let text = shape.document(*size_bytes, 11).text;
            let (units, outcome) = counter.fit(&text, &settings)?;
            if outcome != expected {
                bail!("{} of {size_bytes} bytes is {outcome}, not {expected}", shape.name());
            }
            counts.push(Count { input_bytes: text.len(), units });
        }
        Ok(Fuel { shape, cut, counts })
    }

    /// The figure that is promised to stay within a tenth. A cut costs some
    /// work once, however long the input: of it, each further byte counts.
    #[must_use]
    pub fn judged_spread(&self) -> f64 {
        if self.cut { self.marginal_spread() } else { self.spread() }
    }

    /// What is judged, in words.
    #[must_use]
    pub fn what(&self) -> &'static str {
        if self.cut { "cut, each further byte" } else { "unchanged" }
    }

    /// Fuel per byte at each size, as a line of a table.
    #[must_use]
    pub fn line(&self) -> String {
        let mut line =
            format!("{:<13} {:<10}", self.shape.name(), if self.cut { "cut" } else { "unchanged" });
        for count in &self.counts {
            let size = size_name(count.input_bytes);
            line.push_str(&format!("{size:>8} {:>7.3}", count.per_byte()));
        }
        line.push_str(&format!("  {} {:.3}", self.what(), self.judged_spread()));
        line
    }

    /// The largest fuel per byte over the smallest.
    #[must_use]
    pub fn spread(&self) -> f64 {
        let (mut least, mut most) = (f64::INFINITY, 0.0_f64);
        for per_byte in self.counts.iter().map(Count::per_byte) {
            least = least.min(per_byte);
            most = most.max(per_byte);
        }
        most / least
    }

    /// The same of what each further byte costs: what a cut costs once, however
    /// long the input, is left out.
    #[must_use]
    pub fn marginal_spread(&self) -> f64 {
        let further = self.counts.windows(2).map(|pair| Count {
            input_bytes: pair[1].input_bytes - pair[0].input_bytes,
            units: pair[1].units.saturating_sub(pair[0].units),
        });
        Fuel { counts: further.collect(), ..*self }.spread()
    }
}

impl Count {
    /// Units of fuel for each byte of input.
    #[must_use]
    pub fn per_byte(&self) -> f64 {
        self.units as f64 / self.input_bytes as f64
    }
}

/// What a result is cut to.
pub const CUT_BYTES: &str = "32000";

/// Everything up to the input cap stays as it is.
pub const ALL_FITS_POLICY: &str =
    r#"{"version":1,"limits":{"max_text_bytes":16777216,"max_result_bytes":16777216}}"#;

/// The same, with every limit on the shape of `structuredContent` in force.
pub const ALL_SHAPES_POLICY: &str = r#"{"version":1,"limits":{"max_text_bytes":16777216,"max_result_bytes":16777216,"max_block_text_bytes":16777216,"max_structured_bytes":16777216,"max_list_items":100000,"max_map_keys":100,"max_string_bytes":16384,"max_key_bytes":256,"max_item_bytes":65536}}"#;

/// One to sixteen megabytes.
pub const SIZES_BYTES: [usize; 5] = [1_000_000, 2_000_000, 4_000_000, 8_000_000, 16_000_000];
