//! The one thread that makes deadlines come true: it moves the epoch of every
//! engine that has a call in flight, and sleeps for good while none has.

use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;
use std::time::Duration;

use crate::error::LoadError;

/// The grain of a deadline.
pub(crate) const TICK: Duration = Duration::from_millis(10);

/// Something whose epoch moves.
pub(crate) trait Pulse: Send + Sync {
    /// Moves the epoch if a call is in flight, and says whether one is.
    fn beat(&self) -> bool;
}

struct State {
    engines: Vec<Weak<dyn Pulse>>,
    /// The process whose thread runs. Another one after a fork, which copies
    /// memory and leaves threads behind.
    process: Option<u32>,
}

static STATE: Mutex<State> = Mutex::new(State { engines: Vec::new(), process: None });
static WAKE: Condvar = Condvar::new();

/// True while the thread sleeps until it is woken, or before it is started.
static PARKED: AtomicBool = AtomicBool::new(true);

/// Ticks without a call in flight after which the thread sleeps for good.
const IDLE_TICKS: u32 = 100;

/// Adds an engine; starts the thread with the first.
pub(crate) fn register(engine: Weak<dyn Pulse>) -> Result<(), LoadError> {
    let mut state = state();
    state.engines.retain(|known| known.strong_count() > 0);
    state.engines.push(engine);
    start(&mut state)
}

/// Wakes the thread where it sleeps. Must be called after the call is counted
/// as in flight: the thread looks once more after it has said that it sleeps.
pub(crate) fn wake() {
    if PARKED.load(Ordering::SeqCst) {
        let mut state = state();
        PARKED.store(false, Ordering::SeqCst);
        // A thread that cannot be started is tried again at the next idle
        // moment; until then there is no deadline, and no other harm.
        if start(&mut state).is_err() {
            PARKED.store(true, Ordering::SeqCst);
        }
        WAKE.notify_one();
    }
}

/// For a host that forks, in the child: threads stay behind, and one that was
/// awake then would be missed. The next call starts another.
pub fn after_fork() {
    PARKED.store(true, Ordering::SeqCst);
}

fn state() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn start(state: &mut State) -> Result<(), LoadError> {
    let this = process::id();
    if state.process == Some(this) {
        return Ok(());
    }
    thread::Builder::new()
        .name(String::from("result-budget"))
        .spawn(run)
        .map_err(|error| LoadError::NoThread(error.to_string()))?;
    state.process = Some(this);
    Ok(())
}

fn run() {
    let mut idle_ticks = 0;
    loop {
        if beat_all() {
            idle_ticks = 0;
        } else {
            idle_ticks += 1;
        }
        if idle_ticks >= IDLE_TICKS {
            PARKED.store(true, Ordering::SeqCst);
            if !beat_all() {
                let mut state = state();
                while PARKED.load(Ordering::SeqCst) {
                    state = WAKE.wait(state).unwrap_or_else(PoisonError::into_inner);
                }
            }
            PARKED.store(false, Ordering::SeqCst);
            idle_ticks = 0;
        }
        thread::sleep(TICK);
    }
}

fn beat_all() -> bool {
    let mut in_flight = false;
    for engine in &state().engines {
        if let Some(engine) = engine.upgrade() {
            in_flight |= engine.beat();
        }
    }
    in_flight
}
