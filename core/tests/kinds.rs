//! Cuts of diffs, tables, lines of JSON and listings: within the room, parts of
//! the text in order and at the borders that the kind has, counts true. Each
//! against a twin that reads the decoded text (contract B3, B7, B8).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use result_budget_core::text::{Keep, Shown, cut_by_kind, next_data_uri, without_ansi};
use result_budget_support::random::Random;
use result_budget_support::text::cut_of;

const KEEPS: [Keep; 3] = [Keep::Head, Keep::Tail, Keep::HeadAndTail];

fn encode(text: &str, random: &mut Random) -> String {
    let quoted = serde_json::to_string(text).unwrap();
    let body = quoted[1..quoted.len() - 1].to_string();
    if random.once_in(4) {
        // Another printer's spelling.
        return body.chars().fold(String::new(), |mut out, scalar| {
            if scalar.is_ascii() {
                out.push(scalar);
            } else {
                let mut units = [0; 2];
                for unit in scalar.encode_utf16(&mut units) {
                    out.push_str(&format!("\\u{unit:04x}"));
                }
            }
            out
        });
    }
    body
}

fn decode(body: &str) -> String {
    serde_json::from_str(&format!("\"{body}\"")).unwrap_or_else(|_| panic!("no string: {body}"))
}

fn word(random: &mut Random) -> String {
    const WORDS: [&str; 8] = ["alpha", "beta", "é", "界", "merge", "🎉", "file", "x1"];
    (0..1 + random.below(3)).map(|_| WORDS[random.below(8)]).collect::<Vec<_>>().join("-")
}

fn csv(random: &mut Random) -> String {
    let mut text = String::from("id,name,note\n");
    for row in 0..40 + random.below(200) {
        let note = match random.below(5) {
            0 => "\"two\nlines, and \"\"quotes\"\"\"".to_string(),
            1 => format!("\"{},{}\"", word(random), word(random)),
            _ => word(random),
        };
        text.push_str(&format!("{row},{},{note}\n", word(random)));
    }
    if random.once_in(2) {
        text.push_str("Total,12,\n");
    }
    text
}

fn bars(random: &mut Random) -> String {
    let mut text = String::from(" id | name\n----+-------\n");
    let rows = 40 + random.below(200);
    for row in 0..rows {
        text.push_str(&format!(" {row} | {}\n", word(random)));
    }
    if random.once_in(2) {
        text.push_str(&format!("({rows} rows)\n"));
    }
    text
}

fn json_lines(random: &mut Random) -> String {
    (0..40 + random.below(200))
        .map(|row| format!("{{\"n\":{row},\"t\":\"{}\\n\"}}\n", word(random)))
        .collect()
}

fn diff(random: &mut Random) -> String {
    let mut text = String::new();
    if random.once_in(2) {
        text.push_str("commit 0123456\nAuthor: a\n\n    A message\n\n");
    }
    for file in 0..1 + random.below(30) {
        let path = format!("src/{}-{file}.rs", word(random));
        if !random.once_in(5) {
            text.push_str(&format!("diff --git a/{path} b/{path}\nindex 1..2 100644\n"));
        }
        text.push_str(&format!("--- a/{path}\n+++ b/{path}\n"));
        for hunk in 0..1 + random.below(6) {
            let (mut old, mut new, mut lines) = (0, 0, String::new());
            for _ in 0..2 + random.below(20) {
                let sign = [' ', '+', '-'][random.below(3)];
                old += usize::from(sign != '+');
                new += usize::from(sign != '-');
                // As a removed line of SQL or a signature would look.
                let rest = if random.once_in(20) { "-- x".into() } else { word(random) };
                lines.push_str(&format!("{sign}{rest}\n"));
            }
            text.push_str(&format!("@@ -{hunk}0,{old} +{hunk}0,{new} @@ fn\n{lines}"));
        }
    }
    text
}

fn tree(random: &mut Random) -> String {
    let mut text = String::from(".\n");
    for folder in 0..1 + random.below(40) {
        text.push_str(&format!("├── {}{folder}\n", word(random)));
        for _ in 0..random.below(30) {
            text.push_str(&format!("│   ├── {}\n", word(random)));
            if random.once_in(4) {
                text.push_str(&format!("│   │   └── {}\n", word(random)));
            }
        }
    }
    text
}

fn paths(random: &mut Random) -> String {
    let mut text = String::new();
    for folder in 0..1 + random.below(40) {
        text.push_str(&format!("./d{folder}\n"));
        for file in 0..random.below(30) {
            text.push_str(&format!("./d{folder}/f{file}\n"));
            if random.once_in(4) {
                text.push_str(&format!("./d{folder}/f{file}/below\n"));
            }
        }
    }
    text
}

fn folders(random: &mut Random) -> String {
    (0..2 + random.below(20))
        .map(|folder| {
            let files: String =
                (0..random.below(30)).map(|_| format!("{}\n", word(random))).collect();
            format!("./d{folder}:\n{files}\n")
        })
        .collect()
}

/// Makes a text of some kind.
type Make = fn(&mut Random) -> String;

const KINDS: [(&str, Make); 7] = [
    ("csv", csv),
    ("bars", bars),
    ("json lines", json_lines),
    ("diff", diff),
    ("tree", tree),
    ("paths", paths),
    ("folders", folders),
];

/// Something went wrong with it on the way: a piece doubled, gone, or foreign.
fn mutate(text: &str, one_byte: bool, random: &mut Random) -> String {
    let scalars: Vec<char> = text.chars().collect();
    let at = random.below(scalars.len() + 1);
    let to = (at + random.below(60)).min(scalars.len());
    let mut out: String = scalars[..at].iter().collect();
    match random.below(6) {
        0 => out.extend(&scalars[at..to]),
        // One ends the other: they do not stand in the same text.
        1 if one_byte => out.push_str("\u{9d}0;title\nmore\u{9c}"),
        1 | 2 if !one_byte => out.push_str("\u{1b}]8;;https://example.com/\nmore\u{1b}\\"),
        3 => out.push('"'),
        4 => out.push_str("\n[3 of 9 lines]\n\r\n"),
        _ => {
            out.extend(&scalars[to..]);
            return out;
        }
    }
    out.extend(&scalars[at..]);
    out
}

fn seeds() -> std::ops::Range<u64> {
    0..if std::env::var("RESULT_BUDGET_LONG").is_ok() { 4_000 } else { 120 }
}

/// Each text, cut at some rooms in each way.
fn each(
    kinds: &[&str],
    mutated: bool,
    mut judge: impl FnMut(&str, &str, &str, usize, Keep, &Shown),
) -> usize {
    let mut cuts = 0;
    for seed in seeds() {
        let mut random = Random::new(seed);
        for (name, make) in KINDS.iter().filter(|(name, _)| kinds.contains(name)) {
            let mut text = make(&mut random);
            let one_byte = random.once_in(3);
            for _ in 0..if mutated { 1 + random.below(3) } else { 0 } {
                text = mutate(&text, one_byte, &mut random);
            }
            let body = encode(&text, &mut random);
            for _ in 0..6 {
                let room = random.below(body.len());
                for keep in KEEPS {
                    if let Some(shown) = cut_by_kind(&body, room, keep) {
                        cuts += 1;
                        judge(name, &text, &body, room, keep, &shown);
                    }
                }
            }
        }
    }
    cuts
}

fn marker(shown: &str, unit: &str) -> (usize, usize) {
    let words = format!(" {unit}, ");
    let at = shown.rfind(&words).unwrap_or_else(|| panic!("no marker: {shown}"));
    let open = shown[..at].rfind('[').unwrap();
    let (kept, all) = shown[open + 1..at].split_once(" of ").unwrap();
    (kept.parse().unwrap(), all.parse().unwrap())
}

#[test]
fn every_kind_stays_within_its_room_and_shows_parts_in_order() {
    let all: Vec<&str> = KINDS.iter().map(|kind| kind.0).collect();
    for mutated in [false, true] {
        let cuts = each(&all, mutated, |name, text, body, room, keep, shown| {
            assert!(shown.body.len() <= room, "{name}: {} of {room}", shown.body.len());
            assert!(shown.kept_bytes < body.len(), "{name}");
            let decoded = decode(&shown.body);
            if let Err(fault) = cut_of(text, &decoded) {
                panic!("{name} at {room} {keep:?}: {fault}\n{decoded}\n--- of\n{text}");
            }
        });
        assert!(cuts > 600, "only {cuts} cuts");
    }
}

/// Rows by reading one character after the other.
fn naive_rows(text: &str, quotes: bool) -> Vec<&str> {
    let (mut rows, mut start, mut quoted) = (Vec::new(), 0, false);
    for (at, scalar) in text.char_indices() {
        quoted ^= quotes && scalar == '"';
        if scalar == '\n' && !quoted {
            rows.push(&text[start..=at]);
            start = at + 1;
        }
    }
    if start < text.len() {
        rows.push(&text[start..]);
    }
    rows
}

#[test]
fn rows_stay_whole_with_their_header_and_are_counted() {
    for (kind, quotes, header, unit) in
        [("csv", true, 1, "rows"), ("bars", false, 2, "rows"), ("json lines", false, 0, "lines")]
    {
        let cuts = each(&[kind], false, |name, text, _, room, keep, shown| {
            let decoded = decode(&shown.body);
            let rows = naive_rows(text, quotes);
            let (kept, all) = marker(&decoded, unit);
            // The marker's line falls on a border of rows on both sides.
            let at = decoded.rfind(&format!("[{kept} of {all} {unit}")).unwrap();
            let head = &decoded[..at];
            let tail = decoded[at..].split_once("bytes]").unwrap().1;
            let tail = tail.strip_prefix('\n').unwrap_or(tail);
            let heads = (0..=rows.len()).find(|n| rows[..*n].concat() == head);
            let tails = (0..=rows.len()).find(|n| rows[*n..].concat() == tail);
            let (Some(heads), Some(tails)) = (heads, tails) else {
                panic!("{name} at {room} {keep:?}: cut inside a row:\n{decoded}");
            };
            assert!(heads >= header, "{name}: the header is gone:\n{decoded}");
            let foot = usize::from(
                rows.last().is_some_and(|row| row.starts_with("Total") || row.starts_with('(')),
            );
            // A last line that there is little room for is a row like others.
            let aside = rows.len() - header - all;
            assert!(aside <= foot, "{name}: {all} rows");
            assert_eq!(kept, heads - header + (rows.len() - tails) - aside, "{name}\n{decoded}");
        });
        assert!(cuts > 300, "only {cuts} cuts of {kind}");
    }
}

/// Path, lines added and lines removed of each file.
fn naive_files(text: &str) -> Vec<(String, usize, usize)> {
    let mut files: Vec<(String, usize, usize)> = Vec::new();
    let (mut old, mut new) = (0usize, 0usize);
    for line in text.lines() {
        if old + new > 0 {
            let file = files.last_mut().unwrap();
            match &line[..1] {
                "+" => (file.1, new) = (file.1 + 1, new - 1),
                "-" => (file.2, old) = (file.2 + 1, old - 1),
                _ => (old, new) = (old - 1, new - 1),
            }
        } else if let Some(path) = line.strip_prefix("+++ b/") {
            files.push((path.to_string(), 0, 0));
        } else if let Some(rest) = line.strip_prefix("@@ -") {
            let mut counts = rest.split([',', ' ']);
            old = counts.nth(1).unwrap().parse().unwrap();
            new = counts.nth(1).unwrap().parse().unwrap();
        }
    }
    files
}

#[test]
fn the_index_of_a_diff_names_every_file_with_its_counts() {
    let mut whole = 0;
    let cuts = each(&["diff"], false, |_, text, _, room, _, shown| {
        let decoded = decode(&shown.body);
        let files = naive_files(text);
        let lines: Vec<&str> = decoded.lines().collect();
        assert!(lines[0].contains(&format!(" of {} files whole", files.len())), "{decoded}");
        let mut more = 0;
        for (at, (path, added, removed)) in files.iter().enumerate() {
            let line = lines[at + 1];
            if let Some(rest) = line.strip_prefix("[and ") {
                more = rest.split(' ').next().unwrap().parse().unwrap();
                assert_eq!(at + more, files.len());
                break;
            }
            let (counts, shown_path) = line.split_once("] ").unwrap();
            assert_eq!(shown_path, path, "at {room}");
            let how = counts.strip_prefix(&format!("[+{added} -{removed} ")).unwrap_or_else(|| {
                panic!("`{line}` is not +{added} -{removed}\n{text}");
            });
            assert!(matches!(how, "whole" | "part" | "none"), "{line}");
        }
        whole += usize::from(more == 0);
        // Each hunk that is shown has its header, each file its own.
        for (at, line) in lines.iter().enumerate().filter(|(_, line)| line.starts_with("@@ ")) {
            let header = lines[..at].iter().rposition(|line| line.starts_with("+++ b/"));
            assert!(header.is_some(), "`{line}` has no file above it:\n{decoded}");
        }
    });
    assert!(cuts > 300 && whole * 2 > cuts, "{whole} of {cuts} with a whole index");
}

#[test]
fn the_lines_of_a_listing_are_shown_or_counted() {
    let cuts = each(&["tree", "paths", "folders"], false, |name, text, _, room, _, shown| {
        let decoded = decode(&shown.body);
        let (kept, all) = marker(&decoded, "lines");
        assert_eq!(all, text.lines().count(), "{name}");
        let mut counted = 0;
        let mut originals = text.lines();
        for line in decoded.lines() {
            let (line, mark) = match line.rsplit_once("more below]") {
                Some((line, _)) => line.rsplit_once('[').map(|(a, b)| (a.trim_end(), b)).unwrap(),
                None => (line, ""),
            };
            if !mark.is_empty() {
                counted += mark.trim().parse::<usize>().unwrap();
            }
            if line.starts_with('[') || (line.is_empty() && !mark.is_empty()) {
                continue;
            }
            let _ = originals.find(|original| *original == line).unwrap_or_else(|| {
                panic!("{name} at {room}: `{line}` is no line of the text, or out of order")
            });
        }
        assert_eq!(kept + counted, all, "{name} at {room}:\n{decoded}");
        // What is near the root is worth more than what is below it.
        assert!(kept > 0);
    });
    assert!(cuts > 600, "only {cuts} cuts");
}

#[test]
fn a_listing_uses_most_of_its_room() {
    let mut shares = Vec::new();
    each(&["tree", "paths", "folders"], false, |_, _, body, room, _, shown| {
        if room > 1_000 && room < body.len() * 9 / 10 {
            shares.push(shown.body.len() * 100 / room);
        }
    });
    shares.sort_unstable();
    let (median, low) = (shares[shares.len() / 2], shares[shares.len() / 20]);
    assert!(median >= 80 && low >= 60, "{median} and {low}");
}

#[test]
fn data_uris_are_found_where_a_plain_search_finds_them() {
    const PIECES: [&str; 12] = [
        "data:",
        "image/png",
        ";base64,",
        "iVBORw0KGgo=",
        ";",
        ",",
        "image\\/svg+xml",
        "\\/",
        "Ab+/",
        "data:;base64,",
        " ",
        ")",
    ];
    let (mut found, mut asked) = (0, 0);
    for seed in seeds() {
        let mut random = Random::new(seed);
        let body: String = (0..200)
            .map(|_| PIECES[random.below(PIECES.len())].repeat(1 + random.below(12)))
            .collect();
        let mut from = 0;
        loop {
            asked += 1;
            let naive = (from..body.len()).find_map(|start| {
                let rest = body[start..].strip_prefix("data:")?;
                let typed = rest
                    .bytes()
                    .take_while(|byte| {
                        byte.is_ascii_alphanumeric() || b"/\\+-._;=\"".contains(byte)
                    })
                    .count();
                // The last `;` before the comma opens `;base64,`.
                let mark = rest[..typed].rfind(";base64")?;
                if mark + 7 != typed || mark > 160 || !rest[typed..].starts_with(',') {
                    return None;
                }
                let data_start = start + 5 + typed + 1;
                let mut end = data_start;
                while end < body.len() {
                    let byte = body.as_bytes()[end];
                    if byte.is_ascii_alphanumeric() || b"+/-_=%".contains(&byte) {
                        end += 1;
                    } else if body[end..].starts_with("\\/") {
                        end += 2;
                    } else {
                        break;
                    }
                }
                (end - start > 80).then_some((start, data_start, end))
            });
            let ours = next_data_uri(&body, from).map(|uri| (uri.start, uri.data_start, uri.end));
            assert_eq!(ours, naive, "from {from} of {body}");
            let Some((_, _, end)) = ours else { break };
            found += 1;
            from = end;
        }
    }
    assert!(found > 150, "only {found} of {asked}");
}

#[test]
fn other_texts_are_of_none_of_these_kinds() {
    let texts = [
        "The parser keeps the line that failed, and says so, and goes on.\n".repeat(80),
        "fn main() {\n    let a = [1, 2, 3];\n    call(a, 4);\n}\n\n".repeat(60),
        "name: a\nitems:\n  - b\n  - c: d\n    e: f\n".repeat(60),
        "x".repeat(4_000),
        "https://example.com/a/b\n".repeat(100),
        "- one\n- two\n  - three\n".repeat(100),
    ];
    for text in texts {
        let body = encode(&text, &mut Random::new(1));
        assert_eq!(cut_by_kind(&body, 1_000, Keep::Head), None, "{text:.60}");
    }
}

#[test]
fn what_was_stripped_has_no_introducer_left_and_the_rest_in_order() {
    const PIECES: [&str; 16] = [
        "\\u001b", "\\u001B", "[", "]", "31m", "0;t", "\\u0007", "\\\\", "P", "(", "B", "x", "é",
        "\u{9b}", "\u{9d}", "\u{9c}",
    ];
    const INTRODUCERS: [char; 7] =
        ['\u{1b}', '\u{90}', '\u{98}', '\u{9b}', '\u{9d}', '\u{9e}', '\u{9f}'];
    let mut stripped = 0;
    for seed in 0..20_000 {
        let mut random = Random::new(seed);
        let body: String =
            (0..random.below(24)).map(|_| PIECES[random.below(PIECES.len())]).collect();
        let text = decode(&body);
        let Some((out, count)) = without_ansi(&body) else {
            assert!(!text.contains(INTRODUCERS), "{body}");
            continue;
        };
        stripped += 1;
        let left = decode(&out);
        assert!(!left.contains(INTRODUCERS), "{body} leaves {out}");
        assert!(count > 0 && count <= text.matches(INTRODUCERS).count(), "{body}: {count}");
        assert_eq!(without_ansi(&out), None);
        // What stays is a subsequence of what was there.
        let mut all = text.chars();
        assert!(left.chars().all(|scalar| all.any(|other| other == scalar)), "{body}: {out}");
        // Nothing goes but sequences: text that no introducer stands before stays.
        let plain = text.find(INTRODUCERS).unwrap_or(text.len());
        assert!(left.starts_with(&text[..plain]), "{body}: {out}");
    }
    assert!(stripped > 10_000, "only {stripped}");
}

#[test]
fn stripping_costs_no_more_than_a_look_at_each_byte() {
    // Strings without end, and a doubled escape in each: all would be searched again.
    let bodies = ["\\u001bP\\u001b", "\u{9d}x", "\\u001b]", "\u{90}\\u001b\\u001b"];
    for piece in bodies {
        let body = piece.repeat(300_000);
        let start = std::time::Instant::now();
        assert!(without_ansi(&body).is_some());
        assert!(start.elapsed().as_secs() < 5, "{piece}: {:?}", start.elapsed());
    }
}
