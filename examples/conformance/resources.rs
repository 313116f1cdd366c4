//! Resources and templates of the suite.

use serde_json::json;
use tapps_base::Error;
use tapps_server::resources::{Freshness, Resource, ResourceContent, ResourceUriTemplate};

use crate::PNG;

pub(crate) fn resources() -> Vec<Resource> {
    vec![
        Resource::new("test://static-text", "Static text", "text/plain", Freshness::Program, || {
            Ok(ResourceContent::Text("This is the content of the static text resource.".to_owned()))
        })
        .with_title_and_description("Static text", "Always the same text."),
        Resource::new("test://static-binary", "Static binary", "image/png", Freshness::Program, || {
            Ok(ResourceContent::Blob(PNG.to_owned()))
        })
        .with_title_and_description("Static binary", "Always the same picture."),
        Resource::new("test://watched-resource", "Watched", "text/plain", Freshness::Project, || {
            Ok(ResourceContent::Text("watched".to_owned()))
        })
        .with_title_and_description("Watched", "Can be subscribed to."),
    ]
}

pub(crate) fn templates() -> Vec<ResourceUriTemplate> {
    let template = "test://template/{id}/data";
    vec![
        ResourceUriTemplate::new("test://broken/{id}", "Broken", "text/plain", Freshness::Project, |_| {
            Some(Err(Error::internal("the resource is broken")))
        })
        .with_title_and_description("Broken", "Cannot be read."),
        ResourceUriTemplate::new(template, "Templated", "application/json", Freshness::Program, |values| {
            let id = values.first()?;
            let data = json!({"id": id, "templateTest": true, "data": format!("Data for ID: {id}")});
            Some(Ok(ResourceContent::Text(data.to_string())))
        })
        .with_title_and_description("Templated", "Data for an identifier.")
        .with_completion(|_, typed| {
            ["123", "124", "200"].iter().filter(|id| id.starts_with(typed)).map(|&id| id.to_owned()).collect()
        }),
    ]
}
