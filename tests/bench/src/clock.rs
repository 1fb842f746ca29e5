//! Time that a thread spent, and what many measurements of it say.

use std::time::Duration;

/// The processor time of this thread: what other programs take is not in it.
#[cfg(unix)]
#[must_use]
pub fn now() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(
        u64::try_from(time.tv_sec).unwrap_or_default(),
        u32::try_from(time.tv_nsec).unwrap_or_default(),
    )
}

/// Time on the wall, where there is no other clock.
#[cfg(not(unix))]
#[must_use]
pub fn now() -> Duration {
    use std::sync::OnceLock;
    use std::time::Instant;
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}

/// The value below which a quarter lies: disturbances only ever add.
#[must_use]
pub fn lower_quartile(values: &[Duration]) -> Duration {
    at(values, 1, 4)
}

/// The value in the middle.
#[must_use]
pub fn median(values: &[Duration]) -> Duration {
    at(values, 1, 2)
}

fn at(values: &[Duration], part: usize, parts: usize) -> Duration {
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    sorted.get(sorted.len() * part / parts).copied().unwrap_or_default()
}
