//! What an edit costs whoever works on this program: processor time until the unit tests of the edited crate have run, and
//! of a check of the whole workspace after it.
//!
//! Works on a copy of the tree below the build folder, with a build folder of its own, which the first run fills. Linux only,
//! where a process can read the processor time of the processes it has waited for. `cargo bench --profile dev --bench edits`.
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark prints, and ends when it cannot go on")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// An edit as people make them: what it is, the file, and the crate whose unit tests are run.
const EDITS: [(&str, &str, &str); 5] = [
    ("a Python rule", "src/rules/python/rules/deep_nesting.rs", "tapps-rules"),
    ("a script rule", "src/rules/script/rules/await_in_loop.rs", "tapps-rules"),
    ("a report format", "src/report/format/junit.rs", "tapps-report"),
    ("tags", "src/tags/rename.rs", "tapps-tags"),
    ("an MCP tool", "src/server/tools/notes.rs", "tapps-server"),
];

/// Bars in seconds of processor time: the median of the tests, each of them, and the median of the checks.
const BARS: (f64, f64, f64) = (20.0, 40.0, 8.0);

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let build = Path::new(env!("CARGO_TARGET_TMPDIR")).join("edits");
    let tree = build.join("tree");
    copy_tree(root, &tree);
    let cargo = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO"));
        command.args(arguments).current_dir(&tree).env("CARGO_TARGET_DIR", build.join("target"));
        let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap();
        assert!(status.success(), "cargo {arguments:?} failed");
    };
    let test = |package: &str| cargo(&["test", "--locked", "--lib", "--package", package]);
    let check = || cargo(&["check", "--locked", "--workspace"]);
    for (_, _, package) in EDITS {
        test(package);
    }
    check();
    println!("{:18} {:14} {:>12} {:>12}", "edit", "crate", "tests, CPU s", "check, CPU s");
    let (mut tests, mut checks) = (Vec::new(), Vec::new());
    for (number, (what, file, package)) in EDITS.into_iter().enumerate() {
        let path = tree.join(file);
        let before = fs::read_to_string(&path).unwrap();
        // In front of the unit tests, as a function that the compiler cannot leave out before it has looked at it.
        let added = format!(
            "\n#[doc(hidden)]\npub fn edited_{number}(text: &str) -> usize {{\n    text.len() + {number}\n}}\n"
        );
        let at = before.find("\n#[cfg(test)]").unwrap_or(before.len());
        fs::write(&path, [&before[..at], &added, &before[at..]].concat()).unwrap();
        tests.push(seconds(|| test(package)));
        checks.push(seconds(check));
        println!("{what:18} {package:14} {:>12.1} {:>12.1}", tests.last().unwrap(), checks.last().unwrap());
        fs::write(&path, before).unwrap();
    }
    let most = tests.iter().copied().fold(0.0, f64::max);
    println!(
        "median {:.1} (bar {}), most {most:.1} (bar {}), median of the checks {:.1} (bar {})",
        median(tests),
        BARS.0,
        BARS.1,
        median(checks),
        BARS.2
    );
}

/// Processor time of everything that `work` waits for.
fn seconds(work: impl FnOnce()) -> f64 {
    let before = waited_for();
    work();
    waited_for() - before
}

/// Processor time of all processes that this one has waited for, in seconds.
fn waited_for() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap();
    // The name may hold anything; after it, the 14th and 15th fields are the ticks of waited-for children.
    let fields: Vec<&str> = stat.rsplit_once(')').unwrap().1.split_whitespace().collect();
    let ticks: u32 = fields[13..15].iter().map(|field| field.parse::<u32>().unwrap()).sum();
    f64::from(ticks) / 100.0
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Copies what is under version control; a file that is the same keeps its time, so that it is not built anew.
fn copy_tree(from: &Path, to: &Path) {
    let listed = Command::new("git").args(["ls-files", "-z"]).current_dir(from).output().unwrap();
    for name in String::from_utf8(listed.stdout).unwrap().split('\0').filter(|name| !name.is_empty()) {
        let (source, target): (PathBuf, PathBuf) = (from.join(name), to.join(name));
        let Ok(bytes) = fs::read(source) else { continue };
        if fs::read(&target).ok().as_ref() != Some(&bytes) {
            fs::create_dir_all(target.parent().unwrap()).unwrap();
            fs::write(target, bytes).unwrap();
        }
    }
}
