//! Times and how they are printed.

use std::time::Instant;

/// What a library took, in milliseconds.
#[derive(Debug, Default)]
pub(crate) struct Times {
    /// With nothing kept.
    pub(crate) first: f64,
    /// The first answer of a process that finds what was kept.
    pub(crate) begun: f64,
    /// All answers after it, sorted.
    pub(crate) hits: Vec<f64>,
}

impl Times {
    pub(crate) fn of(hits: impl Iterator<Item = f64>) -> Self {
        let mut hits: Vec<f64> = hits.collect();
        hits.sort_by(f64::total_cmp);
        Self { hits, ..Self::default() }
    }

    /// The time that so many percent do not exceed.
    pub(crate) fn share(&self, percent: usize) -> f64 {
        self.hits[((self.hits.len() * percent).div_ceil(100)).max(1) - 1]
    }
}

pub(crate) fn milliseconds(work: impl FnOnce()) -> f64 {
    let begun = Instant::now();
    work();
    begun.elapsed().as_secs_f64() * 1_000.0
}

/// The head of the table of libraries, with four columns for each place that answers come from.
pub(crate) fn head(places: &[&str]) {
    print!("{:36}", "");
    places.iter().for_each(|place| print!(" | {place:<35}"));
    print!("\n{:36}", "library");
    places.iter().for_each(|_| print!(" | {:>8} {:>8} {:>8} {:>8}", "first", "new", "p50", "p95"));
    println!();
}

pub(crate) fn row(library: &str, places: &[&Times]) {
    print!("{library:36}");
    for times in places {
        print!(" | {:8.1} {:8.1} {:8.2} {:8.2}", times.first, times.begun, times.share(50), times.share(95));
    }
    println!();
}

/// A figure beside its bar.
pub(crate) fn figure(what: &str, found: f64, bar: Option<f64>) {
    let judged = match bar {
        None => String::new(),
        Some(bar) if found > bar => format!("{bar:>10} OVER"),
        Some(bar) => format!("{bar:>10}"),
    };
    println!("{what:<68} {found:>10.2} {judged}");
}
