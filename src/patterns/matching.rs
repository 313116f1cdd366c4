//! Where rules match a text.

use ast_grep_config::{CombinedScan, RuleConfig};
use ast_grep_core::replacer::Replacer;
use ast_grep_core::source::Content;
use ast_grep_core::{AstGrep, NodeMatch};
use ast_grep_language::SupportLang;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tapps_base::{Error, ErrorCode, Result};

use crate::counted::{Budget, CountedDoc};

/// Steps that the rules of a project may take in one file: seconds at most. A rule that looks at each place once takes a few
/// for each of them, and a file of ten thousand lines has a hundred thousand places.
const MOST_STEPS: u64 = 20_000_000;

/// Deepest tree that is matched; comparing two parts of a tree goes down in both.
const DEEPEST_TREE: usize = 10_000;

/// Longest message and replacement that is shown, in characters.
const LONGEST: usize = 400;

/// Bytes of stack for it.
const STACK: usize = tapps_syntax::stack::USUAL_STACK;

/// One place where a rule matches.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct PatternMatch {
    /// 1-based.
    pub line: u32,
    /// 1-based, in Unicode code points.
    pub column: u32,
    /// 1-based.
    pub end_line: u32,
    /// 1-based, behind the last code point.
    pub end_column: u32,
    /// The identifier of the rule.
    pub rule: String,
    /// What the rule says, with what its variables stand for.
    pub message: String,
    /// What the rule would write in its place.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub replacement: Option<String>,
    /// The code, its beginning where it is long.
    pub text: String,
}

/// Every match of some rules in a text of their language, by place.
///
/// # Errors
/// `config_error` when the rules take too many steps in it, or it is nested too deeply for them.
pub(crate) fn find_matches(
    rules: &[&RuleConfig<SupportLang>],
    language: SupportLang,
    file: (&str, &str),
) -> Result<Vec<PatternMatch>> {
    find_matches_within(rules, language, file, MOST_STEPS)
}

pub(crate) fn find_matches_within(
    rules: &[&RuleConfig<SupportLang>],
    language: SupportLang,
    (path, text): (&str, &str),
    steps: u64,
) -> Result<Vec<PatternMatch>> {
    if rules.is_empty() {
        return Ok(Vec::new());
    }
    let work = || match scan(rules, language, (path, text), steps)? {
        Some(found) => Ok(found),
        None => Err(too_many_steps(rules, language, (path, text), steps)),
    };
    tapps_syntax::stack::on_fitting_stack(STACK, work).unwrap_or_else(|_| {
        let message = format!("there is no thread to match the project's rules in {path}");
        Err(Error::new(ErrorCode::ResourceExhausted, message).hint("end other programs, and ask again"))
    })
}

/// The matches, or none when the steps do not suffice.
fn scan(
    rules: &[&RuleConfig<SupportLang>],
    language: SupportLang,
    (path, text): (&str, &str),
    steps: u64,
) -> Result<Option<Vec<PatternMatch>>> {
    let budget = Budget::new(steps);
    let doc = CountedDoc::parse(text, language, &budget)
        .map_err(|why| Error::internal(format!("{path} has no syntax tree: {why}")))?;
    if doc.is_deeper_than(DEEPEST_TREE) {
        let message = format!("{path} is nested too deeply for the rules of the project");
        return Err(Error::new(ErrorCode::ConfigError, message).hint(
            "leave the file out: name it below `exclude` in the configuration, or below `ignores` in each rule",
        ));
    }
    let root = AstGrep::doc(doc);
    let scanner = CombinedScan::new(rules.to_vec());
    let mut found = Vec::new();
    for (rule, matches) in scanner.scan(&root, false).matches {
        found.extend(matches.iter().map(|one| describe_match(rule, one)));
    }
    found.sort();
    Ok((!budget.is_spent()).then_some(found))
}

fn describe_match(rule: &RuleConfig<SupportLang>, found: &NodeMatch<'_, CountedDoc>) -> PatternMatch {
    let (start, end) = (found.start_pos(), found.end_pos());
    let number = |zero_based: usize| u32::try_from(zero_based + 1).unwrap_or(u32::MAX);
    let node = found.get_node();
    let replacement = rule.fixer.first().map(|fixer| {
        let bytes = fixer.generate_replacement(found);
        shorten(&<String as Content>::encode_bytes(&bytes))
    });
    let message = if rule.message.is_empty() { rule.id.clone() } else { shorten(&rule.get_message(found)) };
    PatternMatch {
        line: number(start.line()),
        column: number(start.column(node)),
        end_line: number(end.line()),
        end_column: number(end.column(node)),
        rule: rule.id.clone(),
        message,
        replacement,
        text: shorten(&found.text()),
    }
}

fn shorten(text: &str) -> String {
    text.chars().take(LONGEST).collect()
}

/// Names the rule that takes the most: alone, at least one takes more than its share.
fn too_many_steps(rules: &[&RuleConfig<SupportLang>], language: SupportLang, file: (&str, &str), steps: u64) -> Error {
    let share = steps / u64::try_from(rules.len()).unwrap_or(u64::MAX).max(1);
    let dear = rules.iter().find(|rule| matches!(scan(&[**rule], language, file, share), Ok(None)));
    let named = dear.map_or_else(|| "the project's rules".to_owned(), |rule| format!("the rule `{}`", rule.id));
    Error::new(ErrorCode::ConfigError, format!("{named} takes too many steps in {}", file.0)).hint(
        "in its `rule`, look less far: fewer `has` and `inside` within each other, `kind` beside them, no `stopBy: end` \
         where a neighbour will do; or name the file below `ignores`",
    )
}
