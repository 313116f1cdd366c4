//! What makes a template impossible to carry out.

use std::collections::{BTreeMap, BTreeSet};

use globset::Glob;
use serde_saphyr::Spanned;

use super::template_file::{TemplateFrontMatter, WrittenStep};
use tapps_base::nearest;
use tapps_base::page::Document;
use tapps_base::page::Problem;
use tapps_session::policy::Policy;

/// Longest name of a workflow, step, agent or rule, in characters.
const LONGEST_NAME: usize = 64;

/// True for what can be a name: it stands in addresses and on command lines.
pub(super) fn is_name(name: &str) -> bool {
    let allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    !name.is_empty() && name.len() <= LONGEST_NAME && !name.starts_with('-') && name.chars().all(allowed)
}

/// What is said about anything else.
pub(super) fn bad_name(name: &str) -> String {
    format!("`{name}` cannot be a name: use lower-case letters, digits and dashes, at most {LONGEST_NAME}")
}

/// Everything that is wrong with a template.
pub(super) fn check_template(document: &Document<'_>, written: &TemplateFrontMatter, agents: &[&str]) -> Vec<Problem> {
    let mut checker = Checker { document, problems: Vec::new() };
    checker.name(&written.name);
    if written.steps.value.is_empty() {
        checker.at(&written.steps, "there are no steps");
    }
    checker.step_names(&written.steps.value);
    for step in &written.steps.value {
        checker.step(step, &written.steps.value, agents);
    }
    checker.report_dependency_cycles(&written.steps.value);
    checker.problems
}

struct Checker<'a> {
    document: &'a Document<'a>,
    problems: Vec<Problem>,
}

impl Checker<'_> {
    fn at<T>(&mut self, value: &Spanned<T>, message: impl Into<String>) {
        self.problems.push(self.document.place(value.referenced).problem(message));
    }

    fn name(&mut self, name: &Spanned<String>) {
        if !is_name(&name.value) {
            self.at(name, bad_name(&name.value));
        }
    }

    fn step_names(&mut self, steps: &[WrittenStep]) {
        let mut seen = BTreeSet::new();
        for step in steps {
            self.name(&step.name);
            if !seen.insert(step.name.value.as_str()) {
                self.at(&step.name, format!("there are two steps called `{}`", step.name.value));
            }
        }
    }

    fn step(&mut self, step: &WrittenStep, all: &[WrittenStep], agents: &[&str]) {
        if !agents.contains(&step.agent.value.as_str()) {
            let hint = nearest::hint(&step.agent.value, agents.iter().copied());
            self.at(&step.agent, format!("there is no agent `{}` ({hint})", step.agent.value));
        }
        let names: Vec<&str> = all.iter().map(|step| step.name.value.as_str()).collect();
        for needed in step.depends_on.iter().filter(|needed| !names.contains(&needed.value.as_str())) {
            let hint = nearest::hint(&needed.value, names.iter().copied());
            let message = format!("`{}` depends on `{}`, which is no step ({hint})", step.name.value, needed.value);
            self.at(needed, message);
        }
        for pattern in &step.path_patterns {
            if let Err(error) = Glob::new(&pattern.value) {
                self.at(pattern, format!("`{}` is no glob: {}", pattern.value, error.kind()));
            }
        }
        let known = known_quality_tools();
        for tool in step.tools.iter().chain(&step.requires).filter(|tool| !known.contains(tool.value.as_str())) {
            let hint = nearest::hint(&tool.value, known.iter().copied());
            self.at(tool, format!("there is no tool `{}` ({hint})", tool.value));
        }
    }

    /// Tells each cycle once, at the dependency by which it was entered.
    fn report_dependency_cycles(&mut self, steps: &[WrittenStep]) {
        let by_name: BTreeMap<&str, &WrittenStep> = steps.iter().map(|step| (step.name.value.as_str(), step)).collect();
        let mut done = BTreeSet::new();
        for step in steps {
            let mut path = Vec::new();
            self.walk(step, &by_name, &mut path, &mut done);
        }
    }

    fn walk<'s>(
        &mut self,
        step: &'s WrittenStep,
        by_name: &BTreeMap<&'s str, &'s WrittenStep>,
        path: &mut Vec<(&'s str, Option<&'s Spanned<String>>)>,
        done: &mut BTreeSet<&'s str>,
    ) {
        let name = step.name.value.as_str();
        if done.contains(name) {
            return;
        }
        path.push((name, None));
        for needed in &step.depends_on {
            if let Some(last) = path.last_mut() {
                last.1 = Some(needed);
            }
            if let Some(start) = path.iter().position(|(other, _)| *other == needed.value) {
                let mut names: Vec<&str> = path.iter().skip(start).map(|(name, _)| *name).collect();
                names.push(needed.value.as_str());
                let entered = path.get(start).and_then(|(_, edge)| *edge).unwrap_or(needed);
                self.at(entered, format!("steps wait for each other: {}", names.join(" → ")));
            } else if let Some(next) = by_name.get(needed.value.as_str()) {
                self.walk(next, by_name, path, done);
            }
        }
        path.pop();
        done.insert(name);
    }
}

/// The quality tools a step may name: those the checklist knows.
fn known_quality_tools() -> BTreeSet<&'static str> {
    let policy = Policy::get();
    let wanted =
        policy.tasks.iter().flat_map(|task| task.required.iter().chain(&task.recommended).chain(&task.optional));
    let instead = policy.instead.values().flatten();
    wanted.map(|wanted| wanted.tool.as_str()).chain(instead.map(String::as_str)).collect()
}
