//! One line of JSON for each result, appended to a file.

use std::cell::RefCell;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::Mutex;

use result_budget::Record;
use serde::Serialize;

use super::session::lock;

pub(crate) struct Log {
    file: Mutex<File>,
}

/// One line.
#[derive(Serialize)]
pub(crate) struct Entry<'a> {
    pub(crate) method: &'a str,
    pub(crate) tool: Option<&'a str>,
    pub(crate) client: Option<&'a str>,
    pub(crate) preset: Option<&'a str>,
    pub(crate) in_bytes: u64,
    pub(crate) out_bytes: u64,
    pub(crate) outcome: &'a str,
    /// False where nothing was changed, whatever the outcome.
    pub(crate) enforced: bool,
    /// Why there was no result to send, where there was none.
    pub(crate) code: Option<&'a str>,
    pub(crate) elapsed_micros: u64,
}

thread_local! {
    /// The method whose answer this thread is about to bound.
    static METHOD: RefCell<String> = const { RefCell::new(String::new()) };
}

impl Log {
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        Ok(Log { file: Mutex::new(file) })
    }

    /// Says what the next record of this thread is about.
    pub(crate) fn about(&self, method: &str) {
        METHOD.with_borrow_mut(|about| {
            about.clear();
            about.push_str(method);
        });
    }

    pub(crate) fn record(&self, record: &Record<'_>) {
        METHOD.with_borrow(|method| {
            self.write(&Entry {
                method,
                tool: record.tool,
                client: record.client_name,
                preset: record.preset,
                in_bytes: record.in_bytes,
                out_bytes: record.out_bytes,
                outcome: record.outcome.code(),
                enforced: record.enforced,
                code: record.failure.map(|failure| failure.code()),
                elapsed_micros: record.elapsed_micros,
            });
        });
    }

    /// A log that cannot be written must not hold a session up.
    pub(crate) fn write(&self, entry: &Entry<'_>) {
        if let Ok(mut line) = serde_json::to_vec(entry) {
            line.push(b'\n');
            let _ = lock(&self.file).write_all(&line);
        }
    }
}
