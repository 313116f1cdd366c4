//! How long an answer counts as fresh, by what kind of library it is about.

use std::time::Duration;

const HOUR: u64 = 3_600;

/// A kind of library, by how often its documentation changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum VolatilityClass {
    /// One released version: its documentation is corrected now and then, but describes the same code.
    Released,
    /// Slow-moving libraries with long release cycles.
    Settled,
    /// What nothing better is known of.
    Usual,
    /// Web frameworks whose documentation moves with every week.
    Moving,
}

impl VolatilityClass {
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
/// one version is [`VolatilityClass::Released`].
#[must_use]
pub fn class_of(library: &str, version: Option<&str>) -> VolatilityClass {
    if version.is_some() {
        return VolatilityClass::Released;
    }
    let lower = library.to_ascii_lowercase();
    let known = |list: &[&str]| {
        let mut parts = lower.split(['/', '-', '_', '.', '@']);
        parts.any(|part| list.contains(&part) || part.strip_suffix("js").is_some_and(|name| list.contains(&name)))
    };
    match (known(&MOVING), known(&SETTLED)) {
        (true, _) => VolatilityClass::Moving,
        (false, true) => VolatilityClass::Settled,
        (false, false) => VolatilityClass::Usual,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes() {
        for (library, version, class) in [
            ("django", None, VolatilityClass::Settled),
            ("django-rest-framework", None, VolatilityClass::Settled),
            ("/vercel/next.js", None, VolatilityClass::Moving),
            ("nextjs", None, VolatilityClass::Moving),
            ("@vue/reactivity", None, VolatilityClass::Moving),
            ("React-Router", None, VolatilityClass::Moving),
            ("reactive", None, VolatilityClass::Usual),
            ("pandas", None, VolatilityClass::Usual),
            ("next", Some("15.0.0"), VolatilityClass::Released),
        ] {
            assert_eq!(class_of(library, version), class, "{library}");
        }
        assert!(VolatilityClass::Moving.lifetime() < VolatilityClass::Usual.lifetime());
        assert!(VolatilityClass::Settled.lifetime() < VolatilityClass::Released.lifetime());
    }
}
