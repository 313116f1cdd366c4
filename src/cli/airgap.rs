//! `tapps-mcp airgap`: the whole product in one archive, out of the network and onto machines without one.

use std::path::PathBuf;
use std::time::Duration;

use clap::Subcommand;

use super::CliContext;
use super::engine::settings;
use super::tool;
use tapps_base::platform::HOME;
use tapps_base::{Error, ErrorCode, Result, exit};
use tapps_toolchain::airgap::{AirgapExportRequest, export_archive, install_archive};
use tapps_toolchain::{PythonTag, ToolchainSettings};

/// Fetching over a slow line may take this long.
const LIMIT: Duration = Duration::from_secs(60 * 60);

#[derive(Debug, Subcommand)]
pub enum AirgapCommand {
    /// Write one archive with the program, the locked tools, their digests and a script that installs them
    Export {
        /// The archive, a plain tar
        #[arg(value_name = "FILE")]
        file: PathBuf,
        /// Tools for this Python version only (cp311, cp312, cp313, cp314); may be given several times
        #[arg(long, value_name = "TAG")]
        python_tag: Vec<PythonTag>,
        /// The locked CPython of the newest of these Python versions as well, for machines that have none
        #[arg(long)]
        with_interpreter: bool,
        /// Node as well
        #[arg(long)]
        node: bool,
        /// Take the artifacts from this folder before the cache and the package client
        #[arg(long, value_name = "DIR")]
        from: Option<PathBuf>,
        /// The documentation bundles of this folder as well
        #[arg(long, value_name = "DIR")]
        bundles: Option<PathBuf>,
        /// Leave the program out, for machines that have one of this version
        #[arg(long)]
        without_program: bool,
    },
    /// Check an archive and install from it; without this program, unpack it and run its install.sh
    Install {
        /// What `tapps-mcp airgap export` wrote
        #[arg(value_name = "FILE")]
        file: PathBuf,
        /// The program goes into the folder `bin` of this one [default: ~/.local]
        #[arg(long, value_name = "DIR")]
        prefix: Option<PathBuf>,
    },
}

/// Runs one command and returns the exit code.
///
/// # Errors
/// What [`export_archive`] and [`install_archive`] say.
pub async fn run(command: AirgapCommand, context: &CliContext) -> Result<u8> {
    let (settings, call) = (settings(context)?, context.call_within(LIMIT));
    // Packing and hashing block; no other task of this process waits for them.
    let said = tokio::task::block_in_place(|| match command {
        AirgapCommand::Export { file, python_tag, with_interpreter, node, from, bundles, without_program } => {
            let settings = ToolchainSettings { from: from.or_else(|| settings.from.clone()), ..settings.clone() };
            let tools = tool::read_lock(context)?;
            let node = node || tool::any_runs_on_node(context, &tools)?;
            let request = AirgapExportRequest {
                pythons: python_tag,
                interpreter: with_interpreter,
                node,
                tools,
                bundles,
                without_program,
            };
            let exported = export_archive(&settings, &request, &file, &call)?;
            let (files, megabytes) = (exported.files, exported.bytes / 1_000_000);
            Ok(format!("{}  {}\n{files} files, {megabytes} MB\n", exported.sha256, file.display()))
        }
        AirgapCommand::Install { file, prefix } => {
            let unpacked = install_archive(&settings, &file, &prefix.map_or_else(default_install_prefix, Ok)?, &call)?;
            let mut said = String::new();
            if let Some(program) = &unpacked.program {
                said += &format!("installed: {} in {}\n", unpacked.about.version, program.display());
            }
            for tree in &unpacked.installed {
                let (kind, files) = (tree.verification.kind, tree.verification.files);
                said += &format!("installed: {kind} ({files} files, verified) in {}\n", tree.root.display());
            }
            for (name, tree) in &unpacked.own {
                let files = tree.verification.files;
                said += &format!("installed: {name} ({files} files, verified) in {}\n", tree.root.display());
            }
            if unpacked.bundles > 0 {
                said += &format!("installed: {} documentation bundles\n", unpacked.bundles);
            }
            Ok(said)
        }
    })?;
    context.out.write(&said)?;
    Ok(exit::CLEAN)
}

fn default_install_prefix() -> Result<PathBuf> {
    let home = std::env::var_os(HOME).filter(|home| !home.is_empty()).ok_or_else(|| {
        Error::new(ErrorCode::ConfigError, format!("there is no place for the program: {HOME} is not set"))
            .hint("name a folder with --prefix")
    })?;
    Ok(PathBuf::from(home).join(".local"))
}
