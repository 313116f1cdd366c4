//! Tags above declarations of real files.

use std::fs;

use tapps_coderef::comment_tag::{TagOptions, TagReport, tag_declarations};

use super::coderef_support::{call, index, project};

fn run(text: &str, options: &TagOptions) -> (String, TagReport) {
    let (folder, boundary) = project(&[("a.py", text)]);
    let report = tag_declarations(&boundary, &index(&boundary), "a.py", options, &call()).unwrap();
    (fs::read_to_string(folder.path().join("a.py")).unwrap(), report)
}

const TEXT: &str = "\
import os

@decorate
# about it
def one():
    def inner(): pass

class Two:
    '''Doc.'''

    @property
    def three(self): pass
    def _four(self): pass
";

const TAGGED: &str = "\
import os

# @Fn/a.py#one:6
@decorate
# about it
def one():
    def inner(): pass

# @Cl/a.py#Two:10
class Two:
    '''Doc.'''

    # @M/a.py#Two.three:15
    @property
    def three(self): pass
    def _four(self): pass
";

#[test]
fn tags_stand_above_decorators_with_the_right_lines_and_a_second_run_changes_nothing() {
    let (text, report) = run(TEXT, &TagOptions::default());
    assert_eq!(text, TAGGED);
    assert_eq!((report.inserted, report.updated, report.unchanged), (3, 0, 0));
    let (again, report) = run(TAGGED, &TagOptions::default());
    assert_eq!(again, TAGGED);
    assert_eq!((report.inserted, report.updated, report.unchanged), (0, 0, 3));
    for (number, line) in TAGGED.lines().enumerate().filter(|(_, line)| line.contains("# @")) {
        let at: usize = line.rsplit(':').next().unwrap().parse().unwrap();
        let declared = TAGGED.lines().nth(at - 1).unwrap();
        assert!(at > number && (declared.contains("def ") || declared.contains("class ")), "{line}");
    }
}

#[test]
fn line_endings_and_the_byte_order_mark_stay() {
    let text = format!("\u{feff}{}", TEXT.trim_start_matches("import os\n\n").replace('\n', "\r\n"));
    let (tagged, _) = run(&text, &TagOptions::default());
    assert!(tagged.starts_with("\u{feff}# @Fn/a.py#one:4\r\n@decorate\r\n"), "{tagged:?}");
    assert_eq!(tagged.matches('\n').count(), tagged.matches("\r\n").count());
    assert_eq!(tagged.matches('\u{feff}').count(), 1);
}

#[test]
fn a_dry_run_shows_what_it_would_do_and_does_nothing() {
    let (text, report) = run(TEXT, &TagOptions { dry_run: true, ..TagOptions::default() });
    assert_eq!(text, TEXT);
    let diff = report.files[0].diff.as_deref().unwrap();
    assert!(diff.starts_with("--- a/a.py\n+++ b/a.py\n@@ -1,"), "{diff}");
    assert_eq!(diff.lines().filter(|line| line.starts_with('+') && !line.starts_with("+++")).count(), 3);
}

#[test]
fn what_tags_say_is_corrected_only_when_asked() {
    let wrong_line = TAGGED.replace("#one:6", "#one:2{owner=me}");
    let (text, report) = run(&wrong_line, &TagOptions::default());
    assert_eq!((text, report.stale), (wrong_line.clone(), 1));
    let (text, report) = run(&wrong_line, &TagOptions { update_lineno: true, ..TagOptions::default() });
    assert_eq!((text, report.updated), (TAGGED.replace("#one:6", "#one:6{owner=me}"), 1));
    let other_name = TAGGED.replace("#one:6", "#once:6");
    let (text, _) = run(&other_name, &TagOptions { update_lineno: true, ..TagOptions::default() });
    assert_eq!(text, other_name);
    let (text, _) = run(&other_name, &TagOptions { force: true, ..TagOptions::default() });
    assert_eq!(text, TAGGED);
}

#[test]
fn tags_that_were_right_stay_right_when_others_are_put_in() {
    let partly = TAGGED.replace("# @Fn/a.py#one:6\n", "").replace("#Two:10", "#Two:9").replace("three:15", "three:14");
    let (text, report) = run(&partly, &TagOptions::default());
    assert_eq!(text, TAGGED);
    assert_eq!((report.inserted, report.updated), (1, 2));
}

#[test]
fn private_names_on_request_and_broken_files_never() {
    let (text, report) = run(TEXT, &TagOptions { include_private: true, ..TagOptions::default() });
    assert!(text.contains("    # @M/a.py#Two._four:"), "{text}");
    assert_eq!(report.inserted, 4);
    let broken = format!("{TEXT}def broken(:\n");
    let (text, report) = run(&broken, &TagOptions::default());
    assert_eq!((text, report.skipped, report.inserted), (broken, 1, 0));
}
