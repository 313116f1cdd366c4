//! Reading a reference.

use super::{DESIGNATORS, Meta, MetaValue, Reference, ReferenceLines, escape};
use tapps_base::{Error, Result, nearest};

/// Names of blocks that a line may be given by.
const BLOCKS: [&str; 9] = ["block", "case", "catch", "else", "for", "function", "if", "switch", "try"];

/// Reads a reference.
///
/// # Errors
/// `invalid_argument` that says which part is wrong, for an unknown designator with the nearest known ones.
pub fn parse_reference(text: &str) -> Result<Reference> {
    let fault = |what: &str| {
        Error::invalid(format!("`{text}` is no reference: {what}"))
            .hint("write @Type/path[#element][:line][{metadata}], for example @Fn/src/auth.ts#login:24")
    };
    let rest = text.strip_prefix('@').ok_or_else(|| fault("it does not start with `@`"))?;
    let (designator, rest) = rest.split_once('/').ok_or_else(|| fault("there is no `/` after the type"))?;
    if !is_designator(designator) {
        return Err(fault("its type is not a word that starts with a capital letter"));
    }
    if !DESIGNATORS.iter().any(|(known, _)| *known == designator) {
        let known = DESIGNATORS.iter().map(|(known, _)| *known);
        return Err(Error::invalid(format!("`{text}`: `{designator}` is no type of reference"))
            .hint(nearest::hint(designator, known)));
    }
    let (rest, metadata) = split_metadata(rest).map_err(&fault)?;
    let (rest, lines) = split_lines(rest).map_err(&fault)?;
    let (path, element) = match unescaped_position(rest, b'#') {
        Some(at) => (text_before_offset(rest, at), Some(text_after_offset(rest, at))),
        None => (rest, None),
    };
    let (element, parameters) = match element {
        Some(element) => split_parameters(element).map_err(&fault).map(|(name, list)| (Some(name), list))?,
        None => (None, None),
    };
    Ok(Reference {
        designator: designator.to_owned(),
        path: read_path(path).map_err(&fault)?,
        element: element.map(read_element).transpose().map_err(&fault)?,
        parameters,
        lines,
        metadata,
    })
}

fn is_designator(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_uppercase()) && text.chars().all(|c| c.is_ascii_alphanumeric())
}

fn text_before_offset(text: &str, at: usize) -> &str {
    text.get(..at).unwrap_or_default()
}

fn text_after_offset(text: &str, at: usize) -> &str {
    text.get(at + 1..).unwrap_or_default()
}

/// The first of a byte that no backslash stands before.
fn unescaped_position(text: &str, wanted: u8) -> Option<usize> {
    let mut escaped = false;
    text.bytes().position(|byte| {
        let found = byte == wanted && !escaped;
        escaped = byte == b'\\' && !escaped;
        found
    })
}

fn read_path(path: &str) -> Result<String, &'static str> {
    let decoded = escape::decode(path).ok_or("its path has an escape that cannot be read")?;
    if decoded.is_empty() {
        return Err("it has no path");
    }
    if path.chars().any(|c| c.is_whitespace() || c.is_control() || "{}:()[]".contains(c)) && !path.contains('\\') {
        return Err("its path has a character that must be percent-encoded");
    }
    if decoded.split('/').any(|part| matches!(part, "" | "." | "..")) {
        return Err("its path is not a plain path below the project root");
    }
    Ok(decoded.into_owned())
}

fn read_element(element: &str) -> Result<String, &'static str> {
    if element.is_empty() {
        return Err("there is no name after `#`");
    }
    if element.chars().any(|c| c.is_whitespace() || c.is_control()) {
        return Err("its element has a character that must be percent-encoded");
    }
    let decoded = escape::decode(element).ok_or("its element has an escape that cannot be read")?;
    Ok(decoded.into_owned())
}

type Parameters = Option<Vec<String>>;

fn split_parameters(element: &str) -> Result<(&str, Parameters), &'static str> {
    let Some(at) = unescaped_position(element, b'(') else { return Ok((element, None)) };
    let list = text_after_offset(element, at).strip_suffix(')').ok_or("a parenthesis is not closed")?;
    let each = list.split(',').map(str::trim).filter(|each| !each.is_empty());
    let each = each.map(|each| escape::decode(each).map(std::borrow::Cow::into_owned));
    let each: Option<Vec<String>> = each.collect();
    Ok((text_before_offset(element, at), Some(each.ok_or("a parameter has an escape that cannot be read")?)))
}

/// Takes `{...}` from the end, unless it belongs to a block that gives the line.
fn split_metadata(text: &str) -> Result<(&str, Vec<Meta>), &'static str> {
    let Some(inner) = text.strip_suffix('}').filter(|inner| !inner.ends_with('\\')) else {
        return Ok((text, Vec::new()));
    };
    let Some(open) = inner.rfind('{') else { return Err("a brace is not opened") };
    let before = text_before_offset(inner, open);
    if before.rsplit_once(':').is_some_and(|(_, word)| BLOCKS.contains(&word) || word == "while") {
        return Ok((text, Vec::new()));
    }
    let entries = text_after_offset(inner, open).split(',').map(str::trim).filter(|entry| !entry.is_empty());
    Ok((before, entries.map(read_meta).collect::<Result<_, _>>()?))
}

fn read_meta(entry: &str) -> Result<Meta, &'static str> {
    const FAULT: &str = "its metadata cannot be read";
    let (name, value) = match entry.split_once('=') {
        Some((name, value)) => (name.trim(), Some(value.trim())),
        None => (entry, None),
    };
    let (category, key) = match name.split_once(':') {
        Some((category, key)) => (Some(category), key),
        None => (None, name),
    };
    let decoded = |text: &str| escape::decode(text).map(std::borrow::Cow::into_owned).ok_or(FAULT);
    if key.is_empty() || category == Some("") {
        return Err(FAULT);
    }
    Ok(Meta {
        category: category.map(decoded).transpose()?,
        key: decoded(key)?,
        value: value.map(|value| read_value(value).ok_or(FAULT)).transpose()?,
    })
}

fn read_value(text: &str) -> Option<MetaValue> {
    if let Some(inner) = text.strip_prefix('"') {
        return Some(MetaValue::Text(escape::decode(inner.strip_suffix('"')?)?.into_owned()));
    }
    Some(match text {
        "true" => MetaValue::Bool(true),
        "false" => MetaValue::Bool(false),
        _ => match (text.parse::<i64>(), text.parse::<f64>()) {
            (Ok(value), _) => MetaValue::Integer(value),
            (_, Ok(value)) if value.is_finite() && text.contains(|c: char| c.is_ascii_digit()) => {
                MetaValue::Number(value)
            }
            _ => MetaValue::Text(escape::decode(text)?.into_owned()),
        },
    })
}

/// True for a text that is read as a text without quotes.
pub(super) fn is_plain_text(text: &str) -> bool {
    !text.is_empty() && matches!(read_value(&escape::encode_text(text)), Some(MetaValue::Text(read)) if read == text)
}

fn split_lines(text: &str) -> Result<(&str, Option<ReferenceLines>), &'static str> {
    let colon = text.bytes().enumerate().rev().find(|&(at, byte)| {
        byte == b':' && at.checked_sub(1).and_then(|before| text.as_bytes().get(before)) != Some(&b'\\')
    });
    let Some((at, _)) = colon else { return Ok((text, None)) };
    let lines = text_after_offset(text, at);
    let number = |text: &str| text.parse::<u32>().ok().filter(|line| *line > 0);
    let read = if let Some((kind, id)) = lines.strip_suffix('}').and_then(|lines| lines.split_once('{')) {
        let known = BLOCKS.contains(&kind) || kind == "while";
        let id = escape::decode(id).filter(|id| known && !id.is_empty());
        id.map(|id| ReferenceLines::Block { kind: kind.to_owned(), id: id.into_owned() })
    } else if let Some((from, to)) = lines.split_once('-') {
        number(from).zip(number(to)).filter(|(from, to)| from <= to).map(|(from, to)| ReferenceLines::Range(from, to))
    } else {
        number(lines).map(ReferenceLines::One)
    };
    Ok((text_before_offset(text, at), Some(read.ok_or("what follows `:` is no line, range or block")?)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[rstest::rstest]
    #[case("@Fn/auth/login#authenticate:24", "auth/login", Some("authenticate"), Some(ReferenceLines::One(24)))]
    #[case("@M/query.ts#Query.#dispatch:48", "query.ts", Some("Query.#dispatch"), Some(ReferenceLines::One(48)))]
    #[case("@V/a.ts##secret", "a.ts", Some("#secret"), None)]
    #[case("@V/a.ts#$name", "a.ts", Some("$name"), None)]
    #[case("@C/app/%5Bslug%5D/%2Bpage.svelte#default", "app/[slug]/+page.svelte", Some("default"), None)]
    #[case("@F/%40scope/x.ts:3-9", "@scope/x.ts", None, Some(ReferenceLines::Range(3, 9)))]
    #[case("@F/a\\:b\\#c.ts", "a:b#c.ts", None, None)]
    #[case("@Fn/a.py#f~2:1", "a.py", Some("f~2"), Some(ReferenceLines::One(1)))]
    fn parts(
        #[case] text: &str,
        #[case] path: &str,
        #[case] element: Option<&str>,
        #[case] lines: Option<ReferenceLines>,
    ) {
        let read = parse_reference(text).unwrap();
        assert_eq!((read.path.as_str(), read.element.as_deref(), read.lines), (path, element, lines));
    }

    #[test]
    fn parameters_blocks_and_metadata() {
        let read =
            parse_reference("@Fn/a.ts#f(x, y):if{guard}{status=done,n:count=3,ok=true,x=1.5,s=\"true\",flag}").unwrap();
        assert_eq!(read.parameters, Some(vec!["x".to_owned(), "y".to_owned()]));
        assert_eq!(read.lines, Some(ReferenceLines::Block { kind: "if".into(), id: "guard".into() }));
        let values: Vec<Option<MetaValue>> = read.metadata.iter().map(|meta| meta.value.clone()).collect();
        let text = |text: &str| Some(MetaValue::Text(text.to_owned()));
        let expected = [
            text("done"),
            Some(MetaValue::Integer(3)),
            Some(MetaValue::Bool(true)),
            Some(MetaValue::Number(1.5)),
            text("true"),
            None,
        ];
        assert_eq!(values, expected);
        assert_eq!(read.metadata[1].category.as_deref(), Some("n"));
        assert_eq!(parse_reference(&read.to_string()).unwrap(), read);
    }

    #[rstest::rstest]
    #[case("Fn/a.ts", "does not start")]
    #[case("@Fn", "no `/`")]
    #[case("@fn/a.ts", "capital")]
    #[case("@Fx/a.ts", "no type of reference")]
    #[case("@Fn/", "no path")]
    #[case("@Fn/../a.ts", "plain path")]
    #[case("@Fn/a b.ts", "percent-encoded")]
    #[case("@Fn/[slug].ts", "percent-encoded")]
    #[case("@Fn/a%5.ts", "escape")]
    #[case("@Fn/a.ts#", "no name")]
    #[case("@Fn/a.ts:0", "no line")]
    #[case("@Fn/a.ts:9-3", "no line")]
    #[case("@Fn/a.ts#f(x", "not closed")]
    #[case("@Fn/a.ts#f{=3}", "metadata")]
    fn faults_say_which_part(#[case] text: &str, #[case] expected: &str) {
        let error = parse_reference(text).unwrap_err();
        assert!(error.message().contains(expected), "{}", error.message());
        assert!(error.body().hint.is_some());
    }

    fn meta() -> impl Strategy<Value = Meta> {
        let value = prop_oneof![
            any::<bool>().prop_map(MetaValue::Bool),
            any::<i64>().prop_map(MetaValue::Integer),
            (-1e9..1e9).prop_map(MetaValue::Number),
            ".{0,12}".prop_map(MetaValue::Text),
        ];
        (proptest::option::of(".{1,6}"), ".{1,8}", proptest::option::of(value))
            .prop_map(|(category, key, value)| Meta { category, key, value })
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(
            designator in 0..DESIGNATORS.len(),
            path in "[^/\\x00]{1,9}(/[^/\\x00]{1,9}){0,3}",
            element in proptest::option::of("#?[^\\x00]{1,8}(\\.#?[a-zA-Z$_]{1,6}){0,2}"),
            parameters in proptest::option::of(proptest::collection::vec("[^\\x00]{1,6}", 0..3)),
            lines in proptest::option::of(prop_oneof![
                (1u32..9999).prop_map(ReferenceLines::One),
                (1u32..99, 0u32..99).prop_map(|(from, more)| ReferenceLines::Range(from, from + more)),
                ".{1,5}".prop_map(|id| ReferenceLines::Block { kind: "try".to_owned(), id }),
            ]),
            metadata in proptest::collection::vec(meta(), 0..3),
        ) {
            prop_assume!(path.split('/').all(|part| part != "." && part != ".."));
            let parameters = parameters.filter(|_| element.is_some());
            let designator = DESIGNATORS[designator].0.to_owned();
            let reference = Reference { designator, path, element, parameters, lines, metadata };
            let text = reference.to_string();
            prop_assert_eq!(parse_reference(&text).unwrap(), reference, "{}", text);
        }
    }
}
