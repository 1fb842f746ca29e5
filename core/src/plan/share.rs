//! Sharing a room: small parts stay whole, the big ones give.

/// What a part needs at least, and what it weighs whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Need {
    pub(crate) least: usize,
    pub(crate) whole: usize,
}

/// The water level: the highest `level` at which the parts, each cut to it but
/// never below its least, weigh at most `room` together. Where the least needs
/// alone are over `room`, the level is zero.
pub(crate) fn level(needs: &[Need], room: usize) -> usize {
    let weight = |level: usize| -> usize { needs.iter().map(|need| need.at(level)).sum() };
    let (mut low, mut high) = (0, needs.iter().map(|need| need.whole).max().unwrap_or(0));
    while low < high {
        let middle = (low + high).div_ceil(2);
        if weight(middle) <= room {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    low
}

impl Need {
    /// The room of this part at `level`.
    pub(crate) fn at(self, level: usize) -> usize {
        level.max(self.least).min(self.whole)
    }
}
