//! One program: run until the compiler has looked at its types, and read.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use regex::Regex;
use sha2::{Digest as _, Sha256};

use super::Compiler;
use super::configuration::{LeftOut, ProgramConfiguration};
use super::diagnostics::{CompilerOutput, Diagnostic, parse_compiler_output};
use super::mirror::Mirror;
use super::missing::{Missing, is_about_missing, name_of_missing};
use crate::analyzer::report::{FileReport, ReportDetails};
use crate::cache::is_of_package;
use crate::result::TypesStamp;
use crate::rules;
use tapps_base::finding::Finding;
use tapps_base::source::Source;
use tapps_base::{Result, digest};

/// How often a program is run without what was in its way.
const MOST_RUNS: usize = 4;
/// The compiler found no file, or the list of files is empty.
const NO_INPUTS: [u32; 2] = [18002, 18003];
/// A package of declarations is not there.
const NO_TYPES: u32 = 2688;

/// What hangs on the order in which files are looked at: types that go round in a circle or too deep.
const DEPENDS_ON_ORDER: [u32; 15] =
    [2310, 2313, 2321, 2456, 2502, 2506, 2577, 2589, 2590, 2615, 2799, 2800, 7022, 7023, 7024];
/// Declarations with which every type is there that the language itself needs: where one is missing the compiler says so of the
/// program, once a file needs it.
const LANGUAGE: &str = "lib.es2018.d.ts";
/// Those which `using` needs.
const DISPOSAL: &str = "lib.esnext.disposable.d.ts";
/// Every declaration with `using`, which begins a statement or stands in the brackets of a loop, and some other words.
#[expect(clippy::unwrap_used, reason = "the pattern is constant")]
static MAY_DISPOSE: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"(?m)(?:^|[;{}()/:])\s*(?:await\s+)?using\s").unwrap());

/// What the compiler says of one program.
#[derive(Debug)]
pub(super) struct Program {
    output: CompilerOutput,
    diagnostics: BTreeMap<String, Vec<Diagnostic>>,
    missing: Missing,
    whole: WholeProgram,
}

/// What holds for all files of a program.
#[derive(Debug, Clone)]
struct WholeProgram {
    /// For want of which no file can be judged.
    missing: BTreeSet<String>,
    /// Of the declarations of packages that were read.
    digest: String,
    /// The project does not want its own declarations checked.
    skips_declarations: bool,
    /// The path of the copy, which is no part of an answer.
    root: String,
    /// All files were looked at.
    is_complete: bool,
}

impl Program {
    /// Runs the compiler.
    ///
    /// # Errors
    /// What running it says, and what the file system says.
    pub(super) async fn run(configuration: &ProgramConfiguration, compiler: &Compiler<'_>) -> Result<Self> {
        let mirror = compiler.mirror;
        let place = configuration.place(mirror);
        let settings = configuration.path().and_then(|path| mirror.settings(path));
        let mut left_out = LeftOut::default();
        let mut missing = settings.map(|settings| settings.missing.clone()).unwrap_or_default();
        let mut output = CompilerOutput::default();
        for _ in 0..MOST_RUNS {
            let text = configuration.text(mirror, &left_out);
            mirror.write(&place, text.as_bytes())?;
            output = parse_compiler_output(&compiler.run(check_arguments(&place)).await?);
            if !leave_out_more(&output, &place, mirror, &mut left_out) {
                break;
            }
        }
        let unusable = unusable(&output, &place, mirror);
        let is_complete = left_out.files.is_empty() && unusable.is_empty() && !may_have_stopped(&output);
        missing.extend(left_out.types);
        missing.extend(unusable);
        let whole = WholeProgram {
            missing,
            digest: digest_of_declarations(output.files.keys(), mirror),
            skips_declarations: settings.is_some_and(|settings| settings.skips_declarations),
            root: format!("{}/", mirror.root().display()),
            is_complete,
        };
        Ok(Self::of_output(output, whole))
    }

    fn of_output(output: CompilerOutput, whole: WholeProgram) -> Self {
        let mut missing = Missing::of_output(&output);
        missing.for_all.extend(whole.missing.iter().cloned());
        let mut diagnostics: BTreeMap<String, Vec<Diagnostic>> = BTreeMap::new();
        for diagnostic in &output.diagnostics {
            if let Some(file) = diagnostic.file.clone().filter(|_| !is_about_missing(diagnostic)) {
                diagnostics.entry(file).or_default().push(diagnostic.clone());
            }
        }
        Self { output, diagnostics, missing, whole }
    }

    /// The same program with this in place of what was said of some of its files; none where it cannot be known to be what a
    /// run would say.
    pub(super) fn with_said(&self, said: BTreeMap<String, Vec<Diagnostic>>) -> Option<Self> {
        // A run says nothing of types where something does not parse.
        let decides = |one: &Diagnostic| (1000..2000).contains(&one.code) || DEPENDS_ON_ORDER.contains(&one.code);
        if said.values().flatten().any(decides) {
            return None;
        }
        let mut output = self.output.clone();
        output.diagnostics.retain(|one| one.file.as_ref().is_none_or(|file| !said.contains_key(file)));
        output.diagnostics.extend(said.into_values().flatten());
        Some(Self::of_output(output, self.whole.clone()))
    }

    /// True when what is said of these files can be had without the others: nothing that a run says hangs on their order, and no
    /// edit of one can keep a run from looking at all.
    pub(super) fn can_be_asked_about(&self, sources: &[Source]) -> bool {
        let in_order = |one: &Diagnostic| DEPENDS_ON_ORDER.contains(&one.code);
        let has = |library: &str| self.output.files.keys().any(|file| file.rsplit('/').next() == Some(library));
        let disposes = sources.iter().filter_map(Source::text).any(|text| MAY_DISPOSE.is_match(text));
        self.whole.is_complete
            && has(LANGUAGE)
            && (!disposes || has(DISPOSAL))
            && !self.output.diagnostics.iter().any(in_order)
    }

    /// True when the file is part of the program.
    pub(super) fn covers(&self, path: &str) -> bool {
        self.output.files.contains_key(path)
    }

    /// What is said of a file of the program: nothing where something is missing.
    pub(super) fn report_on_file(&self, source: &Source) -> FileReport {
        let missing: Vec<String> = self.missing.for_file(source.path()).into_iter().collect();
        let complete = missing.is_empty();
        let stamp = TypesStamp { digest: self.whole.digest.clone(), complete, missing };
        let mut report = FileReport { details: ReportDetails::Types(stamp), ..FileReport::default() };
        let is_declaration = [".d.ts", ".d.mts", ".d.cts"].iter().any(|ending| source.path().ends_with(ending));
        if complete && !(is_declaration && self.whole.skips_declarations) {
            let said = self.diagnostics.get(source.path()).into_iter().flatten();
            report.findings = said.map(|diagnostic| self.finding(source, diagnostic)).collect();
            report.findings.sort_by(Finding::order);
            report.findings.dedup();
        }
        report
    }

    fn finding(&self, source: &Source, diagnostic: &Diagnostic) -> Finding {
        let code = format!("TS{}", diagnostic.code);
        let rule = rules::tsc::RULES.iter().find(|rule| rule.code == code).unwrap_or(&rules::tsc::OTHER);
        let column = column_in_characters(&source.line(diagnostic.line), diagnostic.column);
        let message = diagnostic.message.replace(&self.whole.root, "");
        let mut finding = rule.finding(message).at(diagnostic.line, column, diagnostic.line);
        finding.rule = format!("tsc:{code}");
        source.path().clone_into(&mut finding.file);
        finding
    }
}

/// The arguments of a check by a configuration of this program.
pub(super) fn check_arguments(configuration: &str) -> Vec<String> {
    let words = ["--pretty", "false", "--singleThreaded", "--explainFiles"];
    ["-p", configuration].into_iter().chain(words).map(str::to_owned).collect()
}

/// What a program without any declarations of packages has.
pub(super) fn digest_of_nothing() -> String {
    digest::sha256(b"")
}

/// True for what the compiler says before it looks at any types.
fn is_about_program(diagnostic: &Diagnostic, configuration: &str) -> bool {
    diagnostic.file.as_deref().is_none_or(|file| file == configuration)
}

/// True when the compiler may have stopped at files that do not parse: it says nothing else then.
fn may_have_stopped(output: &CompilerOutput) -> bool {
    let mut of_files = output.diagnostics.iter().filter(|one| one.file.is_some()).peekable();
    of_files.peek().is_some() && of_files.all(|one| (1000..2000).contains(&one.code))
}

/// The files that the compiler speaks of and that do not parse.
fn broken_files(output: &CompilerOutput, mirror: &Mirror) -> BTreeSet<String> {
    if !may_have_stopped(output) {
        return BTreeSet::new();
    }
    let spoken_of: BTreeSet<&String> = output.diagnostics.iter().filter_map(|one| one.file.as_ref()).collect();
    let is_broken = |path: &&&String| {
        let source = mirror.read(path).map(|bytes| Source::new(path, bytes));
        source.is_some_and(|source| !tapps_rules::script::analyze_script(&source).syntax_errors.is_empty())
    };
    spoken_of.iter().filter(is_broken).map(|path| (*path).clone()).collect()
}

/// Adds what kept the compiler from looking at types; false when there is nothing, or nothing that can be left out.
fn leave_out_more(output: &CompilerOutput, configuration: &str, mirror: &Mirror, left_out: &mut LeftOut) -> bool {
    let types = output.diagnostics.iter().filter(|one| one.code == NO_TYPES && is_about_program(one, configuration));
    let before = left_out.types.len() + left_out.files.len();
    left_out.types.extend(types.filter_map(name_of_missing));
    left_out.files.extend(broken_files(output, mirror));
    left_out.types.len() + left_out.files.len() > before
}

/// Why nothing can be said of any file: what the compiler says of the configuration, and files that do not parse and are
/// imported.
fn unusable(output: &CompilerOutput, configuration: &str, mirror: &Mirror) -> BTreeSet<String> {
    let about_program = output.diagnostics.iter().filter(|one| is_about_program(one, configuration));
    let mut why: BTreeSet<String> =
        about_program.filter(|one| !NO_INPUTS.contains(&one.code)).map(|one| format!("TS{}: {}", one.code, one.message)).collect();
    why.extend(broken_files(output, mirror).into_iter().map(|path| format!("{path}, which does not parse")));
    why
}

/// SHA-256 over the declarations of packages in a program, by path.
fn digest_of_declarations<'f>(files: impl Iterator<Item = &'f String>, mirror: &Mirror) -> String {
    let mut hasher = Sha256::new();
    for path in files.filter(|path| is_of_package(path)) {
        hasher.update(path.as_bytes());
        hasher.update([0]);
        hasher.update(digest::sha256_bytes(&mirror.read(path).unwrap_or_default()));
    }
    digest::hex(&hasher.finalize())
}

/// A column in Unicode code points from one in units of UTF-16; both begin with 1.
fn column_in_characters(line: &str, column: u32) -> u32 {
    let mut units = 1;
    let before = line.chars().take_while(|c| {
        let is_before = units < column;
        units += u32::try_from(c.len_utf16()).unwrap_or(1);
        is_before
    });
    let before = u32::try_from(before.count()).unwrap_or(u32::MAX - 1);
    // A column beyond the end of the line, where something is expected.
    (before + 1).max(if units < column { column - (units - 1) + before } else { 1 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_declaration_with_using_is_seen_wherever_it_may_stand() {
        for text in ["using a = b;", "{ using a = b; }", "x();\tawait using a = b;", "for (using a of b) {}", "/* c */ using\na = b;", "x()\n  await  using a = b;"] {
            assert!(MAY_DISPOSE.is_match(text), "{text}");
        }
        for text in ["// words using words", " * a using b", "const using = 1;", "causing(a);"] {
            assert!(!MAY_DISPOSE.is_match(text), "{text}");
        }
    }

    #[test]
    fn columns_are_counted_in_characters() {
        for (line, column, expected) in [("ab", 1, 1), ("ab", 2, 2), ("é😀x", 4, 3), ("é😀x", 2, 2), ("ab", 3, 3), ("", 1, 1)] {
            assert_eq!(column_in_characters(line, column), expected, "{line} {column}");
        }
    }

    #[test]
    fn the_compiler_may_have_stopped_where_it_speaks_of_syntax_alone() {
        let stopped = |text: &str| may_have_stopped(&parse_compiler_output(text.as_bytes()));
        let (syntax, types) = ("a.ts(1,1): error TS1109: Expression expected.\n", "a.ts(1,1): error TS2322: no\n");
        assert!(stopped(syntax));
        assert!(!stopped(types) && !stopped(&format!("{syntax}{types}")) && !stopped(""));
        assert!(!stopped("error TS5023: Unknown compiler option 'foo'.\n"));
    }
}
