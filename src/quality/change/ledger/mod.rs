//! The ledger of suppressions: which comments hide findings, which of them the change brought, and which of those it is
//! not forgiven.

mod attribute;
mod matching;
mod standing;

use std::collections::{BTreeMap, BTreeSet};

use globset::GlobBuilder;

use super::report::{HiddenFinding, SuppressionChange, SuppressionState};
use super::side::FilePair;
use crate::baseline::Baseline;
use crate::blocking::is_blocking;
use crate::engine::{AnalysisPlan, Engine};
use crate::result::FileScore;
use tapps_base::Result;
use tapps_base::call::Call;
use tapps_base::finding::{Category, Finding, Severity};
use tapps_base::language::ScoredLanguage;
use tapps_base::source::Source;
use tapps_config::{Rules, SecurityEngine};
use tapps_rules::suppression::{Suppression, SuppressionKind, SuppressionScope, without_suppressions};

use self::matching::match_suppressions;

/// The entries of a change, by the path of the head's file.
pub(super) type Ledger = BTreeMap<String, Vec<SuppressionChange>>;

impl Engine {
    /// The suppressions of the files of a change; `sources` has the bytes of the head's files by path. What they hide is found
    /// by asking again about the same files, in which those comments are silent: all checkers where there are new ones, and
    /// those that answer at once where there are only old ones.
    ///
    /// # Errors
    /// As [`Engine::score`].
    pub(super) async fn suppression_ledger(
        &self,
        pairs: &[FilePair],
        sources: &BTreeMap<String, Source>,
        plan: &AnalysisPlan,
        baseline: Option<&Baseline>,
        call: &Call,
    ) -> Result<Ledger> {
        let matched = match_suppressions(pairs);
        let own_rules = self.config.rules == Rules::Tapps;
        let (mut with_news, mut without) = (Vec::new(), Vec::new());
        for (path, entries) in matched.files() {
            let is_changed = pairs.iter().any(|pair| pair.path == *path && pair.because.is_none());
            let Some(source) = sources.get(path).filter(|_| is_changed) else { continue };
            let asked: Vec<Suppression> = entries
                .iter()
                .filter(|(one, state)| is_asked(one, *state, path, own_rules))
                .map(|(one, _)| one.clone())
                .collect();
            if asked.is_empty() {
                continue;
            }
            let brings = entries.iter().any(|(_, state)| *state == SuppressionState::New);
            if brings { &mut with_news } else { &mut without }.push(silent_source(source, &asked));
        }
        let quick = AnalysisPlan { wanted: vec![Category::Security], ..plan.clone() };
        let mut spoken = BTreeMap::new();
        for (silenced, plan) in [(with_news, plan), (without, &quick)] {
            if !silenced.is_empty() {
                spoken.extend(self.score_sources(silenced, plan, baseline, call).await?.files);
            }
        }
        let mut ledger = Ledger::new();
        for (path, entries) in matched.into_files() {
            let pair = pairs.iter().find(|pair| pair.path == path);
            let score = pair.and_then(|pair| pair.head.as_ref()).map(|head| &head.score);
            let hidden = match (score, spoken.get(&path)) {
                (Some(score), Some((silent, _))) => Some(hidden_findings(score, silent)),
                _ => None,
            };
            ledger.insert(path, self.enter(entries, score, hidden));
        }
        Ok(ledger)
    }

    /// The entries of one file, with what is hidden by those that were silent.
    fn enter(
        &self,
        entries: Vec<(Suppression, SuppressionState)>,
        score: Option<&FileScore>,
        hidden: Option<Vec<Finding>>,
    ) -> Vec<SuppressionChange> {
        let path = score.map_or("", |score| &score.file);
        let own_rules = self.config.rules == Rules::Tapps;
        let was_asked = hidden.is_some();
        let is_silent = |one: &Suppression, state| was_asked && is_asked(one, state, path, own_rules);
        let silent: Vec<&Suppression> =
            entries.iter().filter(|(one, state)| is_silent(one, *state)).map(|(one, _)| one).collect();
        let mut hides = attribute::hidden_by_each(&silent, hidden.unwrap_or_default()).into_iter();
        let allowed = &self.config.change.allow;
        entries
            .iter()
            .map(|(one, state)| {
                let hidden = if is_silent(one, *state) { hides.next().unwrap_or_default() } else { Vec::new() };
                let (is_new, is_old) = (*state == SuppressionState::New, *state == SuppressionState::Existing);
                let asked = is_new || is_old && is_silent(one, *state);
                let measured = asked && score.is_some_and(|score| self.is_measured(one, score));
                let refused = is_new.then(|| why_not_forgiven(one, &hidden, measured, path, allowed)).flatten();
                SuppressionChange {
                    state: *state,
                    suppression: one.clone(),
                    hides: hidden.iter().map(HiddenFinding::of).collect(),
                    measured,
                    refused,
                }
            })
            .collect()
    }

    /// Whether the checker that a comment speaks to was asked about the file.
    fn is_measured(&self, one: &Suppression, score: &FileScore) -> bool {
        let was_asked = |tool: &str| {
            let gap = |gap: &crate::result::NotMeasured| gap.tool.as_deref() == Some(tool);
            score.overall.is_some() && !score.not_measured.iter().any(gap)
        };
        match one.kind {
            SuppressionKind::Noqa | SuppressionKind::Ruff | SuppressionKind::AllowSecret | SuppressionKind::AstGrep => {
                true
            }
            SuppressionKind::Nosec => self.config.security.engine == SecurityEngine::Native,
            SuppressionKind::TypeIgnore | SuppressionKind::Mypy => was_asked("mypy"),
            SuppressionKind::Own => was_asked(one.checker()),
            _ => false,
        }
    }
}

/// Whether what a suppression hides is asked for.
fn is_asked(one: &Suppression, state: SuppressionState, path: &str, own_rules: bool) -> bool {
    match state {
        SuppressionState::New => true,
        SuppressionState::Existing => own_rules && standing::is_of_quick_checkers(one, path),
        SuppressionState::Removed => false,
    }
}

/// A file in which some of its comments do not speak.
fn silent_source(source: &Source, suppressions: &[Suppression]) -> Source {
    let mut silent = without_suppressions(source.bytes(), suppressions);
    // mypy takes two texts of one length and one path for the same.
    if source.language().is_some_and(|one| one == ScoredLanguage::PYTHON) {
        silent.extend_from_slice(b"#\n");
    }
    Source::new(source.path(), silent)
}

/// What is said of a file only when its suppressions are silent.
fn hidden_findings(score: &FileScore, silent: &FileScore) -> Vec<Finding> {
    let key = |finding: &Finding| (finding.rule.clone(), finding.line, finding.message.clone());
    let told: BTreeSet<_> = score.findings.iter().map(key).collect();
    silent.findings.iter().filter(|finding| !told.contains(&key(finding))).cloned().collect()
}

/// Why a new suppression is not forgiven; none when it is.
fn why_not_forgiven(
    one: &Suppression,
    hidden: &[Finding],
    measured: bool,
    path: &str,
    allowed: &[String],
) -> Option<String> {
    let listed = |finding: &&Finding| !allowed.iter().any(|entry| is_allowed(entry, &finding.rule, path));
    if let Some(finding) = hidden.iter().filter(|finding| weighs(finding)).find(listed) {
        return Some(format!("hides {}, which only `change.allow` in the base can admit", finding.rule));
    }
    let wide = one.scope != SuppressionScope::Line && one.is_blanket();
    if wide {
        return Some("hides everything in the file, whatever comes".to_owned());
    }
    let hides = match hidden {
        [] if measured => return None,
        [] => format!("hides what {} would say", one.checker()),
        [finding] => format!("hides {}", finding.rule),
        [finding, rest @ ..] => format!("hides {} and {} more", finding.rule, rest.len()),
    };
    if one.is_blanket() {
        return Some(format!("{hides} and names no rule"));
    }
    // A rule of a linter that is not part of this verdict is that linter's business.
    let elsewhere = hidden.is_empty() && !one.rules.is_empty() && !is_of_types(one.kind);
    (one.reason.is_none() && !elsewhere).then(|| format!("{hides} and gives no reason"))
}

/// Whether an entry `RULE GLOB` of the configuration speaks of a rule in a file.
fn is_allowed(entry: &str, rule: &str, path: &str) -> bool {
    let Some((allowed, glob)) = entry.split_once(char::is_whitespace) else { return false };
    let glob = GlobBuilder::new(glob.trim()).literal_separator(true).build();
    allowed == rule && glob.is_ok_and(|glob| glob.compile_matcher().is_match(path))
}

const fn is_of_types(kind: SuppressionKind) -> bool {
    matches!(kind, SuppressionKind::TypeIgnore | SuppressionKind::Mypy)
}

/// What no comment takes back.
fn weighs(finding: &Finding) -> bool {
    is_blocking(finding) || finding.category == Category::Security && finding.severity >= Severity::High
}

impl HiddenFinding {
    fn of(finding: &Finding) -> Self {
        Self {
            rule: finding.rule.clone(),
            line: finding.line,
            severity: finding.severity,
            message: finding.message.clone(),
        }
    }
}
