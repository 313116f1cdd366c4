//! Wheels with the very bytes that the lock names, and verdicts that take nothing else.

use std::io::{Cursor, Write as _};

use tapps_base::digest;
use tapps_quality::requests::GateRequest;
use tapps_quality::result::FileScore;

use super::decisions::{errors, project, stamp};
use crate::scoring::support::Project;

const USER: &str = "\"\"\"Uses.\"\"\"\n\nimport toolbox\n\nANSWER: str = toolbox.size(\"x\")\n";

/// A wheel of a library with types.
fn wheel() -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (path, text) in [
        ("toolbox/__init__.py", "def size(name: str) -> int:\n    return len(name)\n"),
        ("toolbox/py.typed", ""),
        ("toolbox-1.0.dist-info/RECORD", ""),
    ] {
        writer.start_file(path, zip::write::SimpleFileOptions::default()).unwrap();
        writer.write_all(text.as_bytes()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn with_wheel(digest: &str) -> Project {
    let lock = format!("[[package]]\nname = 'toolbox'\nversion = '1.0'\nwheels = [{{hash = 'sha256:{digest}'}}]\n");
    let project = Project::of(&[("user.py", USER.as_bytes()), ("uv.lock", lock.as_bytes())]);
    project.write("wheelhouse/toolbox-1.0-py3-none-any.whl", &wheel());
    project
}

fn verified(project: &Project, file: &str) -> FileScore {
    let request = GateRequest { paths: vec![file.to_owned()], require_verified: true, ..GateRequest::default() };
    project.gate_by(request).unwrap().files.remove(0).result
}

#[test]
fn a_wheel_counts_where_its_digest_is_that_of_the_lock() {
    let project = with_wheel(&digest::sha256(&wheel()));
    for score in [project.full("user.py"), verified(&project, "user.py")] {
        assert_eq!(errors(&score).len(), 1, "{:?}", score.mypy_errors);
        assert_eq!((stamp(&score).locked, stamp(&score).as_installed), (1, 0));
    }
    let other = with_wheel(&digest::sha256(b"another"));
    let score = other.full("user.py");
    assert_eq!((errors(&score), score.toolchain.types), (Vec::new(), None));
}

#[test]
fn what_is_installed_has_no_say_where_all_must_be_verified() {
    let project = project("httpx==0.28.1\n", &["httpx"]);
    assert_eq!(project.full("client.py").mypy_errors.len(), 1);
    let score = verified(&project, "client.py");
    assert_eq!((errors(&score), score.toolchain.types), (Vec::new(), None));
}
