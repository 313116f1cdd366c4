//! oxlint: asked once per batch about TypeScript and JavaScript, under this program's configuration and no other.

use std::collections::BTreeMap;

use futures::future::BoxFuture;
use serde::Deserialize;
use serde_json::json;

use super::report::FileReport;
use super::{Analyzer, Profile};
use crate::ask::Asker;
use crate::isolate::{Answers, Question, answers_of_all, require_expected_end};
use crate::{rule_set, rules};
use tapps_base::finding::{Finding, Fix};
use tapps_base::language::Analyzers;
use tapps_base::source::Source;
use tapps_base::{Error, ErrorCode, Result};
use tapps_rules::script::Functions;
use tapps_toolchain::Program;

pub(crate) struct Oxlint;

pub(crate) const ANALYZER: Oxlint = Oxlint;

static PROFILE: Profile = Profile::linter("oxlint", Analyzers::Script);

/// The plugins whose rules are in the selection.
const PLUGINS: [&str; 10] =
    ["eslint", "typescript", "unicorn", "oxc", "promise", "react", "node", "nextjs", "jsx-a11y", "jest"];

/// An empty file beside the tree: what fails on it fails without any file.
const COMPANION: &str = "companion.js";

/// What is wrong with the configuration of a program, which the compiler says of the same text.
const BAD_CONFIGURATION: &str = "typescript(tsconfig-error)";

/// A promise that nobody waits for.
const LOST_PROMISE: &str = "typescript(no-floating-promises)";

/// How the configuration begins what the rules of Next have before their names in answers.
const NEXT: (&str, &str) = ("next/", "nextjs/");

impl Analyzer for Oxlint {
    fn profile(&self) -> &'static Profile {
        &PROFILE
    }

    fn prepare<'a>(&self, asker: Asker<'a>) -> BoxFuture<'a, Result<Box<dyn Question + 'a>>> {
        Box::pin(async move {
            let configuration = asker.stage.write_configuration("oxlint.json", &configuration_text())?;
            asker.stage.write_configuration(COMPANION, "")?;
            Ok(Box::new(OxlintQuestion { asker, configuration }) as Box<dyn Question>)
        })
    }
}

struct OxlintQuestion<'a> {
    asker: Asker<'a>,
    configuration: String,
}

impl Question for OxlintQuestion<'_> {
    fn ask<'q>(&'q self, sources: &'q [&'q Source]) -> BoxFuture<'q, Result<Answers>> {
        Box::pin(async move {
            let read: Vec<&Source> = sources.iter().copied().filter(|source| is_read(source.path())).collect();
            let mut arguments = check_arguments(&self.configuration);
            arguments.push("--".to_owned());
            // Without names it would look for files by itself.
            let finished = match (read.as_slice(), sources) {
                ([], []) => {
                    arguments.push(COMPANION.to_owned());
                    self.asker.run_beside_stage(Program::Oxlint, arguments).await?
                }
                ([], _) => return Ok(answers_of_all(sources, BTreeMap::<String, FileReport>::new())),
                (read, _) => {
                    arguments.extend(read.iter().map(|source| source.path().to_owned()));
                    self.asker.run_on_stage(Program::Oxlint, arguments).await?
                }
            };
            require_expected_end("oxlint", sources, &finished, &[0, 1])?;
            if sources.is_empty() {
                let companion = Source::new(COMPANION, &b""[..]);
                return parse_oxlint_output(&finished.stdout, &[&companion]).map(|_| Answers::new());
            }
            Ok(answers_of_all(sources, parse_oxlint_output(&finished.stdout, &read)?))
        })
    }
}

/// What oxlint passes over whatever it is told: built files, and endings in capitals.
pub(super) fn is_read(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let ending = name.rsplit('.').next().unwrap_or_default();
    !name.contains(".min.") && !ending.contains(|c: char| c.is_ascii_uppercase())
}

/// The arguments of a check; naming a configuration keeps oxlint from looking for others.
#[must_use]
pub fn check_arguments(configuration: &str) -> Vec<String> {
    let words = ["-c", configuration, "--disable-nested-config", "--no-ignore", "--format", "json"];
    words.map(str::to_owned).to_vec()
}

/// The arguments of a run on one file of a copy that mends what `configuration` selects, or only counts it.
#[must_use]
pub fn fix_arguments(configuration: &str, fixing: bool, path: &str) -> Vec<String> {
    let mut arguments = check_arguments(configuration);
    arguments.extend(fixing.then(|| "--fix".to_owned()));
    arguments.extend(["--".to_owned(), path.to_owned()]);
    arguments
}

/// The configuration: the selected rules and nothing else.
#[must_use]
pub fn configuration_text() -> String {
    configuration_of(rules::oxlint::RULES.iter().map(|rule| rule.code))
}

/// The configuration with the rules whose fixes keep the behaviour.
#[must_use]
pub fn fix_configuration_text() -> String {
    configuration_of(rules::oxlint::SAFELY_FIXED.iter().map(|(code, _)| *code))
}

pub(super) fn configuration_of(codes: impl Iterator<Item = &'static str>) -> String {
    let rule = |code: &str| match code {
        // Components are free to give a prop of this name a meaning of their own.
        "jsx-a11y/aria-role" => json!(["warn", { "ignoreNonDOM": true }]),
        // Many who take callbacks do without what they return.
        "typescript/no-misused-promises" => json!(["warn", { "checksVoidReturn": false }]),
        // Elsewhere `return await` is a matter of taste.
        "typescript/return-await" => json!(["warn", "error-handling-correctness-only"]),
        _ => json!("warn"),
    };
    let name = |code: &str| match code.strip_prefix(NEXT.0) {
        Some(rest) => format!("{}{rest}", NEXT.1),
        None => code.to_owned(),
    };
    let selected: BTreeMap<String, serde_json::Value> =
        codes.map(|code| (name(code), rule(code))).collect();
    json!({ "plugins": PLUGINS, "categories": { "correctness": "off" }, "rules": selected }).to_string()
}

#[derive(Deserialize)]
struct OxlintOutput {
    diagnostics: Vec<OxlintDiagnostic>,
    number_of_files: usize,
}

#[derive(Deserialize)]
struct OxlintDiagnostic {
    message: String,
    code: Option<String>,
    help: Option<String>,
    filename: Option<String>,
    labels: Vec<OxlintLabel>,
}

#[derive(Deserialize)]
struct OxlintLabel {
    label: Option<String>,
    span: OxlintSpan,
}

/// In bytes of UTF-8.
#[derive(Deserialize)]
struct OxlintSpan {
    offset: usize,
    length: usize,
}

/// Reads oxlint's JSON about these files. Its order changes from run to run, and so do its fields about the run.
///
/// # Errors
/// `degraded_result` when the output is not what this oxlint prints, or is about fewer files than were asked about.
pub fn parse_oxlint_output(stdout: &[u8], sources: &[&Source]) -> Result<BTreeMap<String, FileReport>> {
    let failed = |why: String| Error::new(ErrorCode::DegradedResult, why).tool("oxlint");
    let output: OxlintOutput = serde_json::from_slice(stdout)
        .map_err(|e| failed(format!("oxlint printed something that is not its JSON: {e}")))?;
    if output.number_of_files != sources.len() {
        let (read, asked) = (output.number_of_files, sources.len());
        return Err(failed(format!("oxlint read {read} of {asked} files")));
    }
    // It names files with forward slashes, whatever characters their names have.
    let by_name: BTreeMap<String, &Source> =
        sources.iter().map(|source| (source.path().replace('\\', "/"), *source)).collect();
    let mut answers: BTreeMap<String, FileReport> = BTreeMap::new();
    let mut functions: BTreeMap<String, Functions> = BTreeMap::new();
    for diagnostic in output.diagnostics.into_iter().filter(|one| one.code.as_deref() != Some(BAD_CONFIGURATION)) {
        let source = diagnostic.filename.as_ref().and_then(|name| by_name.get(name));
        let Some(source) = source else { return Err(failed(format!("oxlint says: {}", diagnostic.message))) };
        if is_left_without_choice(source, &diagnostic, &mut functions) {
            continue;
        }
        add_oxlint_diagnostic(answers.entry(source.path().to_owned()).or_default(), source, diagnostic)?;
    }
    for answer in answers.values_mut() {
        answer.findings.sort_by(Finding::order);
        answer.syntax_errors.sort();
    }
    Ok(answers)
}

/// A promise that nobody waits for is a mistake, or a decision worth a `void`, where `await` is possible; elsewhere there is no
/// choice. Nor is there where the value is a promise only at times.
fn is_left_without_choice(
    source: &Source,
    diagnostic: &OxlintDiagnostic,
    functions: &mut BTreeMap<String, Functions>,
) -> bool {
    let Some(first) = diagnostic.labels.first().filter(|_| diagnostic.code.as_deref() == Some(LOST_PROMISE)) else {
        return false;
    };
    let label = first.label.as_deref().unwrap_or_default();
    let is_promise = label.contains("has type `Promise<") && label.ends_with(">`.");
    // A file may have very many, and is read once.
    let functions = functions.entry(source.path().to_owned()).or_insert_with(|| Functions::of(source));
    !is_promise || !functions.can_wait_at(first.span.offset)
}

fn add_oxlint_diagnostic(answer: &mut FileReport, source: &Source, diagnostic: OxlintDiagnostic) -> Result<()> {
    let span = diagnostic.labels.first().map(|label| &label.span);
    let (line, column) = span.map_or((0, 0), |span| source.position(span.offset));
    let Some(code) = diagnostic.code else {
        answer.syntax_errors.push((diagnostic.message, line, column));
        return Ok(());
    };
    let code = code_as_configured(&code);
    let rule = rule_set::oxlint_rule_by_code(&code).ok_or_else(|| {
        let message = format!("oxlint speaks of `{code}`, which it was not asked about");
        Error::new(ErrorCode::DegradedResult, message).tool("oxlint")
    })?;
    let end_line = span.map_or(line, |span| source.position(span.offset + span.length.saturating_sub(1)).0);
    let mut finding = rule.finding(diagnostic.message).at(line, column, end_line.max(line));
    finding.help = diagnostic.help.filter(|help| !help.is_empty());
    if rules::oxlint::SAFELY_FIXED.contains(&(rule.code, true)) {
        finding.fix = Some(Fix { message: "apply oxlint's fix".to_owned(), safe: true });
    }
    source.path().clone_into(&mut finding.file);
    answer.findings.push(finding);
    Ok(())
}

/// `react(jsx-key)` is configured as `react/jsx-key`, and what is ESLint's own without a plugin.
fn code_as_configured(code: &str) -> String {
    match code.strip_suffix(')').and_then(|code| code.split_once('(')) {
        Some(("eslint", rule)) => rule.to_owned(),
        Some((plugin, rule)) => format!("{plugin}/{rule}"),
        None => code.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tapps_base::finding::{Category, Severity};

    fn output(diagnostics: &str, files: usize) -> String {
        format!(
            r#"{{ "diagnostics": [{diagnostics}], "number_of_files": {files}, "number_of_rules": 155, "threads_count": 2, "start_time": 0.02 }}"#
        )
    }

    const DUPLICATE: &str = r#"{"message": "Duplicate key 'a'", "code": "eslint(no-dupe-keys)", "severity": "warning",
        "url": "u", "help": "Consider removing the duplicated key", "filename": "src/a.ts",
        "labels": [{"label": "first", "span": {"offset": 19, "length": 1, "line": 2, "column": 9}}, {"span": {"offset": 25, "length": 1, "line": 2, "column": 15}}]}"#;

    #[test]
    fn places_are_counted_in_characters_of_the_file() {
        let source = Source::new("src/a.ts", "// é😀\nconst é = {a: 1, a: 2};\n".as_bytes());
        let text = output(&DUPLICATE.replace("\"offset\": 19", "\"offset\": 22"), 1);
        let answers = parse_oxlint_output(text.as_bytes(), &[&source]).unwrap();
        let finding = &answers["src/a.ts"].findings[0];
        assert_eq!((finding.rule.as_str(), finding.line, finding.column), ("oxlint:no-dupe-keys", 2, 12));
        assert_eq!((finding.category, finding.severity), (Category::Maintainability, Severity::High));
        assert_eq!(finding.help.as_deref(), Some("Consider removing the duplicated key"));
    }

    #[test]
    fn what_does_not_parse_is_kept_apart() {
        let source = Source::new("b.js", &b"const = ;\n"[..]);
        let text = output(
            r#"{"message": "Unexpected token", "severity": "error", "filename": "b.js", "labels": [{"span": {"offset": 6, "length": 1, "line": 1, "column": 7}}]}"#,
            1,
        );
        let answers = parse_oxlint_output(text.as_bytes(), &[&source]).unwrap();
        assert_eq!(answers["b.js"].syntax_errors, [("Unexpected token".to_owned(), 1, 7)]);
    }

    #[test]
    fn an_answer_about_other_files_or_rules_is_none() {
        let source = Source::new("src/a.ts", &b"const a = {a: 1, a: 2};\n"[..]);
        for (text, why) in [
            (output("", 0), "oxlint read 0 of 1 files"),
            (output(&DUPLICATE.replace("src/a.ts", "other.ts"), 1), "oxlint says: Duplicate key 'a'"),
            (
                output(&DUPLICATE.replace("no-dupe-keys", "no-shadow"), 1),
                "oxlint speaks of `no-shadow`, which it was not asked about",
            ),
        ] {
            let error = parse_oxlint_output(text.as_bytes(), &[&source]).unwrap_err();
            assert_eq!((error.code(), error.message()), (ErrorCode::DegradedResult, why));
        }
        for garbage in ["", "No files found to lint.", "{}", "[]"] {
            let error = parse_oxlint_output(garbage.as_bytes(), &[&source]).unwrap_err();
            assert_eq!(error.code(), ErrorCode::DegradedResult, "{garbage}");
        }
    }

    #[test]
    fn promises_count_where_somebody_could_wait_for_them() {
        let source = Source::new("a.ts", &b"f(); async function g() { f(); }\n"[..]);
        let said = |offset: usize, kind: &str| {
            let diagnostic = format!(
                r#"{{"message": "m", "code": "typescript(no-floating-promises)", "filename": "a.ts", "labels": [{{"label": "This unhandled promise-like value has type `{kind}`.", "span": {{"offset": {offset}, "length": 4, "line": 1, "column": 1}}}}]}}"#
            );
            let answers = parse_oxlint_output(output(&diagnostic, 1).as_bytes(), &[&source]).unwrap();
            answers.get("a.ts").map_or(0, |report| report.findings.len())
        };
        let (outside, inside) = (0, 26);
        assert_eq!([said(outside, "Promise<void>"), said(inside, "Promise<void>")], [0, 1]);
        assert_eq!([said(inside, "Promise<void> | undefined"), said(inside, "Promise<void>[]")], [0, 0]);
    }

    #[test]
    fn codes_are_those_of_the_configuration() {
        for (said, configured) in
            [("eslint(no-with)", "no-with"), ("jsx-a11y(alt-text)", "jsx-a11y/alt-text"), ("plain", "plain")]
        {
            assert_eq!(code_as_configured(said), configured);
        }
        let text = configuration_text();
        assert!(text.contains("\"nextjs/inline-script-id\":\"warn\"") && !text.contains("\"next/"), "{text}");
    }

    #[test]
    fn built_files_are_passed_over() {
        for (path, expected) in [("a.min.js", false), ("A.JS", false), ("a/min.js", true), ("x.y/a.TSX", false)] {
            assert_eq!(is_read(path), expected, "{path}");
        }
    }
}
