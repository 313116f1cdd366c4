//! Names of libraries as the service writes them, and the names of their versions.

use tapps_base::{Error, Result};

/// Longest id that is taken or sent.
const LONGEST: usize = 200;

/// True for an id such as `/owner/repo`, `/npm/zod` or `/owner/repo/v2.0.0`: nothing that changes the meaning of an
/// address.
#[must_use]
pub fn is_id(text: &str) -> bool {
    let Some(rest) = text.strip_prefix('/') else { return false };
    let parts: Vec<&str> = rest.split('/').collect();
    text.len() <= LONGEST && (2..=4).contains(&parts.len()) && parts.into_iter().all(is_part)
}

fn is_part(part: &str) -> bool {
    let fits = |c: char| c.is_alphanumeric() || "._-@+~".contains(c);
    !part.is_empty() && !part.chars().all(|c| c == '.') && part.chars().all(fits)
}

/// The id to ask for: that of the library, or of one of its versions.
///
/// # Errors
/// `invalid_argument` for what cannot be an id.
pub(super) fn versioned_library_id(library_id: &str, version: Option<&str>) -> Result<String> {
    let id = match version {
        None => library_id.to_owned(),
        Some(version) => format!("{}/{version}", library_id.trim_end_matches('/')),
    };
    if is_id(&id) && version.is_none_or(is_part) {
        return Ok(id);
    }
    let shown: String = id.chars().filter(|c| !c.is_control()).take(80).collect();
    Err(Error::invalid(format!("`{shown}` is not the id of a library at Context7"))
        .hint("an id looks like /owner/repo; ask for the library by name to get its id"))
}

/// The name under which a version is known there: `2.1.0` may be `v2.1.0`, `2_1_0` or `v_2.1.0`. Only exactly that
/// version.
pub(super) fn tag_of<'v>(versions: &'v [String], version: &str) -> Option<&'v str> {
    let wanted = plain_version_tag(version);
    versions.iter().map(String::as_str).find(|tag| plain_version_tag(tag) == wanted)
}

/// A version as its project writes it: `2.0.1` for `v2.0.1` and `2_0_1`.
#[must_use]
pub fn plain_version_tag(version: &str) -> String {
    let lower = version.trim().to_ascii_lowercase();
    let bare = lower.strip_prefix("version").or_else(|| lower.strip_prefix('v')).unwrap_or(&lower);
    bare.trim_start_matches(['.', '_', '-']).replace('_', ".")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids() {
        for good in ["/vercel/next.js", "/npm/zod", "/websites/x_y", "/o/r/v15.1.8", "/packages/npm/@scope/x"] {
            assert!(is_id(good), "{good}");
        }
        for bad in ["", "/", "/a", "a/b", "/a//b", "/a/..", "/a/../b", "/a/b?x", "/a/b#x", "/a/b c", "/a/b%2e", "//a/b"]
        {
            assert!(!is_id(bad), "{bad}");
        }
        assert!(!is_id(&format!("/a/{}", "b".repeat(300))));
    }

    #[test]
    fn a_version_becomes_part_of_the_id() {
        assert_eq!(versioned_library_id("/a/b", Some("v1.2")).unwrap(), "/a/b/v1.2");
        assert_eq!(versioned_library_id("/a/b", None).unwrap(), "/a/b");
        for version in ["1/2", "..", "", "1 2", "1?x"] {
            assert!(versioned_library_id("/a/b", Some(version)).is_err(), "{version}");
        }
    }

    #[test]
    fn versions_go_by_several_names_and_none_by_another() {
        let versions = ["v14.3.0-canary.87", "v15.1.8", "2_0_1"].map(str::to_owned);
        assert_eq!(tag_of(&versions, "15.1.8"), Some("v15.1.8"));
        assert_eq!(tag_of(&versions, "2.0.1"), Some("2_0_1"));
        for other in ["15.1", "15.1.80", "14.3.0", "5.1.8"] {
            assert_eq!(tag_of(&versions, other), None, "{other}");
        }
    }
}
