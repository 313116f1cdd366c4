//! `tapps-mcp tags`: tags of a vault of markdown notes.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Subcommand;
use serde::Serialize;

use super::CliContext;
use super::global::CliOutputFormat;
use super::human::style::Style;
use super::human::tags as draw;
use super::out::json_text;
use tapps_base::call::Call;
use tapps_base::{Error, Result, clock, exit};
use tapps_tags::batch;
use tapps_tags::batch::ReplaceRequest;
use tapps_tags::report::ReplaceReport;
use tapps_tags::vault::{FindRequest, InfoRequest, ListRequest, VaultSelection, validate_all};
use tapps_tags::{Profile, Replacement, Vaults};

/// Tags of a vault of markdown notes: list, find, check and rename them
#[derive(Debug, clap::Args)]
pub struct TagsArgs {
    #[command(subcommand)]
    action: TagsCommand,
    /// The folder of the vault [default: the project]
    #[arg(long, global = true, value_name = "DIR")]
    root: Option<PathBuf>,
    /// Whose rules say what a tag is: obsidian or tag-manager
    #[arg(long, global = true, value_name = "NAME", default_value = "obsidian")]
    profile: Profile,
    /// How to write it
    #[arg(long, global = true, value_name = "FORMAT", default_value = "human")]
    format: CliOutputFormat,
}

#[derive(Debug, Clone, Subcommand)]
enum TagsCommand {
    /// List all tags, those of most notes first
    List {
        /// Only tags of at least so many notes
        #[arg(long, value_name = "COUNT", default_value_t = 1)]
        min_count: usize,
        /// Only tags whose names fit this regular expression
        #[arg(long, value_name = "REGEX")]
        pattern: Option<String>,
        /// Most tags to show
        #[arg(long, value_name = "COUNT")]
        max_results: Option<usize>,
    },
    /// Find the notes that have any of some tags
    Find {
        #[arg(required = true, value_name = "TAG")]
        tags: Vec<String>,
        /// Also tags below, as project/alpha below project
        #[arg(long)]
        nested: bool,
        /// Most notes to show
        #[arg(long, value_name = "COUNT")]
        max_results: Option<usize>,
    },
    /// Show which notes have a tag
    Info {
        #[arg(required = true, value_name = "TAG")]
        tags: Vec<String>,
        /// Also tags below
        #[arg(long)]
        nested: bool,
        /// Most notes to show for each tag
        #[arg(long, value_name = "COUNT")]
        max_files_per_tag: Option<usize>,
    },
    /// List the notes that have no tag
    Untagged {
        /// Most notes to show
        #[arg(long, value_name = "COUNT")]
        max_results: Option<usize>,
    },
    /// Say whether texts can be tags: exit code 1 when one cannot
    Validate {
        #[arg(required = true, value_name = "TAG")]
        tags: Vec<String>,
    },
    /// Show the tags of some notes
    Files {
        #[arg(required = true, value_name = "PATH")]
        paths: Vec<PathBuf>,
        /// Most notes to look at
        #[arg(long, value_name = "COUNT")]
        max_files: Option<usize>,
    },
    /// Rename tags: shows what would change, unless --write is given; exit code 1 when a note had to be left alone
    Replace {
        /// All hold at once, so a=b with b=a swaps
        #[arg(required = true, value_name = "OLD=NEW", value_parser = replacement)]
        replacements: Vec<Replacement>,
        /// Change the notes
        #[arg(long)]
        write: bool,
        /// Rename tags below too
        #[arg(long)]
        nested: bool,
    },
    /// Finish a batch of replacements that was broken off
    Resume,
}

impl TagsArgs {
    pub(super) fn speaks_json(&self) -> bool {
        self.format == CliOutputFormat::Json
    }
}

/// Runs the command.
///
/// # Errors
/// What [`Vaults`] says.
pub async fn run(args: TagsArgs, context: &CliContext) -> Result<u8> {
    let vaults = vaults(context);
    let asked = TagsJob {
        place: VaultSelection { root: vault_root(args.root.as_deref(), context)?, profile: args.profile },
        action: args.action,
        call: context.call(),
    };
    // Reading a vault is work for a thread of its own: an interrupt has to be heard meanwhile.
    let answered = tokio::task::spawn_blocking(move || asked.compute_answer(&vaults)).await;
    let answer = answered.map_err(|_| Error::internal("the command failed unexpectedly"))??;
    match args.format {
        CliOutputFormat::Json => context.out.write(&answer.json)?,
        CliOutputFormat::Human => context.out.write(&(answer.human)(context.out.style()))?,
    }
    Ok(answer.code)
}

/// The vaults that the configuration allows.
pub(super) fn vaults(context: &CliContext) -> Vaults {
    Vaults::new(Arc::clone(&context.boundary), &context.config, clock::system())
}

/// The folder that was named, or the project, as an absolute path.
fn vault_root(named: Option<&Path>, context: &CliContext) -> Result<String> {
    absolute_vault_path(named.unwrap_or(context.boundary.root()))
}

/// A path as seen from the top. One that exists loses its links and `..`: a person may write them, and whether the place is
/// allowed is judged afterwards.
fn absolute_vault_path(path: &Path) -> Result<String> {
    let whole = path.canonicalize().or_else(|_| std::path::absolute(path));
    let whole = whole.map_err(|error| Error::invalid(format!("the path {} is of no use: {error}", path.display())))?;
    whole
        .into_os_string()
        .into_string()
        .map_err(|_| Error::invalid(format!("the path {} is not UTF-8", path.display())).hint("rename the folder"))
}

fn replacement(text: &str) -> Result<Replacement, String> {
    let (old, new) = text.split_once('=').ok_or("write OLD=NEW")?;
    Ok(Replacement { old_tag: old.to_owned(), new_tag: new.to_owned() })
}

/// What was asked, ready to be answered on another thread.
struct TagsJob {
    place: VaultSelection,
    action: TagsCommand,
    call: Call,
}

/// An answer in both formats.
struct TagsAnswer {
    json: String,
    human: Box<dyn FnOnce(Style) -> String + Send>,
    code: u8,
}

impl TagsAnswer {
    fn new<R>(report: R, code: u8, human: fn(&R, Style) -> String) -> Result<Self>
    where
        R: Serialize + Send + 'static,
    {
        Ok(Self { json: json_text(&report)?, human: Box::new(move |style| human(&report, style)), code })
    }
}

impl TagsJob {
    fn compute_answer(self, vaults: &Vaults) -> Result<TagsAnswer> {
        let Self { place, action, call } = self;
        let profile = place.profile;
        let judged = |fine: bool| if fine { exit::CLEAN } else { exit::FINDINGS };
        match action {
            TagsCommand::List { min_count, pattern, max_results } => {
                let request = ListRequest { place, min_count, pattern, max_results };
                TagsAnswer::new(vaults.list_tags(&request, &call)?, exit::CLEAN, draw::render_tag_list)
            }
            TagsCommand::Find { tags, nested, max_results } => {
                let request = FindRequest { place, tags, nested, max_results };
                TagsAnswer::new(vaults.find_files(&request, &call)?, exit::CLEAN, draw::render_found_notes)
            }
            TagsCommand::Info { tags, nested, max_files_per_tag } => {
                let request = InfoRequest { place, tags, nested, max_files_per_tag };
                TagsAnswer::new(vaults.tags_info(&request, &call)?, exit::CLEAN, draw::render_tag_info)
            }
            TagsCommand::Untagged { max_results } => {
                TagsAnswer::new(vaults.untagged(&place, max_results, &call)?, exit::CLEAN, draw::render_untagged_notes)
            }
            TagsCommand::Validate { tags } => {
                let report = validate_all(&tags, profile);
                let code = judged(report.is_valid);
                TagsAnswer::new(report, code, draw::render_tag_validation)
            }
            TagsCommand::Files { paths, max_files } => {
                let paths = paths.iter().map(|path| absolute_vault_path(path)).collect::<Result<Vec<_>>>()?;
                let report = vaults.files_tags(&paths, profile, max_files, &call)?;
                let code = judged(report.files.iter().all(|file| file.error.is_none()));
                TagsAnswer::new(report, code, draw::render_note_tags)
            }
            TagsCommand::Replace { replacements, write, nested } => {
                let request = ReplaceRequest { place, replacements, nested, dry_run: !write, max_diff_bytes: None };
                let report = batch::replace_tags(vaults, &request, &call)?;
                let code = judged(report.failed_files.is_empty());
                TagsAnswer::new(report, code, draw::render_tag_replacement)
            }
            TagsCommand::Resume => {
                let report: Option<ReplaceReport> = batch::resume(vaults, &place.root, &call)?;
                let code = judged(report.as_ref().is_none_or(|report| report.failed_files.is_empty()));
                TagsAnswer::new(report, code, draw::render_resumed_replacement)
            }
        }
    }
}
