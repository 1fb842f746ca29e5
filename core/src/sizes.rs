//! The sizes of a result, against its ceilings and the limits on its shape.

use crate::envelope::{Envelope, size};
use crate::json::walk::Doc;
use crate::plan::account::BudgetKind;
use crate::plan::shape::Shape;
use crate::settings::Settings;
use crate::units::Units;

/// The sizes that the ceilings speak of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sizes {
    pub(crate) result: usize,
    pub(crate) text: usize,
    pub(crate) structured: usize,
    pub(crate) binary: usize,
    pub(crate) blocks: usize,
    pub(crate) depth: usize,
    /// Where a limit of these is on.
    pub(crate) units: Units,
    /// Text of the largest block.
    pub(crate) block_text: usize,
    /// Base64 of the largest block.
    pub(crate) block_binary: usize,
}

impl Sizes {
    /// Measures; `space` counts white space between tokens.
    pub(crate) fn of(doc: &Doc<'_>, envelope: &Envelope<'_>, space: bool) -> Sizes {
        let structured = envelope.structured.map_or(0, |value| size(&value, space));
        let mut sizes = Sizes {
            result: if space { doc.text.len() } else { envelope.root.compact_bytes() },
            text: structured
                + if space { envelope.between.text_with_space } else { envelope.between.text },
            structured,
            binary: envelope.between.binary,
            blocks: envelope.block_count,
            depth: doc.index.depth as usize,
            units: Units::default(),
            block_text: 0,
            block_binary: 0,
        };
        for block in envelope.blocks.iter().chain(&envelope.last_block) {
            sizes.text += block.text_bytes(space);
            sizes.binary += block.binary_bytes();
            sizes.block_text = sizes.block_text.max(block.text_bytes(space));
            sizes.block_binary = sizes.block_binary.max(block.binary_bytes());
        }
        sizes
    }

    /// The same with tokens and lines, where a limit of these is on.
    pub(crate) fn counted(
        mut self,
        doc: &Doc<'_>,
        envelope: &Envelope<'_>,
        settings: &Settings,
    ) -> Sizes {
        self.units = Units::limited(doc, envelope, &settings.limits);
        self
    }

    /// The outermost ceiling that binds: the whole-result limit only where
    /// the text and binary ceilings leave it passed.
    pub(crate) fn fired(&self, settings: &Settings) -> Option<BudgetKind> {
        let limits = &settings.limits;
        let rest = self.result - (self.text + self.binary).min(self.result);
        let bounded = rest
            + self.text.min(limits.max_text_bytes as usize)
            + self.binary.min(limits.max_binary_bytes as usize);
        let inner = Sizes { result: bounded, ..*self };
        inner.over(settings)
    }

    /// The outermost ceiling that is passed.
    pub(crate) fn over(&self, settings: &Settings) -> Option<BudgetKind> {
        let limits = &settings.limits;
        let over = |size: usize, limit: u32| size > limit as usize;
        let over_if =
            |size: usize, limit: Option<u32>| limit.is_some_and(|limit| over(size, limit));
        [
            (over(self.result, limits.max_result_bytes), BudgetKind::ResultBytes),
            (over(self.text, limits.max_text_bytes), BudgetKind::TextBytes),
            (over_if(self.units.tokens, limits.max_text_tokens), BudgetKind::TextTokens),
            (over_if(self.units.lines, limits.max_text_lines), BudgetKind::TextLines),
            (over(self.binary, limits.max_binary_bytes), BudgetKind::BinaryBytes),
            (over(self.blocks, limits.max_content_blocks), BudgetKind::ContentBlocks),
            (over_if(self.block_text, limits.max_block_text_bytes), BudgetKind::BlockTextBytes),
            (
                over_if(self.block_binary, limits.max_block_binary_bytes),
                BudgetKind::BlockBinaryBytes,
            ),
            (over_if(self.structured, limits.max_structured_bytes), BudgetKind::StructuredBytes),
            (over(self.depth, limits.max_depth), BudgetKind::Depth),
        ]
        .into_iter()
        .find_map(|(over, kind)| over.then_some(kind))
    }
}

/// Whether `structuredContent` is within every shape limit.
pub(crate) fn within_shape(doc: &Doc<'_>, envelope: &Envelope<'_>, settings: &Settings) -> bool {
    let shape = Shape::printed(&settings.limits, settings.wire_profile);
    // INVARIANT: what is walked is no deeper than the depth limit, at most 127.
    if doc.index.depth > settings.limits.max_depth {
        return false;
    }
    envelope.structured.is_none_or(|value| shape.holds(doc, &value))
}
