//! All that the lock files and manifests of a project say, the surest word on each library first.

use std::collections::{BTreeMap, BTreeSet};

use super::normalize_library_name;
use crate::packages::{
    DeclaredDependency, Ecosystem, LOCK_MAX, LockedPackage, PackageOrigin, Placement, exact_version, is_pylock,
    is_python_versions_file, parse_lock, parse_manifest,
};
use tapps_base::Result;
use tapps_sandbox::Boundary;

/// What one file says about one library.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pin {
    pub ecosystem: Ecosystem,
    /// As its registry compares it.
    pub library: String,
    /// The exact version, when the file names one.
    pub version: Option<String>,
    /// What versions are admitted, when the file names no exact one.
    pub requirement: Option<String>,
    /// Digests of the artifacts as the file writes them (`sha256:…`, `sha512-…`).
    pub hashes: Vec<String>,
    /// The file.
    pub file: String,
}

impl Pin {
    /// Whether the project itself asks for it, and not only one of its dependencies, as far as its files tell.
    #[must_use]
    pub fn is_direct(&self) -> bool {
        self.requirement.is_some() || MANIFESTS.contains(&self.file.as_str()) || is_python_versions_file(&self.file)
    }

    /// What a lock file says; nothing of folders, which no registry documents, and of copies below other packages.
    fn of_locked(package: LockedPackage) -> Option<Self> {
        let counts = package.origin == PackageOrigin::Published && package.placement != Placement::Nested;
        counts.then(|| Self {
            ecosystem: package.ecosystem,
            // An alias is known by the name it is imported under.
            library: normalize_library_name(package.ecosystem, package.known_as()),
            version: Some(package.version),
            requirement: None,
            hashes: package.digests,
            file: package.file,
        })
    }

    /// What a manifest says; nothing of an address.
    fn of_declared(declared: DeclaredDependency) -> Option<Self> {
        let python = declared.ecosystem == Ecosystem::PyPi;
        let exact = exact_version(&declared.requirement).filter(|_| python).map(str::to_owned);
        let requirement = Some(declared.requirement).filter(|text| exact.is_none() && !text.is_empty());
        let is_address = python && requirement.as_ref().is_some_and(|text| text.starts_with('@'));
        (!is_address).then(|| Self {
            ecosystem: declared.ecosystem,
            library: normalize_library_name(declared.ecosystem, &declared.name),
            version: exact,
            requirement,
            hashes: Vec::new(),
            file: declared.file,
        })
    }
}

/// Lock files at the root of a project, in the order they are believed.
const LOCKS: [&str; 11] = [
    "uv.lock",
    "poetry.lock",
    "pdm.lock",
    "pylock.toml",
    "Pipfile.lock",
    "package-lock.json",
    "npm-shrinkwrap.json",
    "pnpm-lock.yaml",
    "yarn.lock",
    "bun.lock",
    "Cargo.lock",
];

const MANIFESTS: [&str; 3] = ["pyproject.toml", "Pipfile", "package.json"];

/// What kind of word a file gives on versions, the surest first; names of one kind are in the order of their lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum FileKind {
    Lock(usize),
    /// An exact line in one is as good as a lock.
    Requirements,
    Manifest(usize),
}

fn kind_of_file(name: &str) -> Option<FileKind> {
    let at = |names: &[&str], name: &str| names.iter().position(|one| *one == name);
    let lock = at(&LOCKS, if is_pylock(name) { "pylock.toml" } else { name }).map(FileKind::Lock);
    let requirements = || is_python_versions_file(name).then_some(FileKind::Requirements);
    lock.or_else(requirements).or_else(|| at(&MANIFESTS, name).map(FileKind::Manifest))
}

/// Whether a file of this name says which versions a project uses.
#[must_use]
pub fn is_versions_file(name: &str) -> bool {
    kind_of_file(name).is_some()
}

/// What a file says; `None` for one that cannot be understood.
fn pins_of_file(name: &str, text: &str) -> Option<Vec<Pin>> {
    match kind_of_file(name)? {
        FileKind::Lock(_) => Some(parse_lock(name, text).ok()?.into_iter().filter_map(Pin::of_locked).collect()),
        FileKind::Requirements | FileKind::Manifest(_) => {
            Some(parse_manifest(name, text).ok()?.into_iter().filter_map(Pin::of_declared).collect())
        }
    }
}

/// What is pinned, by ecosystem and library.
#[derive(Debug, Clone, Default)]
pub struct Pins {
    pins: BTreeMap<(Ecosystem, String), Pin>,
    /// Further versions of a library that the same file holds: for other systems, or other versions of the language.
    others: BTreeMap<(Ecosystem, String), Vec<Pin>>,
    /// Files that are there but cannot be understood, with the reason for people.
    pub unreadable: Vec<String>,
}

/// The lock files and manifests of a project as they stand, in the order they are believed; `None` for one that cannot be
/// read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Texts(Vec<(String, Option<String>)>);

impl Pins {
    /// Reads the lock files and manifests at the root of a project.
    ///
    /// # Errors
    /// What listing the root says. A file that cannot be understood is passed over and named in `unreadable`.
    pub fn of_project(boundary: &Boundary) -> Result<Self> {
        Ok(Self::from_texts(&Self::read_texts(boundary)?))
    }

    /// The texts that [`Pins::from_texts`] reads.
    ///
    /// # Errors
    /// What listing the root says.
    pub fn read_texts(boundary: &Boundary) -> Result<Texts> {
        let names: BTreeSet<String> = boundary.list(&boundary.root_as_project_path())?.into_iter().collect();
        let mut files: Vec<(FileKind, String)> =
            names.into_iter().filter_map(|name| Some((kind_of_file(&name)?, name))).collect();
        // Of several locks of one kind the one for all uses has the shortest name: `pylock.toml` before `pylock.dev.toml`.
        let length = |kind: &FileKind, name: &String| if matches!(kind, FileKind::Lock(_)) { name.len() } else { 0 };
        files.sort_by_cached_key(|(kind, name)| (*kind, length(kind, name), name.clone()));
        let text = |(_, file): (FileKind, String)| {
            let bytes = boundary.resolve(&file).and_then(|path| boundary.read(&path, LOCK_MAX));
            (file, bytes.ok().and_then(|bytes| String::from_utf8(bytes).ok()))
        };
        Ok(Texts(files.into_iter().map(text).collect()))
    }

    /// What some texts say.
    #[must_use]
    pub fn from_texts(texts: &Texts) -> Self {
        let mut pins = Self::default();
        for (file, text) in &texts.0 {
            match text.as_deref().and_then(|text| pins_of_file(file, text)) {
                Some(found) => found.into_iter().for_each(|pin| pins.add_pin(pin)),
                None => pins.unreadable.push(file.clone()),
            }
        }
        pins
    }

    fn add_pin(&mut self, pin: Pin) {
        let key = (pin.ecosystem, pin.library.clone());
        match self.pins.get_mut(&key) {
            Some(known) if known.file == pin.file && pin.version.is_some() && known.version.is_some() => {
                if known.version != pin.version {
                    self.others.entry(key).or_default().push(pin);
                }
            }
            Some(known) if known.version.is_some() || pin.version.is_none() => {
                if known.requirement.is_none() {
                    known.requirement = pin.requirement;
                }
            }
            Some(known) => *known = pin,
            None => {
                self.pins.insert(key, pin);
            }
        }
    }

    /// What is pinned of a library.
    #[must_use]
    pub fn get(&self, ecosystem: Ecosystem, library: &str) -> Option<&Pin> {
        self.pins.get(&(ecosystem, normalize_library_name(ecosystem, library)))
    }

    /// All that the file which pins a library says of it: a lock for several systems may hold several versions.
    pub fn all_of(&self, ecosystem: Ecosystem, library: &str) -> impl Iterator<Item = &Pin> {
        let key = (ecosystem, normalize_library_name(ecosystem, library));
        self.pins.get(&key).into_iter().chain(self.others.get(&key).into_iter().flatten())
    }

    /// Every pin, by ecosystem and name.
    pub fn iter(&self) -> impl Iterator<Item = &Pin> {
        self.pins.values()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[test]
    fn locks_go_before_manifests_and_each_says_what_it_knows() {
        let dir = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| std::fs::write(dir.path().join(name), text).unwrap();
        write("pyproject.toml", "[project]\nname='x'\ndependencies=['Requests>=2', 'rich[jupyter] ~= 13.0']\n");
        write("uv.lock", "version = 1\n[[package]]\nname = 'requests'\nversion = '2.32.5'\n");
        write("requirements-dev.txt", "pytest == 9.0.1 ; python_version > '3'\n-r other.txt\nblack>=24\n");
        write("package.json", "{\"dependencies\": {\"zod\": \"^4\"}}");
        write("yarn.lock", "\u{0}not yaml: [");
        let pins = Pins::of_project(&Boundary::open(dir.path()).unwrap()).unwrap();
        let said: Vec<(&str, Option<&str>, Option<&str>, &str)> = pins
            .iter()
            .map(|pin| (&*pin.library, pin.version.as_deref(), pin.requirement.as_deref(), &*pin.file))
            .collect();
        let expected = [
            ("black", None, Some(">=24"), "requirements-dev.txt"),
            ("pytest", Some("9.0.1"), None, "requirements-dev.txt"),
            ("requests", Some("2.32.5"), Some(">=2"), "uv.lock"),
            ("rich", None, Some("~= 13.0"), "pyproject.toml"),
            ("zod", None, Some("^4"), "package.json"),
        ];
        assert_eq!(said, expected);
        assert_eq!(pins.unreadable, ["yarn.lock"]);
        assert!(pins.iter().all(Pin::is_direct));
        let locked = pins_of_file("uv.lock", "[[package]]\nname='idna'\nversion='3'\n").unwrap();
        assert!(!locked[0].is_direct());
    }

    /// `library version-or-requirement digests` of each pin that a file gives.
    fn pinned(file: &str, text: &str) -> Vec<String> {
        let line = |pin: Pin| {
            let word = pin.version.or(pin.requirement).unwrap_or_default();
            format!("{} {word} {}", pin.library, pin.hashes.join(" ")).trim_end().to_owned()
        };
        pins_of_file(file, text).unwrap().into_iter().map(line).collect()
    }

    #[rstest]
    // A copy below another package and a folder are nothing that a project calls by a name.
    #[case(
        "package-lock.json",
        r#"{"packages": {"": {"version": "0"}, "node_modules/@types/react": {"version": "19.2.2", "integrity": "sha512-x"},
            "node_modules/a/node_modules/b": {"version": "1"}, "node_modules/old": {"name": "zod", "version": "3.0.0"}}}"#,
        &["@types/react 19.2.2 sha512-x", "old 3.0.0"]
    )]
    #[case("uv.lock", "[[package]]\nname='me'\nversion='0.1'\nsource={ directory='.' }\n[[package]]\nname='Zope.Event'\nversion='5.0'\n", &["zope-event 5.0"])]
    #[case("Cargo.lock", "[[package]]\nname='me'\nversion='0.1.0'\n[[package]]\nname='serde_json'\nversion='1.0.1'\nsource='r'\n", &["serde-json 1.0.1"])]
    // What only the scan for vulnerabilities used to read.
    #[case("bun.lock", "{\"packages\": {\"zod\": [\"zod@4.1.12\", \"\", {}, \"sha512-y\"],}}", &["zod 4.1.12 sha512-y"])]
    #[case("Pipfile.lock", r#"{"default": {"Flask_Login": {"version": "==0.6.3", "hashes": ["sha256:a"]}}}"#, &["flask-login 0.6.3 sha256:a"])]
    #[case("pylock.toml", "[[packages]]\nname='a'\nversion='1'\nwheels=[{hashes={sha256='ab'}}]\n", &["a 1 sha256:ab"])]
    #[case("pnpm-lock.yaml", "dependencies:\n  a: 1.0.0_react@17.0.2\npackages:\n  /a/1.0.0_react@17.0.2: {}\n  near@file:../near: {}\n", &["a 1.0.0"])]
    #[case(
        "pyproject.toml",
        "[project]\ndependencies=['a>=1', 'x @ https://example.com/x.whl']\n[project.optional-dependencies]\nx=['b==2']\n[dependency-groups]\n\
         dev=['c', {include-group='x'}]\n[tool.poetry.dependencies]\npython='^3.9'\nd='^4'\n[tool.poetry.dev-dependencies]\nf='1'\n\
         [tool.poetry.group.t.dependencies]\ne={version='5', optional=true}\n",
        &["a >=1", "b 2", "c", "d ^4", "f 1", "e 5"]
    )]
    #[case("package.json", r#"{"peerDependencies": {"x": ">=1"}, "devDependencies": {"x": "~1", "y": "1.2.3"}}"#, &["x ~1", "y 1.2.3", "x >=1"])]
    #[case("Pipfile", "[packages]\na = '*'\n", &["a *"])]
    #[case("constraints.txt", "a<5\nb==1,<2\n", &["a <5", "b 1"])]
    fn files_pin_or_ask(#[case] file: &str, #[case] text: &str, #[case] expected: &[&str]) {
        assert_eq!(pinned(file, text), expected);
    }

    #[test]
    fn a_lock_may_hold_several_versions_and_other_files_add_none() {
        let dir = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| std::fs::write(dir.path().join(name), text).unwrap();
        write("uv.lock", "[[package]]\nname='a'\nversion='1'\n[[package]]\nname='A'\nversion='2'\n");
        write("requirements.txt", "a==3\n");
        let pins = Pins::of_project(&Boundary::open(dir.path()).unwrap()).unwrap();
        let versions: Vec<&str> = pins.all_of(Ecosystem::PyPi, "a").filter_map(|pin| pin.version.as_deref()).collect();
        assert_eq!(versions, ["1", "2"]);
        assert_eq!(pins.get(Ecosystem::PyPi, "a").unwrap().version.as_deref(), Some("1"));
    }

    #[test]
    fn the_surest_file_is_read_first() {
        let mut files = ["package.json", "requirements.txt", "pylock.dev.toml", "uv.lock", "pylock.toml", "Cargo.lock"];
        let dir = tempfile::tempdir().unwrap();
        files.iter().for_each(|file| std::fs::write(dir.path().join(file), "").unwrap());
        let texts = Pins::read_texts(&Boundary::open(dir.path()).unwrap()).unwrap();
        files = ["uv.lock", "pylock.toml", "pylock.dev.toml", "Cargo.lock", "requirements.txt", "package.json"];
        assert_eq!(texts.0.iter().map(|(file, _)| file.as_str()).collect::<Vec<_>>(), files);
    }
}
