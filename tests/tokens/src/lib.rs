//! The tokenizers that the estimate is held against.

use std::fmt;

use tiktoken_rs::CoreBPE;

/// o200k and cl100k.
pub struct Real {
    o200k: &'static CoreBPE,
    cl100k: &'static CoreBPE,
}

impl Default for Real {
    fn default() -> Self {
        Real {
            o200k: tiktoken_rs::o200k_base_singleton(),
            cl100k: tiktoken_rs::cl100k_base_singleton(),
        }
    }
}

impl Real {
    /// Tokens of `text` by the one that makes more of them.
    #[must_use]
    pub fn tokens(&self, text: &str) -> usize {
        let count = |tokenizer: &CoreBPE| tokenizer.encode_ordinary(text).len();
        count(self.o200k).max(count(self.cl100k))
    }
}

impl fmt::Debug for Real {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Real").finish_non_exhaustive()
    }
}
