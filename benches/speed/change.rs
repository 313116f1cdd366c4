//! The verdict on a change beside the verdict on the same files as wholes, of the same build in the same run; and beside what an
//! earlier program takes for them, when `TAPPS_BENCH_EARLIER` names one.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use tempfile::TempDir;

use crate::project::Project;
use crate::raw::PROGRAM;
use crate::server::{cache_of_known_machine, program_at};
use crate::table::timed;

/// Takes of each figure, those that are compared in turns, so that a machine that is slower for a while is so for both; the
/// middle one counts.
const TAKES: usize = 5;

/// How the files of a change are judged.
#[derive(Clone, Copy)]
enum Judged<'p> {
    Whole,
    Change,
    /// By a program of another version, as it judges a change.
    Earlier(&'p Path),
}

impl<'p> Judged<'p> {
    fn program(self) -> &'p Path {
        match self {
            Self::Earlier(earlier) => earlier,
            Self::Whole | Self::Change => Path::new(PROGRAM),
        }
    }
}

pub(crate) fn run() {
    let earlier = std::env::var_os("TAPPS_BENCH_EARLIER").map(PathBuf::from);
    let mut table = "| package | changed files | whole, nothing kept | change, nothing kept | ratio | whole, again edited | change, base kept | ratio |\n\
        | --- | --- | --- | --- | --- | --- | --- | --- |\n"
        .to_owned();
    let mut beside = String::new();
    for (package, count) in [("rich", 1), ("rich", 20), ("django", 500)] {
        let project = Project::of(package);
        let root = project.root();
        git(root, &["init", "--quiet"]);
        git(root, &["add", "--all"]);
        git(root, &["commit", "--quiet", "--message", "base"]);
        let files: Vec<&String> =
            project.files.iter().filter(|file| !file.ends_with("__init__.py")).take(count).collect();
        let edit = |take: usize| files.iter().for_each(|file| project.edit(file, take));
        edit(0);
        let cold = |judged: Judged<'_>| {
            let cache = cache_of_known_machine(judged.program());
            timed(|| gate(root, cache.path(), judged))
        };
        let kept = |judged: Judged<'_>| {
            let cache = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
            gate(root, cache.path(), judged);
            cache
        };
        let both = [Judged::Whole, Judged::Change];
        let [whole, change] = medians(both, |_, judged| cold(judged));
        let caches = both.map(kept);
        let again = |cache: &TempDir, judged| timed(|| gate(root, cache.path(), judged));
        let [whole_again, change_again] = medians([0, 1], |take, which| {
            edit(take + 1);
            again(&caches[which], both[which])
        });
        edit(0);
        let count = files.len();
        writeln!(
            table,
            "| {package} | {count} | {whole:.2} s | {change:.2} s | {:.2} | {whole_again:.2} s | {change_again:.2} s | {:.2} |",
            change / whole,
            change_again / whole_again
        )
        .unwrap();
        if let Some(earlier) = &earlier {
            let earlier = Judged::Earlier(earlier);
            // It may have tools of its own to set up.
            cold(earlier);
            let [before] = medians([earlier], |_, judged| cold(judged));
            let cache = kept(earlier);
            let [before_again] = medians([earlier], |take, judged| {
                edit(take + 1);
                again(&cache, judged)
            });
            edit(0);
            writeln!(
                beside,
                "{package}, {count} files: {before:.2} s with nothing kept ({:.2}), {before_again:.2} s edited again ({:.2})",
                change / before,
                change_again / before_again
            )
            .unwrap();
        }
    }
    let mut out = std::io::stdout();
    writeln!(out, "{table}").unwrap();
    if !beside.is_empty() {
        writeln!(out, "the earlier program, and the share that a change takes of it now:\n{beside}").unwrap();
    }
}

/// The middle ones of the takes of each kind, in seconds.
fn medians<K: Copy, const N: usize>(kinds: [K; N], take: impl Fn(usize, K) -> Duration) -> [f64; N] {
    let mut takes = [(); N].map(|()| Vec::with_capacity(TAKES));
    for number in 0..TAKES {
        for turn in 0..N {
            // Whoever goes first finds fewer files in memory.
            let which = (turn + number) % N;
            takes[which].push(take(number, kinds[which]).as_secs_f64());
        }
    }
    takes.map(|mut takes: Vec<f64>| {
        takes.sort_by(f64::total_cmp);
        takes[TAKES / 2]
    })
}

fn gate(root: &Path, cache: &Path, judged: Judged<'_>) {
    let mut command = program_at(judged.program(), root, cache);
    // Early versions have no base by themselves; here it is the same one.
    command.args(["gate", "--quiet", "--changed", "HEAD"]).args(matches!(judged, Judged::Whole).then_some("--whole"));
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap();
    assert!(matches!(status.code(), Some(0 | 1)), "{status}");
}

fn git(root: &Path, arguments: &[&str]) {
    let mut command = Command::new("git");
    command.args(["-c", "user.name=Test", "-c", "user.email=test@example.invalid", "-c", "init.defaultBranch=main"]);
    assert!(command.args(arguments).current_dir(root).status().unwrap().success(), "git {arguments:?}");
}
