//! References inside a text.

use super::DESIGNATORS;

/// A text that goes on for longer is no reference, in bytes; every `@` of a file that is one line is looked at.
const LONGEST: usize = 4096;
const LONGEST_DESIGNATOR: usize = 12;

/// Something in a text that means to be a reference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mention {
    /// 1-based.
    pub line: u32,
    /// 1-based, in characters.
    pub column: u32,
    pub text: String,
}

/// Everything in a text that looks like a reference, in order.
///
/// A word after `@` that is no known type counts when an element or a line follows; everything else is a decorator, an
/// address or a package of a scope.
#[must_use]
pub fn find_references(text: &str) -> Vec<Mention> {
    let mut found = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let (mut from, mut counted, mut column) = (0, 0, 1);
        while let Some(at) = line.get(from..).and_then(|rest| rest.find('@')).map(|at| at + from) {
            from = at + 1;
            let before = line.get(..at).and_then(|before| before.chars().next_back());
            if before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '/' | '-')) {
                continue;
            }
            let Some(mention) = line.get(at..).and_then(leading_reference) else { continue };
            let between = line.get(counted..at).unwrap_or_default().chars().count();
            (counted, column) = (at, column + u32::try_from(between).unwrap_or_default());
            from = at + mention.len();
            found.push(Mention { line: number, column, text: mention.to_owned() });
        }
    }
    found
}

/// The reference that a text starts with.
fn leading_reference(text: &str) -> Option<&str> {
    let near = text.get(..text.floor_char_boundary(LONGEST))?;
    let start = near.bytes().take(LONGEST_DESIGNATOR + 2).position(|byte| byte == b'/')? + 1;
    let designator = near.get(1..start - 1)?;
    let capital = designator.starts_with(|c: char| c.is_ascii_uppercase());
    if !capital || !designator.chars().all(|c| c.is_ascii_alphanumeric()) {
        return None;
    }
    let end = start + end_of(near.get(start..)?);
    if end == near.len() && near.len() < text.len() {
        return None;
    }
    let found = text.get(..end)?.trim_end_matches(['.', ',', ';', ':', '!', '?', '*']);
    let known = DESIGNATORS.iter().any(|(known, _)| *known == designator);
    let body = found.get(start..)?;
    let pointed = body.contains('#')
        || body.rsplit_once(':').is_some_and(|(_, line)| line.starts_with(|c: char| c.is_ascii_digit()));
    (!body.is_empty() && (known || pointed)).then_some(found)
}

/// Where a reference ends: at white space, a quote or a bracket that it did not open.
fn end_of(text: &str) -> usize {
    let mut open: Vec<char> = Vec::new();
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match c {
            _ if std::mem::take(&mut escaped) => {}
            '\\' => escaped = true,
            '{' => open.push('}'),
            '(' => open.push(')'),
            '}' | ')' if open.last() == Some(&c) => {
                open.pop();
            }
            '}' | ')' | ']' | '>' | '<' | '`' | '\'' => return at,
            '"' if !open.contains(&'}') => return at,
            c if c.is_whitespace() && open.is_empty() => return at,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[rstest::rstest]
    #[case("// @Fn/auth/login#authenticate:24", &["@Fn/auth/login#authenticate:24"])]
    #[case("see @Cl/a.ts#A, and (@M/b.ts#B.#c:3).", &["@Cl/a.ts#A", "@M/b.ts#B.#c:3"])]
    #[case("`@F/a.ts` \"@F/b.ts\"", &["@F/a.ts", "@F/b.ts"])]
    #[case("@Fn/a.ts#f(x, y):3{status=done, by=\"me\"} rest", &["@Fn/a.ts#f(x, y):3{status=done, by=\"me\"}"])]
    #[case("@Fx/a.ts#f", &["@Fx/a.ts#f"])]
    #[case("import x from '@Scope/pkg'", &[])]
    #[case("me@Fn/a.ts#f @Component({}) @types/node", &[])]
    fn in_a_line(#[case] line: &str, #[case] expected: &[&str]) {
        let found: Vec<String> = find_references(line).into_iter().map(|mention| mention.text).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn places_count_characters() {
        let found = find_references("x\nüü @F/a.ts\n");
        assert_eq!((found[0].line, found[0].column), (2, 4));
    }

    #[test]
    fn a_file_that_is_one_line_is_looked_through_once() {
        let many = "é @F/a.ts ".repeat(100_000);
        let found = find_references(&many);
        assert_eq!((found.len(), found[99_999].column), (100_000, 999_993));
        assert_eq!(find_references(&"@Abc/(".repeat(20_000)), []);
        assert_eq!(find_references(&"@".repeat(2_000_000)), []);
        assert_eq!(find_references(&format!("@Fn/{}.ts#f", "a".repeat(LONGEST))), []);
    }
}
