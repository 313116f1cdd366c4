//! All resources and templates of a server.

use super::parts::{PartNote, split_part_choice, take_part};
use super::{Freshness, Resource, ResourceContent, ResourceUriTemplate, Skills};
use tapps_base::{Result, nearest};

/// What can be read, in listing order.
#[derive(Debug, Clone, Default)]
pub struct Catalogue {
    resources: Vec<Resource>,
    templates: Vec<ResourceUriTemplate>,
    skills: Option<Skills>,
}

/// What was read, and what is known about it.
#[derive(Debug)]
pub struct FoundResource {
    pub mime: &'static str,
    pub freshness: Freshness,
    pub content: Result<ResourceContent>,
    /// What to say of the other parts, where the text is longer than one.
    pub note: Option<PartNote>,
}

impl Catalogue {
    /// A catalogue in the stable order of addresses.
    #[must_use]
    pub fn new(mut resources: Vec<Resource>, mut templates: Vec<ResourceUriTemplate>) -> Self {
        resources.sort_by_key(|resource| resource.uri);
        templates.sort_by_key(|template| template.uri_template);
        Self { resources, templates, skills: None }
    }

    /// The catalogue with more in it.
    #[must_use]
    pub fn with_resources(mut self, resources: Vec<Resource>, templates: Vec<ResourceUriTemplate>) -> Self {
        self.resources.extend(resources);
        self.templates.extend(templates);
        Self { skills: self.skills, ..Self::new(self.resources, self.templates) }
    }

    /// The catalogue with skills, whose files are resources.
    #[must_use]
    pub fn with_skills(mut self, skills: Skills) -> Self {
        self = self.with_resources(Vec::new(), vec![skills.template()]);
        self.skills = Some(skills);
        self
    }

    #[must_use]
    pub fn resources(&self) -> &[Resource] {
        &self.resources
    }

    #[must_use]
    pub fn skills(&self) -> Option<&Skills> {
        self.skills.as_ref()
    }

    #[must_use]
    pub fn templates(&self) -> &[ResourceUriTemplate] {
        &self.templates
    }

    /// Reads the resource at `uri`, of a long one the part that the address asks for; `None` when there is none. May block.
    #[must_use]
    pub fn read_resource(&self, uri: &str) -> Option<FoundResource> {
        let (address, choice) = split_part_choice(uri)?;
        let (mut found, has_parts) = self.read_whole(address)?;
        if has_parts {
            let (mime, text) = match found.content {
                Ok(ResourceContent::Text(text)) => (None, text),
                Ok(ResourceContent::Typed(mime, text)) => (Some(mime), text),
                other => return Some(FoundResource { content: other, ..found }),
            };
            let content = |text| match mime {
                Some(mime) => ResourceContent::Typed(mime, text),
                None => ResourceContent::Text(text),
            };
            match take_part(address, text, choice).transpose()? {
                Ok((text, note)) => {
                    found.content = Ok(content(text));
                    found.note = note;
                }
                Err(error) => found.content = Err(error),
            }
        }
        Some(found)
    }

    /// The resource as a whole, and whether it may be cut into parts.
    fn read_whole(&self, address: &str) -> Option<(FoundResource, bool)> {
        if let Some(resource) = self.resources.iter().find(|resource| resource.uri == address) {
            let (mime, freshness, content) = (resource.mime, resource.freshness, resource.read());
            return Some((FoundResource { mime, freshness, content, note: None }, resource.has_parts));
        }
        self.templates.iter().find_map(|template| {
            let (content, mime) = (template.read(address)?, template.mime);
            let found = FoundResource { mime, freshness: template.freshness, content, note: None };
            Some((found, template.has_parts))
        })
    }

    /// True when `uri` is listed or fits a template, whether or not anything is there now.
    #[must_use]
    pub fn knows(&self, uri: &str) -> bool {
        self.resources.iter().any(|resource| resource.uri == uri)
            || self.templates.iter().any(|template| template.read(uri).is_some())
    }

    /// What to say about an address at which there is nothing.
    #[must_use]
    pub fn hint(&self, uri: &str) -> String {
        let fixed = self.resources.iter().map(|resource| resource.uri);
        let families = self.templates.iter().map(|template| template.uri_template);
        nearest::hint(uri, fixed.chain(families).collect::<Vec<_>>())
    }
}
