//! What could not be answered from this machine, and what is said about that.

use std::time::Duration;

use crate::context7::{Context7Library, plain_version};
use tapps_base::{Error, ErrorCode};
use tapps_project::packages::Ecosystem;
use tapps_project::versions;

/// A question without an answer on this machine.
#[derive(Debug)]
pub(super) struct Missed {
    pub(super) error: Error,
    /// What somebody else may be asked for; nothing where asking would not help.
    pub(super) wanted: Option<Box<LibraryQuery>>,
}

/// The documentation that was looked for.
#[derive(Debug)]
pub(super) struct LibraryQuery {
    pub(super) ecosystem: Option<Ecosystem>,
    pub(super) library: String,
    pub(super) corrected_from: Option<String>,
    /// None when nothing says which one.
    pub(super) version: Option<String>,
    /// Other versions on this machine.
    pub(super) here: Vec<String>,
    pub(super) pinned_by: Option<String>,
}

impl From<Error> for Missed {
    fn from(error: Error) -> Self {
        Self { error, wanted: None }
    }
}

/// Which documentation is given instead of, or as, the wanted one.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Pick<'l> {
    /// The service's own name of the wanted version.
    Exact(&'l str),
    /// No version is wanted, or none can be had by name.
    Current,
    /// Another version of the service.
    Near(&'l str),
    /// Another version on this machine.
    Here,
    Nothing,
}

/// Chooses between what is here and what the service has; another version only when that is allowed.
pub(super) fn choose_resolution<'l>(
    wanted: &LibraryQuery,
    library: Option<&'l Context7Library>,
    allow_nearest: bool,
) -> Pick<'l> {
    let Some(version) = &wanted.version else {
        return if library.is_some() { Pick::Current } else { Pick::Nothing };
    };
    if let Some(tag) = library.and_then(|library| library.version_tag(version)) {
        return Pick::Exact(tag);
    }
    if !allow_nearest {
        return Pick::Nothing;
    }
    match (nearest_anywhere(wanted, library), library) {
        (Some((_, Some(tag))), _) => Pick::Near(tag),
        (Some((_, None)), _) => Pick::Here,
        (None, Some(_)) => Pick::Current,
        (None, None) => Pick::Nothing,
    }
}

/// The nearest version anywhere; with its name at the service when only that has it.
fn nearest_anywhere<'l>(
    wanted: &LibraryQuery,
    library: Option<&'l Context7Library>,
) -> Option<(String, Option<&'l str>)> {
    let tags = library.map(|library| library.versions.as_slice()).unwrap_or_default();
    let there = tags.iter().map(|tag| (plain_version(tag), Some(tag.as_str())));
    let there = there.filter(|(plain, _)| plain.starts_with(|c: char| c.is_ascii_digit()));
    let other = |version: &str| Some(version) != wanted.version.as_deref();
    let there = there.filter(|(plain, _)| other(plain));
    let all: Vec<_> = wanted.here.iter().map(|version| (version.clone(), None)).chain(there).collect();
    let versions: Vec<String> = all.iter().map(|(version, _)| version.clone()).collect();
    let found = versions::nearest_version(wanted.version.as_deref()?, &versions)?;
    all.iter().find(|(version, _)| version == found).cloned()
}

/// The wanted version is not on this machine.
pub(super) fn version_unavailable(library: &str, wanted: Option<&str>, versions: &[String]) -> Error {
    let Some(wanted) = wanted else {
        return Error::new(ErrorCode::VersionUnavailable, format!("no version of {library} is on this machine"))
            .hint("install the project's dependencies, or build a bundle with `tapps-mcp docs bundle build`");
    };
    let error = Error::new(ErrorCode::VersionUnavailable, format!("{library} {wanted} is not on this machine"));
    match versions::nearest_version(wanted, versions) {
        Some(nearest) => error
            .hint(format!("nearest: {nearest}; pass allow_nearest: true to read that, or install {library} {wanted}")),
        None => error
            .hint(format!("install {library} {wanted}, or build a bundle of it with `tapps-mcp docs bundle build`")),
    }
}

/// Neither this machine nor the service has it. `others` are ids of libraries with other names.
pub(super) fn not_found_anywhere(
    missed: &Error,
    wanted: &LibraryQuery,
    library: Option<&Context7Library>,
    others: &[String],
) -> Error {
    let hint = missed.body().hint.clone().unwrap_or_default();
    if library.is_none() {
        let error = Error::new(missed.code(), format!("{}, and Context7 knows none of that name", missed.message()));
        return match others.is_empty() {
            true => error.hint(hint),
            false => error
                .hint(format!("{hint}; Context7 has others, which can be passed as library: {}", others.join(", "))),
        };
    }
    let message = match &wanted.version {
        Some(version) => format!("{} {version} is neither on this machine nor at Context7", wanted.library),
        None => missed.message().to_owned(),
    };
    let error = Error::new(ErrorCode::VersionUnavailable, message);
    match nearest_anywhere(wanted, library) {
        Some((nearest, _)) => error.hint(format!("nearest: {nearest}; pass allow_nearest: true to read that")),
        None => error.hint(format!("{hint}; Context7 names no versions: allow_nearest: true reads its latest")),
    }
}

/// The service could not be asked: its failure together with why it was asked at all.
pub(super) fn remote_unavailable(missed: &Error, failure: &Error) -> Error {
    let mut error = Error::new(failure.code(), format!("{}; {}", missed.message(), failure.message()));
    if let Some(wait) = failure.body().retry_after_ms {
        error = error.retry_after(Duration::from_millis(wait));
    }
    let hints = [&missed.body().hint, &failure.body().hint].into_iter().flatten();
    let hints: Vec<&str> = hints.map(String::as_str).collect();
    error.hint(hints.join("; "))
}

/// The network is not allowed, and nothing is kept.
pub(super) fn remote_disabled(missed: &Error) -> Error {
    let hint = missed.body().hint.as_deref().unwrap_or_default();
    let error = Error::new(missed.code(), missed.message());
    error.hint(format!("{hint}; Context7 is not asked, since the network or Context7 is switched off"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted(version: Option<&str>, here: &[&str]) -> LibraryQuery {
        LibraryQuery {
            ecosystem: None,
            library: "demo".into(),
            corrected_from: None,
            version: version.map(str::to_owned),
            here: here.iter().map(|version| (*version).to_owned()).collect(),
            pinned_by: None,
        }
    }

    fn library(versions: &[&str]) -> Context7Library {
        Context7Library {
            id: "/a/demo".into(),
            title: "Demo".into(),
            description: String::new(),
            versions: versions.iter().map(|version| (*version).to_owned()).collect(),
            snippets: 1,
            trust: None,
            ready: true,
        }
    }

    #[test]
    fn another_version_is_only_given_when_that_is_allowed() {
        let there = library(&["v2.0.0", "2_1_0", "stable"]);
        for (version, here, allowed, expected) in [
            (Some("2.1.0"), &[][..], false, Pick::Exact("2_1_0")),
            (Some("2.1.0"), &["2.0.9"], true, Pick::Exact("2_1_0")),
            (Some("2.1.1"), &["2.0.9"], false, Pick::Nothing),
            (Some("2.1.1"), &["2.0.9"], true, Pick::Near("2_1_0")),
            (Some("2.0.8"), &["2.0.9"], true, Pick::Here),
            (None, &[], false, Pick::Current),
        ] {
            assert_eq!(
                choose_resolution(&wanted(version, here), Some(&there), allowed),
                expected,
                "{version:?} {here:?}"
            );
        }
        let unnamed = library(&["stable"]);
        assert_eq!(choose_resolution(&wanted(Some("1.0"), &[]), Some(&unnamed), true), Pick::Current);
        assert_eq!(choose_resolution(&wanted(Some("1.0"), &[]), Some(&unnamed), false), Pick::Nothing);
        assert_eq!(choose_resolution(&wanted(Some("1.0"), &["1.1"]), None, true), Pick::Here);
        assert_eq!(choose_resolution(&wanted(None, &[]), None, true), Pick::Nothing);
    }

    #[test]
    fn refusals_say_what_there_is() {
        let missed = version_unavailable("demo", Some("3.0"), &["1.0".to_owned()]);
        let error = not_found_anywhere(&missed, &wanted(Some("3.0"), &["1.0"]), Some(&library(&["v2.5"])), &[]);
        assert_eq!(error.message(), "demo 3.0 is neither on this machine nor at Context7");
        assert_eq!(error.body().hint.as_deref(), Some("nearest: 2.5; pass allow_nearest: true to read that"));
        let failure = Error::new(ErrorCode::RateLimited, "Context7 limits how often it is asked");
        let error = remote_unavailable(&missed, &failure.retry_after(Duration::from_secs(7)).hint("ask again later"));
        assert_eq!((error.code(), error.body().retry_after_ms), (ErrorCode::RateLimited, Some(7_000)));
        assert!(error.body().hint.as_deref().unwrap().ends_with("install demo 3.0; ask again later"));
    }
}
