//! The file with the key of the step tokens: made once, readable by its owner alone.

use std::io::Write as _;
use std::path::Path;

use super::token::TokenKey;
use tapps_base::clock::Clock;
use tapps_base::{Error, ErrorCode, Result, digest, platform};

/// Name of the file in the state folder.
pub const FILE: &str = "workflow.key";

/// Reads the key, or makes one. Two processes that do so at once get the same key.
///
/// # Errors
/// `corrupted_data` for a file that holds no key, `path_denied` for one that others can read or that is a link;
/// `internal` when the folder cannot be written.
pub fn load_or_make(folder: &Path, clock: &dyn Clock) -> Result<TokenKey> {
    let path = folder.join(FILE);
    if !path.try_exists().unwrap_or(true) && std::fs::symlink_metadata(&path).is_err() {
        create_key_file(folder, &path, clock)?;
    }
    load_key_file(&path)
}

fn create_key_file(folder: &Path, path: &Path, clock: &dyn Clock) -> Result<()> {
    // Each identifier has 122 random bits.
    let random: String = (0..4).map(|_| clock.fresh_id()).collect();
    let failed = |e: &std::io::Error| Error::io(format_args!("cannot write {FILE}"), e);
    // A temporary file is readable by its owner alone, and stays so.
    let mut file = tempfile::Builder::new().prefix(".workflow-key-").tempfile_in(folder).map_err(|e| failed(&e))?;
    writeln!(file, "{}", digest::sha256(random.as_bytes())).map_err(|e| failed(&e))?;
    file.as_file().sync_all().map_err(|e| failed(&e))?;
    match file.persist_noclobber(path) {
        Ok(_) => {
            if let Ok(folder) = std::fs::File::open(folder) {
                folder.sync_all().ok();
            }
            Ok(())
        }
        // Another process was faster; its key is the key.
        Err(error) if error.error.kind() == std::io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(failed(&error.error)),
    }
}

fn load_key_file(path: &Path) -> Result<TokenKey> {
    let failed = |e: &std::io::Error| Error::io(format_args!("cannot read {FILE}"), e);
    let meta = std::fs::symlink_metadata(path).map_err(|e| failed(&e))?;
    if !meta.is_file() {
        return Err(Error::new(ErrorCode::PathDenied, format!("{FILE} is not a regular file"))
            .hint(format!("remove {FILE} from the state folder; open tokens are then issued anew")));
    }
    if platform::is_wider(&meta, 0o700) {
        return Err(Error::new(ErrorCode::PathDenied, format!("{FILE} can be read by others than its owner"))
            .hint(format!("take the rights away (`chmod 600`), or remove {FILE}; open tokens are then issued anew")));
    }
    let text = std::fs::read_to_string(path).map_err(|e| failed(&e))?;
    parse(text.trim()).ok_or_else(|| {
        Error::new(ErrorCode::CorruptedData, format!("{FILE} holds no key"))
            .hint(format!("remove {FILE} from the state folder; open tokens are then issued anew"))
    })
}

fn parse(text: &str) -> Option<TokenKey> {
    let mut bytes = [0_u8; 32];
    if text.len() != 64 {
        return None;
    }
    for (byte, pair) in bytes.iter_mut().zip(text.as_bytes().chunks(2)) {
        *byte = u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()?;
    }
    Some(TokenKey::new(bytes))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;
    use crate::token::Claims;
    use tapps_base::clock::SystemClock;

    fn claims() -> Claims {
        Claims { execution_id: "e".into(), step_name: "s".into(), sequence: 1, issued_at: 0, nonce: "n".into() }
    }

    #[test]
    fn it_is_made_once_for_its_owner_and_kept() {
        let dir = tempfile::tempdir().unwrap();
        let made: Vec<String> = std::thread::scope(|scope| {
            let one = || load_or_make(dir.path(), &SystemClock).unwrap().sign_claims(&claims()).unwrap();
            let threads: Vec<_> = (0..8).map(|_| scope.spawn(one)).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert!(made.iter().all(|token| *token == made[0]), "all have the same key");
        let mode = std::fs::metadata(dir.path().join(FILE)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_key_that_others_can_read_or_that_is_none_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(FILE);
        load_or_make(dir.path(), &SystemClock).unwrap();
        let code = || load_or_make(dir.path(), &SystemClock).unwrap_err().code();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).unwrap();
        assert_eq!(code(), ErrorCode::PathDenied);
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).unwrap();
        std::fs::write(&path, "zz").unwrap();
        assert_eq!(code(), ErrorCode::CorruptedData);
        std::fs::remove_file(&path).unwrap();
        std::os::unix::fs::symlink("/nonexistent", &path).unwrap();
        assert_eq!(code(), ErrorCode::PathDenied);
    }
}
