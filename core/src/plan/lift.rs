//! Base64 in the middle of a string: lifted out whole, before prose is cut.

use alloc::string::String;
use alloc::vec::Vec;

use crate::plan::account::CutKind;
use crate::plan::price::Weigh;
use crate::plan::shrink::Shrink;
use crate::plan::strings::{base64_marker, string_marker};
use crate::text::{Keep, cut, next_data_uri};

/// Base64 of fewer bytes stays.
const LEAST_BYTES: usize = 256;

/// Where the `data:` URIs in base64 stand in an encoded body.
fn data_uris(body: &str) -> Vec<(usize, usize)> {
    let (mut found, mut from) = (Vec::new(), 0);
    while let Some(uri) = next_data_uri(body, from) {
        from = uri.end;
        if uri.data_bytes() >= LEAST_BYTES {
            found.push((uri.start, uri.end));
        }
    }
    found
}

/// Whether a string holds base64 that can be lifted out.
pub(super) fn holds_data_uri(body: &str) -> bool {
    body.len() > LEAST_BYTES && !data_uris(body).is_empty()
}

impl Shrink<'_> {
    /// Writes a string of which base64 was lifted out, and cuts the words that
    /// are left where they do not fit; the weight without the quotes. `None`
    /// where there is no base64.
    pub(super) fn lifted(&mut self, body: &str, room: usize, weigh: Weigh) -> Option<usize> {
        let uris = data_uris(body);
        let bytes: usize = uris.iter().map(|(start, end)| end - start).sum();
        let last = uris.last()?.1;
        let (mut text, mut from) = (String::new(), 0);
        let mut markers: Vec<(usize, usize)> = Vec::new();
        for (start, end) in uris {
            text.push_str(body.get(from..start).unwrap_or_default());
            let at = text.len();
            text.push_str(&base64_marker(end - start));
            markers.push((at, text.len()));
            from = end;
        }
        text.push_str(body.get(last..).unwrap_or_default());
        let whole = weigh.literal(&text);
        if whole <= room {
            self.record(CutKind::Binary, 0, bytes, bytes, Vec::new());
            self.write_body(&text);
            return Some(whole);
        }
        let most = string_marker(body.len(), body.len()).len();
        let left = room.saturating_sub(weigh.copies * most);
        let mut end = (left / weigh.copies.max(1)).min(text.len());
        for _ in 0..16 {
            end = cut(&text, end, Keep::Head).head_end;
            let split = markers.iter().find(|(start, stop)| *start < end && end < *stop);
            end = split.map_or(end, |(start, _)| *start);
            let weight = weigh.literal(text.get(..end).unwrap_or_default());
            if weight <= left {
                break;
            }
            // What is escaped again weighs more than it is long.
            end = (end * left / weight.max(1)).min(end.saturating_sub(1));
        }
        let inside = markers.iter().take_while(|(_, stop)| *stop <= end);
        let kept = end - inside.map(|(start, stop)| stop - start).sum::<usize>();
        text.truncate(end);
        text.push_str(&string_marker(kept, body.len()));
        self.record(CutKind::String, kept, body.len(), body.len() - kept, Vec::new());
        self.write_body(&text);
        Some(weigh.literal(&text))
    }

    fn write_body(&mut self, text: &str) {
        self.script.text("\"");
        self.script.text(text);
        self.script.text("\"");
    }
}

#[cfg(test)]
mod tests {
    use super::{data_uris, holds_data_uri};
    use alloc::format;
    use alloc::vec;

    #[test]
    fn uris_are_found_between_words_and_short_ones_are_left() {
        let data = "iVBORw0KGgoAAAAN".repeat(20);
        let body = format!("see data:image/png;base64,{data} and data:text/plain;base64,aGk= end");
        let end = 4 + 22 + data.len();
        assert_eq!(data_uris(&body), vec![(4, end)]);
        assert!(!holds_data_uri(&format!("{data};base64,{data}")));
    }
}
