//! The native rules for Python, one file each.

pub mod view;

pub use view::{View, check};
