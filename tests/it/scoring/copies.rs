//! Copies in other files count, and nothing but the files of the project decides which.

use tapps_base::finding::Category;
use tapps_quality::result::{AnalysisMode, FileScore};

use super::support::{CLEAN, Project, canonical};
use crate::toolchain_support;

const BLOCK: &str = "    total = 0\n    for order in orders:\n        if order > limit:\n            total += limit\n        else:\n            total += order * 2\n    if total > limit * 10:\n        total = limit * 10 + 1\n    return total\n";

fn function(name: &str) -> String {
    format!(
        "\"\"\"Adds.\"\"\"\n\n\ndef {name}(orders: list[int], limit: int) -> int:\n    \"\"\"Adds up.\"\"\"\n{BLOCK}"
    )
}

fn copies(score: &FileScore) -> Vec<(u32, u32, &str)> {
    let found = score.findings.iter().filter(|finding| finding.rule == "tapps:duplicate-block");
    found.map(|finding| (finding.line, finding.end_line, finding.message.as_str())).collect()
}

#[test]
fn a_score_hangs_on_the_other_files_and_on_nothing_else() {
    let folder = toolchain_support::folder();
    let project = Project::of(CLEAN).caching(&folder.path().join("cache"));
    project.write("shop/first.py", function("first").as_bytes());
    let alone = project.full("shop/first.py");
    assert_eq!((copies(&alone), alone.duplication), (vec![], Some(0.0)));

    project.write("shop/second.py", function("second").as_bytes());
    let both = project.full("shop/first.py");
    assert_eq!(copies(&both), [(5, 14, "10 statements stand also at shop/second.py:5")]);
    assert!(both.categories[&Category::Maintainability].score < alone.categories[&Category::Maintainability].score);
    assert_eq!(copies(&project.full("shop/second.py")), [(5, 14, "10 statements stand also at shop/first.py:5")]);

    // One file or all, this process or another, with what is kept or without: the same.
    let batch = project.scores(&["shop"], AnalysisMode::Full).unwrap();
    let among = batch.files.iter().find(|score| score.file == "shop/first.py").unwrap();
    assert_eq!(canonical(among), canonical(&both));
    let later = Project::at(project.root()).caching(&folder.path().join("cache"));
    assert_eq!(canonical(&later.full("shop/first.py")), canonical(&both));
    assert_eq!(canonical(&Project::at(project.root()).full("shop/first.py")), canonical(&both));

    project.write("shop/second.py", function("second").replace("order", "item").as_bytes());
    assert_eq!(canonical(&later.full("shop/first.py")), canonical(&alone), "an edit elsewhere is seen");
}

#[test]
fn a_quick_check_looks_for_no_copies_and_says_so() {
    let project = Project::of(CLEAN);
    project.write("shop/first.py", function("first").as_bytes());
    project.write("shop/second.py", function("second").as_bytes());
    project.write("web/page.ts", b"export function f(a: number): number {\n  return a + 1;\n}\n");
    for file in ["shop/first.py", "web/page.ts"] {
        let quick = project.quick(file);
        assert_eq!((copies(&quick), quick.duplication), (vec![], None));
        assert!(!quick.categories[&Category::Maintainability].measured, "{file}");
        assert!(quick.not_measured.iter().any(|gap| gap.category == Category::Maintainability), "{file}");
    }
}
