//! Batches of replacements on real files: what goes wrong, what others do meanwhile, and going on after a break.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::process::Command;
use std::sync::{Arc, Mutex};

use tapps_base::ErrorCode;
use tapps_base::call::Call;
use tapps_base::progress::Progress;
use tapps_tags::Profile;
use tapps_tags::batch::{ReplaceRequest, replace_tags, resume};
use tapps_tags::report::ReplaceReport;
use tapps_tags::vault::VaultSelection;

use super::vault::{Vault, call, replacements};

/// Does something when so many notes have been written.
struct After(u64, Mutex<Option<Box<dyn FnOnce() + Send>>>);

impl Progress for After {
    fn report(&self, stage: &str, done: u64, _: u64) {
        if stage == "writing notes" && done == self.0 {
            self.1.lock().unwrap().take().into_iter().for_each(|act| act());
        }
    }

    fn note(&self, _: &str) {}
}

fn call_with(done: u64, act: impl FnOnce() + Send + 'static) -> Call {
    Call { progress: Arc::new(After(done, Mutex::new(Some(Box::new(act))))), ..call() }
}

fn paths(report: &ReplaceReport) -> Vec<&str> {
    report.modified_files.iter().map(|note| note.path.as_str()).collect()
}

fn failures(report: &ReplaceReport) -> Vec<(&str, &str)> {
    report.failed_files.iter().map(|note| (note.path.as_str(), note.failure.message.as_str())).collect()
}

#[test]
fn a_dry_run_shows_everything_and_writes_nothing() {
    let vault =
        Vault::new(&[("a.md", "---\ntags: [old, x]\n---\n#old\n"), ("b/c.md", "#old #keep\n"), ("d.md", "#keep\n")]);
    let before = vault.files();
    let report = replace_tags(&vault.vaults(), &vault.request(&[("old", "new")], true), &call()).unwrap();
    assert_eq!((report.dry_run, report.occurrences, report.total), (true, 3, 2));
    assert_eq!(paths(&report), ["a.md", "b/c.md"]);
    let diff = report.modified_files[0].diff.as_deref().unwrap();
    assert_eq!(
        diff,
        "--- a/a.md\n+++ b/a.md\n@@ -1,4 +1,4 @@\n ---\n-tags: [old, x]\n+tags: [new, x]\n ---\n-#old\n+#new\n"
    );
    assert_eq!((report.replacements[0].occurrences, report.replacements[0].notes), (3, 2));
    assert_eq!(vault.files(), before);
    assert!(!vault.at(".tapps-mcp").exists());
}

#[test]
fn a_written_batch_is_what_the_dry_run_said() {
    let vault =
        Vault::new(&[("a.md", "\u{feff}---\r\ntags: [a, b]\r\n---\r\n#a #b\r\n"), ("b.md", "#b"), ("c.md", "#c")]);
    fs::set_permissions(vault.at("a.md"), fs::Permissions::from_mode(0o604)).unwrap();
    let swap = [("a", "b"), ("b", "a")];
    let planned = replace_tags(&vault.vaults(), &vault.request(&swap, true), &call()).unwrap();
    let report = vault.replace(&swap).unwrap();
    assert_eq!((report.occurrences, paths(&report)), (planned.occurrences, paths(&planned)));
    assert_eq!((report.dry_run, report.occurrences, report.failed_files.len()), (false, 5, 0));
    assert_eq!(vault.text("a.md"), "\u{feff}---\r\ntags: [b, a]\r\n---\r\n#b #a\r\n");
    assert_eq!((vault.text("b.md"), vault.text("c.md")), ("#a".into(), "#c".into()));
    assert_eq!(fs::metadata(vault.at("a.md")).unwrap().permissions().mode() & 0o777, 0o604);
    assert_eq!(vault.files().len(), 3, "no temporary file is left");
    assert!(!vault.at(".tapps-mcp/tags-batch.json").exists());
    vault.replace(&swap).unwrap();
    assert_eq!(vault.text("a.md"), "\u{feff}---\r\ntags: [a, b]\r\n---\r\n#a #b\r\n");
}

#[test]
fn nothing_is_touched_when_a_new_tag_is_none() {
    let vault = Vault::new(&[("a.md", "#a #b")]);
    for new in ["has space!", "", "#", "$1x", "12", "a//b"] {
        let error = vault.replace(&[("b", "fine"), ("a", new)]).unwrap_err();
        assert_eq!(error.code(), ErrorCode::InvalidArgument, "{new}");
    }
    assert_eq!(vault.text("a.md"), "#a #b");
    let report = vault.replace(&[("a", "a")]).unwrap();
    assert_eq!((report.total, report.occurrences), (0, 0), "nothing changes, and it says so");
    assert!(!vault.at(".tapps-mcp/tags-batch.json").exists());
}

#[test]
fn notes_that_cannot_be_changed_are_told_and_the_others_are_changed() {
    let vault = Vault::new(&[
        ("alias.md", "---\nx: &n old\ntags: [*n]\n---\n#old"),
        ("broken.md", "---\ntags: [old\n---\n#old"),
        ("fine.md", "#old"),
        ("markup.md", "a #old b"),
    ]);
    fs::write(vault.at("binary.md"), b"#old \xff").unwrap();
    let report = vault.replace(&[("old", "new")]).unwrap();
    assert_eq!(paths(&report), ["fine.md", "markup.md"]);
    let failed = failures(&report);
    assert_eq!(failed.iter().map(|(path, _)| *path).collect::<Vec<_>>(), ["alias.md", "broken.md"]);
    assert_eq!(
        failed[0].1,
        "`alias.md` is left alone: `old` in the front matter cannot be changed: an alias stands for it"
    );
    assert!(failed[1].1.contains("the front matter is not valid YAML"), "{}", failed[1].1);
    let unreadable: Vec<&str> = report.searched.unreadable.iter().map(|note| note.path.as_str()).collect();
    assert_eq!(unreadable, ["binary.md", "broken.md"]);
    assert_eq!(vault.text("alias.md"), "---\nx: &n old\ntags: [*n]\n---\n#old");
    let report = vault.replace(&[("new", "_new_")]).unwrap();
    assert_eq!(paths(&report), Vec::<&str>::new());
    assert!(failures(&report)[0].1.contains("a new tag would not be read as a tag"), "{:?}", failures(&report));
}

#[test]
fn links_are_neither_read_nor_written_through() {
    let outside = Vault::new(&[("secret.md", "#old"), ("deep/note.md", "#old")]);
    let vault = Vault::new(&[("a.md", "#old"), ("b.md", "#old"), ("c/d.md", "#old")]);
    symlink(outside.at("secret.md"), vault.at("link.md")).unwrap();
    symlink(outside.at("deep"), vault.at("folder")).unwrap();
    let swapped = (vault.at("b.md"), vault.at("c"), outside.at("secret.md"), outside.at("deep"));
    // While the first note is written the others are exchanged for links that lead out.
    let meanwhile = call_with(1, move || {
        fs::remove_file(&swapped.0).unwrap();
        symlink(&swapped.2, &swapped.0).unwrap();
        fs::remove_dir_all(&swapped.1).unwrap();
        fs::write(swapped.3.join("d.md"), "#old").unwrap();
        symlink(&swapped.3, &swapped.1).unwrap();
    });
    let report = replace_tags(&vault.vaults(), &vault.request(&[("old", "new")], false), &meanwhile).unwrap();
    assert_eq!(paths(&report), ["a.md"]);
    let codes: Vec<(&str, &str)> =
        report.failed_files.iter().map(|note| (note.path.as_str(), note.failure.error_code.as_str())).collect();
    assert_eq!(codes, [("b.md", "path_denied"), ("c/d.md", "path_denied")]);
    assert_eq!(report.searched.unreadable[0].reason, "it is a link");
    for untouched in ["secret.md", "deep/note.md", "deep/d.md"] {
        assert_eq!(outside.text(untouched), "#old", "{untouched}");
    }
}

#[test]
fn a_note_that_somebody_changes_meanwhile_keeps_that_change() {
    let vault = Vault::new(&[("a.md", "#old"), ("b.md", "#old")]);
    let other = vault.at("b.md");
    let meanwhile = call_with(1, move || fs::write(other, "#old and more").unwrap());
    let report = replace_tags(&vault.vaults(), &vault.request(&[("old", "new")], false), &meanwhile).unwrap();
    assert_eq!((vault.text("a.md"), vault.text("b.md")), ("#new".into(), "#old and more".into()));
    assert_eq!(failures(&report), [("b.md", "`b.md` has changed since it was read; nothing was written")]);
    assert!(!vault.at(".tapps-mcp/tags-batch.json").exists(), "the batch is over");
}

#[test]
fn a_batch_that_was_broken_off_goes_on_where_it_ended() {
    let notes: Vec<(String, &str)> = (0..9).map(|n| (format!("n{n}.md"), if n < 6 { "#a" } else { "#b" })).collect();
    let notes: Vec<(&str, &str)> = notes.iter().map(|(path, text)| (path.as_str(), *text)).collect();
    let vault = Vault::new(&notes);
    let swap = vault.request(&[("a", "b"), ("b", "a")], false);
    let broken_off = call();
    let cancel = broken_off.cancel.clone();
    let broken_off =
        Call { progress: Arc::new(After(4, Mutex::new(Some(Box::new(move || cancel.cancel()))))), ..broken_off };
    let error = replace_tags(&vault.vaults(), &swap, &broken_off).unwrap_err();
    assert_eq!(error.code(), ErrorCode::Cancelled);
    assert_eq!(error.message(), "the call was cancelled after 4 of 9 notes were written");
    assert_eq!(error.body().partial_results, Some(serde_json::json!({"notes_written": 4, "notes": 9})));
    fs::write(vault.at("n5.md"), "#a edited").unwrap();
    fs::remove_file(vault.at("n6.md")).unwrap();

    let another = vault.request(&[("a", "c")], false);
    let refused = replace_tags(&vault.vaults(), &another, &call()).unwrap_err();
    assert_eq!(refused.message(), "an earlier batch (a to b, b to a) was interrupted: 4 of its 9 notes are written");
    let shown = replace_tags(&vault.vaults(), &ReplaceRequest { dry_run: true, ..another.clone() }, &call()).unwrap();
    assert_eq!(shown.interrupted.map(|other| (other.done, other.notes)), Some((4, 9)));

    let report = resume(&vault.vaults(), &vault.root(), &call()).unwrap().unwrap();
    assert_eq!((report.resumed_after, paths(&report)), (Some(4), vec!["n4.md", "n7.md", "n8.md"]));
    assert_eq!(failures(&report), [("n5.md", "`n5.md` has changed since the batch was interrupted")]);
    let texts: Vec<String> = [0, 3, 4, 5, 7, 8].map(|n| vault.text(&format!("n{n}.md"))).to_vec();
    assert_eq!(texts, ["#b", "#b", "#b", "#a edited", "#a", "#a"]);
    assert_eq!(resume(&vault.vaults(), &vault.root(), &call()).unwrap(), None);
    replace_tags(&vault.vaults(), &another, &call()).unwrap();
    assert_eq!(vault.text("n7.md"), "#c");
}

#[test]
fn a_journal_whose_notes_are_all_written_stands_in_nobodys_way() {
    let vault = Vault::new(&[("a.md", "#a")]);
    let at_the_end = call();
    let (from, to) = (vault.at(".tapps-mcp/tags-batch.json"), vault.at("kept.json"));
    let keeping = Call {
        progress: Arc::new(After(1, Mutex::new(Some(Box::new(move || drop(fs::copy(from, to))))))),
        ..at_the_end
    };
    replace_tags(&vault.vaults(), &vault.request(&[("a", "b")], false), &keeping).unwrap();
    fs::rename(vault.at("kept.json"), vault.at(".tapps-mcp/tags-batch.json")).unwrap();
    let report = vault.replace(&[("b", "c")]).unwrap();
    assert_eq!((report.total, vault.text("a.md")), (1, "#c".into()));
}

/// A full disk, as far as a test can have one: no file may grow beyond a kilobyte.
#[test]
fn a_write_that_fails_leaves_the_note_as_it_was() {
    let long = format!("#old {}\n", "text ".repeat(4_000));
    let vault = Vault::new(&[("long.md", &long), ("short.md", "#old")]);
    let program = env!("CARGO_BIN_EXE_tapps-mcp");
    let script = "trap '' XFSZ; ulimit -f 2; exec \"$0\" \"$@\"";
    let output = Command::new("sh")
        .args(["-c", script, program, "tags", "replace", "old=new", "--write", "--format", "json"])
        .current_dir(vault.0.path())
        .env_remove("TAPPS_MCP_PROJECT_ROOT")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["failed_files"][0]["path"], "long.md");
    assert!(report["failed_files"][0]["message"].as_str().unwrap().starts_with("cannot write long.md: "), "{report}");
    assert_eq!((vault.text("long.md"), vault.text("short.md")), (long, "#new".into()));
    assert_eq!(vault.files().len(), 2);
}

#[test]
fn by_the_rules_of_tag_manager_its_own_tags_are_replaced() {
    let vault =
        Vault::new(&[("a.md", "tags: [golang, golang-dev]\n`#golang` #go\n"), ("Attachments/b.md", "#golang\n")]);
    let request = ReplaceRequest {
        place: VaultSelection { profile: Profile::TagManager, ..vault.place() },
        replacements: replacements(&[("golang", "rust-lang")]),
        nested: false,
        dry_run: false,
        max_diff_bytes: None,
    };
    let report = replace_tags(&vault.vaults(), &request, &call()).unwrap();
    assert_eq!((report.searched.profile, report.searched.notes, report.occurrences), (Profile::TagManager, 1, 2));
    assert_eq!(vault.text("a.md"), "tags: [rust-lang, golang-dev]\n`#rust-lang` #go\n");
    assert_eq!(vault.text("Attachments/b.md"), "#golang\n");
}
