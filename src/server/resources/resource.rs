//! One fixed resource.

use std::sync::Arc;

use tapps_base::Result;

/// What a resource contains.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ResourceContent {
    Text(String),
    /// Text of a media type that only its reader knows.
    Typed(&'static str, String),
    /// Bytes in base 64.
    Blob(String),
}

/// How long a reader may keep an answer, and who may share it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Freshness {
    /// Part of the program: the same for everyone until the program changes.
    Program,
    /// Depends on the project: not to be shared, to be read again each time.
    Project,
}

impl Freshness {
    /// Milliseconds for which an answer stays true.
    #[must_use]
    pub const fn ttl_ms(self) -> u64 {
        match self {
            Self::Program => 3_600_000,
            Self::Project => 0,
        }
    }
}

/// A resource with an address of its own.
#[derive(Clone)]
pub struct Resource {
    pub uri: &'static str,
    pub name: &'static str,
    pub title: &'static str,
    pub description: &'static str,
    pub mime: &'static str,
    pub freshness: Freshness,
    /// Whether a long text is read in parts.
    pub has_parts: bool,
    read: Arc<dyn Fn() -> Result<ResourceContent> + Send + Sync>,
}

tapps_base::debug_fields!(Resource { uri });

impl Resource {
    /// A resource that `read` produces; it may block.
    pub fn new(
        uri: &'static str,
        name: &'static str,
        mime: &'static str,
        freshness: Freshness,
        read: impl Fn() -> Result<ResourceContent> + Send + Sync + 'static,
    ) -> Self {
        Self { uri, name, title: name, description: "", mime, freshness, has_parts: true, read: Arc::new(read) }
    }

    #[must_use]
    pub fn with_title_and_description(mut self, title: &'static str, description: &'static str) -> Self {
        self.title = title;
        self.description = description;
        self
    }

    /// Is always read as a whole: a program needs it, and no model.
    #[must_use]
    pub fn without_parts(mut self) -> Self {
        self.has_parts = false;
        self
    }

    /// Reads it.
    ///
    /// # Errors
    /// What the source says.
    pub fn read(&self) -> Result<ResourceContent> {
        (self.read)()
    }
}
