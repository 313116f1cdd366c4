//! The page about all rules, made from their declarations: `docs/rules.md`.

use std::fmt::Write as _;

use crate::rules;
use tapps_base::finding::{Category, Tool};
use tapps_base::rule::{Example, Rule};

const INTRODUCTION: &str = "\
# Rules

Every rule that can make a finding, with what it costs, why it matters and how to mend it. The page is made from the
declarations of the rules (`UPDATE_DOCS=1 cargo test -p tapps-quality page_about_rules`). The anchor of a rule is its
code: `docs/rules.md#deep-nesting`. The same is to be read from a running server: `tapps://rules` lists them,
`tapps://rules/{rule}` has one with its explanation and examples.

A cost is in thousandths of a category point, of which a category has 10 000; [scoring](scoring.md) says how costs become a
score. Where the page says *varies*, the finding itself decides, as the explanation tells. Findings of rules without cost
are for information.
";

/// A chapter: its heading, what stands below it, and which rules belong to it.
struct Chapter {
    heading: &'static str,
    text: &'static str,
    has: fn(&Rule) -> bool,
}

/// True for a rule about configuration or about the use of libraries.
fn is_about_configuration(rule: &Rule) -> bool {
    tapps_project::validate::FAMILIES.iter().copied().flatten().any(|one| one == rule)
}

fn is_about_a_library(rule: &Rule) -> bool {
    tapps_patterns::libraries::catalogue().any(|one| one == rule)
}

fn is_of(rule: &Rule, category: Category) -> bool {
    rule.tool == Tool::Tapps && rule.category == category && !is_about_configuration(rule) && !is_about_a_library(rule)
}

const CHAPTERS: &[Chapter] = &[
    Chapter { heading: "Complexity", text: "", has: |rule| is_of(rule, Category::Complexity) },
    Chapter { heading: "Security", text: "", has: |rule| is_of(rule, Category::Security) },
    Chapter { heading: "Maintainability", text: "", has: |rule| is_of(rule, Category::Maintainability) },
    Chapter { heading: "Tests", text: "", has: |rule| is_of(rule, Category::TestCoverage) },
    Chapter { heading: "Performance", text: "", has: |rule| is_of(rule, Category::Performance) },
    Chapter { heading: "Structure", text: "", has: |rule| is_of(rule, Category::Structure) },
    Chapter { heading: "Developer experience", text: "", has: |rule| is_of(rule, Category::Devex) },
    Chapter {
        heading: "Libraries",
        text: "Rules about Django, FastAPI, pydantic, SQLAlchemy, Express and Next, for the versions that a lock file or an exact \
               requirement of the project names. They are patterns in ast-grep's form (`src/patterns/libraries`).",
        has: is_about_a_library,
    },
    Chapter {
        heading: "Configuration files and libraries",
        text: "Said by `tapps_validate_config`; they cost a score nothing. A comment `# hadolint ignore=DL3003` allows what \
               hadolint calls by that code.",
        has: is_about_configuration,
    },
    Chapter {
        heading: "Secrets",
        text: "Looked for in every text file. A secret of high severity fails any gate.",
        has: |rule| rule.tool == Tool::Secrets,
    },
];

const TABLES: &[Chapter] = &[
    Chapter {
        heading: "ruff",
        text: "Lints about maintainability cost less the more code they stand in: what is listed is the cost in a file of a \
               hundred logical lines.",
        has: |rule| rule.tool == Tool::Ruff,
    },
    Chapter {
        heading: "mypy",
        text: "A type error costs as a lint of medium severity does; listed is the cost in a file of a hundred logical \
               lines.",
        has: |rule| rule.tool == Tool::Mypy,
    },
    Chapter {
        heading: "bandit",
        text: "Severity and cost are those of a finding at its worst; one of low confidence costs a third, and of several on \
               one line only the dearest counts.",
        has: |rule| rule.tool == Tool::Bandit,
    },
    Chapter {
        heading: "oxlint",
        text: "About TypeScript and JavaScript. The rules that need types (`typescript/no-floating-promises` and its like) are \
               looked for in full scores, where every declaration is at hand. Lints about maintainability cost less the more code they stand in: what is \
               listed is the cost in a file of a hundred logical lines.",
        has: |rule| rule.tool == Tool::Oxlint,
    },
    Chapter {
        heading: "ShellCheck",
        text: "About shell scripts. Lints about maintainability cost less the more code they stand in: what is listed is the \
               cost in a file of a hundred logical lines.",
        has: |rule| rule.tool == Tool::Shellcheck,
    },
    Chapter {
        heading: "tsc",
        text: "TypeScript's compiler, about TypeScript, and about JavaScript that asks to be checked. A type error costs as a \
               lint of medium severity does; listed is the cost in a file of a hundred logical lines. Codes that are not \
               listed cost the same.",
        has: |rule| rule.tool == Tool::Tsc,
    },
];

/// The whole page.
#[must_use]
pub fn render_rules_page() -> String {
    let mut page = INTRODUCTION.to_owned();
    for chapter in CHAPTERS {
        page.push_str(&heading(chapter));
        for rule in rules::all_rules().filter(|rule| (chapter.has)(rule)) {
            write_rule_section(&mut page, rule);
        }
    }
    for chapter in TABLES {
        page.push_str(&heading(chapter));
        page.push_str(
            "\n| rule | name | category | severity | cost | what it reports |\n| --- | --- | --- | --- | --- | --- |\n",
        );
        for rule in rules::all_rules().filter(|rule| (chapter.has)(rule)) {
            write_rule_row(&mut page, rule);
        }
    }
    page
}

fn heading(chapter: &Chapter) -> String {
    let text = if chapter.text.is_empty() { String::new() } else { format!("\n{}\n", chapter.text) };
    format!("\n## {}\n{text}", chapter.heading)
}

fn describe_rule_cost(rule: &Rule) -> String {
    let decides = ["complex-block", "complex-on-average", "uncovered-lines"];
    match rule.cost {
        0 if decides.contains(&rule.code) => "varies".to_owned(),
        0 => "none".to_owned(),
        cost => cost.to_string(),
    }
}

fn write_rule_section(page: &mut String, rule: &Rule) {
    let severity = format!("{:?}", rule.severity).to_lowercase();
    let mut facts = vec![
        format!("`{}`", rule.name()),
        rule.category.as_str().replace('_', " "),
        format!("severity {severity}"),
        format!("cost {}", describe_rule_cost(rule)),
    ];
    if rule.blocking {
        facts.push("fails any gate".to_owned());
    }
    facts.extend(rule.cwe.map(str::to_owned));
    facts.push(format!("since {}", rule.since));
    let _ = write!(page, "\n### {}\n\n{}\n\n{}\n\n{}", rule.code, rule.summary, facts.join(" · "), explain_rule(rule));
}

/// Why a rule matters, what others call it, and its examples, as Markdown.
#[must_use]
pub fn explain_rule(rule: &Rule) -> String {
    let mut text = format!("{}\n", rule.explanation);
    if !rule.aliases.is_empty() {
        let elsewhere: Vec<String> = rule.aliases.iter().map(|alias| format!("`{alias}`")).collect();
        let _ = write!(text, "\nElsewhere: {}.\n", elsewhere.join(", "));
    }
    for Example { path, bad, good } in rule.examples {
        let language = code_fence_language(path);
        let _ = write!(text, "\n```{language}\n{bad}```\n\nInstead:\n\n```{language}\n{good}```\n");
    }
    text
}

/// The word after the fence, by the name of the example's file.
fn code_fence_language(path: &str) -> &str {
    match path.rsplit('.').next().unwrap_or_default() {
        "py" => "python",
        // Blocks of `sh` in these pages are commands to be run.
        "sh" => "bash",
        "yml" => "yaml",
        "Dockerfile" => "dockerfile",
        "project" => "text",
        extension => extension,
    }
}

fn write_rule_row(page: &mut String, rule: &Rule) {
    let anchor = if rule.code == "*" { format!("{}-other", rule.tool.as_str()) } else { rule.code.to_owned() };
    let name = rule.aliases.first().and_then(|alias| alias.split_once(':')).map_or("", |(_, name)| name);
    let severity = format!("{:?}", rule.severity).to_lowercase();
    let blocking = if rule.blocking { ", fails any gate" } else { "" };
    let _ = writeln!(
        page,
        "| <a id=\"{anchor}\"></a>`{}` | {name} | {} | {severity}{blocking} | {} | {} |",
        rule.name(),
        rule.category.as_str(),
        describe_rule_cost(rule),
        rule.summary.replace('|', "\\|"),
    );
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::*;

    #[test]
    fn the_page_about_rules_is_up_to_date() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/rules.md");
        if std::env::var_os("UPDATE_DOCS").is_some() {
            std::fs::write(&path, render_rules_page()).unwrap();
        }
        let written = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(written == render_rules_page(), "docs/rules.md is not what the rules say; run with UPDATE_DOCS=1");
    }

    #[test]
    fn every_rule_has_one_anchor_of_its_own() {
        let page = render_rules_page();
        let mut anchors = BTreeSet::new();
        for line in page.lines() {
            let heading = line.strip_prefix("### ");
            let cell = line.strip_prefix("| <a id=\"").and_then(|rest| rest.split('"').next());
            if let Some(anchor) = heading.or(cell) {
                assert!(anchors.insert(anchor.to_lowercase()), "{anchor} stands twice");
            }
        }
        assert_eq!(anchors.len(), rules::all_rules().count());
        for rule in rules::all_rules().filter(|rule| rule.code != "*") {
            assert!(anchors.contains(&rule.code.to_lowercase()), "{}", rule.name());
        }
    }
}
