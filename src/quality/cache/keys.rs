//! What an answer depends on, as the key it is kept under.

use super::module_files::ModuleFilesSnapshot;
use crate::analyzer::{Dependence, Profile};
use tapps_base::source::Source;
use tapps_config::{PythonVersion, SecurityEngine};
use tapps_security::bandit::native;
use tapps_store::{EntryKey, KeyBuilder};
use tapps_toolchain::AnswerKey;

/// How entries of what the native analyzers say are called.
pub(super) const NATIVE: &str = "native";

/// How entries of what rules about libraries say are called.
pub(super) const LIBRARIES: &str = "libraries";

/// What the answers about all files of a request have in common.
#[derive(Debug, Clone)]
pub(crate) struct Circumstances {
    /// Of the tools and the rule set, without and with the interpreter.
    pub(crate) answers: AnswerKey,
    pub(crate) version: PythonVersion,
    /// Digest of the types of libraries; empty where there are none.
    pub(crate) types: String,
    pub(crate) readings: Readings,
}

/// The files of the project, where an analyzer depends on them and they can be seen.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Readings {
    pub(crate) python: Option<ModuleFilesSnapshot>,
    pub(crate) script: Option<ModuleFilesSnapshot>,
}

impl Readings {
    /// What an analyzer reads besides the files that it is asked about; none when that is nothing, or out of sight.
    pub(crate) fn of(&self, profile: &Profile) -> Option<&ModuleFilesSnapshot> {
        profile.depends_on.iter().find_map(|dependence| match dependence {
            Dependence::PythonFiles => self.python.as_ref(),
            Dependence::ScriptFiles => self.script.as_ref(),
            Dependence::Interpreter | Dependence::PythonVersion | Dependence::LibraryTypes => None,
        })
    }
}

/// The key of what the native analyzers say: they see nothing but the file, by its path and its bytes.
pub(super) fn native_cache_key(source: &Source, version: PythonVersion, engine: SecurityEngine) -> EntryKey {
    let tests = match engine {
        SecurityEngine::Native => native::VERSION,
        SecurityEngine::Bandit => "none",
    };
    key_for_source(NATIVE, source).with_part(version.to_string()).with_part(tests).finish_key()
}

/// The key of what rules about libraries say of a file, of those that hold in the project.
pub(super) fn library_cache_key(source: &Source, circumstances: &[u8]) -> EntryKey {
    key_for_source(LIBRARIES, source).with_part(circumstances).finish_key()
}

impl Circumstances {
    /// Where an analyzer's answer about a file is kept; none when what decides it is out of sight.
    pub(super) fn key(&self, profile: &Profile, source: &Source) -> Option<EntryKey> {
        let tools = if profile.is_interpreted() { &self.answers.interpreted } else { &self.answers.tools };
        let mut key = key_for_source(profile.name, source).with_part(tools);
        for dependence in profile.depends_on {
            key = match dependence {
                Dependence::Interpreter => key,
                Dependence::PythonVersion => key.with_part(self.version.to_string()),
                Dependence::LibraryTypes => key.with_part(&self.types),
                Dependence::PythonFiles => key.with_part(&self.readings.python.as_ref()?.digest),
                Dependence::ScriptFiles => key.with_part(&self.readings.script.as_ref()?.digest),
            };
        }
        Some(key.finish_key())
    }
}

fn key_for_source(kind: &str, source: &Source) -> KeyBuilder {
    KeyBuilder::new(kind).with_part(source.path()).with_part(source.sha256())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyzer;

    #[test]
    fn whatever_decides_an_answer_decides_its_key() {
        let source = Source::new("a.py", &b"x = 1\n"[..]);
        let answers =
            |tools: &str, interpreted: &str| AnswerKey { tools: tools.to_owned(), interpreted: interpreted.to_owned() };
        let reading = |digest: &str| Readings { python: Some(ModuleFilesSnapshot::of_digest(digest)), script: None };
        let base = Circumstances {
            answers: answers("f", "fi"),
            version: PythonVersion::OLDEST,
            types: "t".to_owned(),
            readings: reading("p"),
        };
        let other_tools = Circumstances { answers: answers("g", "gi"), ..base.clone() };
        let other_interpreter = Circumstances { answers: answers("f", "fj"), ..base.clone() };
        let newer = Circumstances { version: PythonVersion::default(), ..base.clone() };
        let other_types = Circumstances { types: String::new(), ..base.clone() };
        let neighbour_edited = Circumstances { readings: reading("q"), ..base.clone() };
        let unseen = Circumstances { readings: Readings::default(), ..base.clone() };
        assert_ne!(base.version, newer.version);
        let renamed = Source::new("b.py", source.bytes());
        let edited = Source::new("a.py", &b"x = 2\n"[..]);
        let profiles = ["ruff", "bandit", "mypy"].map(|name| {
            let analyzer = analyzer::ALL.iter().find(|analyzer| analyzer.profile().name == name);
            analyzer.unwrap().profile()
        });
        let all = |c: &Circumstances, s: &Source| {
            let [ruff, bandit, mypy] = profiles.map(|profile| c.key(profile, s));
            [Some(native_cache_key(s, c.version, SecurityEngine::Native)), ruff, bandit, mypy]
        };
        let of_bandit = native_cache_key(&source, base.version, SecurityEngine::Bandit);
        let first = all(&base, &source);
        assert_ne!(Some(of_bandit), first[0]);
        assert_eq!(all(&base, &source), first);
        let changed = |other: [Option<EntryKey>; 4]| [0, 1, 2, 3].map(|at| other[at] != first[at]);
        assert_eq!(changed(all(&base, &renamed)), [true; 4]);
        assert_eq!(changed(all(&base, &edited)), [true; 4]);
        assert_eq!(changed(all(&other_tools, &source)), [false, true, true, true]);
        assert_eq!(changed(all(&other_interpreter, &source)), [false, false, true, true]);
        assert_eq!(changed(all(&newer, &source)), [true, true, false, true]);
        assert_eq!(changed(all(&other_types, &source)), [false, false, false, true]);
        assert_eq!(changed(all(&neighbour_edited, &source)), [false, false, false, true]);
        assert_eq!(all(&unseen, &source)[3], None, "an answer that may depend on anything is not kept");
    }
}
