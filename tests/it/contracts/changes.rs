//! Contracts in the score, the gate and the verdict on a change.

use tapps_config::{Config, Sources, load_config};
use tapps_quality::change::report::{ChangeReport, FindingState, PolicyOrigin};
use tapps_quality::change::{ChangeBase, ChangeRequest};
use tapps_quality::requests::GateRequest;
use tapps_quality::result::AnalysisMode;

use crate::scoring::support::Project;
use crate::toolchain_git_support::{commit_all, git};

const CONTRACT: &str = "[architecture.contracts.floors]\nkind = \"layers\"\nlayers = [\"shop.web\", \"shop.domain\"]\n";

const VIEWS: &str =
    "\"\"\"Pages.\"\"\"\n\n\ndef page() -> str:\n    \"\"\"The first page.\"\"\"\n    return \"shop\"\n";
const CART: &str = "\"\"\"The cart.\"\"\"\n\nfrom shop import util\n\n\ndef total() -> int:\n    \"\"\"Sums up.\"\"\"\n    return util.half(4)\n";
const UTIL: &str =
    "\"\"\"Sums.\"\"\"\n\n\ndef half(number: int) -> int:\n    \"\"\"Half of it.\"\"\"\n    return number // 2\n";
/// The same, by way of a page.
const UTIL_UP: &str = "\"\"\"Sums.\"\"\"\n\nfrom shop.web import views\n\n\ndef half(number: int) -> int:\n    \"\"\"Half of it.\"\"\"\n    return number // 2 + len(views.page()) * 0\n";
const OLD: &str = "\"\"\"Old code.\"\"\"\n\nfrom shop.web import views\n\nPAGE = views.page()\n";

fn shop(more: &[(&str, &str)]) -> Project {
    let files = [
        ("tapps-mcp.toml", CONTRACT),
        ("shop/__init__.py", ""),
        ("shop/web/__init__.py", ""),
        ("shop/web/views.py", VIEWS),
        ("shop/domain/__init__.py", ""),
        ("shop/domain/cart.py", CART),
        ("shop/util.py", UTIL),
    ];
    let all: Vec<(&str, &[u8])> = files.iter().chain(more).map(|(path, text)| (*path, text.as_bytes())).collect();
    let project = Project::of(&all);
    let config = settings(&project);
    project.with(config)
}

fn settings(project: &Project) -> Config {
    load_config(&Sources { root: project.root().to_owned(), ..Sources::default() }).unwrap().config
}

/// The change in the working tree of a project that was committed, by the settings that it has now.
fn judge(project: &Project) -> ChangeReport {
    let again = Project::at(project.root()).with(settings(project));
    again.judge(&ChangeRequest { base: ChangeBase::Exactly("HEAD".to_owned()), ..ChangeRequest::default() }).unwrap()
}

fn committed(more: &[(&str, &str)]) -> Project {
    let project = shop(more);
    git(project.root(), &["init", "--quiet"]);
    commit_all(project.root(), "first");
    project
}

/// File and line of each new finding of a contract.
fn new_breaches(report: &ChangeReport) -> Vec<String> {
    let of_file = |file: &tapps_quality::change::report::FileChange| {
        let found = file.findings_in(FindingState::New).filter(|one| one.finding.rule == "tapps:layer-breach");
        found.map(|one| format!("{}:{}", file.file, one.finding.line)).collect::<Vec<_>>()
    };
    report.files.iter().flat_map(of_file).collect()
}

#[test]
fn a_breach_costs_structure_and_fails_the_gate_until_a_baseline_knows_it() {
    let project = shop(&[("shop/domain/old.py", OLD)]);
    let report = project.scores(&["shop/domain/old.py", "shop/domain/cart.py"], AnalysisMode::Full).unwrap();
    let old = report.files.iter().find(|file| file.file == "shop/domain/old.py").unwrap();
    let breach = old.findings.iter().find(|finding| finding.rule == "tapps:layer-breach").unwrap();
    assert_eq!(
        breach.message,
        "`shop.domain` may not import `shop.web`, not even through others (contract `floors`): \
         shop/domain/old.py:3 → shop/web/views.py"
    );
    assert_eq!((breach.line, old.blocking.len()), (3, 1));
    assert!(breach.points > 0.0, "{breach:?}");
    let cart = report.files.iter().find(|file| file.file == "shop/domain/cart.py").unwrap();
    assert!(cart.findings.iter().all(|finding| finding.rule != "tapps:layer-breach"));
    let gate = |baseline: Option<&str>| {
        let baseline = baseline.map(str::to_owned);
        project.gate_by(GateRequest { paths: vec!["shop/domain".into()], baseline, ..GateRequest::default() }).unwrap()
    };
    let blocked = |report: &tapps_quality::result::GateReport| {
        report.files.iter().flat_map(|file| file.result.blocking.clone()).map(|one| one.rule).collect::<Vec<_>>()
    };
    let first = gate(None);
    assert_eq!(blocked(&first), ["tapps:layer-breach"]);
    let known = tapps_quality::baseline::Baseline::from_gate_report(&first).to_text().unwrap();
    project.write("known.json", known.as_bytes());
    assert_eq!(blocked(&gate(Some("known.json"))), [""; 0]);
    // The lines above may grow: the baseline goes by files.
    project.write("shop/domain/old.py", format!("\n\n{OLD}").as_bytes());
    assert_eq!(blocked(&gate(Some("known.json"))), [""; 0]);
    project.write("shop/domain/cart.py", OLD.as_bytes());
    assert_eq!(blocked(&gate(Some("known.json"))), ["tapps:layer-breach"]);
}

#[test]
fn a_contract_that_names_nothing_is_a_gap_in_what_is_known() {
    let project = shop(&[]);
    project.write("tapps-mcp.toml", CONTRACT.replace("shop.web", "shop.wep").as_bytes());
    let project = Project::at(project.root()).with(settings(&project));
    let report = project.scores(&["shop/domain/cart.py"], AnalysisMode::Full).unwrap();
    let gaps: Vec<&str> = report.files[0].not_measured.iter().map(|gap| gap.reason.as_str()).collect();
    assert!(
        gaps.iter().any(|gap| gap.contains("`shop.wep` names no file") && gap.contains("did you mean shop.web")),
        "{gaps:?}"
    );
    assert!(report.files[0].degraded);
}

#[test]
fn only_new_breaches_block_a_change() {
    let project = committed(&[("shop/domain/old.py", OLD)]);
    project.write("shop/domain/old.py", OLD.replace("Old code.", "Older code.").as_bytes());
    let report = judge(&project);
    assert_eq!(new_breaches(&report), [""; 0]);
    assert!(!report.reasons.iter().any(|reason| reason.contains("layer-breach")), "{:?}", report.reasons);
    project.write("shop/domain/new.py", OLD.as_bytes());
    let report = judge(&project);
    assert_eq!(new_breaches(&report), ["shop/domain/new.py:3"]);
    assert!(report.reasons.iter().any(|reason| reason.contains("tapps:layer-breach")), "{:?}", report.reasons);
}

#[test]
fn a_file_in_between_breaks_the_contract_of_those_that_nobody_touched() {
    let project = committed(&[]);
    project.write("shop/util.py", UTIL_UP.as_bytes());
    let report = judge(&project);
    assert_eq!(new_breaches(&report), ["shop/domain/cart.py:3"]);
    let cart = report.files.iter().find(|file| file.file == "shop/domain/cart.py").unwrap();
    assert_eq!(cart.because.as_deref(), Some("shop/util.py"));
    assert!(!report.passed && !cart.passed, "{:?}", report.reasons);
}

#[test]
fn a_change_is_judged_by_the_contracts_of_its_base() {
    let project = committed(&[]);
    project.write("shop/domain/new.py", OLD.as_bytes());
    for loosened in [
        "".to_owned(),
        CONTRACT.replace("\"shop.web\", ", ""),
        format!("{CONTRACT}except = [\"shop.domain.new -> shop.web: it has to be\"]\n"),
        format!("{CONTRACT}indirect = false\n"),
    ] {
        project.write("tapps-mcp.toml", loosened.as_bytes());
        let report = judge(&project);
        assert_eq!(new_breaches(&report), ["shop/domain/new.py:3"], "{loosened}");
        assert_eq!(report.policy.origin, PolicyOrigin::Base, "{loosened}");
        let told = &report.policy.changes[0];
        assert_eq!(told.file, "tapps-mcp.toml");
        assert!(told.what.iter().any(|what| what.starts_with("architecture.contracts.floors")), "{told:?}");
    }
}

#[test]
fn a_layer_that_is_renamed_with_its_contract_blocks_nothing_and_is_told() {
    let project = committed(&[]);
    git(project.root(), &["mv", "shop/web", "shop/pages"]);
    project.write("tapps-mcp.toml", CONTRACT.replace("shop.web", "shop.pages").as_bytes());
    let report = judge(&project);
    assert!(report.passed, "{:?}", report.reasons);
    assert!(report.notes.iter().any(|note| note.contains("`shop.web` names no file")), "{:?}", report.notes);
}
