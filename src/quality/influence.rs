//! What can change a verdict on some files besides the files themselves.

use std::collections::BTreeMap;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::cache::AnswerCache;
use crate::engine::Engine;
use crate::threads::run_off_async_threads;
use tapps_base::Result;
use tapps_base::call::Call;
use tapps_base::language::ScoredLanguage;
use tapps_coderef::engine::is_scan_input;

/// Files that configure this program, or the tools where the project's own rules are followed, or how coverage is read.
const CONFIGURATION: [&str; 11] = [
    ".coveragerc",
    ".mypy.ini",
    ".ruff.toml",
    "mypy.ini",
    "package.json",
    "pyproject.toml",
    "requirements.txt",
    "ruff.toml",
    "setup.cfg",
    "tapps-mcp.toml",
    "tox.ini",
];

/// Why a file has a say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum InfluenceRole {
    /// It holds settings.
    Configuration,
    /// It holds coverage data.
    Coverage,
    /// That it is there shows something about the project, such as a README or a lock file.
    Evidence,
    /// Code that imports may lead to, tests among it.
    Module,
}

/// A file that has a say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Influence {
    /// Project-relative path with forward slashes.
    pub path: String,
    pub role: InfluenceRole,
    pub sha256: String,
}

impl Engine {
    /// Every file of the project that can change a verdict, sorted by path. Baselines are named by who asks.
    ///
    /// # Errors
    /// When the project root or one of the files cannot be read; `cancelled`, `timeout`.
    pub async fn influences(&self, call: &Call) -> Result<Vec<Influence>> {
        let (index, modules, config) =
            (Arc::clone(&self.project), Arc::clone(&self.python_files), Arc::clone(&self.config));
        let scripts = Arc::clone(self.scripts(true));
        let (boundary, most) = (self.boundary.clone(), self.config.limits.max_file_bytes);
        let listing = run_off_async_threads(move || -> Result<Vec<Influence>> {
            let snapshot = index.snapshot(&config.coverage.files)?;
            let mut roles: BTreeMap<String, InfluenceRole> = BTreeMap::new();
            let evidence = snapshot.facts().evidence_paths().map(|path| (path.to_owned(), InfluenceRole::Evidence));
            roles.extend(evidence);
            for path in index.paths()? {
                let role = role_of_name(&path).or_else(|| {
                    let counts = !config.architecture.contracts.is_empty() && is_scan_input(&path);
                    counts.then_some(InfluenceRole::Module)
                });
                roles.extend(role.map(|role| (path, role)));
            }
            // Ignored files are no part of the project, and imports find them all the same.
            let python = modules.take_snapshot(&AnswerCache::disabled());
            roles.extend(python.iter().flat_map(|files| files.paths()).map(|path| (path, InfluenceRole::Module)));
            // Nothing that is installed has a say in what is attested; scripts and their data have.
            let script = scripts.take_snapshot(&AnswerCache::disabled());
            for path in script.iter().flat_map(|files| files.paths()) {
                roles.entry(path).or_insert(InfluenceRole::Module);
            }
            let mut found = Vec::new();
            for origin in snapshot.coverage().origins() {
                roles.remove(&origin.path);
                let (path, sha256) = (origin.path.clone(), origin.sha256.clone());
                found.push(Influence { path, role: InfluenceRole::Coverage, sha256 });
            }
            for (path, role) in roles {
                // One that is too large to be judged is none that anything was read from.
                let Ok(sha256) = boundary.resolve(&path).and_then(|path| boundary.sha256(&path, most)) else {
                    continue;
                };
                found.push(Influence { path, role, sha256 });
            }
            found.sort_by(|a, b| a.path.cmp(&b.path));
            Ok(found)
        });
        call.within(listing).await?
    }
}

/// What the name of a file shows about it.
fn role_of_name(path: &str) -> Option<InfluenceRole> {
    let name = path.rsplit('/').next().unwrap_or(path);
    if CONFIGURATION.contains(&name) {
        return Some(InfluenceRole::Configuration);
    }
    (name.ends_with(".pyi") || ScoredLanguage::of_path(path).is_some()).then_some(InfluenceRole::Module)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_shows_settings_and_code() {
        for (path, role) in [
            ("a/b.py", Some(InfluenceRole::Module)),
            ("a/b.pyi", Some(InfluenceRole::Module)),
            ("web/app.tsx", Some(InfluenceRole::Module)),
            ("pyproject.toml", Some(InfluenceRole::Configuration)),
            ("sub/setup.cfg", Some(InfluenceRole::Configuration)),
            ("notes.md", None),
        ] {
            assert_eq!(role_of_name(path), role, "{path}");
        }
    }
}
