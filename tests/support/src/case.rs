//! One call in full, in the words that cross to every host: a result, a policy
//! document, what the request asks for, and what is known of the schema.

use std::fmt::Write as _;

use result_budget_core::limit::LIMITS;
use result_budget_core::{
    Mirror, NoticePlace, OutputSchema, PRESETS, Request, Revision, TextKeep, WireProfile,
};

use crate::generate;
use crate::random::Random;

/// One call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// The result.
    pub tool_result_json: String,
    /// The policy document.
    pub policy_json: String,
    /// `limit_bytes` of the request.
    pub limit_bytes: String,
    /// `wire_profile` of the request.
    pub wire_profile: &'static str,
    /// `revision` of the request.
    pub revision: &'static str,
    /// Whether the tool is known to have no output schema.
    pub has_no_schema: bool,
}

impl Case {
    /// The case of `seed`.
    #[must_use]
    pub fn of_seed(seed: u64) -> Self {
        Self::make(&mut Random::new(seed))
    }

    /// The case that a fuzzer's bytes choose.
    #[must_use]
    pub fn of_bytes(bytes: &[u8]) -> Self {
        Self::make(&mut Random::of_bytes(bytes))
    }

    fn make(random: &mut Random) -> Self {
        let bytes = match random.below(4) {
            0 => 256 + random.below(300),
            1 => 512 + random.below(4_000),
            2 => 256 << random.below(8),
            _ => 4_096 + random.below(30_000),
        };
        let usual = random.once_in(2);
        let profile =
            if usual { WireProfile::Utf8Compact } else { *random.pick(&WireProfile::ALL) };
        Case {
            limit_bytes: bytes.to_string(),
            wire_profile: profile.name(),
            revision: random.pick(&Revision::ALL).name(),
            has_no_schema: random.once_in(2),
            policy_json: policy(random),
            // Last, since it takes as many choices as it wants.
            tool_result_json: generate::result_of(random),
        }
    }

    /// What is asked for.
    #[must_use]
    pub fn request(&self) -> Request<'_> {
        Request {
            limit_bytes: Some(&self.limit_bytes),
            wire_profile: Some(self.wire_profile),
            revision: Some(self.revision),
            ..Request::default()
        }
    }

    /// What is known of the schema.
    #[must_use]
    pub fn output_schema(&self) -> OutputSchema<'static> {
        if self.has_no_schema { OutputSchema::None } else { OutputSchema::Unknown }
    }
}

/// A policy document: mostly next to nothing.
fn policy(random: &mut Random) -> String {
    let preset = random.pick(&PRESETS).name;
    let mut json = format!(r#"{{"version":1,"preset":"{preset}""#);
    if random.once_in(3) {
        let _ = write!(
            json,
            r#","mirror":"{}","notice":"{}","text_keep":"{}""#,
            random.pick(&Mirror::ALL).name(),
            random.pick(&NoticePlace::ALL).name(),
            random.pick(&TextKeep::ALL).name()
        );
    }
    if random.once_in(6) {
        json.push_str(r#","keep_fields":["toolResult"]"#);
    }
    if random.once_in(3) {
        json.push_str(r#","limits":{"#);
        let mut first = true;
        for limit in &LIMITS {
            // The ceilings are those of the request.
            if limit.name == "max_result_bytes" || limit.name == "max_text_bytes" {
                continue;
            }
            if random.once_in(6) {
                let most = usize::try_from(limit.max - limit.min).unwrap_or(0).min(400);
                let value = u64::from(limit.min) + random.below(most + 1) as u64;
                let comma = if first { "" } else { "," };
                let _ = write!(json, "{comma}\"{}\":{value}", limit.name);
                first = false;
            }
        }
        json.push('}');
    }
    json.push('}');
    json
}
