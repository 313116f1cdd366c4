//! Rules about the use of libraries, as data: a file of rules for each library, in the form of a project's own.
//!
//! What a rule says holds for some versions of its library and for files that use it; whoever asks knows both of a project
//! ([`LibraryRule::holds_from`], [`LibraryRule::holds_before`], [`LibraryRule::without_import`]).

use std::sync::{LazyLock, OnceLock};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tapps_base::finding::{Category, Finding, Severity, Tool};
use tapps_base::rule::{Example, Rule};
use tapps_base::source::Source;

use crate::language::language_of_path;
use crate::matching::find_matches;
use crate::read::{parse_yaml, read_document};
use crate::rule::PatternRule;

tapps_base::wire_enum! {
    /// Where a library comes from.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
    pub enum Registry {
        PyPi = "pypi",
        Npm = "npm",
    }
}

/// Each library, by the name under which files import it and projects lock it.
const FILES: [(&str, Registry, &str); 6] = [
    ("django", Registry::PyPi, include_str!("django.yml")),
    ("express", Registry::Npm, include_str!("express.yml")),
    ("fastapi", Registry::PyPi, include_str!("fastapi.yml")),
    ("next", Registry::Npm, include_str!("next.yml")),
    ("pydantic", Registry::PyPi, include_str!("pydantic.yml")),
    ("sqlalchemy", Registry::PyPi, include_str!("sqlalchemy.yml")),
];

/// Points that a finding costs its category, in thousandths, from `info` to `critical`: in security, and elsewhere.
const COSTS: [[u32; 5]; 2] = [[0, 300, 1_000, 3_000, 5_000], [0, 250, 800, 2_000, 3_000]];

/// What is read of a rule beside what it matches.
#[derive(Debug, Deserialize)]
struct Declared {
    id: String,
    language: String,
    category: String,
    severity: Severity,
    message: String,
    #[serde(default)]
    note: String,
    #[serde(default)]
    metadata: Metadata,
    valid: Vec<String>,
    invalid: Vec<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Metadata {
    /// The first version that the rule holds for.
    from: Option<String>,
    /// The first version that it no longer holds for.
    before: Option<String>,
    #[serde(default)]
    also: Vec<String>,
    #[serde(default)]
    without_import: bool,
    cwe: Option<u32>,
}

/// One rule about a library.
#[derive(Debug)]
pub struct LibraryRule {
    library: &'static str,
    registry: Registry,
    metadata: Metadata,
    /// What the catalogue of rules is made from.
    texts: RuleTexts,
    category: Category,
    severity: Severity,
    /// As it stands in its file.
    document: Value,
    /// One for each language, made when a file is first looked at: most processes look at no library.
    patterns: OnceLock<Vec<PatternRule>>,
}

/// What a rule says, as documents show it.
#[derive(Debug)]
struct RuleTexts {
    code: String,
    summary: String,
    help: String,
    explanation: String,
    cwe: Option<String>,
    path: String,
    bad: String,
    good: String,
}

static KNOWN: LazyLock<Vec<LibraryRule>> = LazyLock::new(|| {
    let rules = FILES.into_iter().flat_map(|(library, registry, text)| {
        let documents = parse_yaml(text).unwrap_or_default();
        documents.into_iter().filter_map(move |document| LibraryRule::read(library, registry, &document).ok())
    });
    rules.collect()
});

static EXAMPLES: LazyLock<Vec<[Example; 1]>> = LazyLock::new(|| {
    let example = |rule: &'static LibraryRule| {
        let RuleTexts { path, bad, good, .. } = &rule.texts;
        [Example { path, bad, good }]
    };
    KNOWN.iter().map(example).collect()
});

static RULES: LazyLock<Vec<Rule>> = LazyLock::new(|| {
    let declare = |(known, examples): (&'static LibraryRule, &'static [Example; 1])| Rule {
        tool: Tool::Tapps,
        code: &known.texts.code,
        aliases: &[],
        category: known.category,
        severity: known.severity,
        cost: COSTS[usize::from(known.category != Category::Security)][known.severity as usize],
        blocking: false,
        summary: &known.texts.summary,
        help: &known.texts.help,
        explanation: &known.texts.explanation,
        examples,
        cwe: known.texts.cwe.as_deref(),
        since: "0.1.0",
    };
    KNOWN.iter().zip(EXAMPLES.iter()).map(declare).collect()
});

/// The rules as the catalogue has them.
pub fn catalogue() -> impl Iterator<Item = &'static Rule> {
    RULES.iter()
}

/// Every rule about a library.
pub fn library_rules() -> impl Iterator<Item = &'static LibraryRule> {
    KNOWN.iter()
}

/// What some rules say of a file, by place. Nothing of a file that is too deep or too costly for patterns.
#[must_use]
pub fn check_library_rules(rules: &[&'static LibraryRule], source: &Source) -> Vec<Finding> {
    let (Some(language), Some(text)) = (language_of_path(source.path()), source.text()) else { return Vec::new() };
    let speaks = |rule: &&PatternRule| rule.speaks_of(source.path(), language);
    let spoken: Vec<_> = rules.iter().flat_map(|rule| rule.patterns()).filter(speaks).collect();
    let configs: Vec<_> = spoken.iter().map(|rule| &rule.config).collect();
    let found = find_matches(&configs, language, (source.path(), text)).unwrap_or_default();
    let finding = |one: &crate::matching::PatternMatch| {
        let rule = catalogue().find(|rule| rule.code == one.rule)?;
        Some(rule.finding(one.message.clone()).at(one.line, one.column, one.end_line))
    };
    found.iter().filter_map(finding).collect()
}

impl LibraryRule {
    fn read(library: &'static str, registry: Registry, document: &Value) -> Result<Self, String> {
        let declared: Declared = serde_json::from_value(document.clone()).map_err(|error| error.to_string())?;
        let category = Category::ALL.into_iter().find(|one| one.as_str() == declared.category);
        let category =
            category.ok_or_else(|| format!("{}: there is no category {}", declared.id, declared.category))?;
        Ok(Self {
            library,
            registry,
            category,
            severity: declared.severity,
            document: document.clone(),
            patterns: OnceLock::new(),
            texts: RuleTexts::of(library, &declared),
            metadata: declared.metadata,
        })
    }

    fn patterns(&self) -> &[PatternRule] {
        self.patterns.get_or_init(|| self.read_patterns().into_iter().filter_map(Result::ok).collect())
    }

    fn read_patterns(&self) -> Vec<Result<PatternRule, String>> {
        let declared = self.document["language"].as_str().into_iter();
        let languages = declared.chain(self.metadata.also.iter().map(String::as_str));
        let read = |language: &str| {
            let mut document = self.document.clone();
            document["language"] = language.into();
            read_document(document).map_err(|why| format!("{}: {why}", self.texts.code))
        };
        languages.map(read).collect()
    }

    /// The code of its findings.
    #[must_use]
    pub fn code(&self) -> &str {
        &self.texts.code
    }

    /// The name under which files import the library and projects lock it.
    #[must_use]
    pub const fn library(&self) -> &'static str {
        self.library
    }

    #[must_use]
    pub const fn registry(&self) -> Registry {
        self.registry
    }

    /// The first version that the rule holds for; none when it holds for the oldest.
    #[must_use]
    pub fn holds_from(&self) -> Option<&str> {
        self.metadata.from.as_deref()
    }

    /// The first version that the rule no longer holds for.
    #[must_use]
    pub fn holds_before(&self) -> Option<&str> {
        self.metadata.before.as_deref()
    }

    /// Whether it holds in files that do not import the library, of a project that locks it.
    #[must_use]
    pub const fn without_import(&self) -> bool {
        self.metadata.without_import
    }
}

impl RuleTexts {
    fn of(library: &str, declared: &Declared) -> Self {
        let Declared { id, message, note, metadata, valid, invalid, language, .. } = declared;
        let told = sentence(message);
        let versions = match (&metadata.from, &metadata.before) {
            (Some(from), _) => format!(" from version {from} on"),
            (None, Some(before)) => format!(" before version {before}"),
            (None, None) => String::new(),
        };
        let files = if metadata.without_import { "files of projects that lock" } else { "files that import" };
        let example =
            |texts: &[String]| texts.first().map_or_else(String::new, |text| format!("{}\n", text.trim_end()));
        let ending = match language.as_str() {
            "Python" => "py",
            "Tsx" => "tsx",
            _ => "ts",
        };
        let help = if note.is_empty() {
            "See what the documentation of the library says of it".to_owned()
        } else {
            note.clone()
        };
        Self {
            code: id.clone(),
            explanation: format!("{told} {} It is said of {files} `{library}`{versions}.", sentence(&help)),
            summary: told,
            help,
            cwe: metadata.cwe.map(|number| format!("CWE-{number}")),
            path: format!("{library}.{ending}"),
            bad: example(invalid),
            good: example(valid),
        }
    }
}

/// A text that begins as a sentence and ends as one.
fn sentence(text: &str) -> String {
    let mut letters = text.trim_end_matches('.').chars();
    let first: String = letters.next().map(|first| first.to_uppercase().collect()).unwrap_or_default();
    format!("{first}{}.", letters.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Each document of each file, with what it says of itself.
    fn read_all() -> Vec<LibraryRule> {
        let mut rules = Vec::new();
        for (library, registry, text) in FILES {
            for document in parse_yaml(text).unwrap() {
                rules.push(LibraryRule::read(library, registry, &document).unwrap());
            }
        }
        rules
    }

    #[test]
    fn every_rule_can_be_used_and_has_a_name_of_its_own() {
        let read = read_all();
        assert_eq!((read.len(), read.len()), (library_rules().count(), catalogue().count()));
        assert_eq!(read.len(), 55);
        let names: BTreeSet<&str> = read.iter().map(|rule| rule.texts.code.as_str()).collect();
        assert_eq!(names.len(), read.len());
        for rule in &read {
            assert!(rule.texts.code.starts_with(&format!("{}-", rule.library)), "{}", rule.texts.code);
            assert!(rule.holds_from().is_none() || rule.holds_before().is_none(), "{}", rule.texts.code);
        }
    }

    #[test]
    fn examples_show_their_rules_in_every_language() {
        for rule in read_all() {
            for pattern in rule.read_patterns().into_iter().map(Result::unwrap) {
                let language = pattern.config.language;
                let finds =
                    |code: &str| !find_matches(&[&pattern.config], language, ("example", code)).unwrap().is_empty();
                for code in &pattern.invalid {
                    assert!(finds(code), "{} in {}: {code}", rule.texts.code, pattern.language());
                }
                for code in &pattern.valid {
                    assert!(!finds(code), "{} in {}: {code}", rule.texts.code, pattern.language());
                }
            }
        }
    }

    #[test]
    fn findings_say_what_was_matched() {
        let rules: Vec<&'static LibraryRule> = library_rules().filter(|rule| rule.library() == "django").collect();
        let source = Source::new("shop/models.py", b"made = models.DateTimeField(default=timezone.now())\n".to_vec());
        let found = check_library_rules(&rules, &source);
        let [finding] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!(finding.rule, "tapps:django-default-at-import");
        assert_eq!(
            finding.message,
            "the default of the field is what `timezone.now()` gave when the module was imported"
        );
        let migration = Source::new("shop/migrations/0001.py", source.bytes().to_vec());
        assert_eq!(check_library_rules(&rules, &migration), []);
    }
}
