//! What an answer depends on, as the key it is kept under.

use tapps_base::source::Source;
use tapps_config::{PythonVersion, SecurityEngine};
use tapps_security::bandit::native;
use tapps_store::{EntryKey, KeyBuilder};
use tapps_toolchain::AnswerKey;

/// What the answers about all files of a request have in common.
#[derive(Debug, Clone)]
pub(crate) struct Circumstances {
    /// Of the tools and the rule set, without and with the interpreter.
    pub(crate) answers: AnswerKey,
    pub(crate) version: PythonVersion,
}

/// The key of what the native analyzers say: they see nothing but the file, by its path and its bytes.
pub(super) fn native_cache_key(source: &Source, version: PythonVersion, engine: SecurityEngine) -> EntryKey {
    let tests = match engine {
        SecurityEngine::Native => native::VERSION,
        SecurityEngine::Bandit => "none",
    };
    key_for_source("native", source).with_part(version.to_string()).with_part(tests).finish_key()
}

impl Circumstances {
    /// ruff looks at each file by itself.
    pub(super) fn ruff(&self, source: &Source) -> EntryKey {
        key_for_source("ruff", source).with_part(&self.answers.tools).with_part(self.version.to_string()).finish_key()
    }

    /// bandit looks at each file by itself, whatever Python it is written for.
    pub(super) fn bandit(&self, source: &Source) -> EntryKey {
        key_for_source("bandit", source).with_part(&self.answers.interpreted).finish_key()
    }

    /// mypy looks at everything that the file may import, which is all Python files of the project.
    pub(super) fn mypy(&self, source: &Source, python_files: &str) -> EntryKey {
        let key =
            key_for_source("mypy", source).with_part(&self.answers.interpreted).with_part(self.version.to_string());
        key.with_part(python_files).finish_key()
    }
}

fn key_for_source(kind: &str, source: &Source) -> KeyBuilder {
    KeyBuilder::new(kind).with_part(source.path()).with_part(source.sha256())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_decides_an_answer_decides_its_key() {
        let source = Source::new("a.py", &b"x = 1\n"[..]);
        let answers =
            |tools: &str, interpreted: &str| AnswerKey { tools: tools.to_owned(), interpreted: interpreted.to_owned() };
        let base = Circumstances { answers: answers("f", "fi"), version: PythonVersion::OLDEST };
        let other_tools = Circumstances { answers: answers("g", "gi"), ..base.clone() };
        let other_interpreter = Circumstances { answers: answers("f", "fj"), ..base.clone() };
        let newer = Circumstances { version: PythonVersion::default(), ..base.clone() };
        assert_ne!(base.version, newer.version);
        let renamed = Source::new("b.py", source.bytes());
        let edited = Source::new("a.py", &b"x = 2\n"[..]);
        let all = |c: &Circumstances, s: &Source, files: &str| {
            [native_cache_key(s, c.version, SecurityEngine::Native), c.ruff(s), c.bandit(s), c.mypy(s, files)]
        };
        assert_ne!(native_cache_key(&source, base.version, SecurityEngine::Bandit), all(&base, &source, "p")[0]);
        let first = all(&base, &source, "p");
        assert_eq!(all(&base, &source, "p"), first);
        let changed = |other: [EntryKey; 4]| [0, 1, 2, 3].map(|at| other[at] != first[at]);
        assert_eq!(changed(all(&base, &renamed, "p")), [true; 4]);
        assert_eq!(changed(all(&base, &edited, "p")), [true; 4]);
        assert_eq!(changed(all(&other_tools, &source, "p")), [false, true, true, true]);
        assert_eq!(changed(all(&other_interpreter, &source, "p")), [false, false, true, true]);
        assert_eq!(changed(all(&newer, &source, "p")), [true, true, false, true]);
        assert_eq!(changed(all(&base, &source, "q")), [false, false, false, true]);
    }
}
