//! Defects that are appended to real files: each is new, in the lines that were appended, by the rule that is meant.

use std::fmt::Write as _;

use tapps_quality::change::report::FindingState;

use super::support::{Changed, assert_adds_up};
use crate::calibration::defects;

const HOSTS: [&str; 3] = ["src/requests/adapters.py", "src/requests/sessions.py", "src/requests/structures.py"];

#[test]
fn a_defect_is_new_where_it_was_put_and_nothing_else_is() {
    let changed = Changed::of_package("requests");
    let defects = defects();
    let variant = |host: &str, name: &str| host.replace(".py", &format!("_{name}.py"));
    for host in HOSTS {
        for defect in &defects {
            changed.write(&variant(host, &defect.name), &changed.read(host));
        }
    }
    crate::toolchain_git_support::commit_all(changed.root(), "variants");
    for host in HOSTS {
        for defect in &defects {
            changed.write(&variant(host, &defect.name), &format!("{}\n\n{}", changed.read(host), defect.text));
        }
    }
    let report = changed.verdict();
    assert_adds_up(&report);
    let mut wrong = String::new();
    for host in HOSTS {
        let last = u32::try_from(changed.read(host).lines().count()).unwrap();
        for defect in &defects {
            let file = super::support::file(&report, &variant(host, &defect.name));
            let new: Vec<(&str, u32)> =
                file.findings_in(FindingState::New).map(|one| (one.finding.rule.as_str(), one.finding.line)).collect();
            // Of a file that does not parse nothing else is known.
            let elsewhere = new.iter().any(|(_, line)| *line <= last && *line > 0);
            if elsewhere || !new.iter().any(|(rule, _)| defect.is_expected(rule)) {
                let _ = writeln!(wrong, "{} in {host} (of {last} lines): {new:?}", defect.name);
            }
            let worsened = file.findings_in(FindingState::Worsened).count();
            if worsened > 0 {
                let _ = writeln!(wrong, "{} in {host}: {worsened} worsened", defect.name);
            }
        }
    }
    println!("{} defects in {} files: each new where it was put", defects.len(), HOSTS.len());
    assert!(wrong.is_empty(), "{wrong}");
}
