//! Locked packages held against a database of advisories.

use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tapps_base::call::Call;
use tapps_base::{ErrorCode, Result};
use tapps_project::advisories::{Database, DependencyScan, VulnerabilitySeverity, scan_dependencies};
use tapps_sandbox::Boundary;

const FLASK: &str = r#"{"id": "X-1", "aliases": ["CVE-1"], "summary": "cookies leak", "modified": "2025-02-01T00:00:00Z",
 "affected": [{"package": {"ecosystem": "PyPI", "name": "Flask"},
  "ranges": [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}, {"fixed": "2.2.5"}, {"introduced": "2.3.0"}, {"fixed": "2.3.2"}]}]}],
 "severity": [{"type": "CVSS_V3", "score": "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N"}]}"#;

const LODASH: &str = r#"{"id": "X-2", "summary": "prototypes", "affected": [{"package": {"ecosystem": "npm", "name": "lodash"},
  "ranges": [{"type": "SEMVER", "events": [{"introduced": "0"}, {"last_affected": "4.17.20"}]}]}],
 "database_specific": {"severity": "CRITICAL"}}"#;

const OTHERS: &str = r#"[
 {"id": "X-3", "summary": "taken back", "withdrawn": "2025-01-01T00:00:00Z", "affected": [{"package": {"ecosystem": "PyPI", "name": "flask"}, "versions": ["2.2.0"]}]},
 {"id": "X-4", "summary": "one version", "affected": [{"package": {"ecosystem": "crates.io", "name": "time"}, "versions": ["0.1.42"]}]},
 {"id": "X-5", "summary": "a commit", "affected": [{"package": {"ecosystem": "Go", "name": "example.org/a"}, "ranges": [{"type": "GIT", "events": [{"introduced": "0"}]}, {"type": "SEMVER", "events": [{"introduced": "1.0.0"}, {"fixed": "1.2.3"}]}]}]}]"#;

struct Project {
    dir: tempfile::TempDir,
    boundary: Arc<Boundary>,
}

impl Project {
    fn new(files: &[(&str, &str)]) -> Self {
        let dir = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let full = dir.path().join(path);
            std::fs::create_dir_all(full.parent().unwrap()).unwrap();
            std::fs::write(full, text).unwrap();
        }
        let boundary = Arc::new(Boundary::open(dir.path()).unwrap());
        Self { dir, boundary }
    }

    fn scan(&self, inside: &[&str], shared: Option<&Path>) -> Result<DependencyScan> {
        let inside: Vec<String> = inside.iter().map(|path| (*path).to_owned()).collect();
        let database = Database::open(&self.boundary, &inside, shared)?;
        scan_dependencies(&self.boundary, &database, &Call::quiet(Duration::from_secs(60)))
    }
}

fn project() -> Project {
    Project::new(&[
        ("requirements.txt", "flask==2.2.0\nclick>=8\n"),
        ("new/requirements.txt", "Flask==2.2.5\n"),
        ("web/package.json", "{\"dependencies\": {\"lodash\": \"^4\"}}"),
        (
            "web/package-lock.json",
            "{\"packages\": {\"node_modules/lodash\": {\"version\": \"4.17.20\"}, \"node_modules/x/node_modules/lodash\": {\"version\": \"4.17.21\"}}}",
        ),
        ("Cargo.lock", "[[package]]\nname = \"time\"\nversion = \"0.1.42\"\n"),
        ("go.mod", "module m\nrequire example.org/a v1.2.0\n"),
        ("osv/flask.json", FLASK),
        ("osv/deep/lodash.json", LODASH),
        ("osv/others.json", OTHERS),
        ("osv/README.json", "not JSON"),
    ])
}

/// An archive with one file of the given text.
fn zipped(text: &[u8]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    zip.start_file("all.json", zip::write::SimpleFileOptions::default()).unwrap();
    zip.write_all(text).unwrap();
    zip.finish().unwrap().into_inner()
}

/// A few hundred kilobytes that would be gigabytes in memory are left alone.
#[test]
fn an_archive_out_of_all_proportion_is_not_read() {
    let project = project();
    let padded = |bytes: usize| format!("[{LODASH},{}0]", "0,".repeat(bytes / 2)).into_bytes();
    std::fs::write(project.dir.path().join("bomb.zip"), zipped(&padded(200 << 20))).unwrap();
    let error = project.scan(&["bomb.zip"], None).unwrap_err();
    assert_eq!(error.code(), ErrorCode::ConfigError);
    assert_eq!(error.message(), "the database bomb.zip holds no advisory that can be read");
    std::fs::write(project.dir.path().join("sound.zip"), zipped(&padded(1 << 20))).unwrap();
    assert_eq!(project.scan(&["sound.zip"], None).unwrap().vulnerable.len(), 1);
}

#[test]
fn vulnerable_versions_are_found_with_what_mends_them() {
    let report = project().scan(&["osv"], None).unwrap();
    let seen: Vec<(&str, &str, &str, VulnerabilitySeverity, &[String])> = report
        .vulnerable
        .iter()
        .map(|one| (one.id.as_str(), one.package.as_str(), one.version.as_str(), one.level, one.fixed_in.as_slice()))
        .collect();
    let none: &[String] = &[];
    let (flask, go) = (["2.2.5".to_owned()], ["1.2.3".to_owned()]);
    assert_eq!(
        seen,
        [
            ("X-2", "lodash", "4.17.20", VulnerabilitySeverity::Critical, none),
            ("X-1", "flask", "2.2.0", VulnerabilitySeverity::High, &flask[..]),
            ("X-5", "example.org/a", "v1.2.0", VulnerabilitySeverity::Unknown, &go[..]),
            ("X-4", "time", "0.1.42", VulnerabilitySeverity::Unknown, none),
        ]
    );
    assert_eq!(report.vulnerable[1].score, Some(7.5));
    assert_eq!(report.vulnerable[1].files, ["requirements.txt"]);
    assert_eq!((report.passed, report.packages), (false, 6));
    assert_eq!(report.unlocked, ["PyPI:click (requirements.txt)"]);
    assert_eq!((report.database.advisories, report.database.unread), (4, 1));
    assert_eq!(report.database.newest, "2025-02-01T00:00:00Z");
}

#[test]
fn lines_archives_and_answers_of_services_are_databases_too() {
    let project = project();
    let outside = tempfile::tempdir().unwrap();
    let one_line = |text: &str| text.replace('\n', " ");
    let lines = outside.path().join("all.jsonl");
    std::fs::write(&lines, format!("{}\n{}\n", one_line(FLASK), one_line(LODASH))).unwrap();
    assert_eq!(project.scan(&[], Some(&lines)).unwrap().vulnerable.len(), 2);

    let archive = outside.path().join("all.zip");
    let mut writer = zip::ZipWriter::new(std::fs::File::create(&archive).unwrap());
    writer.start_file("X-1.json", zip::write::SimpleFileOptions::default()).unwrap();
    writer.write_all(FLASK.as_bytes()).unwrap();
    writer.finish().unwrap();
    let report = project.scan(&[], Some(&archive)).unwrap();
    assert_eq!((report.vulnerable.len(), report.database.advisories), (1, 1));

    let answer = outside.path().join("answer.json");
    std::fs::write(&answer, format!("{{\"vulns\": [{LODASH}]}}")).unwrap();
    assert_eq!(project.scan(&[], Some(&answer)).unwrap().vulnerable[0].id, "X-2");
    assert_eq!(project.scan(&["osv"], Some(&lines)).unwrap().database.advisories, 4);
}

#[test]
fn without_a_database_nothing_is_claimed() {
    let project = project();
    let error = project.scan(&[], None).unwrap_err();
    assert_eq!(error.code(), ErrorCode::ConfigError);
    assert!(error.body().hint.as_deref().unwrap().contains("advisories.files"));
    assert_eq!(project.scan(&["gone"], None).unwrap_err().code(), ErrorCode::FileNotFound);
    assert_eq!(project.scan(&["../x"], None).unwrap_err().code(), ErrorCode::PathDenied);
    let empty = project.scan(&["web"], None).unwrap_err();
    assert_eq!(empty.code(), ErrorCode::ConfigError, "{empty}");
    assert!(project.dir.path().is_dir());
}
