//! Which folder an import of Go leads to, by the `go.mod` files of the project.

use super::{Manifest, folders_above};
use crate::tree::paths::{folder_of, join, normalize_project_path};

/// The paths under which the modules of a project are imported.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GoModulePaths {
    /// The path of a module and the folder where it lies, the longest path first.
    modules: Vec<(String, String)>,
}

impl GoModulePaths {
    /// What each `go.mod` says.
    #[must_use]
    pub fn from_manifests(manifests: &[Manifest<'_>]) -> Self {
        let mut modules = Vec::new();
        manifests.iter().for_each(|(folder, text)| add_modules(text, folder, &mut modules));
        modules.sort_by(|(one, at), (other, beside)| (other.len(), one, at).cmp(&(one.len(), other, beside)));
        Self { modules }
    }

    /// The folder of a package of the project, as a file of some path imports it, of those that hold files of Go.
    #[must_use]
    pub fn folder_of_import(&self, from: &str, import: &str, holds_go: impl Fn(&str) -> bool) -> Option<String> {
        let known = |path: String| normalize_project_path(&path).filter(|path| holds_go(path));
        if import.starts_with("./") || import.starts_with("../") {
            return known(join(folder_of(from), import));
        }
        let in_module = self.modules.iter().find_map(|(module, root)| {
            let rest = import.strip_prefix(module.as_str())?;
            let rest = if rest.is_empty() { rest } else { rest.strip_prefix('/')? };
            known(join(root, rest))
        });
        let vendored = || folders_above(from).find_map(|at| known(join(at, &format!("vendor/{import}"))));
        in_module.or_else(vendored)
    }
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
