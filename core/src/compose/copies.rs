//! Base64 of a block that `structuredContent` holds a second time: in a result
//! that must be cut, a reference to the block stands there instead.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::compose::Job;
use crate::compose::write::mime;
use crate::json::Kind;
use crate::plan::strings::data_of;
use crate::sizes::Sizes;

/// Blocks of the same length that one string is compared with, at most.
const SAME_LENGTH_MAX: usize = 8;

/// The copies of a result.
#[derive(Default)]
pub(super) struct Copies {
    /// Where each starts in the document, and what stands in for it.
    pub(super) texts: Vec<(usize, String)>,
    /// Bytes of them all.
    pub(super) bytes: usize,
}

/// Finds the copies.
pub(super) fn copies(job: &Job<'_>) -> Copies {
    let (doc, envelope) = (job.doc, job.envelope);
    let mut found = Copies::default();
    let Some(row) = envelope.structured.and_then(|value| value.node) else { return found };
    let mut by_length: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (at, block) in envelope.blocks.iter().enumerate().filter(|(_, block)| block.is_binary()) {
        let same = by_length.entry(block.payload_bytes()).or_default();
        if same.len() < SAME_LENGTH_MAX {
            same.push(at);
        }
    }
    let sizes = Sizes::of(doc, envelope, job.spaced);
    if by_length.is_empty() || (sizes.text <= job.text_limit && sizes.result <= job.limit) {
        return found;
    }
    let nodes = &doc.index.nodes;
    let first = nodes.get(row).map_or(row, |node| node.first as usize);
    let strings = nodes.get(first..row).unwrap_or_default().iter();
    for node in strings.filter(|node| node.kind == Kind::String && !doc.is_key(node)) {
        let (start, end) = (node.start as usize, node.end as usize);
        let body = doc.text.get(start + 1..end - 1).unwrap_or_default();
        let Some(data) = data_of(body) else { continue };
        let same = by_length.get(&data.len()).into_iter().flatten();
        let payload = |at: usize| {
            let payload = envelope.blocks[at].payload;
            payload.map_or("", |payload| doc.body(&payload))
        };
        if let Some(at) = same.copied().find(|at| payload(*at) == data) {
            let block = &envelope.blocks[at];
            let reference = format!(
                "\"[see /content/{at}/{}: {}, {} bytes of base64]\"",
                block.steps,
                mime(doc, block),
                data.len()
            );
            found.texts.push((start, reference));
            found.bytes += end - start;
        }
    }
    // The table lists a value behind what it holds, so strings in their order.
    found
}
