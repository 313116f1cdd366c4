//! Warm tools change how long a score takes and nothing else.

use tapps_quality::result::AnalysisMode;
use tapps_toolchain::{Provider, Warmth};

use super::support::{Project, block_on, call, canonical, runtime};
use crate::{corpus, toolchain_support};

#[test]
fn warm_workers_change_no_score() {
    let mut settings = toolchain_support::settings();
    settings.warmth = Warmth::FromTheStart;
    let provider = {
        let _in = runtime();
        Provider::new(settings)
    };
    let root = corpus::dir("bandit");
    let paths: Vec<String> =
        corpus::files(&root.join("examples"), "py").iter().step_by(4).map(|file| format!("examples/{file}")).collect();
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    // bandit is only asked when the configuration says so.
    let mut config = tapps_config::Config::default();
    config.security.engine = tapps_config::SecurityEngine::Bandit;
    let plain = Project::at(&root).with(config.clone());
    let warm = Project::at(&root).with_config_and_provider(config, provider);
    block_on(warm.engine().warm_up(&call())).unwrap();
    let expected = canonical(&plain.scores(&paths, AnalysisMode::Full).unwrap());
    assert!(expected.contains("\"degraded\":false"), "{expected}");
    assert_eq!(canonical(&warm.scores(&paths, AnalysisMode::Full).unwrap()), expected);
    for file in paths.iter().step_by(3) {
        let alone = canonical(&warm.full(file));
        assert!(expected.contains(&alone), "{file}: {alone}");
    }
}
