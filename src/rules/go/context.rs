//! What rules ask of a Go file besides its tree: its imports, and whether it is a test.

use std::cell::OnceCell;
use std::collections::{BTreeMap, HashSet};

use tapps_syntax::nodes::Node;

use super::failures::{self, Failures};
use super::language::Go;
use super::mentions::Mentions;
use super::scopes::statement_around;
use super::writers::Writers;
use crate::suppression::SuppressionKind;
use crate::tree::context::TreeContext;
use crate::tree::nodes::{SyntaxTree, field};

/// Folders of programs that only the project itself needs.
const DEVELOPMENT: &[&str] =
    &["build", "dev", "docs", "gen", "generate", "generator", "hack", "misc", "script", "scripts", "tool", "tools"];

/// What only tests and their helpers import.
const TEST_PACKAGES: &[&str] = &["github.com/mitchellh/go-testing-interface", "testing"];

/// What tests and their helpers import beside them.
const TEST_FRAMEWORKS: &[&str] = &[
    "github.com/onsi/ginkgo",
    "github.com/onsi/ginkgo/v2",
    "github.com/onsi/gomega",
    "github.com/stretchr/testify/assert",
    "github.com/stretchr/testify/require",
    "github.com/stretchr/testify/suite",
    "gopkg.in/check.v1",
];

/// A Go file as its rules see it.
pub(crate) type GoContext<'c> = TreeContext<'c, Go>;

/// What a Go file imports, says of itself and names.
#[derive(Debug)]
pub(crate) struct GoFacts<'c> {
    /// The paths of imported packages by the names they have here.
    imports: BTreeMap<&'c str, &'c str>,
    /// Names of packages that a function gives to something of its own, by the outermost function.
    hidden: HashSet<(usize, &'c str)>,
    /// The header that `go help generate` asks for stands above the package.
    is_generated: bool,
    /// Its copyright is of those who make Go.
    is_of_go: bool,
    mentions: OnceCell<Mentions<'c>>,
    /// Lines of which another checker is told to be silent, 0-based.
    silenced: OnceCell<HashSet<usize>>,
    failures: OnceCell<Failures<'c>>,
    wraps_errors: OnceCell<bool>,
    writers: OnceCell<Writers<'c>>,
}

impl<'c> GoFacts<'c> {
    pub(super) fn from_tree(tree: &'c SyntaxTree<'c>) -> Self {
        let specs = tree.all_nodes().filter(|node| node.kind() == "import_spec");
        let imports = specs.filter_map(|spec| {
            let path = tree.text_of(field(spec, "path")?).trim_matches(['"', '`']);
            let name = field(spec, "name").map_or_else(|| default_package_name(path), |name| tree.text_of(name));
            Some((name, path))
        });
        let imports: BTreeMap<&str, &str> = imports.collect();
        let hidden = hidden_packages(tree, &imports);
        let head = head_of(tree);
        let is_generated = generated_mark(head.lines()).is_some();
        let is_of_go = head.lines().any(|line| line.contains("Copyright") && line.contains("The Go Authors"));
        let (mentions, silenced) = (OnceCell::new(), OnceCell::new());
        let (failures, writers) = (OnceCell::new(), OnceCell::new());
        Self {
            imports,
            hidden,
            is_generated,
            is_of_go,
            mentions,
            silenced,
            failures,
            wraps_errors: OnceCell::new(),
            writers,
        }
    }
}

impl<'c> TreeContext<'c, Go> {
    /// True for files of tests, which only `go test` compiles, and for what helps tests.
    pub(crate) fn is_test_file(&self) -> bool {
        self.path().ends_with("_test.go") || self.imports_any(TEST_PACKAGES)
    }

    /// True for tests, for what they read and for what helps them. A package there can still be imported, so that rules about security
    /// ask only whether a file is a test.
    pub(crate) fn holds_tests(&self) -> bool {
        let serves_tests = || {
            is_test_data(self.path())
                || helps_tests(self.path())
                || self.imports_any(TEST_FRAMEWORKS)
                || self.package_name().is_some_and(|name| TEST_FOLDERS.contains(&name))
        };
        self.is_test_file() || serves_tests()
    }

    /// True for what a program wrote, which leads to labels and returns as it pleases.
    pub(crate) fn is_generated(&self) -> bool {
        self.facts.is_generated
    }

    /// True for code that was taken over from others.
    pub(crate) fn is_of_others(&self) -> bool {
        is_of_others(self.path())
    }

    /// True for code under the copyright of those who make Go, most often taken over as it is. Anybody can write such a line, so that
    /// rules about security do not ask for it.
    pub(crate) fn is_of_go(&self) -> bool {
        self.facts.is_of_go
    }

    /// True for files that advice on style and cost does not help: tests, examples, what others wrote, and what a program wrote, in which the next
    /// run undoes what a hand has mended. What is wrong there is told all the same.
    pub(crate) fn is_beyond_advice(&self) -> bool {
        self.facts.is_generated || self.shows_use() || self.holds_tests() || is_beyond_advice_at(self.path())
    }

    /// True for programs that only show how a package is used: whoever starts one sees how it ends. Of the rules about security only
    /// those about how servers listen ask for this, since what is shown is copied.
    pub(crate) fn is_demonstration(&self) -> bool {
        self.shows_use() && self.is_main_package()
    }

    /// True below a folder of examples, which are as short as they can be.
    fn shows_use(&self) -> bool {
        let mut words = folders_of(self.path()).flat_map(|folder| folder.split(['-', '_']));
        words.any(|word| matches!(word, "demo" | "example" | "examples"))
    }

    /// True for programs that whoever works on the project starts by hand, or `go generate` does: what they read is as small as
    /// the project, so that advice on cost does not help them.
    pub(crate) fn is_development_tool(&self) -> bool {
        let mut folders = self.path().rsplit('/').skip(1);
        let is_below_tools = folders.any(|folder| DEVELOPMENT.contains(&folder.trim_start_matches('_')));
        let is_program = || self.is_main_package() && (is_below_tools || self.is_left_out_of_builds());
        is_program()
            || self
                .path()
                .split_once("internal/tools/")
                .is_some_and(|(above, _)| above.is_empty() || above.ends_with('/'))
    }

    /// True below `//go:build ignore`, and what else stands there for it, by which a program stays out of its folder's package.
    fn is_left_out_of_builds(&self) -> bool {
        let head = self.tree().source_text().lines().take_while(|line| !line.starts_with("package "));
        let asked = |line: &'c str| line.strip_prefix("//go:build ").or_else(|| line.strip_prefix("// +build "));
        head.filter_map(asked).any(|tag| matches!(tag.trim(), "generate" | "ignore" | "tools"))
    }

    /// Where the names of the file stand.
    pub(super) fn mentions(&self) -> &Mentions<'c> {
        self.facts.mentions.get_or_init(|| Mentions::from_tree(self.tree()))
    }

    /// What is known of the errors of the file's own functions.
    pub(super) fn failures(&self) -> &Failures<'c> {
        self.facts.failures.get_or_init(|| Failures::of_file(self.tree(), self.mentions()))
    }

    /// True where causes of errors are wrapped by custom.
    pub(super) fn wraps_errors(&self) -> bool {
        *self.facts.wraps_errors.get_or_init(|| failures::wraps_errors(self))
    }

    /// What the file declares that is written into.
    pub(super) fn writers(&self) -> &Writers<'c> {
        self.facts.writers.get_or_init(|| Writers::of_file(self.tree()))
    }

    /// True where an order to another checker stands beside a node or above its statement: somebody has looked. What is still to be
    /// done is nobody's decision.
    pub(crate) fn is_silenced(&self, node: Node<'_>) -> bool {
        let silenced = self.facts.silenced.get_or_init(|| silenced_lines(self));
        let statement = statement_around(self, node);
        let is_of = |at: Node<'_>| [at.start_row(), at.end_row()].iter().any(|row| silenced.contains(row));
        !silenced.is_empty() && (is_of(node) || statement.is_some_and(|at| silenced.contains(&at.start_row())))
    }

    /// True for the package of a program, which nobody imports.
    pub(crate) fn is_main_package(&self) -> bool {
        self.package_name() == Some("main")
    }

    fn package_name(&self) -> Option<&'c str> {
        let clause = self.tree().all_nodes().find(|node| node.kind() == "package_clause");
        clause.and_then(|clause| clause.named_child(0)).map(|name| self.text(name))
    }

    /// The path of the package that a name stands for; none where something of the function at hand has that name.
    pub(crate) fn imported_path(&self, name: Node<'_>) -> Option<&'c str> {
        let path = self.facts.imports.get(self.text(name)).copied()?;
        let function = self.outermost_function(name).map(|function| function.id());
        let is_hidden = function.is_some_and(|function| self.facts.hidden.contains(&(function, self.text(name))));
        (!is_hidden).then_some(path)
    }

    pub(crate) fn imports_like(&self, is_meant: impl Fn(&str) -> bool) -> bool {
        self.facts.imports.values().any(|path| is_meant(path))
    }

    pub(crate) fn imports_any(&self, paths: &[&str]) -> bool {
        self.facts.imports.values().any(|path| paths.contains(path))
    }
}

/// The lines of orders to other checkers, and those behind such comments that stand alone.
fn silenced_lines(context: &GoContext<'_>) -> HashSet<usize> {
    let lines: Vec<&str> = context.tree().source_text().lines().map(str::trim_start).collect();
    let is_comment = |row: usize| lines.get(row).is_some_and(|line| line.starts_with("//"));
    let orders =
        context.suppressions.iter().filter(|one| matches!(one.kind, SuppressionKind::Nolint | SuppressionKind::Nosec));
    let mut silenced = HashSet::new();
    for row in orders.map(|order| order.line as usize - 1) {
        let next = if is_comment(row) { (row..).find(|row| !is_comment(*row)).unwrap_or(row) } else { row };
        let mut paragraph = lines.iter().skip(row).take(next - row + 1);
        if !paragraph.any(|line| line.contains("TODO")) {
            silenced.extend([row, next]);
        }
    }
    silenced
}

/// What stands above the package.
fn head_of<'c>(tree: &SyntaxTree<'c>) -> &'c str {
    let clause = tree.all_nodes().find(|node| node.kind() == "package_clause");
    clause.and_then(|clause| tree.source_text().get(..clause.start_byte())).unwrap_or_default()
}

/// The line, 1-based, of `// Code generated … DO NOT EDIT.` among those before the package.
pub fn generated_mark<'l>(head: impl IntoIterator<Item = &'l str>) -> Option<u32> {
    let is_mark = |line: &str| line.starts_with("// Code generated ") && line.trim_end().ends_with(" DO NOT EDIT.");
    (1..).zip(head).find(|(_, line)| is_mark(line)).map(|(number, _)| number)
}

/// The line, 1-based, on which a file imports what only tests use, and so counts as one of them.
pub fn test_import<'l>(lines: impl IntoIterator<Item = &'l str>) -> Option<u32> {
    let is_declaration = |line: &str| ["const ", "func ", "type ", "var "].iter().any(|word| line.starts_with(word));
    let is_of_tests = |path: &str| TEST_PACKAGES.contains(&path) || TEST_FRAMEWORKS.contains(&path);
    let is_import = |line: &str| line.split(['"', '`']).nth(1).is_some_and(is_of_tests);
    let head = (1..).zip(lines).take_while(|(_, line)| !is_declaration(line));
    head.into_iter().find(|(_, line)| is_import(line)).map(|(number, _)| number)
}

/// Names of folders of what tests read, which no pattern of the command `go` matches, and of what only tests run or use.
const TEST_FOLDERS: &[&str] =
    &["e2e", "test", "testdata", "testhelper", "testhelpers", "testing", "tests", "testutil", "testutils"];

/// Parts of names by which helpers of tests are called.
const HELPING_TESTS: &[&str] = &["testcommon", "testhelper", "testserver", "testsuite", "testutil"];
/// Words that end as `iotest` does and mean something else.
const NO_TESTS: &[&str] = &["attest", "contest", "fastest", "greatest", "latest", "protest", "shortest"];

/// True for what stands in a folder of tests, or in one that no pattern of the command `go` matches for its underscore.
pub(super) fn is_test_data(path: &str) -> bool {
    folders_of(path).any(|folder| TEST_FOLDERS.contains(&folder) || folder.starts_with('_'))
}

/// True for what helps tests, by the names of folders and of the file: `iotest`, `mocks`, `test_helpers.go`.
fn helps_tests(path: &str) -> bool {
    let helps = |name: &str| HELPING_TESTS.iter().any(|part| name.contains(part));
    let is_helper = |folder: &str| {
        let last = folder.rsplit(['-', '_']).next().unwrap_or(folder);
        TEST_FOLDERS.contains(&last)
            || last.ends_with("test") && !NO_TESTS.contains(&last)
            || helps(folder)
            || ["fake", "mock"].iter().any(|beginning| folder.starts_with(beginning))
    };
    let file = path.rsplit('/').next().unwrap_or(path);
    folders_of(path).any(is_helper) || helps(&file.replace('_', ""))
}

/// True for code that was taken over from others, or is kept as it was in an older version of a manual.
fn is_of_others(path: &str) -> bool {
    folders_of(path).any(|folder| matches!(folder, "third_party" | "third-party" | "thirdparty" | "versioned_docs"))
}

/// True for a path at which rules that advise a hand say nothing.
pub fn is_beyond_advice_at(path: &str) -> bool {
    is_test_data(path) || helps_tests(path) || is_of_others(path)
}

fn folders_of(path: &str) -> impl Iterator<Item = &str> {
    path.rsplit('/').skip(1)
}

fn hidden_packages<'c>(tree: &SyntaxTree<'c>, imports: &BTreeMap<&'c str, &'c str>) -> HashSet<(usize, &'c str)> {
    let mut hidden = HashSet::new();
    for node in tree.all_nodes().filter(|node| node.kind() == "identifier") {
        let name = tree.text_of(node);
        if !imports.contains_key(name) {
            continue;
        }
        let mut above = tree.ancestors_of(node);
        let (Some(parent), around) = (above.next(), above.next()) else { continue };
        let is_left = |statement: Node<'_>| field(statement, "left").is_some_and(|left| left.id() == parent.id());
        let declares = match parent.kind() {
            "parameter_declaration" | "variadic_parameter_declaration" => true,
            "var_spec" | "const_spec" => field(parent, "name").is_some_and(|first| first.id() == node.id()),
            "expression_list" => around.is_some_and(|statement| {
                matches!(statement.kind(), "short_var_declaration" | "range_clause") && is_left(statement)
            }),
            _ => false,
        };
        if declares && let Some(function) = tree.outermost_function(node) {
            hidden.insert((function.id(), name));
        }
    }
    hidden
}

/// The name that a package most likely has: the last part of its path without a version.
fn default_package_name(path: &str) -> &str {
    let is_version =
        |part: &str| part.strip_prefix('v').is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()));
    let mut parts = path.rsplit('/');
    let last = parts.next().unwrap_or(path);
    let name = if is_version(last) { parts.next().unwrap_or(last) } else { last };
    let name = name.split(".v").next().unwrap_or(name);
    // `docopt-go`, `nats.go`
    let name = name.strip_suffix("-go").or_else(|| name.strip_suffix(".go")).unwrap_or(name);
    name.strip_prefix("go-").unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::super::analyze_go;
    use super::{default_package_name, is_beyond_advice_at, is_test_data};
    use tapps_base::source::Source;

    #[rstest::rstest]
    #[case("a/testdata/b.go", true, true)]
    #[case("_examples/a.go", true, true)]
    #[case("a/iotest/b.go", false, true)]
    #[case("a/dtestutils/b.go", false, true)]
    #[case("a/integration-tests/b.go", false, true)]
    #[case("a/test_helpers.go", false, true)]
    #[case("a/client_test_suite.go", false, true)]
    #[case("a/mockcluster/b.go", false, true)]
    #[case("a/fakes/b.go", false, true)]
    #[case("third_party/a/b.go", false, true)]
    #[case("a/latest/b.go", false, false)]
    #[case("a/attest/b.go", false, false)]
    #[case("a/test.go", false, false)]
    #[case("a/manifest.go", false, false)]
    fn paths_beside_the_program(#[case] path: &str, #[case] data: bool, #[case] beyond: bool) {
        assert_eq!((is_test_data(path), is_beyond_advice_at(path)), (data, beyond), "{path}");
    }

    #[test]
    fn advice_helps_neither_tests_nor_what_a_program_wrote() {
        let told = |text: &str| {
            let of = |verb| format!("func {verb}(err error) error {{ return fmt.Errorf(\"a: %{verb}\", err) }}\n");
            let text = [text, &of("v"), &of("w")].concat();
            analyze_go(&Source::new("a.go", text.as_bytes())).findings.len()
        };
        let package = "package a\n\nimport \"fmt\"\n\n";
        assert_eq!(told(package), 1);
        assert_eq!(told(&format!("// A licence.\n\n// Code generated by a tool. DO NOT EDIT.\n\n{package}")), 0);
        for other in [
            "// Code generated by hand.\n",
            "/* Code generated by a tool. DO NOT EDIT. */\n",
            "//Code generated by a tool. DO NOT EDIT.\n",
            " // Code generated by a tool. DO NOT EDIT.\n",
        ] {
            assert_eq!(told(&format!("{other}{package}")), 1, "{other}");
        }
        assert_eq!(told(&format!("{package}// Code generated by a tool. DO NOT EDIT.\n")), 1);
        assert_eq!(told("package e2e\n\nimport \"fmt\"\n\n"), 0);
    }

    #[test]
    fn what_is_shown_is_as_short_as_it_can_be() {
        let text = "package a\n\nimport \"fmt\"\n\nfunc f(err error) error { return fmt.Errorf(\"a: %v\", err) }\nfunc g(err error) error { return fmt.Errorf(\"a: %w\", err) }\n";
        for (path, told) in [
            ("a/example/tasks/b.go", 0),
            ("images/auth-example-server/b.go", 0),
            ("docs/versioned_docs/1.2/b.go", 0),
            ("a/exampled/b.go", 1),
        ] {
            assert_eq!(analyze_go(&Source::new(path, text.as_bytes())).findings.len(), told, "{path}");
        }
    }

    #[test]
    fn what_is_unsafe_is_told_whoever_wrote_it() {
        let code = "package a\n\nimport \"crypto/tls\"\n\nvar C = tls.Config{InsecureSkipVerify: true}\n";
        for text in [code.to_owned(), format!("// Code generated by a tool. DO NOT EDIT.\n\n{code}")] {
            let findings = analyze_go(&Source::new("a.go", text.as_bytes())).findings;
            let rules: Vec<&str> = findings.iter().map(|finding| finding.rule.as_str()).collect();
            assert_eq!(rules, ["tapps:insecure-skip-verify"], "{text}");
        }
    }

    #[test]
    fn advice_on_cost_helps_no_tool_of_development() {
        let body =
            "func f(a []string) string {\n\ts := \"\"\n\tfor _, b := range a {\n\t\ts += b\n\t}\n\treturn s\n}\n";
        let told = |path: &str, head: &str| {
            let text = format!("{head}\n\n{body}");
            analyze_go(&Source::new(path, text.as_bytes())).findings.len()
        };
        for (path, head, findings) in [
            ("cmd/serve/a.go", "package main", 1),
            ("scripts/a.go", "package main", 0),
            ("scripts/a.go", "package scripts", 1),
            ("internal/tools/docs/a.go", "package docs", 0),
            ("my-internal/tools/a.go", "package tools", 1),
            ("a.go", "//go:build ignore\n\npackage main", 0),
            ("a.go", "//go:build linux\n\npackage main", 1),
        ] {
            assert_eq!(told(path, head), findings, "{path} {head}");
        }
    }

    #[test]
    fn packages_are_called_by_their_last_part() {
        for (path, name) in [
            ("fmt", "fmt"),
            ("crypto/md5", "md5"),
            ("github.com/golang-jwt/jwt/v5", "jwt"),
            ("gopkg.in/yaml.v3", "yaml"),
            ("github.com/mattn/go-sqlite3", "sqlite3"),
            ("github.com/opentracing/opentracing-go", "opentracing"),
            ("github.com/nats-io/nats.go", "nats"),
        ] {
            assert_eq!(default_package_name(path), name);
        }
    }
}
