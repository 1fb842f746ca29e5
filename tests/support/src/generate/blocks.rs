//! Content blocks of every kind, and text that repeats structured content.

use super::strings::{body, encoded};
use super::values::value;
use crate::random::Random;
use crate::tree::Tree;

/// A whole `content` list.
pub(super) fn content(random: &mut Random, space: &str) -> String {
    let most = if random.once_in(10) { 1_400 } else { 8 };
    let count = random.size(most);
    let blocks: Vec<String> = (0..count).map(|_| block(random, most)).collect();
    format!("[{space}{}]", blocks.join(&format!(",{space}")))
}

fn block(random: &mut Random, many: usize) -> String {
    let text_bytes = if many > 100 { 60 } else { 20_000 };
    let extra = extras(random);
    match random.below(14) {
        0 => format!(
            "{{\"type\":\"image\",\"data\":\"{}\",\"mimeType\":\"image/png\"{extra}}}",
            base64(random)
        ),
        1 => format!(
            "{{\"type\":\"audio\",\"data\":\"{}\",\"mimeType\":\"audio/wav\"{extra}}}",
            base64(random)
        ),
        2 => format!(
            "{{\"type\":\"resource_link\",\"uri\":\"file:///{}\",\"name\":\"{}\"{extra}}}",
            "p".repeat(random.size(300)),
            body(random, 40)
        ),
        3 => format!(
            "{{\"type\":\"resource\",\"resource\":{{\"uri\":\"file:///a\",\"mimeType\":\"text/plain\",\"text\":\"{}\"}}{extra}}}",
            body(random, text_bytes)
        ),
        4 => format!(
            "{{\"type\":\"resource\",\"resource\":{{\"uri\":\"file:///b\",\"blob\":\"{}\"}}{extra}}}",
            base64(random)
        ),
        5 => match random.below(5) {
            0 => format!("{{\"type\":\"x-new\",\"v\":{}}}", value(random, 2)),
            1 => value(random, 1),
            2 => "{\"type\":\"text\"}".into(),
            3 => format!("{{\"type\":\"text\",\"text\":\"a\",\"text\":\"{}\"}}", body(random, 60)),
            _ => format!("{{\"text\":\"{}\",\"type\":\"text\"}}", body(random, 60)),
        },
        6 => {
            let json = value(random, 4);
            let lines = if random.once_in(2) { pretty(&json) } else { json };
            format!("{{\"type\":\"text\",\"text\":\"{}\"{extra}}}", encoded(&lines))
        }
        _ => format!("{{\"type\":\"text\",\"text\":\"{}\"{extra}}}", body(random, text_bytes)),
    }
}

fn extras(random: &mut Random) -> String {
    match random.below(10) {
        0 => ",\"annotations\":{\"audience\":[\"user\"],\"priority\":0.1}".into(),
        1 => format!(",\"_meta\":{{\"com.example/a\":\"{}\"}}", body(random, 300)),
        _ => String::new(),
    }
}

fn base64(random: &mut Random) -> String {
    "QUJD".repeat(random.size(3_000))
}

fn pretty(json: &str) -> String {
    let value: Option<serde_json::Value> = serde_json::from_str(json).ok();
    value.and_then(|value| serde_json::to_string_pretty(&value).ok()).unwrap_or_else(|| json.into())
}

/// Text blocks that repeat `structured`, in one of the forms that occur.
pub(super) fn mirror(random: &mut Random, structured: &str) -> String {
    let text = |text: &str| format!("{{\"type\":\"text\",\"text\":\"{}\"}}", encoded(text));
    let tree = Tree::parse(structured);
    let member = tree
        .as_ref()
        .and_then(|tree| tree.members().iter().max_by_key(|member| member.tree.raw.len()))
        .map(|member| &member.tree);
    let blocks = match (random.below(6), member) {
        (0, Some(member)) => vec![text(member.text().unwrap_or(member.raw))],
        (1, Some(member)) if !member.items().is_empty() => {
            member.items().iter().map(|item| text(item.text().unwrap_or(item.raw))).collect()
        }
        (2, _) => vec![text(&format!("{{\"result\":{structured}}}"))],
        (3, _) => vec![text(&pretty(structured))],
        (4, _) => vec![text("A summary for people."), text(structured)],
        _ => vec![text(structured)],
    };
    format!("[{}]", blocks.join(","))
}
