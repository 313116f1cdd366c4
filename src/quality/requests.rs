//! What can be asked of the engine: a score, a verdict, a mended file, a security scan.

use std::collections::BTreeSet;

use rayon::prelude::*;

use crate::assemble::{assemble_file_score, assemble_text};
use crate::baseline::Baseline;
use crate::cache::Texts;
use crate::change::ChangeBase;
use crate::engine::{AnalysisPlan, Engine, Measurements};
use crate::gate::{Demands, judge_file};
use crate::inputs::{InputScope, Inputs, expand_inputs};
use crate::measured::FileMeasurements;
use crate::own::OwnAnswer;
use crate::result::{AnalysisMode, FileGate, FileScore, GateReport, Meta, ResultStamp, ScoreReport, Skipped};
use crate::shard::Shard;
use crate::threads::run_off_async_threads;
use crate::weights::round6;
use tapps_base::call::Call;
use tapps_base::finding::{Category, Finding};
use tapps_base::source::Source;
use tapps_base::{Error, ErrorCode, Result};
use tapps_config::Gate;
use tapps_sandbox::ProjectPath;
use tapps_security::secrets;

/// Ask for scores.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScoreRequest {
    /// Files and folders, relative to the project root or absolute inside it.
    pub paths: Vec<String>,
    pub mode: AnalysisMode,
    /// None means all seven.
    pub categories: Option<Vec<Category>>,
    /// What may be named.
    pub scope: InputScope,
}

/// Ask for a verdict.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GateRequest {
    /// Files and folders; with `changed`, only what changed among them (empty: all of the project).
    pub paths: Vec<String>,
    /// None means the configured preset.
    pub preset: Option<String>,
    /// Only files that differ from this are judged, each as a whole.
    pub changed: Option<ChangeBase>,
    /// A baseline file inside the project: what it knows does not count.
    pub baseline: Option<String>,
    pub require_verified: bool,
    pub require_coverage: bool,
    /// Only the files of this share are judged.
    pub shard: Option<Shard>,
    /// The verdict must be the same everywhere: what was learned in this project does not enter it.
    pub reproducible: bool,
}

impl GateRequest {
    /// Whether the verdict must be the same everywhere: by the request, by its preset, or because it is to be compared
    /// with the verdicts of other machines.
    #[must_use]
    pub fn is_reproducible(&self, gate: &Gate) -> bool {
        self.reproducible || gate.reproducible || self.require_verified || self.shard.is_some()
    }
}

/// Text files in which somebody has looked for something.
struct ScannedTexts {
    texts: Vec<ScannedText>,
    unread: Vec<Skipped>,
}

struct ScannedText {
    source: Source,
    /// Secrets.
    found: Vec<Finding>,
    /// What the project's own tools say.
    own: Vec<OwnAnswer>,
}

impl Engine {
    /// Scores files.
    ///
    /// # Errors
    /// For the paths as [`expand_inputs`]; `toolchain_mismatch`, `timeout`, `cancelled`. A tool that is missing or fails is no
    /// error: the result says what was not measured.
    pub async fn score(&self, request: &ScoreRequest, call: &Call) -> Result<ScoreReport> {
        let started = std::time::Instant::now();
        let inputs = self.expand(request.paths.clone(), request.scope).await?;
        let plan = AnalysisPlan {
            mode: request.mode,
            wanted: request.categories.clone().unwrap_or_else(|| Category::ALL.to_vec()),
            lint: true,
            secrets: true,
            reproducible: false,
        };
        let lenient = inputs.code.len() > 1;
        let (sources, unread) = self.read_sources(&inputs.code, lenient).await?;
        let measured = self.measure(sources, &plan, call).await?;
        let configuration = measured.frame.configuration.clone();
        let files: Vec<FileScore> = run_off_async_threads(move || {
            let Measurements { files, frame, .. } = measured;
            files.par_iter().map(|file| assemble_file_score(file, &frame, None)).collect()
        })
        .await?;
        let scores: Vec<f64> = files.iter().filter_map(|file| file.overall).collect();
        #[expect(clippy::cast_precision_loss, reason = "file counts are far below 2^52")]
        let mean = (!scores.is_empty()).then(|| round6(scores.iter().sum::<f64>() / scores.len() as f64));
        let skipped = merge_skipped(inputs.skipped, unread);
        Ok(ScoreReport { total: files.len(), mean, files, skipped, configuration, meta: elapsed_since(started) })
    }

    /// Judges files. Text files of other languages are judged by their secrets alone and are listed when they fail.
    ///
    /// # Errors
    /// As [`Engine::score`]; besides `invalid_argument` for an unknown preset or revision and `config_error` for an
    /// unreadable baseline.
    pub async fn gate(&self, request: &GateRequest, call: &Call) -> Result<GateReport> {
        let started = std::time::Instant::now();
        let gate = self.config.gate(request.preset.as_deref())?;
        let baseline = self.load_baseline(request.baseline.as_deref()).await?;
        let mut inputs = self.gate_inputs(request, call).await?;
        let plan = AnalysisPlan {
            mode: AnalysisMode::Full,
            wanted: Category::ALL.to_vec(),
            lint: true,
            secrets: true,
            reproducible: request.is_reproducible(&gate),
        };
        let lenient = inputs.code.len() + inputs.text.len() > 1;
        let lenient_text = inputs.text.len() > 1;
        if let Some(shard) = request.shard {
            inputs.code.retain(|path| shard.holds(path.as_str()));
            inputs.text.retain(|path| shard.holds(path.as_str()));
        }
        let (sources, unread) = self.read_sources(&inputs.code, lenient).await?;
        let explicit: BTreeSet<&str> = request.paths.iter().map(String::as_str).collect();
        let scan = async |all| self.scan_texts(&inputs.text, lenient_text, all, (&explicit, &plan), call).await;
        let (measured, scanned) = self.measure_beside(sources, &plan, call, async |_| scan(false).await).await?;
        let demands = Demands {
            verified: request.require_verified,
            coverage: request.require_coverage || self.config.coverage.require,
        };
        let frame = measured.frame.clone();
        let weights = frame.weights.clone();
        let (mut files, mut baseline) = self.verdicts(measured, baseline, &gate, demands).await?;
        // Where text without secrets fails as well, it is listed and so has to be read.
        let all_fail = demands.verified && !frame.stamp.verified;
        let ScannedTexts { texts, unread: unread_text } = if all_fail { scan(true).await? } else { scanned };
        let texts = texts.into_iter().map(|ScannedText { source, found, own }| {
            let scored = assemble_text(&source, (found, &own), &frame, baseline.as_mut());
            judge_file(scored, None, &gate, demands, &weights)
        });
        files.extend(texts.filter(|text| !text.passed || explicit.contains(text.file.as_str())));
        files.sort_by(|a, b| a.file.cmp(&b.file));
        let failed = files.iter().filter(|file| !file.passed).count();
        let mut skipped = merge_skipped(inputs.skipped, unread);
        skipped = merge_skipped(skipped, unread_text);
        Ok(GateReport {
            passed: failed == 0,
            preset: gate.preset.clone(),
            total: files.len(),
            failed,
            skipped,
            toolchain: frame.stamp.of_results(files.iter().map(|file| &file.result.toolchain)),
            config_digest: frame.config_digest,
            configuration: frame.configuration,
            files,
            meta: elapsed_since(started),
        })
    }

    /// The verdicts on measured files. A baseline forgives so many findings of a kind and no more, so with one the files
    /// are judged one after the other.
    async fn verdicts(
        &self,
        measured: Measurements,
        mut baseline: Option<Baseline>,
        gate: &Gate,
        demands: Demands,
    ) -> Result<(Vec<FileGate>, Option<Baseline>)> {
        let (gate, weights) = (gate.clone(), measured.frame.weights.clone());
        run_off_async_threads(move || {
            let Measurements { files, frame, .. } = measured;
            let verdict = |file: &FileMeasurements, known: Option<&mut Baseline>| {
                judge_file(assemble_file_score(file, &frame, known), file.source.text(), &gate, demands, &weights)
            };
            let verdicts = match &mut baseline {
                None => files.par_iter().map(|file| verdict(file, None)).collect(),
                Some(known) => files.iter().map(|file| verdict(file, Some(known))).collect(),
            };
            (verdicts, baseline)
        })
        .await
    }

    /// What is found in text files. Those that are known to be clean are left out, unless they are `explicit` or `all` are
    /// wanted.
    async fn scan_texts(
        &self,
        paths: &[ProjectPath],
        lenient: bool,
        all: bool,
        (explicit, plan): (&BTreeSet<&str>, &AnalysisPlan),
        call: &Call,
    ) -> Result<ScannedTexts> {
        // What is known to be free of secrets may still be read by a tool of the project's own.
        let own = self.own_tools().await?;
        let (wanted, others): (Vec<ProjectPath>, Vec<ProjectPath>) = paths
            .iter()
            .cloned()
            .partition(|path| all || explicit.contains(path.as_str()) || own.read_file(path.as_str()));
        let (cache, root, max) =
            (self.answers.clone(), self.boundary.root().to_owned(), self.config.limits.max_file_bytes);
        let looked = run_off_async_threads(move || Texts::look_up(&cache, &root, &others, max)).await?;
        let mut unknown = looked.unknown.clone();
        unknown.extend(wanted);
        unknown.sort();
        let (sources, unread) = self.read_sources(&unknown, lenient).await?;
        let said = self.ask_own_tools_about_texts(&sources, plan, call).await?;
        let cache = self.answers.clone();
        let scanned: Vec<(Vec<Finding>, Source)> = run_off_async_threads(move || {
            let scanned: Vec<(Vec<Finding>, Source)> =
                sources.into_par_iter().map(|source| (secrets::scan_for_secrets(&source), source)).collect();
            looked.store_clean_texts(
                &cache,
                scanned.iter().filter(|(found, _)| found.is_empty()).map(|(_, source)| source.path()),
            );
            scanned
        })
        .await?;
        let with_own = |(found, source): (Vec<Finding>, Source)| {
            let own = said.get(source.path()).cloned().unwrap_or_default();
            ScannedText { source, found, own }
        };
        Ok(ScannedTexts { texts: scanned.into_iter().map(with_own).collect(), unread })
    }

    async fn expand(&self, paths: Vec<String>, scope: InputScope) -> Result<Inputs> {
        let (boundary, config) = (self.boundary.clone(), self.config.clone());
        run_off_async_threads(move || expand_inputs(&boundary, &config, &paths, scope)).await?
    }

    /// The files a gate is about.
    async fn gate_inputs(&self, request: &GateRequest, call: &Call) -> Result<Inputs> {
        let Some(base) = &request.changed else {
            return self.expand(request.paths.clone(), InputScope::CodeAndText).await;
        };
        let changed = self.files_changed_since(base, call).await?;
        if changed.is_empty() {
            return Ok(Inputs::default());
        }
        let mut inputs = self.expand(changed, InputScope::CodeAndText).await?;
        if !request.paths.is_empty() {
            let asked = self.expand(request.paths.clone(), InputScope::CodeAndText).await?;
            inputs.code.retain(|path| asked.code.contains(path));
            inputs.text.retain(|path| asked.text.contains(path));
        }
        Ok(inputs)
    }

    async fn load_baseline(&self, path: Option<&str>) -> Result<Option<Baseline>> {
        let Some(path) = path else { return Ok(None) };
        let path = self.boundary.resolve(path)?;
        let (mut sources, _) = self.read_sources(&[path], false).await?;
        let source: Source = sources.pop().ok_or_else(|| Error::internal("a file was read and lost"))?;
        let text = source.text().ok_or_else(|| {
            Error::new(ErrorCode::ConfigError, format!("the baseline {} is not UTF-8", source.path()))
        })?;
        Baseline::parse(text).map(Some)
    }
}

fn merge_skipped(mut first: Vec<Skipped>, second: Vec<Skipped>) -> Vec<Skipped> {
    first.extend(second);
    first.sort();
    first
}

/// The time since `started`, for the one place where clock values may stand.
pub(super) fn elapsed_since(started: std::time::Instant) -> Meta {
    Meta { elapsed_ms: u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX), ..Meta::default() }
}

/// The stamp of results that were made without any tool.
#[must_use]
pub fn no_tools() -> ResultStamp {
    ResultStamp { fingerprint: "none".to_owned(), verified: false, interpreter: None, types: None }
}
