//! The locked bandit in place of the native tests, for those who want the findings from the tool itself.

use futures::future::BoxFuture;

use super::outcome::AnalyzerOutcome;
use super::report::{FileReport, ReportDetails};
use super::{Analyzer, Dependence, Division, Need, Profile};
use crate::ask::Asker;
use crate::cache::Native;
use crate::engine::AnalysisPlan;
use crate::isolate::{Answers, Question, require_expected_end};
use crate::result::AnalysisMode;
use tapps_base::Result;
use tapps_base::finding::Category;
use tapps_base::language::Analyzers;
use tapps_base::source::Source;
use tapps_config::{Config, SecurityEngine};
use tapps_security::bandit;
use tapps_security::bandit::BanditFileReport;
use tapps_toolchain::Program;

pub(crate) struct Bandit;

pub(crate) const ANALYZER: Bandit = Bandit;

static PROFILE: Profile = Profile {
    name: "bandit",
    reads: Analyzers::Python,
    measures: &[Category::Security],
    depends_on: &[Dependence::Interpreter],
    // Files that it reads in the time that it takes to start, or fewer.
    division: Division::Shares(8),
    speaks_of_broken_files: false,
};

impl Analyzer for Bandit {
    fn profile(&self) -> &'static Profile {
        &PROFILE
    }

    fn need(&self, plan: &AnalysisPlan, config: &Config) -> Need {
        match config.security.engine {
            _ if !plan.wanted.contains(&Category::Security) => Need::LeftOut,
            SecurityEngine::Native => Need::Computed,
            SecurityEngine::Bandit => Need::asked_if(plan.mode == AnalysisMode::Full),
        }
    }

    fn computed(&self, native: &mut Native) -> Option<FileReport> {
        native.bandit.take().map(FileReport::from)
    }

    fn prepare<'a>(&self, asker: Asker<'a>) -> BoxFuture<'a, Result<Box<dyn Question + 'a>>> {
        Box::pin(async move {
            let config = asker.stage.write_configuration("bandit.yaml", bandit::CONFIG)?;
            let ini = asker.stage.write_configuration("bandit.ini", bandit::INI)?;
            let companion = asker.empty_companion_file()?;
            Ok(Box::new(BanditQuestion { asker, config, ini, companion }) as Box<dyn Question>)
        })
    }
}

struct BanditQuestion<'a> {
    asker: Asker<'a>,
    config: String,
    ini: String,
    companion: String,
}

impl Question for BanditQuestion<'_> {
    fn ask<'q>(&'q self, sources: &'q [&'q Source]) -> BoxFuture<'q, Result<Answers>> {
        Box::pin(async move {
            let files: Vec<&str> = match sources {
                [] => vec![&self.companion],
                some => some.iter().map(|source| source.path()).collect(),
            };
            let arguments = bandit::bandit_arguments(&self.config, &self.ini, &files);
            let finished = self.asker.run_on_stage(Program::Bandit, arguments).await?;
            require_expected_end("bandit", sources, &finished, &[0])?;
            if sources.is_empty() {
                return Ok(Answers::new());
            }
            let owned: Vec<Source> = sources.iter().map(|&source| source.clone()).collect();
            let reports = bandit::parse_bandit_output(&finished.stdout, &owned)?;
            let outcome = |report| AnalyzerOutcome::unless_lacking("bandit", report);
            reports.into_iter().map(|(path, report)| Ok((path, outcome(report)?))).collect()
        })
    }

    fn expect_many_runs(&self) {
        self.asker.toolchain.expect_many_runs();
    }
}

impl From<BanditFileReport> for FileReport {
    fn from(BanditFileReport { findings, issues }: BanditFileReport) -> Self {
        Self { findings, details: ReportDetails::BanditFindings(issues), ..Self::default() }
    }
}
