//! What the compiler did not find, and which files cannot be judged for that: those that miss it, and those that import them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use regex::Regex;

use super::diagnostics::{CompilerOutput, Diagnostic};
use crate::cache::is_of_package;

/// Names that a platform or a test runner declares, by a package of declarations that may not be installed.
const AMBIENT: [&str; 31] = [
    "Buffer",
    "Bun",
    "Deno",
    "JSX",
    "NodeJS",
    "React",
    "__dirname",
    "__filename",
    "afterAll",
    "afterEach",
    "beforeAll",
    "beforeEach",
    "chai",
    "clearImmediate",
    "cy",
    "describe",
    "expect",
    "exports",
    "global",
    "it",
    "jasmine",
    "jest",
    "mocha",
    "module",
    "process",
    "require",
    "setImmediate",
    "sinon",
    "suite",
    "test",
    "vi",
];

/// Modules and declarations that were not found.
const UNRESOLVED: [u32; 7] = [2307, 2688, 2732, 2792, 2875, 6137, 7016];
/// Names of which the compiler itself says that a package of declarations is missing.
const PACKAGE_OF_NAME: [u32; 8] = [2580, 2581, 2582, 2591, 2592, 2593, 2867, 2868];
/// Names that were not found, which may be those of a platform.
const UNKNOWN_NAME: [u32; 3] = [2304, 2503, 2552];
/// Elements of JSX whose declarations were not found.
const UNKNOWN_ELEMENTS: u32 = 7026;
/// An import for what it does brings no types.
const SIDE_EFFECT: u32 = 2882;

#[expect(clippy::unwrap_used, reason = "the pattern is constant")]
static QUOTED: LazyLock<Regex> = LazyLock::new(|| Regex::new("'([^']*)'").unwrap());

/// What is missing in a program.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Missing {
    /// For want of which no file of it can be judged.
    pub(super) for_all: BTreeSet<String>,
    /// By the file that it was looked for from, and by those that import that file.
    by_file: BTreeMap<String, BTreeSet<String>>,
}

/// True for what says that something was not found, which is no fault of the code.
pub(super) fn is_about_missing(diagnostic: &Diagnostic) -> bool {
    diagnostic.code == SIDE_EFFECT || name_of_missing(diagnostic).is_some()
}

/// The name of what was not found; none for any other diagnostic.
pub(super) fn name_of_missing(diagnostic: &Diagnostic) -> Option<String> {
    let quoted = || QUOTED.captures(&diagnostic.message)?.get(1).map(|name| name.as_str().to_owned());
    match diagnostic.code {
        UNKNOWN_ELEMENTS => Some("JSX".to_owned()),
        code if UNRESOLVED.contains(&code) || PACKAGE_OF_NAME.contains(&code) => {
            Some(quoted().unwrap_or_else(|| format!("TS{code}")))
        }
        code if UNKNOWN_NAME.contains(&code) => quoted().filter(|name| AMBIENT.binary_search(&name.as_str()).is_ok()),
        _ => None,
    }
}

impl Missing {
    /// Reads what is missing off the output of a whole program.
    pub(super) fn of_output(output: &CompilerOutput) -> Self {
        let mut missing = Self::default();
        for diagnostic in &output.diagnostics {
            let (Some(name), Some(file)) = (name_of_missing(diagnostic), &diagnostic.file) else { continue };
            // Declarations that a file of the project refers to hold in all of its files.
            if diagnostic.code == 2688 && !is_of_package(file) {
                missing.for_all.insert(name.clone());
            }
            missing.by_file.entry(file.clone()).or_default().insert(name);
        }
        missing.spread_to_importers(&output.files);
        missing
    }

    fn spread_to_importers(&mut self, files: &BTreeMap<String, BTreeSet<String>>) {
        let mut waiting: Vec<String> = self.by_file.keys().cloned().collect();
        while let Some(file) = waiting.pop() {
            let Some(names) = self.by_file.get(&file).cloned() else { continue };
            for importer in files.get(&file).into_iter().flatten() {
                let known = self.by_file.entry(importer.clone()).or_default();
                let before = known.len();
                known.extend(names.iter().cloned());
                if known.len() > before {
                    waiting.push(importer.clone());
                }
            }
        }
    }

    /// Everything for want of which a file cannot be judged, sorted.
    pub(super) fn for_file(&self, file: &str) -> BTreeSet<String> {
        self.for_all.iter().chain(self.by_file.get(file).into_iter().flatten()).cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyzer::tsc::diagnostics::parse_compiler_output;

    #[test]
    fn names_are_sorted() {
        assert!(AMBIENT.is_sorted());
    }

    #[test]
    fn what_was_not_found_is_told_from_what_is_wrong() {
        for (line, name) in [
            ("a.ts(1,1): error TS2307: Cannot find module 'react' or its corresponding type declarations.", Some("react")),
            ("a.ts(1,1): error TS7016: Could not find a declaration file for module 'x'. '/x.js' implicitly", Some("x")),
            ("a.ts(1,1): error TS2580: Cannot find name 'process'. Do you need to install", Some("process")),
            ("a.ts(1,1): error TS2304: Cannot find name '__dirname'.", Some("__dirname")),
            ("a.ts(1,1): error TS2304: Cannot find name 'proces'.", None),
            ("a.ts(1,1): error TS7026: JSX element implicitly has type 'any'", Some("JSX")),
            ("a.ts(1,1): error TS2322: Type 'string' is not assignable to type 'number'.", None),
        ] {
            let output = parse_compiler_output(line.as_bytes());
            assert_eq!(name_of_missing(&output.diagnostics[0]).as_deref(), name, "{line}");
        }
    }

    #[test]
    fn who_imports_what_misses_something_cannot_be_judged_either() {
        let text = "node_modules/dep/index.d.ts(1,2): error TS2307: Cannot find module 'gone'.
src/c.ts(1,2): error TS2322: no
src/a.ts
src/b.ts
   Imported via \"./b\" from file 'src/a.ts'
node_modules/dep/index.d.ts
   Imported via \"dep\" from file 'src/b.ts'
src/c.ts
   Imported via \"./c\" from file 'src/a.ts'
";
        let missing = Missing::of_output(&parse_compiler_output(text.as_bytes()));
        let of = |file: &str| missing.for_file(file).into_iter().collect::<Vec<_>>();
        assert_eq!((of("src/a.ts"), of("src/b.ts"), of("src/c.ts")), (vec!["gone".to_owned()], vec!["gone".to_owned()], vec![]));
        let lost = "src/env.d.ts(1,2): error TS2688: Cannot find type definition file for 'vite/client'.\nsrc/a.ts\n";
        let missing = Missing::of_output(&parse_compiler_output(lost.as_bytes()));
        assert_eq!(missing.for_file("src/a.ts").into_iter().collect::<Vec<_>>(), ["vite/client"]);
    }
}
