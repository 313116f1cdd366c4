//! Locks while other threads start processes.

use std::fs::File;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};

use tapps_base::FileLock;

/// Closing alone gives nothing back as long as a process that is just being started has a copy of the descriptor.
#[test]
fn a_lock_that_was_given_back_is_free_while_processes_are_being_started() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lock");
    let over = AtomicBool::new(false);
    let refused = std::thread::scope(|threads| {
        for _ in 0..2 {
            threads.spawn(|| {
                while !over.load(Ordering::Relaxed) {
                    Command::new("sh").args(["-c", ":"]).status().unwrap();
                }
            });
        }
        let refused = (0..20_000).find(|_| FileLock::try_acquire(&File::create(&path).unwrap()).is_err());
        over.store(true, Ordering::Relaxed);
        refused
    });
    assert_eq!(refused, None, "the first round in which the lock was still held");
}
