//! Thousands of mixed calls to one server: does it stay as it was?

use std::io::Write as _;

use serde_json::json;

use crate::project::Project;
use crate::server::Server;

const CALLS: usize = 5_000;

pub(crate) fn run() {
    let project = Project::of("rich");
    let cache = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let (mut server, _) = Server::start(project.root(), cache.path());
    let mut out = std::io::stdout();
    let files = &project.files;
    writeln!(out, "| calls | server, MiB | its processes, MiB | zombies |\n| --- | --- | --- | --- |").unwrap();
    for call in 0..CALLS {
        let file = &files[call * 7 % files.len()];
        match call % 10 {
            0 => {
                project.edit(file, call);
                drop(server.call("tapps_quality_gate", &json!({"file_path": file})));
            }
            1..=3 => drop(server.call("tapps_quick_check", &json!({"file_paths": [file]}))),
            4 | 5 => drop(server.call("tapps_score_file", &json!({"file_path": file}))),
            6 => drop(server.call("tapps_security_scan", &json!({"file_path": file}))),
            7 if call % 500 == 7 => {
                drop(server.call("tapps_validate_changed", &json!({"file_paths": ["rich"], "scope": "whole"})))
            }
            7 | 8 => drop(server.call("tapps_server_info", &json!({}))),
            _ => drop(server.call("tapps_checklist", &json!({}))),
        }
        if (call + 1) % 500 == 0 {
            let (own, others, zombies) = server.footprint();
            let mib = |kib: u64| kib as f64 / 1024.0;
            writeln!(out, "| {} | {:.1} | {:.1} | {zombies} |", call + 1, mib(own), mib(others)).unwrap();
        }
    }
}
