//! Definitions that nothing in the project mentions. Names are matched, not objects, so what shares its name with something
//! used is never reported: the list is short rather than complete.

mod go;
mod java;
mod offered;
mod outline;
mod python;
mod rust;
mod script;
mod tree;

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use self::offered::OfferedPackages;
use self::outline::{DefinitionKind, Outline, OutlineDefinition};
use super::files::ProjectFiles;
use super::parse;
use super::reach::{Links, is_test_code};
use tapps_base::call::Call;
use tapps_base::language::ScoredLanguage;
use tapps_base::{Error, Result};
use tapps_sandbox::Boundary;

/// Confidence in percent: nothing outside the project can see it.
const PRIVATE: u8 = 90;
/// Something that is not in the project may use it.
const PUBLIC: u8 = 60;
/// Something that is not in the project is meant to use it: whoever installs the package, or code that gets its object.
const OFFERED: u8 = 40;

/// The largest source file that is read, in bytes.
const MAX: u64 = 10 << 20;

/// What nothing mentions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DeadCodeReport {
    /// Source files that were read.
    pub files: usize,
    /// Source files that could not be parsed; what they mention is unknown.
    pub unread: Vec<String>,
    /// Sorted by place.
    pub unused: Vec<Unused>,
    pub total: usize,
    /// Definitions of less confidence than was asked for, which are not listed.
    #[serde(default)]
    pub less_certain: usize,
}

/// One definition.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Unused {
    pub file: String,
    /// 1-based.
    pub line: u32,
    pub end_line: u32,
    /// Qualified within the file: `Class.method`.
    pub name: String,
    pub kind: DefinitionKind,
    /// Percent: 90 where nothing outside the file, the crate or the package can see it, 60 where something outside the project may, 40 where that is
    /// what it is for: a package offers it to whoever imports it, or its object is handed to code of others.
    pub confidence: u8,
}

/// Looks for unused definitions in all of the project, and reports those at or below `paths` (all when empty) with at least
/// `confidence` percent.
///
/// # Errors
/// `file_not_found` and `path_denied` for paths; `cancelled` and `timeout`; `internal` when the system gives no threads.
pub fn find_dead_code(
    boundary: &std::sync::Arc<Boundary>,
    links: &Links,
    paths: &[String],
    confidence: u8,
    call: &Call,
) -> Result<DeadCodeReport> {
    let wanted: Vec<String> = paths
        .iter()
        .map(|path| {
            let path = boundary.resolve(path)?;
            boundary.kind(&path)?;
            Ok(path.as_str().to_owned())
        })
        .collect::<Result<_>>()?;
    let files = ProjectFiles::new(std::sync::Arc::clone(boundary));
    let entries = files.list()?;
    let sources: Vec<&str> = entries
        .iter()
        .map(|entry| entry.path.as_str())
        .filter(|path| ScoredLanguage::of_path(path).is_some())
        .collect();
    let read = parse::on_parsing_threads(|| {
        sources
            .par_iter()
            .map(|path| {
                call.check()?;
                Ok((*path, files.read(path, MAX).ok().and_then(|bytes| Outline::from_bytes(path, &bytes))))
            })
            .collect::<Result<Vec<_>, Error>>()
    })??;
    let mut used: BTreeMap<&str, u32> = BTreeMap::new();
    for (name, count) in read.iter().filter_map(|(_, outline)| outline.as_ref()).flat_map(|outline| &outline.uses) {
        *used.entry(name).or_default() += count;
    }
    let named = named_elsewhere(&files, &entries.iter().map(|entry| entry.path.as_str()).collect::<Vec<_>>());
    let offered =
        OfferedPackages::find_in_project(&files, &entries.iter().map(|entry| entry.path.as_str()).collect::<Vec<_>>());
    let handed = handed_out(read.iter().filter_map(|(_, outline)| outline.as_ref()));
    let imported: BTreeSet<&str> = links.edges.values().flat_map(BTreeMap::keys).map(String::as_str).collect();
    let mut unused = Vec::new();
    for (path, outline) in read.iter().filter_map(|(path, outline)| Some((*path, outline.as_ref()?))) {
        if is_test_code(path) || !wanted.is_empty() && !wanted.iter().any(|folder| is_below(path, folder)) {
            continue;
        }
        for definition in outline.definitions.iter().filter(|definition| !definition.kept) {
            let mentions = used.get(definition.bare()).copied().unwrap_or_default();
            if mentions > definition.own_uses || named.contains(definition.bare()) {
                continue;
            }
            // What an entry point exports is for somebody outside.
            if definition.exported && !imported.contains(path) {
                continue;
            }
            let sure = match definition.private {
                true => PRIVATE,
                false
                    if offered.holds_file(path)
                        || definition.class_name().is_some_and(|class| handed.contains(class)) =>
                {
                    OFFERED
                }
                false => PUBLIC,
            };
            unused.push(Unused {
                file: path.to_owned(),
                line: definition.line,
                end_line: definition.end_line,
                name: definition.name.clone(),
                kind: definition.kind,
                confidence: sure,
            });
        }
    }
    let found = unused.len();
    unused.retain(|one| one.confidence >= confidence);
    let less_certain = found - unused.len();
    unused.sort_by(|a, b| (&a.file, a.line, &a.name).cmp(&(&b.file, b.line, &b.name)));
    let unread = read.iter().filter(|(_, outline)| outline.is_none()).map(|(path, _)| (*path).to_owned()).collect();
    Ok(DeadCodeReport { files: read.len(), unread, total: unused.len(), less_certain, unused })
}

/// Classes whose objects are arguments of something that the project does not define: it may call any method of theirs.
fn handed_out<'o>(outlines: impl Iterator<Item = &'o Outline> + Clone) -> BTreeSet<&'o str> {
    let own: BTreeSet<&str> =
        outlines.clone().flat_map(|outline| &outline.definitions).map(OutlineDefinition::bare).collect();
    let passed = outlines.flat_map(|outline| &outline.passed);
    passed.filter(|(_, callee)| !own.contains(callee.as_str())).map(|(class, _)| class.as_str()).collect()
}

fn is_below(path: &str, folder: &str) -> bool {
    folder == "." || path == folder || path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

/// Words of manifests, templates and settings, where entry points and hooks are named, and of languages that share the
/// packages of Java.
fn named_elsewhere(files: &ProjectFiles, paths: &[&str]) -> BTreeSet<String> {
    const ENDINGS: [&str; 15] = [
        ".toml",
        ".cfg",
        ".groovy",
        ".html",
        ".ini",
        ".jinja",
        ".jinja2",
        ".kt",
        ".properties",
        ".scala",
        ".svelte",
        ".vue",
        ".xml",
        ".yaml",
        ".yml",
    ];
    const LARGEST: u64 = 1 << 20;
    let mentions = |path: &&&str| {
        let name = path.rsplit('/').next().unwrap_or(path);
        name == "package.json"
            || path.contains("META-INF/services/")
            || ENDINGS.iter().any(|ending| name.ends_with(ending)) && !name.contains("lock")
    };
    let texts = paths.iter().filter(mentions).filter_map(|path| files.read(path, LARGEST).ok());
    let mut words = BTreeSet::new();
    for text in texts {
        let text = String::from_utf8_lossy(&text);
        let found = text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'));
        words.extend(found.filter(|word| word.len() > 2).map(str::to_owned));
    }
    words
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use super::*;
    use crate::ProjectIndex;

    fn unused(files: &[(&str, &str)], confidence: u8) -> Vec<(String, u32, u8)> {
        let dir = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let full = dir.path().join(path);
            std::fs::create_dir_all(full.parent().unwrap()).unwrap();
            std::fs::write(full, text).unwrap();
        }
        let boundary = Arc::new(Boundary::open(dir.path()).unwrap());
        let links = ProjectIndex::new(Arc::clone(&boundary)).snapshot(&[]).unwrap().links().unwrap();
        let report = find_dead_code(&boundary, &links, &[], confidence, &Call::quiet(Duration::from_secs(60))).unwrap();
        assert_eq!(report.unread, Vec::<String>::new());
        report.unused.into_iter().map(|one| (one.name, one.line, one.confidence)).collect()
    }

    #[test]
    fn unused_python_definitions_are_found_and_used_ones_are_not() {
        let files = [
            (
                "pkg/a.py",
                "import functools\n__all__ = ['offered']\ndef used(): return _inner()\ndef _inner(): return 1\n\
                 def _gone():\n    return _gone()\ndef offered(): pass\ndef loose(): pass\n@app.route('/')\ndef view(): pass\n\
                 class Box:\n    def __init__(self): self.shape()\n    def shape(self): pass\n    def _lost(self): pass\n\
                 class Visitor(Base):\n    def visit_x(self): pass\n",
            ),
            ("pkg/b.py", "from pkg.a import used, Box, Visitor\nused(Box, Visitor)\n"),
            ("pyproject.toml", "[project.scripts]\nx = 'pkg.c:main'\n"),
            ("pkg/c.py", "def main(): pass\n"),
        ];
        let found = unused(&files, 60);
        let expected = [("_gone", 5, 90), ("loose", 8, 60), ("Box._lost", 14, 90)];
        assert_eq!(found, expected.map(|(name, line, sure)| (name.to_owned(), line, sure)));
        assert_eq!(unused(&files, 80).len(), 2);
    }

    #[test]
    fn what_a_package_offers_is_told_from_what_it_keeps() {
        let code = "def loose(): pass\ndef _gone(): pass\nclass Box:\n    def shape(self): pass\n    def _lost(self): pass\nBox()\n";
        let found = |manifest: (&'static str, &'static str), path: &'static str| {
            let files = [manifest, ("pkg/__init__.py", ""), ("pkg/_in/__init__.py", ""), (path, code)];
            unused(&files, 0).into_iter().map(|(name, _, sure)| (name, sure)).collect::<Vec<_>>()
        };
        let of = |sure| {
            [("loose", sure), ("_gone", 90), ("Box.shape", sure), ("Box._lost", 90)].map(|(n, s)| (n.to_owned(), s))
        };
        let built = "[build-system]\nrequires = []\n[project]\nname = 'pkg'\n";
        assert_eq!(found(("pyproject.toml", built), "pkg/a.py"), of(40));
        assert_eq!(found(("setup.py", ""), "pkg/a.py"), of(40));
        assert_eq!(found(("pyproject.toml", "[project]\nname = 'pkg'\n"), "pkg/a.py"), of(60), "nothing is built");
        assert_eq!(found(("pyproject.toml", built), "pkg/_in/a.py"), of(60), "a private part of it");
        assert_eq!(found(("pyproject.toml", built), "scripts/a.py"), of(60), "beside it");
        assert_eq!(found(("other/pyproject.toml", built), "pkg/a.py"), of(60), "another part of the project");
    }

    #[test]
    fn methods_of_an_object_that_others_get_may_be_called_by_them() {
        let files = [(
            "app.py",
            "import jar\nclass Fake:\n    def get_type(self): pass\n    def _own(self): pass\nclass Kept:\n    def get_kind(self): pass\n\
             def run():\n    fake = Fake()\n    jar.take(fake)\n    return keep(Kept())\ndef keep(one): return one\nrun()\n",
        )];
        let found = unused(&files, 0);
        let expected = [("Fake.get_type", 3, 40), ("Fake._own", 4, 90), ("Kept.get_kind", 6, 60)];
        assert_eq!(found, expected.map(|(name, line, sure)| (name.to_owned(), line, sure)));
        assert_eq!(unused(&files, 60).len(), 2);
    }

    #[test]
    fn unused_script_definitions_are_found_and_used_ones_are_not() {
        let found = unused(
            &[
                (
                    "src/a.ts",
                    "export function used() { return inner() }\nfunction inner() { return 1 }\nfunction gone() {}\nexport const loose = () => 1;\nexport default class Main {}\n",
                ),
                (
                    "src/b.tsx",
                    "import { used } from './a';\nconst Part = () => <i>{used()}</i>;\nexport const App = () => <Part/>;\n",
                ),
            ],
            60,
        );
        assert_eq!(found, [("gone".to_owned(), 3, 90), ("loose".to_owned(), 4, 60)]);
    }

    #[test]
    fn unused_rust_definitions_are_found_and_used_ones_are_not() {
        let library = "mod inner;\npub use inner::shown;\npub struct Store { at: u8 }\nimpl Store { pub fn open() -> Self { Self { at: 1 } }\n    fn lost(&self) {}\n}\n\
                       impl Show for Store { fn show(&self) {} }\n";
        let inner = "pub fn shown() { near() }\npub(crate) fn near() {}\npub(crate) fn gone() { gone() }\nconst USED: u8 = 1;\nstatic LEFT: u8 = 1;\n\
                     pub fn text() -> String { format!(\"{USED}\") }\n";
        let files = |publish: &'static str| {
            [
                ("Cargo.toml", publish),
                ("src/lib.rs", library),
                ("src/inner.rs", inner),
                ("src/main.rs", "fn main() {}\npub fn beside() {}\n"),
                ("tests/it.rs", "#[test]\nfn works() { Store::open(); helper(); }\nfn helper() {}\nfn left() {}\n"),
            ]
        };
        let expected = |open: u8| {
            let all = [("gone", 3, 90), ("LEFT", 5, 90), ("text", 6, open), ("Store.lost", 5, 90), ("beside", 2, 60)];
            all.map(|(name, line, sure)| (name.to_owned(), line, sure))
        };
        assert_eq!(unused(&files("[package]\nname = \"a\"\n"), 0), expected(40));
        assert_eq!(unused(&files("[package]\nname = \"a\"\npublish = false\n"), 0), expected(60));
    }

    #[test]
    fn unused_java_definitions_are_found_and_used_ones_are_not() {
        let files = |manifest: &'static str| {
            [
                ("pom.xml", manifest),
                (
                    "src/main/java/a/App.java",
                    "package a;\npublic class App {\n  public static void main(String[] all) { new Used().run(); }\n  private void gone() { gone(); }\n  void near() {}\n\
                     public void loose() {}\n}\nclass Lost {}\nclass Wired {}\nclass Part { @Override public int hashCode() { return 1; } }\n",
                ),
                (
                    "src/main/java/a/Used.java",
                    "package a;\nclass Used extends Part { void run() {} void asked() {} }\n",
                ),
                ("src/main/resources/beans.xml", "<bean class=\"a.Wired\"/>\n"),
                (
                    "src/test/java/a/AppTest.java",
                    "class AppTest { @Test void works() { new App().near(); } void left() {} }\n",
                ),
            ]
        };
        let expected = |open: u8| {
            let all = [("App.gone", 4, 90), ("App.loose", 6, open), ("Lost", 8, 90)];
            all.map(|(name, line, sure)| (name.to_owned(), line, sure))
        };
        assert_eq!(unused(&files("<project/>"), 0), expected(60));
        assert_eq!(unused(&files("<project><distributionManagement/></project>"), 0), expected(40));
    }

    #[test]
    fn unused_go_definitions_are_found_and_used_ones_are_not() {
        let found = unused(
            &[
                ("go.mod", "module example.org/app\n"),
                (
                    "main.go",
                    "package main\n\nimport \"example.org/app/internal/a\"\n\nfunc main() { a.Used(); local() }\n",
                ),
                ("main_linux.go", "package main\n\nfunc local() {}\n\nfunc gone() { gone() }\n"),
                (
                    "internal/a/a.go",
                    "package a\n\nfunc Used() { inner() }\n\nfunc Loose() {}\n\nfunc inner() {}\n\ntype lost struct{}\n",
                ),
                ("lib/l.go", "package lib\n\n// Offered is for others.\nfunc Offered() {}\n\nfunc onlyTest() {}\n"),
                ("lib/l_test.go", "package lib\n\nfunc helper() { onlyTest() }\n"),
            ],
            60,
        );
        let expected = [("Loose", 5, 60), ("lost", 9, 90), ("gone", 5, 90)];
        assert_eq!(found, expected.map(|(name, line, sure)| (name.to_owned(), line, sure)));
    }
}
