//! `tapps-mcp docs bundle build`: from published wheels and npm packages to bundles.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha512};

use super::CliContext;
use super::docs::own_bundles;
use super::engine::settings;
use tapps_base::call::Call;
use tapps_base::{Error, ErrorCode, Result, digest, exit};
use tapps_docs::bundle;
use tapps_docs::bundle::{BundleLock, Locked, Shelf};
use tapps_docs::symbol::LibraryIndex;
use tapps_project::packages::Ecosystem;
use tapps_project::versions::{Pins, normalize_library_name};
use tapps_toolchain::{PythonTag, System, ToolchainSettings, published};

/// Fetching over a slow line may take this long.
const LIMIT: Duration = Duration::from_secs(60 * 60);

/// Build bundles from published wheels and npm packages; the same file gives the same bytes on every machine
#[derive(Debug, clap::Args)]
pub struct BuildArgs {
    /// Libraries with their versions: NAME==VERSION of Python, NAME@VERSION of npm
    #[arg(value_name = "LIBRARY", required_unless_present_any = ["from_lock", "locked"])]
    libraries: Vec<String>,
    /// Everything that the lock files of the project pin
    #[arg(long)]
    from_lock: bool,
    /// What this lock names; a wheel, package or bundle with other bytes is an error
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "bundles/bundles.lock.json")]
    locked: Option<PathBuf>,
    /// Take wheels and npm packages from this folder before the package client
    #[arg(long, value_name = "DIR")]
    wheels: Option<PathBuf>,
    /// Put the bundles here [default: the user's own folder]
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// Write a lock of what was built
    #[arg(long, value_name = "FILE")]
    write_lock: Option<PathBuf>,
}

/// One bundle to build.
struct BundleBuildTarget {
    ecosystem: Ecosystem,
    library: String,
    version: String,
    /// Digests of which the file has to have one, as lock files of projects write them.
    hashes: Vec<String>,
    locked: Option<Locked>,
}

impl BundleBuildTarget {
    fn parse_library_argument(text: &str) -> Result<Self> {
        let python = text.split_once("==").map(|(name, version)| (Ecosystem::PyPi, name, version));
        // The first sign of a scoped name is no separator.
        let npm = || text.strip_prefix("npm:").unwrap_or(text).rsplit_once('@').filter(|(name, _)| !name.is_empty());
        let npm = || npm().map(|(name, version)| (Ecosystem::Npm, name, version));
        let (ecosystem, library, version) = python.or_else(npm).ok_or_else(|| {
            Error::invalid(format!("`{text}` names no version"))
                .hint("write NAME==VERSION, as requests==2.32.5, or for npm NAME@VERSION, as zod@4.1.12")
        })?;
        let (library, version) = (library.trim().to_owned(), version.trim().to_owned());
        Ok(Self { ecosystem, library, version, hashes: Vec::new(), locked: None })
    }
}

/// Builds what is asked for and prints the digests.
///
/// # Errors
/// `tool_unavailable` when a wheel or package cannot be had, `corrupted_data` for one that is not as locked or not sound.
pub(super) async fn build(args: BuildArgs, context: &CliContext) -> Result<u8> {
    let mut wanted = args
        .libraries
        .iter()
        .map(|library| BundleBuildTarget::parse_library_argument(library))
        .collect::<Result<Vec<_>>>()?;
    if args.from_lock {
        let pins = Pins::of_project(&context.boundary)?;
        let built = pins.iter().filter(|pin| pin.ecosystem != Ecosystem::Crates);
        wanted.extend(built.filter_map(|pin| {
            let (library, version) = (pin.library.clone(), pin.version.clone()?);
            Some(BundleBuildTarget {
                ecosystem: pin.ecosystem,
                library,
                version,
                hashes: pin.hashes.clone(),
                locked: None,
            })
        }));
    }
    if let Some(lock) = &args.locked {
        wanted.extend(BundleLock::read(lock)?.bundles.into_iter().map(|entry| BundleBuildTarget {
            ecosystem: entry.ecosystem,
            library: entry.library.clone(),
            version: entry.version.clone(),
            hashes: Vec::new(),
            locked: Some(entry),
        }));
    }
    let job = Job {
        settings: settings(context)?,
        shelf: Shelf::new(vec![args.dir.map_or_else(|| own_bundles(context), Ok)?]),
        files: args.wheels,
        call: context.call_within(LIMIT),
    };
    let built = tokio::task::spawn_blocking(move || job.build_all(wanted)).await;
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
    settings: ToolchainSettings,
    shelf: Shelf,
    files: Option<PathBuf>,
    call: Call,
}

impl Job {
    fn build_all(&self, wanted: Vec<BundleBuildTarget>) -> Result<Vec<Locked>> {
        let folder = tempfile::tempdir().map_err(|e| Error::io("cannot make a temporary folder for wheels", &e))?;
        let total = wanted.len() as u64;
        let mut built = Vec::new();
        for (done, wanted) in (0_u64..).zip(wanted) {
            self.call.check()?;
            self.call.progress.report("bundles", done, total);
            built.push(self.build_one(&wanted, folder.path())?);
        }
        self.call.progress.report("bundles", total, total);
        built.sort();
        Ok(built)
    }

    fn build_one(&self, wanted: &BundleBuildTarget, folder: &Path) -> Result<Locked> {
        let (BundleBuildTarget { library, version, .. }, locked) = (wanted, wanted.locked.as_ref());
        let path = match self.at_hand(wanted) {
            Some(path) => path,
            None => self.fetch_package(wanted, folder)?,
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
            return Err(differs("the wheel or package", &sha256, &locked.artifact_sha256));
        }
        if !is_one_of(&wanted.hashes, &sha256, &bytes) {
            return Err(differs("the wheel or package", &sha256, "another"));
        }
        let index = index_package(wanted.ecosystem, &bytes)?;
        if normalize_library_name(wanted.ecosystem, library) != index.library {
            let message = format!("the file for {library} {version} holds {} {}", index.library, index.version);
            return Err(Error::new(ErrorCode::CorruptedData, message).hint("remove it and fetch it again"));
        }
        let packed = bundle::pack_bundle(&index)?;
        let bundle_sha256 = digest::sha256(&packed);
        if let Some(locked) = locked.filter(|locked| locked.bundle_sha256 != bundle_sha256) {
            return Err(differs("the bundle", &bundle_sha256, &locked.bundle_sha256));
        }
        self.shelf.put(&index, &packed)?;
        Ok(Locked {
            ecosystem: index.ecosystem,
            library: index.library,
            version: index.version,
            file: path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default(),
            artifact_sha256: sha256,
            bundle_sha256,
        })
    }

    fn fetch_package(&self, wanted: &BundleBuildTarget, folder: &Path) -> Result<PathBuf> {
        let named = (&*wanted.library, &*wanted.version);
        match wanted.ecosystem {
            Ecosystem::Npm => published::fetch_npm_package(&self.settings, named, folder, &self.call),
            _ => published::fetch_published_wheel(
                &self.settings,
                named,
                (System::X86_64Linux, PythonTag::Cp313),
                folder,
                &self.call,
            ),
        }
    }

    /// The wheel or package in the folder that was named.
    fn at_hand(&self, wanted: &BundleBuildTarget) -> Option<PathBuf> {
        let folder = self.files.as_ref()?;
        if let Some(locked) = &wanted.locked {
            return Some(folder.join(&locked.file)).filter(|path| path.is_file());
        }
        if wanted.ecosystem == Ecosystem::Npm {
            let name = wanted.library.trim_start_matches('@').replace('/', "-");
            return Some(folder.join(format!("{name}-{}.tgz", wanted.version))).filter(|path| path.is_file());
        }
        let names = fs::read_dir(folder).ok()?.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        let library = normalize_library_name(Ecosystem::PyPi, &wanted.library);
        let mut fitting: Vec<String> = names.filter(|name| is_wheel_of(name, &library, &wanted.version)).collect();
        fitting.sort();
        fitting.pop().map(|name| folder.join(name))
    }
}

fn is_wheel_of(file: &str, library: &str, version: &str) -> bool {
    let mut parts = file.splitn(3, '-');
    let named = parts.next().map(|name| normalize_library_name(Ecosystem::PyPi, name));
    file.ends_with(".whl") && named.as_deref() == Some(library) && parts.next() == Some(version)
}

fn index_package(ecosystem: Ecosystem, bytes: &[u8]) -> Result<LibraryIndex> {
    match ecosystem {
        Ecosystem::Npm => bundle::from_tarball(bytes),
        _ => bundle::from_wheel(bytes),
    }
}

/// Whether a file has one of the digests that a lock names (`sha256:…` in hex, `sha512-…` in base64); true when the lock
/// names none of a kind that is known here.
fn is_one_of(hashes: &[String], sha256: &str, bytes: &[u8]) -> bool {
    let known: Vec<&String> = hashes.iter().filter(|h| h.starts_with("sha256:") || h.starts_with("sha512-")).collect();
    let sha512 = || format!("sha512-{}", STANDARD.encode(Sha512::digest(bytes)));
    let is_it = |hash: &&String| match hash.strip_prefix("sha256:") {
        Some(hex) => hex.eq_ignore_ascii_case(sha256),
        // Several may stand in one text, each with options behind a question mark.
        None => hash.split_whitespace().any(|one| one.split('?').next() == Some(&*sha512())),
    };
    known.is_empty() || known.iter().any(is_it)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_are_named_with_versions() {
        let of = |text: &str| {
            BundleBuildTarget::parse_library_argument(text)
                .map(|wanted| (wanted.ecosystem, wanted.library, wanted.version))
        };
        assert_eq!(of("requests==2.32.5").unwrap(), (Ecosystem::PyPi, "requests".into(), "2.32.5".into()));
        assert_eq!(of("@types/react@19.2.2").unwrap(), (Ecosystem::Npm, "@types/react".into(), "19.2.2".into()));
        assert_eq!(of("npm:zod@4.1.12").unwrap(), (Ecosystem::Npm, "zod".into(), "4.1.12".into()));
        for nameless in ["requests", "@types/react", ""] {
            assert_eq!(of(nameless).unwrap_err().code(), ErrorCode::InvalidArgument, "{nameless}");
        }
        assert!(is_wheel_of("ruamel.yaml-0.18-py3-none-any.whl", "ruamel-yaml", "0.18"));
        assert!(!is_wheel_of("requests-2.32.50-py3-none-any.whl", "requests", "2.32.5"));
    }

    #[test]
    fn a_file_has_to_be_one_that_the_lock_names() {
        let sha256 = digest::sha256(b"x");
        let sha512 = format!("sha512-{}", STANDARD.encode(Sha512::digest(b"x")));
        let other = format!("sha256:{}", "0".repeat(64));
        for (hashes, fits) in [
            (vec![], true),
            (vec!["md5:1".to_owned()], true),
            (vec![other.clone(), format!("sha256:{}", sha256.to_uppercase())], true),
            (vec![format!("sha512-aaaa {sha512}?x")], true),
            (vec![other], false),
            (vec!["sha512-aaaa".to_owned()], false),
        ] {
            assert_eq!(is_one_of(&hashes, &sha256, b"x"), fits, "{hashes:?}");
        }
    }
}
