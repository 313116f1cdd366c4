//! The project's own workflows, personas and rules, read again when they have changed.

use std::sync::{Arc, Mutex, PoisonError};

use super::library::{ContentFile, ContentFiles, WorkflowLibrary};
use tapps_base::Result;
use tapps_sandbox::state::STATE_FOLDER;
use tapps_sandbox::{Boundary, PathKind, WalkOptions};

/// Largest file that is read, in bytes.
const LARGEST: u64 = 256 * 1024;

/// Where the content of a project comes from.
#[derive(Debug)]
pub struct ContentSource {
    boundary: Arc<Boundary>,
    last: Mutex<Option<(ContentFiles, Arc<WorkflowLibrary>)>>,
}

impl ContentSource {
    #[must_use]
    pub fn new(boundary: Arc<Boundary>) -> Self {
        Self { boundary, last: Mutex::default() }
    }

    /// What can be used now.
    ///
    /// # Errors
    /// `path_denied` when a file leads out of the project, `invalid_argument` when one is too large.
    pub fn current_library(&self) -> Result<Arc<WorkflowLibrary>> {
        let files = ContentFiles {
            workflows: self.read_markdown_folder("workflows")?,
            agents: self.read_markdown_folder("agents")?,
            rules: self.read_markdown_folder("rules")?,
        };
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((of, library)) = &*last
            && *of == files
        {
            return Ok(Arc::clone(library));
        }
        let library = Arc::new(WorkflowLibrary::from_project_files(&files));
        *last = Some((files, Arc::clone(&library)));
        Ok(library)
    }

    /// The markdown files of one folder, sorted by path.
    fn read_markdown_folder(&self, name: &str) -> Result<Vec<ContentFile>> {
        if self.boundary.existing_state_folder()?.is_none() {
            return Ok(Vec::new());
        }
        let folder = self.boundary.resolve(&format!("{STATE_FOLDER}/{name}"))?;
        if !matches!(self.boundary.kind(&folder), Ok(PathKind::Folder)) {
            return Ok(Vec::new());
        }
        let options = WalkOptions { include_ignored: true, ..WalkOptions::default() };
        let paths = self.boundary.walk(&folder, &options)?;
        let own = |path: &&tapps_sandbox::ProjectPath| path.as_str().ends_with(".md") && path.parent() == folder;
        paths
            .iter()
            .filter(own)
            .map(|path| {
                let bytes = self.boundary.read(path, LARGEST)?;
                Ok(ContentFile { path: path.as_str().to_owned(), text: String::from_utf8_lossy(&bytes).into_owned() })
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_into_the_folders_is_found_at_once() {
        let dir = tempfile::tempdir().unwrap();
        let content = ContentSource::new(Arc::new(Boundary::open(dir.path()).unwrap()));
        let before = content.current_library().unwrap();
        assert!(Arc::ptr_eq(&before, &content.current_library().unwrap()), "nothing changed, nothing is read");
        let folder = dir.path().join(STATE_FOLDER).join("agents");
        std::fs::create_dir_all(folder.join("deeper")).unwrap();
        std::fs::write(folder.join("poet.md"), "---\nname: poet\ntitle: P\ndescription: D.\n---\nRhyme.\n").unwrap();
        std::fs::write(folder.join("notes.txt"), "no content").unwrap();
        std::fs::write(folder.join("deeper/x.md"), "no content").unwrap();
        let after = content.current_library().unwrap();
        assert_eq!(after.persona("poet").unwrap().text, "Rhyme.");
        assert_eq!(after.personas["poet"].file, ".tapps-mcp/agents/poet.md");
        assert_eq!(after.refused_pages, []);
        std::os::unix::fs::symlink("/etc/hostname", folder.join("link.md")).unwrap();
        assert_eq!(content.current_library().unwrap().refused_pages, [], "links are not followed");
    }
}
