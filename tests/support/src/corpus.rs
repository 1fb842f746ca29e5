//! Real tool results: those that ship with the repository, and the larger
//! corpus where it is at hand.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::value::RawValue;

/// A real result.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// Where it is from: folder and file.
    pub name: String,
    /// The result, as it was written.
    pub json: String,
}

/// The root of the repository.
#[must_use]
pub fn repository() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).unwrap_or(here).to_path_buf()
}

/// The folder of the larger corpus, where it is there: beside the repository,
/// or where `RESULT_BUDGET_CORPUS` says.
#[must_use]
pub fn folder() -> Option<PathBuf> {
    let beside = || Some(repository().parent()?.join("shared/corpus"));
    let folder = std::env::var_os("RESULT_BUDGET_CORPUS").map(PathBuf::from).or_else(beside)?;
    folder.is_dir().then_some(folder)
}

/// Every result that ships with the repository, by name.
#[must_use]
pub fn fixtures() -> Vec<Recorded> {
    read_folder(&repository().join("tests/fixtures"), "fixtures")
}

/// Every result there is: the fixtures, and the larger corpus where it is
/// there. Says which on standard error.
#[must_use]
pub fn all() -> Vec<Recorded> {
    let mut results = fixtures();
    match folder() {
        Some(folder) => {
            for part in ["registry", "fetched", "local"] {
                results.extend(read_folder(&folder.join(part), part));
            }
            results.extend(captured(&folder.join("captured")));
            eprintln!("results: {} (fixtures and the corpus)", results.len());
        }
        None => {
            eprintln!("results: {} (fixtures alone: no corpus at ../shared/corpus)", results.len())
        }
    }
    results
}

fn read_folder(folder: &Path, part: &str) -> Vec<Recorded> {
    files(folder, "json")
        .into_iter()
        .filter_map(|path| {
            let json = fs::read_to_string(&path).ok()?;
            let name = path.file_stem()?.to_string_lossy().into_owned();
            Some(Recorded { name: format!("{part}/{name}"), json: json.trim_end().to_string() })
        })
        .collect()
}

#[derive(Deserialize)]
struct Line<'a> {
    #[serde(borrow)]
    result: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(borrow)]
    content: Option<&'a RawValue>,
    #[serde(borrow, rename = "structuredContent")]
    structured_content: Option<&'a RawValue>,
}

fn captured(folder: &Path) -> Vec<Recorded> {
    let mut results = Vec::new();
    for server in files(folder, "") {
        for path in files(&server, "jsonl") {
            let text = fs::read_to_string(&path).unwrap_or_default();
            for (at, line) in text.lines().enumerate() {
                let Ok(Line { result: Some(result) }) = serde_json::from_str(line) else {
                    continue;
                };
                let parts = serde_json::from_str(result.get());
                if let Ok(Envelope { content, structured_content }) = parts
                    && (content.is_some() || structured_content.is_some())
                {
                    let stem = |path: &Path| {
                        path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
                    };
                    let name = format!("{}/{}:{}", stem(&server), stem(&path), at + 1);
                    results.push(Recorded { name, json: result.get().to_string() });
                }
            }
        }
    }
    results
}

/// Files of `folder` that end in `ending`, sorted; an empty ending means
/// folders.
#[must_use]
pub fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| {
            if ending.is_empty() {
                path.is_dir()
            } else {
                path.extension().is_some_and(|e| e == ending)
            }
        })
        .collect();
    found.sort();
    found
}
