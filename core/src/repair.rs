//! Repairs that keep every length.

use alloc::string::String;

/// Replaces each escape of a lone surrogate by that of U+FFFD, which is as
/// long; `None` where there is none.
pub(crate) fn replace_lone_surrogates(text: &str, lone_surrogates: u32) -> Option<String> {
    if lone_surrogates == 0 {
        return None;
    }
    let bytes = text.as_bytes();
    let mut out = String::with_capacity(text.len());
    let (mut kept, mut at) = (0, 0);
    while let Some(found) = bytes.get(at..).and_then(|rest| rest.iter().position(|b| *b == b'\\')) {
        at += found;
        let lone = match unit(bytes, at) {
            Some(0xD800..=0xDBFF) => match unit(bytes, at + 6) {
                Some(0xDC00..=0xDFFF) => {
                    at += 12;
                    continue;
                }
                _ => true,
            },
            Some(0xDC00..=0xDFFF) => true,
            Some(_) => false,
            None => {
                at += 2;
                continue;
            }
        };
        if lone {
            out.push_str(text.get(kept..at).unwrap_or_default());
            out.push_str("\\ufffd");
            kept = at + 6;
        }
        at += 6;
    }
    out.push_str(text.get(kept..).unwrap_or_default());
    Some(out)
}

/// The UTF-16 unit of a `\\uXXXX` escape at `at`.
fn unit(bytes: &[u8], at: usize) -> Option<u32> {
    let escape = bytes.get(at..at + 6)?;
    if !escape.starts_with(b"\\u") {
        return None;
    }
    let digits = core::str::from_utf8(escape.get(2..)?).ok()?;
    u32::from_str_radix(digits, 16).ok()
}
