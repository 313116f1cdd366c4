//! Getting an archive: from a folder, from the cache, or from its address.

use std::path::{Path, PathBuf};

use super::download;
use super::lock::InterpreterArchive;
use crate::ToolchainSettings;
use crate::cache::{self, ArtifactCache};
use tapps_base::call::Call;
use tapps_base::{Error, ErrorCode, Result};

/// More than any such archive has, where its size is not known.
const MOST_BYTES: u64 = 256 << 20;

/// The checked file of an archive, when it is on this machine already.
///
/// # Errors
/// `toolchain_mismatch` when the folder of the settings holds another file of its name.
pub(super) fn archive_at_hand(settings: &ToolchainSettings, archive: &InterpreterArchive) -> Result<Option<PathBuf>> {
    if let Some(folder) = &settings.from {
        let path = folder.join(&archive.file);
        if path.exists() {
            cache::check_artifact_file(archive, &path)?;
            return Ok(Some(path));
        }
    }
    Ok(ArtifactCache::in_cache_dir(&settings.cache_dir).get(archive))
}

/// The checked file of an archive. `folder` receives what is downloaded and cannot be cached.
///
/// # Errors
/// `tool_unavailable` when it cannot be had, `toolchain_mismatch` when what came is not the locked archive, and what writing
/// says.
pub(crate) fn fetch_archive(
    settings: &ToolchainSettings,
    archive: &InterpreterArchive,
    folder: &Path,
    call: &Call,
) -> Result<PathBuf> {
    if let Some(path) = archive_at_hand(settings, archive)? {
        return Ok(path);
    }
    let file = &archive.file;
    let lacking = |reason: &str| {
        let error = Error::new(ErrorCode::ToolUnavailable, format!("cannot get {file}: {reason}")).tool("python");
        match &settings.from {
            Some(folder) => error.hint(format!("copy it to {}", folder.display())),
            None => error.hint(format!(
                "connect to the network and try again, or copy it to this machine, from {}, and run `tapps-mcp \
                 toolchain install --interpreter locked --from DIR`",
                archive.url
            )),
        }
    };
    if settings.offline {
        return Err(lacking("fetching is switched off"));
    }
    call.progress.note(&format!("fetching CPython {}", archive.version));
    let place = folder.join(file);
    let most = archive.size.unwrap_or(MOST_BYTES);
    download::download_file(&archive.url, &place, most, call).map_err(|error| match error.code() {
        ErrorCode::ToolUnavailable => lacking(error.message()),
        _ => error.tool("python"),
    })?;
    ArtifactCache::in_cache_dir(&settings.cache_dir).put(archive, &place).map_err(|error| {
        if error.code() != ErrorCode::ToolchainMismatch {
            return error;
        }
        let message = format!("what came for {file} is not the locked archive, and nothing of it was kept");
        Error::new(ErrorCode::ToolchainMismatch, message).tool("python").hint(format!(
            "try again; when it happens again find out who changes what comes from {} (its SHA-256 should be {})",
            archive.url, archive.sha256
        ))
    })
}
