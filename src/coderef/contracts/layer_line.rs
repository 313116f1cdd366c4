//! One line of layers: `web`, `(web)`, `api | worker`, `api : worker`.

/// The layers of one height.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LayerLine {
    pub(super) members: Vec<LayerMember>,
    /// They may not import each other.
    pub(super) independent: bool,
}

/// One layer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LayerMember {
    pub(super) pattern: String,
    /// It need not be there.
    pub(super) optional: bool,
}

/// Members are apart by ` | ` or ` : `; the first of the two decides. Names of Rust have two colons and no spaces.
pub(super) fn parse_layer_line(line: &str) -> LayerLine {
    let independent = line.contains('|') || !line.contains(" : ");
    let parts: Vec<&str> = if independent { line.split('|').collect() } else { line.split(" : ").collect() };
    let member = |part: &str| {
        let part = part.trim();
        let inside = part.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
        LayerMember { pattern: inside.unwrap_or(part).trim().to_owned(), optional: inside.is_some() }
    };
    LayerLine { members: parts.into_iter().map(member).collect(), independent }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_members_and_says_whether_they_are_independent() {
        let shown = |line: &str| {
            let line = parse_layer_line(line);
            let members = line.members.iter().map(|it| format!("{}{}", it.pattern, if it.optional { "?" } else { "" }));
            (members.collect::<Vec<_>>().join(" "), line.independent)
        };
        assert_eq!(shown("web"), ("web".to_owned(), true));
        assert_eq!(shown("(web)"), ("web?".to_owned(), true));
        assert_eq!(shown("api | (worker)|x"), ("api worker? x".to_owned(), true));
        assert_eq!(shown("api : a::b"), ("api a::b".to_owned(), false));
        assert_eq!(shown("a::b"), ("a::b".to_owned(), true));
    }
}
