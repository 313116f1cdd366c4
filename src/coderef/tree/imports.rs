//! What imports say, and which files they name.

use std::collections::HashMap;

use tree_sitter::Node;

use super::go::GoModules;
use super::paths::{folder_of, normalize_project_path};
use super::{TreeSitterImport, TreeSitterImportForm};
use crate::family::Project;
use crate::model::{FileId, Language, SourceFile};
use crate::packages::RustCrates;
use tapps_syntax::shell;
use tapps_syntax::tree::node_text;

/// The names that a node imports.
pub(super) fn parse_import_names(
    language: Language,
    source: &str,
    node: Node<'_>,
) -> Option<(Vec<String>, TreeSitterImportForm)> {
    let text = |node: Node<'_>| node_text(source, node);
    let trimmed = |node: Node<'_>| text(node).trim_matches(['"', '<', '>', '`']).to_owned();
    match (language, node.kind()) {
        (Language::Rust, "use_declaration") => {
            let mut names = Vec::new();
            expand_use_tree(text(node.child_by_field_name("argument")?), "", &mut names, 0);
            Some((names, TreeSitterImportForm::Path))
        }
        (Language::Rust, "mod_item") if node.child_by_field_name("body").is_none() => {
            Some((vec![text(node.child_by_field_name("name")?).to_owned()], TreeSitterImportForm::Module))
        }
        (Language::Go, "import_spec") => {
            Some((vec![trimmed(node.child_by_field_name("path")?)], TreeSitterImportForm::Path))
        }
        (Language::Java, "import_declaration") => {
            let words: Vec<&str> = text(node).trim_end_matches(';').split_whitespace().collect();
            Some((vec![words.last().copied()?.to_owned()], TreeSitterImportForm::Path))
        }
        (Language::C | Language::Cpp, "preproc_include") => {
            let path = node.child_by_field_name("path")?;
            let form = if path.kind() == "system_lib_string" {
                TreeSitterImportForm::System
            } else {
                TreeSitterImportForm::Quoted
            };
            Some((vec![trimmed(path)], form))
        }
        (Language::Shell, "command") => {
            let name = node.child_by_field_name("name").filter(|name| matches!(text(*name), "." | "source"))?;
            let path = name.next_named_sibling()?;
            let path = trimmed(path).replace('\'', "");
            let named = shell::below_values(&path).trim_start_matches("./").to_owned();
            (!named.is_empty()).then(|| (vec![named], TreeSitterImportForm::Quoted))
        }
        _ => None,
    }
}

/// `a::{b, c::{d, self}}` → `a::b`, `a::c::d`, `a::c`.
fn expand_use_tree(tree: &str, prefix: &str, names: &mut Vec<String>, depth: u32) {
    let tree = tree.trim();
    let join = |rest: &str| if prefix.is_empty() { rest.to_owned() } else { format!("{prefix}::{rest}") };
    if let Some((head, list)) = tree.split_once('{').filter(|_| depth < 50) {
        let prefix = join(head.trim().trim_end_matches("::"));
        let prefix = prefix.trim_end_matches("::");
        let (mut level, mut from) = (0, 0);
        let list = list.trim_end().strip_suffix('}').unwrap_or(list);
        for (at, c) in list.char_indices().chain([(list.len(), ',')]) {
            match c {
                '{' => level += 1,
                '}' => level -= 1,
                ',' if level == 0 => {
                    let part = list.get(from..at).unwrap_or_default().trim();
                    if !part.is_empty() {
                        expand_use_tree(part, prefix, names, depth + 1);
                    }
                    from = at + 1;
                }
                _ => {}
            }
        }
        return;
    }
    let name = tree.split(" as ").next().unwrap_or(tree).trim();
    names.push(if name == "self" { prefix.to_owned() } else { join(name) });
}

/// The files of one project, by the ways in which imports name them.
pub(super) struct TreeSitterImportResolver<'a> {
    files: &'a [SourceFile],
    by_path: HashMap<&'a str, FileId>,
    go: &'a GoModules<'a>,
    crates: &'a RustCrates,
}

impl<'a> TreeSitterImportResolver<'a> {
    pub(super) fn new(project: &Project<'a>, modules: &'a GoModules<'a>, crates: &'a RustCrates) -> Self {
        let by_path = (0..).map(FileId).zip(project.files).map(|(id, file)| (file.path.as_str(), id)).collect();
        Self { files: project.files, by_path, go: modules, crates }
    }

    fn file_by_path(&self, path: &str) -> Option<FileId> {
        self.by_path.get(normalize_project_path(path)?.as_str()).copied()
    }

    /// The one file of the languages of C whose path ends so.
    fn only_file_ending_with(&self, suffix: &str, languages: &[Language]) -> Option<FileId> {
        let fits = |file: &SourceFile| {
            languages.contains(&file.language)
                && file.path.strip_suffix(suffix).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
        };
        let mut found = (0..).map(FileId).zip(self.files).filter(|(_, file)| fits(file));
        let first = found.next()?.0;
        found.next().is_none().then_some(first)
    }

    /// The files an import names, and the name of the element in them; none for what is outside the project.
    pub(super) fn resolve_import(&self, from: FileId, import: &TreeSitterImport) -> (Vec<FileId>, Option<String>) {
        let Some(file) = self.files.get(from.0 as usize) else { return (Vec::new(), None) };
        match (file.language, import.form) {
            (Language::C | Language::Cpp, form) => {
                let near = (form == TreeSitterImportForm::Quoted)
                    .then(|| self.file_by_path(&format!("{}/{}", folder_of(&file.path), import.name)))
                    .flatten();
                let found = near.or_else(|| self.only_file_ending_with(&import.name, &[Language::C, Language::Cpp]));
                (found.into_iter().collect(), None)
            }
            (Language::Shell, _) => {
                let near = self.file_by_path(&format!("{}/{}", folder_of(&file.path), import.name));
                let found = near.or_else(|| self.only_file_ending_with(&import.name, &[Language::Shell]));
                (found.into_iter().collect(), None)
            }
            (Language::Go, _) => (self.go.files_of_import(&file.path, &import.name).to_vec(), None),
            (Language::Java, _) => self.resolve_java_import(&import.name),
            (Language::Rust, TreeSitterImportForm::Module) => {
                (self.rust_child(&file.path, &import.name).into_iter().collect(), None)
            }
            (Language::Rust, _) => self.resolve_rust_path(&file.path, &import.name),
            (
                Language::TypeScript
                | Language::Tsx
                | Language::JavaScript
                | Language::Jsx
                | Language::Python
                | Language::Vue
                | Language::Svelte,
                _,
            ) => (Vec::new(), None),
        }
    }

    fn resolve_java_import(&self, name: &str) -> (Vec<FileId>, Option<String>) {
        let path = name.replace('.', "/");
        if let Some(package) = path.strip_suffix("/*") {
            let fits = |file: &SourceFile| {
                let at = folder_of(&file.path);
                file.language == Language::Java
                    && at.strip_suffix(package).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
            };
            return (
                (0..).map(FileId).zip(self.files).filter(|(_, file)| fits(file)).map(|(id, _)| id).collect(),
                None,
            );
        }
        let mut owner = path.as_str();
        // A nested class or a static member stands in the file of its outer class.
        for _ in 0..3 {
            if let Some(id) = self.only_file_ending_with(&format!("{owner}.java"), &[Language::Java]) {
                return (vec![id], name.rsplit('.').next().map(str::to_owned));
            }
            owner = folder_of(owner);
        }
        (Vec::new(), None)
    }

    /// The file of `mod name;`.
    fn rust_child(&self, path: &str, name: &str) -> Option<FileId> {
        let inner = self.rust_folder(path);
        self.file_by_path(&format!("{inner}/{name}.rs"))
            .or_else(|| self.file_by_path(&format!("{inner}/{name}/mod.rs")))
    }

    /// The folder in which a file's modules lie.
    fn rust_folder(&self, path: &str) -> String {
        let name = path.rsplit('/').next().unwrap_or(path);
        match name {
            "mod.rs" | "lib.rs" | "main.rs" | "build.rs" => folder_of(path).to_owned(),
            _ => path.trim_end_matches(".rs").to_owned(),
        }
    }

    fn resolve_rust_path(&self, path: &str, name: &str) -> (Vec<FileId>, Option<String>) {
        let mut parts = name.split("::").map(str::trim).peekable();
        let mut crate_root = None;
        let mut at = match parts.next() {
            Some("crate") => {
                let mut root = folder_of(path);
                while !root.is_empty()
                    && self.file_by_path(&format!("{root}/lib.rs")).is_none()
                    && self.file_by_path(&format!("{root}/main.rs")).is_none()
                {
                    root = folder_of(root);
                }
                root.to_owned()
            }
            Some("self") => self.rust_folder(path),
            Some("super") => {
                let mut at = folder_of(&self.rust_folder(path)).to_owned();
                while parts.peek() == Some(&"super") {
                    parts.next();
                    at = folder_of(&at).to_owned();
                }
                at
            }
            Some(first) => match self.crates.root_file(first) {
                Some(root) => {
                    crate_root = self.file_by_path(root);
                    folder_of(root).to_owned()
                }
                // A module that the file declares.
                None if self.rust_child(path, first).is_some() => {
                    parts = name.split("::").map(str::trim).peekable();
                    self.rust_folder(path)
                }
                None => return (Vec::new(), None),
            },
            None => return (Vec::new(), None),
        };
        let folder_file = |name: &&str| self.file_by_path(&format!("{at}/{name}"));
        let mut found = crate_root.or_else(|| ["lib.rs", "main.rs", "mod.rs"].iter().find_map(folder_file));
        found = found.or_else(|| self.file_by_path(&format!("{at}.rs")));
        for part in parts {
            let inner = format!("{at}/{part}");
            match self.file_by_path(&format!("{inner}.rs")).or_else(|| self.file_by_path(&format!("{inner}/mod.rs"))) {
                Some(file) => found = Some(file),
                None => return (found.into_iter().collect(), Some(part.to_owned())),
            }
            at = inner;
        }
        (found.into_iter().collect(), None)
    }
}
