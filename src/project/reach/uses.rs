//! Which names of which project files a file takes: finer than what it runs by importing.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use rayon::prelude::*;

use super::module::{Import, Module};
use super::names::{HOPS, Names};
use crate::base::language::Language;

/// Stands for a module as a whole: nothing is known about which of its names are used.
pub(crate) const WHOLE: &str = "*";

/// The names that one file takes from others, by the file they come from.
pub(crate) type Taken = BTreeMap<String, BTreeSet<String>>;

/// Who takes what from whom, in a whole project.
#[derive(Debug, Default)]
pub(crate) struct Uses {
    by_user: HashMap<String, Taken>,
}

impl Uses {
    /// Works out the uses of all modules.
    pub(crate) fn of(modules: &HashMap<String, Arc<Module>>) -> Self {
        let names = Names::new(modules);
        let by_user = modules.par_iter().map(|(path, module)| (path.clone(), taken(&names, path, module))).collect();
        Self { by_user }
    }

    /// The files that take something from `file`, sorted, each with the names it takes.
    pub(crate) fn users<'a>(&'a self, file: &str) -> BTreeMap<&'a str, &'a BTreeSet<String>> {
        self.by_user.iter().filter_map(|(user, taken)| Some((user.as_str(), taken.get(file)?))).collect()
    }

    /// Every file with the files that take something from it.
    pub(crate) fn reversed(&self) -> HashMap<&str, BTreeSet<&str>> {
        let mut users: HashMap<&str, BTreeSet<&str>> = HashMap::new();
        for (user, taken) in &self.by_user {
            for file in taken.keys() {
                users.entry(file).or_default().insert(user);
            }
        }
        users
    }
}

fn taken(names: &Names<'_>, path: &str, module: &Module) -> Taken {
    let mut taken = Taken::new();
    let is_script = Language::of_path(path).is_some_and(Language::is_script);
    for import in &module.imports {
        if is_script { script(names, path, import, &mut taken) } else { python(names, path, import, &mut taken) }
    }
    taken.remove(path);
    taken
}

fn take(taken: &mut Taken, file: String, name: &str) {
    taken.entry(file).or_default().insert(name.to_owned());
}

fn python(names: &Names<'_>, from: &str, import: &Import, taken: &mut Taken) {
    let Some(place) = names.locate(from, import) else { return };
    let whole = import.star || import.names.is_empty() || import.names.iter().any(|name| name.name.is_empty());
    if whole && let Some(file) = &place.file {
        take(taken, file.clone(), WHOLE);
    }
    for name in import.names.iter().filter(|name| !name.name.is_empty()) {
        match names.name_in(&place, &name.name) {
            // A submodule is taken as a whole; a name that is passed on is taken from where it is defined.
            Some(file) if names.defines(&file, &name.name) => take(taken, file, &name.name),
            Some(file) => take(taken, file, WHOLE),
            None => {
                if let Some(file) = &place.file {
                    take(taken, file.clone(), &name.name);
                }
            }
        }
    }
}

fn script(names: &Names<'_>, from: &str, import: &Import, taken: &mut Taken) {
    let Some(target) = names.script_file(from, &import.module) else { return };
    let named: Vec<&str> = import.names.iter().map(|name| name.name.as_str()).filter(|name| !name.is_empty()).collect();
    if import.star || named.is_empty() || named.len() < import.names.len() {
        take(taken, target.clone(), WHOLE);
    }
    for name in named {
        let file = names.exported(&target, name, HOPS).unwrap_or_else(|| target.clone());
        take(taken, file, name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    const FILES: &[(&str, &str)] = &[
        ("pkg/__init__.py", "from .api import get\n"),
        ("pkg/api.py", "def get(): return 1\ndef put(): return 2\n"),
        ("pkg/models.py", "class User: pass\n"),
        ("web/a.ts", "export const a = () => 1; export const b = 2;"),
        ("web/index.ts", "export { a } from './a';"),
    ];

    #[rstest]
    #[case::through_the_package("use.py", "from pkg import get", "pkg/api.py: get")]
    #[case::directly("use.py", "from pkg.api import put as p, get", "pkg/api.py: get put")]
    #[case::submodule("use.py", "from pkg import models", "pkg/models.py: *")]
    #[case::module("use.py", "import pkg.models", "pkg/models.py: *")]
    #[case::star("use.py", "from pkg.api import *", "pkg/api.py: *")]
    #[case::own("use.py", "import use", "")]
    #[case::script("web/use.ts", "import { a } from './index'", "web/a.ts: a")]
    #[case::script_whole("web/use.ts", "import * as all from './a'", "web/a.ts: *")]
    fn names_are_taken_from_where_they_are_defined(#[case] user: &str, #[case] text: &str, #[case] expected: &str) {
        let read =
            |(path, text): &(&str, &str)| ((*path).to_owned(), Arc::new(Module::read(path, text.as_bytes(), false)));
        let modules: HashMap<String, Arc<Module>> = FILES.iter().chain(&[(user, text)]).map(read).collect();
        let uses = Uses::of(&modules);
        let show = |(file, names): (&String, &BTreeSet<String>)| {
            format!("{file}: {}", names.iter().cloned().collect::<Vec<_>>().join(" "))
        };
        assert_eq!(uses.by_user[user].iter().map(show).collect::<Vec<_>>().join("; "), expected);
    }
}
