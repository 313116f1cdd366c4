//! Contracts about imports that a change breaks in files which it does not touch: a file in between imports something else now.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::engine::Engine;
use crate::threads::run_off_async_threads;
use tapps_base::Result;
use tapps_base::call::Call;
use tapps_config::ContractKind;

/// What contracts say of a change as a whole.
#[derive(Debug, Default)]
pub(super) struct ChangedContracts {
    /// Files that nobody touched whose imports break a contract through a file of the change, each with that file.
    pub(super) broken_through: BTreeMap<String, String>,
    /// What of the contracts cannot be used on the head's code.
    pub(super) notes: Vec<String>,
}

impl Engine {
    /// Judges the contracts of this engine's tree, after a change of these files.
    ///
    /// # Errors
    /// As [`tapps_project::ProjectIndex::judge_contracts`].
    pub(super) async fn changed_contracts(&self, changed: &[String], call: &Call) -> Result<ChangedContracts> {
        if self.config.architecture.contracts.is_empty() {
            return Ok(ChangedContracts::default());
        }
        let (index, config, of_call) = (Arc::clone(&self.project), Arc::clone(&self.config), call.clone());
        let judged = run_off_async_threads(move || index.judge_contracts(&config.architecture, &of_call));
        let verdict = call.within(judged).await??;
        let changed: BTreeSet<&str> = changed.iter().map(String::as_str).collect();
        let mut found = ChangedContracts::default();
        // A circle that a change closes has an import in a file of the change, where it is told.
        for breach in verdict.breaches.iter().filter(|breach| breach.kind != ContractKind::Acyclic) {
            let through = breach.chain.iter().map(|link| link.importer.as_str()).find(|path| changed.contains(path));
            if let Some(through) = through.filter(|_| !changed.contains(breach.file.as_str())) {
                found.broken_through.entry(breach.file.clone()).or_insert_with(|| through.to_owned());
            }
        }
        let note = |fault: &tapps_coderef::contracts::ContractFault| {
            format!("{}; the rest of the contract counts", fault.error.message())
        };
        found.notes = verdict.faults.iter().map(note).collect();
        Ok(found)
    }
}
