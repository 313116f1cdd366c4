//! A copy of what the compiler may read, in a place of its own: whatever it looks for beside a file or above it, it finds here
//! or nowhere.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::configuration::{ProgramConfiguration, configurations_of_file};
use super::settings::{self, Settings};
use crate::cache::{ImportableEntry, ModuleFiles, What, is_of_package};
use tapps_base::language::Language;
use tapps_base::source::Source;
use tapps_base::{Error, ErrorCode, Result, platform};
use tapps_sandbox::survey::FileStamp;

/// Most files that are copied.
const MOST_FILES: usize = 200_000;
/// Most bytes of all copies together.
const MOST_BYTES: u64 = 1 << 30;

/// The copy; what of it is outside the private folder of the request disappears with this value.
#[derive(Debug)]
pub(super) struct Mirror {
    root: PathBuf,
    _apart: Option<tempfile::TempDir>,
    /// The files of the copy, without those of packages.
    own_files: BTreeSet<String>,
    /// Scripts without types that ask to be checked all the same.
    checked_javascript: BTreeSet<String>,
    settings: BTreeMap<String, Settings>,
    /// What there was to copy.
    entries: Vec<ImportableEntry>,
    /// When that was looked at, in nanoseconds since the Unix epoch.
    listed_at: i128,
    /// What was written in place of what lay there.
    judged: BTreeSet<String>,
}

/// What has become of a copy.
#[derive(Debug)]
pub(super) enum Refreshed {
    /// It has the bytes of the project again: these files are others than before, each a script with types of the project itself,
    /// here with what it was.
    Same(Vec<Source>),
    /// It has to be made anew.
    Outdated,
}

impl Mirror {
    /// A copy of the project with the bytes of `judged`; none where the types of none of them are to be checked.
    ///
    /// # Errors
    /// `degraded_result` when the project is too large or something of it is out of sight; as [`Error::io`] when the copy
    /// cannot be written.
    pub(super) fn of_project_if_typed(files: &ModuleFiles, judged: &[Source], place: &Path) -> Result<Option<Self>> {
        let listed_at = FileStamp::now();
        let entries = files.list_entries().ok_or_else(|| {
            degraded("the scripts of the project cannot be seen in full").hint("look for folders that go too deep")
        })?;
        let is_configuration = |entry: &&ImportableEntry| {
            !is_of_package(&entry.path) && settings::is_configuration(&entry.path)
        };
        let asks = |entry: &ImportableEntry| files.read_listed(&entry.path).is_some_and(|bytes| says(&bytes, b"checkJs"));
        let has_types = |source: &Source| {
            matches!(Language::of_path(source.path()), Some(Language::TypeScript | Language::Tsx))
                || says(source.bytes(), b"@ts-check")
        };
        if !judged.iter().any(has_types) && !entries.iter().filter(is_configuration).any(asks) {
            return Ok(None);
        }
        let (root, apart) = place_without_packages(place)?;
        let mut mirror = Self {
            root,
            _apart: apart,
            own_files: BTreeSet::new(),
            checked_javascript: BTreeSet::new(),
            settings: BTreeMap::new(),
            entries: Vec::new(),
            listed_at,
            judged: judged.iter().map(|source| source.path().to_owned()).collect(),
        };
        mirror.fill(files, &entries, judged)?;
        mirror.entries = entries;
        mirror.read_all_settings();
        Ok(Some(mirror))
    }

    /// Brings the copy up to date; `replaced` tells what a file of the project was that this program has replaced. After an error
    /// it is of no more use.
    ///
    /// # Errors
    /// As [`Error::io`].
    pub(super) fn refresh(
        &mut self,
        files: &ModuleFiles,
        judged: &[Source],
        replaced: impl Fn(&str) -> Option<Vec<u8>>,
    ) -> Result<Refreshed> {
        let listed_at = FileStamp::now();
        let Some(entries) = files.list_entries().filter(|entries| have_same_names(entries, &self.entries)) else {
            return Ok(Refreshed::Outdated);
        };
        let overlaid: BTreeSet<&str> = judged.iter().map(Source::path).collect();
        let mut before = Vec::new();
        let mut put = |mirror: &Self, path: &str, bytes: &[u8]| -> Result<bool> {
            let Some(known) = replaced(path).or_else(|| mirror.read(path)) else { return Ok(false) };
            if known != bytes {
                if !is_typed_script_of_project(path) {
                    return Ok(false);
                }
                mirror.write(path, bytes)?;
                before.push(Source::new(path, known));
            }
            Ok(true)
        };
        for (now, known) in entries.iter().zip(&self.entries) {
            let What::File(stamp) = &now.what else { continue };
            let is_known = now == known && stamp.is_settled(self.listed_at) && !self.judged.contains(&now.path);
            if is_known || overlaid.contains(now.path.as_str()) {
                continue;
            }
            let Some(bytes) = files.read_listed(&now.path) else { return Ok(Refreshed::Outdated) };
            if !put(self, &now.path, &bytes)? {
                return Ok(Refreshed::Outdated);
            }
        }
        for source in judged {
            if !put(self, source.path(), source.bytes())? {
                return Ok(Refreshed::Outdated);
            }
        }
        self.judged = overlaid.into_iter().map(str::to_owned).collect();
        (self.entries, self.listed_at) = (entries, listed_at);
        Ok(Refreshed::Same(before))
    }

    /// With every link resolved, since the compiler reports resolved paths.
    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// The bytes of a file of the copy.
    pub(super) fn read(&self, path: &str) -> Option<Vec<u8>> {
        std::fs::read(self.root.join(path)).ok()
    }

    /// Writes a file that is this program's.
    ///
    /// # Errors
    /// As [`Error::io`].
    pub(super) fn write(&self, path: &str, bytes: &[u8]) -> Result<()> {
        let path = self.root.join(path);
        std::fs::write(&path, bytes).map_err(|e| Error::io(format_args!("cannot write {}", path.display()), &e))
    }

    /// Removes a file that is this program's.
    ///
    /// # Errors
    /// As [`Error::io`].
    pub(super) fn remove(&self, path: &str) -> Result<()> {
        let path = self.root.join(path);
        std::fs::remove_file(&path).map_err(|e| Error::io(format_args!("cannot remove {}", path.display()), &e))
    }

    pub(super) fn settings(&self, path: &str) -> Option<&Settings> {
        self.settings.get(path)
    }

    /// The configurations of the project, by path.
    pub(super) fn all_settings(&self) -> &BTreeMap<String, Settings> {
        &self.settings
    }

    /// The programs that a file may be in, likeliest first.
    pub(super) fn configurations_for(&self, path: &str) -> Vec<ProgramConfiguration> {
        configurations_of_file(path, &self.settings)
    }

    /// True for a script without types that asks to be checked, or whose project does.
    pub(super) fn is_checked_javascript(&self, path: &str, candidates: &[ProgramConfiguration]) -> bool {
        let by_project = || candidates.iter().filter_map(|one| self.settings(one.path()?)).any(Settings::checks_javascript);
        self.checked_javascript.contains(path) || by_project()
    }

    /// True when a script without types below a folder asks to be checked.
    pub(super) fn has_checked_javascript_below(&self, folder: &str) -> bool {
        self.checked_javascript.iter().any(|path| is_below(path, folder))
    }

    fn fill(&mut self, files: &ModuleFiles, entries: &[ImportableEntry], judged: &[Source]) -> Result<()> {
        let root = &self.root;
        let failed = |source: &std::io::Error| {
            Error::io(format_args!("cannot copy the project to {}", root.display()), source)
                .hint("free some space there, or set TAPPS_MCP_CACHE_DIR to a folder that has it")
        };
        let bytes: u64 = entries.iter().map(|entry| if let What::File(stamp) = entry.what { stamp.size } else { 0 }).sum();
        if entries.len() > MOST_FILES || bytes > MOST_BYTES {
            let message = format!(
                "the scripts of the project and the declarations of its packages are more than {MOST_FILES} files or \
                 {MOST_BYTES} bytes"
            );
            return Err(degraded(&message).hint("score the packages of the repository one by one"));
        }
        let folders: BTreeSet<&str> = entries.iter().map(|entry| entry.path.as_str()).filter_map(folder_of).collect();
        for folder in folders.into_iter().chain([""]) {
            std::fs::create_dir_all(root.join(folder)).map_err(|e| failed(&e))?;
        }
        let copied: Result<Vec<(String, bool)>> = entries
            .par_iter()
            .filter_map(|entry| match &entry.what {
                What::Folder => None,
                What::Link(inside) => {
                    let made = platform::symlink(&root.join(inside), &root.join(&entry.path));
                    made.err().map(|e| Err(failed(&e)))
                }
                What::File(_) => {
                    // What has gone since it was listed is not there.
                    let bytes = files.read_listed(&entry.path)?;
                    let written = std::fs::write(root.join(&entry.path), &bytes).map_err(|e| failed(&e));
                    let asks = is_javascript(&entry.path) && asks_to_be_checked(&bytes);
                    (!is_of_package(&entry.path)).then(|| written.map(|()| (entry.path.clone(), asks)))
                }
            })
            .collect();
        let copied = copied?;
        let asking = copied.iter().filter(|(_, asks)| *asks).map(|(path, _)| path.clone());
        let mut checked: BTreeSet<String> = asking.collect();
        let mut own: BTreeSet<String> = copied.into_iter().map(|(path, _)| path).collect();
        for source in judged {
            let path = root.join(source.path());
            if let Some(folder) = path.parent() {
                std::fs::create_dir_all(folder).map_err(|e| failed(&e))?;
            }
            std::fs::write(&path, source.bytes()).map_err(|e| failed(&e))?;
            own.insert(source.path().to_owned());
            checked.remove(source.path());
            if is_javascript(source.path()) && asks_to_be_checked(source.bytes()) {
                checked.insert(source.path().to_owned());
            }
        }
        (self.own_files, self.checked_javascript) = (own, checked);
        Ok(())
    }

    fn read_all_settings(&mut self) {
        let read = |path: &String| (path.clone(), settings::read_settings(&self.root, path));
        self.settings = self.own_files.iter().filter(|path| settings::is_configuration(path)).map(read).collect();
    }
}

/// A folder for the copy above which no packages are installed: the compiler looks for them in every folder above a file. Nor
/// does it find settings of a package there, since one without any stands right above.
fn place_without_packages(place: &Path) -> Result<(PathBuf, Option<tempfile::TempDir>)> {
    let has_packages = |folder: &Path| folder.ancestors().any(|above| above.join("node_modules").exists());
    let unwritable = |e: &std::io::Error| Error::io("cannot make a folder for a copy of the project", e);
    let (above, apart) = if has_packages(place) {
        let apart = tempfile::Builder::new().prefix("tapps-mcp-types-").tempdir().map_err(|e| unwritable(&e))?;
        (apart.path().canonicalize().map_err(|e| unwritable(&e))?, Some(apart))
    } else {
        let above = place.join("types");
        std::fs::create_dir_all(&above).map_err(|e| unwritable(&e))?;
        (above, None)
    };
    if has_packages(&above) {
        let message = format!("there is a folder `node_modules` above {}", above.display());
        return Err(degraded(&message).hint("set TMPDIR or TAPPS_MCP_CACHE_DIR to a folder that has none above it"));
    }
    std::fs::write(above.join("package.json"), "{}\n").map_err(|e| unwritable(&e))?;
    let root = above.join("project");
    std::fs::create_dir_all(&root).map_err(|e| unwritable(&e))?;
    Ok((root, apart))
}

pub(super) fn degraded(message: &str) -> Error {
    Error::new(ErrorCode::DegradedResult, message.to_owned()).tool("tsc")
}

/// The folder of a path; none at the top.
pub(super) fn folder_of(path: &str) -> Option<&str> {
    path.rsplit_once('/').map(|(folder, _)| folder)
}

/// True for a path in a folder, or anywhere for the top.
pub(super) fn is_below(path: &str, folder: &str) -> bool {
    folder.is_empty() || path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

fn is_javascript(path: &str) -> bool {
    matches!(Language::of_path(path), Some(Language::JavaScript | Language::Jsx))
}

/// True when one of the comments that a file begins with is `@ts-check`.
fn asks_to_be_checked(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    let first = text.trim_start_matches('\u{feff}').lines().map(str::trim).filter(|line| !line.is_empty());
    let comments = first.take_while(|line| line.starts_with("//") || line.starts_with("#!") || line.starts_with("/*"));
    comments.into_iter().any(|line| line.trim_start_matches('/').trim_start().starts_with("@ts-check"))
}

/// True when the same files, folders and links are there.
fn have_same_names(one: &[ImportableEntry], other: &[ImportableEntry]) -> bool {
    let same = |(a, b): (&ImportableEntry, &ImportableEntry)| {
        a.path == b.path && (a.what == b.what || matches!((&a.what, &b.what), (What::File(_), What::File(_))))
    };
    one.len() == other.len() && one.iter().zip(other).all(same)
}

/// True for a script with types that is no declaration, of the project itself.
pub(super) fn is_typed_script_of_project(path: &str) -> bool {
    let typed = matches!(Language::of_path(path), Some(Language::TypeScript | Language::Tsx));
    let name = path.rsplit('/').next().unwrap_or(path);
    typed && !name.contains(".d.") && !is_of_package(path)
}

fn says(bytes: &[u8], word: &[u8]) -> bool {
    bytes.windows(word.len()).any(|window| window == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_at_the_top_asks_to_be_checked() {
        for (text, expected) in [
            ("// @ts-check\nlet a;\n", true),
            ("#!/usr/bin/env node\n// words\n// @ts-check\n", true),
            ("//@ts-check\n", true),
            ("let a;\n// @ts-check\n", false),
            ("// no @ts-check\n", false),
            ("", false),
        ] {
            assert_eq!(asks_to_be_checked(text.as_bytes()), expected, "{text:?}");
        }
    }

    #[test]
    fn the_copy_lies_where_no_packages_are_above_it() {
        let folder = tempfile::tempdir().unwrap();
        let plain = folder.path().join("a");
        std::fs::create_dir(&plain).unwrap();
        let (root, apart) = place_without_packages(&plain).unwrap();
        assert!(root.starts_with(&plain) && apart.is_none());
        assert_eq!(std::fs::read_to_string(root.with_file_name("package.json")).unwrap(), "{}\n");
        std::fs::create_dir(folder.path().join("node_modules")).unwrap();
        let (root, apart) = place_without_packages(&plain).unwrap();
        assert!(!root.starts_with(folder.path()) && apart.is_some());
    }

    #[test]
    fn a_copy_follows_its_project_while_the_same_files_are_there() {
        let (project, place) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let write = |path: &str, text: &str| {
            let path = project.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        for path in ["a.ts", "b.ts", "c.js", "d.d.ts", "tsconfig.json", "node_modules/p/index.d.ts"] {
            write(path, "{}");
        }
        let boundary = std::sync::Arc::new(tapps_sandbox::Boundary::open(project.path()).unwrap());
        let packages = crate::cache::Packages::Of(std::sync::Arc::clone(&boundary));
        let files = ModuleFiles::of_scripts(boundary, packages);
        let judged = |text: &str| [Source::new("a.ts", text.as_bytes())];
        let mut mirror = Mirror::of_project_if_typed(&files, &judged("{}"), place.path()).unwrap().unwrap();
        let mut changed = |judged: &[Source]| match mirror.refresh(&files, judged, |_| None).unwrap() {
            Refreshed::Same(before) => Some(before.iter().map(|one| one.path().to_owned()).collect::<Vec<_>>()),
            Refreshed::Outdated => None,
        };
        assert_eq!(changed(&judged("{}")), Some(vec![]));
        assert_eq!(changed(&judged("1;")), Some(vec!["a.ts".to_owned()]));
        // What was judged is what lies there again once it is not.
        write("b.ts", "2;");
        assert_eq!(changed(&[]), Some(vec!["a.ts".to_owned(), "b.ts".to_owned()]));
        assert_eq!(changed(&[]), Some(vec![]));
        for (path, text) in [("c.js", "3;"), ("d.d.ts", "3;"), ("tsconfig.json", "[]"), ("node_modules/p/index.d.ts", "3;"), ("e.ts", "")] {
            let path = project.path().join(path);
            let was = std::fs::read(&path).ok();
            std::fs::write(&path, text).unwrap();
            assert_eq!(changed(&[]), None, "{}", path.display());
            was.map_or_else(|| std::fs::remove_file(&path), |was| std::fs::write(&path, was)).unwrap();
        }
        assert_eq!(changed(&[]), Some(vec![]));
    }

    #[test]
    fn a_folder_holds_what_is_below_it() {
        for (path, folder, expected) in [("a/b", "a", true), ("ab/c", "a", false), ("a", "", true), ("a", "a", false)] {
            assert_eq!(is_below(path, folder), expected, "{path} in {folder}");
        }
    }
}
