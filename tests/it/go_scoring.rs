//! Go files through everything that scores: the score, the quick check, the gate, the verdict on a change, the program.

use tapps_base::finding::{Category, Confidence};
use tapps_quality::change::ChangeRequest;
use tapps_quality::change::report::{ChangeVerdict, FindingState};
use tapps_quality::result::{AnalysisMode, FileScore};

use crate::scoring::support::Project;
use crate::toolchain_git_support::{commit_all, git};
use crate::toolchain_support::{program, settings};

const GOOD: &str = "// Package price adds prices.
package price

import \"errors\"

// ErrEmpty says that there is nothing to add.
var ErrEmpty = errors.New(\"no prices\")

// Total adds prices.
func Total(prices []int) (int, error) {
\tif len(prices) == 0 {
\t\treturn 0, ErrEmpty
\t}
\tsum := 0
\tfor _, price := range prices {
\t\tsum += price
\t}
\treturn sum, nil
}
";

const BAD: &str = "package price

import (
\t\"crypto/tls\"
\t\"database/sql\"
\t\"fmt\"
\t\"strconv\"
)

func Find(db *sql.DB, id, limit string) error {
\tcount, _ := strconv.Atoi(limit)
\trows, err := db.Query(\"SELECT * FROM prices WHERE id = '\" + id + \"'\")
\tif err != nil {
\t}
\tfor i := 0; i < count; i++ {
\t\tdefer fmt.Println(rows.Next())
\t}
\treturn nil
}

func settings() *tls.Config {
\treturn &tls.Config{InsecureSkipVerify: true}
}
";

const TEST: &str = "package price

import \"testing\"

func TestTotal(t *testing.T) {
\tsum, err := Total([]int{1, 2})
\tif sum != 3 || err != nil {
\t\tt.Errorf(\"got %d, %v\", sum, err)
\t}
}
";

fn shop() -> Project {
    Project::of(&[
        ("go.mod", b"module example.com/shop\n\ngo 1.22\n"),
        ("README.md", b"# Shop\n"),
        ("LICENSE", b"MIT\n"),
        ("price/price.go", GOOD.as_bytes()),
        ("price/price_test.go", TEST.as_bytes()),
        ("stock/find.go", BAD.as_bytes()),
        ("stock/broken.go", b"package stock\n\nfunc {\n"),
    ])
}

fn told(score: &FileScore) -> Vec<String> {
    let own = score.findings.iter().filter(|one| one.line > 0 && one.category != Category::TestCoverage);
    own.map(|one| format!("{}:{}", one.line, one.rule.trim_start_matches("tapps:"))).collect()
}

#[test]
fn a_good_file_is_scored_in_all_seven_categories() {
    let score = shop().full("price/price.go");
    assert_eq!(serde_json::to_value(score.language).unwrap(), "go");
    assert_eq!(told(&score), Vec::<String>::new());
    assert!(score.categories.values().all(|category| category.measured), "{:?}", score.not_measured);
    for whole in [
        Category::Complexity,
        Category::Security,
        Category::Maintainability,
        Category::Performance,
        Category::Structure,
    ] {
        assert_eq!(score.categories[&whole].score, Some(10.0), "{whole:?}");
    }
    // A test of the same package is known to reach it; which lines it runs is not.
    assert_eq!(score.categories[&Category::TestCoverage].score, Some(5.0));
    assert!(score.categories[&Category::TestCoverage].details.contains("price/price_test.go"));
    assert!(!score.degraded && score.missing_tools.is_empty());
    assert!(score.overall.unwrap() > 85.0, "{:?}", score.overall);
    assert_eq!(score.categories[&Category::Complexity].details, "1 functions, mean complexity 3.0, highest 3 in Total");
}

#[test]
fn a_profile_of_the_tests_says_which_lines_ran() {
    let project = shop();
    let profile = "mode: set\nexample.com/shop/price/price.go:10.40,11.22 1 1\nexample.com/shop/price/price.go:11.22,13.3 1 0\n\
        example.com/shop/price/price.go:14.2,15.31 2 1\nexample.com/shop/price/price.go:15.31,17.3 1 1\n\
        example.com/shop/price/price.go:18.2,18.17 1 1\n";
    project.write("coverage.out", profile.as_bytes());
    // One of six lines on which a statement begins did not run.
    let score = project.full("price/price.go");
    assert_eq!(score.coverage.as_ref().unwrap().percent, Some(100.0 * 5.0 / 6.0));
    assert_eq!(score.categories[&Category::TestCoverage].score, Some(8.333));
    let missing = score.findings.iter().find(|one| one.rule == "tapps:uncovered-lines").unwrap();
    assert_eq!((missing.line, missing.end_line), (12, 12));
    project.write("price/price.go", format!("{GOOD}\nfunc More() {{\n\tpanic(1)\n}}\n").as_bytes());
    let stale = project.full("price/price.go");
    assert!(stale.findings.iter().any(|one| one.rule == "tapps:stale-coverage"), "{:?}", stale.findings);
}

#[test]
fn a_bad_file_is_told_what_is_wrong_where() {
    let project = shop();
    let score = project.full("stock/find.go");
    assert_eq!(
        told(&score),
        [
            "11:ignored-error",
            "12:sql-format",
            "12:unclosed-rows",
            "13:empty-error-branch",
            "16:defer-in-loop",
            "16:print-debugging",
            "22:insecure-skip-verify",
        ]
    );
    assert_eq!(score.categories[&Category::Security].score, Some(4.0));
    assert_eq!(score.categories[&Category::TestCoverage].score, Some(0.0));
    let sql = score.findings.iter().find(|one| one.rule == "tapps:sql-format").unwrap();
    assert_eq!((sql.cwe.as_deref(), sql.cost), (Some("CWE-89"), 3_000));
    assert!(score.overall.unwrap() < 65.0, "{:?}", score.overall);
    let broken = project.full("stock/broken.go");
    assert_eq!((broken.overall, broken.blocking[0].rule.as_str()), (None, "tapps:syntax-error"));
}

#[test]
fn the_version_of_the_module_decides_about_loop_variables() {
    let project = shop();
    let text = "package price\n\nfunc all(prices []int) {\n\tfor _, price := range prices {\n\t\tgo func() {\n\t\t\tshow(price)\n\t\t}()\n\t}\n}\n";
    project.write("price/all.go", text.as_bytes());
    assert_eq!(told(&project.full("price/all.go")), Vec::<String>::new());
    project.write("go.mod", b"module example.com/shop\n\ngo 1.21\n");
    assert_eq!(told(&project.full("price/all.go")), ["6:captured-loop-variable"]);
}

#[test]
fn the_quick_answer_and_the_gate_say_the_same() {
    let project = shop();
    let (quick, full) = (project.quick("stock/find.go"), project.full("stock/find.go"));
    assert_eq!(told(&quick), told(&full));
    for (category, score) in quick.categories.iter().filter(|(_, score)| score.measured) {
        assert_eq!(score.score, full.categories[category].score, "{category:?}");
    }
    assert!(project.gate(&["price/price.go"]).passed);
    assert!(!project.gate(&["stock/find.go"]).passed);
    let all = project.scores(&["."], AnalysisMode::Full).unwrap();
    assert_eq!(all.files.iter().filter(|one| one.file.ends_with(".go")).count(), 4);
}

#[test]
fn a_change_is_judged_by_what_it_brings() {
    let project = shop();
    git(project.root(), &["init", "--quiet"]);
    commit_all(project.root(), "first");
    // Layout and comments make no other program.
    project.write("price/price.go", GOOD.replace("// Total adds prices.", "// Total adds up prices.").as_bytes());
    let report = project.judge(&ChangeRequest::default()).unwrap();
    assert_eq!(report.verdict, ChangeVerdict::Neutral, "{:?}", report.reasons);
    let worse = format!("{GOOD}\nfunc First(prices any) int {{\n\treturn prices.([]int)[0]\n}}\n");
    project.write("price/price.go", worse.as_bytes());
    let report = project.judge(&ChangeRequest::default()).unwrap();
    let new: Vec<(&str, u32)> = report
        .files
        .iter()
        .flat_map(|file| &file.findings)
        .filter(|one| one.state == FindingState::New)
        .map(|one| (one.finding.rule.as_str(), one.finding.line))
        .collect();
    assert_eq!(new, [("tapps:unchecked-assertion", 22)]);
}

#[test]
fn the_program_prints_a_score() {
    let project = shop();
    let mut program = program(&settings());
    let output =
        program.args(["score", "price/price.go", "--format", "json"]).current_dir(project.root()).output().unwrap();
    let reply: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let text = reply.to_string();
    assert!(text.contains("\"language\":\"go\"") && text.contains("\"overall\":"), "{text}");
}

#[test]
fn what_is_doubted_costs_a_third_says_so_and_fails_no_gate() {
    let project = shop();
    let dial = "// Package dial asks.\npackage dial\n\nimport \"crypto/tls\"\n\nvar settings = tls.Config{InsecureSkipVerify: true}\n";
    git(project.root(), &["init", "--quiet"]);
    commit_all(project.root(), "first");
    for (path, confidence, cost, failures) in
        [("dial/dial.go", Confidence::High, 3_000, 1), ("mocks/dial.go", Confidence::Low, 1_000, 0)]
    {
        project.write(path, dial.as_bytes());
        let score = project.full(path);
        let found = score.findings.iter().find(|one| one.rule == "tapps:insecure-skip-verify").unwrap();
        assert_eq!((found.confidence, found.cost), (confidence, cost), "{path}");
        let gate = project.gate(&[path]);
        let by_it = gate.files[0].failures.iter().filter(|why| why.starts_with("tapps:insecure-skip-verify"));
        assert_eq!(by_it.count(), failures, "{path}: {:?}", gate.files[0].failures);
    }
    let shown = |path: &str, format: &str| {
        let output =
            program(&settings()).args(["score", path, "--format", format]).current_dir(project.root()).output();
        String::from_utf8(output.unwrap().stdout).unwrap()
    };
    for (format, says) in [
        ("human", "confidence: low"),
        ("json", "\"confidence\":\"low\""),
        ("sarif", "\"confidence\":\"low\""),
        ("markdown", "low confidence"),
        ("html", "low confidence"),
    ] {
        let squeezed = |path: &str| shown(path, format).replace("\": \"", "\":\"");
        assert!(squeezed("mocks/dial.go").contains(says), "{format}: {}", squeezed("mocks/dial.go"));
        assert!(!squeezed("dial/dial.go").contains(says), "{format}");
    }
    // A change is judged as strictly as ever: what is new about security is looked at.
    std::fs::remove_file(project.root().join("dial/dial.go")).unwrap();
    let report = project.judge(&ChangeRequest::default()).unwrap();
    assert_eq!(report.verdict, ChangeVerdict::Blocked, "{:?}", report.reasons);
}
