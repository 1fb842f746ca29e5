//! What README.md shows is what happens, and what the prose names is there.
//!
//! `RESULT_BUDGET_BLESS=1 cargo test -p result-budget-cli --test prose` writes
//! into README.md what happens now, for a person to review.

// README's commands are for a POSIX shell.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic, clippy::expect_used, reason = "tests")]

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// A folder in which README's commands find what README tells them to.
struct Scratch(PathBuf);

impl Scratch {
    fn new(readme: &str) -> Self {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
            .join(format!("prose-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        std::os::unix::fs::symlink(root().join("tests"), folder.join("tests")).unwrap();
        fs::write(folder.join("policy.json"), fence(readme, "json").1).unwrap();
        Scratch(folder)
    }

    /// What a person sees who types `line`.
    fn shell(&self, line: &str) -> String {
        let program = Path::new(env!("CARGO_BIN_EXE_result-budget"));
        let mut path = program.parent().unwrap().as_os_str().to_owned();
        path.push(":");
        path.push(env::var_os("PATH").unwrap_or_default());
        let output = Command::new("sh")
            .args(["-c", &format!("exec 2>&1; {line}")])
            .current_dir(&self.0)
            .env("PATH", path)
            .output()
            .unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        // Some systems' `wc` pads; trailing blanks are no part of prose.
        let counted = line.ends_with("wc -c");
        let text = if counted { text.trim_start() } else { &text };
        let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
        let mut text = lines.join("\n");
        if !text.is_empty() {
            text.push('\n');
        }
        text
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Where the first block of that language begins, and what is in it.
fn fence<'a>(text: &'a str, language: &str) -> (usize, &'a str) {
    let open = format!("\n```{language}\n");
    let start = text.find(&open).unwrap_or_else(|| panic!("no block of {language}")) + open.len();
    let end = start + text[start..].find("```").unwrap();
    (start, &text[start..end])
}

fn replace_fence(text: &str, language: &str, with: &str) -> String {
    let (start, old) = fence(text, language);
    format!("{}{with}{}", &text[..start], &text[start + old.len()..])
}

/// The rows below the table's head that begins so, replaced.
fn replace_rows(text: &str, head: &str, rows: &str) -> String {
    let start = text.find(head).unwrap_or_else(|| panic!("no table `{head}`"));
    // Behind the head and its rule.
    let start = start + text[start..].match_indices('\n').nth(1).unwrap().0 + 1;
    let end = start + text[start..].find("\n\n").map_or(0, |end| end + 1);
    // A table without rows ends at once.
    let end = if text[start..].starts_with('\n') { start } else { end };
    format!("{}{rows}{}", &text[..start], &text[end..])
}

fn cell(value: &Value) -> String {
    if value.is_null() {
        return String::from("off");
    }
    value.as_str().map_or_else(|| value.to_string(), String::from)
}

/// `readme` as it would be if it showed what happens.
fn as_it_happens(readme: &str) -> String {
    let scratch = Scratch::new(readme);
    let tables: Value =
        serde_json::from_str(&scratch.shell("result-budget limits --json")).unwrap();
    let rows = |name: &str| tables[name].as_array().unwrap().clone();
    let mut limits = String::new();
    for row in rows("limits") {
        let name = row["name"].as_str().unwrap();
        limits.push_str(&format!(
            "| `{name}` | {} | {} | {} | {} | {} | {} |\n",
            name.rsplit('_').next().unwrap(),
            cell(&row["min"]),
            cell(&row["default"]),
            cell(&row["max"]),
            cell(&row["rule"]),
            cell(&row["counts"])
        ));
    }
    let (mut presets, mut clients) = (String::new(), String::new());
    for row in rows("presets") {
        let names = row["client_names"].as_array().unwrap();
        if !names.is_empty() {
            let names: Vec<String> = names.iter().map(|name| format!("`{}`", cell(name))).collect();
            clients.push_str(&format!(
                "| `{}` | {} | {} | {} | {} | {} | {} |\n",
                cell(&row["name"]),
                cell(&row["max_text_bytes"]),
                cell(&row["max_text_tokens"]),
                cell(&row["max_text_lines"]),
                names.join(", "),
                cell(&row["client_rule"]),
                cell(&row["source"])
            ));
            continue;
        }
        presets.push_str(&format!(
            "| `{}` | {} | {} | {} |\n",
            cell(&row["name"]),
            cell(&row["max_text_bytes"]),
            cell(&row["max_binary_bytes"]),
            cell(&row["max_result_bytes"])
        ));
    }
    let mut text = replace_rows(readme, "| limit | unit |", &limits);
    text = replace_rows(&text, "| preset | ", &presets);
    text = replace_rows(&text, "| client | ", &clients);

    let program = read("bindings/rust/examples/fit.rs");
    let body = program.split_once("\n\n").unwrap().1;
    text = replace_fence(&text, "rust", body);
    text = replace_fence(&text, "text", &what_the_program_prints(&scratch));

    let mut out = String::new();
    let mut rest = text.as_str();
    while let Some(at) = rest.find("```console\n") {
        let start = at + "```console\n".len();
        let end = start + rest[start..].find("```").unwrap();
        out.push_str(&rest[..start]);
        for line in rest[start..end].lines().filter(|line| line.starts_with("$ ")) {
            out.push_str(&format!("{line}\n{}", scratch.shell(&line[2..])));
        }
        rest = &rest[end..];
    }
    out + rest
}

/// The program calls the same boundary as the command line: what it prints can
/// be told from what that answers.
fn what_the_program_prints(scratch: &Scratch) -> String {
    let fixture = "tests/fixtures/api-issues-list.json";
    let fit = format!("result-budget fit --preset normal --revision 2025-11-25 {fixture}");
    let report = scratch.shell(&format!("{fit} --report >program.json"));
    let in_bytes = fs::metadata(scratch.0.join(fixture)).unwrap().len();
    let out_bytes = fs::metadata(scratch.0.join("program.json")).unwrap().len();
    format!("bounded: {in_bytes} bytes in, {out_bytes} out\n{report}")
}

#[test]
fn the_readme_shows_what_happens() {
    let readme = read("README.md");
    let now = as_it_happens(&readme);
    if env::var_os("RESULT_BUDGET_BLESS").is_some() {
        fs::write(root().join("README.md"), now).unwrap();
        return;
    }
    for (number, (shown, happens)) in readme.lines().zip(now.lines()).enumerate() {
        assert_eq!(
            shown,
            happens,
            "README.md, line {}; `RESULT_BUDGET_BLESS=1 cargo test -p result-budget-cli --test prose` writes what happens",
            number + 1
        );
    }
    assert_eq!(readme, now);
}

/// The arrays of arguments in README's configuration blocks, by client.
fn configured(readme: &str) -> Vec<Vec<String>> {
    let section = readme.split("## Before a server that you did not write").nth(1).unwrap();
    let section = section.split("\n## ").next().unwrap();
    let mut all = Vec::new();
    for block in section.split("```json\n").skip(1) {
        let block: Value = serde_json::from_str(block.split("```").next().unwrap()).unwrap();
        let servers = block.get("mcpServers").or_else(|| block.get("servers")).unwrap();
        for server in servers.as_object().unwrap().values() {
            assert_eq!(server["command"], "result-budget");
            all.push(serde_json::from_value(server["args"].clone()).unwrap());
        }
    }
    for block in section.split("```toml\n").skip(1) {
        for line in block.split("```").next().unwrap().lines() {
            match line.split_once(" = ") {
                Some(("args", array)) => all.push(serde_json::from_str(array).unwrap()),
                Some((key, value)) => assert_eq!((key, value), ("command", "\"result-budget\"")),
                None => assert!(line.is_empty() || line.starts_with("[mcp_servers."), "{line}"),
            }
        }
    }
    all
}

#[test]
fn the_configuration_blocks_of_the_readme_start_servers() {
    let all = configured(&read("README.md"));
    assert_eq!(all.len(), 8);
    for arguments in all {
        let end = arguments.iter().position(|argument| argument == "--").unwrap() + 1;
        assert!(["npx", "uvx"].contains(&arguments[end].as_str()), "{arguments:?}");
        // The registries' programs need a network; the rest is run as it stands.
        let output = Command::new(env!("CARGO_BIN_EXE_result-budget"))
            .args(&arguments[..end])
            .args(["sh", "-c", r#"test "$*" && exit 7"#, "sh"])
            .args(&arguments[end..])
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(7), "{arguments:?}");
    }
}

/// Every Rust and Python source of the repository, as one text.
fn sources(folder: &Path, all: &mut String) {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            // Packages of other languages link back to their folder.
            let foreign = ["target", ".git", "node_modules"].iter().any(|it| path.ends_with(it));
            if !foreign && !path.is_symlink() {
                sources(&path, all);
            }
        } else if path.extension().is_some_and(|ending| ending == "rs" || ending == "py") {
            all.push_str(&fs::read_to_string(path).unwrap());
        }
    }
}

const PROSE: [&str; 4] = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"];

#[test]
fn every_test_that_the_prose_names_is_there() {
    let mut all = String::new();
    for folder in ["core", "component", "bindings", "xtask", "tests"] {
        sources(&root().join(folder), &mut all);
    }
    let mut named = BTreeSet::new();
    for file in PROSE {
        // A sentence in snake case is a test; shorter names are something else.
        let text = read(file);
        for word in text.split('`').skip(1).step_by(2) {
            let letters = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_';
            if word.matches('_').count() >= 4 && word.bytes().all(letters) {
                let is_there =
                    ["fn", "def"].iter().any(|it| all.contains(&format!("{it} {word}(")));
                assert!(is_there, "{file}: no test `{word}`");
                named.insert(word.to_string());
            }
        }
    }
    assert!(named.len() >= 10, "{named:?}");
}

#[test]
fn every_path_that_the_prose_names_is_there() {
    let mut count = 0;
    for file in PROSE {
        let text = read(file);
        for word in text.split('`').skip(1).step_by(2) {
            let path = word.trim_end_matches('/');
            let known = [
                "core/",
                "wit/",
                "component/",
                "bindings/",
                "xtask/",
                "tests/",
                "host-examples/",
                ".cargo/",
                ".ci/",
            ];
            if known.iter().any(|start| path.starts_with(start)) && !path.contains([' ', '*', '<'])
            {
                assert!(root().join(path).exists(), "{file}: no `{path}`");
                count += 1;
            }
        }
    }
    assert!(count >= 10, "only {count}");
}
