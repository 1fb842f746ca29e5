//! Schemas that nobody would send who means well. Each family grows in its own
//! way, and its result along with it.

/// A schema, and a result to cut under it.
#[derive(Clone, Debug)]
pub struct Hostile {
    /// The schema, as text: it need not be one.
    pub schema: String,
    /// The result, as text.
    pub result: String,
}

/// A way to grow.
#[derive(Clone, Copy)]
pub struct Family {
    /// Its name in a table.
    pub name: &'static str,
    /// A member of about `n` of whatever grows.
    pub make: fn(usize) -> Hostile,
    /// The `n` at which work is measured; it is doubled there.
    pub measured: usize,
}

impl std::fmt::Debug for Family {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// All of them.
pub const FAMILIES: [Family; 27] = [
    family("properties nested", 100, |n| with_tree(nested(r#"{"properties":{"a":"#, n, "}}"), n)),
    family("items nested", 100, |n| with_tree(nested(r#"{"items":"#, n, "}"), n)),
    family("allOf nested", 100, |n| with_rows(nested(r#"{"allOf":["#, n, "]}"), 200)),
    family("anyOf nested", 100, |n| with_rows(nested(r#"{"anyOf":["#, n, "]}"), 200)),
    family("not nested", 100, |n| with_rows(nested(r#"{"not":"#, n, "}"), 200)),
    family("a reference to itself", 200, |n| with_rows(String::from(r##"{"$ref":"#"}"##), n)),
    family("itself by allOf and anyOf", 200, |n| {
        with_rows(
            String::from(r##"{"allOf":[{"$ref":"#"}],"anyOf":[{"$ref":"#"},{"$ref":"#"}]}"##),
            n,
        )
    }),
    family("references in a ring", 500, |n| {
        let ring =
            |at: usize| format!(r##""d{at}":{{"$ref":"#/$defs/d{}"}}"##, (at + 1) % n.max(1));
        with_rows(format!(r##"{{"$ref":"#/$defs/d0","$defs":{{{}}}}}"##, row(n, ring)), 200)
    }),
    family("references in a chain", 500, |n| {
        let link = |at: usize| format!(r##""d{at}":{{"$ref":"#/$defs/d{}"}}"##, at + 1);
        let last = format!(r#""d{n}":{{"type":"object"}}"#);
        with_rows(format!(r##"{{"$ref":"#/$defs/d0","$defs":{{{},{last}}}}}"##, row(n, link)), 200)
    }),
    family("allOf that doubles", 400, |n| with_rows(doubling("allOf", n), 200)),
    family("anyOf that doubles", 400, |n| with_rows(doubling("anyOf", n), 200)),
    family("oneOf that doubles", 400, |n| with_rows(doubling("oneOf", n), 200)),
    family("branches that say it again below", 24, |n| {
        let branch = |at: usize| {
            format!(r##"{{"properties":{{"a":{{"$ref":"#"}},"k":{{"const":{at}}}}}}}"##)
        };
        with_tree(format!(r#"{{"anyOf":[{},true]}}"#, row(2, branch)), n)
    }),
    family("a pattern that backtracks", 1_000, |n| {
        let schema = r#"{"properties":{"rows":{"items":{"type":"string","pattern":"^(a+)+$"}}},"patternProperties":{"(x+x+)+y":{"maxLength":3}}}"#;
        let text = format!("\"{}!\"", "a".repeat(n));
        Hostile { schema: String::from(schema), result: rows_of(20, |_| text.clone()) }
    }),
    family("subschemas", 2_000, |n| {
        let member = |at: usize| format!(r#""p{at}":{{"type":"string","maxLength":{at}}}"#);
        with_rows(format!(r#"{{"properties":{{{}}}}}"#, row(n, member)), 200)
    }),
    family("an enum", 5_000, |n| {
        let value = |at: usize| format!("\"value number {at}\"");
        let schema =
            format!(r#"{{"properties":{{"rows":{{"items":{{"enum":[{}]}}}}}}}}"#, row(n, value));
        Hostile { schema, result: rows_of(n, value) }
    }),
    family("constants, one each branch", 500, |n| {
        let branch = |at: usize| {
            format!(r#"{{"properties":{{"kind":{{"const":"kind {at}"}}}},"required":["kind"]}}"#)
        };
        let schema =
            format!(r#"{{"properties":{{"rows":{{"items":{{"oneOf":[{}]}}}}}}}}"#, row(n, branch));
        let item = |at: usize| format!(r#"{{"kind":"kind {at}","text":"some text"}}"#);
        Hostile { schema, result: rows_of(n, item) }
    }),
    family("branches of anyOf, the last holds", 500, |n| {
        let branch = |at: usize| format!(r#"{{"required":["member {at}"]}}"#);
        let schema = format!(
            r#"{{"properties":{{"rows":{{"items":{{"anyOf":[{},{{}}]}}}}}}}}"#,
            row(n, branch)
        );
        Hostile { schema, result: rows_of(n, |at| format!(r#"{{"id":{at},"text":"some text"}}"#)) }
    }),
    family("required names, and as many members", 2_000, |n| {
        let name = |at: usize| format!("\"member {at}\"");
        let schema = format!(r#"{{"required":[{}]}}"#, row(n, name));
        Hostile { schema, result: members_of(2 * n) }
    }),
    family("what depends on each member", 1_000, |n| {
        let name = |at: usize| format!(r#""member {at}":["member {}"]"#, at + 1);
        let schema = format!(r#"{{"dependentRequired":{{{}}}}}"#, row(n, name));
        Hostile { schema, result: members_of(2 * n) }
    }),
    family("patterns for names", 1_000, |n| {
        let pattern = |at: usize| format!(r#""^member {at}$":{{"type":"string"}}"#);
        let schema = format!(r#"{{"patternProperties":{{{}}}}}"#, row(n, pattern));
        Hostile { schema, result: members_of(n) }
    }),
    family("contains, far from the start", 5_000, |n| {
        let schema = String::from(
            r#"{"properties":{"rows":{"contains":{"properties":{"id":{"const":-1}},"required":["id"]}}}}"#,
        );
        let item = |at: usize| {
            format!(r#"{{"id":{},"text":"some text"}}"#, if at + 1 == n { -1 } else { 7 })
        };
        Hostile { schema, result: rows_of(n, item) }
    }),
    family("allOf in each item", 400, |n| {
        let part = |at: usize| format!(r#"{{"properties":{{"m{at}":{{"type":"integer"}}}}}}"#);
        let schema =
            format!(r#"{{"properties":{{"rows":{{"items":{{"allOf":[{}]}}}}}}}}"#, row(n, part));
        Hostile {
            schema,
            result: rows_of(n, |at| format!(r#"{{"m{at}":{at},"text":"some text"}}"#)),
        }
    }),
    family("conditions in a row", 400, |n| {
        let part = |at: usize| {
            format!(
                r#"{{"if":{{"properties":{{"m{at}":{{"const":1}}}},"required":["m{at}"]}},"then":{{"required":["x{at}"]}}}}"#
            )
        };
        let schema =
            format!(r#"{{"properties":{{"rows":{{"items":{{"allOf":[{}]}}}}}}}}"#, row(n, part));
        Hostile { schema, result: rows_of(n, |at| format!(r#"{{"m{at}":0,"text":"some text"}}"#)) }
    }),
    family("references with long pointers", 200, |n| {
        let deep = nested(r#"{"properties":{"a":"#, 100, "}}");
        let pointer = "/properties/a".repeat(99);
        let member = |at: usize| format!(r##""p{at}":{{"$ref":"#/$defs/x{pointer}"}}"##);
        with_rows(format!(r#"{{"$defs":{{"x":{deep}}},"properties":{{{}}}}}"#, row(n, member)), 200)
    }),
    family("references into a wide map", 500, |n| {
        let define = |at: usize| format!(r#""d{at}":{{"type":"object"}}"#);
        let member = |at: usize| format!(r##""p{at}":{{"$ref":"#/$defs/d{at}"}}"##);
        let schema =
            format!(r#"{{"$defs":{{{}}},"properties":{{{}}}}}"#, row(n, define), row(n, member));
        with_rows(schema, 200)
    }),
    family("a union in every node of a tree", 4_096, |n| {
        let schema = String::from(
            r##"{"$ref":"#/$defs/n","$defs":{"n":{"anyOf":[{"$ref":"#/$defs/b"},{"$ref":"#/$defs/c"},{"type":"string"}]},"b":{"type":"object","properties":{"l":{"$ref":"#/$defs/n"},"r":{"$ref":"#/$defs/n"},"k":{"const":"b"}},"required":["l","r","k"]},"c":{"type":"object","properties":{"l":{"$ref":"#/$defs/n"},"r":{"$ref":"#/$defs/n"},"k":{"const":"c"}},"required":["l","r","k"]}}}"##,
        );
        let mut tree = String::from("\"a leaf with some text in it\"");
        for _ in 0..n.clamp(2, 16_384).ilog2() {
            tree = format!(r#"{{"l":{tree},"r":{tree},"k":"c"}}"#);
        }
        Hostile { schema, result: format!(r#"{{"content":[],"structuredContent":{tree}}}"#) }
    }),
];

/// Texts that are no schema, and small ones that say odd things.
pub const ODD: [&str; 34] = [
    "",
    " ",
    "{",
    "nope",
    "[1,2",
    "{\"type\":\"object\"} x",
    "true",
    "false",
    "null",
    "3",
    "\"text\"",
    "[]",
    "[{}]",
    "{}",
    r#"{"type":3}"#,
    r#"{"type":"nothing"}"#,
    r#"{"type":["object",7]}"#,
    r#"{"required":"rows"}"#,
    r#"{"required":[1,null,{}]}"#,
    r#"{"properties":[1]}"#,
    r#"{"properties":{"rows":3}}"#,
    r#"{"properties":{"rows":{"items":"x","minItems":"many"}}}"#,
    r#"{"properties":{"rows":{"minItems":-1}}}"#,
    r#"{"properties":{"rows":{"minItems":1e400}}}"#,
    r#"{"properties":{"rows":{"minItems":99999999999999999999999}}}"#,
    r#"{"$ref":"https://example.org/schema.json"}"#,
    r#"{"$ref":"other.json#/a"}"#,
    r##"{"$ref":"#/nowhere"}"##,
    r##"{"$ref":"#anchor"}"##,
    r##"{"$ref":7,"allOf":"x","anyOf":{},"oneOf":[],"not":[]}"##,
    r##"{"$ref":"#/properties/~2","properties":{"~2":{}}}"##,
    "{\"properties\":{\"rows\":{\"items\":{\"\\u0024ref\":\"#\"}}}}",
    "{\"type\":\"object\",\"type\":\"array\",\"properties\":{},\"properties\":{\"rows\":{\"minItems\":500}}}",
    "{\"$schema\":\"http://json-schema.org/draft-04/schema#\",\"properties\":{\"rows\":{\"required\":true}}}",
];

const fn family(name: &'static str, measured: usize, make: fn(usize) -> Hostile) -> Family {
    Family { name, make, measured }
}

/// `n` rows under any schema.
#[must_use]
pub fn with_rows(schema: String, n: usize) -> Hostile {
    let item =
        |at: usize| format!(r#"{{"id":{at},"name":"row {at}","text":"some text, or more"}}"#);
    Hostile { schema, result: rows_of(n, item) }
}

/// A tree of as many levels as are legal, beside rows.
fn with_tree(schema: String, n: usize) -> Hostile {
    let levels = n.min(60);
    let tree = format!("{}\"a leaf\"{}", r#"{"k":7,"a":"#.repeat(levels), "}".repeat(levels));
    let rows = row(200, |at| format!("\"row {at}\""));
    let result = format!(r#"{{"content":[],"structuredContent":{{"a":{tree},"rows":[{rows}]}}}}"#);
    Hostile { schema, result }
}

fn rows_of(n: usize, item: impl Fn(usize) -> String) -> String {
    format!(r#"{{"content":[],"structuredContent":{{"rows":[{}]}}}}"#, row(n, item))
}

fn members_of(n: usize) -> String {
    let member = |at: usize| format!("\"member {at}\":\"text\"");
    format!(r#"{{"content":[],"structuredContent":{{{}}}}}"#, row(n, member))
}

fn row(n: usize, item: impl Fn(usize) -> String) -> String {
    let mut out = String::new();
    for at in 0..n {
        if at > 0 {
            out.push(',');
        }
        out.push_str(&item(at));
    }
    out
}

fn nested(open: &str, n: usize, close: &str) -> String {
    format!("{}{{}}{}", open.repeat(n), close.repeat(n))
}

/// Each definition names the next one twice: two to the power of `n` ways.
fn doubling(keyword: &str, n: usize) -> String {
    let link = |at: usize| {
        let next = format!(r##"{{"$ref":"#/$defs/d{}"}}"##, at + 1);
        format!(r#""d{at}":{{"{keyword}":[{next},{next}]}}"#)
    };
    let last = format!(r#""d{n}":{{"type":"object"}}"#);
    format!(r##"{{"$ref":"#/$defs/d0","$defs":{{{},{last}}}}}"##, row(n, link))
}
