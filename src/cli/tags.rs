//! `tapps-mcp tags`: tags of a vault of markdown notes.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Subcommand;
use serde::Serialize;

use super::Context;
use super::global::Format;
use super::human::style::Style;
use super::human::tags as draw;
use tapps_base::call::Call;
use tapps_base::{Error, Result, clock, exit};
use tapps_tags::batch;
use tapps_tags::batch::ReplaceRequest;
use tapps_tags::report::ReplaceReport;
use tapps_tags::vault::{FindRequest, InfoRequest, ListRequest, VaultSelection, validate_all};
use tapps_tags::{Profile, Replacement, Vaults};

/// Tags of a vault of markdown notes: list, find, check and rename them
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    action: Action,
    /// The folder of the vault [default: the project]
    #[arg(long, global = true, value_name = "DIR")]
    root: Option<PathBuf>,
    /// Whose rules say what a tag is: obsidian or tag-manager
    #[arg(long, global = true, value_name = "NAME", default_value = "obsidian")]
    profile: Profile,
    /// How to write it
    #[arg(long, global = true, value_name = "FORMAT", default_value = "human")]
    format: Format,
}

#[derive(Debug, Clone, Subcommand)]
enum Action {
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

impl Args {
    pub(super) fn speaks_json(&self) -> bool {
        self.format == Format::Json
    }
}

/// Runs the command.
///
/// # Errors
/// What [`Vaults`] says.
pub async fn run(args: Args, context: &Context) -> Result<u8> {
    let vaults = vaults(context);
    let asked = Asked {
        place: VaultSelection { root: root(args.root.as_deref(), context)?, profile: args.profile },
        action: args.action,
        call: context.call(),
    };
    // Reading a vault is work for a thread of its own: an interrupt has to be heard meanwhile.
    let answered = tokio::task::spawn_blocking(move || asked.answer(&vaults)).await;
    let answer = answered.map_err(|_| Error::internal("the command failed unexpectedly"))??;
    match args.format {
        Format::Json => context.out.write(&answer.json)?,
        Format::Human => context.out.write(&(answer.human)(context.out.style()))?,
    }
    Ok(answer.code)
}

/// The vaults that the configuration allows.
pub(super) fn vaults(context: &Context) -> Vaults {
    Vaults::new(Arc::clone(&context.boundary), &context.config, clock::system())
}

/// The folder that was named, or the project, as an absolute path.
fn root(named: Option<&Path>, context: &Context) -> Result<String> {
    absolute(named.unwrap_or(context.boundary.root()))
}

/// A path as seen from the top. One that exists loses its links and `..`: a person may write them, and whether the place is
/// allowed is judged afterwards.
fn absolute(path: &Path) -> Result<String> {
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
struct Asked {
    place: VaultSelection,
    action: Action,
    call: Call,
}

/// An answer in both formats.
struct Answer {
    json: String,
    human: Box<dyn FnOnce(Style) -> String + Send>,
    code: u8,
}

impl Answer {
    fn new<R>(report: R, code: u8, human: fn(&R, Style) -> String) -> Result<Self>
    where
        R: Serialize + Send + 'static,
    {
        let json = serde_json::to_string_pretty(&report)
            .map_err(|e| Error::internal(format!("the result has no JSON form: {e}")))?;
        Ok(Self { json: json + "\n", human: Box::new(move |style| human(&report, style)), code })
    }
}

impl Asked {
    fn answer(self, vaults: &Vaults) -> Result<Answer> {
        let Self { place, action, call } = self;
        let profile = place.profile;
        let judged = |fine: bool| if fine { exit::CLEAN } else { exit::FINDINGS };
        match action {
            Action::List { min_count, pattern, max_results } => {
                let request = ListRequest { place, min_count, pattern, max_results };
                Answer::new(vaults.list_tags(&request, &call)?, exit::CLEAN, draw::tags)
            }
            Action::Find { tags, nested, max_results } => {
                let request = FindRequest { place, tags, nested, max_results };
                Answer::new(vaults.find_files(&request, &call)?, exit::CLEAN, draw::found)
            }
            Action::Info { tags, nested, max_files_per_tag } => {
                let request = InfoRequest { place, tags, nested, max_files_per_tag };
                Answer::new(vaults.tags_info(&request, &call)?, exit::CLEAN, draw::info)
            }
            Action::Untagged { max_results } => {
                Answer::new(vaults.untagged(&place, max_results, &call)?, exit::CLEAN, draw::untagged)
            }
            Action::Validate { tags } => {
                let report = validate_all(&tags, profile);
                let code = judged(report.is_valid);
                Answer::new(report, code, draw::validated)
            }
            Action::Files { paths, max_files } => {
                let paths = paths.iter().map(|path| absolute(path)).collect::<Result<Vec<_>>>()?;
                let report = vaults.files_tags(&paths, profile, max_files, &call)?;
                let code = judged(report.files.iter().all(|file| file.error.is_none()));
                Answer::new(report, code, draw::files)
            }
            Action::Replace { replacements, write, nested } => {
                let request = ReplaceRequest { place, replacements, nested, dry_run: !write, max_diff_bytes: None };
                let report = batch::replace_tags(vaults, &request, &call)?;
                let code = judged(report.failed_files.is_empty());
                Answer::new(report, code, draw::replaced)
            }
            Action::Resume => {
                let report: Option<ReplaceReport> = batch::resume(vaults, &place.root, &call)?;
                let code = judged(report.as_ref().is_none_or(|report| report.failed_files.is_empty()));
                Answer::new(report, code, draw::resumed)
            }
        }
    }
}
