//! Bundles: built twice they are the same bytes, and nothing unsound is accepted.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output};

use tapps_base::ErrorCode;
use tapps_docs::bundle::{BundleLock, from_tarball, from_wheel, open_bundle, pack_bundle};
use tapps_project::packages::Ecosystem;

use super::corpus;
use super::docs_project::{archive, node_project};
use super::systems::{self, System};

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
    let one = pack_bundle(&from_wheel(&bytes).unwrap()).unwrap();
    let two = pack_bundle(&from_wheel(&bytes).unwrap()).unwrap();
    assert_eq!(one, two);
    let bundle = open_bundle("click", &one).unwrap();
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
    assert_eq!(refused.status.code(), Some(2), "{}", String::from_utf8_lossy(&refused.stderr));
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
        let ending = if entry.ecosystem == Ecosystem::Npm { ".tgz" } else { ".whl" };
        assert!(entry.file.ends_with(ending), "{entry:?}");
    }
    let npm: Vec<&str> = lock
        .bundles
        .iter()
        .filter(|entry| entry.ecosystem == Ecosystem::Npm)
        .map(|entry| entry.library.as_str())
        .collect();
    assert!(npm.len() >= 8 && npm.contains(&"zod") && npm.contains(&"@types/react"), "{npm:?}");
}

/// A few of the committed lock's bundles, from the very wheels and packages that it names.
#[test]
fn locked_artifacts_arrive_at_the_locked_bundles() {
    let home = tempfile::tempdir().unwrap();
    let whole = BundleLock::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("bundles/bundles.lock.json")).unwrap();
    let (wheels, lock) = (home.path().join("wheels"), home.path().join("lock.json"));
    fs::create_dir(&wheels).unwrap();
    let mut few = Vec::new();
    let names = ["anyio", "rxjs", "attrs", "httpx", "jinja2", "requests-wheel", "zod", "structlog", "urllib3", "click"];
    for name in systems::sample(names, 3) {
        let archive = archive(name);
        let entry = whole.bundles.iter().find(|entry| archive.ends_with(&entry.file)).unwrap();
        fs::copy(&archive, wheels.join(&entry.file)).unwrap();
        few.push(entry.clone());
    }
    few.sort();
    BundleLock::new(few.clone()).write(&lock).unwrap();
    let (wheels, lock, out) = (wheels.to_str().unwrap(), lock.to_str().unwrap(), home.path().join("out"));
    let build = ["build", "--locked", lock, "--wheels", wheels, "--dir", out.to_str().unwrap()];
    let built = program(home.path(), &build);
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let expected: String = few.iter().map(|e| format!("{}  {} {}\n", e.bundle_sha256, e.library, e.version)).collect();
    assert_eq!(String::from_utf8_lossy(&built.stdout), expected);
}

/// An npm package packed anew from what is installed.
fn package(folder: &Path) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    builder.mode(tar::HeaderMode::Deterministic);
    builder.append_dir_all("package", folder).unwrap();
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(&builder.into_inner().unwrap()).unwrap();
    gzip.finish().unwrap()
}

#[test]
fn npm_packages_become_bundles_like_wheels() {
    if systems::require(System::Node).is_none() {
        return;
    }
    let project = node_project();
    let home = tempfile::tempdir().unwrap();
    let files = home.path().join("files");
    fs::create_dir(&files).unwrap();
    for (library, file) in [("zod", "zod-4.1.12.tgz"), ("@types/react", "types-react-19.2.2.tgz")] {
        fs::write(files.join(file), package(&project.join("node_modules").join(library))).unwrap();
    }
    let bytes = fs::read(files.join("zod-4.1.12.tgz")).unwrap();
    let index = from_tarball(&bytes).unwrap();
    assert_eq!((index.ecosystem, &*index.library, &*index.version), (Ecosystem::Npm, "zod", "4.1.12"));
    assert!(index.names_of("zod").contains("ZodObject") && !index.guides.is_empty());
    assert_eq!(pack_bundle(&index).unwrap(), pack_bundle(&from_tarball(&bytes).unwrap()).unwrap());
    assert_eq!(from_tarball(&bytes[..bytes.len() / 2]).unwrap_err().code(), ErrorCode::CorruptedData);
    assert_eq!(from_tarball(b"no package").unwrap_err().code(), ErrorCode::CorruptedData);

    let (files, lock) = (files.to_str().unwrap(), home.path().join("lock.json"));
    let lock = lock.to_str().unwrap();
    let build = ["build", "zod@4.1.12", "@types/react@19.2.2", "--wheels", files, "--write-lock", lock];
    let built = program(home.path(), &build);
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let listed = program(home.path(), &["list"]);
    assert_eq!(String::from_utf8_lossy(&listed.stdout), "@types/react 19.2.2 (npm)\nzod 4.1.12 (npm)\n");
    let again = program(home.path(), &["build", "--locked", lock, "--wheels", files]);
    assert!(again.status.success(), "{}", String::from_utf8_lossy(&again.stderr));
    assert_eq!(program(home.path(), &["verify", "--lock", lock]).status.code(), Some(0));
    // A lock file of the project that names other bytes is believed.
    let locked = r#"{"lockfileVersion": 3, "packages": {"node_modules/zod": {"version": "4.1.12", "integrity": "sha512-AAAA"}}}"#;
    fs::write(home.path().join("package-lock.json"), locked).unwrap();
    let other = program(home.path(), &["build", "--from-lock", "--wheels", files]);
    assert_eq!(other.status.code(), Some(2), "{}", String::from_utf8_lossy(&other.stderr));
}

/// Changes an entry of a bundle.
type Change = dyn Fn(&mut (String, Vec<u8>));

/// What `verify` says of a bundle, and its exit code.
fn verified(home: &Path, bytes: &[u8]) -> (Option<i32>, String) {
    let file = home.join("python+click+8.3.0.docs.zip");
    fs::write(&file, bytes).unwrap();
    let output = program(home, &["verify", file.to_str().unwrap()]);
    (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn verification_names_what_is_wrong() {
    let home = tempfile::tempdir().unwrap();
    let sound = pack_bundle(&from_wheel(&wheel("click")).unwrap()).unwrap();
    assert_eq!(verified(home.path(), &sound).0, Some(0));
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(&sound)).unwrap();
    let mut entries = Vec::new();
    for at in 0..archive.len() {
        let mut entry = archive.by_index(at).unwrap();
        let mut content = Vec::new();
        std::io::Read::read_to_end(&mut entry, &mut content).unwrap();
        entries.push((entry.name().unwrap().into_owned(), content));
    }
    let zipped = |entries: &[(String, Vec<u8>)]| {
        let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
        for (name, content) in entries {
            zip.start_file(&**name, zip::write::SimpleFileOptions::default()).unwrap();
            zip.write_all(content).unwrap();
        }
        zip.finish().unwrap().into_inner()
    };
    let changed = |at: usize, change: &Change| {
        let mut entries = entries.clone();
        change(&mut entries[at]);
        zipped(&entries)
    };
    let mut flipped = sound.clone();
    flipped[sound.len() / 2] ^= 1;
    let mut more = entries.clone();
    more.push(("../../../etc/cron.d/job".to_owned(), b"x".to_vec()));
    for (bytes, said) in [
        (flipped, "symbols.json is damaged"),
        (sound[..sound.len() - 10].to_vec(), "cut short"),
        (b"<html>not found</html>".to_vec(), "no zip archive"),
        (zipped(&more), "`../../../etc/cron.d/job` leads out of it"),
        (changed(1, &|entry| entry.0 = "/symbols.json".to_owned()), "`/symbols.json` leads out of it"),
        (changed(1, &|entry| entry.1 = vec![b' '; 64 << 20]), "symbols.json unpacks to more than"),
        (changed(2, &|entry| entry.1[0] = b' '), "guides.json has other bytes than its manifest says"),
        (changed(0, &|entry| entry.1 = vec![b' '; 1 << 20]), "manifest.json unpacks to more than"),
        (changed(0, &|entry| entry.1 = b"{}".to_vec()), "its manifest cannot be understood"),
        (zipped(&entries[..2]), "2 entries instead of 3"),
    ] {
        let (code, line) = verified(home.path(), &bytes);
        assert!(line.starts_with("REFUSED  ") && line.contains(said), "{said}: {line}");
        assert_eq!(code, Some(1));
    }
}

#[test]
fn a_signature_is_of_these_bytes_by_that_key() {
    let home = tempfile::tempdir().unwrap();
    let sound = pack_bundle(&from_wheel(&wheel("click")).unwrap()).unwrap();
    let file = home.path().join("click.docs.zip");
    fs::write(&file, &sound).unwrap();
    let pair = minisign::KeyPair::generate_unencrypted_keypair().unwrap();
    let other = minisign::KeyPair::generate_unencrypted_keypair().unwrap();
    let verify = |key: &minisign::PublicKey| {
        program(home.path(), &["verify", file.to_str().unwrap(), "--public-key", &key.to_base64()])
    };
    let unsigned = verify(&pair.pk);
    assert_eq!(unsigned.status.code(), Some(1), "{}", String::from_utf8_lossy(&unsigned.stdout));
    let signature = minisign::sign(None, &pair.sk, std::io::Cursor::new(&sound), None, None).unwrap();
    fs::write(home.path().join("click.docs.zip.minisig"), signature.into_string()).unwrap();
    assert_eq!(verify(&pair.pk).status.code(), Some(0));
    let forged = verify(&other.pk);
    assert_eq!(forged.status.code(), Some(1));
    assert!(
        String::from_utf8_lossy(&forged.stdout).contains("signature"),
        "{}",
        String::from_utf8_lossy(&forged.stdout)
    );
    let unreadable = program(home.path(), &["verify", file.to_str().unwrap(), "--public-key", "nonsense"]);
    assert_eq!(unreadable.status.code(), Some(2));
    fs::write(&file, [&sound[..], b" "].concat()).unwrap();
    assert_eq!(verify(&pair.pk).status.code(), Some(1));
}
