//! Results as a host has them.

use super::Input;
use crate::answer::Answer;

impl<'a> Input<'a> {
    pub(super) fn len_bytes(self) -> u64 {
        let bytes = match self {
            Input::Text(text) => text.len(),
            Input::Bytes(bytes) => bytes.len(),
        };
        u64::try_from(bytes).unwrap_or(u64::MAX)
    }

    /// The text, or the offset of the first byte that is no UTF-8.
    pub(super) fn text(self) -> Result<&'a str, u32> {
        match self {
            Input::Text(text) => Ok(text),
            Input::Bytes(bytes) => std::str::from_utf8(bytes)
                .map_err(|error| u32::try_from(error.valid_up_to()).unwrap_or(u32::MAX)),
        }
    }

    pub(super) fn unchanged(self) -> Option<Answer<'a>> {
        self.text().ok().map(|tool_result_json| Answer::Unchanged { tool_result_json })
    }
}

impl<'a> From<&'a str> for Input<'a> {
    fn from(text: &'a str) -> Self {
        Input::Text(text)
    }
}

impl<'a> From<&'a String> for Input<'a> {
    fn from(text: &'a String) -> Self {
        Input::Text(text)
    }
}

impl<'a> From<&'a [u8]> for Input<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        Input::Bytes(bytes)
    }
}

impl<'a> From<&'a Vec<u8>> for Input<'a> {
    fn from(bytes: &'a Vec<u8>) -> Self {
        Input::Bytes(bytes)
    }
}

impl<'a, const N: usize> From<&'a [u8; N]> for Input<'a> {
    fn from(bytes: &'a [u8; N]) -> Self {
        Input::Bytes(bytes)
    }
}
