//! Java files through everything that scores: the score, the quick check, the gate, the verdict on a change, the program.

use tapps_base::finding::Category;
use tapps_quality::change::ChangeRequest;
use tapps_quality::change::report::{ChangeVerdict, FindingState};
use tapps_quality::result::{AnalysisMode, FileScore};

use crate::scoring::support::Project;
use crate::toolchain_git_support::{commit_all, git};
use crate::toolchain_support::{program, settings};

const GOOD: &str = "package shop;

import java.util.List;

/** Adds prices. */
public final class Price {
    private Price() {
    }

    /** Adds prices, of which there is at least one. */
    public static int total(List<Integer> prices) {
        if (prices.isEmpty()) {
            throw new IllegalArgumentException(\"no prices\");
        }
        int sum = 0;
        for (int price : prices) {
            sum += price;
        }
        return sum;
    }
}
";

const BAD: &str = "package shop;

import java.io.FileInputStream;
import java.security.MessageDigest;
import java.sql.Statement;

public class Stock {
    public static String[] names = {\"a\"};

    public Object find(Statement statement, String name) throws Exception {
        FileInputStream in = new FileInputStream(\"stock.txt\");
        if (name == \"all\") {
            System.exit(in.read());
        }
        try {
            return statement.executeQuery(\"SELECT * FROM stock WHERE name = '\" + name + \"'\");
        } catch (RuntimeException e) {
        }
        return null;
    }

    byte[] signature(byte[] text) throws Exception {
        return MessageDigest.getInstance(\"MD5\").digest(text);
    }
}
";

const TEST: &str = "package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class PriceTest {
    @Test
    void adds() {
        assertEquals(3, Price.total(List.of(1, 2)));
    }
}
";

const POM: &str = "<project><artifactId>shop</artifactId><dependencies><dependency><groupId>org.junit.jupiter</groupId>\
    <artifactId>junit-jupiter</artifactId><version>5.11.0</version><scope>test</scope></dependency></dependencies></project>\n";

const PRICE: &str = "src/main/java/shop/Price.java";
const STOCK: &str = "src/main/java/shop/Stock.java";

fn shop() -> Project {
    Project::of(&[
        ("pom.xml", POM.as_bytes()),
        ("README.md", b"# Shop\n"),
        ("LICENSE", b"MIT\n"),
        (PRICE, GOOD.as_bytes()),
        (STOCK, BAD.as_bytes()),
        ("src/main/java/shop/Broken.java", b"package shop;\n\nclass {\n"),
        ("src/test/java/shop/PriceTest.java", TEST.as_bytes()),
    ])
}

fn told(score: &FileScore) -> Vec<String> {
    let own = score.findings.iter().filter(|one| one.line > 0 && one.category != Category::TestCoverage);
    own.map(|one| format!("{}:{}", one.line, one.rule.trim_start_matches("tapps:"))).collect()
}

#[test]
fn a_good_file_is_scored_in_all_seven_categories() {
    let score = shop().full(PRICE);
    assert_eq!(serde_json::to_value(score.language).unwrap(), "java");
    assert_eq!(told(&score), Vec::<String>::new());
    assert!(score.categories.values().all(|category| category.measured), "{:?}", score.not_measured);
    for whole in [Category::Complexity, Category::Security, Category::Maintainability, Category::Performance] {
        assert_eq!(score.categories[&whole].score, Some(10.0), "{whole:?}");
    }
    // A test of the same package mentions its class; which lines it runs is not known.
    assert_eq!(score.categories[&Category::TestCoverage].score, Some(5.0));
    assert!(score.categories[&Category::TestCoverage].details.contains("src/test/java/shop/PriceTest.java"));
    assert!(!score.degraded && score.missing_tools.is_empty());
    assert!(score.overall.unwrap() > 85.0, "{:?}", score.overall);
    assert_eq!(
        score.categories[&Category::Complexity].details,
        "2 functions, mean complexity 2.0, highest 3 in Price.total"
    );
    let lock =
        score.findings.iter().any(|one| one.rule == "tapps:no-lock-file" || one.rule == "tapps:no-type-checker-config");
    assert!(!lock, "{:?}", score.findings);
}

#[test]
fn a_report_of_jacoco_says_which_lines_ran() {
    let project = shop();
    let line = |number: u32, missed: u32, covered: u32| {
        format!("<line nr=\"{number}\" mi=\"{missed}\" ci=\"{covered}\" mb=\"0\" cb=\"0\"/>")
    };
    let lines: String =
        [line(12, 0, 3), line(13, 5, 0), line(15, 0, 2), line(16, 0, 8), line(17, 0, 4), line(19, 0, 2)].concat();
    let report = format!(
        "<?xml version=\"1.0\"?><report name=\"shop\"><package name=\"shop\"><sourcefile name=\"Price.java\">{lines}</sourcefile></package></report>"
    );
    project.write("target/site/jacoco/jacoco.xml", report.as_bytes());
    let score = project.full(PRICE);
    assert_eq!(score.coverage.as_ref().unwrap().percent, Some(100.0 * 5.0 / 6.0));
    assert_eq!(score.categories[&Category::TestCoverage].score, Some(8.333));
    let missing = score.findings.iter().find(|one| one.rule == "tapps:uncovered-lines").unwrap();
    assert_eq!((missing.line, missing.end_line), (13, 13));
    project.write(PRICE, GOOD.replace("        int sum = 0;\n", "\n\n\n        int sum = 0;\n").as_bytes());
    let stale = project.full(PRICE);
    assert!(stale.findings.iter().any(|one| one.rule == "tapps:stale-coverage"), "{:?}", stale.findings);
}

#[test]
fn a_bad_file_is_told_what_is_wrong_where() {
    let project = shop();
    let score = project.full(STOCK);
    assert_eq!(
        told(&score),
        [
            "8:mutable-static",
            "11:unclosed-resource",
            "12:string-identity",
            "13:system-exit",
            "16:sql-concatenation",
            "17:swallowed-exception",
            "23:weak-algorithm",
        ]
    );
    assert_eq!(score.categories[&Category::Security].score, Some(6.0));
    assert_eq!(score.categories[&Category::TestCoverage].score, Some(0.0));
    let sql = score.findings.iter().find(|one| one.rule == "tapps:sql-concatenation").unwrap();
    assert_eq!((sql.cwe.as_deref(), sql.cost), (Some("CWE-89"), 3_000));
    assert!(score.overall.unwrap() < 75.0, "{:?}", score.overall);
    let broken = project.full("src/main/java/shop/Broken.java");
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
    assert_eq!(all.files.iter().filter(|one| one.file.ends_with(".java")).count(), 4);
}

#[test]
fn a_change_is_judged_by_what_it_brings_and_hides() {
    let project = shop();
    git(project.root(), &["init", "--quiet"]);
    commit_all(project.root(), "first");
    // Layout and comments make no other program.
    project.write(PRICE, GOOD.replace("/** Adds prices. */", "/** Adds up prices. */").as_bytes());
    let report = project.judge(&ChangeRequest::default()).unwrap();
    assert_eq!(report.verdict, ChangeVerdict::Neutral, "{:?}", report.reasons);
    let worse = GOOD.replace(
        "        int sum = 0;\n",
        "        int sum = 0;\n        try { prices.get(0); } catch (RuntimeException e) { } // NOPMD\n",
    );
    project.write(PRICE, worse.as_bytes());
    let report = project.judge(&ChangeRequest::default()).unwrap();
    let new: Vec<(&str, u32)> = report
        .files
        .iter()
        .flat_map(|file| &file.findings)
        .filter(|one| one.state == FindingState::New)
        .map(|one| (one.finding.rule.as_str(), one.finding.line))
        .collect();
    assert_eq!(new, [("tapps:swallowed-exception", 16)]);
    assert!(serde_json::to_string(&report).unwrap().contains("\"line\":16"), "the comment is in the ledger");
}

#[test]
fn the_program_prints_a_score() {
    let project = shop();
    let mut program = program(&settings());
    let output = program.args(["score", PRICE, "--format", "json"]).current_dir(project.root()).output().unwrap();
    let reply: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let text = reply.to_string();
    assert!(text.contains("\"language\":\"java\"") && text.contains("\"overall\":"), "{text}");
}
