//! Where a value of the configuration came from.

use std::collections::BTreeMap;

use serde::Serialize;

/// The place that decided one key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "source", rename_all = "lowercase")]
pub enum ConfigOrigin {
    /// Built in.
    Default,
    /// Worked out from another file of the project.
    Derived {
        file: String,
        /// 1-based.
        line: u32,
    },
    /// The file of the person at this machine.
    User {
        file: String,
        line: u32,
    },
    /// The file at the project root, or the one named by `--config`.
    Project {
        file: String,
        line: u32,
    },
    Environment {
        variable: String,
    },
    Flag {
        flag: String,
    },
}

impl std::fmt::Display for ConfigOrigin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::Derived { file, line } | Self::User { file, line } | Self::Project { file, line } => {
                write!(f, "{file}:{line}")
            }
            Self::Environment { variable } => f.write_str(variable),
            Self::Flag { flag } => f.write_str(flag),
        }
    }
}

/// The origin of every key that is not at its default.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Origins(BTreeMap<String, ConfigOrigin>);

impl Origins {
    /// Where `key` (dotted, for example `toolchain.offline`) came from.
    #[must_use]
    pub fn origin_of(&self, key: &str) -> &ConfigOrigin {
        self.0.get(key).unwrap_or(&ConfigOrigin::Default)
    }

    /// Where a section came from: the place of its first key that is not at its default; for a key, as [`Origins::origin_of`].
    #[must_use]
    pub fn of_section(&self, section: &str) -> &ConfigOrigin {
        let is_below =
            |key: &str| key.strip_prefix(section).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
        self.iter().find(|(key, _)| is_below(key)).map_or(&ConfigOrigin::Default, |(_, origin)| origin)
    }

    /// Every key that something set, sorted.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &ConfigOrigin)> {
        self.0.iter().map(|(key, origin)| (key.as_str(), origin))
    }

    pub(super) fn set(&mut self, key: &str, origin: ConfigOrigin) {
        self.0.insert(key.to_owned(), origin);
    }
}
