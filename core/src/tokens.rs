//! An estimate of the tokens that a model's tokenizer makes of a text.

/// Counts while characters come in.
#[derive(Clone, Debug, Default)]
pub(crate) struct Estimate {
    bytes: usize,
}

/// The estimate for `text`.
#[must_use]
pub fn estimate(text: &str) -> usize {
    let mut estimate = Estimate::default();
    text.chars().for_each(|c| estimate.push(c));
    estimate.total()
}

impl Estimate {
    pub(crate) fn push(&mut self, c: char) {
        self.bytes += c.len_utf8();
    }
    pub(crate) fn total(&self) -> usize {
        self.bytes
    }
}
