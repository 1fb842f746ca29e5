//! Finds a compiler with a standard library for WebAssembly, or makes one.
//!
//! The ways, in this order:
//! 1. the active toolchain has it (`rustup target add wasm32-unknown-unknown`);
//! 2. rustup can fetch it;
//! 3. a compiler has the library's source: that is compiled once, and kept.
//!
//! Nothing is written into a toolchain file: rustup would then try to fetch
//! the target on every command.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::apt;
use crate::process;
use crate::screen::Step;
use crate::workspace::Workspace;

/// The target of the component's core module.
pub(crate) const TARGET: &str = "wasm32-unknown-unknown";

/// Who links for it.
const LINKER_VARIABLE: &str = "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER";

/// The oldest compiler that the workspace takes.
const RUST_VERSION: &str = env!("CARGO_PKG_RUST_VERSION");

/// The libraries of a guest without `std`.
const LIBRARIES: [&str; 3] = ["libcore-", "liballoc-", "libcompiler_builtins-"];

/// Debian's newest compiler, its cargo, and the library's source.
const DEBIAN_PACKAGES: [&str; 3] = ["rustc-web", "cargo-web", "rust-web-src"];

/// A linker from Debian, where no Rust toolchain brings one.
const DEBIAN_LINKER: &str = "lld-19";

/// A compiler that can build the core module.
pub(crate) struct Toolchain {
    rustc: PathBuf,
    cargo: PathBuf,
    /// `rustc` and its version, in one line.
    pub(crate) version: String,
    /// Where the library was compiled from source: its folder, its source,
    /// and who links.
    from_source: Option<FromSource>,
}

struct FromSource {
    sysroot: PathBuf,
    library: PathBuf,
    linker: PathBuf,
}

/// Finds the first way that is open, and says which it is.
pub(crate) fn find(workspace: &Workspace, step: &Step) -> Result<Toolchain> {
    let active = Compiler::named("rustc", "cargo");
    if let Some(active) = active.as_ref().filter(|_| !workspace.library_from_source)
        && (active.has_target() || fetch_by_rustup(workspace, step, active))
    {
        step.say(&format!("{}, with its own library for {TARGET}", active.version));
        return Ok(Toolchain {
            rustc: active.rustc.clone(),
            cargo: active.cargo.clone(),
            version: active.version.clone(),
            from_source: None,
        });
    }
    let debian = || Compiler::named("/usr/bin/rustc", "/usr/bin/cargo");
    let with_source = |found: Option<Compiler>| found.filter(Compiler::has_source);
    let compiler = match with_source(active).or_else(|| with_source(debian())) {
        Some(compiler) => compiler,
        None => {
            apt::install(workspace, step, &DEBIAN_PACKAGES).with_context(|| {
                format!(
                    "no compiler here has a library for {TARGET}: \
                     `rustup target add {TARGET}` is the ordinary way to one"
                )
            })?;
            with_source(debian()).context("Debian's compiler is too old, or lacks its source")?
        }
    };
    let linker = match find_linker(&compiler) {
        Some(linker) => linker,
        None => {
            apt::install(workspace, step, &[DEBIAN_LINKER])?;
            find_linker(&compiler)
                .context("there is no `rust-lld`, and no `wasm-ld` that is new enough")?
        }
    };
    step.say(&format!("{}, with the library compiled from its source", compiler.version));
    let sysroot = library_from_source(workspace, step, &compiler)?;
    let library = compiler.source();
    Ok(Toolchain {
        rustc: compiler.rustc,
        cargo: compiler.cargo,
        version: compiler.version,
        from_source: Some(FromSource { sysroot, library, linker }),
    })
}

impl Toolchain {
    /// The command that builds the core module, up to its arguments. No path
    /// of this machine gets into the module.
    pub(crate) fn cargo(&self, workspace: &Workspace) -> Result<Command> {
        let mut flags = remap(&workspace.root, "/result-budget");
        for registry in registries() {
            flags.extend(remap(&registry, "/registry"));
        }
        let mut command = build_command(workspace, &self.cargo, &self.rustc);
        match &self.from_source {
            Some(from_source) => {
                flags.extend(remap(&from_source.library, "/rust"));
                flags.push(format!("--sysroot={}", from_source.sysroot.display()));
                command.env(LINKER_VARIABLE, &from_source.linker);
            }
            None => {
                // Where the library's source is installed beside the library,
                // the compiler prefers its paths to those in the library.
                let sysroot = ask_rustc(&self.rustc, &["--print", "sysroot"]);
                let sysroot = sysroot.context("the compiler does not say where it lives")?;
                flags.extend(remap(&Path::new(&sysroot).join("lib/rustlib/src/rust"), "/rust"));
            }
        }
        command.args(["--config", &flags_setting(&flags)]);
        Ok(command)
    }
}

/// A compiler and its cargo.
struct Compiler {
    rustc: PathBuf,
    cargo: PathBuf,
    version: String,
    /// Everything that the compiler says of itself.
    details: String,
    sysroot: PathBuf,
}

impl Compiler {
    /// The compiler at that name, if it is there and new enough.
    fn named(rustc: &str, cargo: &str) -> Option<Self> {
        let rustc = PathBuf::from(rustc);
        let details = ask_rustc(&rustc, &["-vV"])?;
        let release = details.lines().find_map(|line| line.strip_prefix("release: "))?;
        let cargo = PathBuf::from(cargo);
        process::ask(Command::new(&cargo).arg("-V"))?;
        (version_key(release) >= version_key(RUST_VERSION)).then_some(())?;
        let sysroot = PathBuf::from(ask_rustc(&rustc, &["--print", "sysroot"])?);
        let version = details.lines().next()?.to_owned();
        Some(Compiler { rustc, cargo, version, details, sysroot })
    }

    fn has_target(&self) -> bool {
        let folder = ask_rustc(&self.rustc, &["--print", "target-libdir", "--target", TARGET]);
        folder.is_some_and(|folder| has_library(Path::new(&folder), "libcore-"))
    }

    fn has_source(&self) -> bool {
        self.source().join("library/core/Cargo.toml").is_file()
    }

    fn source(&self) -> PathBuf {
        self.sysroot.join("lib/rustlib/src/rust")
    }

    fn host(&self) -> &str {
        self.details.lines().find_map(|line| line.strip_prefix("host: ")).unwrap_or_default()
    }

    /// A name for what was compiled by exactly this compiler.
    fn key(&self) -> String {
        let of = |field: &str| {
            let value = self.details.lines().find_map(|line| line.strip_prefix(field));
            value.unwrap_or("unknown").chars().take(12).collect::<String>()
        };
        format!("{}-{}-{}", of("release: "), of("commit-hash: "), of("LLVM version: "))
    }
}

/// True once rustup has fetched the target. A refusal is remembered for this
/// compiler: it costs the most where there is no network.
fn fetch_by_rustup(workspace: &Workspace, step: &Step, active: &Compiler) -> bool {
    let remembered = workspace.target.join("wasm-sysroot").join("rustup-refused");
    if fs::read_to_string(&remembered).is_ok_and(|text| text == active.details) {
        return false;
    }
    let by_rustup = process::ask(Command::new("rustup").args(["which", "rustc"]))
        .is_some_and(|rustc| Path::new(&rustc).starts_with(&active.sysroot));
    if !by_rustup {
        return false;
    }
    step.say(&format!("asking rustup for {TARGET}"));
    let mut command = Command::new("rustup");
    command.args(["target", "add", TARGET]).env("RUSTUP_MAX_RETRIES", "0");
    if process::ask(&mut command).is_some() && active.has_target() {
        return true;
    }
    step.say(&format!("rustup cannot fetch {TARGET} here"));
    // Not to remember it only costs time.
    let _ = fs::create_dir_all(workspace.target.join("wasm-sysroot"))
        .and_then(|()| fs::write(&remembered, &active.details));
    false
}

/// The linker that a Rust toolchain ships, else one of LLVM's that is new
/// enough.
fn find_linker(compiler: &Compiler) -> Option<PathBuf> {
    let beside = |sysroot: &Path, host: &str| {
        let linker = sysroot.join("lib/rustlib").join(host).join("bin/rust-lld");
        linker.is_file().then_some(linker)
    };
    let by_rustup = || process::ask(Command::new("rustup").args(["which", "rustc"]));
    beside(&compiler.sysroot, compiler.host())
        .or_else(|| {
            let other = Compiler::named(&by_rustup()?, "cargo")?;
            beside(&other.sysroot, other.host())
        })
        .or_else(|| (LLD_MIN_VERSION..=LLD_MAX_VERSION).rev().find_map(versioned_linker))
        .or_else(|| apt::find_program("wasm-ld").filter(|linker| is_new_enough(linker)))
}

/// Older ones do not know the symbols by which the guest finds its memory.
const LLD_MIN_VERSION: u32 = 17;
const LLD_MAX_VERSION: u32 = 40;

/// Debian's `wasm-ld-19` and the like.
fn versioned_linker(version: u32) -> Option<PathBuf> {
    apt::find_program(&format!("wasm-ld-{version}"))
}

fn is_new_enough(linker: &Path) -> bool {
    // "Debian LLD 14.0.6", "LLD 19.1.7 (compatible with GNU linkers)"
    let answer = process::ask(Command::new(linker).arg("--version"));
    let major = answer.as_deref().and_then(|answer| {
        let mut words = answer.split_whitespace().skip_while(|word| *word != "LLD");
        words.nth(1)?.split('.').next()?.parse::<u32>().ok()
    });
    major.is_some_and(|major| major >= LLD_MIN_VERSION)
}

/// Compiles the library from its source, once for each compiler, into a
/// folder that the compiler takes for its own.
fn library_from_source(workspace: &Workspace, step: &Step, compiler: &Compiler) -> Result<PathBuf> {
    let all = workspace.target.join("wasm-sysroot");
    let sysroot = all.join(compiler.key());
    let place = |sysroot: &Path| sysroot.join("lib/rustlib").join(TARGET).join("lib");
    if LIBRARIES.iter().all(|library| has_library(&place(&sysroot), library)) {
        return Ok(sysroot);
    }
    step.say("compiling the library, once for this compiler");
    let work = all.join(format!("{}.build", compiler.key()));
    fs::create_dir_all(work.join("src"))?;
    fs::write(work.join("Cargo.toml"), LIBRARY_MANIFEST)?;
    fs::write(work.join("src/lib.rs"), "#![no_std]\n")?;
    let out = work.join("target");
    // With its bitcode, so that the component is optimised as a whole.
    let mut flags = vec![String::from("-Cembed-bitcode=yes")];
    flags.extend(remap(&compiler.source(), "/rust"));
    for registry in registries() {
        flags.extend(remap(&registry, "/registry"));
    }
    let mut command = build_command(workspace, &compiler.cargo, &compiler.rustc);
    command
        .args(["build", "--release", "--target", TARGET, "-Zbuild-std=core,alloc"])
        .args(["--config", &flags_setting(&flags), "--target-dir"])
        .arg(&out)
        .arg("--manifest-path")
        .arg(work.join("Cargo.toml"))
        .env("RUSTC_BOOTSTRAP", "1");
    process::must(workspace, step, "wasm-library", &mut command)?;

    let fresh = work.join("sysroot");
    fs::create_dir_all(place(&fresh))?;
    for entry in fs::read_dir(out.join(TARGET).join("release/deps"))? {
        let path = entry?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if name.ends_with(".rlib") && LIBRARIES.iter().any(|library| name.starts_with(library)) {
            fs::copy(&path, place(&fresh).join(name))?;
        }
    }
    for library in LIBRARIES {
        if !has_library(&place(&fresh), library) {
            bail!("the library was compiled, but `{library}` is not among what came out");
        }
    }
    if sysroot.exists() {
        fs::remove_dir_all(&sysroot)?;
    }
    fs::rename(&fresh, &sysroot)?;
    fs::remove_dir_all(&work)?;
    Ok(sysroot)
}

const LIBRARY_MANIFEST: &str = r#"[package]
name = "wasm-library"
version = "0.0.0"
edition = "2024"

[profile.release]
opt-level = 3
codegen-units = 1
panic = "abort"

[workspace]
"#;

/// A build by exactly this compiler, whatever the surroundings set.
fn build_command(workspace: &Workspace, cargo: &Path, rustc: &Path) -> Command {
    let mut command = workspace.program(cargo);
    command.env("RUSTC", rustc);
    for variable in [
        "CARGO_BUILD_RUSTFLAGS",
        "CARGO_BUILD_TARGET",
        "CARGO_ENCODED_RUSTFLAGS",
        "CARGO_TARGET_DIR",
        "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS",
        "RUSTC_WRAPPER",
        "RUSTC_WORKSPACE_WRAPPER",
        "RUSTFLAGS",
    ] {
        command.env_remove(variable);
    }
    command
}

/// Flags beside those in `.cargo/config.toml`. Not as a variable: cargo splits
/// that at spaces, and a path may have one.
fn flags_setting(flags: &[String]) -> String {
    format!("target.{TARGET}.rustflags={}", serde_json::Value::from(flags))
}

pub(crate) fn remap(from: &Path, to: &str) -> Vec<String> {
    // Some paths are met as they are written, some with links resolved.
    let mut flags = vec![format!("--remap-path-prefix={}={to}", from.display())];
    if let Ok(real) = from.canonicalize()
        && real != from
    {
        flags.push(format!("--remap-path-prefix={}={to}", real.display()));
    }
    flags
}

/// The folders in which cargo keeps sources of other crates.
pub(crate) fn registries() -> Vec<PathBuf> {
    let home = env::var_os("CARGO_HOME").map(PathBuf::from).or_else(|| {
        let home = env::var_os("HOME").or_else(|| env::var_os("USERPROFILE"))?;
        Some(Path::new(&home).join(".cargo"))
    });
    let Some(home) = home else { return Vec::new() };
    let entries = fs::read_dir(home.join("registry/src")).into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    folders.sort();
    folders
}

fn has_library(folder: &Path, start: &str) -> bool {
    fs::read_dir(folder).into_iter().flatten().flatten().any(|entry| {
        let name = entry.file_name();
        name.to_str().is_some_and(|name| name.starts_with(start) && name.ends_with(".rlib"))
    })
}

fn ask_rustc(rustc: &Path, arguments: &[&str]) -> Option<String> {
    process::ask(Command::new(rustc).args(arguments))
}

/// `1.96.0-nightly` as numbers that compare.
fn version_key(version: &str) -> Vec<u32> {
    let numbers = version.split(['-', '+']).next().unwrap_or_default();
    numbers.split('.').map(|number| number.parse().unwrap_or(0)).take(2).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_compare_as_numbers() {
        assert!(version_key("1.100.0") > version_key("1.90"));
        assert!(version_key("1.90.1-nightly") >= version_key("1.90"));
        assert!(version_key("1.63.0") < version_key("1.90"));
    }

    #[test]
    fn a_path_with_a_space_stays_one_flag() {
        let flags = remap(Path::new("/home/a b"), "/result-budget");
        assert_eq!(
            flags_setting(&flags),
            "target.wasm32-unknown-unknown.rustflags=\
             [\"--remap-path-prefix=/home/a b=/result-budget\"]"
        );
    }
}
