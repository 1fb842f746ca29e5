//! Schemas that set a trap: what a reader of schemas is likely to get wrong,
//! one trap each. They are told as text, since an escape or a repetition is a
//! part of some.

use result_budget_core::{Ansi, Settings};

use crate::case::{Told, validator_of_text};

/// A schema and a result under it.
#[derive(Clone, Debug)]
pub struct Trap {
    /// What it is about.
    pub name: &'static str,
    /// The schema, as text.
    pub schema: String,
    /// The result, as text.
    pub result: String,
    /// What stands in the settings beside the limit.
    pub settings: Settings,
}

impl Trap {
    /// The schema with its oracle.
    ///
    /// # Errors
    /// Where it is no schema.
    pub fn told(&self) -> Result<Told, String> {
        validator_of_text(&self.schema)
    }
}

/// All of them.
#[must_use]
pub fn traps() -> Vec<Trap> {
    let long = "some words that go on for a while, ".repeat(12);
    // Longer than the opaque words that are never cut.
    let xs = "x".repeat(1_500);
    let base64 = "aGVsbG8gd29ybGQsIHRoaXMgaXMgYmFzZTY0ISEh".repeat(40);
    let rows = |n: usize| {
        let row = |at: usize| format!(r#"{{"id":{at},"text":"row {at}"}}"#);
        (0..n).map(row).collect::<Vec<_>>().join(",")
    };
    let rows_60 = rows(60);
    let listed = || format!(r#"{{"rows":[{rows_60}]}}"#);
    let json_text = format!(r#"[{}]"#, rows(30)).replace('"', "\\\"");
    let trap = |name, schema: &str, structured: String| Trap {
        name,
        schema: schema.to_string(),
        result: format!(r#"{{"content":[],"structuredContent":{structured}}}"#),
        settings: Settings::default(),
    };
    let mut found = vec![
        trap(
            "our member brings another one with it",
            r#"{"type":"object","properties":{"rows":{"type":"array"}},"required":["rows"],"dependentRequired":{"result_budget":["x"]}}"#,
            listed(),
        ),
        trap(
            "a schema holds where our member is",
            r#"{"type":"object","required":["rows"],"dependentSchemas":{"result_budget":{"required":["x"]}}}"#,
            listed(),
        ),
        trap(
            "the same in the older draft",
            r#"{"$schema":"http://json-schema.org/draft-07/schema#","required":["rows"],"dependencies":{"result_budget":{"maxProperties":1}}}"#,
            listed(),
        ),
        trap(
            "our member makes a second branch hold",
            r#"{"oneOf":[{"required":["rows"]},{"required":["result_budget"]}]}"#,
            listed(),
        ),
        trap(
            "the pattern of a name is that of our member",
            r#"{"patternProperties":{"_budget$":{"type":"integer"}}}"#,
            listed(),
        ),
        trap(
            "our member is there, and is a number",
            r#"{"properties":{"result_budget":{"type":"integer"}}}"#,
            listed(),
        ),
        trap(
            "the last of two members of one name is the valid one",
            r#"{"properties":{"a":{"type":"string"}}}"#,
            format!(r#"{{"a":1,"pad":"{long}","a":"{long}"}}"#),
        ),
        trap(
            "the last of two required members of one name is valid",
            r#"{"properties":{"a":{"type":"array","minItems":2}},"required":["a"]}"#,
            format!(r#"{{"a":[1],"pad":"{long}","a":[1,2,"{long}"]}}"#),
        ),
        trap(
            "a base of its own, spelled with an escape",
            "{\"$ref\":\"#/$defs/x\",\"$defs\":{\"x\":{\"\\u0024id\":\"https://example.org/x\",\"properties\":{\"a\":{\"$ref\":\"#/$defs/y\"}},\"$defs\":{\"y\":{\"pattern\":\"^x+$\"}}},\"y\":{}}}",
            format!(r#"{{"a":"{xs}"}}"#),
        ),
        trap(
            "a property that is named twice",
            r#"{"properties":{"a":{},"a":{"type":"string","maxLength":300,"pattern":"^[a-z, ]*$"}},"required":["a"]}"#,
            format!(r#"{{"a":"{:.300}"}}"#, long),
        ),
        trap(
            "a keyword that is named twice",
            r#"{"properties":{"a":{"minItems":50,"minItems":3}},"properties":{"a":{"minItems":40}}}"#,
            format!(r#"{{"a":[{rows_60}]}}"#),
        ),
        trap(
            "what stands beside a reference is not read in the older draft",
            r##"{"$schema":"http://json-schema.org/draft-07/schema#","oneOf":[{"$ref":"#/definitions/a","required":["absent"]},{"properties":{"s":{"pattern":"^never$"}}}],"definitions":{"a":{"properties":{"t":{"pattern":"^[a-z, ]*$"}}}}}"##,
            format!(r#"{{"s":"abc","t":"{long}"}}"#),
        ),
        trap(
            "the same under anyOf",
            r##"{"$schema":"http://json-schema.org/draft-07/schema#","anyOf":[{"$ref":"#/definitions/a","type":"array"},{"properties":{"s":{"pattern":"^never$"}}}],"definitions":{"a":{"properties":{"t":{"pattern":"^[a-z, ]*$"}}}}}"##,
            format!(r#"{{"s":"abc","t":"{long}"}}"#),
        ),
        trap(
            "the same in a condition",
            r##"{"$schema":"http://json-schema.org/draft-07/schema#","if":{"properties":{"s":{"$ref":"#/definitions/a","const":"other"}},"required":["s"]},"then":{"properties":{"t":{"pattern":"^[a-z, ]*$"}}},"definitions":{"a":{}}}"##,
            format!(r#"{{"s":"abc","t":"{long}"}}"#),
        ),
        trap(
            "a long text must stay long",
            r#"{"properties":{"a":{"type":"string","minLength":300}},"required":["a"]}"#,
            format!(r#"{{"a":"{long}{long}"}}"#),
        ),
        trap(
            "base64 must stay long",
            r#"{"properties":{"a":{"type":"string","minLength":300}},"required":["a"]}"#,
            format!(r#"{{"a":"{base64}"}}"#),
        ),
        trap(
            "a text of many escapes is counted in characters",
            r#"{"properties":{"a":{"type":"string","minLength":100,"maxLength":201}},"required":["a"]}"#,
            format!(r#"{{"a":"{} "}}"#, "\\ud83c\\udf89".repeat(200)),
        ),
        trap(
            "a text that is JSON may not become longer",
            r#"{"properties":{"a":{"type":"string","minLength":500}},"required":["a"]}"#,
            format!(r#"{{"a":"{json_text}"}}"#),
        ),
        trap(
            "a text that is JSON has a pattern",
            r#"{"properties":{"a":{"type":"string","pattern":"row 29"}},"required":["a"]}"#,
            format!(r#"{{"a":"{json_text}"}}"#),
        ),
        trap(
            "contains wants the last item",
            r#"{"properties":{"rows":{"contains":{"properties":{"id":{"const":59}},"required":["id"]}}}}"#,
            listed(),
        ),
        trap(
            "contains wants what anyOf tells apart",
            r#"{"properties":{"rows":{"contains":{"anyOf":[{"properties":{"id":{"const":5}}},{"required":["absent"]}]},"minContains":1}},"required":["rows"]}"#,
            listed(),
        ),
        trap("not, inside a list", r#"{"properties":{"rows":{"not":{"maxItems":20}}}}"#, listed()),
        trap(
            "a condition on the length of a list",
            r#"{"if":{"properties":{"rows":{"minItems":10}}},"then":{"required":["total"]},"else":{"required":["absent"]}}"#,
            format!(r#"{{"rows":[{rows_60}],"total":60}}"#),
        ),
        trap(
            "a condition without a branch that is seen by what is evaluated",
            r#"{"if":{"properties":{"a":{"minLength":100}}},"unevaluatedProperties":{"type":"integer"}}"#,
            format!(r#"{{"a":"{long}"}}"#),
        ),
        trap(
            "oneOf tells by the length of a list",
            r#"{"oneOf":[{"properties":{"rows":{"minItems":10}}},{"properties":{"rows":{"maxItems":9}}}]}"#,
            listed(),
        ),
        trap(
            "oneOf tells by a member that may go",
            r#"{"oneOf":[{"required":["a"],"properties":{"b":false}},{"properties":{"a":false}}]}"#,
            format!(r#"{{"rows":[{rows_60}],"a":"{long}"}}"#),
        ),
        trap(
            "oneOf tells by a text",
            r#"{"oneOf":[{"properties":{"a":{"minLength":50}},"required":["a"]},{"properties":{"a":{"maxLength":49}}}]}"#,
            format!(r#"{{"a":"{long}","rows":[{rows_60}]}}"#),
        ),
        trap(
            "anyOf of which none is surely valid",
            r#"{"anyOf":[{"properties":{"a":{"pattern":"^some"},"b":{"maximum":1}}},{"properties":{"a":{"pattern":"while, $"}}}]}"#,
            format!(r#"{{"a":"{long}","b":7,"rows":[{rows_60}]}}"#),
        ),
        trap(
            "anyOf by numbers that are equal in another spelling",
            r#"{"anyOf":[{"properties":{"k":{"const":1.0},"rows":{"minItems":40}}},{"properties":{"k":{"const":2}}}],"required":["k","rows"]}"#,
            format!(r#"{{"k":1e0,"rows":[{rows_60}]}}"#),
        ),
        trap(
            "anyOf by large numbers that are equal as doubles",
            r#"{"anyOf":[{"properties":{"k":{"const":9007199254740993},"rows":{"minItems":40}}},{"properties":{"k":{"const":2}}}],"required":["k","rows"]}"#,
            format!(r#"{{"k":9007199254740993,"rows":[{rows_60}]}}"#),
        ),
        trap(
            "a key that is written with an escape",
            "{\"properties\":{\"r\\u006fws\":{\"minItems\":40}},\"required\":[\"r\\u006fws\"]}",
            format!("{{\"ro\\u0077s\":[{rows_60}]}}"),
        ),
        trap(
            "a reference through a list, and with escapes",
            r##"{"allOf":[{"properties":{"a/b~c":{"minItems":40}}}],"properties":{"rows":{"$ref":"#/allOf/0/properties/a~1b~0c"}}}"##,
            listed(),
        ),
        trap(
            "a reference with percent signs",
            r##"{"$defs":{"a b%":{"minItems":40}},"properties":{"rows":{"$ref":"#/$defs/a%20b%25"}}}"##,
            listed(),
        ),
        trap(
            "a reference to where no schema is, but could be",
            r##"{"properties":{"rows":{"$ref":"#/x-schemas/r"}},"x-schemas":{"r":{"minItems":40}}}"##,
            listed(),
        ),
        trap(
            "minProperties over members that are required elsewhere",
            r#"{"minProperties":4,"allOf":[{"required":["d"]}],"properties":{"a":{"type":"string"}}}"#,
            format!(r#"{{"a":"{long}","b":"{long}","c":"{long}","d":"{long}","e":"{long}"}}"#),
        ),
        trap(
            "minItems over a tuple whose end is required",
            r#"{"properties":{"t":{"prefixItems":[{"type":"string"},{"type":"object","required":["x"]}],"items":{"type":"integer"},"minItems":3}},"required":["t"]}"#,
            format!(r#"{{"t":["{long}",{{"x":"{long}","y":"{long}"}},1,2,3,4,5,6,7,8,9]}}"#),
        ),
        trap(
            "names of members are ruled, and their values",
            r#"{"propertyNames":{"maxLength":8},"additionalProperties":{"type":"array","minItems":2}}"#,
            format!(r#"{{"a":[{rows_60}],"b":[{rows_60}]}}"#),
        ),
        trap(
            "every item differs, and would not after a cut",
            r#"{"properties":{"rows":{"uniqueItems":true}},"required":["rows"]}"#,
            format!(r#"{{"rows":["{long}1","{long}2","{long}3"]}}"#),
        ),
        trap(
            "at most one item may be a short text",
            r#"{"properties":{"rows":{"contains":{"maxLength":80},"maxContains":1}},"required":["rows"]}"#,
            format!(r#"{{"rows":["{long}1","short","{long}3"]}}"#),
        ),
        trap(
            "none of the items may be a short text",
            r#"{"properties":{"rows":{"contains":{"type":"string","maxLength":80},"minContains":0,"maxContains":0}},"required":["rows"]}"#,
            format!(r#"{{"rows":["{long}1","{long}2","{long}3"]}}"#),
        ),
        trap(
            "a union of a text and a list",
            r#"{"properties":{"a":{"oneOf":[{"type":"string","minLength":300},{"type":"array","items":{"type":"string"}}]}},"required":["a"]}"#,
            format!(r#"{{"a":"{long}"}}"#),
        ),
        trap(
            "the whole is null, or an object",
            r#"{"type":["object","null"],"required":["rows"],"properties":{"rows":{"type":["array","null"],"minItems":5}}}"#,
            listed(),
        ),
    ];
    let mut stripped = trap(
        "escape sequences are a part of a pattern",
        "{\"properties\":{\"a\":{\"type\":\"string\",\"pattern\":\"^\\u001b\\\\[1m\",\"minLength\":400}},\"required\":[\"a\"]}",
        format!("{{\"a\":\"\\u001b[1m{long}\\u001b[0m\",\"rows\":[{rows_60}]}}"),
    );
    stripped.settings.ansi = Ansi::Strip;
    found.push(stripped);
    let mut constant = trap(
        "escape sequences are a part of a constant",
        "{\"properties\":{\"a\":{\"const\":\"\\u001b[1mbold\\u001b[0m\"}},\"required\":[\"a\"]}",
        format!("{{\"a\":\"\\u001b[1mbold\\u001b[0m\",\"rows\":[{rows_60}]}}"),
    );
    constant.settings.ansi = Ansi::Strip;
    found.push(constant);
    let mut deep = trap(
        "deeper than is allowed, and closed",
        r#"{"properties":{"a":{"type":"object","properties":{"b":{"type":"object","properties":{"c":{"type":"object","required":["d"]}},"required":["c"]}},"required":["b"]}},"required":["a"]}"#,
        format!(r#"{{"a":{{"b":{{"c":{{"d":{{"e":{{"f":[{rows_60}]}}}}}}}}}}}}"#),
    );
    deep.settings.limits.max_depth = 4;
    found.push(deep);
    found.push(Trap {
        name: "base64 that a block says again has a least length",
        schema: String::from(
            r#"{"properties":{"data":{"type":"string","minLength":1000}},"required":["data"]}"#,
        ),
        result: format!(
            r#"{{"content":[{{"type":"image","mimeType":"image/png","data":"{base64}"}}],"structuredContent":{{"data":"{base64}","rows":[{rows_60}]}}}}"#
        ),
        settings: Settings::default(),
    });
    found.push(Trap {
        name: "base64 that a block says again has an encoding",
        schema: String::from(
            r#"{"properties":{"data":{"type":"string","contentEncoding":"base64"}},"required":["data"]}"#,
        ),
        result: format!(
            r#"{{"content":[{{"type":"image","mimeType":"image/png","data":"{base64}"}}],"structuredContent":{{"data":"{base64}","rows":[{rows_60}]}}}}"#
        ),
        settings: Settings::default(),
    });
    found
}
