//! `tapps-mcp docs bundle`: build, list, show, verify.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Subcommand;
use serde::Serialize;

use super::Context;
use super::docs::{own_bundles, shelf};
use super::engine::settings;
use crate::base::call::Call;
use crate::base::{Error, ErrorCode, Result, digest, exit};
use crate::docs::bundle::{self, BundleLock, Locked, Manifest, Shelf};
use crate::docs::symbol::Ecosystem;
use crate::docs::versions::{Pins, normalized};
use crate::toolchain::{PythonTag, Settings, System, published};

/// Fetching over a slow line may take this long.
const LIMIT: Duration = Duration::from_secs(60 * 60);

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
    },
}

/// Build bundles from published wheels; the same wheel gives the same bytes on every machine
#[derive(Debug, clap::Args)]
pub struct BuildArgs {
    /// Libraries with their versions
    #[arg(value_name = "NAME==VERSION", required_unless_present_any = ["from_lock", "locked"])]
    libraries: Vec<String>,
    /// Everything that the lock files of the project pin
    #[arg(long)]
    from_lock: bool,
    /// What this lock names; a wheel or bundle with other bytes is an error
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "bundles/bundles.lock.json")]
    locked: Option<PathBuf>,
    /// Take wheels from this folder before the package client
    #[arg(long, value_name = "DIR")]
    wheels: Option<PathBuf>,
    /// Put the bundles here [default: the user's own folder]
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// Write a lock of what was built
    #[arg(long, value_name = "FILE")]
    write_lock: Option<PathBuf>,
}

impl BundleCommand {
    pub(super) fn speaks_json(&self) -> bool {
        matches!(self, Self::List { json: true } | Self::Show { json: true, .. })
    }
}

/// Runs the command.
///
/// # Errors
/// `tool_unavailable` when a wheel cannot be had, `corrupted_data` for one that is not as locked or not sound.
pub async fn run(command: BundleCommand, context: &Context) -> Result<u8> {
    match command {
        BundleCommand::Build(args) => build(args, context).await,
        BundleCommand::List { json } => list(json, context),
        BundleCommand::Show { file, json } => show(&file, json, context),
        BundleCommand::Verify { files, lock } => verify(files, lock.as_deref(), context),
    }
}

async fn build(args: BuildArgs, context: &Context) -> Result<u8> {
    let mut wanted = Vec::new();
    for library in &args.libraries {
        let (name, version) = library.split_once("==").ok_or_else(|| {
            Error::invalid(format!("`{library}` names no version")).hint("write NAME==VERSION, as requests==2.32.5")
        })?;
        wanted.push((name.trim().to_owned(), version.trim().to_owned(), None));
    }
    if args.from_lock {
        let pins = Pins::of_project(&context.boundary)?;
        let python = pins.iter().filter(|pin| pin.ecosystem == Ecosystem::Python);
        wanted.extend(python.filter_map(|pin| Some((pin.library.clone(), pin.version.clone()?, None))));
    }
    if let Some(lock) = &args.locked {
        let lock = BundleLock::read(lock)?;
        wanted
            .extend(lock.bundles.into_iter().map(|entry| (entry.library.clone(), entry.version.clone(), Some(entry))));
    }
    let job = Job {
        settings: settings(context)?,
        shelf: Shelf::new(vec![args.dir.map_or_else(|| own_bundles(context), Ok)?]),
        wheels: args.wheels,
        call: context.call_within(LIMIT),
    };
    let built = tokio::task::spawn_blocking(move || job.all(wanted)).await;
    let built = built.map_err(|_| Error::internal("the command failed unexpectedly"))??;
    let lines = built.iter().map(|entry| format!("{}  {} {}\n", entry.bundle_sha256, entry.library, entry.version));
    context.out.write(&lines.collect::<String>())?;
    if let Some(file) = &args.write_lock {
        BundleLock::new(built).write(file)?;
    }
    Ok(exit::CLEAN)
}

/// Everything needed to build, on a thread of its own.
struct Job {
    settings: Settings,
    shelf: Shelf,
    wheels: Option<PathBuf>,
    call: Call,
}

impl Job {
    fn all(&self, wanted: Vec<(String, String, Option<Locked>)>) -> Result<Vec<Locked>> {
        let folder = tempfile::tempdir().map_err(|e| Error::io("cannot make a temporary folder for wheels", &e))?;
        let total = wanted.len() as u64;
        let mut built = Vec::new();
        for (done, (library, version, locked)) in (0_u64..).zip(wanted) {
            self.call.check()?;
            self.call.progress.report("bundles", done, total);
            built.push(self.one(&library, &version, locked.as_ref(), folder.path())?);
        }
        self.call.progress.report("bundles", total, total);
        built.sort();
        Ok(built)
    }

    fn one(&self, library: &str, version: &str, locked: Option<&Locked>, folder: &Path) -> Result<Locked> {
        let path = match self.at_hand(library, version, locked) {
            Some(path) => path,
            None => published::wheel(
                &self.settings,
                (library, version),
                (System::X86_64Linux, PythonTag::Cp313),
                folder,
                &self.call,
            )?,
        };
        let bytes = fs::read(&path).map_err(|e| Error::io(format_args!("cannot read {}", path.display()), &e))?;
        let sha256 = digest::sha256(&bytes);
        let differs = |what: &str, found: &str, wanted: &str| {
            Error::new(
                ErrorCode::CorruptedData,
                format!("{what} of {library} {version} is {found}, the lock says {wanted}"),
            )
            .hint("fetch it again; if the lock is out of date, write it anew with --write-lock")
        };
        if let Some(locked) = locked.filter(|locked| locked.artifact_sha256 != sha256) {
            return Err(differs("the wheel", &sha256, &locked.artifact_sha256));
        }
        let index = bundle::from_wheel(&bytes)?;
        let packed = bundle::pack(&index)?;
        let bundle_sha256 = digest::sha256(&packed);
        if let Some(locked) = locked.filter(|locked| locked.bundle_sha256 != bundle_sha256) {
            return Err(differs("the bundle", &bundle_sha256, &locked.bundle_sha256));
        }
        self.shelf.put(&index, &packed)?;
        Ok(Locked {
            library: index.library,
            version: index.version,
            file: path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default(),
            artifact_sha256: sha256,
            bundle_sha256,
        })
    }

    /// The wheel in the folder that was named.
    fn at_hand(&self, library: &str, version: &str, locked: Option<&Locked>) -> Option<PathBuf> {
        let folder = self.wheels.as_ref()?;
        if let Some(locked) = locked {
            return Some(folder.join(&locked.file)).filter(|path| path.is_file());
        }
        let names = fs::read_dir(folder).ok()?.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        let mut fitting: Vec<String> = names
            .filter(|name| {
                let mut parts = name.splitn(3, '-');
                let same = |part: Option<&str>, wanted: &str| part.is_some_and(|part| part == wanted);
                let named = parts.next().map(|name| normalized(Ecosystem::Python, name));
                name.ends_with(".whl")
                    && named == Some(normalized(Ecosystem::Python, library))
                    && same(parts.next(), version)
            })
            .collect();
        fitting.sort();
        fitting.pop().map(|name| folder.join(name))
    }
}

fn list(json: bool, context: &Context) -> Result<u8> {
    let listed = shelf(context)?.list();
    if json {
        context.out.json(&listed)?;
    } else {
        let lines =
            listed.iter().map(|found| format!("{} {} ({})\n", found.library, found.version, found.ecosystem.as_str()));
        context.out.write(&lines.collect::<String>())?;
    }
    Ok(if listed.is_empty() { exit::NO_INPUT } else { exit::CLEAN })
}

/// A bundle's own words, and what is in it.
#[derive(Serialize)]
struct Described {
    manifest: Manifest,
    sha256: String,
    symbols: usize,
    guides: usize,
}

fn show(file: &Path, json: bool, context: &Context) -> Result<u8> {
    let bundle = bundle::read(file)?;
    let described = Described {
        symbols: bundle.index.symbols.len(),
        guides: bundle.index.guides.len(),
        sha256: bundle.sha256,
        manifest: bundle.manifest,
    };
    if json {
        context.out.json(&described)?;
    } else {
        let manifest = &described.manifest;
        context.out.write(&format!(
            "{} {} ({})\n{} symbols, {} sections of guides\nread from {} by extractor {}\nsha256 {}\n",
            manifest.library,
            manifest.version,
            manifest.ecosystem.as_str(),
            described.symbols,
            described.guides,
            manifest.artifact_sha256,
            manifest.extractor,
            described.sha256,
        ))?;
    }
    Ok(exit::CLEAN)
}

fn verify(files: Vec<PathBuf>, lock: Option<&Path>, context: &Context) -> Result<u8> {
    let lock = lock.map(BundleLock::read).transpose()?;
    let shelf = shelf(context)?;
    let mut results = Vec::new();
    if files.is_empty() {
        results.extend(shelf.list().iter().map(|listed| (listed.file.clone(), shelf.load(listed))));
    } else {
        results.extend(files.iter().map(|file| (file.display().to_string(), bundle::read(file))));
    }
    if results.is_empty() {
        return Err(
            Error::new(ErrorCode::FileNotFound, "there is no bundle").hint("build one with `docs bundle build`")
        );
    }
    let mut sound = true;
    for (name, result) in results {
        let said = result.and_then(|bundle| match &lock {
            Some(lock) => lock.check(&bundle).map(|()| bundle.sha256),
            None => Ok(bundle.sha256),
        });
        sound &= said.is_ok();
        context.out.write(&match said {
            Ok(sha256) => format!("{sha256}  {name}\n"),
            Err(error) => format!("REFUSED  {name}: {error}\n"),
        })?;
    }
    Ok(if sound { exit::CLEAN } else { exit::FINDINGS })
}
