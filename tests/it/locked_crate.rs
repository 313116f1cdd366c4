//! Crates that this program is built from, as test objects.

use std::fs::{self, File};
use std::path::PathBuf;
use std::process::Command;

use tapps_base::digest;

use crate::corpus;

/// The sources of a crate that this program is built from, as cargo has them: name and version from `Cargo.lock`, whose
/// checksum its archive has.
pub(crate) fn unpack_locked_crate(name: &str) -> PathBuf {
    let lock: toml::Table = include_str!("../../Cargo.lock").parse().expect("the lock is valid");
    let packages = lock["package"].as_array().unwrap();
    let of_name = |one: &&toml::Value| one["name"].as_str() == Some(name);
    let package = packages.iter().find(of_name).unwrap_or_else(|| panic!("{name} is not in Cargo.lock"));
    let (version, checksum) = (package["version"].as_str().unwrap(), package["checksum"].as_str().unwrap());
    let target = corpus::root().join(format!("crate-{name}-{version}"));
    if target.is_dir() {
        return target;
    }
    let home = std::env::var_os("CARGO_HOME")
        .map_or_else(|| PathBuf::from(std::env::var_os("HOME").expect("a home folder")).join(".cargo"), PathBuf::from);
    let registries = fs::read_dir(home.join("registry/cache")).expect("cargo has fetched what it built");
    let file = format!("{name}-{version}.crate");
    let archive = registries.map(|entry| entry.unwrap().path().join(&file)).find(|path| path.is_file());
    let archive = archive.unwrap_or_else(|| panic!("{file} is not among cargo's archives: run `cargo fetch --locked`"));
    let (sha256, _) = digest::sha256_reader(File::open(&archive).unwrap()).unwrap();
    assert_eq!(sha256, checksum, "{file} is not the file that Cargo.lock names");
    let guard = File::create(corpus::root().join(".lock")).expect("the corpus folder is writable");
    guard.lock().expect("the corpus folder can be locked");
    if !target.is_dir() {
        let work = tempfile::tempdir_in(corpus::root()).expect("the corpus folder is writable");
        let status = Command::new("tar")
            .arg("-xzf")
            .arg(&archive)
            .arg("-C")
            .arg(work.path())
            .arg("--strip-components=1")
            .status();
        assert!(status.unwrap().success(), "cannot unpack {file}");
        fs::rename(work.keep(), &target).unwrap();
    }
    target
}
