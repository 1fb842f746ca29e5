//! The blocks of a result, as clients tell them apart.

use result_budget_support::Tree;
use result_budget_support::tree::Value;

/// A content block.
#[derive(Clone, Copy, Debug)]
pub enum Block<'a, 'd> {
    /// Its text.
    Text(&'a str),
    /// Its MIME type.
    Image(&'a str),
    /// Its MIME type.
    Audio(&'a str),
    /// An embedded text.
    ResourceText(&'a str),
    /// The MIME type of an embedded blob.
    ResourceBlob(&'a str),
    /// Title or name, and URI.
    Link(&'a str, &'a str),
    /// A kind that this page does not know.
    Other(&'a Tree<'d>),
}

/// The blocks of `content`, each with the tree that it is read from.
#[must_use]
pub fn blocks<'a, 'd>(result: &'a Tree<'d>) -> Vec<(Block<'a, 'd>, &'a Tree<'d>)> {
    let content = result.member("content").map_or(&[][..], Tree::items);
    content.iter().map(|tree| (block(tree), tree)).collect()
}

fn block<'a, 'd>(tree: &'a Tree<'d>) -> Block<'a, 'd> {
    let text = |tree: &'a Tree<'d>, key: &str| tree.member(key).and_then(Tree::text);
    let mime = |tree| text(tree, "mimeType").unwrap_or("application/octet-stream");
    let found = match text(tree, "type") {
        Some("text") => text(tree, "text").map(Block::Text),
        Some("image") => Some(Block::Image(mime(tree))),
        Some("audio") => Some(Block::Audio(mime(tree))),
        Some("resource") => tree.member("resource").and_then(|resource| {
            let own = text(resource, "text").map(Block::ResourceText);
            let blob = resource.member("blob").map(|_| Block::ResourceBlob(mime(resource)));
            own.or(blob)
        }),
        Some("resource_link") => text(tree, "uri")
            .map(|uri| Block::Link(text(tree, "title").or(text(tree, "name")).unwrap_or(uri), uri)),
        _ => None,
    };
    found.unwrap_or(Block::Other(tree))
}

/// Whether a block is for the model: all are, but those for the user alone.
#[must_use]
pub fn is_for_model(block: &Tree<'_>) -> bool {
    let audience = block.member("annotations").and_then(|found| found.member("audience"));
    audience.is_none_or(|all| all.items().iter().any(|one| one.text() == Some("assistant")))
}

/// `structuredContent`, where it is there and not null.
#[must_use]
pub fn structured<'a, 'd>(result: &'a Tree<'d>) -> Option<&'a Tree<'d>> {
    result.member("structuredContent").filter(|tree| !matches!(tree.value, Value::Null))
}

/// A value as a client prints it: without white space, no escapes but those
/// that must be.
#[must_use]
pub fn printed(tree: &Tree<'_>) -> String {
    let mut out = String::new();
    print(tree, &mut out);
    out
}

fn print(tree: &Tree<'_>, out: &mut String) {
    let quoted = |text: &str| serde_json::Value::String(text.to_string()).to_string();
    match &tree.value {
        Value::String(text) => out.push_str(&quoted(text)),
        Value::Array(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                out.push_str(if at > 0 { "," } else { "" });
                print(item, out);
            }
            out.push(']');
        }
        Value::Object(members) => {
            out.push('{');
            for (at, member) in members.iter().enumerate() {
                out.push_str(if at > 0 { "," } else { "" });
                out.push_str(&quoted(&member.key));
                out.push(':');
                print(&member.tree, out);
            }
            out.push('}');
        }
        Value::Null | Value::Bool(_) | Value::Number | Value::Deep => out.push_str(tree.raw),
    }
}
