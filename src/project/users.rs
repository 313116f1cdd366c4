//! Which files take which names from which: the edges of the code graph, told by file.

use std::collections::{BTreeMap, BTreeSet};

use tapps_coderef::graph::targets;
use tapps_coderef::model::{CodebaseIndex, EdgeKind, EdgeStatus, ElementId, FileId, GraphNode};

/// Stands for a module as a whole: nothing is known about which of its names are used.
pub(super) const WHOLE: &str = "*";

/// What one file takes from another.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Use {
    /// Names at the top level, or [`WHOLE`].
    pub(super) names: BTreeSet<String>,
    /// Some of it is there at run time, so that whoever uses this file depends on it too.
    pub(super) lasting: bool,
}

/// The files that take something from each file.
#[derive(Debug, Default)]
pub(super) struct Users {
    of: Vec<BTreeMap<FileId, Use>>,
    /// Files that only fetch from elsewhere through a file, with the names: they break when it no longer hands them on.
    through: Vec<BTreeMap<FileId, BTreeSet<String>>>,
}

impl Users {
    pub(super) fn from_index(index: &CodebaseIndex) -> Self {
        let mut users =
            Self { of: vec![BTreeMap::new(); index.files.len()], through: vec![BTreeMap::new(); index.files.len()] };
        for edge in
            index.edges.iter().filter(|edge| is_dependency_edge(edge.kind) && edge.status != EdgeStatus::Unresolved)
        {
            let Some(by) = file_of(index, edge.from) else { continue };
            // A call that may mean any of several proves nothing; an import does, for each of them.
            if edge.status == EdgeStatus::Ambiguous && edge.kind != EdgeKind::Import {
                continue;
            }
            for target in targets(edge) {
                if let GraphNode::Element(id) = target
                    && let Some((from, name)) = top_of(index, *id)
                {
                    users.add(by, from, name, edge.status != EdgeStatus::TypeOnly);
                }
            }
        }
        for taken in &index.taken {
            users.add(taken.by, taken.from, taken.name.as_deref().unwrap_or(WHOLE), !taken.type_only);
        }
        users.note_passages(index);
        users
    }

    fn add(&mut self, by: FileId, from: FileId, name: &str, lasting: bool) {
        if by == from {
            return;
        }
        if let Some(users) = self.of.get_mut(from.0 as usize) {
            let entry = users.entry(by).or_default();
            entry.lasting |= lasting;
            if !entry.names.contains(name) {
                entry.names.insert(name.to_owned());
            }
        }
    }

    /// Whoever imports a file and takes from another what that file exports of it, takes it through that file.
    fn note_passages(&mut self, index: &CodebaseIndex) {
        let mut handed_on: BTreeMap<FileId, BTreeSet<ElementId>> = BTreeMap::new();
        let mut fetched: BTreeMap<FileId, BTreeSet<ElementId>> = BTreeMap::new();
        for edge in &index.edges {
            let GraphNode::File(file) = edge.from else { continue };
            let into = match edge.kind {
                EdgeKind::Export => &mut handed_on,
                EdgeKind::Import => &mut fetched,
                _ => continue,
            };
            for target in targets(edge) {
                if let GraphNode::Element(id) = target
                    && file_of(index, *target) != Some(file)
                {
                    into.entry(file).or_default().insert(*id);
                }
            }
        }
        for edge in index.edges.iter().filter(|edge| edge.kind == EdgeKind::Import) {
            let GraphNode::File(by) = edge.from else { continue };
            for target in targets(edge) {
                let GraphNode::File(through) = target else { continue };
                let Some((given, asked)) = handed_on.get(through).zip(fetched.get(&by)) else { continue };
                let names =
                    given.intersection(asked).filter_map(|id| top_of(index, *id)).map(|(_, name)| name.to_owned());
                let names: BTreeSet<String> = names.collect();
                if let Some(passages) = self.through.get_mut(through.0 as usize).filter(|_| !names.is_empty()) {
                    passages.entry(by).or_default().extend(names);
                }
            }
        }
    }

    /// The files that take something from a file that changes, with the names.
    pub(super) fn of_changed(&self, file: FileId) -> BTreeMap<FileId, Use> {
        let mut users = self.of.get(file.0 as usize).cloned().unwrap_or_default();
        for (by, names) in self.through.get(file.0 as usize).into_iter().flatten() {
            let entry = users.entry(*by).or_default();
            entry.lasting = true;
            entry.names.extend(names.iter().cloned());
        }
        users
    }

    /// The files that take something lasting from a file that is itself only affected.
    pub(super) fn of_affected(&self, file: FileId) -> impl Iterator<Item = FileId> + '_ {
        let users = self.of.get(file.0 as usize).into_iter().flatten();
        users.filter(|(_, used)| used.lasting).map(|(by, _)| *by)
    }
}

const fn is_dependency_edge(kind: EdgeKind) -> bool {
    matches!(kind, EdgeKind::Import | EdgeKind::Call | EdgeKind::Extends | EdgeKind::Implements)
}

/// The file a node is or stands in.
pub(super) fn file_of(index: &CodebaseIndex, node: GraphNode) -> Option<FileId> {
    match node {
        GraphNode::File(file) => Some(file),
        GraphNode::Element(id) => index.elements.get(id.0 as usize).map(|element| element.file),
    }
}

/// The file of an element and the name at its top level that is or holds the element.
pub(super) fn top_of(index: &CodebaseIndex, id: ElementId) -> Option<(FileId, &str)> {
    let mut element = index.elements.get(id.0 as usize)?;
    while let Some(parent) = element.parent.and_then(|parent| index.elements.get(parent.0 as usize)) {
        element = parent;
    }
    Some((element.file, &element.name))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use rstest::rstest;

    use super::*;
    use tapps_base::call::Call;
    use tapps_coderef::engine::{ScanOptions, scan};
    use tapps_sandbox::Boundary;

    const FILES: &[(&str, &str)] = &[
        ("pkg/__init__.py", "from .api import get\n"),
        ("pkg/api.py", "def get(): return 1\ndef put(): return 2\nregister = object()\n"),
        ("pkg/models.py", "class User: pass\n"),
        ("web/a.ts", "export const a = () => 1; export const b = 2; export interface Shape { x: number }"),
        ("web/index.ts", "export { a } from './a';"),
        ("web/make.ts", "import { a } from './a'; export class Made { run() { return a(); } }"),
    ];

    fn index(user: &str, text: &str) -> CodebaseIndex {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in FILES.iter().chain(&[(user, text)]) {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let options = ScanOptions { fresh: true, ..ScanOptions::default() };
        scan(&Boundary::open(folder.path()).unwrap(), &options, &Call::quiet(Duration::from_secs(60))).unwrap()
    }

    /// What `user` takes, by file; what is gone at run time in brackets.
    fn shown(index: &CodebaseIndex, user: &str) -> String {
        let users = Users::from_index(index);
        let id =
            |path: &str| FileId(u32::try_from(index.files.iter().position(|file| file.path == path).unwrap()).unwrap());
        let mut shown = Vec::new();
        for file in &index.files {
            if let Some(used) = users.of[id(&file.path).0 as usize].get(&id(user)) {
                let names = used.names.iter().cloned().collect::<Vec<_>>().join(" ");
                let names = if used.lasting { names } else { format!("({names})") };
                shown.push(format!("{}: {names}", file.path));
            }
        }
        shown.join("; ")
    }

    #[rstest]
    #[case::through_the_package("use.py", "from pkg import get", "pkg/api.py: get")]
    #[case::directly("use.py", "from pkg.api import put as p, get", "pkg/api.py: get put")]
    #[case::a_variable("use.py", "from pkg.api import register", "pkg/api.py: register")]
    #[case::submodule("use.py", "from pkg import models", "pkg/models.py: *")]
    #[case::module("use.py", "import pkg.models", "pkg/models.py: *")]
    #[case::star("use.py", "from pkg.api import *", "pkg/api.py: *")]
    #[case::a_call("use.py", "import pkg.api\npkg.api.put()\n", "pkg/api.py: * put")]
    #[case::own("use.py", "import use", "")]
    #[case::script("web/use.ts", "import { a } from './index'", "web/a.ts: a")]
    #[case::script_whole("web/use.ts", "import * as all from './a'", "web/a.ts: *")]
    #[case::script_effect("web/use.ts", "import './a'", "web/a.ts: *")]
    #[case::script_type("web/use.ts", "import type { Shape } from './a'", "web/a.ts: (Shape)")]
    #[case::script_method("web/use.ts", "import { Made } from './make'; new Made().run();", "web/make.ts: Made")]
    fn names_are_taken_from_where_they_are_defined(#[case] user: &str, #[case] text: &str, #[case] expected: &str) {
        assert_eq!(shown(&index(user, text), user), expected);
    }

    #[test]
    fn a_file_that_hands_names_on_has_users_when_it_changes_itself() {
        let index = index("use.py", "from pkg import get, models\n");
        let users = Users::from_index(&index);
        let id =
            |path: &str| FileId(u32::try_from(index.files.iter().position(|file| file.path == path).unwrap()).unwrap());
        let package = id("pkg/__init__.py");
        let changed = users.of_changed(package);
        assert_eq!(changed.keys().copied().collect::<Vec<_>>(), [id("use.py")]);
        assert_eq!(changed[&id("use.py")].names.iter().map(String::as_str).collect::<Vec<_>>(), ["get"]);
        assert_eq!(users.of_affected(package).count(), 0, "what is only fetched through it is counted at its source");
    }
}
