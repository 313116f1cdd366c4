//! Things to read: fixed resources and templates, as values.

mod catalogue;
mod resource;
mod template;

pub use catalogue::{Catalogue, Found};
pub use resource::{Content, Freshness, Resource};
pub use template::Template;
