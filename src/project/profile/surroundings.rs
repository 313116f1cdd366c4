//! Package managers, workspaces, integration, tools: what file names and a few manifests show.

use serde_json::Value;
use tapps_base::toml_text;

use super::ProfileEvidence;
use super::libraries::is_aside;
use crate::files::ProjectFiles;
use crate::validate::yaml;

/// The largest manifest that is read, in bytes.
const MAX: u64 = 4 << 20;

/// File names that show a package manager, the surest first.
const MANAGERS: &[(&str, &str)] = &[
    ("uv.lock", "uv"),
    ("poetry.lock", "poetry"),
    ("pdm.lock", "pdm"),
    ("Pipfile.lock", "pipenv"),
    ("Pipfile", "pipenv"),
    ("pixi.lock", "pixi"),
    ("environment.yml", "conda"),
    ("pnpm-lock.yaml", "pnpm"),
    ("yarn.lock", "yarn"),
    ("bun.lock", "bun"),
    ("bun.lockb", "bun"),
    ("package-lock.json", "npm"),
    ("npm-shrinkwrap.json", "npm"),
    ("deno.lock", "deno"),
    ("Cargo.toml", "cargo"),
    ("go.mod", "go"),
    ("pom.xml", "maven"),
    ("build.gradle", "gradle"),
    ("build.gradle.kts", "gradle"),
    ("flake.nix", "nix"),
];

/// File names that show tools for quality.
const TOOLS: &[(&str, &str)] = &[
    (".pre-commit-config.yaml", "pre-commit"),
    (".ruff.toml", "ruff"),
    ("ruff.toml", "ruff"),
    (".flake8", "flake8"),
    ("mypy.ini", "mypy"),
    (".mypy.ini", "mypy"),
    ("pyrightconfig.json", "pyright"),
    (".pylintrc", "pylint"),
    ("biome.json", "biome"),
    ("biome.jsonc", "biome"),
    ("tsconfig.json", "typescript"),
    ("clippy.toml", "clippy"),
    ("rustfmt.toml", "rustfmt"),
    (".rustfmt.toml", "rustfmt"),
    ("deny.toml", "cargo-deny"),
    (".golangci.yml", "golangci-lint"),
    (".golangci.yaml", "golangci-lint"),
    ("checkstyle.xml", "checkstyle"),
    (".editorconfig", "editorconfig"),
    ("tox.ini", "tox"),
    ("noxfile.py", "nox"),
    ("codecov.yml", "codecov"),
    (".coveragerc", "coverage"),
    ("tapps-mcp.toml", "tapps-mcp"),
];

/// Places that show a system of continuous integration.
const CI: &[(&str, &str)] = &[
    (".github/workflows/", "github-actions"),
    (".gitlab-ci.yml", "gitlab"),
    (".circleci/config.yml", "circleci"),
    ("Jenkinsfile", "jenkins"),
    ("azure-pipelines.yml", "azure-pipelines"),
    (".travis.yml", "travis"),
    ("bitbucket-pipelines.yml", "bitbucket"),
    (".buildkite/", "buildkite"),
    (".drone.yml", "drone"),
    (".woodpecker.yml", "woodpecker"),
    (".woodpecker/", "woodpecker"),
    ("appveyor.yml", "appveyor"),
    (".cirrus.yml", "cirrus"),
    (".forgejo/workflows/", "forgejo"),
    (".gitea/workflows/", "gitea"),
    (".ci/", "scripts"),
];

fn name_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The package managers, those at the root first.
pub(super) fn managers(paths: &[&str]) -> Vec<ProfileEvidence> {
    let mut found: Vec<(usize, usize, ProfileEvidence)> = Vec::new();
    for path in paths.iter().filter(|path| !is_aside(path)) {
        let depth = path.matches('/').count();
        if let Some(at) = MANAGERS.iter().position(|(name, _)| *name == name_of(path)) {
            found.extend(MANAGERS.get(at).map(|(_, manager)| (depth, at, ProfileEvidence::new(*manager, *path))));
        }
    }
    let has = |found: &[(usize, usize, ProfileEvidence)], names: &[&str]| {
        found.iter().any(|(_, _, shown)| names.contains(&shown.name.as_str()))
    };
    // Without a lock file the manifest alone tells the language's own manager.
    let fallback = |file: &str| {
        paths
            .iter()
            .filter(|path| !is_aside(path) && name_of(path).starts_with(file))
            .min_by_key(|path| path.matches('/').count())
    };
    if !has(&found, &["uv", "poetry", "pdm", "pipenv", "pixi", "conda"])
        && let Some(path) =
            fallback("pyproject.toml").or_else(|| fallback("requirements")).or_else(|| fallback("setup."))
    {
        found.push((path.matches('/').count(), MANAGERS.len(), ProfileEvidence::new("pip", *path)));
    }
    if !has(&found, &["pnpm", "yarn", "bun", "npm", "deno"])
        && let Some(path) = fallback("package.json")
    {
        found.push((path.matches('/').count(), MANAGERS.len() + 1, ProfileEvidence::new("npm", *path)));
    }
    found.sort();
    let mut managers: Vec<ProfileEvidence> = Vec::new();
    for (_, _, shown) in found {
        if !managers.iter().any(|known| known.name == shown.name) {
            managers.push(shown);
        }
    }
    managers
}

/// The systems of continuous integration, once each.
pub(super) fn ci(paths: &[&str]) -> Vec<ProfileEvidence> {
    let shows = |path: &str, place: &str| path == place || place.ends_with('/') && path.starts_with(place);
    let one = |(place, name): &(&str, &str)| {
        paths.iter().find(|path| shows(path, place)).map(|path| ProfileEvidence::new(*name, *path))
    };
    CI.iter().filter_map(one).collect()
}

/// The tools for quality, once each.
pub(super) fn tools(files: &ProjectFiles, paths: &[&str]) -> Vec<ProfileEvidence> {
    let mut tools: Vec<ProfileEvidence> = Vec::new();
    let mut add = |name: &str, path: &str| {
        if !tools.iter().any(|known| known.name == name) {
            tools.push(ProfileEvidence::new(name, path));
        }
    };
    for path in paths.iter().filter(|path| !is_aside(path)) {
        let name = name_of(path);
        if let Some((_, tool)) = TOOLS.iter().find(|(known, _)| *known == name) {
            add(tool, path);
        }
        if name.starts_with(".eslintrc") || name.starts_with("eslint.config.") {
            add("eslint", path);
        }
        if name.starts_with(".prettierrc") || name.starts_with("prettier.config.") {
            add("prettier", path);
        }
        if name == "pyproject.toml"
            && let Some(document) = toml_at(files, path)
        {
            const NAMED: [&str; 10] = [
                "basedpyright",
                "bandit",
                "black",
                "coverage",
                "isort",
                "mypy",
                "pylint",
                "pyright",
                "ruff",
                "tapps-mcp",
            ];
            for tool in document.get("tool").and_then(toml::Value::as_table).into_iter().flat_map(toml::Table::keys) {
                if NAMED.contains(&tool.as_str()) {
                    add(tool, path);
                }
            }
        }
        if name == "Cargo.toml" && toml_at(files, path).is_some_and(|document| document.contains_key("lints")) {
            add("cargo-lints", path);
        }
    }
    tools.sort();
    tools
}

/// Members of workspaces, by the manifest that lists them.
pub(super) fn workspaces(files: &ProjectFiles, paths: &[&str]) -> Vec<ProfileEvidence> {
    let mut members = Vec::new();
    for path in paths.iter().filter(|path| !is_aside(path)) {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        let (patterns, manifest) = match name {
            "Cargo.toml" => (of_toml(files, path, &["workspace", "members"]), "Cargo.toml"),
            "pyproject.toml" => (of_toml(files, path, &["tool", "uv", "workspace", "members"]), "pyproject.toml"),
            "package.json" => (of_package(files, path), "package.json"),
            "pnpm-workspace.yaml" => (of_pnpm(files, path), "package.json"),
            "go.work" => (of_go(files, path), "go.mod"),
            _ => continue,
        };
        let (without, with): (Vec<&str>, Vec<&str>) =
            patterns.iter().map(String::as_str).partition(|pattern| pattern.starts_with('!'));
        let Some((with, without)) = globs(folder, &with).zip(globs(folder, &without)) else { continue };
        let folders = paths.iter().filter_map(|path| path.strip_suffix(manifest)?.strip_suffix('/'));
        let is_member = |member: &&str| with.is_match(member) && !without.is_match(member);
        members.extend(folders.filter(is_member).map(|member| ProfileEvidence::new(member, *path)));
    }
    members.sort();
    members.dedup_by(|a, b| a.name == b.name);
    members
}

/// Patterns of members, relative to the folder of the manifest, with or without the mark of those that are left out.
fn globs(folder: &str, patterns: &[&str]) -> Option<globset::GlobSet> {
    let mut set = globset::GlobSetBuilder::new();
    for pattern in patterns {
        let pattern = pattern.trim_start_matches('!').trim_start_matches("./").trim_end_matches('/');
        let below = if folder.is_empty() { pattern.to_owned() } else { format!("{folder}/{pattern}") };
        if let Ok(glob) = globset::GlobBuilder::new(&below).literal_separator(true).build() {
            set.add(glob);
        }
    }
    set.build().ok()
}

fn text_at(files: &ProjectFiles, path: &str) -> Option<String> {
    String::from_utf8(files.read(path, MAX).ok()?).ok()
}

pub(super) fn toml_at(files: &ProjectFiles, path: &str) -> Option<toml::Table> {
    toml_text::parse_table(&text_at(files, path)?).ok()
}

pub(super) fn json_at(files: &ProjectFiles, path: &str) -> Option<Value> {
    serde_json::from_str(&text_at(files, path)?).ok()
}

fn of_toml(files: &ProjectFiles, path: &str, keys: &[&str]) -> Vec<String> {
    let Some(document) = toml_at(files, path) else { return Vec::new() };
    let whole = toml::Value::Table(document);
    let list = keys.iter().try_fold(&whole, |value, key| value.get(key)).and_then(toml::Value::as_array);
    list.into_iter().flatten().filter_map(toml::Value::as_str).map(str::to_owned).collect()
}

fn of_package(files: &ProjectFiles, path: &str) -> Vec<String> {
    let Some(document) = json_at(files, path) else { return Vec::new() };
    let list =
        document.get("workspaces").and_then(|list| list.get("packages").or(Some(list))).and_then(Value::as_array);
    list.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

fn of_pnpm(files: &ProjectFiles, path: &str) -> Vec<String> {
    let root = text_at(files, path).and_then(|text| yaml::parse_yaml_document(&text).ok());
    let list = root.as_ref().and_then(|root| root.get("packages")).map(yaml::YamlNode::items).unwrap_or_default();
    list.iter().filter_map(|item| item.text()).map(str::to_owned).collect()
}

fn of_go(files: &ProjectFiles, path: &str) -> Vec<String> {
    let text = text_at(files, path).unwrap_or_default();
    let words = text.lines().map(|line| line.trim().trim_start_matches("use").trim());
    words.filter(|word| word.starts_with("./")).map(str::to_owned).collect()
}
