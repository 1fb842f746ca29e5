//! Core module in; component, precompiled images and their account out.
//!
//! Refuses a module that imports anything or whose memory has no ceiling.
//! Writes a file only where its bytes changed, so that nothing downstream is
//! rebuilt for nothing.
//!
//! Every image must be loaded under the settings in `run_config` of `image.rs`; the
//! runtime refuses an image that was compiled under other ones.

mod account;
mod image;
mod module;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Parser;

use crate::account::Account;
use crate::image::{Metering, Target};

/// Makes the component and its precompiled images out of the core module.
#[derive(Parser)]
struct Options {
    /// The core module, with its WIT type section.
    #[arg(long, value_name = "FILE")]
    core: PathBuf,
    /// Folder to write to.
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
    /// Who compiled the core module, for the account.
    #[arg(long, value_name = "TEXT")]
    compiler: String,
    /// Hash of the sources that the core module was built from, for the
    /// account.
    #[arg(long, value_name = "SHA-256")]
    inputs_sha256: String,
    /// Also write images that count fuel.
    #[arg(long)]
    fuel: bool,
}

fn main() -> Result<()> {
    let options = Options::parse();
    let core = fs::read(&options.core)
        .with_context(|| format!("cannot read the core module `{}`", options.core.display()))?;
    let component = module::assemble(&core)?;
    let shape = module::shape(&component)?;

    let mut meterings = vec![Metering::Epoch];
    if options.fuel {
        meterings.push(Metering::EpochAndFuel);
    }
    fs::create_dir_all(&options.out)
        .with_context(|| format!("cannot make the folder `{}`", options.out.display()))?;
    let mut account = Account::new(&options.compiler, &options.inputs_sha256, &shape);
    write(&options.out, &mut account, "result-budget.wasm", &component)?;
    write(&options.out, &mut account, "result-budget.core.wasm", &core)?;
    for target in [Target::native()?, Target::Pulley] {
        for metering in &meterings {
            let image = image::precompile(&component, &target, *metering)?;
            image::load(&image, &target, *metering)?;
            write(&options.out, &mut account, &image::file_name(&target, *metering), &image)?;
        }
    }
    replace(&options.out.join("engine.json"), account.to_json().as_bytes())?;

    print!("{account}");
    Ok(())
}

/// Writes one file and enters it into the account.
fn write(out: &Path, account: &mut Account, name: &str, bytes: &[u8]) -> Result<()> {
    replace(&out.join(name), bytes)?;
    account.enter(name, bytes);
    Ok(())
}

/// Puts `bytes` at `path` in one step, and not at all where they are there
/// already: a reader never sees half a file.
fn replace(path: &Path, bytes: &[u8]) -> Result<()> {
    if fs::read(path).is_ok_and(|present| present == bytes) {
        return Ok(());
    }
    let fresh = path.with_extension("fresh");
    fs::write(&fresh, bytes)
        .and_then(|()| fs::rename(&fresh, path))
        .with_context(|| format!("cannot write `{}`", path.display()))
}
