//! Starts programs: their output goes to a log, and to the screen where it
//! matters.

use std::fmt;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write, pipe};
use std::process::{Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use crate::screen::Step;
use crate::workspace::Workspace;

/// After this long without a sign of life, a plain log gets one.
const SILENCE: Duration = Duration::from_secs(30);

/// Lines of a failed program that are shown; the log has all.
const SHOWN_LINES: usize = 300;

/// The end of a program, and the lines that were let through.
pub(crate) struct Ended {
    pub(crate) success: bool,
    pub(crate) through: Vec<String>,
}

/// Runs `command` as part of `step`. Lines for which `lets_through` holds are
/// shown at once; everything is shown when it fails, and kept in
/// `target/logs`.
pub(crate) fn run(
    workspace: &Workspace,
    step: &Step,
    log_name: &str,
    command: &mut Command,
    lets_through: fn(&str) -> bool,
) -> Result<Ended> {
    let logs = workspace.target.join("logs");
    fs::create_dir_all(&logs)?;
    let log_path = logs.join(format!("{log_name}.log"));
    let mut log = File::create(&log_path)?;

    // One pipe for both streams, so that their order is kept.
    let (reader, writer) = pipe()?;
    command.stdin(Stdio::null()).stdout(writer.try_clone()?).stderr(writer);
    let mut child = command.spawn().with_context(|| format!("cannot start {}", Shown(command)))?;
    // The command holds the pipe's other end; the reader would wait for ever.
    command.stdout(Stdio::null()).stderr(Stdio::null());

    let (sender, receiver) = channel();
    let reading = thread::spawn(move || {
        let mut reader = BufReader::new(reader);
        let mut line = Vec::new();
        while reader.read_until(b'\n', &mut line).is_ok_and(|length| length > 0) {
            let text = String::from_utf8_lossy(&line).trim_end().to_owned();
            line.clear();
            if sender.send(text).is_err() {
                break;
            }
        }
    });
    let mut lines = Vec::new();
    let mut through = Vec::new();
    loop {
        match receiver.recv_timeout(SILENCE) {
            Ok(line) => {
                writeln!(log, "{line}")?;
                if lets_through(&line) {
                    step.say(line.trim());
                    through.push(line.trim().to_owned());
                } else {
                    step.doing(line.trim());
                }
                lines.push(line);
            }
            Err(RecvTimeoutError::Timeout) => {
                step.waiting(lines.last().map_or("no output yet", |line| line.trim()));
            }
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    let status = child.wait()?;
    if reading.join().is_err() {
        bail!("the output of {} was lost", Shown(command));
    }
    if !status.success() {
        let skipped = lines.len().saturating_sub(SHOWN_LINES);
        if skipped > 0 {
            step.say(&format!("... {skipped} earlier lines are in {}", log_path.display()));
        }
        for line in lines.iter().skip(skipped) {
            step.say(line);
        }
        step.say(&format!("{} ended with {status}", Shown(command)));
    }
    Ok(Ended { success: status.success(), through })
}

/// As [`run`], for a program that must succeed and whose lines matter to
/// nobody then.
pub(crate) fn must(
    workspace: &Workspace,
    step: &Step,
    log_name: &str,
    command: &mut Command,
) -> Result<()> {
    if run(workspace, step, log_name, command, |_| false)?.success {
        Ok(())
    } else {
        bail!("{} failed", Shown(command))
    }
}

/// Runs a program that answers at once: what it printed, `None` where it
/// failed or is not there.
pub(crate) fn ask(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// A command as one would type it.
struct Shown<'a>(&'a Command);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}", self.0.get_program().to_string_lossy())?;
        for argument in self.0.get_args() {
            write!(f, " {}", argument.to_string_lossy())?;
        }
        write!(f, "`")
    }
}
