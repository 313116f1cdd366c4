//! The command line as it is parsed.

use clap::{Parser, Subcommand};

use super::CliContext;
use super::global::{Global, version};
use super::{
    airgap, architecture, attest, cache, check, checklist, completions, config, deps, docs, doctor, experts, feedback,
    gate, guard, hook, impact, init, knowledge, lsp, man, notes, policy, profile, report, rules, score, serve, stats,
    tags, tdd, tool, toolchain, validate, watch, workflow,
};
use tapps_base::{Error, Result};

/// One deterministic verdict on code for agents, IDEs and CI, from tools whose bytes are locked and verified.
#[derive(Debug, Parser)]
#[command(
    name = "tapps-mcp",
    version = version(),
    propagate_version = true,
    max_term_width = 100,
    subcommand_required = true,
    after_help = tapps_base::exit::SUMMARY
)]
pub struct Cli {
    #[command(flatten)]
    pub global: Global,
    #[command(subcommand)]
    pub command: CliCommand,
}

/// One command; each has a file of its own.
#[derive(Debug, Subcommand)]
pub enum CliCommand {
    Serve(serve::ServeArgs),
    Init(init::InitArgs),
    Score(score::ScoreArgs),
    Check(check::CheckArgs),
    Hook(hook::HookArgs),
    Gate(gate::GateArgs),
    Watch(watch::WatchArgs),
    Lsp(lsp::LspArgs),
    Profile(profile::ProfileArgs),
    Validate(validate::ValidateArgs),
    Deps(deps::DepsArgs),
    /// Which part of the code imports which: draw the layers, judge the contracts
    #[command(subcommand)]
    Architecture(architecture::ArchitectureCommand),
    /// Rules of the project's own: test their examples, try a pattern
    #[command(subcommand)]
    Rules(rules::RulesCommand),
    Report(report::ReportArgs),
    Impact(impact::ImpactArgs),
    /// The locked tools: install, verify, show, compare
    #[command(subcommand)]
    Toolchain(toolchain::ToolchainCommand),
    /// Tools that the project locks for itself: add, list, remove, verify
    #[command(subcommand)]
    Tool(tool::ToolCommand),
    /// Attestations: a verdict that another machine can check by doing it again
    #[command(subcommand)]
    Attest(attest::AttestCommand),
    /// Machines without a network: the whole product in one archive
    #[command(subcommand)]
    Airgap(airgap::AirgapCommand),
    /// What is kept between runs: show, clear, verify
    #[command(subcommand)]
    Cache(cache::CacheCommand),
    Checklist(checklist::ChecklistArgs),
    /// Text that agents are fed: check it for orders to them
    #[command(subcommand)]
    Guard(guard::GuardCommand),
    /// Sixteen domains of engineering knowledge: ask, list
    #[command(subcommand)]
    Experts(experts::ExpertsCommand),
    /// The files behind the experts: search, validate, freshness, ingest
    #[command(subcommand)]
    Knowledge(knowledge::KnowledgeCommand),
    Notes(notes::NotesArgs),
    Feedback(feedback::FeedbackArgs),
    Stats(stats::StatsArgs),
    /// Documentation of libraries in the locked version: look up, pack bundles
    #[command(subcommand)]
    Docs(docs::DocsCommand),
    Tags(tags::TagsArgs),
    Tdd(tdd::TddArgs),
    /// The settings that decide what passes: allow an agent to change them
    #[command(subcommand)]
    Policy(policy::PolicyCommand),
    /// Workflows: list, show, follow, approve, reject, export
    #[command(subcommand)]
    Workflow(workflow::WorkflowCommand),
    Config(config::ConfigArgs),
    #[command(flatten)]
    Alone(Alone),
}

/// Commands that need neither a project nor a configuration that can be used.
#[derive(Debug, Subcommand)]
pub enum Alone {
    Doctor(doctor::DoctorArgs),
    Completions(completions::CompletionsArgs),
    Man(man::ManArgs),
}

impl CliCommand {
    /// Runs the command and gives the exit code.
    ///
    /// # Errors
    /// What the command says.
    pub async fn run_command(self, context: &CliContext) -> Result<u8> {
        match self {
            Self::Serve(args) => serve::run(args, context, None).await,
            Self::Init(args) => init::run(&args, context),
            Self::Score(args) => score::run(args, context).await,
            Self::Check(args) => check::run(args, context).await,
            Self::Hook(args) => hook::run(args, context).await,
            Self::Gate(args) => gate::run(args, context).await,
            Self::Watch(args) => watch::run(args, context).await,
            Self::Lsp(args) => lsp::run(args, context).await,
            Self::Profile(args) => profile::run(args, context).await,
            Self::Validate(args) => validate::run(args, context).await,
            Self::Deps(args) => deps::run(args, context).await,
            Self::Architecture(command) => architecture::run(command, context).await,
            Self::Rules(command) => rules::run(command, context).await,
            Self::Report(args) => report::run(args, context).await,
            Self::Impact(args) => impact::run(args, context).await,
            Self::Toolchain(command) => toolchain::run(command, context).await,
            Self::Tool(command) => tool::run(command, context).await,
            Self::Attest(command) => attest::run(command, context).await,
            Self::Airgap(command) => airgap::run(command, context).await,
            Self::Cache(command) => cache::run(&command, context).await,
            Self::Checklist(args) => checklist::run(args, context).await,
            Self::Guard(command) => guard::run(&command, context),
            Self::Experts(command) => experts::run(command, context),
            Self::Knowledge(command) => knowledge::run(command, context),
            Self::Notes(args) => notes::run(&args, context),
            Self::Feedback(args) => feedback::run(&args, context),
            Self::Stats(args) => stats::run(&args, context),
            Self::Docs(command) => docs::run(command, context).await,
            Self::Tags(args) => tags::run(args, context).await,
            Self::Tdd(args) => tdd::run(args, context).await,
            Self::Policy(command) => policy::run(&command, context),
            Self::Workflow(command) => workflow::run(command, context),
            Self::Config(args) => config::run(args, context).await,
            Self::Alone(_) => Err(Error::internal("the command takes no context and got one")),
        }
    }

    /// True when standard output belongs to a program, which is then told of an error there as well.
    #[must_use]
    pub fn speaks_json(&self) -> bool {
        match self {
            Self::Serve(_) | Self::Airgap(_) | Self::Check(_) | Self::Hook(_) | Self::Lsp(_) | Self::Policy(_) => false,
            Self::Watch(_) => false,
            Self::Init(args) => args.speaks_json(),
            Self::Alone(Alone::Doctor(args)) => args.speaks_json(),
            Self::Alone(Alone::Completions(_) | Alone::Man(_)) => false,
            Self::Guard(_) => true,
            Self::Score(args) => args.speaks_json(),
            Self::Gate(args) => args.speaks_json(),
            Self::Profile(args) => args.speaks_json(),
            Self::Validate(args) => args.speaks_json(),
            Self::Deps(args) => args.speaks_json(),
            Self::Architecture(command) => command.speaks_json(),
            Self::Rules(command) => command.speaks_json(),
            Self::Report(args) => args.speaks_json(),
            Self::Impact(args) => args.speaks_json(),
            Self::Toolchain(command) => command.speaks_json(),
            Self::Tool(command) => command.speaks_json(),
            Self::Attest(command) => command.speaks_json(),
            Self::Cache(command) => command.speaks_json(),
            Self::Checklist(args) => args.speaks_json(),
            Self::Experts(command) => command.speaks_json(),
            Self::Knowledge(command) => command.speaks_json(),
            Self::Notes(args) => args.speaks_json(),
            Self::Feedback(args) => args.speaks_json(),
            Self::Stats(args) => args.speaks_json(),
            Self::Docs(command) => command.speaks_json(),
            Self::Tags(args) => args.speaks_json(),
            Self::Tdd(args) => args.speaks_json(),
            Self::Workflow(command) => command.speaks_json(),
            Self::Config(args) => args.speaks_json(),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[test]
    fn the_definition_is_sound() {
        use clap::CommandFactory as _;
        Cli::command().debug_assert();
    }

    #[test]
    fn global_options_become_overrides_wherever_they_stand() {
        let cli = Cli::try_parse_from(["tapps-mcp", "--offline", "config", "show", "--python", "python3.12"]).unwrap();
        let flags: Vec<(&str, Value)> = cli.global.overrides().into_iter().map(|o| (o.flag, o.value)).collect();
        assert_eq!(flags, [("--offline", Value::from(true)), ("--python", Value::from("python3.12"))]);
    }
}
