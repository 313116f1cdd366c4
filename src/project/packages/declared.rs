//! What manifests ask for.

use quick_xml::events::Event;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tapps_base::toml_text;

use super::requirement::{is_python_versions_file, parse_requirement, parse_requirements};
use super::{Ecosystem, name_of};

/// One dependency of a manifest.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct DeclaredDependency {
    pub ecosystem: Ecosystem,
    /// As it is written.
    pub name: String,
    /// The versions that will do, as written; empty for any.
    pub requirement: String,
    /// Only needed to develop.
    pub development: bool,
    /// The manifest.
    pub file: String,
}

/// Name, requirement, whether it is for development.
type DeclaredRequirements = Vec<(String, String, bool)>;

/// True for a manifest that names dependencies; constraints ask for nothing by themselves.
pub(super) fn is_manifest(path: &str) -> bool {
    ecosystem(name_of(path)).is_some() && name_of(path) != "constraints.txt"
}

fn ecosystem(name: &str) -> Option<Ecosystem> {
    match name {
        "pyproject.toml" | "setup.cfg" | "Pipfile" => Some(Ecosystem::PyPi),
        "package.json" => Some(Ecosystem::Npm),
        "Cargo.toml" => Some(Ecosystem::Crates),
        "go.mod" => Some(Ecosystem::Go),
        "pom.xml" | "build.gradle" | "build.gradle.kts" => Some(Ecosystem::Maven),
        _ if is_python_versions_file(name) => Some(Ecosystem::PyPi),
        _ => None,
    }
}

/// Reads a manifest; what it asks for comes in the order in which it is written.
///
/// # Errors
/// Why it cannot be read, as a lower-case fragment.
pub fn parse_manifest(path: &str, text: &str) -> Result<Vec<DeclaredDependency>, String> {
    let name = name_of(path);
    let Some(ecosystem) = ecosystem(name) else { return Ok(Vec::new()) };
    let found: DeclaredRequirements = match name {
        "pyproject.toml" => pyproject(&table(text)?),
        "Pipfile" => pipfile(&table(text)?),
        "setup.cfg" => setup_cfg(text),
        "package.json" => package(&serde_json::from_str(text).map_err(|error| error.to_string())?),
        "Cargo.toml" => cargo(&table(text)?),
        "go.mod" => go_required(text).map(|(name, version)| (name.to_owned(), version.to_owned(), false)).collect(),
        "pom.xml" => pom(text)?.into_iter().map(|(name, version)| (name, version, false)).collect(),
        "build.gradle" | "build.gradle.kts" => gradle(text),
        _ => {
            let development = ["dev", "test", "doc", "lint"].iter().any(|word| name.contains(word));
            parse_requirements(text).map(|one| (one.name.to_owned(), one.specifier.to_owned(), development)).collect()
        }
    };
    let one = |(name, requirement, development)| DeclaredDependency {
        ecosystem,
        name,
        requirement,
        development,
        file: path.to_owned(),
    };
    Ok(found.into_iter().map(one).collect())
}

/// What a manifest asks for, sorted, each package once for use and once for development.
pub(super) fn sort_declared(mut found: Vec<DeclaredDependency>) -> Vec<DeclaredDependency> {
    found.sort();
    found.dedup_by(|a, b| a.name == b.name && a.development == b.development);
    found
}

fn table(text: &str) -> Result<toml::Table, String> {
    toml_text::parse_table(text).map_err(|error| error.message().to_owned())
}

fn requirement(line: &str, development: bool) -> Option<(String, String, bool)> {
    parse_requirement(line).map(|one| (one.name.to_owned(), one.specifier.to_owned(), development))
}

fn texts(value: Option<&toml::Value>) -> impl Iterator<Item = &str> {
    value.and_then(toml::Value::as_array).into_iter().flatten().filter_map(toml::Value::as_str)
}

fn pyproject(document: &toml::Table) -> DeclaredRequirements {
    let mut found = DeclaredRequirements::new();
    if let Some(project) = document.get("project") {
        found.extend(texts(project.get("dependencies")).filter_map(|line| requirement(line, false)));
        for extra in project
            .get("optional-dependencies")
            .and_then(toml::Value::as_table)
            .into_iter()
            .flat_map(toml::Table::values)
        {
            found.extend(texts(Some(extra)).filter_map(|line| requirement(line, true)));
        }
    }
    for group in
        document.get("dependency-groups").and_then(toml::Value::as_table).into_iter().flat_map(toml::Table::values)
    {
        found.extend(texts(Some(group)).filter_map(|line| requirement(line, true)));
    }
    let Some(poetry) = document.get("tool").and_then(|tool| tool.get("poetry")) else { return found };
    found.extend(of_table(poetry.get("dependencies"), false));
    found.extend(of_table(poetry.get("dev-dependencies"), true));
    for group in poetry.get("group").and_then(toml::Value::as_table).into_iter().flat_map(toml::Table::values) {
        found.extend(of_table(group.get("dependencies"), true));
    }
    found
}

/// Names with versions, as poetry, pipenv and cargo write them.
fn of_table(value: Option<&toml::Value>, development: bool) -> DeclaredRequirements {
    let entries = value.and_then(toml::Value::as_table).into_iter().flatten();
    let version =
        |value: &toml::Value| value.as_str().or_else(|| value.get("version")?.as_str()).unwrap_or_default().to_owned();
    let renamed =
        |name: &str, value: &toml::Value| value.get("package").and_then(toml::Value::as_str).unwrap_or(name).to_owned();
    entries
        .filter(|(name, _)| *name != "python")
        .map(|(name, value)| (renamed(name, value), version(value), development))
        .collect()
}

fn pipfile(document: &toml::Table) -> DeclaredRequirements {
    let mut found = of_table(document.get("packages"), false);
    found.extend(of_table(document.get("dev-packages"), true));
    found
}

fn setup_cfg(text: &str) -> DeclaredRequirements {
    let sections = crate::ini::parse_ini_text(text).sections;
    let options = sections.iter().filter(|section| section.name == "options");
    let lists = options.filter_map(|section| section.get("install_requires"));
    lists.flat_map(str::lines).filter_map(|line| requirement(line, false)).collect()
}

fn package(document: &Value) -> DeclaredRequirements {
    let sections = [
        ("dependencies", false),
        ("devDependencies", true),
        ("optionalDependencies", false),
        ("peerDependencies", false),
    ];
    let of = |(key, development): (&str, bool)| {
        let entries = document.get(key).and_then(Value::as_object).into_iter().flatten();
        entries
            .map(move |(name, version)| (name.clone(), version.as_str().unwrap_or_default().to_owned(), development))
            .collect::<DeclaredRequirements>()
    };
    sections.into_iter().flat_map(of).collect()
}

fn cargo(document: &toml::Table) -> DeclaredRequirements {
    let mut found = DeclaredRequirements::new();
    let targets = document.get("target").and_then(toml::Value::as_table).into_iter().flat_map(toml::Table::values);
    let workspace = document.get("workspace").into_iter();
    let whole = toml::Value::Table(document.clone());
    for section in targets.chain(workspace).chain([&whole]) {
        found.extend(of_table(section.get("dependencies"), false));
        found.extend(of_table(section.get("build-dependencies"), false));
        found.extend(of_table(section.get("dev-dependencies"), true));
    }
    found
}

/// The requirements of a `go.mod`, which are exact.
pub(super) fn go_required(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut inside = false;
    text.lines().filter_map(move |line| {
        let line = line.split("//").next().unwrap_or_default().trim();
        let rest = match line.strip_prefix("require") {
            Some(rest) if rest.trim() == "(" => {
                inside = true;
                return None;
            }
            Some(rest) => rest,
            None if line == ")" => {
                inside = false;
                return None;
            }
            None if inside => line,
            None => return None,
        };
        let (name, version) = rest.trim().split_once(' ')?;
        version.trim().starts_with('v').then(|| (name, version.trim()))
    })
}

/// The dependencies of a Maven project: `group:artifact` and version.
///
/// # Errors
/// Why the file cannot be read.
pub(super) fn pom(text: &str) -> Result<Vec<(String, String)>, String> {
    let mut reader = quick_xml::Reader::from_str(text);
    let mut path: Vec<String> = Vec::new();
    let (mut group, mut artifact, mut version) = (String::new(), String::new(), String::new());
    let mut found = Vec::new();
    loop {
        match reader.read_event().map_err(|error| error.to_string())? {
            Event::Start(start) => path.push(start.local_name().as_ref().to_owned()),
            Event::Text(text) => {
                let value = text.trim().to_owned();
                let inside = path.iter().rev().nth(1).is_some_and(|parent| parent == "dependency");
                match path.last().map(String::as_str) {
                    Some("groupId") if inside => group = value,
                    Some("artifactId") if inside => artifact = value,
                    Some("version") if inside => version = value,
                    _ => {}
                }
            }
            Event::End(_) => {
                let closed = path.pop();
                if closed.as_deref() == Some("dependency") && !artifact.is_empty() {
                    found.push((format!("{group}:{artifact}"), std::mem::take(&mut version)));
                    group.clear();
                    artifact.clear();
                }
            }
            Event::Eof => return Ok(found),
            _ => {}
        }
    }
}

/// Coordinates in texts of a Gradle script: `"group:artifact:version"`.
fn gradle(text: &str) -> DeclaredRequirements {
    let one = |line: &str| {
        let line = line.trim();
        let kind = line.split(['(', ' ', '"', '\'']).next()?;
        if !kind.to_ascii_lowercase().ends_with("implementation")
            && !matches!(kind, "api" | "compileOnly" | "runtimeOnly" | "testRuntimeOnly" | "annotationProcessor")
        {
            return None;
        }
        let text = line.split(['"', '\'']).nth(1)?;
        let mut parts = text.splitn(3, ':');
        let name = format!("{}:{}", parts.next()?, parts.next()?);
        Some((name, parts.next().unwrap_or_default().to_owned(), kind.starts_with("test")))
    };
    text.lines().filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case(
        "pyproject.toml",
        "[project]\ndependencies = ['A[x]>=1; y', 'b']\n[project.optional-dependencies]\nt = ['c ~= 2']\n[dependency-groups]\nd = ['e', {include-group = 'x'}]\n",
        "A >=1, b , c ~= 2 dev, e  dev"
    )]
    #[case(
        "pyproject.toml",
        "[tool.poetry.dependencies]\npython = '^3'\na = '^1'\nb = {version = '2', extras = ['x']}\n",
        "a ^1, b 2"
    )]
    #[case("setup.cfg", "[options]\ninstall_requires =\n    a>=1\n    b\n", "a >=1, b ")]
    #[case("requirements-dev.txt", "a==1 # c\n-r b.txt\n./x\ngit+https://y\nc\n", "a ==1 dev, c  dev")]
    #[case("package.json", "{\"dependencies\": {\"a\": \"^1\"}, \"devDependencies\": {\"b\": \"2\"}}", "a ^1, b 2 dev")]
    #[case(
        "Cargo.toml",
        "[dependencies]\na = '1'\nc = {package = 'd', version = '2'}\n[target.'cfg(unix)'.dependencies]\ne = '3'\n[dev-dependencies]\nb = {path = '.'}\n",
        "a 1, b  dev, d 2, e 3"
    )]
    #[case(
        "build.gradle",
        "dependencies {\n  implementation 'g:a:1'\n  testImplementation(\"g:b\")\n  x 'g:c:1'\n}\n",
        "g:a 1, g:b  dev"
    )]
    fn manifests(#[case] name: &str, #[case] text: &str, #[case] expected: &str) {
        let found = sort_declared(parse_manifest(name, text).unwrap());
        let shown: Vec<String> = found
            .iter()
            .map(|one| format!("{} {}{}", one.name, one.requirement, if one.development { " dev" } else { "" }))
            .collect();
        assert_eq!(shown.join(", "), expected);
    }
}
