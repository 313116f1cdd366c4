//! Writing an archive: the program, the locked artifacts, their digests, the script that installs them.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use tar::{Builder, EntryType, Header};

use super::contents::{
    ABOUT, AirgapManifest, ArchiveParts, BUNDLES, ChecksumsByName, PROGRAM, SCHEMA_VERSION, SCRIPT, SUMS, TOOLS, TOP,
    WHEELS, install_script, is_file_name, sums_to_text,
};
use crate::fetch::ArtifactSource;
use crate::interpreter::Interpreter;
use crate::lock::{EMBEDDED, Lock, TreeKind};
use crate::own::{self, OwnLock};
use crate::system::{PythonTag, System};
use crate::{ToolchainSettings, platform, standalone};
use tapps_base::call::Call;
use tapps_base::{Error, ErrorCode, Result, digest};

/// What to put into the archive.
#[derive(Debug, Clone, Default)]
pub struct AirgapExportRequest {
    /// Tools for these Python versions; none means all that are locked.
    pub pythons: Vec<PythonTag>,
    /// The locked CPython as well, of the newest of these versions.
    pub interpreter: bool,
    /// Node as well.
    pub node: bool,
    /// The tools that a project locked for itself as well.
    pub tools: OwnLock,
    /// A folder of documentation bundles, which go along.
    pub bundles: Option<PathBuf>,
    /// Leave this program out: the other machine has one of the same version.
    pub without_program: bool,
}

/// What was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportedArchive {
    pub about: AirgapManifest,
    /// Number of files in the archive.
    pub files: usize,
    /// Bytes of the archive.
    pub bytes: u64,
    /// SHA-256 of the archive: equal for equal programs and requests.
    pub sha256: String,
}

/// Where the bytes of one file of the archive come from.
enum ArchiveFileContent {
    Text(String),
    File(PathBuf),
}

/// Fetches what is not at hand and writes the archive to `output`, which appears whole or not at all.
///
/// # Errors
/// `tool_unavailable` when an artifact cannot be had, `toolchain_mismatch` when it is not the locked one,
/// `config_error` when this program cannot run elsewhere or the archive cannot be written.
pub fn export_archive(
    settings: &ToolchainSettings,
    request: &AirgapExportRequest,
    output: &Path,
    call: &Call,
) -> Result<ExportedArchive> {
    let system = System::current()?;
    let pythons: Vec<PythonTag> = PythonTag::ALL.into_iter().filter(|tag| is_python_requested(request, *tag)).collect();
    let about = AirgapManifest {
        schema_version: SCHEMA_VERSION,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        lock_sha256: digest::sha256(EMBEDDED.as_bytes()),
        system,
        interpreter: pythons.last().copied().filter(|_| request.interpreter),
        pythons,
        node: request.node,
        tools_sha256: match request.tools.tools.is_empty() {
            true => None,
            false => Some(digest::sha256(request.tools.to_text()?.as_bytes())),
        },
    };
    let fetched = tempfile::tempdir().map_err(|e| Error::io("cannot make a temporary folder for the artifacts", &e))?;
    let mut files = BTreeMap::new();
    for (name, path) in collect_archive_artifacts(settings, &about, fetched.path(), call)? {
        files.insert(format!("{WHEELS}/{name}"), ArchiveFileContent::File(path));
    }
    if let Some(python) = about.interpreter {
        let archive = standalone::locked_archive(settings, system, python)?;
        let path = standalone::fetch_archive(settings, &archive, fetched.path(), call)?;
        files.insert(format!("{WHEELS}/{}", archive.file), ArchiveFileContent::File(path));
    }
    for tool in &request.tools.tools {
        for (name, path) in own::tool_artifacts(settings, tool, &about.pythons, fetched.path(), call)? {
            files.insert(format!("{WHEELS}/{name}"), ArchiveFileContent::File(path));
        }
    }
    if about.tools_sha256.is_some() {
        files.insert(TOOLS.to_owned(), ArchiveFileContent::Text(request.tools.to_text()?));
    }
    if !request.without_program {
        files.insert(PROGRAM.to_owned(), ArchiveFileContent::File(portable_program_path(settings)?));
    }
    for (name, path) in request.bundles.as_deref().map_or(Ok(Vec::new()), list_bundle_files)? {
        files.insert(format!("{BUNDLES}/{name}"), ArchiveFileContent::File(path));
    }
    let parts = ArchiveParts {
        program: !request.without_program,
        interpreter: about.interpreter,
        node: about.node,
        tools: about.tools_sha256.is_some(),
        bundles: request.bundles.is_some(),
    };
    files.insert(SCRIPT.to_owned(), ArchiveFileContent::Text(install_script(parts)));
    files.insert(ABOUT.to_owned(), ArchiveFileContent::Text(digest::canonical_json(&about)? + "\n"));

    let mut sums = ChecksumsByName::new();
    for (name, content) in &files {
        sums.insert(name.clone(), content.sha256()?);
    }
    let count = files.len() + 1;
    let (bytes, sha256) = write_archive(output, &sums, &files, call)?;
    Ok(ExportedArchive { about, files: count, bytes, sha256 })
}

fn is_python_requested(request: &AirgapExportRequest, tag: PythonTag) -> bool {
    request.pythons.is_empty() || request.pythons.contains(&tag)
}

/// Every artifact by its file name, with a checked copy of it on this machine.
fn collect_archive_artifacts(
    settings: &ToolchainSettings,
    about: &AirgapManifest,
    folder: &Path,
    call: &Call,
) -> Result<BTreeMap<String, PathBuf>> {
    let lock = Lock::embedded()?;
    let launcher = Interpreter::find(settings, about.system, None, call).ok().map(|found| found.launcher);
    let mut kinds: Vec<TreeKind> = about.pythons.iter().copied().map(TreeKind::from).collect();
    kinds.extend(about.node.then_some(TreeKind::Node));
    kinds.extend(TreeKind::WHEN_NEEDED);
    let mut paths = BTreeMap::new();
    for kind in kinds {
        let python = kind.python().or(about.pythons.first().copied()).unwrap_or(PythonTag::Cp313);
        let source = ArtifactSource { settings, system: about.system, python, launcher: launcher.as_deref() };
        let wanted: Vec<_> =
            lock.artifacts_of(about.system, kind).filter(|artifact| !paths.contains_key(&artifact.file)).collect();
        let into = folder.join(kind.as_str());
        std::fs::create_dir(&into).map_err(|e| Error::io(format_args!("cannot make {}", into.display()), &e))?;
        for (artifact, path) in source.fetch_artifacts(&wanted, &into, call)? {
            paths.insert(artifact.file.clone(), path);
        }
    }
    Ok(paths)
}

/// The files in a folder of documentation bundles, by their names; an empty one is a mistake.
fn list_bundle_files(folder: &Path) -> Result<Vec<(String, PathBuf)>> {
    let unusable = |what: String| {
        Error::new(ErrorCode::ConfigError, what).hint("name a folder that `tapps-mcp docs bundle build` wrote")
    };
    let unreadable = |e: std::io::Error| unusable(format!("cannot read {}: {e}", folder.display()));
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        let name = path.file_name().and_then(|name| name.to_str()).filter(|name| is_file_name(name) && path.is_file());
        let name = name.ok_or_else(|| unusable(format!("{} is no bundle", path.display())))?;
        found.push((name.to_owned(), path));
    }
    match found.is_empty() {
        true => Err(unusable(format!("there is no bundle in {}", folder.display()))),
        false => Ok(found),
    }
}

/// This program, when its file can run on another machine.
fn portable_program_path(settings: &ToolchainSettings) -> Result<PathBuf> {
    let program = settings.helper.clone().map_or_else(std::env::current_exe, Ok);
    let program = program.map_err(|e| Error::io("cannot find this program's own file", &e))?;
    if program.starts_with("/nix/store") {
        return Err(Error::new(ErrorCode::ConfigError, "a program that Nix built runs only with the store it is in")
            .hint("export with --without-program for a machine that has this version, or use `nix copy`"));
    }
    Ok(program)
}

impl ArchiveFileContent {
    fn sha256(&self) -> Result<String> {
        match self {
            Self::Text(text) => Ok(digest::sha256(text.as_bytes())),
            Self::File(path) => open(path)
                .and_then(digest::sha256_reader)
                .map(|(sha256, _)| sha256)
                .map_err(|e| unreadable_file_error(path, &e)),
        }
    }
}

fn write_archive(
    output: &Path,
    sums: &ChecksumsByName,
    files: &BTreeMap<String, ArchiveFileContent>,
    call: &Call,
) -> Result<(u64, String)> {
    let folder = output.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let unwritable = |e: &std::io::Error| {
        Error::new(ErrorCode::ConfigError, format!("cannot write {}: {e}", output.display()))
            .hint("name a file in a folder that can be written and has room")
    };
    let mut temporary = tempfile::NamedTempFile::new_in(folder).map_err(|e| unwritable(&e))?;
    let total = files.len() as u64;
    {
        let mut archive = Builder::new(std::io::BufWriter::new(temporary.as_file_mut()));
        // The digests come first, so that whoever reads the archive knows what to expect of the rest.
        let text = sums_to_text(sums);
        append_archive_entry(&mut archive, SUMS, text.len() as u64, text.as_bytes()).map_err(|e| unwritable(&e))?;
        for (done, (name, content)) in (0..).zip(files) {
            call.check()?;
            call.progress.report("pack", done, total);
            match content {
                ArchiveFileContent::Text(text) => {
                    append_archive_entry(&mut archive, name, text.len() as u64, text.as_bytes())
                }
                ArchiveFileContent::File(path) => {
                    let file = open(path).map_err(|e| unreadable_file_error(path, &e))?;
                    let size = file.metadata().map_err(|e| unreadable_file_error(path, &e))?.len();
                    append_archive_entry(&mut archive, name, size, file)
                }
            }
            .map_err(|e| unwritable(&e))?;
        }
        archive.into_inner().and_then(|mut buffer| buffer.flush()).map_err(|e| unwritable(&e))?;
    }
    call.progress.report("pack", total, total);
    temporary.as_file().sync_all().map_err(|e| unwritable(&e))?;
    let (sha256, bytes) = File::open(temporary.path()).and_then(digest::sha256_reader).map_err(|e| unwritable(&e))?;
    platform::set_mode(temporary.path(), 0o644).map_err(|e| unwritable(&e))?;
    temporary.persist(output).map_err(|e| unwritable(&e.error))?;
    Ok((bytes, sha256))
}

/// Adds one file without anything of this machine: no time, no owner, one of two modes.
fn append_archive_entry(
    archive: &mut Builder<impl Write>,
    name: &str,
    size: u64,
    content: impl Read,
) -> std::io::Result<()> {
    let mut header = Header::new_ustar();
    header.set_entry_type(EntryType::Regular);
    header.set_mode(if name == PROGRAM || name == SCRIPT { 0o755 } else { 0o644 });
    header.set_uid(0);
    header.set_gid(0);
    header.set_mtime(0);
    header.set_size(size);
    archive.append_data(&mut header, format!("{TOP}/{name}"), content)
}

fn open(path: &Path) -> std::io::Result<File> {
    File::open(path)
}

fn unreadable_file_error(path: &Path, source: &std::io::Error) -> Error {
    Error::io(format_args!("cannot read {}", path.display()), source)
}
