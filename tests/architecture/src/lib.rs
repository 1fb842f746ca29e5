//! What the checks share: where the repository is, and which files it tracks.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

/// The root of the repository.
#[must_use]
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).unwrap_or(here).to_path_buf()
}

/// Every file that is tracked, or new and not ignored, relative to the root.
///
/// # Errors
/// Where this is no git checkout.
pub fn files() -> Result<Vec<PathBuf>> {
    let output = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(root())
        .output()?;
    if !output.status.success() {
        bail!("git ls-files: {}", String::from_utf8_lossy(&output.stderr));
    }
    let names = String::from_utf8(output.stdout)?;
    let mut files: Vec<PathBuf> = names
        .split('\0')
        .filter(|name| !name.is_empty() && root().join(name).is_file())
        .map(PathBuf::from)
        .collect();
    files.sort();
    files.dedup();
    Ok(files)
}

/// The text of a file of the repository.
///
/// # Errors
/// Where it is not there, or no text.
pub fn text(path: impl AsRef<Path>) -> Result<String> {
    let path = root().join(path);
    std::fs::read_to_string(&path).with_context(|| path.display().to_string())
}

/// Lines of code in Rust source: no comments, no blank lines, no tests.
#[must_use]
pub fn code_lines(source: &str) -> usize {
    let mut lines = 0;
    // Braces still open inside an item that only tests compile; the attribute
    // alone counts as one.
    let mut skipping: Option<i64> = None;
    for line in source.lines().map(str::trim) {
        if let Some(open) = &mut skipping {
            let braces = |brace| line.matches(brace).count() as i64;
            *open += braces('{') - braces('}');
            let ended = *open <= 0 && (line.ends_with('}') || line.ends_with(';'));
            if ended {
                skipping = None;
            }
            continue;
        }
        if line.starts_with("#[cfg(test)]") {
            skipping = Some(0);
        } else if !line.is_empty() && !line.starts_with("//") {
            lines += 1;
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_code_is_counted() {
        let source = "//! Docs\n\nfn a() {\n    // why\n    1\n}\n\n#[cfg(test)]\nmod tests {\n    fn b() {\n    }\n}\nfn c() {}\n";
        assert_eq!(code_lines(source), 4);
        assert_eq!(code_lines("#[cfg(test)]\nuse a::b;\nfn c() {}\n"), 1);
    }
}
