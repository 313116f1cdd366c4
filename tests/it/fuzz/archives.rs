//! Archives of any kind: bundles, wheels, npm packages, databases of advisories, the archive for machines without a network.

use std::fs;
use std::io::{Cursor, Write as _};
use std::path::Path;

use tapps_base::ErrorCode;
use tapps_docs::bundle;
use tapps_project::advisories::Database;
use tapps_sandbox::Boundary;
use tapps_toolchain::airgap;
use tar::{EntryType, Header};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::{Rng, fuzz, mutated};
use crate::toolchain_support::{call, settings};

/// Names that lead out, mean something to a system, or meet another name.
const NAMES: [&str; 25] = [
    "demo/__init__.py",
    "demo/a.pyi",
    "demo/b.pyi",
    "DEMO/__INIT__.PY",
    "demo-1.0.dist-info/METADATA",
    "demo-1.0.dist-info/RECORD",
    "package/package.json",
    "package/index.d.ts",
    "package/README.md",
    "manifest.json",
    "symbols.json",
    "guides.json",
    "../out",
    "/etc/out",
    "..\\out",
    "a/../../out",
    "C:\\out",
    "CON",
    "aux.py",
    "/dev/null",
    "\u{202e}yp.a",
    "a//b",
    "./a",
    "",
    "a\u{0}b",
];

const TEXTS: [&str; 9] = [
    "def f(a: int = 1) -> str:\n    \"\"\"F.\"\"\"\n",
    "export declare function f(a: number): string;\n",
    "Name: demo\nVersion: 1.0\n\n# Demo\n",
    "{\"name\": \"demo\", \"version\": \"1.0\", \"types\": \"index.d.ts\"}",
    "{\"name\": \"../demo\", \"version\": \"/1\", \"types\": \"../../../etc/passwd\", \"exports\": {\".\": {\"types\": \"./index.d.ts\"}}}",
    "{\"id\": \"X-1\", \"affected\": [{\"package\": {\"ecosystem\": \"PyPI\", \"name\": \"demo\"}, \"versions\": [\"1.0\"]}]}",
    "{\"schema\": 1, \"ecosystem\": \"python\", \"library\": \"demo\", \"version\": \"1.0\", \"artifact_sha256\": \"\", \"extractor\": 2, \"symbols_sha256\": \"\", \"symbols_bytes\": 99999999999, \"guides_sha256\": \"\", \"guides_bytes\": 2}",
    "[]",
    "",
];

fn content(rng: &mut Rng) -> Vec<u8> {
    match rng.below(8) {
        0 => vec![b' '; 1 << rng.below(24)],
        1 => b"[".repeat(1 << rng.below(16)),
        2 => {
            let text = *rng.pick(&TEXTS);
            mutated(rng, text.as_bytes(), &[])
        }
        _ => rng.pick(&TEXTS).as_bytes().to_vec(),
    }
}

/// A zip archive of odd entries; in one of four the bytes are changed once more.
fn zipped(rng: &mut Rng, _: &[Vec<u8>]) -> Vec<u8> {
    let mut entries: Vec<(String, Vec<u8>, bool)> = Vec::new();
    if !rng.once_in(3) {
        entries.push(("demo-1.0.dist-info/METADATA".into(), TEXTS[2].into(), false));
        entries.push(("demo/__init__.py".into(), TEXTS[0].into(), false));
    }
    for _ in 0..rng.below(8) {
        let name = rng.pick(&NAMES).to_string();
        let name = if rng.once_in(12) { name.repeat(1 + rng.below(2_000)) } else { name };
        let content = content(rng);
        entries.push((name, content, rng.once_in(8)));
    }
    // Written as a stream, an entry has its sizes behind it.
    let mut bytes = if rng.once_in(2) {
        write_entries(ZipWriter::new_stream(Vec::new()), &entries, |zip| zip.finish().unwrap().into_inner())
    } else {
        write_entries(ZipWriter::new(Cursor::new(Vec::new())), &entries, |zip| zip.finish().unwrap().into_inner())
    };
    // The writer refuses the same name twice.
    if rng.once_in(4) {
        let places: Vec<usize> = (0..bytes.len()).filter(|&at| bytes[at..].starts_with(b"demo/b.pyi")).collect();
        places.into_iter().for_each(|at| bytes[at + 5] = b'a');
    }
    if rng.once_in(4) { mutated(rng, &bytes, &[]) } else { bytes }
}

fn write_entries<W: std::io::Write + std::io::Seek>(
    mut zip: ZipWriter<W>,
    entries: &[(String, Vec<u8>, bool)],
    finish: impl FnOnce(ZipWriter<W>) -> Vec<u8>,
) -> Vec<u8> {
    let options = SimpleFileOptions::default();
    for (name, content, link) in entries {
        if *link {
            let _ = zip.add_symlink(name.as_str(), "/etc/passwd", options);
        } else if zip.start_file(name.as_str(), options).is_ok() {
            zip.write_all(content).unwrap();
        }
    }
    finish(zip)
}

/// Refused with the error of a damaged file, or read.
fn said<T>(result: tapps_base::Result<T>) -> String {
    match result {
        Ok(_) => "read".to_owned(),
        Err(error) => {
            let known = [ErrorCode::CorruptedData, ErrorCode::UnsupportedLanguage, ErrorCode::ConfigError];
            assert!(known.contains(&error.code()), "{error:?}");
            // The words without what is this input's own.
            let words = error.message().split(|c: char| !c.is_ascii_alphabetic()).filter(|word| word.len() > 3);
            format!("{:?} {}", error.code(), words.take(12).collect::<Vec<_>>().join(" "))
        }
    }
}

#[test]
fn zip_archives_are_read_or_refused() {
    let folder = tempfile::tempdir().unwrap();
    let boundary = Boundary::open(folder.path()).unwrap();
    fuzz("zip", 300, Vec::new(), zipped, |bytes| {
        fs::write(folder.path().join("all.zip"), bytes).unwrap();
        let database = said(Database::open(&boundary, &["all.zip".to_owned()], None));
        format!("{} | {} | {database}", said(bundle::from_wheel(bytes)), said(bundle::open_bundle("demo", bytes)))
    });
}

/// One entry of a tar archive, its name written as it is.
fn entry(archive: &mut Vec<u8>, name: &str, kind: EntryType, content: &[u8], claimed: u64) {
    let mut header = Header::new_gnu();
    let field = &mut header.as_gnu_mut().unwrap().name;
    let name = &name.as_bytes()[..name.len().min(field.len())];
    field[..name.len()].copy_from_slice(name);
    header.set_entry_type(kind);
    header.set_size(claimed);
    header.set_mode(0o644);
    header.set_cksum();
    archive.extend_from_slice(header.as_bytes());
    archive.extend_from_slice(content);
    archive.resize(archive.len().next_multiple_of(512), 0);
}

const KINDS: [EntryType; 12] = [
    EntryType::Regular,
    EntryType::Regular,
    EntryType::Regular,
    EntryType::Link,
    EntryType::Symlink,
    EntryType::Char,
    EntryType::Fifo,
    EntryType::Directory,
    EntryType::GNULongName,
    EntryType::GNUSparse,
    EntryType::XHeader,
    EntryType::XGlobalHeader,
];

fn tarred(rng: &mut Rng, first: &[(&str, &[u8])], names: &[&str]) -> Vec<u8> {
    let mut archive = Vec::new();
    for (name, content) in first {
        entry(&mut archive, name, EntryType::Regular, content, content.len() as u64);
    }
    for _ in 0..rng.below(6) {
        let name = *rng.pick(names);
        let kind = *rng.pick(&KINDS);
        let content = content(rng);
        let claimed = match rng.below(6) {
            0 => u64::MAX >> rng.below(40),
            1 => 0,
            _ => content.len() as u64,
        };
        entry(&mut archive, name, kind, &content, claimed);
    }
    if !rng.once_in(4) {
        archive.extend_from_slice(&[0; 1024]);
    }
    if rng.once_in(4) { mutated(rng, &archive, &[]) } else { archive }
}

#[test]
fn npm_packages_are_read_or_refused() {
    let make = |rng: &mut Rng, _: &[Vec<u8>]| {
        let package = [("package/package.json", TEXTS[3].as_bytes()), ("package/index.d.ts", TEXTS[1].as_bytes())];
        let first: &[(&str, &[u8])] = if rng.once_in(4) { &[] } else { &package };
        let archive = tarred(rng, first, &NAMES);
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(&archive).unwrap();
        let bytes = gzip.finish().unwrap();
        if rng.once_in(6) { mutated(rng, &bytes, &[]) } else { bytes }
    };
    fuzz("tarball", 300, Vec::new(), make, |bytes| said(bundle::from_tarball(bytes)));
}

/// Every file below a folder, with what is in it.
fn snapshot(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let files = ignore::WalkBuilder::new(folder).standard_filters(false).build().map(Result::unwrap);
    let mut files: Vec<(String, Vec<u8>)> = files
        .filter(|entry| entry.file_type().is_some_and(|kind| kind.is_file()))
        .map(|entry| (entry.path().display().to_string(), fs::read(entry.path()).unwrap()))
        .collect();
    files.sort();
    files
}

#[test]
fn archives_for_machines_without_a_network_are_installed_whole_or_not_at_all() {
    let about = "{\"schema_version\": 1, \"version\": \"9\", \"lock_sha256\": \"0\", \"system\": \"x86_64-linux\", \"pythons\": [\"cp313\"], \"node\": false}";
    let names = [
        "tapps-mcp-airgap/SHA256SUMS",
        "tapps-mcp-airgap/about.json",
        "tapps-mcp-airgap/install.sh",
        "tapps-mcp-airgap/bin/tapps-mcp",
        "tapps-mcp-airgap/wheels/a.whl",
        "tapps-mcp-airgap/wheels/A.whl",
        "tapps-mcp-airgap/wheels/../../../out",
        "tapps-mcp-airgap/wheels/.",
        "tapps-mcp-airgap/wheels/",
        "tapps-mcp-airgap//about.json",
        "tapps-mcp-airgap",
        "../out",
        "/etc/out",
        "tapps-mcp-airgap/wheels/CON",
    ];
    let make = |rng: &mut Rng, _: &[Vec<u8>]| {
        let files = [("about.json", about), ("wheels/a.whl", "wheel"), ("wheels/.", ""), ("wheels/", "")];
        let sum = |(name, text): &(&str, &str)| format!("{}  {name}\n", tapps_base::digest::sha256(text.as_bytes()));
        let sums: String = files[..2 + rng.below(3)].iter().map(sum).collect();
        let first: Vec<(&str, &[u8])> =
            vec![(names[0], sums.as_bytes()), (names[1], about.as_bytes()), (names[4], b"wheel")];
        let count = rng.below(first.len() + 1);
        tarred(rng, &first[..count], &names)
    };
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("canary"), "untouched").unwrap();
    let offline =
        tapps_toolchain::ToolchainSettings { data_dir: folder.path().join("data"), offline: true, ..settings() };
    fuzz("airgap", 300, Vec::new(), make, |bytes| {
        let (archive, prefix) = (folder.path().join("archive.tar"), folder.path().join("prefix"));
        fs::write(&archive, bytes).unwrap();
        let before = snapshot(folder.path());
        let error = airgap::install_archive(&offline, &archive, &prefix, &call()).unwrap_err();
        assert_eq!(snapshot(folder.path()), before, "nothing is written");
        assert!(!prefix.exists());
        let known = [ErrorCode::CorruptedData, ErrorCode::VersionUnavailable];
        assert!(known.contains(&error.code()), "{error:?}");
        let words = error.message().split(|c: char| !c.is_ascii_alphabetic()).filter(|word| word.len() > 3);
        words.take(8).collect::<Vec<_>>().join(" ")
    });
}
