//! One tool of the project's own, ready to be asked about staged files.

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures::future::BoxFuture;

use super::description::Description;
use super::output::Stream;
use crate::isolate::{Answers, Question, answers_of_all, require_expected_end};
use crate::stage::Stage;
use tapps_base::call::Call;
use tapps_base::source::Source;
use tapps_base::{Error, ErrorCode, Result};
use tapps_toolchain::own::{OwnRun, OwnTree};
use tapps_toolchain::{Ending, ProcessLimits, Toolchain};

/// Most bytes that a tool may say about the files of one run.
const MOST_OUTPUT: usize = 16 << 20;

pub(super) struct OwnQuestion<'a> {
    pub(super) toolchain: &'a Toolchain,
    pub(super) tree: Arc<OwnTree>,
    pub(super) description: &'a Description,
    pub(super) call: &'a Call,
}

impl Question for OwnQuestion<'_> {
    fn ask<'q>(&'q self, sources: &'q [&'q Source]) -> BoxFuture<'q, Result<Answers>> {
        Box::pin(async move {
            // Nothing is known of what such a tool says of no file.
            if sources.is_empty() { Ok(Answers::new()) } else { self.run(sources).await }
        })
    }
}

impl OwnQuestion<'_> {
    async fn run(&self, sources: &[&Source]) -> Result<Answers> {
        let Description { name, run, config, reader, meanings, .. } = self.description;
        // A stage of its own: what it does to the files is seen by nobody.
        let stage = Stage::new(self.toolchain.private_folder()?, sources)?;
        stage.mark_top()?;
        let configuration = match config {
            Some(config) => stage.write_configuration(&config.file, &config.text)?,
            None => String::new(),
        };
        let mut args = Vec::new();
        for arg in &run.args {
            match arg.as_str() {
                "{files}" => args.extend(sources.iter().map(|source| named(source.path()))),
                arg => args.push(arg.replace("{config}", &configuration)),
            }
        }
        let time = Duration::from_secs(run.seconds);
        let limits = ProcessLimits { time, cpu: Some(run.seconds), output: MOST_OUTPUT, ..ProcessLimits::default() };
        let entry = self.description.entry(self.toolchain.system());
        let (name_of_tool, needs) = (name.clone(), run.needs.clone());
        let own = OwnRun { tree: &self.tree, name: name_of_tool, entry, args, needs, cwd: stage.tree(), limits };
        let finished = self.toolchain.run_own(own, self.call).await.map_err(|error| self.unless_own_limit(error))?;
        let codes: Vec<i32> = run.clean.iter().chain(&run.findings).copied().collect();
        require_expected_end(name, sources, &finished, &codes)?;
        let failed = |why: String| Error::new(ErrorCode::DegradedResult, format!("{name} {why}")).tool(name);
        let said = if reader.stream == Stream::Stdout { &finished.stdout } else { &finished.stderr };
        let silent = said.iter().all(u8::is_ascii_whitespace);
        let clean = matches!(finished.ending(), Ending::Code(code) if run.clean.contains(&code));
        let found = match silent && clean {
            true => Default::default(),
            false => reader.read(said, (&stage.tree(), sources), (name, meanings)).map_err(failed)?,
        };
        if found.is_empty() && !clean {
            return Err(failed("ended as it does with findings, and named none".to_owned()));
        }
        Ok(answers_of_all(sources, found))
    }

    /// A tool that passes its own limit has no answer; the call goes on.
    fn unless_own_limit(&self, error: Error) -> Error {
        if error.code() == ErrorCode::Timeout && Instant::now() < self.call.deadline {
            return Error::new(ErrorCode::DegradedResult, error.message().to_owned()).tool(&self.description.name);
        }
        error
    }
}

/// A name that no tool takes for an option.
fn named(path: &str) -> String {
    if path.starts_with(['-', '@', '+']) { format!("./{path}") } else { path.to_owned() }
}
