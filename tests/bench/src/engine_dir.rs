//! Where `cargo xtask component` put the engine.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde_json::Value;
use sha2::{Digest, Sha256};

/// A file of the folder `name` below the build's folder: `engine`, or the
/// benchmarks' own `bench-guest`. Only one that the account beside it knows by
/// its hash: what an earlier build left behind is refused.
///
/// # Errors
/// Where the file is absent or stale, with the command that makes it.
pub fn file(folder: &str, name: &str) -> Result<Vec<u8>> {
    let how = match folder {
        ENGINE => "run `cargo xtask component --fuel`",
        _ => "run `cargo xtask component --fuel`",
    };
    let dir = dir(folder).with_context(|| format!("there is no folder `{folder}`: {how}"))?;
    let account = fs::read_to_string(dir.join("engine.json"))?;
    let account: Value = serde_json::from_str(&account)?;
    let Some(facts) = account.get("files").and_then(|files| files.get(name)) else {
        bail!("`{name}` was not made with the rest of the engine: {how}");
    };
    let bytes = fs::read(dir.join(name)).with_context(|| format!("no `{name}`: {how}"))?;
    let sha256: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    if facts.get("sha256").and_then(Value::as_str) != Some(&sha256) {
        bail!("`{name}` is not the one that was assembled: {how}");
    }
    Ok(bytes)
}

/// The folder of the engine.
pub const ENGINE: &str = "engine";

/// The folder of the guest that holds our scanner and `serde_json`'s.
pub const GUEST: &str = "bench-guest";

fn dir(folder: &str) -> Option<PathBuf> {
    let named = env::var_os("RESULT_BUDGET_ENGINE_DIR").map(PathBuf::from);
    let named = named.filter(|_| folder == ENGINE);
    let beside = env::current_exe().ok();
    let beside = beside.iter().flat_map(|exe| exe.ancestors()).map(|above| above.join(folder));
    let built = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target").join(folder);
    named.into_iter().chain(beside).chain([built]).find(|dir| dir.join("engine.json").is_file())
}
