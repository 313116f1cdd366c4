//! Embeds the files of the folder `knowledge`.

use std::fs;
use std::path::{Path, PathBuf};

fn main() -> std::io::Result<()> {
    let root = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    embed_knowledge(&root.join("../../knowledge"))
}

/// Writes the list of `(name, text)` that the program includes.
fn embed_knowledge(folder: &Path) -> std::io::Result<()> {
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut files = Vec::new();
    if folder.is_dir() {
        for domain in fs::read_dir(folder)? {
            let domain = domain?;
            for file in fs::read_dir(domain.path())? {
                let path = file?.path();
                if path.extension().is_some_and(|ending| ending == "md") {
                    let topic = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
                    files.push((
                        format!("{}/{topic}", domain.file_name().to_string_lossy()),
                        fs::read_to_string(&path)?,
                    ));
                }
            }
        }
    }
    files.sort();
    let target = PathBuf::from(std::env::var_os("OUT_DIR").unwrap_or_default()).join("knowledge.rs");
    fs::write(target, format!("&{files:?}"))
}
