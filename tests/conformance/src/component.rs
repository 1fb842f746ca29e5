//! The component, called as it is: no host of ours in between, so that what is
//! compared is what the component says.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, anyhow, bail};
use result_budget_support::corpus;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use wasmtime::component::{Component as Compiled, Func, Linker, Val};
use wasmtime::{Engine, Store};

use crate::adapter::Adapter;
use crate::vector::Vector;

/// Calls the component through the runtime.
pub struct Component {
    sha256: String,
    store: Store<()>,
    instance: wasmtime::component::Instance,
}

impl std::fmt::Debug for Component {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Component").field("sha256", &self.sha256).finish_non_exhaustive()
    }
}

impl Component {
    /// Where `cargo xtask component` puts it.
    #[must_use]
    pub fn file() -> PathBuf {
        corpus::repository().join("target/engine/result-budget.wasm")
    }

    /// Loads it.
    ///
    /// # Errors
    /// Where it was not built, or wants an import.
    pub fn load() -> Result<Self> {
        let file = Self::file();
        let bytes = fs::read(&file).with_context(|| {
            format!("{} is not there: run `cargo xtask component`", file.display())
        })?;
        let engine = Engine::default();
        let compiled = Compiled::new(&engine, &bytes).map_err(|error| anyhow!("{error}"))?;
        let mut store = Store::new(&engine, ());
        // An empty linker: whatever is imported fails here.
        let instance = Linker::new(&engine)
            .instantiate(&mut store, &compiled)
            .map_err(|error| anyhow!("{error}"))?;
        let sha256 = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(Component { sha256, store, instance })
    }

    /// Fits a result under what `policy_json` and a limit settle to.
    ///
    /// # Errors
    /// Where the component traps.
    pub fn fit(&mut self, input: &str, call: Val, settings: Val) -> Result<Val> {
        self.call("fitting", "fit", &[Val::String(input.into()), call, settings])
    }

    /// Settles a call.
    ///
    /// # Errors
    /// Where the component traps.
    pub fn settle(
        &mut self,
        policy_json: &str,
        request: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Val> {
        let field = |name: &str, key: &str| {
            let value = request(key).map(|text| Box::new(Val::String(text)));
            (name.to_string(), Val::Option(value))
        };
        let request = Val::Record(vec![
            field("preset", "preset"),
            field("client-name", "client_name"),
            field("limit-bytes", "limit_bytes"),
            field("limit-tokens", "limit_tokens"),
            field("tool", "tool"),
            field("revision", "revision"),
            field("wire-profile", "wire_profile"),
            field("call-max-bytes", "call_max_bytes"),
            field("call-max-tokens", "call_max_tokens"),
        ]);
        self.call("settling", "settle", &[Val::String(policy_json.into()), request])
    }

    fn call(&mut self, interface: &str, name: &str, arguments: &[Val]) -> Result<Val> {
        let func = self.func(interface, name)?;
        let mut results = [Val::Bool(false)];
        func.call(&mut self.store, arguments, &mut results)
            .map_err(|error| anyhow!("{interface}.{name}: {error:?}"))?;
        let [result] = results;
        Ok(result)
    }

    fn func(&mut self, interface: &str, name: &str) -> Result<Func> {
        let path = format!("result-budget:engine/{interface}@{}", env!("CARGO_PKG_VERSION"));
        let instance = self
            .instance
            .get_export_index(&mut self.store, None, &path)
            .with_context(|| format!("the component exports no `{path}`"))?;
        let index = self
            .instance
            .get_export_index(&mut self.store, Some(&instance), name)
            .with_context(|| format!("`{path}` has no `{name}`"))?;
        self.instance
            .get_func(&mut self.store, index)
            .with_context(|| format!("`{name}` is no function"))
    }
}

/// The record `call`: a kind of result, an output schema, an earlier report.
#[must_use]
pub fn call(kind: &str, output_schema: Val, previous_report: Option<&str>) -> Val {
    let previous_report = previous_report.map(|text| Box::new(Val::String(text.into())));
    Val::Record(vec![
        ("kind".into(), Val::Enum(kind.into())),
        ("output-schema".into(), output_schema),
        ("previous-report".into(), Val::Option(previous_report)),
    ])
}

/// The variant `output-schema` from a vector's field.
#[must_use]
pub fn output_schema(given: Option<&Value>) -> Val {
    match given {
        None => Val::Variant("unknown".into(), None),
        Some(Value::String(name)) => Val::Variant(name.clone(), None),
        Some(schema) => {
            let text = schema.get("given").and_then(Value::as_str).unwrap_or_default();
            Val::Variant("given".into(), Some(Box::new(Val::String(text.into()))))
        }
    }
}

impl Adapter for Component {
    fn name(&self) -> &str {
        "component"
    }

    fn engine(&self) -> String {
        self.sha256.clone()
    }

    fn answer(&mut self, vector: &Vector) -> Result<Value> {
        match vector.call() {
            "limit-rows" | "preset-rows" => {
                let rows = self.call("settling", vector.call(), &[])?;
                return Ok(json!({ "rows": told(&rows) }));
            }
            _ => {}
        }
        let request = |key: &str| vector.request(key).map(str::to_string);
        let settled = self.settle(&vector.policy_json(), &request)?;
        let settled = match settled {
            Val::Result(Ok(Some(settled))) => *settled,
            Val::Result(Err(Some(error))) => return Ok(json!({ "error": told_error(&error) })),
            _ => bail!("settle gave no result"),
        };
        let mut settings = settings_of(&settled);
        if let Some(Value::Object(by_hand)) = vector.given("limits_by_hand") {
            set_by_hand(&mut settings, by_hand);
        }
        let input = vector.tool_result_json();
        Ok(match vector.call() {
            "settle" => told(&settled),
            "fit" => {
                let schema = output_schema(vector.given("output_schema"));
                let call = call(vector.kind(), schema, vector.previous_report());
                match self.fit(&input, call, settings)? {
                    Val::Result(Ok(Some(outcome))) => told_outcome(&outcome),
                    Val::Result(Err(Some(error))) => json!({ "error": told_error(&error) }),
                    _ => bail!("fit gave no result"),
                }
            }
            "measure" => {
                let arguments = [Val::String(input), settings];
                match self.call("fitting", "measure", &arguments)? {
                    Val::Result(Ok(Some(sizes))) => json!({ "measurement": told(&sizes) }),
                    Val::Result(Err(Some(error))) => json!({ "error": told_error(&error) }),
                    _ => bail!("measure gave no result"),
                }
            }
            "measure-tools" => {
                let arguments = [Val::String(input), settings];
                match self.call("listing", "measure-tools", &arguments)? {
                    Val::Result(Ok(Some(sizes))) => json!({ "measurement": told(&sizes) }),
                    Val::Result(Err(Some(error))) => json!({ "error": told_error(&error) }),
                    _ => bail!("measure-tools gave no result"),
                }
            }
            "prepare-tools" => {
                let arguments = [Val::String(input), settings];
                match self.call("listing", "prepare-tools", &arguments)? {
                    Val::Result(Ok(Some(list))) => match told(&list) {
                        Value::Null => json!({ "outcome": "unchanged" }),
                        text => json!({ "outcome": "prepared", "tool_result_json": text }),
                    },
                    Val::Result(Err(Some(error))) => json!({ "error": told_error(&error) }),
                    _ => bail!("prepare-tools gave no result"),
                }
            }
            "failure-result" => {
                let kind = Val::Enum(vector.kind().into());
                let failure =
                    vector.given("failure").map(failure).context("no failure is given")?;
                json!({ "tool_result_json": told(&self.call("fitting", "failure-result", &[failure, kind, settings])?) })
            }
            other => bail!("there is no call `{other}`"),
        })
    }
}

/// The settings in what `settle` answered.
#[must_use]
pub fn settings_of(settled: &Val) -> Val {
    let fields = match settled {
        Val::Record(fields) => fields.as_slice(),
        _ => &[],
    };
    let found = fields.iter().find(|(name, _)| name == "settings");
    found.map_or(Val::Bool(false), |(_, settings)| settings.clone())
}

/// How the outcome of `fit` is told.
#[must_use]
pub fn told_outcome(outcome: &Val) -> Value {
    match outcome {
        Val::Variant(name, None) => json!({ "outcome": name }),
        Val::Variant(name, Some(payload)) => {
            let mut answer = Map::from_iter([("outcome".to_string(), json!(name))]);
            match told(payload) {
                Value::Object(fields) => answer.extend(fields),
                text => {
                    answer.insert("tool_result_json".to_string(), text);
                }
            }
            Value::Object(answer)
        }
        _ => Value::Null,
    }
}

fn told_error(error: &Val) -> Value {
    match error {
        Val::Variant(name, None) => json!({ "code": name }),
        Val::Variant(name, Some(payload)) => match told(payload) {
            Value::Object(fault) => json!({ "code": name, "fault": fault }),
            Value::String(pointer) => json!({ "code": name, "pointer": pointer }),
            offset => json!({ "code": name, "offset_bytes": offset }),
        },
        _ => Value::Null,
    }
}

fn told(value: &Val) -> Value {
    match value {
        Val::Bool(value) => json!(value),
        Val::U32(value) => json!(value),
        Val::String(value) => json!(value),
        Val::Enum(name) => json!(name),
        Val::List(items) => items.iter().map(told).collect(),
        Val::Option(value) => value.as_deref().map_or(Value::Null, told),
        Val::Record(fields) => {
            fields.iter().map(|(name, value)| (name.replace('-', "_"), told(value))).collect()
        }
        other => json!(format!("{other:?}")),
    }
}

fn failure(given: &Value) -> Val {
    let number = |key: &str| {
        let value = given.get(key).and_then(Value::as_u64).and_then(|n| u32::try_from(n).ok());
        Val::U32(value.unwrap_or(0))
    };
    let refused = |name: &str, payload: Option<Val>| {
        let error = Val::Variant(name.to_string(), payload.map(Box::new));
        Val::Variant("refused".into(), Some(Box::new(error)))
    };
    match given.get("code").and_then(Value::as_str).unwrap_or_default() {
        "not-utf8" => Val::Variant("not-utf8".into(), Some(Box::new(number("offset_bytes")))),
        "not-an-object" => refused("not-an-object", None),
        code @ ("malformed-json" | "output-schema") => refused(code, Some(number("offset_bytes"))),
        "input-too-large" => refused(
            "input-too-large",
            Some(Val::Record(vec![
                ("given-bytes".into(), number("given_bytes")),
                ("max-bytes".into(), number("max_bytes")),
            ])),
        ),
        other => Val::Variant(other.to_string(), None),
    }
}

fn set_by_hand(settings: &mut Val, by_hand: &Map<String, Value>) {
    let Val::Record(fields) = settings else { return };
    let Some((_, Val::Record(limits))) = fields.iter_mut().find(|(name, _)| name == "limits")
    else {
        return;
    };
    for (name, value) in limits {
        let Some(given) = by_hand.get(&name.replace('-', "_")) else { continue };
        let number = given.as_u64().and_then(|n| u32::try_from(n).ok()).unwrap_or(u32::MAX);
        *value = match value {
            Val::Option(_) => Val::Option(Some(Box::new(Val::U32(number)))),
            _ => Val::U32(number),
        };
    }
}
