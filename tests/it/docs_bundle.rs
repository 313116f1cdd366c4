//! Bundles: built twice they are the same bytes, and nothing unsound is accepted.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output};

use tapps_mcp::base::ErrorCode;
use tapps_mcp::docs::bundle::{BundleLock, from_wheel, open, pack};

use super::corpus;

/// A wheel packed anew from its locked files, so that no registry is needed.
fn wheel(name: &str) -> Vec<u8> {
    let root = corpus::dir(name);
    let mut files: Vec<String> =
        ["py", "pyi", "md", "rst"].iter().flat_map(|ending| corpus::files(&root, ending)).collect();
    for entry in fs::read_dir(&root).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()) {
        if entry.ends_with(".dist-info") {
            files.push(format!("{entry}/METADATA"));
        }
    }
    files.sort();
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for file in files {
        zip.start_file(&*file, zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(&fs::read(root.join(file)).unwrap()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

fn program(home: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tapps-mcp"))
        .args(["--offline", "--project-root"])
        .arg(home)
        .args(["docs", "bundle"])
        .args(args)
        .env("TAPPS_MCP_DATA_DIR", home.join("data"))
        .env("TAPPS_MCP_CACHE_DIR", home.join("cache"))
        .output()
        .unwrap()
}

#[test]
fn a_wheel_always_gives_the_same_bundle() {
    let bytes = wheel("click");
    let one = pack(&from_wheel(&bytes).unwrap()).unwrap();
    let two = pack(&from_wheel(&bytes).unwrap()).unwrap();
    assert_eq!(one, two);
    let bundle = open("click", &one).unwrap();
    assert_eq!((&*bundle.manifest.library, &*bundle.manifest.version), ("click", "8.3.0"));
    assert!(bundle.index.get("click.Group").is_some());
    assert!(bundle.index.guides.iter().any(|guide| guide.file == "README"));
    assert_eq!(from_wheel(b"no wheel").unwrap_err().code(), ErrorCode::CorruptedData);
    assert_eq!(from_wheel(&bytes[..bytes.len() / 2]).unwrap_err().code(), ErrorCode::CorruptedData);
}

#[test]
fn the_command_builds_locks_lists_and_verifies() {
    let home = tempfile::tempdir().unwrap();
    let wheels = home.path().join("wheels");
    fs::create_dir(&wheels).unwrap();
    fs::write(wheels.join("click-8.3.0-py3-none-any.whl"), wheel("click")).unwrap();
    let (wheels, lock) = (wheels.to_str().unwrap(), home.path().join("lock.json"));
    let lock = lock.to_str().unwrap();
    let built = program(home.path(), &["build", "click==8.3.0", "--wheels", wheels, "--write-lock", lock]);
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let listed = program(home.path(), &["list"]);
    assert_eq!(String::from_utf8_lossy(&listed.stdout), "click 8.3.0 (python)\n");
    let other = home.path().join("other");
    let again =
        program(home.path(), &["build", "--locked", lock, "--wheels", wheels, "--dir", other.to_str().unwrap()]);
    assert!(again.status.success(), "{}", String::from_utf8_lossy(&again.stderr));
    let name = "python+click+8.3.0.docs.zip";
    let bytes = fs::read(other.join(name)).unwrap();
    assert_eq!(bytes, fs::read(home.path().join("data/bundles").join(name)).unwrap());
    assert_eq!(program(home.path(), &["verify", "--lock", lock]).status.code(), Some(0));

    // A lock that names other bytes stops the build, and a bundle that was changed is refused.
    let mut changed = BundleLock::read(Path::new(lock)).unwrap();
    changed.bundles[0].bundle_sha256 = "0".repeat(64);
    changed.write(Path::new(lock)).unwrap();
    let refused = program(home.path(), &["build", "--locked", lock, "--wheels", wheels]);
    assert_eq!(refused.status.code(), Some(5), "{}", String::from_utf8_lossy(&refused.stderr));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("the bundle of click 8.3.0 is"));
    let place = home.path().join("data/bundles").join(name);
    let mut flipped = bytes;
    let middle = flipped.len() / 2;
    flipped[middle] ^= 1;
    fs::write(place, flipped).unwrap();
    let verified = program(home.path(), &["verify"]);
    assert_eq!(verified.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&verified.stdout).starts_with("REFUSED"));
    let offline = program(home.path(), &["build", "nothing-here==1.0"]);
    assert_eq!(offline.status.code(), Some(4));
}

#[test]
fn the_committed_lock_names_some_forty_libraries() {
    let lock = BundleLock::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("bundles/bundles.lock.json")).unwrap();
    assert!(lock.bundles.len() >= 35, "{}", lock.bundles.len());
    let mut sorted = lock.bundles.clone();
    sorted.sort();
    assert_eq!(sorted, lock.bundles);
    for entry in &lock.bundles {
        assert!(entry.artifact_sha256.len() == 64 && entry.bundle_sha256.len() == 64, "{entry:?}");
        assert!(entry.file.ends_with(".whl"), "{entry:?}");
    }
}
