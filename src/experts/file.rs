//! One knowledge file: its front matter and its sections.

use std::borrow::Cow;
use std::ops::Range;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::domain::Domain;
use tapps_base::digest;
use tapps_base::page::{Document, Place, Problem};
use tapps_injection as hostile;

/// Who wrote a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum KnowledgeOrigin {
    /// Part of this program.
    BuiltIn,
    /// The project's own, which wins over a built-in file of the same domain and topic.
    Project,
}

/// What stands above the text.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Front {
    pub(super) title: String,
    pub(super) domain: Domain,
    #[serde(default)]
    pub(super) tags: Vec<String>,
    #[serde(default)]
    pub(super) questions: Vec<String>,
    /// `YYYY-MM-DD`.
    pub(super) reviewed: String,
    #[serde(default)]
    pub(super) applies_to: Vec<String>,
    #[serde(default)]
    pub(super) sources: Vec<String>,
}

/// A heading and what stands below it, up to the next heading of the second level.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// Without its `##`; the title for what stands before the first one.
    pub heading: String,
    /// Lines of the file, counted from 1.
    pub lines: Range<u64>,
    /// Markdown, with the heading.
    pub text: String,
}

/// A file of knowledge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Knowledge {
    /// `<domain>/<topic>`, as other files name it.
    pub name: String,
    pub origin: KnowledgeOrigin,
    /// As a reader can find it: `knowledge/…` for a built-in one, project-relative for the project's own.
    pub path: String,
    pub sha256: String,
    pub(super) front: Front,
    pub sections: Vec<Section>,
    pub text: String,
    /// Something in it reads like an order to a model, and is marked.
    pub annotated: bool,
}

impl Knowledge {
    /// Reads a file; `name` is its place below the folder of knowledge, without `.md`.
    ///
    /// # Errors
    /// What is wrong with the front matter, with its place.
    pub fn parse_file(name: &str, path: &str, origin: KnowledgeOrigin, text: &str) -> Result<Self, Problem> {
        let document = Document::split(path, text)?;
        let front: Front = document.parse()?;
        let sections = split_into_sections(&front.title, document.body, document.body_line);
        Ok(Self {
            name: name.to_owned(),
            origin,
            path: path.to_owned(),
            sha256: digest::sha256(text.as_bytes()),
            front,
            sections,
            text: text.to_owned(),
            annotated: false,
        })
    }

    /// Marks what gives orders to the model that reads it.
    ///
    /// # Errors
    /// What and where, when the file must not be handed on at all.
    pub(super) fn screen_text(&mut self) -> Result<(), Problem> {
        let screened = hostile::screen_for_injection(&self.text);
        let Some(text) = screened.text else {
            let reason = screened.reasons.first();
            let line = reason.map_or(1, |reason| u64::from(reason.line));
            let what = reason.map_or_else(String::new, |reason| format!(": {}", reason.message));
            let place = Place { file: self.path.clone(), line, column: 1 };
            return Err(place.problem(format!("the file is withheld, since it gives orders to its reader{what}")));
        };
        if let Cow::Owned(text) = text {
            self.text = text;
            self.annotated = true;
            // The title stands alone in lists and sources.
            let title = hostile::screen_for_injection(&self.front.title).text.map(Cow::into_owned);
            self.front.title = title.unwrap_or_else(|| self.name.clone());
            for section in &mut self.sections {
                // What passes in the file may not pass alone: then it is left out.
                let text = hostile::screen_for_injection(&section.text).text.map(Cow::into_owned);
                section.text = text.unwrap_or_else(|| format!("## {}\n(withheld)\n", section.heading));
            }
        }
        Ok(())
    }

    #[must_use]
    pub fn title(&self) -> &str {
        &self.front.title
    }

    #[must_use]
    pub fn domain(&self) -> Domain {
        self.front.domain
    }

    /// The day it was last held against its sources, `YYYY-MM-DD`.
    #[must_use]
    pub fn reviewed(&self) -> &str {
        &self.front.reviewed
    }

    /// What it is true for, for example `postgresql >=17`.
    #[must_use]
    pub fn applies_to(&self) -> &[String] {
        &self.front.applies_to
    }

    /// Questions that it answers.
    #[must_use]
    pub fn questions(&self) -> &[String] {
        &self.front.questions
    }

    /// The section with a heading.
    #[must_use]
    pub fn section(&self, heading: &str) -> Option<&Section> {
        self.sections.iter().find(|section| section.heading == heading)
    }

    /// The files that its `Related:` line names.
    #[must_use]
    pub fn related(&self) -> Vec<&str> {
        let line = self.text.lines().rev().find_map(|line| line.strip_prefix("Related:")).unwrap_or_default();
        line.split("[[").skip(1).filter_map(|rest| Some(rest.split_once("]]")?.0.trim())).collect()
    }

    /// Tools of this program that it names in its check.
    #[must_use]
    pub fn tools(&self) -> Vec<&str> {
        let text = self.section("Check").map(|section| section.text.as_str()).unwrap_or_default();
        let mut named: Vec<&str> = text
            .split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
            .filter(|word| ["tapps_", "coderef_", "tdd_", "workflow_"].iter().any(|family| word.starts_with(family)))
            .filter(|word| !word.ends_with('_'))
            .collect();
        named.sort_unstable();
        named.dedup();
        named
    }
}

/// Cuts the body at its headings of the second level; fenced code keeps its lines.
fn split_into_sections(title: &str, body: &str, first_line: u64) -> Vec<Section> {
    let mut found: Vec<Section> = Vec::new();
    let mut current = Section { heading: title.to_owned(), lines: first_line..first_line, text: String::new() };
    let (mut line, mut fenced) = (first_line, false);
    for text in body.split_inclusive('\n') {
        if text.starts_with("```") {
            fenced = !fenced;
        }
        if let Some(heading) = text.strip_prefix("## ").filter(|_| !fenced) {
            let next = Section { heading: heading.trim().to_owned(), lines: line..line, text: String::new() };
            let done = std::mem::replace(&mut current, next);
            if has_text(&done.text) {
                found.push(done);
            }
        }
        current.text.push_str(text);
        line += 1;
        current.lines.end = line;
    }
    if has_text(&current.text) {
        found.push(current);
    }
    found
}

/// More than headings and blank lines.
fn has_text(text: &str) -> bool {
    text.lines().any(|line| !line.trim().is_empty() && !line.starts_with('#'))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "---\ntitle: Pools\ndomain: database\nreviewed: 2026-11-21\n---\n# Pools\n## Decision\n| a |\n\
                        ```text\n## no heading\n```\n## Check\nUse `tapps_score_file`, tapps_ and tapps_quality_gate.\n\
                        Related: [[database/indexes]] [[performance/caches]]\n";

    #[test]
    fn a_file_is_cut_at_its_headings() {
        let file =
            Knowledge::parse_file("database/pools", "knowledge/database/pools.md", KnowledgeOrigin::BuiltIn, TEXT)
                .unwrap();
        let seen: Vec<(&str, Range<u64>)> =
            file.sections.iter().map(|section| (section.heading.as_str(), section.lines.clone())).collect();
        assert_eq!(seen, [("Decision", 7..12), ("Check", 12..15)]);
        assert!(file.section("Decision").unwrap().text.ends_with("## no heading\n```\n"));
        assert_eq!(file.related(), ["database/indexes", "performance/caches"]);
        assert_eq!(file.tools(), ["tapps_quality_gate", "tapps_score_file"]);
        assert_eq!((file.domain(), file.reviewed()), (Domain::Database, "2026-11-21"));
    }

    #[test]
    fn a_wrong_front_matter_is_told_with_its_place() {
        let wrong = TEXT.replace("domain: database", "domain: cooking");
        let problem = Knowledge::parse_file("a", "a.md", KnowledgeOrigin::Project, &wrong).unwrap_err();
        assert_eq!(problem.place.line, 3, "{problem}");
    }
}
