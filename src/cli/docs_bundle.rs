//! `tapps-mcp docs bundle`: build, list, show, verify.

use std::path::{Path, PathBuf};

use clap::Subcommand;
use serde::Serialize;

use super::CliContext;
use super::docs::open_bundle_shelf;
use super::docs_bundle_build::{BuildArgs, build};
use tapps_base::{Error, ErrorCode, Result, exit};
use tapps_docs::bundle;
use tapps_docs::bundle::{Bundle, BundleLock, BundleManifest};
use tapps_docs::ecosystem_word;
use tapps_report::attest::check_signature;

#[derive(Debug, Subcommand)]
pub enum BundleCommand {
    Build(BuildArgs),
    /// List the bundles on this machine
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Show what a bundle says of itself
    Show {
        #[arg(value_name = "FILE")]
        file: PathBuf,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Check bundles: exit code 1 when one is not sound, or not the one of the lock
    Verify {
        /// [default: all on this machine]
        #[arg(value_name = "FILE")]
        files: Vec<PathBuf>,
        /// Compare with this lock too
        #[arg(long, value_name = "FILE")]
        lock: Option<PathBuf>,
        /// Accept none without a minisign signature by this key in FILE.minisig: a file, or the key itself
        #[arg(long, value_name = "KEY", requires = "files")]
        public_key: Option<String>,
    },
}

impl BundleCommand {
    pub(super) fn speaks_json(&self) -> bool {
        matches!(self, Self::List { json: true } | Self::Show { json: true, .. })
    }
}

/// Runs the command.
///
/// # Errors
/// `tool_unavailable` when a wheel or package cannot be had, `corrupted_data` for one that is not as locked or not sound.
pub async fn run(command: BundleCommand, context: &CliContext) -> Result<u8> {
    match command {
        BundleCommand::Build(args) => build(args, context).await,
        BundleCommand::List { json } => list(json, context),
        BundleCommand::Show { file, json } => show(&file, json, context),
        BundleCommand::Verify { files, lock, public_key } => {
            verify(&files, lock.as_deref(), public_key.as_deref(), context)
        }
    }
}

fn list(json: bool, context: &CliContext) -> Result<u8> {
    let listed = open_bundle_shelf(context)?.list();
    if json {
        context.out.write_json(&listed)?;
    } else {
        let lines = listed.iter().map(|found| {
            format!("{} {} ({})\n", found.library, found.version, ecosystem_word::word_of_ecosystem(found.ecosystem))
        });
        context.out.write(&lines.collect::<String>())?;
    }
    Ok(if listed.is_empty() { exit::NO_INPUT } else { exit::CLEAN })
}

/// A bundle's own words, and what is in it.
#[derive(Serialize)]
struct Described {
    manifest: BundleManifest,
    sha256: String,
    symbols: usize,
    guides: usize,
}

fn show(file: &Path, json: bool, context: &CliContext) -> Result<u8> {
    let bundle = bundle::read_bundle_file(file)?;
    let described = Described {
        symbols: bundle.index.symbols.len(),
        guides: bundle.index.guides.len(),
        sha256: bundle.sha256,
        manifest: bundle.manifest,
    };
    if json {
        context.out.write_json(&described)?;
    } else {
        let manifest = &described.manifest;
        context.out.write(&format!(
            "{} {} ({})\n{} symbols, {} sections of guides\nread from {} by extractor {}\nsha256 {}\n",
            manifest.library,
            manifest.version,
            ecosystem_word::word_of_ecosystem(manifest.ecosystem),
            described.symbols,
            described.guides,
            manifest.artifact_sha256,
            manifest.extractor,
            described.sha256,
        ))?;
    }
    Ok(exit::CLEAN)
}

fn verify(files: &[PathBuf], lock: Option<&Path>, public_key: Option<&str>, context: &CliContext) -> Result<u8> {
    let lock = lock.map(BundleLock::read).transpose()?;
    let key = public_key
        .map(|key| if Path::new(key).is_file() { read_text_file(Path::new(key)) } else { Ok(key.to_owned()) });
    let key = key.transpose()?;
    let shelf = open_bundle_shelf(context)?;
    let mut results = Vec::new();
    if files.is_empty() {
        results.extend(shelf.list().iter().map(|listed| (listed.file.clone(), shelf.load(listed))));
    }
    for file in files {
        let signed = key.as_deref().map_or(Ok(()), |key| check_bundle_signature(file, key));
        // An unreadable key is the caller's mistake and not the bundle's.
        if let Err(error) = &signed
            && error.code() == ErrorCode::InvalidArgument
        {
            return Err(error.clone());
        }
        results.push((file.display().to_string(), signed.and_then(|()| bundle::read_bundle_file(file))));
    }
    if results.is_empty() {
        return Err(
            Error::new(ErrorCode::FileNotFound, "there is no bundle").hint("build one with `docs bundle build`")
        );
    }
    let mut sound = true;
    for (name, result) in results {
        let said = result.and_then(|bundle| as_locked(bundle, lock.as_ref()));
        sound &= said.is_ok();
        context.out.write(&match said {
            Ok(sha256) => format!("{sha256}  {name}\n"),
            Err(error) => format!("REFUSED  {name}: {error}\n"),
        })?;
    }
    Ok(if sound { exit::CLEAN } else { exit::FINDINGS })
}

fn as_locked(bundle: Bundle, lock: Option<&BundleLock>) -> Result<String> {
    lock.map_or(Ok(()), |lock| lock.check(&bundle))?;
    Ok(bundle.sha256)
}

/// Whether the signature beside a bundle is of these very bytes by that key.
fn check_bundle_signature(file: &Path, key: &str) -> Result<()> {
    let mut beside = file.as_os_str().to_owned();
    beside.push(".minisig");
    let signature = read_text_file(Path::new(&beside))?;
    let bytes = std::fs::read(file)
        .map_err(|e| Error::io_or(ErrorCode::FileNotFound, format_args!("cannot read {}", file.display()), &e))?;
    match check_signature(&bytes, &signature, key)? {
        None => Ok(()),
        Some(difference) => Err(Error::new(ErrorCode::CorruptedData, format!("the bundle is refused: {difference}"))),
    }
}

fn read_text_file(path: &Path) -> Result<String> {
    std::fs::read_to_string(path)
        .map_err(|e| Error::io_or(ErrorCode::FileNotFound, format_args!("cannot read {}", path.display()), &e))
}
