//! TypeScript's compiler, and the lints that need its types: asked about the programs that the project's own configuration
//! makes of its files, in a copy of the project that holds everything they may read and nothing else, under a configuration of
//! this program.
//!
//! What it says of a file counts only where every declaration was there that the file needs. Where one is missing the types
//! of the file are unknown: that is told, with what is missing, and nothing is said of them.

mod configuration;
mod diagnostics;
mod held;
mod mirror;
mod missing;
mod options;
mod program;
mod server;
mod settings;
pub mod typed_lints;

use std::collections::BTreeMap;
use std::sync::Arc;

use futures::future::{BoxFuture, try_join};
use tokio::sync::Mutex;

use super::report::{FileReport, ReportDetails};
use super::{Analyzer, Dependence, Division, Need, Profile};
use crate::ask::Asker;
use crate::engine::AnalysisPlan;
use crate::isolate::{Answers, Question, answers_of_all, failure_of_all, require_expected_end, unless_call_is_over};
use crate::result::TypesStamp;
use crate::threads::run_off_async_threads;
use configuration::ProgramConfiguration;
pub(crate) use held::HeldScripts;
use held::{CopyOrder, MOST_ASKED, ProjectCopy, WarmPrograms};
use mirror::Mirror;
use program::Program;
use tapps_base::Result;
use tapps_base::finding::{Category, Finding};
use tapps_base::language::{Analyzers, Language};
use tapps_base::source::Source;
use tapps_config::Config;
use tapps_toolchain::{Invocation, ProcessLimits, Program as Tool, Toolchain};
use typed_lints::find_typed_lints;

pub(crate) struct Tsc;

pub(crate) const ANALYZER: Tsc = Tsc;

static PROFILE: Profile = Profile {
    name: "tsc",
    reads: Analyzers::Script,
    measures: &[Category::Maintainability],
    depends_on: &[Dependence::ScriptFiles],
    division: Division::Whole,
    speaks_of_broken_files: false,
};

/// CPU time for a program, whose files are not counted beforehand: that of a very large one.
const PROGRAM_CPU_SECONDS: u64 = 600;

/// What is said to be missing for a file that no configuration of the project takes into a program.
const IN_NO_PROGRAM: &str = "a tsconfig.json that includes the file";

impl Analyzer for Tsc {
    fn profile(&self) -> &'static Profile {
        &PROFILE
    }

    fn need(&self, plan: &AnalysisPlan, _config: &Config) -> Need {
        Need::of_types(plan)
    }

    fn prepare<'a>(&self, asker: Asker<'a>) -> BoxFuture<'a, Result<Box<dyn Question + 'a>>> {
        Box::pin(async move {
            let order = CopyOrder {
                files: Arc::clone(asker.script_files),
                judged: asker.sources.iter().map(|&source| source.clone()).collect(),
                tools: asker.answers.tools.clone(),
                own_place: match asker.held_scripts {
                    Some(_) if asker.toolchain.is_kept_warm() => Some(asker.toolchain.private_folder()?),
                    Some(_) | None => None,
                },
            };
            let held = asker.held_scripts.map(Arc::clone).unwrap_or_default();
            let place = asker.stage.folder().to_owned();
            let copied = run_off_async_threads(move || order.carry_out(&held, &place)).await??;
            // Whoever has nothing but plain JavaScript needs no compiler.
            let toolchain = match copied {
                Some(_) => Some(match asker.provider.ready_with(Tool::Tsc, asker.call).await {
                    Ok(toolchain) => Ok(toolchain),
                    // Files without types do without it.
                    Err(error) => Err(unless_call_is_over(error)?),
                }),
                None => None,
            };
            let state = Mutex::new(QuestionState { copy: copied, programs: BTreeMap::new(), has_failed: false });
            Ok(Box::new(TscQuestion { asker, toolchain, state }) as Box<dyn Question>)
        })
    }
}

struct TscQuestion<'a> {
    asker: Asker<'a>,
    /// The compiler or why it is not there; none where no file has types to be checked.
    toolchain: Option<Result<Arc<Toolchain>>>,
    state: Mutex<QuestionState>,
}

/// What runs change.
struct QuestionState {
    /// None where no file has types to be checked, and when a run was given up half-way.
    copy: Option<ProjectCopy>,
    /// What became of each program by the path of its configuration.
    programs: Programs,
    has_failed: bool,
}

impl Question for TscQuestion<'_> {
    fn ask<'q>(&'q self, sources: &'q [&'q Source]) -> BoxFuture<'q, Result<Answers>> {
        Box::pin(async move {
            let mut state = self.state.lock().await;
            // It is taken out, so that nothing is kept of one whose work was given up half-way.
            let (Some(mut copy), Some(toolchain)) = (state.copy.take(), &self.toolchain) else {
                return Ok(answers_of_all(sources, BTreeMap::<String, FileReport>::new()));
            };
            let answers = self.ask_about_copy(sources, toolchain, &mut copy, &mut state.programs).await;
            state.has_failed |= answers.is_err();
            state.copy = Some(copy);
            answers
        })
    }
}

impl Drop for TscQuestion<'_> {
    fn drop(&mut self) {
        let QuestionState { copy, has_failed, .. } = self.state.get_mut();
        if let (Some(copy), Some(held), false) = (copy.take(), self.asker.held_scripts, *has_failed) {
            copy.keep(held);
        }
    }
}

/// Both answers in one: lints count where the types do.
fn with_typed_lints(
    mut types: BTreeMap<String, FileReport>,
    mut lints: BTreeMap<String, FileReport>,
) -> BTreeMap<String, FileReport> {
    for (path, report) in &mut types {
        let complete = matches!(&report.details, ReportDetails::Types(stamp) if stamp.complete);
        if let Some(found) = lints.remove(path).filter(|_| complete) {
            report.findings.extend(found.findings);
            report.findings.sort_by(Finding::order);
        }
    }
    types
}

type Programs = BTreeMap<String, Result<Arc<Program>>>;

impl TscQuestion<'_> {
    async fn ask_about_copy(
        &self,
        sources: &[&Source],
        toolchain: &Result<Arc<Toolchain>>,
        copy: &mut ProjectCopy,
        programs: &mut Programs,
    ) -> Result<Answers> {
        if sources.is_empty() {
            let toolchain = toolchain.as_ref().map_err(Clone::clone)?;
            let invocation = Invocation::new(Tool::Tsc).args(["--version"]);
            let finished = toolchain.run(invocation, self.asker.call).await?;
            require_expected_end("tsc", sources, &finished, &[0])?;
            return Ok(Answers::new());
        }
        let mirror = &copy.mirror;
        let is_typed = |source: &&Source| {
            let candidates = mirror.configurations_for(source.path());
            !is_javascript(source) || mirror.is_checked_javascript(source.path(), &candidates)
        };
        let (typed, plain): (Vec<&Source>, Vec<&Source>) = sources.iter().copied().partition(is_typed);
        let mut answers = answers_of_all(&plain, BTreeMap::<String, FileReport>::new());
        answers.extend(match toolchain {
            Err(error) => failure_of_all(&typed, PROFILE.name, error),
            Ok(toolchain) => answers_of_all(&typed, self.report_on_all(&typed, toolchain, copy, programs).await?),
        });
        Ok(answers)
    }

    async fn report_on_all(
        &self,
        typed: &[&Source],
        toolchain: &Toolchain,
        copy: &mut ProjectCopy,
        programs: &mut Programs,
    ) -> Result<BTreeMap<String, FileReport>> {
        copy.replace_configurations()?;
        let ProjectCopy { mirror, warm, .. } = copy;
        let compiler = Compiler { toolchain, asker: self.asker, mirror };
        let warm = warm.as_mut().filter(|_| typed.len() <= MOST_ASKED);
        let types = report_on_types(typed, &compiler, programs, warm);
        let (mut types, lints) = try_join(types, find_typed_lints(typed, &compiler)).await?;
        if forget_readers_of_configurations(programs, mirror) {
            copy.put_configurations_back()?;
            let compiler = Compiler { toolchain, asker: self.asker, mirror: &copy.mirror };
            types = report_on_types(typed, &compiler, programs, None).await?;
        }
        Ok(with_typed_lints(types, lints))
    }
}

async fn report_on_types(
    sources: &[&Source],
    compiler: &Compiler<'_>,
    programs: &mut Programs,
    mut warm: Option<&mut WarmPrograms>,
) -> Result<BTreeMap<String, FileReport>> {
    let mut reports = BTreeMap::new();
    for source in sources {
        let report = report_on_file(source, compiler, programs, warm.as_deref_mut()).await?;
        reports.insert(source.path().to_owned(), report);
    }
    Ok(reports)
}

async fn report_on_file(
    source: &Source,
    compiler: &Compiler<'_>,
    programs: &mut Programs,
    mut warm: Option<&mut WarmPrograms>,
) -> Result<FileReport> {
    for candidate in compiler.mirror.configurations_for(source.path()) {
        // A server looks at the nearest one alone.
        let mut nearest = warm.take().filter(|_| !programs.contains_key(candidate.name()));
        if let Some(warm) = &mut nearest
            && let Some(program) = warm.ask_server(&candidate, source, compiler).await?
        {
            return Ok(program.report_on_file(source));
        }
        let program = run_program(&candidate, compiler, programs).await?;
        if program.covers(source.path()) {
            if let Some(warm) = nearest {
                warm.keep_program(&candidate, &program, source, compiler).await?;
            }
            return Ok(program.report_on_file(source));
        }
    }
    let missing = vec![IN_NO_PROGRAM.to_owned()];
    let stamp = TypesStamp { digest: program::digest_of_nothing(), complete: false, missing };
    Ok(FileReport { details: ReportDetails::Types(stamp), ..FileReport::default() })
}

/// Whether a script imports a configuration, as `jest.config.ts` may: it was not that of the project when it was read.
fn forget_readers_of_configurations(programs: &mut Programs, mirror: &Mirror) -> bool {
    let before = programs.len();
    programs.retain(|_, program| {
        let reads = |program: &Arc<Program>| mirror.all_settings().keys().any(|path| program.covers(path));
        !program.as_ref().is_ok_and(reads)
    });
    programs.len() < before
}

/// A program, which is run once however many files are asked about.
async fn run_program(
    configuration: &ProgramConfiguration,
    compiler: &Compiler<'_>,
    programs: &mut Programs,
) -> Result<Arc<Program>> {
    if let Some(known) = programs.get(configuration.name()) {
        return known.clone();
    }
    let made = Program::run(configuration, compiler).await.map(Arc::new);
    if let Err(error) = &made {
        // What ends the call is no property of the program.
        unless_call_is_over(error.clone())?;
    }
    programs.insert(configuration.name().to_owned(), made.clone());
    made
}

/// The compiler over the copy of a project.
struct Compiler<'c> {
    toolchain: &'c Toolchain,
    asker: Asker<'c>,
    mirror: &'c Mirror,
}

impl Compiler<'_> {
    /// What it prints.
    async fn run(&self, arguments: Vec<String>) -> Result<Vec<u8>> {
        let limits = ProcessLimits::of_cpu(PROGRAM_CPU_SECONDS);
        let invocation = Invocation::new(Tool::Tsc).args(arguments).cwd(self.mirror.root()).limits(limits);
        let finished = self.toolchain.run(invocation, self.asker.call).await?;
        require_expected_end("tsc", self.asker.sources, &finished, &[0, 1, 2])?;
        Ok(finished.stdout)
    }
}

fn is_javascript(source: &Source) -> bool {
    matches!(Language::of_path(source.path()), Some(Language::JavaScript | Language::Jsx))
}
