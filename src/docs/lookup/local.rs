//! Answering from this machine: what is installed, then bundles.

use super::answer::{LookupAnswer, LookupRequest, Provenance};
use super::compose::compose_answer;
use super::identify::Identified;
use super::missed::{LibraryQuery, Missed, version_unavailable};
use super::offers::Offer;
use super::select;
use super::service::DocsService;
use tapps_base::ErrorCode;
use tapps_base::call::Call;
use tapps_project::packages::Ecosystem;
use tapps_project::versions;
use tapps_project::versions::Pin;

/// The budget of an answer when none is named, in tokens.
const TOKENS: usize = 1_200;
/// Bounds on a budget that is named.
const LEAST_TOKENS: usize = 100;
const MOST_TOKENS: usize = 20_000;

/// The tokens that an answer may take.
pub(super) fn token_budget(request: &LookupRequest) -> usize {
    request.max_tokens.unwrap_or(TOKENS).clamp(LEAST_TOKENS, MOST_TOKENS)
}

impl DocsService {
    /// Answers from this machine; another version stands in only when `nearest` says so.
    pub(super) fn answer_locally(
        &self,
        request: &LookupRequest,
        call: &Call,
        nearest: bool,
    ) -> Result<LookupAnswer, Missed> {
        call.check()?;
        let project = self.project()?;
        let identified = self.resolve_library(&project, &request.library, request.version.as_deref())?;
        let Identified { ecosystem, ref library, .. } = identified;
        let pin = project.pin(ecosystem, library);
        let mut offers = self.available_versions(&project, ecosystem, library);
        let locked = pin.and_then(|pin| pin.version.clone());
        // Asked for, else locked, else what is installed, else what there is.
        let wanted = request.version.clone().or(locked).or_else(|| Some(offers.first()?.version.clone()));
        let versions: Vec<String> = offers.iter().map(|offer| offer.version.clone()).collect();
        let Some(wanted) = wanted else {
            return Err(lookup_miss(identified, None, versions, pin));
        };
        let exact = offers.iter().position(|offer| versions::is_same_version(&offer.version, &wanted));
        let near =
            || versions.iter().position(|version| Some(version) == versions::nearest_version(&wanted, &versions));
        let Some(at) = exact.or_else(|| near().filter(|_| nearest)) else {
            return Err(lookup_miss(identified, Some(wanted), versions, pin));
        };
        let offer = offers.swap_remove(at);
        let opened = match self.open_offer(&offer) {
            // Installed without anything to read: others may know more.
            Err(error) if error.code() == ErrorCode::UnsupportedLanguage => {
                return Err(Missed { error, ..lookup_miss(identified, Some(wanted), Vec::new(), pin) });
            }
            other => other?,
        };
        call.check()?;
        let index = &opened.library.index;
        let chosen = select::choose_content(&opened.library, request.topic.as_deref());
        let composed = compose_answer(index, &chosen, request.mode, token_budget(request), self.screen);
        let mut notes = Vec::new();
        if exact.is_none() {
            notes.push(format!("{library} {wanted} is not on this machine; this is {}", offer.version));
        }
        if let (Some(near), Some(topic)) = (&chosen.missing, request.topic.as_deref()) {
            notes.push(self.explain_absence(index, &offers, topic, near));
        }
        let hashes = pin.filter(|_| exact.is_some() && request.version.is_none()).map(|pin| pin.hashes.clone());
        Ok(LookupAnswer {
            library: identified.library,
            ecosystem: Some(ecosystem),
            version: offer.version,
            source: opened.source,
            exact: exact.is_some(),
            stale: false,
            corrected_from: identified.corrected_from,
            note: (!notes.is_empty()).then(|| notes.join(". ")),
            symbols: composed.symbols,
            snippets: composed.snippets,
            token_estimate: composed.tokens,
            withheld: composed.withheld,
            truncated: composed.truncated,
            provenance: Provenance {
                sha256: index.source_sha256.clone(),
                of: opened.of,
                locked: hashes.unwrap_or_default().into_iter().take(1).collect(),
                pinned_by: pinned_by(pin),
            },
        })
    }

    /// The libraries that the project itself asks for and this machine has no documentation of, with their versions.
    pub(super) fn missing_docs(&self) -> tapps_base::Result<Vec<(String, String)>> {
        let project = self.project()?;
        let pins: Vec<&Pin> = project.pins.iter().collect();
        let mut wanted: Vec<&Pin> = pins.iter().copied().filter(|pin| pin.is_direct()).collect();
        if wanted.is_empty() {
            // Of crates nothing is ever here, and a lock alone does not say which of them matter.
            wanted = pins.into_iter().filter(|pin| pin.ecosystem != Ecosystem::Crates).collect();
        }
        let lacks = |pin: &&Pin| {
            let here = |offer: &Offer| {
                pin.version.as_ref().is_some_and(|version| versions::is_same_version(&offer.version, version))
            };
            !self.available_versions(&project, pin.ecosystem, &pin.library).iter().any(here)
        };
        let named = |pin: &Pin| Some((pin.library.clone(), pin.version.clone()?));
        Ok(wanted.into_iter().filter(lacks).filter_map(named).collect())
    }
}

fn pinned_by(pin: Option<&Pin>) -> Option<String> {
    pin.filter(|pin| pin.version.is_some()).map(|pin| pin.file.clone())
}

fn lookup_miss(identified: Identified, version: Option<String>, here: Vec<String>, pin: Option<&Pin>) -> Missed {
    let error = version_unavailable(&identified.library, version.as_deref(), &here);
    let wanted = LibraryQuery {
        ecosystem: Some(identified.ecosystem),
        library: identified.library,
        corrected_from: identified.corrected_from,
        version,
        here,
        pinned_by: pinned_by(pin),
    };
    Missed { error, wanted: Some(Box::new(wanted)) }
}
