//! From settings to a verified toolchain: which tree, which interpreter, installed when allowed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use tapps_base::call::Call;
use tapps_base::digest;
use tapps_base::{Error, ErrorCode, Result};

use super::install::Installer;
use super::interpreter::{Interpreter, InterpreterChoice};
use super::interpreter_bytes::InterpreterBytes;
use super::lock::{Lock, TreeKind};
use super::remembered::FileMemory;
use super::scratch::Scratch;
use super::standalone;
use super::system::{PythonTag, System};
use super::tree::{Toolchain, not_installed, stamp_of};
use super::verify::{TreeVerification, verify_tree};
use super::workers::Workers;
use super::{ByteCheck, ToolchainSettings};

/// The folder of a project's own tools inside a tree that was installed as a whole, each in a folder of its digest.
pub(super) const OWN_FOLDER: &str = "own";

const MEND: &str = "run `tapps-mcp toolchain install` to install them anew";
const MEND_FIXED: &str = "make the tree named by TAPPS_MCP_TOOLCHAIN_DIR anew, or unset it";

/// Finds, installs when allowed, and verifies. The result may be unverified; [`require_verified_tools`] decides about that.
///
/// # Errors
/// `tool_unavailable` when there are no tools and none can be had, `config_error` for an interpreter that does not fit.
pub(super) fn locate_toolchain(settings: &ToolchainSettings, lock: &Lock, call: &Call) -> Result<Toolchain> {
    let system = System::current()?;
    match &settings.toolchain_dir {
        Some(root) => open_fixed_toolchain(settings, lock, system, root, call),
        None => locate_managed_toolchain(settings, lock, system, call),
    }
}

/// Fails for tools that are not as locked, unless that is allowed.
///
/// # Errors
/// `toolchain_mismatch` naming the paths.
pub(super) fn require_verified_tools(settings: &ToolchainSettings, toolchain: &Toolchain) -> Result<()> {
    if settings.allow_unverified {
        return Ok(());
    }
    toolchain.require_verified(repair_hint(settings))
}

/// The command or step that puts the tools right.
pub(super) const fn repair_hint(settings: &ToolchainSettings) -> &'static str {
    if settings.toolchain_dir.is_some() { MEND_FIXED } else { MEND }
}

fn open_fixed_toolchain(
    settings: &ToolchainSettings,
    lock: &Lock,
    system: System,
    root: &Path,
    call: &Call,
) -> Result<Toolchain> {
    if !root.is_dir() {
        return Err(not_installed(root).hint(MEND_FIXED));
    }
    let kind = kind_of(root, lock, system);
    let interpreter = match Interpreter::find(settings, system, kind.python(), call) {
        Ok(interpreter) => Some(interpreter),
        Err(error) if may_do_without(settings, &error) => None,
        Err(error) => return Err(error),
    };
    let apart = found_apart(|kind| Some(root.join(kind.as_str())));
    let nested: Vec<&str> = TreeKind::APART.iter().map(|kind| kind.as_str()).chain([OWN_FOLDER]).collect();
    let found = FoundTools { root: root.to_owned(), apart, kind, interpreter, nested };
    found.into_verified_toolchain(settings, lock, system, call)
}

fn locate_managed_toolchain(
    settings: &ToolchainSettings,
    lock: &Lock,
    system: System,
    call: &Call,
) -> Result<Toolchain> {
    let interpreter = Interpreter::find(settings, system, None, call);
    let launcher = interpreter.as_ref().ok().map(|interpreter| interpreter.launcher.clone());
    let installer = Installer { settings, lock, system, launcher: launcher.as_deref() };
    let interpreter = match interpreter {
        Ok(interpreter) => Some(interpreter),
        Err(error) if !may_do_without(settings, &error) => return Err(error),
        // Without Python a tree for any version still has ruff.
        Err(error) => match installed_kind(&installer) {
            Some(kind) => return assemble_managed_toolchain(&installer, kind, None, call),
            None if settings.auto_install => None,
            None => return Err(error),
        },
    };
    let kind = interpreter.as_ref().map_or(TreeKind::Cp313, |interpreter| interpreter.tag.into());
    assemble_managed_toolchain(&installer, kind, interpreter, call)
}

fn assemble_managed_toolchain(
    installer: &Installer<'_>,
    kind: TreeKind,
    interpreter: Option<Interpreter>,
    call: &Call,
) -> Result<Toolchain> {
    let Installer { settings, lock, system, .. } = *installer;
    let root = installer.root_of(kind)?;
    if !root.is_dir() {
        if !settings.auto_install {
            return Err(not_installed(&root));
        }
        installer.install(kind, call)?;
    }
    // Another lock may be without one of them.
    let apart = found_apart(|kind| installer.root_of(kind).ok());
    FoundTools { root, apart, kind, interpreter, nested: Vec::new() }
        .into_verified_toolchain(settings, lock, system, call)
}

/// The trees beside that of the tools that are there.
fn found_apart(place_of: impl Fn(TreeKind) -> Option<PathBuf>) -> BTreeMap<TreeKind, PathBuf> {
    let places = TreeKind::APART.into_iter().filter_map(|kind| Some((kind, place_of(kind)?)));
    places.filter(|(_, root)| root.is_dir()).collect()
}

/// Tools that are there, and nobody has looked at yet.
struct FoundTools {
    root: PathBuf,
    apart: BTreeMap<TreeKind, PathBuf>,
    kind: TreeKind,
    interpreter: Option<Interpreter>,
    /// The folders at the top of the tree that are trees of their own.
    nested: Vec<&'static str>,
}

impl FoundTools {
    fn into_verified_toolchain(
        self,
        settings: &ToolchainSettings,
        lock: &Lock,
        system: System,
        call: &Call,
    ) -> Result<Toolchain> {
        let Self { root, apart, kind, mut interpreter, nested } = self;
        let mut stamp = stamp_of(&root, apart.values().map(PathBuf::as_path), interpreter.as_ref());
        let memory = FileMemory::in_cache_dir(&settings.cache_dir);
        let memory = (settings.byte_check == ByteCheck::WhereChanged).then_some(&memory);
        let mut verifications = vec![verify_tree(&root, lock, system, kind, &nested, memory)?];
        for (kind, root) in &apart {
            verifications.push(verify_tree(root, lock, system, *kind, &[], memory)?);
        }
        let unpacked = interpreter.as_ref().map(|found| standalone::verify_interpreter(found, memory));
        verifications.extend(unpacked.transpose()?.flatten());
        // Tools that are not as locked run nothing, not even to be asked what they load.
        let may_run = settings.allow_unverified || verifications.iter().all(TreeVerification::is_clean);
        if let (Some(interpreter), Some(tools), true) = (&mut interpreter, verifications.first(), may_run) {
            let bytes = InterpreterBytes::find_out(interpreter, &root, &tools.digest, settings, call)?;
            stamp.watch_also(bytes.watched);
            interpreter.digest = Some(bytes.digest);
        }
        let lock_digest = digest::of_json(lock)?;
        let (helper, lock) = (settings.helper.clone(), settings.lock.clone());
        let scratch = Scratch::new(&settings.cache_dir)?;
        let workers = Workers::new(settings.warmth);
        Ok(Toolchain {
            root,
            apart,
            node_loader: settings.node_loader.clone(),
            system,
            kind,
            interpreter,
            verifications,
            scratch,
            helper,
            workers,
            lock,
            lock_digest,
            stamp,
        })
    }
}

/// No interpreter is no failure where ruff alone can run, unless a certain one is asked for.
fn may_do_without(settings: &ToolchainSettings, error: &Error) -> bool {
    error.code() == ErrorCode::ToolUnavailable && settings.interpreter == InterpreterChoice::Host
}

fn installed_kind(installer: &Installer<'_>) -> Option<TreeKind> {
    PythonTag::PREFERRED
        .into_iter()
        .map(TreeKind::from)
        .find(|kind| installer.root_of(*kind).is_ok_and(|root| root.is_dir()))
}

/// The Python version a tree was made for: the one with most of whose RECORDs it agrees.
fn kind_of(root: &Path, lock: &Lock, system: System) -> TreeKind {
    let agreeing = |kind: TreeKind| {
        lock.artifacts_of(system, kind)
            .filter(|artifact| {
                std::fs::read(root.join("lib").join(artifact.dist_info()).join("RECORD"))
                    .is_ok_and(|record| digest::sha256(&record) == artifact.record_sha256)
            })
            .count()
    };
    // The last of equals wins with `max_by_key`, so the preferred one comes last.
    PythonTag::PREFERRED
        .into_iter()
        .rev()
        .map(TreeKind::from)
        .max_by_key(|kind| agreeing(*kind))
        .unwrap_or(TreeKind::Cp313)
}
