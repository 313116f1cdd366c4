//! Resources and templates of the suite.

use serde_json::json;
use tapps_base::Error;
use tapps_server::resources::{Content, Freshness, Resource, Template};

use crate::PNG;

pub(crate) fn resources() -> Vec<Resource> {
    vec![
        Resource::new("test://static-text", "Static text", "text/plain", Freshness::Program, || {
            Ok(Content::Text("This is the content of the static text resource.".to_owned()))
        })
        .about("Static text", "Always the same text."),
        Resource::new("test://static-binary", "Static binary", "image/png", Freshness::Program, || {
            Ok(Content::Blob(PNG.to_owned()))
        })
        .about("Static binary", "Always the same picture."),
        Resource::new("test://watched-resource", "Watched", "text/plain", Freshness::Project, || {
            Ok(Content::Text("watched".to_owned()))
        })
        .about("Watched", "Can be subscribed to."),
    ]
}

pub(crate) fn templates() -> Vec<Template> {
    let template = "test://template/{id}/data";
    vec![
        Template::new("test://broken/{id}", "Broken", "text/plain", Freshness::Project, |_| {
            Some(Err(Error::internal("the resource is broken")))
        })
        .about("Broken", "Cannot be read."),
        Template::new(template, "Templated", "application/json", Freshness::Program, |values| {
            let id = values.first()?;
            let data = json!({"id": id, "templateTest": true, "data": format!("Data for ID: {id}")});
            Some(Ok(Content::Text(data.to_string())))
        })
        .about("Templated", "Data for an identifier.")
        .completing(|_, typed| {
            ["123", "124", "200"].iter().filter(|id| id.starts_with(typed)).map(|&id| id.to_owned()).collect()
        }),
    ]
}
