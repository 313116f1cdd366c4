//! A path that has passed the boundary's checks.

use std::sync::Arc;

use serde::{Serialize, Serializer};

/// A project-relative path with forward slashes, free of `..`, `.` and empty components; the project root itself is `.`.
///
/// It says where to look, not that something is there. Only [`super::Boundary`] makes one.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProjectPath(Arc<str>);

impl ProjectPath {
    pub(super) fn root() -> Self {
        Self(".".into())
    }

    /// `components` joined; each has been checked by [`super::lexical`].
    pub(super) fn from_components(components: &[&str]) -> Self {
        if components.is_empty() { Self::root() } else { Self(components.join("/").into()) }
    }

    /// The entry `name` of this folder; the name has been checked by [`super::lexical`].
    pub(super) fn child_entry(&self, name: &str) -> Self {
        if self.is_root() { Self(name.into()) } else { Self(format!("{}/{name}", self.0).into()) }
    }

    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// True for the project root itself.
    #[must_use]
    pub fn is_root(&self) -> bool {
        &*self.0 == "."
    }

    /// The last component.
    #[must_use]
    pub fn file_name(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or_default()
    }

    /// The folder it stands in; the root stands in itself.
    #[must_use]
    pub fn parent(&self) -> Self {
        self.0.rsplit_once('/').map_or_else(Self::root, |(parent, _)| Self(parent.into()))
    }
}

impl std::fmt::Display for ProjectPath {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl Serialize for ProjectPath {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}
