//! Contracts about imports: beside what other programs say of them, in scores and changes, and on the command line.

mod changes;
mod command;
mod dependency_cruiser;
mod floors;
mod import_linter;
mod support;
