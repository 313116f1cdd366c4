//! Things to read: fixed resources and templates, as values.

mod catalogue;
mod parts;
pub(crate) mod product;
mod resource;
mod rules;
mod skill;
mod template;
pub(crate) mod workflow;

pub use catalogue::{Catalogue, FoundResource};
pub use parts::{PartNote, count_parts};
pub use resource::{Freshness, Resource, ResourceContent};
pub use skill::{Skill, SkillFile, Skills};
pub use template::ResourceUriTemplate;
