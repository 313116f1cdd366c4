//! What a program with a long life does before it is asked anything.

use std::sync::Arc;

use crate::analyzer::mypy;
use crate::ask::Asker;
use crate::engine::{AnalysisPlan, Engine};
use crate::project_rules::ProjectRules;
use crate::result::AnalysisMode;
use crate::rule_set;
use crate::stage::Stage;
use crate::threads::run_off_async_threads;
use tapps_base::Result;
use tapps_base::call::Call;
use tapps_base::finding::Category;

impl Engine {
    /// Reads the project and has mypy read the standard library, so that the first answer need not wait for either.
    ///
    /// # Errors
    /// Why that could not be done; the first answer then takes longer and is the same.
    pub async fn warm_up(&self, call: &Call) -> Result<()> {
        let (index, config) = (Arc::clone(&self.project), Arc::clone(&self.config));
        let reading = run_off_async_threads(move || index.snapshot(&config.coverage.files).map(drop));
        let (read, typed) = tokio::join!(call.within(reading), self.warm_types(call));
        typed.and(read?)
    }

    async fn warm_types(&self, call: &Call) -> Result<()> {
        let toolchain = self.toolchain().wait_until_ready(call).await?;
        // As the answers are asked for that somebody waits for.
        let plan = AnalysisPlan {
            mode: AnalysisMode::Full,
            wanted: Category::ALL.to_vec(),
            lint: true,
            secrets: true,
            reproducible: false,
        };
        let answers = toolchain.answer_key(rule_set::VERSION)?;
        let types = self.library_types(&plan, call).await?;
        let asker = Asker {
            toolchain: &toolchain,
            stage: &Stage::new(toolchain.private_folder()?, &[])?,
            boundary: &self.boundary,
            types_root: &self.types_root,
            python_files: &self.python_files,
            script_files: self.scripts(false),
            held_scripts: None,
            provider: self.toolchain(),
            kept: &self.answers,
            cache_dir: &self.cache_dir,
            answers: &answers,
            version: self.config.python.version,
            rules: &ProjectRules::default(),
            types: types.as_ref().map(|types| (&*self.type_trees, types)),
            sources: &[],
            files: 1,
            call,
        };
        mypy::warm_types(&asker).await
    }
}
