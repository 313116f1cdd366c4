//! Which files decide what is found and what passes.

use crate::own::TOOLS_FOLDER;
use tapps_patterns::is_rule_file;
use tapps_toolchain::own::FILE;

/// What a file decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PolicyFile {
    /// This program's own settings.
    Own,
    /// Tables for tools among much else.
    Pyproject,
    /// The same in `package.json`.
    PackageJson,
    /// Sections for tools among much else.
    Sections,
    /// The lock of the project's own tools, or the description of one.
    OwnTools,
    /// A tool's own file.
    Rules,
    /// Where the gate is called, when it is: jobs and hooks.
    Caller,
    /// Findings that are forgiven; only the one that a request names.
    Baseline,
}

/// Files at the project's root that are read for the settings of this program and for those of the linters.
const ROOT: &[(&str, PolicyFile)] = &[
    ("tapps-mcp.toml", PolicyFile::Own),
    (FILE, PolicyFile::OwnTools),
    ("pyproject.toml", PolicyFile::Pyproject),
    ("ruff.toml", PolicyFile::Rules),
    (".ruff.toml", PolicyFile::Rules),
    ("mypy.ini", PolicyFile::Rules),
    (".mypy.ini", PolicyFile::Rules),
    ("setup.cfg", PolicyFile::Sections),
];

/// Files that only other checkers read, in whatever folder they are.
const OTHERS: &[&str] = &[
    ".bandit",
    ".coveragerc",
    ".flake8",
    ".oxlintrc.json",
    ".pylintrc",
    "biome.json",
    "biome.jsonc",
    "mypy.ini",
    "pylintrc",
    "pyrightconfig.json",
    "pytest.ini",
    "ruff.toml",
    ".ruff.toml",
    "sonar-project.properties",
];

/// Beginnings of the names of files that only other checkers read.
const BEGINNINGS: &[&str] =
    &[".eslintrc", "eslint.config.", "jest.config.", "tsconfig", "vitest.config.", ".c8rc", ".nycrc"];

/// Folders and files in which jobs and hooks are described.
const CALLERS: &[&str] = &[
    ".azure-pipelines",
    ".circleci/",
    ".claude/",
    ".codex/",
    ".cursor/",
    ".gemini/",
    ".github/",
    ".gitlab-ci",
    ".husky/",
    ".mcp.json",
    ".opencode/",
    ".pre-commit-config.yaml",
    ".vscode/",
    ".windsurf/",
    "Jenkinsfile",
    "Justfile",
    "Makefile",
    "azure-pipelines",
    "bitbucket-pipelines",
    "justfile",
    "lefthook",
    "noxfile.py",
    "tox.ini",
];

/// True for the files of the project that decide what is found.
pub(super) fn is_root_file(path: &str) -> bool {
    ROOT.iter().any(|(name, _)| *name == path) || is_description(path)
}

/// Descriptions of the project's own tools, and the settings beside them.
fn is_description(path: &str) -> bool {
    let name = path.strip_prefix(TOOLS_FOLDER).and_then(|rest| rest.strip_prefix('/'));
    name.is_some_and(|name| !name.contains('/'))
}

/// What a file of the repository decides; none when it decides nothing.
pub(super) fn policy_file(path: &str, prefix: &str) -> Option<PolicyFile> {
    let inside = path.strip_prefix(prefix);
    if let Some((_, kind)) = ROOT.iter().find(|(name, _)| inside == Some(*name)) {
        return Some(*kind);
    }
    if inside.is_some_and(is_rule_file) {
        return Some(PolicyFile::Rules);
    }
    if inside.is_some_and(is_description) {
        return Some(PolicyFile::OwnTools);
    }
    let name = path.rsplit('/').next().unwrap_or(path);
    if OTHERS.contains(&name) || BEGINNINGS.iter().any(|beginning| name.starts_with(beginning)) {
        return Some(PolicyFile::Rules);
    }
    let places = [Some(path), inside];
    let calls = |place: &str| CALLERS.iter().any(|caller| place.starts_with(caller));
    match name {
        // A member of a monorepo may ask for more than the root does.
        "tapps-mcp.toml" if inside.is_some() => Some(PolicyFile::Own),
        "pyproject.toml" if inside.is_some() => Some(PolicyFile::Pyproject),
        "package.json" => Some(PolicyFile::PackageJson),
        _ if places.into_iter().flatten().any(calls) => Some(PolicyFile::Caller),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_known_by_their_place() {
        for (path, expected) in [
            ("app/tapps-mcp.toml", Some(PolicyFile::Own)),
            ("tapps-mcp.toml", None),
            ("app/tapps-mcp.lock", Some(PolicyFile::OwnTools)),
            ("app/.tapps-mcp/tools/yamllint.toml", Some(PolicyFile::OwnTools)),
            ("app/.tapps-mcp/tools/semgrep.yml", Some(PolicyFile::OwnTools)),
            ("app/.tapps-mcp/notes.toml", None),
            ("app/pyproject.toml", Some(PolicyFile::Pyproject)),
            ("app/member/tapps-mcp.toml", Some(PolicyFile::Own)),
            ("app/member/pyproject.toml", Some(PolicyFile::Pyproject)),
            ("app/setup.cfg", Some(PolicyFile::Sections)),
            ("app/sub/ruff.toml", Some(PolicyFile::Rules)),
            (".github/workflows/checks.yml", Some(PolicyFile::Caller)),
            ("app/.claude/settings.json", Some(PolicyFile::Caller)),
            ("app/package.json", Some(PolicyFile::PackageJson)),
            ("app/tsconfig.build.json", Some(PolicyFile::Rules)),
            ("app/.tapps-mcp/rules/house.yml", Some(PolicyFile::Rules)),
            (".tapps-mcp/rules/house.yml", None),
            ("app/README.md", None),
        ] {
            assert_eq!(policy_file(path, "app/"), expected, "{path}");
        }
    }
}
