//! Taking a file into the project's own knowledge.

use super::corpus::ExpertCorpus;
use super::file::{Knowledge, KnowledgeOrigin};
use super::validate::validate_file;
use tapps_base::page::Problem;
use tapps_base::{Error, ErrorCode, Result, atomic};
use tapps_sandbox::state::STATE_FOLDER;
use tapps_sandbox::{Boundary, ProjectPath};

/// Largest file that is taken, in bytes.
const MOST_BYTES: u64 = 256 << 10;

impl ExpertCorpus {
    /// Copies a file of the project to `.tapps-mcp/knowledge/<domain>/<its own name>`, and gives its name and what is
    /// wrong with its shape. What could not be read, or would be withheld, is not taken.
    ///
    /// # Errors
    /// `invalid_argument` for a file that is no knowledge; those of reading and writing.
    pub fn ingest_file(&self, boundary: &Boundary, path: &ProjectPath) -> Result<(String, Vec<Problem>)> {
        let bytes = boundary.read(path, MOST_BYTES)?;
        let text = String::from_utf8(bytes)
            .map_err(|_| Error::invalid(format!("{} is not UTF-8", path.as_str())).hint("save it as UTF-8"))?;
        let topic = path.as_str().rsplit('/').next().and_then(|name| name.strip_suffix(".md")).ok_or_else(|| {
            Error::invalid(format!("{} is no markdown file", path.as_str()))
                .hint("knowledge is kept in files ending .md")
        })?;
        let unread = |problem: Problem| Error::new(ErrorCode::InvalidArgument, problem.to_string());
        let read = |name: &str| Knowledge::parse_file(name, path.as_str(), KnowledgeOrigin::Project, &text);
        let domain = read(topic).map_err(unread)?.domain();
        let name = format!("{domain}/{topic}");
        let file = read(&name).map_err(unread)?;
        file.clone()
            .screen_text()
            .map_err(|problem| Error::invalid(problem.message).hint("see `tapps-mcp guard check`"))?;
        let problems = validate_file(&file, |name| self.file(name).is_some());
        let folder = boundary.state_folder()?.join("knowledge").join(domain.as_str());
        std::fs::create_dir_all(&folder)
            .map_err(|error| Error::io(format_args!("cannot make {STATE_FOLDER}/knowledge/{domain}"), &error))?;
        atomic::write(&folder.join(format!("{topic}.md")), text.as_bytes())?;
        Ok((name, problems))
    }
}
