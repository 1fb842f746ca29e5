//! From the start of a process to its first byte of output.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

use crate::clock::median;

/// How long until there was something to read.
#[derive(Clone, Copy, Debug)]
pub struct Start {
    /// The one in the middle.
    pub median: Duration,
    /// The shortest.
    pub least: Duration,
}

impl Start {
    /// Starts `program` `runs` times.
    ///
    /// # Errors
    /// Where it does not start, or fails.
    pub fn measure(program: &Path, arguments: &[&Path], runs: usize) -> Result<Self> {
        let mut times = Vec::new();
        for _ in 0..runs {
            let mut command = Command::new(program);
            command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped());
            let began = Instant::now();
            let mut child =
                command.spawn().with_context(|| format!("cannot start `{}`", program.display()))?;
            let mut output = child.stdout.take().context("no output")?;
            // Returns with the first bytes, or with the end.
            let _ = output.read(&mut [0_u8; 64])?;
            times.push(began.elapsed());
            let mut rest = Vec::new();
            output.read_to_end(&mut rest)?;
            let status = child.wait()?;
            ensure!(status.success(), "`{}` ended with {status}", program.display());
        }
        let least = times.iter().min().copied().unwrap_or_default();
        Ok(Start { median: median(&times), least })
    }
}

/// The command beside this program.
///
/// # Errors
/// Where it was not built.
pub fn command() -> Result<PathBuf> {
    let beside = std::env::current_exe()?.with_file_name("result-budget");
    let beside = beside.with_extension(std::env::consts::EXE_EXTENSION);
    ensure!(beside.is_file(), "`{}` is not there: `cargo xtask bench` builds it", beside.display());
    Ok(beside)
}
