//! Cuts of encoded text, against a slow twin that decodes everything, and the
//! verdicts on its shape (contract B8; B7 for the line ends).
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "tests"
)]

use result_budget_core::text::{Keep, TextCut, cut, decoded_bytes, is_log, is_prose, lines};
use serde_json::Value;
use std::collections::HashSet;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use unicode_segmentation::UnicodeSegmentation;

const KEEPS: [Keep; 3] = [Keep::Head, Keep::Tail, Keep::HeadAndTail];

// ---------------------------------------------------------------- the twin

/// Everything about one body, by decoding it whole.
struct Twin {
    body_bytes: usize,
    /// May the body be cut here? By offset.
    legal: Vec<bool>,
    /// Does a line end here? By offset.
    line_end: Vec<bool>,
    decoded: String,
}

impl Twin {
    fn new(body: &str) -> Twin {
        let units = decode(body);
        let decoded: String = units.iter().map(|unit| unit.2).collect();
        let breaks: HashSet<usize> =
            decoded.grapheme_indices(true).map(|(at, _)| at).chain([decoded.len()]).collect();
        Twin::with_breaks(body, &units, decoded, &breaks)
    }

    /// `breaks` are the cluster boundaries, as offsets into the decoded text.
    fn with_breaks(
        body: &str,
        units: &[(usize, usize, char)],
        decoded: String,
        breaks: &HashSet<usize>,
    ) -> Twin {
        let mut legal = vec![false; body.len() + 1];
        let mut line_end = vec![false; body.len() + 1];
        // Decoded offset of each unit, and of the end.
        let mut offsets = vec![0];
        for unit in units {
            offsets.push(offsets.last().unwrap() + unit.2.len_utf8());
        }
        legal[0] = true;
        for unit in units {
            legal[unit.1] = true;
            line_end[unit.1] = unit.2 == '\n';
        }
        let mut forbid = |from: usize, to: usize| {
            if offsets[to] - offsets[from] <= 256 {
                for inside in from + 1..to {
                    legal[units[inside].0] = false;
                }
            }
        };
        let mut start = 0;
        for (end, offset) in offsets.iter().enumerate().skip(1) {
            if breaks.contains(offset) {
                forbid(start, end);
                start = end;
            }
        }
        let scalars: Vec<char> = units.iter().map(|unit| unit.2).collect();
        for start in 0..scalars.len() {
            if let Some(length) = ansi_length(&scalars[start..]) {
                forbid(start, start + length);
            }
        }
        Twin { body_bytes: body.len(), legal, line_end, decoded }
    }

    fn reach(room: usize) -> usize {
        let sixteenth = std::cmp::min(room / 16, 1024);
        if room >= 64 { sixteenth.max(24) } else { sixteenth }
    }

    fn head(&self, room: usize) -> usize {
        let near = (room - Self::reach(room)..=room).rev();
        for at in near {
            if self.legal[at] && self.line_end[at] {
                return at;
            }
        }
        (0..=room).rev().find(|at| self.legal[*at]).unwrap()
    }

    fn tail(&self, room: usize) -> usize {
        let earliest = self.body_bytes - room;
        for at in earliest..=earliest + Self::reach(room) {
            if self.legal[at] && self.line_end[at] {
                return at;
            }
        }
        (earliest..=self.body_bytes).find(|at| self.legal[*at]).unwrap()
    }

    fn cut(&self, room: usize, keep: Keep) -> TextCut {
        let all = self.body_bytes;
        if all <= room {
            return TextCut { head_end: all, tail_start: all };
        }
        match keep {
            Keep::Head => TextCut { head_end: self.head(room), tail_start: all },
            Keep::Tail => TextCut { head_end: 0, tail_start: self.tail(room) },
            Keep::HeadAndTail => {
                let head_end = self.head(room / 2);
                TextCut { head_end, tail_start: self.tail(room - head_end) }
            }
        }
    }
}

/// `(start, end, scalar)` of every unit, from the front.
fn decode(body: &str) -> Vec<(usize, usize, char)> {
    let hex = |at: usize| -> Option<u32> {
        (body.get(at..at + 2)? == "\\u")
            .then(|| u32::from_str_radix(body.get(at + 2..at + 6)?, 16).ok())?
    };
    let mut units = Vec::new();
    let mut at = 0;
    while at < body.len() {
        let scalar = body[at..].chars().next().unwrap();
        if scalar != '\\' {
            units.push((at, at + scalar.len_utf8(), scalar));
            at += scalar.len_utf8();
            continue;
        }
        let (length, scalar) = match body.as_bytes()[at + 1] {
            b'n' => (2, '\n'),
            b'r' => (2, '\r'),
            b't' => (2, '\t'),
            b'b' => (2, '\u{8}'),
            b'f' => (2, '\u{c}'),
            b'u' => match (hex(at).unwrap(), hex(at + 6)) {
                (high @ 0xD800..=0xDBFF, Some(low @ 0xDC00..=0xDFFF)) => {
                    (12, char::from_u32(0x10000 + (high - 0xD800) * 1024 + low - 0xDC00).unwrap())
                }
                (0xD800..=0xDFFF, _) => (6, '\u{FFFD}'),
                (scalar, _) => (6, char::from_u32(scalar).unwrap()),
            },
            other => (2, char::from(other)),
        };
        units.push((at, at + length, scalar));
        at += length;
    }
    units
}

/// Scalars of the escape sequence that `text` starts with.
fn ansi_length(text: &[char]) -> Option<usize> {
    let (kind, mut at) = match text {
        ['\u{1b}', '[', ..] => ('[', 2),
        ['\u{1b}', ']', ..] => (']', 2),
        ['\u{1b}', 'P' | 'X' | '^' | '_', ..] => ('P', 2),
        ['\u{9b}', ..] => ('[', 1),
        ['\u{9d}', ..] => (']', 1),
        ['\u{90}' | '\u{98}' | '\u{9e}' | '\u{9f}', ..] => ('P', 1),
        ['\u{1b}', ' '..='/', ..] => ('(', 2),
        ['\u{1b}', '0'..='~', ..] => return Some(2),
        _ => return None,
    };
    let is = |at: usize, low: u32, high: u32| {
        text.get(at).is_some_and(|scalar| (low..=high).contains(&u32::from(*scalar)))
    };
    match kind {
        '[' => {
            while is(at, 0x30, 0x3F) {
                at += 1;
            }
            while is(at, 0x20, 0x2F) {
                at += 1;
            }
            is(at, 0x40, 0x7E).then_some(at + 1)
        }
        '(' => {
            while is(at, 0x20, 0x2F) {
                at += 1;
            }
            is(at, 0x30, 0x7E).then_some(at + 1)
        }
        _ => loop {
            match text.get(at..)? {
                ['\u{1b}', '\\', ..] => return Some(at + 2),
                ['\u{1b}', '\u{1b}', ..] if kind == 'P' => at += 2,
                ['\u{9c}', ..] => return Some(at + 1),
                ['\u{7}', ..] if kind == ']' => return Some(at + 1),
                ['\u{1b}' | '\u{18}' | '\u{1a}', ..] | [] => return None,
                _ => at += 1,
            }
        },
    }
}

fn assert_agrees(body: &str, twin: &Twin, room: usize, keep: Keep) {
    let got = cut(body, room, keep);
    let wanted = twin.cut(room, keep);
    assert_eq!(got, wanted, "room {room}, {keep:?}, {} bytes: {}", body.len(), shown(body));
    let kept = got.head_end + (body.len() - got.tail_start);
    assert!(kept <= room.max(body.len().min(room)), "over: {kept} of {room}");
}

fn assert_agrees_everywhere(body: &str) {
    let twin = Twin::new(body);
    assert_eq!(decoded_bytes(body), twin.decoded.len(), "{}", shown(body));
    assert_eq!(lines(body), twin.decoded.lines().count(), "{}", shown(body));
    for room in 0..=body.len() + 1 {
        for keep in KEEPS {
            assert_agrees(body, &twin, room, keep);
        }
    }
}

fn shown(body: &str) -> &str {
    body.get(..800).unwrap_or(body)
}

// ------------------------------------------------------- bodies to cut

/// A stream of numbers that is the same on every run (xorshift64*).
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        usize::try_from(self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33).unwrap() % bound
    }
}

/// Texts whose cuts are hard.
const ATOMS: &[&str] = &[
    "a",
    "n",
    "u",
    "bcdef",
    "0123",
    " ",
    "/",
    "\"",
    "\\",
    "\\\\",
    "\\n",
    "\\u000a",
    "\n",
    "\n\n",
    "\r\n",
    "\r",
    "\t",
    "\u{8}",
    "\u{c}",
    "\0",
    "\u{7f}",
    "\u{85}",
    "\u{2028}",
    "é",
    "e\u{301}",
    "e\u{301}\u{302}\u{303}",
    "\u{301}",
    "→",
    "界",
    "你好",
    "ก็",
    "नमस्ते",
    "क\u{94d}ष",
    "क\u{94d}\u{200d}ष",
    "क\u{94d}",
    "ष",
    "क\u{93c}\u{94d}ष",
    "\u{94d}",
    "\u{903}",
    "가",
    "\u{1100}\u{1161}\u{11a8}",
    "\u{1100}",
    "\u{1161}",
    "\u{11a8}",
    "\u{600}",
    "\u{600}1",
    "\u{110bd}",
    "👍",
    "👍🏽",
    "👨‍👩‍👧‍👦",
    "👨",
    "\u{200d}",
    "\u{200d}👩",
    "🏳️‍🌈",
    "❤️",
    "\u{fe0f}",
    "1\u{fe0f}\u{20e3}",
    "©",
    "🇩🇪",
    "🇩",
    "🇪🇫🇷",
    "🇩🇩🇩🇩🇩🇩🇩",
    "🏴\u{e0067}\u{e0062}\u{e007f}",
    "\u{1b}[0m",
    "\u{1b}[38;2;1;2;3m",
    "\u{1b}[3~",
    "\u{1b}[?25l",
    "\u{1b}[ q",
    "\u{1b}[",
    "\u{1b}",
    "\u{1b}(B",
    "\u{1b}#8",
    "\u{1b}7",
    "\u{1b}]8;;https://example.com\u{1b}\\link\u{1b}]8;;\u{1b}\\",
    "\u{1b}]0;title\u{7}",
    "\u{1b}]",
    "\u{7}",
    "\u{1b}\\",
    "\u{1b}P1$r0m\u{1b}\\",
    "\u{1b}P",
    "\u{1b}_a\u{9c}",
    "\u{1b}X",
    "\u{1b}^",
    "\u{1b}Ptmux;\u{1b}\u{1b}]0;t\u{7}\u{1b}\\",
    "\u{9b}31m",
    "\u{9b}",
    "\u{9d}0;t\u{7}",
    "\u{9d}",
    "\u{90}",
    "\u{9c}",
    "\u{18}",
    "\u{1b}[1m\u{301}",
    "\u{1b}]0;a\nb\u{7}",
];

/// Writes one scalar as a JSON printer might: raw, short, or as `\u`.
fn encode_scalar(out: &mut String, scalar: char, dice: &mut Dice) {
    let must = (scalar as u32) < 0x20 || scalar == '"' || scalar == '\\';
    let short = match scalar {
        '\n' => "\\n",
        '\r' => "\\r",
        '\t' => "\\t",
        '\u{8}' => "\\b",
        '\u{c}' => "\\f",
        '"' => "\\\"",
        '\\' => "\\\\",
        '/' => "\\/",
        _ => "",
    };
    match dice.below(4) {
        0 => {
            let upper = dice.below(2) == 0;
            for unit in scalar.encode_utf16(&mut [0; 2]) {
                let written =
                    if upper { write!(out, "\\u{unit:04X}") } else { write!(out, "\\u{unit:04x}") };
                written.unwrap();
            }
        }
        1 if !short.is_empty() => out.push_str(short),
        _ if must && !short.is_empty() => out.push_str(short),
        _ if must => write!(out, "\\u{:04x}", scalar as u32).unwrap(),
        _ => out.push(scalar),
    }
}

fn encode(text: &str, dice: &mut Dice) -> String {
    let mut out = String::new();
    text.chars().for_each(|scalar| encode_scalar(&mut out, scalar, dice));
    out
}

/// As the usual printers write it, with or without escapes for all beyond
/// ASCII.
fn printed(text: &str, ascii: bool) -> String {
    let json = serde_json::to_string(text).unwrap();
    let body = &json[1..json.len() - 1];
    if !ascii {
        return body.to_owned();
    }
    let mut out = String::new();
    for scalar in body.chars() {
        if scalar.is_ascii() {
            out.push(scalar);
        } else {
            for unit in scalar.encode_utf16(&mut [0; 2]) {
                write!(out, "\\u{unit:04x}").unwrap();
            }
        }
    }
    out
}

/// Halves of surrogate pairs, and what only looks like one.
const HALVES: [&str; 5] =
    ["\\ud83d", "\\uDE00", "\\ud83d\\ud83d\\ude00", "\\\\ud83d\\ude00", "\\ud83d\\\\ude00"];

fn random_body(dice: &mut Dice, atoms: usize) -> String {
    let mut body = String::new();
    // Few kinds in a body, so that runs and neighbours of a kind occur.
    let kinds: Vec<&str> = (0..1 + dice.below(6)).map(|_| ATOMS[dice.below(ATOMS.len())]).collect();
    for _ in 0..atoms {
        match dice.below(12) {
            0 => body.push_str(&encode(ATOMS[dice.below(ATOMS.len())], dice)),
            1 => body.push_str(HALVES[dice.below(HALVES.len())]),
            2 => body.push_str(&"\\\\".repeat(dice.below(5))),
            3 => body.push_str(&"x".repeat(dice.below(40))),
            _ => body.push_str(&encode(kinds[dice.below(kinds.len())], dice)),
        }
    }
    body
}

// ------------------------------------------------------------------ cuts

#[test]
fn the_twin_decodes_as_a_json_parser_does() {
    let mut dice = Dice(1);
    for _ in 0..500 {
        let text: String = (0..30).map(|_| ATOMS[dice.below(ATOMS.len())]).collect();
        let body = encode(&text, &mut dice);
        let parsed: String = serde_json::from_str(&format!("\"{body}\"")).unwrap();
        assert_eq!(parsed, text);
        assert_eq!(Twin::new(&body).decoded, text);
    }
}

#[test]
fn a_cut_is_the_largest_legal_one_on_random_bodies_at_every_room() {
    let mut dice = Dice(2);
    let mut cases = 0;
    for atoms in [1, 2, 3, 5, 8, 13, 30] {
        for _ in 0..300 {
            let body = random_body(&mut dice, atoms);
            assert_agrees_everywhere(&body);
            cases += body.len() + 2;
        }
    }
    println!("{cases} rooms, three ways each");
}

#[test]
fn a_cut_is_the_largest_legal_one_in_long_bodies() {
    let mut dice = Dice(3);
    for round in 0..60 {
        let mut body = random_body(&mut dice, 400);
        if round % 3 == 0 {
            body = format!("{}{body}{}", "\\nword".repeat(4_000), "wo rd".repeat(5_000));
        }
        let twin = Twin::new(&body);
        for _ in 0..400 {
            let room = dice.below(body.len() + 1);
            for keep in KEEPS {
                assert_agrees(&body, &twin, room, keep);
            }
        }
    }
}

/// Around 256 decoded bytes, clusters and sequences stop being whole.
#[test]
fn a_cluster_or_sequence_is_whole_up_to_256_bytes_and_no_further() {
    let mut dice = Dice(4);
    for length in 120..=131 {
        // Two decoded bytes each, and one for the base.
        let marks = format!("ab{}c", "\u{301}".repeat(length));
        for text in [marks.clone(), marks.replace('b', "é")] {
            assert_agrees_everywhere(&printed(&text, false));
            assert_agrees_everywhere(&encode(&text, &mut dice));
        }
    }
    for length in 248..=257 {
        let filling = "x".repeat(length);
        for text in [
            format!("ab\u{1b}]{filling}\u{7}c"),
            format!("ab\u{1b}P{filling}\u{1b}\\c"),
            format!("ab\u{9d}{filling}\u{9c}c"),
            format!("ab\u{1b}[{}mc", "1;".repeat(length / 2)),
        ] {
            assert_agrees_everywhere(&printed(&text, false));
        }
    }
    let whole = format!("a{}", "\u{301}".repeat(127));
    assert_eq!(cut(&format!("{whole}z"), 200, Keep::Head).head_end, 0);
    let longer = format!("aa{}z", "\u{301}".repeat(128));
    assert_eq!(cut(&longer, 200, Keep::Head).head_end, 200);
}

#[test]
fn endless_clusters_and_runs_are_cut_right_whatever_stands_before_them() {
    let mut dice = Dice(5);
    for start in ["", "a", "\n", "👨", "क", "🇩", "\u{600}"] {
        for run in [
            "🇩",
            "\u{301}",
            "\u{200d}",
            "👨\u{200d}",
            "क\u{94d}",
            "\u{1100}",
            "\u{600}",
            "क\u{93c}",
            "\u{94d}",
            "\u{301}\u{200d}",
            "\u{1b}",
            "\u{9d}",
            "\\",
        ] {
            for end in ["", "👨\u{301}", "ष\u{301}", "🇪\u{301}b", "a\u{301}", "n", "\u{7}"] {
                let count = 90 + dice.below(60);
                let text = format!("{start}{}{end}!", run.repeat(count));
                let body = if dice.below(2) == 0 {
                    printed(&text, false)
                } else {
                    encode(&text, &mut dice)
                };
                let twin = Twin::new(&body);
                for _ in 0..40 {
                    let room = dice.below(body.len() + 1);
                    for keep in KEEPS {
                        assert_agrees(&body, &twin, room, keep);
                    }
                }
                for near in 0..body.len().min(24) {
                    assert_agrees(&body, &twin, near, Keep::Tail);
                    assert_agrees(&body, &twin, body.len() - near, Keep::Head);
                }
            }
        }
    }
}

/// T10: 198 ASCII characters, then a three-byte arrow, cut at 200.
#[test]
fn a_character_on_the_limit_is_left_out() {
    for caps in [100, 200, 5_000, 10_000, 30_000] {
        for sign in ["─", "→", "界", "🎉", "\\u2192", "\\ud83c\\udf89", "\\n", "\\\\", "\\\""]
        {
            for over in 1..sign.len() {
                let body = format!("{}{sign}{}", "x".repeat(caps - over), "y".repeat(80));
                assert_eq!(cut(&body, caps, Keep::Head).head_end, caps - over, "{sign} at {caps}");
                let mirrored = format!("{}{sign}{}", "y".repeat(80), "x".repeat(caps - over));
                let start = cut(&mirrored, caps, Keep::Tail).tail_start;
                assert_eq!(mirrored.len() - start, caps - over, "{sign} at {caps}");
            }
        }
    }
}

/// T21: one line longer than the room.
#[test]
fn a_text_of_one_long_line_leaves_all_the_room_holds() {
    for end in ["", "\\n"] {
        let body = format!("{}{end}", "x".repeat(60 * 1_024));
        assert_eq!(cut(&body, 50 * 1_024, Keep::Head).head_end, 50 * 1_024);
        let start = cut(&body, 50 * 1_024, Keep::Tail).tail_start;
        assert_eq!(start, body.len() - 50 * 1_024);
    }
}

/// T32: one family at each room.
#[test]
fn a_family_stays_whole_or_goes() {
    let family = "👨‍👩‍👧‍👦";
    let body = format!("{family}{family}");
    for room in 0..body.len() {
        let whole = if room < family.len() { 0 } else { family.len() };
        assert_eq!(cut(&body, room, Keep::Head).head_end, whole, "room {room}");
        assert_eq!(cut(&body, room, Keep::Tail).tail_start, body.len() - whole, "room {room}");
    }
}

/// F17: a cut never leaves half a sequence.
#[test]
fn a_terminal_sequence_stays_whole_or_goes() {
    let link = r"\u001b]8;;https://example.com\u001B\\ text \u001b]8;;\u001b\\";
    for (before, sequence) in [
        ("ab", r"\u001b]8;;https://example.com\u001B\\"),
        ("ab", r"\u001B[3~"),
        ("ab", r"\u001b(B"),
        ("ab", r"\u001b[38;2;1;2;3m"),
        ("ab", r"\u009b31m"),
        ("ab", r"\u001bPq#0\u001b\\"),
    ] {
        let body = format!("{before}{sequence}tail");
        let end = before.len() + sequence.len();
        for room in before.len()..end {
            assert_eq!(cut(&body, room, Keep::Head).head_end, before.len(), "{body} at {room}");
            let start = cut(&body, body.len() - room, Keep::Tail).tail_start;
            assert_eq!(start, if room == before.len() { room } else { end }, "{body} at {room}");
        }
        assert_eq!(cut(&body, end, Keep::Head).head_end, end);
    }
    assert_agrees_everywhere(link);
}

#[test]
fn a_cut_falls_behind_a_line_end_where_one_is_near() {
    // Of 1,600 bytes of room a hundred are near.
    let body = format!("{}\\n{}", "x".repeat(1_498), "y".repeat(4_000));
    assert_eq!(cut(&body, 1_600, Keep::Head).head_end, 1_500);
    assert_eq!(cut(&body, 1_601, Keep::Head).head_end, 1_601);
    let body = format!("{}\\u000A{}", "x".repeat(4_000), "y".repeat(1_500));
    assert_eq!(cut(&body, 1_600, Keep::Tail).tail_start, 4_006);
    assert_eq!(cut(&body, 1_601, Keep::Tail).tail_start, body.len() - 1_601);
    // Never more than 1,024.
    let body = format!("{}\\n{}", "x".repeat(98_974), "y".repeat(100_000));
    assert_eq!(cut(&body, 100_000, Keep::Head).head_end, 98_976);
    assert_eq!(cut(&body, 100_001, Keep::Head).head_end, 100_001);
    // A backslash and an `n` are no line end; a backslash and a line end are.
    let body = format!("{}\\\\n{}", "x".repeat(90), "y".repeat(90));
    assert_eq!(cut(&body, 100, Keep::Head).head_end, 100);
    let body = format!("{}\\\\\\n{}", "x".repeat(90), "y".repeat(90));
    assert_eq!(cut(&body, 100, Keep::Head).head_end, 94);
}

#[test]
fn a_tail_keeps_whole_lines_and_the_last_line_feed() {
    let body = "first line of it\\nsecond line of it\\nthird line of it\\nfourth line of it\\n";
    let start = cut(body, 42 + 24, Keep::Tail).tail_start;
    assert_eq!(&body[start..], "second line of it\\nthird line of it\\nfourth line of it\\n");
}

#[test]
fn head_and_tail_share_the_room() {
    let body = format!("{}👨‍👩‍👧‍👦{}", "x".repeat(190), "y".repeat(500));
    let TextCut { head_end, tail_start } = cut(&body, 400, Keep::HeadAndTail);
    assert_eq!(head_end, 190, "the family has no room in the first half");
    assert_eq!(body.len() - tail_start, 210, "what the head leaves goes to the tail");
}

/// A run of a million backslashes, its parity, and what stands behind it.
#[test]
fn parity_holds_across_a_million_backslashes() {
    for odd in [false, true] {
        // An odd run: the last one opens the line feed's escape.
        let pairs = "\\\\".repeat(500_000);
        let body = format!("x{pairs}{}{}", if odd { "\\n" } else { "n" }, "y".repeat(100));
        let behind = body.len() - 100;
        for room in [behind + 10, behind + 1, behind] {
            let head = cut(&body, room, Keep::Head).head_end;
            assert_eq!(head, if odd { behind } else { room }, "room {room}");
        }
        let head = cut(&body, behind - 1, Keep::Head).head_end;
        assert_eq!(head, 1_000_001);
        assert_eq!(cut(&body, 500_000, Keep::Head).head_end, 499_999);
        assert_eq!(cut(&body, 500_001, Keep::Head).head_end, 500_001);
        assert_eq!(lines(&body), if odd { 2 } else { 1 });
        assert_eq!(decoded_bytes(&body), 500_001 + 1 + 100);
    }
}

/// No valid body, but no panic and nothing over the room either.
#[test]
fn a_body_that_is_no_json_string_still_gets_a_cut_within_its_room() {
    let mut dice = Dice(6);
    let pieces = [
        "\\",
        "\\u",
        "\\u0",
        "\\ud83d",
        "\\ude",
        "u00",
        "\\x",
        "\"",
        "\n",
        "\u{1b}[",
        "\u{1b}]",
        "é",
        "👨‍👩‍👧‍👦",
        "\\u00",
        "0a",
        "n",
        "\\n",
        "\\\\",
        "🇩",
        "\u{301}",
        "\u{9d}",
        "\\u001b",
        "]",
        "\\u0007",
    ];
    for _ in 0..20_000 {
        let body: String = (0..dice.below(24)).map(|_| pieces[dice.below(pieces.len())]).collect();
        for _ in 0..6 {
            let room = dice.below(body.len() + 2);
            for keep in KEEPS {
                let TextCut { head_end, tail_start } = cut(&body, room, keep);
                assert!(head_end <= tail_start && tail_start <= body.len(), "{body:?} {room}");
                assert!(head_end + (body.len() - tail_start) <= room, "{body:?} {room}");
                assert!(body.is_char_boundary(head_end) && body.is_char_boundary(tail_start));
            }
        }
        let _ = (is_log(&body), is_prose(&body), lines(&body), decoded_bytes(&body));
    }
}

#[test]
fn lines_and_decoded_bytes_count_what_a_decoder_sees() {
    for (body, line_count, byte_count) in [
        ("", 0, 0),
        ("a", 1, 1),
        ("\\n", 1, 1),
        ("a\\nb", 2, 3),
        ("a\\nb\\u000A", 2, 4),
        ("a\\\\nb", 1, 4),
        ("\\ud83d\\ude00", 1, 4),
        ("\\ud83d \\ude00", 1, 7),
        ("\\u00e9é\\/\\\"\\t", 1, 7),
        ("\\u2028", 1, 3),
    ] {
        assert_eq!((lines(body), decoded_bytes(body)), (line_count, byte_count), "{body}");
    }
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig { failure_persistence: None, ..Default::default() })]

    #[test]
    fn any_text_is_cut_as_the_twin_cuts_it(
        text in "(\\PC|[\\n\\r\\t\\u{1b}\\u{7}\\u{9b}\\u{9d}\\u{300}-\\u{30f}\\u{1f1e6}-\\u{1f1ff}\\u{200d}\\\\\"\\[\\]m;n]){0,60}",
        seed in 1_u64..,
    ) {
        assert_agrees_everywhere(&encode(&text, &mut Dice(seed)));
    }
}

// ------------------------------------------------- data from elsewhere

/// The break tests of the Unicode database, as the segmentation crate ships
/// them beside its source.
#[test]
fn official_cluster_boundaries_are_the_only_places_to_cut() {
    let Some(source) = break_tests() else {
        println!("SKIPPED: the source of unicode-segmentation holds no break tests here");
        return;
    };
    let mut dice = Dice(7);
    let mut count = 0;
    for (text, clusters) in source {
        assert_eq!(clusters.concat(), text);
        let mut breaks = HashSet::from([0]);
        clusters.iter().fold(0, |at, cluster| {
            breaks.insert(at + cluster.len());
            at + cluster.len()
        });
        for body in [printed(&text, false), printed(&text, true), encode(&text, &mut dice)] {
            let twin = Twin::with_breaks(&body, &decode(&body), text.clone(), &breaks);
            for room in 0..=body.len() {
                for keep in KEEPS {
                    assert_agrees(&body, &twin, room, keep);
                }
            }
        }
        count += 1;
    }
    assert!(count > 700, "only {count} break tests read");
    println!("{count} break tests of the Unicode database");
}

/// `(text, its clusters)`, read from the crate's test data.
fn break_tests() -> Option<Vec<(String, Vec<String>)>> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let answer = std::process::Command::new(cargo)
        .args(["metadata", "--format-version", "1", "--offline"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .ok()?;
    let metadata: Value = serde_json::from_slice(&answer.stdout).ok()?;
    let package = metadata["packages"]
        .as_array()?
        .iter()
        .find(|package| package["name"] == "unicode-segmentation")?;
    let manifest = PathBuf::from(package["manifest_path"].as_str()?);
    let source = std::fs::read_to_string(manifest.with_file_name("tests/testdata/mod.rs")).ok()?;
    let mut tests = Vec::new();
    for (name, lists) in [("TEST_SAME", 1), ("TEST_DIFF", 2)] {
        let table = source.split_once(&format!("const {name}:"))?.1.split_once("= &[")?.1;
        let table = table.split_once("];")?.0;
        // A string outside a list starts a test; the first list is the
        // extended clusters.
        let (mut depth, mut list, mut rest) = (0, 0, table);
        while let Some(at) = rest.find(['"', '[', ']']) {
            let mark = rest.as_bytes()[at];
            rest = &rest[at + 1..];
            match mark {
                b'[' => depth += 1,
                b']' => {
                    depth -= 1;
                    list += 1;
                }
                _ => {
                    let end = rest.find('"')?;
                    let literal = unescape(&rest[..end])?;
                    rest = &rest[end + 1..];
                    if depth == 0 {
                        tests.push((literal, Vec::new()));
                        list = 0;
                    } else if list == 0 {
                        tests.last_mut()?.1.push(literal);
                    }
                }
            }
        }
        assert_eq!(list, lists, "the data reads otherwise than expected");
    }
    Some(tests)
}

fn unescape(literal: &str) -> Option<String> {
    let mut text = String::new();
    for part in literal.split("\\u{").skip(1) {
        text.push(char::from_u32(u32::from_str_radix(part.strip_suffix('}')?, 16).ok()?)?);
    }
    Some(text)
}

/// The corpus beside the checkout, where it is there.
fn corpus() -> Option<PathBuf> {
    let corpus = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpus");
    if corpus.is_dir() {
        return Some(corpus);
    }
    println!("SKIPPED: no corpus at {}", corpus.display());
    None
}

/// Every recorded result: its file's name and its value.
fn corpus_results(corpus: &std::path::Path) -> Vec<(String, Value)> {
    let mut results = Vec::new();
    for folder in ["registry", "fetched", "local"] {
        let mut files: Vec<_> = std::fs::read_dir(corpus.join(folder))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
            .collect();
        files.sort();
        for file in files {
            let name = file.file_stem().unwrap().to_str().unwrap().to_owned();
            results.push((name, serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap()));
        }
    }
    assert!(results.len() > 50, "the corpus has only {} results", results.len());
    results
}

fn strings(value: &Value, each: &mut impl FnMut(&str)) {
    match value {
        Value::String(text) => each(text),
        Value::Array(items) => items.iter().for_each(|item| strings(item, each)),
        Value::Object(members) => members.values().for_each(|member| strings(member, each)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[test]
fn naughty_strings_are_cut_as_the_twin_cuts_them() {
    let Some(corpus) = corpus() else { return };
    let mut count = 0;
    for (name, result) in corpus_results(&corpus) {
        if !name.ends_with("naughty-strings") {
            continue;
        }
        strings(&result, &mut |text| {
            if text.len() < 4_000 {
                assert_agrees_everywhere(&printed(text, false));
                assert_agrees_everywhere(&printed(text, true));
                count += 1;
            }
        });
    }
    assert!(count > 400, "only {count} strings");
    println!("{count} naughty strings");
}

#[test]
fn recorded_texts_are_cut_as_the_twin_cuts_them() {
    let Some(corpus) = corpus() else { return };
    let mut dice = Dice(8);
    let (mut texts, mut cuts) = (0, 0);
    for (_, result) in corpus_results(&corpus) {
        strings(&result["content"], &mut |text| {
            if text.len() < 200 || text.len() > 400_000 {
                return;
            }
            texts += 1;
            for ascii in [false, true] {
                let body = printed(text, ascii);
                let twin = Twin::new(&body);
                assert_eq!(decoded_bytes(&body), text.len());
                assert_eq!(lines(&body), text.lines().count());
                for limit in 0..90 {
                    let room = if limit < 60 { dice.below(body.len()) } else { dice.below(600) };
                    for keep in KEEPS {
                        assert_agrees(&body, &twin, room, keep);
                        cuts += 1;
                    }
                }
            }
        });
    }
    println!("{cuts} cuts of {texts} recorded texts");
}

// ---------------------------------------------------------------- shapes

/// Results of the corpus whose text is a log. Every other is none: also
/// `log-journald-json` and `log-otel-collector-jsonl`, which are one or a few
/// JSON documents on long lines.
const LOGS: [&str; 17] = [
    "ansi-cargo-clippy",
    "ansi-fish-cc",
    "ansi-hyperlinks",
    "ansi-indexed-256-colors",
    "ansi-row-reset",
    "ansi-tmux-git-log",
    "ansi-tmux-htop",
    "ansi-zerowidth",
    "jsonl-clippy-messages",
    "log-ansi-1",
    "log-bro-http-log-0",
    "log-caddy-log-0",
    "log-cloudflare-1",
    "log-laravel-0",
    "log-shop-access-log-0",
    "log-strace-log-2",
    "log-w3c-big-0",
];

#[test]
fn the_verdict_on_every_recorded_text_is_pinned() {
    let Some(corpus) = corpus() else { return };
    let mut seen = 0;
    for (name, result) in corpus_results(&corpus) {
        for block in result["content"].as_array().unwrap() {
            let Some(text) = block["text"].as_str() else { continue };
            assert_eq!(is_log(&printed(text, false)), LOGS.contains(&name.as_str()), "{name}");
            assert_eq!(is_log(&printed(text, true)), LOGS.contains(&name.as_str()), "{name}");
            seen += usize::from(LOGS.contains(&name.as_str()));
        }
    }
    assert!(seen >= 17, "only {seen} logs seen");
}

#[test]
fn logs_and_build_output_are_logs() {
    let tap: String = (1..=6_000).map(|n| format!("ok {n}\n")).collect();
    for text in [
        // F12
        &format!("{tap}test result: FAILED. 1 failed"),
        &tap,
        "2024-05-01T10:00:00Z INFO start\n2024-05-01T10:00:01Z WARN slow\n2024-05-01T10:00:02Z ERROR down\n",
        "2024-05-01 10:00:00,123 app.main INFO started, listening\n2024-05-01 10:00:00,124 app.db DEBUG connected\n2024-05-01 10:00:00,125 app.db DEBUG ready\n",
        "May  1 10:00:00 host sshd[12]: Accepted key for ann\nMay  1 10:00:01 host sshd[12]: session opened\nMay  1 10:00:03 host cron[3]: run\n",
        "[    0.000000] Linux version 6.1\n[    0.012345] Command line: quiet\n[    1.200000] usb 1-1: new device\n",
        "10.0.0.1 - - [22/Jan/2019:03:56:14 +0330] \"GET / HTTP/1.1\" 200 5\n10.0.0.1 - - [22/Jan/2019:03:56:15 +0330] \"GET /a HTTP/1.1\" 200 5\n10.0.0.1 - - [22/Jan/2019:03:56:16 +0330] \"GET /b HTTP/1.1\" 404 5\n",
        "web-1  | ready\nweb-1  | listening\ndb-1   | accepting\ndb-1   | checkpoint\ndb-1   | done\ndb-1   | done\nweb-1  | bye\nweb-1  | bye\n",
        "running 3 tests\ntest adds ... ok\ntest subtracts ... ok\ntest divides ... FAILED\n\nfailures:\n    divides\n\ntest result: FAILED. 2 passed; 1 failed; 0 ignored\n",
        "=== RUN   TestA\n--- PASS: TestA (0.00s)\n=== RUN   TestB\n    b_test.go:12: no\n--- FAIL: TestB (0.00s)\nFAIL\n",
        "tests/test_a.py::test_one PASSED\ntests/test_a.py::test_two FAILED\n\n===== 1 failed, 1 passed in 0.12s =====\n",
        "Traceback (most recent call last):\n  File \"a.py\", line 1, in <module>\n    f()\nValueError: no\n",
        "TypeError: x is undefined\n    at f (/app/a.js:1:2)\n    at g (/app/a.js:4:5)\n    at main (/app/b.js:9:1)\n",
        "Exception in thread \"main\" java.lang.NullPointerException\n\tat com.acme.A.f(A.java:12)\n\tat com.acme.B.main(B.java:3)\n",
        "   Compiling a v1.0.0\n   Compiling b v1.0.0\nerror[E0308]: mismatched types\n --> src/lib.rs:3:5\n  |\n3 |     1\n  |     ^ expected `()`\n\nerror: could not compile `b`\n",
        "gcc -c a.c\na.c:3:5: warning: unused variable\na.c:9:1: error: expected ';'\nmake: *** [Makefile:4: a.o] Error 1\n",
        "[1/340] CXX a.o\n[2/340] CXX b.o\n[3/340] CXX c.o\n[4/340] LINK d\n",
        "npm ERR! code ELIFECYCLE\nnpm ERR! errno 1\nnpm ERR! a@1.0.0 build: `x`\n",
        "a.tar  1%\ra.tar 20%\ra.tar 50%\ra.tar 99%\ra.tar 100%\ndone\n",
        "{\"level\":\"info\",\"msg\":\"a\"}\n{\"level\":\"warn\",\"msg\":\"b\"}\n{\"level\":\"info\",\"msg\":\"c\"}\n",
        "\u{1b}[32mINFO\u{1b}[0m one\n\u{1b}[33mWARN\u{1b}[0m two\n\u{1b}[32mINFO\u{1b}[0m three\n",
        "I0501 10:00:00.000000       1 main.go:12] Starting\nI0501 10:00:00.100000       1 main.go:15] Ready\nW0501 10:00:01.000000       1 main.go:20] Slow\n",
        "05-01 10:00:00.000  123  456 D Tag: one\n05-01 10:00:00.010  123  456 I Tag: two\n05-01 10:00:00.020  123  456 E Tag: three\n",
        "[error] no such file\n[warn] trying the other\n[error] gave up\n",
        "Get:1 mirror bookworm InRelease\nFetched 20 kB in 1s\nSelecting previously unselected package a.\nPreparing to unpack .../a.deb ...\nUnpacking a (1.0) ...\nSetting up a (1.0) ...\n",
    ] {
        assert!(is_log(&printed(text, false)), "{}", shown(text));
    }
}

#[test]
fn other_text_is_no_log() {
    let long_prose =
        "The engine keeps the beginning of a text. It says how much is left. ".repeat(300);
    for text in [
        "",
        "one line",
        &long_prose,
        "# Title\n\nSome words about errors: an ERROR is shown when it fails.\n\n- one\n- two\n\n```sh\ncargo test\n```\n\nMore words.\n",
        "# Changelog\n\n## [1.2.0] - 2024-05-01\n\n### Added\n- a\n- b\n\n## [1.1.0] - 2024-04-01\n\n### Fixed\n- c\n",
        "id,name,when\n1,a,2024-05-01 10:00:00\n2,b,2024-05-01 10:00:01\n3,c,2024-05-01 10:00:02\n",
        "2024-05-01 10:00:00,1.5,2.5\n2024-05-01 10:00:01,1.6,2.6\n2024-05-01 10:00:02,1.7,2.7\n",
        "id\tstate\tnote\n1\tERROR_A\tx\n2\tOK\ty\n3\tOK\tz\n",
        "use std::fmt;\n\n/// Levels.\nenum Level {\n    DEBUG,\n    INFO,\n    WARN,\n    ERROR,\n}\n\nfn main() {\n    println!(\"{}\", 1);\n}\n",
        "import logging\n\nLOG = logging.getLogger(__name__)\n\ndef f(x):\n    LOG.info(\"start\")\n    if x:\n        LOG.error(\"ERROR: %s\", x)\n    return x\n",
        "diff --git a/log.txt b/log.txt\nindex 1..2 100644\n--- a/log.txt\n+++ b/log.txt\n@@ -1,2 +1,3 @@\n 2024-05-01 10:00:00 INFO a\n+2024-05-01 10:00:01 INFO b\n 2024-05-01 10:00:02 INFO c\n",
        "total 12\n-rw-r--r-- 1 root root 1952 2024-05-01 10:00:00 a\n-rw-r--r-- 1 root root 1952 2024-05-01 10:00:00 b\ndrwxr-xr-x 1 root root 1952 2024-05-01 10:00:00 c\n",
        "2024-05-01 10:00:00       1234 a/b.txt\n2024-05-01 10:00:00       1234 a/c.txt\n2024-05-01 10:00:00       1234 a/d.txt\n",
        "  1234  2024-05-01 10:00   a/b.txt\n  1234  2024-05-01 10:00   a/c.txt\n  1234  2024-05-01 10:00   a/d.txt\n",
        "src/a.rs\nsrc/b.rs\nsrc/c.rs\nsrc/d.rs\nsrc/e.rs\nsrc/f.rs\n",
        "name: a\non: push\njobs:\n  test:\n    runs-on: x\n    steps:\n      - run: make\n",
        "<ul>\n<li>one</li>\n<li>two</li>\n<li>three</li>\n<li>four</li>\n</ul>\n",
        "{\n  \"level\": \"info\",\n  \"time\": \"2024-05-01T10:00:00Z\",\n  \"a\": 1,\n  \"b\": 2,\n  \"c\": 3\n}\n",
        "| level | meaning |\n|---|---|\n| ERROR | bad |\n| WARN | less bad |\n| INFO | fine |\n",
        "[0.3.2]: https://example.com/a/compare/0.3.1...0.3.2\n[0.3.1]: https://example.com/a/compare/0.3.0...0.3.1\n[0.3.0]: https://example.com/a/compare/0.2.0...0.3.0\n",
        "  * deps: connect@2.29.1\n    - deps: compression@~1.4.3\n    - deps: debug@~2.1.3\n    - deps: qs@2.4.1\n    - deps: ms@0.7.0\n  * deps: send@0.12.2\n",
        "commit 6113728f27ae82c7b1a177c8d03f9e96e0adf246\nAuthor: A <a@example.com>\nDate:   Wed May 1 10:00:00 2024 +0000\n\n    Say why\n\n    It was not said before.\n\ncommit 7113728f27ae82c7b1a177c8d03f9e96e0adf246\nAuthor: A <a@example.com>\nDate:   Wed May 1 09:00:00 2024 +0000\n\n    Start\n",
        "SELECT a, b\nFROM t\nWHERE when > '2024-05-01 10:00:00'\nORDER BY a;\n",
        "\0asm\u{1}\0\0\0INFO\nWARN\nERROR\n",
        "你好。\n这是一段文字。\n没有日志。\n再见。\n",
    ] {
        assert!(!is_log(&printed(text, false)), "{}", shown(text));
    }
}

#[test]
fn sentences_are_prose() {
    for text in [
        "The parser now keeps the line that failed. It says so in the message that it shows to the user.",
        "We're still looking into why starred channels may not be appearing in the sidebar. For now, these conversations are still accessible via search.",
        "When not set, at most 100 approvals are returned; the server may return fewer than that, even where more are left to show.",
        "“Whatever it is, I won't have it,” she said. He laughed, and went out to look for the others, who had long gone home.",
        "Der Zug fährt heute nicht. Wir bitten alle Reisenden, den Bus zu nehmen, der vor dem Bahnhof hält.",
        "Le serveur garde le début du texte. Il dit combien il en reste, et comment lire la suite quand on veut.",
        "Сервер сохраняет начало текста и говорит, сколько осталось. Потом можно прочитать остальное по ссылке.",
        "서버는 텍스트의 처음을 남깁니다. 그리고 얼마나 남았는지 알려 줍니다. 나머지는 나중에 다시 읽을 수 있습니다. 그래서 아무것도 잃지 않습니다.",
        "सर्वर पाठ का आरंभ रखता है। वह बताता है कि कितना बचा है और आगे कैसे पढ़ना है। बाद में सब कुछ फिर से पढ़ा जा सकता है।",
        "服务器保留文本的开头部分，并且说明还剩多少内容。读者可以在以后继续阅读其余的部分，不会丢失任何东西。",
        "サーバーは文章の先頭を残し、残りの量を知らせます。読者はあとで続きを読むことができます。何も失われません。",
        &"A sentence like this one, and like the next. ".repeat(500),
    ] {
        for ascii in [false, true] {
            assert!(is_prose(&printed(text, ascii)), "{}", shown(text));
        }
    }
}

#[test]
fn ids_tokens_cursors_urls_queries_and_code_are_no_prose() {
    let base64 = "TWFueSBoYW5kcyBtYWtlIGxpZ2h0IHdvcmsu".repeat(20);
    let wrapped: String = base64
        .as_bytes()
        .chunks(64)
        .map(|line| format!("{}\n", std::str::from_utf8(line).unwrap()))
        .collect();
    for text in [
        "",
        "Short. Too short.",
        "A title that goes on and on and on without any end or any stop that one could name at all",
        &base64,
        &wrapped,
        &format!("-----BEGIN CERTIFICATE-----\n{wrapped}-----END CERTIFICATE-----\n"),
        &format!("data:image/png;base64,{base64}"),
        "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U",
        "eyJvZmZzZXQiOjEwMCwic29ydCI6ImNyZWF0ZWRfYXQiLCJkaXIiOiJkZXNjIiwibGFzdCI6IjY0ZjFhMmIzYzRkNWU2ZjcifQ==",
        "3f786850e387550fdab836ed7e6dc881de23001b89e6c5105e5a1ba2c6a8f0b1c2d3e4f5a6b7c8d9e0f1a2b3c4d5e6f7a8b9c0",
        "3f 78 68 50 e3 87 55 0f da b8 36 ed 7e 6d c8 81 de 23 00 1b 89 e6 c5 10 5e 5a 1b a2 c6 a8 f0 b1 c2 d3",
        "de ad be ef ca fe ba be de ad be ef ca fe ba be de ad be ef ca fe ba be de ad be ef ca fe ba be fa ce",
        "https://example.com/a/very/long/path/that/goes/on?with=a&query=string&and=more&of=it&until=the&end=comes",
        "<https://example.com/issues?page=4>; rel=\"prev\", <https://example.com/issues?page=1>; rel=\"first\", more",
        "/usr/local/lib/python3.11/site-packages/some_package/with/a/deep/tree/of/folders/and/a/file.py and so on",
        "com.example.some.very.long.package.name.with.many.parts.in.it.and.a.ClassName.that.is.long.too.Enough",
        "2024-05-01T10:00:00Z 2024-05-01T10:00:01Z 2024-05-01T10:00:02Z 2024-05-01T10:00:03Z 2024-05-01T10:00:04Z",
        "abandon ability able about above absent absorb abstract absurd abuse access accident account accuse achieve acid acoustic acquire across act",
        "SELECT name, mail FROM customers WHERE name LIKE 'A%' AND mail IS NOT NULL ORDER BY name, mail LIMIT 100",
        "select the_name from the_table where it is good and that is all that there is to say. Then do more of it.",
        "project = ACME AND status in (\"To Do\", \"In Progress\") AND assignee = currentUser() ORDER BY created DESC",
        "repo:acme/site is:open label:bug author:ann some words that were searched for in the title and the body too",
        "MATCH (a:Person)-[:KNOWS]->(b:Person) WHERE a.name = 'Ann' RETURN b.name, count(*) AS c ORDER BY c DESC LIMIT 5",
        "query Issues($owner: String!, $name: String!) { repository(owner: $owner, name: $name) { issues { nodes { id } } } }",
        "sum by (job) (rate(http_requests_total{status=~\"5..\"}[5m])) / sum by (job) (rate(http_requests_total[5m])) > 0.05",
        "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36",
        "docker run --rm -it -v /a:/b -e KEY=value image:tag sh -c 'echo Hello. World. Then go on to do the rest of it'",
        "fn main() {\n    // It starts here. Then it goes on.\n    let a = 1;\n    println!(\"{a}\");\n    let b = 2;\n    println!(\"{b}\");\n}\n",
        "def f(x):\n    \"\"\"Says what it does. And then some more about it.\"\"\"\n    return x\n\ndef g(x):\n    return f(x) + 1\n",
        "\"\"\"A module that says what it does. It does so at some length, so that one knows.\"\"\"\n\nimport os\n\nprint(os.name)\n",
        "#!/bin/sh\n# It says what it does. It does so at some length, so that one knows what is going on here.\necho done\n",
        "{\"a\": \"It is a sentence. It is another one.\", \"b\": \"And one more, for good measure, so that it is long enough.\"}",
        "[\"It is a sentence. It is another one.\", \"And one more, for good measure, so that it is long enough.\"]",
        "<p>It is a sentence. It is another one. And one more, for good measure, so that it is long enough.</p>",
        "Smith, Ann; Jones, Bob; Miller, Carl; Brown, Dora; Davis, Emil; Wilson, Fred; Moore, Gina; Taylor, Hans; Thomas, Ida",
        "ACME Inc. Foo Ltd. Bar Corp. Baz Co. Qux Inc. Acme Widgets Ltd. Example Corp. Sample Co. Some Other Inc. And Sons Ltd.",
        "name: Ann, role: admin, team: core, state: active, place: Rome, floor: two, room: nine, phone: none, mail: none.",
        "sha512-Sk4NQd3GFY0WZWCzndwFMPwJhtD0y9qjsQ+pjID0/03nK9pxyBCUoUHCho8QYBLBVhi0ssL8UkNPHqbgSOFPIQ==",
        "bg-white text-sm font-medium rounded-lg px-4 py-2 hover:bg-gray-100 focus:ring-2 focus:outline-none dark:bg-gray-800",
        "M10 20 L30 40 C50 60 70 80 90 100 Z M10 20 L30 40 C50 60 70 80 90 100 Z M10 20 L30 40 C50 60 70 80 90 100 Z",
        "if (a) { return b; } else { return c; } // It says what it does. It does so at some length, so one knows it.",
        "我们我们我们我们我们我们我们我们我们我们我们我们我们我们我们我们我们我们我们我们我们我们",
    ] {
        for ascii in [false, true] {
            assert!(!is_prose(&printed(text, ascii)), "{}", shown(text));
        }
    }
}

/// What follows the part that is looked at first must be prose too.
#[test]
fn prose_with_something_else_at_its_end_is_no_prose() {
    let prose = "A sentence like this one, and like the next. ".repeat(200);
    assert!(is_prose(&prose));
    assert!(!is_prose(&format!("{prose}{}", "TWFueSBoYW5kcyBtYWtl".repeat(100))));
    assert!(!is_prose(&format!("{prose}{}", r"let a = 1;\nlet b = { 2 };\n".repeat(100))));
}

// ------------------------------------------------------------------ cost

/// Prints, and does not judge: machines differ. Each line should grow with
/// its body by about as much, or not at all.
#[test]
fn cost_is_shown_at_one_and_two_and_four_times_the_length() {
    let shapes: [(&str, String); 12] = [
        ("words", "some words and more ".into()),
        ("lines", "some words and more\\n".into()),
        ("han", "界".into()),
        ("han escaped", "\\u754c".into()),
        ("backslashes", "\\\\".into()),
        ("flags", "🇩".into()),
        ("flags escaped", "\\ud83c\\udde9".into()),
        ("marks", "\u{301}".into()),
        ("joined emoji", "👨\u{200d}".into()),
        ("conjuncts", "क\u{94d}".into()),
        ("sequence starts", "\u{9d}".into()),
        ("lines in sequences", "\u{9d}\\n\\u0007".into()),
    ];
    for (name, piece) in shapes {
        let mut line = format!("{name:20}");
        for length in [1_usize << 20, 1 << 21, 1 << 22] {
            let body = format!("x{}", piece.repeat(length / piece.len()));
            let time = |keep: Keep| {
                let mut best = Duration::MAX;
                for _ in 0..3 {
                    let start = Instant::now();
                    std::hint::black_box(cut(std::hint::black_box(&body), body.len() / 2, keep));
                    best = best.min(start.elapsed());
                }
                best
            };
            let (head, tail) = (time(Keep::Head), time(Keep::Tail));
            let start = Instant::now();
            std::hint::black_box((decoded_bytes(&body), lines(&body)));
            write!(line, " | {head:>9.1?} {tail:>9.1?} counts {:>8.1?}", start.elapsed()).unwrap();
        }
        println!("{line}");
    }
}
