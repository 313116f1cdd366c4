//! The project's own rules: read and matched with each request, since nothing tells when they change.

use std::sync::Arc;

use rayon::prelude::*;

use crate::category::density::flat_lint_cost;
use crate::engine::{Engine, run_off_async_threads};
use tapps_base::call::Call;
use tapps_base::finding::Finding;
use tapps_base::source::Source;
use tapps_base::{Error, ErrorCode, Result, digest};
use tapps_patterns::PatternRules;
use tapps_syntax::stack::on_parsing_threads;

impl Engine {
    /// What the project's own rules say of each source, in order, and the digest of these rules; none when there are none.
    ///
    /// # Errors
    /// `config_error` for rules that cannot be used: a verdict without them would be another one.
    pub(super) async fn check_own_rules(
        &self,
        sources: &Arc<[Source]>,
        call: &Call,
    ) -> Result<(Vec<Vec<Finding>>, Option<String>)> {
        let (sources, boundary) = (Arc::clone(sources), Arc::clone(self.policy_boundary()));
        let checked = run_off_async_threads(move || {
            let rules = PatternRules::read(&boundary)?;
            let digest = rules.digest().map(str::to_owned);
            if rules.is_empty() {
                return Ok((sources.iter().map(|_| Vec::new()).collect(), digest));
            }
            let check = |source: &Source| rules.check(source, flat_lint_cost);
            let found: Result<Vec<_>> =
                on_parsing_threads(|| sources.par_iter().map(check).collect()).unwrap_or_else(|_| {
                    Err(Error::new(ErrorCode::ResourceExhausted, "there are no threads to match the project's rules")
                        .hint("end other programs, and ask again"))
                });
            Ok((found?, digest))
        });
        call.within(checked).await?
    }
}

/// The digest of a configuration to which rules of the project belong.
pub(super) fn digest_with_patterns(configuration: &str, patterns: &str) -> Result<String> {
    digest::of_json(&serde_json::json!({ "config": configuration, "rules": patterns }))
}
