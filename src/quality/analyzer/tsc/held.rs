//! The copy of a project, and what is kept of it from one request to the next by a program with a long life: the copy, what the
//! compiler said of its programs, and a server that has them in memory.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::Compiler;
use super::configuration::ProgramConfiguration;
use super::mirror::{Mirror, Refreshed, is_typed_script_of_project};
use super::program::Program;
use super::server::CompilerServer;
use super::typed_lints::ReplacedConfigurations;
use crate::cache::ModuleFiles;
use tapps_base::Result;
use tapps_base::source::Source;
use tapps_rules::script::Connections;
use tapps_toolchain::PrivateFolder;

/// Most files that a server is asked about; of more a run tells sooner.
pub(super) const MOST_ASKED: usize = 8;

/// The copy that is kept; whoever works with it has it alone.
#[derive(Debug, Default)]
pub(crate) struct HeldScripts {
    copy: Mutex<Option<ProjectCopy>>,
    answered: AtomicU64,
}

impl HeldScripts {
    fn take(&self) -> Option<ProjectCopy> {
        self.copy.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn put(&self, copy: ProjectCopy) {
        *self.copy.lock().unwrap_or_else(PoisonError::into_inner) = Some(copy);
    }

    /// How many answers a server had a say in.
    pub(crate) fn answered(&self) -> u64 {
        self.answered.load(Ordering::Relaxed)
    }
}

/// A copy of a project with the configurations of this program in it.
#[derive(Debug)]
pub(super) struct ProjectCopy {
    pub(super) warm: Option<WarmPrograms>,
    pub(super) mirror: Mirror,
    replaced: Option<ReplacedConfigurations>,
    /// Of the tools that looked at it.
    tools: String,
    _place: Option<PrivateFolder>,
}

/// Where a copy is made, and what it is made from.
#[derive(Debug)]
pub(super) struct CopyOrder {
    pub(super) files: Arc<ModuleFiles>,
    pub(super) judged: Vec<Source>,
    pub(super) tools: String,
    /// Of one that is kept.
    pub(super) own_place: Option<PrivateFolder>,
}

impl CopyOrder {
    /// The copy that was kept, where it is up to date or can be brought there, or a new one; none where the types of no file are
    /// to be checked.
    ///
    /// # Errors
    /// As [`Mirror::of_project_if_typed`].
    pub(super) fn carry_out(self, held: &HeldScripts, place: &Path) -> Result<Option<ProjectCopy>> {
        let Self { files, judged, tools, own_place } = self;
        if own_place.is_some()
            && let Some(mut copy) = held.take().filter(|copy| copy.tools == tools)
            && copy.follow(&files, &judged).is_ok_and(|follows| follows)
        {
            return Ok(Some(copy));
        }
        let place = own_place.as_ref().map_or(place, PrivateFolder::path).to_owned();
        let copied = Mirror::of_project_if_typed(&files, &judged, &place)?;
        Ok(copied.map(|mirror| ProjectCopy {
            mirror,
            replaced: None,
            warm: own_place.is_some().then(WarmPrograms::default),
            tools,
            _place: own_place,
        }))
    }
}

impl ProjectCopy {
    /// Brings it up to date; false when it is of no more use.
    fn follow(&mut self, files: &ModuleFiles, judged: &[Source]) -> Result<bool> {
        let replaced = |path: &str| self.replaced.as_ref()?.original(path);
        let Refreshed::Same(before) = self.mirror.refresh(files, judged, replaced)? else { return Ok(false) };
        if let Some(warm) = &mut self.warm {
            for was in before {
                let now = Source::new(was.path(), self.mirror.read(was.path()).unwrap_or_default());
                warm.note_edit(&was, &now);
            }
        }
        Ok(true)
    }

    /// Puts configurations of this program in the places of the project's.
    ///
    /// # Errors
    /// As [`ReplacedConfigurations::of`].
    pub(super) fn replace_configurations(&mut self) -> Result<()> {
        if self.replaced.is_none() {
            self.replaced = Some(ReplacedConfigurations::of(&self.mirror)?);
        }
        Ok(())
    }

    /// Makes it what the project is, for good: it is not kept any longer.
    ///
    /// # Errors
    /// As [`ReplacedConfigurations::put_back`].
    pub(super) fn put_configurations_back(&mut self) -> Result<()> {
        self.warm = None;
        self.replaced.take().map_or(Ok(()), |replaced| replaced.put_back(&self.mirror))
    }

    /// Gives it to whoever asks next, if it is one that is kept.
    pub(super) fn keep(self, held: &HeldScripts) {
        if self.warm.is_some() {
            held.put(self);
        }
    }
}

/// What the compiler said of the programs of a copy, and a server that has them in memory.
#[derive(Debug, Default)]
pub(super) struct WarmPrograms {
    /// By the name of the configuration.
    known: BTreeMap<String, KnownProgram>,
    server: Option<CompilerServer>,
    /// What has changed and the server has not been told.
    untold: BTreeSet<String>,
}

#[derive(Debug)]
struct KnownProgram {
    program: Arc<Program>,
    /// The files that have changed since they were looked at.
    changed: BTreeSet<String>,
}

impl WarmPrograms {
    /// While a module names the same others, the program around it is the same. Of any other edit nothing is known.
    fn note_edit(&mut self, was: &Source, now: &Source) {
        let before = Connections::of(was);
        if before.is_none() || before != Connections::of(now) {
            self.known.clear();
        }
        for known in self.known.values_mut() {
            known.changed.insert(now.path().to_owned());
        }
        self.untold.insert(now.path().to_owned());
    }

    /// What a run of the compiler said, and what has become of it since, for as much as the server can tell; none where a run is
    /// needed.
    ///
    /// # Errors
    /// What ends the call.
    pub(super) async fn ask_server(
        &mut self,
        configuration: &ProgramConfiguration,
        source: &Source,
        compiler: &Compiler<'_>,
    ) -> Result<Option<Arc<Program>>> {
        let mirror = compiler.mirror;
        let Some(known) = self.known.get(configuration.name()) else { return Ok(None) };
        let program = Arc::clone(&known.program);
        // The server looks for the nearest configuration, and follows references.
        let refers = configuration.path().and_then(|path| mirror.settings(path)).is_none_or(|one| !one.references.is_empty());
        if refers || !program.covers(source.path()) || !is_typed_script_of_project(source.path()) {
            return Ok(None);
        }
        let mut paths: BTreeSet<String> = known.changed.iter().filter(|path| program.covers(path)).cloned().collect();
        paths.insert(source.path().to_owned());
        let read = |path: &String| Some(Source::new(path, mirror.read(path)?));
        let Some(asked) = paths.iter().map(read).collect::<Option<Vec<Source>>>() else { return Ok(None) };
        if asked.len() > MOST_ASKED || !program.can_be_asked_about(&asked) {
            return Ok(None);
        }
        self.start_server(source, compiler).await?;
        let Some(server) = &mut self.server else { return Ok(None) };
        server.tell_changed(mirror, &std::mem::take(&mut self.untold)).await;
        let mut said = BTreeMap::new();
        for one in &asked {
            let Some(diagnostics) = server.diagnostics_of(mirror, one, compiler.asker.call).await? else {
                self.server = None;
                return Ok(None);
            };
            said.insert(one.path().to_owned(), diagnostics);
        }
        let Some(program) = program.with_said(said).map(Arc::new) else { return Ok(None) };
        self.remember(configuration, &program);
        if let Some(held) = compiler.asker.held_scripts {
            held.answered.fetch_add(1, Ordering::Relaxed);
        }
        Ok(Some(program))
    }

    /// Keeps what a run has said of the copy as it is, and has a server read the same program while nobody waits for it.
    ///
    /// # Errors
    /// What ends the call.
    pub(super) async fn keep_program(
        &mut self,
        configuration: &ProgramConfiguration,
        program: &Arc<Program>,
        source: &Source,
        compiler: &Compiler<'_>,
    ) -> Result<()> {
        self.remember(configuration, program);
        self.start_server(source, compiler).await
    }

    fn remember(&mut self, configuration: &ProgramConfiguration, program: &Arc<Program>) {
        let known = KnownProgram { program: Arc::clone(program), changed: BTreeSet::new() };
        self.known.insert(configuration.name().to_owned(), known);
    }

    async fn start_server(&mut self, first: &Source, compiler: &Compiler<'_>) -> Result<()> {
        if self.server.as_ref().is_none_or(CompilerServer::is_spent) {
            let Compiler { toolchain, mirror, asker } = compiler;
            self.server = CompilerServer::start(toolchain, mirror, first, asker.call).await?;
            // It reads what is there now.
            self.untold.clear();
        }
        Ok(())
    }
}
