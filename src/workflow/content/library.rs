//! All workflows, personas and rules that can be used: those of the project over the built-in ones.

use std::collections::{BTreeMap, BTreeSet};

use super::builtin;
use super::page::{self, AgentRule, Persona};
use super::template::WorkflowTemplate;
use super::template_file;
use tapps_base::page::{Place, Problem};
use tapps_base::{Error, ErrorCode, Result, nearest};

/// The persona that is delivered when none is named.
pub const SUPERVISOR: &str = "supervisor";

/// A text file of content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContentFile {
    /// Project-relative path, or the name of a built-in file.
    pub path: String,
    pub text: String,
}

impl ContentFile {
    /// The name without folders and ending; what is in the file has to bear it.
    fn stem(&self) -> &str {
        let name = self.path.rsplit('/').next().unwrap_or_default();
        name.strip_suffix(".md").unwrap_or(name)
    }
}

/// The files of one origin.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ContentFiles {
    pub workflows: Vec<ContentFile>,
    pub agents: Vec<ContentFile>,
    pub rules: Vec<ContentFile>,
}

/// Something usable, and the file it comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sourced<T> {
    pub file: String,
    pub value: T,
}

/// A file that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// The name under which it would have been found.
    pub name: String,
    /// Not empty; in the order of places.
    pub problems: Vec<Problem>,
}

/// What can be used.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WorkflowLibrary {
    pub templates: BTreeMap<String, Sourced<WorkflowTemplate>>,
    pub personas: BTreeMap<String, Sourced<Persona>>,
    pub rules: BTreeMap<String, Sourced<AgentRule>>,
    /// Templates that cannot be used. One of the project hides the built-in one of its name all the same: silently
    /// carrying out another workflow than the one that was written down would be worse.
    pub refused_templates: BTreeMap<String, Refused>,
    /// Personas and rules that cannot be used.
    pub refused_pages: Vec<Refused>,
}

impl WorkflowLibrary {
    /// Reads the project's files over the built-in ones.
    #[must_use]
    pub fn from_project_files(project: &ContentFiles) -> Self {
        let mut library = Self::default();
        for files in [builtin::builtin_workflow_files(), project] {
            overlay_pages(&mut library.personas, &mut library.refused_pages, &files.agents, page::parse_persona, |p| {
                &p.name
            });
            overlay_pages(&mut library.rules, &mut library.refused_pages, &files.rules, page::parse_rule, |r| &r.name);
        }
        let agents: Vec<&str> = library.personas.keys().map(String::as_str).collect();
        let mut templates = BTreeMap::new();
        let mut refused = BTreeMap::new();
        for file in builtin::builtin_workflow_files().workflows.iter().chain(&project.workflows) {
            // A later file takes the place of an earlier one of its name, whether or not it can be used.
            templates.remove(file.stem());
            refused.remove(file.stem());
            match template_file::parse_template(&file.path, &file.text, &agents)
                .and_then(|t| require_name_of_file(file, &t.name.clone(), t))
            {
                Ok(value) => {
                    templates.insert(file.stem().to_owned(), Sourced { file: file.path.clone(), value });
                }
                Err(problems) => {
                    let name = file.stem().to_owned();
                    refused.insert(name.clone(), Refused { name, problems });
                }
            }
        }
        library.templates = templates;
        library.refused_templates = refused;
        library
    }

    /// The workflow called `name`.
    ///
    /// # Errors
    /// `invalid_argument` with the nearest names; `config_error` with every problem for one that was refused.
    pub fn template(&self, name: &str) -> Result<&WorkflowTemplate> {
        if let Some(found) = self.templates.get(name) {
            return Ok(&found.value);
        }
        if let Some(refused) = self.refused_templates.get(name) {
            let problems: Vec<String> = refused.problems.iter().map(ToString::to_string).collect();
            return Err(Error::new(
                ErrorCode::ConfigError,
                format!("the workflow `{name}` cannot be used: {}", problems.join("; ")),
            )
            .hint("correct the file and call again"));
        }
        let names: BTreeSet<&str> = self.templates.keys().map(String::as_str).collect();
        Err(Error::invalid(format!("there is no workflow `{}`", displayable_name(name)))
            .hint(nearest::hint(name, names)))
    }

    /// The persona called `name`; `default` is the supervisor, or the first there is.
    #[must_use]
    pub fn persona(&self, name: &str) -> Option<&Persona> {
        let found = if name == "default" {
            self.personas.get(SUPERVISOR).or_else(|| self.personas.values().next())
        } else {
            self.personas.get(name)
        };
        found.map(|sourced| &sourced.value)
    }

    /// The rules, those that always apply first, then by name.
    #[must_use]
    pub fn active_rules(&self) -> Vec<&AgentRule> {
        let mut rules: Vec<&AgentRule> = self.rules.values().map(|sourced| &sourced.value).collect();
        rules.sort_by_key(|rule| !rule.always_apply);
        rules
    }
}

/// At most the first characters of a name that a caller made up.
pub(crate) fn displayable_name(name: &str) -> String {
    tapps_base::log_text(&name.chars().take(64).collect::<String>()).to_string()
}

/// Lays the pages of some files over those that are there.
fn overlay_pages<T>(
    into: &mut BTreeMap<String, Sourced<T>>,
    refused: &mut Vec<Refused>,
    files: &[ContentFile],
    read: fn(&str, &str) -> std::result::Result<T, Problem>,
    name: fn(&T) -> &String,
) {
    for file in files {
        into.remove(file.stem());
        let page = read(&file.path, &file.text).map_err(|problem| vec![problem]);
        match page.and_then(|page| require_name_of_file(file, &name(&page).clone(), page)) {
            Ok(value) => {
                into.insert(file.stem().to_owned(), Sourced { file: file.path.clone(), value });
            }
            Err(problems) => refused.push(Refused { name: file.stem().to_owned(), problems }),
        }
    }
}

/// Refuses what bears another name than its file.
fn require_name_of_file<T>(file: &ContentFile, name: &str, value: T) -> std::result::Result<T, Vec<Problem>> {
    if name == file.stem() {
        return Ok(value);
    }
    let place = Place { file: file.path.clone(), line: 2, column: 1 };
    Err(vec![place.problem(format!("the file is called `{}` and what is in it `{name}`", file.stem()))])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: &str) -> ContentFile {
        ContentFile { path: path.into(), text: text.into() }
    }

    fn workflow(path: &str, name: &str, agent: &str) -> ContentFile {
        file(
            path,
            &format!(
                "---\nname: {name}\ntitle: Own\ndescription: D.\nsteps:\n  - {{name: a, agent: {agent}, description: D.}}\n---\n"
            ),
        )
    }

    #[test]
    fn everything_built_in_can_be_used() {
        let library = WorkflowLibrary::from_project_files(&ContentFiles::default());
        assert_eq!(library.refused_templates, BTreeMap::new());
        assert_eq!(library.refused_pages, []);
        let names: Vec<&str> = library.templates.keys().map(String::as_str).collect();
        assert_eq!(
            names,
            ["bug-fix", "feature-development", "investigation", "refactor", "release", "security-review"]
        );
        assert_eq!(library.persona("default").unwrap().name, SUPERVISOR);
        assert!(library.active_rules()[0].always_apply);
        for template in library.templates.values() {
            let used = template
                .value
                .steps
                .iter()
                .all(|step| !step.instructions.is_empty() && !step.allowed_actions.is_empty());
            assert!(used, "{}", template.value.name);
        }
    }

    #[test]
    fn the_projects_files_go_before_the_built_in_ones() {
        let project = ContentFiles {
            workflows: vec![workflow("w/bug-fix.md", "bug-fix", "poet"), workflow("w/release.md", "release", "nobody")],
            agents: vec![file("a/poet.md", "---\nname: poet\ntitle: Poet\ndescription: D.\n---\nRhyme.\n")],
            rules: vec![file("r/no-secrets.md", "broken")],
        };
        let library = WorkflowLibrary::from_project_files(&project);
        assert_eq!(library.template("bug-fix").unwrap().title, "Own");
        assert_eq!(library.templates["bug-fix"].file, "w/bug-fix.md");
        let error = library.template("release").unwrap_err();
        assert_eq!(error.code(), ErrorCode::ConfigError);
        assert!(error.message().contains("w/release.md:6:22: there is no agent `nobody`"), "{error}");
        assert_eq!(library.refused_pages[0].problems[0].to_string().split(": ").next(), Some("r/no-secrets.md:1:1"));
        assert!(!library.rules.contains_key("no-secrets"));
        let error = library.template("bugfix").unwrap_err();
        assert_eq!(error.body().hint.as_deref(), Some("did you mean bug-fix?"));
    }

    #[test]
    fn a_file_bears_the_name_of_what_is_in_it() {
        let project =
            ContentFiles { workflows: vec![workflow("w/mine.md", "yours", "tester")], ..ContentFiles::default() };
        let error = WorkflowLibrary::from_project_files(&project).template("mine").unwrap_err();
        assert!(
            error.message().contains("w/mine.md:2:1: the file is called `mine` and what is in it `yours`"),
            "{error}"
        );
    }
}
