//! An unpacked CPython: put in place whole or not at all, and held against what was unpacked whenever it is used.
//!
//! The lock has the digest of the archive. What the archive holds is worked out from it when it is unpacked, and kept in a
//! file beside the tree.

use std::fs;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::archive;
use super::fetch::fetch_archive;
use super::lock::{InterpreterArchive, InterpreterLock};
use crate::install::{InstallFolder, Installed};
use crate::interpreter::{Interpreter, UnpackedArchive};
use crate::manifest::TreeManifest;
use crate::remembered::FileMemory;
use crate::verify::{TreeVerification, compare_with_manifest};
use crate::{ToolchainSettings, platform, unpack};
use tapps_base::call::Call;
use tapps_base::{Error, ErrorCode, Result, digest};

/// What was unpacked, beside the folder that the archive has.
const MANIFEST: &str = "manifest.json";

/// The file of what was unpacked.
#[derive(Debug, Serialize, Deserialize)]
struct UnpackedManifest {
    /// SHA-256 of the archive.
    archive: String,
    tree: TreeManifest,
}

fn root_of(settings: &ToolchainSettings, archive: &InterpreterArchive) -> PathBuf {
    settings.toolchains().join(&archive.sha256)
}

/// The CPython of an archive, when it was unpacked; it is not verified yet, and nothing of it has run.
pub(super) fn open_unpacked(settings: &ToolchainSettings, archive: &InterpreterArchive) -> Option<Interpreter> {
    let unpacked = UnpackedArchive { sha256: archive.sha256.clone(), root: root_of(settings, archive) };
    let manifest = read_manifest(&unpacked).ok()?;
    let program = archive.program();
    let sha256 = manifest.files.get(&program)?.sha256.clone();
    let executable = unpacked.root.join(program);
    Some(Interpreter {
        implementation: "CPython".to_owned(),
        version: archive.version.clone(),
        launcher: executable.clone(),
        executable,
        sha256,
        digest: None,
        tag: archive.python,
        archive: Some(unpacked),
    })
}

/// Compares an unpacked CPython with what its archive holds; none for one of the machine's.
///
/// # Errors
/// `toolchain_mismatch` when nobody can tell any more what it should hold, `resource_exhausted`.
pub(crate) fn verify_interpreter(
    interpreter: &Interpreter,
    memory: Option<&FileMemory>,
) -> Result<Option<TreeVerification>> {
    let Some(unpacked) = &interpreter.archive else { return Ok(None) };
    verify_unpacked(unpacked, memory).map(Some)
}

fn verify_unpacked(unpacked: &UnpackedArchive, memory: Option<&FileMemory>) -> Result<TreeVerification> {
    compare_with_manifest(&unpacked.root, &read_manifest(unpacked)?, &[MANIFEST], Vec::new(), memory)
}

fn read_manifest(unpacked: &UnpackedArchive) -> Result<TreeManifest> {
    let path = unpacked.root.join(MANIFEST);
    let lost = |what: String| {
        Error::new(ErrorCode::ToolchainMismatch, format!("what {} should hold cannot be told: {what}", path.display()))
            .tool("python")
            .hint("run `tapps-mcp toolchain install --interpreter locked` to unpack it anew")
    };
    let text = fs::read(&path).map_err(|e| lost(e.to_string()))?;
    let known: UnpackedManifest = serde_json::from_slice(&text).map_err(|e| lost(e.to_string()))?;
    if known.archive != unpacked.sha256 {
        return Err(lost("it is of another archive".to_owned()));
    }
    Ok(known.tree)
}

/// Unpacks an archive into the data folder, or mends what was unpacked of it. Only one process does the work.
///
/// # Errors
/// As [`fetch_archive`], `toolchain_mismatch` when the archive holds what cannot be unpacked, `config_error` when the folder
/// cannot be written, `resource_exhausted` when the disk is full. Whatever happens, nothing half-made is left in place.
pub(super) fn install_archive(
    settings: &ToolchainSettings,
    archive: &InterpreterArchive,
    call: &Call,
) -> Result<Installed> {
    let root = root_of(settings, archive);
    let folder = InstallFolder::lock(settings.toolchains(), call)?;
    let unpacked = UnpackedArchive { sha256: archive.sha256.clone(), root: root.clone() };
    if root.exists() {
        let verification = verify_unpacked(&unpacked, None).ok().filter(TreeVerification::is_clean);
        if let Some(verification) = verification {
            return Ok(Installed { root, reused: true, verification });
        }
        call.progress.note("the unpacked CPython is not as its archive: unpacking it anew");
    }
    let (fetched, fresh) = (folder.new_tree()?, folder.new_tree()?);
    let path = fetch_archive(settings, archive, fetched.path(), call)?;
    call.progress.report("unpack", 0, 1);
    let tree = archive::unpack_interpreter(archive, &path, fresh.path(), call).map_err(|error| error.tool("python"))?;
    call.progress.report("unpack", 1, 1);
    let text = digest::canonical_json(&UnpackedManifest { archive: archive.sha256.clone(), tree })?;
    let place = fresh.path().join(MANIFEST);
    fs::write(&place, text).map_err(|e| Error::io(format_args!("cannot write {}", place.display()), &e))?;
    unpack::make_folders_read_only(fresh.path())?;
    // A folder that cannot be written cannot be renamed either, on some systems.
    platform::set_mode(fresh.path(), 0o755).map_err(|e| Error::io("cannot change the unpacked folder", &e))?;
    let there = UnpackedArchive { root: fresh.path().to_owned(), ..unpacked };
    let verification = verify_unpacked(&there, None)?;
    if !verification.is_clean() {
        return Err(verification.to_error("look at the disk: it does not hold what was just written"));
    }
    folder.replace(&fresh, &root)?;
    Ok(Installed { root, reused: false, verification })
}

/// Puts an unpacked CPython right where it is not as its archive; none for one of the machine's.
///
/// # Errors
/// As [`install_archive`].
pub(crate) fn mend(settings: &ToolchainSettings, interpreter: &Interpreter, call: &Call) -> Result<Option<Installed>> {
    let Some(unpacked) = &interpreter.archive else { return Ok(None) };
    let lock = InterpreterLock::of_file(settings.interpreter_lock.as_deref())?;
    let archive = lock.archives.iter().find(|archive| archive.sha256 == unpacked.sha256);
    archive.map(|archive| install_archive(settings, archive, call)).transpose()
}
