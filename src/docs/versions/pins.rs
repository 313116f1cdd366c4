//! All that the lock files and manifests of a project say, the surest word on each library first.

use std::collections::{BTreeMap, BTreeSet};

use super::{normalized, npm, python, rust, yarn};
use crate::symbol::Ecosystem;
use tapps_base::Result;
use tapps_sandbox::Boundary;

/// The largest lock file that is read, in bytes.
const LOCK_MAX: u64 = 32 << 20;

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
        self.requirement.is_some() || MANIFESTS.contains(&self.file.as_str()) || is_requirements(&self.file)
    }

    pub(super) fn exact(ecosystem: Ecosystem, library: &str, version: &str) -> Self {
        Self {
            ecosystem,
            library: normalized(ecosystem, library),
            version: Some(version.to_owned()),
            requirement: None,
            hashes: Vec::new(),
            file: String::new(),
        }
    }

    pub(super) fn wanted(ecosystem: Ecosystem, library: &str, requirement: &str) -> Self {
        let requirement = requirement.trim();
        Self {
            version: None,
            requirement: (!requirement.is_empty()).then(|| requirement.to_owned()),
            ..Self::exact(ecosystem, library, "")
        }
    }
}

/// A file that names versions, and how it is read.
struct Format {
    file: &'static str,
    read: fn(&str) -> Option<Vec<Pin>>,
}

/// Lock files before manifests: the first exact word on a library holds.
const FORMATS: &[Format] = &[
    Format { file: "uv.lock", read: python::uv },
    Format { file: "poetry.lock", read: python::poetry },
    Format { file: "pdm.lock", read: python::poetry },
    Format { file: "package-lock.json", read: npm::package_lock },
    Format { file: "npm-shrinkwrap.json", read: npm::package_lock },
    Format { file: "pnpm-lock.yaml", read: npm::pnpm },
    Format { file: "yarn.lock", read: yarn::yarn },
    Format { file: "Cargo.lock", read: rust::cargo },
    Format { file: "pyproject.toml", read: python::pyproject },
    Format { file: "package.json", read: npm::package },
];

const MANIFESTS: [&str; 2] = ["pyproject.toml", "package.json"];

/// What is pinned, by ecosystem and library.
#[derive(Debug, Clone, Default)]
pub struct Pins {
    pins: BTreeMap<(Ecosystem, String), Pin>,
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
        Ok(Self::read(&Self::texts(boundary)?))
    }

    /// The texts that [`Pins::read`] reads.
    ///
    /// # Errors
    /// What listing the root says.
    pub fn texts(boundary: &Boundary) -> Result<Texts> {
        let names: BTreeSet<String> = boundary.list(&boundary.whole())?.into_iter().collect();
        let known = FORMATS.iter().map(|format| format.file.to_owned()).filter(|file| names.contains(file));
        // Requirements files stand between locks and manifests: an exact line in one is as good as a lock.
        let (manifests, locks): (Vec<String>, Vec<String>) = known.partition(|file| MANIFESTS.contains(&file.as_str()));
        let requirements = names.iter().filter(|name| is_requirements(name)).cloned();
        let text = |file: String| {
            let bytes = boundary.resolve(&file).and_then(|path| boundary.read(&path, LOCK_MAX));
            (file, bytes.ok().and_then(|bytes| String::from_utf8(bytes).ok()))
        };
        Ok(Texts(locks.into_iter().chain(requirements).chain(manifests).map(text).collect()))
    }

    /// What some texts say.
    #[must_use]
    pub fn read(texts: &Texts) -> Self {
        let mut pins = Self::default();
        for (file, text) in &texts.0 {
            let format = FORMATS.iter().find(|format| format.file == file);
            let read = format.map_or(python::requirements as fn(&str) -> Option<Vec<Pin>>, |format| format.read);
            match text.as_deref().and_then(read) {
                Some(found) => found.into_iter().for_each(|pin| pins.add(Pin { file: file.clone(), ..pin })),
                None => pins.unreadable.push(file.clone()),
            }
        }
        pins
    }

    fn add(&mut self, pin: Pin) {
        let key = (pin.ecosystem, pin.library.clone());
        match self.pins.get_mut(&key) {
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
        self.pins.get(&(ecosystem, normalized(ecosystem, library)))
    }

    /// Every pin, by ecosystem and name.
    pub fn iter(&self) -> impl Iterator<Item = &Pin> {
        self.pins.values()
    }
}

fn is_requirements(name: &str) -> bool {
    (name.starts_with("requirements") || name.ends_with("requirements.txt")) && name.ends_with(".txt")
        || name == "constraints.txt"
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert!(!Pin { file: "uv.lock".into(), ..Pin::exact(Ecosystem::Python, "idna", "3") }.is_direct());
    }
}
