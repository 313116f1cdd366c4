//! Listing the files of a project: sorted, without what version control ignores or tools have put there.

use cap_std::fs::FileType;
use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::boundary::{Boundary, PathKind};
use super::lexical;
use super::path::ProjectPath;
use tapps_base::log_text;
use tapps_base::{Error, ErrorCode, Result};

/// Folders that hold nobody's source code: version control, installed packages, caches, our own state. Sorted.
const SKIPPED: [&str; 22] = [
    ".bzr",
    ".direnv",
    ".eggs",
    ".git",
    ".hg",
    ".jj",
    ".mypy_cache",
    ".nox",
    ".pytest_cache",
    ".ruff_cache",
    ".svn",
    ".tapps-mcp",
    ".tox",
    ".venv",
    ".yarn",
    "CVS",
    "__pycache__",
    "__pypackages__",
    "_darcs",
    "bower_components",
    "node_modules",
    "site-packages",
];

/// The file that marks a folder as a Python virtual environment, whatever its name.
pub const VENV_MARKER: &str = "pyvenv.cfg";

/// True for the name of a folder that is never looked into.
#[must_use]
pub fn is_passed_over(name: &str) -> bool {
    SKIPPED.binary_search(&name).is_ok()
}

const IGNORE_FILE: &str = ".gitignore";

/// Largest `.gitignore` that is honoured, in bytes.
const MAX_IGNORE_BYTES: u64 = 1024 * 1024;

/// What a walk leaves out besides.
#[derive(Debug, Clone, Default)]
pub struct WalkOptions {
    /// Globs as in `.gitignore`, relative to the project root.
    pub exclude: Vec<String>,
    /// Lists also what `.gitignore` files name.
    pub include_ignored: bool,
}

/// Globs of files that are left out.
#[derive(Debug)]
pub struct Exclusion(Gitignore);

impl Exclusion {
    /// Reads globs as in `.gitignore`, relative to the project root.
    ///
    /// # Errors
    /// `config_error` for one that cannot be read.
    pub fn of_globs(globs: &[String]) -> Result<Self> {
        build_exclude_globs(globs).map(Self)
    }

    /// Whether a file, or a folder that it is in, is left out.
    #[must_use]
    pub fn covers(&self, path: &str) -> bool {
        self.0.matched_path_or_any_parents(path, false).is_ignore()
    }
}

impl Boundary {
    /// All regular files at or below `start`, sorted by path. Links are not followed.
    ///
    /// A file is listed when it is named itself, whatever is excluded; a named folder is walked likewise.
    ///
    /// # Errors
    /// `file_not_found` or `path_denied` for the start; `config_error` for a glob that cannot be read. A folder further
    /// down that cannot be read is passed over with a warning in the log.
    pub fn walk(&self, start: &ProjectPath, options: &WalkOptions) -> Result<Vec<ProjectPath>> {
        match self.kind(start)? {
            PathKind::File => return Ok(vec![start.clone()]),
            PathKind::Special => {
                return Err(lexical::project_path_denied(start.as_str(), "is neither a file nor a folder"));
            }
            PathKind::Folder => {}
        }
        let exclude = build_exclude_globs(&options.exclude)?;
        let mut walker =
            Walker { boundary: self, exclude, include_ignored: options.include_ignored, found: Vec::new() };
        let mut rules = walker.rules_above(start);
        walker.walk_folder(start, &mut rules, true)?;
        walker.found.sort();
        Ok(walker.found)
    }
}

impl Boundary {
    /// The names of what one folder holds, sorted; none that is not UTF-8.
    ///
    /// # Errors
    /// `file_not_found` or `path_denied`.
    pub fn list(&self, folder: &ProjectPath) -> Result<Vec<String>> {
        let read = self.with_path_beneath(folder, |at| self.dir.read_dir(at))?;
        let mut names = Vec::new();
        for entry in read {
            let entry = entry.map_err(|error| self.path_error(folder, &error))?;
            names.extend(entry.file_name().into_string());
        }
        names.sort();
        Ok(names)
    }
}

/// The rules of one `.gitignore`, with the folder it stands in.
struct Rules {
    folder: ProjectPath,
    matcher: Gitignore,
}

struct Walker<'b> {
    boundary: &'b Boundary,
    exclude: Gitignore,
    include_ignored: bool,
    found: Vec<ProjectPath>,
}

impl Walker<'_> {
    /// The rules of the folders above the start, outermost first.
    fn rules_above(&self, start: &ProjectPath) -> Vec<Rules> {
        let mut rules = Vec::new();
        let mut folder = start.clone();
        while !folder.is_root() {
            folder = folder.parent();
            rules.extend(self.rules_of(&folder));
        }
        rules.reverse();
        rules
    }

    fn rules_of(&self, folder: &ProjectPath) -> Option<Rules> {
        if self.include_ignored {
            return None;
        }
        // Read like any other file of the project: a `.gitignore` can be a FIFO or lead out as well.
        let bytes = self.boundary.read(&folder.child_entry(IGNORE_FILE), MAX_IGNORE_BYTES).ok()?;
        let mut builder = GitignoreBuilder::new("");
        for line in String::from_utf8_lossy(&bytes).lines() {
            // A line that git would not understand excludes nothing.
            let _ = builder.add_line(None, line);
        }
        Some(Rules { folder: folder.clone(), matcher: builder.build().ok()? })
    }

    /// Lists one folder. `rules` holds those of the folders above and is left as it was found.
    fn walk_folder(&mut self, folder: &ProjectPath, rules: &mut Vec<Rules>, named: bool) -> Result<()> {
        let entries = match self.entries(folder) {
            Ok(entries) => entries,
            Err(error) if named => return Err(error),
            Err(error) => {
                tracing::warn!(folder = folder.as_str(), error = error.message(), "a folder is left out");
                return Ok(());
            }
        };
        if !named && entries.iter().any(|(name, kind)| name == VENV_MARKER && kind.is_file()) {
            return Ok(());
        }
        let depth = rules.len();
        if entries.iter().any(|(name, _)| name == IGNORE_FILE) {
            rules.extend(self.rules_of(folder));
        }
        for (name, kind) in entries {
            let path = folder.child_entry(&name);
            let is_folder = kind.is_dir();
            if !(is_folder || kind.is_file()) || self.left_out(&path, is_folder, rules) {
                continue;
            }
            if let Err(error) = lexical::check_path_text(path.as_str()) {
                tracing::warn!(path = &*log_text(path.as_str()), error = error.message(), "a file is left out");
            } else if is_folder {
                if !is_passed_over(&name) {
                    self.walk_folder(&path, rules, false)?;
                }
            } else {
                self.found.push(path);
            }
        }
        rules.truncate(depth);
        Ok(())
    }

    fn entries(&self, folder: &ProjectPath) -> Result<Vec<(String, FileType)>> {
        let read = self.boundary.with_path_beneath(folder, |at| self.boundary.dir.read_dir(at))?;
        let mut entries = Vec::new();
        for entry in read {
            let entry = entry.map_err(|error| self.boundary.path_error(folder, &error))?;
            let Ok(kind) = entry.file_type() else { continue };
            match entry.file_name().into_string() {
                Ok(name) => entries.push((name, kind)),
                Err(name) => {
                    let name = name.to_string_lossy();
                    tracing::warn!(
                        folder = folder.as_str(),
                        name = &*log_text(&name),
                        "a name that is not UTF-8 is left out"
                    );
                }
            }
        }
        Ok(entries)
    }

    /// The innermost `.gitignore` that says something about a path decides; the project's own globs come first.
    fn left_out(&self, path: &ProjectPath, is_folder: bool, rules: &[Rules]) -> bool {
        if self.exclude.matched(path.as_str(), is_folder).is_ignore() {
            return true;
        }
        for rule in rules.iter().rev() {
            let relative = if rule.folder.is_root() {
                path.as_str()
            } else {
                path.as_str()
                    .strip_prefix(rule.folder.as_str())
                    .map_or(path.as_str(), |rest| rest.trim_start_matches('/'))
            };
            match rule.matcher.matched(relative, is_folder) {
                Match::None => {}
                Match::Ignore(_) => return true,
                Match::Whitelist(_) => return false,
            }
        }
        false
    }
}

fn build_exclude_globs(patterns: &[String]) -> Result<Gitignore> {
    let fault = |pattern: &str, why: &ignore::Error| {
        Error::new(ErrorCode::ConfigError, format!("the glob `{pattern}` in `exclude` cannot be read: {why}"))
            .hint("write it as a line of `.gitignore`")
    };
    let mut builder = GitignoreBuilder::new("");
    for pattern in patterns {
        builder.add_line(None, pattern).map_err(|why| fault(pattern, &why))?;
    }
    builder.build().map_err(|why| fault(&patterns.join(" "), &why))
}
