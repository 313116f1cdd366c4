//! The error codes of mypy. mypy's own pages explain them.

use crate::category::density;
use tapps_base::finding::{Category, Severity, Tool};
use tapps_base::rule::Rule;

/// What stands for every other code: plug-ins of a project may make their own. The cost is that in a file of a hundred logical
/// lines.
pub const OTHER: Rule = Rule {
    tool: Tool::Mypy,
    code: "*",
    aliases: &[],
    category: Category::Maintainability,
    severity: Severity::Medium,
    cost: density::cost(Severity::Medium, 100),
    blocking: false,
    summary: "Every other error of the type checker, such as those of plug-ins.",
    help: "",
    explanation: "mypy explains its error codes at <https://mypy.readthedocs.io/en/stable/error_codes.html>.",
    examples: &[],
    cwe: None,
    since: "0.1.0",
};

macro_rules! mypy_rules {
    ($($code:literal $summary:literal;)+) => {
        /// Every error code of the locked mypy, by code; `syntax` is told as `tapps:syntax-error`.
        pub const RULES: &[Rule] = &[$(Rule {
            code: $code,
            summary: $summary,
            explanation: concat!(
                "mypy explains it at <https://mypy.readthedocs.io/en/stable/_refs.html#code-", $code, ">."
            ),
            ..OTHER
        }),+];
    };
}

mypy_rules! {
    "abstract" "Prevent instantiation of classes with abstract attributes.";
    "annotation-unchecked" "Notify about type annotations in unchecked functions.";
    "arg-type" "Check argument types in calls.";
    "assert-type" "Check that assert_type() call succeeds.";
    "assignment" "Check that assigned value is compatible with target.";
    "attr-defined" "Check that attribute exists.";
    "call-arg" "Check number, names and kinds of arguments in calls.";
    "call-overload" "Check that an overload variant matches arguments.";
    "comparison-overlap" "Check that types in comparisons and 'in' expressions overlap.";
    "deprecated" "Warn when importing or using deprecated (overloaded) functions, methods or classes.";
    "dict-item" "Check dict items in a dict expression {key: value, ...}.";
    "empty-body" "A dedicated error code to opt out return errors for empty/trivial bodies.";
    "exhaustive-match" "Reject match statements that are not exhaustive.";
    "exit-return" "Warn about too general return type for '__exit__'.";
    "explicit-any" "Warn about explicit Any type annotations.";
    "explicit-override" "Require @override decorator if method is overriding a base class method.";
    "func-returns-value" "Check that called function returns a value in value context.";
    "has-type" "Check that type of reference can be determined.";
    "ignore-without-code" "Warn about '# type: ignore' comments which do not have error codes.";
    "import" "Require that imported module can be found or has stubs.";
    "import-not-found" "Require that imported module can be found.";
    "import-untyped" "Require that imported module has stubs.";
    "index" "Check indexing operations.";
    "list-item" "Check list items in a list expression [item, ...].";
    "literal-required" "Check that value is a literal.";
    "maybe-unrecognized-str-typeform" "Error when a string is used where a TypeForm is expected but a string annotation cannot be recognized.";
    "metaclass" "Ensure that metaclass is valid.";
    "method-assign" "Check that assignment target is not a method.";
    "misc" "Miscellaneous other checks.";
    "mutable-override" "Reject covariant overrides for mutable attributes.";
    "name-defined" "Check that name is defined.";
    "name-match" "Check that type definition has consistent naming.";
    "narrowed-type-not-subtype" "Warn if a TypeIs function's narrowed type is not a subtype of the original type.";
    "no-overload-impl" "Check that overloaded functions outside stub files have an implementation.";
    "no-redef" "Check that each name is defined once.";
    "no-untyped-call" "Disallow calling functions without type annotations from annotated functions.";
    "no-untyped-def" "Check that every function has an annotation.";
    "nonetype-type" "Check that type (annotation) is not NoneType.";
    "operator" "Check that operator is valid for operands.";
    "overload-cannot-match" "Warn if an @overload signature can never be matched.";
    "overload-overlap" "Warn if multiple @overload variants overlap in unsafe ways.";
    "override" "Check that method override is compatible with base class.";
    "possibly-undefined" "Warn about variables that are defined only in some execution paths.";
    "prop-decorator" "Decorators on top of @property are not supported.";
    "redundant-cast" "Check that cast changes type of expression.";
    "redundant-expr" "Warn about redundant expressions.";
    "redundant-self" "Warn about redundant Self type annotations on method first argument.";
    "return" "Check that function always returns a value.";
    "return-value" "Check that return value is compatible with signature.";
    "safe-super" "Warn about calls to abstract methods with empty/trivial bodies.";
    "str-bytes-safe" "Warn about implicit coercions related to bytes and string types.";
    "str-format" "Check that string formatting/interpolation is type-safe.";
    "str-unpack" "Warn about expressions that unpack str.";
    "top-level-await" "Warn about top level await expressions.";
    "truthy-bool" "Warn about expressions that could always evaluate to true in boolean contexts.";
    "truthy-function" "Warn about function that always evaluate to true in boolean contexts.";
    "truthy-iterable" "Warn about Iterable expressions that could always evaluate to true in boolean contexts.";
    "type-abstract" "Require only concrete classes where Type[...] is expected.";
    "type-arg" "Check that generic type arguments are present.";
    "type-var" "Check that type variable values are valid.";
    "typeddict-item" "Check items when constructing TypedDict.";
    "typeddict-readonly-mutated" "TypedDict's ReadOnly key is mutated.";
    "typeddict-unknown-key" "Check unknown keys when constructing TypedDict.";
    "unimported-reveal" "Require explicit import from typing or typing_extensions for reveal_type.";
    "union-attr" "Check that attribute exists in each item of a union.";
    "unreachable" "Warn about unreachable statements or expressions.";
    "untyped-decorator" "Error if an untyped decorator makes a typed function untyped.";
    "unused-awaitable" "Ensure that all awaitable values are used.";
    "unused-coroutine" "Ensure that all coroutines are used.";
    "unused-ignore" "Ensure that all type ignores are used.";
    "used-before-def" "Warn about variables that are used before they are defined.";
    "valid-newtype" "Check that argument 2 to NewType is valid.";
    "valid-type" "Check that type (annotation) is valid.";
    "var-annotated" "Require variable annotation if type can't be inferred.";
}
