//! Rules of a project's own: they find what ast-grep finds, count in every verdict, and end in an error when they cannot.

mod commands;
mod limits;
mod oracle;
mod verdicts;
