//! Backslashes and control characters: what few blocks have, or blocks of a
//! long string one after another. Apart from the kernel, since in one function
//! with it they would cost the other blocks too.

use super::block::Block;

#[derive(Default)]
pub(super) struct Escapes {
    /// Bit 0: the first byte of the next block is escaped.
    carried: u64,
    /// Where the other half of a high surrogate has to stand: its `u`.
    low_at: usize,
    pub(super) lone_surrogates: u32,
    /// Bytes that no escape has, or no text.
    pub(super) wrong: u64,
}

impl Escapes {
    /// Is the first byte of the next block escaped?
    #[inline(always)]
    pub(super) fn pending(&self) -> bool {
        self.carried != 0
    }

    /// Takes the block at `at`; the bytes that backslashes escape. A backslash
    /// outside strings need not be told: no scalar has one.
    #[inline(never)]
    pub(super) fn take<B: Block>(&mut self, text: &[u8], at: u32, bytes: &[u8; 64]) -> u64 {
        let block = B::load(bytes);
        let backslash = block.equal(b'\\');
        let (escaped, carry) = find(backslash, self.carried);
        self.carried = carry;
        let rare = escaped & !block.escapable();
        if rare != 0 {
            self.wrong |= self.check(text, at as usize, rare, bytes);
        }
        escaped
    }

    /// How many of these `blocks` are wholly inside the string in which the
    /// first one begins, at `at`. Takes them.
    #[inline(never)]
    pub(super) fn pass<B: Block>(&mut self, text: &[u8], at: u32, blocks: &[[u8; 64]]) -> usize {
        let mut count = 0;
        let mut carried = self.carried;
        let mut wrong = false;
        let mut quiet = carried == 0;
        loop {
            // Most blocks have nothing to look at, unless the one before had.
            if quiet {
                while let Some(bytes) = blocks.get(count)
                    && !B::load(bytes).has_quote_backslash_or_control()
                {
                    count += 1;
                }
            }
            let Some(bytes) = blocks.get(count) else { break };
            let block = B::load(bytes);
            let backslash = block.equal(b'\\');
            let (escaped, carry) = find(backslash, carried);
            // Not first "any quote?": native code gets slow where vectors go on
            // to be used behind a branch.
            if block.equal(b'"') & !escaped != 0 {
                break;
            }
            quiet = backslash == 0;
            carried = carry;
            wrong |= block.has_control();
            let rare = escaped & !block.escapable();
            if rare != 0 {
                self.wrong |= self.check(text, at as usize + 64 * count, rare, bytes);
            }
            count += 1;
        }
        self.carried = carried;
        self.wrong |= u64::from(wrong);
        count
    }

    /// The bytes among the `rare` escaped ones that no escape has.
    fn check(&mut self, text: &[u8], base: usize, mut rare: u64, bytes: &[u8; 64]) -> u64 {
        let mut wrong = 0;
        while rare != 0 {
            let bit = rare.trailing_zeros();
            let fits = match bytes.get(bit as usize) {
                Some(b'r' | b't' | b'/' | b'b' | b'f') => true,
                Some(b'u') => self.unit(text, base + bit as usize),
                _ => false,
            };
            wrong |= u64::from(!fits) << bit;
            rare &= rare - 1;
        }
        wrong
    }

    /// Takes the escape whose `u` is at `at`; false without four digits.
    fn unit(&mut self, text: &[u8], at: usize) -> bool {
        let Some(digits) = text.get(at + 1..).and_then(<[u8]>::first_chunk::<4>) else {
            return false;
        };
        let mut unit = 0;
        for digit in digits {
            let Some(value) = char::from(*digit).to_digit(16) else { return false };
            unit = unit << 4 | value;
        }
        match unit {
            0xD800..=0xDBFF => {
                self.lone_surrogates += 1; // until its other half turns up
                self.low_at = at + 6;
            }
            0xDC00..=0xDFFF if self.low_at == at => {
                self.lone_surrogates -= 1;
            }
            0xDC00..=0xDFFF => self.lone_surrogates += 1,
            _ => {}
        }
        true
    }
}

/// The bytes that backslashes escape, and whether the first
/// byte of the next block is one; `carried` says so of this block. In a run of
/// backslashes, every second one escapes.
#[inline(always)]
pub(super) fn find(backslash: u64, carried: u64) -> (u64, u64) {
    const ODD: u64 = 0xAAAA_AAAA_AAAA_AAAA;
    let candidate = backslash & !carried;
    let both = ((candidate << 1 | ODD).wrapping_sub(candidate)) ^ ODD;
    let escaped = both ^ (backslash | carried);
    let starts = both & backslash;
    (escaped, starts >> 63)
}
