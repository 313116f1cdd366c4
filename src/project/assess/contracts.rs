//! Contracts about imports: what of their breaches stands in one file.

use super::Assessment;
use crate::rules::{forbidden_import, import_circle, internal_import, layer_breach, protected_import, sibling_import};
use tapps_base::finding::Finding;
use tapps_base::rule::Rule;
use tapps_coderef::contracts::{ArchitectureVerdict, Breach};
use tapps_config::ContractKind;

const fn rule_of_kind(kind: ContractKind) -> &'static Rule {
    match kind {
        ContractKind::Layers => &layer_breach::RULE,
        ContractKind::Independence => &sibling_import::RULE,
        ContractKind::Forbidden => &forbidden_import::RULE,
        ContractKind::Protected => &protected_import::RULE,
        ContractKind::Public => &internal_import::RULE,
        ContractKind::Acyclic => &import_circle::RULE,
    }
}

/// A breach as a finding at the import that leads to it. Its fingerprint goes by the files of the chain, and not by lines.
#[must_use]
pub fn breach_finding(breach: &Breach) -> Finding {
    let mut finding = rule_of_kind(breach.kind).finding(breach.message()).anchored(breach.anchor());
    finding.file.clone_from(&breach.file);
    finding = finding.at(breach.line, 0, breach.line);
    finding.seal("");
    finding
}

/// Whether a finding is about an import that breaks a contract.
#[must_use]
pub fn is_breach(finding: &Finding) -> bool {
    ContractKind::ALL.iter().any(|kind| rule_of_kind(*kind).name() == finding.rule)
}

impl Assessment {
    /// Adds what contracts say of a file to the verdict on its structure.
    #[must_use]
    pub fn with_contracts(mut self, verdict: &ArchitectureVerdict, path: &str) -> Self {
        let here = verdict.breaches.iter().filter(|breach| breach.file == path).map(breach_finding);
        let before = self.findings.len();
        self.findings.extend(here);
        let breaches = self.findings.len() - before;
        self.findings.sort_by(Finding::order);
        self.details.push_str(&match breaches {
            0 => "; breaks no contract about imports".to_owned(),
            1 => "; breaks a contract about imports".to_owned(),
            _ => format!("; breaks contracts about imports {breaches} times"),
        });
        for fault in &verdict.faults {
            self.details.push_str(&format!("; passed over: {}", fault.error.message()));
        }
        self
    }
}
