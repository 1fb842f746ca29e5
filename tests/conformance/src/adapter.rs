//! One way to call the engine.

use anyhow::Result;
use serde_json::Value;

use crate::vector::Vector;

/// Makes the call of a vector, and tells the answer in the shape that
/// `tests/adapters/README.md` describes.
pub trait Adapter {
    /// How the scoreboard calls it.
    fn name(&self) -> &str;

    /// The SHA-256 of the component that answers; `native` where none does.
    fn engine(&self) -> String;

    /// Makes the call.
    ///
    /// # Errors
    /// Where no answer came: a trap, a process that died. What the engine
    /// refuses is an answer.
    fn answer(&mut self, vector: &Vector) -> Result<Value>;
}
