//! What a file's path says about how its text must be read.

/// How the right-hand side of an assignment is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Syntax {
    /// Only quoted literals are values; anything else is an expression.
    Code,
    /// Values may stand without quotes: shell, YAML, ini, `.env`.
    Plain,
    /// Text for people, with code in it.
    Prose,
}

/// The facts about one file that bear on secrets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SecretFileFacts {
    pub(super) syntax: Syntax,
    /// Tests, examples and documentation, where made-up passwords are the rule.
    pub(super) test: bool,
    /// `name value` without a sign between them is an assignment: `.netrc`, `Dockerfile`, SQL.
    pub(super) spaced: bool,
}

const CODE: &[&str] = &[
    "py", "pyi", "pyw", "js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts", "json", "jsonc", "json5", "ipynb",
    "toml", "go", "rs", "java", "kt", "kts", "scala", "groovy", "gradle", "c", "h", "cc", "cpp", "hpp", "cs", "fs",
    "vb", "php", "rb", "swift", "m", "dart", "lua", "r", "pl", "pm", "ex", "exs", "erl", "clj", "hs", "ml", "sql",
    "tf", "tfvars", "hcl", "vue", "svelte", "html", "htm", "css", "scss", "less", "graphql", "proto", "nix", "jl",
    "zig", "ps1", "psm1", "lock", "vim", "el", "lisp", "cmake", "mk", "asm", "s", "awk", "tcl", "f90", "v", "sv",
    "vhd", "d", "nim", "cr", "elm", "sol", "map", "po", "pot",
];
const PROSE: &[&str] = &["md", "mdx", "rst", "txt", "adoc", "tex", "log", "org"];

impl SecretFileFacts {
    /// The facts about a project-relative path with forward slashes.
    pub(super) fn of_path(path: &str) -> Self {
        let lower = path.to_ascii_lowercase();
        let (folders, name) = lower.rsplit_once('/').unwrap_or(("", &lower));
        let (stem, ending) = name.rsplit_once('.').unwrap_or((name, ""));
        let syntax = if name.starts_with(".env") {
            Syntax::Plain
        } else if CODE.contains(&ending) {
            Syntax::Code
        } else if PROSE.contains(&ending) || matches!(stem, "readme" | "changelog" | "license") && ending.is_empty() {
            Syntax::Prose
        } else {
            Syntax::Plain
        };
        let spaced = matches!(name, ".netrc" | "_netrc" | "netrc")
            || name.contains("dockerfile")
            || matches!(ending, "sql" | "gradle");
        Self { syntax, test: is_test(folders, stem), spaced }
    }

    /// For text of unknown origin: everything that may be a secret counts as one.
    pub(super) const fn unknown() -> Self {
        Self { syntax: Syntax::Plain, test: false, spaced: false }
    }
}

fn is_test(folders: &str, stem: &str) -> bool {
    let folder = |part: &str| {
        matches!(
            part,
            "test"
                | "tests"
                | "testing"
                | "__tests__"
                | "spec"
                | "specs"
                | "fixtures"
                | "testdata"
                | "test-data"
                | "test_data"
                | "e2e"
                | "mocks"
                | "__mocks__"
                | "examples"
                | "example"
                | "samples"
                | "docs"
                | "doc"
        ) || part.starts_with("test_")
            || part.ends_with("_tests")
            || part.ends_with("-tests")
    };
    folders.split('/').any(folder)
        || stem.starts_with("test_")
        || stem.starts_with("tests")
        || ["_test", "_tests", ".test", ".spec", "-test", "_spec"].iter().any(|end| stem.ends_with(end))
        || matches!(stem, "conftest" | "test")
        || stem.ends_with(".example")
        || stem.ends_with(".env.sample")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_decide() {
        for (path, syntax, test, spaced) in [
            ("app/settings.py", Syntax::Code, false, false),
            (".env.production", Syntax::Plain, false, false),
            ("deploy/values.yaml", Syntax::Plain, false, false),
            ("Dockerfile", Syntax::Plain, false, true),
            ("README.md", Syntax::Prose, false, false),
            ("tests/test_a.py", Syntax::Code, true, false),
            ("src/login.spec.ts", Syntax::Code, true, false),
            ("latest/contest.py", Syntax::Code, false, false),
            ("home/.netrc", Syntax::Plain, false, true),
        ] {
            assert_eq!(SecretFileFacts::of_path(path), SecretFileFacts { syntax, test, spaced }, "{path}");
        }
    }
}
