//! Rules about the libraries that a file uses, for the versions that its project locks.

use std::cmp::Ordering;
use std::sync::Arc;

use memchr::memmem;
use rayon::prelude::*;

use crate::cache;
use crate::engine::{Engine, run_off_async_threads};
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
    pub(super) async fn check_libraries(&self, sources: &Arc<[Source]>) -> Result<Vec<Vec<Finding>>> {
        let (sources, boundary, cache) = (Arc::clone(sources), Arc::clone(&self.boundary), self.answers.clone());
        run_off_async_threads(move || {
            let pins = Pins::of_project(&boundary)?;
            let holding: Vec<&'static LibraryRule> = library_rules().filter(|rule| holds(rule, &pins)).collect();
            let concerned: Vec<usize> = sources
                .par_iter()
                .enumerate()
                .filter_map(|(at, source)| may_concern(source, &holding, &pins).then_some(at))
                .collect();
            let asked: Vec<&Source> = concerned.iter().filter_map(|at| sources.get(*at)).collect();
            let check = |source: &Source| match rules_for(source, &holding, &pins) {
                rules if rules.is_empty() => Vec::new(),
                rules => check_library_rules(&rules, source),
            };
            let circumstances = name_rules(&holding, &pins);
            let recall = || cache::recall_library_findings(&cache, &asked, &circumstances, check);
            let found = on_parsing_threads(recall).map_err(|_| {
                Error::new(ErrorCode::ResourceExhausted, "there are no threads to match rules about libraries")
                    .hint("end other programs, and ask again")
            })?;
            let mut said = vec![Vec::new(); sources.len()];
            for (at, found) in concerned.into_iter().zip(found) {
                if let Some(place) = said.get_mut(at) {
                    *place = found;
                }
            }
            Ok(said)
        })
        .await?
    }
}

/// The rules that hold, and whether each is for files without the import too: what decides, beside a file, what is said of it.
fn name_rules(holding: &[&'static LibraryRule], pins: &Pins) -> Vec<u8> {
    let named = holding.iter().map(|rule| format!("{} {}\n", rule.code(), speaks_without_import(rule, pins)));
    named.collect::<String>().into_bytes()
}

/// False for a file of which no rule can say anything, as a search for words shows.
fn may_concern(source: &Source, holding: &[&'static LibraryRule], pins: &Pins) -> bool {
    holding.iter().any(|rule| names_library(source, rule) || speaks_without_import(rule, pins))
}

fn names_library(source: &Source, rule: &LibraryRule) -> bool {
    memmem::find(source.bytes(), rule.library().as_bytes()).is_some()
}

/// True for a rule that needs no import, in a project that has the library.
fn speaks_without_import(rule: &LibraryRule, pins: &Pins) -> bool {
    rule.without_import() && pins.get(ecosystem_of(rule.registry()), rule.library()).is_some()
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

/// The rules about what a file imports, and those that need no import in a project that has the library.
fn rules_for(source: &Source, holding: &[&'static LibraryRule], pins: &Pins) -> Vec<&'static LibraryRule> {
    // Reading the imports costs more than looking for the name.
    let imported = if holding.iter().any(|rule| names_library(source, rule)) {
        imported_modules(source.path(), source.bytes())
    } else {
        Vec::new()
    };
    let imports = |rule: &LibraryRule| {
        let library = rule.library();
        imported.iter().any(|module| {
            let rest = module.strip_prefix(library);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '/']))
        })
    };
    let speaks = |rule: &&&'static LibraryRule| imports(rule) || speaks_without_import(rule, pins);
    holding.iter().filter(speaks).copied().collect()
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
        let holding: Vec<&'static LibraryRule> = library_rules().filter(|rule| holds(rule, &pins)).collect();
        let source = Source::new(path, text.as_bytes().to_vec());
        check_library_rules(&rules_for(&source, &holding, &pins), &source).into_iter().map(|one| one.rule).collect()
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
