//! How severe a change is, and what to say about it.

use super::subject::Subject;
use super::{Basis, ChangeType, Dependent, Impact, PublicName, Reach};
use crate::users::WHOLE;
use tapps_coderef::model::{CodebaseIndex, Parse, SourceFile};

/// Direct dependents from which on a change is of high and of critical severity.
const HIGH: usize = 6;
const CRITICAL: usize = 11;

/// Most unread files that are named.
const UNREAD: usize = 10;

/// How many files take what changes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Taken {
    /// Those that certainly do.
    direct: usize,
    /// Those that take the module as a whole, of which nobody knows whether they use the symbol.
    perhaps: usize,
}

impl Taken {
    pub(super) fn from_dependents(dependents: &[Dependent], symbol: bool) -> Self {
        let perhaps = dependents.iter().filter(|one| symbol && one.names.iter().all(|name| name == WHOLE)).count();
        Self { direct: dependents.len() - perhaps, perhaps }
    }
}

/// Files that only may use a symbol make a change of medium severity, however many they are.
pub(super) fn impact_severity(change: ChangeType, taken: Taken, api: &[PublicName]) -> (Reach, String) {
    let (severity, reason) = certain_severity(change, taken.direct, api);
    if taken.perhaps == 0 {
        return (severity, reason);
    }
    let noun = match (taken.perhaps, taken.direct) {
        (1, 0) => "file imports",
        (1, _) => "more imports",
        (_, 0) => "files import",
        (_, _) => "more import",
    };
    let perhaps = format!("{} {noun} the whole module and may use it", taken.perhaps);
    let reason = if taken.direct == 0 { perhaps } else { format!("{reason}; {perhaps}") };
    (severity.max(Reach::Medium), reason)
}

fn certain_severity(change: ChangeType, direct: usize, api: &[PublicName]) -> (Reach, String) {
    let files = if direct == 1 { "1 file".to_owned() } else { format!("{direct} files") };
    let used = api.iter().filter(|name| name.used_by > 0).count();
    let names = match used {
        0 => String::new(),
        1 => ", by one public name".to_owned(),
        used => format!(", by {used} public names"),
    };
    match change {
        ChangeType::Removed if direct > 0 => (Reach::Critical, format!("{files} import what is removed{names}")),
        ChangeType::Removed => (Reach::Low, "nothing but tests imports it, as far as imports tell".to_owned()),
        ChangeType::Added if direct > 0 => (Reach::Medium, format!("{files} import that name already{names}")),
        ChangeType::Added => (Reach::Low, "nothing can depend on it yet".to_owned()),
        ChangeType::Modified => {
            let severity = match direct {
                0 => Reach::Low,
                direct if direct >= CRITICAL => Reach::Critical,
                direct if direct >= HIGH => Reach::High,
                _ => Reach::Medium,
            };
            (
                severity,
                if direct == 0 {
                    "nothing but tests imports it".to_owned()
                } else {
                    format!("{files} import it{names}")
                },
            )
        }
    }
}

pub(super) fn recommendations(impact: &Impact) -> Vec<String> {
    let mut recommendations = Vec::new();
    match impact.test_files.as_slice() {
        [] if impact.change_type == ChangeType::Added => {
            recommendations.push("add a test: none can reach it yet".to_owned());
        }
        [] => recommendations.push("no test reaches it: write one before the change".to_owned()),
        tests => recommendations.push(format!("run {}", tests.iter().take(5).cloned().collect::<Vec<_>>().join(" "))),
    }
    if impact.change_type == ChangeType::Removed && !impact.direct_dependents.is_empty() {
        let files: Vec<&str> =
            impact.direct_dependents.iter().take(5).map(|dependent| dependent.file.as_str()).collect();
        recommendations.push(format!("change the importers first: {}", files.join(" ")));
    }
    if impact.severity >= Reach::High && impact.change_type == ChangeType::Modified {
        recommendations
            .push("keep the signatures of the public names, or change their users in the same step".to_owned());
    }
    if !impact.entry_points.is_empty() {
        recommendations.push(format!("start it once: {} is entered there", impact.entry_points.join(", ")));
    }
    recommendations
}

/// What the answer stands on.
pub(super) fn basis(index: &CodebaseIndex) -> Basis {
    let unread: Vec<&SourceFile> = index.files.iter().filter(|file| file.parse != Parse::Whole).collect();
    Basis {
        unread_total: unread.len(),
        graph: "coderef".to_owned(),
        files: index.files.len(),
        unread: unread.iter().take(UNREAD).map(|file| file.path.clone()).collect(),
    }
}

/// What the answer cannot know.
pub(super) fn limits(index: &CodebaseIndex, subject: &Subject) -> Vec<String> {
    let mut limits = vec!["what is only looked up by name while the program runs is not seen".to_owned()];
    if subject.symbol.is_some() {
        limits.push("a file that takes the whole module (`*`) may or may not use the symbol".to_owned());
        limits.push("inside its own file only calls of the symbol are seen, not other uses".to_owned());
    }
    match subject.file.and_then(|file| index.files.get(file.0 as usize)).map(|file| &file.parse) {
        Some(Parse::Broken { line, .. }) => {
            limits.push(format!("the file itself has an error in line {line}; what it defines is known in part"));
        }
        Some(Parse::Skipped { reason }) => limits.push(format!("nothing is known of the file itself: {reason}")),
        _ => {}
    }
    limits.extend(index.problems.iter().map(|problem| format!("{} {}", problem.file, problem.message)));
    limits
}
