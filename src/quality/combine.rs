//! The answers of all analyzers, brought together file by file.

use crate::base::Error;
use crate::base::finding::Finding;
use crate::base::language::Language;
use crate::base::source::Source;
use crate::quality::analyzer::outcome::Outcome;
use crate::quality::analyzer::{mypy, ruff};
use crate::quality::ask::Answers;
use crate::quality::engine::Plan;
use crate::quality::measured::Measured;
use crate::quality::result::Mode;
use crate::quality::shape::Shape;
use crate::quality::surroundings::Surroundings;
use crate::security::bandit;

/// What the external analyzers said, by path.
#[derive(Debug, Default)]
pub(super) struct External {
    pub(super) ruff: Answers<ruff::Answer>,
    pub(super) mypy: Answers<mypy::Answer>,
    pub(super) bandit: Answers<bandit::Report>,
}

impl External {
    /// The same failure for every file and tool.
    pub(super) fn absent(sources: &[&Source], error: &Error) -> Self {
        fn all<T>(sources: &[&Source], tool: &'static str, error: &Error) -> Answers<T> {
            sources.iter().map(|source| (source.path().to_owned(), Outcome::failure(tool, error))).collect()
        }
        Self {
            ruff: all(sources, "ruff", error),
            mypy: all(sources, "mypy", error),
            bandit: all(sources, "bandit", error),
        }
    }
}

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
    parts
        .map(|(((source, shape), secrets), around)| Measured {
            source: source.clone(),
            language: source.language().unwrap_or(Language::Python),
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
        })
        .collect()
}

fn take<T>(answers: &mut Answers<T>, source: &Source, tool: &'static str, plan: &Plan) -> Outcome<T> {
    let reason = match plan.mode {
        Mode::Quick => "not part of quick mode",
        Mode::Full => "not needed for what was asked",
    };
    answers.remove(source.path()).unwrap_or(Outcome::Skipped { tool, reason })
}
