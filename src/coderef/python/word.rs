//! Names as facts hold them: those of a few letters, which is most, need no memory of their own.

use std::fmt;
use std::ops::Deref;

use ruff_python_ast::name::Name;
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PythonName(Name);

impl Deref for PythonName {
    type Target = str;

    fn deref(&self) -> &str {
        self.0.as_str()
    }
}

impl From<&str> for PythonName {
    fn from(text: &str) -> Self {
        Self(Name::new(text))
    }
}

impl From<&Name> for PythonName {
    fn from(name: &Name) -> Self {
        Self(name.clone())
    }
}

impl PartialEq<str> for PythonName {
    fn eq(&self, other: &str) -> bool {
        self.0.as_str() == other
    }
}

impl Serialize for PythonName {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self)
    }
}

impl<'de> Deserialize<'de> for PythonName {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct PythonNameVisitor;
        impl Visitor<'_> for PythonNameVisitor {
            type Value = PythonName;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a name")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<PythonName, E> {
                Ok(PythonName::from(text))
            }
        }
        from.deserialize_str(PythonNameVisitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_any_length_come_back() {
        for text in ["", "x", "é", &"long_".repeat(40)] {
            let word = PythonName::from(text);
            assert_eq!(&*word, text);
            let bytes = postcard::to_stdvec(&word).unwrap();
            assert_eq!(postcard::from_bytes::<PythonName>(&bytes).unwrap(), word);
        }
    }
}
