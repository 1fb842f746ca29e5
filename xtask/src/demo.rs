//! `demo`: a recorded answer that is too large, through the component, before
//! and after.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::component;
use crate::drawing::{Cut, Picture, Sizes};
use crate::process;
use crate::screen::Screen;
use crate::workspace::Workspace;

/// What the file system server answers to `directory_tree`.
const RECORDED: &str = "tests/fixtures/filesystem-directory-tree.json";

/// How our notice begins, wherever it stands.
const NOTICE_START: &str = "[result-budget]";

/// Builds what is missing, then shows before and after.
pub(crate) fn run(workspace: &Workspace, screen: &Screen, given: Option<&Path>) -> Result<()> {
    component::run(workspace, screen, false)?;
    let program = build_program(workspace, screen)?;

    let before_path = match given {
        Some(path) => std::env::current_dir()?.join(path),
        None => workspace.root.join(RECORDED),
    };
    let after_path = workspace.target.join("demo.json");
    let fitted = Command::new(&program).args(["fit", "--report"]).arg(&before_path).output()?;
    if !fitted.status.success() {
        bail!("bounding failed: {}", String::from_utf8_lossy(&fitted.stderr).trim());
    }
    fs::write(&after_path, &fitted.stdout)?;
    let report: Value = serde_json::from_slice(&fitted.stderr)
        .context("`fit --report` printed no JSON on standard error")?;
    let result: Value =
        serde_json::from_slice(&fitted.stdout).context("the bounded result is no JSON")?;

    let picture = Picture {
        title: before_path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
        before: inspect(&program, &before_path)?,
        after: inspect(&program, &after_path)?,
        cuts: cuts(&report),
        notice: notice(&result),
    };
    screen.say("");
    for line in picture.draw(screen.columns()) {
        screen.say(&line);
    }
    screen.say(&format!("The bounded result is in {}", after_path.display()));
    Ok(())
}

/// The command line, as a user has it.
fn build_program(workspace: &Workspace, screen: &Screen) -> Result<PathBuf> {
    let step = screen.step("command line");
    let mut command = workspace.cargo();
    command.args(["build", "--release", "--package", "result-budget-cli"]);
    let built = process::must(workspace, &step, "command-line", &mut command);
    step.done(built.is_ok());
    built?;
    let name = format!("result-budget{}", std::env::consts::EXE_SUFFIX);
    Ok(workspace.target.join("release").join(name))
}

/// The sizes of a result, part by part.
fn inspect(program: &Path, file: &Path) -> Result<Sizes> {
    let output = Command::new(program).args(["inspect", "--json"]).arg(file).output()?;
    if !output.status.success() {
        bail!("measuring failed: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    let measured: Value = serde_json::from_slice(&output.stdout)
        .context("`inspect --json` printed no JSON on standard output")?;
    let number = |name: &str| measured.get(name).and_then(Value::as_u64).unwrap_or_default();
    let parts = measured.get("parts").and_then(Value::as_array);
    let parts = parts.into_iter().flatten().filter_map(|part| {
        let pointer = part.get("pointer")?.as_str()?.to_owned();
        Some((pointer, part.get("encoded_bytes")?.as_u64()?))
    });
    Ok(Sizes {
        result_bytes: number("result_bytes"),
        text_bytes: number("text_bytes"),
        structured_bytes: number("structured_bytes"),
        binary_bytes: number("binary_bytes"),
        parts: parts.collect(),
    })
}

/// The cuts that a report lists.
fn cuts(report: &Value) -> Vec<Cut> {
    let listed = report.get("cuts").and_then(Value::as_array);
    let read = |cut: &Value| {
        let path = cut.get("path")?.as_str()?;
        let within = cut.get("within").and_then(Value::as_str).unwrap_or_default();
        Some(Cut {
            path: format!("{path}{within}"),
            kept: cut.get("kept")?.as_u64()?,
            of: cut.get("of")?.as_u64()?,
            unit: cut.get("unit")?.as_str()?.to_owned(),
        })
    };
    listed.into_iter().flatten().filter_map(read).collect()
}

/// The line that the model reads, where there is one.
fn notice(result: &Value) -> Option<String> {
    let blocks = result.get("content")?.as_array()?;
    let texts = blocks.iter().filter_map(|block| block.get("text")?.as_str());
    // Ours is the first block or the last one.
    let mut ours = texts.filter(|text| text.starts_with(NOTICE_START));
    ours.next().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::*;

    #[test]
    fn cuts_and_notice_are_read_from_what_the_engine_writes() {
        let report: Value = serde_json::from_str(
            r#"{"cuts":[{"path":"/content/0/text","within":"/items","kind":"list-items","kept":3,"of":9,"unit":"items"},{"path":"/x"}]}"#,
        )
        .unwrap();
        let read = cuts(&report);
        assert_eq!(read.len(), 1);
        assert_eq!(read[0].path, "/content/0/text/items");
        assert_eq!((read[0].kept, read[0].of), (3, 9));
        let result: Value = serde_json::from_str(
            r#"{"content":[{"type":"image"},{"type":"text","text":"[result-budget] 3 of 9 items shown."}]}"#,
        )
        .unwrap();
        assert_eq!(notice(&result).unwrap(), "[result-budget] 3 of 9 items shown.");
    }
}
