//! The words by which comments speak to checkers.

use std::ops::Range;
use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::{SuppressionKind, SuppressionScope};

/// What one comment says to one checker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Directive {
    pub(super) kind: SuppressionKind,
    pub(super) scope: SuppressionScope,
    pub(super) rules: Vec<String>,
    /// Within the text of the comment.
    pub(super) bytes: Range<usize>,
}

/// A form of directive. Its pattern may have the groups `rules` and `file`; the latter makes it one about the file.
struct Form {
    kind: SuppressionKind,
    scope: SuppressionScope,
    pattern: &'static str,
}

const fn form(kind: SuppressionKind, scope: SuppressionScope, pattern: &'static str) -> Form {
    Form { kind, scope, pattern }
}

use SuppressionKind as Kind;
use SuppressionScope as Scope;

/// The comment that the project's own rules obey.
const AST_GREP: &str = r"\bast-grep-ignore\b(?:\s*:\s*(?<rules>[\w.-]+(?:\s*,\s*[\w.-]+)*))?";

/// In Python, in the order in which they are looked for; what one has taken is not looked at again.
const PYTHON: &[Form] = &[
    form(
        Kind::Noqa,
        Scope::File,
        r"(?i)(?:ruff|flake8)\s*:\s*noqa\b(?:\s*:\s*(?<rules>[A-Z]+[0-9]+(?:[,\s]+[A-Z]+[0-9]+)*))?",
    ),
    form(Kind::Noqa, Scope::Line, r"(?i)\bnoqa\b(?:\s*:\s*(?<rules>[A-Z]+[0-9]+(?:[,\s]*[A-Z]+[0-9]+)*))?"),
    form(Kind::Ruff, Scope::File, r"ruff\s*:\s*file-ignore\s*\[(?<rules>[^\]]*)\]"),
    form(Kind::Ruff, Scope::Range, r"ruff\s*:\s*disable\s*\[(?<rules>[^\]]*)\]"),
    form(Kind::Ruff, Scope::Line, r"ruff\s*:\s*ignore\s*\[(?<rules>[^\]]*)\]"),
    form(Kind::TypeIgnore, Scope::Line, r"\btype:\s*ignore\b(?:\[(?<rules>[^\]]*)\])?"),
    form(
        Kind::Mypy,
        Scope::File,
        r"\bmypy:\s*(?:ignore[-_]errors(?:\s*=\s*\w+)?|disable[-_]error[-_]code\s*=\s*(?<rules>[^\s#]+))",
    ),
    form(
        Kind::Nosec,
        Scope::Line,
        r"#[^\S\n]*nosec\b:?(?:[^\S\n]*(?<rules>(?:B\d{3}|[a-z]+(?:_[a-z0-9]+)+)(?:[,\s]+(?:B\d{3}|[a-z]+(?:_[a-z0-9]+)+))*))?",
    ),
    form(Kind::NoCover, Scope::Line, r"(?i)\bpragma\s*:?\s*no\s*(?:cover|branch)\b"),
    form(Kind::AllowSecret, Scope::Line, r"tapps: allow-secret"),
    form(Kind::AstGrep, Scope::Line, AST_GREP),
    form(Kind::Other, Scope::File, r"\bpylint:\s*skip-file\b"),
    form(Kind::Other, Scope::Range, r"\bpylint:\s*disable(?:-next)?\s*=\s*(?<rules>[\w-]+(?:\s*,\s*[\w-]+)*)"),
    form(
        Kind::Other,
        Scope::Line,
        r"\b(?:pyright|pyrefly|ty|pyre-ignore|pyre-fixme|zuban)\b:?\s*(?:ignore\b)?\[(?<rules>[^\]]*)\]",
    ),
    form(
        Kind::Other,
        Scope::Line,
        r"\b(?:pyright|pyrefly|ty|zuban):\s*ignore\b|\bpyre-(?:ignore|fixme)(?:-all-errors)?\b",
    ),
    form(Kind::Other, Scope::Range, r"\bpytype:\s*disable\s*=\s*(?<rules>[\w,-]+)"),
    form(Kind::Other, Scope::Line, r"\bnosemgrep\b(?::\s*(?<rules>[\w.,-]+))?|\bNOSONAR\b"),
];

/// In TypeScript and JavaScript.
const SCRIPT: &[Form] = &[
    form(
        Kind::Eslint,
        Scope::Line,
        r"\beslint-disable(?:-next)?-line\b(?:[^\S\n]+(?<rules>@?[\w/@-]+(?:\s*,\s*@?[\w/@-]+)*)(?:\s*$|\s+--|\s*\*/))?",
    ),
    form(
        Kind::Eslint,
        Scope::Range,
        r"\beslint-disable\b(?:[^\S\n]+(?<rules>@?[\w/@-]+(?:\s*,\s*@?[\w/@-]+)*)(?:\s*$|\s+--|\s*\*/))?",
    ),
    form(
        Kind::Oxlint,
        Scope::Line,
        r"\boxlint-disable(?:-next)?-line\b(?:[^\S\n]+(?<rules>@?[\w/@-]+(?:\s*,\s*@?[\w/@-]+)*)(?:\s*$|\s+--|\s*\*/))?",
    ),
    form(
        Kind::Oxlint,
        Scope::Range,
        r"\boxlint-disable\b(?:[^\S\n]+(?<rules>@?[\w/@-]+(?:\s*,\s*@?[\w/@-]+)*)(?:\s*$|\s+--|\s*\*/))?",
    ),
    form(Kind::Biome, Scope::File, r"\bbiome-ignore-all\b(?:\s+(?<rules>[\w/-]+))?"),
    form(Kind::Biome, Scope::Range, r"\bbiome-ignore-start\b(?:\s+(?<rules>[\w/-]+))?"),
    form(Kind::Biome, Scope::Line, r"\bbiome-ignore\b(?:\s+(?<rules>[\w/-]+))?"),
    form(Kind::TsNocheck, Scope::File, r"@ts-nocheck\b"),
    form(Kind::TsExpectError, Scope::Line, r"@ts-expect-error\b"),
    form(Kind::TsIgnore, Scope::Line, r"@ts-ignore\b"),
    form(Kind::NoCover, Scope::File, r"\b(?:istanbul|c8|v8)\s+ignore\s+file\b"),
    form(
        Kind::NoCover,
        Scope::Line,
        r"\b(?:istanbul|c8|v8|node:coverage)\s+(?:ignore|disable)\b(?:\s+(?:next|if|else|start|stop)\b)?(?:\s+\d+)?",
    ),
    form(Kind::AllowSecret, Scope::Line, r"tapps: allow-secret"),
    form(Kind::AstGrep, Scope::Line, AST_GREP),
    form(
        Kind::Other,
        Scope::Range,
        r"\btslint:disable(?:-next-line|-line)?\b(?:\s*:?\s*(?<rules>[a-z][\w-]*(?:\s+[a-z][\w-]*-[\w-]+)*))?",
    ),
    form(Kind::Other, Scope::File, r"\bdeno-lint-ignore-file\b(?:\s+(?<rules>[\w-]+(?:[,\s]+[\w-]+)*))?"),
    form(Kind::Other, Scope::Line, r"\bdeno-lint-ignore\b(?:\s+(?<rules>[\w-]+(?:[,\s]+[\w-]+)*))?"),
    form(Kind::Other, Scope::Line, r"\bnosemgrep\b(?::\s*(?<rules>[\w.,-]+))?|\bNOSONAR\b"),
];

/// In Go.
const GO: &[Form] = &[
    form(Kind::Nolint, Scope::Line, r"//\s*nolint\b(?::(?<rules>[\w-]+(?:,\s*[\w-]+)*))?"),
    form(Kind::Nosec, Scope::Line, r"#[^\S\n]*nosec\b:?(?:[^\S\n]*(?<rules>G\d{3}(?:[,\s]+G\d{3})*))?"),
    form(Kind::AllowSecret, Scope::Line, r"tapps: allow-secret"),
    form(Kind::AstGrep, Scope::Line, AST_GREP),
    form(Kind::Other, Scope::File, r"\blint:file-ignore\s+(?<rules>[A-Z]+[0-9*]+(?:,[A-Z]+[0-9*]+)*)"),
    form(Kind::Other, Scope::Line, r"\blint:ignore\s+(?<rules>[A-Z]+[0-9*]+(?:,[A-Z]+[0-9*]+)*)"),
    form(Kind::Other, Scope::Range, r"\brevive:disable(?:-next-line|-line)?\b(?::(?<rules>[\w-]+))?"),
    form(Kind::Other, Scope::Line, r"\bnosemgrep\b(?::\s*(?<rules>[\w.,-]+))?|\bNOSONAR\b"),
];

/// In Rust. What silences its lints is an attribute and no comment.
const RUST: &[Form] = &[
    form(
        Kind::NoCover,
        Scope::Line,
        r"\b(?:LCOV|GRCOV)_EXCL_(?:BR_)?(?:LINE|START)\b|\bgrcov-excl-(?:br-)?(?:line|start)\b",
    ),
    form(Kind::AllowSecret, Scope::Line, r"tapps: allow-secret"),
    form(Kind::AstGrep, Scope::Line, AST_GREP),
    form(Kind::Other, Scope::Line, r"\bnosemgrep\b(?::\s*(?<rules>[\w.,-]+))?|\bNOSONAR\b"),
];

/// In Java. Annotations are no comments, and are read from the tree.
const JAVA: &[Form] = &[
    form(Kind::AllowSecret, Scope::Line, r"tapps: allow-secret"),
    form(Kind::AstGrep, Scope::Line, AST_GREP),
    form(Kind::Other, Scope::Line, r"//\s*NOPMD\b"),
    form(Kind::Other, Scope::Range, r"\b(?i:checkstyle)\s*:\s*(?:OFF\b|stop\b)(?::?[^\S\n]*(?<rules>[A-Z]\w+))?"),
    form(Kind::Other, Scope::Line, r"\bCHECKSTYLE[.:]\s*(?:SUPPRESS|ignore)\b(?:\s*:?\s*(?<rules>[A-Z]\w+))?"),
    form(Kind::Other, Scope::Line, r"\bnoinspection\s+(?<rules>[A-Za-z]\w*(?:\s*,\s*[A-Za-z]\w*)*)"),
    form(Kind::Other, Scope::Line, r"\bnosemgrep\b(?::\s*(?<rules>[\w.,-]+))?|\bNOSONAR\b"),
];

/// In C and C++.
const C_FAMILY: &[Form] = &[
    form(Kind::Nolint, Scope::Range, r"\bNOLINTBEGIN\b(?:\((?<rules>[^)]*)\))?"),
    form(Kind::Nolint, Scope::Line, r"\bNOLINT(?:NEXTLINE)?\b(?:\((?<rules>[^)]*)\))?"),
    form(Kind::NoCover, Scope::Line, r"\b(?:LCOV|GCOV|GCOVR)_EXCL_(?:BR_)?(?:LINE|START)\b"),
    form(Kind::AllowSecret, Scope::Line, r"tapps: allow-secret"),
    form(Kind::AstGrep, Scope::Line, AST_GREP),
    form(Kind::Other, Scope::File, r"\bcppcheck-suppress-file\b(?:\s+\[?(?<rules>\w+(?:\s*,\s*\w+)*))?"),
    form(Kind::Other, Scope::Range, r"\bcppcheck-suppress-begin\b(?:\s+\[?(?<rules>\w+(?:\s*,\s*\w+)*))?"),
    form(Kind::Other, Scope::Line, r"\bcppcheck-suppress(?:-macro)?\b(?:\s+\[?(?<rules>\w+(?:\s*,\s*\w+)*))?"),
    form(Kind::Other, Scope::Line, r"(?i)\b(?:flawfinder|its4|rats):\s*ignore\b"),
    form(Kind::Other, Scope::Line, r"\bcoverity\s*\[\s*(?<rules>\w+)"),
    form(Kind::Other, Scope::Line, r"\bnosemgrep\b(?::\s*(?<rules>[\w.,-]+))?|\bNOSONAR\b"),
];

/// In shell scripts.
const SHELL: &[Form] = &[
    form(
        Kind::Shellcheck,
        Scope::Line,
        r"\bshellcheck\s(?:\s*(?:enable|external-sources|extended-analysis|shell|source|source-path)=\S+)*\s*disable=(?<rules>(?:all|(?:SC)?[0-9]+(?:-(?:SC)?[0-9]+)?)(?:,(?:all|(?:SC)?[0-9]+(?:-(?:SC)?[0-9]+)?))*)",
    ),
    form(Kind::AllowSecret, Scope::Line, r"tapps: allow-secret"),
    form(Kind::AstGrep, Scope::Line, AST_GREP),
    form(Kind::Other, Scope::Line, r"\bnosemgrep\b(?::\s*(?<rules>[\w.,-]+))?|\bNOSONAR\b"),
];

/// In files of any other kind.
const TEXT: &[Form] = &[form(Kind::AllowSecret, Scope::Line, r"tapps: allow-secret")];

/// Whose directives are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    Python,
    Script,
    Go,
    Rust,
    Java,
    C,
    Shell,
    Text,
}

type Patterns = Vec<(&'static Form, Regex)>;

fn compile(forms: &'static [Form]) -> Patterns {
    forms.iter().filter_map(|form| Some((form, Regex::new(form.pattern).ok()?))).collect()
}

static PATTERNS: LazyLock<[Patterns; 8]> =
    LazyLock::new(|| [PYTHON, SCRIPT, GO, RUST, JAVA, C_FAMILY, SHELL, TEXT].map(compile));

/// One word of each form. Ends of words are those of ASCII, at which more may be found: with those of Unicode every file with
/// another letter is read by the slowest of the engines.
static WORDS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let words = r"(?i)noqa|ruff\s*:|type:\s*ignore|mypy:|nosec|no\s*cover|no\s*branch|allow-secret|pylint:|pyright|pyrefly|(?-u:\b)ty:|pyre-|zuban|pytype:|nosemgrep|sonar|lint-disable|ast-grep-ignore|biome-ignore|@ts-|istanbul|(?-u:\b)[cv]8\s|node:coverage|tslint:|deno-lint|nolint|lint:ignore|lint:file-ignore|revive:disable|_excl_|grcov-excl|nopmd|checkstyle|noinspection|cppcheck-suppress|flawfinder|its4:|rats:|coverity|shellcheck";
    Regex::new(words).ok()
});

/// False when a text has no word of any form.
pub(super) fn may_hold_directive(text: &str) -> bool {
    WORDS.as_ref().is_none_or(|words| words.is_match(text))
}

/// Everything that a comment says to checkers, in the order of its text.
pub(super) fn find_directives(comment: &str, dialect: Dialect) -> Vec<Directive> {
    let patterns = &PATTERNS[match dialect {
        Dialect::Python => 0,
        Dialect::Script => 1,
        Dialect::Go => 2,
        Dialect::Rust => 3,
        Dialect::Java => 4,
        Dialect::C => 5,
        Dialect::Shell => 6,
        Dialect::Text => 7,
    }];
    find_by_patterns(comment, patterns.iter().map(|(form, pattern)| (form.kind, form.scope, pattern)))
}

/// What the patterns find, of which the first that takes some words has them.
pub(super) fn find_by_patterns<'p>(
    comment: &str,
    patterns: impl Iterator<Item = (SuppressionKind, SuppressionScope, &'p Regex)>,
) -> Vec<Directive> {
    let mut found: Vec<Directive> = Vec::new();
    for (kind, scope, pattern) in patterns {
        for captures in pattern.captures_iter(comment) {
            let Some(bytes) = spoken_bytes(&captures, comment) else { continue };
            let taken = found.iter().any(|other| other.bytes.start < bytes.end && bytes.start < other.bytes.end);
            if !taken {
                found.push(Directive { kind, scope, rules: named_rules(&captures), bytes });
            }
        }
    }
    found.sort_by_key(|one| one.bytes.start);
    found
}

/// The bytes without the sign that begins the comment and without what ends it.
fn spoken_bytes(captures: &Captures<'_>, comment: &str) -> Option<Range<usize>> {
    let whole = captures.get(0)?;
    let end = captures.name("rules").map_or(whole.end(), |rules| rules.end().max(whole.start()));
    let closed = comment.get(end..whole.end()).is_some_and(|rest| rest.starts_with(']'));
    let text = comment.get(whole.start()..)?;
    let start = whole.start() + (text.len() - text.trim_start_matches(['#', '/', '*', '-', ' ', '\t']).len());
    Some(start..end + usize::from(closed))
}

fn named_rules(captures: &Captures<'_>) -> Vec<String> {
    let listed = captures.name("rules").map_or("", |rules| rules.as_str());
    let names = listed.split([',', ' ', '\t', '"', '\'']).map(str::trim).filter(|name| !name.is_empty());
    names.map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(comment: &str, dialect: Dialect) -> Vec<String> {
        let say =
            |one: Directive| format!("{} {} [{}] {}", one.kind, one.scope, one.rules.join(" "), &comment[one.bytes]);
        find_directives(comment, dialect).into_iter().map(say).collect()
    }

    #[test]
    fn python_comments_are_told_apart() {
        for (comment, expected) in [
            ("# noqa", vec!["noqa line [] noqa"]),
            ("# NOQA:F401,E741", vec!["noqa line [F401 E741] NOQA:F401,E741"]),
            ("# noqa: F401 - it is exported", vec!["noqa line [F401] noqa: F401"]),
            ("# ruff: noqa: F401", vec!["noqa file [F401] ruff: noqa: F401"]),
            ("# flake8: noqa", vec!["noqa file [] flake8: noqa"]),
            ("# ruff: ignore[F401, E741] why", vec!["ruff line [F401 E741] ruff: ignore[F401, E741]"]),
            ("# type: ignore", vec!["type-ignore line [] type: ignore"]),
            (
                "# type: ignore[arg-type]  # noqa: E501",
                vec!["type-ignore line [arg-type] type: ignore[arg-type]", "noqa line [E501] noqa: E501"],
            ),
            ("# type: int", vec![]),
            ("# mypy: ignore-errors", vec!["mypy file [] mypy: ignore-errors"]),
            (
                "# mypy: disable-error-code=\"arg-type\"",
                vec!["mypy file [arg-type] mypy: disable-error-code=\"arg-type\""],
            ),
            ("# nosec", vec!["nosec line [] nosec"]),
            ("# nosec B602, B101 trusted", vec!["nosec line [B602 B101] nosec B602, B101"]),
            ("# pragma: no cover", vec!["no-cover line [] pragma: no cover"]),
            (
                "# pylint: disable=unused-import,no-member",
                vec!["other range [unused-import no-member] pylint: disable=unused-import,no-member"],
            ),
            ("# pyright: ignore[reportAny]", vec!["other line [reportAny] pyright: ignore[reportAny]"]),
            ("# a remark about nothing", vec![]),
        ] {
            assert_eq!(told(comment, Dialect::Python), expected, "{comment}");
        }
    }

    /// What is silenced begins behind the sign, or the rest of the line would be code.
    #[test]
    fn the_sign_of_a_comment_is_no_part_of_what_is_said() {
        assert_eq!(told("//nolint:errcheck // why", Dialect::Go), ["nolint line [errcheck] nolint:errcheck"]);
        assert_eq!(told("// NOPMD", Dialect::Java), ["other line [] NOPMD"]);
        for (comment, expected) in [
            ("// NOLINTNEXTLINE(cert-err34-c)", "nolint line [cert-err34-c] NOLINTNEXTLINE(cert-err34-c"),
            ("// NOLINT", "nolint line [] NOLINT"),
            ("/* NOLINTBEGIN(*-magic-numbers) */", "nolint range [*-magic-numbers] NOLINTBEGIN(*-magic-numbers"),
            (
                "// cppcheck-suppress nullPointer ; it is checked",
                "other line [nullPointer] cppcheck-suppress nullPointer",
            ),
            ("/* Flawfinder: ignore */", "other line [] Flawfinder: ignore"),
        ] {
            assert_eq!(told(comment, Dialect::C), [expected]);
        }
        assert_eq!(
            told("/* eslint-disable no-var */", Dialect::Script),
            ["eslint range [no-var] eslint-disable no-var"]
        );
    }

    #[test]
    fn shell_comments_are_told_apart() {
        for (comment, expected) in [
            ("# shellcheck disable=SC2086", vec!["shellcheck line [SC2086] shellcheck disable=SC2086"]),
            (
                "# shellcheck disable=SC2086,SC2034 # words are split",
                vec!["shellcheck line [SC2086 SC2034] shellcheck disable=SC2086,SC2034"],
            ),
            ("# shellcheck shell=bash disable=all", vec!["shellcheck line [all] shellcheck shell=bash disable=all"]),
            ("# shellcheck source=lib.sh", vec![]),
            ("# shellcheck says that disable=SC1 is wrong", vec![]),
        ] {
            assert_eq!(told(comment, Dialect::Shell), expected, "{comment}");
        }
    }

    #[test]
    fn script_comments_are_told_apart() {
        for (comment, expected) in [
            ("/* eslint-disable */", vec!["eslint range [] eslint-disable"]),
            (
                "// eslint-disable-next-line no-eval -- the text is ours",
                vec!["eslint line [no-eval] eslint-disable-next-line no-eval"],
            ),
            ("// eslint-disable-line", vec!["eslint line [] eslint-disable-line"]),
            (
                "/* eslint-disable @typescript-eslint/no-explicit-any, no-var */",
                vec![
                    "eslint range [@typescript-eslint/no-explicit-any no-var] eslint-disable @typescript-eslint/no-explicit-any, no-var",
                ],
            ),
            ("// @ts-ignore", vec!["ts-ignore line [] @ts-ignore"]),
            ("// @ts-nocheck", vec!["ts-nocheck file [] @ts-nocheck"]),
            ("// @ts-expect-error the types lag behind", vec!["ts-expect-error line [] @ts-expect-error"]),
            (
                "// biome-ignore lint/suspicious/noExplicitAny: comes from outside",
                vec!["biome line [lint/suspicious/noExplicitAny] biome-ignore lint/suspicious/noExplicitAny"],
            ),
            ("/* istanbul ignore next */", vec!["no-cover line [] istanbul ignore next"]),
            ("// oxlint-disable-next-line no-eval", vec!["oxlint line [no-eval] oxlint-disable-next-line no-eval"]),
        ] {
            assert_eq!(told(comment, Dialect::Script), expected, "{comment}");
        }
    }
}
