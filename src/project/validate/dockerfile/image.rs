//! Image references: registry, name, tag, digest.

/// `registry:port/name:tag@digest` taken apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) struct Image<'t> {
    pub(in super::super) name: &'t str,
    pub(in super::super) tag: Option<&'t str>,
    pub(in super::super) digest: Option<&'t str>,
}

impl<'t> Image<'t> {
    pub(in super::super) fn from_reference(text: &'t str) -> Self {
        let (rest, digest) = text.split_once('@').map_or((text, None), |(rest, digest)| (rest, Some(digest)));
        let colon = outside_variables(rest);
        let (name, tag) = match colon {
            Some(at) => (rest.get(..at).unwrap_or_default(), rest.get(at + 1..)),
            None => (rest, None),
        };
        Self { name, tag, digest }
    }

    /// True when the whole reference is decided elsewhere.
    pub(in super::super) fn is_variable(&self) -> bool {
        self.name.contains('$')
    }
}

/// Where the colon before the tag stands: after the last slash, and not inside `${…}`.
fn outside_variables(text: &str) -> Option<usize> {
    let (mut depth, mut colon) = (0_u32, None);
    for (at, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            '/' if depth == 0 => colon = None,
            ':' if depth == 0 => colon = colon.or(Some(at)),
            _ => {}
        }
    }
    colon
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_taken_apart() {
        let parts = |text| {
            let image = Image::from_reference(text);
            (image.name.to_owned(), image.tag.map(str::to_owned), image.digest.map(str::to_owned))
        };
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(parts("a"), ("a".into(), None, None));
        assert_eq!(parts("r.io:5000/a"), ("r.io:5000/a".into(), None, None));
        assert_eq!(parts("r.io:5000/a:1@sha256:0f"), ("r.io:5000/a".into(), some("1"), some("sha256:0f")));
        assert_eq!(parts("${I:-a:1}"), ("${I:-a:1}".into(), None, None));
        assert_eq!(parts("a:${V:-1}"), ("a".into(), some("${V:-1}"), None));
    }
}
