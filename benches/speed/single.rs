//! One file of 300 lines in a package of 900: what an agent waits for after each edit.

use std::time::Duration;

use serde_json::json;

use crate::project::Project;
use crate::raw::Tools;
use crate::server::Server;
use crate::table::{Table, median, rounds, timed};

const FILE: &str = "django/utils/formats.py";
const USING_LIBRARIES: &str = "requests/adapters.py";

pub(crate) fn measure(tools: &Tools, table: &mut Table) {
    let project = Project::of("django");
    let root = project.root();
    let file = [FILE.to_owned()];
    let cache = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let takes = rounds();

    let start = middle((0..takes).map(|_| Server::start(root, cache.path()).1).collect());
    table.alone("start to the answer of initialize", start, "12 ms");

    let (mut server, _) = Server::start(root, &cache.path().join("fresh"));
    let cold = timed(|| server.call("tapps_score_file", &json!({"file_path": FILE})));
    table.alone("first full score after the start, nothing cached", cold, "2.5 s");
    let info = median(takes, |_| drop(server.call("tapps_server_info", &json!({}))));
    table.alone("tapps_server_info", info, "");

    let (ours, raw) = quick_checks(&mut server, tools, &project, FILE);
    table.beside("quick check of an edited file", ours, "ruff", raw, "ruff + 5 ms");
    measure_names(tools, table);

    tools.mypy(root, &file);
    let mut times: [Vec<_>; 4] = Default::default();
    for take in takes..2 * takes {
        project.edit(FILE, take);
        times[0].push(timed(|| server.call("tapps_score_file", &json!({"file_path": FILE}))));
        times[1].push(timed(|| tools.mypy(root, &file)));
        times[2].push(timed(|| tools.bandit(root, &file)));
        times[3].push(timed(|| tools.ruff(root, &file)));
    }
    let [ours, mypy, bandit, ruff] = times.map(middle);
    let slowest = mypy.max(bandit).max(ruff);
    table.beside("full score of an edited file", ours, "slowest of mypy, bandit, ruff", slowest, "1.15, and 0.4 s");

    let gate = json!({"file_path": FILE});
    let cached = median(takes, |_| drop(server.call("tapps_quality_gate", &gate)));
    table.beside("gate of an unchanged file", cached, "slowest of mypy, bandit, ruff", slowest, "");
    let (own, others, _) = server.footprint();
    table.said("memory (Pss) of the server", format!("{:.1} MiB", own as f64 / 1024.0), "");
    table.said("memory (Pss) of its workers", format!("{:.1} MiB", others as f64 / 1024.0), "");
}

/// A file of 700 lines that uses libraries, whose surfaces are in memory after the first check.
fn measure_names(tools: &Tools, table: &mut Table) {
    let project = Project::beside_libraries("requests-wheel", "requests", &["urllib3", "idna"]);
    let cache = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let (mut server, _) = Server::start(project.root(), cache.path());
    let (ours, raw) = quick_checks(&mut server, tools, &project, USING_LIBRARIES);
    table.beside("quick check of an edited file that uses libraries", ours, "ruff", raw, "ruff + 10 ms");
}

/// Quick checks of a file that is edited before each, here and by ruff; by turns, so that whatever else the machine does meets
/// both alike.
fn quick_checks(server: &mut Server, tools: &Tools, project: &Project, file: &str) -> (Duration, Duration) {
    let (mut ours, mut raw) = (Vec::new(), Vec::new());
    for take in 0..rounds() {
        project.edit(file, take);
        ours.push(timed(|| server.call("tapps_quick_check", &json!({"file_paths": [file]}))));
        raw.push(timed(|| tools.ruff(project.root(), &[file.to_owned()])));
    }
    (middle(ours), middle(raw))
}

fn middle(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}
