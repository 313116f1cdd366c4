//! Artifacts into a tree: files at their places, with their modes, and nothing else.

use std::collections::BTreeSet;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use rayon::prelude::*;

use tapps_base::{Error, ErrorCode, Result, digest};

use super::layout;
use super::lock::{Artifact, ArtifactKind};
use super::npm_package::NpmPackage;
use super::platform;
use super::wheel::{CheckOnly, Wheel, WheelSink};

/// Unpacks every artifact into `root`, a new folder, in parallel.
///
/// `done` is told of each artifact that is finished. Files get their final modes; folders stay writable until
/// [`make_folders_read_only`] is called.
///
/// # Errors
/// `toolchain_mismatch` naming the artifact and file that is not as locked, or what the file system says.
pub(super) fn unpack_all(
    artifacts: &[(&Artifact, PathBuf)],
    root: &Path,
    done: &(dyn Fn(&Artifact) + Sync),
) -> Result<()> {
    let taken = Mutex::new(BTreeSet::new());
    artifacts.par_iter().try_for_each(|(artifact, path)| {
        let mut tree = Tree { root, taken: &taken, artifact };
        match artifact.kind {
            ArtifactKind::Wheel => Wheel::open(artifact, path)?.unpack(&mut tree)?,
            ArtifactKind::Npm => NpmPackage::open(artifact, path)?.unpack(&mut tree)?,
        }
        done(artifact);
        Ok(())
    })
}

/// The RECORD of a fetched artifact, all of whose files have been held against it. It is not held against the lock, which is
/// made from it.
///
/// # Errors
/// `toolchain_mismatch` when the artifact is not whole.
pub(super) fn read_record(artifact: &Artifact, path: &Path) -> Result<Vec<u8>> {
    match artifact.kind {
        ArtifactKind::Npm => Ok(NpmPackage::open(artifact, path)?.record().as_bytes().to_vec()),
        ArtifactKind::Wheel => {
            let record = Wheel::open(artifact, path)?.dist_info("RECORD")?;
            let own = Artifact { record_sha256: digest::sha256(&record), ..artifact.clone() };
            Wheel::open(&own, path)?.unpack(&mut CheckOnly)?;
            Ok(record)
        }
    }
}

/// Takes the write permission from every folder of a tree, the root included.
pub(super) fn make_folders_read_only(root: &Path) -> Result<()> {
    each_folder(root, &|folder| platform::set_mode(folder, layout::MODE_FOLDER), false)
}

/// Removes a tree even where its folders are read-only.
pub(super) fn remove_tree(root: &Path) -> Result<()> {
    // A folder must be writable before what is in it can go; one that cannot be changed fails below, by its name.
    each_folder(root, &|folder| platform::set_mode(folder, 0o755), true).ok();
    fs::remove_dir_all(root).map_err(|e| Error::io(format_args!("cannot remove {}", root.display()), &e))
}

fn each_folder(folder: &Path, act: &dyn Fn(&Path) -> std::io::Result<()>, before: bool) -> Result<()> {
    let failed = |e: &std::io::Error| Error::io(format_args!("cannot change {}", folder.display()), e);
    if before {
        act(folder).map_err(|e| failed(&e))?;
    }
    for entry in fs::read_dir(folder).map_err(|e| failed(&e))? {
        let entry = entry.map_err(|e| failed(&e))?;
        if entry.file_type().map_err(|e| failed(&e))?.is_dir() {
            each_folder(&entry.path(), act, before)?;
        }
    }
    if before { Ok(()) } else { act(folder).map_err(|e| failed(&e)) }
}

struct Tree<'a> {
    root: &'a Path,
    /// Places of all wheels, folded, so that no two of them meet anywhere.
    taken: &'a Mutex<BTreeSet<String>>,
    artifact: &'a Artifact,
}

impl WheelSink for Tree<'_> {
    fn open(&mut self, place: &str) -> Result<Box<dyn Write>> {
        let fresh = self.taken.lock().is_ok_and(|mut taken| taken.insert(layout::case_folded_place(place)));
        if !fresh {
            return Err(Error::new(
                ErrorCode::ToolchainMismatch,
                format!("{} puts a file at `{place}`, where there is one already", self.artifact.file),
            ));
        }
        let path = self.root.join(place);
        let failed = |e: &std::io::Error| Error::io(format_args!("cannot write {}", path.display()), e);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(|e| failed(&e))?;
        }
        let file = OpenOptions::new().write(true).create_new(true).open(&path).map_err(|e| failed(&e))?;
        // The mode set on an open file is free of the process's umask, and the file stays writable through `file`.
        platform::set_mode_of(&file, layout::mode_of(self.artifact, place)).map_err(|e| failed(&e))?;
        Ok(Box::new(file))
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;
    use std::io::Write as _;

    use base64::Engine as _;
    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::*;
    use crate::lock::{AnyPython, ArtifactKind, ArtifactRole, PythonTags};
    use crate::system::System;

    const RECORD: &str = "w-1.dist-info/RECORD";

    fn record_line(name: &str, bytes: &[u8]) -> String {
        use sha2::Digest as _;
        let hash = base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(sha2::Sha256::digest(bytes));
        format!("{name},sha256={hash},{}\n", bytes.len())
    }

    /// A wheel in the making: files as they are packed, and as RECORD tells of them.
    struct Draft {
        folder: tempfile::TempDir,
        packed: Vec<(String, Vec<u8>)>,
        record: String,
        /// Replaces bytes of the finished file, for names that no writer would write.
        patch: Option<(&'static str, &'static str)>,
        link: bool,
    }

    impl Draft {
        fn new() -> Self {
            let (packed, record) = (Vec::new(), String::new());
            Self { folder: tempfile::tempdir().unwrap(), packed, record, patch: None, link: false }
        }

        fn file(mut self, name: &str, bytes: &[u8]) -> Self {
            self.packed.push((name.to_owned(), bytes.to_vec()));
            self.record.push_str(&record_line(name, bytes));
            self
        }

        /// In the wheel, but RECORD says something else about it, or nothing.
        fn lying(mut self, name: &str, bytes: &[u8], record: &str) -> Self {
            self.packed.push((name.to_owned(), bytes.to_vec()));
            self.record.push_str(record);
            self
        }

        fn patched(mut self, from: &'static str, to: &'static str) -> Self {
            assert_eq!(from.len(), to.len());
            self.patch = Some((from, to));
            self
        }

        fn build(self) -> Built {
            let path = self.folder.path().join("w-1-py3-none-any.whl");
            let record = self.patch.map_or(self.record.clone(), |(from, to)| self.record.replace(from, to));
            let mut record = record;
            writeln!(record, "{RECORD},,").unwrap();
            let mut zip = ZipWriter::new(fs::File::create(&path).unwrap());
            let options = SimpleFileOptions::default();
            for (name, bytes) in &self.packed {
                zip.start_file(name, options).unwrap();
                zip.write_all(bytes).unwrap();
            }
            if self.link {
                zip.add_symlink("link", "/etc/passwd", options).unwrap();
            }
            zip.start_file(RECORD, options).unwrap();
            zip.write_all(record.as_bytes()).unwrap();
            zip.finish().unwrap();
            if let Some((from, to)) = self.patch {
                let mut bytes = fs::read(&path).unwrap();
                let places: Vec<usize> =
                    (0..bytes.len() - from.len()).filter(|at| bytes[*at..].starts_with(from.as_bytes())).collect();
                assert!(places.len() >= 2, "the local header and the directory name the file");
                for at in places {
                    bytes[at..at + to.len()].copy_from_slice(to.as_bytes());
                }
                fs::write(&path, bytes).unwrap();
            }
            let artifact = Artifact {
                name: "w".into(),
                version: "1".into(),
                kind: ArtifactKind::Wheel,
                file: "w-1-py3-none-any.whl".into(),
                size: 1,
                sha256: String::new(),
                integrity: None,
                record_sha256: digest::sha256(record.as_bytes()),
                role: ArtifactRole::Support,
                systems: vec![System::X86_64Linux],
                python: PythonTags::Any(AnyPython::Any),
                requires: Vec::new(),
                place: None,
            };
            Built { folder: self.folder, artifact, path }
        }

        /// Unpacks and returns the message of the refusal; nothing may have appeared beside the tree.
        fn refusal(self) -> String {
            let built = self.build();
            let error = built.unpack().unwrap_err();
            assert_eq!(error.code(), ErrorCode::ToolchainMismatch, "{error}");
            let mut beside: Vec<_> =
                fs::read_dir(built.folder.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
            beside.sort();
            assert_eq!(beside, ["tree", "w-1-py3-none-any.whl"]);
            error.message().to_owned()
        }
    }

    struct Built {
        folder: tempfile::TempDir,
        artifact: Artifact,
        path: PathBuf,
    }

    impl Built {
        fn unpack(&self) -> Result<()> {
            let root = self.folder.path().join("tree");
            fs::create_dir(&root).unwrap();
            unpack_all(&[(&self.artifact, self.path.clone())], &root, &|_| {})
        }
    }

    #[test]
    fn a_wheel_becomes_a_tree_with_its_modes() {
        let built = Draft::new()
            .file("pkg/__init__.py", b"x = 1\n")
            .file("w-1.data/scripts/tool", b"#!")
            .file("w-1.data/purelib/more/m.py", b"")
            .file("w-1.data/data/share/doc", b"dropped")
            .file("w-1.dist-info/INSTALLER", b"dropped")
            .build();
        built.unpack().unwrap();
        let root = built.folder.path().join("tree");
        make_folders_read_only(&root).unwrap();
        let mode = |path: &str| platform::mode_of(&fs::metadata(root.join(path)).unwrap());
        for (path, wanted) in [
            ("lib/pkg/__init__.py", 0o444),
            ("bin/tool", 0o555),
            ("lib/more/m.py", 0o444),
            ("lib/w-1.dist-info/RECORD", 0o444),
            ("", 0o555),
            ("lib/pkg", 0o555),
        ] {
            assert_eq!(mode(path), wanted, "{path}");
        }
        assert_eq!(fs::read(root.join("lib/pkg/__init__.py")).unwrap(), b"x = 1\n");
        let count = |folder: &str| fs::read_dir(root.join(folder)).unwrap().count();
        assert_eq!((count(""), count("bin"), count("lib"), count("lib/w-1.dist-info")), (2, 1, 3, 1));
        remove_tree(&root).unwrap();
        assert!(!root.exists());
    }

    #[test]
    fn names_that_leave_the_tree_are_refused() {
        for (from, to) in [
            ("aa/evil.py", "../evil.py"),
            ("a/aa/evil.py", "a/../evil.py"),
            ("aevil.py", "/evil.py"),
            ("a_evil.py", "a\\evil.py"),
            ("a_evil.py", "a\0evil.py"),
            ("a_evil.py", "a//vil.py"),
        ] {
            let message = Draft::new().file(from, b"evil").patched(from, to).refusal();
            assert!(message.contains("whose name"), "{to:?}: {message}");
        }
    }

    #[test]
    fn links_are_refused() {
        let mut draft = Draft::new().lying("a.py", b"a", &record_line("a.py", b"a"));
        draft.record.push_str(&record_line("link", b"/etc/passwd"));
        draft.link = true;
        let message = draft.refusal();
        assert!(message.ends_with("holds `link`, which is not a plain file"), "{message}");
    }

    #[test]
    fn two_files_of_one_name_are_refused() {
        let draft = Draft::new().file("same_a.py", b"one").lying("same_b.py", b"two", "");
        let message = draft.patched("same_b.py", "same_a.py").refusal();
        assert!(message.ends_with("holds two files of the same name"), "{message}");
        let message = Draft::new().file("same.py", b"one").file("SAME.py", b"one").refusal();
        assert!(message.contains("twice but for upper and lower case"), "{message}");
        let message = Draft::new().file("m.py", b"one").file("w-1.data/purelib/m.py", b"one").refusal();
        assert!(message.contains("puts a file at `lib/m.py`"), "{message}");
    }

    #[test]
    fn a_bomb_is_refused_at_the_recorded_size() {
        let bomb = vec![0_u8; 20 << 20];
        let message = Draft::new().lying("bomb", &bomb, &record_line("bomb", &bomb[..10])).refusal();
        assert!(message.ends_with("holds `bomb` with more bytes than recorded (10)"), "{message}");
        let line = record_line("bomb", b"").replace(",0\n", ",2000000000\n");
        let message = Draft::new().lying("bomb", b"", &line).refusal();
        assert!(message.ends_with("unpacks to more than 1 GiB"), "{message}");
    }

    #[test]
    fn what_record_does_not_prove_is_refused() {
        for (draft, reason) in [
            (Draft::new().lying("a.py", b"evil", &record_line("a.py", b"good")), "with other bytes than recorded"),
            (Draft::new().lying("a.py", b"goo", &record_line("a.py", b"good")), "with other bytes than recorded"),
            (Draft::new().lying("a.py", b"evil", ""), "which RECORD does not name"),
            (Draft::new().lying("a.py", b"evil", "a.py,,\n"), "without a path, SHA-256 and size"),
        ] {
            let message = draft.refusal();
            assert!(message.contains(reason), "{message}");
        }
        let mut draft = Draft::new().file("a.py", b"a");
        draft.record.push_str(&record_line("b.py", b"b"));
        let message = draft.refusal();
        assert!(message.ends_with("lacks `b.py`, which RECORD names"), "{message}");
    }

    #[test]
    fn a_wheel_without_its_record_or_with_another_one_is_refused() {
        let message = Draft::new().file("a.py", b"a").patched(RECORD, "w-1.dist-info/RECORX").refusal();
        assert!(message.ends_with("has no w-1.dist-info/RECORD"), "{message}");
        let mut built = Draft::new().file("a.py", b"a").build();
        built.artifact.record_sha256 = digest::sha256(b"another");
        let error = built.unpack().unwrap_err();
        assert!(error.message().ends_with("has another RECORD than the locked one"), "{error}");
        let built = Draft::new().build();
        fs::write(&built.path, "no zip at all").unwrap();
        assert!(built.unpack().unwrap_err().message().contains("is not a readable wheel"));
    }
}
