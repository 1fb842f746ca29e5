//! An estimate of the tokens that a model's tokenizer makes of a text: never
//! under those of o200k and cl100k.
//!
//! Both cut a text into pieces by fixed rules, and join the bytes of a piece
//! into tokens until no two neighbours stand together in the vocabulary. So
//! two neighbours of one character each are a pair that no token holds, and
//! the most tokens that a piece can have follow from a table of pairs. Digits
//! are cut by threes, white space by its runs, common words are told by a list,
//! and what is not ASCII counts its bytes, or fewer where a script is known.
//!
//! Linear, allocates nothing, and knows nothing of JSON.

mod table;

use self::table::{PAIRS, WORDS};

/// Counts while characters come in.
#[derive(Clone, Debug, Default)]
pub(crate) struct Estimate {
    /// The most tokens so far where the last one is of one character; zero
    /// where it can not be.
    single: usize,
    /// The same where the last token is longer.
    longer: usize,
    /// The most tokens before the last character.
    before: usize,
    /// The last character, where a token may go on from it.
    last: Option<u8>,
    class: Class,
    /// The word that is being read, in small letters.
    word: [u8; WORD_MAX_BYTES],
    word_bytes: usize,
    /// The most tokens before the word, and before the space that goes with it.
    before_word: usize,
    /// The word is spelled as the list has them.
    plain: bool,
    digits: usize,
    space: Space,
    /// The last mark belongs to the line end before it.
    line_tail: bool,
}

/// A run of one kind of white space.
#[derive(Clone, Copy, Debug, Default)]
struct Space {
    byte: u8,
    run: usize,
    /// The most tokens before it.
    before: usize,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Class {
    #[default]
    Start,
    Small,
    Capital,
    Digit,
    Space,
    Mark,
    /// A letter that is not ASCII.
    Letter,
    Other,
}

/// The estimate for `text`.
///
/// ```
/// use result_budget_core::tokens::estimate;
/// assert_eq!(estimate("The name of the file is 12345."), 9);
/// ```
#[must_use]
pub fn estimate(text: &str) -> usize {
    let mut estimate = Estimate::default();
    text.chars().for_each(|c| estimate.push(c));
    estimate.total()
}

impl Estimate {
    pub(crate) fn push(&mut self, c: char) {
        let (class, before) = (Class::of(c), self.class);
        self.class = class;
        // OK because only ASCII is looked at as a byte.
        let byte = c as u32 as u8;
        let in_word = before.is_word() && class.is_word();
        let new_word = !in_word || (before == Class::Small && class == Class::Capital);
        if before.is_word() && new_word {
            self.end_word(class == Class::Letter);
        }
        let joins = before == Class::Space && class != Class::Space && self.end_space(class);
        match class {
            Class::Small | Class::Capital => {
                if self.word_bytes == 0 {
                    self.before_word = if joins { self.before } else { self.most() };
                    self.plain = before != Class::Letter && self.last != Some(b'\'');
                } else if class == Class::Capital {
                    self.plain = false;
                }
                self.step(byte, new_word && !joins);
                match self.word.get_mut(self.word_bytes) {
                    Some(place) => *place = byte.to_ascii_lowercase(),
                    None => self.plain = false,
                }
                self.word_bytes += 1;
            }
            Class::Mark => {
                let tail = before == Class::Space && matches!(self.space.byte, b'\n' | b'\r');
                self.step(byte, (before != Class::Mark && !joins) || self.line_tail);
                self.line_tail = byte == b'/' && (tail || self.line_tail);
            }
            Class::Digit => {
                self.digits = if before == Class::Digit { self.digits + 1 } else { 0 };
                if self.digits.is_multiple_of(3) {
                    self.add(1);
                }
            }
            Class::Space => self.push_space(byte, before == Class::Space),
            Class::Letter | Class::Other | Class::Start => self.add(cost(c)),
        }
        if class != Class::Mark {
            self.line_tail = false;
        }
    }

    /// The most tokens that there can be.
    pub(crate) fn total(&self) -> usize {
        let mut ended = self.clone();
        ended.end_word(false);
        ended.most()
    }

    fn most(&self) -> usize {
        self.single.max(self.longer)
    }

    /// Goes on after `tokens` more, of which none goes into what follows.
    fn add(&mut self, tokens: usize) {
        self.restart(self.most() + tokens);
    }

    fn restart(&mut self, most: usize) {
        (self.single, self.longer, self.before, self.last) = (most, most, most, None);
    }

    /// Takes an ASCII character; `cut` where a piece may end before it.
    fn step(&mut self, byte: u8, cut: bool) {
        let most = self.most();
        let pair = self.last.is_some_and(|last| is_pair(last, byte));
        self.single = 1 + if pair && !cut { self.longer } else { most };
        self.longer = if self.last.is_some() { 1 + self.before } else { 0 };
        (self.before, self.last) = (most, Some(byte));
    }

    fn push_space(&mut self, byte: u8, goes_on: bool) {
        let long_runs = matches!(byte, b' ' | b'\t' | b'\n');
        if !goes_on || byte != self.space.byte || !long_runs {
            self.space = Space { byte, run: 0, before: self.most() };
        }
        if self.space.run.is_multiple_of(SPACE_RUN_BYTES) {
            self.add(1);
        }
        self.space.run += 1;
    }

    /// White space ends before a character of `class`. The last of it may be in
    /// one piece with what follows: tells whether it was taken so.
    fn end_space(&mut self, class: Class) -> bool {
        let Space { byte, run, before } = self.space;
        let joins = byte == b' ' && (class.is_word() || class == Class::Mark);
        if joins {
            let most = if run == 1 { before } else { self.most() };
            self.restart(most);
            self.step(b' ', true);
        } else if run > 1 && matches!(byte, b' ' | b'\t') {
            self.add(1);
        }
        joins
    }

    fn end_word(&mut self, goes_on: bool) {
        let word = self.word.get(..self.word_bytes).unwrap_or_default();
        if self.plain && !goes_on && is_word(word) {
            self.restart(self.most().min(self.before_word + 1));
        }
        self.word_bytes = 0;
    }
}

impl Class {
    fn of(c: char) -> Class {
        match c {
            'a'..='z' => Class::Small,
            'A'..='Z' => Class::Capital,
            '0'..='9' => Class::Digit,
            ' ' | '\t'..='\r' => Class::Space,
            '!'..='~' => Class::Mark,
            _ if c.is_alphabetic() => Class::Letter,
            _ => Class::Other,
        }
    }

    fn is_word(self) -> bool {
        matches!(self, Class::Small | Class::Capital)
    }
}

/// Whether two ASCII characters stand together as a token.
fn is_pair(first: u8, second: u8) -> bool {
    let row = PAIRS.get(usize::from(first.wrapping_sub(b' '))).copied().unwrap_or(0);
    row >> second.wrapping_sub(b' ').min(127) & 1 == 1
}

fn is_word(word: &[u8]) -> bool {
    let Some(row) = word.len().checked_sub(WORD_MIN_BYTES).and_then(|at| WORDS.get(at)) else {
        return false;
    };
    let (mut low, mut high) = (0, row.len() / word.len());
    while low < high {
        let middle = low.midpoint(high);
        let start = middle * word.len();
        match row.as_bytes().get(start..start + word.len()).unwrap_or_default().cmp(word) {
            core::cmp::Ordering::Less => low = middle + 1,
            core::cmp::Ordering::Equal => return true,
            core::cmp::Ordering::Greater => high = middle,
        }
    }
    false
}

/// The most tokens of a character that is no printable ASCII.
fn cost(c: char) -> usize {
    match c {
        // Frames and blocks, kana, full and half width forms.
        '\u{2500}'..='\u{25FF}' | '\u{3040}'..='\u{30FF}' | '\u{FF00}'..='\u{FFEF}' => 2,
        // Letters for mathematics, pictures.
        '\u{1D000}'..='\u{1DFFF}' | '\u{1F000}'..='\u{1FFFF}' => 3,
        _ => c.len_utf8(),
    }
}

const WORD_MIN_BYTES: usize = 3;
const WORD_MAX_BYTES: usize = WORD_MIN_BYTES + WORDS.len() - 1;

/// White space of one kind is in one token up to at least this length.
const SPACE_RUN_BYTES: usize = 8;
