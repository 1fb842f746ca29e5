//! The most memory that `fit` holds natively.

use anyhow::{Result, anyhow, bail};
use result_budget_core::{Limits, Outcome, OutputSchema, Settings, fit};

use crate::documents::Shape;
use crate::peak::Peak;

/// What fitting one result held.
#[derive(Clone, Copy, Debug)]
pub struct Held {
    /// The kind.
    pub shape: Shape,
    /// Whether it was cut to 32,000 bytes, or stayed as it was.
    pub cut: bool,
    /// The input, in bytes.
    pub input_bytes: usize,
    /// The most that was held at once, the input included.
    pub peak_bytes: usize,
}

impl Held {
    /// Fits one result under `peak`, the allocator of this process.
    ///
    /// # Errors
    /// Where the engine does not do what was asked.
    pub fn measure(peak: &Peak, shape: Shape, cut: bool, size_bytes: usize) -> Result<Self> {
        let text = shape.document(size_bytes, 5).text;
        let ceiling = if cut { 32_000 } else { result_budget_core::INPUT_MAX_BYTES };
        let limits =
            Limits { max_text_bytes: ceiling, max_result_bytes: ceiling, ..Limits::default() };
        let settings = Settings { limits, ..Settings::default() };
        let mut outcome = None;
        let peak_bytes = peak.during(|| outcome = Some(fit(&text, OutputSchema::None, &settings)));
        match outcome {
            Some(Ok(Outcome::Unchanged)) if !cut => {}
            Some(Ok(Outcome::Bounded(_))) if cut => {}
            Some(Err(error)) => return Err(anyhow!("{}: {error:?}", shape.name())),
            _ => bail!("{} of {size_bytes} bytes did not come out as asked", shape.name()),
        }
        Ok(Held { shape, cut, input_bytes: text.len(), peak_bytes: peak_bytes + text.len() })
    }

    /// What was held of what should be held at most.
    #[must_use]
    pub fn share(&self) -> f64 {
        self.peak_bytes as f64 / self.goal_bytes() as f64
    }

    /// The figures, as a line of a table.
    #[must_use]
    pub fn line(&self) -> String {
        let Held { shape, cut, input_bytes, peak_bytes } = *self;
        format!(
            "{:<13} {:<10} input {input_bytes:>9}  beyond it {:>9}  of {:>9} wished",
            shape.name(),
            if cut { "cut" } else { "unchanged" },
            peak_bytes - input_bytes,
            self.goal_bytes() - input_bytes,
        )
    }

    /// What should be held at most: the input, a third of it, and eight
    /// megabytes.
    #[must_use]
    pub fn goal_bytes(&self) -> usize {
        self.input_bytes + self.input_bytes / 3 + 8_000_000
    }
}
