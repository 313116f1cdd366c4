//! A domain as a folder of files that an agent takes in whole: a page that says what is there, then the files.

use std::fmt::Write as _;

use super::corpus::ExpertCorpus;
use super::domain::Domain;

/// The first page of every skill.
const FIRST_PAGE: &str = "SKILL.md";

/// A domain's files for agents that read files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skill {
    /// Also the name of its folder.
    pub name: String,
    /// What it is good for, and when to read it.
    pub description: String,
    /// Name and text of each file, [`FIRST_PAGE`] first.
    pub files: Vec<(String, String)>,
}

impl ExpertCorpus {
    /// Every domain that has files as a skill, by name.
    #[must_use]
    pub fn skills(&self) -> Vec<Skill> {
        Domain::ALL.into_iter().filter_map(|domain| self.skill(domain)).collect()
    }

    fn skill(&self, domain: Domain) -> Option<Skill> {
        let name = format!("tapps-{domain}");
        let description = format!("{}. Read it before a decision in this field.", sentence(domain.about()));
        // A string in quotes of JSON is one in YAML too.
        let quoted = serde_json::Value::from(description.as_str()).to_string();
        let mut page = format!("---\nname: {name}\ndescription: {quoted}\n---\n# {domain}\n");
        page.push_str(
            "Each file says when it applies, gives the decision as a table, rules with numbers, a right example with its \
             wrong twin, checks and pitfalls. Read only the file that fits.\n\n| file | about | reviewed |\n|---|---|---|\n",
        );
        let mut files = vec![(FIRST_PAGE.to_owned(), String::new())];
        for file in self.files().iter().filter(|file| file.domain() == domain) {
            let topic = file.name.rsplit('/').next().unwrap_or_default();
            let title = file.title().replace(['|', '\n'], " ");
            // Writing to a String cannot fail.
            let _ = writeln!(page, "| [{topic}.md]({topic}.md) | {title} | {} |", file.reviewed());
            files.push((format!("{topic}.md"), file.text.clone()));
        }
        if let Some((_, text)) = files.first_mut() {
            *text = page;
        }
        (files.len() > 1).then_some(Skill { name, description, files })
    }
}

fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_domain_is_a_skill_with_all_its_files() {
        let experts = ExpertCorpus::builtin_only();
        let skills = experts.skills();
        assert_eq!(skills.len(), Domain::ALL.len());
        assert_eq!(skills.iter().map(|skill| skill.files.len() - 1).sum::<usize>(), experts.files().len());
        let database = skills.iter().find(|skill| skill.name == "tapps-database").unwrap();
        let (name, page) = &database.files[0];
        assert_eq!(name, FIRST_PAGE);
        assert!(
            page.starts_with("---\nname: tapps-database\ndescription: \"Data at rest and in transactions: "),
            "{page}"
        );
        for (file, text) in &database.files[1..] {
            assert!(page.contains(&format!("]({file}) | ")), "{file}");
            assert!(experts.files().iter().any(|known| known.text == *text), "{file}");
        }
    }
}
