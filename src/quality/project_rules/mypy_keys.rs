//! The options of mypy that a project may set, each known to name neither code nor a file.

/// The version of mypy whose options these are. A new version may have new options, or give an old one the power to
/// open a file: look through its `options.py` and `config_parser.py` before this is changed.
#[cfg(test)]
pub(super) const REVIEWED: &str = "2.4.1";

/// What an option takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OptionValues {
    Switch,
    /// Names of modules, packages or constants.
    Names,
    /// Of these words as many as wanted; others are left out, since mypy ends at the first that it does not know.
    Words(&'static [&'static str]),
    /// One of these words.
    Word(&'static [&'static str]),
}

/// Where an option may stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OptionScope {
    /// In `[mypy]` alone.
    Whole,
    /// In `[mypy]` and in the sections of modules.
    Modules,
    /// In the sections of modules alone: for the whole this program decides.
    ModulesOnly,
}

use OptionScope::{Modules, ModulesOnly, Whole};
use OptionValues::{Names, Switch, Word, Words};

/// The options that are followed, by name. Not among them is what makes mypy say something beside its findings, which
/// would be taken for a crash: sections that are not used, features that need no switch any more.
pub(super) const FOLLOWED: &[(&str, OptionScope, OptionValues)] = &[
    ("allow_empty_bodies", Whole, Switch),
    ("allow_redefinition", Modules, Switch),
    ("allow_redefinition_new", Modules, Switch),
    ("allow_redefinition_old", Modules, Switch),
    ("allow_untyped_globals", Modules, Switch),
    ("always_false", Modules, Names),
    ("always_true", Modules, Names),
    ("check_unreachable", Modules, Switch),
    ("check_untyped_defs", Modules, Switch),
    ("disable_bytearray_promotion", Whole, Switch),
    ("disable_error_code", Modules, Words(ERROR_CODES)),
    ("disable_memoryview_promotion", Whole, Switch),
    ("disallow_any_decorated", Modules, Switch),
    ("disallow_any_explicit", Modules, Switch),
    ("disallow_any_expr", Modules, Switch),
    ("disallow_any_generics", Modules, Switch),
    ("disallow_any_unimported", Modules, Switch),
    ("disallow_incomplete_defs", Modules, Switch),
    ("disallow_subclassing_any", Modules, Switch),
    ("disallow_untyped_calls", Modules, Switch),
    ("disallow_untyped_decorators", Modules, Switch),
    ("disallow_untyped_defs", Modules, Switch),
    ("enable_error_code", Modules, Words(ERROR_CODES)),
    ("enable_incomplete_feature", Whole, Words(FEATURES)),
    ("explicit_package_bases", Whole, Switch),
    ("extra_checks", Modules, Switch),
    ("follow_imports", ModulesOnly, Word(&["normal", "silent", "skip", "error"])),
    ("follow_imports_for_stubs", Modules, Switch),
    ("follow_untyped_imports", Modules, Switch),
    ("ignore_errors", Modules, Switch),
    ("ignore_missing_imports", Modules, Switch),
    ("implicit_optional", Modules, Switch),
    ("implicit_reexport", Modules, Switch),
    ("local_partial_types", Modules, Switch),
    ("namespace_packages", Whole, Switch),
    ("old_type_inference", Whole, Switch),
    ("report_deprecated_as_note", Whole, Switch),
    ("strict", Whole, Switch),
    ("strict_bytes", Whole, Switch),
    ("strict_equality", Modules, Switch),
    ("strict_equality_for_none", Modules, Switch),
    ("strict_optional", Modules, Switch),
    ("untyped_calls_exclude", Whole, Names),
    ("warn_incomplete_stub", Whole, Switch),
    ("warn_no_return", Modules, Switch),
    ("warn_redundant_casts", Whole, Switch),
    ("warn_return_any", Modules, Switch),
    ("warn_unreachable", Modules, Switch),
    ("warn_unused_ignores", Modules, Switch),
];

/// Options of single modules that are not followed: one is for mypy's own tests, one for its compiler, two are no options
/// of a configuration at all, and one is out of use. Held against the locked mypy by a test.
pub(super) const NOT_FOLLOWED_OF_MODULES: &[&str] =
    &["debug_cache", "disabled_error_codes", "enabled_error_codes", "mypyc", "strict_concatenate"];

const FEATURES: &[&str] = &["InlineTypedDict", "PreciseTupleTypes"];

/// The codes that mypy knows without plugins.
const ERROR_CODES: &[&str] = &[
    "abstract",
    "annotation-unchecked",
    "arg-type",
    "assert-type",
    "assignment",
    "attr-defined",
    "await-not-async",
    "call-arg",
    "call-overload",
    "comparison-overlap",
    "deprecated",
    "dict-item",
    "empty-body",
    "exhaustive-match",
    "exit-return",
    "explicit-any",
    "explicit-override",
    "func-returns-value",
    "has-type",
    "ignore-without-code",
    "import",
    "import-not-found",
    "import-untyped",
    "index",
    "list-item",
    "literal-required",
    "maybe-unrecognized-str-typeform",
    "metaclass",
    "method-assign",
    "misc",
    "mutable-override",
    "name-defined",
    "name-match",
    "narrowed-type-not-subtype",
    "no-any-return",
    "no-any-unimported",
    "no-overload-impl",
    "no-redef",
    "no-untyped-call",
    "no-untyped-def",
    "nonetype-type",
    "operator",
    "overload-cannot-match",
    "overload-overlap",
    "override",
    "possibly-undefined",
    "prop-decorator",
    "redundant-cast",
    "redundant-expr",
    "redundant-self",
    "return",
    "return-value",
    "safe-super",
    "str-bytes-safe",
    "str-format",
    "str-unpack",
    "syntax",
    "top-level-await",
    "truthy-bool",
    "truthy-function",
    "truthy-iterable",
    "type-abstract",
    "type-arg",
    "type-var",
    "typeddict-item",
    "typeddict-readonly-mutated",
    "typeddict-unknown-key",
    "unimported-reveal",
    "union-attr",
    "unreachable",
    "untyped-decorator",
    "unused-awaitable",
    "unused-coroutine",
    "unused-ignore",
    "used-before-def",
    "valid-newtype",
    "valid-type",
    "var-annotated",
];
