//! What stands around the code: manifest, tests, readme, lock file, configuration of tools. Each fact with its evidence.
//!
//! A fact holds for the files at or below the folder that its evidence stands in, so that a member of a monorepo has
//! what the whole has, and what it has itself.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::files::ProjectFiles;
use super::manifest::{self, ManifestFacts};
use super::roots::{self, folder};
use tapps_base::language::{Analyzers, ScoredLanguage};

/// Something a project can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Fact {
    /// A manifest that makes a folder a project.
    Root,
    Readme,
    License,
    Changelog,
    Docs,
    LockFile,
    /// Continuous integration.
    Ci,
    Editorconfig,
    PreCommit,
    Linter,
    Formatter,
    TypeChecker,
}

/// Which files a fact speaks of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Stack {
    Any,
    Python,
    Script,
    Go,
    Rust,
    Java,
    /// C and C++.
    C,
    Shell,
}

/// The facts of a project.
#[derive(Debug, Default)]
pub struct ProjectFacts {
    /// By fact and stack: the folder it holds from, with the path that shows it.
    found: BTreeMap<(Fact, Stack), BTreeMap<String, String>>,
    /// Folders whose manifest names dependencies.
    dependent: BTreeSet<String>,
    /// Folders with an `__init__`.
    packages: BTreeSet<String>,
    /// A test file with an assertion.
    test: Option<String>,
    /// The version of Go that each module is for, by its folder.
    go_versions: BTreeMap<String, (u32, u32)>,
}

impl ProjectFacts {
    /// Reads the facts from the project's paths and its manifests; `tests` are its real test files.
    pub(crate) fn from_project(files: &ProjectFiles, paths: &HashSet<&str>, tests: &[String]) -> Self {
        let mut facts = Self { test: tests.first().cloned(), ..Self::default() };
        let mut sorted: Vec<&str> = paths.iter().copied().collect();
        sorted.sort_unstable();
        for path in sorted {
            facts.by_name(path);
            if let Some(manifest) = manifest::read_manifest_facts(files, path) {
                facts.by_manifest(path, &manifest);
            }
            if let Some(version) = manifest::read_go_version(files, path) {
                facts.go_versions.insert(folder(path).to_owned(), version);
            }
        }
        facts
    }

    /// The path that shows a fact for a file; the nearest one counts.
    #[must_use]
    pub fn evidence(&self, fact: Fact, file: &str, language: Option<ScoredLanguage>) -> Option<&str> {
        let stack = match language.map(ScoredLanguage::analyzers) {
            Some(Analyzers::Script) => Stack::Script,
            Some(Analyzers::Go) => Stack::Go,
            Some(Analyzers::Rust) => Stack::Rust,
            Some(Analyzers::Java) => Stack::Java,
            Some(Analyzers::C) => Stack::C,
            Some(Analyzers::Shell) => Stack::Shell,
            // What is not scored is judged by the facts that Python knows, as configuration always was.
            Some(Analyzers::Python) | None => Stack::Python,
        };
        ancestors(file).find_map(|at| {
            let of = |stack| self.found.get(&(fact, stack)).and_then(|folders| folders.get(at));
            of(Stack::Any).or_else(|| of(stack)).map(String::as_str)
        })
    }

    /// Every path that shows a fact.
    pub fn evidence_paths(&self) -> impl Iterator<Item = &str> {
        self.found.values().flat_map(BTreeMap::values).map(String::as_str)
    }

    /// The version of Go that the module around a file is for, as far as a `go.mod` shows it.
    #[must_use]
    pub fn go_version(&self, file: &str) -> Option<(u32, u32)> {
        ancestors(file).find_map(|at| self.go_versions.get(at).copied())
    }

    /// A real test file of the project.
    #[must_use]
    pub fn test(&self) -> Option<&str> {
        self.test.as_deref()
    }

    /// True when a manifest at or above the file names dependencies, so that a lock file has something to lock.
    #[must_use]
    pub fn has_dependencies(&self, file: &str) -> bool {
        ancestors(file).any(|at| self.dependent.contains(at))
    }

    /// The folder of a Python module that lies in a package and lacks an `__init__` of its own.
    #[must_use]
    pub fn missing_init<'p>(&self, file: &'p str) -> Option<&'p str> {
        let at = folder(file);
        let is_python = ScoredLanguage::of_path(file).is_some_and(ScoredLanguage::is_python);
        (is_python && !at.is_empty() && !self.packages.contains(at) && self.packages.contains(folder(at))).then_some(at)
    }

    fn add(&mut self, fact: Fact, stack: Stack, from: &str, evidence: &str) {
        let folders = self.found.entry((fact, stack)).or_default();
        folders.entry(from.to_owned()).or_insert_with(|| evidence.to_owned());
    }

    fn by_name(&mut self, path: &str) {
        let at = folder(path);
        let name = path.rsplit('/').next().unwrap_or(path);
        let lower = name.to_ascii_lowercase();
        if matches!(name, "__init__.py" | "__init__.pyi") {
            self.packages.insert(at.to_owned());
        }
        for (fact, stack, names) in NAMES {
            if names.binary_search(&name).is_ok() {
                self.add(*fact, *stack, at, path);
            }
        }
        let stem = lower.split(['.', '-']).next().unwrap_or(&lower);
        let prose =
            !name.contains('.') || [".md", ".rst", ".txt", ".adoc", ".org", ".html"].iter().any(|e| lower.ends_with(e));
        match stem {
            "readme" if prose => self.add(Fact::Readme, Stack::Any, at, path),
            "license" | "licence" | "copying" | "unlicense" => self.add(Fact::License, Stack::Any, at, path),
            "changelog" | "changes" | "history" | "news" | "releases" | "whatsnew" if prose => {
                self.add(Fact::Changelog, Stack::Any, at, path);
            }
            _ => {}
        }
        if lower.starts_with(".eslintrc") || lower.starts_with("eslint.config.") {
            self.add(Fact::Linter, Stack::Script, at, path);
        }
        if lower.starts_with(".prettierrc") || lower.starts_with("prettier.config.") {
            self.add(Fact::Formatter, Stack::Script, at, path);
        }
        if lower.starts_with("pylock.") && lower.ends_with(".toml") {
            self.add(Fact::LockFile, Stack::Python, at, path);
        }
        if let Some(root) = ci_root(path) {
            self.add(Fact::Ci, Stack::Any, root, path);
        }
        let last = at.rsplit('/').next().unwrap_or(at);
        if matches!(last, "docs" | "doc") && [".md", ".rst", ".adoc", ".txt", ".mdx"].iter().any(|e| lower.ends_with(e))
        {
            self.add(Fact::Docs, Stack::Any, folder(at), path);
        }
        if last == "LICENSES" {
            self.add(Fact::License, Stack::Any, folder(at), path);
        }
    }

    fn by_manifest(&mut self, path: &str, manifest: &ManifestFacts) {
        let at = folder(path);
        if manifest.dependencies {
            self.dependent.insert(at.to_owned());
        }
        for (fact, stack) in &manifest.facts {
            self.add(*fact, *stack, at, path);
        }
    }
}

/// The folders at and above a file, nearest first, ending with the project root.
fn ancestors(file: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(folder(file)), |at| (!at.is_empty()).then(|| roots::folder(at)))
}

/// The folder whose integration a path configures.
fn ci_root(path: &str) -> Option<&str> {
    let at = folder(path);
    let yaml = path.ends_with(".yml") || path.ends_with(".yaml");
    [".github/workflows", ".gitea/workflows", ".forgejo/workflows", ".circleci", ".buildkite", ".woodpecker"]
        .iter()
        .filter(|_| yaml)
        .find_map(|place| at.strip_suffix(place))
        .filter(|root| root.is_empty() || root.ends_with('/'))
        .map(|root| root.trim_end_matches('/'))
}

/// What builds C and C++.
const C_BUILDS: &[&str] = &[
    "BUILD.bazel",
    "CMakeLists.txt",
    "GNUmakefile",
    "Makefile",
    "Makefile.am",
    "SConstruct",
    "binding.gyp",
    "build.rs",
    "configure.ac",
    "makefile",
    "meson.build",
    "xmake.lua",
];

/// Exact file names that show a fact; each list sorted.
const NAMES: &[(Fact, Stack, &[&str])] = &[
    (
        Fact::Root,
        Stack::Any,
        &[
            "Cargo.toml",
            "Gemfile",
            "Pipfile",
            "build.gradle",
            "build.gradle.kts",
            "composer.json",
            "deno.json",
            "go.mod",
            "package.json",
            "pom.xml",
            "pyproject.toml",
            "requirements.txt",
            "setup.cfg",
            "setup.py",
        ],
    ),
    (Fact::Root, Stack::C, C_BUILDS),
    (Fact::Root, Stack::Shell, C_BUILDS),
    (Fact::Linter, Stack::Shell, &[".shellcheckrc", "shellcheckrc"]),
    // shfmt reads it.
    (Fact::Formatter, Stack::Shell, &[".editorconfig"]),
    // The compiler checks types, and each of these starts one.
    (Fact::TypeChecker, Stack::C, C_BUILDS),
    (Fact::LockFile, Stack::C, &["conan.lock", "vcpkg-configuration.json"]),
    (Fact::Linter, Stack::C, &[".clang-tidy", ".cppcheck", "CPPLINT.cfg"]),
    (Fact::Formatter, Stack::C, &[".astylerc", ".clang-format", ".indent.pro", "_clang-format", "uncrustify.cfg"]),
    (Fact::Docs, Stack::Any, &["mkdocs.yml"]),
    (Fact::Editorconfig, Stack::Any, &[".editorconfig"]),
    (Fact::PreCommit, Stack::Any, &[".lefthook.yml", ".pre-commit-config.yaml", "lefthook.yml", "prek.toml"]),
    (
        Fact::Ci,
        Stack::Any,
        &[
            ".appveyor.yml",
            ".cirrus.yml",
            ".drone.yml",
            ".gitlab-ci.yml",
            ".travis.yml",
            ".woodpecker.yml",
            "Jenkinsfile",
            "appveyor.yml",
            "azure-pipelines.yml",
            "bitbucket-pipelines.yml",
        ],
    ),
    (
        Fact::LockFile,
        Stack::Python,
        &["Pipfile.lock", "conda-lock.yml", "pdm.lock", "pixi.lock", "poetry.lock", "pylock.toml", "uv.lock"],
    ),
    (
        Fact::LockFile,
        Stack::Script,
        &[
            "bun.lock",
            "bun.lockb",
            "deno.lock",
            "npm-shrinkwrap.json",
            "package-lock.json",
            "pnpm-lock.yaml",
            "yarn.lock",
        ],
    ),
    (Fact::LockFile, Stack::Go, &["go.sum", "go.work.sum"]),
    (
        Fact::Linter,
        Stack::Go,
        &[".golangci.json", ".golangci.toml", ".golangci.yaml", ".golangci.yml", "revive.toml", "staticcheck.conf"],
    ),
    (Fact::LockFile, Stack::Rust, &["Cargo.lock"]),
    (Fact::Linter, Stack::Rust, &[".clippy.toml", "clippy.toml"]),
    (
        Fact::LockFile,
        Stack::Java,
        &[
            "buildscript-gradle.lockfile",
            "dependency-locks.lock",
            "gradle.lockfile",
            "maven_install.json",
            "verification-metadata.xml",
        ],
    ),
    (
        Fact::Linter,
        Stack::Java,
        &[
            "checkstyle.xml",
            "findbugs-exclude.xml",
            "google_checks.xml",
            "pmd.xml",
            "ruleset.xml",
            "spotbugs-exclude.xml",
            "sun_checks.xml",
        ],
    ),
    (Fact::Formatter, Stack::Java, &["eclipse-formatter.xml", "spotless.gradle"]),
    (Fact::Linter, Stack::Python, &[".flake8", ".pylintrc", ".ruff.toml", "pylintrc", "ruff.toml"]),
    (Fact::Linter, Stack::Script, &["biome.json", "biome.jsonc", "deno.json", "tslint.json"]),
    (Fact::Formatter, Stack::Python, &[".ruff.toml", ".style.yapf", "ruff.toml"]),
    (Fact::Formatter, Stack::Script, &["biome.json", "biome.jsonc", "deno.json", "dprint.json"]),
    (
        Fact::TypeChecker,
        Stack::Python,
        &[".mypy.ini", ".pyre_configuration", "mypy.ini", "pyrightconfig.json", "ty.toml"],
    ),
    (Fact::TypeChecker, Stack::Script, &["deno.json", "jsconfig.json", "tsconfig.json"]),
];

#[cfg(test)]
mod tests {
    use super::*;
    use tapps_sandbox::Boundary;

    fn facts(files: &[(&str, &str)]) -> ProjectFacts {
        let dir = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let full = dir.path().join(path);
            std::fs::create_dir_all(full.parent().unwrap()).unwrap();
            std::fs::write(full, text).unwrap();
        }
        let paths = files.iter().map(|(path, _)| *path).collect();
        let boundary = Boundary::open(dir.path()).unwrap();
        ProjectFacts::from_project(&ProjectFiles::new(std::sync::Arc::new(boundary)), &paths, &[])
    }

    #[test]
    fn lists_of_names_are_sorted() {
        for (fact, _, names) in NAMES {
            assert!(names.is_sorted(), "{fact:?}");
        }
    }

    #[test]
    fn a_member_has_what_it_and_the_whole_have() {
        let facts = facts(&[
            ("README.md", ""),
            (".github/workflows/ci.yml", ""),
            ("py/pyproject.toml", "[project]\nname = 'a'\ndependencies = ['x']\n[tool.ruff]\nline-length = 100\n"),
            ("py/pkg/a.py", ""),
            ("web/package.json", "{\"eslintConfig\": {}, \"dependencies\": {}}"),
            ("web/tsconfig.json", "{}"),
            ("web/docs/guide.md", ""),
        ]);
        let python = |fact| facts.evidence(fact, "py/pkg/a.py", ScoredLanguage::of_path("a.py"));
        assert_eq!(python(Fact::Root), Some("py/pyproject.toml"));
        assert_eq!(python(Fact::Readme), Some("README.md"));
        assert_eq!(python(Fact::Ci), Some(".github/workflows/ci.yml"));
        assert_eq!(python(Fact::Linter), Some("py/pyproject.toml"));
        assert_eq!(python(Fact::Formatter), Some("py/pyproject.toml"));
        assert_eq!(python(Fact::TypeChecker), None);
        assert_eq!(python(Fact::Docs), None);
        assert!(facts.has_dependencies("py/pkg/a.py"));
        let script = |fact| facts.evidence(fact, "web/src/a.ts", ScoredLanguage::of_path("a.ts"));
        assert_eq!(script(Fact::Linter), Some("web/package.json"));
        assert_eq!(script(Fact::TypeChecker), Some("web/tsconfig.json"));
        assert_eq!(script(Fact::Docs), Some("web/docs/guide.md"));
        assert!(!facts.has_dependencies("web/src/a.ts"));
    }

    #[test]
    fn the_nearest_module_says_for_which_go_a_file_is() {
        let facts = facts(&[
            ("go.mod", "module a\n\ngo 1.23.4\n"),
            ("old/go.mod", "module b\ngo 1.20\n"),
            ("bare/go.mod", "module c\n"),
        ]);
        for (file, version) in [("a.go", (1, 23)), ("x/a.go", (1, 23)), ("old/x/a.go", (1, 20)), ("bare/a.go", (1, 16))]
        {
            assert_eq!(facts.go_version(file), Some(version), "{file}");
        }
        assert_eq!(ProjectFacts::default().go_version("a.go"), None);
    }

    #[test]
    fn names_that_only_look_alike_are_no_evidence() {
        let facts = facts(&[("readme.py", ""), ("changes.py", ""), ("x.github/workflows/a.yml", ""), ("a.py", "")]);
        for fact in [Fact::Readme, Fact::Changelog, Fact::Ci, Fact::Root] {
            assert_eq!(facts.evidence(fact, "a.py", ScoredLanguage::of_path("a.py")), None, "{fact:?}");
        }
    }

    #[test]
    fn modules_of_a_package_need_an_init_beside_them() {
        let facts = facts(&[("pkg/__init__.py", ""), ("pkg/sub/a.py", ""), ("pkg/b.py", ""), ("scripts/c.py", "")]);
        assert_eq!(facts.missing_init("pkg/sub/a.py"), Some("pkg/sub"));
        assert_eq!(facts.missing_init("pkg/b.py"), None);
        assert_eq!(facts.missing_init("scripts/c.py"), None);
    }
}
