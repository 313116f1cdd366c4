//! Drift of real files against a saved index.

use std::fs;

use tapps_base::ErrorCode;
use tapps_coderef::drift::saved::SAVED_INDEX;
use tapps_coderef::drift::{DriftStatus, THRESHOLD, compare_with_saved_index, read_saved_index, write_saved_index};

use super::coderef_support::{index, project};

const TEXT: &str = "\
LIMIT = 3

def one(a):
    return a + LIMIT

class Two:
    def three(self):
        # a comment
        return one(1)
";

fn drifted(change: impl Fn(&std::path::Path)) -> (Vec<(DriftStatus, String, Option<String>)>, usize) {
    let (folder, boundary) = project(&[("a.py", TEXT), ("b.py", "def other(): return 2\n")]);
    write_saved_index(&boundary, SAVED_INDEX, &index(&boundary)).unwrap();
    change(folder.path());
    let report =
        compare_with_saved_index(&read_saved_index(&boundary, SAVED_INDEX).unwrap(), &index(&boundary), THRESHOLD);
    assert_eq!(report.total, 5);
    (report.drifted.into_iter().map(|d| (d.status, d.reference, d.new_name)).collect(), report.edited)
}

#[test]
fn touching_a_file_is_no_drift() {
    let touched = drifted(|root| {
        let file = fs::File::options().write(true).open(root.join("a.py")).unwrap();
        file.set_modified(std::time::SystemTime::UNIX_EPOCH).unwrap();
    });
    assert_eq!(touched, (vec![], 0));
}

#[test]
fn lines_at_the_top_move_everything_and_nothing_else() {
    let (found, edited) = drifted(|root| fs::write(root.join("a.py"), format!("#\n#\n#\n{TEXT}")).unwrap());
    assert_eq!(edited, 0);
    assert_eq!(found.len(), 4);
    assert!(found.iter().all(|(status, ..)| *status == DriftStatus::Moved), "{found:?}");
}

#[test]
fn comments_and_white_space_are_no_edit_but_code_is() {
    let spaced = TEXT.replace("a + LIMIT", "a  +  LIMIT  # sum").replace("# a comment", "# another");
    assert_eq!(drifted(|root| fs::write(root.join("a.py"), &spaced).unwrap()), (vec![], 0));
    let changed = TEXT.replace("a + LIMIT", "a - LIMIT");
    assert_eq!(drifted(|root| fs::write(root.join("a.py"), &changed).unwrap()), (vec![], 1));
}

#[test]
fn new_names_files_and_losses() {
    let (found, _) = drifted(|root| {
        fs::write(root.join("a.py"), TEXT.replace("one", "first")).unwrap();
        fs::remove_file(root.join("b.py")).unwrap();
        fs::write(root.join("c.py"), "def other(): return 2\ndef fresh(): return [3]\n").unwrap();
    });
    let expected = [
        (DriftStatus::Renamed, "@Fn/a.py#one:3", Some("first")),
        (DriftStatus::Moved, "@Fn/b.py#other:1", Some("other")),
        (DriftStatus::Added, "@Fn/c.py#fresh:2", Some("fresh")),
    ];
    let expected = expected.map(|(status, reference, name)| (status, reference.to_owned(), name.map(str::to_owned)));
    assert_eq!(found, expected);
}

#[test]
fn other_versions_and_other_files_say_what_to_do() {
    let (folder, boundary) = project(&[("a.py", TEXT)]);
    let error = read_saved_index(&boundary, SAVED_INDEX).unwrap_err();
    assert_eq!(error.code(), ErrorCode::FileNotFound);
    write_saved_index(&boundary, SAVED_INDEX, &index(&boundary)).unwrap();
    let path = folder.path().join(SAVED_INDEX);
    let text = fs::read_to_string(&path).unwrap();
    for (wrong, expected) in [
        (text.replace("\"version\":1", "\"version\":2"), "version 2"),
        (text.replace("coderef-index", "else"), "no saved index"),
        ("{".to_owned(), "no saved index"),
    ] {
        fs::write(&path, wrong).unwrap();
        let error = read_saved_index(&boundary, SAVED_INDEX).unwrap_err();
        assert_eq!(error.code(), ErrorCode::CorruptedData);
        assert!(error.message().contains(expected) && error.body().hint.is_some(), "{}", error.message());
    }
}
