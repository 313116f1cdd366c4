//! Looking for a name in whole texts: what is written there as a text, or assigned to something, may make it.

use memchr::memmem;

use super::libraries::Libraries;
use tapps_sandbox::{Boundary, WalkOptions};

/// The largest file that is looked into, in bytes.
const LARGEST: u64 = 4 << 20;

/// What makes a name out of a place where it stands in a text.
pub(crate) type Makes = fn(&[u8], usize, usize) -> bool;

/// Whether any file of a library has a name at a place that makes it.
pub(crate) fn library_makes(libraries: &Libraries<'_>, top: &str, name: &str, makes: Makes) -> bool {
    let finder = memmem::Finder::new(name);
    libraries.files_below(top).iter().any(|path| {
        libraries.text(path).is_none_or(|text| {
            let bytes = text.as_bytes();
            finder.find_iter(bytes).any(|at| makes(bytes, at, name.len()))
        })
    })
}

/// Whether any file of the project assigns an attribute of this name, or holds the name as a text of its own.
pub(crate) fn project_makes(tree: &Boundary, name: &str) -> bool {
    let finder = memmem::Finder::new(name);
    let Ok(paths) = tree.walk(&tree.root_as_project_path(), &WalkOptions::default()) else { return true };
    paths.iter().filter(|path| path.as_str().ends_with(".py")).any(|path| {
        tree.read(path, LARGEST)
            .map_or(true, |bytes| finder.find_iter(&bytes).any(|at| makes_name(&bytes, at, name.len())))
    })
}

/// Whether what stands at a place may make a name: `.name =`, `"name"`, `'name'`.
pub(crate) fn makes_name(text: &[u8], at: usize, length: usize) -> bool {
    let before = at.checked_sub(1).and_then(|before| text.get(before)).copied().unwrap_or(b' ');
    let after = text.get(at + length).copied().unwrap_or(b' ');
    matches!(after, b'"' | b'\'') && !is_word(before) || assigns_attribute(text, at, length)
}

/// Whether an attribute is assigned at a place: `.name =`.
pub(crate) fn assigns_attribute(text: &[u8], at: usize, length: usize) -> bool {
    let before = at.checked_sub(1).and_then(|before| text.get(before)).copied().unwrap_or(b' ');
    let rest = text.get(at + length..).unwrap_or_default();
    let after = rest.first().copied().unwrap_or(b' ');
    if is_word(after) || before != b'.' {
        return false;
    }
    let mut following = rest.iter().skip_while(|byte| **byte == b' ');
    match (following.next(), following.next()) {
        (Some(b'='), second) => second != Some(&b'='),
        // With an annotation, or one of several targets.
        (Some(b':' | b','), _) => true,
        _ => false,
    }
}

/// Whether a name stands at a place as a word of its own.
pub(crate) fn is_whole_word(text: &[u8], at: usize, length: usize) -> bool {
    let before = at.checked_sub(1).and_then(|before| text.get(before)).copied().unwrap_or(b' ');
    let after = text.get(at + length).copied().unwrap_or(b' ');
    !is_word(before) && !is_word(after)
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

#[cfg(test)]
mod tests {
    use super::*;

    #[rstest::rstest]
    #[case("mod.name = 1", true)]
    #[case("mod.name: int = 1", true)]
    #[case("mod.name == 1", false)]
    #[case("mod.name()", false)]
    #[case("x = {'name': 1}", true)]
    #[case("x = \"a:name\"", true)]
    #[case("mod.names = 1", false)]
    #[case("def name(): ...", false)]
    #[case("# the name of it", false)]
    fn only_what_may_make_the_name_counts(#[case] text: &str, #[case] expected: bool) {
        let bytes = text.as_bytes();
        let found = memmem::find_iter(bytes, "name").any(|at| makes_name(bytes, at, 4));
        assert_eq!(found, expected, "{text}");
    }
}
