//! A batch over a repository of a million lines in eight languages, with no tool but this program and nothing kept: processor
//! seconds and memory of the process that does nothing else.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::corpus;
use crate::locked_crate::unpack_locked_crate;
use crate::raw::PROGRAM;
use crate::server::program_at;

const LINES: usize = 1_000_000;
/// Larger files were written by generators.
const LARGEST: u64 = 400_000;
const CPU_BAR: f64 = 10.0;
const MEMORY_BAR: f64 = 500.0;

/// Where the lines of a language come from, and how many there are at most.
struct Share {
    language: &'static str,
    endings: &'static [&'static str],
    crates: bool,
    packages: &'static [&'static str],
    lines: usize,
}

const C_ENDINGS: &[&str] = &["c", "h"];
const CPP_ENDINGS: &[&str] = &["cc", "cpp", "h", "hh"];
const SCRIPT_ENDINGS: &[&str] = &["js", "jsx", "mjs", "ts", "tsx"];

/// In their order; Python stands last, and takes what is left of the million.
const SHARES: [Share; 9] = [
    share(
        "go",
        &["go"],
        200_000,
        &[
            "go-net",
            "prometheus-client",
            "go-yaml",
            "cobra",
            "zerolog",
            "go-mysql",
            "pflag",
            "go-toml",
            "mux",
            "logrus",
        ],
    ),
    share("script", SCRIPT_ENDINGS, 250_000, &["webpack", "zod", "rxjs"]),
    share_of_crates("rust", &["rs"], 150_000, &["tokio", "regex-automata"]),
    share(
        "java",
        &["java"],
        50_000,
        &["react-native-svg", "capacitor-android", "cordova-android", "cordova-plugin-file", "react-native-webview"],
    ),
    share_of_crates("c", C_ENDINGS, 60_000, &["ring", "tikv-jemalloc-sys"]),
    share("c", C_ENDINGS, 40_000, &["oniguruma"]),
    share("cpp", CPP_ENDINGS, 100_000, &["classic-level", "re2-node"]),
    share("shell", &["bash", "bats", "sh"], 20_000, &["bats", "bats-assert", "bats-support", "nave"]),
    share("python", &["py"], LINES, &["django-source", "sqlalchemy"]),
];

const fn share(
    language: &'static str,
    endings: &'static [&'static str],
    lines: usize,
    packages: &'static [&'static str],
) -> Share {
    Share { language, endings, crates: false, packages, lines }
}

const fn share_of_crates(
    language: &'static str,
    endings: &'static [&'static str],
    lines: usize,
    packages: &'static [&'static str],
) -> Share {
    Share { crates: true, ..share(language, endings, lines, packages) }
}

/// Prints the table. `TAPPS_BENCH_PROGRAM` names another program than the one of this build.
pub(crate) fn run() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let root = folder.path().join("repository");
    let (mut lines, mut files) = (0, 0);
    let mut out = std::io::stdout();
    writeln!(out, "| language | lines | files |\n| --- | --- | --- |").unwrap();
    for share in SHARES {
        let (own_lines, own_files) = lay(&share, &root, share.lines.min(LINES.saturating_sub(lines)));
        writeln!(out, "| {} | {own_lines} | {own_files} |", share.language).unwrap();
        lines += own_lines;
        files += own_files;
    }
    writeln!(out, "| all | {lines} | {files} |\n").unwrap();
    let program = std::env::var_os("TAPPS_BENCH_PROGRAM").map_or_else(|| PROGRAM.into(), PathBuf::from);
    writeln!(out, "| batch | CPU s | bar | peak MiB | bar |\n| --- | --- | --- | --- | --- |").unwrap();
    for (what, arguments) in [("score --quick", &["score", "--quick"][..]), ("score", &["score"]), ("gate", &["gate"])]
    {
        let (cpu, mib) = measure(&program, arguments, &root, folder.path());
        writeln!(out, "| {what} | {cpu:.1} | {CPU_BAR:.0} | {mib:.0} | {MEMORY_BAR:.0} |").unwrap();
    }
}

/// Copies files of a share until there are so many lines; tells how many lines and files there are.
fn lay(share: &Share, root: &Path, most: usize) -> (usize, usize) {
    let (mut lines, mut count) = (0, 0);
    for package in share.packages {
        let from = if share.crates { unpack_locked_crate(package) } else { corpus::dir(package) };
        let mut files: Vec<String> = share.endings.iter().flat_map(|ending| corpus::files(&from, ending)).collect();
        files.sort();
        for file in files {
            let source = from.join(&file);
            let is_written = !file.ends_with(".d.ts") && !file.ends_with(".min.js");
            if lines >= most || !is_written || fs::metadata(&source).unwrap().len() > LARGEST {
                continue;
            }
            let target = root.join(share.language).join(package).join(&file);
            let bytes = fs::read(&source).unwrap();
            fs::create_dir_all(target.parent().unwrap()).unwrap();
            fs::write(&target, &bytes).unwrap();
            lines += bytes.iter().filter(|byte| **byte == b'\n').count();
            count += 1;
        }
    }
    (lines, count)
}

/// Processor seconds and the highest resident memory, in MiB, of a program that has neither tools nor anything kept.
fn measure(program: &Path, arguments: &[&str], root: &Path, beside: &Path) -> (f64, f64) {
    let (data, cache) = (beside.join("data"), beside.join("cache"));
    fs::remove_dir_all(&cache).ok();
    fs::create_dir_all(&cache).unwrap();
    let mut command: Command = program_at(program, root, &cache);
    command.args(arguments).args([".", "--quiet", "--offline", "--format", "json"]).env("TAPPS_MCP_DATA_DIR", &data);
    let before = children_seconds();
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    let ended = loop {
        let text = fs::read_to_string(&status).unwrap_or_default();
        let highest = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        peak = highest.and_then(|of| of.split_whitespace().next()?.parse().ok()).unwrap_or(0).max(peak);
        if let Some(ended) = child.try_wait().unwrap() {
            break ended;
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    // Without the tools of Python, scripts and shell no verdict is whole, and the program says so.
    assert!(ended.code().is_some_and(|code| code != 2), "{arguments:?}: {ended}");
    (children_seconds() - before, f64::from(u32::try_from(peak).unwrap()) / 1024.0)
}

/// User and system time of the processes that this one has waited for.
fn children_seconds() -> f64 {
    let text = fs::read_to_string("/proc/self/stat").unwrap();
    let fields: Vec<&str> = text.rsplit(") ").next().unwrap().split(' ').collect();
    let ticks = |at: usize| fields[at].parse::<f64>().unwrap();
    (ticks(13) + ticks(14)) / 100.0
}
