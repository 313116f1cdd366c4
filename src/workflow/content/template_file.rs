//! Reading a workflow from its file; a template that could not be carried out is refused with every reason.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_saphyr::Spanned;

use super::check;
use super::template::{WorkflowStep, WorkflowTemplate};
use crate::output::ArtifactKind;
use tapps_base::nearest;
use tapps_base::page::Document;
use tapps_base::page::Problem;

/// The front matter.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TemplateFrontMatter {
    pub(super) name: Spanned<String>,
    title: String,
    description: String,
    #[serde(default)]
    tags: Vec<String>,
    pub(super) steps: Spanned<Vec<WrittenStep>>,
}

/// A step in the front matter.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenStep {
    pub(super) name: Spanned<String>,
    pub(super) agent: Spanned<String>,
    description: String,
    #[serde(default, alias = "dependsOn")]
    pub(super) depends_on: Vec<Spanned<String>>,
    #[serde(default, alias = "allowed")]
    allowed_actions: Vec<String>,
    #[serde(default, alias = "pathPatterns")]
    pub(super) path_patterns: Vec<Spanned<String>>,
    #[serde(default)]
    tags: Vec<String>,
    #[serde(default)]
    pub(super) tools: Vec<Spanned<String>>,
    #[serde(default)]
    pub(super) requires: Vec<Spanned<String>>,
    #[serde(default)]
    artifacts: Vec<ArtifactKind>,
    #[serde(default)]
    human_gate: bool,
}

/// Reads a template. `agents` are the personas there are.
pub(super) fn parse_template(file: &str, text: &str, agents: &[&str]) -> Result<WorkflowTemplate, Vec<Problem>> {
    let document = Document::split(file, text).map_err(|problem| vec![problem])?;
    let written: TemplateFrontMatter = document.parse().map_err(|problem| vec![problem])?;
    let mut problems = check::check_template(&document, &written, agents);
    let (overview, mut sections) = split_step_sections(&document, &written, &mut problems);
    if !problems.is_empty() {
        problems.sort();
        return Err(problems);
    }
    let plain = |values: Vec<Spanned<String>>| values.into_iter().map(|value| value.value).collect();
    let steps = written.steps.value.into_iter().map(|step| WorkflowStep {
        instructions: sections.remove(&step.name.value).unwrap_or_default(),
        name: step.name.value,
        agent: step.agent.value,
        description: step.description,
        depends_on: plain(step.depends_on),
        allowed_actions: step.allowed_actions,
        path_patterns: plain(step.path_patterns),
        tags: step.tags,
        tools: plain(step.tools),
        requires: plain(step.requires),
        artifacts: step.artifacts,
        human_gate: step.human_gate,
    });
    Ok(WorkflowTemplate {
        steps: steps.collect(),
        name: written.name.value,
        title: written.title,
        description: written.description,
        tags: written.tags,
        overview,
    })
}

/// The text before the first heading of the second level, and the section of each step.
fn split_step_sections(
    document: &Document<'_>,
    written: &TemplateFrontMatter,
    problems: &mut Vec<Problem>,
) -> (String, BTreeMap<String, String>) {
    let names: Vec<&str> = written.steps.value.iter().map(|step| step.name.value.as_str()).collect();
    let mut overview = String::new();
    let mut sections: BTreeMap<String, String> = BTreeMap::new();
    let mut current: Option<&str> = None;
    let mut fenced = false;
    for (number, line) in (0..).zip(document.body.lines()) {
        fenced ^= line.trim_start().starts_with("```");
        match line.strip_prefix("## ").map(str::trim).filter(|_| !fenced) {
            Some(name) if names.contains(&name) && !sections.contains_key(name) => {
                sections.insert(name.to_owned(), String::new());
                current = Some(name);
            }
            Some(name) => {
                let why = if names.contains(&name) { "has two sections" } else { "is no step" };
                let hint = nearest::hint(name, names.iter().copied());
                problems.push(document.body_place(number).problem(format!("the heading `{name}` {why} ({hint})")));
            }
            None => {
                let into = current.and_then(|name| sections.get_mut(name)).unwrap_or(&mut overview);
                into.push_str(line);
                into.push('\n');
            }
        }
    }
    for text in sections.values_mut() {
        *text = text.trim().to_owned();
    }
    (overview.trim().to_owned(), sections)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    const AGENTS: [&str; 2] = ["debugger", "tester"];

    fn text(steps: &str) -> String {
        format!("---\nname: t\ntitle: T\ndescription: D.\nsteps:\n{steps}---\nHello.\n\n## a\n\nDo a.\n")
    }

    fn problems(text: &str) -> Vec<String> {
        parse_template("w/t.md", text, &AGENTS).unwrap_err().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn everything_that_is_written_is_read() {
        let template = parse_template(
            "w/t.md",
            &text(
                "  - name: a\n    agent: debugger\n    description: First.\n    allowed_actions: [Read code]\n    path_patterns: ['src/**']\n    \
                 tags: [x]\n    tools: [tapps_quick_check]\n    requires: [tapps_quality_gate]\n    artifacts: [test_plan]\n    human_gate: true\n  \
                 - {name: b, agent: tester, description: Second., dependsOn: [a]}\n",
            ),
            &AGENTS,
        )
        .unwrap();
        assert_eq!((template.overview.as_str(), template.agents()), ("Hello.", AGENTS.to_vec()));
        let a = template.step("a").unwrap();
        assert_eq!(a.instructions, "Do a.");
        assert_eq!((a.artifacts.as_slice(), a.human_gate), ([ArtifactKind::TestPlan].as_slice(), true));
        assert_eq!(
            (a.requires.as_slice(), a.path_patterns.as_slice()),
            (["tapps_quality_gate".to_owned()].as_slice(), ["src/**".to_owned()].as_slice())
        );
        assert_eq!(template.step("b").unwrap().depends_on, ["a"]);
    }

    #[rstest]
    #[case(
        "  - {name: a, agent: debuger, description: D.}\n",
        "w/t.md:6:22: there is no agent `debuger` (did you mean debugger?)"
    )]
    #[case(
        "  - {name: a, agent: tester, description: D., depends_on: [b]}\n",
        "w/t.md:6:60: `a` depends on `b`, which is no step (known: a)"
    )]
    #[case(
        "  - {name: a, agent: tester, description: D., depends_on: [a]}\n",
        "w/t.md:6:60: steps wait for each other: a → a"
    )]
    #[case(
        "  - {name: A b, agent: tester, description: D.}\n  - {name: a, agent: tester, description: D.}\n",
        "w/t.md:6:12: `A b` cannot be a name: use lower-case letters, digits and dashes, at most 64"
    )]
    #[case(
        "  - {name: a, agent: tester, description: D.}\n  - {name: a, agent: tester, description: D.}\n",
        "w/t.md:7:12: there are two steps called `a`"
    )]
    #[case(
        "  - {name: a, agent: tester, description: D., requires: [tapps_quality_gat]}\n",
        "w/t.md:6:58: there is no tool `tapps_quality_gat` (did you mean tapps_quality_gate or tapps_security_scan or tapps_validate_config?)"
    )]
    #[case(
        "  - {name: a, agent: tester, description: D., path_patterns: ['a[']}\n",
        "w/t.md:6:63: `a[` is no glob: unclosed character class; missing ']'"
    )]
    #[case("  - {name: b, agent: tester, description: D.}\n", "w/t.md:10:1: the heading `a` is no step (known: b)")]
    fn a_template_that_could_not_be_carried_out_is_refused(#[case] steps: &str, #[case] expected: &str) {
        assert_eq!(problems(&text(steps)), [expected]);
    }

    #[test]
    fn a_cycle_of_several_steps_is_told_once_and_every_problem_is_told() {
        let steps = "  - {name: a, agent: tester, description: D., depends_on: [c]}\n  \
                     - {name: b, agent: nobody, description: D., depends_on: [a]}\n  \
                     - {name: c, agent: tester, description: D., depends_on: [b]}\n";
        let found = problems(&text(steps));
        assert_eq!(found.len(), 2, "{found:?}");
        assert_eq!(found[0], "w/t.md:6:60: steps wait for each other: a → c → b → a");
        assert!(found[1].starts_with("w/t.md:7:22: there is no agent `nobody`"));
    }

    #[test]
    fn no_steps_and_unknown_keys_are_refused() {
        assert_eq!(
            problems("---\nname: t\ntitle: T\ndescription: D.\nsteps: []\n---\n"),
            ["w/t.md:5:8: there are no steps"]
        );
        let found = problems(&text("  - {name: a, agent: tester, description: D., depend_on: []}\n"));
        assert!(found[0].starts_with("w/t.md:6:47: ") && found[0].contains("depend_on"), "{found:?}");
        let found = problems(&text("  - {name: a, agent: tester, description: D., artifacts: [plan]}\n"));
        assert!(found[0].contains("plan") && found[0].contains("test_plan"), "{found:?}");
    }
}
