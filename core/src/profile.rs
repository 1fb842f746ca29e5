//! Prints a JSON text as a wire profile prints it, tokens otherwise as they
//! are, so that its length is the length on the wire.

use alloc::string::String;

use crate::json::escape::escape_char;
use crate::json::walk::string_end;
use crate::plan::script::compact;
use crate::settings::WireProfile;

/// A number with an exponent may be spelled out by another printer: in at most
/// so many bytes.
const NUMBER_MAX_BYTES: usize = 25;

/// Prints valid JSON text, or a part of it that starts and ends between
/// tokens, in `profile`. White space between tokens is that of the profile.
pub(crate) fn print(text: &str, profile: WireProfile) -> String {
    if profile == WireProfile::Utf8Compact {
        let mut out = String::with_capacity(text.len());
        compact(&mut out, text);
        return out;
    }
    let mut out = String::with_capacity(text.len());
    print_into(&mut out, text, profile);
    out
}

/// The length of a compact text of ours as `profile` prints it.
pub(crate) fn printed_bytes(text: &str, profile: WireProfile) -> usize {
    if profile == WireProfile::Utf8Compact { text.len() } else { print(text, profile).len() }
}

fn print_into(out: &mut String, text: &str, profile: WireProfile) {
    let bytes = text.as_bytes();
    let spaced = profile == WireProfile::PythonJson;
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b' ' | b'\t' | b'\n' | b'\r' => at += 1,
            b'"' => {
                let end = string_end(bytes, at).min(bytes.len());
                print_string(out, text.get(at..end).unwrap_or_default(), profile);
                at = end;
            }
            byte @ (b',' | b':') => {
                out.push(char::from(byte));
                if spaced {
                    out.push(' ');
                }
                at += 1;
            }
            byte => {
                out.push(char::from(byte));
                at += 1;
            }
        }
    }
}

fn print_string(out: &mut String, token: &str, profile: WireProfile) {
    for c in token.chars() {
        let escapes = match profile {
            WireProfile::Utf8Compact => false,
            WireProfile::AsciiCompact | WireProfile::PythonJson => c >= '\u{7f}',
            WireProfile::HtmlEscaped => matches!(c, '<' | '>' | '&' | '\u{2028}' | '\u{2029}'),
        };
        if escapes {
            escape_char(out, c);
        } else {
            out.push(c);
        }
    }
}

/// How much longer numbers with an exponent may become in another printer.
pub(crate) fn number_growth(text: &str) -> usize {
    let bytes = text.as_bytes();
    let (mut at, mut growth) = (0, 0);
    while at < bytes.len() {
        match bytes[at] {
            b'"' => at = string_end(bytes, at),
            b'-' | b'0'..=b'9' => {
                let start = at;
                while at < bytes.len()
                    && matches!(bytes[at], b'-' | b'+' | b'.' | b'e' | b'E' | b'0'..=b'9')
                {
                    at += 1;
                }
                if bytes[start..at].iter().any(|byte| matches!(byte, b'e' | b'E')) {
                    growth += NUMBER_MAX_BYTES.saturating_sub(at - start);
                }
            }
            _ => at += 1,
        }
    }
    growth
}
