//! What this program needs of the machine it runs on.

use tapps_base::shortage::Shortage;
use tapps_base::{Error, Result};

use super::platform;

/// Open files that one run needs at least: mypy alone fails below about fifty, with words that blame itself.
const BASE: u64 = 64;
/// More for each processor, since as many tools and threads read at the same time.
const FOR_EACH_PROCESSOR: u64 = 8;

/// Takes what the system grants, and refuses where that is too little for the tools: what a tool says that could not open
/// a file must never become a verdict. Belongs before anything else is opened.
///
/// # Errors
/// `resource_exhausted` with the limit that is too low.
pub fn ensure_open_file_limit() -> Result<()> {
    let processors = std::thread::available_parallelism().map_or(1, |count| count.get() as u64);
    require_open_files(platform::raise_open_files(), BASE + FOR_EACH_PROCESSOR * processors)
}

/// Has a write beyond the limit of file sizes refused with an error, where the system would end the program without a word.
/// What is started from here on is ended as ever. For the threads of a runtime.
pub fn refuse_large_files() {
    platform::refuse_large_files();
}

fn require_open_files(granted: u64, needed: u64) -> Result<()> {
    if granted >= needed {
        return Ok(());
    }
    let message = format!("this program may have {granted} files open at once, and its tools need {needed}");
    Err(Error::exhausted(message, Shortage::OpenFiles))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tapps_base::ErrorCode;

    #[test]
    fn a_limit_that_is_too_low_is_named() {
        assert!(require_open_files(80, 80).is_ok());
        let error = require_open_files(40, 80).unwrap_err();
        assert_eq!(error.code(), ErrorCode::ResourceExhausted);
        assert_eq!(error.message(), "this program may have 40 files open at once, and its tools need 80");
    }
}
