//! Rules of oxlint that need types: they are looked for by its companion, where every declaration is at hand.
//!
//! Part of the same versioned set. Left out are rules about taste, about `any`, about what is deprecated inside a project
//! itself, and those that were wrong about respected code: what is thrown as a signal, what has a text of its own that its
//! type hides, promises where nobody can wait.

use super::linter::{lint, linter_rules};

linter_rules! {
    Oxlint "oxlint explains it at <https://oxc.rs/docs/guide/usage/linter/rules/" ".html>.";
    // Code that is probably wrong.
    lint Medium "typescript/no-array-delete" "typescript/no-array-delete" "`delete` of an element of an array, which leaves a hole.";
    lint Medium "typescript/no-floating-promises" "typescript/no-floating-promises" "Promises in asynchronous functions that nobody waits for, whose errors are lost.";
    lint Medium "typescript/no-for-in-array" "typescript/no-for-in-array" "`for…in` over an array, which gives names instead of elements.";
    lint Medium "typescript/no-misused-promises" "typescript/no-misused-promises" "Promises as conditions, which always hold, and as what is spread.";
    lint Medium "typescript/no-unsafe-unary-minus" "typescript/no-unsafe-unary-minus" "`-` before what is no number.";
    lint Medium "typescript/require-array-sort-compare" "typescript/require-array-sort-compare" "`sort` of what are no strings without a comparison, which sorts by their text.";
    lint Medium "typescript/return-await" "typescript/return-await" "Promises returned out of `try` without `await`, so that `catch` and `finally` come too early.";
    // Code that is harder to read or to trust than it need be.
    lint Low "typescript/no-meaningless-void-operator" "typescript/no-meaningless-void-operator" "`void` before what has no value.";
    lint Low "typescript/related-getter-setter-pairs" "typescript/related-getter-setter-pairs" "Getters whose type the setter of the same name does not take.";
}
