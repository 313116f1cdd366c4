//! Which files of a project TypeScript's compiler may read: scripts, data, settings, and of packages their declarations.

use std::path::Path;
use std::sync::Arc;

use super::module_files::{ImportableEntry, MOST_DEPTH, What};
use tapps_base::language::{Family, Language};
use tapps_sandbox::survey::FileStamp;
use tapps_sandbox::{Boundary, is_passed_over};

/// Where the packages of a project are installed.
#[derive(Debug, Clone)]
pub(crate) enum Packages {
    /// Beside the files of this project, which is another copy of the one that is judged, or the same.
    Of(Arc<Boundary>),
    /// Nothing of them counts, so that the answer is the same on every machine.
    LeftOut,
}

/// The folder of installed packages.
const PACKAGES: &str = "node_modules";
/// Folders of packages that hold programs and what tools left.
const NOT_PACKAGES: [&str; 3] = [".bin", ".cache", ".vite"];

/// True for a path inside a folder of packages.
pub(crate) fn is_of_package(path: &str) -> bool {
    path.split('/').any(|part| part == PACKAGES)
}

/// True for what the compiler reads of a package: declarations and sources of TypeScript, and settings.
fn is_read_of_package(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    match Language::of_path(name) {
        Some(Language::TypeScript | Language::Tsx) => true,
        _ => name == "package.json" || name.ends_with(".json") && path.contains("tsconfig"),
    }
}

/// True for what it reads of the project itself.
fn is_read_of_project(name: &str) -> bool {
    name.ends_with(".json") || Language::of_path(name).is_some_and(|one| one.family() == Family::Script)
}

/// Lists what is below a folder; none when something there is out of sight. Links that lead out of the project are not
/// there for the compiler.
pub(super) fn list_script_entries(
    project: &Boundary,
    packages: &Packages,
    folder: &str,
    depth: usize,
    entries: &mut Vec<ImportableEntry>,
) -> Option<()> {
    if depth > MOST_DEPTH {
        return None;
    }
    let of_package = is_of_package(folder);
    let root = match packages {
        Packages::Of(libraries) if of_package => libraries.root(),
        _ => project.root(),
    };
    let below = |name: &str| if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") };
    // A folder that has gone since it was listed, or may not be read, holds nothing that can be read either.
    let Ok(listed) = std::fs::read_dir(root.join(folder)) else { return Some(()) };
    for entry in listed {
        let entry = entry.ok()?;
        // No import leads to a name that is not text.
        let (Ok(name), Ok(kind)) = (entry.file_name().into_string(), entry.file_type()) else { continue };
        let path = below(&name);
        let is_read = if of_package { is_read_of_package(&path) } else { is_read_of_project(&name) };
        if kind.is_dir() {
            let looked_into = if of_package { !NOT_PACKAGES.contains(&name.as_str()) } else { !is_passed_over(&name) };
            // Those beside the project's own files are looked for below.
            if looked_into && (of_package || name != PACKAGES) {
                list_script_entries(project, packages, &path, depth + 1, entries)?;
            }
        } else if kind.is_file() && is_read {
            let stamp = FileStamp::from_metadata(&entry.metadata().ok()?);
            entries.push(ImportableEntry { path, what: What::File(stamp) });
        } else if kind.is_symlink()
            && let Some(inside) = link_target_inside(root, &entry.path())
        {
            entries.push(ImportableEntry { what: What::Link(inside), path });
        }
    }
    if !of_package && let Packages::Of(libraries) = packages {
        let path = below(PACKAGES);
        if libraries.root().join(&path).is_dir() {
            list_script_entries(project, packages, &path, depth + 1, entries)?;
        }
    }
    Some(())
}

/// Where a link leads, relative to the root; none for one that leads out, or nowhere.
fn link_target_inside(root: &Path, link: &Path) -> Option<String> {
    let target = link.canonicalize().ok()?;
    let inside = target.strip_prefix(root).ok()?.to_str()?;
    (!inside.is_empty()).then(|| inside.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cache::{AnswerCache, ModuleFiles};

    fn write(root: &Path, file: &str) {
        let path = root.join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, file).unwrap();
    }

    fn paths(files: &ModuleFiles) -> Vec<String> {
        files.list_entries().unwrap().into_iter().map(|entry| entry.path).collect()
    }

    #[test]
    fn scripts_settings_and_declarations_of_packages_are_listed_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let outside = tempfile::tempdir().unwrap();
        write(outside.path(), "x.ts");
        for file in [
            "src/a.ts",
            "src/b.jsx",
            "tsconfig.json",
            "README.md",
            ".git/x.ts",
            "node_modules/dep/index.d.ts",
            "node_modules/dep/index.js",
            "node_modules/dep/package.json",
            "node_modules/dep/data.json",
            "node_modules/dep/node_modules/deeper/index.d.mts",
            "node_modules/.bin/tsc.ts",
            "packages/p/node_modules/q/q.d.ts",
        ] {
            write(folder.path(), file);
        }
        std::os::unix::fs::symlink("../packages/p", folder.path().join("node_modules/p")).unwrap();
        std::os::unix::fs::symlink(outside.path(), folder.path().join("node_modules/out")).unwrap();
        let boundary = Arc::new(Boundary::open(folder.path()).unwrap());
        let own = ["src/a.ts", "src/b.jsx", "tsconfig.json"];
        let without = ModuleFiles::of_scripts(Arc::clone(&boundary), Packages::LeftOut);
        assert_eq!(paths(&without), own);
        let with = ModuleFiles::of_scripts(Arc::clone(&boundary), Packages::Of(Arc::clone(&boundary)));
        let installed = [
            "node_modules/dep/index.d.ts",
            "node_modules/dep/node_modules/deeper/index.d.mts",
            "node_modules/dep/package.json",
            "node_modules/p",
            "packages/p/node_modules/q/q.d.ts",
        ];
        assert_eq!(paths(&with), [&installed[..], &own[..]].concat());
        // A copy of the tree has the packages of the project.
        let copy = tempfile::tempdir().unwrap();
        write(copy.path(), "src/a.ts");
        let copied = Arc::new(Boundary::open(copy.path()).unwrap());
        let of_copy = ModuleFiles::of_scripts(copied, Packages::Of(Arc::clone(&boundary)));
        let seen = paths(&of_copy);
        assert_eq!(seen, [&installed[..4], &["src/a.ts"]].concat());
        assert_eq!(of_copy.read_listed(installed[0]).unwrap(), installed[0].as_bytes());
        let digest = |files: &ModuleFiles| files.take_snapshot(&AnswerCache::disabled()).unwrap().packages_digest();
        let before = digest(&with);
        write(folder.path(), "src/c.ts");
        assert_eq!(digest(&with), before);
        std::fs::write(folder.path().join(installed[0]), "other").unwrap();
        assert_ne!(digest(&with), before);
    }
}
