//! A whole package: cold, unchanged, and with one file changed.

use std::path::Path;
use std::process::Stdio;

use serde_json::json;

use crate::project::Project;
use crate::raw::{PROGRAM, Tools};
use crate::server::{Server, cache_of_known_machine, program};
use crate::table::{Table, median, timed};

/// A batch takes long enough that few takes are steady.
const TAKES: usize = 5;

pub(crate) fn measure(package: &'static str, tools: &Tools, table: &mut Table) {
    let project = Project::of(package);
    let (root, files) = (project.root(), &project.files[..]);
    let name = format!("{package}, {} files", files.len());

    tools.forget();
    let ruff = timed(|| tools.ruff(root, files));
    let mypy = timed(|| tools.mypy(root, files));
    let bandit = timed(|| tools.bandit(root, files));
    let radon = timed(|| tools.radon(root, files));
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let raw = (ruff + mypy + bandit + radon) / u32::try_from(cores).unwrap();

    let unknown = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let first = timed(|| gate(root, unknown.path(), package));
    let cache = cache_of_known_machine(Path::new(PROGRAM));
    let cold = timed(|| gate(root, cache.path(), package));
    let whole = format!("four tools, by {cores} cores");
    let (cold_bar, again_bar) = if package == "django" { ("0.6", "300 ms") } else { ("1.1", "150 ms") };
    table.beside(&format!("{name}: first gate of a machine"), first, &whole, raw, "");
    table.beside(&format!("{name}: gate, nothing of it cached"), cold, &whole, raw, cold_bar);
    // Files written this very second are not yet taken to be settled.
    std::thread::sleep(std::time::Duration::from_secs(3));
    gate(root, cache.path(), package);
    let unchanged = median(TAKES, |_| gate(root, cache.path(), package));
    table.beside(&format!("{name}: gate again, a new process"), unchanged, &whole, raw, again_bar);
    let leaf = leaf(&project);
    let changed = median(TAKES, |take| {
        project.edit(&leaf, take);
        gate(root, cache.path(), package);
    });
    table.beside(&format!("{name}: one file changed, a new process"), changed, &whole, raw, "1 s");

    let (mut server, _) = Server::start(root, cache.path());
    let all = json!({"file_paths": [package], "scope": "whole"});
    drop(server.call("tapps_validate_changed", &all));
    let unchanged = median(TAKES, |_| drop(server.call("tapps_validate_changed", &all)));
    table.beside(&format!("{name}: unchanged, in the server"), unchanged, &whole, raw, "150 ms");
    let changed = median(TAKES, |take| {
        project.edit(&leaf, 100 + take);
        drop(server.call("tapps_validate_changed", &all));
    });
    table.beside(&format!("{name}: one file changed, in the server"), changed, &whole, raw, "1 s");
}

fn gate(root: &Path, cache: &Path, package: &str) {
    let mut command = program(root, cache);
    command.args(["gate", package, "--quiet"]).stdout(Stdio::null()).stderr(Stdio::null());
    let status = command.status().unwrap();
    assert!(matches!(status.code(), Some(0 | 1)), "{status}");
}

/// A module that few others import, as most edited ones are.
fn leaf(project: &Project) -> String {
    let end = |file: &&String| {
        ["emoji.py", "utils/lorem_ipsum.py"].iter().any(|name| **file == format!("{}/{name}", project.package))
    };
    project.files.iter().find(end).unwrap_or(&project.files[0]).clone()
}
