//! `tapps-mcp feedback`: what became of a finding or a verdict.

use std::sync::Arc;

use clap::ValueEnum;

use super::CliContext;
use super::global::CliOutputFormat;
use tapps_base::{Error, Result, clock, exit};
use tapps_quality::rules::of_project::category_in_project;
use tapps_session::{CallLog, FeedbackVerdict, NewFeedback};

/// Say what became of a finding or a verdict; without an outcome, show what has been said
#[derive(Debug, clap::Args)]
pub struct FeedbackArgs {
    #[arg(value_name = "OUTCOME", requires = "about")]
    outcome: Option<Said>,
    /// Rule of the finding, for example ruff:F401
    #[arg(long, group = "about", value_name = "RULE")]
    rule: Option<String>,
    /// Tool whose answer it was, when it is no finding
    #[arg(long, group = "about", value_name = "NAME")]
    tool: Option<String>,
    /// Answer of the experts, by the `consultation` of the reply
    #[arg(long, group = "about", value_name = "ID", conflicts_with_all = ["rule", "tool", "file"])]
    consultation: Option<String>,
    /// File of the finding
    #[arg(long, value_name = "PATH")]
    file: Option<String>,
    /// Line of the finding
    #[arg(long, value_name = "LINE", default_value_t = 0)]
    line: u32,
    #[arg(long, value_name = "TEXT")]
    comment: Option<String>,
    /// What to write on standard output
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    format: CliOutputFormat,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Said {
    /// The finding was right and has been dealt with
    Fixed,
    /// It was right
    Right,
    /// It was a false alarm
    Wrong,
    /// It was right and not worth its price
    Minor,
    /// The gate failed code that was good
    TooStrict,
    /// The gate passed code that was not
    TooLax,
}

impl Said {
    const fn verdict(self) -> FeedbackVerdict {
        match self {
            Self::Fixed => FeedbackVerdict::Fixed,
            Self::Right => FeedbackVerdict::Right,
            Self::Wrong => FeedbackVerdict::Wrong,
            Self::Minor => FeedbackVerdict::Minor,
            Self::TooStrict => FeedbackVerdict::TooStrict,
            Self::TooLax => FeedbackVerdict::TooLax,
        }
    }
}

impl FeedbackArgs {
    pub(super) fn speaks_json(&self) -> bool {
        self.format == CliOutputFormat::Json
    }
}

/// Records, and shows what all outcomes come to.
///
/// # Errors
/// `invalid_argument` for an unknown rule; what [`CallLog::give_feedback`] says.
pub fn run(args: &FeedbackArgs, context: &CliContext) -> Result<u8> {
    let log = CallLog::new(Arc::clone(&context.boundary), clock::system());
    if let Some(outcome) = args.outcome {
        let unknown =
            |rule: &str| Error::invalid(format!("there is no rule `{rule}`")).hint("take the rule of a finding");
        let known = |rule: &str| category_in_project(&context.boundary, rule)?.ok_or_else(|| unknown(rule));
        let category = args.rule.as_deref().map(known).transpose()?;
        let file = args.file.as_deref().map(|path| context.boundary.resolve(path)).transpose()?;
        let given = NewFeedback {
            session: None,
            verdict: outcome.verdict(),
            rule: args.rule.as_deref(),
            category,
            file: file.as_ref().map(tapps_sandbox::ProjectPath::as_str),
            line: args.line,
            tool: args.tool.as_deref(),
            consultation: None,
            comment: args.comment.as_deref(),
        };
        match args.consultation.as_deref() {
            Some(id) => log.judge_consultation(id, &given)?,
            None => log.give_feedback(&given)?,
        }
    }
    let summary = log.feedback()?;
    match args.format {
        CliOutputFormat::Json => context.out.write_json(&summary)?,
        CliOutputFormat::Human => {
            let mut text = format!("{} outcomes\n", summary.total);
            for (category, outcomes) in &summary.categories {
                text += &format!("  {:16} {} for, {} against\n", category.as_str(), outcomes.right, outcomes.wrong);
            }
            context.out.write(&text)?;
        }
    }
    Ok(exit::CLEAN)
}
