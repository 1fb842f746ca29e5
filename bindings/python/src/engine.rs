//! The engine: the component, loaded.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyList};
use result_budget::{Image, Isolation};

use crate::error;
use crate::told;

/// The component, loaded once and called from any thread.
#[pyclass(frozen, module = "result_budget")]
pub(crate) struct Engine {
    pub(crate) inner: result_budget::Engine,
}

#[pymethods]
impl Engine {
    #[new]
    #[pyo3(signature = (*, image_path=None, deadline_ms=None, memory_max_bytes=None, input_max_bytes=None, isolation="reuse"))]
    fn new(
        py: Python<'_>,
        image_path: Option<PathBuf>,
        deadline_ms: Option<&Bound<'_, PyAny>>,
        memory_max_bytes: Option<&Bound<'_, PyAny>>,
        input_max_bytes: Option<&Bound<'_, PyAny>>,
        isolation: &str,
    ) -> PyResult<Self> {
        let mut builder = result_budget::Engine::builder();
        if let Some(path) = image_path {
            builder = precompiled(builder, read(py, &path)?);
        }
        if let Some(given) = deadline_ms {
            let millis = whole::<u32>("deadline_ms", given)?;
            builder = builder.deadline(Duration::from_millis(u64::from(millis)));
        }
        if let Some(given) = memory_max_bytes {
            builder = builder.memory_max_bytes(whole("memory_max_bytes", given)?);
        }
        if let Some(given) = input_max_bytes {
            builder = builder.input_max_bytes(whole("input_max_bytes", given)?);
        }
        builder = builder.isolation(match isolation {
            "reuse" => Isolation::Reuse,
            "call" => Isolation::Call,
            other => {
                let message = format!(
                    "`isolation` must be `reuse` or `call`, got `{other}` (the caller is at fault)"
                );
                return Err(error::bad_argument(py, &message));
            }
        });
        let inner = py.detach(|| builder.build()).map_err(|error| error::of_load(py, &error))?;
        Ok(Engine { inner })
    }

    #[getter]
    fn sha256(&self) -> &str {
        self.inner.sha256()
    }

    #[getter]
    fn image(&self) -> &'static str {
        match self.inner.image() {
            Image::Automatic => "automatic",
            Image::Native => "native",
            Image::Interpreted => "interpreted",
            Image::Compiled => "compiled",
        }
    }

    #[getter]
    fn input_max_bytes(&self) -> u32 {
        self.inner.input_max_bytes()
    }

    fn limit_rows<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let rows = py.detach(|| self.inner.limit_rows());
        told::limit_rows(py, &rows.map_err(|fault| error::of_fault(py, fault))?)
    }

    fn preset_rows<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let rows = py.detach(|| self.inner.preset_rows());
        told::preset_rows(py, &rows.map_err(|fault| error::of_fault(py, fault))?)
    }

    fn fault_counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let counts = self.inner.fault_counts();
        let told = PyDict::new(py);
        told.set_item("deadline_calls", counts.deadline_calls)?;
        told.set_item("memory_calls", counts.memory_calls)?;
        told.set_item("trap_calls", counts.trap_calls)?;
        told.set_item("bad_answer_calls", counts.bad_answer_calls)?;
        told.set_item("circuit_open_calls", counts.circuit_open_calls)?;
        Ok(told)
    }

    /// The component as WebAssembly, for other runtimes.
    #[staticmethod]
    fn component_wasm() -> &'static [u8] {
        result_budget::COMPONENT_WASM
    }

    fn __repr__(&self) -> String {
        format!("<Engine {}>", self.inner.sha256())
    }
}

/// Loads an image that the caller names and vouches for.
pub(crate) fn load(py: Python<'_>, image_path: &PathBuf) -> PyResult<result_budget::Engine> {
    let builder = precompiled(result_budget::Engine::builder(), read(py, image_path)?);
    py.detach(|| builder.build()).map_err(|error| error::of_load(py, &error))
}

/// Reads a file that the caller named.
pub(crate) fn read(py: Python<'_>, path: &PathBuf) -> PyResult<Vec<u8>> {
    fs::read(path).map_err(|fault| {
        let message =
            format!("`{}` cannot be read: {fault} (the caller is at fault)", path.display());
        error::bad_argument(py, &message)
    })
}

/// Runs an image that the caller vouches for: the documentation of
/// `image_path` says what that means.
#[allow(unsafe_code, reason = "only the caller can vouch for machine code; see SAFETY")]
fn precompiled(
    builder: result_budget::EngineBuilder,
    image: Vec<u8>,
) -> result_budget::EngineBuilder {
    // SAFETY: whoever names an image vouches for it, as whoever imports an
    // extension module does.
    unsafe { builder.precompiled(image) }
}

/// A whole number that the target holds: no truth value, no fraction.
fn whole<T: TryFrom<i128> + Bounded>(name: &str, given: &Bound<'_, PyAny>) -> PyResult<T> {
    let number = if given.is_instance_of::<PyBool>() { None } else { given.extract::<i128>().ok() };
    number.and_then(|number| T::try_from(number).ok()).ok_or_else(|| {
        let shown = given.repr().map_or_else(|_| String::from("?"), |text| text.to_string());
        let message = format!(
            "`{name}` must be a whole number from 0 to {}, got `{shown}` (the caller is at fault)",
            T::MAX_SHOWN
        );
        error::bad_argument(given.py(), &message)
    })
}

/// A type that can say what it holds.
trait Bounded {
    const MAX_SHOWN: usize;
}

impl Bounded for u32 {
    const MAX_SHOWN: usize = 4_294_967_295;
}

impl Bounded for usize {
    const MAX_SHOWN: usize = usize::MAX;
}
