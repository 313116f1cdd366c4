//! A small process that outlives this one for a moment and ends what it left behind.
//!
//! A killed program cannot end what it started. So one watcher is told of every process group (`+N` when it begins, `-N`
//! when it is over) through a pipe whose other end only this program holds. However this program ends, also by `kill -9`,
//! the pipe closes and the watcher kills the groups still open.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::{BufRead, Write};
use std::path::Path;
use std::process::{ChildStdin, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::platform;

/// The first argument that makes this program a watcher.
const WATCH: &str = "__watch";

static WATCHER: Mutex<Watcher<ChildStdin>> = Mutex::new(Watcher { pipe: None, open: BTreeSet::new() });

/// What this program knows of its watcher.
#[derive(Debug)]
struct Watcher<P> {
    pipe: Option<P>,
    /// The groups it has been told of, for the next one when it dies.
    open: BTreeSet<u32>,
}

/// Is the watcher when `args` (with the program's own name first) asks for one, and then returns true after its end. Must
/// be the first thing in `main`: nothing may have been started or written before.
#[must_use]
pub fn run_if_watcher(mut args: impl Iterator<Item = OsString>) -> bool {
    let asked = args.nth(1).is_some_and(|mode| mode == WATCH);
    if asked {
        serve_watcher(std::io::stdin().lock());
    }
    asked
}

/// Starts the watcher when there is none yet.
pub(super) fn ensure_watcher(helper: Option<&Path>) {
    lock_watcher().ensure(|| start_watcher(helper?));
}

/// Tells the watcher of a new group.
pub(super) fn watch_group(helper: Option<&Path>, leader: u32) {
    lock_watcher().add(leader, || start_watcher(helper?));
}

/// Tells the watcher that a group is over.
pub(super) fn unwatch_group(leader: u32) {
    lock_watcher().remove(leader);
}

fn lock_watcher() -> MutexGuard<'static, Watcher<ChildStdin>> {
    WATCHER.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<P: Write> Watcher<P> {
    /// Starts a watcher when there is none, and tells it of everything that is open.
    fn ensure(&mut self, start: impl FnOnce() -> Option<P>) {
        if self.pipe.is_none() {
            self.pipe = start();
            let open: String = self.open.iter().map(|leader| format!("+{leader}\n")).collect();
            self.tell(&open);
        }
    }

    fn add(&mut self, leader: u32, start: impl FnOnce() -> Option<P>) {
        self.open.insert(leader);
        self.tell(&format!("+{leader}\n"));
        self.ensure(start);
    }

    fn remove(&mut self, leader: u32) {
        self.open.remove(&leader);
        self.tell(&format!("-{leader}\n"));
    }

    /// A watcher that cannot be told anything is dead.
    fn tell(&mut self, lines: &str) {
        if self.pipe.as_mut().is_some_and(|pipe| pipe.write_all(lines.as_bytes()).is_err()) {
            self.pipe = None;
        }
    }
}

fn start_watcher(helper: &Path) -> Option<ChildStdin> {
    use std::os::unix::process::CommandExt as _;
    let mut command = Command::new(helper);
    command.arg(WATCH).env_clear().current_dir("/");
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    // A group of its own: a terminal or a client that ends the whole group of this program must not end the watcher.
    command.process_group(0);
    match command.spawn() {
        Ok(mut child) => child.stdin.take(),
        Err(error) => {
            tracing::warn!(%error, "no watcher: tools may outlive a killed server");
            None
        }
    }
}

/// The watcher itself: reads until the pipe closes, then ends every group still open.
fn serve_watcher(input: impl BufRead) {
    for group in left_open(input) {
        platform::kill_group(group);
    }
}

fn left_open(input: impl BufRead) -> BTreeSet<u32> {
    let mut open = BTreeSet::new();
    for line in input.lines().map_while(Result::ok) {
        if let Some(group) = line.strip_prefix('+').and_then(|number| number.parse().ok()) {
            open.insert(group);
        } else if let Some(group) = line.strip_prefix('-').and_then(|number| number.parse::<u32>().ok()) {
            open.remove(&group);
        }
    }
    open
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_groups_that_are_not_over_are_left() {
        let open = left_open(&b"+10\n+20\nnonsense\n-10\n+30\n-99\n"[..]);
        assert_eq!(open, BTreeSet::from([20, 30]));
    }

    /// A pipe that breaks after some lines.
    struct Breaking {
        lines: std::rc::Rc<std::cell::RefCell<String>>,
        left: usize,
    }

    impl Write for Breaking {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.left = self.left.checked_sub(1).ok_or(std::io::ErrorKind::BrokenPipe)?;
            self.lines.borrow_mut().push_str(std::str::from_utf8(bytes).unwrap());
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn the_next_watcher_is_told_what_the_last_one_knew() {
        let told: [std::rc::Rc<std::cell::RefCell<String>>; 2] = Default::default();
        let pipe = |at: usize, left| Some(Breaking { lines: std::rc::Rc::clone(&told[at]), left });
        let mut watcher = Watcher { pipe: None, open: BTreeSet::new() };
        watcher.ensure(|| pipe(0, 3));
        watcher.add(10, || unreachable!());
        watcher.add(20, || unreachable!());
        watcher.remove(10);
        watcher.add(30, || pipe(1, 9));
        assert_eq!(*told[0].borrow(), "+10\n+20\n-10\n");
        assert_eq!(*told[1].borrow(), "+20\n+30\n");
    }
}
