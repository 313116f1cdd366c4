//! Skills: folders of files that a client can take in whole and check by their digests.

use std::sync::Arc;

use super::{Freshness, ResourceContent, ResourceUriTemplate};
use tapps_base::Result;

/// The family of addresses under which the files are read.
const FILES: &str = "skill://{skill}/{file}";

/// A skill: its files with the address of each, `SKILL.md` first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skill {
    pub name: String,
    pub description: String,
    pub files: Vec<SkillFile>,
}

/// One file of a skill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkillFile {
    pub uri: String,
    pub text: String,
}

/// All skills of a server, read anew each time.
#[derive(Clone)]
pub struct Skills(Arc<dyn Fn() -> Result<Vec<Skill>> + Send + Sync>);

tapps_base::debug_fields!(Skills {});

impl Skills {
    /// Skills that `read` gives; it may block.
    pub fn new(read: impl Fn() -> Result<Vec<Skill>> + Send + Sync + 'static) -> Self {
        Self(Arc::new(read))
    }

    /// Reads all. May block.
    ///
    /// # Errors
    /// What the source says.
    pub fn read(&self) -> Result<Vec<Skill>> {
        (self.0)()
    }

    /// The address of a file.
    #[must_use]
    pub fn uri(skill: &str, file: &str) -> String {
        format!("skill://{skill}/{file}")
    }

    /// The files as resources.
    #[must_use]
    pub fn template(&self) -> ResourceUriTemplate {
        let skills = self.clone();
        ResourceUriTemplate::new(FILES, "skill", "text/markdown", Freshness::Project, move |values| {
            let [skill, file] = values else { return None };
            let uri = Self::uri(skill, file);
            match skills.read() {
                Ok(skills) => {
                    let found = skills.into_iter().flat_map(|skill| skill.files).find(|file| file.uri == uri)?;
                    Some(Ok(ResourceContent::Text(found.text)))
                }
                Err(error) => Some(Err(error)),
            }
        })
        .with_title_and_description(
            "Skill",
            "A file of a skill, for example skill://tapps-database/SKILL.md; skills/list has the digests.",
        )
        .without_parts()
    }
}
