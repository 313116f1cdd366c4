//! `tapps-mcp man`: manual pages, made from the definition of the command line.

use std::path::PathBuf;

use clap::{Command, CommandFactory as _};
use clap_mangen::Man;

use super::args::Cli;
use super::human::style::pluralize_count;
use super::out::Out;
use tapps_base::{Error, ErrorCode, Result, atomic, exit, nearest};

/// Write a manual page, or all of them
#[derive(Debug, clap::Args)]
pub struct ManArgs {
    /// The page of this command, for example `gate merge` [default: the page of the program]
    #[arg(value_name = "COMMAND")]
    command: Vec<String>,
    /// Write the pages of all commands into this folder
    #[arg(long, value_name = "DIR", conflicts_with = "command")]
    all: Option<PathBuf>,
}

/// Runs the command.
///
/// # Errors
/// `invalid_argument` for an unknown command; `internal` when a page cannot be written.
pub fn run(args: &ManArgs, out: &Out) -> Result<u8> {
    let mut program = Cli::command();
    program.build();
    let Some(folder) = &args.all else {
        out.write(&String::from_utf8_lossy(&page(find(&program, &args.command)?)?))?;
        return Ok(exit::CLEAN);
    };
    std::fs::create_dir_all(folder).map_err(|e| {
        Error::new(ErrorCode::ConfigError, format!("cannot make {}: {e}", folder.display())).hint("name another folder")
    })?;
    let mut pages = Vec::new();
    collect(&program, &mut pages);
    for command in &pages {
        let name = command.get_display_name().unwrap_or_else(|| command.get_name());
        atomic::write(&folder.join(format!("{name}.1")), &page(command)?)?;
    }
    out.write(&format!("wrote {} into {}\n", pluralize_count(pages.len(), "page"), folder.display()))?;
    Ok(exit::CLEAN)
}

fn page(command: &Command) -> Result<Vec<u8>> {
    let mut page = Vec::new();
    Man::new(command.clone())
        .render(&mut page)
        .map_err(|e| Error::internal(format!("the page of {} cannot be made: {e}", command.get_name())))?;
    Ok(page)
}

fn find<'c>(program: &'c Command, words: &[String]) -> Result<&'c Command> {
    words.iter().try_fold(program, |command, word| {
        command.find_subcommand(word).ok_or_else(|| {
            let known: Vec<&str> = visible_subcommands(command).map(Command::get_name).collect();
            Error::invalid(format!("{} has no command `{word}`", command.get_name())).hint(nearest::hint(word, known))
        })
    })
}

fn collect<'c>(command: &'c Command, pages: &mut Vec<&'c Command>) {
    pages.push(command);
    visible_subcommands(command).for_each(|command| collect(command, pages));
}

/// The commands below one, without those that nobody is told of and the one that every list of commands ends with.
fn visible_subcommands(command: &Command) -> impl Iterator<Item = &Command> {
    command.get_subcommands().filter(|command| !command.is_hide_set() && command.get_name() != "help")
}
