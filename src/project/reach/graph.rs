//! The distance of every module from the nearest test.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use rayon::prelude::*;

use super::manifests::Manifests;
use super::module::ModuleFacts;
use super::names::ModuleResolver;
use super::role::{is_conftest, is_test_code};
use crate::roots::folder;

/// How far a module is from a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Distance {
    /// A test imports it, itself or through other test code.
    Direct,
    /// Only modules that tests reach import it; 2 means that a directly imported one does.
    Transitive(u32),
}

/// The nearest test of a module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReachedBy {
    pub distance: Distance,
    /// Project-relative path of one such test; the first by name.
    pub test: String,
}

/// Which modules the tests of a project reach.
#[derive(Debug, Default)]
pub struct Reach {
    /// Test files that have a test with an assertion, sorted.
    tests: Vec<String>,
    reached: HashMap<String, ReachedBy>,
}

impl Reach {
    /// Works out the distances over all modules of the project.
    pub(crate) fn from_modules(modules: &HashMap<String, Arc<ModuleFacts>>, manifests: &Manifests) -> Self {
        let with_tests = || modules.iter().filter(|(_, module)| module.tests).map(|(path, _)| path.clone());
        let mut tests: Vec<String> = with_tests().filter(|path| is_test_code(path)).collect();
        tests.sort_unstable();
        // Files of Rust hold tests of their own, which reach what stands beside them.
        let own: Vec<String> = with_tests().filter(|path| !is_test_code(path) && path.ends_with(".rs")).collect();
        let names = ModuleResolver::new(modules, manifests);
        let edges: HashMap<&str, BTreeSet<String>> =
            modules.par_iter().map(|(path, module)| (path.as_str(), names.imported(path, module))).collect();
        let mut reached: HashMap<String, ReachedBy> = HashMap::new();
        let mut level = starts(&tests, modules);
        let mut depth = 0_u32;
        while !level.is_empty() || depth == 0 {
            level = spread_level(level, depth, &edges, &mut reached);
            depth += 1;
            if depth == 1 {
                for path in &own {
                    level.entry(path.clone()).or_insert_with(|| path.clone());
                }
            }
        }
        tests.extend(own);
        tests.sort_unstable();
        Self { tests, reached }
    }

    /// Test files that have a test with an assertion, sorted.
    #[must_use]
    pub fn tests(&self) -> &[String] {
        &self.tests
    }

    /// The nearest test of a module; `None` when none reaches it.
    #[must_use]
    pub fn of_file(&self, path: &str) -> Option<&ReachedBy> {
        self.reached.get(path)
    }
}

/// Test files and the fixture files above them, each with the test it stands for.
fn starts(tests: &[String], modules: &HashMap<String, Arc<ModuleFacts>>) -> BTreeMap<String, String> {
    let mut starts: BTreeMap<String, String> = tests.iter().map(|test| (test.clone(), test.clone())).collect();
    for path in modules.keys().filter(|path| is_conftest(path)) {
        let scope = folder(path);
        let inside =
            |test: &&String| scope.is_empty() || test.strip_prefix(scope).is_some_and(|rest| rest.starts_with('/'));
        if let Some(test) = tests.iter().filter(|test| test.ends_with(".py")).find(inside) {
            starts.entry(path.clone()).or_insert_with(|| test.clone());
        }
    }
    starts
}

/// Records a level and gives the next. Test code that tests import belongs to the tests, so it stays on the first level.
fn spread_level(
    level: BTreeMap<String, String>,
    depth: u32,
    edges: &HashMap<&str, BTreeSet<String>>,
    reached: &mut HashMap<String, ReachedBy>,
) -> BTreeMap<String, String> {
    let mut next: BTreeMap<String, String> = BTreeMap::new();
    let mut open: Vec<(String, String)> = level.into_iter().collect();
    while let Some((path, test)) = open.pop() {
        let distance = if depth <= 1 { Distance::Direct } else { Distance::Transitive(depth) };
        match reached.get_mut(&path) {
            Some(known) if known.distance < distance || known.test <= test => continue,
            Some(known) => known.test.clone_from(&test),
            None => drop(reached.insert(path.clone(), ReachedBy { distance, test: test.clone() })),
        }
        for target in edges.get(path.as_str()).into_iter().flatten() {
            if depth == 0 && is_test_code(target) {
                open.push((target.clone(), test.clone()));
            } else {
                let nearest = next.entry(target.clone()).or_insert_with(|| test.clone());
                if test < *nearest {
                    nearest.clone_from(&test);
                }
            }
        }
    }
    next.retain(|path, _| !reached.contains_key(path));
    next
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reach(files: &[(&str, &str)]) -> Reach {
        let module = |(path, text): &(&str, &str)| {
            ((*path).to_owned(), Arc::new(ModuleFacts::from_bytes(path, text.as_bytes(), is_test_code(path))))
        };
        Reach::from_modules(&files.iter().map(module).collect(), &Manifests::default())
    }

    #[test]
    fn distances_grow_along_imports_and_unreached_modules_have_none() {
        let reach = reach(&[
            ("pkg/__init__.py", ""),
            ("pkg/a.py", "from . import b\n"),
            ("pkg/b.py", "from .c import x\n"),
            ("pkg/c.py", "x = 1\nfrom . import a\n"),
            ("pkg/d.py", "from . import a\n"),
            ("tests/test_a.py", "from pkg.a import b\ndef test_b():\n    assert b.run()\n"),
            ("tests/test_z.py", "from pkg import a\ndef test_a():\n    assert a.run()\n"),
        ]);
        let distance = |path: &str| reach.of_file(path).map(|by| (by.distance, by.test.as_str()));
        assert_eq!(distance("pkg/a.py"), Some((Distance::Direct, "tests/test_a.py")));
        assert_eq!(distance("pkg/b.py"), Some((Distance::Direct, "tests/test_a.py")));
        assert_eq!(distance("pkg/c.py"), Some((Distance::Transitive(2), "tests/test_a.py")));
        assert_eq!(distance("pkg/d.py"), None);
        assert_eq!(reach.tests(), ["tests/test_a.py", "tests/test_z.py"]);
    }

    #[test]
    fn test_code_passes_its_imports_on_to_tests_and_fixtures_count_with_a_test_below() {
        let reach = reach(&[
            ("app/x.py", ""),
            ("app/y.py", ""),
            ("app/z.py", ""),
            ("tests/helpers.py", "import app.x\n"),
            ("tests/conftest.py", "import app.y\n"),
            ("tests/test_a.py", "from . import helpers\ndef test_x():\n    assert helpers.run()\n"),
            ("checks/conftest.py", "import app.z\n"),
        ]);
        let test = |path: &str| reach.of_file(path).map(|by| (by.distance, by.test.as_str()));
        assert_eq!(test("app/x.py"), Some((Distance::Direct, "tests/test_a.py")));
        assert_eq!(test("app/y.py"), Some((Distance::Direct, "tests/test_a.py")));
        assert_eq!(test("app/z.py"), None);
    }

    #[test]
    fn tests_inside_of_a_file_reach_it_and_what_it_uses() {
        let reach = reach(&[
            ("src/lib.rs", "mod a;\nmod b;\nmod c;\n"),
            (
                "src/a.rs",
                "use crate::b::g;\nfn f() { g() }\n#[cfg(test)]\nmod tests { #[test] fn t() { assert!(super::f()); } }\n",
            ),
            ("src/b.rs", "pub fn g() {}\n"),
            ("src/c.rs", "pub fn h() {}\n"),
        ]);
        let distance = |path: &str| reach.of_file(path).map(|by| (by.distance, by.test.as_str()));
        assert_eq!(distance("src/a.rs"), Some((Distance::Direct, "src/a.rs")));
        assert_eq!(distance("src/b.rs"), Some((Distance::Transitive(2), "src/a.rs")));
        assert_eq!((distance("src/c.rs"), distance("src/lib.rs")), (None, None));
    }

    #[test]
    fn empty_test_files_reach_nothing() {
        let reach = reach(&[
            ("a.py", "def f(): return 1\n"),
            ("test_a.py", "import a\n"),
            ("tests/test_b.py", "import a\ndef test_a():\n    pass\n"),
        ]);
        assert_eq!(reach.of_file("a.py"), None);
        assert!(reach.tests().is_empty());
    }
}
