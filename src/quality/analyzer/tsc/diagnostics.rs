//! What the compiler prints: its diagnostics, then every file of the program with why it is in it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use regex::Regex;

/// One thing that the compiler says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Diagnostic {
    /// Relative to the copy of the project; none for what is about the program as a whole.
    pub(super) file: Option<String>,
    /// 1-based.
    pub(super) line: u32,
    /// 1-based, in units of UTF-16.
    pub(super) column: u32,
    /// The number behind `TS`.
    pub(super) code: u32,
    /// On one line, however many the compiler used.
    pub(super) message: String,
}

/// All that one run printed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct CompilerOutput {
    pub(super) diagnostics: Vec<Diagnostic>,
    /// The files of the program, each with the files that brought it in.
    pub(super) files: BTreeMap<String, BTreeSet<String>>,
}

#[expect(clippy::unwrap_used, reason = "the pattern is constant")]
static DIAGNOSTIC: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^(?:(.+?)\((\d+),(\d+)\): )?error TS(\d+): (.*)$").unwrap());

/// Reads what the compiler prints with `--explainFiles` and without colours.
pub(super) fn parse_compiler_output(stdout: &[u8]) -> CompilerOutput {
    let mut output = CompilerOutput::default();
    let mut file: Option<String> = None;
    for line in String::from_utf8_lossy(stdout).lines() {
        if line.starts_with(' ') {
            match (&file, output.diagnostics.last_mut()) {
                (Some(file), _) => {
                    let because = importer_of(line).map(str::to_owned);
                    output.files.entry(file.clone()).or_default().extend(because);
                }
                (None, Some(last)) => {
                    last.message.push(' ');
                    last.message.push_str(line.trim());
                }
                (None, None) => {}
            }
        } else if let Some(diagnostic) = parse_diagnostic(line) {
            file = None;
            output.diagnostics.push(diagnostic);
        } else if !line.is_empty() {
            output.files.entry(line.to_owned()).or_default();
            file = Some(line.to_owned());
        }
    }
    output
}

fn parse_diagnostic(line: &str) -> Option<Diagnostic> {
    let found = DIAGNOSTIC.captures(line)?;
    let number = |at: usize| found.get(at).and_then(|text| text.as_str().parse().ok());
    Some(Diagnostic {
        file: found.get(1).map(|file| file.as_str().to_owned()),
        line: number(2).unwrap_or_default(),
        column: number(3).unwrap_or_default(),
        code: number(4)?,
        message: found.get(5)?.as_str().to_owned(),
    })
}

/// The file that a reason for another one names.
fn importer_of(reason: &str) -> Option<&str> {
    let (_, rest) = reason.split_once(" from file '")?;
    rest.split_once('\'').map(|(file, _)| file)
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUTPUT: &str = "error TS2688: Cannot find type definition file for 'node'.
  The file is in the program because:
    Entry point for implicit type library 'node'
src/a (1).ts(8,25): error TS7006: Parameter 'q' implicitly has an 'any' type.
src/a (1).ts(9,3): error TS2322: Type '{ a: string; }' is not assignable to type 'B'.
  Types of property 'a' are incompatible.
lib/lib.es5.d.ts
   Library referenced via 'es5' from file 'lib/lib.es2015.d.ts'
src/c.ts
   Imported via \"./c\" from file 'src/b.ts'
   Imported via \"./c\" from file 'src/a (1).ts' with packageId 'x/y.d.ts@1.0.0'
src/a (1).ts
   Part of 'files' list in tsconfig.json
";

    #[test]
    fn diagnostics_and_files_are_told_apart() {
        let output = parse_compiler_output(OUTPUT.as_bytes());
        let said: Vec<(Option<&str>, u32, u32, u32)> =
            output.diagnostics.iter().map(|one| (one.file.as_deref(), one.line, one.column, one.code)).collect();
        let file = Some("src/a (1).ts");
        assert_eq!(said, [(None, 0, 0, 2688), (file, 8, 25, 7006), (file, 9, 3, 2322)]);
        let message = "Type '{ a: string; }' is not assignable to type 'B'. Types of property 'a' are incompatible.";
        assert_eq!(output.diagnostics[2].message, message);
        let importers: Vec<(&str, Vec<&str>)> = output
            .files
            .iter()
            .map(|(file, importers)| (file.as_str(), importers.iter().map(String::as_str).collect()))
            .collect();
        assert_eq!(
            importers,
            [
                ("lib/lib.es5.d.ts", vec!["lib/lib.es2015.d.ts"]),
                ("src/a (1).ts", vec![]),
                ("src/c.ts", vec!["src/a (1).ts", "src/b.ts"]),
            ]
        );
        assert_eq!(parse_compiler_output(b""), CompilerOutput::default());
    }
}
