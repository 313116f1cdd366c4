//! How much of a request is done, told to whoever listens.

use std::sync::atomic::{AtomicU64, Ordering};

use tapps_base::call::Call;

/// Reports how many of the parts of a request are done.
#[derive(Debug)]
pub(super) struct RequestProgress<'a> {
    call: &'a Call,
    done: AtomicU64,
    files: usize,
    parts: u64,
}

impl<'a> RequestProgress<'a> {
    /// The parts are what is computed here, project facts, and the analyzers that are asked.
    pub(super) fn new(call: &'a Call, files: usize, analyzers: usize) -> Self {
        Self { call, done: AtomicU64::new(0), files, parts: 2 + analyzers as u64 }
    }

    /// One more part is done.
    pub(super) fn done(&self, part: &str) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        let stage = format!("scoring {}: {part} done", self.files);
        self.call.progress.report(&stage, done, self.parts);
    }
}
