//! An allocator that remembers the most that was held at once.

#![allow(unsafe_code, reason = "an allocator is unsafe by its very trait")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, AtomicIsize, Ordering};

/// The system's allocator, counting while it is asked to.
#[derive(Debug)]
pub struct Peak {
    counts: AtomicBool,
    held_bytes: AtomicIsize,
    peak_bytes: AtomicIsize,
}

impl Peak {
    /// One that does not count yet.
    #[must_use]
    pub const fn new() -> Self {
        Peak {
            counts: AtomicBool::new(false),
            held_bytes: AtomicIsize::new(0),
            peak_bytes: AtomicIsize::new(0),
        }
    }

    /// The most that `work` held at once, beyond what there was before. What
    /// other threads do meanwhile counts too.
    pub fn during(&self, work: impl FnOnce()) -> usize {
        self.held_bytes.store(0, Ordering::SeqCst);
        self.peak_bytes.store(0, Ordering::SeqCst);
        self.counts.store(true, Ordering::SeqCst);
        work();
        self.counts.store(false, Ordering::SeqCst);
        usize::try_from(self.peak_bytes.load(Ordering::SeqCst)).unwrap_or_default()
    }

    fn add(&self, bytes: usize) {
        if self.counts.load(Ordering::Relaxed) {
            // OK because a layout is never longer than `isize::MAX`.
            let bytes = bytes as isize;
            let held = self.held_bytes.fetch_add(bytes, Ordering::Relaxed) + bytes;
            self.peak_bytes.fetch_max(held, Ordering::Relaxed);
        }
    }

    fn take(&self, bytes: usize) {
        if self.counts.load(Ordering::Relaxed) {
            self.held_bytes.fetch_sub(bytes as isize, Ordering::Relaxed);
        }
    }
}

impl Default for Peak {
    fn default() -> Self {
        Peak::new()
    }
}

// SAFETY: every call goes to the system's allocator as it came.
unsafe impl GlobalAlloc for Peak {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        self.add(layout.size());
        // SAFETY: the caller's promises are passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        self.add(layout.size());
        // SAFETY: the caller's promises are passed on.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        self.take(layout.size());
        // SAFETY: the caller's promises are passed on.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // Both count for a moment: a system that cannot grow in place copies.
        self.add(size);
        // SAFETY: the caller's promises are passed on.
        let moved = unsafe { System.realloc(pointer, layout, size) };
        self.take(layout.size());
        moved
    }
}
