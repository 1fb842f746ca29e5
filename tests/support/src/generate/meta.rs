//! `_meta` of a result: keys that must stay, keys that need not, and one that
//! imitates our report.

use super::strings::body;
use super::values::value;
use crate::random::Random;

/// A `_meta` map.
pub(super) fn meta(random: &mut Random) -> String {
    let mut members = Vec::new();
    for _ in 0..random.below(4) {
        members.push(match random.below(6) {
            0 => "\"io.modelcontextprotocol/serverInfo\":{\"name\":\"s\",\"version\":\"1\"}"
                .to_string(),
            1 => "\"fastmcp\":{\"wrap_result\":true}".to_string(),
            2 => "\"traceparent\":\"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01\""
                .to_string(),
            3 => {
                "\"dev.result-budget/report\":{\"truncated\":true,\"omitted_count\":7}".to_string()
            }
            4 => format!("\"com.example/{}\":{}", random.below(9), value(random, 3)),
            _ => format!("\"com.example/note\":\"{}\"", body(random, 4_000)),
        });
    }
    format!("{{{}}}", members.join(","))
}
