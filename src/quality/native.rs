//! What this program measures by itself: metrics, native rules, secrets.
//!
//! The tools are asked about files that parse, so that is told first; the rest is made while they work.

use std::sync::Arc;

use rayon::prelude::*;

use crate::cache::{AnswerCache, Native, NativeKeys};
use crate::engine::Engine;
use crate::threads::{Threads, run_off_async_threads};
use tapps_base::Result;
use tapps_base::language::{Analyzers, ScoredLanguage};
use tapps_base::source::Source;
use tapps_config::{PythonVersion, SecurityEngine};
use tapps_project::ProjectIndex;
use tapps_rules::{c, go, java, python, rust, script, shell};
use tapps_security::{bandit, secrets};
use tapps_syntax::stack::on_parsing_threads;

/// The analyses of some files, as far as they are made.
pub(super) struct NativeAnalyses {
    sources: Arc<[Source]>,
    settings: NativeSettings,
    cache: AnswerCache,
    keys: NativeKeys,
    parts: Vec<BegunAnalysis>,
}

/// What is known of one file.
enum BegunAnalysis {
    Kept(Native),
    Made(Native),
    /// It is not analyzed yet; it parses, or no tool asks whether it does.
    Open,
}

/// What decides an analysis beside the file.
#[derive(Debug, Clone)]
struct NativeSettings {
    secrets: bool,
    version: PythonVersion,
    engine: SecurityEngine,
    /// Where files are read for the look at the project as well, which then comes after.
    ahead: Option<Arc<ProjectIndex>>,
}

impl Engine {
    /// Begins with what is kept, and with what the tools have to know: which files parse.
    /// With `ahead`, those that no tool waits for are read for the look at the project as well.
    pub(super) async fn begin_native_analyses(
        &self,
        sources: &Arc<[Source]>,
        secrets: bool,
        ahead: bool,
    ) -> Result<NativeAnalyses> {
        let settings = NativeSettings {
            secrets,
            version: self.config.python.version,
            engine: self.config.security.engine,
            ahead: ahead.then(|| Arc::clone(&self.project)),
        };
        // What is kept always has the secrets.
        let cache = if secrets { self.answers.clone() } else { AnswerCache::disabled() };
        let sources = Arc::clone(sources);
        run_off_async_threads(move || {
            let begin = || NativeAnalyses::begin(Arc::clone(&sources), settings.clone(), cache.clone());
            // Elsewhere each script and each deep text would need a thread of its own.
            on_parsing_threads(begin).unwrap_or_else(|_| begin())
        })
        .await
    }
}

impl NativeAnalyses {
    fn begin(sources: Arc<[Source]>, settings: NativeSettings, cache: AnswerCache) -> Self {
        let keys = NativeKeys::of_sources(&cache, &sources, (settings.version, settings.engine));
        let look = |(kept, source): (Option<Native>, &Source)| match kept {
            Some(kept) => BegunAnalysis::Kept(kept),
            None if settings.can_wait(source) => BegunAnalysis::Open,
            None => BegunAnalysis::Made(settings.analyze(source)),
        };
        let parts = keys.look_up(&cache, sources.len()).into_par_iter().zip(&*sources).map(look).collect();
        Self { sources, settings, cache, keys, parts }
    }

    /// Which files the tools can be asked about, in the order of the sources: those that parse, and those that no tool
    /// reads.
    pub(super) fn parses(&self) -> Vec<bool> {
        let parses = |part: &BegunAnalysis| match part {
            BegunAnalysis::Kept(native) | BegunAnalysis::Made(native) => native.shape.syntax_errors.is_empty(),
            BegunAnalysis::Open => true,
        };
        self.parts.iter().map(parses).collect()
    }

    /// What the native analyzers say, in the order of the sources.
    pub(super) async fn finish(self, threads: Threads) -> Result<Vec<Native>> {
        let Self { sources, settings, cache, keys, parts } = self;
        threads
            .run(move || {
                let open = || parts.par_iter().zip(&*sources).filter(|(part, _)| matches!(part, BegunAnalysis::Open));
                let make = || open().map(|(_, source)| settings.analyze_and_read(source)).collect::<Vec<Native>>();
                let mut made = on_parsing_threads(make).unwrap_or_else(|_| make()).into_iter();
                let complete = |part: BegunAnalysis| match part {
                    BegunAnalysis::Kept(native) => Some((native, false)),
                    BegunAnalysis::Made(native) => Some((native, true)),
                    BegunAnalysis::Open => made.next().map(|native| (native, true)),
                };
                let all: Vec<(Native, bool)> = parts.into_iter().filter_map(complete).collect();
                keys.keep(&cache, all.iter().map(|(native, fresh)| fresh.then_some(native)));
                all.into_iter().map(|(native, _)| native).collect()
            })
            .await
    }
}

impl NativeSettings {
    /// True for a file that parses, as can be told in a small part of the time that its analysis takes, and for one that no
    /// tool waits for.
    fn can_wait(&self, source: &Source) -> bool {
        match analyzers_of(source) {
            Analyzers::Python => python::parses(source, python::to_parser_version(self.version)),
            Analyzers::Script | Analyzers::Shell => false,
            Analyzers::Go | Analyzers::Rust | Analyzers::Java | Analyzers::C => true,
        }
    }

    /// As [`Self::analyze`], and reads the file ahead while its tree is at hand.
    fn analyze_and_read(&self, source: &Source) -> Native {
        let native = self.analyze(source);
        if let Some(index) = &self.ahead {
            index.read_ahead(source);
        }
        native
    }

    fn analyze(&self, source: &Source) -> Native {
        let secrets = if self.secrets { secrets::scan_for_secrets(source) } else { Vec::new() };
        match analyzers_of(source) {
            Analyzers::Go => Native { shape: go::analyze_go(source), secrets, bandit: None },
            Analyzers::Rust => Native { shape: rust::analyze_rust(source), secrets, bandit: None },
            Analyzers::Java => Native { shape: java::analyze_java(source), secrets, bandit: None },
            Analyzers::C => Native { shape: c::analyze_c(source), secrets, bandit: None },
            Analyzers::Shell => Native { shape: shell::analyze_shell(source), secrets, bandit: None },
            Analyzers::Script => Native { shape: script::analyze_script(source), secrets, bandit: None },
            Analyzers::Python => {
                let shape = python::analyze_python(source, python::to_parser_version(self.version));
                let asked = self.engine == SecurityEngine::Native && shape.syntax_errors.is_empty();
                // What cannot be read is a syntax error of the shape, which is found first.
                let bandit = if asked { bandit::native::scan_python(source).ok() } else { None };
                Native { shape, secrets, bandit }
            }
        }
    }
}

/// Who measures a source. What is in no language that is scored does not get here; it would be read as Python.
pub(super) fn analyzers_of(source: &Source) -> Analyzers {
    source.language().unwrap_or(ScoredLanguage::PYTHON).analyzers()
}
