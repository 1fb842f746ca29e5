//! Strings that a schema admits: prose of any length, samples of formats, and
//! texts that a pattern matches.

use regex_syntax::hir::{Class, Hir, HirKind};
use result_budget_support::random::Random;

/// Prose of `length` code points, with characters of every width.
pub fn prose(random: &mut Random, length: usize) -> String {
    let mut text = String::new();
    let mut count = 0;
    while count < length {
        let word = *random.pick(&WORDS);
        for character in word.chars().take(length - count) {
            text.push(character);
            count += 1;
        }
        if count < length {
            text.push(if random.once_in(12) { '\n' } else { ' ' });
            count += 1;
        }
    }
    text
}

/// A sample of a format; `None` where it is not known.
pub fn of_format(random: &mut Random, format: &str) -> Option<String> {
    let samples: &[&str] = match format {
        "date-time" => &["2026-11-30T19:20:00Z", "1985-04-12T23:20:50.52+01:00"],
        "date" => &["2026-11-30", "2024-02-29"],
        "time" => &["19:20:00Z", "08:30:06.283185+02:00"],
        "duration" => &["P3DT12H30M5S", "PT0.5S"],
        "email" | "idn-email" => &["somebody@example.org", "a.long.name.of.a.person@mail.example"],
        "hostname" | "idn-hostname" => &["www.example.org", "a-host.example"],
        "ipv4" => &["192.0.2.17", "127.0.0.1"],
        "ipv6" => &["2001:db8::7:1", "::1"],
        "uri" | "iri" => {
            &["https://example.org/a/long/path?with=a&query#and-a-fragment", "urn:isbn:0451450523"]
        }
        "uri-reference" | "iri-reference" => &["/a/path?x=1", "#fragment", "https://example.org/"],
        "uuid" => &["2eb8aa08-aa98-11ea-b4aa-73b441d16380"],
        "uri-template" => &["https://example.org/{id}/items{?page,limit}"],
        "json-pointer" => &["/foo/bar~0/baz~1/%a", ""],
        "relative-json-pointer" => &["1/foo/bar", "0#"],
        "regex" => &["([abc])+\\s+$"],
        "byte" | "base64" => &["aGVsbG8gd29ybGQsIHRoaXMgaXMgYmFzZTY0IQ=="],
        "binary" | "password" => &["a text that is called binary"],
        _ => return None,
    };
    Some((*random.pick(samples)).to_string())
}

/// A text that `pattern` is likely to match; `repeat` is the most that an open
/// repetition gives. `None` where the pattern is not understood.
pub fn of_pattern(random: &mut Random, pattern: &str, repeat: usize) -> Option<String> {
    let hir = regex_syntax::parse(pattern).ok()?;
    let mut text = String::new();
    write(random, &hir, repeat, 0, &mut text)?;
    Some(text)
}

fn write(
    random: &mut Random,
    hir: &Hir,
    repeat: usize,
    depth: usize,
    out: &mut String,
) -> Option<()> {
    if depth > 40 || out.len() > 100_000 {
        return None;
    }
    match hir.kind() {
        // What an assertion demands is left to the oracle.
        HirKind::Empty | HirKind::Look(_) => {}
        HirKind::Literal(literal) => out.push_str(std::str::from_utf8(&literal.0).ok()?),
        HirKind::Class(Class::Unicode(class)) => {
            // Mostly ASCII, where the class has any.
            let ranges: Vec<(u32, u32)> = class
                .ranges()
                .iter()
                .map(|range| (range.start().into(), range.end().into()))
                .collect();
            let plain: Vec<(u32, u32)> = ranges
                .iter()
                .map(|(start, end)| (*start.max(&0x20), *end.min(&0x7E)))
                .filter(|(start, end)| start <= end)
                .collect();
            let any = plain.is_empty() || random.once_in(50);
            let (start, end) = *random.pick(if any { &ranges } else { &plain });
            let span = usize::try_from(end - start).ok()? + 1;
            let picked = start + u32::try_from(random.below(span.min(10_000))).ok()?;
            out.push(char::from_u32(picked)?);
        }
        HirKind::Class(Class::Bytes(_)) => return None,
        HirKind::Repetition(repetition) => {
            let min = repetition.min as usize;
            let max = repetition.max.map_or(min.max(1) + repeat, |max| max as usize);
            for _ in 0..min + random.below(max.saturating_sub(min).min(repeat.max(3)) + 1) {
                write(random, &repetition.sub, repeat / 4, depth + 1, out)?;
            }
        }
        HirKind::Capture(capture) => write(random, &capture.sub, repeat, depth + 1, out)?,
        HirKind::Concat(parts) => {
            for part in parts {
                write(random, part, repeat, depth + 1, out)?;
            }
        }
        HirKind::Alternation(branches) => {
            let branch = &branches[random.below(branches.len())];
            write(random, branch, repeat, depth + 1, out)?;
        }
    }
    Some(())
}

const WORDS: [&str; 17] = [
    "the",
    "result",
    "of",
    "a",
    "call",
    "is",
    "longer",
    "than",
    "its",
    "\"budget\"",
    "naïve",
    "你好世界",
    "🎉",
    "e\u{301}e\u{301}",
    "C:\\path",
    "\u{1b}[1mbold\u{1b}[0m",
    "and/so-on.",
];
