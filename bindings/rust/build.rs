//! Finds the assembled engine and hands it to the crate: the component, its
//! SHA-256 and the precompiled images.

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

/// The component; without it there is no engine.
const COMPONENT: &str = "result-budget.wasm";

fn main() -> io::Result<()> {
    println!("cargo:rerun-if-env-changed=RESULT_BUDGET_ENGINE_DIR");
    println!("cargo:rerun-if-env-changed=CARGO_TARGET_DIR");
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    let code = match engine_dir() {
        Ok(dir) => embed(&dir, &out)?,
        Err(searched) => refusal(&searched),
    };
    fs::write(out.join("engine.rs"), code)
}

/// The first folder that holds the component, else all that were searched.
fn engine_dir() -> Result<PathBuf, Vec<PathBuf>> {
    let crate_dir = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    // A folder that is named outright is the only one searched: falling back
    // to another engine in silence would be worse than stopping.
    let searched = match env::var_os("RESULT_BUDGET_ENGINE_DIR") {
        Some(dir) => vec![crate_dir.join(dir)],
        None => {
            let mut dirs = vec![crate_dir.join("engine")];
            if let Some(root) = workspace_root(&crate_dir) {
                if let Some(target) = env::var_os("CARGO_TARGET_DIR") {
                    dirs.push(root.join(target).join("engine"));
                }
                dirs.push(root.join("target").join("engine"));
                dirs.dedup();
            }
            dirs
        }
    };
    searched.iter().find(|dir| dir.join(COMPONENT).is_file()).cloned().ok_or(searched)
}

/// The nearest folder above whose manifest opens a workspace.
fn workspace_root(crate_dir: &Path) -> Option<PathBuf> {
    crate_dir
        .ancestors()
        .skip(1)
        .find(|dir| {
            fs::read_to_string(dir.join("Cargo.toml"))
                .is_ok_and(|manifest| manifest.lines().any(|line| line.trim() == "[workspace]"))
        })
        .map(Path::to_path_buf)
}

/// Copies the engine to `out` and writes the constants that embed it.
fn embed(dir: &Path, out: &Path) -> io::Result<String> {
    // The folder itself, so that an image that appears later is noticed.
    println!("cargo:rerun-if-changed={}", dir.display());
    println!("cargo:rerun-if-changed={}", dir.join(COMPONENT).display());
    let component = fs::read(dir.join(COMPONENT))?;
    fs::write(out.join(COMPONENT), &component)?;
    let mut sha256 = String::new();
    for byte in Sha256::digest(&component) {
        // Writing to a string cannot fail.
        let _ = write!(sha256, "{byte:02x}");
    }
    let mut code = format!(
        "pub(crate) const COMPONENT: &[u8] = include_bytes!(concat!(env!(\"OUT_DIR\"), \"/{COMPONENT}\"));\n\
         pub(crate) const COMPONENT_SHA256: &str = \"{sha256}\";\n"
    );
    for (file, constant) in images() {
        let path = dir.join(&file);
        let value = if path.is_file() {
            println!("cargo:rerun-if-changed={}", path.display());
            fs::copy(&path, out.join(&file))?;
            format!("Some(include_bytes!(concat!(env!(\"OUT_DIR\"), \"/{file}\")))")
        } else {
            String::from("None")
        };
        let _ = writeln!(code, "pub(crate) const {constant}: Option<&[u8]> = {value};");
    }
    Ok(code)
}

/// The images that may run on the target: file and constant. One for another
/// operating system is refused at loading, and the next one serves.
fn images() -> [(String, &'static str); 2] {
    let arch = env::var("CARGO_CFG_TARGET_ARCH").unwrap_or_default();
    [
        (format!("result-budget.{arch}.cwasm"), "NATIVE_IMAGE"),
        (String::from("result-budget.pulley64.cwasm"), "PULLEY_IMAGE"),
    ]
}

/// Code that does not compile and says why.
fn refusal(searched: &[PathBuf]) -> String {
    let mut places = String::new();
    for dir in searched {
        println!("cargo:rerun-if-changed={}", dir.join(COMPONENT).display());
        let _ = write!(places, "\n  {}", dir.join(COMPONENT).display());
    }
    let message = format!(
        "the engine is not built yet. Run `cargo xtask component` first, or name a folder that holds it in \
         RESULT_BUDGET_ENGINE_DIR. Searched:{places}"
    );
    // Constants as well, so that this is the only message.
    format!(
        "compile_error!({message:?});\n\
         pub(crate) const COMPONENT: &[u8] = &[];\n\
         pub(crate) const COMPONENT_SHA256: &str = \"\";\n\
         pub(crate) const NATIVE_IMAGE: Option<&[u8]> = None;\n\
         pub(crate) const PULLEY_IMAGE: Option<&[u8]> = None;\n"
    )
}
