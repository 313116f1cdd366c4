//! A project with real dependencies, made once and then offline: what its lock files pin is installed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use tapps_base::digest;
use tapps_docs::bundle::{Shelf, pack_bundle};
use tapps_docs::extract::{npm, python};
use tapps_docs::symbol::{FORMAT, LibraryIndex};
use tapps_docs::tree::Installed;
use tapps_project::packages::Ecosystem;
use tapps_project::versions::normalize_library_name;
use tapps_sandbox::Boundary;

use crate::corpus;
use crate::systems;

pub(crate) const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/docs");

/// A locked library: its ecosystem, its name, its version.
pub(crate) type Pinned = (&'static str, String, String);

/// An environment with the measured packages and what they need, made once.
pub(crate) fn environment() -> PathBuf {
    let target = corpus::root().join("docs-environment");
    if target.is_dir() {
        return target;
    }
    let guard = fs::File::create(corpus::root().join(".docs.lock")).unwrap();
    guard.lock().unwrap();
    if !target.is_dir() {
        let work = corpus::root().join("docs-environment.part");
        let _ = fs::remove_dir_all(&work);
        let run = |program: &Path, args: &[&str]| {
            let output = Command::new(program).args(args).output().unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        };
        run(Path::new("python3"), &["-m", "venv", work.to_str().unwrap()]);
        let requirements = format!("{FIXTURES}/requirements.txt");
        let pip = ["-m", "pip", "install", "--quiet", "--no-deps", "--only-binary", ":all:", "-r", &requirements];
        run(&work.join("bin/python"), &pip);
        fs::rename(&work, &target).unwrap();
    }
    target
}

/// A folder with the measured npm packages, made once, for tests that have asked for [`systems::System::Node`].
pub(crate) fn node_project() -> PathBuf {
    let target = corpus::root().join("docs-types");
    if target.is_dir() {
        return target;
    }
    let guard = fs::File::create(corpus::root().join(".docs-types.lock")).unwrap();
    guard.lock().unwrap();
    if !target.is_dir() {
        let work = tempfile::tempdir_in(corpus::root()).unwrap();
        for file in ["package.json", "package-lock.json", "inspect_types.cjs"] {
            fs::copy(format!("{FIXTURES}/{file}"), work.path().join(file)).unwrap();
        }
        systems::npm(work.path(), &["ci"]);
        fs::rename(work.keep(), &target).unwrap();
    }
    target
}

/// The very file of a locked package, fetched once.
pub(crate) fn archive(name: &str) -> PathBuf {
    let (package, folder) = (corpus::package(name), corpus::root().join("archives"));
    fs::create_dir_all(&folder).unwrap();
    let target = folder.join(&package.file);
    let guard = fs::File::create(corpus::root().join(".archives.lock")).unwrap();
    guard.lock().unwrap();
    if !target.is_file() {
        let work = tempfile::tempdir_in(corpus::root()).unwrap();
        fs::rename(corpus::fetch(package, work.path()), &target).unwrap();
    }
    target
}

/// Links every file below `from` to the new folder `to`.
fn link_tree(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let (kind, target) = (entry.file_type().unwrap(), to.join(entry.file_name()));
        if kind.is_dir() {
            link_tree(&entry.path(), &target);
        } else if kind.is_file() {
            fs::hard_link(entry.path(), &target).unwrap();
        }
    }
}

/// Where Python packages are installed in the project, relative to it.
fn site_packages() -> PathBuf {
    let lib = environment().join("lib");
    let python = fs::read_dir(lib).unwrap().next().unwrap().unwrap().file_name();
    PathBuf::from("lib").join(python).join("site-packages")
}

/// A project with a uv.lock, a package-lock.json and everything in them installed; the pins of both. For tests
/// that have asked for [`systems::System::Node`].
pub(crate) fn project(root: &Path) -> Vec<Pinned> {
    let node = node_project();
    let site = site_packages();
    link_tree(&environment().join(&site), &root.join(".venv").join(&site));
    link_tree(&node.join("node_modules"), &root.join("node_modules"));
    locks(root)
}

/// Its two lock files alone.
pub(crate) fn locks(root: &Path) -> Vec<Pinned> {
    let lock = fs::read_to_string(format!("{FIXTURES}/package-lock.json")).unwrap();
    fs::write(root.join("package-lock.json"), &lock).unwrap();
    let requirements = fs::read_to_string(format!("{FIXTURES}/requirements.txt")).unwrap();
    let python = requirements.lines().map(|line| line.split_once("==").unwrap());
    let mut pins: Vec<Pinned> =
        python.map(|(name, version)| ("python", name.replace('_', "-"), version.to_owned())).collect();
    let entries: String = pins
        .iter()
        .map(|(_, name, version)| format!("[[package]]\nname = \"{name}\"\nversion = \"{version}\"\n"))
        .collect();
    fs::write(root.join("uv.lock"), format!("version = 1\n{entries}")).unwrap();
    let lock: Value = serde_json::from_str(&lock).unwrap();
    let packages = lock["packages"].as_object().unwrap().iter();
    pins.extend(packages.filter_map(|(path, package)| {
        let name = path.strip_prefix("node_modules/").filter(|name| !name.contains("/node_modules/"))?;
        Some(("npm", name.to_owned(), package["version"].as_str().unwrap().to_owned()))
    }));
    pins
}

/// Bundles of everything that is installed in the project at `root`.
pub(crate) fn bundles(root: &Path, pins: &[Pinned], shelf: &Shelf) {
    let boundary = Boundary::open(root).unwrap();
    for (ecosystem, library, version) in pins {
        let index = match *ecosystem {
            "npm" => npm::index_installed_package(&boundary, library, &format!("node_modules/{library}"), version, "")
                .unwrap(),
            _ => python_index(&boundary, root, library, version),
        };
        shelf.put(&index, &pack_bundle(&index).unwrap()).unwrap();
    }
}

fn python_index(boundary: &Boundary, root: &Path, library: &str, version: &str) -> LibraryIndex {
    let site = Path::new(".venv").join(site_packages());
    let is_it = |name: &str| {
        let named = name.strip_suffix(".dist-info").and_then(|name| name.split_once('-'));
        named.is_some_and(|(name, found)| normalize_library_name(Ecosystem::PyPi, name) == library && found == version)
    };
    let names = fs::read_dir(root.join(&site)).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let info = names.into_iter().find(|name| is_it(name)).unwrap();
    let record = fs::read_to_string(root.join(&site).join(info).join("RECORD")).unwrap();
    let files = record.lines().filter_map(|line| line.split(',').next()).filter(|path| !path.starts_with(['.', '/']));
    let files = files.filter(|path| python::is_wanted(path)).map(str::to_owned).collect();
    let (symbols, guides) =
        python::symbols_and_guides(&Installed::new(boundary, site.to_str().unwrap(), files)).unwrap();
    LibraryIndex {
        format: FORMAT,
        ecosystem: Ecosystem::PyPi,
        library: library.to_owned(),
        version: version.to_owned(),
        source_sha256: digest::sha256(record.as_bytes()),
        symbols,
        guides,
    }
}
