//! Where things are.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::process;

/// One checkout, and the folder for what is built from it.
pub(crate) struct Workspace {
    pub(crate) root: PathBuf,
    pub(crate) target: PathBuf,
    /// Leave a ready library for WebAssembly alone, and compile one.
    pub(crate) library_from_source: bool,
}

impl Workspace {
    /// The checkout that this program was built from.
    pub(crate) fn here() -> Result<Self> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"))
            .parent()
            .context("this program was not built inside its workspace")?
            .to_path_buf();
        let target = match env::var_os("CARGO_TARGET_DIR") {
            Some(folder) => env::current_dir()?.join(folder),
            None => root.join("target"),
        };
        Ok(Workspace { root, target, library_from_source: false })
    }

    /// A copy of this checkout, which builds inside itself in the same way.
    pub(crate) fn at(&self, root: PathBuf) -> Self {
        let target = root.join("target");
        Workspace { root, target, library_from_source: self.library_from_source }
    }

    /// The folder of the finished engine.
    pub(crate) fn engine(&self) -> PathBuf {
        self.target.join("engine")
    }

    /// A number that is another with each commit; zero without git.
    pub(crate) fn commit_number(&self) -> u64 {
        let commit = process::ask(self.program("git").args(["rev-parse", "HEAD"]));
        let digits = commit.as_deref().and_then(|commit| commit.get(..12));
        digits.and_then(|digits| u64::from_str_radix(digits, 16).ok()).unwrap_or_default()
    }

    /// `cargo`, in this checkout.
    pub(crate) fn cargo(&self) -> Command {
        self.program("cargo")
    }

    /// A program, started in this checkout without what a surrounding `cargo
    /// run` leaves in its environment: that would rebuild crates for nothing.
    pub(crate) fn program(&self, name: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(name);
        command.current_dir(&self.root).env("CARGO_TARGET_DIR", &self.target);
        for (key, _) in env::vars_os() {
            let Some(key) = key.to_str() else { continue };
            let left_behind = key.starts_with("CARGO_PKG_")
                || key.starts_with("CARGO_MANIFEST_")
                || matches!(key, "CARGO" | "CARGO_BIN_NAME" | "CARGO_CRATE_NAME")
                || matches!(key, "CARGO_PRIMARY_PACKAGE" | "OUT_DIR");
            if left_behind {
                command.env_remove(key);
            }
        }
        command
    }
}
