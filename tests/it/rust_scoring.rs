//! Rust files through everything that scores: the score, the quick check, the gate, the verdict on a change, the program.

use tapps_base::finding::Category;
use tapps_quality::change::ChangeRequest;
use tapps_quality::change::report::{ChangeVerdict, FindingState};
use tapps_quality::result::{AnalysisMode, FileScore};

use crate::scoring::support::Project;
use crate::toolchain_git_support::{commit_all, git};
use crate::toolchain_support::{program, settings};

const GOOD: &str = "//! Prices and what they add up to.

/// Says that there is nothing to add.
#[derive(Debug, PartialEq, Eq)]
pub struct NoPrices;

/// Adds prices.
///
/// # Errors
/// When there are none.
pub fn total(prices: &[u32]) -> Result<u32, NoPrices> {
    if prices.is_empty() {
        return Err(NoPrices);
    }
    let mut sum = 0;
    for price in prices {
        sum += price;
    }
    Ok(sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prices_add_up() {
        assert_eq!(total(&[1, 2]), Ok(3));
        assert_eq!(total(&[]), Err(NoPrices));
    }
}
";

const BAD: &str = "use rusqlite::Connection;

pub fn find(db: &Connection, name: &str, limit: &str) -> usize {
    let count: usize = limit.parse().unwrap();
    let found = db.execute(&format!(\"DELETE FROM prices WHERE name = '{name}'\"), []);
    match found {
        Ok(rows) => rows.min(count),
        Err(_) => std::process::exit(1),
    }
}

pub async fn wait() {
    std::thread::sleep(std::time::Duration::from_secs(1));
}
";

fn shop() -> Project {
    Project::of(&[
        (
            "Cargo.toml",
            b"[package]\nname = \"shop\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\nrusqlite = \"0.41\"\n\n[lints.clippy]\nall = \"warn\"\n",
        ),
        ("Cargo.lock", b"version = 4\n"),
        ("README.md", b"# Shop\n"),
        ("LICENSE", b"MIT\n"),
        ("src/lib.rs", b"//! A shop.\n\nmod find;\npub mod price;\n"),
        ("src/price.rs", GOOD.as_bytes()),
        ("src/find.rs", BAD.as_bytes()),
        ("src/broken.rs", b"fn {\n"),
    ])
}

fn told(score: &FileScore) -> Vec<String> {
    let own = score.findings.iter().filter(|one| one.line > 0 && one.category != Category::TestCoverage);
    own.map(|one| format!("{}:{}", one.line, one.rule.trim_start_matches("tapps:"))).collect()
}

#[test]
fn a_good_file_is_scored_in_all_seven_categories() {
    let score = shop().full("src/price.rs");
    assert_eq!(serde_json::to_value(score.language).unwrap(), "rust");
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
    // A test of its own is known to reach it; which lines it runs is not.
    assert_eq!(score.categories[&Category::TestCoverage].score, Some(5.0));
    assert!(!score.degraded && score.missing_tools.is_empty());
    assert!(score.overall.unwrap() > 85.0, "{:?}", score.overall);
    assert_eq!(score.categories[&Category::Complexity].details, "2 functions, mean complexity 2.0, highest 3 in total");
}

#[test]
fn reports_of_tests_say_which_lines_ran() {
    let project = shop();
    // Lines 12 to 19 hold six statements; the early return did not run.
    let lcov = "SF:src/price.rs\nDA:11,1\nDA:12,1\nDA:13,0\nDA:14,0\nDA:15,1\nDA:16,1\nDA:17,2\nDA:18,2\nDA:19,1\nDA:20,1\nend_of_record\n";
    project.write("lcov.info", lcov.as_bytes());
    let score = project.full("src/price.rs");
    assert_eq!(score.coverage.as_ref().unwrap().percent, Some(100.0 * 5.0 / 6.0));
    let missing = score.findings.iter().find(|one| one.rule == "tapps:uncovered-lines").unwrap();
    assert_eq!((missing.line, missing.end_line), (13, 13));
    std::fs::remove_file(project.root().join("lcov.info")).unwrap();
    let json = r#"{"data":[{"files":[{"filename":"src/price.rs","segments":[[11,1,2,true,true,false],[12,26,0,true,true,false],
        [14,6,2,true,false,false],[20,2,0,false,false,false]]}]}],"type":"llvm.coverage.json.export","version":"2.0.1"}"#;
    project.write("llvm-cov.json", json.as_bytes());
    let score = project.full("src/price.rs");
    assert_eq!(score.coverage.as_ref().unwrap().percent, Some(100.0 * 5.0 / 6.0));
}

#[test]
fn a_bad_file_is_told_what_is_wrong_where() {
    let project = shop();
    let score = project.full("src/find.rs");
    assert_eq!(told(&score), ["4:unwrap-call", "5:sql-format", "8:exit-in-library", "13:blocking-in-async"]);
    assert_eq!(score.categories[&Category::Security].score, Some(7.0));
    assert_eq!(score.categories[&Category::TestCoverage].score, Some(0.0));
    let sql = score.findings.iter().find(|one| one.rule == "tapps:sql-format").unwrap();
    assert_eq!((sql.cwe.as_deref(), sql.cost), (Some("CWE-89"), 3_000));
    let broken = project.full("src/broken.rs");
    assert_eq!((broken.overall, broken.blocking[0].rule.as_str()), (None, "tapps:syntax-error"));
}

#[test]
fn the_quick_answer_and_the_gate_say_the_same() {
    let project = shop();
    let (quick, full) = (project.quick("src/find.rs"), project.full("src/find.rs"));
    assert_eq!(told(&quick), told(&full));
    for (category, score) in quick.categories.iter().filter(|(_, score)| score.measured) {
        assert_eq!(score.score, full.categories[category].score, "{category:?}");
    }
    assert!(project.gate(&["src/price.rs"]).passed);
    assert!(!project.gate(&["src/find.rs"]).passed);
    let all = project.scores(&["."], AnalysisMode::Full).unwrap();
    assert_eq!(all.files.iter().filter(|one| one.file.ends_with(".rs")).count(), 4);
}

#[test]
fn a_change_is_judged_by_what_it_brings() {
    let project = shop();
    git(project.root(), &["init", "--quiet"]);
    commit_all(project.root(), "first");
    // Layout and comments make no other program.
    project.write("src/price.rs", GOOD.replace("/// Adds prices.", "/// Adds up prices.").as_bytes());
    let report = project.judge(&ChangeRequest::default()).unwrap();
    assert_eq!(report.verdict, ChangeVerdict::Neutral, "{:?}", report.reasons);
    let worse = GOOD.replace(
        "#[cfg(test)]",
        "pub fn first(prices: &[u32]) -> u32 {\n    *prices.first().unwrap()\n}\n\n#[cfg(test)]",
    );
    project.write("src/price.rs", worse.as_bytes());
    let report = project.judge(&ChangeRequest::default()).unwrap();
    let new: Vec<(&str, u32)> = report
        .files
        .iter()
        .flat_map(|file| &file.findings)
        .filter(|one| one.state == FindingState::New)
        .map(|one| (one.finding.rule.as_str(), one.finding.line))
        .collect();
    assert_eq!(new, [("tapps:unwrap-call", 23)]);
}

#[test]
fn the_program_prints_a_score() {
    let project = shop();
    let mut program = program(&settings());
    let output =
        program.args(["score", "src/price.rs", "--format", "json"]).current_dir(project.root()).output().unwrap();
    let reply: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let text = reply.to_string();
    assert!(text.contains("\"language\":\"rust\"") && text.contains("\"overall\":"), "{text}");
}
