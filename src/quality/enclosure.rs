//! A place where mypy can read nothing but the project.
//!
//! mypy looks for imported modules by itself: it follows links, and where the root or a folder above it is a package it
//! looks beside the root too. No option keeps it from that, so a project in which either would lead out is copied, as far
//! as imports reach, and mypy sees the copy. Other projects are read where they are: a copy costs time.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use tapps_base::source::Source;
use tapps_base::{Error, ErrorCode, Result, digest, platform};
use tapps_sandbox::Boundary;

/// Largest Python file that is copied, in bytes; a larger one is not there for mypy.
const MOST_BYTES: u64 = 64 << 20;
/// Most bytes of all copies together.
const MOST_BYTES_OF_ALL: u64 = 1 << 30;

/// What an import can reach below a root.
#[derive(Debug, Default)]
struct Reach {
    folders: BTreeSet<String>,
    /// Files, and links to files inside the root.
    files: BTreeSet<String>,
    /// Links to folders inside the root, with where they lead, relative to the root.
    links: BTreeMap<String, String>,
    /// True when a link that an import can reach leads out.
    leads_out: bool,
}

/// A copy of a project that mypy can be run in.
#[derive(Debug)]
pub(super) struct Enclosure {
    root: PathBuf,
}

impl Enclosure {
    /// A copy below `place`, which is made; none when mypy, asked about `judged` in the project itself, reads nothing
    /// outside it. The copies of `judged` have the bytes that are judged.
    ///
    /// # Errors
    /// As [`Error::io`] when the copy cannot be written, `degraded_result` when it would be too large.
    pub(super) fn where_needed(boundary: &Boundary, judged: &[&Source], place: &Path) -> Result<Option<Self>> {
        let reach = Reach::below(boundary.root(), judged);
        if !reach.leads_out && !is_inside_package(boundary.root()) {
            return Ok(None);
        }
        // The name counts: it is that of the package when the root is one.
        let name = boundary.root().file_name().unwrap_or_else(|| "project".as_ref());
        let enclosure = Self { root: place.join(name) };
        enclosure.fill(boundary, &reach, judged)?;
        Ok(Some(enclosure))
    }

    /// The folder that stands for the root.
    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    fn fill(&self, boundary: &Boundary, reach: &Reach, judged: &[&Source]) -> Result<()> {
        let failed = |source: &std::io::Error| {
            Error::io(format_args!("cannot copy the project to {}", self.root.display()), source)
                .hint("free some space there, or set TAPPS_MCP_CACHE_DIR to a folder that has it")
        };
        fs::create_dir_all(&self.root).map_err(|e| failed(&e))?;
        for folder in &reach.folders {
            fs::create_dir_all(self.root.join(folder)).map_err(|e| failed(&e))?;
        }
        for (link, inside) in &reach.links {
            platform::symlink(&self.root.join(inside), &self.root.join(link)).map_err(|e| failed(&e))?;
        }
        let own: HashSet<&str> = judged.iter().map(|source| source.path()).collect();
        let mut all: u64 = judged.iter().map(|source| source.bytes().len() as u64).sum();
        for file in reach.files.iter().filter(|file| !own.contains(file.as_str())) {
            // What cannot be read here, or leads out since it was listed, is not there.
            let Ok(bytes) = boundary.resolve(file).and_then(|path| boundary.read(&path, MOST_BYTES)) else { continue };
            all += bytes.len() as u64;
            if all > MOST_BYTES_OF_ALL {
                let message = format!("the Python files of the project have more than {MOST_BYTES_OF_ALL} bytes");
                return Err(Error::new(ErrorCode::DegradedResult, message).tool("mypy").hint(
                    "remove the links that lead out of the project, or score a folder whose parents are no packages",
                ));
            }
            self.write(file, &bytes).map_err(|e| failed(&e))?;
        }
        judged.iter().try_for_each(|source| self.write(source.path(), source.bytes())).map_err(|e| failed(&e))
    }

    fn write(&self, path: &str, bytes: &[u8]) -> std::io::Result<()> {
        let path = self.root.join(path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(&path, bytes)?;
        // mypy takes a file of the same time and size for unchanged, so the time is made from the bytes.
        let [a, b, c, d, ..] = digest::sha256_bytes(bytes);
        let seconds = u64::from(u32::from_be_bytes([a, b, c, d]) >> 1);
        File::options().write(true).open(&path)?.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds))
    }
}

impl Reach {
    fn below(root: &Path, judged: &[&Source]) -> Self {
        // mypy begins at the judged files, whatever their folders are called.
        let begun: HashSet<&str> = judged
            .iter()
            .flat_map(|source| source.path().match_indices('/').filter_map(|(at, _)| source.path().get(..at)))
            .collect();
        let mut reach = Self::default();
        let mut waiting = vec![String::new()];
        while let Some(folder) = waiting.pop() {
            // A folder that has gone, or may not be read, holds nothing that mypy could read either.
            let Ok(listed) = fs::read_dir(root.join(&folder)) else { continue };
            for entry in listed.flatten() {
                // No import leads to a name that is not text.
                let (Ok(name), Ok(kind)) = (entry.file_name().into_string(), entry.file_type()) else { continue };
                let path = if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
                let stem = name.strip_suffix(".pyi").or_else(|| name.strip_suffix(".py"));
                if !can_be_imported(stem.unwrap_or(&name)) && !begun.contains(path.as_str()) {
                    continue;
                }
                if kind.is_symlink() {
                    waiting.extend(reach.take_link(root, path, stem.is_some()));
                } else if kind.is_dir() {
                    waiting.extend(reach.folders.insert(path.clone()).then_some(path));
                } else if kind.is_file() && stem.is_some() {
                    reach.files.insert(path);
                }
            }
        }
        reach
    }

    /// Adds a link; gives the folder that it leads to when nobody has looked into it.
    fn take_link(&mut self, root: &Path, path: String, is_python: bool) -> Option<String> {
        // A link that leads nowhere is not there.
        let target = root.join(&path).canonicalize().ok()?;
        let is_folder = target.is_dir();
        if !is_folder && !is_python {
            return None;
        }
        let Some(inside) = target.strip_prefix(root).ok().and_then(Path::to_str) else {
            self.leads_out = true;
            return None;
        };
        if !is_folder {
            self.files.insert(path);
            return None;
        }
        self.links.insert(path, inside.to_owned());
        (!inside.is_empty() && self.folders.insert(inside.to_owned())).then(|| inside.to_owned())
    }
}

/// True unless a name cannot be part of a module's: mypy knows no other names, but for folders of stubs.
fn can_be_imported(name: &str) -> bool {
    let name = name.strip_suffix("-stubs").unwrap_or(name);
    // Which letters beyond ASCII Python takes is not decided here: all of them may be.
    !name.is_empty() && name.chars().all(|c| !c.is_ascii() || c.is_ascii_alphanumeric() || c == '_')
}

/// True when mypy takes a folder for part of a package, and so looks beside it.
fn is_inside_package(root: &Path) -> bool {
    let is_package = |folder: &Path| ["__init__.py", "__init__.pyi"].iter().any(|name| folder.join(name).exists());
    for folder in root.ancestors() {
        if is_package(folder) {
            return true;
        }
        // mypy does not look above a folder that cannot be a package.
        if !folder.file_name().and_then(|name| name.to_str()).is_some_and(can_be_imported) {
            return false;
        }
    }
    false
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    struct Project(tempfile::TempDir);

    impl Project {
        fn new(files: &[&str]) -> Self {
            let project = Self(tempfile::tempdir().unwrap());
            for file in files {
                let path = project.0.path().join(file);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, format!("{file:?}\n")).unwrap();
            }
            project
        }

        fn link(&self, target: &str, link: &str) {
            let link = self.0.path().join("root").join(link);
            fs::create_dir_all(link.parent().unwrap()).unwrap();
            symlink(target, link).unwrap();
        }

        /// The files of the copy, with what a reader of it finds.
        fn copied(&self, judged: &str) -> Option<Vec<String>> {
            let boundary = Boundary::open(&self.0.path().join("root")).unwrap();
            let source = Source::new(judged, &b"judged"[..]);
            let place = self.0.path().join("mypy-root");
            let enclosure = Enclosure::where_needed(&boundary, &[&source], &place).unwrap()?;
            assert_eq!(fs::read(enclosure.root().join(judged)).unwrap(), b"judged");
            let walk = listed(enclosure.root());
            fs::remove_dir_all(place).unwrap();
            Some(walk)
        }
    }

    fn listed(root: &Path) -> Vec<String> {
        let (mut found, mut waiting) = (Vec::new(), vec![root.to_owned()]);
        while let Some(folder) = waiting.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let entry = entry.unwrap();
                let name = entry.path().strip_prefix(root).unwrap().to_str().unwrap().to_owned();
                match entry.file_type().unwrap() {
                    kind if kind.is_dir() => waiting.push(entry.path()),
                    kind if kind.is_symlink() => {
                        let target = entry.path().canonicalize().unwrap();
                        found.push(format!("{name} -> {}", target.strip_prefix(root).unwrap().display()));
                    }
                    _ => found.push(name),
                }
            }
        }
        found.sort();
        found
    }

    #[test]
    fn a_project_that_leads_nowhere_is_read_where_it_is() {
        let project = Project::new(&["root/a.py", "root/p/b.py", "root/.venv/x.py", "other/secret.py"]);
        project.link("a.py", "c.py");
        project.link("p", "q");
        project.link("../../other/secret.py", ".venv/secret.py");
        project.link("../../other/secret.py", "p/no-module.py");
        project.link("/usr", "no-package");
        project.link("nowhere", "d.py");
        project.link("../other/secret.py", "README");
        assert_eq!(project.copied("a.py"), None);
    }

    #[test]
    fn the_copy_holds_what_imports_reach_and_no_link_that_leads_out() {
        for link in ["secret.py", "secret.pyi", "p/secret.py", "deep/space/secret", "foo-stubs/secret.pyi", "é.py"] {
            let project = Project::new(&["root/a.py", "root/p/b.py", "root/.hidden/x.py", "other/secret.py"]);
            project.link("p", "q");
            project.link(".hidden", "shown");
            project.link("a.py", "c.py");
            let target = if link.contains(".py") { "other/secret.py" } else { "other" };
            project.link(project.0.path().join(target).to_str().unwrap(), link);
            let expected = [".hidden/x.py", "a.py", "c.py", "p/b.py", "q -> p", "shown -> .hidden"];
            assert_eq!(project.copied("a.py").unwrap(), expected, "{link}");
        }
    }

    #[test]
    fn a_link_is_found_behind_other_links_and_beside_judged_files() {
        let project = Project::new(&["root/a.py", "root/.hidden/x.py", "other/secret.py"]);
        project.link("../../other/secret.py", ".hidden/secret.py");
        assert_eq!(project.copied("a.py"), None);
        assert_eq!(project.copied(".hidden/x.py").unwrap(), [".hidden/x.py", "a.py"]);
        project.link(".hidden", "shown");
        assert_eq!(project.copied("a.py").unwrap(), [".hidden/x.py", "a.py", "shown -> .hidden"]);
        let chain = Project::new(&["root/a.py", "other/secret.py"]);
        chain.link("../other", ".one");
        chain.link(".one/secret.py", "two.py");
        assert_eq!(chain.copied("a.py").unwrap(), ["a.py"]);
    }

    #[test]
    fn a_package_around_the_root_makes_its_neighbours_reachable() {
        for init in ["root/__init__.py", "root/__init__.pyi", "__init__.py"] {
            let project = Project::new(&["root/a.py", "beside.py", init]);
            let own: Vec<&str> = init.strip_prefix("root/").into_iter().chain(["a.py"]).collect();
            assert_eq!(project.copied("a.py").unwrap(), own, "{init}");
        }
    }

    #[test]
    fn the_time_of_a_copy_is_that_of_its_bytes() {
        let place = tempfile::tempdir().unwrap();
        let enclosure = Enclosure { root: place.path().to_owned() };
        let time = |bytes: &[u8]| {
            enclosure.write("a.py", bytes).unwrap();
            fs::metadata(place.path().join("a.py")).unwrap().modified().unwrap()
        };
        let first = time(b"x = 1\n");
        assert_ne!(time(b"x = 2\n"), first);
        assert_eq!(time(b"x = 1\n"), first);
    }
}
