//! Gives the program a digest of the text it is built from, so that what is kept between runs never outlives a change; and on
//! Windows a stack.

use std::fs;
use std::path::{Path, PathBuf};

/// Everything that decides what the program computes.
const INPUTS: [&str; 4] = ["Cargo.lock", "nix/interpreters.lock.json", "nix/toolchain.lock.json", "src"];

/// The functions that lie side by side in a program.
const ORDER: &str = "packaging/order";

/// Bytes of the main thread's stack, as on Linux: on Windows the linker sets it, and to an eighth of that unless it is told.
const MAIN_STACK: u32 = 8 << 20;

fn main() -> std::io::Result<()> {
    let root = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let mut digest = Digest::default();
    for input in INPUTS {
        println!("cargo::rerun-if-changed={input}");
        add(&mut digest, &root, Path::new(input))?;
    }
    // By which the programs are linked; where the sources are packed without it, they are linked without it.
    if root.join(ORDER).exists() {
        println!("cargo::rerun-if-changed={ORDER}");
    }
    if std::env::var_os("CARGO_CFG_WINDOWS").is_some() {
        let msvc = std::env::var_os("CARGO_CFG_TARGET_ENV").is_some_and(|name| name == "msvc");
        println!("cargo::rustc-link-arg-bins={}{MAIN_STACK}", if msvc { "/STACK:" } else { "-Wl,--stack," });
    }
    println!("cargo::rustc-env=DIGEST_OF_SOURCE={:016x}{:016x}", digest.0[0], digest.0[1]);
    Ok(())
}

fn add(digest: &mut Digest, root: &Path, path: &Path) -> std::io::Result<()> {
    let full = root.join(path);
    if !full.is_dir() {
        digest.part(path.as_os_str().as_encoded_bytes());
        digest.part(&fs::read(full)?);
        return Ok(());
    }
    let mut names = fs::read_dir(full)?.map(|entry| Ok(entry?.file_name())).collect::<std::io::Result<Vec<_>>>()?;
    names.sort();
    names.iter().try_for_each(|name| add(digest, root, &path.join(name)))
}

/// FNV-1a twice from different starts: enough to tell one text of this program from the next, without a dependency.
struct Digest([u64; 2]);

impl Default for Digest {
    fn default() -> Self {
        Self([0xcbf2_9ce4_8422_2325, 0x9ae1_6a3b_2f90_404f])
    }
}

impl Digest {
    fn part(&mut self, bytes: &[u8]) {
        let length = (bytes.len() as u64).to_le_bytes();
        for byte in length.iter().chain(bytes) {
            for half in &mut self.0 {
                *half = (*half ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
            }
        }
    }
}
