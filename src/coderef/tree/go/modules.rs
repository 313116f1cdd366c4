//! Which folder an import of Go leads to, by the `go.mod` files of the project.

use std::collections::{BTreeSet, HashMap};

use crate::family::Project;
use crate::model::{FileId, Language};
use crate::tree::paths::{folder_of, join, normalize_project_path};

/// Bytes of a `go.mod` that are read.
const MOST_BYTES: u64 = 1 << 20;

#[derive(Debug, Default)]
pub(in crate::tree) struct GoModules<'a> {
    /// The path of a module and the folder where it lies, the longest path first.
    modules: Vec<(String, String)>,
    /// The files of each folder, without those of tests.
    folders: HashMap<&'a str, Vec<FileId>>,
}

impl<'a> GoModules<'a> {
    pub(in crate::tree) fn new(project: &Project<'a>) -> Self {
        let mut folders: HashMap<&str, Vec<FileId>> = HashMap::new();
        let mut above = BTreeSet::new();
        for (id, file) in (0..).map(FileId).zip(project.files).filter(|(_, file)| file.language == Language::Go) {
            let mut at = folder_of(&file.path);
            let files = folders.entry(at).or_default();
            if !file.path.ends_with("_test.go") {
                files.push(id);
            }
            while above.insert(at) && !at.is_empty() {
                at = folder_of(at);
            }
        }
        let mut modules = Vec::new();
        for folder in above {
            if let Some(text) = read_module_file(project, folder) {
                add_modules(&text, folder, &mut modules);
            }
        }
        modules.sort_by(|(one, at), (other, beside)| (other.len(), one, at).cmp(&(one.len(), other, beside)));
        Self { modules, folders }
    }

    /// The folder of a package of the project, as a file of some path imports it.
    pub(in crate::tree) fn folder_of_import(&self, from: &str, import: &str) -> Option<&'a str> {
        let known = |path: String| self.folders.get_key_value(normalize_project_path(&path)?.as_str());
        if import.starts_with("./") || import.starts_with("../") {
            return known(join(folder_of(from), import)).map(|(folder, _)| *folder);
        }
        let in_module = self.modules.iter().find_map(|(module, root)| {
            let rest = import.strip_prefix(module.as_str())?;
            let rest = if rest.is_empty() { rest } else { rest.strip_prefix('/')? };
            known(join(root, rest))
        });
        let vendored = || {
            let above = std::iter::successors(Some(folder_of(from)), |at| (!at.is_empty()).then(|| folder_of(at)));
            above.into_iter().find_map(|at| known(join(at, &format!("vendor/{import}"))))
        };
        in_module.or_else(vendored).map(|(folder, _)| *folder)
    }

    /// The files of the package that an import names.
    pub(in crate::tree) fn files_of_import(&self, from: &str, import: &str) -> &[FileId] {
        let folder = self.folder_of_import(from, import);
        folder.and_then(|folder| self.folders.get(folder)).map(Vec::as_slice).unwrap_or_default()
    }
}

fn read_module_file(project: &Project<'_>, folder: &str) -> Option<String> {
    let path = project.boundary.resolve(&join(folder, "go.mod")).ok()?;
    let bytes = project.boundary.is_there(&path).then(|| project.boundary.read(&path, MOST_BYTES).ok())??;
    String::from_utf8(bytes).ok()
}

/// The module that a `go.mod` is of, and those that it says lie in other folders.
fn add_modules(text: &str, folder: &str, modules: &mut Vec<(String, String)>) {
    let mut block = "";
    for line in text.lines() {
        let line = line.split("//").next().unwrap_or(line).trim();
        if line == ")" {
            block = "";
            continue;
        }
        if let Some(word) = line.strip_suffix('(') {
            block = word.trim();
            continue;
        }
        let (word, rest) = if block.is_empty() { line.split_once(' ').unwrap_or((line, "")) } else { (block, line) };
        let rest = rest.trim();
        if word == "module" {
            modules.push((rest.trim_matches('"').to_owned(), folder.to_owned()));
        }
        if let Some((module, place)) = rest.split_once("=>").filter(|_| word == "replace")
            && place.trim().starts_with('.')
            && let Some(module) = module.split_whitespace().next()
            && let Some(place) = normalize_project_path(&join(folder, place.trim()))
        {
            modules.push((module.to_owned(), place));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_and_replacements_are_read() {
        let text = "module \"example.org/a\" // ours\n\ngo 1.22\nrequire (\n\texample.org/c v1.0.0\n)\nreplace example.org/b => ../b\nreplace (\n\texample.org/c v1.0.0 => ./third/c\n\texample.org/d => example.org/e v1.2.3\n)\n";
        let mut modules = Vec::new();
        add_modules(text, "x", &mut modules);
        let told: Vec<(&str, &str)> = modules.iter().map(|(module, at)| (module.as_str(), at.as_str())).collect();
        assert_eq!(told, [("example.org/a", "x"), ("example.org/b", "b"), ("example.org/c", "x/third/c")]);
    }
}
