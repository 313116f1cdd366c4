//! Rules about the libraries that a file uses, for the versions that its project locks.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::sync::Arc;

use crate::cache;
use crate::engine::Engine;
use crate::threads::Threads;
use memchr::memmem;
use tapps_base::finding::Finding;
use tapps_base::source::Source;
use tapps_base::{Error, ErrorCode, Result};
use tapps_patterns::libraries::{LibraryRule, Registry, check_library_rules, library_rules};
use tapps_project::imported_modules;
use tapps_project::packages::Ecosystem;
use tapps_project::versions::{Pins, compare_versions};
use tapps_syntax::stack::on_parsing_threads;

impl Engine {
    /// What rules about libraries say of each source, in order.
    ///
    /// # Errors
    /// `resource_exhausted` when there are no threads; what listing the root says.
    pub(super) async fn check_libraries(&self, sources: &Arc<[Source]>, threads: Threads) -> Result<Vec<Vec<Finding>>> {
        let (sources, boundary, cache) = (Arc::clone(sources), Arc::clone(&self.boundary), self.answers.clone());
        threads
            .run(move || {
                let holding = HoldingRules::among(&Pins::of_project(&boundary)?);
                let concerned: Vec<(usize, &Source)> =
                    sources.iter().enumerate().filter(|(_, source)| holding.may_concern(source)).collect();
                let asked: Vec<&Source> = concerned.iter().map(|(_, source)| *source).collect();
                let check = |source: &Source| match holding.rules_for(source) {
                    rules if rules.is_empty() => Vec::new(),
                    rules => check_library_rules(&rules, source),
                };
                let recall = || cache::recall_library_findings(&cache, &asked, &holding.circumstances(), check);
                let found = on_parsing_threads(recall).map_err(|_| {
                    Error::new(ErrorCode::ResourceExhausted, "there are no threads to match rules about libraries")
                        .hint("end other programs, and ask again")
                })?;
                let mut said = vec![Vec::new(); sources.len()];
                for ((at, _), found) in concerned.into_iter().zip(found) {
                    if let Some(place) = said.get_mut(at) {
                        *place = found;
                    }
                }
                Ok(said)
            })
            .await?
    }
}

/// The rules that hold for the versions that a project locks.
struct HoldingRules {
    /// With whether each is for files without the import too: it needs none, and the project has the library.
    rules: Vec<(&'static LibraryRule, bool)>,
    libraries: BTreeSet<&'static str>,
}

impl HoldingRules {
    fn among(pins: &Pins) -> Self {
        let has = |rule: &LibraryRule| pins.get(ecosystem_of(rule.registry()), rule.library()).is_some();
        let holding = library_rules().filter(|rule| holds(rule, pins));
        let rules: Vec<_> = holding.map(|rule| (rule, rule.without_import() && has(rule))).collect();
        let libraries = rules.iter().map(|(rule, _)| rule.library()).collect();
        Self { rules, libraries }
    }

    /// What decides, beside a file, what is said of it.
    fn circumstances(&self) -> Vec<u8> {
        let named = self.rules.iter().map(|(rule, everywhere)| format!("{} {everywhere}\n", rule.code()));
        named.collect::<String>().into_bytes()
    }

    /// False for a file of which no rule can say anything, as a search for words shows.
    fn may_concern(&self, source: &Source) -> bool {
        self.rules.iter().any(|(_, everywhere)| *everywhere) || self.names_library(source)
    }

    fn names_library(&self, source: &Source) -> bool {
        self.libraries.iter().any(|library| memmem::find(source.bytes(), library.as_bytes()).is_some())
    }

    /// The rules about what a file imports, and those that need no import.
    fn rules_for(&self, source: &Source) -> Vec<&'static LibraryRule> {
        // Reading the imports costs more than looking for the name.
        let imported = match self.names_library(source) {
            true => imported_modules(source.path(), source.bytes()),
            false => Vec::new(),
        };
        let imports = |rule: &LibraryRule| {
            imported.iter().any(|module| {
                let rest = module.strip_prefix(rule.library());
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '/']))
            })
        };
        let speaks = |(rule, everywhere): &&(&'static LibraryRule, bool)| *everywhere || imports(rule);
        self.rules.iter().filter(speaks).map(|(rule, _)| *rule).collect()
    }
}

const fn ecosystem_of(registry: Registry) -> Ecosystem {
    match registry {
        Registry::PyPi => Ecosystem::PyPi,
        Registry::Npm => Ecosystem::Npm,
    }
}

/// Whether a rule holds for the version that the project has. Of a version that nobody knows only what holds for all of them
/// is said.
fn holds(rule: &LibraryRule, pins: &Pins) -> bool {
    let ecosystem = ecosystem_of(rule.registry());
    let version = pins.get(ecosystem, rule.library()).and_then(|pin| pin.version.as_deref());
    let stands = |bound: Option<&str>, is_met: fn(Ordering) -> bool| {
        let Some(bound) = bound else { return true };
        version.and_then(|version| compare_versions(ecosystem, version, bound)).is_some_and(is_met)
    };
    stands(rule.holds_from(), Ordering::is_ge) && stands(rule.holds_before(), Ordering::is_lt)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;
    use tapps_sandbox::Boundary;

    fn said(files: &[(&str, &str)], path: &str, text: &str) -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        let pins = Pins::of_project(&Boundary::open(folder.path()).unwrap()).unwrap();
        let source = Source::new(path, text.as_bytes().to_vec());
        let rules = HoldingRules::among(&pins).rules_for(&source);
        check_library_rules(&rules, &source).into_iter().map(|one| one.rule).collect()
    }

    const VALIDATOR: &str = "from pydantic import BaseModel, validator\n\n\nclass A(BaseModel):\n    @validator(\"a\")\n    \
                             def b(cls, v):\n        return v\n";

    #[rstest]
    #[case(&[("requirements.txt", "pydantic==2.12.4\n")], &["tapps:pydantic-old-validator"])]
    #[case(&[("requirements.txt", "pydantic==1.10.2\n")], &[])]
    #[case(&[("requirements.txt", "pydantic>=1.10\n")], &[])]
    #[case(&[], &[])]
    fn a_rule_is_for_the_versions_that_it_holds_for(#[case] files: &[(&str, &str)], #[case] expected: &[&str]) {
        assert_eq!(said(files, "a.py", VALIDATOR), expected);
    }

    #[test]
    fn a_file_without_the_import_is_another_matter() {
        let text = "from .validators import validator\n\n\nclass A:\n    @validator(\"a\")\n    def b(cls, v): ...\n";
        assert_eq!(said(&[("requirements.txt", "pydantic==2.12.4\n")], "a.py", text), [""; 0]);
        let queries = "from django_filters import x\n\nprint(len(User.objects.all()))\n";
        assert_eq!(said(&[], "a.py", queries), [""; 0]);
        assert_eq!(said(&[], "a.py", &queries.replace("_filters", ".db")), ["tapps:django-length-of-query"]);
    }

    #[test]
    fn settings_and_pages_need_no_import_where_the_library_is_locked() {
        let settings = "ALLOWED_HOSTS = [\"*\"]\n";
        assert_eq!(said(&[], "site/settings.py", settings), [""; 0]);
        assert_eq!(
            said(&[("requirements.txt", "Django==5.2.7\n")], "site/settings.py", settings),
            ["tapps:django-any-host"]
        );
        let lock = r#"{"name":"x","lockfileVersion":3,"packages":{"":{"dependencies":{"next":"^15"}},
            "node_modules/next":{"version":"15.1.0","resolved":"x","integrity":"sha512-x"}}}"#;
        let page = "import { useState } from 'react'\nexport default function Page() { return null }\n";
        assert_eq!(said(&[("package-lock.json", lock)], "app/page.tsx", page), ["tapps:next-hook-on-server"]);
        assert_eq!(said(&[("package-lock.json", lock)], "app/shown.tsx", page), [""; 0]);
    }
}
