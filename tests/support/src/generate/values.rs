//! Values for `structuredContent` and for JSON in text.

use super::strings::body;
use crate::random::Random;

const NUMBERS: [&str; 12] = [
    "0",
    "-0",
    "1",
    "42",
    "9007199254740993",
    "-7108510333361982070",
    "1.10",
    "1E400",
    "1e-7",
    "0.1",
    "123456789012345678901234567890",
    "1.000000000000000000005",
];

/// Structured content: mostly a map, at times any value.
pub(super) fn structured(random: &mut Random) -> String {
    match random.below(12) {
        0 => value(random, 4),
        1 => list(random, 3, 400),
        2 => wide(random),
        3 => deep(random),
        4 => format!("{{\"result\":{}}}", value(random, 4)),
        5 => format!("{{\"content\":\"{}\"}}", body(random, 8_000)),
        6 => format!(
            "{{\"total\":{},\"items\":{},\"nextCursor\":\"{}\"}}",
            random.below(999),
            rows(random),
            "c".repeat(random.size(400))
        ),
        _ => map(random, 5, 12),
    }
}

/// Any value, nested at most `depth` deep.
pub(super) fn value(random: &mut Random, depth: usize) -> String {
    match random.below(if depth == 0 { 6 } else { 9 }) {
        0 => "null".into(),
        1 => "true".into(),
        2 | 3 => (*random.pick(&NUMBERS)).to_string(),
        4 => format!("\"{}\"", body(random, 2_000)),
        5 => format!("\"{}\"", body(random, 40)),
        6 => list(random, depth - 1, 30),
        _ => map(random, depth - 1, 8),
    }
}

fn list(random: &mut Random, depth: usize, most: usize) -> String {
    let items: Vec<String> = (0..random.size(most)).map(|_| value(random, depth)).collect();
    format!("[{}]", items.join(","))
}

fn map(random: &mut Random, depth: usize, most: usize) -> String {
    let members: Vec<String> = (0..random.size(most))
        .map(|at| format!("{}:{}", key(random, at), value(random, depth)))
        .collect();
    format!("{{{}}}", members.join(","))
}

fn key(random: &mut Random, at: usize) -> String {
    match random.below(24) {
        0 => format!("\"{}\"", "k".repeat(random.size(3_000))),
        1 => format!("\"{}\"", body(random, 20)),
        2 => "\"a\"".into(),
        3 => "\"result_budget\"".into(),
        4 => "\"__proto__\"".into(),
        5 => "\"a/b~c\"".into(),
        _ => format!("\"field{at}\""),
    }
}

fn rows(random: &mut Random) -> String {
    let names: Vec<String> = (0..random.below(6) + 1).map(|at| key(random, at)).collect();
    let count = random.size(600);
    let mut items = Vec::with_capacity(count);
    for at in 0..count {
        let mut members = vec![format!("\"id\":{}", 1_000 + at)];
        for name in &names {
            members.push(format!("{name}:\"{}\"", body(random, 60)));
        }
        items.push(format!("{{{}}}", members.join(",")));
    }
    format!("[{}]", items.join(","))
}

fn wide(random: &mut Random) -> String {
    let count = random.size(3_000);
    let members: Vec<String> =
        (0..count).map(|at| format!("\"key-{at}\":{}", random.below(100))).collect();
    format!("{{{}}}", members.join(","))
}

fn deep(random: &mut Random) -> String {
    let depth = random.size(300);
    let list = random.once_in(2);
    let (open, close) = if list { ("[", "]") } else { ("{\"in\":", "}") };
    format!("{}{}{}", open.repeat(depth), value(random, 1), close.repeat(depth))
}
