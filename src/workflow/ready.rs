//! Which steps can begin, and which of them comes next.

use std::path::Path;

use globset::{GlobBuilder, GlobMatcher};

use super::content::{WorkflowStep, WorkflowTemplate};
use super::record::{Execution, StepState};

const REQUESTED: u32 = 999;
const PATH_HIT: u32 = 2;
const TAG_HIT: u32 = 1;

/// What a caller says about where to go on; it chooses only among what is ready.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Steering<'a> {
    pub requested: Option<&'a str>,
    pub paths: &'a [String],
    pub tags: &'a [String],
}

/// The steps that are not begun and whose dependencies are all complete, in the order of the template.
#[must_use]
pub fn ready_set<'t>(template: &'t WorkflowTemplate, execution: &Execution) -> Vec<&'t WorkflowStep> {
    let state = |name: &str| execution.step(name).map(|step| step.state);
    let complete = |name: &String| state(name) == Some(StepState::Completed);
    let ready =
        |step: &&WorkflowStep| state(&step.name) == Some(StepState::Pending) && step.depends_on.iter().all(complete);
    template.steps.iter().filter(ready).collect()
}

/// The best of `candidates`; ties go to the name that comes first byte by byte.
#[must_use]
pub fn choose_best_step<'t>(candidates: &[&'t WorkflowStep], steering: &Steering<'_>) -> Option<&'t WorkflowStep> {
    candidates
        .iter()
        .copied()
        .min_by(|a, b| score(b, steering).cmp(&score(a, steering)).then_with(|| a.name.cmp(&b.name)))
}

fn score(step: &WorkflowStep, steering: &Steering<'_>) -> u32 {
    let requested = if steering.requested == Some(step.name.as_str()) { REQUESTED } else { 0 };
    let hit =
        |pattern: &&String| glob(pattern).is_some_and(|glob| steering.paths.iter().any(|path| matches(&glob, path)));
    let paths = step.path_patterns.iter().filter(hit).count();
    let tags = step.tags.iter().filter(|tag| steering.tags.contains(tag)).count();
    let times = |count: usize, points: u32| u32::try_from(count).unwrap_or(u32::MAX).saturating_mul(points);
    requested.saturating_add(times(paths, PATH_HIT)).saturating_add(times(tags, TAG_HIT))
}

/// `*` stays within one folder, `**` does not.
fn glob(pattern: &str) -> Option<GlobMatcher> {
    GlobBuilder::new(pattern).literal_separator(true).build().ok().map(|glob| glob.compile_matcher())
}

fn matches(glob: &GlobMatcher, path: &str) -> bool {
    glob.is_match(Path::new(path.trim_start_matches("./")))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::testing::{execution, template};

    fn names(steps: &[&WorkflowStep]) -> Vec<String> {
        steps.iter().map(|step| step.name.clone()).collect()
    }

    #[test]
    fn a_step_is_ready_when_all_it_needs_is_complete() {
        // The order of the file is not the order of work.
        let template = template(&[("late", &["first", "third"]), ("first", &[]), ("third", &["first"])]);
        let mut execution = execution(&template);
        let mut order = Vec::new();
        for _ in 0..3 {
            let ready = names(&ready_set(&template, &execution));
            assert_eq!(ready.len(), 1, "{ready:?}");
            execution.step_mut(&ready[0]).unwrap().state = StepState::Running;
            assert_eq!(names(&ready_set(&template, &execution)), Vec::<String>::new());
            execution.step_mut(&ready[0]).unwrap().state = StepState::Completed;
            order.extend(ready);
        }
        assert_eq!(order, ["first", "third", "late"]);
        assert!(ready_set(&template, &execution).is_empty());
    }

    #[test]
    fn a_diamond_opens_both_branches_at_once() {
        let template = template(&[("a", &[]), ("b", &["a"]), ("c", &["a"]), ("d", &["b", "c"])]);
        let mut execution = execution(&template);
        let mut complete = |name: &str| {
            execution.step_mut(name).unwrap().state = StepState::Completed;
            names(&ready_set(&template, &execution))
        };
        assert_eq!(complete("a"), ["b", "c"]);
        assert_eq!(complete("c"), ["b"]);
        assert_eq!(complete("b"), ["d"]);
    }

    #[rstest]
    #[case(None, &[], &[], "alpha")]
    #[case(Some("zeta"), &["src/a.rs"], &["t1", "t2"], "zeta")]
    #[case(None, &["src/auth/login.rs"], &[], "beta")]
    #[case(None, &["src/auth/"], &[], "beta")]
    #[case(None, &["./src/auth/login.rs"], &["t1", "t2"], "beta")]
    #[case(None, &["other/src/auth/x"], &["t2"], "zeta")]
    #[case(None, &["docs/deep/a.md"], &["t1"], "zeta")]
    #[case(Some("unknown"), &[], &["none"], "alpha")]
    fn the_best_match_comes_next(
        #[case] requested: Option<&str>,
        #[case] paths: &[&str],
        #[case] tags: &[&str],
        #[case] expected: &str,
    ) {
        let owned = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
        let step = |name: &str, patterns: &[&str], tags: &[&str]| WorkflowStep {
            name: name.into(),
            path_patterns: owned(patterns),
            tags: owned(tags),
            ..WorkflowStep::default()
        };
        let steps = [
            step("zeta", &["docs/*.md"], &["t1", "t2"]),
            step("beta", &["src/auth/**", "src/**"], &[]),
            step("alpha", &[], &[]),
        ];
        let candidates: Vec<&WorkflowStep> = steps.iter().collect();
        let (paths, tags) = (owned(paths), owned(tags));
        let chosen = choose_best_step(&candidates, &Steering { requested, paths: &paths, tags: &tags }).unwrap();
        assert_eq!(chosen.name, expected);
    }
}
