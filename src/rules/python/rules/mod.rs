//! The native rules for Python, one file each.

pub mod broad_silent_except;
pub mod catalogue;
pub mod deep_nesting;
mod dependence;
pub mod duplicate_block;
pub mod list_membership_in_loop;
mod loops;
pub mod mutable_class_default;
pub mod nested_loop;
pub mod oversize_block;
pub mod quadratic_concat;
pub mod repeated_compile;
mod suites;
pub mod too_many_parameters;
pub mod unreachable_code;
pub mod unused_private;
pub mod view;

pub use catalogue::{RULES, check};
pub use view::View;
