//! Rules of ruff that are scored: kind, severity, code, name, what it reports. ruff's own pages explain them.
//!
//! The set is explicit and versioned (`rule_set::VERSION`) because defaults move: between two minor releases ruff's default
//! selection grew from 59 to 413 rules. Rules whose answer depends on the files around (import sorting, namespace packages)
//! or on taste (quotes, line length, docstring style) are left out.

use super::linter::{fatal, lint, slow};
use tapps_base::finding::{Severity, Tool};
use tapps_base::rule::Rule;

macro_rules! ruff_rules {
    ($($kind:ident $severity:ident $code:literal $name:literal $summary:literal;)+) => {
        /// The selection, in order of code within each group.
        pub const RULES: &[Rule] = &[$(Rule {
            code: $code,
            aliases: &[concat!("ruff:", $name)],
            summary: $summary,
            explanation: concat!("ruff explains it at <https://docs.astral.sh/ruff/rules/", $name, "/>."),
            ..$kind(Tool::Ruff, Severity::$severity)
        }),+];
    };
}

/// What stands for every other rule of ruff: with `rules = "project"` the project's own selection is followed.
pub const OTHER: Rule = Rule {
    code: "*",
    summary: "Every other rule, when the project's own selection of ruff is followed.",
    explanation: "With `rules = \"project\"` ruff runs with the project's configuration. What is not in the list of this \
        program counts as a lint of low severity. ruff explains its rules at <https://docs.astral.sh/ruff/rules/>.",
    ..lint(Tool::Ruff, Severity::Low)
};

ruff_rules! {
    // Code that cannot mean what it says, or cannot run: E9, F63, F7, F82.
    fatal High "E902" "io-error" "A file that cannot be read from disk.";
    fatal High "F631" "assert-tuple" "`assert` statements that use non-empty tuples as test conditions.";
    fatal High "F632" "is-literal" "`is` and `is not` comparisons against literals, like integers, strings, or lists.";
    fatal High "F633" "invalid-print-syntax" "`print` statements that use the `>>` syntax.";
    fatal High "F634" "if-tuple" "`if` statements that use non-empty tuples as test conditions.";
    fatal High "F701" "break-outside-loop" "`break` statements outside of loops.";
    fatal High "F702" "continue-outside-loop" "`continue` statements outside of loops.";
    fatal High "F704" "yield-outside-function" "`yield`, `yield from`, and `await` usages outside of functions.";
    fatal High "F706" "return-outside-function" "`return` statements outside of functions.";
    fatal High "F707" "default-except-not-last" "`except` blocks that handle all exceptions, but are not the last `except` block in a `try` statement.";
    fatal High "F722" "forward-annotation-syntax-error" "Forward annotations that include invalid syntax.";
    fatal High "F821" "undefined-name" "Uses of undefined names.";
    fatal High "F822" "undefined-export" "Undefined names in `__all__`.";
    fatal High "F823" "undefined-local" "Undefined local variables.";
    // Imports and names.
    lint Low "E401" "multiple-imports-on-one-line" "Multiple imports on one line.";
    lint Low "E402" "module-import-not-at-top-of-file" "Imports that are not at the top of the file.";
    lint Medium "F401" "unused-import" "Unused imports.";
    lint Medium "F402" "import-shadowed-by-loop-var" "Import bindings that are shadowed by loop variables.";
    lint Medium "F403" "undefined-local-with-import-star" "The use of wildcard imports.";
    lint High "F404" "late-future-import" "`__future__` imports that are not located at the beginning of a file.";
    lint Low "F405" "undefined-local-with-import-star-usage" "Names that might be undefined, but may also be defined in a wildcard import.";
    lint High "F406" "undefined-local-with-nested-import-star-usage" "The use of wildcard imports outside of the module namespace.";
    lint High "F407" "future-feature-not-defined" "`__future__` imports that are not defined in the current Python version.";
    lint Medium "F811" "redefined-while-unused" "Variable definitions that redefine (or \"shadow\") unused variables.";
    lint Medium "F841" "unused-variable" "The presence of unused variables in function scopes.";
    lint Medium "F842" "unused-annotation" "Local variables that are annotated but never used.";
    lint High "F901" "raise-not-implemented" "`raise` statements that raise `NotImplemented`.";
    // Statements.
    lint Low "E701" "multiple-statements-on-one-line-colon" "Compound statements (multiple statements on the same line).";
    lint Low "E702" "multiple-statements-on-one-line-semicolon" "Multiline statements on one line.";
    lint Low "E703" "useless-semicolon" "Statements that end with an unnecessary semicolon.";
    lint Low "E711" "none-comparison" "Comparisons to `None` which are not using the `is` operator.";
    lint Low "E712" "true-false-comparison" "Equality comparisons to boolean literals.";
    lint Low "E713" "not-in-test" "Membership tests using `not {element} in {collection}`.";
    lint Low "E714" "not-is-test" "Identity comparisons using `not {foo} is {bar}`.";
    lint Medium "E721" "type-comparison" "Object type comparisons using `==` and other comparison operators.";
    lint Medium "E722" "bare-except" "Bare `except` catches in `try`-`except` statements.";
    lint Low "E731" "lambda-assignment" "Lambda expressions which are assigned to a variable.";
    lint Low "E741" "ambiguous-variable-name" "The use of the characters 'l', 'O', or 'I' as variable names.";
    lint Low "E742" "ambiguous-class-name" "The use of the characters 'l', 'O', or 'I' as class names.";
    lint Low "E743" "ambiguous-function-name" "The use of the characters 'l', 'O', or 'I' as function names.";
    // Formatting of strings that fails when it is reached.
    lint High "F501" "percent-format-invalid-format" "Invalid `printf`-style format strings.";
    lint High "F502" "percent-format-expected-mapping" "Named placeholders in `printf`-style format strings without mapping-type values.";
    lint High "F503" "percent-format-expected-sequence" "Uses of mapping-type values in `printf`-style format strings without named placeholders.";
    lint Medium "F504" "percent-format-extra-named-arguments" "Unused mapping keys in `printf`-style format strings.";
    lint High "F505" "percent-format-missing-argument" "Named placeholders in `printf`-style format strings that are not present in the provided mapping.";
    lint High "F506" "percent-format-mixed-positional-and-named" "`printf`-style format strings that have mixed positional and named placeholders.";
    lint High "F507" "percent-format-positional-count-mismatch" "`printf`-style format strings that have a mismatch between the number of positional placeholders and the number of substitution values.";
    lint High "F508" "percent-format-star-requires-sequence" "`printf`-style format strings that use the `*` specifier with non-tuple values.";
    lint High "F509" "percent-format-unsupported-format-character" "`printf`-style format strings with invalid format characters.";
    lint High "F521" "string-dot-format-invalid-format" "`str.format` calls with invalid format strings.";
    lint Medium "F522" "string-dot-format-extra-named-arguments" "`str.format` calls with unused keyword arguments.";
    lint Medium "F523" "string-dot-format-extra-positional-arguments" "`str.format` calls with unused positional arguments.";
    lint High "F524" "string-dot-format-missing-arguments" "`str.format` calls with placeholders that are missing arguments.";
    lint High "F525" "string-dot-format-mixing-automatic" "`str.format` calls that mix automatic and manual numbering.";
    lint Low "F541" "f-string-missing-placeholders" "F-strings that do not contain any placeholder expressions.";
    lint Medium "F601" "multi-value-repeated-key-literal" "Dictionary literals that associate multiple values with the same key.";
    lint Medium "F602" "multi-value-repeated-key-variable" "Dictionary keys that are repeated with different values.";
    lint High "F621" "expressions-in-star-assignment" "The use of too many expressions in starred assignment statements.";
    lint High "F622" "multiple-starred-expressions" "The use of multiple starred expressions in assignment statements.";
    // Likely bugs.
    lint High "B002" "unary-prefix-increment-decrement" "The attempted use of the unary prefix increment (`++`) or decrement operator (`--`).";
    lint Medium "B003" "assignment-to-os-environ" "Assignments to `os.environ`.";
    lint Low "B004" "unreliable-callable-check" "Uses of `hasattr` to test if an object is callable (e.g., `hasattr(obj, \"__call__\")`).";
    lint Medium "B005" "strip-with-multi-characters" "Uses of multi-character strings in `.strip()`, `.lstrip()`, and `.rstrip()` calls.";
    lint Medium "B006" "mutable-argument-default" "Uses of mutable objects as function argument defaults.";
    lint Low "B008" "function-call-in-default-argument" "Function calls in default function arguments.";
    lint Low "B009" "get-attr-with-constant" "Uses of `getattr` that take a constant attribute value as an argument (e.g., `getattr(obj, \"foo\")`).";
    lint Low "B010" "set-attr-with-constant" "Uses of `setattr` that take a constant attribute value as an argument (e.g., `setattr(obj, \"foo\", 42)`).";
    lint Low "B011" "assert-false" "Uses of `assert False`.";
    lint High "B012" "jump-statement-in-finally" "`break`, `continue`, and `return` statements in `finally` blocks.";
    lint Low "B013" "redundant-tuple-in-exception-handler" "Single-element tuples in exception handlers (e.g., `except (ValueError,):`).";
    lint Low "B014" "duplicate-handler-exception" "Exception handlers that catch duplicate exceptions.";
    lint Medium "B015" "useless-comparison" "Useless comparisons.";
    lint High "B016" "raise-literal" "`raise` statements that raise a literal value.";
    lint Medium "B017" "assert-raises-exception" "`assertRaises` and `pytest.raises` context managers that catch `Exception` or `BaseException`.";
    lint Low "B018" "useless-expression" "Useless expressions.";
    lint Medium "B019" "cached-instance-method" "Uses of the `functools.lru_cache` and `functools.cache` decorators on methods.";
    lint Medium "B020" "loop-variable-overrides-iterator" "Loop control variables that override the loop iterable.";
    lint Low "B021" "f-string-docstring" "Docstrings that are written via f-strings.";
    lint Medium "B022" "useless-contextlib-suppress" "`contextlib.suppress` without arguments.";
    lint Medium "B023" "function-uses-loop-variable" "Function definitions that use a loop variable.";
    lint Medium "B025" "duplicate-try-block-exception" "`try-except` blocks with duplicate exception handlers.";
    lint Low "B026" "star-arg-unpacking-after-keyword-arg" "Function calls that use star-argument unpacking after providing a keyword argument.";
    lint High "B029" "except-with-empty-tuple" "Exception handlers that catch an empty tuple.";
    lint High "B030" "except-with-non-exception-classes" "Exception handlers that catch non-exception classes.";
    lint Medium "B031" "reuse-of-groupby-generator" "Multiple usage of the generator returned from `itertools.groupby()`.";
    lint Medium "B032" "unintentional-type-annotation" "The unintentional use of type annotations.";
    lint Low "B033" "duplicate-value" "Set literals that contain duplicate items.";
    lint Low "B034" "re-sub-positional-args" "Calls to `re.sub`, `re.subn`, and `re.split` that pass `count`, `maxsplit`, or `flags` as positional arguments.";
    lint Medium "B035" "static-key-dict-comprehension" "Dictionary comprehensions that use a static key, like a string literal or a variable defined outside the comprehension.";
    lint Medium "B039" "mutable-contextvar-default" "Uses of mutable objects as `ContextVar` defaults.";
    lint Low "B904" "raise-without-from-inside-except" "`raise` statements in exception handlers that lack a `from` clause.";
    lint High "PLE0100" "yield-in-init" "`__init__` methods that are turned into generators by the inclusion of `yield` or `yield from` expressions.";
    lint High "PLE0101" "return-in-init" "`__init__` methods that return values.";
    lint High "PLE0115" "nonlocal-and-global" "Variables which are both declared as both `nonlocal` and `global`.";
    lint High "PLE0116" "continue-in-finally" "`continue` statements inside `finally`.";
    lint High "PLE0117" "nonlocal-without-binding" "`nonlocal` names without bindings.";
    lint High "PLE0118" "load-before-global-declaration" "Uses of names that are declared as `global` prior to the relevant `global` declaration.";
    lint High "PLE0237" "non-slot-assignment" "Assignments to attributes that are not defined in `__slots__`.";
    lint High "PLE0241" "duplicate-bases" "Duplicate base classes in class definitions.";
    lint High "PLE0302" "unexpected-special-method-signature" "\"special\" methods that have an unexpected method signature.";
    lint High "PLE0303" "invalid-length-return-type" "`__len__` implementations that return values that are not non-negative integers.";
    lint High "PLE0305" "invalid-index-return-type" "`__index__` implementations that return non-integer values.";
    lint High "PLE0307" "invalid-str-return-type" "`__str__` implementations that return a type other than `str`.";
    lint High "PLE0308" "invalid-bytes-return-type" "`__bytes__` implementations that return types other than `bytes`.";
    lint High "PLE0309" "invalid-hash-return-type" "`__hash__` implementations that return non-integer values.";
    lint High "PLE0604" "invalid-all-object" "The inclusion of invalid objects in `__all__`.";
    lint Medium "PLE0605" "invalid-all-format" "Invalid assignments to `__all__`.";
    lint High "PLE0643" "potential-index-error" "Hard-coded sequence accesses that are known to be out of bounds.";
    lint High "PLE0704" "misplaced-bare-raise" "Bare `raise` statements outside of exception handlers.";
    lint High "PLE1132" "repeated-keyword-argument" "Repeated keyword arguments in function calls.";
    lint High "PLE1142" "await-outside-async" "Uses of `await` outside `async` functions.";
    lint High "PLE1205" "logging-too-many-args" "Too many positional arguments for a `logging` format string.";
    lint High "PLE1206" "logging-too-few-args" "Too few positional arguments for a `logging` format string.";
    lint High "PLE1300" "bad-string-format-character" "Unsupported format types in format strings.";
    lint High "PLE1307" "bad-string-format-type" "Mismatched argument types in \"old-style\" format strings.";
    lint Medium "PLE1310" "bad-str-strip-call" "Checks duplicate characters in `str.strip` calls.";
    lint High "PLE1507" "invalid-envvar-value" "`os.getenv` calls with an invalid `key` argument.";
    lint High "PLE1519" "singledispatch-method" "Methods decorated with `@singledispatch`.";
    lint High "PLE1520" "singledispatchmethod-function" "Non-method functions decorated with `@singledispatchmethod`.";
    lint High "PLE1700" "yield-from-in-async-function" "Uses of `yield from` in async functions.";
    lint High "PLE2502" "bidirectional-unicode" "Bidirectional formatting characters.";
    lint Medium "PLE2510" "invalid-character-backspace" "Strings that contain the control character `BS`.";
    lint Medium "PLE2512" "invalid-character-sub" "Strings that contain the raw control character `SUB`.";
    lint Medium "PLE2513" "invalid-character-esc" "Strings that contain the raw control character `ESC`.";
    lint Medium "PLE2514" "invalid-character-nul" "Strings that contain the raw control character `NUL` (0 byte).";
    lint Medium "PLE2515" "invalid-character-zero-width-space" "Strings that contain the zero width space character.";
    lint Low "PLW0120" "useless-else-on-loop" "`else` clauses on loops without a `break` statement.";
    lint Medium "PLW0127" "self-assigning-variable" "Self-assignment of variables.";
    lint Medium "PLW0128" "redeclared-assigned-name" "Declared assignments to the same variable multiple times in the same assignment.";
    lint Medium "PLW0129" "assert-on-string-literal" "`assert` statements that use a string literal as the first argument.";
    lint Low "PLW0131" "named-expr-without-context" "Uses of named expressions (e.g., `a := 42`) that can be replaced by regular assignment statements (e.g., `a = 42`).";
    lint High "PLW0133" "useless-exception-statement" "An exception that is not raised.";
    lint High "PLW0177" "nan-comparison" "Comparisons against NaN values.";
    lint Low "PLW0211" "bad-staticmethod-argument" "Static methods that use `self` or `cls` as their first argument.";
    lint High "PLW0245" "super-without-brackets" "Detects attempts to use `super` without parentheses.";
    lint Medium "PLW0406" "import-self" "Import statements that import the current module.";
    lint Medium "PLW0602" "global-variable-not-assigned" "`global` variables that are not assigned a value in the current scope.";
    lint Low "PLW0603" "global-statement" "The use of `global` statements to update identifiers.";
    lint Low "PLW0604" "global-at-module-level" "Uses of the `global` keyword at the module level.";
    lint High "PLW0711" "binary-op-exception" "`except` clauses that attempt to catch multiple exceptions with a binary operation (`and` or `or`).";
    lint High "PLW1501" "bad-open-mode" "An invalid `mode` argument in `open` calls.";
    lint Medium "PLW1507" "shallow-copy-environ" "Shallow `os.environ` copies.";
    lint Medium "PLW1508" "invalid-envvar-default" "`os.getenv` calls with invalid default values.";
    lint Medium "PLW1509" "subprocess-popen-preexec-fn" "Uses of `subprocess.Popen` with a `preexec_fn` argument.";
    lint Low "PLW1510" "subprocess-run-without-check" "Uses of `subprocess.run` without an explicit `check` argument.";
    lint High "PLW2101" "useless-with-lock" "Lock objects that are created and immediately discarded in `with` statements.";
    lint High "RUF006" "asyncio-dangling-task" "`asyncio.create_task` and `asyncio.ensure_future` calls that do not store a reference to the returned result.";
    lint High "RUF008" "mutable-dataclass-default" "Mutable default values in dataclass attributes.";
    lint Medium "RUF009" "function-call-in-dataclass-default-argument" "Function calls in dataclass attribute defaults.";
    lint High "RUF016" "invalid-index-type" "Indexed access to lists, strings, tuples, bytes, and comprehensions using a type other than an integer or slice.";
    lint Medium "RUF018" "assignment-in-assert" "Named assignment expressions (e.g., `x := 0`) in `assert` statements.";
    lint Medium "RUF024" "mutable-fromkeys-value" "Mutable objects passed as a value argument to `dict.fromkeys`.";
    lint High "RUF026" "default-factory-kwarg" "Incorrect usages of `default_factory` as a keyword argument when initializing a `defaultdict`.";
    lint Medium "RUF030" "assert-with-print-message" "Uses of `assert expression, print(message)`.";
    lint Medium "RUF032" "decimal-from-float-literal" "`Decimal` calls passing a float literal.";
    lint Medium "RUF033" "post-init-default" "`__post_init__` dataclass methods with parameter defaults.";
    lint Medium "RUF034" "useless-if-else" "Useless `if`-`else` conditions with identical arms.";
    lint Medium "RUF040" "invalid-assert-message-literal-argument" "Invalid use of literals in assert message arguments.";
    lint Low "RUF048" "map-int-version-parsing" "Calls of the form `map(int, __version__.split(\".\"))`.";
    lint High "RUF049" "dataclass-enum" "Enum classes which are also decorated with `@dataclass`.";
    lint Low "RUF060" "in-empty-collection" "Membership tests on empty collections (such as `list`, `tuple`, `set`, or `dict`).";
    lint Medium "SIM115" "open-file-with-context-handler" "Cases where files are opened (e.g., using the builtin `open()` function) without using a context manager.";
    lint Low "SIM201" "negate-equal-op" "Negated `==` operators.";
    lint Low "SIM202" "negate-not-equal-op" "Negated `!=` operators.";
    lint Low "SIM208" "double-negation" "Double negations (i.e., multiple `not` operators).";
    lint High "SIM220" "expr-and-not-expr" "`and` expressions that include both an expression and its negation.";
    lint High "SIM221" "expr-or-not-expr" "`or` expressions that include both an expression and its negation.";
    lint High "SIM222" "expr-or-true" "`or` expressions that contain truthy values.";
    lint High "SIM223" "expr-and-false" "`and` expressions that contain falsey values.";
    lint Low "TRY201" "verbose-raise" "Needless exception names in `raise` statements.";
    lint Low "TRY203" "useless-try-except" "Immediate uses of `raise` within exception handlers.";
    lint Low "BLE001" "blind-except" "`except` clauses that catch all exceptions.";
    lint Low "DTZ003" "call-datetime-utcnow" "Usage of `datetime.datetime.utcnow()`.";
    lint Low "DTZ004" "call-datetime-utcfromtimestamp" "Usage of `datetime.datetime.utcfromtimestamp()`.";
    lint High "PIE794" "duplicate-class-field-definition" "Duplicate field definitions in classes.";
    lint High "PIE796" "non-unique-enums" "Enums that contain duplicate values.";
    lint Medium "LOG001" "direct-logger-instantiation" "Direct instantiation of `logging.Logger`, as opposed to using `logging.getLogger()`.";
    lint Low "LOG007" "exception-without-exc-info" "Uses of `logging.exception()` with `exc_info` set to `False`.";
    lint Medium "LOG009" "undocumented-warn" "Uses of `logging.WARN`.";
    lint Medium "LOG014" "exc-info-outside-except-handler" "Logging calls with `exc_info=` outside exception handlers.";
    lint Low "G010" "logging-warn" "Uses of `logging.warn` and `logging.Logger.warn`.";
    lint High "G101" "logging-extra-attr-clash" "`extra` keywords in logging statements that clash with `LogRecord` attributes.";
    lint Medium "INT001" "f-string-in-get-text-func-call" "F-strings in `gettext` function calls.";
    lint Medium "INT002" "format-in-get-text-func-call" "`str.format` calls in `gettext` function calls.";
    lint Medium "INT003" "printf-in-get-text-func-call" "Printf-style formatted strings in `gettext` function calls.";
    lint High "T100" "debugger" "The presence of debugger calls and imports.";
    lint Low "C404" "unnecessary-list-comprehension-dict" "Unnecessary list comprehensions.";
    lint Low "C406" "unnecessary-literal-dict" "Unnecessary list or tuple literals.";
    lint Low "C416" "unnecessary-comprehension" "Unnecessary dict, list, and set comprehension.";
    // Work done for nothing, and blocking calls where nothing may block.
    slow Low "C414" "unnecessary-double-cast-or-process" "Unnecessary `list()`, `reversed()`, `set()`, `sorted()`, and `tuple()` call within `list()`, `set()`, `sorted()`, and `tuple()` calls.";
    slow Low "C419" "unnecessary-comprehension-in-call" "Unnecessary list or set comprehensions passed to builtin functions that take an iterable.";
    slow Low "PERF101" "unnecessary-list-cast" "Explicit casts to `list` on for-loop iterables.";
    slow Low "PERF102" "incorrect-dict-iterator" "Uses of `dict.items()` that discard either the key or the value when iterating over the dictionary.";
    slow Low "PERF401" "manual-list-comprehension" "`for` loops that can be replaced by a list comprehension.";
    slow Low "PERF402" "manual-list-copy" "`for` loops that append every item of an iterable to a list, which can be replaced with a call to `list`.";
    slow Low "PERF403" "manual-dict-comprehension" "`for` loops that can be replaced by a dictionary comprehension.";
    slow Low "RUF015" "unnecessary-iterable-allocation-for-first-element" "Checks the following constructs, all of which can be replaced by `next(iter(...))`.";
    slow Medium "RUF017" "quadratic-list-summation" "The use of `sum()` to flatten lists of lists, which has quadratic complexity.";
    slow Medium "ASYNC100" "cancel-scope-no-checkpoint" "Timeout context managers which do not contain a checkpoint.";
    slow High "ASYNC105" "trio-sync-call" "Calls to trio functions that are not immediately awaited.";
    slow Low "ASYNC109" "async-function-with-timeout" "`async` function definitions with `timeout` parameters.";
    slow Medium "ASYNC110" "async-busy-wait" "The use of an async sleep function in a `while` loop.";
    slow Low "ASYNC115" "async-zero-sleep" "Uses of `trio.sleep(0)` or `anyio.sleep(0)`.";
    slow Low "ASYNC116" "long-sleep-not-forever" "Uses of `trio.sleep()` or `anyio.sleep()` with a delay greater than 24 hours.";
    slow High "ASYNC210" "blocking-http-call-in-async-function" "Checks that async functions do not contain blocking HTTP calls.";
    slow High "ASYNC212" "blocking-http-call-httpx-in-async-function" "Checks that async functions do not use blocking httpx clients.";
    slow High "ASYNC220" "create-subprocess-in-async-function" "Checks that async functions do not create subprocesses with blocking methods.";
    slow High "ASYNC221" "run-process-in-async-function" "Checks that async functions do not run processes with blocking methods.";
    slow High "ASYNC222" "wait-for-process-in-async-function" "Checks that async functions do not wait on processes with blocking methods.";
    slow High "ASYNC230" "blocking-open-call-in-async-function" "Checks that async functions do not open files with blocking methods like `open`.";
    slow Medium "ASYNC240" "blocking-path-method-in-async-function" "Checks that async functions do not call blocking `os.path` functions or `pathlib.Path` methods.";
    slow High "ASYNC250" "blocking-input-in-async-function" "Checks that async functions do not contain blocking usage of input from user.";
    slow High "ASYNC251" "blocking-sleep-in-async-function" "Checks that async functions do not call `time.sleep`.";
}
