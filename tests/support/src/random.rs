//! A small generator of random numbers: seeded, so that every failure can be
//! made again from the number that the test prints.

/// xorshift64*, good enough to pick cases; or the bytes that a fuzzer gave, so
/// that it steers each choice.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
    given: Vec<u8>,
    at: usize,
}

impl Random {
    /// A stream of its own for each seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        let state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        Random { state, given: Vec::new(), at: 0 }
    }

    /// Choices from `bytes`, one or two each, then zeros: the first choice.
    #[must_use]
    pub fn of_bytes(bytes: &[u8]) -> Self {
        Random { state: 0, given: bytes.to_vec(), at: 0 }
    }

    /// The next number.
    pub fn next_u64(&mut self) -> u64 {
        if self.state == 0 {
            return (0..8).fold(0, |number, _| number << 8 | u64::from(self.byte()));
        }
        self.state ^= self.state >> 12;
        self.state ^= self.state << 25;
        self.state ^= self.state >> 27;
        self.state.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    fn byte(&mut self) -> u8 {
        let byte = self.given.get(self.at).copied();
        self.at += 1;
        byte.unwrap_or_default()
    }

    /// A number below `end`; zero where that is zero.
    pub fn below(&mut self, end: usize) -> usize {
        match end {
            0 | 1 => 0,
            2..=256 if self.state == 0 => usize::from(self.byte()) % end,
            _ if self.state == 0 => {
                usize::from(u16::from_be_bytes([self.byte(), self.byte()])) % end
            }
            _ => (self.next_u64() >> 11) as usize % end,
        }
    }

    /// True once in `n` on average.
    pub fn once_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// One of `choices`.
    ///
    /// There must be one.
    pub fn pick<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        &choices[self.below(choices.len())]
    }

    /// A size: mostly small, at times near `most`.
    pub fn size(&mut self, most: usize) -> usize {
        let top = match self.below(8) {
            0 => most,
            1 | 2 => most / 8,
            _ => most.min(24),
        };
        self.below(top + 1)
    }
}
