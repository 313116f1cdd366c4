//! Progress on the error stream: bars on a terminal, one line per thing elsewhere.

use std::collections::BTreeMap;
use std::io::IsTerminal as _;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::out;
use tapps_base::log_text;
use tapps_base::progress::{Progress, silent};

const SPINNER: &str = "{spinner} {msg}";
const BAR: &str = "{msg:24} {bar:30} {human_pos}/{human_len}";

/// What suits the error stream of this process.
#[must_use]
pub fn for_stderr(quiet: bool) -> Arc<dyn Progress> {
    if quiet {
        silent()
    } else if std::io::stderr().is_terminal() {
        Arc::new(Bars::new(ProgressDrawTarget::stderr()))
    } else {
        Arc::new(ProgressLines::new(Box::new(out::to_stderr)))
    }
}

/// One bar per stage, gone once the stage is finished.
#[derive(Debug)]
pub struct Bars {
    all: MultiProgress,
    stages: Mutex<BTreeMap<String, ProgressBar>>,
}

impl Bars {
    /// Draws to `target`.
    #[must_use]
    pub fn new(target: ProgressDrawTarget) -> Self {
        Self { all: MultiProgress::with_draw_target(target), stages: Mutex::default() }
    }

    fn begin(&self, stage: &str) -> ProgressBar {
        let bar = self.all.add(ProgressBar::no_length());
        if let Ok(style) = ProgressStyle::with_template(SPINNER) {
            bar.set_style(style);
        }
        bar.set_message(log_text(stage).into_owned());
        bar.enable_steady_tick(Duration::from_millis(120));
        bar
    }
}

impl Progress for Bars {
    fn report(&self, stage: &str, done: u64, total: u64) {
        let mut stages = self.stages.lock().unwrap_or_else(PoisonError::into_inner);
        if total > 0 && done >= total {
            if let Some(bar) = stages.remove(stage) {
                bar.finish_and_clear();
                self.all.remove(&bar);
            }
            return;
        }
        let bar = stages.entry(stage.to_owned()).or_insert_with(|| self.begin(stage));
        if total > 0 && bar.length() != Some(total) {
            bar.set_length(total);
            if let Ok(style) = ProgressStyle::with_template(BAR) {
                bar.set_style(style);
            }
        }
        bar.set_position(done);
    }

    fn note(&self, line: &str) {
        // `println` of the bars writes nothing when they are hidden.
        let line = log_text(line);
        self.all.suspend(|| out::to_stderr(&format!("{line}\n")));
    }
}

type ProgressLineSink = Box<dyn Fn(&str) + Send + Sync>;

/// A line when a stage begins; its steps would only fill a log.
pub struct ProgressLines {
    sink: ProgressLineSink,
    begun: Mutex<Vec<String>>,
}

tapps_base::debug_fields!(ProgressLines { begun });

impl ProgressLines {
    /// Hands each line, with its end, to `sink`.
    #[must_use]
    pub fn new(sink: ProgressLineSink) -> Self {
        Self { sink, begun: Mutex::default() }
    }
}

impl Progress for ProgressLines {
    fn report(&self, stage: &str, done: u64, total: u64) {
        let mut begun = self.begun.lock().unwrap_or_else(PoisonError::into_inner);
        let finished = total > 0 && done >= total;
        match begun.iter().position(|known| known == stage) {
            Some(index) if finished => {
                begun.swap_remove(index);
            }
            Some(_) => {}
            None => {
                let count = if total > 1 { format!(" ({total})") } else { String::new() };
                (self.sink)(&format!("{}{count}\n", log_text(stage)));
                if !finished {
                    begun.push(stage.to_owned());
                }
            }
        }
    }

    fn note(&self, line: &str) {
        (self.sink)(&format!("{}\n", log_text(line)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_gets_one_line_per_stage() {
        let seen = Arc::new(Mutex::new(String::new()));
        let sink = Arc::clone(&seen);
        let lines = ProgressLines::new(Box::new(move |line| sink.lock().unwrap().push_str(line)));
        for done in 0..=3 {
            lines.report("fetching", done, 3);
        }
        lines.note("ruff\u{1b}[0m 0.17.6");
        lines.report("verifying", 0, 0);
        lines.report("verifying", 9, 0);
        lines.report("fetching", 0, 1);
        assert_eq!(*seen.lock().unwrap(), "fetching (3)\nruff[0m 0.17.6\nverifying\nfetching\n");
    }

    #[test]
    fn bars_come_and_go_with_their_stage() {
        let bars = Bars::new(ProgressDrawTarget::hidden());
        bars.report("scoring", 0, 0);
        bars.report("scoring", 1, 4);
        let bar = bars.stages.lock().unwrap()["scoring"].clone();
        assert_eq!((bar.position(), bar.length()), (1, Some(4)));
        bars.report("scoring", 4, 4);
        assert!(bar.is_finished());
        assert!(bars.stages.lock().unwrap().is_empty());
    }
}
