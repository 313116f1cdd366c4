//! One thing that a contract does not allow, with its proof.

use schemars::JsonSchema;
use serde::Serialize;

use super::import_graph::{ImportGraph, ImportStep};
use tapps_config::ContractKind;

/// One file imports another, or something outside the project.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct ImportLink {
    pub importer: String,
    /// 1-based.
    pub line: u32,
    pub imported: String,
}

/// A breach of a contract.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct Breach {
    /// The file whose import leads to it.
    pub file: String,
    /// Of that import, 1-based; 0 where it is no import that breaks the contract.
    pub line: u32,
    pub contract: String,
    pub kind: ContractKind,
    /// What the contract says, in words.
    pub says: String,
    /// The shortest chain of imports that shows it. Of packages in a circle each link is one import between two of them.
    pub chain: Vec<ImportLink>,
}

impl Breach {
    /// The breach as one sentence, for people.
    #[must_use]
    pub fn message(&self) -> String {
        let mut text = format!("{} (contract `{}`)", self.says, self.contract);
        let mut last: Option<&str> = None;
        for link in &self.chain {
            if last != Some(&link.importer) {
                text.push_str(if last.is_none() { ": " } else { "; " });
                text.push_str(&link.importer);
            }
            text.push_str(&format!(":{} → {}", link.line, link.imported));
            last = Some(&link.imported);
        }
        text
    }

    /// What stays the same while code moves: the contract and the files of the chain, without lines.
    #[must_use]
    pub fn anchor(&self) -> String {
        let files = self.chain.iter().map(|link| format!("{} {}", link.importer, link.imported));
        let subject = if self.chain.is_empty() { vec![self.file.clone()] } else { files.collect() };
        format!("{} {} {}", self.contract, self.says, subject.join(" "))
    }
}

/// The link of an import.
pub(super) fn link(graph: &ImportGraph, from: usize, step: &ImportStep) -> ImportLink {
    ImportLink { importer: graph.path(from).to_owned(), line: step.line, imported: graph.path(step.to).to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn breach(links: &[(&str, u32, &str)]) -> Breach {
        let link = |(importer, line, imported): &(&str, u32, &str)| ImportLink {
            importer: (*importer).to_owned(),
            line: *line,
            imported: (*imported).to_owned(),
        };
        Breach {
            file: "a.py".into(),
            line: 3,
            contract: "floors".into(),
            kind: ContractKind::Layers,
            says: "`a` may not import `c`".into(),
            chain: links.iter().map(link).collect(),
        }
    }

    #[test]
    fn a_breach_is_told_with_its_chain_and_known_without_its_lines() {
        let one = breach(&[("a.py", 3, "b.py"), ("b.py", 7, "c.py")]);
        assert_eq!(one.message(), "`a` may not import `c` (contract `floors`): a.py:3 → b.py:7 → c.py");
        let moved = breach(&[("a.py", 4, "b.py"), ("b.py", 1, "c.py")]);
        assert_eq!(one.anchor(), moved.anchor());
        assert_ne!(one.anchor(), breach(&[("a.py", 3, "c.py")]).anchor());
        let apart = breach(&[("a/x.py", 3, "b/y.py"), ("b/z.py", 7, "a/w.py")]);
        assert!(apart.message().ends_with(": a/x.py:3 → b/y.py; b/z.py:7 → a/w.py"), "{}", apart.message());
    }
}
