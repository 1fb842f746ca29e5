//! Lists of tools: measured, and prepared.

use super::{Boundary, Call, over_cap};
use crate::engine::Engine;
use crate::error::{Failure, Refused};
use crate::guest::{FitError, ToolsMeasurement};

impl Boundary {
    /// Measures the result of `tools/list` and changes nothing.
    ///
    /// # Errors
    /// [`Failure`], where the list cannot be read, or the engine broke.
    pub fn measure_tools(
        &self,
        tools_list_json: &str,
        call: &Call<'_>,
    ) -> Result<ToolsMeasurement, Failure> {
        let settled = self.settle(call)?;
        let settings = &settled.settings;
        let engine = &self.inner.engine;
        check_cap(engine, tools_list_json)?;
        let measured = engine.run(|instance| instance.measure_tools(tools_list_json, settings))?;
        Ok(measured.map_err(Refused::from)?)
    }

    /// Prepares the result of `tools/list`: closed output schemas get the
    /// optional member in which our notice may stand, and what the policy says
    /// beside. `None` where it stays as it is.
    ///
    /// ```
    /// use result_budget::{Boundary, Call};
    ///
    /// let boundary = Boundary::builder().build()?;
    /// let list = r#"{"tools":[{"name":"a","inputSchema":{"type":"object"}}]}"#;
    /// assert_eq!(boundary.prepare_tools(list, &Call::default()), Ok(None));
    /// # Ok::<(), result_budget::BuildError>(())
    /// ```
    ///
    /// # Errors
    /// [`Failure`], where the list cannot be read, or the engine broke.
    pub fn prepare_tools(
        &self,
        tools_list_json: &str,
        call: &Call<'_>,
    ) -> Result<Option<String>, Failure> {
        let settled = self.settle(call)?;
        let settings = &settled.settings;
        let engine = &self.inner.engine;
        check_cap(engine, tools_list_json)?;
        let prepared = engine.run(|instance| instance.prepare_tools(tools_list_json, settings))?;
        Ok(prepared.map_err(Refused::from)?)
    }
}

fn check_cap(engine: &Engine, text: &str) -> Result<(), Failure> {
    let given_bytes = u64::try_from(text.len()).unwrap_or(u64::MAX);
    match over_cap(engine, given_bytes) {
        Some(size) => Err(Refused::from(FitError::InputTooLarge(size)).into()),
        None => Ok(()),
    }
}
