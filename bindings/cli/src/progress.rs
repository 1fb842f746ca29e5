//! How far a long run is, on a terminal and nowhere else.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use crate::message::grouped;

/// A line that is written over and over.
pub(crate) struct Progress {
    shown: bool,
    next: Option<Instant>,
}

impl Progress {
    /// Shown where a person looks at standard error and the results go
    /// elsewhere; not when reports go there.
    pub(crate) fn new(reports: bool) -> Self {
        let person = io::stderr().is_terminal() && !io::stdout().is_terminal() && !reports;
        Progress { shown: false, next: person.then(|| Instant::now() + EVERY) }
    }

    pub(crate) fn tell(&mut self, results: u64, failed: u64) {
        let Some(next) = self.next else { return };
        let now = Instant::now();
        if now >= next {
            self.next = Some(now + EVERY);
            self.shown = true;
            let (results, failed) = (grouped(results), grouped(failed));
            let _ = write!(io::stderr(), "\r{results} results, {failed} failed closed");
        }
    }

    /// Makes room for a message.
    pub(crate) fn clear(&mut self) {
        if self.shown {
            self.shown = false;
            let _ = write!(io::stderr(), "\r\u{1b}[2K");
        }
    }
}

const EVERY: Duration = Duration::from_millis(200);
