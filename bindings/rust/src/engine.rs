//! The engine: the component loaded once, called from any thread.
//!
//! Keeps instances for reuse, and keeps a broken engine from doing harm:
//! memory cap, deadline, and a pause after several failures in a row.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::error::{Fault, LoadError};
use crate::guest::{LimitRow, PresetRow};
use crate::image::{COMPONENT_SHA256, Image, Loaded, Source};
use crate::instance::{Instance, Template};
use crate::ticker::{self, Pulse, TICK};

/// The component, loaded. Cheap to clone; clones share everything.
///
/// ```
/// let engine = result_budget::Engine::new()?;
/// assert_eq!(engine.sha256().len(), 64);
/// # Ok::<(), result_budget::LoadError>(())
/// ```
#[derive(Clone)]
pub struct Engine {
    inner: Arc<Inner>,
}

/// Says how an [`Engine`] runs; made by [`Engine::builder`].
#[must_use]
pub struct EngineBuilder {
    source: Source,
    memory_max_bytes: usize,
    input_max_bytes: u32,
    deadline: Duration,
    isolation: Isolation,
}

/// Whether an instance serves more than one call. Bytes do not depend on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Isolation {
    /// An instance is kept for the next call, unless it failed or its memory
    /// grew large.
    #[default]
    Reuse,
    /// Each call has an instance of its own, with memory that nobody used
    /// before. Costs some ten microseconds, and page faults.
    Call,
}

/// How often the engine broke, since it was loaded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FaultCounts {
    /// [`Fault::Deadline`].
    pub deadline_calls: u64,
    /// [`Fault::Memory`].
    pub memory_calls: u64,
    /// [`Fault::Trap`].
    pub trap_calls: u64,
    /// [`Fault::BadAnswer`].
    pub bad_answer_calls: u64,
    /// [`Fault::CircuitOpen`].
    pub circuit_open_calls: u64,
}

struct Inner {
    runtime: wasmtime::Engine,
    template: Template,
    image: Image,
    sha256: String,
    input_max_bytes: u32,
    deadline_ticks: u64,
    isolation: Isolation,
    idle_max_instances: usize,
    pool: Mutex<Pool>,
    faults: [AtomicU64; 5],
}

/// What changes from call to call, under one lock.
#[derive(Default)]
struct Pool {
    idle: Vec<Instance>,
    in_flight_calls: u32,
    /// Failures since the last success.
    failed_calls: u32,
    /// While in the future, no call reaches the component.
    paused_until: Option<Instant>,
}

impl Engine {
    /// Loads the engine that this crate carries, with the defaults of
    /// [`Engine::builder`].
    ///
    /// # Errors
    /// [`LoadError`].
    pub fn new() -> Result<Self, LoadError> {
        Engine::builder().build()
    }

    /// Sets how the engine runs.
    pub fn builder() -> EngineBuilder {
        EngineBuilder {
            source: Source::Embedded(Image::Automatic),
            memory_max_bytes: MEMORY_MAX_BYTES,
            input_max_bytes: INPUT_MAX_BYTES,
            deadline: DEADLINE,
            isolation: Isolation::Reuse,
        }
    }

    /// The engine of this process: loaded by the first call, with the
    /// defaults, and never dropped.
    ///
    /// # Errors
    /// [`LoadError`]; the next call tries again.
    pub fn shared() -> Result<Self, LoadError> {
        static SHARED: OnceLock<Engine> = OnceLock::new();
        if let Some(engine) = SHARED.get() {
            return Ok(engine.clone());
        }
        let engine = Engine::new()?;
        Ok(SHARED.get_or_init(|| engine).clone())
    }

    /// The SHA-256 of the component, in lower-case hexadecimal: equal in every
    /// host that runs the same engine. For an image that the host brought, the
    /// hash of that image.
    #[must_use]
    pub fn sha256(&self) -> &str {
        &self.inner.sha256
    }

    /// How the code came to run on this machine: never [`Image::Automatic`].
    #[must_use]
    pub fn image(&self) -> Image {
        self.inner.image
    }

    /// The longest input that is read, in bytes.
    #[must_use]
    pub fn input_max_bytes(&self) -> u32 {
        self.inner.input_max_bytes
    }

    /// Every limit of the product, in the order in which they are shown.
    ///
    /// ```
    /// let rows = result_budget::Engine::new()?.limit_rows()?;
    /// assert_eq!(rows[0].name, "max_result_bytes");
    /// assert_eq!(rows[0].min, 256);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`Fault`], when the engine breaks.
    pub fn limit_rows(&self) -> Result<Vec<LimitRow>, Fault> {
        self.run(Instance::limit_rows)
    }

    /// Every preset, smallest first.
    ///
    /// # Errors
    /// [`Fault`], when the engine breaks.
    pub fn preset_rows(&self) -> Result<Vec<PresetRow>, Fault> {
        self.run(Instance::preset_rows)
    }

    /// How often the engine broke, since it was loaded.
    #[must_use]
    pub fn fault_counts(&self) -> FaultCounts {
        let count = |fault: Fault| self.inner.faults[slot(fault)].load(Ordering::Relaxed);
        FaultCounts {
            deadline_calls: count(Fault::Deadline),
            memory_calls: count(Fault::Memory),
            trap_calls: count(Fault::Trap),
            bad_answer_calls: count(Fault::BadAnswer),
            circuit_open_calls: count(Fault::CircuitOpen),
        }
    }

    /// Runs `work` on an instance, and drops the instance if it failed.
    pub(crate) fn run<T>(
        &self,
        work: impl FnOnce(&mut Instance) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let inner = &*self.inner;
        let answer = inner.enter().and_then(|idle| {
            let made = idle.map_or_else(|| inner.template.instantiate(), Ok);
            let answer = made.and_then(|mut instance| {
                instance.arm(inner.deadline_ticks);
                let answer = work(&mut instance)?;
                Ok((instance, answer))
            });
            inner.leave(answer)
        });
        if let Err(fault) = &answer {
            inner.faults[slot(*fault)].fetch_add(1, Ordering::Relaxed);
        }
        answer
    }
}

impl Inner {
    fn pool(&self) -> MutexGuard<'_, Pool> {
        self.pool.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a call in, and hands out an idle instance where there is one.
    fn enter(&self) -> Result<Option<Instance>, Fault> {
        let mut pool = self.pool();
        if let Some(until) = pool.paused_until {
            if Instant::now() < until {
                return Err(Fault::CircuitOpen);
            }
            pool.paused_until = None;
        }
        pool.in_flight_calls += 1;
        let idle = pool.idle.pop();
        drop(pool);
        ticker::wake();
        Ok(idle)
    }

    /// Counts a call out, and keeps its instance where that is of use.
    fn leave<T>(&self, answer: Result<(Instance, T), Fault>) -> Result<T, Fault> {
        let mut pool = self.pool();
        pool.in_flight_calls -= 1;
        match answer {
            Ok((instance, answer)) => {
                pool.failed_calls = 0;
                let keep = self.isolation == Isolation::Reuse
                    && instance.memory_bytes() <= KEPT_MEMORY_MAX_BYTES
                    && pool.idle.len() < self.idle_max_instances;
                if keep {
                    pool.idle.push(instance);
                } else {
                    // Unmapping takes a while; not under the lock.
                    drop(pool);
                    drop(instance);
                }
                Ok(answer)
            }
            Err(fault) => {
                pool.failed_calls = pool.failed_calls.saturating_add(1);
                if pool.failed_calls >= FAILED_CALLS_MAX {
                    pool.paused_until = Instant::now().checked_add(PAUSE);
                }
                Err(fault)
            }
        }
    }
}

impl Pulse for Inner {
    fn beat(&self) -> bool {
        let in_flight = self.pool().in_flight_calls > 0;
        if in_flight {
            self.runtime.increment_epoch();
        }
        in_flight
    }
}

impl EngineBuilder {
    /// Chooses the image; [`Image::Automatic`] unless told.
    pub fn image(mut self, image: Image) -> Self {
        self.source = Source::Embedded(image);
        self
    }

    /// Runs another component, given as WebAssembly. It is compiled while
    /// loading.
    #[cfg(feature = "compile")]
    pub fn component(mut self, component: impl Into<Vec<u8>>) -> Self {
        self.source = Source::Component(component.into());
        self
    }

    /// Runs another image, precompiled for this runtime.
    ///
    /// # Safety
    /// The image is machine code. It must come unaltered from the compiler of
    /// this very version of the runtime; anything else can do whatever this
    /// process can.
    #[allow(unsafe_code, reason = "only the caller can vouch for machine code")]
    pub unsafe fn precompiled(mut self, image: impl Into<Vec<u8>>) -> Self {
        self.source = Source::Precompiled(image.into());
        self
    }

    /// The most linear memory that one instance may have; 256 MiB unless told.
    pub fn memory_max_bytes(mut self, bytes: usize) -> Self {
        self.memory_max_bytes = bytes;
        self
    }

    /// The longest input that is read; 16 MiB unless told, and the component
    /// reads no more than that. Checked before a byte is copied.
    pub fn input_max_bytes(mut self, bytes: u32) -> Self {
        self.input_max_bytes = bytes;
        self
    }

    /// The time that a call may take, in steps of ten milliseconds; ten
    /// seconds unless told. It catches defects and nothing else: the work of
    /// the engine is linear in its input.
    pub fn deadline(mut self, deadline: Duration) -> Self {
        self.deadline = deadline;
        self
    }

    /// Whether an instance serves more than one call.
    pub fn isolation(mut self, isolation: Isolation) -> Self {
        self.isolation = isolation;
        self
    }

    /// Loads the engine.
    ///
    /// # Errors
    /// [`LoadError`].
    pub fn build(self) -> Result<Engine, LoadError> {
        let Loaded { runtime, component, image } = self.source.load()?;
        let (template, first) = Template::new(&runtime, &component, self.memory_max_bytes)?;
        let idle = match self.isolation {
            Isolation::Reuse => vec![first],
            Isolation::Call => Vec::new(),
        };
        let ticks = self.deadline.as_millis().div_ceil(TICK.as_millis());
        let inner = Arc::new(Inner {
            runtime,
            template,
            image,
            sha256: sha256_of(&self.source),
            input_max_bytes: self.input_max_bytes,
            // One more, since the first tick may come at once. A deadline
            // beyond all ticks is none.
            deadline_ticks: u64::try_from(ticks)
                .unwrap_or(u64::MAX)
                .saturating_add(1)
                .min(u64::MAX >> 1),
            isolation: self.isolation,
            idle_max_instances: thread::available_parallelism().map_or(1, usize::from),
            pool: Mutex::new(Pool { idle, ..Pool::default() }),
            faults: Default::default(),
        });
        let pulse: Arc<dyn Pulse> = inner.clone();
        ticker::register(Arc::downgrade(&pulse))?;
        Ok(Engine { inner })
    }
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engine").field("sha256", &self.inner.sha256).finish_non_exhaustive()
    }
}

fn slot(fault: Fault) -> usize {
    match fault {
        Fault::Deadline => 0,
        Fault::Memory => 1,
        Fault::Trap => 2,
        Fault::BadAnswer => 3,
        Fault::CircuitOpen => 4,
    }
}

fn sha256_of(source: &Source) -> String {
    match source {
        Source::Embedded(_) => String::from(COMPONENT_SHA256),
        #[cfg(feature = "compile")]
        Source::Component(bytes) => hex_sha256(bytes),
        Source::Precompiled(bytes) => hex_sha256(bytes),
    }
}

fn hex_sha256(bytes: &[u8]) -> String {
    use sha2::{Digest, Sha256};
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// What the component reads at most; a test compares.
const INPUT_MAX_BYTES: u32 = 16 * 1_024 * 1_024;

const MEMORY_MAX_BYTES: usize = 256 * 1_024 * 1_024;
const DEADLINE: Duration = Duration::from_secs(10);

/// An instance with more memory than this is not kept: memory never shrinks.
/// Room for the longest input and the work on it.
const KEPT_MEMORY_MAX_BYTES: usize = 64 * 1_024 * 1_024;

/// Failures in a row that open the circuit, and for how long.
const FAILED_CALLS_MAX: u32 = 3;
const PAUSE: Duration = Duration::from_secs(1);
