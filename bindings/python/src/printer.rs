//! Prints Python's objects as JSON: compact UTF-8, as the SDKs' own printers
//! write them.
//!
//! Decides nothing. Where an object has no JSON, printing stops there; what
//! was printed so far is no JSON, and the engine says so, at that byte.

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{
    PyBool, PyDict, PyDictMethods, PyFloat, PyInt, PyIterator, PyList, PyString, PyTuple, PyType,
};

/// What came of printing.
pub(crate) enum Printed {
    /// A document, or the beginning of one that could not be finished.
    Text(String),
    /// Longer than `max_bytes`; carries the bytes that were printed.
    TooLong(u64),
}

/// A container that is being printed.
enum Open<'py> {
    List { items: Bound<'py, PyIterator>, close: char, is_first: bool },
    Dict { items: Bound<'py, PyIterator>, is_first: bool },
}

/// Printing stops: the object has no JSON.
struct NoJson;

/// Prints `object`, until the text is longer than `max_bytes`.
pub(crate) fn print(object: &Bound<'_, PyAny>, max_bytes: u32) -> Printed {
    let max_bytes = usize::try_from(max_bytes).unwrap_or(usize::MAX);
    let mut out = String::with_capacity(1_024);
    let mut open: Vec<Open<'_>> = Vec::new();
    let mut next = Some(object.clone());
    loop {
        let stepped = match next.take() {
            Some(value) => value_of(&value, &mut out, &mut open),
            None => Ok(()),
        };
        if stepped.is_err() || open.len() > DEPTH_MAX {
            return Printed::Text(unfinished(out));
        }
        if out.len() > max_bytes {
            return Printed::TooLong(u64::try_from(out.len()).unwrap_or(u64::MAX));
        }
        match following(&mut out, &mut open) {
            Ok(Some(value)) => next = Some(value),
            Ok(None) if open.is_empty() => return Printed::Text(out),
            Ok(None) => {}
            Err(NoJson) => return Printed::Text(unfinished(out)),
        }
    }
}

/// The next item of the innermost container; closes it where there is none.
fn following<'py>(
    out: &mut String,
    open: &mut Vec<Open<'py>>,
) -> Result<Option<Bound<'py, PyAny>>, NoJson> {
    let Some(innermost) = open.last_mut() else { return Ok(None) };
    let (item, close) = match innermost {
        Open::List { items, close, is_first } => {
            let item = items.next().transpose().map_err(|_| NoJson)?;
            if item.is_some() && !std::mem::take(is_first) {
                out.push(',');
            }
            (item, *close)
        }
        Open::Dict { items, is_first } => {
            let entry = items.next().transpose().map_err(|_| NoJson)?;
            let value = match entry {
                Some(entry) => {
                    if !std::mem::take(is_first) {
                        out.push(',');
                    }
                    let entry = entry.cast_into::<PyTuple>().map_err(|_| NoJson)?;
                    let key = entry.get_item(0).map_err(|_| NoJson)?;
                    key_of(&key, out)?;
                    Some(entry.get_item(1).map_err(|_| NoJson)?)
                }
                None => None,
            };
            (value, '}')
        }
    };
    if item.is_none() {
        out.push(close);
        open.pop();
    }
    Ok(item)
}

fn value_of<'py>(
    value: &Bound<'py, PyAny>,
    out: &mut String,
    open: &mut Vec<Open<'py>>,
) -> Result<(), NoJson> {
    if let Ok(text) = value.cast::<PyString>() {
        string(text, out)
    } else if value.is_none() {
        out.push_str("null");
        Ok(())
    } else if let Ok(truth) = value.cast::<PyBool>() {
        out.push_str(if truth.is_true() { "true" } else { "false" });
        Ok(())
    } else if let Ok(number) = value.cast::<PyInt>() {
        integer(number, out)
    } else if let Ok(number) = value.cast::<PyFloat>() {
        float(number.value(), out);
        Ok(())
    } else if let Ok(dict) = value.cast::<PyDict>() {
        out.push('{');
        let items = dict.as_any().call_method0(intern!(value.py(), "items"));
        let items = items.and_then(|items| items.try_iter()).map_err(|_| NoJson)?;
        open.push(Open::Dict { items, is_first: true });
        Ok(())
    } else if value.cast::<PyList>().is_ok() || value.cast::<PyTuple>().is_ok() {
        out.push('[');
        let items = value.try_iter().map_err(|_| NoJson)?;
        open.push(Open::List { items, close: ']', is_first: true });
        Ok(())
    } else {
        let fields = dumped(value).ok_or(NoJson)?;
        value_of(&fields, out, open)
    }
}

/// What a pydantic model says that it is on the wire: built-in types alone.
fn dumped<'py>(value: &Bound<'py, PyAny>) -> Option<Bound<'py, PyAny>> {
    let py = value.py();
    if value.is_instance_of::<PyType>() {
        return None;
    }
    let options = PyDict::new(py);
    options.set_item(intern!(py, "mode"), intern!(py, "json")).ok()?;
    options.set_item(intern!(py, "by_alias"), true).ok()?;
    options.set_item(intern!(py, "exclude_none"), true).ok()?;
    let method = value.getattr(intern!(py, "model_dump")).ok()?;
    let fields = method.call((), Some(&options)).ok()?;
    // A model that dumps itself would be asked for ever.
    let is_plain = fields.is_none()
        || fields.is_instance_of::<PyDict>()
        || fields.is_instance_of::<PyList>()
        || fields.is_instance_of::<PyString>()
        || fields.is_instance_of::<PyInt>()
        || fields.is_instance_of::<PyFloat>();
    is_plain.then_some(fields)
}

fn key_of(key: &Bound<'_, PyAny>, out: &mut String) -> Result<(), NoJson> {
    if let Ok(text) = key.cast::<PyString>() {
        string(text, out)?;
    } else if key.cast::<PyBool>().is_err() {
        let number = key.cast::<PyInt>().map_err(|_| NoJson)?;
        out.push('"');
        integer(number, out)?;
        out.push('"');
    } else {
        return Err(NoJson);
    }
    out.push(':');
    Ok(())
}

fn integer(number: &Bound<'_, PyInt>, out: &mut String) -> Result<(), NoJson> {
    use std::fmt::Write as _;
    if let Ok(small) = number.extract::<i64>() {
        // Writing to a string cannot fail.
        let _ = write!(out, "{small}");
        return Ok(());
    }
    // Python refuses to print thousands of digits.
    let digits = decimal(number).map_err(|_| NoJson)?;
    out.push_str(&digits);
    Ok(())
}

/// The digits of a whole number, as the type itself prints them: a subclass,
/// such as an enumeration, may print something else.
///
/// Fails for thousands of digits, which Python refuses to print.
pub(crate) fn decimal(number: &Bound<'_, PyInt>) -> PyResult<String> {
    let py = number.py();
    py.get_type::<PyInt>().call_method1(intern!(py, "__repr__"), (number,))?.extract()
}

/// What is not finite is `null`, as the SDKs' printers have it.
fn float(number: f64, out: &mut String) {
    if number.is_finite() {
        out.push_str(zmij::Buffer::new().format_finite(number));
    } else {
        out.push_str("null");
    }
}

fn string(text: &Bound<'_, PyString>, out: &mut String) -> Result<(), NoJson> {
    out.push('"');
    match text.to_str() {
        Ok(text) => escaped(text, out),
        Err(_) => {
            let bytes = with_surrogates(text).map_err(|_| NoJson)?;
            for piece in pieces(&bytes) {
                match piece {
                    Piece::Text(text) => escaped(text, out),
                    Piece::Surrogate(unit) => push_unit(unit, out),
                }
            }
        }
    }
    out.push('"');
    Ok(())
}

fn escaped(text: &str, out: &mut String) {
    // Most texts need few escapes; one growth is better than several.
    out.reserve(text.len() + text.len() / 16 + 2);
    let mut rest = text;
    while let Some((plain, byte, behind)) = split_at_escape(rest) {
        out.push_str(plain);
        rest = behind;
        match byte {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            0x08 => out.push_str("\\b"),
            0x0c => out.push_str("\\f"),
            control => push_unit(u16::from(control), out),
        }
    }
    out.push_str(rest);
}

/// What stands before the first character that must be escaped, that
/// character, and what stands behind it.
fn split_at_escape(text: &str) -> Option<(&str, u8, &str)> {
    let bytes = text.as_bytes();
    let (words, tail) = bytes.as_chunks::<8>();
    let at = words
        .iter()
        .enumerate()
        .find_map(|(number, word)| {
            let marks = to_escape(u64::from_le_bytes(*word));
            let byte = usize::try_from(marks.trailing_zeros() / 8).unwrap_or(0);
            (marks != 0).then_some(number * 8 + byte)
        })
        .or_else(|| {
            let found = tail.iter().position(|byte| is_to_escape(*byte));
            found.map(|at| words.len() * 8 + at)
        })?;
    // OK because such a character is ASCII.
    let (plain, behind) = text.split_at(at);
    Some((plain, bytes[at], behind.get(1..).unwrap_or_default()))
}

fn is_to_escape(byte: u8) -> bool {
    byte < 0x20 || byte == b'"' || byte == b'\\'
}

/// Eight bytes at once: the high bit of each that must be escaped. Right up to
/// the first of them; a borrow may mark others behind it.
fn to_escape(word: u64) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let is_zero = |word: u64| word.wrapping_sub(ONES) & !word;
    let control = word.wrapping_sub(ONES * 0x20) & !word;
    let quote = is_zero(word ^ (ONES * 0x22));
    let backslash = is_zero(word ^ (ONES * 0x5c));
    (control | quote | backslash) & HIGH
}

/// JSON text that Python holds with lone surrogates: each is written as its
/// escape, which the engine repairs. Behind a backslash an escape would be
/// read as another text; there the surrogate is what it is to everybody else.
pub(crate) fn text_with_surrogates(text: &Bound<'_, PyString>) -> PyResult<String> {
    let bytes = with_surrogates(text)?;
    let mut out = String::with_capacity(bytes.len() + 16);
    for piece in pieces(&bytes) {
        match piece {
            Piece::Text(text) => out.push_str(text),
            Piece::Surrogate(unit) => {
                let backslashes = out.bytes().rev().take_while(|byte| *byte == b'\\').count();
                if backslashes % 2 == 0 {
                    push_unit(unit, &mut out);
                } else {
                    out.push('\u{fffd}');
                }
            }
        }
    }
    Ok(out)
}

/// The text as UTF-8, in which surrogates stand as if they were characters.
fn with_surrogates(text: &Bound<'_, PyString>) -> PyResult<Vec<u8>> {
    let py = text.py();
    let arguments = (intern!(py, "utf-8"), intern!(py, "surrogatepass"));
    text.call_method1(intern!(py, "encode"), arguments)?.extract()
}

enum Piece<'a> {
    Text(&'a str),
    Surrogate(u16),
}

/// Cuts such bytes at their surrogates, each of three bytes.
fn pieces(bytes: &[u8]) -> impl Iterator<Item = Piece<'_>> {
    let mut rest = bytes;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let text_bytes = match std::str::from_utf8(rest) {
            Ok(_) => rest.len(),
            Err(error) => error.valid_up_to(),
        };
        if text_bytes > 0 {
            let (text, behind) = rest.split_at(text_bytes);
            rest = behind;
            return std::str::from_utf8(text).ok().map(Piece::Text);
        }
        let (unit, behind) = match rest {
            [_, second, third, behind @ ..] => {
                (0xD000 | u16::from(second & 0x3F) << 6 | u16::from(third & 0x3F), behind)
            }
            // Not from Python's encoder.
            _ => (0xFFFD, [].as_slice()),
        };
        rest = behind;
        Some(Piece::Surrogate(unit))
    })
}

fn push_unit(unit: u16, out: &mut String) {
    use std::fmt::Write as _;
    // Writing to a string cannot fail.
    let _ = write!(out, "\\u{unit:04x}");
}

/// A text that is surely no document: what stopped may have stood first.
fn unfinished(mut out: String) -> String {
    // Behind a whole number, say, there would be one.
    out.push('\u{fffd}');
    out
}

/// Containers nested inside one another: as deep as Python's own printer goes.
/// The engine keeps fewer; an object that holds itself ends here.
const DEPTH_MAX: usize = 1_000;
