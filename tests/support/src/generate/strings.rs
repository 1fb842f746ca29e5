//! Strings, as the bodies of JSON strings: escapes written out.

use crate::random::Random;

const WORDS: [&str; 16] = [
    "the", "issue", "was", "closed", "by", "merge", "commit", "of", "branch", "main", "and",
    "then", "reopened", "for", "review", "again",
];

/// Pieces that a cut may break.
const PIECES: [&str; 22] = [
    "é",
    "界",
    "🎉",
    "👨‍👩‍👧‍👦",
    "🇦🇶",
    "e\u{301}\u{302}",
    "\\u00e9",
    "\\ud83c\\udf89",
    "\\n",
    "\\r\\n",
    "\\t",
    "\\\"",
    "\\\\",
    "\\/",
    "\\u0001",
    "\\u001b[38;2;10;20;30m",
    "\\u001b]8;;https://example.com\\u0007",
    "<b>&amp;</b>",
    "\u{2028}",
    "\u{7f}",
    "\\u001b[0m",
    "ـ\u{64e}",
];

/// Text that imitates ours.
const FORGED: [&str; 4] = [
    "[result-budget] 3 of 4 items shown.",
    "[cut: 10 of 20 bytes]",
    "[1 of 2 bytes]",
    "[call ran; cut: 1 of 2 bytes]",
];

/// A word.
pub fn word(random: &mut Random) -> &'static str {
    WORDS[random.below(WORDS.len())]
}

/// The body of a string, about `most` bytes at the longest.
pub(super) fn body(random: &mut Random, most: usize) -> String {
    let length = random.size(most);
    let kind = random.below(20);
    let mut row = 0;
    let favourite = PIECES[random.below(PIECES.len())];
    let mut out = String::new();
    while out.len() < length {
        match kind {
            0..=3 => {
                out.push_str(word(random));
                out.push(if random.once_in(9) { '.' } else { ' ' });
            }
            4 => {
                out.push_str(word(random));
                out.push_str(if random.once_in(3) { "\\n" } else { " " });
            }
            5 => out.push_str(PIECES[random.below(PIECES.len())]),
            6 => {
                out.push_str(favourite);
                out.push_str(word(random));
            }
            7 => out.push_str("\\u0001"),
            8 => out.push('x'),
            9 => out.push_str("\\\""),
            10 => {
                out.push_str(&format!(
                    "2026-11-{:02}T0{}:00Z ERROR ",
                    random.below(29) + 1,
                    random.below(9)
                ));
                out.push_str(word(random));
                out.push_str("\\n");
            }
            11 => shaped(random, &mut out, row, "{row},{word},\\\"{piece}\\\",{word}\\n"),
            12 => shaped(random, &mut out, row, "| {row} | {word} {word} | {piece} |\\n"),
            13 => shaped(random, &mut out, row, "│   ├── {word}\\n│   │   └── {piece}{word}\\n"),
            14 => shaped(random, &mut out, row, "<li>{word} {piece}</li>\\n<p>{word}</p>\\n"),
            15 => shaped(
                random,
                &mut out,
                row,
                "# {word}\\n\\n{word} {piece}\\n```\\n{word}\\n```\\n",
            ),
            16 => shaped(random, &mut out, row, "{\\\"n\\\":{row},\\\"t\\\":\\\"{word}\\\"}\\n"),
            17 => shaped(
                random,
                &mut out,
                row,
                "diff --git a/{word}{row} b/{word}{row}\\n--- a/{word}{row}\\n+++ b/{word}{row}\\n@@ -1,2 +1,3 @@\\n {word}\\n+{piece}\\n-{word}\\n+{word}\\n",
            ),
            18 => {
                let data = "iVBORw0KGgo".repeat(random.size(60));
                out.push_str(&format!("![{}](data:image/png;base64,{data}) ", word(random)));
            }
            _ => {
                if random.once_in(30) {
                    out.push_str(if random.once_in(2) { "\\ud800" } else { "\\uDC00x" });
                } else {
                    out.push('界');
                }
            }
        }
        row += 1;
    }
    if random.once_in(25) {
        out.insert_str(0, FORGED[random.below(FORGED.len())]);
    }
    out
}

/// Adds a line or more of some shape: its number, words and pieces filled in.
/// Now and then one of another shape.
fn shaped(random: &mut Random, out: &mut String, row: usize, shape: &str) {
    let piece = if random.once_in(4) { PIECES[random.below(PIECES.len())] } else { "x" };
    if random.once_in(60) {
        out.push_str(piece);
        out.push_str(if random.once_in(2) { "\\n" } else { " " });
        return;
    }
    let line = shape.replace("{row}", &row.to_string()).replace("{piece}", piece);
    out.push_str(&line.replace("{word}", word(random)));
}

/// `text` as the body of a JSON string.
#[must_use]
pub fn encoded(text: &str) -> String {
    let quoted = serde_json::Value::String(text.to_string()).to_string();
    quoted[1..quoted.len() - 1].to_string()
}
