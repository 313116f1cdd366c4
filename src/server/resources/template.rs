//! A family of resources whose address has variables.

use std::sync::Arc;

use super::resource::{Freshness, ResourceContent};
use tapps_base::Result;

type TemplateReadFn = dyn Fn(&[String]) -> Option<Result<ResourceContent>> + Send + Sync;
type Complete = dyn Fn(&str, &str) -> Vec<String> + Send + Sync;

/// Resources whose addresses match a template such as `tapps://rules/{rule}`.
#[derive(Clone)]
pub struct ResourceUriTemplate {
    pub uri_template: &'static str,
    pub name: &'static str,
    pub title: &'static str,
    pub description: &'static str,
    pub mime: &'static str,
    pub freshness: Freshness,
    /// Whether a long text is read in parts.
    pub has_parts: bool,
    /// Another spelling that is understood but not listed.
    also: Option<&'static str>,
    read: Arc<TemplateReadFn>,
    complete: Arc<Complete>,
}

tapps_base::debug_fields!(ResourceUriTemplate { uri_template });

impl ResourceUriTemplate {
    /// A template; `read` gets the values of its variables in order and returns `None` when there is no such resource.
    pub fn new(
        uri_template: &'static str,
        name: &'static str,
        mime: &'static str,
        freshness: Freshness,
        read: impl Fn(&[String]) -> Option<Result<ResourceContent>> + Send + Sync + 'static,
    ) -> Self {
        Self {
            uri_template,
            name,
            title: name,
            description: "",
            mime,
            freshness,
            has_parts: true,
            also: None,
            read: Arc::new(read),
            complete: Arc::new(|_, _| Vec::new()),
        }
    }

    #[must_use]
    pub fn with_title_and_description(mut self, title: &'static str, description: &'static str) -> Self {
        self.title = title;
        self.description = description;
        self
    }

    /// Is always read as a whole: its digest is that of the whole.
    #[must_use]
    pub fn without_parts(mut self) -> Self {
        self.has_parts = false;
        self
    }

    /// Understands another spelling of the address as well, with the same variables.
    #[must_use]
    pub fn with_alternative_uri(mut self, uri_template: &'static str) -> Self {
        self.also = Some(uri_template);
        self
    }

    /// Says which values of a variable begin with what has been typed.
    #[must_use]
    pub fn with_completion(mut self, complete: impl Fn(&str, &str) -> Vec<String> + Send + Sync + 'static) -> Self {
        self.complete = Arc::new(complete);
        self
    }

    /// Known values of `variable` that begin with `typed`.
    #[must_use]
    pub fn complete(&self, variable: &str, typed: &str) -> Vec<String> {
        (self.complete)(variable, typed)
    }

    /// Reads the resource at `uri`; `None` when the address does not fit or nothing is there.
    #[must_use]
    pub fn read(&self, uri: &str) -> Option<Result<ResourceContent>> {
        let values = match_uri_variables(self.uri_template, uri).or_else(|| match_uri_variables(self.also?, uri))?;
        (self.read)(&values)
    }
}

/// The values of the variables in `uri`; a variable is anything but empty up to the next literal part.
fn match_uri_variables(mut template: &str, uri: &str) -> Option<Vec<String>> {
    let mut rest = uri;
    let mut values = Vec::new();
    while let Some((literal, after)) = template.split_once('{') {
        let (_, after) = after.split_once('}')?;
        rest = rest.strip_prefix(literal)?;
        let next = after.split('{').next().unwrap_or_default();
        let end = if next.is_empty() { rest.len() } else { rest.find(next)? };
        let (value, tail) = rest.split_at(end);
        if value.is_empty() {
            return None;
        }
        values.push(decode_percent_encoding(value)?);
        rest = tail;
        template = after;
    }
    (rest == template).then_some(values)
}

/// Undoes percent-encoding; `None` when it is broken or not UTF-8.
fn decode_percent_encoding(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let high = char::from(rest.next()?).to_digit(16)?;
            let low = char::from(rest.next()?).to_digit(16)?;
            bytes.push(u8::try_from(high * 16 + low).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("tapps://rules/{rule}", "tapps://rules/ruff:F401", Some("ruff:F401"))]
    #[case("tapps://rules/{rule}", "tapps://rules/ruff%3AF401", Some("ruff:F401"))]
    #[case("tapps://rules/{rule}", "tapps://rules/", None)]
    #[case("tapps://rules/{rule}", "tapps://rule/x", None)]
    #[case("tapps://rules/{rule}", "tapps://rules/%zz", None)]
    #[case("test://template/{id}/data", "test://template/123/data", Some("123"))]
    #[case("test://template/{id}/data", "test://template/123/date", None)]
    #[case("tapps://knowledge/{domain}/{topic}", "tapps://knowledge/security/xss", Some("security|xss"))]
    fn addresses_match_templates(#[case] template: &'static str, #[case] uri: &str, #[case] expected: Option<&str>) {
        let template = ResourceUriTemplate::new(template, "t", "text/plain", Freshness::Program, |values| {
            Some(Ok(ResourceContent::Text(values.join("|"))))
        });
        let read = template.read(uri).map(|content| content.unwrap());
        assert_eq!(read, expected.map(|text| ResourceContent::Text(text.to_owned())));
    }
}
