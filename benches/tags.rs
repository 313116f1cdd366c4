//! What reading the tags of a vault costs, beside ripgrep and a plain directory walk on the same files.
//!
//! Prints processor time, so that a busy machine does not matter much. ripgrep is looked up in `RIPGREP`, else on PATH.
//! Sizes: `cargo bench --bench tags -- 1000 10000 50000`.
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark prints, and ends when it cannot go on")]

use std::fmt::Write as _;
use std::fs;
use std::io::Read as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use tapps_base::call::Call;
use tapps_base::clock;
use tapps_config::Config;
use tapps_sandbox::Boundary;
use tapps_tags::batch::{ReplaceRequest, replace_tags};
use tapps_tags::vault::{FindRequest, ListRequest, VaultSelection};
use tapps_tags::{Profile, Replacement, Vaults};

/// As in the programs.
#[cfg(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu"))]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() {
    let asked: Vec<usize> = std::env::args().skip(1).filter_map(|argument| argument.parse().ok()).collect();
    let sizes = if asked.is_empty() { vec![1_000, 10_000, 50_000] } else { asked };
    println!("{:>7} {:>7} {:22} {:>9} {:>9}", "notes", "MiB", "what", "CPU s", "ratio");
    for size in sizes {
        measure(size);
    }
    println!("peak memory of this process: {} MiB", status("VmHWM:") / 1024);
}

fn measure(size: usize) {
    let folder = tempfile::tempdir().unwrap();
    let bytes = generate(folder.path(), size);
    // What changed less than two seconds ago is read again to be sure; that is not what is measured.
    std::thread::sleep(Duration::from_millis(2_200));
    let mebibytes = bytes / (1024 * 1024);
    let runs = (100_000 / size).clamp(2, 60);
    let print = |what: &str, seconds: f64, base: f64| {
        println!("{size:>7} {mebibytes:>7} {what:22} {seconds:>9.4} {:>8.2}x", seconds / base);
    };
    let root = folder.path().canonicalize().unwrap();
    let ripgrep = (0..runs).map(|_| ripgrep(&root)).collect::<Option<Vec<f64>>>().map(|all| all.iter().sum::<f64>());
    let ripgrep = ripgrep.map(|total| total / runs as f64);
    let walk = cpu(runs, || assert_eq!(walk(&root), bytes));
    let place = VaultSelection { root: root.to_str().unwrap().to_owned(), profile: Profile::Obsidian };
    let before = status("VmRSS:");
    let vaults = fresh(&root);
    let list = ListRequest { place: place.clone(), ..ListRequest::default() };
    let found = vaults.list_tags(&list, &call()).unwrap();
    assert_eq!(found.searched.notes, size);
    let index = status("VmRSS:").saturating_sub(before);
    for profile in [Profile::Obsidian, Profile::TagManager] {
        let list = ListRequest { place: VaultSelection { profile, ..place.clone() }, ..ListRequest::default() };
        let cold = cpu(runs, || drop(fresh(&root).list_tags(&list, &call()).unwrap()));
        print(&format!("cold list, {profile}"), cold, ripgrep.unwrap_or(f64::NAN));
    }
    if let Some(ripgrep) = ripgrep {
        print("ripgrep", ripgrep, ripgrep);
    }
    print("walk with stamps", walk, walk);
    print("warm list", cpu(runs * 3, || drop(vaults.list_tags(&list, &call()).unwrap())), walk);
    let find = FindRequest {
        place: place.clone(),
        tags: vec!["topic-1".into(), "topic-2".into(), "area/3".into()],
        ..FindRequest::default()
    };
    print("warm find of 3 tags", cpu(runs * 3, || drop(vaults.find_files(&find, &call()).unwrap())), walk);
    for count in [1, 5] {
        let replacements =
            (0..count).map(|n| Replacement { old_tag: format!("topic-{n}"), new_tag: format!("theme-{n}") }).collect();
        let request = ReplaceRequest {
            place: place.clone(),
            replacements,
            nested: false,
            dry_run: true,
            max_diff_bytes: Some(0),
        };
        let cold = cpu(runs, || drop(replace_tags(&fresh(&root), &request, &call()).unwrap()));
        print(&format!("cold dry run of {count}"), cold, ripgrep.unwrap_or(f64::NAN));
    }
    println!("{size:>7} {mebibytes:>7} memory of the index: {index} KiB, {} tags", found.total);
}

fn fresh(root: &Path) -> Vaults {
    Vaults::new(Arc::new(Boundary::open(root).unwrap()), &Config::default(), clock::system())
}

fn call() -> Call {
    Call::quiet(Duration::from_secs(3_600))
}

/// Processor seconds of this process for one of `runs` turns of `work`.
fn cpu(runs: usize, mut work: impl FnMut()) -> f64 {
    let start = ticks(13);
    (0..runs).for_each(|_| work());
    (ticks(13) - start) / runs as f64
}

/// Seconds in user and system mode, from the two fields of the process's statistics that begin at `field`: 13 for the
/// process itself, 15 for its children that have ended.
fn ticks(field: usize) -> f64 {
    let text = fs::read_to_string("/proc/self/stat").unwrap();
    let fields: Vec<&str> = text.rsplit(')').next().unwrap().split_whitespace().collect();
    let at = |index: usize| fields[index - 2].parse::<f64>().unwrap();
    (at(field) + at(field + 1)) / 100.0
}

/// A field of the process's status, in KiB.
fn status(name: &str) -> u64 {
    let text = fs::read_to_string("/proc/self/status").unwrap();
    let line = text.lines().find(|line| line.starts_with(name)).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

/// Processor seconds of ripgrep for what looks like tags; none when it is not there.
fn ripgrep(root: &Path) -> Option<f64> {
    let program = std::env::var("RIPGREP").unwrap_or_else(|_| "rg".into());
    let start = ticks(15);
    let mut child = Command::new(program)
        .args([
            "--no-config",
            "--no-ignore",
            "-o",
            "-g",
            "*.md",
            "-e",
            r"(?-u)#[\w/-]+",
            "-e",
            r"(?-u)^tags:.*",
            "-e",
            r"(?-u)^\s*- [\w/-]+$",
        ])
        .arg(root)
        .stdout(Stdio::piped())
        .spawn()
        .ok()?;
    let mut found = 0;
    let mut buffer = vec![0_u8; 1 << 20];
    let mut output = child.stdout.take()?;
    while let Ok(read @ 1..) = output.read(&mut buffer) {
        found += read;
    }
    child.wait().ok()?;
    assert!(found > 0);
    Some(ticks(15) - start)
}

/// A directory walk that asks for the metadata of every note.
fn walk(folder: &Path) -> u64 {
    let mut bytes = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        if entry.file_type().unwrap().is_dir() {
            bytes += walk(&entry.path());
        } else if entry.file_name().as_encoded_bytes().ends_with(b".md") {
            bytes += entry.metadata().unwrap().len();
        }
    }
    bytes
}

/// Writes notes of some 2.6 KB: front matter, prose with hashtags, links, code. The same every time.
fn generate(root: &Path, size: usize) -> u64 {
    let mut seed = 88_172_645_463_325_252_u64;
    let mut next = |below: u64| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        seed % below
    };
    let mut bytes = 0;
    for number in 0..size {
        let folder = root.join(format!("area {}", number / 2_000)).join(format!("{:03}", number / 100));
        if number % 100 == 0 {
            fs::create_dir_all(&folder).unwrap();
        }
        let mut note = format!("---\ntitle: Note {number}\ncreated: 2024-03-0{}\n", next(9) + 1);
        if number % 3 == 0 {
            writeln!(note, "tags: [topic-{}, area/{}]", next(300), next(40)).unwrap();
        } else if number % 3 == 1 {
            writeln!(note, "tags:\n  - topic-{}\n  - status/{}", next(300), next(5)).unwrap();
        }
        writeln!(note, "---\n\n# Note {number}\n").unwrap();
        for paragraph in 0..9 {
            for _ in 0..36 {
                note.push_str(WORDS[usize::try_from(next(WORDS.len() as u64)).unwrap()]);
                note.push(' ');
            }
            match paragraph % 4 {
                0 => writeln!(note, "#topic-{} and [[Note {}#part]].\n", next(300), next(1_000)),
                1 => writeln!(note, "see https://example.org/page#part-{} and `#code`.\n", next(50)),
                2 => writeln!(note, "\n\n```sh\n# comment #{}\necho \"#no\"\n```\n", next(9)),
                _ => writeln!(note, "\n\n- item #idea\n- [ ] task [link](#anchor)\n\n## Part {paragraph}\n"),
            }
            .unwrap();
        }
        bytes += note.len() as u64;
        fs::write(folder.join(format!("note {number}.md")), note).unwrap();
    }
    bytes
}

const WORDS: [&str; 16] = [
    "meeting", "about", "the", "garden", "**wall**", "which", "nobody", "*wanted*", "to", "paint", "again", "because",
    "of", "rain", "in", "autumn,",
];
