//! How long an answer counts as fresh, by what kind of library it is about.

use std::time::Duration;

const HOUR: u64 = 3_600;

/// A kind of library, by how often its documentation changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Class {
    /// One released version: its documentation is corrected now and then, but describes the same code.
    Released,
    /// Slow-moving libraries with long release cycles.
    Settled,
    /// What nothing better is known of.
    Usual,
    /// Web frameworks whose documentation moves with every week.
    Moving,
}

impl Class {
    /// How long an answer about such a library is fresh.
    #[must_use]
    pub const fn lifetime(self) -> Duration {
        Duration::from_secs(match self {
            Self::Released => 7 * 24 * HOUR,
            Self::Settled => 48 * HOUR,
            Self::Usual => 24 * HOUR,
            Self::Moving => 12 * HOUR,
        })
    }
}

const MOVING: [&str; 8] = ["angular", "astro", "next", "nuxt", "react", "solid", "svelte", "vue"];
const SETTLED: [&str; 8] = ["django", "flask", "jinja2", "numpy", "python", "requests", "six", "sqlalchemy"];

/// The class of a library by its name, for example `django`, `@vue/reactivity` or `/vercel/next.js`; an answer about
/// one version is [`Class::Released`].
#[must_use]
pub fn class_of(library: &str, version: Option<&str>) -> Class {
    if version.is_some() {
        return Class::Released;
    }
    let lower = library.to_ascii_lowercase();
    let known = |list: &[&str]| {
        let mut parts = lower.split(['/', '-', '_', '.', '@']);
        parts.any(|part| list.contains(&part) || part.strip_suffix("js").is_some_and(|name| list.contains(&name)))
    };
    match (known(&MOVING), known(&SETTLED)) {
        (true, _) => Class::Moving,
        (false, true) => Class::Settled,
        (false, false) => Class::Usual,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes() {
        for (library, version, class) in [
            ("django", None, Class::Settled),
            ("django-rest-framework", None, Class::Settled),
            ("/vercel/next.js", None, Class::Moving),
            ("nextjs", None, Class::Moving),
            ("@vue/reactivity", None, Class::Moving),
            ("React-Router", None, Class::Moving),
            ("reactive", None, Class::Usual),
            ("pandas", None, Class::Usual),
            ("next", Some("15.0.0"), Class::Released),
        ] {
            assert_eq!(class_of(library, version), class, "{library}");
        }
        assert!(Class::Moving.lifetime() < Class::Usual.lifetime());
        assert!(Class::Settled.lifetime() < Class::Released.lifetime());
    }
}
