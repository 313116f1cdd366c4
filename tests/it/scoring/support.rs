//! A project in a temporary folder and the engine over it.

use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use tapps_base::call::Call;
use tapps_base::{Error, Result};
use tapps_config::Config;
use tapps_quality::cache::AnswerCache;
use tapps_quality::change::ChangeRequest;
use tapps_quality::change::report::ChangeReport;
use tapps_quality::engine::Engine;
use tapps_quality::inputs::InputScope;
use tapps_quality::requests::{GateRequest, ScoreRequest};
use tapps_quality::result::{AnalysisMode, FileScore, GateReport, ScoreReport};
use tapps_sandbox::Boundary;
use tapps_store::EntryStore;
use tapps_toolchain::Provider;

use crate::toolchain_support;

/// One runtime for all tests of the theme: the provider lives in it.
static RUNTIME: LazyLock<tokio::runtime::Runtime> =
    LazyLock::new(|| tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap());

static PROVIDER: LazyLock<Provider> = LazyLock::new(|| {
    let _in = RUNTIME.enter();
    Provider::new(toolchain_support::settings())
});

pub(crate) struct Project {
    folder: Option<tempfile::TempDir>,
    root: PathBuf,
    engine: Engine,
}

impl Project {
    /// A fresh project with these files.
    pub(crate) fn of(files: &[(&str, &[u8])]) -> Self {
        let folder = toolchain_support::folder();
        for (path, bytes) in files {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, bytes).unwrap();
        }
        let root = folder.path().to_owned();
        let engine = engine(&root, Config::default(), PROVIDER.clone());
        Self { folder: Some(folder), root, engine }
    }

    /// A folder that is there already.
    pub(crate) fn at(root: &Path) -> Self {
        Self { folder: None, root: root.to_owned(), engine: engine(root, Config::default(), PROVIDER.clone()) }
    }

    pub(crate) fn with(self, config: Config) -> Self {
        self.with_config_and_provider(config, PROVIDER.clone())
    }

    pub(crate) fn with_provider(self, provider: Provider) -> Self {
        self.with_config_and_provider(Config::default(), provider)
    }

    pub(crate) fn with_config_and_provider(mut self, config: Config, provider: Provider) -> Self {
        self.engine = engine(&self.root, config, provider);
        self
    }

    /// Takes answers from this cache, and keeps them there.
    #[cfg(feature = "remote-cache")]
    pub(crate) fn with_cache(mut self, cache: AnswerCache) -> Self {
        self.engine = self.engine.with_answer_cache(cache);
        self
    }

    /// Takes answers from a cache in `folder`, and keeps them there.
    pub(crate) fn caching(mut self, folder: &Path) -> Self {
        let store = Arc::new(EntryStore::new(folder, 64 << 20));
        self.engine = self.engine.with_answer_cache(AnswerCache::with_store(store));
        self
    }

    pub(crate) fn root(&self) -> &Path {
        assert!(self.folder.is_some() || self.root.exists());
        &self.root
    }

    pub(crate) fn path(&self, file: &str) -> PathBuf {
        self.root.join(file)
    }

    pub(crate) fn write(&self, file: &str, bytes: &[u8]) {
        std::fs::create_dir_all(self.path(file).parent().unwrap()).unwrap();
        std::fs::write(self.path(file), bytes).unwrap();
    }

    pub(crate) fn scores(&self, paths: &[&str], mode: AnalysisMode) -> Result<ScoreReport> {
        let paths = paths.iter().map(|&path| path.to_owned()).collect();
        let request = ScoreRequest { paths, mode, categories: None, scope: InputScope::Code };
        RUNTIME.block_on(self.engine.score(&request, &call()))
    }

    pub(crate) fn try_score(&self, file: &str, mode: AnalysisMode) -> Result<FileScore> {
        self.scores(&[file], mode)?.files.pop().ok_or_else(|| Error::internal("no file"))
    }

    pub(crate) fn full(&self, file: &str) -> FileScore {
        self.try_score(file, AnalysisMode::Full).unwrap()
    }

    pub(crate) fn quick(&self, file: &str) -> FileScore {
        self.try_score(file, AnalysisMode::Quick).unwrap()
    }

    pub(crate) fn gate(&self, paths: &[&str]) -> GateReport {
        let paths = paths.iter().map(|&path| path.to_owned()).collect();
        self.gate_by(GateRequest { paths, ..GateRequest::default() }).unwrap()
    }

    pub(crate) fn gate_by(&self, request: GateRequest) -> Result<GateReport> {
        RUNTIME.block_on(self.engine.gate(&request, &call()))
    }

    pub(crate) fn judge(&self, request: &ChangeRequest) -> Result<ChangeReport> {
        RUNTIME.block_on(self.engine.judge_change(request, &call()))
    }

    pub(crate) fn engine(&self) -> &Engine {
        &self.engine
    }
}

pub(crate) fn block_on<T>(work: impl Future<Output = T>) -> T {
    RUNTIME.block_on(work)
}

pub(crate) fn runtime() -> tokio::runtime::EnterGuard<'static> {
    RUNTIME.enter()
}

pub(crate) fn call() -> Call {
    Call::quiet(Duration::from_secs(600))
}

fn engine(root: &Path, config: Config, provider: Provider) -> Engine {
    let cache = provider.settings().cache_dir.clone();
    Engine::new(Arc::new(Boundary::open(root).unwrap()), Arc::new(config), provider, cache)
}

/// The rules of a result's blocking findings.
pub(crate) fn blocking(score: &FileScore) -> Vec<&str> {
    score.blocking.iter().map(|blocking| blocking.rule.as_str()).collect()
}

/// A result as canonical JSON without the one part that may hold clock values.
pub(crate) fn canonical(value: &impl serde::Serialize) -> String {
    let mut value = serde_json::to_value(value).unwrap();
    strip_meta(&mut value);
    tapps_base::digest::canonical_json(&value).unwrap()
}

/// Takes away what tells of the run instead of the project.
pub(crate) fn strip_meta(value: &mut serde_json::Value) {
    match value {
        serde_json::Value::Object(map) => {
            map.remove("meta");
            map.values_mut().for_each(strip_meta);
        }
        serde_json::Value::Array(list) => list.iter_mut().for_each(strip_meta),
        _ => {}
    }
}

/// A small, well-kept project: nothing in it costs much, so that a test sees what its own file costs.
pub(crate) const CLEAN: &[(&str, &[u8])] = &[
    ("pyproject.toml", b"[project]\nname = \"shop\"\nversion = \"1.0\"\nrequires-python = \">=3.11\"\n\n[tool.ruff]\nline-length = 100\n\n[tool.mypy]\nstrict = true\n"),
    ("README.md", b"# shop\n"),
    ("shop/__init__.py", b""),
    ("shop/prices.py", b"\"\"\"Prices.\"\"\"\n\n\ndef total(prices: list[int], discount: int = 0) -> int:\n    \"\"\"The sum of all prices less a discount.\"\"\"\n    return sum(prices) - discount\n"),
    ("tests/test_prices.py", b"from shop.prices import total\n\n\ndef test_total():\n    assert total([1, 2], 1) == 2\n"),
];
