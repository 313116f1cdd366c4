//! The same questions as arguments of another program's command line.

use serde::Serialize;
use serde_json::Value;

use super::arguments as given;

/// A command line in the making.
struct CommandLineBuilder(Vec<String>);

impl CommandLineBuilder {
    fn new(command: &str) -> Self {
        Self(vec![command.to_owned()])
    }

    fn word(mut self, word: &str) -> Self {
        self.0.push(word.to_owned());
        self
    }

    /// The option with a value as it is spelt in JSON; nothing when there is none.
    fn with(mut self, option: &str, value: Option<impl Serialize>) -> Self {
        let text = match value.and_then(|value| serde_json::to_value(value).ok()) {
            Some(Value::String(text)) => Some(text),
            Some(Value::Array(items)) if !items.is_empty() => {
                Some(items.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(","))
            }
            Some(number @ Value::Number(_)) => Some(number.to_string()),
            _ => None,
        };
        if let Some(text) = text {
            self.0.extend([option.to_owned(), text]);
        }
        self
    }
}

pub(super) fn scan(given: &given::CoderefScanArguments) -> Vec<String> {
    let line = CommandLineBuilder::new("scan").word(".").with("--lang", given.languages.as_ref()).word("--json");
    if given.use_ast == Some(false) { line.0 } else { line.word("--ast").0 }
}

pub(super) fn query(given: &given::Query) -> Vec<String> {
    let line =
        CommandLineBuilder::new("query").word(&given.target).with("--type", Some(given.query_type.canonical_type()));
    let line = line.with("--depth", given.max_depth.or(Some(3)));
    line.with("--source", given.source.as_ref()).word("--format").word("json").0
}

pub(super) fn impact(given: &given::Impact) -> Vec<String> {
    let line = CommandLineBuilder::new("impact").word(&given.element).with("--depth", given.max_depth.or(Some(3)));
    line.word("--format").word("json").0
}

pub(super) fn complexity(given: &given::Complexity) -> Vec<String> {
    CommandLineBuilder::new("complexity").word(&given.element).word("-f").word("json").0
}

pub(super) fn patterns(_given: &given::Patterns) -> Vec<String> {
    CommandLineBuilder::new("patterns").word("-f").word("json").0
}

pub(super) fn similar(given: &given::CoderefSimilarArguments) -> Vec<String> {
    let line = CommandLineBuilder::new("similar").word(&given.text).with("--lang", given.language);
    line.with("--limit", given.limit).word("--json").0
}

pub(super) fn coverage(_given: &given::CoderefCoverageArguments) -> Vec<String> {
    CommandLineBuilder::new("coverage").word("--format").word("json").0
}

pub(super) fn context(given: &given::CoderefContextArguments) -> Vec<String> {
    CommandLineBuilder::new("context").word(".").with("--lang", given.languages.as_ref()).word("-f").word("json").0
}

pub(super) fn diagram(given: &given::Diagram) -> Vec<String> {
    let line = CommandLineBuilder::new("diagram").with("--type", given.diagram_type);
    let line = line.with("--format", given.format.or(Some(Default::default())));
    let line = line.with("--depth", given.depth.or(Some(2)));
    given.focus.iter().fold(line, |line, focus| line.word(focus)).0
}

pub(super) fn validate(pattern: &str) -> Vec<String> {
    CommandLineBuilder::new("validate").word(".").word("--pattern").word(pattern).word("--format").word("json").0
}

pub(super) fn drift(given: &given::Drift) -> Vec<String> {
    let index = given.index_path.as_deref().unwrap_or(".coderef-index.json");
    CommandLineBuilder::new("drift").word(".").word("--index").word(index).word("--format").word("json").0
}

pub(super) fn tag(given: &given::Tag) -> Vec<String> {
    let flags = [
        (given.dry_run, "--dry-run"),
        (given.force, "--force"),
        (given.verbose, "--verbose"),
        (given.update_lineno, "--update-lineno"),
        (given.include_private, "--include-private"),
    ];
    let line = CommandLineBuilder::new("tag").word(&given.path);
    let set = flags.iter().filter(|(given, _)| *given == Some(true));
    let line = set.fold(line, |line, (_, flag)| line.word(flag));
    line.with("--lang", given.lang.as_ref()).with("--exclude", given.exclude.as_ref()).0
}

pub(super) fn export(given: &given::CoderefExportArguments) -> Vec<String> {
    let line = CommandLineBuilder::new("export")
        .with("--format", Some(given.format))
        .with("--output", given.output_path.as_ref());
    line.with("--max-nodes", given.max_nodes).0
}
