//! What manifests say about tools and dependencies.

use serde_json::Value;
use tapps_base::toml_text;

use super::facts::{Fact, Stack};
use super::files::ProjectFiles;
use super::ini;

/// The largest manifest that is read, in bytes.
const MAX: u64 = 4 << 20;

/// What one manifest shows.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct ManifestFacts {
    pub(super) facts: Vec<(Fact, Stack)>,
    /// It names at least one dependency.
    pub(super) dependencies: bool,
}

/// Reads a manifest, or gives `None` for any other file and for one that cannot be parsed.
pub(super) fn read_manifest_facts(files: &ProjectFiles, path: &str) -> Option<ManifestFacts> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let parse: fn(&str) -> Option<ManifestFacts> = match name {
        "pyproject.toml" => pyproject_facts,
        "package.json" => package_json_facts,
        "setup.cfg" | "tox.ini" => ini_facts,
        "requirements.txt" => requirements_facts,
        "go.mod" => go_mod_facts,
        "Cargo.toml" => cargo_facts,
        "pom.xml" => pom_facts,
        "build.gradle" | "build.gradle.kts" => gradle_facts,
        _ => return None,
    };
    let bytes = files.read(path, MAX).ok()?;
    parse(std::str::from_utf8(&bytes).ok()?)
}

/// What Go takes a `go.mod` for that names no version.
const GO_UNNAMED: (u32, u32) = (1, 16);

/// The version of Go that a `go.mod` is for: major and minor; `None` for any other file.
pub(super) fn read_go_version(files: &ProjectFiles, path: &str) -> Option<(u32, u32)> {
    (path.rsplit('/').next() == Some("go.mod")).then_some(())?;
    let bytes = files.read(path, MAX).ok()?;
    let text = std::str::from_utf8(&bytes).ok()?;
    let Some(version) = text.lines().find_map(|line| line.trim().strip_prefix("go ")) else { return Some(GO_UNNAMED) };
    let mut parts =
        version.trim().split('.').map(|part| part.chars().take_while(char::is_ascii_digit).collect::<String>());
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

/// Tools as they are called in `[tool.…]` tables and INI sections, with what configuring them shows.
const TOOLS: &[(&str, &[Fact])] = &[
    ("autopep8", &[Fact::Formatter]),
    ("basedpyright", &[Fact::TypeChecker]),
    ("black", &[Fact::Formatter]),
    ("flake8", &[Fact::Linter]),
    ("mypy", &[Fact::TypeChecker]),
    ("pylint", &[Fact::Linter]),
    ("pyre", &[Fact::TypeChecker]),
    ("pyright", &[Fact::TypeChecker]),
    ("pytype", &[Fact::TypeChecker]),
    ("ruff", &[Fact::Linter, Fact::Formatter]),
    ("ty", &[Fact::TypeChecker]),
    ("yapf", &[Fact::Formatter]),
];

fn tool_facts(name: &str) -> impl Iterator<Item = (Fact, Stack)> {
    let facts = TOOLS.iter().find(|(known, _)| *known == name).map_or(&[][..], |(_, facts)| facts);
    facts.iter().map(|fact| (*fact, Stack::Python))
}

fn pyproject_facts(text: &str) -> Option<ManifestFacts> {
    let document = toml_text::parse_table(text).ok()?;
    let tools = document.get("tool").and_then(toml::Value::as_table);
    let filled = |value: Option<&toml::Value>| match value {
        Some(toml::Value::Array(items)) => !items.is_empty(),
        // Poetry lists the interpreter among the dependencies.
        Some(toml::Value::Table(items)) => items.keys().any(|name| name != "python"),
        _ => false,
    };
    let poetry = tools.and_then(|tools| tools.get("poetry")).and_then(|poetry| poetry.get("dependencies"));
    let project = document.get("project").and_then(|project| project.get("dependencies"));
    Some(ManifestFacts {
        facts: tools.into_iter().flat_map(toml::Table::keys).flat_map(|name| tool_facts(name)).collect(),
        dependencies: filled(project) || filled(poetry),
    })
}

fn package_json_facts(text: &str) -> Option<ManifestFacts> {
    let document: Value = serde_json::from_str(text).ok()?;
    let filled = |key: &str| document.get(key).and_then(Value::as_object).is_some_and(|items| !items.is_empty());
    let mut facts = Vec::new();
    if document.get("eslintConfig").is_some() {
        facts.push((Fact::Linter, Stack::Script));
    }
    if document.get("prettier").is_some() {
        facts.push((Fact::Formatter, Stack::Script));
    }
    Some(ManifestFacts { facts, dependencies: filled("dependencies") || filled("devDependencies") })
}

#[expect(clippy::unnecessary_wraps, reason = "one of several parsers of the same type")]
fn ini_facts(text: &str) -> Option<ManifestFacts> {
    let sections = ini::parse_ini_text(text).sections;
    let facts =
        sections.iter().flat_map(|section| tool_facts(section.name.split(['-', ':']).next().unwrap_or_default()));
    let required = |section: &ini::Section| {
        section.name == "options" && section.get("install_requires").is_some_and(|list| !list.trim().is_empty())
    };
    Some(ManifestFacts { facts: facts.collect(), dependencies: sections.iter().any(required) })
}

/// A list in which every requirement is pinned to one version locks as well as a lock file.
#[expect(clippy::unnecessary_wraps, reason = "one of several parsers of the same type")]
fn requirements_facts(text: &str) -> Option<ManifestFacts> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with(['#', '-']));
    let (pinned, loose): (Vec<&str>, Vec<&str>) = lines.partition(|line| line.contains("=="));
    let facts = if !pinned.is_empty() && loose.is_empty() { vec![(Fact::LockFile, Stack::Python)] } else { Vec::new() };
    Some(ManifestFacts { facts, dependencies: !pinned.is_empty() || !loose.is_empty() })
}

/// Formatter and type checker come with the language: `gofmt` and the compiler.
#[expect(clippy::unnecessary_wraps, reason = "one of several parsers of the same type")]
fn go_mod_facts(text: &str) -> Option<ManifestFacts> {
    let facts = vec![(Fact::Formatter, Stack::Go), (Fact::TypeChecker, Stack::Go)];
    let requires =
        |line: &str| line.trim_start().strip_prefix("require").is_some_and(|rest| rest.starts_with([' ', '(', '\t']));
    Some(ManifestFacts { facts, dependencies: text.lines().any(requires) })
}

/// Formatter and type checker come with the language: `rustfmt` and the compiler. `clippy` comes as well; what shows that it
/// is asked is a table of lints, or one that is taken over from the workspace.
fn cargo_facts(text: &str) -> Option<ManifestFacts> {
    let document = toml_text::parse_table(text).ok()?;
    let mut facts = vec![(Fact::Formatter, Stack::Rust), (Fact::TypeChecker, Stack::Rust)];
    let workspace = document.get("workspace");
    let lints = document.get("lints").or_else(|| workspace.and_then(|of| of.get("lints")));
    if lints.and_then(toml::Value::as_table).is_some_and(|lints| !lints.is_empty()) {
        facts.push((Fact::Linter, Stack::Rust));
    }
    let filled = |of: &toml::Table| {
        ["build-dependencies", "dependencies", "dev-dependencies"]
            .iter()
            .any(|key| of.get(*key).and_then(toml::Value::as_table).is_some_and(|items| !items.is_empty()))
    };
    let below = workspace.and_then(toml::Value::as_table);
    Some(ManifestFacts { facts, dependencies: filled(&document) || below.is_some_and(filled) })
}

/// Plugins of Maven and Gradle by a part of their names, with what using them shows.
const JAVA_PLUGINS: &[(&str, Fact)] = &[
    ("checkstyle", Fact::Linter),
    ("errorprone", Fact::Linter),
    ("error_prone", Fact::Linter),
    ("findbugs", Fact::Linter),
    ("pmd", Fact::Linter),
    ("spotbugs", Fact::Linter),
    ("fmt-maven-plugin", Fact::Formatter),
    ("formatter-maven-plugin", Fact::Formatter),
    ("googleJavaFormat", Fact::Formatter),
    ("google-java-format", Fact::Formatter),
    ("spotless", Fact::Formatter),
];

/// The compiler checks the types, and plugins do the rest.
fn java_build_facts(text: &str, dependencies: bool) -> ManifestFacts {
    let plugins = JAVA_PLUGINS.iter().filter(|(name, _)| text.contains(name)).map(|(_, fact)| (*fact, Stack::Java));
    let facts = std::iter::once((Fact::TypeChecker, Stack::Java)).chain(plugins).collect();
    ManifestFacts { facts, dependencies }
}

/// A `pom.xml` in which every dependency has one version locks as well as a lock file.
#[expect(clippy::unnecessary_wraps, reason = "one of several parsers of the same type")]
fn pom_facts(text: &str) -> Option<ManifestFacts> {
    let dependencies: Vec<&str> =
        text.split("<dependency>").skip(1).filter_map(|rest| rest.split("</dependency>").next()).collect();
    let mut found = java_build_facts(text, !dependencies.is_empty());
    let is_loose = |one: &str| {
        let version = one.split("<version>").nth(1).unwrap_or_default();
        version.starts_with(['[', '(']) || version.starts_with("LATEST") || version.starts_with("RELEASE")
    };
    if !dependencies.is_empty() && !dependencies.iter().any(|one| is_loose(one)) {
        found.facts.push((Fact::LockFile, Stack::Java));
    }
    Some(found)
}

#[expect(clippy::unnecessary_wraps, reason = "one of several parsers of the same type")]
fn gradle_facts(text: &str) -> Option<ManifestFacts> {
    const KINDS: &[&str] = &["api", "compileOnly", "implementation", "runtimeOnly", "testImplementation"];
    let is_dependency = |line: &str| {
        KINDS.iter().any(|kind| line.trim_start().strip_prefix(kind).is_some_and(|rest| rest.starts_with([' ', '('])))
    };
    Some(java_build_facts(text, text.lines().any(is_dependency)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn manifests_show_tools_and_dependencies() {
        let found =
            pyproject_facts("[tool.mypy]\n[tool.hatch]\n[tool.poetry.dependencies]\npython = '^3.9'\n").unwrap();
        assert_eq!(found, ManifestFacts { facts: vec![(Fact::TypeChecker, Stack::Python)], dependencies: false });
        let found = ini_facts("[flake8]\nmax = 1\n[mypy-x.*]\n[options]\ninstall_requires =\n  a\n").unwrap();
        let facts = vec![(Fact::Linter, Stack::Python), (Fact::TypeChecker, Stack::Python)];
        assert_eq!(found, ManifestFacts { facts, dependencies: true });
        let found = requirements_facts("# c\na==1.0\nb==2 ; python_version > '3'\n").unwrap();
        assert_eq!(found, ManifestFacts { facts: vec![(Fact::LockFile, Stack::Python)], dependencies: true });
        let pom = "<project><dependencies><dependency><version>1.0</version></dependency></dependencies><artifactId>maven-checkstyle-plugin</artifactId></project>";
        let facts = vec![(Fact::TypeChecker, Stack::Java), (Fact::Linter, Stack::Java), (Fact::LockFile, Stack::Java)];
        assert_eq!(pom_facts(pom), Some(ManifestFacts { facts, dependencies: true }));
        let loose = pom.replace("1.0", "[1.0,2.0)");
        assert!(!pom_facts(&loose).unwrap().facts.contains(&(Fact::LockFile, Stack::Java)));
        let gradle =
            gradle_facts("plugins {\n  id 'com.diffplug.spotless'\n}\ndependencies {\n  implementation 'a:b:1'\n}\n")
                .unwrap();
        let facts = vec![(Fact::TypeChecker, Stack::Java), (Fact::Formatter, Stack::Java)];
        assert_eq!(gradle, ManifestFacts { facts, dependencies: true });
        assert_eq!(requirements_facts("a==1\nb>=2\n").unwrap().facts, []);
        assert_eq!(pyproject_facts("[tool"), None);
        assert_eq!(package_json_facts("[]").unwrap(), ManifestFacts::default());
    }
}
