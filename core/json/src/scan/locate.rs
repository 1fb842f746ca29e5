//! Finds where a text stops being JSON. Runs only after the fast pass has
//! refused it, so it may be slow.

use alloc::vec::Vec;

use super::SyntaxFault;

/// What may stand at the next token.
#[derive(Clone, Copy, PartialEq)]
enum Want {
    Value,
    ValueOrClose,
    Key,
    KeyOrClose,
    CommaOrClose,
    End,
}

/// The fault of `text`, which has one.
#[cold]
pub(super) fn fault(text: &[u8]) -> SyntaxFault {
    // A text without a fault would mean that the fast pass erred; its end is
    // then as good an answer as any, and the text stays refused.
    SyntaxFault { offset_bytes: document(text).err().unwrap_or(text.len()) as u32 }
}

/// What is open: one bit a level, set for objects.
#[derive(Default)]
struct Levels {
    bits: Vec<u64>,
    depth: usize,
}

impl Levels {
    fn push(&mut self, object: bool) {
        let (word, bit) = (self.depth / 64, self.depth % 64);
        if word == self.bits.len() {
            self.bits.push(0);
        }
        if let Some(bits) = self.bits.get_mut(word) {
            *bits = (*bits & !(1 << bit)) | (u64::from(object) << bit);
        }
        self.depth += 1;
    }

    fn pop(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    /// Is the innermost one an object? `None` outside all of them.
    fn object(&self) -> Option<bool> {
        let top = self.depth.checked_sub(1)?;
        self.bits.get(top / 64).map(|bits| bits >> (top % 64) & 1 == 1)
    }

    fn after_value(&self) -> Want {
        if self.depth == 0 { Want::End } else { Want::CommaOrClose }
    }
}

fn document(text: &[u8]) -> Result<(), usize> {
    let mut levels = Levels::default();
    let mut want = Want::Value;
    let mut at = 0;
    loop {
        at = space_end(text, at);
        let Some(byte) = text.get(at).copied() else {
            return if want == Want::End { Ok(()) } else { Err(at) };
        };
        match (want, byte) {
            (Want::CommaOrClose, b',') => {
                at += 1;
                want = if levels.object() == Some(true) { Want::Key } else { Want::Value };
            }
            (Want::CommaOrClose | Want::KeyOrClose, b'}') if levels.object() == Some(true) => {
                at += 1;
                levels.pop();
                want = levels.after_value();
            }
            (Want::CommaOrClose | Want::ValueOrClose, b']') if levels.object() == Some(false) => {
                at += 1;
                levels.pop();
                want = levels.after_value();
            }
            (Want::Key | Want::KeyOrClose, b'"') => {
                at = space_end(text, string_end(text, at)?);
                if text.get(at) != Some(&b':') {
                    return Err(at);
                }
                at += 1;
                want = Want::Value;
            }
            (Want::Value | Want::ValueOrClose, b'{' | b'[') => {
                at += 1;
                levels.push(byte == b'{');
                want = if byte == b'{' { Want::KeyOrClose } else { Want::ValueOrClose };
            }
            (Want::Value | Want::ValueOrClose, _) => {
                at = match byte {
                    b'"' => string_end(text, at)?,
                    b'-' | b'0'..=b'9' => number_end(text, at)?,
                    b't' => literal_end(text, at, b"true")?,
                    b'f' => literal_end(text, at, b"false")?,
                    b'n' => literal_end(text, at, b"null")?,
                    _ => return Err(at),
                };
                want = levels.after_value();
            }
            (Want::Key | Want::KeyOrClose | Want::CommaOrClose | Want::End, _) => return Err(at),
        }
    }
}

fn space_end(text: &[u8], mut at: usize) -> usize {
    while matches!(text.get(at), Some(b' ' | b'\t' | b'\n' | b'\r')) {
        at += 1;
    }
    at
}

fn string_end(text: &[u8], start: usize) -> Result<usize, usize> {
    let mut at = start + 1;
    loop {
        match text.get(at) {
            Some(b'"') => return Ok(at + 1),
            Some(b'\\') => match text.get(at + 1) {
                Some(b'u') => {
                    for digit in at + 2..at + 6 {
                        if !text.get(digit).is_some_and(u8::is_ascii_hexdigit) {
                            return Err(digit);
                        }
                    }
                    at += 6;
                }
                Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => at += 2,
                _ => return Err(at + 1),
            },
            Some(0..=0x1F) | None => return Err(at),
            Some(_) => at += 1,
        }
    }
}

fn number_end(text: &[u8], start: usize) -> Result<usize, usize> {
    let digits = |from: usize| {
        let mut at = from;
        while text.get(at).is_some_and(u8::is_ascii_digit) {
            at += 1;
        }
        if at == from { Err(at) } else { Ok(at) }
    };
    let mut at = start + usize::from(text.get(start) == Some(&b'-'));
    at = if text.get(at) == Some(&b'0') { at + 1 } else { digits(at)? };
    if text.get(at) == Some(&b'.') {
        at = digits(at + 1)?;
    }
    if matches!(text.get(at), Some(b'e' | b'E')) {
        at += 1;
        at += usize::from(matches!(text.get(at), Some(b'+' | b'-')));
        at = digits(at)?;
    }
    Ok(at)
}

fn literal_end(text: &[u8], start: usize, word: &[u8]) -> Result<usize, usize> {
    for (i, byte) in word.iter().enumerate() {
        if text.get(start + i) != Some(byte) {
            return Err(start + i);
        }
    }
    Ok(start + word.len())
}
