//! A doc comment taken apart: its tags, each with the text of its type and its name.

/// What a tag says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TagKind {
    Param,
    Returns,
    Type,
    Typedef,
    Property,
    Callback,
    Template,
    This,
    Extends,
    Implements,
}

/// One tag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Tag {
    pub(super) kind: TagKind,
    /// Position of the type among the texts of the file; of a template what it is bound to be at least.
    pub(super) ty: Option<u32>,
    pub(super) name: String,
    /// `[name]`, `{T=}`.
    pub(super) optional: bool,
    /// Of a template: what it stands for when nothing is given.
    pub(super) default: Option<u32>,
}

fn kind_of(word: &str) -> Option<TagKind> {
    Some(match word {
        "param" | "arg" | "argument" => TagKind::Param,
        "returns" | "return" => TagKind::Returns,
        "type" => TagKind::Type,
        "typedef" => TagKind::Typedef,
        "property" | "prop" => TagKind::Property,
        "callback" => TagKind::Callback,
        "template" => TagKind::Template,
        "this" => TagKind::This,
        "extends" | "augments" => TagKind::Extends,
        "implements" => TagKind::Implements,
        _ => return None,
    })
}

/// The tags of a comment that say something of types; the texts of their types are added to `texts`.
pub(super) fn parse_jsdoc_tags(comment: &str, texts: &mut Vec<String>) -> Vec<Tag> {
    let body = comment.strip_prefix("/**").unwrap_or(comment);
    let body = body.strip_suffix("*/").unwrap_or(body);
    let lines = body.lines().map(|line| {
        let line = line.trim();
        line.strip_prefix('*').unwrap_or(line)
    });
    let text = lines.collect::<Vec<_>>().join("\n");
    let (mut found, mut rest) = (Vec::new(), text.as_str());
    while let Some(at) = next_tag(rest) {
        rest = rest.get(at + 1..).unwrap_or_default();
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        rest = after;
        let Some(kind) = kind_of(word) else { continue };
        let mut tag = Tag { kind, ty: None, name: String::new(), optional: false, default: None };
        if let Some((ty, after)) = braced(rest.trim_start()) {
            let (ty, optional) = normalize_jsdoc_type(ty);
            (tag.ty, tag.optional) = (Some(push(texts, ty)), optional);
            rest = after;
        }
        match kind {
            TagKind::Template => found.extend(templates(&tag, rest, texts)),
            TagKind::Param | TagKind::Property | TagKind::Typedef | TagKind::Callback => {
                tag.name_from(rest);
                found.push(tag);
            }
            _ => found.push(tag),
        }
    }
    found
}

impl Tag {
    fn name_from(&mut self, rest: &str) {
        let rest = rest.trim_start_matches([' ', '\t', '\n']);
        if let Some(inner) = rest.strip_prefix('[') {
            let name = inner.split([']', '=']).next().unwrap_or_default();
            (self.name, self.optional) = (name.trim().to_owned(), true);
        } else {
            let end = rest.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '$' | '.' | '[' | ']')));
            let name = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
            name.trim_end_matches('.').clone_into(&mut self.name);
        }
    }
}

/// `@template T, [U=string]`: one tag each.
fn templates(first: &Tag, rest: &str, texts: &mut Vec<String>) -> Vec<Tag> {
    let mut found = Vec::new();
    let mut rest = rest.trim_start();
    loop {
        let mut tag = Tag { ty: first.ty.filter(|_| found.is_empty()), ..first.clone() };
        if let Some(inner) = rest.strip_prefix('[') {
            let Some((inside, after)) = inner.split_once(']') else { return found };
            let (name, default) = inside.split_once('=').unwrap_or((inside, ""));
            name.trim().clone_into(&mut tag.name);
            tag.default = (!default.trim().is_empty()).then(|| push(texts, default.trim().to_owned()));
            rest = after;
        } else {
            let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$')).unwrap_or(rest.len());
            let (name, after) = rest.split_at(end);
            name.clone_into(&mut tag.name);
            rest = after;
        }
        if tag.name.is_empty() {
            return found;
        }
        found.push(tag);
        match rest.trim_start_matches([' ', '\t']).strip_prefix(',') {
            Some(more) => rest = more.trim_start(),
            None => return found,
        }
    }
}

fn push(texts: &mut Vec<String>, text: String) -> u32 {
    texts.push(text);
    u32::try_from(texts.len() - 1).unwrap_or(u32::MAX)
}

/// The next `@` with a word behind it and nothing but white space before it.
fn next_tag(text: &str) -> Option<usize> {
    text.match_indices('@').map(|(at, _)| at).find(|at| {
        let before = text.get(..*at).and_then(|before| before.chars().next_back());
        let after = text.get(at + 1..).and_then(|after| after.chars().next());
        before.is_none_or(char::is_whitespace) && after.is_some_and(|after| after.is_ascii_alphabetic())
    })
}

/// What stands in the braces at the beginning, and what comes after them.
fn braced(text: &str) -> Option<(&str, &str)> {
    let inner = text.strip_prefix('{')?;
    let mut depth = 1_u32;
    for (at, byte) in inner.bytes().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some((inner.get(..at)?, inner.get(at + 1..)?));
        }
    }
    None
}

/// A type in the words of TypeScript, and whether it may be missing: `T=`, `...T`, `Array.<T>` and `*` are older ways.
fn normalize_jsdoc_type(ty: &str) -> (String, bool) {
    let ty = ty.trim();
    let (ty, optional) = ty.strip_suffix('=').filter(|ty| !ty.is_empty()).map_or((ty, false), |ty| (ty, true));
    let ty = ty.replace(".<", "<");
    match ty.strip_prefix("...") {
        Some(item) => (format!("({item})[]"), true),
        None if ty == "*" || ty == "?" => ("any".to_owned(), optional),
        None => (ty, optional),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `kind type name`, with `?` for what is optional.
    fn shown(comment: &str) -> Vec<String> {
        let mut texts = Vec::new();
        let text = |texts: &[String], ty: Option<u32>| {
            ty.map(|ty| texts[ty as usize].split_whitespace().collect::<Vec<_>>().join(" ")).unwrap_or_default()
        };
        let tags = parse_jsdoc_tags(comment, &mut texts);
        let one = |tag: &Tag| {
            let optional = if tag.optional { "?" } else { "" };
            let default = tag.default.map(|ty| format!("={}", texts[ty as usize])).unwrap_or_default();
            format!("{:?} {} {}{optional}{default}", tag.kind, text(&texts, tag.ty), tag.name)
        };
        tags.iter().map(one).collect()
    }

    #[test]
    fn tags_are_read_with_their_types() {
        assert_eq!(
            shown(
                "/**\n * Says {what} me@example.org does\n * @param {Map<string, {a: B}>} map a map\n\t * @param {C=} c\n\
                 * @param {...D} rest\n * @param {{\n *   e: E, // an e\n * }} [options={}] more\n * @deprecated\n\
                 * @returns {Promise<F>} result\n */"
            ),
            [
                "Param Map<string, {a: B}> map",
                "Param C c?",
                "Param (D)[] rest?",
                "Param { e: E, // an e } options?",
                "Returns Promise<F> ",
            ]
        );
        assert_eq!(shown("/** @type {Array.<G>} */"), ["Type Array<G> "]);
        assert_eq!(shown("/** @typedef {import(\"./h\")} H */"), ["Typedef import(\"./h\") H"]);
        assert_eq!(
            shown("/** @template {object} T, U\n @template [V=string]\n @callback I\n @param {*} options.j */"),
            ["Template object T", "Template  U", "Template  V=string", "Callback  I", "Param any options.j"]
        );
        assert_eq!(shown("/** @see {@link Other} a@param {J} j @param {K} k */"), ["Param K k"]);
        assert_eq!(shown("/** @param {unclosed name */"), ["Param  "]);
    }
}
