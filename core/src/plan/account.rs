//! The account of what was cut: counts are exact, the list is bounded.

use alloc::string::String;
use alloc::vec::Vec;

/// A bound, the outermost first: the first that fired names the whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum BudgetKind {
    ResultBytes,
    TextBytes,
    TextTokens,
    TextLines,
    BinaryBytes,
    ContentBlocks,
    BlockTextBytes,
    BlockBinaryBytes,
    StructuredBytes,
    Depth,
    ListItems,
    MapKeys,
    StringBytes,
    KeyBytes,
    ItemBytes,
    TopLevelFields,
}

impl BudgetKind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            BudgetKind::ResultBytes => "result-bytes",
            BudgetKind::TextBytes => "text-bytes",
            BudgetKind::TextTokens => "text-tokens",
            BudgetKind::TextLines => "text-lines",
            BudgetKind::BinaryBytes => "binary-bytes",
            BudgetKind::ContentBlocks => "content-blocks",
            BudgetKind::BlockTextBytes => "block-text-bytes",
            BudgetKind::BlockBinaryBytes => "block-binary-bytes",
            BudgetKind::StructuredBytes => "structured-bytes",
            BudgetKind::Depth => "depth",
            BudgetKind::ListItems => "list-items",
            BudgetKind::MapKeys => "map-keys",
            BudgetKind::StringBytes => "string-bytes",
            BudgetKind::KeyBytes => "key-bytes",
            BudgetKind::ItemBytes => "item-bytes",
            BudgetKind::TopLevelFields => "top-level-fields",
        }
    }
}

/// What a cut took away, and the unit in which it is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CutKind {
    /// Bytes of a text.
    Text,
    /// Bytes of a string in structured data.
    String,
    /// Base64, replaced whole.
    Binary,
    /// Trailing items of a list.
    ListItems,
    /// Members of an object.
    MapKeys,
    /// Levels below the deepest one allowed.
    Depth,
    /// Blocks of `content`.
    ContentBlocks,
    /// Members of `_meta`, or of a block beside its payload.
    MetaKeys,
    /// Top-level fields that the protocol does not name.
    TopLevelFields,
    /// `structuredContent` as a whole.
    Structured,
}

impl CutKind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            CutKind::Text => "text",
            CutKind::String => "string",
            CutKind::Binary => "binary",
            CutKind::ListItems => "list-items",
            CutKind::MapKeys => "map-keys",
            CutKind::Depth => "depth",
            CutKind::ContentBlocks => "content-blocks",
            CutKind::MetaKeys => "meta-keys",
            CutKind::TopLevelFields => "top-level-fields",
            CutKind::Structured => "structured-content",
        }
    }

    pub(crate) fn unit(self) -> &'static str {
        match self {
            CutKind::Text | CutKind::String | CutKind::Binary | CutKind::Structured => "bytes",
            CutKind::ListItems => "items",
            CutKind::MapKeys | CutKind::MetaKeys => "keys",
            CutKind::Depth => "values",
            CutKind::ContentBlocks => "blocks",
            CutKind::TopLevelFields => "fields",
        }
    }

    /// Whether what went are whole values, which `omitted_count` counts.
    pub(crate) fn whole_values(self) -> bool {
        match self {
            CutKind::Text | CutKind::String => false,
            CutKind::Binary
            | CutKind::ListItems
            | CutKind::MapKeys
            | CutKind::Depth
            | CutKind::ContentBlocks
            | CutKind::MetaKeys
            | CutKind::TopLevelFields
            | CutKind::Structured => true,
        }
    }
}

/// One cut.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cut {
    /// JSON Pointer into the original result.
    pub(crate) path: String,
    /// JSON Pointer inside the JSON text that stands at `path`.
    pub(crate) within: Option<String>,
    pub(crate) kind: CutKind,
    pub(crate) kept: usize,
    pub(crate) of: usize,
    /// Paths of the values that went, where they are not `path` itself.
    pub(crate) gone: Vec<String>,
    /// Weight of what went, to tell the big cuts from the small.
    pub(crate) weight: usize,
}

/// A change that took nothing away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Repair {
    pub(crate) kind: &'static str,
    pub(crate) path: String,
    pub(crate) count: usize,
}

/// Cuts beyond this many are counted, not listed.
const CUTS_MAX: usize = 24;

/// Paths of values that went, beyond which only containers are named.
const GONE_MAX: usize = 64;

/// All of it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Account {
    pub(crate) cuts: Vec<Cut>,
    /// Cuts, the unlisted ones too.
    pub(crate) cut_count: usize,
    /// Whole values that went.
    pub(crate) omitted_count: usize,
    pub(crate) repairs: Vec<Repair>,
    /// The outermost bound that fired.
    pub(crate) fired: Option<BudgetKind>,
    /// A `nextCursor` of the original that is carried here.
    pub(crate) next_cursor: Option<String>,
}

impl Account {
    pub(crate) fn fire(&mut self, kind: BudgetKind) {
        self.fired = Some(self.fired.map_or(kind, |fired| fired.min(kind)));
    }

    /// Notes the bound that decided how much stays, where text alone was over.
    pub(crate) fn bind(&mut self, kind: BudgetKind) {
        if self.fired != Some(BudgetKind::ResultBytes) {
            self.fired = Some(kind);
        }
    }

    /// Whether the next cut will be listed: its paths are made only then.
    pub(crate) fn lists_more(&self) -> bool {
        self.cuts.len() < CUTS_MAX
    }

    /// How many more paths of values that went are worth making.
    pub(crate) fn gone_left(&self) -> usize {
        let made: usize = self.cuts.iter().map(|cut| cut.gone.len()).sum();
        GONE_MAX.saturating_sub(made).min(32)
    }

    pub(crate) fn cut(&mut self, cut: Cut) {
        self.count(cut.kind, cut.of - cut.kept);
        if self.lists_more() {
            self.cuts.push(cut);
        }
    }

    /// Notes how many blocks stay of all, in place of what was noted before.
    pub(crate) fn content_blocks(&mut self, kept: usize, of: usize) {
        let known = self.cuts.iter_mut().find(|cut| cut.kind == CutKind::ContentBlocks);
        if let Some(cut) = known {
            self.omitted_count += cut.kept.saturating_sub(kept);
            cut.kept = kept;
            return;
        }
        self.cut(Cut {
            path: String::from("/content"),
            within: None,
            kind: CutKind::ContentBlocks,
            kept,
            of,
            gone: Vec::new(),
            weight: 0,
        });
    }

    /// Counts a cut without listing it.
    pub(crate) fn count(&mut self, kind: CutKind, omitted: usize) {
        self.cut_count += 1;
        if kind.whole_values() {
            self.omitted_count += match kind {
                CutKind::Binary | CutKind::Structured => 1,
                CutKind::Text
                | CutKind::String
                | CutKind::ListItems
                | CutKind::MapKeys
                | CutKind::Depth
                | CutKind::ContentBlocks
                | CutKind::MetaKeys
                | CutKind::TopLevelFields => omitted,
            };
        }
    }
}
