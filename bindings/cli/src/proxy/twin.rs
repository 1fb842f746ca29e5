//! Tests of the two readers of lines: random messages are written piece by
//! piece, so that it is known where each part is, and read again.

use std::ops::Range;

use super::glance::{Glance, Seen};
use super::lines::{Line, Lines};
use super::message::Message;
use super::skim::{self, Member};

/// Random numbers, the same ones each time.
struct Chance(u64);

impl Chance {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        usize::try_from(self.0 >> 33).unwrap_or(0) % most
    }

    fn one_of<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        let at = self.below(choices.len());
        choices.get(at).copied().unwrap_or_default()
    }
}

/// A text, and the members of its outermost object.
#[derive(Default)]
struct Written {
    text: String,
    members: Vec<Member>,
}

fn space(chance: &mut Chance) -> &'static str {
    chance.one_of(&["", "", " ", "\t ", "\r", "  "])
}

fn string(chance: &mut Chance) -> String {
    let mut text = String::from("\"");
    for _ in 0..chance.below(5) {
        text.push_str(
            chance.one_of(&["a", "\\\"", "\\\\", "}", "]", "{", ",", ":", "é", "\\u0022", "id"]),
        );
    }
    text + "\""
}

fn value(chance: &mut Chance, depth: usize) -> String {
    match chance.below(if depth == 0 { 3 } else { 5 }) {
        0 => string(chance),
        1 => String::from(chance.one_of(&["1.0", "-1E+4", "0", "true", "null"])),
        2 => String::from(chance.one_of(&["{}", "[]", "{ }", "[\t]"])),
        3 => object(chance, depth - 1, &[]).text,
        _ => {
            let mut text = String::from("[");
            for at in 0..chance.below(4) {
                let comma = if at > 0 { "," } else { "" };
                text += &format!(
                    "{comma}{}{}{}",
                    space(chance),
                    value(chance, depth - 1),
                    space(chance)
                );
            }
            text + "]"
        }
    }
}

/// An object with these members among random ones.
fn object(chance: &mut Chance, depth: usize, wanted: &[(&str, String)]) -> Written {
    let mut members: Vec<(String, String)> =
        wanted.iter().map(|(key, value)| (format!("\"{key}\""), value.clone())).collect();
    for _ in 0..chance.below(4) {
        members.push((string(chance), value(chance, depth)));
    }
    let mut written = Written { text: String::from("{"), members: Vec::new() };
    let count = members.len();
    for at in 0..count {
        let (key, value) = members.swap_remove(chance.below(members.len()));
        written.text += space(chance);
        let start = written.text.len();
        written.text += &key;
        let key = start..written.text.len();
        written.text += &format!("{}:{}", space(chance), space(chance));
        let start = written.text.len();
        written.text += &value;
        written.members.push(Member { key, value: start..written.text.len() });
        written.text += space(chance);
        written.text += if at + 1 < count { "," } else { "" };
    }
    written.text += "}";
    written
}

fn message(chance: &mut Chance) -> Written {
    let mut wanted = Vec::new();
    if chance.below(4) > 0 {
        let id = value(chance, 1);
        wanted.push((chance.one_of(&["id", "\\u0069d", "i\\u0064"]), id));
    }
    if chance.below(2) > 0 {
        wanted.push((chance.one_of(&["method", "m\\u0065thod"]), String::from("\"x\"")));
    } else {
        let result = value(chance, 3);
        wanted.push(("result", result));
    }
    object(chance, 2, &wanted)
}

#[test]
fn members_are_found_where_they_were_written() {
    for seed in 0..20_000 {
        let mut chance = Chance(seed);
        let written = object(&mut chance, 3, &[]);
        let line = format!("{}{}{}", space(&mut chance), written.text, space(&mut chance));
        let root = skim::root(line.as_bytes());
        assert_eq!(line.get(root.clone()), Some(written.text.as_str()), "{line}");
        let shift = |range: &Range<usize>| range.start + root.start..range.end + root.start;
        let expected: Vec<Member> = written
            .members
            .iter()
            .map(|member| Member { key: shift(&member.key), value: shift(&member.value) })
            .collect();
        let found: Vec<Member> = skim::members(line.as_bytes(), &root).collect();
        assert_eq!(found, expected, "{line}");
        assert!(serde_json::from_str::<serde_json::Value>(&line).is_ok(), "{line}");
    }
}

#[test]
fn what_is_taken_out_leaves_json_with_the_rest() {
    for seed in 0..20_000 {
        let mut chance = Chance(seed);
        let written = object(&mut chance, 1, &[]);
        let text = written.text.as_bytes();
        let spans: Vec<Range<usize>> =
            written.members.iter().map(|member| member.key.start..member.value.end).collect();
        let gone: Vec<bool> = spans.iter().map(|_| chance.below(2) == 0).collect();
        let mut left = written.text.clone();
        let mut before = text.len();
        for range in skim::without(text, &spans, &gone).into_iter().rev() {
            left.replace_range(range.start..range.end.min(before), "");
            before = range.start;
        }
        assert!(
            serde_json::from_str::<serde_json::Value>(&left).is_ok(),
            "{}\n{left}",
            written.text
        );
        let kept: Vec<&str> = spans
            .iter()
            .zip(&gone)
            .filter_map(|(span, gone)| written.text.get(span.clone()).filter(|_| !gone))
            .collect();
        let found = skim::members(left.as_bytes(), &(0..left.len()));
        let found: Vec<&str> =
            found.filter_map(|member| left.get(member.key.start..member.value.end)).collect();
        assert_eq!(found, kept, "{}\n{left}", written.text);
    }
}

#[test]
fn a_glance_in_pieces_sees_whose_a_line_is() {
    for seed in 0..20_000 {
        let mut chance = Chance(seed);
        let is_batch = chance.below(4) == 0;
        let count = if is_batch { chance.below(4) } else { 1 };
        let texts: Vec<String> = (0..count).map(|_| message(&mut chance).text).collect();
        let line = if is_batch { format!(" [{} ]", texts.join(" , ")) } else { texts.concat() };
        let expected: Vec<Seen> = texts
            .iter()
            .map(|text| {
                let message = Message::find(text.as_bytes(), &(0..text.len()));
                Seen {
                    // White space inside an id is no part of what is kept.
                    id: message.id.map(|id| compact(text.get(id).unwrap_or_default())),
                    has_method: message.method.is_some(),
                }
            })
            .collect();
        let mut glance = Glance::default();
        let mut rest = line.as_bytes();
        while !rest.is_empty() {
            let (piece, behind) = rest.split_at(1 + chance.below(rest.len().min(7)));
            glance.feed(piece);
            rest = behind;
        }
        let (given_bytes, seen) = glance.finish();
        assert_eq!(given_bytes, line.len() as u64);
        assert_eq!(seen, expected, "{line}");
    }
}

fn compact(json: &str) -> Vec<u8> {
    let (mut out, mut in_string, mut escaped) = (Vec::new(), false, false);
    for byte in json.bytes() {
        if in_string || !byte.is_ascii_whitespace() {
            out.push(byte);
        }
        in_string ^= byte == b'"' && !escaped;
        escaped = in_string && byte == b'\\' && !escaped;
    }
    out
}

/// Gives a few bytes at a time.
struct Drops<'a>(&'a [u8], Chance);

impl std::io::Read for Drops<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let most = self.0.len().min(buffer.len()).min(1 + self.1.below(5_000));
        let (now, later) = self.0.split_at(most);
        buffer.iter_mut().zip(now).for_each(|(to, from)| *to = *from);
        self.0 = later;
        Ok(most)
    }
}

#[test]
fn lines_are_the_pieces_between_line_ends() -> std::io::Result<()> {
    let mut chance = Chance(7);
    let cap = 100_000;
    let mut all = Vec::new();
    for _ in 0..300 {
        let length = [0, 1, 50, 5_000, 70_000, cap, 3 * cap].get(chance.below(7)).copied();
        all.extend(std::iter::repeat_n(b'x', length.unwrap_or(0)));
        all.push(b'\n');
    }
    all.extend_from_slice(b"no end");
    let mut lines = Lines::new(Drops(&all, Chance(8)), cap);
    let mut expected = all.split_inclusive(|byte| *byte == b'\n');
    while let Some(line) = lines.next_line()? {
        let wanted = expected.next().unwrap_or_default();
        match line {
            Line::Whole { bytes, .. } => {
                assert_eq!(bytes.len(), wanted.len());
                assert_eq!(bytes.last(), wanted.last());
            }
            Line::TooLong { given_bytes, .. } => {
                assert!(wanted.len() > cap);
                assert_eq!(given_bytes, wanted.len() as u64);
            }
        }
    }
    assert_eq!(expected.next(), None);
    Ok(())
}
