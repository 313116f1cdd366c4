//! `tapps-mcp attest`: check an attestation by doing it again; have it signed.

use std::path::{Path, PathBuf};

use clap::Subcommand;

use super::CliContext;
use super::engine::engine;
use super::global::CliOutputFormat;
use super::human::style::{Style, pluralize_count};
use tapps_base::{Error, ErrorCode, Result, atomic, exit};
use tapps_quality::cache::AnswerCache;
use tapps_report::attest::{
    AttestationCheck, AttestationOutcome, Difference, Envelope, check_signature, verify_attestation,
};

#[derive(Debug, Subcommand)]
pub enum AttestCommand {
    /// Judge the attested files again: exit code 0 when everything is identical, 1 with the first difference
    Verify(VerifyArgs),
    /// Write what a signature of an attestation is made of, for `minisign -S -l -m`
    Pae(PaeArgs),
    /// Put such a signature into the attestation
    Seal(SealArgs),
}

#[derive(Debug, clap::Args)]
pub struct PaeArgs {
    /// What `tapps-mcp gate --attest FILE` wrote
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Where to write it [default: FILE.pae]
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
pub struct SealArgs {
    /// What `tapps-mcp gate --attest FILE` wrote
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The key that signed: a file, or the key itself
    #[arg(long, value_name = "KEY")]
    public_key: String,
    /// The signature of what `attest pae` wrote [default: FILE.pae.minisig]
    #[arg(long, value_name = "FILE")]
    signature: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
pub struct VerifyArgs {
    /// What `tapps-mcp gate --attest FILE` wrote
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Exit code 0 also when only the interpreter is another and findings and scores agree
    #[arg(long)]
    allow_interpreter: bool,
    /// Exit code 0 only when the attested verdict is that every file passed
    #[arg(long)]
    require_passed: bool,
    /// Accept it only with a signature by this minisign key, inside or beside it: a file, or the key itself
    #[arg(long, value_name = "KEY")]
    public_key: Option<String>,
    /// The signature beside it, when none is inside [default: FILE.minisig]
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
            Self::Pae(_) | Self::Seal(_) => false,
        }
    }
}

/// Does what is asked with an attestation.
///
/// # Errors
/// `file_not_found`, `corrupted_data` for a file that is no attestation, `invalid_argument` for a key or a signature that
/// cannot be read, and what the engine says.
pub async fn run(command: AttestCommand, context: &CliContext) -> Result<u8> {
    match command {
        AttestCommand::Verify(args) => verify(args, context).await,
        AttestCommand::Pae(args) => {
            let envelope = Envelope::parse(&read_attestation_file(&args.file)?)?;
            let output = args.output.unwrap_or_else(|| with_ending(&args.file, ".pae"));
            atomic::write(&output, &envelope.bytes_to_sign()?)?;
            Ok(exit::CLEAN)
        }
        AttestCommand::Seal(args) => {
            let mut envelope = Envelope::parse(&read_attestation_file(&args.file)?)?;
            let signature = args.signature.unwrap_or_else(|| with_ending(&args.file, ".pae.minisig"));
            envelope.add_signature(&read_attestation_file(&signature)?, &read_public_key(&args.public_key)?)?;
            atomic::write(&args.file, envelope.to_text()?.as_bytes())?;
            Ok(exit::CLEAN)
        }
    }
}

async fn verify(args: VerifyArgs, context: &CliContext) -> Result<u8> {
    let text = read_attestation_file(&args.file)?;
    let envelope = Envelope::parse(&text)?;
    let forged = match &args.public_key {
        None => None,
        Some(key) => find_forgery(&args, &text, &envelope, &read_public_key(key)?)?,
    };
    let signed = args.public_key.is_some() && forged.is_none();
    let statement = envelope.statement()?;
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
    let agrees = match verification.outcome {
        AttestationOutcome::Identical => true,
        AttestationOutcome::Interpreter => args.allow_interpreter,
        AttestationOutcome::Differs => false,
    };
    Ok(if agrees && (verification.passed || !args.require_passed) { exit::CLEAN } else { exit::FINDINGS })
}

/// What is wrong with the signatures: of those inside, or without any, of the one beside the file.
fn find_forgery(args: &VerifyArgs, text: &str, envelope: &Envelope, key: &str) -> Result<Option<Difference>> {
    if args.signature.is_none() && !envelope.signatures.is_empty() {
        return envelope.check_signatures(key);
    }
    let signature = args.signature.clone().unwrap_or_else(|| with_ending(&args.file, ".minisig"));
    check_signature(text.as_bytes(), &read_attestation_file(&signature)?, key)
}

fn read_public_key(key: &str) -> Result<String> {
    if Path::new(key).is_file() { read_attestation_file(Path::new(key)) } else { Ok(key.to_owned()) }
}

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

fn read_attestation_file(path: &Path) -> Result<String> {
    let bytes = std::fs::read(path)
        .map_err(|e| Error::io_or(ErrorCode::FileNotFound, format_args!("cannot read {}", path.display()), &e))?;
    String::from_utf8(bytes)
        .map_err(|_| Error::new(ErrorCode::CorruptedData, format!("{} is not UTF-8", path.display())))
}

fn render_verification(verification: &AttestationCheck, signed: bool, style: Style) -> String {
    let files = pluralize_count(verification.files, "file");
    let signature = if signed { " · signature valid" } else { "" };
    let failed = if verification.passed { "" } else { " · the attested verdict is a failed gate" };
    let signature = format!("{signature}{failed}");
    let Some(difference) = &verification.first_difference else {
        return format!("{} · {files}{signature}\n", style.good("identical"));
    };
    if verification.outcome == AttestationOutcome::Interpreter {
        let word = style.fair("equal but for the interpreter");
        return format!("{word} · {files}{signature}\n{difference}\n");
    }
    let agree = match verification.same_verdict {
        Some(true) => "findings and scores agree all the same\n",
        Some(false) => "findings or scores differ\n",
        None => "",
    };
    format!("{} · {files}{signature}\n{difference}\n{agree}", style.bad("differs"))
}
