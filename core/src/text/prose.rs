//! Tells plain prose from the other strings of structured data.

use alloc::vec::Vec;

use super::{decoded_bytes, unit};

/// True where a string of structured data is plainly prose: sentences, of at
/// least 80 decoded bytes. Such a string may be shortened although nothing is
/// known of what its reader expects.
///
/// Meant to miss prose rather than to take an id, a token, a cursor, a URL, a
/// query or code for it. Looks at the first 1,024
/// bytes and the last 256: there may be many strings to judge.
///
/// ```
/// use result_budget_core::text::is_prose;
/// assert!(is_prose(
///     "The parser now keeps the line that failed. It says so in the message that it shows to the user."
/// ));
/// assert!(!is_prose("SELECT name, mail FROM customers WHERE name LIKE 'A%' ORDER BY name, mail LIMIT 100"));
/// ```
#[must_use]
pub fn is_prose(body: &str) -> bool {
    // Cheap refusals first: most strings are short, or have no blank.
    if body.len() < LEAST_BYTES {
        return false;
    }
    let head_end = unit::floor(body, SAMPLE_BYTES);
    if decoded_bytes(body.get(..head_end).unwrap_or_default()) < LEAST_BYTES {
        return false;
    }
    let head = unit::decode(body, 0, head_end);
    if !looks_like_prose(&head, head_end == body.len()) {
        return false;
    }
    if head_end == body.len() {
        return true;
    }
    // What follows must not be something else: a key, a dump, a document.
    let tail_start = unit::ceil(body, head_end.max(body.len() - TAIL_SAMPLE_BYTES.min(body.len())));
    let tail = unit::decode(body, tail_start, body.len());
    if is_code(&tail) || is_symbolic(&tail) {
        return false;
    }
    tail.len() < LEAST_BYTES || is_unspaced(&tail) || Words::of(&tail).are_plain()
}

/// Less is too short to be worth a cut, or to be judged.
const LEAST_BYTES: usize = 80;
/// How much of the head is looked at, in encoded bytes.
const SAMPLE_BYTES: usize = 1_024;
/// How much of the tail is looked at.
const TAIL_SAMPLE_BYTES: usize = 256;

/// `complete` says that the sample is the whole string.
fn looks_like_prose(sample: &str, complete: bool) -> bool {
    let text = sample.trim();
    let Some(first) = text.chars().next() else { return false };
    let opens =
        first.is_alphabetic() || matches!(first, '"' | '\'' | '“' | '„' | '«' | '「' | '『');
    let is_docstring = text.starts_with("\"\"\"") || text.starts_with("'''");
    if !opens || is_docstring || is_code(text) || is_symbolic(text) {
        return false;
    }
    if is_unspaced(text) {
        let ends = text.chars().filter(|scalar| matches!(scalar, '。' | '！' | '？' | '.')).count();
        let longest = text.split_whitespace().map(str::len).max().unwrap_or(0);
        return ends >= 1 && (ends * 600 >= text.len() || longest < 600);
    }
    let words = Words::of(text);
    words.all >= 12 && words.are_plain() && words.sentences * 600 >= text.len().max(600) && {
        // The last sentence of a whole text ends.
        !complete
            || text.ends_with([
                '.', '!', '?', '…', ':', ')', '"', '”', '»', '\'', '’', '।', '。', '؟', '۔',
            ])
            || words.sentences >= 2
    }
}

/// Counts over the words of a text whose words stand apart.
#[derive(Default)]
struct Words {
    all: usize,
    /// Letters alone, but for punctuation around them and `'` or `-` inside.
    plain: usize,
    /// Plain ones that start with a letter that is not a capital.
    low: usize,
    /// Ones that end in a colon.
    keys: usize,
    /// Ones like `-v` and `--all`: a command's options.
    options: usize,
    /// Bytes of the words that are no plain ones.
    odd_bytes: usize,
    bytes: usize,
    /// Ends of sentences: punctuation, behind a word of two letters or more,
    /// before a letter that could begin one.
    sentences: usize,
}

impl Words {
    fn of(text: &str) -> Words {
        let mut words = Words::default();
        let list: Vec<&str> = text.split_whitespace().collect();
        for (at, word) in list.iter().enumerate() {
            words.all += 1;
            words.bytes += word.len();
            words.keys += usize::from(word.ends_with(':'));
            let option = word.trim_start_matches('-');
            words.options += usize::from(
                option.len() < word.len() && option.starts_with(|s: char| s.is_ascii_alphabetic()),
            );
            let core = word.trim_matches(is_punctuation);
            let (mut letters, mut joined, mut scalars) = (0, 0, 0);
            for scalar in core.chars() {
                scalars += 1;
                letters += usize::from(is_letter(scalar));
                joined += usize::from(matches!(scalar, '\'' | '’' | '-'));
            }
            let plain = letters > 0 && letters + joined == scalars && joined <= 2 && letters <= 32;
            if plain {
                words.plain += 1;
                words.low += usize::from(core.chars().next().is_some_and(|s| !s.is_uppercase()));
            } else {
                words.odd_bytes += word.len();
            }
            let closed = word.trim_end_matches(['"', '”', '»', '\'', '’', ')', '*', '_']);
            let next_begins = list.get(at + 1).is_none_or(|next| {
                let next = next.trim_start_matches(is_punctuation);
                next.chars().next().is_none_or(|first| !first.is_lowercase())
            });
            words.sentences += usize::from(
                closed.ends_with(['.', '!', '?', '…', '।', '؟', '۔', '。'])
                    && plain
                    && letters >= 2
                    && next_begins,
            );
        }
        words
    }

    fn are_plain(&self) -> bool {
        self.plain * 100 >= self.all * 75
            && self.low * 100 >= self.plain * 55
            && self.keys * 100 <= self.all * 12
            && self.options * 100 <= self.all * 4
            && self.odd_bytes * 100 <= self.bytes * 40
    }
}

/// Marks of code, markup and queries are more than one in 25 characters, or
/// digits more than one in 12.
fn is_symbolic(text: &str) -> bool {
    let (mut all, mut symbols, mut digits) = (0, 0, 0);
    for scalar in text.chars() {
        all += 1;
        symbols += usize::from(matches!(
            scalar,
            '{' | '}'
                | '['
                | ']'
                | '<'
                | '>'
                | '='
                | ';'
                | '|'
                | '\\'
                | '$'
                | '&'
                | '^'
                | '~'
                | '@'
                | '%'
                | '_'
                | '#'
                | '*'
                | '+'
                | '/'
                | '`'
        ));
        digits += usize::from(scalar.is_ascii_digit());
    }
    symbols * 25 > all || digits * 12 > all
}

/// The first line, or one line in ten, reads like code or a query.
fn is_code(text: &str) -> bool {
    let (mut all, mut code) = (0, 0);
    for (at, line) in text.lines().map(str::trim).filter(|line| !line.is_empty()).enumerate() {
        all += 1;
        let is_code = is_code_line(line);
        if at == 0 && is_code {
            return true;
        }
        code += usize::from(is_code);
    }
    code * 10 >= all && code > 0
}

fn is_code_line(line: &str) -> bool {
    /// A first word, and what the same line must hold to be no prose.
    const FORMS: [(&str, &[&str]); 38] = [
        ("select", &[" from ", "*", ","]),
        ("insert", &[" into "]),
        ("update", &[" set "]),
        ("delete", &[" from "]),
        ("create", &[" table ", " index ", " view ", " or replace "]),
        ("alter", &[" table "]),
        ("drop", &[" table ", " index "]),
        ("with", &[" as ("]),
        ("explain", &[" select "]),
        ("match", &["(", " {"]),
        ("query", &["{", "("]),
        ("mutation", &["{", "("]),
        ("subscription", &["{", "("]),
        ("fragment", &["{"]),
        ("import", &[" from ", ";", "{", ".", "\""]),
        ("from", &[" import ", " select "]),
        ("def", &["("]),
        ("class", &["{", ":", "("]),
        ("fn", &["("]),
        ("func", &["("]),
        ("function", &["("]),
        ("const", &["="]),
        ("let", &[" = "]),
        ("var", &["="]),
        ("return", &[";", "("]),
        ("if", &["{", "==", "&&", "then;"]),
        ("for", &["{", " in range(", ";"]),
        ("while", &["{"]),
        ("use", &["::", ";"]),
        ("package", &[";"]),
        ("public", &["{", ";", "("]),
        ("private", &["{", ";", "("]),
        ("static", &["{", ";", "("]),
        ("struct", &["{"]),
        ("enum", &["{"]),
        ("export", &["=", "{"]),
        ("sudo", &[" "]),
        ("curl", &[" -", "http"]),
    ];
    if line.ends_with([';', '{', '}'])
        || line.ends_with("):")
        || line.contains(" = ")
        || line.starts_with(['}', '{', '<', '#', '$', '@', '/'])
    {
        return true;
    }
    let (first, rest) =
        line.split_at(line.find(|s: char| !s.is_alphanumeric()).unwrap_or(line.len()));
    let mut low = [0; 12];
    let Some(low) = low.get_mut(..first.len()) else { return false };
    low.copy_from_slice(first.as_bytes());
    low.make_ascii_lowercase();
    FORMS.iter().any(|(word, holds)| {
        word.as_bytes() == low && holds.iter().any(|part| contains_any_case(rest, part))
    })
}

fn contains_any_case(text: &str, part: &str) -> bool {
    text.as_bytes().windows(part.len()).any(|window| window.eq_ignore_ascii_case(part.as_bytes()))
}

/// Half of the characters are of a script that writes no blanks between words.
fn is_unspaced(text: &str) -> bool {
    // Such characters are three bytes long.
    if text.bytes().filter(|byte| !byte.is_ascii()).count() * 3 < text.len() {
        return false;
    }
    let (mut all, mut unspaced) = (0, 0);
    for scalar in text.chars().filter(|scalar| !scalar.is_whitespace()) {
        all += 1;
        unspaced += usize::from(matches!(scalar,
            '\u{0E00}'..='\u{0EFF}'       // Thai, Lao
            | '\u{1000}'..='\u{109F}'     // Myanmar
            | '\u{1780}'..='\u{17FF}'     // Khmer
            | '\u{3001}'..='\u{30FF}'     // CJK punctuation, kana
            | '\u{3400}'..='\u{9FFF}'     // Han
            | '\u{F900}'..='\u{FAFF}'
            | '\u{FF01}'..='\u{FF1F}'     // full-width punctuation
            | '\u{20000}'..='\u{3FFFF}'));
    }
    unspaced * 2 > all
}

/// Letters, and the marks that some scripts write on them.
fn is_letter(scalar: char) -> bool {
    if scalar.is_ascii() {
        return scalar.is_ascii_alphabetic();
    }
    scalar.is_alphabetic()
        || matches!(scalar, '\u{300}'..='\u{36F}' | '\u{94D}' | '\u{9CD}' | '\u{A4D}' | '\u{ACD}' | '\u{BCD}' | '\u{C4D}' | '\u{CCD}' | '\u{D4D}' | '\u{93C}' | '\u{64B}'..='\u{65F}' | '\u{5B0}'..='\u{5C7}' | '\u{200C}' | '\u{200D}')
}

fn is_punctuation(scalar: char) -> bool {
    matches!(
        scalar,
        '.' | ','
            | ';'
            | ':'
            | '!'
            | '?'
            | '"'
            | '\''
            | '('
            | ')'
            | '“'
            | '”'
            | '„'
            | '‘'
            | '’'
            | '«'
            | '»'
            | '…'
            | '—'
            | '–'
            | '-'
            | '*'
            | '_'
            | '`'
            | '،'
            | '؛'
            | '؟'
            | '۔'
            | '।'
            | '。'
            | '、'
    )
}
