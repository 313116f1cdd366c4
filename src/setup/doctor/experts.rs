//! The experts: whether questions are searched in the way that was asked for.

use super::Patient;
use super::report::Finding;
use tapps_config::SearchMode;
use tapps_experts::SearchBackend;

pub(super) fn check_expert_search(patient: &Patient) -> Finding {
    let config = match Patient::require_healthy(&patient.config, "the configuration") {
        Ok((config, _)) => &config.experts,
        Err(skipped) => return skipped,
    };
    let search = SearchBackend::new(config.search, config.model.clone(), None).or_beside(Some(patient.program.clone()));
    let Some(searched) = search.status() else {
        let why = if config.search == SearchMode::Auto { ": there is no model beside this program" } else { "" };
        return Finding::ok(format!("questions to the experts are searched by words{why}"));
    };
    match (searched.fallback, searched.model) {
        (Some(fallback), _) => {
            Finding::warning(format!("words alone are compared: {}", fallback.message), fallback.hint)
        }
        (None, model) => {
            let model = model.map(|model| format!(" with the model {}", model.sha256)).unwrap_or_default();
            Finding::ok(format!("the search of the experts is {}{model}", searched.mode))
        }
    }
}
