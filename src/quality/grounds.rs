//! What a request stands on besides its files: the tools and the rules, and what every result says of them.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::adaptive;
use crate::analyzer;
use crate::analyzer::{Analyzer, Dependence};
use crate::assemble::Frame;
use crate::engine::{AnalysisPlan, Engine};
use crate::own::{Description, OwnTools};
use crate::project_rules::ProjectRules;
use crate::requests::no_tools;
use crate::result::{InterpreterStamp, ResultStamp};
use crate::rule_set;
use crate::threads::run_off_async_threads;
use crate::types::TypeTree;
use tapps_base::call::Call;
use tapps_base::{Result, digest};
use tapps_config::{LibraryTypes, Rules};
use tapps_patterns::PatternRules;
use tapps_toolchain::Toolchain;
use tapps_toolchain::own::OwnTool;

/// What is there before any file is looked at.
pub(super) struct Grounds {
    /// Or why there is none.
    pub(super) toolchain: Result<Arc<Toolchain>>,
    /// What is left of the project's own configuration of the tools.
    pub(super) rules: ProjectRules,
    /// The types of what the project has locked; none where nothing of that is at hand, or nobody asks for it.
    pub(super) types: Option<Arc<TypeTree>>,
    pub(super) own: Arc<OwnTools>,
    /// The project's own rules.
    pub(super) patterns: Arc<PatternRules>,
    pub(super) frame: Frame,
}

impl Engine {
    /// # Errors
    /// `config_error` for rules and tools of the project that cannot be used; `toolchain_mismatch`, `timeout`, `cancelled`.
    pub(super) async fn grounds(&self, plan: &AnalysisPlan, call: &Call) -> Result<Grounds> {
        let boundary = Arc::clone(self.rules_boundary());
        let (config, policy) = (Arc::clone(&self.config), Arc::clone(self.policy_boundary()));
        let read = run_off_async_threads(move || {
            Ok((ProjectRules::read_project_rules(&boundary, &config)?, Arc::new(PatternRules::read(&policy)?)))
        });
        let (toolchain, (rules, patterns), types) = tokio::try_join!(
            self.ready_toolchain(call),
            async { call.within(read).await? },
            self.library_types(plan, call)
        )?;
        let own = self.own_tools().await?;
        let frame = self.assessment_frame(
            toolchain.as_ref().ok().map(Arc::as_ref),
            (&rules, types.as_deref(), &own, &patterns),
            plan.reproducible,
        )?;
        Ok(Grounds { toolchain, rules, types, own, patterns, frame })
    }

    /// The types of what the project has locked, where an analyzer that reads them is asked. A verdict that must be the same
    /// everywhere knows only those whose very bytes the lock names.
    ///
    /// # Errors
    /// What reading the lock files says; `timeout`, `cancelled`.
    pub(super) async fn library_types(&self, plan: &AnalysisPlan, call: &Call) -> Result<Option<Arc<TypeTree>>> {
        let reads = |analyzer: &dyn Analyzer| analyzer.profile().depends_on.contains(&Dependence::LibraryTypes);
        if self.config.types == LibraryTypes::None || !self.asked_analyzers(plan).any(reads) {
            return Ok(None);
        }
        let (trees, boundary, cache) = (Arc::clone(&self.type_trees), Arc::clone(&self.boundary), self.answers.clone());
        let only_locked = plan.reproducible;
        let made = run_off_async_threads(move || trees.of_tree(&boundary, only_locked, &cache));
        Ok(call.within(async { made.await? }).await?.map(Arc::new))
    }

    fn assessment_frame(
        &self,
        toolchain: Option<&Toolchain>,
        (rules, types, tools, patterns): (&ProjectRules, Option<&TypeTree>, &OwnTools, &PatternRules),
        reproducible: bool,
    ) -> Result<Frame> {
        let (mut stamp, mut tool_versions) = match toolchain {
            None => (no_tools(), BTreeMap::new()),
            Some(toolchain) => {
                let fingerprint = toolchain.fingerprint(rule_set::VERSION)?;
                let interpreter = InterpreterStamp::of_toolchain(toolchain);
                let stamp = ResultStamp { fingerprint, verified: toolchain.verified(), interpreter, types: None };
                (stamp, scoring_tools(toolchain.versions()?))
            }
        };
        stamp.types = types.map(|types| types.stamp().clone());
        let mut own = self.config.score_digest()?;
        if !tools.is_empty() {
            let digest = tools.digest()?;
            own = digest::of_json(&serde_json::json!({ "config": own, "own_tools": digest }))?;
            stamp.fingerprint = digest::of_json(&serde_json::json!([stamp.fingerprint, digest]))?;
            let version = |(tool, said): &(OwnTool, Description)| (said.name().to_owned(), tool.version.clone());
            tool_versions.extend(tools.tools.iter().map(version));
        }
        let mut config_digest = if self.config.rules == Rules::Project {
            digest::of_json(&serde_json::json!({ "config": own, "project_rules": rules.digests_by_tool() }))?
        } else {
            own
        };
        if let Some(patterns) = patterns.digest() {
            config_digest = digest::of_json(&serde_json::json!({ "config": config_digest, "rules": patterns }))?;
        }
        let (weights, learned) = self.weights_for(reproducible)?;
        if learned {
            stamp.fingerprint = adaptive::fingerprint_with_weights(&stamp.fingerprint, &weights);
        }
        Ok(Frame { weights, stamp, tool_versions, config_digest, configuration: rules.told.clone() })
    }
}

/// The tools that make scores; their support packages are in the fingerprint.
fn scoring_tools(mut versions: BTreeMap<String, String>) -> BTreeMap<String, String> {
    // These two are asked by others: by who reads coverage data, and by the analyzer of the types of scripts.
    let scores = |tool: &str| {
        matches!(tool, "coverage" | "tsgolint") || analyzer::ALL.iter().any(|one| one.profile().name == tool)
    };
    versions.retain(|tool, _| scores(tool));
    versions
}
