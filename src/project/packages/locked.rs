//! Exact versions out of lock files: the one place that knows which file is read how.

use std::collections::BTreeSet;

use super::{Ecosystem, lock_formats, name_of};
use lock_formats::{LockFileParser, npm, others, python, yarn};

/// One package at one version, as a lock file holds it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct LockedPackage {
    pub ecosystem: Ecosystem,
    /// As the ecosystem tells names apart.
    pub name: String,
    pub version: String,
    /// The lock file.
    pub file: String,
    pub placement: Placement,
    /// The name that the project uses for it, where that is another one.
    pub alias: Option<String>,
    pub origin: PackageOrigin,
    /// Digests of its artifacts as the file writes them (`sha256:…`, `sha512-…`).
    pub digests: Vec<String>,
}

/// From where a version of a package is seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Placement {
    /// By the project itself.
    Top,
    /// Stands beside all others; only packages ask for it.
    Flat,
    /// A copy below another package, or below a member of the project.
    Nested,
}

/// What a package is installed from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum PackageOrigin {
    /// What is published: a registry, a repository, an address.
    Published,
    /// A folder of the project or of the machine.
    Folder,
}

impl LockedPackage {
    /// The name that the project knows it by.
    #[must_use]
    pub fn known_as(&self) -> &str {
        self.alias.as_deref().unwrap_or(&self.name)
    }
}

/// True for a lock file, and for manifests that fix versions.
pub(super) fn is_lock(path: &str) -> bool {
    lock_file_parser(name_of(path)).is_some()
}

fn lock_file_parser(name: &str) -> Option<(Ecosystem, LockFileParser)> {
    Some(match name {
        "uv.lock" | "poetry.lock" | "pdm.lock" => (Ecosystem::PyPi, python::package_tables),
        "Pipfile.lock" => (Ecosystem::PyPi, python::pipfile_lock),
        "package-lock.json" | "npm-shrinkwrap.json" => (Ecosystem::Npm, npm::package_lock),
        "pnpm-lock.yaml" => (Ecosystem::Npm, npm::pnpm_lock),
        "yarn.lock" => (Ecosystem::Npm, yarn::yarn_lock),
        "bun.lock" => (Ecosystem::Npm, npm::bun_lock),
        "Cargo.lock" => (Ecosystem::Crates, others::cargo_lock),
        "go.mod" => (Ecosystem::Go, others::go_mod),
        "gradle.lockfile" => (Ecosystem::Maven, others::gradle_lock),
        "pom.xml" => (Ecosystem::Maven, others::parse_pom_versions),
        _ if is_pylock(name) => (Ecosystem::PyPi, python::pylock),
        _ if super::is_python_versions_file(name) => (Ecosystem::PyPi, python::requirements),
        _ => return None,
    })
}

/// True for the name of a lock file as PEP 751 has it: `pylock.toml`, `pylock.dev.toml`.
#[must_use]
pub fn is_pylock(name: &str) -> bool {
    name.starts_with("pylock.") && name.ends_with(".toml")
}

/// Reads a lock file. Of several versions of a package the one that counts for the project comes first.
///
/// # Errors
/// Why it cannot be read, as a lower-case fragment.
pub fn parse_lock(path: &str, text: &str) -> Result<Vec<LockedPackage>, String> {
    let Some((ecosystem, reader)) = lock_file_parser(name_of(path)) else { return Ok(Vec::new()) };
    let whole = |entry: lock_formats::LockFileEntry| LockedPackage {
        ecosystem,
        name: ecosystem.normalize_name(&entry.name),
        version: entry.version,
        file: path.to_owned(),
        placement: entry.placement,
        alias: entry.alias.map(|alias| ecosystem.normalize_name(&alias)),
        origin: entry.origin,
        digests: entry.digests,
    };
    Ok(reader(text)?.into_iter().map(whole).collect())
}

/// The packages of a lock file by name, each version once; the versions of one package stay in the order of the reader.
pub(super) fn sort_locked(mut packages: Vec<LockedPackage>) -> Vec<LockedPackage> {
    packages.sort_by(|a, b| (&a.name, a.placement).cmp(&(&b.name, b.placement)));
    let mut seen = BTreeSet::new();
    packages.retain(|one| seen.insert((one.name.clone(), one.version.clone(), one.alias.clone())));
    packages
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    /// Each package in the order of the reader: `alias=name version*@ digests`, `*` below others, `@` from a folder.
    fn shown(name: &str, text: &str) -> String {
        let one = |package: LockedPackage| {
            let alias = package.alias.as_ref().map(|alias| format!("{alias}=")).unwrap_or_default();
            let place = match package.placement {
                Placement::Top => "",
                Placement::Flat => "~",
                Placement::Nested => "*",
            };
            let folder = if package.origin == PackageOrigin::Folder { "@" } else { "" };
            let digests: String = package.digests.iter().map(|digest| format!(" {digest}")).collect();
            format!("{alias}{} {}{place}{folder}{digests}", package.name, package.version)
        };
        parse_lock(&format!("x/{name}"), text).unwrap().into_iter().map(one).collect::<Vec<_>>().join(", ")
    }

    #[rstest]
    #[case(
        "uv.lock",
        "[[package]]\nname = 'Foo__Bar'\nversion = '1.0'\nsource = {registry = 'x'}\nwheels = [{hash = 'sha256:a'}]\nsdist = {hash = 'sha256:b'}\n\
         [[package]]\nname='me'\nversion='0'\nsource={editable='.'}\n[[package]]\nname='near'\nversion='2'\nsource={directory='n'}\n",
        "foo-bar 1.0 sha256:a sha256:b, near 2@"
    )]
    #[case("poetry.lock", "[[package]]\nname='a'\nversion='1'\nfiles=[{hash='sha256:cd'}]\n", "a 1 sha256:cd")]
    #[case(
        "poetry.lock",
        "[[package]]\nname='a'\nversion='1'\n[package.source]\ntype='directory'\nurl='../a'\n",
        "a 1@"
    )]
    #[case("pdm.lock", "[[package]]\nname='a'\nversion='1'\npath='./a'\n", "a 1@")]
    #[case("pdm.lock", "[metadata]\nlock_version = '4.5'\n", "")]
    #[case(
        "pylock.dev.toml",
        "lock-version='1.0'\n[[packages]]\nname='a'\nversion='1'\nwheels=[{hashes={sha256='ab'}}]\n[[packages]]\nname='b'\nversion='2'\ndirectory={path='.'}\n",
        "a 1 sha256:ab, b 2@"
    )]
    #[case(
        "Pipfile.lock",
        "{\"default\": {\"a\": {\"version\": \"==1.2\", \"hashes\": [\"sha256:a\"]}}, \"develop\": {\"b\": {}}}",
        "a 1.2 sha256:a"
    )]
    #[case(
        "requirements-dev.txt",
        "a==1.0 ; x\n  B.c[d]==2 \\\n  --hash=sha256:0\n# d==1\ne>=1\n-r f.txt\ng>=1,==1.5\nh @ file:///x==1\n",
        "a 1.0, b-c 2, g 1.5"
    )]
    #[case("constraints.txt", "a==1.0\n", "a 1.0")]
    #[case(
        "package-lock.json",
        "{\"packages\": {\"\": {\"version\": \"9\"}, \"node_modules/a\": {\"version\": \"1.0.0\", \"integrity\": \"sha512-x\"}, \
         \"node_modules/@s/b/node_modules/a\": {\"version\": \"2.0.0\"}, \"node_modules/w\": {\"link\": true}, \
         \"node_modules/z\": {\"name\": \"zod\", \"version\": \"3.0.0\"}}}",
        "a 2.0.0*, a 1.0.0 sha512-x, z=zod 3.0.0"
    )]
    #[case(
        "package-lock.json",
        "{\"dependencies\": {\"a\": {\"version\": \"1.0.0\", \"dependencies\": {\"b\": {\"version\": \"2.0.0\"}}}}}",
        "a 1.0.0, b 2.0.0*"
    )]
    #[case("package-lock.json", "{\"lockfileVersion\": 1}", "")]
    #[case(
        "pnpm-lock.yaml",
        "lockfileVersion: '9.0'\nimporters:\n  .:\n    dependencies:\n      zod:\n        specifier: ^4\n        version: 4.1.12\n      old:\n        specifier: npm:zod@^3\n        version: zod@3.0.0\n  member:\n    dependencies:\n      '@s/b':\n        specifier: ^2\n        version: 2.0.0(zod@4.1.12)\n\
         packages:\n  '@s/b@2.0.0':\n    resolution: {integrity: sha512-b}\n  near@file:../near:\n    resolution: {}\n  zod@3.0.0:\n    resolution: {integrity: sha512-3}\n  zod@4.1.12:\n    resolution: {integrity: sha512-4}\n",
        "zod 4.1.12 sha512-4, old=zod 3.0.0 sha512-3, @s/b 2.0.0 sha512-b, zod 3.0.0~ sha512-3"
    )]
    #[case(
        "pnpm-lock.yaml",
        "lockfileVersion: 5.4\ndependencies:\n  a: 1.0.0_react@17.0.2\n  old: /zod/3.0.0\npackages:\n  /@s/b_c/2.0.0: {}\n  /a/1.0.0_react@17.0.2: {}\n  /zod/3.0.0: {}\n",
        "a 1.0.0, old=zod 3.0.0, @s/b_c 2.0.0~, zod 3.0.0~"
    )]
    #[case(
        "pnpm-lock.yaml",
        "lockfileVersion: '6.0'\npackages:\n  /a@1.0.0(b@2.0.0):\n    resolution: {}\n",
        "a 1.0.0~"
    )]
    #[case(
        "yarn.lock",
        "# yarn lockfile v1\n\n\"@s/a@^1.0\", \"@s/a@^1.1\":\n  version \"1.2.0\"\n  integrity sha512-x\n\nc@^1:\n  version \"1.9.0\"\nc@^2:\n  version \"2.10.0\"\nold@npm:zod@^3:\n  version \"3.0.0\"\n  dependencies:\n    version \"^9\"\n",
        "@s/a 1.2.0 sha512-x, c 2.10.0, c 1.9.0, old=zod 3.0.0"
    )]
    #[case(
        "yarn.lock",
        "__metadata:\n  version: 8\n\n\"b@npm:^2\":\n  version: 2.0.1\n  checksum: 10c0/ab\n  dependencies:\n    c: 1\n\n? \"long@npm:^1, long@npm:^1.1\"\n:\n  version: 1.1.0\n\n\"me@workspace:.\":\n  version: 0.0.0-use.local\n\n\"near@portal:../near\":\n  version: 1.0.0\n",
        "b 2.0.1 10c0/ab, long 1.1.0, near 1.0.0@"
    )]
    #[case(
        "bun.lock",
        "{\"packages\": {\"a\": [\"a@1.0.0\", \"\", {}, \"sha512-x\"], \"a/b\": [\"b@2.0.0\"], \"b\": [\"b@1.0.0\"], \"old\": [\"zod@3.0.0\"], \"me\": [\"me@workspace:.\"],}}",
        "a 1.0.0 sha512-x, b 2.0.0*, b 1.0.0, old=zod 3.0.0"
    )]
    #[case(
        "Cargo.lock",
        "[[package]]\nname = \"me\"\nversion = \"0.1.0\"\n[[package]]\nname = \"a_b\"\nversion = \"1.0.0\"\nsource = \"registry+x\"\nchecksum = \"ab\"\n[[package]]\nname = \"a_b\"\nversion = \"2.0.0\"\nsource = \"registry+x\"\n",
        "a_b 2.0.0, a_b 1.0.0 sha256:ab, me 0.1.0@"
    )]
    #[case(
        "go.mod",
        "module x\nrequire a/b v1.2.3\nrequire (\n  c/d v0.1.0 // indirect\n)\n",
        "a/b v1.2.3, c/d v0.1.0"
    )]
    #[case("gradle.lockfile", "# c\ng:a:1.0=compile\nempty=x\n", "g:a 1.0")]
    #[case(
        "pom.xml",
        "<project><dependencies><dependency><groupId>g</groupId><artifactId>a</artifactId><version>1.0</version></dependency><dependency><groupId>g</groupId><artifactId>b</artifactId><version>${v}</version></dependency></dependencies></project>",
        "g:a 1.0"
    )]
    fn locks(#[case] name: &str, #[case] text: &str, #[case] expected: &str) {
        assert_eq!(shown(name, text), expected);
        assert!(is_lock(name));
    }

    #[rstest]
    #[case("uv.lock", "[")]
    #[case("package-lock.json", "{")]
    #[case("pnpm-lock.yaml", "a: [")]
    #[case("yarn.lock", "no lock file")]
    #[case("yarn.lock", "<<<<<<< HEAD\na@^1:\n  version \"1.0.0\"\n")]
    fn broken_files_say_why(#[case] name: &str, #[case] text: &str) {
        assert!(!parse_lock(name, text).unwrap_err().is_empty());
    }

    #[test]
    fn a_version_at_the_top_stays_there_when_it_is_also_below() {
        let text = "{\"packages\": {\"node_modules/b/node_modules/a\": {\"version\": \"1.0.0\"}, \"node_modules/a\": {\"version\": \"1.0.0\"}}}";
        let found = sort_locked(parse_lock("package-lock.json", text).unwrap());
        assert_eq!(found.iter().map(|one| one.placement).collect::<Vec<_>>(), [Placement::Top]);
    }
}
