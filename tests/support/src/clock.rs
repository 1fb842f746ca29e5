//! Time that a thread spent.

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
