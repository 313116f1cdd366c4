//! Contracts about imports: which part of the code may import which.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use tapps_base::{Error, ErrorCode, Result};

/// Most characters of a pattern that names modules.
pub const PATTERN_MOST: usize = 256;

/// Most characters of an exception with its reason.
pub const EXCEPTION_MOST: usize = 1_024;

/// Fewest words that are a reason, as for comments that hide findings.
const REASON_WORDS: usize = 3;

/// The architecture that the project has set for itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ArchitectureConfig {
    /// Whether imports that only type checkers see count, where a contract does not say it itself.
    pub type_imports: bool,
    /// Whether files of tests are looked at.
    pub tests: bool,
    /// The contracts, by name.
    pub contracts: BTreeMap<String, ContractSpec>,
}

impl Default for ArchitectureConfig {
    fn default() -> Self {
        Self { type_imports: true, tests: false, contracts: BTreeMap::new() }
    }
}

tapps_base::wire_enum! {
    /// What a contract asks for.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
    pub enum ContractKind {
        /// A layer imports only what is below it.
        Layers = "layers",
        /// Modules do not import each other.
        Independence = "independence",
        /// Some modules do not import some others.
        Forbidden = "forbidden",
        /// Only some modules import some others directly.
        Protected = "protected",
        /// From outside a package, only its interface is imported directly.
        Public = "public",
        /// Nothing imports itself through others.
        Acyclic = "acyclic",
    }
}

/// A contract as it is written. Modules are named by patterns: `shop.web` (a module with all below it, from a source root),
/// or `src/web` (a path from the project's root); `*` stands for one part of a name, `**` for any number.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ContractSpec {
    /// What it asks for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<ContractKind>,
    /// `layers`: from the highest to the lowest. `a | b` stand side by side and do not import each other, `a : b` may;
    /// `(a)` need not be there.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub layers: Vec<String>,
    /// `layers`: packages that each have these layers; the layers are then named from there.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub containers: Vec<String>,
    /// `layers`: whether everything directly in a container has to be in a layer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exhaustive: Option<bool>,
    /// `independence`, `protected`, `public`, `acyclic`: whom it is about.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub modules: Vec<String>,
    /// `forbidden`: who may not import.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub from: Vec<String>,
    /// `forbidden`: what may not be imported.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub to: Vec<String>,
    /// `forbidden`: packages outside the project that may not be imported.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub packages: Vec<String>,
    /// `protected`: who may import.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub importers: Vec<String>,
    /// `public`: what may be imported from outside.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub interface: Vec<String>,
    /// `layers`, `independence`, `forbidden`: whether imports through others count; true when not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub indirect: Option<bool>,
    /// `acyclic`: whether what stands directly in one package is compared, at each depth, and not single files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub siblings: Option<bool>,
    /// Whether imports that only type checkers see count; as the section says when not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub type_imports: Option<bool>,
    /// Imports that do not count, each with its reason: `shop.domain.old -> shop.web.urls: moves with the next release`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub except: Vec<String>,
}

/// An exception, taken apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContractException<'c> {
    pub importer: &'c str,
    pub imported: &'c str,
    pub reason: &'c str,
}

/// A key that only some kinds of contract have.
struct KindKey {
    name: &'static str,
    is_given: fn(&ContractSpec) -> bool,
    kinds: &'static [ContractKind],
    required: bool,
}

const KIND_KEYS: &[KindKey] = {
    use ContractKind::{Acyclic, Forbidden, Independence, Layers, Protected, Public};
    &[
        KindKey { name: "layers", is_given: |it| !it.layers.is_empty(), kinds: &[Layers], required: true },
        KindKey { name: "containers", is_given: |it| !it.containers.is_empty(), kinds: &[Layers], required: false },
        KindKey { name: "exhaustive", is_given: |it| it.exhaustive.is_some(), kinds: &[Layers], required: false },
        KindKey {
            name: "modules",
            is_given: |it| !it.modules.is_empty(),
            kinds: &[Independence, Protected, Public, Acyclic],
            required: true,
        },
        KindKey { name: "from", is_given: |it| !it.from.is_empty(), kinds: &[Forbidden], required: true },
        KindKey { name: "to", is_given: |it| !it.to.is_empty(), kinds: &[Forbidden], required: false },
        KindKey { name: "packages", is_given: |it| !it.packages.is_empty(), kinds: &[Forbidden], required: false },
        KindKey { name: "importers", is_given: |it| !it.importers.is_empty(), kinds: &[Protected], required: true },
        KindKey { name: "interface", is_given: |it| !it.interface.is_empty(), kinds: &[Public], required: true },
        KindKey {
            name: "indirect",
            is_given: |it| it.indirect.is_some(),
            kinds: &[Layers, Independence, Forbidden],
            required: false,
        },
        KindKey { name: "siblings", is_given: |it| it.siblings.is_some(), kinds: &[Acyclic], required: false },
    ]
};

impl ContractSpec {
    /// The exceptions, taken apart.
    ///
    /// # Errors
    /// `config_error` for one without an arrow or without a reason of at least three words.
    pub fn exceptions(&self) -> Result<Vec<ContractException<'_>>> {
        self.except.iter().map(|text| parse_exception(text)).collect()
    }

    /// What is wrong with the contract by itself, whatever the code is: a key that is missing or belongs to another kind,
    /// an exception without a reason.
    fn find_fault(&self) -> Option<(Option<&'static str>, Error)> {
        let Some(kind) = self.kind else {
            let error = Error::new(ErrorCode::ConfigError, "the contract has no `kind`")
                .hint(format!("set `kind` to one of {}", ContractKind::ALL.map(ContractKind::as_str).join(", ")));
            return Some((None, error));
        };
        for key in KIND_KEYS {
            let (given, fits) = ((key.is_given)(self), key.kinds.contains(&kind));
            if given && !fits {
                let error = Error::new(
                    ErrorCode::ConfigError,
                    format!("`{}` has no meaning for a contract of the kind `{}`", key.name, kind.as_str()),
                );
                return Some((Some(key.name), error.hint(format!("its keys are {}", keys_of_kind(kind).join(", ")))));
            }
            if key.required && fits && !given {
                let message = format!("a contract of the kind `{}` needs `{}`", kind.as_str(), key.name);
                let hint = format!("set `{}` to a list of modules, such as [\"shop.web\"] or [\"src/web\"]", key.name);
                return Some((None, Error::new(ErrorCode::ConfigError, message).hint(hint)));
            }
        }
        if kind == ContractKind::Forbidden && self.to.is_empty() && self.packages.is_empty() {
            let error =
                Error::new(ErrorCode::ConfigError, "a contract of the kind `forbidden` needs `to` or `packages`")
                    .hint("name what may not be imported");
            return Some((None, error));
        }
        if self.exhaustive == Some(true) && self.containers.is_empty() {
            let error = Error::new(ErrorCode::ConfigError, "`exhaustive` is about containers, and there are none")
                .hint("set `containers` to the packages whose modules have to be in a layer");
            return Some((Some("exhaustive"), error));
        }
        self.exceptions().err().map(|error| (Some("except"), error))
    }
}

impl ArchitectureConfig {
    /// The first contract that is broken in itself, with the key, or the section, that has to be mended.
    pub(super) fn first_broken_contract(&self) -> Option<(String, Error)> {
        self.contracts.iter().find_map(|(name, spec)| {
            let (key, error) = spec.find_fault()?;
            let section = format!("architecture.contracts.{name}");
            let place = key.map_or_else(|| section.clone(), |key| format!("{section}.{key}"));
            Some((place, error.located_at(format!("`{section}`"))))
        })
    }
}

fn keys_of_kind(kind: ContractKind) -> Vec<&'static str> {
    let own = KIND_KEYS.iter().filter(|key| key.kinds.contains(&kind)).map(|key| key.name);
    ["kind"].into_iter().chain(own).chain(["type_imports", "except"]).collect()
}

fn parse_exception(text: &str) -> Result<ContractException<'_>> {
    let fault = |what: &str| {
        Error::new(ErrorCode::ConfigError, format!("the exception {text:?} {what}"))
            .hint("write `IMPORTER -> IMPORTED: REASON`, with a reason of at least three words")
    };
    let (importer, rest) = text.split_once("->").ok_or_else(|| fault("has no arrow"))?;
    // Names of Rust have two colons, and no space after them.
    let (imported, reason) = rest.split_once(": ").ok_or_else(|| fault("gives no reason"))?;
    let (importer, imported, reason) = (importer.trim(), imported.trim(), reason.trim());
    if importer.is_empty() || imported.is_empty() {
        return Err(fault("names no modules"));
    }
    if reason.split_whitespace().count() < REASON_WORDS {
        return Err(fault("gives no reason of at least three words"));
    }
    Ok(ContractException { importer, imported, reason })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(spec: &ContractSpec) -> (String, String, String) {
        let contracts = BTreeMap::from([("one".to_owned(), spec.clone())]);
        let config = ArchitectureConfig { contracts, ..ArchitectureConfig::default() };
        let (place, error) = config.first_broken_contract().unwrap();
        assert_eq!(error.code(), ErrorCode::ConfigError);
        (place, error.message().to_owned(), error.body().hint.clone().unwrap_or_default())
    }

    fn words(list: &[&str]) -> Vec<String> {
        list.iter().map(|&word| word.to_owned()).collect()
    }

    fn layers() -> ContractSpec {
        ContractSpec { kind: Some(ContractKind::Layers), layers: words(&["a", "b"]), ..ContractSpec::default() }
    }

    #[test]
    fn what_is_wrong_in_itself_is_told_with_its_key() {
        let (place, message, hint) = fault(&ContractSpec { kind: None, ..layers() });
        assert_eq!(
            (place.as_str(), message.as_str()),
            ("architecture.contracts.one", "`architecture.contracts.one`: the contract has no `kind`")
        );
        assert!(hint.starts_with("set `kind` to one of layers, independence"), "{hint}");
        let (place, message, hint) = fault(&ContractSpec { importers: words(&["c"]), ..layers() });
        assert_eq!(place, "architecture.contracts.one.importers");
        assert!(message.ends_with("`importers` has no meaning for a contract of the kind `layers`"), "{message}");
        assert_eq!(hint, "its keys are kind, layers, containers, exhaustive, indirect, type_imports, except");
        let (_, message, _) = fault(&ContractSpec { layers: Vec::new(), ..layers() });
        assert!(message.ends_with("a contract of the kind `layers` needs `layers`"), "{message}");
        let forbidden =
            ContractSpec { kind: Some(ContractKind::Forbidden), from: words(&["a"]), ..ContractSpec::default() };
        assert!(fault(&forbidden).1.ends_with("needs `to` or `packages`"));
        let exhaustive = ContractSpec { exhaustive: Some(true), ..layers() };
        assert_eq!(fault(&exhaustive).0, "architecture.contracts.one.exhaustive");
    }

    #[test]
    fn exceptions_have_an_arrow_and_a_reason() {
        let spec = ContractSpec { except: words(&["a.b -> c::d: moves next week"]), ..layers() };
        let parts = ContractException { importer: "a.b", imported: "c::d", reason: "moves next week" };
        assert_eq!(spec.exceptions().unwrap(), [parts]);
        for (text, what) in [
            ("a, b: for some reason", "has no arrow"),
            ("a -> b", "gives no reason"),
            ("a -> b: old code", "gives no reason of at least three words"),
            ("-> b: it is old", "names no modules"),
        ] {
            let (place, message, _) = fault(&ContractSpec { except: words(&[text]), ..layers() });
            assert_eq!(place, "architecture.contracts.one.except");
            assert!(message.ends_with(what), "{message}");
        }
    }
}
