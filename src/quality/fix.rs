//! Applying the safe fixes of ruff and oxlint to one file.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::analyzer::{oxlint, ruff};
use crate::engine::Engine;
use crate::inputs::{InputScope, unsupported_language_error};
use crate::project_rules::ProjectRules;
use crate::requests::{ScoreRequest, elapsed_since};
use crate::result::{AnalysisMode, FileScore, Meta};
use crate::stage::Stage;
use crate::threads::run_off_async_threads;
use tapps_base::call::Call;
use tapps_base::digest;
use tapps_base::language::{Analyzers, ScoredLanguage};
use tapps_base::source::Source;
use tapps_base::{Error, ErrorCode, Result};
use tapps_rules::{python, script};
use tapps_sandbox::ProjectPath;
use tapps_toolchain::{Ending, Finished, Invocation, Program};

/// What fixing did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FixReport {
    pub file: String,
    /// How many findings were mended, by the tool's own count.
    pub fixes_applied: u32,
    pub before_sha256: String,
    /// Equal to `before_sha256` when nothing was fixed; the file was then not written.
    pub after_sha256: String,
    /// The quick score of the file as it is now.
    pub score: FileScore,
    pub meta: Meta,
}

/// Who fixes a file.
#[derive(Debug, Clone, Copy)]
enum Linter {
    Ruff,
    Oxlint,
}

impl Linter {
    fn of_language(language: ScoredLanguage) -> Option<Self> {
        match language.analyzers() {
            Analyzers::Python => Some(Self::Ruff),
            Analyzers::Script => Some(Self::Oxlint),
            Analyzers::Go | Analyzers::Rust | Analyzers::Java | Analyzers::C | Analyzers::Shell => None,
        }
    }
}

/// What a linter would make of a file.
struct ProposedFix {
    source: Source,
    fixed: Source,
    /// How many findings that mends.
    count: u32,
    linter: Linter,
}

impl Engine {
    /// Applies the fixes that cannot change behaviour and writes the file in one step.
    ///
    /// # Errors
    /// `unsupported_language` for a language that is not scored, `invalid_argument` for a file that does not parse,
    /// `tool_unavailable` without the tool, `path_denied` or `internal` when the file changed meanwhile or cannot be written.
    pub async fn fix(&self, path: &str, call: &Call) -> Result<FixReport> {
        let started = std::time::Instant::now();
        let path = self.boundary.resolve(path)?;
        let ProposedFix { source, fixed, count, linter } = self.propose_fix(&path, call).await?;
        let before_sha256 = source.sha256();
        let (fixes_applied, after_sha256) = if fixed.bytes() == source.bytes() {
            (0, before_sha256.clone())
        } else {
            self.must_parse(&fixed, linter, "would not parse after fixing and was left alone")?;
            let (boundary, bytes, expected) = (self.boundary.clone(), fixed.bytes().to_vec(), before_sha256.clone());
            run_off_async_threads(move || boundary.write_atomic(&path, &bytes, Some(&expected))).await??;
            (count, digest::sha256(fixed.bytes()))
        };
        let request = ScoreRequest {
            paths: vec![source.path().to_owned()],
            mode: AnalysisMode::Quick,
            categories: None,
            scope: InputScope::OneFile,
        };
        let score = self
            .score(&request, call)
            .await?
            .files
            .pop()
            .ok_or_else(|| Error::internal("a file was scored and lost"))?;
        let file = source.path().to_owned();
        Ok(FixReport { file, fixes_applied, before_sha256, after_sha256, score, meta: elapsed_since(started) })
    }

    /// The text that a file would have with the fixes that cannot change behaviour; nothing is written.
    ///
    /// # Errors
    /// As [`Engine::fix`], but for what writing says.
    pub async fn fixed_text(&self, path: &str, call: &Call) -> Result<String> {
        let path = self.boundary.resolve(path)?;
        let ProposedFix { fixed, linter, .. } = self.propose_fix(&path, call).await?;
        self.must_parse(&fixed, linter, "would not parse after fixing")?;
        Ok(String::from_utf8_lossy(fixed.bytes()).into_owned())
    }

    /// A file, and what its linter makes of it.
    async fn propose_fix(&self, path: &ProjectPath, call: &Call) -> Result<ProposedFix> {
        let linter = ScoredLanguage::of_path(path.as_str()).and_then(Linter::of_language).ok_or_else(|| {
            unsupported_language_error(path).hint("only Python, TypeScript and JavaScript files can be fixed")
        })?;
        let (mut sources, _) = self.read_sources(std::slice::from_ref(path), false).await?;
        let source = sources.pop().ok_or_else(|| Error::internal("a file was read and lost"))?;
        self.must_parse(&source, linter, "cannot be fixed")?;
        match linter {
            Linter::Ruff => self.run_ruff_fix(source, call).await,
            Linter::Oxlint => self.run_oxlint_fix(source, call).await,
        }
    }

    /// oxlint's fixes that keep the behaviour. It writes the file it is told of, which is a copy.
    async fn run_oxlint_fix(&self, source: Source, call: &Call) -> Result<ProposedFix> {
        let toolchain = self.toolchain().wait_until_ready(call).await?;
        let stage = Stage::new(toolchain.private_folder()?, &[&source])?;
        let configuration = stage.write_configuration("oxlint-fixes.json", &oxlint::fix_configuration_text())?;
        let (mut first, mut left) = (None, usize::MAX);
        // Of fixes that touch each other one run applies the first, so it is run until nothing more is mended.
        loop {
            let arguments = oxlint::fix_arguments(&configuration, first.is_some(), source.path());
            let invocation = Invocation::new(Program::Oxlint).args(arguments).cwd(stage.tree());
            let finished = fixed_to_the_end("oxlint", &source, toolchain.run(invocation, call).await?)?;
            let found: usize = oxlint::parse_oxlint_output(&finished.stdout, &[&source])?
                .values()
                .map(|report| report.findings.len())
                .sum();
            let before = *first.get_or_insert(found);
            if found == 0 || found >= left {
                left = found.min(before);
                break;
            }
            left = found;
        }
        let count = u32::try_from(first.unwrap_or_default() - left).unwrap_or(u32::MAX);
        let bytes = std::fs::read(stage.path_of(source.path()))
            .map_err(|e| Error::io(format_args!("cannot read the fixed copy of {}", source.path()), &e))?;
        let fixed = Source::new(source.path(), bytes);
        Ok(ProposedFix { source, fixed, count, linter: Linter::Oxlint })
    }

    /// ruff's fixes by the rules that a check of this file would follow.
    async fn run_ruff_fix(&self, source: Source, call: &Call) -> Result<ProposedFix> {
        let (boundary, config) = (Arc::clone(&self.boundary), Arc::clone(&self.config));
        let rules = run_off_async_threads(move || ProjectRules::read_project_rules(&boundary, &config)).await??;
        let toolchain = self.toolchain().wait_until_ready(call).await?;
        let stage = Stage::new(toolchain.private_folder()?, &[])?;
        let configuration =
            rules.ruff.as_ref().map(|own| stage.write_configuration("project-ruff.toml", own)).transpose()?;
        let target = format!("py3{}", self.config.python.version.minor());
        let arguments = ruff::fix_arguments(&target, configuration.as_deref(), source.path());
        let invocation =
            Invocation::new(Program::Ruff).args(arguments).stdin(source.bytes().to_vec()).cwd(stage.tree());
        let finished = fixed_to_the_end("ruff", &source, toolchain.run(invocation, call).await?)?;
        let fixed = Source::new(source.path(), finished.stdout.clone());
        let count = match fixed.bytes() == source.bytes() {
            true => 0,
            false => ruff::parse_fixed_count(&String::from_utf8_lossy(&finished.stderr))?,
        };
        Ok(ProposedFix { source, fixed, count, linter: Linter::Ruff })
    }

    fn must_parse(&self, source: &Source, linter: Linter, otherwise: &str) -> Result<()> {
        let shape = match linter {
            Linter::Ruff => python::analyze_python(source, python::to_parser_version(self.config.python.version)),
            Linter::Oxlint => script::analyze_script(source),
        };
        match shape.syntax_errors.first() {
            None => Ok(()),
            Some(error) => {
                let message = format!("{} {otherwise}: line {}: {}", source.path(), error.line, error.message);
                Err(Error::invalid(message).hint("correct the syntax first"))
            }
        }
    }
}

/// A run that fixed what it could.
fn fixed_to_the_end(tool: &str, source: &Source, finished: Finished) -> Result<Finished> {
    let reason = match finished.ending() {
        Ending::Code(0) => return Ok(finished),
        Ending::Code(_) => {
            let said = String::from_utf8_lossy(&finished.stderr);
            said.lines().next().unwrap_or("it said nothing").to_owned()
        }
        Ending::Crashed | Ending::OutOfTime => "it ended by a signal".to_owned(),
    };
    let message = format!("{tool} could not fix {}: {reason}", source.path());
    Err(Error::new(ErrorCode::DegradedResult, message).tool(tool))
}
