//! By which names a file can be imported, told by its path.

use std::collections::BTreeSet;

use crate::model::{Family, Language};

/// Folders that often stand on the search path of a language.
const SOURCE_FOLDERS: [&str; 3] = ["src", "lib", "python"];

/// Files that stand for their folder.
const FOLDER_STEMS: [&str; 5] = ["__init__", "index", "mod", "lib", "main"];

/// The parts of each name that a file may have, the most likely one first. `packages` are the folders with an `__init__`.
pub(super) fn module_names(path: &str, language: Language, packages: &BTreeSet<&str>) -> Vec<Vec<String>> {
    let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
    let mut parts: Vec<&str> = stem.split('/').collect();
    let folder_file = match language.family() {
        Family::Python => parts.last() == Some(&"__init__"),
        _ => language != Language::Java && parts.last().is_some_and(|last| FOLDER_STEMS.contains(last)),
    };
    if folder_file && parts.len() > 1 {
        parts.pop();
    }
    let mut starts: Vec<usize> = Vec::new();
    match language {
        Language::Python => starts.push(python_root(path, packages)),
        Language::Java => starts.extend(parts.iter().position(|part| *part == "java").map(|at| at + 1)),
        _ => {}
    }
    starts.push(0);
    if parts.first().is_some_and(|first| SOURCE_FOLDERS.contains(first)) {
        starts.push(1);
    }
    let mut names: Vec<Vec<String>> = Vec::new();
    for start in starts {
        let name: Vec<String> = parts.iter().skip(start).map(|&part| part.to_owned()).collect();
        if !name.is_empty() && !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// How many folders lie above the outermost package around a file.
fn python_root(path: &str, packages: &BTreeSet<&str>) -> usize {
    let mut folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    while packages.contains(folder) {
        folder = folder.rsplit_once('/').map_or("", |(above, _)| above);
    }
    folder.split('/').filter(|part| !part.is_empty()).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_the_names_that_its_place_gives() {
        let packages = BTreeSet::from(["src/shop", "src/shop/web"]);
        for (path, expected) in [
            ("src/shop/web/views.py", "shop.web.views src.shop.web.views"),
            ("src/shop/web/__init__.py", "shop.web src.shop.web"),
            ("space/part/mod.py", "mod space.part.mod"),
            (
                "src/main/java/com/example/Web.java",
                "com.example.Web src.main.java.com.example.Web main.java.com.example.Web",
            ),
            ("src/web/index.ts", "src.web web"),
            ("src/quality/change/mod.rs", "src.quality.change quality.change"),
            ("internal/hub/hub.go", "internal.hub.hub"),
            ("main.py", "main"),
        ] {
            let language = Language::of_path(path).unwrap();
            let names: Vec<String> =
                module_names(path, language, &packages).iter().map(|name| name.join(".")).collect();
            assert_eq!(names.join(" "), expected, "{path}");
        }
    }
}
