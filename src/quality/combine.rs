//! The answers of all analyzers, brought together file by file.

use crate::analyzer::outcome::Outcome;
use crate::analyzer::{mypy, radon, ruff};
use crate::ask::Answers;
use crate::engine::Plan;
use crate::isolate::failure_of_all;
use crate::measured::Measured;
use crate::result::Mode;
use crate::surroundings::Surroundings;
use tapps_base::Error;
use tapps_base::finding::Finding;
use tapps_base::language::ScoredLanguage;
use tapps_base::source::Source;
use tapps_rules::shape::Shape;
use tapps_security::bandit;

/// What the external analyzers said, by path.
#[derive(Debug, Default)]
pub(super) struct External {
    /// Empty when the native metrics are wanted.
    pub(super) radon: Answers<radon::Answer>,
    pub(super) ruff: Answers<ruff::Answer>,
    pub(super) mypy: Answers<mypy::Answer>,
    pub(super) bandit: Answers<bandit::Report>,
}

impl External {
    /// The same failure for every file and tool.
    pub(super) fn absent(sources: &[&Source], error: &Error) -> Self {
        Self {
            radon: Answers::new(),
            ruff: failure_of_all(sources, "ruff", error),
            mypy: failure_of_all(sources, "mypy", error),
            bandit: failure_of_all(sources, "bandit", error),
        }
    }
}

/// The one rule about a file that needs to know the others: a private name may still be imported.
const UNUSED_PRIVATE: &str = "tapps:unused-private";

/// One measurement per source; the lists run in parallel.
pub(super) fn combine(
    sources: &[Source],
    shapes: Vec<Shape>,
    secrets: Vec<Vec<Finding>>,
    mut external: External,
    surroundings: Vec<Surroundings>,
    plan: &Plan,
) -> Vec<Measured> {
    let parts = sources.iter().zip(shapes).zip(secrets).zip(surroundings);
    let one = |(((source, mut shape), secrets), around): (((&Source, Shape), Vec<Finding>), Surroundings)| {
        let metrics = metrics(external.radon.remove(source.path()), &mut shape);
        shape.findings.retain(|finding| finding.rule != UNUSED_PRIVATE || around.knows_unshared(&finding.anchor));
        Measured {
            metrics,
            source: source.clone(),
            language: source.language().unwrap_or(ScoredLanguage::PYTHON),
            mode: plan.mode,
            shape,
            secrets,
            ruff: take(&mut external.ruff, source, "ruff", plan),
            mypy: take(&mut external.mypy, source, "mypy", plan),
            bandit: take(&mut external.bandit, source, "bandit", plan),
            test_coverage: around.test_coverage,
            structure: around.structure,
            devex: around.devex,
            wanted: plan.wanted.clone(),
        }
    };
    parts.map(one).collect()
}

/// Puts radon's numbers into the shape, when radon was asked.
fn metrics(answer: Option<Outcome<radon::Answer>>, shape: &mut Shape) -> Outcome<()> {
    match answer {
        None => Outcome::Measured(()),
        Some(Outcome::Measured(answer)) => {
            answer.replace(shape);
            Outcome::Measured(())
        }
        Some(Outcome::Failed { tool, code, reason }) => Outcome::Failed { tool, code, reason },
        Some(Outcome::Skipped { tool, reason }) => Outcome::Skipped { tool, reason },
    }
}

fn take<T>(answers: &mut Answers<T>, source: &Source, tool: &'static str, plan: &Plan) -> Outcome<T> {
    let reason = match plan.mode {
        Mode::Quick => "not part of quick mode",
        Mode::Full => "not needed for what was asked",
    };
    answers.remove(source.path()).unwrap_or(Outcome::Skipped { tool, reason })
}
