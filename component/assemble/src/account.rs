//! What was made, from what, by whom: `engine.json` and the lines on the
//! screen.

use std::fmt;

use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use crate::module::Shape;

/// The account of one assembly.
pub(crate) struct Account {
    compiler: String,
    inputs_sha256: String,
    exports: Vec<String>,
    files: Vec<File>,
}

struct File {
    name: String,
    length_bytes: usize,
    sha256: String,
}

impl Account {
    /// An account without files yet.
    pub(crate) fn new(compiler: &str, inputs_sha256: &str, shape: &Shape) -> Self {
        Account {
            compiler: compiler.to_owned(),
            inputs_sha256: inputs_sha256.to_owned(),
            exports: shape.exports.clone(),
            files: Vec::new(),
        }
    }

    /// Enters one file.
    pub(crate) fn enter(&mut self, name: &str, bytes: &[u8]) {
        self.files.push(File {
            name: name.to_owned(),
            length_bytes: bytes.len(),
            sha256: Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect(),
        });
    }

    /// `engine.json`.
    pub(crate) fn to_json(&self) -> String {
        let files: Map<String, Value> = self
            .files
            .iter()
            .map(|file| {
                let facts = json!({ "length_bytes": file.length_bytes, "sha256": file.sha256 });
                (file.name.clone(), facts)
            })
            .collect();
        let account = json!({
            "version": env!("CARGO_PKG_VERSION"),
            "compiler": self.compiler,
            "inputs_sha256": self.inputs_sha256,
            "imports": 0,
            "exports": self.exports,
            "files": files,
        });
        format!("{account:#}\n")
    }
}

impl fmt::Display for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for File { name, length_bytes, sha256 } in &self.files {
            writeln!(f, "{sha256}  {length_bytes:>9} bytes  {name}")?;
        }
        writeln!(f, "imports  0")?;
        for export in &self.exports {
            writeln!(f, "export   {export}")?;
        }
        Ok(())
    }
}
