//! One page that needs nothing besides itself: no script, no font, no picture from elsewhere.

mod charts;
mod page;

pub(super) use page::{render, severity};
