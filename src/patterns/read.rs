//! Reading files of rules, within bounds: a rule file is foreign text as much as code is.

use std::error::Error as _;

use ast_grep_config::{GlobalRules, RuleConfig, RuleConfigError, SerializableRuleConfig};
use ast_grep_language::SupportLang;
use globset::{Glob, GlobBuilder, GlobSet, GlobSetBuilder};
use regex::RegexBuilder;
use serde_json::{Map, Value};
use tapps_base::finding::{Category, Severity};
use tapps_base::rule::ProjectRule;
use tapps_base::{Error, ErrorCode, Result, nearest};

use crate::language::{language_of_word, pattern_languages};
use crate::rule::PatternRule;
use crate::rule_set::RULES_FOLDER;

/// Most files of rules.
pub(crate) const MOST_FILES: usize = 100;
/// Largest file of rules, in bytes.
pub(crate) const LARGEST_FILE: u64 = 64 << 10;
/// Most rules of a project.
pub(crate) const MOST_RULES: usize = 500;
/// How deep maps and lists of a file may be nested.
const DEEPEST: usize = 48;
/// Longest text that is a pattern, a regular expression or part of another matcher, in bytes.
const LONGEST_MATCHER: usize = 2_000;
/// Largest compiled regular expression, in bytes.
const LARGEST_REGEX: usize = 256 << 10;
/// Most regular expressions of a project.
const MOST_REGEXES: usize = 500;
/// Most bytes of all files of rules.
const MOST_BYTES: usize = 512 << 10;
/// Longest identifier, in bytes.
const LONGEST_ID: usize = 64;
/// Most that one finding may cost, in points of its category.
const MOST_COST: f64 = 10.0;
/// Longest explanation of what is wrong that is passed on, in characters.
const LONGEST_WHY: usize = 300;

/// What a rule may have.
const KEYS: [&str; 20] = [
    "id",
    "language",
    "rule",
    "constraints",
    "utils",
    "transform",
    "fix",
    "rewriters",
    "message",
    "note",
    "severity",
    "labels",
    "files",
    "ignores",
    "url",
    "metadata",
    "category",
    "cost",
    "valid",
    "invalid",
];

/// Keys whose values are matched with, where the length of texts counts.
const MATCHERS: [&str; 5] = ["rule", "constraints", "utils", "transform", "rewriters"];

/// ast-grep's words for severities beside this program's own.
const SEVERITIES: [(&str, Option<Severity>); 9] = [
    ("info", Some(Severity::Info)),
    ("low", Some(Severity::Low)),
    ("medium", Some(Severity::Medium)),
    ("high", Some(Severity::High)),
    ("critical", Some(Severity::Critical)),
    ("hint", Some(Severity::Info)),
    ("warning", Some(Severity::Medium)),
    ("error", Some(Severity::High)),
    ("off", None),
];

/// Whether a path from the project's root is that of a file of rules.
#[must_use]
pub fn is_rule_file(path: &str) -> bool {
    let inside = path.strip_prefix(RULES_FOLDER).and_then(|rest| rest.strip_prefix('/'));
    inside.is_some_and(|name| !name.contains('/') && (name.ends_with(".yml") || name.ends_with(".yaml")))
}

/// Rules that cannot be used, and why.
pub(crate) fn unusable_rules(file: &str, why: &str) -> Error {
    let why: String = why.chars().take(LONGEST_WHY).map(|c| if c.is_control() { ' ' } else { c }).collect();
    Error::new(ErrorCode::ConfigError, format!("{file} cannot be used: {why}"))
}

/// What is wrong with a field of a rule.
struct Fault {
    field: &'static str,
    why: String,
    hint: String,
}

fn fault(field: &'static str, why: impl Into<String>, hint: impl Into<String>) -> Fault {
    Fault { field, why: why.into(), hint: hint.into() }
}

/// What of the bounds on all files together is used up.
#[derive(Debug, Default)]
pub(crate) struct UsedUp {
    bytes: usize,
    regexes: usize,
}

/// The rules of one file.
///
/// # Errors
/// `config_error` that names the file, the rule and the field.
pub(crate) fn read_rule_file(file: &str, text: &str, used: &mut UsedUp) -> Result<Vec<PatternRule>> {
    used.bytes += text.len();
    if used.bytes > MOST_BYTES {
        return Err(unusable_rules(file, &format!("with it, the rules come to more than {MOST_BYTES} bytes"))
            .hint("remove rules that find nothing any more"));
    }
    let documents = parse_yaml(text).map_err(|why| unusable_rules(file, &why).hint("correct the YAML of the file"))?;
    used.regexes += regexes_in(&documents);
    if used.regexes > MOST_REGEXES {
        return Err(unusable_rules(
            file,
            &format!("with it, the rules have more than {MOST_REGEXES} regular expressions"),
        )
        .hint("join them with `|`, or remove rules that find nothing any more"));
    }
    let mut rules = Vec::new();
    for (at, document) in (1..).zip(documents) {
        let called = document.get("id").and_then(Value::as_str).filter(|id| is_id(id)).map(str::to_owned);
        let rule = read_rule(file, document).map_err(|fault| {
            let which = called.map_or_else(|| format!("rule {at} of it"), |id| format!("its rule `{id}`"));
            unusable_rules(file, &format!("`{}` of {which}: {}", fault.field, fault.why)).hint(fault.hint)
        })?;
        rules.push(rule);
    }
    Ok(rules)
}

/// A rule that stands in no file.
///
/// # Errors
/// What is wrong with it.
pub(crate) fn read_document(document: Value) -> Result<PatternRule, String> {
    read_rule("", document).map_err(|fault| fault.why)
}

pub(crate) fn parse_yaml(text: &str) -> Result<Vec<Value>, String> {
    let options = serde_saphyr::options! {
        budget: serde_saphyr::budget! {
            max_depth: DEEPEST,
            max_aliases: 100,
            max_anchors: 100,
            max_documents: MOST_RULES + 1,
        },
        alias_limits: serde_saphyr::alias_limits! { max_total_replayed_events: 20_000 },
        // As ast-grep reads them.
        strict_booleans: true,
    };
    serde_saphyr::from_multiple_with_options(text, options).map_err(|error| {
        let place = error.location().map_or_else(String::new, |at| format!("line {}: ", at.line()));
        format!("{place}{}", error.without_snippet())
    })
}

fn is_id(text: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    (1..=LONGEST_ID).contains(&text.len()) && text.chars().all(plain)
}

fn read_rule(file: &str, document: Value) -> Result<PatternRule, Fault> {
    let Value::Object(mut fields) = document else {
        return Err(fault("rule", "it is no map", "begin with `id`, `language` and `rule`"));
    };
    if let Some(unknown) = fields.keys().find(|key| !KEYS.contains(&key.as_str())) {
        let shown = if is_id(unknown) { format!("`{unknown}`") } else { "a key that is no plain word".to_owned() };
        return Err(fault("rule", format!("there is no field {shown}"), nearest::hint(unknown, KEYS)));
    }
    let id = text_field(&fields, "id")?.unwrap_or_default().to_owned();
    if !is_id(&id) {
        let hint = format!("name the rule with letters, digits, `-`, `_` and `.`, {LONGEST_ID} at most");
        return Err(fault("id", "it is missing, or no plain name", hint));
    }
    let language = read_language(&fields)?;
    let severity = read_severity(&mut fields)?;
    let category = read_category(&mut fields)?;
    let cost = read_cost(&mut fields)?;
    let (valid, invalid) = (texts(&mut fields, "valid")?, texts(&mut fields, "invalid")?);
    let (files, ignores) = (globs(&fields, "files")?, globs(&fields, "ignores")?);
    for key in MATCHERS {
        if let Some(value) = fields.get(key) {
            check_matcher(key, value)?;
        }
    }
    let note = text_field(&fields, "note")?.map(str::to_owned);
    let url = text_field(&fields, "url")?.map(str::to_owned);
    let help = note.into_iter().chain(url).collect::<Vec<_>>().join(" ");
    let config = compile(Value::Object(fields))?;
    debug_assert_eq!(config.language, language);
    Ok(PatternRule {
        rule: ProjectRule {
            code: id,
            category,
            severity: severity.unwrap_or(Severity::Info),
            cost: cost.unwrap_or(0),
            help: (!help.is_empty()).then_some(help),
        },
        file: file.to_owned(),
        has_cost: cost.is_some(),
        off: severity.is_none(),
        files,
        ignores,
        valid,
        invalid,
        config,
    })
}

fn text_field<'f>(fields: &'f Map<String, Value>, key: &'static str) -> Result<Option<&'f str>, Fault> {
    match fields.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => Err(fault(key, "it is no text", "write it as a text, in quotes")),
    }
}

fn read_language(fields: &Map<String, Value>) -> Result<SupportLang, Fault> {
    let word = text_field(fields, "language")?.unwrap_or_default();
    language_of_word(word).ok_or_else(|| {
        fault("language", "it is missing, or none that is scored", nearest::hint(word, pattern_languages()))
    })
}

/// None for a rule that is off. ast-grep's own default is a hint.
fn read_severity(fields: &mut Map<String, Value>) -> Result<Option<Severity>, Fault> {
    let word = text_field(fields, "severity")?.unwrap_or("hint").to_owned();
    fields.remove("severity");
    let found = SEVERITIES.iter().find(|(known, _)| *known == word);
    found
        .map(|(_, severity)| *severity)
        .ok_or_else(|| fault("severity", "it is none", nearest::hint(&word, SEVERITIES.map(|(known, _)| known))))
}

fn read_category(fields: &mut Map<String, Value>) -> Result<Category, Fault> {
    let word = text_field(fields, "category")?.unwrap_or(Category::Maintainability.as_str()).to_owned();
    fields.remove("category");
    let known = Category::ALL.map(Category::as_str);
    let found = Category::ALL.into_iter().find(|one| one.as_str() == word);
    found.ok_or_else(|| fault("category", "it is none", nearest::hint(&word, known)))
}

/// In thousandths of a point of the category.
fn read_cost(fields: &mut Map<String, Value>) -> Result<Option<u32>, Fault> {
    let Some(value) = fields.remove("cost").filter(|value| !value.is_null()) else { return Ok(None) };
    let points = value.as_f64().filter(|points| (0.0..=MOST_COST).contains(points));
    let points = points.ok_or_else(|| {
        let hint = format!("write how many of the ten points of its category a finding costs: 0 to {MOST_COST}");
        fault("cost", "it is no such number", hint)
    })?;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and 10 000")]
    Ok(Some((points * 1000.0).round() as u32))
}

fn texts(fields: &mut Map<String, Value>, key: &'static str) -> Result<Vec<String>, Fault> {
    let no_texts = || fault(key, "it is no list of texts", "write each example as a text of a list");
    match fields.remove(key) {
        None | Some(Value::Null) => Ok(Vec::new()),
        Some(Value::Array(items)) => {
            items.iter().map(|item| item.as_str().map(str::to_owned).ok_or_else(no_texts)).collect()
        }
        Some(_) => Err(no_texts()),
    }
}

/// Globs as ast-grep reads them: `*` goes beyond `/`.
fn globs(fields: &Map<String, Value>, key: &'static str) -> Result<Option<GlobSet>, Fault> {
    let Some(value) = fields.get(key).filter(|value| !value.is_null()) else { return Ok(None) };
    let bad =
        || fault(key, "it is no list of globs", "write a list of globs from the project's root, like `src/**/*.py`");
    let mut set = GlobSetBuilder::new();
    for item in value.as_array().ok_or_else(bad)? {
        let glob = match item {
            Value::String(text) => Glob::new(text),
            item => {
                let text = item.get("glob").and_then(Value::as_str).ok_or_else(bad)?;
                let insensitive = item.get("caseInsensitive").and_then(Value::as_bool).unwrap_or_default();
                GlobBuilder::new(text).case_insensitive(insensitive).build()
            }
        };
        set.add(glob.map_err(|_| bad())?);
    }
    set.build().map(Some).map_err(|_| bad())
}

/// Texts of a matcher are short, and its regular expressions small.
fn check_matcher(field: &'static str, value: &Value) -> Result<(), Fault> {
    let mut open = vec![("", value)];
    while let Some((key, value)) = open.pop() {
        match value {
            Value::Object(map) => open.extend(map.iter().map(|(key, value)| (key.as_str(), value))),
            Value::Array(items) => open.extend(items.iter().map(|item| (key, item))),
            Value::String(text) if text.len() > LONGEST_MATCHER => {
                let why = format!("a text of it is longer than {LONGEST_MATCHER} bytes");
                return Err(fault(field, why, "match less of it, or make several rules of it"));
            }
            Value::String(text) if is_regex_key(key) => {
                let compiled = RegexBuilder::new(text).size_limit(LARGEST_REGEX).build();
                if let Err(error) = compiled {
                    let why = match error {
                        regex::Error::CompiledTooBig(_) => "a regular expression of it is too large".to_owned(),
                        _ => "a regular expression of it cannot be read".to_owned(),
                    };
                    return Err(fault(field, why, "correct it, or count less with `{…}` and classes of letters"));
                }
            }
            _ => {}
        }
    }
    Ok(())
}

/// `replace` of a transformation is one as well.
fn is_regex_key(key: &str) -> bool {
    matches!(key, "regex" | "replace")
}

fn regexes_in(documents: &[Value]) -> usize {
    let mut open: Vec<&Value> = documents.iter().collect();
    let mut count = 0;
    while let Some(value) = open.pop() {
        match value {
            Value::Object(map) => {
                count += map.iter().filter(|(key, value)| is_regex_key(key) && value.is_string()).count();
                open.extend(map.values());
            }
            Value::Array(items) => open.extend(items),
            _ => {}
        }
    }
    count
}

fn compile(fields: Value) -> Result<RuleConfig<SupportLang>, Fault> {
    let hint =
        "see docs/project-rules.md for what a rule may have, and `tapps-mcp rules try` for what a pattern matches";
    let parsed: SerializableRuleConfig<SupportLang> =
        serde_json::from_value(fields).map_err(|error| fault("rule", error.to_string(), hint))?;
    // Patterns are parsed, and trees of them made by going down.
    let compiled = tapps_syntax::stack::on_fitting_stack(tapps_syntax::stack::USUAL_STACK, || {
        RuleConfig::try_from(parsed, &GlobalRules::default())
    });
    match compiled {
        Ok(Ok(config)) => Ok(config),
        Ok(Err(error)) => Err(fault(field_of(&error), chain_of(&error), hint)),
        Err(_) => Err(fault("rule", "there is no thread to read it", "end other programs, and ask again")),
    }
}

fn field_of(error: &RuleConfigError) -> &'static str {
    use ast_grep_config::RuleCoreError;
    match error {
        RuleConfigError::Core(RuleCoreError::Utils(_)) => "utils",
        RuleConfigError::Core(RuleCoreError::Constraints(_)) => "constraints",
        RuleConfigError::Core(RuleCoreError::Transform(_)) => "transform",
        RuleConfigError::Core(RuleCoreError::UndefinedMetaVar(_, field)) => field,
        RuleConfigError::Fixer(_) => "fix",
        RuleConfigError::Rewriter(_) | RuleConfigError::UndefinedRewriter(_) => "rewriters",
        RuleConfigError::LabelVariable(_) => "labels",
        _ => "rule",
    }
}

/// What went wrong, and why.
fn chain_of(error: &RuleConfigError) -> String {
    let mut said = error.to_string();
    let mut source = error.source();
    while let Some(error) = source {
        said = format!("{}: {error}", said.trim_end_matches('.'));
        source = error.source();
    }
    said
}
