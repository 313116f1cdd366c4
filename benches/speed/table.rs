//! The figures, as a table.

use std::io::Write as _;
use std::time::{Duration, Instant};

#[derive(Default)]
pub(crate) struct Table(Vec<[String; 5]>);

impl Table {
    /// A figure without anything to compare it with.
    pub(crate) fn alone(&mut self, what: &str, ours: Duration, bar: &str) {
        self.add([what.to_owned(), shown(ours), String::new(), String::new(), bar.to_owned()]);
    }

    /// A figure beside that of raw tools in the same run.
    pub(crate) fn beside(&mut self, what: &str, ours: Duration, raw: &str, theirs: Duration, bar: &str) {
        let ratio = format!("{:.2}", ours.as_secs_f64() / theirs.as_secs_f64());
        self.add([what.to_owned(), shown(ours), format!("{raw}: {}", shown(theirs)), ratio, bar.to_owned()]);
    }

    /// A figure that is no time.
    pub(crate) fn said(&mut self, what: &str, value: String, bar: &str) {
        self.add([what.to_owned(), value, String::new(), String::new(), bar.to_owned()]);
    }

    fn add(&mut self, row: [String; 5]) {
        writeln!(std::io::stdout(), "{}", row.join(" | ")).expect("standard output is open");
        self.0.push(row);
    }

    pub(crate) fn print(&self) {
        let mut out = std::io::stdout();
        writeln!(out, "| what | here | raw tools | ratio | bar |\n| --- | --- | --- | --- | --- |").unwrap();
        for row in &self.0 {
            writeln!(out, "| {} |", row.join(" | ")).unwrap();
        }
    }
}

fn shown(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    if seconds >= 1.0 { format!("{seconds:.2} s") } else { format!("{:.1} ms", seconds * 1e3) }
}

/// How often a single figure is taken.
pub(crate) fn rounds() -> usize {
    std::env::var("TAPPS_BENCH_ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(15)
}

pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> Duration {
    let begun = Instant::now();
    work();
    begun.elapsed()
}

/// The middle one of several takes; `work` is told the number of the take.
pub(crate) fn median(takes: usize, mut work: impl FnMut(usize)) -> Duration {
    let mut times: Vec<Duration> = (0..takes).map(|take| timed(|| work(take))).collect();
    times.sort_unstable();
    times[times.len() / 2]
}
