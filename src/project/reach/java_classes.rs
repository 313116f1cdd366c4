//! Which files of a project the classes are in that a Java file imports or mentions.

use std::collections::{HashMap, HashSet};

use super::super::roots::{folder, join};
use super::module::ModuleImport;
use super::role::is_test_code;

/// The Java files of a project.
#[derive(Debug)]
pub(super) struct JavaClasses<'a> {
    /// By the class that they are named after, tests aside.
    by_class: HashMap<&'a str, Vec<&'a str>>,
    all: HashSet<&'a str>,
}

impl<'a> JavaClasses<'a> {
    pub(super) fn from_paths(paths: &HashSet<&'a str>) -> Self {
        let mut classes = Self { by_class: HashMap::new(), all: HashSet::new() };
        for path in paths.iter().copied() {
            let Some(class) = path.rsplit('/').next().and_then(|name| name.strip_suffix(".java")) else { continue };
            classes.all.insert(path);
            if !is_test_code(path) {
                classes.by_class.entry(class).or_default().push(path);
            }
        }
        classes
    }

    /// The files of the classes that an import of `from` names: those of its package, and where it takes all, those beside the
    /// importing file. A class that stands below two source roots is ambiguous, and is left out.
    pub(super) fn files_named_by(&self, from: &str, import: &ModuleImport) -> Vec<String> {
        let package = import.module.replace('.', "/");
        let is_in_package = |path: &&&str| {
            let root = folder(path).strip_suffix(package.as_str());
            !package.is_empty() && root.is_some_and(|root| root.is_empty() || root.ends_with('/'))
        };
        let named = |class: &str| {
            let mut found = self.by_class.get(class).into_iter().flatten().filter(is_in_package);
            found.next().filter(|_| found.next().is_none()).map(|path| (*path).to_owned())
        };
        let beside = |class: &str| {
            let path = join(folder(from), &format!("{class}.java"));
            (import.star && self.all.contains(path.as_str())).then_some(path)
        };
        import.names.iter().filter_map(|name| named(&name.name).or_else(|| beside(&name.name))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::module::ModuleFacts;
    use super::*;
    use rstest::rstest;
    use std::collections::BTreeSet;

    const CLASSES: &[&str] = &[
        "src/main/java/a/b/Price.java",
        "src/main/java/a/b/Cart.java",
        "src/main/java/a/c/Sums.java",
        "src/test/java/a/b/Helper.java",
        "one/src/main/java/a/d/Twice.java",
        "two/src/main/java/a/d/Twice.java",
    ];

    #[rstest]
    #[case("package a.b;\nclass PriceTest { Price p; }", &["src/main/java/a/b/Price.java"])]
    #[case("package a.b;\nimport a.c.Sums;\nclass T { Helper h; }", &["src/main/java/a/c/Sums.java", "src/test/java/a/b/Helper.java"])]
    #[case("package x;\nimport a.b.*;\nclass T { Cart c; Price.Kind k; }", &["src/main/java/a/b/Cart.java", "src/main/java/a/b/Price.java"])]
    #[case("package x;\nimport static a.c.Sums.total;\nclass T { Cart c; }", &["src/main/java/a/c/Sums.java"])]
    #[case("package x;\nimport a.d.Twice;\nimport java.util.List;\nclass T { }", &[])]
    fn classes_of_java(#[case] text: &str, #[case] expected: &[&str]) {
        let paths: HashSet<&str> = CLASSES.iter().copied().collect();
        let classes = JavaClasses::from_paths(&paths);
        let from = "src/test/java/a/b/PriceTest.java";
        let module = ModuleFacts::from_bytes(from, text.as_bytes(), true);
        let found: BTreeSet<String> =
            module.imports.iter().flat_map(|import| classes.files_named_by(from, import)).collect();
        assert_eq!(found.iter().map(String::as_str).collect::<Vec<_>>(), expected);
    }
}
