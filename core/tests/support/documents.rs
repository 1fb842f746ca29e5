//! Random JSON documents and mutations of them, from a seed.

/// A small generator of numbers (xorshift64*): equal seeds, equal tests.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        ((self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize) % limit
    }

    pub fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }
}

/// A valid document of about `size` tokens.
pub fn document(random: &mut Random, size: usize) -> String {
    let mut text = String::new();
    let style = random.below(4);
    let mut left = size;
    space(random, style, &mut text);
    value(random, style, &mut left, 0, &mut text);
    space(random, style, &mut text);
    text
}

fn space(random: &mut Random, style: usize, text: &mut String) {
    match style {
        0 | 1 => {}
        2 => {
            if random.below(3) == 0 {
                text.push_str(random.pick(&[" ", "\t", "\n", "\r", "  ", "\r\n"]));
            }
        }
        _ => {
            let count = random.below(40);
            if random.below(3) == 0 {
                text.push('\n');
                text.extend(std::iter::repeat_n(' ', count));
            }
        }
    }
}

fn value(random: &mut Random, style: usize, left: &mut usize, depth: usize, text: &mut String) {
    *left = left.saturating_sub(1);
    match if *left == 0 || depth > 40 { random.below(6) } else { random.below(11) } {
        0 => text.push_str(random.pick(&["true", "false", "null"])),
        1 | 2 => number(random, text),
        3..=5 => string(random, text),
        6..=8 => {
            text.push('{');
            space(random, style, text);
            let members = random.below(6);
            for i in 0..members {
                if i > 0 {
                    text.push(',');
                    space(random, style, text);
                }
                string(random, text);
                space(random, style, text);
                text.push(':');
                space(random, style, text);
                value(random, style, left, depth + 1, text);
                space(random, style, text);
            }
            text.push('}');
        }
        _ => {
            text.push('[');
            space(random, style, text);
            let items = random.below(8);
            for i in 0..items {
                if i > 0 {
                    text.push(',');
                    space(random, style, text);
                }
                value(random, style, left, depth + 1, text);
                space(random, style, text);
            }
            text.push(']');
        }
    }
}

fn digits(random: &mut Random, text: &mut String) {
    let most = if random.below(20) == 0 { 150 } else { 6 };
    for _ in 0..=random.below(most) {
        text.push(char::from(b'0' + random.below(10) as u8));
    }
}

fn number(random: &mut Random, text: &mut String) {
    if random.below(3) == 0 {
        text.push('-');
    }
    if random.below(4) == 0 {
        text.push('0');
    } else {
        text.push(char::from(b'1' + random.below(9) as u8));
        if random.below(2) == 0 {
            digits(random, text);
        }
    }
    if random.below(3) == 0 {
        text.push('.');
        digits(random, text);
    }
    if random.below(4) == 0 {
        text.push_str(random.pick(&["e", "E", "e+", "e-", "E+", "E-"]));
        digits(random, text);
    }
}

fn string(random: &mut Random, text: &mut String) {
    text.push('"');
    let pieces = match random.below(12) {
        0 => 0,
        1..=8 => random.below(8),
        9 | 10 => random.below(60),
        _ => random.below(300),
    };
    let escapes = random.below(3) == 0;
    for _ in 0..pieces {
        if escapes && random.below(3) == 0 {
            text.push_str(random.pick(&[
                r"\n",
                r"\\",
                r#"\""#,
                r"\/",
                r"\b",
                r"\f",
                r"\r",
                r"\t",
                r"\u0041",
                r"\u00e9",
                r"\ud83d\ude00",
                r"\uD83D",
                r"\uDE00",
                r"\uDBFF\uDFFF",
                r"\ud7ff",
                r"\ue000",
                r"\\\\",
                r#"\\\""#,
            ]));
        } else {
            text.push_str(random.pick(&[
                "a", "bc", "key", "word ", " ", ",", ":", "{", "}", "[", "]", "é", "日", "😀", "0",
                "-", "\u{7f}", "tru", "e", ".",
            ]));
        }
    }
    text.push('"');
}

/// `text` with one to three places altered; `None` where that is not UTF-8.
pub fn mutation(random: &mut Random, text: &str) -> Option<String> {
    const BYTES: &[u8] = b"\"\\,:{}[] \n\t\x01\x0c\x1f09-+.eEtfnux/a\xc3";
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..=random.below(3) {
        let at = random.below(bytes.len() + 1);
        let byte = BYTES[random.below(BYTES.len())];
        match random.below(6) {
            0 => bytes.insert(at, byte),
            1 if at < bytes.len() => bytes[at] = byte,
            2 if at < bytes.len() => drop(bytes.remove(at)),
            3 => bytes.truncate(at),
            4 if at < bytes.len() => {
                let other = random.below(bytes.len());
                bytes.swap(at, other);
            }
            _ => {
                let end = (at + random.below(20)).min(bytes.len());
                let part = bytes[at..end].to_vec();
                let to = random.below(bytes.len() + 1);
                bytes.splice(to..to, part);
            }
        }
    }
    String::from_utf8(bytes).ok()
}
