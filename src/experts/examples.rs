//! Fenced examples, and whether they can be read in their language.

use oxc_span::SourceType;
use ruff_python_ast::{ModModule, PythonVersion};
use ruff_python_parser::Parsed;
use tapps_base::toml_text;
use tapps_syntax::python::parse::parse_python;
use tapps_syntax::script::parse::{Brackets, Unparsed, parse_script};

/// A fenced block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Example<'a> {
    /// What stands behind the fence.
    pub(super) language: &'a str,
    /// Line of the file of the opening fence, counted from 1.
    pub(super) line: u64,
    pub(super) text: &'a str,
}

/// The fenced blocks of a text, and the line of a fence that is never closed.
pub(super) fn find_examples(text: &str) -> (Vec<Example<'_>>, Option<u64>) {
    let (mut found, mut open) = (Vec::new(), None::<(&str, u64, usize)>);
    let (mut at, mut line) = (0, 0);
    for part in text.split_inclusive('\n') {
        line += 1;
        if let Some(fence) = part.strip_prefix("```") {
            match open.take() {
                None => open = Some((fence.trim(), line, at + part.len())),
                Some((language, line, start)) => {
                    found.push(Example { language, line, text: text.get(start..at).unwrap_or_default() });
                }
            }
        }
        at += part.len();
    }
    (found, open.map(|(_, line, _)| line))
}

/// What keeps an example from being read; none also for languages that nothing here can read.
pub(super) fn example_fault(example: &Example<'_>) -> Option<String> {
    match example.language {
        "" => Some("the example does not say in which language it is".to_owned()),
        "python" => python_error(example.text).map(|error| format!("no Python: {error}")),
        "typescript" => script_error(example.text, SourceType::ts()),
        "tsx" => script_error(example.text, SourceType::tsx()),
        "javascript" => script_error(example.text, SourceType::mjs()),
        "jsx" => script_error(example.text, SourceType::jsx()),
        "json" => {
            serde_json::from_str::<serde_json::Value>(example.text).err().map(|error| format!("no JSON: {error}"))
        }
        "toml" => toml_text::parse_table(example.text).err().map(|error| format!("no TOML: {}", error.message())),
        "yaml" => yaml_error(example.text).map(|error| format!("no YAML: {error}")),
        _ => None,
    }
}

fn python_error(text: &str) -> Option<String> {
    let first = |parsed: &Parsed<ModModule>| parsed.errors().first().map(|error| error.error.to_string());
    parse_python(text, PythonVersion::latest(), first).unwrap_or_else(|why| Some(why.reason()))
}

fn script_error(text: &str, kind: SourceType) -> Option<String> {
    let name = if kind.is_typescript() { "TypeScript" } else { "JavaScript" };
    let first = parse_script(text, &[kind], Brackets::AsNodes, |tree| {
        tree.parsed.diagnostics.first().map_or(Ok(()), |error| Err(error.to_string()))
    });
    match first {
        Ok(()) => None,
        Err(Unparsed::Rejected(said)) => said.first().map(|error| format!("no {name}: {error}")),
        Err(Unparsed::TooDeep(_) | Unparsed::NoStack) => Some(format!("no {name}: it nests too deeply")),
    }
}

fn yaml_error(text: &str) -> Option<String> {
    granit_parser::Parser::new_from_str(text).find_map(Result::err).map(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_found_with_their_lines() {
        let text = "a\n```python\nx = 1\n```\nb\n```\n?\n```\n```sql\nSELECT";
        let (found, open) = find_examples(text);
        let seen: Vec<(&str, u64, &str)> = found.iter().map(|e| (e.language, e.line, e.text)).collect();
        assert_eq!(seen, [("python", 2, "x = 1\n"), ("", 6, "?\n")]);
        assert_eq!(open, Some(9));
    }

    #[test]
    fn what_cannot_be_read_is_told() {
        let cases = [
            ("python", "x = (1", "no Python"),
            ("typescript", "const x: = 1", "no TypeScript"),
            ("javascript", "let x: number", "no JavaScript"),
            ("json", "{", "no JSON"),
            ("toml", "a = ", "no TOML"),
            ("yaml", "a: [", "no YAML"),
            ("", "x", "in which language"),
        ];
        for (language, text, why) in cases {
            let said = example_fault(&Example { language, line: 1, text }).unwrap_or_default();
            assert!(said.contains(why), "{language}: {said}");
        }
        let deep = |open: &str, language| example_fault(&Example { language, line: 1, text: &open.repeat(100_000) });
        for (open, language) in [("(", "python"), ("-", "python"), ("[", "typescript"), ("!", "javascript")] {
            assert!(deep(open, language).is_some(), "{open} {language}");
        }
        for (language, text) in [
            ("python", "match x:\n    case 1: pass\n"),
            ("tsx", "const a: string = <b/>;"),
            ("yaml", "a: 1\n---\nb: 2\n"),
            ("toml", "[a]\nb = 1\n"),
            ("text", "anything ["),
        ] {
            assert_eq!(example_fault(&Example { language, line: 1, text }), None, "{language}");
        }
    }
}
