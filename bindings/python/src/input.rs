//! A result as Python has it, and the answer in the same type.

use std::borrow::Cow;

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyByteArray, PyBytes, PyDict, PyList, PyMemoryView, PyString, PyTuple, PyType};

use crate::error;
use crate::printer::{self, Printed};

/// A result that was read, with what it came as.
pub(crate) struct Given<'a, 'py> {
    object: &'a Bound<'py, PyAny>,
    form: Form,
    pub(crate) read: Read<'a>,
}

/// What the engine reads.
pub(crate) enum Read<'a> {
    Text(Cow<'a, str>),
    Bytes(Cow<'a, [u8]>),
    /// Longer than is read; carries the bytes that were counted.
    TooLong(u64),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Bytes,
    ByteArray,
    MemoryView,
    Text,
    Plain,
    Model,
}

impl<'a, 'py> Given<'a, 'py> {
    /// Reads `object`.
    pub(crate) fn new(object: &'a Bound<'py, PyAny>, max_bytes: u32) -> PyResult<Self> {
        let (form, read) = if let Ok(bytes) = object.cast::<PyBytes>() {
            (Form::Bytes, Read::Bytes(Cow::Borrowed(bytes.as_bytes())))
        } else if let Ok(text) = object.cast::<PyString>() {
            let text = match text.to_str() {
                Ok(text) => Cow::Borrowed(text),
                Err(_) => Cow::Owned(printer::text_with_surrogates(text)?),
            };
            (Form::Text, Read::Text(text))
        } else if object.is_instance_of::<PyDict>()
            || object.is_instance_of::<PyList>()
            || object.is_instance_of::<PyTuple>()
        {
            (Form::Plain, printed(object, max_bytes))
        } else if object.is_instance_of::<PyByteArray>() {
            // Copied: another thread may write while the engine reads.
            (Form::ByteArray, Read::Bytes(Cow::Owned(object.extract()?)))
        } else if object.is_instance_of::<PyMemoryView>() {
            let bytes = object.call_method0(intern!(object.py(), "tobytes"))?;
            (Form::MemoryView, Read::Bytes(Cow::Owned(bytes.extract()?)))
        } else if !object.is_instance_of::<PyType>()
            && object.hasattr(intern!(object.py(), "model_dump"))?
        {
            (Form::Model, printed(object, max_bytes))
        } else {
            return Err(error::bad_type("result", object, ALLOWED));
        };
        Ok(Given { object, form, read })
    }

    /// The input itself.
    pub(crate) fn as_given(&self) -> Bound<'py, PyAny> {
        self.object.clone()
    }

    /// `json` in the type of the input. A model whose class does not take the
    /// result that stands in for it is answered by a dictionary.
    pub(crate) fn answered(&self, json: &str) -> PyResult<Bound<'py, PyAny>> {
        let py = self.object.py();
        match self.form {
            Form::Bytes => Ok(PyBytes::new(py, json.as_bytes()).into_any()),
            Form::ByteArray => Ok(PyByteArray::new(py, json.as_bytes()).into_any()),
            Form::MemoryView => {
                let bytes = PyBytes::new(py, json.as_bytes());
                Ok(PyMemoryView::from(bytes.as_any())?.into_any())
            }
            Form::Text => Ok(PyString::new(py, json).into_any()),
            Form::Plain => parsed(py, json),
            Form::Model => {
                let fields = parsed(py, json)?;
                let class = self.object.get_type();
                let model = class.call_method1(intern!(py, "model_validate"), (&fields,));
                Ok(model.unwrap_or(fields))
            }
        }
    }
}

/// JSON text as Python's own objects.
pub(crate) fn parsed<'py>(py: Python<'py>, json: &str) -> PyResult<Bound<'py, PyAny>> {
    static LOADS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    LOADS.import(py, "json", "loads")?.call1((json,))
}

fn printed<'a>(object: &Bound<'_, PyAny>, max_bytes: u32) -> Read<'a> {
    match printer::print(object, max_bytes) {
        Printed::Text(text) => Read::Text(Cow::Owned(text)),
        Printed::TooLong(given_bytes) => Read::TooLong(given_bytes),
    }
}

const ALLOWED: &str = "bytes, bytearray, memoryview, str, a dict or list, or a pydantic model";
