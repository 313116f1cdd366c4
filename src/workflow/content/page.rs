//! Personas and rules: a name, a sentence about it, and a text.

use serde::Deserialize;
use serde_saphyr::Spanned;

use super::check::{bad_name, is_name};
use tapps_base::page::Document;
use tapps_base::page::Problem;

/// Who does a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Persona {
    pub name: String,
    pub title: String,
    pub description: String,
    /// What the agent is told about its role, as markdown.
    pub text: String,
}

/// What holds for the work of all agents, or of those with a tag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentRule {
    pub name: String,
    pub description: String,
    /// True when it holds everywhere; else it holds for steps and workflows that share a tag with it.
    pub always_apply: bool,
    pub tags: Vec<String>,
    pub text: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenPersona {
    name: Spanned<String>,
    title: String,
    description: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenRule {
    name: Spanned<String>,
    description: String,
    #[serde(default, alias = "alwaysApply")]
    always_apply: bool,
    #[serde(default)]
    tags: Vec<String>,
}

/// Reads a persona.
pub(super) fn parse_persona(file: &str, text: &str) -> Result<Persona, Problem> {
    let document = Document::split(file, text)?;
    let written: WrittenPersona = document.parse()?;
    let text = text_of(&document)?;
    Ok(Persona {
        name: checked_page_name(&document, written.name)?,
        title: written.title,
        description: written.description,
        text,
    })
}

/// Reads a rule.
pub(super) fn parse_rule(file: &str, text: &str) -> Result<AgentRule, Problem> {
    let document = Document::split(file, text)?;
    let written: WrittenRule = document.parse()?;
    Ok(AgentRule {
        text: text_of(&document)?,
        name: checked_page_name(&document, written.name)?,
        description: written.description,
        always_apply: written.always_apply,
        tags: written.tags,
    })
}

fn text_of(document: &Document<'_>) -> Result<String, Problem> {
    let text = document.body.trim();
    if text.is_empty() {
        return Err(document.body_place(0).problem("there is no text after the front matter"));
    }
    Ok(text.to_owned())
}

fn checked_page_name(document: &Document<'_>, name: Spanned<String>) -> Result<String, Problem> {
    if is_name(&name.value) {
        Ok(name.value)
    } else {
        Err(document.place(name.referenced).problem(bad_name(&name.value)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_read_and_an_empty_one_is_refused() {
        let read =
            parse_persona("a.md", "---\nname: tester\ntitle: Tester\ndescription: Tests.\n---\n\nYou test.\n").unwrap();
        assert_eq!((read.name.as_str(), read.text.as_str()), ("tester", "You test."));
        let read =
            parse_rule("r.md", "---\nname: r\ndescription: D.\nalwaysApply: true\ntags: [x]\n---\nText").unwrap();
        assert_eq!((read.always_apply, read.tags), (true, vec!["x".to_owned()]));
        let empty = parse_rule("r.md", "---\nname: r\ndescription: D.\n---\n\n").unwrap_err();
        assert_eq!(empty.to_string(), "r.md:5:1: there is no text after the front matter");
        let bad = parse_persona("a.md", "---\nname: The Tester\ntitle: T\ndescription: D.\n---\nx").unwrap_err();
        assert!(bad.to_string().starts_with("a.md:2:7: `The Tester` cannot be a name"), "{bad}");
    }
}
