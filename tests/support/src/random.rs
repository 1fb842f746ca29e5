//! A small generator of random numbers: seeded, so that every failure can be
//! made again from the number that the test prints.

/// xorshift64*, good enough to pick cases.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A stream of its own for each seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// The next number.
    pub fn next_u64(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// A number below `end`; zero where that is zero.
    pub fn below(&mut self, end: usize) -> usize {
        if end == 0 { 0 } else { (self.next_u64() >> 11) as usize % end }
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
