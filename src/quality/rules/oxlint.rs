//! Rules of oxlint that are scored: kind, severity, code, page, what it reports. oxlint's own pages explain them.
//!
//! The set is explicit and versioned (`rule_set::VERSION`), as that of ruff is. Left out are rules that a native rule says
//! already, that need more than one file, that are about taste, and that were wrong about respected code.

use super::linter::{fatal, lint, linter_rules, slow};

/// The rules whose fixes keep the behaviour and the types, and whether such a fix mends each of their findings.
pub const SAFELY_FIXED: &[(&str, bool)] = &[
    ("no-extra-boolean-cast", false),
    ("no-unused-labels", true),
    ("no-useless-escape", true),
    ("typescript/no-extra-non-null-assertion", true),
    ("typescript/no-useless-empty-export", true),
    ("typescript/prefer-as-const", false),
    ("typescript/prefer-namespace-keyword", true),
    ("unicorn/no-useless-fallback-in-spread", false),
    ("unicorn/prefer-set-size", true),
];

linter_rules! {
    Oxlint "oxlint explains it at <https://oxc.rs/docs/guide/usage/linter/rules/" ".html>.";
    // Code that cannot run as it stands.
    fatal High "constructor-super" "eslint/constructor-super" "Constructors of derived classes that do not call `super`, and calls of it where there is no base class.";
    fatal High "no-const-assign" "eslint/no-const-assign" "Assignments to a `const`, which throw.";
    fatal High "no-import-assign" "eslint/no-import-assign" "Assignments to imported names, which throw.";
    fatal High "no-invalid-regexp" "eslint/no-invalid-regexp" "Patterns that `RegExp` refuses, which throws.";
    fatal High "no-new-native-nonconstructor" "eslint/no-new-native-nonconstructor" "`new` with `Symbol` or `BigInt`, which throws.";
    fatal High "no-obj-calls" "eslint/no-obj-calls" "Calls of namespace objects such as `Math` and `JSON`, which throw.";
    fatal High "no-this-before-super" "eslint/no-this-before-super" "`this` or `super` before `super()` was called, which throws.";
    // Code that cannot mean what it says.
    lint High "getter-return" "eslint/getter-return" "Getters without a `return`, whose value is always `undefined`.";
    lint High "no-dupe-class-members" "eslint/no-dupe-class-members" "Members of a class with the same name: the last one wins.";
    lint High "no-dupe-else-if" "eslint/no-dupe-else-if" "Conditions of `else if` that an earlier one has covered, so that the branch is never taken.";
    lint High "no-dupe-keys" "eslint/no-dupe-keys" "Keys that stand twice in an object: the last one wins.";
    lint High "no-unsafe-finally" "eslint/no-unsafe-finally" "Jumps out of `finally`, which swallow errors and returned values.";
    lint High "no-unsafe-optional-chaining" "eslint/no-unsafe-optional-chaining" "Uses of `?.` whose `undefined` throws at once.";
    lint High "oxc/bad-object-literal-comparison" "oxc/bad-object-literal-comparison" "Comparisons with a new object or array, which are always false.";
    lint High "oxc/missing-throw" "oxc/missing-throw" "Errors that are made and not thrown.";
    lint High "react/jsx-no-duplicate-props" "react/jsx-no-duplicate-props" "Props that are given twice: the last one wins.";
    lint High "react/no-danger-with-children" "react/no-danger-with-children" "`children` together with `dangerouslySetInnerHTML`, which throws.";
    lint High "react/set-state-in-render" "react/set-state-in-render" "State that is set while rendering, which renders again without end.";
    lint High "react/void-dom-elements-no-children" "react/void-dom-elements-no-children" "Children of elements that cannot have any, which throws.";
    lint High "typescript/no-misused-new" "typescript/no-misused-new" "Constructors declared in interfaces and `new` declared in classes.";
    lint High "use-isnan" "eslint/use-isnan" "Comparisons with `NaN`, which are always false.";
    lint High "valid-typeof" "eslint/valid-typeof" "Comparisons of `typeof` with words that it never gives.";
    // Code that is probably wrong.
    lint Medium "for-direction" "eslint/for-direction" "Loops whose counter moves away from the bound.";
    lint Medium "jest/no-focused-tests" "jest/no-focused-tests" "Tests marked with `only`, so that the others do not run.";
    lint Medium "jest/valid-describe-callback" "jest/valid-describe-callback" "Callbacks of `describe` that are asynchronous or return a value, so that their tests may not run.";
    lint Medium "next/inline-script-id" "nextjs/inline-script-id" "Inline scripts of `next/script` without an `id`.";
    lint Medium "next/no-async-client-component" "nextjs/no-async-client-component" "Asynchronous components on the client, which Next does not support.";
    lint Medium "next/no-before-interactive-script-outside-document" "nextjs/no-before-interactive-script-outside-document" "Scripts that are to load first, outside of `_document`.";
    lint Medium "next/no-document-import-in-page" "nextjs/no-document-import-in-page" "`next/document` imported outside of `_document`.";
    lint Medium "next/no-head-import-in-document" "nextjs/no-head-import-in-document" "`next/head` imported in `_document`.";
    lint Medium "next/no-script-component-in-head" "nextjs/no-script-component-in-head" "`next/script` inside `next/head`.";
    lint Medium "next/no-styled-jsx-in-document" "nextjs/no-styled-jsx-in-document" "`styled-jsx` in `_document`.";
    lint Medium "next/no-title-in-document-head" "nextjs/no-title-in-document-head" "Titles inside `Head` of `next/document`.";
    lint Medium "no-async-promise-executor" "eslint/no-async-promise-executor" "Asynchronous executors of promises, whose errors are lost.";
    lint Medium "no-caller" "eslint/no-caller" "`arguments.caller` and `arguments.callee`, which strict code may not use.";
    lint Medium "no-class-assign" "eslint/no-class-assign" "Assignments to the name of a class.";
    lint Medium "no-compare-neg-zero" "eslint/no-compare-neg-zero" "Comparisons with `-0`, which also hold for `+0`.";
    lint Medium "no-cond-assign" "eslint/no-cond-assign" "Assignments where a condition is expected.";
    lint Medium "no-constant-binary-expression" "eslint/no-constant-binary-expression" "Operations whose result never changes.";
    lint Medium "no-constructor-return" "eslint/no-constructor-return" "Constructors that return a value in place of the object.";
    lint Medium "no-delete-var" "eslint/no-delete-var" "`delete` of a variable, which strict code may not do.";
    lint Medium "no-empty-character-class" "eslint/no-empty-character-class" "Empty classes in patterns, which match nothing.";
    lint Medium "no-ex-assign" "eslint/no-ex-assign" "Assignments to the caught error, which lose it.";
    lint Medium "no-extend-native" "eslint/no-extend-native" "Members added to built-in prototypes, which all code then sees.";
    lint Medium "no-func-assign" "eslint/no-func-assign" "Assignments to the name of a function.";
    lint Medium "no-global-assign" "eslint/no-global-assign" "Assignments to built-in names.";
    lint Medium "no-iterator" "eslint/no-iterator" "The property `__iterator__`, which no engine knows any more.";
    lint Medium "no-loss-of-precision" "eslint/no-loss-of-precision" "Numbers with more digits than a number can hold.";
    lint Medium "no-misleading-character-class" "eslint/no-misleading-character-class" "Characters of several code points inside a class of a pattern, which matches each by itself.";
    lint Medium "no-self-assign" "eslint/no-self-assign" "Assignments of a name to itself.";
    lint Medium "no-setter-return" "eslint/no-setter-return" "Values returned by setters, which are ignored.";
    lint Medium "no-shadow-restricted-names" "eslint/no-shadow-restricted-names" "Variables with names such as `undefined` or `NaN`.";
    lint Medium "no-sparse-arrays" "eslint/no-sparse-arrays" "Arrays with holes, most of which come from a comma too many.";
    lint Medium "no-throw-literal" "eslint/no-throw-literal" "Thrown values that are no errors and have no stack.";
    lint Medium "no-unexpected-multiline" "eslint/no-unexpected-multiline" "Line ends that do not end the statement they seem to end.";
    lint Medium "no-unsafe-negation" "eslint/no-unsafe-negation" "Negations of the left side of `in` or `instanceof`, where the whole was meant.";
    lint Medium "no-useless-backreference" "eslint/no-useless-backreference" "References in patterns to groups that cannot have matched.";
    lint Medium "no-with" "eslint/no-with" "Statements `with`, which strict code may not have.";
    lint Medium "node/no-exports-assign" "node/no-exports-assign" "Assignments to `exports`, which export nothing.";
    lint Medium "oxc/bad-array-method-on-arguments" "oxc/bad-array-method-on-arguments" "Methods of arrays called on `arguments`, which has none.";
    lint Medium "oxc/bad-char-at-comparison" "oxc/bad-char-at-comparison" "Comparisons of one character with a longer text, which are always false.";
    lint Medium "oxc/bad-comparison-sequence" "oxc/bad-comparison-sequence" "Chains such as `a < b < c`, which compare a truth value.";
    lint Medium "oxc/bad-match-all-arg" "oxc/bad-match-all-arg" "Patterns without the flag `g` for `matchAll`, which throws.";
    lint Medium "oxc/bad-min-max-func" "oxc/bad-min-max-func" "Bounds of `Math.min` and `Math.max` in the wrong order, so that the result is constant.";
    lint Medium "oxc/bad-replace-all-arg" "oxc/bad-replace-all-arg" "Patterns without the flag `g` for `replaceAll`, which throws.";
    lint Medium "oxc/const-comparisons" "oxc/const-comparisons" "Comparisons with constants that exclude or include each other.";
    lint Medium "oxc/double-comparisons" "oxc/double-comparisons" "Two comparisons that one says.";
    lint Medium "oxc/erasing-op" "oxc/erasing-op" "Operations whose result is always 0.";
    lint Medium "oxc/misrefactored-assign-op" "oxc/misrefactored-assign-op" "Assignments such as `a += a + b`, which add twice.";
    lint Medium "oxc/number-arg-out-of-range" "oxc/number-arg-out-of-range" "Digits or bases that `toString`, `toFixed` and their kin refuse, which throws.";
    lint Medium "oxc/uninvoked-array-callback" "oxc/uninvoked-array-callback" "Callbacks over arrays that have only holes, which never run.";
    lint Medium "promise/no-new-statics" "promise/no-new-statics" "`new` with `Promise.resolve` and its kin, which throws.";
    lint Medium "react/exhaustive-deps" "react/exhaustive-deps" "Effects, callbacks and memos that leave out what they read.";
    lint Medium "react/forward-ref-uses-ref" "react/forward-ref-uses-ref" "`forwardRef` around a component that does not take the `ref`.";
    lint Medium "react/jsx-no-comment-textnodes" "react/jsx-no-comment-textnodes" "Comments that are shown as text.";
    lint Medium "react/jsx-props-no-spread-multi" "react/jsx-props-no-spread-multi" "The same props spread twice into one element.";
    lint Medium "react/no-did-update-set-state" "react/no-did-update-set-state" "State set in `componentDidUpdate`, which may render without end.";
    lint Medium "react/no-direct-mutation-state" "react/no-direct-mutation-state" "Assignments to `this.state`, which do not render.";
    lint Medium "react/no-find-dom-node" "react/no-find-dom-node" "`findDOMNode`, which current versions of React do not have.";
    lint Medium "react/no-is-mounted" "react/no-is-mounted" "`isMounted`, which classes do not have.";
    lint Medium "react/no-render-return-value" "react/no-render-return-value" "The value of `ReactDOM.render`, which current versions do not have.";
    lint Medium "react/no-string-refs" "react/no-string-refs" "References by text, which current versions of React do not have.";
    lint Medium "react/no-unsafe" "react/no-unsafe" "Life-cycle methods that React calls unsafe.";
    lint Medium "react/no-will-update-set-state" "react/no-will-update-set-state" "State set in `componentWillUpdate`, which may render without end.";
    lint Medium "react/style-prop-object" "react/style-prop-object" "Styles that are not objects.";
    lint Medium "require-yield" "eslint/require-yield" "Generators without any `yield`.";
    lint Medium "typescript/no-duplicate-enum-values" "typescript/no-duplicate-enum-values" "Members of an enum with the same value.";
    lint Medium "typescript/no-non-null-asserted-optional-chain" "typescript/no-non-null-asserted-optional-chain" "`!` after `?.`, which denies what `?.` allows.";
    lint Medium "typescript/no-unsafe-declaration-merging" "typescript/no-unsafe-declaration-merging" "A class and an interface of one name, whose members nobody sets.";
    lint Medium "unicorn/no-accessor-recursion" "unicorn/no-accessor-recursion" "Getters and setters that use themselves without end.";
    lint Medium "unicorn/no-array-fill-with-reference-type" "unicorn/no-array-fill-with-reference-type" "One object that fills all places of an array, so that a change of one changes all.";
    lint Medium "unicorn/no-await-in-promise-methods" "unicorn/no-await-in-promise-methods" "`await` inside `Promise.all` and its kin, which makes them wait one after the other.";
    lint Medium "unicorn/no-confusing-array-with" "unicorn/no-confusing-array-with" "Negative positions for `Array#with` that do not mean what they seem to.";
    lint Medium "unicorn/no-invalid-fetch-options" "unicorn/no-invalid-fetch-options" "A body for `fetch` with `GET` or `HEAD`, which throws.";
    lint Medium "unicorn/no-invalid-remove-event-listener" "unicorn/no-invalid-remove-event-listener" "Listeners removed by a new function, which removes nothing.";
    // Code that says more than it needs, or shuts people out.
    lint Low "jest/no-disabled-tests" "jest/no-disabled-tests" "Tests that are skipped.";
    lint Low "jsx-a11y/alt-text" "jsx_a11y/alt-text" "Images without a text that stands for them.";
    lint Low "jsx-a11y/anchor-has-content" "jsx_a11y/anchor-has-content" "Links without content that can be read out.";
    lint Low "jsx-a11y/anchor-is-valid" "jsx_a11y/anchor-is-valid" "Links that lead nowhere.";
    lint Low "jsx-a11y/aria-activedescendant-has-tabindex" "jsx_a11y/aria-activedescendant-has-tabindex" "Elements with `aria-activedescendant` that cannot have the focus.";
    lint Low "jsx-a11y/aria-props" "jsx_a11y/aria-props" "Attributes `aria-*` that do not exist.";
    lint Low "jsx-a11y/aria-proptypes" "jsx_a11y/aria-proptypes" "Attributes `aria-*` with values that they cannot have.";
    lint Low "jsx-a11y/aria-role" "jsx_a11y/aria-role" "Roles that do not exist.";
    lint Low "jsx-a11y/aria-unsupported-elements" "jsx_a11y/aria-unsupported-elements" "Roles and `aria-*` on elements that cannot have any.";
    lint Low "jsx-a11y/autocomplete-valid" "jsx_a11y/autocomplete-valid" "Values of `autocomplete` that do not exist.";
    lint Low "jsx-a11y/click-events-have-key-events" "jsx_a11y/click-events-have-key-events" "What reacts to clicks and not to keys.";
    lint Low "jsx-a11y/heading-has-content" "jsx_a11y/heading-has-content" "Headings without content that can be read out.";
    lint Low "jsx-a11y/html-has-lang" "jsx_a11y/html-has-lang" "Pages that do not say their language.";
    lint Low "jsx-a11y/iframe-has-title" "jsx_a11y/iframe-has-title" "Frames without a title.";
    lint Low "jsx-a11y/img-redundant-alt" "jsx_a11y/img-redundant-alt" "Texts for images that say that it is an image.";
    lint Low "jsx-a11y/interactive-supports-focus" "jsx_a11y/interactive-supports-focus" "What reacts to the user and cannot have the focus.";
    lint Low "jsx-a11y/lang" "jsx_a11y/lang" "Languages that do not exist.";
    lint Low "jsx-a11y/media-has-caption" "jsx_a11y/media-has-caption" "Media without captions.";
    lint Low "jsx-a11y/mouse-events-have-key-events" "jsx_a11y/mouse-events-have-key-events" "What reacts to the mouse and not to the focus.";
    lint Low "jsx-a11y/no-access-key" "jsx_a11y/no-access-key" "Access keys, which get in the way of readers' own.";
    lint Low "jsx-a11y/no-aria-hidden-on-focusable" "jsx_a11y/no-aria-hidden-on-focusable" "Elements that are hidden from readers and can have the focus.";
    lint Low "jsx-a11y/no-distracting-elements" "jsx_a11y/no-distracting-elements" "Elements that move by themselves.";
    lint Low "jsx-a11y/no-noninteractive-tabindex" "jsx_a11y/no-noninteractive-tabindex" "A place in the order of tabs for what does not react.";
    lint Low "jsx-a11y/no-redundant-roles" "jsx_a11y/no-redundant-roles" "Roles that the element has anyway.";
    lint Low "jsx-a11y/no-static-element-interactions" "jsx_a11y/no-static-element-interactions" "Elements without a role that react to the user.";
    lint Low "jsx-a11y/role-has-required-aria-props" "jsx_a11y/role-has-required-aria-props" "Roles without the attributes that they need.";
    lint Low "jsx-a11y/role-supports-aria-props" "jsx_a11y/role-supports-aria-props" "Attributes `aria-*` that the role does not have.";
    lint Low "jsx-a11y/scope" "jsx_a11y/scope" "`scope` on what is no heading of a table.";
    lint Low "jsx-a11y/tabindex-no-positive" "jsx_a11y/tabindex-no-positive" "A place of its own in the order of tabs.";
    lint Low "no-control-regex" "eslint/no-control-regex" "Control characters in patterns.";
    lint Low "no-empty-pattern" "eslint/no-empty-pattern" "Destructuring that binds nothing.";
    lint Low "no-empty-static-block" "eslint/no-empty-static-block" "Static blocks without a statement.";
    lint Low "no-extra-bind" "eslint/no-extra-bind" "`bind` on functions that do not use `this`.";
    lint Low "no-extra-boolean-cast" "eslint/no-extra-boolean-cast" "Conversions to a truth value where one is expected.";
    lint Low "no-irregular-whitespace" "eslint/no-irregular-whitespace" "White space that is not a space, a tab or a line end.";
    lint Low "no-nonoctal-decimal-escape" "eslint/no-nonoctal-decimal-escape" "`\\8` and `\\9` in texts.";
    lint Low "no-prototype-builtins" "eslint/no-prototype-builtins" "Methods of `Object.prototype` called on an object that may hide them.";
    lint Low "no-unneeded-ternary" "eslint/no-unneeded-ternary" "Choices between `true` and `false` that the condition already is.";
    lint Low "no-unused-labels" "eslint/no-unused-labels" "Labels that nothing jumps to.";
    lint Low "no-unused-private-class-members" "eslint/no-unused-private-class-members" "Private members that nothing uses.";
    lint Low "no-useless-catch" "eslint/no-useless-catch" "Errors that are caught to be thrown again.";
    lint Low "no-useless-concat" "eslint/no-useless-concat" "Texts that are joined and could be one.";
    lint Low "no-useless-constructor" "eslint/no-useless-constructor" "Constructors that do what no constructor does.";
    lint Low "no-useless-escape" "eslint/no-useless-escape" "Escapes that change nothing.";
    lint Low "oxc/approx-constant" "oxc/approx-constant" "Numbers that a constant of `Math` holds more exactly.";
    lint Low "oxc/only-used-in-recursion" "oxc/only-used-in-recursion" "Parameters that are only handed on to the same function.";
    lint Low "preserve-caught-error" "eslint/preserve-caught-error" "New errors that drop the one they come from.";
    lint Low "react/no-children-prop" "react/no-children-prop" "`children` given as a prop.";
    lint Low "react/no-namespace" "react/no-namespace" "Elements with a name space, which React does not support.";
    lint Low "typescript/no-extra-non-null-assertion" "typescript/no-extra-non-null-assertion" "`!` twice.";
    lint Low "typescript/no-this-alias" "typescript/no-this-alias" "`this` kept in a variable.";
    lint Low "typescript/no-unnecessary-type-constraint" "typescript/no-unnecessary-type-constraint" "Type parameters that extend `any` or `unknown`.";
    lint Low "typescript/no-useless-empty-export" "typescript/no-useless-empty-export" "Empty exports in files that export already.";
    lint Low "typescript/no-wrapper-object-types" "typescript/no-wrapper-object-types" "Types such as `String` where `string` is meant.";
    lint Low "typescript/prefer-as-const" "typescript/prefer-as-const" "Literals that are given their own type instead of `as const`.";
    lint Low "typescript/prefer-namespace-keyword" "typescript/prefer-namespace-keyword" "`module` where `namespace` is the word.";
    lint Low "unicorn/no-instanceof-builtins" "unicorn/no-instanceof-builtins" "`instanceof` with built-in types, which fails for values of another realm.";
    lint Low "unicorn/no-single-promise-in-promise-methods" "unicorn/no-single-promise-in-promise-methods" "`Promise.all` and its kin with one promise.";
    lint Low "unicorn/no-unnecessary-await" "unicorn/no-unnecessary-await" "`await` of what is no promise.";
    lint Low "unicorn/no-useless-fallback-in-spread" "unicorn/no-useless-fallback-in-spread" "Empty objects as a fallback in a spread that needs none.";
    lint Low "unicorn/no-useless-length-check" "unicorn/no-useless-length-check" "Checks of a length that `some` or `every` make themselves.";
    lint Low "unicorn/no-useless-spread" "unicorn/no-useless-spread" "Copies of what is new already.";
    lint Low "unicorn/prefer-set-size" "unicorn/prefer-set-size" "Sets copied into an array to be counted.";
    lint Low "unicorn/prefer-string-starts-ends-with" "unicorn/prefer-string-starts-ends-with" "Patterns that only ask for a beginning or an end.";
    // Work done for nothing.
    slow Low "no-useless-call" "eslint/no-useless-call" "`call` and `apply` that a plain call replaces.";
    slow Low "react/jsx-no-constructed-context-values" "react/jsx-no-constructed-context-values" "Values of a context that are new in every render, so that all who use it render again.";
    slow Low "unicorn/prefer-array-flat-map" "unicorn/prefer-array-flat-map" "Arrays mapped and then flattened.";
    slow Low "unicorn/prefer-set-has" "unicorn/prefer-set-has" "Arrays that are only searched, again and again.";
}
