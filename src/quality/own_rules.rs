//! The project's own rules, matched with each request.

use std::sync::Arc;

use rayon::prelude::*;

use crate::category::density::flat_lint_cost;
use crate::engine::Engine;
use crate::threads::Threads;
use tapps_base::call::Call;
use tapps_base::finding::Finding;
use tapps_base::source::Source;
use tapps_base::{Error, ErrorCode, Result};
use tapps_patterns::PatternRules;
use tapps_syntax::stack::on_parsing_threads;

impl Engine {
    /// What the project's own rules say of each source, in order.
    ///
    /// # Errors
    /// `config_error` for a rule that cannot be matched: a verdict without it would be another one.
    pub(super) async fn check_own_rules(
        &self,
        rules: &Arc<PatternRules>,
        sources: &Arc<[Source]>,
        threads: Threads,
        call: &Call,
    ) -> Result<Vec<Vec<Finding>>> {
        let (rules, sources) = (Arc::clone(rules), Arc::clone(sources));
        let checked = threads.run(move || {
            if rules.is_empty() {
                return Ok(sources.iter().map(|_| Vec::new()).collect());
            }
            let check = |source: &Source| rules.check(source, flat_lint_cost);
            on_parsing_threads(|| sources.par_iter().map(check).collect()).unwrap_or_else(|_| {
                Err(Error::new(ErrorCode::ResourceExhausted, "there are no threads to match the project's rules")
                    .hint("end other programs, and ask again"))
            })
        });
        call.within(checked).await?
    }
}
