//! Exact versions out of lock files.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Ecosystem, name_of};
use crate::validate::yaml;

/// One package at one version.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Locked {
    pub ecosystem: Ecosystem,
    /// As the ecosystem tells names apart.
    pub name: String,
    pub version: String,
    /// The lock file.
    pub file: String,
    /// The project itself sees this version, not only one of its packages.
    pub top: bool,
}

type Found = Vec<(String, String, bool)>;

/// True for a lock file, and for manifests that fix versions.
pub(super) fn is_lock(path: &str) -> bool {
    let name = name_of(path);
    reader(name).is_some()
}

type Reader = fn(&str) -> Result<Found, String>;

fn reader(name: &str) -> Option<(Ecosystem, Reader)> {
    Some(match name {
        "uv.lock" | "poetry.lock" | "pdm.lock" => (Ecosystem::PyPi, |text| toml_packages(text, "package")),
        "Pipfile.lock" => (Ecosystem::PyPi, pipfile),
        "package-lock.json" | "npm-shrinkwrap.json" => (Ecosystem::Npm, npm),
        "pnpm-lock.yaml" => (Ecosystem::Npm, pnpm),
        "yarn.lock" => (Ecosystem::Npm, yarn),
        "bun.lock" => (Ecosystem::Npm, bun),
        "Cargo.lock" => (Ecosystem::Crates, |text| toml_packages(text, "package")),
        "go.mod" => (Ecosystem::Go, go_mod),
        "gradle.lockfile" => (Ecosystem::Maven, gradle),
        "pom.xml" => (Ecosystem::Maven, |text| Ok(super::declared::pom(text)?.into_iter().filter_map(fixed).collect())),
        _ if name.starts_with("pylock.") && name.ends_with(".toml") => {
            (Ecosystem::PyPi, |text| toml_packages(text, "packages"))
        }
        _ if name.starts_with("requirements") && name.ends_with(".txt") => (Ecosystem::PyPi, requirements),
        _ => return None,
    })
}

fn fixed((name, version): (String, String)) -> Option<(String, String, bool)> {
    let exact = !version.is_empty() && !version.contains(['$', '[', '(', ',']);
    exact.then_some((name, version, true))
}

/// Reads a lock file.
///
/// # Errors
/// Why it cannot be read, as a lower-case fragment.
pub(super) fn read(path: &str, text: &str) -> Result<Vec<Locked>, String> {
    let Some((ecosystem, reader)) = reader(name_of(path)) else { return Ok(Vec::new()) };
    let one = |(name, version, top): (String, String, bool)| Locked {
        ecosystem,
        name: ecosystem.normal(&name),
        version,
        file: path.to_owned(),
        top,
    };
    let mut found: Vec<Locked> = reader(text)?.into_iter().map(one).collect();
    found.sort();
    found.dedup_by(|a, b| (&a.name, &a.version) == (&b.name, &b.version));
    Ok(found)
}

fn toml_packages(text: &str, key: &str) -> Result<Found, String> {
    let document: toml::Table = text.parse().map_err(|error: toml::de::Error| error.message().to_owned())?;
    let packages = document.get(key).and_then(toml::Value::as_array).ok_or_else(|| format!("it has no `{key}`"))?;
    let field = |package: &toml::Value, name: &str| package.get(name).and_then(toml::Value::as_str).map(str::to_owned);
    Ok(packages
        .iter()
        .filter(|package| {
            // What has no source is the project itself, or a member of it.
            let own = |name: &str| package.get("source").and_then(|source| source.get(name)).is_some();
            !own("virtual") && !own("editable") && !own("workspace")
        })
        .filter_map(|package| Some((field(package, "name")?, field(package, "version")?, true)))
        .collect())
}

fn json(text: &str) -> Result<Value, String> {
    serde_json::from_str(text).map_err(|error| error.to_string())
}

fn pipfile(text: &str) -> Result<Found, String> {
    let document = json(text)?;
    let sections = ["default", "develop"].into_iter().filter_map(|name| document.get(name)?.as_object());
    let version = |package: &Value| package.get("version")?.as_str()?.strip_prefix("==").map(str::to_owned);
    Ok(sections.flatten().filter_map(|(name, package)| Some((name.clone(), version(package)?, true))).collect())
}

fn npm(text: &str) -> Result<Found, String> {
    let document = json(text)?;
    let version = |package: &Value| package.get("version").and_then(Value::as_str).map(str::to_owned);
    if let Some(packages) = document.get("packages").and_then(Value::as_object) {
        let linked = |package: &Value| package.get("link").and_then(Value::as_bool) == Some(true);
        let one = |(path, package): (&String, &Value)| {
            let (before, name) = path.rsplit_once("node_modules/")?;
            let name = package.get("name").and_then(Value::as_str).unwrap_or(name);
            Some((name.to_owned(), version(package)?, before.is_empty()))
        };
        return Ok(packages.iter().filter(|(_, package)| !linked(package)).filter_map(one).collect());
    }
    let mut found = Found::new();
    let mut open = vec![(&document, true)];
    while let Some((at, top)) = open.pop() {
        for (name, package) in at.get("dependencies").and_then(Value::as_object).into_iter().flatten() {
            found.extend(version(package).map(|version| (name.clone(), version, top)));
            open.push((package, false));
        }
    }
    Ok(found)
}

fn pnpm(text: &str) -> Result<Found, String> {
    let root = yaml::parse(text).map_err(|fault| format!("line {}: {}", fault.place.line, fault.message))?;
    let mut top = std::collections::BTreeSet::new();
    let importers = root.get("importers").map(yaml::Node::entries).unwrap_or_default();
    for importer in importers.iter().map(|(_, node)| *node).chain([&root]) {
        for section in ["dependencies", "devDependencies", "optionalDependencies"] {
            for (name, node) in importer.get(section).map(yaml::Node::entries).unwrap_or_default() {
                let version = node.get("version").or(Some(node)).and_then(yaml::Node::text);
                top.extend(name.text().zip(version.map(|version| version.split('(').next().unwrap_or(version))));
            }
        }
    }
    let packages = root.get("packages").map(yaml::Node::entries).unwrap_or_default();
    let keys = packages.iter().filter_map(|(key, _)| key.text());
    Ok(keys
        .filter_map(|key| {
            let key = key.strip_prefix('/').unwrap_or(key).split('(').next()?;
            // Old files part name and version with a slash.
            let (name, version) = key
                .get(1..)?
                .rfind('@')
                .map(|at| key.split_at(at + 1))
                .map(|(n, v)| (n, v.trim_start_matches('@')))
                .or_else(|| key.rsplit_once('/'))?;
            let exact = version.starts_with(|c: char| c.is_ascii_digit());
            exact.then(|| (name.to_owned(), version.to_owned(), top.contains(&(name, version))))
        })
        .collect())
}

fn yarn(text: &str) -> Result<Found, String> {
    let mut found = Found::new();
    let mut name = None;
    for line in text.lines() {
        if !line.starts_with(char::is_whitespace) && line.ends_with(':') {
            let first = line.trim_end_matches(':').split(',').next().unwrap_or_default().trim().trim_matches('"');
            // `name@range`, and in newer files `name@npm:range`.
            name = first.get(1..).and_then(|rest| rest.find('@')).map(|at| first.split_at(at + 1).0.to_owned());
        } else if let Some(rest) = line.strip_prefix("  version")
            && let Some(name) = name.take()
        {
            let version = rest.trim_start_matches(':').trim().trim_matches('"').to_owned();
            if version.starts_with(|c: char| c.is_ascii_digit()) && version != "0.0.0-use.local" {
                found.push((name, version, true));
            }
        }
    }
    Ok(found)
}

/// bun writes JSON with commas at the ends of lists, which is YAML.
fn bun(text: &str) -> Result<Found, String> {
    let root = yaml::parse(text).map_err(|fault| format!("line {}: {}", fault.place.line, fault.message))?;
    let packages = root.get("packages").map(yaml::Node::entries).unwrap_or_default();
    let one = |(key, package): &(&yaml::Node, &yaml::Node)| {
        let (name, version) = package.items().first()?.text()?.rsplit_once('@')?;
        let exact = version.starts_with(|c: char| c.is_ascii_digit());
        exact.then(|| (name.to_owned(), version.to_owned(), key.text() == Some(name)))
    };
    Ok(packages.iter().filter_map(one).collect())
}

#[expect(clippy::unnecessary_wraps, reason = "one of several readers of the same type")]
fn go_mod(text: &str) -> Result<Found, String> {
    let required = super::declared::go_required(text);
    Ok(required.map(|(name, version)| (name.to_owned(), version.to_owned(), true)).collect())
}

#[expect(clippy::unnecessary_wraps, reason = "one of several readers of the same type")]
fn gradle(text: &str) -> Result<Found, String> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let one = |line: &str| {
        let (name, version) = line.split('=').next()?.rsplit_once(':')?;
        Some((name.to_owned(), version.to_owned(), true))
    };
    Ok(lines.filter_map(one).collect())
}

#[expect(clippy::unnecessary_wraps, reason = "one of several readers of the same type")]
fn requirements(text: &str) -> Result<Found, String> {
    let one = |line: &str| {
        let line = line.split(" #").next()?.split(';').next()?.trim().trim_end_matches('\\').trim();
        let (name, version) = line.split_once("==").filter(|_| !line.starts_with(['#', '-']))?;
        let version = version.trim_start_matches('=').split([' ', ',']).next()?.trim();
        let name = name.split('[').next()?.trim();
        (!version.is_empty() && !version.contains('*')).then(|| (name.to_owned(), version.to_owned(), true))
    };
    Ok(text.lines().filter_map(one).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case(
        "uv.lock",
        "[[package]]\nname = 'Foo_Bar'\nversion = '1.0'\nsource = {registry = 'x'}\n[[package]]\nname='me'\nversion='0'\nsource={editable='.'}\n",
        "foo-bar 1.0"
    )]
    #[case("Pipfile.lock", "{\"default\": {\"a\": {\"version\": \"==1.2\"}}, \"develop\": {\"b\": {}}}", "a 1.2")]
    #[case(
        "requirements-dev.txt",
        "a==1.0 ; x\n  B.c[d]==2 \\\n  --hash=sha256:0\n# d==1\ne>=1\n-r f.txt\n",
        "a 1.0, b-c 2"
    )]
    #[case(
        "package-lock.json",
        "{\"packages\": {\"\": {\"version\": \"9\"}, \"node_modules/a\": {\"version\": \"1.0.0\"}, \"node_modules/@s/b/node_modules/a\": {\"version\": \"2.0.0\"}, \"node_modules/w\": {\"link\": true}}}",
        "a 1.0.0, a 2.0.0*"
    )]
    #[case(
        "package-lock.json",
        "{\"dependencies\": {\"a\": {\"version\": \"1.0.0\", \"dependencies\": {\"b\": {\"version\": \"2.0.0\"}}}}}",
        "a 1.0.0, b 2.0.0*"
    )]
    #[case(
        "pnpm-lock.yaml",
        "importers:\n  .:\n    dependencies:\n      a:\n        specifier: ^1\n        version: 1.0.0\npackages:\n  a@1.0.0:\n    resolution: {}\n  '@s/b@2.0.0(a@1.0.0)':\n    resolution: {}\n",
        "@s/b 2.0.0*, a 1.0.0"
    )]
    #[case(
        "yarn.lock",
        "# v1\n\"@s/a@^1.0\", \"@s/a@^1.1\":\n  version \"1.2.0\"\nb@npm:^2:\n  version: 2.0.1\n  dependencies:\n    c: 1\n",
        "@s/a 1.2.0, b 2.0.1"
    )]
    #[case("bun.lock", "{\"packages\": {\"a\": [\"a@1.0.0\", \"\", {}, \"x\"],}}", "a 1.0.0")]
    #[case("Cargo.lock", "[[package]]\nname = \"a\"\nversion = \"1.0.0\"\n", "a 1.0.0")]
    #[case(
        "go.mod",
        "module x\nrequire a/b v1.2.3\nrequire (\n  c/d v0.1.0 // indirect\n)\n",
        "a/b v1.2.3, c/d v0.1.0"
    )]
    #[case("gradle.lockfile", "# c\ng:a:1.0=compile\nempty=x\n", "g:a 1.0")]
    #[case(
        "pom.xml",
        "<project><dependencies><dependency><groupId>g</groupId><artifactId>a</artifactId><version>1.0</version></dependency><dependency><groupId>g</groupId><artifactId>b</artifactId><version>${v}</version></dependency></dependencies></project>",
        "g:a 1.0"
    )]
    fn locks(#[case] name: &str, #[case] text: &str, #[case] expected: &str) {
        let found = read(&format!("x/{name}"), text).unwrap();
        let shown: Vec<String> =
            found.iter().map(|one| format!("{} {}{}", one.name, one.version, if one.top { "" } else { "*" })).collect();
        assert_eq!(shown.join(", "), expected);
        assert!(is_lock(name));
    }

    #[test]
    fn broken_files_say_why() {
        for (name, text) in [("uv.lock", "["), ("package-lock.json", "{"), ("pnpm-lock.yaml", "a: [")] {
            assert!(!read(name, text).unwrap_err().is_empty());
        }
    }
}
