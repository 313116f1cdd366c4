//! Things to read: fixed resources and templates, as values.

mod catalogue;
pub(crate) mod product;
mod resource;
mod rules;
mod skill;
mod template;
pub(crate) mod workflow;

pub use catalogue::{Catalogue, Found};
pub use resource::{Content, Freshness, Resource};
pub use skill::{Skill, SkillFile, Skills};
pub use template::Template;
