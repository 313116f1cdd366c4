//! Feedback, statistics, and weights that move by it: within bounds, when allowed, and never where it must not be.

use serde_json::{Value, json};
use tapps_base::finding::Category;
use tapps_config::Config;
use tapps_quality::adaptive::{Experience, FeedbackTally, Tallies};
use tapps_quality::inputs::InputScope;
use tapps_quality::requests::{GateRequest, ScoreRequest};
use tapps_quality::result::AnalysisMode;

use crate::mcp_process::Process;
use crate::scoring::support::{CLEAN, Project, block_on, call};
use crate::toolchain_support::{program, settings, toolchain};

fn learned(right: u32, wrong: u32) -> Experience {
    Experience::new(move || Ok(Tallies::from([(Category::TestCoverage, FeedbackTally { right, wrong })])))
}

fn request(reproducible: bool) -> GateRequest {
    GateRequest { paths: vec!["shop/prices.py".into()], reproducible, ..GateRequest::default() }
}

#[test]
fn outcomes_move_a_verdict_only_where_the_configuration_says_so_and_it_need_not_be_reproducible() {
    let plain = Project::of(CLEAN);
    let adaptive = Project::of(CLEAN).with(Config { adaptive: true, ..Config::default() });
    let gate = |project: &Project, experience: Option<Experience>, request: &GateRequest| {
        let engine = project.engine().clone();
        let engine = match experience {
            Some(experience) => engine.with_experience(experience),
            None => engine,
        };
        let report = block_on(engine.gate(request, &call())).unwrap();
        let file = &report.files[0].result;
        (file.overall.unwrap(), file.categories[&Category::TestCoverage].weight, report.toolchain.fingerprint)
    };
    let (score, weight, fingerprint) = gate(&plain, None, &request(false));
    // Switched off, nothing moves, whatever was said.
    assert_eq!(gate(&plain, Some(learned(1_000, 0)), &request(false)), (score, weight, fingerprint.clone()));
    // Switched on, too few words move no weight, and many do.
    let (same, same_weight, few) = gate(&adaptive, Some(learned(9, 0)), &request(false));
    assert_eq!((same, same_weight), (score, weight));
    let (lower, heavier, many) = gate(&adaptive, Some(learned(1_000, 0)), &request(false));
    assert!(heavier > weight && heavier <= weight * 1.2 + 1e-9, "{weight} to {heavier}");
    assert!(lower < score, "the category with most to lose counts more: {score} to {lower}");
    assert!(many != fingerprint && many != few, "the weights are part of the fingerprint");
    // A verdict that must be the same everywhere is.
    assert_eq!(gate(&adaptive, Some(learned(1_000, 0)), &request(true)).0, score);
    assert_eq!(gate(&adaptive, Some(learned(1_000, 0)), &request(true)).2, fingerprint);
    let verified = GateRequest { require_verified: true, ..request(false) };
    assert_eq!(gate(&adaptive, Some(learned(1_000, 0)), &verified).2, fingerprint);
    // A score and a verdict that are not reproducible agree.
    let engine = adaptive.engine().clone().with_experience(learned(1_000, 0));
    let paths = vec!["shop/prices.py".into()];
    let scored = ScoreRequest { paths, mode: AnalysisMode::Full, categories: None, scope: InputScope::Code };
    assert_eq!(block_on(engine.score(&scored, &call())).unwrap().files[0].overall, Some(lower));
}

#[test]
fn a_preset_can_demand_reproducible_verdicts() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tapps-mcp.toml");
    std::fs::write(&file, "adaptive = true\n[gates.release]\nextends = \"strict\"\nreproducible = true\n").unwrap();
    let mut command = program(&settings());
    command.current_dir(folder.path()).args(["config", "show", "--format", "json"]);
    let shown = command.output().unwrap();
    assert!(String::from_utf8_lossy(&shown.stdout).contains("reproducible"), "{shown:?}");
}

#[test]
fn feedback_is_counted_once_for_each_thing_and_told_by_statistics() {
    toolchain();
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.py"), "import os\n").unwrap();
    let mut command = program(&settings());
    command.env_remove("TAPPS_MCP_PROJECT_ROOT").current_dir(folder.path()).arg("serve");
    let mut server = Process::start(command);
    server.handshake();
    let mut tell = |arguments: Value| {
        let answer = server.call("tapps_feedback", arguments);
        answer["structuredContent"].clone()
    };
    for outcome in ["wrong", "fixed"] {
        let said = tell(json!({"outcome": outcome, "rule": "ruff:F401", "file_path": "a.py", "line": 1}));
        assert_eq!(said["category"], "maintainability");
        assert_eq!(said["weights"]["security"], 0.27);
        let expected =
            if outcome == "wrong" { json!({"right": 0, "wrong": 1}) } else { json!({"right": 1, "wrong": 0}) };
        assert_eq!(said["outcomes"], expected, "what is said again replaces what was said");
    }
    tell(json!({"outcome": "too_strict", "tool": "tapps_quality_gate", "category": "security", "file_path": "a.py"}));
    assert_eq!(tell(json!({"outcome": "right", "rule": "ruff:F4010"}))["error_code"], "invalid_argument");
    assert_eq!(tell(json!({"outcome": "right"}))["error_code"], "invalid_argument");
    assert_eq!(
        tell(json!({"outcome": "right", "rule": "ruff:F401", "file_path": "../a"}))["error_code"],
        "path_denied"
    );
    server.call("tapps_quality_gate", json!({"file_path": "a.py"}));
    let answer = server.call("tapps_stats", json!({}));
    let stats = &answer["structuredContent"];
    assert_eq!(stats["feedback"]["verdicts"], json!({"fixed": 1, "too_strict": 1}), "{stats}");
    assert_eq!(stats["gates"]["passed"].as_u64().unwrap() + stats["gates"]["failed"].as_u64().unwrap(), 1);
    let tools = stats["tools"].as_array().unwrap();
    let of = |name: &str| tools.iter().find(|tool| tool["tool"] == name).unwrap();
    assert_eq!((&of("tapps_feedback")["calls"], &of("tapps_feedback")["errored"]), (&json!(6), &json!(3)));
    assert!(of("tapps_quality_gate")["p95_ms"].as_u64().unwrap() > 0);
    assert!(stats["reply_tokens"].as_u64().unwrap() > 100);
    assert!(stats["cache"]["asked"].as_u64().unwrap() > 0);
    server.end();

    let mut command = program(&settings());
    command.current_dir(folder.path()).args(["stats", "--format", "json"]);
    let shown: Value = serde_json::from_slice(&command.output().unwrap().stdout).unwrap();
    assert_eq!((&shown["sessions"], &shown["feedback"]["total"]), (&json!(1), &json!(2)));
}
