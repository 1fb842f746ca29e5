//! The sources that the component is made of, and their hash.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use sha2::{Digest, Sha256};

use crate::workspace::Workspace;

/// Files and folders that decide the bytes of the component and its images.
const INPUTS: [&str; 9] = [
    ".cargo/config.toml",
    "Cargo.lock",
    "Cargo.toml",
    "component",
    "core/Cargo.toml",
    "core/json",
    "core/src",
    "wit",
    // How the compiler and the optimiser are called.
    "xtask/src/component.rs",
];

/// Folders that are never sources.
const NO_SOURCES: [&str; 6] = [".git", ".venv", "__pycache__", "dist", "node_modules", "target"];

/// The hash of every input, names included; the same in every checkout.
pub(crate) fn sha256(workspace: &Workspace) -> Result<String> {
    let mut files = Vec::new();
    for input in INPUTS {
        list(&workspace.root, Path::new(input), &mut files)
            .with_context(|| format!("cannot read `{input}`"))?;
    }
    files.sort();
    let mut hash = Sha256::new();
    for file in files {
        let bytes = fs::read(workspace.root.join(&file))?;
        hash.update(file.to_string_lossy().replace('\\', "/"));
        hash.update([0]);
        hash.update(u64::try_from(bytes.len())?.to_le_bytes());
        hash.update(bytes);
    }
    Ok(hex(&hash.finalize()))
}

/// The hash of one file.
pub(crate) fn file_sha256(path: &Path) -> io::Result<String> {
    fs::read(path).map(|bytes| hex(&Sha256::digest(bytes)))
}

/// Every source of the checkout, in order.
pub(crate) fn sources(workspace: &Workspace) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    list(&workspace.root, Path::new(""), &mut files)?;
    files.sort();
    Ok(files)
}

/// Copies every source of the checkout to `to`.
pub(crate) fn copy_sources(workspace: &Workspace, to: &Path) -> Result<()> {
    for file in sources(workspace)? {
        let copy = to.join(&file);
        if let Some(folder) = copy.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::copy(workspace.root.join(&file), &copy)
            .with_context(|| format!("cannot copy `{}`", file.display()))?;
    }
    Ok(())
}

/// Adds the files at and below `path`, seen from `root`.
fn list(root: &Path, path: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    let full = root.join(path);
    if full.is_file() {
        files.push(path.to_path_buf());
        return Ok(());
    }
    for entry in fs::read_dir(&full)? {
        let entry = entry?;
        let name = entry.file_name();
        if !NO_SOURCES.iter().any(|folder| name == *folder) && !entry.file_type()?.is_symlink() {
            list(root, &path.join(name), files)?;
        }
    }
    Ok(())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
