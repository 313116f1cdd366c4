//! Designs in real packages: which files follow one, and that packages of other trades follow none.
//!
//! `cargo test -p tapps-mcp --test it designs -- --nocapture` prints what the page about designs names.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use tapps_base::source::Source;
use tapps_config::Config;
use tapps_project::designs::ProjectDesign;
use tapps_project::profile::build_project_profile;
use tapps_rules::python::analyze_python;
use tapps_sandbox::Boundary;

use crate::corpus;

/// Packages that follow designs: name, design, and every file that does.
const FOLLOWING: [(&str, &str, &[&str]); 4] = [
    (
        "gpt-researcher",
        "multi-agent",
        &[
            "multi_agents/agents/editor.py",
            "multi_agents/agents/orchestrator.py",
            "multi_agents_ag2/agents/orchestrator.py",
        ],
    ),
    ("langgraph-supervisor", "multi-agent", &["langgraph_supervisor/handoff.py", "langgraph_supervisor/supervisor.py"]),
    ("paper-qa", "retrieval", &["paperqa/docs.py", "paperqa/llms.py"]),
    ("txtai", "weighted-decision", &["txtai/embeddings/search/hybrid.py"]),
];

/// Packages that are about neither models nor decisions.
const OF_OTHER_TRADES: [&str; 9] =
    ["attrs", "click", "django", "flask", "httpx", "jinja2", "requests", "rich", "sqlalchemy"];

/// Rules about the pitfalls of designs.
const RULES: [&str; 4] =
    ["tapps:embedding-per-item", "tapps:endless-agent-loop", "tapps:retrieved-system-text", "tapps:unbalanced-weights"];

fn designs_of(root: &Path) -> Vec<ProjectDesign> {
    build_project_profile(&Arc::new(Boundary::open(root).unwrap()), &Config::default()).unwrap().designs
}

/// What the rules about designs say of the Python files of a package, as `rule file:line`.
fn said_of(root: &Path) -> Vec<String> {
    let mut said = Vec::new();
    for path in corpus::files(root, "py") {
        let source = Source::new(path.as_str(), std::fs::read(root.join(&path)).unwrap());
        let found = analyze_python(&source, (3, 13).into()).findings;
        let of_designs = found.iter().filter(|finding| RULES.contains(&finding.rule.as_str()));
        said.extend(of_designs.map(|finding| format!("{} {path}:{}", finding.rule, finding.line)));
    }
    said
}

#[test]
fn packages_follow_the_designs_that_they_are_known_for() {
    let mut packages = BTreeSet::new();
    for (name, design, files) in FOLLOWING {
        let found = designs_of(&corpus::dir(name));
        for one in &found {
            println!("{name}: {} in {} files", one.name, one.files);
            for file in &one.shown {
                for sign in &file.signs {
                    println!("  {}:{} {} {}", file.path, sign.line, sign.kind, sign.text);
                }
            }
        }
        let shown: Vec<(&str, Vec<&str>)> = found
            .iter()
            .map(|one| (one.name.as_str(), one.shown.iter().map(|file| file.path.as_str()).collect()))
            .collect();
        assert_eq!(shown, [(design, files.to_vec())], "{name}");
        assert_eq!(found[0].files, files.len(), "{name}");
        let kinds = |signs: &[tapps_project::designs::DesignSign]| {
            signs.iter().map(|sign| sign.kind.clone()).collect::<BTreeSet<_>>().len()
        };
        assert!(found[0].shown.iter().all(|file| kinds(&file.signs) >= 2), "{name}");
        packages.insert(design);
    }
    assert_eq!(packages.len(), 3, "each design has a package");
}

#[test]
fn packages_of_other_trades_follow_none() {
    for name in OF_OTHER_TRADES {
        let root = corpus::dir(name);
        assert_eq!(designs_of(&root), [], "{name}");
        assert_eq!(said_of(&root), [""; 0], "{name}");
    }
}
