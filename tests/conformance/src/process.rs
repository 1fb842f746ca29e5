//! An adapter in another language: a process that reads a vector a line and
//! answers a line each.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::adapter::Adapter;
use crate::vector::Vector;

/// A running adapter.
#[derive(Debug)]
pub struct Process {
    name: String,
    engine: String,
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Process {
    /// Starts `command`; its first line must tell the SHA-256 of its engine.
    ///
    /// # Errors
    /// Where it can not be started, or says something else.
    pub fn start(name: &str, command: &mut Command) -> Result<Self> {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let input = child.stdin.take().context("no standard input")?;
        let mut output = BufReader::new(child.stdout.take().context("no standard output")?);
        let hello = read(&mut output)?;
        let engine = hello.get("engine").and_then(Value::as_str).context("no `engine`")?;
        let engine = engine.to_string();
        Ok(Process { name: name.to_string(), engine, child, input, output })
    }
}

impl Adapter for Process {
    fn name(&self) -> &str {
        &self.name
    }

    fn engine(&self) -> String {
        self.engine.clone()
    }

    fn answer(&mut self, vector: &Vector) -> Result<Value> {
        writeln!(self.input, "{}", vector.line())?;
        self.input.flush()?;
        let reply = read(&mut self.output)?;
        if reply.get("name").and_then(Value::as_str) != Some(vector.name.as_str()) {
            bail!("answered another vector: {}", reply.get("name").unwrap_or(&Value::Null));
        }
        reply.get("answer").cloned().context("no `answer`")
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // OK because nothing is lost: every answer was read.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn read(output: &mut BufReader<ChildStdout>) -> Result<Value> {
    let mut line = String::new();
    if output.read_line(&mut line)? == 0 {
        bail!("the adapter ended");
    }
    Ok(serde_json::from_str(&line)?)
}
