//! Reads results, never holding more of one than the engine reads.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use result_budget::{Boundary, BoundaryBuilder};

use crate::exit::Stop;

/// A result, or a line, that was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    /// All of it is in the buffer.
    Whole,
    /// It is longer than the cap and was not kept; carries its length.
    TooLong(u64),
}

/// Opens `file`, or standard input where it is absent or `-`. The name is for
/// messages.
pub(crate) fn open(file: Option<&PathBuf>) -> Result<(Box<dyn Read>, String), Stop> {
    match file {
        Some(path) if path.as_os_str() != "-" => {
            let name = path.display().to_string();
            let file = File::open(path).map_err(|error| unreadable(&name, &error))?;
            Ok((Box::new(file), name))
        }
        _ => Ok((Box::new(io::stdin().lock()), String::from("standard input"))),
    }
}

/// Reads a small document whole.
pub(crate) fn read_document(path: &Path) -> Result<String, Stop> {
    std::fs::read_to_string(path).map_err(|error| unreadable(&path.display().to_string(), &error))
}

/// A boundary with the ceilings that every command takes alike.
pub(crate) fn builder(
    policy: &Option<PathBuf>,
    preset: &Option<String>,
    limit_bytes: &Option<String>,
) -> Result<BoundaryBuilder, Stop> {
    let mut builder = Boundary::builder();
    if let Some(policy) = policy {
        builder = builder.policy_json(read_document(policy)?);
    }
    if let Some(preset) = preset {
        builder = builder.preset(preset);
    }
    if let Some(limit_bytes) = limit_bytes {
        builder = builder.limit_bytes(limit_bytes);
    }
    Ok(builder)
}

/// The caller named something that cannot be read.
pub(crate) fn unreadable(name: &str, error: &io::Error) -> Stop {
    Stop::Usage(format!("`{name}` cannot be read: {error}"))
}

/// Reads all of `reader` into `buffer`, unless it is longer than `max_bytes`.
pub(crate) fn read_whole(
    mut reader: impl Read,
    max_bytes: u32,
    buffer: &mut Vec<u8>,
) -> io::Result<Piece> {
    buffer.clear();
    let given_bytes = reader.by_ref().take(u64::from(max_bytes) + 1).read_to_end(buffer)?;
    if u64::try_from(given_bytes).unwrap_or(u64::MAX) <= u64::from(max_bytes) {
        return Ok(Piece::Whole);
    }
    let rest_bytes = io::copy(&mut reader, &mut io::sink())?;
    let given_bytes = u64::try_from(given_bytes).unwrap_or(u64::MAX).saturating_add(rest_bytes);
    *buffer = Vec::new();
    Ok(Piece::TooLong(given_bytes))
}

/// Lines of at most so many bytes.
pub(crate) struct Lines<R> {
    reader: BufReader<R>,
    max_bytes: usize,
}

impl<R: Read> Lines<R> {
    pub(crate) fn new(reader: R, max_bytes: u32) -> Self {
        Lines {
            reader: BufReader::with_capacity(BUFFER_BYTES, reader),
            max_bytes: usize::try_from(max_bytes).unwrap_or(usize::MAX),
        }
    }

    /// Reads the next line into `line`, without its `\n`; `None` at the end.
    ///
    /// Calls `before_wait` before each read that may block, so that whoever
    /// waits for our answer to the last line gets it.
    pub(crate) fn read_line(
        &mut self,
        line: &mut Vec<u8>,
        mut before_wait: impl FnMut() -> Result<(), Stop>,
        name: &str,
    ) -> Result<Option<Piece>, Stop> {
        line.clear();
        let mut given_bytes: u64 = 0;
        loop {
            if self.reader.buffer().is_empty() {
                before_wait()?;
            }
            let chunk = match self.reader.fill_buf() {
                Ok(chunk) => chunk,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(unreadable(name, &error)),
            };
            if chunk.is_empty() {
                // The end; a last line may lack its `\n`.
                return Ok((given_bytes > 0).then(|| self.piece(given_bytes, line)));
            }
            let end = chunk.iter().position(|byte| *byte == b'\n');
            let (part, used) = match end {
                Some(at) => {
                    chunk.split_at_checked(at).map_or((chunk, at), |(part, _)| (part, at + 1))
                }
                None => (chunk, chunk.len()),
            };
            given_bytes = given_bytes.saturating_add(u64::try_from(part.len()).unwrap_or(u64::MAX));
            // A line over the cap is counted on and not kept.
            if line.len().saturating_add(part.len()) <= self.max_bytes {
                line.extend_from_slice(part);
            }
            self.reader.consume(used);
            if end.is_some() {
                return Ok(Some(self.piece(given_bytes, line)));
            }
        }
    }

    fn piece(&self, given_bytes: u64, line: &mut Vec<u8>) -> Piece {
        if given_bytes > u64::try_from(self.max_bytes).unwrap_or(u64::MAX) {
            *line = Vec::new();
            Piece::TooLong(given_bytes)
        } else {
            Piece::Whole
        }
    }
}

/// A pipe's worth.
const BUFFER_BYTES: usize = 64 * 1_024;
