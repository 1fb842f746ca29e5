//! What the scanner asks of 64 bytes. In every mask bit `i` stands for byte
//! `i`.

/// The bytes that the grammar turns on, by a code of three bits: space 001,
/// quote 010, comma 100, colon 101, opening bracket 110, closing bracket 111;
/// any other byte 000. Three masks and some arithmetic on them cost less than
/// six masks.
///
/// A byte below 0x20 may have any code: tab, line feed and carriage return
/// have 000, and no valid document has another one, so the kernel refuses the
/// text whatever its code says.
#[derive(Clone, Copy)]
pub(super) struct Code {
    pub(super) structure: u64,
    pub(super) second: u64,
    pub(super) third: u64,
}

/// 64 bytes of text in whatever form the target compares fastest.
pub(super) trait Block: Copy {
    fn load(bytes: &[u8; 64]) -> Self;

    fn has_control(self) -> bool;

    fn has_backslash(self) -> bool {
        self.has(b'\\')
    }

    /// Is any byte equal to `byte`?
    fn has(self, byte: u8) -> bool;

    /// Is any byte a backslash or below 0x20?
    fn has_backslash_or_control(self) -> bool;

    fn has_quote_backslash_or_control(self) -> bool;

    /// The bytes below 0x20.
    fn controls(self) -> u64;

    /// Ends of lines and tabs.
    fn lines(self) -> u64;

    /// Quotes, backslashes and `n`: of the bytes that may be escaped, by far the
    /// usual.
    fn escapable(self) -> u64;

    /// The bytes equal to `byte`.
    fn equal(self, byte: u8) -> u64;

    /// `0` to `9`
    fn digits(self) -> u64;

    /// `-` and `0`
    fn minus_or_zero(self) -> u64;

    fn code(self) -> Code;
}

/// The last bytes of a text, fewer than 64, as a block: spaces behind them.
#[inline(always)]
pub(super) fn last(tail: &[u8]) -> [u8; 64] {
    let mut last = [b' '; 64];
    last.iter_mut().zip(tail).for_each(|(to, from)| *to = *from);
    last
}

/// Eight machine words: any target, no SIMD.
#[derive(Clone, Copy)]
pub(super) struct Words([u64; 8]);

pub(crate) const LOW: u64 = 0x0101_0101_0101_0101;
pub(crate) const HIGH: u64 = LOW << 7;

/// Gathers the high bit of every byte; all other bits must be zero.
#[inline(always)]
pub(super) fn gather(high: u64) -> u64 {
    (high >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

impl Words {
    /// One bit a byte from a function that marks the high bits of a word.
    #[inline(always)]
    fn mask(self, marked: impl Fn(u64) -> u64) -> u64 {
        let mut bits = 0;
        for (i, word) in self.0.iter().enumerate() {
            bits |= gather(marked(*word)) << (8 * i);
        }
        bits
    }

    /// Does such a function mark any byte?
    #[inline(always)]
    fn any(self, marked: impl Fn(u64) -> u64) -> bool {
        self.0.iter().fold(0, |all, word| all | marked(*word)) != 0
    }
}

/// Marks the bytes of `word` that are zero, exactly.
#[inline(always)]
fn zeros(word: u64) -> u64 {
    !(((word & !HIGH) + !HIGH) | word) & HIGH
}

/// Marks the bytes of `word` below `limit`, which is at most 0x80, exactly.
#[inline(always)]
fn below(word: u64, limit: u64) -> u64 {
    !(((word & !HIGH) + LOW * (0x80 - limit)) | word) & HIGH
}

impl Block for Words {
    #[inline(always)]
    fn load(bytes: &[u8; 64]) -> Self {
        let (words, _) = bytes.as_chunks::<8>();
        let mut block = [0; 8];
        for (to, from) in block.iter_mut().zip(words) {
            *to = u64::from_le_bytes(*from);
        }
        Self(block)
    }

    #[inline(always)]
    fn has_control(self) -> bool {
        self.any(|word| below(word, 0x20))
    }

    #[inline(always)]
    fn has(self, byte: u8) -> bool {
        self.any(|word| zeros(word ^ (LOW * u64::from(byte))))
    }

    #[inline(always)]
    fn has_backslash_or_control(self) -> bool {
        self.any(|word| zeros(word ^ (LOW * b'\\' as u64)) | below(word, 0x20))
    }

    #[inline(always)]
    fn has_quote_backslash_or_control(self) -> bool {
        let equal = |word: u64, byte: u8| zeros(word ^ (LOW * u64::from(byte)));
        self.any(|word| equal(word, b'"') | equal(word, b'\\') | below(word, 0x20))
    }

    #[inline(always)]
    fn controls(self) -> u64 {
        self.mask(|word| below(word, 0x20))
    }

    #[inline(always)]
    fn lines(self) -> u64 {
        let equal = |word: u64, byte: u8| zeros(word ^ (LOW * u64::from(byte)));
        self.mask(|word| equal(word, b'\n') | equal(word, b'\r') | equal(word, b'\t'))
    }

    #[inline(always)]
    fn escapable(self) -> u64 {
        let equal = |word: u64, byte: u8| zeros(word ^ (LOW * u64::from(byte)));
        self.mask(|word| equal(word, b'"') | equal(word, b'\\') | equal(word, b'n'))
    }

    #[inline(always)]
    fn equal(self, byte: u8) -> u64 {
        let all = LOW * u64::from(byte);
        self.mask(|word| zeros(word ^ all))
    }

    #[inline(always)]
    fn digits(self) -> u64 {
        self.mask(|word| below(word, 0x3A) & !below(word, 0x30))
    }

    #[inline(always)]
    fn minus_or_zero(self) -> u64 {
        self.mask(|word| zeros(word ^ (LOW * b'-' as u64)) | zeros(word ^ (LOW * b'0' as u64)))
    }

    #[inline(always)]
    fn code(self) -> Code {
        let equal = |word: u64, byte: u8| zeros(word ^ (LOW * u64::from(byte)));
        let close = |word: u64| equal(word | (LOW * 0x20), b'}');
        let bracket = |word: u64| equal(word | (LOW * 0x20), b'{') | close(word);
        let colon = |word: u64| equal(word, b':');
        Code {
            structure: self.mask(|word| bracket(word) | colon(word) | equal(word, b',')),
            second: self.mask(|word| bracket(word) | equal(word, b'"')),
            third: self.mask(|word| close(word) | colon(word) | equal(word, b' ')),
        }
    }
}
