//! A real model of static embeddings for the experts, from a published package, and ways to spoil it.

use std::fs;
use std::path::PathBuf;

use crate::corpus;

pub(crate) const TABLE: &str = "model.safetensors";
pub(crate) const TOKENIZER: &str = "tokenizer.json";

/// The folder of the model: the two files of the package under the names that models have.
pub(crate) fn folder() -> PathBuf {
    let package = corpus::dir("wordllama").join("wordllama");
    let folder = corpus::root().join("static-model");
    if !folder.is_dir() {
        let work = tempfile::tempdir_in(corpus::root()).unwrap();
        fs::copy(package.join("weights/l2_supercat_256.safetensors"), work.path().join(TABLE)).unwrap();
        fs::copy(package.join("tokenizers/l2_supercat_tokenizer_config.json"), work.path().join(TOKENIZER)).unwrap();
        // Whoever was faster has put the same files there.
        let _ = fs::rename(work.keep(), &folder);
    }
    folder
}

/// A copy of the model of which one file has other bytes.
pub(crate) fn spoilt(file: &str, bytes: &[u8]) -> tempfile::TempDir {
    let copy = crate::toolchain_support::folder();
    for name in [TABLE, TOKENIZER] {
        if name == file {
            fs::write(copy.path().join(name), bytes).unwrap();
        } else {
            fs::hard_link(folder().join(name), copy.path().join(name)).unwrap();
        }
    }
    copy
}
