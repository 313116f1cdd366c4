//! The scores of one side of a change, by the one way in which scores are made.

use std::collections::BTreeMap;

use rayon::prelude::*;

use crate::assemble::{Frame, assemble_file_score, assemble_text};
use crate::baseline::Baseline;
use crate::engine::{AnalysisPlan, Engine, Measurements};
use crate::own::OwnAnswers;
use crate::result::FileScore;
use crate::threads::{Threads, run_off_async_threads};
use tapps_base::Result;
use tapps_base::call::Call;
use tapps_base::finding::Finding;
use tapps_base::source::Source;
use tapps_sandbox::ProjectPath;
use tapps_security::secrets;

/// What is known of some files of one side.
#[derive(Debug)]
pub(super) struct ScoredFiles {
    /// By path; text files of other languages only where something is wrong with them.
    pub(super) files: BTreeMap<String, (FileScore, Source)>,
    pub(super) frame: Frame,
}

impl Engine {
    /// Scores files of this engine's tree. What cannot be read is left out.
    ///
    /// # Errors
    /// As [`Engine::score`].
    pub(super) async fn score_files(
        &self,
        paths: &[ProjectPath],
        plan: &AnalysisPlan,
        baseline: Option<&Baseline>,
        call: &Call,
    ) -> Result<ScoredFiles> {
        let (sources, _) = self.read_sources(paths, true).await?;
        self.score_sources(sources, plan, baseline, call).await
    }

    /// Scores files by their bytes, whatever this engine's tree has in their place.
    ///
    /// # Errors
    /// As [`Engine::score`].
    pub(super) async fn score_sources(
        &self,
        sources: Vec<Source>,
        plan: &AnalysisPlan,
        baseline: Option<&Baseline>,
        call: &Call,
    ) -> Result<ScoredFiles> {
        self.score_sources_beside(sources, plan, baseline, call, async |_| Ok(())).await.map(|(scored, ())| scored)
    }

    /// Scores files by their bytes, and does something else as soon as the tools are asked.
    ///
    /// # Errors
    /// As [`Engine::score`], and as what is done beside.
    pub(super) async fn score_sources_beside<T>(
        &self,
        sources: Vec<Source>,
        plan: &AnalysisPlan,
        baseline: Option<&Baseline>,
        call: &Call,
        beside: impl AsyncFnOnce(Threads) -> Result<T>,
    ) -> Result<(ScoredFiles, T)> {
        let (code, texts): (Vec<Source>, Vec<Source>) =
            sources.into_iter().partition(|source| source.language().is_some());
        let (measured, beside) = self.measure_beside(code, plan, call, beside).await?;
        let said = self.ask_own_tools_about_texts(&texts, plan, call).await?;
        Ok((self.assemble_side(measured, (texts, said), baseline).await?, beside))
    }

    async fn assemble_side(
        &self,
        measured: Measurements,
        (texts, said): (Vec<Source>, OwnAnswers),
        baseline: Option<&Baseline>,
    ) -> Result<ScoredFiles> {
        let mut baseline = baseline.cloned();
        let (files, frame) = run_off_async_threads(move || {
            let Measurements { files, frame, .. } = measured;
            let mut scored: Vec<(FileScore, Source)> = match &mut baseline {
                None => {
                    files.par_iter().map(|one| (assemble_file_score(one, &frame, None), one.source.clone())).collect()
                }
                Some(known) => files
                    .iter()
                    .map(|one| (assemble_file_score(one, &frame, Some(known)), one.source.clone()))
                    .collect(),
            };
            let found: Vec<(Vec<Finding>, Source)> =
                texts.into_par_iter().map(|source| (secrets::scan_for_secrets(&source), source)).collect();
            for (findings, source) in found {
                let own = said.get(source.path()).map_or(&[][..], Vec::as_slice);
                scored.push((assemble_text(&source, (findings, own), &frame, baseline.as_mut()), source));
            }
            (scored.into_iter().map(|(score, source)| (score.file.clone(), (score, source))).collect(), frame)
        })
        .await?;
        Ok(ScoredFiles { files, frame })
    }
}
