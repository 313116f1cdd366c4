//! How the answer of a project's own tool reads: nothing that it says is believed before it has been held against the
//! files that it was asked about.

use std::collections::BTreeMap;
use std::path::Path;

use regex::{Regex, RegexBuilder};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::description::json_path;
use super::json_output::{JsonPath, Trail};
use super::meaning::Meanings;
use super::sarif_output;
use crate::analyzer::report::FileReport;
use tapps_base::finding::Finding;
use tapps_base::source::Source;

/// Most findings of one answer: whoever says more is not read to the end.
const MOST_FINDINGS: usize = 10_000;
/// Longest message, in characters.
const LONGEST_MESSAGE: usize = 500;
/// Size of a compiled pattern.
const PATTERN_BYTES: usize = 1 << 20;

/// What the description says of the answer.
#[derive(Debug, Clone, Deserialize, Serialize)]
pub(super) struct OutputForm {
    format: Format,
    #[serde(default)]
    pub(super) stream: Stream,
    pattern: Option<String>,
    /// What findings are called where the answer has no codes.
    code: Option<String>,
    items: Option<String>,
    fields: Option<BTreeMap<String, String>>,
    /// Paths to what the tool could not do.
    #[serde(default)]
    failed: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
enum Format {
    Sarif,
    Json,
    Line,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Stream {
    #[default]
    Stdout,
    Stderr,
}

/// One thing that a tool says, as it says it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ReadFinding {
    pub(super) path: String,
    pub(super) line: i64,
    pub(super) column: i64,
    pub(super) end_line: Option<i64>,
    pub(super) code: String,
    pub(super) message: String,
}

/// Reads answers of one form.
#[derive(Debug)]
pub(super) struct OutputReader {
    form: AnswerForm,
    pub(super) stream: Stream,
    code: Option<String>,
}

#[derive(Debug)]
enum AnswerForm {
    Sarif,
    Json(JsonForm),
    Line(Regex),
}

#[derive(Debug)]
struct JsonForm {
    items: JsonPath,
    fields: BTreeMap<String, JsonPath>,
    failed: Vec<JsonPath>,
}

impl OutputReader {
    pub(super) fn new(form: OutputForm) -> Result<Self, String> {
        let OutputForm { format, stream, pattern, code, items, fields, failed } = form;
        if format != Format::Json && !failed.is_empty() {
            return Err("`output.failed` is for `json`".to_owned());
        }
        let form = match (format, pattern, items, fields) {
            (Format::Sarif, None, None, None) => AnswerForm::Sarif,
            (Format::Json, None, Some(items), Some(fields)) => {
                for needed in ["path", "line", "message"] {
                    if !fields.contains_key(needed) {
                        return Err(format!("`output.fields` needs `{needed}`"));
                    }
                }
                if !fields.contains_key("code") && code.is_none() {
                    return Err("`output` needs `code`, or `fields.code`".to_owned());
                }
                let fields = fields.into_iter().map(|(name, path)| Ok((name, json_path(&path)?)));
                let fields = fields.collect::<Result<_, String>>()?;
                let failed = failed.iter().map(|path| json_path(path)).collect::<Result<_, String>>()?;
                AnswerForm::Json(JsonForm { items: json_path(&items)?, fields, failed })
            }
            (Format::Line, Some(pattern), None, None) => AnswerForm::Line(line_pattern(&pattern, code.is_some())?),
            (Format::Sarif, ..) => return Err("`output` of `sarif` needs nothing but `format` and `stream`".to_owned()),
            (Format::Json, ..) => return Err("`output` of `json` needs `items` and `fields`".to_owned()),
            (Format::Line, ..) => return Err("`output` of `line` needs `pattern`".to_owned()),
        };
        Ok(Self { form, stream, code })
    }

    /// What an answer says of the files, which are at `tree`.
    ///
    /// # Errors
    /// Why the answer is none: the end of a sentence that begins with the tool's name.
    pub(super) fn read(
        &self,
        bytes: &[u8],
        (tree, sources): (&Path, &[&Source]),
        (tool, meanings): (&str, &Meanings),
    ) -> Result<BTreeMap<String, FileReport>, String> {
        let said = match &self.form {
            AnswerForm::Sarif => sarif_output::read(bytes)?,
            AnswerForm::Json(form) => self.read_json(bytes, form)?,
            AnswerForm::Line(pattern) => self.read_lines(&String::from_utf8_lossy(bytes), pattern)?,
        };
        if said.len() > MOST_FINDINGS {
            return Err(format!("says more than {MOST_FINDINGS} things"));
        }
        let by_path: BTreeMap<&str, &Source> = sources.iter().map(|source| (source.path(), *source)).collect();
        let mut answers: BTreeMap<String, FileReport> = BTreeMap::new();
        for one in said {
            let path = inside(&one.path, tree);
            let source = by_path
                .get(path.as_str())
                .ok_or_else(|| format!("speaks of `{}`, which it was not asked about", shown(&one.path)))?;
            let finding = believed(one, source, tool, meanings)?;
            answers.entry(path).or_default().findings.push(finding);
        }
        answers.values_mut().for_each(|answer| answer.findings.sort_by(Finding::order));
        Ok(answers)
    }

    fn read_json(&self, bytes: &[u8], form: &JsonForm) -> Result<Vec<ReadFinding>, String> {
        let value: Value =
            serde_json::from_slice(bytes).map_err(|e| format!("printed something that is not JSON: {e}"))?;
        let start: Trail<'_> = vec![&value];
        for path in &form.failed {
            if let Some(failure) = path.one(&start) {
                return Err(format!("could not do what it was asked: {}", shown(&failure.to_string())));
            }
        }
        let found = form.items.all(&start).ok_or("says more than can be read")?;
        found.iter().map(|item| self.said_in_json(item, &form.fields)).collect()
    }

    fn said_in_json(&self, item: &Trail<'_>, fields: &BTreeMap<String, JsonPath>) -> Result<ReadFinding, String> {
        let value = |name: &str| fields.get(name).and_then(|path| path.one(item));
        let text = |name: &str| match value(name) {
            Some(Value::String(text)) => Some(text.clone()),
            Some(Value::Number(number)) => Some(number.to_string()),
            _ => None,
        };
        let number = |name: &str| match value(name) {
            None => Ok(None),
            Some(Value::Number(number)) => {
                number.as_i64().map(Some).ok_or_else(|| format!("says that `{name}` is {number}"))
            }
            Some(other) => Err(format!("says that `{name}` is `{}`", shown(&other.to_string()))),
        };
        Ok(ReadFinding {
            path: text("path").ok_or("has an item without a path")?,
            line: number("line")?.ok_or("has an item without a line")?,
            column: number("column")?.unwrap_or(0),
            end_line: number("end_line")?,
            code: text("code").or_else(|| self.code.clone()).ok_or("has an item without a code")?,
            message: text("message").ok_or("has an item without a message")?,
        })
    }

    /// Lines that do not fit are the tool's other words.
    fn read_lines(&self, text: &str, pattern: &Regex) -> Result<Vec<ReadFinding>, String> {
        let mut all = Vec::new();
        for captures in text.lines().filter_map(|line| pattern.captures(line)) {
            let group = |name: &str| captures.name(name).map(|found| found.as_str().to_owned());
            let number = |name: &str| match group(name) {
                None => Ok(None),
                Some(digits) => {
                    digits.parse::<i64>().map(Some).map_err(|_| format!("says that `{name}` is `{}`", shown(&digits)))
                }
            };
            all.push(ReadFinding {
                path: group("path").unwrap_or_default(),
                line: number("line")?.unwrap_or(0),
                column: number("column")?.unwrap_or(0),
                end_line: number("end_line")?,
                code: group("code").or_else(|| self.code.clone()).ok_or("has a line without a code")?,
                message: group("message").unwrap_or_default(),
            });
            if all.len() > MOST_FINDINGS {
                break;
            }
        }
        Ok(all)
    }
}

fn line_pattern(pattern: &str, has_code: bool) -> Result<Regex, String> {
    let regex = RegexBuilder::new(pattern)
        .size_limit(PATTERN_BYTES)
        .build()
        .map_err(|_| "`output.pattern` is no pattern, or too large a one".to_owned())?;
    let groups: Vec<&str> = regex.capture_names().flatten().collect();
    let known = ["path", "line", "column", "end_line", "code", "message"];
    if let Some(other) = groups.iter().find(|name| !known.contains(name)) {
        return Err(format!("`output.pattern` has the group `{other}`; known: {}", known.join(", ")));
    }
    for needed in ["path", "line", "message", "code"] {
        let is_given = groups.contains(&needed) || needed == "code" && has_code;
        if !is_given {
            return Err(format!("`output.pattern` needs the group `{needed}`"));
        }
    }
    Ok(regex)
}

/// A path as the tool writes it, as that of a file of the project.
fn inside(path: &str, tree: &Path) -> String {
    let (path, is_address) = path.strip_prefix("file://").map_or((path, false), |rest| (rest, true));
    let path = if is_address || path.contains('%') { decoded(path) } else { path.to_owned() };
    let tree = tree.to_string_lossy();
    let below = path.strip_prefix(&*tree).and_then(|rest| rest.strip_prefix('/')).unwrap_or(&path);
    let mut below = below;
    while let Some(rest) = below.strip_prefix("./") {
        below = rest;
    }
    below.to_owned()
}

/// Without percent signs, where they are those of an address.
fn decoded(path: &str) -> String {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.bytes();
    while let Some(byte) = rest.next() {
        let digits = || rest.as_slice_hex();
        match (byte, digits()) {
            (b'%', Some(value)) => {
                bytes.push(value);
                rest.nth(1);
            }
            _ => bytes.push(byte),
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| path.to_owned())
}

/// The value of the two hexadecimal digits that come next.
trait NextHex {
    fn as_slice_hex(&self) -> Option<u8>;
}

impl NextHex for std::str::Bytes<'_> {
    fn as_slice_hex(&self) -> Option<u8> {
        let mut ahead = self.clone();
        let high = char::from(ahead.next()?).to_digit(16)?;
        let low = char::from(ahead.next()?).to_digit(16)?;
        u8::try_from(high * 16 + low).ok()
    }
}

fn believed(said: ReadFinding, source: &Source, tool: &str, meanings: &Meanings) -> Result<Finding, String> {
    let last = i64::from(source.line_count()) + 1;
    let line_of = |line: i64| u32::try_from(line).ok().filter(|_| line <= last);
    let line = line_of(said.line).ok_or_else(|| format!("speaks of line {}, which no file has", said.line))?;
    let end = said.end_line.map_or(Some(line), line_of);
    let end = end.ok_or_else(|| format!("speaks of line {}, which no file has", said.end_line.unwrap_or_default()))?;
    // Some tools put their own name before the rule.
    let code = said.code.strip_prefix(tool).and_then(|rest| rest.strip_prefix('/')).unwrap_or(&said.code);
    let column = u32::try_from(said.column).map_err(|_| format!("speaks of column {}", said.column))?;
    if !is_code(code) {
        return Err(format!("speaks of the rule `{}`, which is no code", shown(&said.code)));
    }
    let finding = meanings.finding(tool, code, shown_up_to(&said.message, LONGEST_MESSAGE));
    let mut finding = finding.ok_or_else(|| format!("speaks of the rule `{code}`"))?.at(line, column, end);
    source.path().clone_into(&mut finding.file);
    Ok(finding)
}

fn is_code(code: &str) -> bool {
    !code.is_empty() && code.len() <= 100 && code.bytes().all(|b| b.is_ascii_alphanumeric() || b"_./@+-".contains(&b))
}

fn shown(text: &str) -> String {
    shown_up_to(text, 100)
}

/// One line without control characters.
fn shown_up_to(text: &str, most: usize) -> String {
    let words: Vec<&str> =
        text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty()).collect();
    words.join(" ").chars().take(most).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meanings() -> Meanings {
        serde_json::from_str(r#"[{"code": "*", "category": "maintainability", "severity": "low", "cost": 10}]"#)
            .unwrap()
    }

    fn lines(text: &str) -> Result<BTreeMap<String, FileReport>, String> {
        let pattern = r"^(?P<path>[^:]+):(?P<line>-?[0-9a-zA-Z]+):(?P<column>-?\d+): (?P<code>\S+) (?P<message>.*)$";
        let form = format!(r#"{{"format": "line", "pattern": {}}}"#, serde_json::json!(pattern));
        let reader = OutputReader::new(serde_json::from_str(&form).unwrap()).unwrap();
        let source = Source::new("a b/c.sh", &b"one\ntwo\n"[..]);
        reader.read(text.as_bytes(), (Path::new("/stage/tree"), &[&source]), ("probe", &meanings()))
    }

    #[test]
    fn every_way_to_write_a_path_is_one_file() {
        for path in ["a b/c.sh", "./a b/c.sh", "/stage/tree/a b/c.sh", "a%20b/c.sh"] {
            let found = lines(&format!("noise\n{path}:2:1: X1 said\u{7}  so\n")).unwrap();
            let finding = &found["a b/c.sh"].findings[0];
            let seen = (finding.rule.as_str(), finding.line, finding.message.as_str(), finding.cost);
            assert_eq!(seen, ("probe:X1", 2, "said so", 10), "{path}");
        }
        assert!(lines("noise\n").unwrap().is_empty());
    }

    #[test]
    fn a_forged_answer_is_none() {
        for (text, why) in [
            ("../../etc/passwd:1:1: X1 m", "which it was not asked about"),
            ("/etc/passwd:1:1: X1 m", "which it was not asked about"),
            ("a b/c.sh:-3:1: X1 m", "line -3"),
            ("a b/c.sh:9:1: X1 m", "line 9"),
            ("a b/c.sh:NaN:1: X1 m", "`NaN`"),
            ("a b/c.sh:1:-1: X1 m", "column -1"),
            ("a b/c.sh:99999999999999999999:1: X1 m", "`99999999999999999999`"),
            ("a b/c.sh:1:1: X<1> m", "which is no code"),
        ] {
            let said = lines(text).unwrap_err();
            assert!(said.contains(why), "{text}: {said}");
        }
        let many = "a b/c.sh:1:1: X1 m\n".repeat(MOST_FINDINGS + 1);
        assert!(lines(&many).unwrap_err().contains("more than"));
    }

    #[test]
    fn json_is_read_by_paths_and_numbers_must_be_lines() {
        let form = r#"{"format": "json", "items": "*.w.*",
            "fields": {"path": "^.^.f", "line": "l", "code": "r", "message": "m"}}"#;
        let reader = OutputReader::new(serde_json::from_str(form).unwrap()).unwrap();
        let source = Source::new("a.css", &b"x\n"[..]);
        let read = |line: &str| {
            let text = format!(r#"[{{"f": "a.css", "w": [{{"l": {line}, "r": 7, "m": "said"}}]}}]"#);
            reader.read(text.as_bytes(), (Path::new("/t"), &[&source]), ("probe", &meanings()))
        };
        assert_eq!(read("1").unwrap()["a.css"].findings[0].rule, "probe:7");
        // Findings beside something that could not be done are no answer.
        let partly = r#"{"found": [], "errors": [{"text": "rule x cannot be read"}]}"#;
        let form = r#"{"format": "json", "items": "found.*", "failed": ["errors.*"],
            "fields": {"path": "f", "line": "l", "code": "r", "message": "m"}}"#;
        let strict = OutputReader::new(serde_json::from_str(form).unwrap()).unwrap();
        let of = |text: &str| strict.read(text.as_bytes(), (Path::new("/t"), &[&source]), ("probe", &meanings()));
        assert!(of(partly).unwrap_err().contains("rule x cannot be read"));
        assert!(of(r#"{"found": [], "errors": []}"#).unwrap().is_empty());
        for line in ["1.5", "1e300", "-1", "null", "\"1\"", "NaN", "[1]"] {
            assert!(read(line).is_err(), "{line}");
        }
    }
}
