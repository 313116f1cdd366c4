//! Which packages a tree of types holds: those that the lock names, from a wheel with the lock's digest where one is at hand,
//! else as they are installed in the lock's version.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::installed::InstalledTypes;
use super::package::{Brings, TypeFiles, described_by};
use super::wheels::{WheelContent, WheelName};
use tapps_project::packages::Ecosystem;
use tapps_project::versions::{Pin, Pins, is_same_version};

/// Most files of one tree.
const MOST_FILES: usize = 100_000;
/// Most bytes of all files of one tree.
const MOST_BYTES: u64 = 512 << 20;

/// Where the files of a package are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum TypesOrigin {
    /// Below a folder of packages, relative to the project.
    Environment { folder: String },
    /// In the wheel at this path that has this digest.
    Wheel { path: String, sha256: String },
}

/// One package of a tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ChosenPackage {
    pub(super) library: String,
    pub(super) origin: TypesOrigin,
    pub(super) files: TypeFiles,
}

/// What a tree is made of.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct TypesChoice {
    /// Sorted by name.
    pub(super) packages: Vec<ChosenPackage>,
    /// How many locked packages are not among them, and are not described by one that is.
    pub(super) without: usize,
    /// What is not among them though it is there, and why.
    pub(super) left_out: Vec<String>,
}

/// What there is to choose from.
#[derive(Debug, Default)]
pub(super) struct AtHand {
    pub(super) installed: Vec<InstalledTypes>,
    /// Those of packages that the lock names.
    pub(super) wheels: Vec<(WheelName, Arc<WheelContent>)>,
}

/// What is at hand of one locked package.
enum FoundPackage<'h> {
    Brought(TypesOrigin, &'h Brings),
    /// In another version, and what is said of that.
    OtherVersion(String),
    Nothing,
}

impl TypesChoice {
    /// What a lock asks for of what is at hand; with `only_locked` nothing whose bytes the lock does not name.
    pub(super) fn of_lock(pins: &Pins, at_hand: &AtHand, only_locked: bool) -> Self {
        let mut choice = Self::default();
        let (mut files, mut bytes) = (0, 0);
        let (mut named, mut untyped) = (0, Vec::new());
        for pin in pins.iter().filter(|pin| pin.ecosystem == Ecosystem::PyPi && pin.version.is_some()) {
            named += 1;
            let locked: Vec<&Pin> = pins.all_of(Ecosystem::PyPi, &pin.library).collect();
            match find_package(&locked, &pin.library, at_hand, only_locked) {
                FoundPackage::Brought(origin, Brings::Types(found)) => {
                    let size = found.values().map(|file| file.size).sum::<u64>();
                    if files + found.len() > MOST_FILES || bytes + size > MOST_BYTES {
                        let most = format!("{MOST_FILES} files or {MOST_BYTES} bytes");
                        choice.left_out.push(format!("{}: with it the types have more than {most}", pin.library));
                        continue;
                    }
                    (files, bytes) = (files + found.len(), bytes + size);
                    let (library, files) = (pin.library.clone(), found.clone());
                    choice.packages.push(ChosenPackage { library, origin, files });
                }
                FoundPackage::Brought(_, Brings::Unusable(why)) => {
                    choice.left_out.push(format!("{}: {why}", pin.library))
                }
                FoundPackage::Brought(_, Brings::NoTypes(tops)) => untyped.push(tops),
                FoundPackage::OtherVersion(why) => choice.left_out.push(format!("{}: {why}", pin.library)),
                FoundPackage::Nothing => {}
            }
        }
        let tops: BTreeSet<&str> = choice.packages.iter().flat_map(ChosenPackage::tops).collect();
        let described: BTreeSet<&str> = tops.into_iter().filter_map(described_by).collect();
        let is_described =
            |tops: &&&BTreeSet<String>| !tops.is_empty() && tops.iter().all(|top| described.contains(top.as_str()));
        choice.without = named - choice.packages.len() - untyped.iter().filter(is_described).count();
        choice
    }

    /// How many of the packages have the very bytes that the lock names.
    pub(super) fn locked(&self) -> usize {
        self.packages.iter().filter(|package| matches!(package.origin, TypesOrigin::Wheel { .. })).count()
    }
}

impl ChosenPackage {
    fn tops(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(|path| super::package::top_of(path))
    }
}

fn find_package<'h>(locked: &[&Pin], library: &str, at_hand: &'h AtHand, only_locked: bool) -> FoundPackage<'h> {
    let is_named = |sha256: &str| {
        let named = |digest: &String| digest.strip_prefix("sha256:") == Some(sha256);
        locked.iter().any(|pin| pin.hashes.iter().any(named))
    };
    let mut wheels = at_hand.wheels.iter().filter(|(wheel, _)| wheel.library == library);
    if let Some((wheel, content)) = wheels.find(|(_, content)| is_named(&content.sha256)) {
        let origin = TypesOrigin::Wheel { path: wheel.path.clone(), sha256: content.sha256.clone() };
        return FoundPackage::Brought(origin, &content.brings);
    }
    let versions: Vec<&str> = locked.iter().filter_map(|pin| pin.version.as_deref()).collect();
    let installed: Vec<&InstalledTypes> = at_hand.installed.iter().filter(|one| one.library == library).collect();
    let is_locked = |one: &&&InstalledTypes| versions.iter().any(|version| is_same_version(version, &one.version));
    if let Some(one) = installed.iter().find(is_locked) {
        let origin = TypesOrigin::Environment { folder: one.folder.clone() };
        return if only_locked { FoundPackage::Nothing } else { FoundPackage::Brought(origin, &one.brings) };
    }
    // What has no types is no concern of those who look for types.
    match (installed.iter().find(|one| !matches!(one.brings, Brings::NoTypes(_))), locked.first()) {
        (Some(one), Some(pin)) => FoundPackage::OtherVersion(format!(
            "{} is installed, {} has {}",
            one.version,
            pin.file,
            versions.join(" or ")
        )),
        _ => FoundPackage::Nothing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cache::FileDigest;
    use tapps_sandbox::Boundary;

    fn typed(paths: &[&str]) -> Brings {
        let file = FileDigest { sha256: [7; 32], size: 3 };
        Brings::Types(paths.iter().map(|&path| (path.to_owned(), file)).collect())
    }

    fn installed(library: &str, version: &str, brings: Brings) -> InstalledTypes {
        let folder = ".venv/lib/python3.12/site-packages".to_owned();
        InstalledTypes { library: library.to_owned(), version: version.to_owned(), folder, brings }
    }

    fn pins(text: &str) -> Pins {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("uv.lock"), text).unwrap();
        Pins::of_project(&Boundary::open(folder.path()).unwrap()).unwrap()
    }

    fn package(name: &str, version: &str, more: &str) -> String {
        format!("[[package]]\nname = '{name}'\nversion = '{version}'\n{more}")
    }

    #[test]
    fn the_lock_decides_and_what_it_does_not_name_is_not_there() {
        let lock =
            [package("a", "1.0", ""), package("b", "2", ""), package("c", "3", ""), package("b", "3", "")].concat();
        let at_hand = AtHand {
            installed: vec![
                installed("a", "1", typed(&["a/py.typed"])),
                installed("b", "4", typed(&["b/py.typed"])),
                installed("d", "1", typed(&["d/py.typed"])),
            ],
            wheels: Vec::new(),
        };
        let choice = TypesChoice::of_lock(&pins(&lock), &at_hand, false);
        let chosen: Vec<&str> = choice.packages.iter().map(|one| one.library.as_str()).collect();
        assert_eq!((chosen, choice.without, choice.locked()), (vec!["a"], 2, 0));
        assert_eq!(choice.left_out, ["b: 4 is installed, uv.lock has 2 or 3"]);
        let verified = TypesChoice::of_lock(&pins(&lock), &at_hand, true);
        assert_eq!((verified.packages.len(), verified.without), (0, 3));
    }

    #[test]
    fn a_wheel_with_the_digest_of_the_lock_goes_before_what_is_installed() {
        let folder = tempfile::tempdir().unwrap();
        let sha256 = super::super::wheels::tests::wheel(
            folder.path(),
            "a-1.0-py3-none-any.whl",
            &[("a/__init__.py", "x: int\n"), ("a/py.typed", "")],
        );
        let boundary = Boundary::open(folder.path()).unwrap();
        let names = super::super::wheels::list_wheels(&boundary);
        let read =
            super::super::wheels::WheelReader::default().read_contents(&boundary, &names.iter().collect::<Vec<_>>());
        let wheels: Vec<_> = names.into_iter().zip(read.into_iter().flatten()).collect();
        let at_hand = AtHand { installed: vec![installed("a", "9", typed(&["a/py.typed"]))], wheels };
        let with_digest = |digest: &str| package("a", "1.0", &format!("wheels = [{{hash = 'sha256:{digest}'}}]\n"));
        let choice = TypesChoice::of_lock(&pins(&with_digest(&sha256)), &at_hand, true);
        assert_eq!((choice.locked(), choice.without, choice.left_out.len()), (1, 0, 0));
        let other = TypesChoice::of_lock(&pins(&with_digest("00")), &at_hand, true);
        assert_eq!((other.locked(), other.without), (0, 1));
        assert_eq!(other.left_out, ["a: 9 is installed, uv.lock has 1.0"]);
    }

    #[test]
    fn what_stubs_describe_is_not_without_types() {
        let lock = [package("requests", "2", ""), package("types-requests", "2", ""), package("six", "1", "")].concat();
        let bare = |top: &str| Brings::NoTypes([top.to_owned()].into());
        let at_hand = AtHand {
            installed: vec![
                installed("requests", "2", bare("requests")),
                installed("types-requests", "2", typed(&["requests-stubs/__init__.pyi"])),
                installed("six", "1", bare("six")),
            ],
            wheels: Vec::new(),
        };
        let choice = TypesChoice::of_lock(&pins(&lock), &at_hand, false);
        assert_eq!((choice.packages.len(), choice.without), (1, 1));
    }

    #[test]
    fn what_cannot_be_used_is_told() {
        let at_hand = AtHand {
            installed: vec![installed("a", "1", Brings::Unusable("it is broken".to_owned()))],
            wheels: Vec::new(),
        };
        let choice = TypesChoice::of_lock(&pins(&package("a", "1", "")), &at_hand, false);
        assert_eq!((choice.left_out, choice.without), (vec!["a: it is broken".to_owned()], 1));
    }
}
