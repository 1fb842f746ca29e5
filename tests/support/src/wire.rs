//! How long a text is once a host has printed it again (contract B14).

use result_budget_core::WireProfile;

/// Bytes of `json` on the wire under `profile`: the text as it stands for
/// `Utf8Compact`, else as that printer would write it.
#[must_use]
pub fn wire_bytes(json: &str, profile: WireProfile) -> usize {
    match profile {
        WireProfile::Utf8Compact => json.len(),
        WireProfile::AsciiCompact | WireProfile::PythonJson | WireProfile::HtmlEscaped => {
            printed_bytes(json, profile)
        }
    }
}

/// Bytes of `json` when it is printed by the printer of `profile`, white space
/// between tokens aside.
#[must_use]
pub fn printed_bytes(json: &str, profile: WireProfile) -> usize {
    if profile == WireProfile::Utf8Compact {
        // The engine's own bytes: escapes stay as they were written.
        return crate::oracle::stripped(json).len();
    }
    let mut length = 0;
    let mut chars = json.chars();
    while let Some(next) = chars.next() {
        match next {
            ' ' | '\t' | '\n' | '\r' => {}
            '"' => length += string_bytes(&mut chars, profile),
            ',' | ':' if profile == WireProfile::PythonJson => length += 2,
            _ => length += 1,
        }
    }
    length
}

/// Bytes of the encoded string `raw` (with its quotes) without the quotes, as
/// printed under `profile`.
#[must_use]
pub fn body_bytes(raw: &str, profile: WireProfile) -> usize {
    wire_bytes(raw, profile).saturating_sub(2)
}

fn string_bytes(chars: &mut std::str::Chars<'_>, profile: WireProfile) -> usize {
    let mut units: Vec<u16> = Vec::new();
    while let Some(next) = chars.next() {
        match next {
            '"' => break,
            '\\' => units.extend(crate::tree::escaped_unit(chars)),
            other => units.extend(other.encode_utf16(&mut [0; 2]).iter()),
        }
    }
    2 + char::decode_utf16(units)
        .map(|unit| unit.map_or(6, |c| char_bytes(c, profile)))
        .sum::<usize>()
}

fn char_bytes(c: char, profile: WireProfile) -> usize {
    match c {
        '"' | '\\' | '\u{8}' | '\u{c}' | '\n' | '\r' | '\t' => 2,
        '\0'..='\u{1f}' => 6,
        '<' | '>' | '&' | '\u{2028}' | '\u{2029}' if profile == WireProfile::HtmlEscaped => 6,
        '\u{7f}' if profile == WireProfile::PythonJson => 6,
        '\u{7f}'.. if matches!(profile, WireProfile::AsciiCompact | WireProfile::PythonJson) => {
            if c == '\u{7f}' { 1 } else { 6 * c.len_utf16() }
        }
        _ => c.len_utf8(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_printer_is_counted_as_it_prints() {
        let json = "{\"a\\u0041\": [1, \"é🎉<\u{7f}\"]}";
        // {"aA":[1,"é🎉<DEL"]}
        assert_eq!(wire_bytes(json, WireProfile::Utf8Compact), json.len());
        assert_eq!(printed_bytes(json, WireProfile::Utf8Compact), 26);
        // é is 6, the party is 12
        assert_eq!(wire_bytes(json, WireProfile::AsciiCompact), 33);
        // two separators get a space, DEL is escaped
        assert_eq!(wire_bytes(json, WireProfile::PythonJson), 40);
        assert_eq!(wire_bytes(json, WireProfile::HtmlEscaped), 26);
    }
}
