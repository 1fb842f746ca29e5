//! What the scanner asks of 64 bytes. In every mask bit `i` stands for byte
//! `i`.

/// The bytes that the grammar turns on.
///
/// A byte below 0x20 other than tab, line feed and carriage return may show up
/// in any of them: no valid document has one, so the kernel refuses the text
/// whatever these say.
#[derive(Clone, Copy)]
pub(super) struct Classes {
    /// `"`
    pub(super) quote: u64,
    /// The space character alone.
    pub(super) space: u64,
    /// `,`
    pub(super) comma: u64,
    /// `:`
    pub(super) colon: u64,
    /// `{` and `[`
    pub(super) open: u64,
    /// `}` and `]`
    pub(super) close: u64,
}

/// 64 bytes of text in whatever form the target compares fastest.
pub(super) trait Block: Copy {
    fn load(bytes: &[u8; 64]) -> Self;

    /// Is any byte a quote, a backslash or below 0x20?
    fn breaks_string(self) -> bool;

    fn has_backslash(self) -> bool;

    fn has_control(self) -> bool;

    /// The bytes below 0x20.
    fn controls(self) -> u64;

    /// The bytes equal to `byte`.
    fn equal(self, byte: u8) -> u64;

    /// `0` to `9`
    fn digits(self) -> u64;

    fn classes(self) -> Classes;
}

/// Eight machine words: any target, no SIMD.
#[derive(Clone, Copy)]
pub(super) struct Words([u64; 8]);

const LOW: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = LOW << 7;

/// Gathers the high bit of every byte; all other bits must be zero.
#[inline(always)]
fn gather(high: u64) -> u64 {
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
    fn breaks_string(self) -> bool {
        let mut marked = 0;
        for word in self.0 {
            marked |= zeros(word ^ (LOW * b'"' as u64));
            marked |= zeros(word ^ (LOW * b'\\' as u64));
            marked |= below(word, 0x20);
        }
        marked != 0
    }

    #[inline(always)]
    fn has_backslash(self) -> bool {
        self.0.iter().fold(0, |all, word| all | zeros(word ^ (LOW * b'\\' as u64))) != 0
    }

    #[inline(always)]
    fn has_control(self) -> bool {
        self.0.iter().fold(0, |all, word| all | below(*word, 0x20)) != 0
    }

    #[inline(always)]
    fn controls(self) -> u64 {
        self.mask(|word| below(word, 0x20))
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
    fn classes(self) -> Classes {
        let folded = Self(self.0.map(|word| word | (LOW * 0x20)));
        Classes {
            quote: self.equal(b'"'),
            space: self.equal(b' '),
            comma: self.equal(b','),
            colon: self.equal(b':'),
            open: folded.equal(b'{'),
            close: folded.equal(b'}'),
        }
    }
}
