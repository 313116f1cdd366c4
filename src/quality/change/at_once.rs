//! When mypy, which takes longest, is asked about the sides of a change: how early it starts, and whether both at once.

use std::path::Path;
use std::sync::Arc;

use crate::ask::TREE_COPY;
use crate::engine::Engine;
use crate::rule_set;
use crate::type_cache::TypeCache;
use crate::types::TypeTree;
use tapps_base::Result;
use tapps_base::call::Call;
use tapps_base::language::ScoredLanguage;
use tapps_toolchain::{Program, Toolchain};

/// From how many files on it is quicker to read what every file imports twice, side by side, than to wait for it.
const MANY: usize = 8;

impl Engine {
    /// Starts mypy while git is asked what has changed, where it was asked about the project before: it has hundreds of
    /// modules to load. Returns at once.
    pub(super) fn start_mypy_early(&self, call: &Call) {
        let (engine, call) = (self.clone(), call.clone());
        tokio::spawn(async move {
            let Ok(toolchain) = engine.toolchain().ready_at_a_glance(&call).await else { return };
            if let Ok(answers) = toolchain.answer_key(rule_set::VERSION)
                && TypeCache::new(&engine.cache_dir, &engine.types_root, &answers.interpreted, None)
                    .is_filled_with_any_types()
            {
                toolchain.expect_runs_of(Program::Mypy);
            }
        });
    }

    /// What takes longest is mypy, which works on one core. Both sides begin with what it knows of the project; where it
    /// knows nothing, the base's begins with what the head's has read, unless there is much to say of both.
    ///
    /// # Errors
    /// `cancelled` or `timeout` of the call.
    pub(super) async fn asks_sides_at_once(
        &self,
        (toolchain, types): (&Result<Arc<Toolchain>>, Option<&TypeTree>),
        files: &[&str],
        call: &Call,
    ) -> Result<bool> {
        let is_python = |path: &&str| ScoredLanguage::of_path(path) == Some(ScoredLanguage::PYTHON);
        let Some(toolchain) = toolchain.as_ref().ok().filter(|_| files.iter().any(is_python)) else { return Ok(true) };
        toolchain.expect_runs_of(Program::Mypy);
        let answers = toolchain.answer_key(rule_set::VERSION)?;
        let types = types.map(TypeTree::digest);
        let cache = |root: &Path| TypeCache::new(&self.cache_dir, root, &answers.interpreted, types);
        let base = cache(&self.types_root.join(TREE_COPY));
        if !base.is_filled() {
            let held = base.hold(call).await?;
            held.begin_with(&cache(&self.types_root));
        }
        Ok(base.is_filled() || files.len() >= MANY && rayon::current_num_threads() > 1)
    }
}
