//! Files of C and C++ through everything that scores: the score, the quick check, the gate, the verdict on a change, the program.

use tapps_base::finding::Category;
use tapps_quality::change::ChangeRequest;
use tapps_quality::change::report::{ChangeVerdict, FindingState};
use tapps_quality::result::{AnalysisMode, FileScore};

use crate::scoring::support::Project;
use crate::systems::{self, System};
use crate::toolchain_git_support::{commit_all, git};
use crate::toolchain_support::{program, settings};

const HEADER: &str = "#ifndef SHOP_PRICE_H
#define SHOP_PRICE_H

/* Adds prices, of which there is at least one; -1 when there is none. */
int total(const int *prices, unsigned long count);

#endif
";

const GOOD: &str = "#include \"price.h\"

int total(const int *prices, unsigned long count) {
    if (prices == 0 || count == 0) {
        return -1;
    }
    int sum = 0;
    for (unsigned long i = 0; i < count; i++) {
        sum += prices[i];
    }
    return sum;
}
";

const BAD: &str = "#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct stock {
    char name[32];
    int count;
};

struct stock *find(const char *name) {
    struct stock *found = malloc(sizeof *found);
    found->count = 0;
    strcpy(found->name, name);
    printf(name);
    switch (found->count) {
    case 0:
        found->count = 1;
    case 1:
        break;
    }
    return found;
}

int clear(struct stock *stock) {
    free(stock);
    return stock->count;
}
";

const CPP: &str = "#pragma once
#include <string>

namespace shop {

/** A name with a price. */
class Item {
 public:
  explicit Item(const std::string& name) : name_(name) {}
  bool is_named() const { return !name_.empty(); }

 private:
  std::string name_;
};

}  // namespace shop
";

const TEST: &str = "#include <assert.h>
#include \"../src/price.h\"

int main(void) {
    int prices[] = {1, 2};
    assert(total(prices, 2) == 3);
    return 0;
}
";

const PRICE: &str = "src/price.c";
const STOCK: &str = "src/stock.c";
const ITEM: &str = "src/item.h";

fn shop() -> Project {
    Project::of(&[
        ("CMakeLists.txt", b"project(shop C CXX)\n"),
        (".clang-format", b"BasedOnStyle: Google\n"),
        (".clang-tidy", b"Checks: 'bugprone-*'\n"),
        ("README.md", b"# Shop\n"),
        ("LICENSE", b"MIT\n"),
        ("src/price.h", HEADER.as_bytes()),
        (PRICE, GOOD.as_bytes()),
        (STOCK, BAD.as_bytes()),
        (ITEM, CPP.as_bytes()),
        ("src/broken.c", b"int f( {\n"),
        ("test/price_test.c", TEST.as_bytes()),
    ])
}

fn told(score: &FileScore) -> Vec<String> {
    let own = score.findings.iter().filter(|one| one.line > 0 && one.category != Category::TestCoverage);
    own.map(|one| format!("{}:{}", one.line, one.rule.trim_start_matches("tapps:"))).collect()
}

#[test]
fn a_good_file_is_scored_in_all_seven_categories() {
    let score = shop().full(PRICE);
    assert_eq!(serde_json::to_value(score.language).unwrap(), "c");
    assert_eq!(told(&score), Vec::<String>::new());
    assert!(score.categories.values().all(|category| category.measured), "{:?}", score.not_measured);
    for whole in [Category::Complexity, Category::Security, Category::Maintainability, Category::Performance] {
        assert_eq!(score.categories[&whole].score, Some(10.0), "{whole:?}");
    }
    // A test includes the header; which lines it runs is not known.
    assert_eq!(score.categories[&Category::TestCoverage].score, Some(5.0));
    assert!(score.categories[&Category::TestCoverage].details.contains("test/price_test.c"));
    assert!(!score.degraded && score.missing_tools.is_empty());
    assert!(score.overall.unwrap() > 85.0, "{:?}", score.overall);
    assert_eq!(score.categories[&Category::Complexity].details, "1 functions, mean complexity 4.0, highest 4 in total");
    for absent in ["no-type-checker-config", "no-linter-config", "no-formatter-config", "no-project-root"] {
        assert!(score.findings.iter().all(|one| one.rule != format!("tapps:{absent}")), "{absent}");
    }
}

#[test]
fn a_header_is_scored_in_the_language_it_is_written_in() {
    let score = shop().full(ITEM);
    assert_eq!(told(&score), Vec::<String>::new());
    assert_eq!(
        score.categories[&Category::Complexity].details,
        "2 functions, mean complexity 1.0, highest 1 in Item.Item"
    );
}

#[test]
fn a_report_of_lcov_says_which_lines_ran() {
    let project = shop();
    let lines = "DA:3,1\nDA:4,1\nDA:5,0\nDA:7,1\nDA:8,3\nDA:9,2\nDA:11,1\n";
    project.write("lcov.info", format!("TN:\nSF:src/price.c\n{lines}end_of_record\n").as_bytes());
    let score = project.full(PRICE);
    assert_eq!(score.coverage.as_ref().unwrap().percent, Some(100.0 * 6.0 / 7.0));
    let missing = score.findings.iter().find(|one| one.rule == "tapps:uncovered-lines").unwrap();
    assert_eq!((missing.line, missing.end_line), (5, 5));
    project.write(PRICE, GOOD.replace("    int sum = 0;\n", "\n\n\n    int sum = 0;\n").as_bytes());
    let stale = project.full(PRICE);
    assert!(stale.findings.iter().any(|one| one.rule == "tapps:stale-coverage"), "{:?}", stale.findings);
}

/// The compiler's own programs say which lines ran, and each reads the other's report the same.
#[test]
fn a_report_of_gcov_says_which_lines_ran() {
    let Some(gcov) = systems::require(System::Gcov) else { return };
    let project = shop();
    let run = |program: &str, arguments: &[&str]| {
        let mut command = std::process::Command::new(program);
        let output = command.args(arguments).current_dir(project.root()).output().unwrap();
        assert!(output.status.success(), "{program}: {}", String::from_utf8_lossy(&output.stderr));
        output.stdout
    };
    run("gcc", &["--coverage", "-O0", "-o", "price_test", "test/price_test.c", "src/price.c"]);
    run("./price_test", &[]);
    run(gcov.to_str().unwrap(), &["--json-format", "price_test-price.gcda"]);
    let report = std::fs::read_dir(project.root()).unwrap().map(|entry| entry.unwrap().file_name());
    let report =
        report.filter_map(|name| name.into_string().ok()).find(|name| name.ends_with(".gcov.json.gz")).unwrap();
    // What it is is told by its content; by its own name it would have to be named in `coverage.files`.
    project.write("coverage.json", &std::fs::read(project.path(&report)).unwrap());
    let score = project.full(PRICE);
    // Of the seven lines that gcov counts, only the return without prices did not run.
    let told = String::from_utf8(run(gcov.to_str().unwrap(), &["price_test-price.gcda"])).unwrap();
    assert!(told.contains("Lines executed:85.71% of 7"), "{told}");
    assert_eq!(score.coverage.as_ref().unwrap().percent, Some(100.0 * 6.0 / 7.0));
    let missing = score.findings.iter().find(|one| one.rule == "tapps:uncovered-lines").unwrap();
    assert_eq!((missing.line, missing.end_line), (5, 5));
}

#[test]
fn a_bad_file_is_told_what_is_wrong_where() {
    let project = shop();
    let score = project.full(STOCK);
    assert_eq!(
        told(&score),
        [
            "11:unchecked-allocation",
            "13:unbounded-copy",
            "14:format-from-value",
            "17:unmarked-fall-through",
            "26:use-after-free",
        ]
    );
    assert_eq!(score.categories[&Category::Security].score, Some(5.0));
    assert_eq!(score.categories[&Category::TestCoverage].score, Some(0.0));
    let freed = score.findings.iter().find(|one| one.rule == "tapps:use-after-free").unwrap();
    assert_eq!((freed.cwe.as_deref(), freed.cost), (Some("CWE-416"), 3_000));
    assert!(score.overall.unwrap() < 75.0, "{:?}", score.overall);
    let broken = project.full("src/broken.c");
    assert_eq!((broken.overall, broken.blocking[0].rule.as_str()), (None, "tapps:syntax-error"));
}

#[test]
fn the_quick_answer_and_the_gate_say_the_same() {
    let project = shop();
    let (quick, full) = (project.quick(STOCK), project.full(STOCK));
    assert_eq!(told(&quick), told(&full));
    for (category, score) in quick.categories.iter().filter(|(_, score)| score.measured) {
        assert_eq!(score.score, full.categories[category].score, "{category:?}");
    }
    assert!(project.gate(&[PRICE]).passed);
    assert!(!project.gate(&[STOCK]).passed);
    let all = project.scores(&["."], AnalysisMode::Full).unwrap();
    assert_eq!(all.files.iter().filter(|one| one.file.ends_with(".c") || one.file.ends_with(".h")).count(), 6);
}

#[test]
fn a_change_is_judged_by_what_it_brings_and_hides() {
    let project = shop();
    git(project.root(), &["init", "--quiet"]);
    commit_all(project.root(), "first");
    // Layout and comments make no other program.
    project.write(PRICE, GOOD.replace("    int sum = 0;", "    /* of all */\n    int  sum = 0;").as_bytes());
    let report = project.judge(&ChangeRequest::default()).unwrap();
    assert_eq!(report.verdict, ChangeVerdict::Neutral, "{:?}", report.reasons);
    let worse = GOOD.replace("    int sum = 0;\n", "    int sum = 0;\n    if (count = 2) { sum = 1; } // NOLINT\n");
    project.write(PRICE, worse.as_bytes());
    let report = project.judge(&ChangeRequest::default()).unwrap();
    let new: Vec<(&str, u32)> = report
        .files
        .iter()
        .flat_map(|file| &file.findings)
        .filter(|one| one.state == FindingState::New)
        .map(|one| (one.finding.rule.as_str(), one.finding.line))
        .collect();
    assert_eq!(new, [("tapps:assignment-as-condition", 8)]);
    assert!(serde_json::to_string(&report).unwrap().contains("\"line\":8"), "the comment is in the ledger");
}

#[test]
fn the_program_prints_a_score() {
    let project = shop();
    let mut program = program(&settings());
    let output = program.args(["score", PRICE, "--format", "json"]).current_dir(project.root()).output().unwrap();
    let reply: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let text = reply.to_string();
    assert!(text.contains("\"language\":\"c\"") && text.contains("\"overall\":"), "{text}");
}
