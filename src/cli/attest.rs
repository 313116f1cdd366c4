//! `tapps-mcp attest`: check an attestation by doing it again.

use std::path::{Path, PathBuf};

use clap::Subcommand;

use super::CliContext;
use super::engine::engine;
use super::global::CliOutputFormat;
use super::human::style::{Style, pluralize_count};
use tapps_base::{Error, ErrorCode, Result, exit};
use tapps_quality::cache::AnswerCache;
use tapps_report::attest::{AttestationCheck, Statement, check_signature, verify_attestation};

#[derive(Debug, Subcommand)]
pub enum AttestCommand {
    /// Judge the attested files again: exit code 0 when everything is identical, 1 with the first difference
    Verify(VerifyArgs),
}

#[derive(Debug, clap::Args)]
pub struct VerifyArgs {
    /// What `tapps-mcp gate --attest FILE` wrote
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Accept it only with a minisign signature by this key: a file, or the key itself
    #[arg(long, value_name = "KEY")]
    public_key: Option<String>,
    /// The signature [default: FILE.minisig]
    #[arg(long, value_name = "FILE", requires = "public_key")]
    signature: Option<PathBuf>,
    /// What to write on standard output
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    format: CliOutputFormat,
}

impl AttestCommand {
    pub(super) fn speaks_json(&self) -> bool {
        match self {
            Self::Verify(args) => args.format == CliOutputFormat::Json,
        }
    }
}

/// Verifies and reports.
///
/// # Errors
/// `file_not_found`, `corrupted_data` for a file that is no attestation, `invalid_argument` for a key or a signature that
/// cannot be read, and what the engine says.
pub async fn run(command: AttestCommand, context: &CliContext) -> Result<u8> {
    let AttestCommand::Verify(args) = command;
    let text = read_attestation_file(&args.file)?;
    let mut forged = None;
    if let Some(key) = &args.public_key {
        let signature = args.signature.clone().unwrap_or_else(|| {
            let mut name = args.file.clone().into_os_string();
            name.push(".minisig");
            name.into()
        });
        let key = if Path::new(key).is_file() { read_attestation_file(Path::new(key))? } else { key.clone() };
        forged = check_signature(text.as_bytes(), &read_attestation_file(&signature)?, &key)?;
    }
    let signed = args.public_key.is_some() && forged.is_none();
    let statement = Statement::parse(&text)?;
    let verification = match forged {
        // What nobody vouches for is not worth doing again.
        Some(difference) => AttestationCheck::from_difference(&statement, difference),
        // Done again by the tools, and not taken from what is kept of the first time.
        None => {
            verify_attestation(
                &engine(context)?.with_answer_cache(AnswerCache::disabled()),
                &statement,
                &context.call(),
            )
            .await?
        }
    };
    if args.format == CliOutputFormat::Json {
        context.out.write_json(&verification)?;
    } else {
        context.out.write(&render_verification(&verification, signed, context.out.style()))?;
    }
    Ok(if verification.identical { exit::CLEAN } else { exit::FINDINGS })
}

fn read_attestation_file(path: &Path) -> Result<String> {
    std::fs::read_to_string(path)
        .map_err(|e| Error::io_or(ErrorCode::FileNotFound, format_args!("cannot read {}", path.display()), &e))
}

fn render_verification(verification: &AttestationCheck, signed: bool, style: Style) -> String {
    let files = pluralize_count(verification.files, "file");
    let signature = if signed { " · signature valid" } else { "" };
    let Some(difference) = &verification.first_difference else {
        return format!("{} · {files}{signature}\n", style.good("identical"));
    };
    let agree = match verification.same_verdict {
        Some(true) => "findings and scores agree all the same\n",
        Some(false) => "findings or scores differ\n",
        None => "",
    };
    format!("{} · {files}{signature}\n{difference}\n{agree}", style.bad("differs"))
}
