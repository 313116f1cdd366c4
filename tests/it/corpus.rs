//! Real packages to measure against: fetched once by name and version, checked by digest, then offline.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use serde::Deserialize;
use tapps_base::digest;

#[derive(Debug, Deserialize)]
struct Lock {
    packages: Vec<Package>,
}

/// One locked package.
#[derive(Debug, Deserialize)]
pub(crate) struct Package {
    pub(crate) name: String,
    /// Its name at the registry, when two kinds of one package are locked.
    #[serde(default)]
    distribution: Option<String>,
    pub(crate) version: String,
    /// `wheel`, `sdist`, `npm`, `deb`, or `crate`, of which only the locked file is kept.
    kind: String,
    pub(crate) file: String,
    sha256: String,
    /// What is kept of a `deb`, which holds paths of a whole system.
    #[serde(default)]
    folder: String,
}

fn lock() -> &'static [Package] {
    static LOCK: OnceLock<Lock> = OnceLock::new();
    &LOCK.get_or_init(|| serde_json::from_str(include_str!("../corpus.lock.json")).expect("the lock is valid")).packages
}

/// The folder for everything fetched, inside the build folder.
pub(crate) fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("corpus");
    fs::create_dir_all(&root).expect("the build folder is writable");
    root
}

/// The locked entry of a package.
pub(crate) fn package(name: &str) -> &'static Package {
    lock()
        .iter()
        .find(|package| package.name == name)
        .unwrap_or_else(|| panic!("{name} is not in tests/corpus.lock.json"))
}

/// The unpacked files of a locked package (of an sdist or an npm package: what is inside its one top folder).
///
/// Safe to call from several tests and several processes at once. Needs the package registry the first time only; a package of
/// npm is for tests that have asked for Node, one of Debian for those that have asked for Debian's Go packages.
pub(crate) fn dir(name: &str) -> PathBuf {
    let package = package(name);
    let target = root().join(format!("{}-{}", package.name, package.version));
    if target.is_dir() {
        return target;
    }
    let guard = File::create(root().join(".lock")).expect("the corpus folder is writable");
    guard.lock().expect("the corpus folder can be locked");
    if !target.is_dir() {
        let work = tempfile::tempdir_in(root()).expect("the corpus folder is writable");
        let unpacked = work.path().join("unpacked");
        fs::create_dir(&unpacked).unwrap();
        if package.kind == "crate" {
            vendor(package, work.path(), &unpacked);
        } else {
            let archive = fetch(package, work.path());
            unpack(package, &archive, &unpacked);
        }
        fs::rename(&unpacked, &target).unwrap();
    }
    target
}

/// All files of a folder with one ending, as paths relative to it with forward slashes, sorted.
pub(crate) fn files(dir: &Path, ending: &str) -> Vec<String> {
    let mut found: Vec<String> = ignore::WalkBuilder::new(dir)
        .standard_filters(false)
        .build()
        .map(|entry| entry.expect("the corpus is readable"))
        .filter(|entry| entry.file_type().is_some_and(|kind| kind.is_file()))
        .filter(|entry| entry.path().extension().is_some_and(|found| found == ending))
        .map(|entry| entry.path().strip_prefix(dir).unwrap().to_string_lossy().replace('\\', "/"))
        .collect();
    found.sort();
    found
}

/// The package client's command that puts the archive into `folder`.
fn client(package: &Package, folder: &Path) -> Command {
    let distribution = package.distribution.as_ref().unwrap_or(&package.name);
    if package.kind == "deb" {
        let mut command = apt();
        command.arg("download").arg(format!("{distribution}={}", package.version)).current_dir(folder);
        return command;
    }
    if package.kind == "npm" {
        let mut command = Command::new("npm");
        command.args(["pack", "--silent", "--ignore-scripts", "--pack-destination"]).arg(folder);
        command.arg(format!("{distribution}@{}", package.version));
        return command;
    }
    let kind = if package.kind == "wheel" { "--only-binary" } else { "--no-binary" };
    let mut command = Command::new("python3");
    command
        .args(["-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps", kind, ":all:", "--dest"])
        .arg(folder)
        .arg(format!("{distribution}=={}", package.version));
    command
}

/// apt with lists of its own, so that nothing of the machine's changes and nobody has to be root.
fn apt() -> Command {
    let state = root().join("debian");
    for part in ["lists/partial", "archives/partial"] {
        fs::create_dir_all(state.join(part)).unwrap();
    }
    let status = state.join("status");
    // As if nothing were installed.
    fs::write(&status, "").unwrap();
    let mut command = Command::new("apt-get");
    command.args(["-qq", "-o", "APT::Sandbox::User=root"]);
    for (key, path) in [("Dir::State", &state), ("Dir::State::Status", &status), ("Dir::Cache", &state)] {
        command.arg("-o").arg(format!("{key}={}", path.display()));
    }
    command
}

/// Fetches the lists of what there is, once.
fn update_apt() {
    let done = root().join("debian/updated");
    if !done.exists() {
        let output = apt().arg("update").output().expect("apt is needed to fetch the corpus");
        assert!(output.status.success(), "apt has no lists: {}", String::from_utf8_lossy(&output.stderr));
        fs::write(done, "").unwrap();
    }
}

/// Fetches the very file of a package, as the registry has it, and checks it.
pub(crate) fn fetch(package: &Package, folder: &Path) -> PathBuf {
    if package.kind == "deb" {
        update_apt();
    }
    let output = client(package, folder).output().expect("python3 with pip, npm or apt is needed to fetch the corpus");
    let archive = folder.join(&package.file);
    assert!(
        output.status.success() && archive.is_file(),
        "cannot fetch {} {}: {}",
        package.name,
        package.version,
        String::from_utf8_lossy(&output.stderr)
    );
    let (sha256, _) = digest::sha256_reader(File::open(&archive).unwrap()).unwrap();
    assert_eq!(sha256, package.sha256, "{} is not the file that tests/corpus.lock.json names", package.file);
    archive
}

/// Has cargo fetch a crate, which is not built, and takes the locked file out of it.
fn vendor(package: &Package, work: &Path, into: &Path) {
    let manifest = format!(
        "[package]\nname = \"corpus\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[workspace]\n[dependencies]\n{} = {{ version = \"={}\", \
         default-features = false }}\n",
        package.name, package.version
    );
    fs::write(work.join("Cargo.toml"), manifest).unwrap();
    fs::create_dir(work.join("src")).unwrap();
    fs::write(work.join("src/lib.rs"), "").unwrap();
    let output =
        Command::new(env!("CARGO")).args(["vendor", "--quiet", "--versioned-dirs"]).current_dir(work).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let fetched = work.join(format!("vendor/{}-{}", package.name, package.version)).join(&package.file);
    let bytes = fs::read(fetched).unwrap();
    assert_eq!(digest::sha256(&bytes), package.sha256, "{} is not as locked", package.file);
    let file = into.join(&package.file);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, bytes).unwrap();
}

fn unpack(package: &Package, archive: &Path, into: &Path) {
    if package.kind == "wheel" {
        zip::ZipArchive::new(File::open(archive).unwrap()).unwrap().extract(into).unwrap();
        return;
    }
    if package.kind == "deb" {
        let whole = into.with_extension("whole");
        let status = Command::new("dpkg-deb").arg("--extract").arg(archive).arg(&whole).status().unwrap();
        assert!(status.success(), "cannot unpack {}", package.file);
        fs::remove_dir(into).unwrap();
        fs::rename(whole.join(&package.folder), into).unwrap();
        return;
    }
    let status =
        Command::new("tar").arg("-xzf").arg(archive).arg("-C").arg(into).arg("--strip-components=1").status().unwrap();
    assert!(status.success(), "cannot unpack {}", package.file);
}

#[test]
fn a_package_unpacks_to_its_files() {
    let six = dir("six");
    assert!(files(&six, "py").contains(&"six.py".to_owned()));
    assert_eq!(dir("six"), six);
}
