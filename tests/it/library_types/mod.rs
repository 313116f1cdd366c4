//! Types of locked libraries: what mypy finds with them, and that nothing but the lock decides which they are.

mod change;
mod decisions;
mod faces;
mod oracle;
mod wheels;
