//! oxlint's rules that need types. Its companion finds the program of a file by the configurations beside and above it, so
//! those of the copy are replaced by what this program makes of them.

use std::collections::BTreeMap;

use super::configuration::ProgramConfiguration;
use super::mirror::Mirror;
use super::{Compiler, PROGRAM_CPU_SECONDS};
use crate::analyzer::oxlint::{check_arguments, configuration_of, is_read, parse_oxlint_output};
use crate::analyzer::report::FileReport;
use crate::ask::split_into_chunks;
use crate::isolate::require_expected_end;
use crate::rules;
use tapps_base::Result;
use tapps_base::source::Source;
use tapps_toolchain::{Invocation, ProcessLimits, Program as Tool};

/// What the configuration of the rules is called, relative to the copy: a name that no script has.
const CONFIGURATION: &str = "tapps-mcp.oxlint.json";

/// The configurations that are looked for at the top of a project.
const AT_THE_TOP: [&str; 2] = ["tsconfig.json", "jsconfig.json"];

/// The configuration: the rules that need types and nothing else.
#[must_use]
pub fn configuration_text() -> String {
    configuration_of(rules::tsgolint::RULES.iter().map(|rule| rule.code))
}

/// The arguments of a check by this configuration of files in the current folder.
#[must_use]
pub fn typed_check_arguments(configuration: &str) -> Vec<String> {
    let mut arguments = check_arguments(configuration);
    arguments.push("--type-aware".to_owned());
    arguments
}

/// What the rules say of the files, which are in the copy, by path.
///
/// # Errors
/// As [`crate::analyzer::oxlint::parse_oxlint_output`], and what running it says.
pub(super) async fn find_typed_lints(
    sources: &[&Source],
    compiler: &Compiler<'_>,
) -> Result<BTreeMap<String, FileReport>> {
    let sources: Vec<&Source> = sources.iter().copied().filter(|source| is_read(source.path())).collect();
    let mirror = compiler.mirror;
    mirror.write(CONFIGURATION, configuration_text().as_bytes())?;
    let mut found = BTreeMap::new();
    for chunk in split_into_chunks(&sources) {
        let mut arguments = typed_check_arguments(CONFIGURATION);
        arguments.push("--".to_owned());
        arguments.extend(chunk.iter().map(|source| source.path().to_owned()));
        let limits = ProcessLimits::of_cpu(PROGRAM_CPU_SECONDS);
        let invocation = Invocation::new(Tool::Tsgolint).args(arguments).cwd(mirror.root()).limits(limits);
        let finished = compiler.toolchain.run(invocation, compiler.asker.call).await?;
        require_expected_end("tsgolint", chunk, &finished, &[0, 1])?;
        found.extend(parse_oxlint_output(&finished.stdout, chunk)?);
    }
    Ok(found)
}

/// The configurations of the project, in whose place the copy has what this program makes of them.
#[derive(Debug)]
pub(super) struct ReplacedConfigurations(BTreeMap<String, Option<Vec<u8>>>);

impl ReplacedConfigurations {
    /// Replaces every configuration of the project, and writes one at the top where the project has none there.
    ///
    /// # Errors
    /// As [`tapps_base::Error::io`].
    pub(super) fn of(mirror: &Mirror) -> Result<Self> {
        let known = mirror.all_settings();
        let mut programs: Vec<(&str, ProgramConfiguration)> =
            known.keys().map(|path| (path.as_str(), ProgramConfiguration::at(path))).collect();
        if !AT_THE_TOP.iter().any(|name| known.contains_key(*name)) {
            programs.push((AT_THE_TOP[0], ProgramConfiguration::of_the_rest()));
        }
        let mut replaced = BTreeMap::new();
        for (path, program) in programs {
            replaced.insert(path.to_owned(), mirror.read(path));
            mirror.write(path, program.text_with_references(mirror).as_bytes())?;
        }
        Ok(Self(replaced))
    }

    /// What a configuration of the project was.
    pub(super) fn original(&self, path: &str) -> Option<Vec<u8>> {
        self.0.get(path).cloned().flatten()
    }

    /// Makes the copy what it was.
    ///
    /// # Errors
    /// As [`tapps_base::Error::io`].
    pub(super) fn put_back(self, mirror: &Mirror) -> Result<()> {
        self.0.iter().try_for_each(|(path, bytes)| match bytes {
            Some(bytes) => mirror.write(path, bytes),
            None => mirror.remove(path),
        })
    }
}
