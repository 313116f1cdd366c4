//! Names of objects.

use std::fmt;

/// The full name of an object: 40 (SHA-1) or 64 (SHA-256) lower-case hex digits.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId(String);

impl ObjectId {
    /// None for anything but a full name.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let hex = text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        (hex && matches!(text.len(), 40 | 64)).then(|| Self(text.to_owned()))
    }

    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// True for the name that git writes where there is no object, or none that it has hashed.
    pub(super) fn is_null(&self) -> bool {
        self.0.bytes().all(|byte| byte == b'0')
    }
}

impl fmt::Display for ObjectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// How a repository names its objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum ObjectFormat {
    #[default]
    Sha1,
    Sha256,
}

impl ObjectFormat {
    /// The name in `extensions.objectFormat`.
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Sha1 => "sha1",
            Self::Sha256 => "sha256",
        }
    }

    /// The tree without entries. Git knows it in every repository.
    pub(super) fn empty_tree(self) -> ObjectId {
        ObjectId(
            match self {
                Self::Sha1 => "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
                Self::Sha256 => "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
            }
            .to_owned(),
        )
    }

    /// The blob without content.
    pub(super) fn empty_blob(self) -> ObjectId {
        ObjectId(
            match self {
                Self::Sha1 => "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
                Self::Sha256 => "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813",
            }
            .to_owned(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_full_lower_case_names_are_object_names() {
        for format in [ObjectFormat::Sha1, ObjectFormat::Sha256] {
            for id in [format.empty_tree(), format.empty_blob()] {
                assert_eq!(ObjectId::parse(id.as_str()), Some(id.clone()));
                assert_eq!(ObjectId::parse(&id.as_str().to_uppercase()), None);
                assert_eq!(ObjectId::parse(&id.as_str()[1..]), None);
                assert!(!id.is_null());
            }
        }
        assert!(ObjectId::parse(&"0".repeat(40)).unwrap().is_null());
    }
}
