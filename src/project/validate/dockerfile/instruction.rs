//! A Dockerfile in memory: instructions with their parts, and the stages they belong to.

use std::collections::HashMap;

use super::super::sink::FileLocation;
use super::shell::ShellCommand;

/// A parsed file. Whatever could not be read is an instruction too: nothing is dropped.
#[derive(Debug, Default)]
pub(in super::super) struct Dockerfile {
    pub(super) instructions: Vec<Instruction>,
    pub(super) stages: Vec<Stage>,
    /// The first stage of each name, in lower case.
    pub(super) named: HashMap<String, usize>,
}

/// One `FROM` and what follows it.
#[derive(Debug, Default)]
pub(super) struct Stage {
    pub(super) image: String,
    pub(super) name: Option<String>,
    pub(super) platform: Option<String>,
    pub(super) place: FileLocation,
}

/// One instruction; `ONBUILD X` is `X` with the mark.
#[derive(Debug, Default)]
pub(super) struct Instruction {
    /// In upper case.
    pub(super) keyword: String,
    pub(super) onbuild: bool,
    pub(super) flags: Vec<Flag>,
    /// What follows the flags, continued lines joined and comments taken out.
    pub(super) text: String,
    /// The text split at blanks, quotes taken off.
    pub(super) words: Vec<String>,
    /// The strings of the JSON form.
    pub(super) exec: Option<Vec<String>>,
    /// The commands of `RUN`, `CMD` and `ENTRYPOINT`, also those in here-documents.
    pub(super) commands: Vec<ShellCommand>,
    pub(super) heredocs: bool,
    /// Index of the stage; none before the first `FROM`.
    pub(super) stage: Option<usize>,
    pub(super) place: FileLocation,
}

/// `--name=value`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Flag {
    pub(super) name: String,
    pub(super) value: String,
}

impl Instruction {
    pub(super) fn is(&self, keyword: &str) -> bool {
        self.keyword == keyword
    }

    pub(super) fn flag(&self, name: &str) -> Option<&str> {
        self.flags.iter().find(|flag| flag.name == name).map(|flag| flag.value.as_str())
    }

    /// Names and values of `ENV`, `LABEL` and `ARG`, in both spellings.
    pub(super) fn pairs(&self) -> Vec<(&str, &str)> {
        let Some(first) = self.words.first() else { return Vec::new() };
        if self.is("ENV") && !first.contains('=') {
            let value = self.text.trim_start().strip_prefix(first.as_str()).unwrap_or_default().trim();
            return vec![(first, value)];
        }
        self.words.iter().map(|word| word.split_once('=').unwrap_or((word, ""))).collect()
    }

    /// The folders that cache mounts of `RUN --mount=type=cache` keep out of the image.
    pub(super) fn cache_mounts(&self) -> Vec<String> {
        let mounts = self.flags.iter().filter(|flag| flag.name == "mount");
        let kept = mounts.filter(|flag| flag.value.contains("type=cache") || flag.value.contains("type=tmpfs"));
        let target = |flag: &Flag| {
            let mut parts = flag.value.split(',').filter_map(|part| part.split_once('='));
            parts.find(|(key, _)| matches!(*key, "target" | "dst" | "destination")).map(|(_, value)| value.to_owned())
        };
        kept.filter_map(target).map(|target| target.trim_end_matches('/').to_owned()).collect()
    }
}

impl Dockerfile {
    /// The instructions with a keyword.
    pub(super) fn instructions_named<'d>(&'d self, keyword: &'d str) -> impl Iterator<Item = &'d Instruction> {
        self.instructions.iter().filter(move |instruction| instruction.is(keyword))
    }

    /// Every `RUN` with each of its commands.
    pub(super) fn runs(&self) -> impl Iterator<Item = (&Instruction, &ShellCommand)> {
        self.instructions_named("RUN").flat_map(|run| run.commands.iter().map(move |command| (run, command)))
    }

    /// The instructions of a stage.
    pub(super) fn of_stage(&self, stage: usize) -> impl Iterator<Item = &Instruction> {
        // They stand together, in the order of stages.
        let start = self.instructions.partition_point(|instruction| instruction.stage < Some(stage));
        let end = self.instructions.partition_point(|instruction| instruction.stage <= Some(stage));
        self.instructions.get(start..end).unwrap_or_default().iter()
    }

    /// Every command of every `RUN` of a stage.
    pub(super) fn runs_of_stage(&self, stage: usize) -> impl Iterator<Item = (&Instruction, &ShellCommand)> {
        let runs = self.of_stage(stage).filter(|instruction| instruction.is("RUN"));
        runs.flat_map(|run| run.commands.iter().map(move |command| (run, command)))
    }

    /// The stage before `below` that a word means, by name or by number.
    pub(super) fn stage_named(&self, word: &str, below: usize) -> Option<usize> {
        let by_name = self.named.get(&word.to_ascii_lowercase()).copied().filter(|stage| *stage < below);
        by_name.or_else(|| word.parse().ok().filter(|number: &usize| *number < below))
    }
}
